"""WinLossEqualDisplay, checked by its artists."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from sklearn_entropy_metrics import WinLossEqualDisplay
from sklearn_entropy_metrics.compare.win_loss import WinLossEqualResult

pytestmark = pytest.mark.usefixtures("pyplot")
PAIRS = ([0, 0, 1], [1, 2, 2])
NAMES = ["two_$x", "three", "three", "one", "one", "two_$x"]


@pytest.fixture(scope="module")
def result():
    on_validation = np.random.default_rng(0).random((50, 3, 4))
    on_test = np.random.default_rng(1).random((50, 2, 4)) + on_validation[:, :2]
    names = ("one", "two_$x", "three")
    return WinLossEqualResult.from_scores(
        names, ("first", "_second"), on_validation, on_test
    )


def widths(container):
    return [bar.get_width() for bar in container]


def texts(display, kind):
    return [text.get_text() for text in display.texts_[kind]]


def test_bars_are_the_wins_and_losses(result):
    display = WinLossEqualDisplay(result=result)
    ax = Figure().subplots()
    assert display.plot(ax) is display
    assert display.ax_ is ax
    for place in range(2):
        wins, losses = display.wins_[place], display.losses_[place]
        assert_allclose(widths(wins), result.wins[place][PAIRS])
        assert_allclose(widths(losses), -result.losses[place][PAIRS])
        ties = display.ties_[place]
        shares = result.ties[place][PAIRS]
        assert_allclose(widths(ties), np.concatenate([shares, -shares]))
        # They go on where the bars end, as high as these are, and are paler.
        assert_allclose([bar.get_x() for bar in ties], widths(wins) + widths(losses))
        for pale, bar in zip(ties, [*wins, *losses], strict=True):
            assert (pale.get_height(), pale.get_y()) == (bar.get_height(), bar.get_y())
            assert np.mean(pale.get_facecolor()) > np.mean(bar.get_facecolor())


def test_everything_has_its_own_label(result):
    """Both names of a pair, the arbiter of each bar, and the shares at its ends."""
    display = WinLossEqualDisplay(result=result).plot()
    assert texts(display, "names") == NAMES
    assert not any(text.get_parse_math() for text in display.texts_["names"])
    arbiters = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert arbiters == ["by first", "by _second"] * 3
    shares = result.wins[0][PAIRS]
    assert texts(display, "wins")[:3] == [f"{100 * one:.0f} %" for one in shares]
    ticks = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert ticks == ["100 %", "0 %", "100 %"]
    assert "tied" in display.ax_.get_xlabel()


def test_frame_has_the_data_of_the_picture(result):
    frame = WinLossEqualDisplay(result=result).frame()
    assert {column.shape for column in frame.values()} == {(6,)}
    assert frame["arbiter"].tolist() == ["first"] * 3 + ["_second"] * 3
    assert (frame["metric"][5], frame["opponent"][5]) == ("two_$x", "three")
    assert frame["wins"][5] == result.wins[1, 1, 2]
    assert frame["losses"][5] == result.wins[1, 2, 1]
    assert frame["ties"][5] == result.ties[1, 1, 2]
    assert [frame["rank"][5], frame["opponent_rank"][5]] == result.ranks[1, 1:].tolist()


def of_measures(n_measures):
    """A result whose measures but the first never picked a classifier."""
    scores = np.zeros((2, n_measures, 3))
    scores[:, 1:] = np.nan
    names = tuple(f"m{place}" for place in range(n_measures))
    return WinLossEqualResult.from_scores(names, "judge", scores, np.zeros((2, 1, 3)))


def test_pairs_that_never_met_are_marked():
    display = WinLossEqualDisplay(result=of_measures(2)).plot()
    assert texts(display, "undefined") == ["undefined"]
    assert texts(display, "names") == ["m1", "m0 (rank 1)"]
    assert texts(display, "wins") == []
    assert display.ax_.get_title(loc="left") == "arbiter: judge"
    assert display.plot(name="mine").ax_.get_title(loc="left") == "mine"


def test_pictures_that_cannot_be_drawn():
    with pytest.raises(ValueError, match=r"win_loss_equal returns. Got dict"):
        WinLossEqualDisplay(result={}).plot()
    with pytest.raises(ValueError, match=r"at least two measures\. Got 'm0'"):
        WinLossEqualDisplay(result=of_measures(1)).plot()


def test_no_losses_are_written_on_their_side():
    scores = np.tile([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]], (4, 1, 1))
    result = WinLossEqualResult.from_scores(("a", "b"), "judge", scores, scores[:, :1])
    display = WinLossEqualDisplay(result=result).plot()
    assert texts(display, "losses") == ["0 %"]
    display.figure_.canvas.draw()
    zero = display.ax_.transData.transform([0, 0])[0]
    (text,) = display.texts_["losses"]
    assert text.get_window_extent().x1 < zero


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_arbiters_are_always_named_beside_their_bars(result, misplaced_texts, layout):
    """Also where other Axes are near."""
    figure = Figure(figsize=(9.6, 6.4), layout=layout)
    for ax in figure.subplots(2, 3).flat:
        WinLossEqualDisplay(result=result).plot(ax)
        names = [label.get_text() for label in ax.get_yticklabels()]
        assert names == 3 * ["by first", "by _second"]
    assert misplaced_texts(figure) == []


def test_ranks_are_never_cut(pyplot):
    scores = np.random.default_rng(0).random((50, 2, 4))
    names = ("normalized_information", "entropy_modulated_accuracy")
    _, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    one = WinLossEqualResult.from_scores(names, ("arbiter",), scores, scores[:, :1])
    for text in texts(WinLossEqualDisplay(result=one).plot(ax), "names"):
        assert "…" in text
        assert text.endswith(("(rank 1)", "(rank 2)"))
