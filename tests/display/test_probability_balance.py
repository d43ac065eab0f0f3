"""ProbabilityBalanceDisplay, checked by its artists."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import ProbabilityBalance, ProbabilityBalanceDisplay

X, X_TEST, Y, Y_TEST = train_test_split(
    *load_wine(return_X_y=True), test_size=0.5, random_state=0
)
MODELS = {
    "naive Bayes": GaussianNB().fit(X[:, :3], Y),
    "forest": RandomForestClassifier(20, random_state=0).fit(X[:, :3], Y),
}
PARTS = ["decisions", "deciding", "unknown", "miscalibration"]


def made_balance(entropy, log_loss, recalibrated, decisions):
    """A balance with these numbers, whatever the samples."""
    balance = ProbabilityBalance(
        entropy, log_loss, recalibrated, "isotonic", np.eye(2) * 100, None
    )
    balance.__dict__["decision_information"] = decisions
    known = balance.information
    ends = SimpleNamespace(low=known - 0.05, high=known + 0.05)
    balance.__dict__["interval"] = lambda name: ends
    return balance


@pytest.fixture
def several(pyplot):
    return ProbabilityBalanceDisplay.from_estimator(MODELS, X_TEST[:, :3], Y_TEST)


def widths(display):
    return np.array(
        [[bar.get_width() for bar in display.bars_[part]] for part in PARTS]
    )


def test_parts_are_in_proportion(pyplot):
    balances = {
        "a": made_balance(1.0, 0.9, 0.6, decisions=0.3),
        "b": made_balance(2.0, 3.1, 0.5, decisions=1.2),
    }
    display = ProbabilityBalanceDisplay(balance=balances).plot()
    assert list(display.bars_) == PARTS
    expected = [[0.3, 1.2], [0.1, 0.3], [0.6, 0.5], [0.3, 2.6]]
    np.testing.assert_allclose(widths(display), expected)
    starts = [[bar.get_x() for bar in bars] for bars in display.bars_.values()]
    np.testing.assert_allclose(starts, [[0, 0], [0.3, 1.2], [0.4, 1.5], [1, 2]])


def test_marks_and_lines(several):
    frame = several.frame()
    for row, (mark, line) in enumerate(
        zip(
            several.entropies_.get_segments(),
            several.log_losses_.get_segments(),
            strict=True,
        )
    ):
        assert mark[:, 0] == pytest.approx(frame["entropy"][row])
        assert np.ptp(line[:, 0]) == pytest.approx(frame["log_loss"][row])
        assert line[0, 0] == pytest.approx(frame["information"][row])
        (text,) = [several.texts_["log_loss"][row].get_text()]
        assert text == f"log loss {frame['log_loss'][row]:.2f}"
    (whiskers,) = several.intervals_.lines[2]
    for balance, ends in zip(
        several.balance.values(), whiskers.get_segments(), strict=True
    ):
        known = balance.interval("information")
        assert ends[:, 0] == pytest.approx([known.low, known.high])


def test_words(several, misplaced_texts):
    names = [text.get_text() for text in several.ax_.get_yticklabels()]
    assert names == list(MODELS)
    assert [text.get_text() for text in several.legend_.get_texts()] == [
        "kept by the decisions",
        "lost by deciding",
        "unknown",
        "miscalibration",
        f"entropy {several.frame()['entropy'][0]:.2f}",
    ]  # the log loss is written below each bar
    words = "bits per sample, with 95 % intervals of what is known"
    assert several.ax_.get_xlabel() == words
    assert misplaced_texts(several.figure_) == []


def test_one_model(pyplot):
    display = ProbabilityBalanceDisplay.from_estimator(
        MODELS["forest"], X_TEST[:, :3], Y_TEST
    )
    assert isinstance(display.balance, ProbabilityBalance)
    assert display.name == "RandomForestClassifier"
    title = display.ax_.get_title(loc="left").replace("\n", " ")
    known, entropy = display.balance.information, display.balance.entropy
    words = f"the probabilities provide {known:.2f} of {entropy:.2f} bits; as stated"
    assert title.startswith(f"RandomForestClassifier: {words}")
    again = ProbabilityBalanceDisplay(balance=display.balance).plot(name="mine")
    assert [text.get_text() for text in again.ax_.get_yticklabels()] == ["mine"]


def test_from_predictions(pyplot):
    proba = {name: model.predict_proba(X_TEST[:, :3]) for name, model in MODELS.items()}
    of_models = ProbabilityBalanceDisplay.from_estimator(
        MODELS, X_TEST[:, :3], Y_TEST, cv=3
    )
    many = ProbabilityBalanceDisplay.from_predictions(
        Y_TEST, proba, cv=3, name="two models"
    )
    np.testing.assert_array_equal(widths(many), widths(of_models))
    assert many.ax_.get_title(loc="left") == "two models"
    one = ProbabilityBalanceDisplay.from_predictions(
        Y_TEST, proba["forest"], recalibration="none", sample_weight=Y_TEST + 1
    )
    assert one.balance.recalibration == "none"
    assert one.name is None
    expected = ProbabilityBalance.from_probabilities(
        Y_TEST, proba["forest"], recalibration="none", sample_weight=Y_TEST + 1
    )
    assert one.balance.log_loss == expected.log_loss


def test_slightly_negative_parts_are_zero(pyplot):
    balance = made_balance(1.0, 0.28, 0.3, decisions=0.72)
    display = ProbabilityBalanceDisplay(balance=balance, name="model").plot()
    told, lost, unknown, added = widths(display)[:, 0]
    assert told == balance.information
    assert (lost, added) == (0, 0)
    assert unknown == pytest.approx(0.3)


def test_misleading_probabilities_reach_to_the_left(pyplot):
    balance = made_balance(1.0, 1.5, 1.2, decisions=0.0)
    display = ProbabilityBalanceDisplay(balance=balance).plot()
    assert display.ax_.get_xlim()[0] == pytest.approx(-0.2)
    (bar,) = display.bars_["unknown"]
    assert bar.get_x() == pytest.approx(-0.2)
    assert bar.get_width() == pytest.approx(1.2)


def test_no_interval_where_none_is_known(pyplot):
    """It judges the samples that it was fitted to."""
    proba = MODELS["forest"].predict_proba(X_TEST[:, :3])
    display = ProbabilityBalanceDisplay.from_predictions(Y_TEST, proba, cv=None)
    (whiskers,) = display.intervals_.lines[2]
    assert len(whiskers.get_segments()[0]) == 0
    assert display.ax_.get_xlabel() == "bits per sample"


@pytest.mark.parametrize("name", ["$x_1$", "_hidden", "a-b"])
def test_names_are_texts(pyplot, name):
    display = ProbabilityBalanceDisplay(
        balance={name: made_balance(1.0, 0.9, 0.6, 0.3)}
    ).plot()
    (label,) = display.ax_.get_yticklabels()
    assert label.get_text() == name
    assert not label.get_parse_math()


def test_wrong_input(pyplot):
    with pytest.raises(ValueError, match="only supports classifiers"):
        ProbabilityBalanceDisplay.from_estimator(LinearRegression(), X, Y)
    for wrong in (None, {}, {"a": 1}, [made_balance(1, 1, 1, 1)]):
        with pytest.raises(ValueError, match="`balance` must"):
            ProbabilityBalanceDisplay(balance=wrong).plot()
    assert pyplot.get_fignums() == []


def test_low_rows_leave_out_the_numbers_below(pyplot):
    proba = MODELS["forest"].predict_proba(X_TEST[:, :3])
    _, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    ten = {f"model {number}": proba for number in range(10)}
    display = ProbabilityBalanceDisplay.from_predictions(
        Y_TEST, ten, recalibration="none", ax=ax
    )
    ax.figure.canvas.draw()
    assert display.texts_["log_loss"] == []
    assert "log loss" in [text.get_text() for text in display.legend_.get_texts()]
    label = ax.xaxis.label.get_window_extent()
    assert label.x0 >= 0
    assert label.x1 <= ax.figure.bbox.x1


def test_the_log_loss_of_a_short_bar_is_not_cut(pyplot):
    _, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    balances = {
        "good": made_balance(0.5, 0.1, 0.45, 0.44),
        "bad": made_balance(0.5, 6.0, 0.1, 0.05),
    }
    display = ProbabilityBalanceDisplay(balance=balances).plot(ax)
    ax.figure.canvas.draw()
    for text in display.texts_["log_loss"]:
        assert text.get_window_extent().x0 >= ax.bbox.x0
    assert len(display.texts_["log_loss"]) == 2


def test_ten_long_names_in_a_grid_can_be_read(pyplot, misplaced_texts):
    balance = made_balance(1.0, 0.9, 0.6, 0.3)
    names = [f"a classifier with a long name, {i}" for i in range(10)]
    figure, axes = pyplot.subplots(2, 3)
    for ax in axes.flat:
        ProbabilityBalanceDisplay(balance=dict.fromkeys(names, balance)).plot(ax)
        shown = [label.get_text() for label in ax.get_yticklabels()]
        assert len(set(shown)) == 10
        assert min(map(len, shown)) > 10
    assert misplaced_texts(figure) == []
