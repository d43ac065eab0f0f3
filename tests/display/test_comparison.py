"""ModelComparisonDisplay: rows of models and segments, checked by their artists."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from sklearn_entropy_metrics import (
    ModelComparisonDisplay,
    compare_models,
    compare_segments,
)
from sklearn_entropy_metrics.display import _display

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 3, 300)
MONTHS = np.repeat([f"2024-{month:02d}" for month in range(1, 7)], 50)
LONG = "DummyClassifier (most frequent class of all)"


def predicted(accuracy):
    return np.where(RNG.random(len(Y)) < accuracy, Y, RNG.integers(0, 3, len(Y)))


@pytest.fixture(scope="module")
def comparison():
    models = {LONG: predicted(0.2), "good": predicted(0.8), "alike": predicted(0.79)}
    return compare_models(Y, models, n_resamples=499, random_state=0)


@pytest.fixture(scope="module")
def segments():
    return compare_segments(Y, predicted(0.7), MONTHS, n_resamples=99, random_state=0)


@pytest.fixture
def display(pyplot, comparison):
    return ModelComparisonDisplay(comparison=comparison).plot()


def test_models_are_sorted_with_their_intervals(display, comparison):
    assert display.frame()["rank"].tolist() == [1, 2, 3]
    labels = [text.get_text() for text in display.ax_.get_yticklabels()]
    names = [model.name for model in comparison.models]
    assert [label.replace("\n", " ") for label in labels] == names
    low, high = display.ax_.get_ylim()
    assert low > high  # the first row is on top
    for row, (start, stop) in enumerate(display.intervals_.get_segments()):
        model = comparison.models[row]
        np.testing.assert_allclose([start, stop], [[model.low, row], [model.high, row]])


def test_who_ties_with_the_best_is_marked(display, comparison):
    assert [model.tied_with_best for model in comparison.models] == [True, True, False]
    tied, worse = (display.points_[key] for key in ("tied", "worse"))
    assert tied.get_offsets()[:, 1].tolist() == [0, 1]
    assert worse.get_offsets()[:, 1].tolist() == [2]
    assert to_hex(tied.get_facecolor()[0]) == _display.INFORMATION
    assert to_hex(worse.get_facecolor()[0]) == "#ffffff"
    words = [text.get_text() for text in display.legend_.get_texts()]
    expected = ["not significantly worse", "significantly worse"]
    assert words == [*expected, "interval of the best"]
    left, right = display.band_.get_datalim(display.ax_.transData).intervalx
    best = comparison.models[0]
    assert (left, right) == pytest.approx((best.low, best.high))


def test_words_and_numbers(display, comparison):
    best = comparison.models[0]
    assert display.ax_.get_xlabel() == "normalized information, with 95 % intervals"
    title = display.ax_.get_title(loc="left").replace("\n", " ")
    expected = f"{best.name} is best; 1 of the 2 others is not significantly worse"
    assert title == expected
    texts = [text.get_text() for text in display.texts_]
    assert texts[0] == f"{best.estimate:.2f}  [{best.low:.2f}, {best.high:.2f}]"


def test_from_predictions_says_who_wins(pyplot):
    models = {"right": Y, "wrong": RNG.permutation(Y)}
    display = ModelComparisonDisplay.from_predictions(
        Y, models, metric="accuracy", random_state=0
    )
    title = display.ax_.get_title(loc="left")
    assert title == "right is best; the other is significantly worse"


def test_equal_models_are_among_the_best(pyplot):
    display = ModelComparisonDisplay.from_predictions(
        Y, {"a": Y, "b": Y}, metric="accuracy", random_state=0
    )
    title = display.ax_.get_title(loc="left").replace("\n", " ")
    assert title == "a is among the best; no other model is significantly worse"
    assert display.comparison.metric == "accuracy"
    display.plot(name="Two $models$")
    assert display.ax_.get_title(loc="left") == "Two $models$"


def test_segments_keep_their_order(pyplot, segments):
    display = ModelComparisonDisplay(comparison=segments).plot()
    labels = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert labels == [one.name for one in segments.segments] == sorted(set(MONTHS))
    band = display.band_.get_datalim(display.ax_.transData).intervalx
    overall = segments.overall
    assert tuple(band) == pytest.approx((overall.low, overall.high))
    assert [text.get_text() for text in display.legend_.get_texts()] == ["all samples"]


@pytest.mark.filterwarnings("ignore:Segments with fewer", "ignore:.*may miss")
@pytest.mark.parametrize("trend", [False, True])
def test_segments_without_an_interval_are_empty(pyplot, trend):
    for sizes, title in (((5, 30, 30), "From "), ((5, 4, 3), "No row has an estimate")):
        by = np.repeat(range(3), sizes)
        some = slice(len(by))
        found = compare_segments(Y[some], predicted(0.8)[some], by, n_resamples=9)
        display = ModelComparisonDisplay(comparison=found).plot(trend=trend)
        assert display.ax_.get_title(loc="left").startswith(title)
        assert not any("nan" in text.get_text() for text in display.texts_)


def test_a_trend_is_a_line(pyplot, segments, comparison, misplaced_texts):
    display = ModelComparisonDisplay(comparison=segments).plot(trend=True)
    estimates = [one.estimate for one in segments.segments]
    np.testing.assert_allclose(display.line_.get_ydata(), estimates)
    assert display.line_.get_xdata().tolist() == list(range(6))
    assert misplaced_texts(display.figure_) == []
    with pytest.raises(ValueError, match="`trend` must be False: models"):
        ModelComparisonDisplay(comparison=comparison).plot(trend=True)
    with pytest.raises(ValueError, match=r"`trend` must be True or False\. Got 1"):
        display.plot(trend=1)


def test_long_names_on_plain_axes_are_above_their_rows(
    pyplot, comparison, misplaced_texts
):
    """Without a layout nothing makes room for them at the left."""
    figure, ax = pyplot.subplots()
    display = ModelComparisonDisplay(comparison=comparison).plot(ax)
    assert display.ax_ is ax
    assert len(ax.get_yticks()) == 0
    assert LONG in [text.get_text() for text in display.texts_]
    assert misplaced_texts(figure) == []


def test_other_things_are_refused(pyplot):
    with pytest.raises(ValueError, match=r"what compare_models or .* returns\. Got 3"):
        ModelComparisonDisplay(comparison=3).plot()


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_names_do_not_cover_low_rows(pyplot, layout):
    """Axes become narrower, so that much of the names can be read beside them."""
    names = [f"{LONG} {number}" for number in range(10)]
    models = compare_models(
        Y, {name: predicted(0.6) for name in names}, n_resamples=99, random_state=0
    )
    _, ax = pyplot.subplots(figsize=(3, 2.5), layout=layout)
    display = ModelComparisonDisplay(comparison=models).plot(ax)
    ax.figure.canvas.draw()
    labels = ax.get_yticklabels()
    assert min(len(label.get_text()) for label in labels) > 15
    assert len({label.get_text() for label in labels}) == 10
    boxes = [label.get_window_extent() for label in labels]
    assert len(labels) == 10
    assert all("…" in label.get_text() for label in labels)
    assert all(box.x0 >= 0 and box.x1 <= ax.bbox.x0 for box in boxes)
    assert min(label.get_fontsize() for label in labels) >= 6
    assert not {text.get_text() for text in display.texts_} & set(names)


def many_months(n_months):
    names = [f"{2020 + i // 12}-{i % 12 + 1:02d}" for i in range(n_months)]
    y = np.arange(20 * n_months) % 2
    pred = np.where(np.arange(len(y)) % 7 == 0, 1 - y, y)
    return compare_segments(
        y, pred, np.repeat(names, 20), n_resamples=9, random_state=0
    )


@pytest.mark.parametrize("shape", [(1, 1), (2, 3)])
def test_months_stand_beside_their_rows(pyplot, misplaced_texts, shape):
    """Of very many, some, so that they are apart; as are the numbers at the right."""
    for n_months, n_names in ((12, 12), (36, (12, 18))):
        size = (3, 2.5) if shape == (1, 1) else (6.4, 4.8)
        figure, axes = pyplot.subplots(*shape, figsize=size, squeeze=False)
        for ax in axes.flat:
            display = ModelComparisonDisplay(comparison=many_months(n_months)).plot(ax)
            names = [label.get_text() for label in ax.get_yticklabels()]
            assert len(names) in np.ravel(n_names)
            assert names[:2] == ["2020-01", f"2020-0{1 + n_months // len(names)}"]
            assert len(display.texts_) == len(names)
        assert misplaced_texts(figure) == []


def test_names_below_a_trend_break_at_blanks(pyplot, misplaced_texts):
    """So that all of them have room."""
    y = np.arange(240) % 2
    names = [
        f"{month} 2024"
        for month in ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug"]
    ]
    by = pd.Categorical(np.repeat(names, 30), categories=names, ordered=True)
    pred = np.where(np.arange(240) % 7 == 0, 1 - y, y)
    months = compare_segments(y, pred, by, n_resamples=9, random_state=0)
    small, ax = pyplot.subplots(figsize=(3, 2.5))
    ModelComparisonDisplay(comparison=months).plot(ax, trend=True)
    assert misplaced_texts(small) == []
    figure, ax = pyplot.subplots(figsize=(4.5, 3), layout="constrained")
    ModelComparisonDisplay(comparison=months).plot(ax, trend=True)
    shown = [label.get_text().split() for label in ax.get_xticklabels()]
    assert sorted(map(" ".join, shown)) == sorted(names)
    assert misplaced_texts(figure) == []


def test_a_later_layout_moves_narrow_axes(pyplot):
    figure, ax = pyplot.subplots(figsize=(3, 2.5))
    ModelComparisonDisplay(comparison=many_months(12)).plot(ax)
    before = ax.get_position().x0
    assert before > figure.subplotpars.left
    assert ax.get_in_layout()
    figure.tight_layout()
    assert ax.get_position().x0 != before


def test_names_above_rows_end_with_them(pyplot, comparison):
    """Other Axes may follow at the right."""
    figure, axes = pyplot.subplots(2, 3)
    display = ModelComparisonDisplay(comparison=comparison).plot(axes[0, 0])
    figure.canvas.draw()
    (above,) = (text for text in display.texts_ if text.get_text().startswith("Dummy"))
    assert "…" in above.get_text()
    assert above.get_window_extent().x1 <= axes[0, 0].bbox.x1


@pytest.mark.parametrize("size", [(3, 2.5), (6.4, 2.3)])
def test_ticks_are_round(pyplot, size):
    """Their distance is 1, 2, 2.5 or 5 times a power of ten, and each a multiple."""
    _, ax = pyplot.subplots(figsize=size, layout="constrained")
    y_true = np.arange(200) % 2
    pred = {name: (np.arange(200) % n < 2) ^ y_true for name, n in (("a", 5), ("b", 7))}
    ModelComparisonDisplay.from_predictions(
        y_true, pred, metric="accuracy", random_state=0, ax=ax
    )
    ticks = ax.get_xticks()
    step = ticks[1] - ticks[0]
    mantissa = step / 10 ** np.floor(np.log10(step) + 1e-9)
    assert np.isclose(mantissa, [1, 2, 2.5, 5]).any()
    np.testing.assert_allclose(ticks / step, np.round(ticks / step), atol=1e-6)
