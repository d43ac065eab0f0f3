"""Displays with a row a model: long names and titles go on several lines."""

import numpy as np
import pytest

from sklearn_entropy_metrics import (
    ModelComparisonDisplay,
    ProbabilityBalance,
    ProbabilityBalanceDisplay,
    compare_models,
)
from sklearn_entropy_metrics.display import _rows

NAMES = {
    "HistGradientBoostingClassifier": "HistGradientBoosting\nClassifier",
    "CalibratedClassifierCV(RandomForestClassifier)": (
        "CalibratedClassifierCV(\nRandomForestClassifier)"
    ),
    "a name of many words, and of blanks": "a name of many words,\nand of blanks",
    "model_2_of_three_with_weights": "model_2_of_three_with_\nweights",
    "naive Bayes": "naive Bayes",
    "NB": "NB",
}


def test_names_break_where_a_reader_would(pyplot):
    _, ax = pyplot.subplots()
    _rows.write_names(ax, list(NAMES))
    assert [label.get_text() for label in ax.get_yticklabels()] == [*NAMES.values()]


@pytest.fixture(scope="module", params=["comparison", "balances", "balance"])
def display(request):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    said = {
        name: np.where(rng.random(300) < share, y, rng.integers(0, 3, 300))
        for name, share in zip(list(NAMES)[:3], (0.8, 0.79, 0.3), strict=True)
    }
    if request.param == "comparison":
        return ModelComparisonDisplay(comparison=compare_models(y, said))
    balances = {
        name: ProbabilityBalance.from_probabilities(y, (np.eye(3)[pred] + 0.2) / 1.6)
        for name, pred in said.items()
    }
    if request.param == "balances":
        return ProbabilityBalanceDisplay(balance=balances, name="Three long names")
    name = list(NAMES)[1]
    return ProbabilityBalanceDisplay(balance=balances[name], name=name)


@pytest.mark.usefixtures("style")
def test_long_names_fit_into_figures_of_their_own(display, misplaced_texts):
    figure = display.plot().figure_
    assert misplaced_texts(figure) == []


def test_long_names_fit_into_grids(display, pyplot, misplaced_texts):
    figure, axes = pyplot.subplots(2, 3, figsize=(12, 7), layout="constrained")
    for ax in axes.flat:
        display.plot(ax)
    assert misplaced_texts(figure) == []
