"""ModelComparisonDisplay, checked by its artists."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from sklearn_entropy_metrics import ModelComparisonDisplay, compare_models
from sklearn_entropy_metrics.display import _axes

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 3, 300)


def predicted(accuracy):
    return np.where(RNG.random(len(Y)) < accuracy, Y, RNG.integers(0, 3, len(Y)))


@pytest.fixture(scope="module")
def comparison():
    models = {"poor": predicted(0.2), "good": predicted(0.8), "alike": predicted(0.79)}
    return compare_models(Y, models, n_resamples=499, random_state=0)


@pytest.fixture
def display(pyplot, comparison):
    return ModelComparisonDisplay(comparison=comparison).plot()


def test_models_are_sorted_with_their_intervals(display, comparison):
    frame = display.frame()
    assert frame["rank"].tolist() == [1, 2, 3]
    assert frame["name"][2] == "poor"
    labels = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert labels == [model.name for model in comparison.models]
    low, high = display.ax_.get_ylim()
    assert low > high  # the first row is on top
    for row, (start, stop) in enumerate(display.intervals_.get_segments()):
        model = comparison.models[row]
        np.testing.assert_allclose([start, stop], [[model.low, row], [model.high, row]])


def test_who_ties_with_the_best_is_marked(display, comparison):
    tied = [i for i, model in enumerate(comparison.models) if model.tied_with_best]
    assert tied == [0, 1]
    rows = display.points_["tied"].get_offsets()[:, 1].tolist()
    assert rows == tied
    assert display.points_["worse"].get_offsets()[:, 1].tolist() == [2]
    estimates = [model.estimate for model in comparison.models]
    np.testing.assert_allclose(
        display.points_["tied"].get_offsets()[:, 0], estimates[:2]
    )
    assert to_hex(display.points_["tied"].get_facecolor()[0]) == _axes.INFORMATION
    assert to_hex(display.points_["worse"].get_facecolor()[0]) == "#ffffff"
    words = [text.get_text() for text in display.legend_.get_texts()]
    assert words == ["tied with the best", "worse than the best"]


def test_words_and_numbers(display, comparison):
    best = comparison.models[0]
    assert display.ax_.get_xlabel() == "normalized information, with 95 % intervals"
    title = display.ax_.get_title(loc="left")
    assert title == f"{best.name} is best, tied with 1 of 2 others"
    assert display.texts_[0].get_text().startswith(f"{best.estimate:.2f}")


def test_a_clear_winner_has_one_mark_less(pyplot):
    models = {"right": Y, "wrong": RNG.permutation(Y)}
    comparison = compare_models(Y, models, n_resamples=199, random_state=0)
    display = ModelComparisonDisplay(comparison=comparison).plot(name="Two $models$")
    assert display.ax_.get_title(loc="left") == "Two $models$"
    display = ModelComparisonDisplay(comparison=comparison).plot()
    title = display.ax_.get_title(loc="left")
    assert title == "right is best, and better than all others"


@pytest.mark.usefixtures("style")
def test_all_texts_can_be_read(pyplot, comparison, misplaced_texts):
    display = ModelComparisonDisplay(comparison=comparison).plot()
    assert misplaced_texts(display.figure_) == []


def test_on_given_axes(pyplot, comparison):
    figure, ax = pyplot.subplots()
    size = figure.get_size_inches().tolist()
    display = ModelComparisonDisplay(comparison=comparison)
    assert display.plot(ax) is display
    assert display.ax_ is ax
    assert figure.get_size_inches().tolist() == size


def test_small_and_shared_figures(
    pyplot, comparison, misplaced_texts, check_small_and_shared
):
    display = ModelComparisonDisplay(comparison=comparison)
    check_small_and_shared(display, (12, 7))
    # Without a layout there is no room for the intervals.
    plain, ax = pyplot.subplots()
    display.plot(ax)
    assert misplaced_texts(plain) == []
    estimates = [f"{model.estimate:.2f}" for model in comparison.models]
    assert [text.get_text() for text in display.texts_] == estimates


def test_other_things_are_refused(pyplot):
    with pytest.raises(ValueError, match="what compare_models returns, got 3"):
        ModelComparisonDisplay(comparison=3).plot()
