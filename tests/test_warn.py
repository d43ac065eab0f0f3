"""Warnings name the line of the user, through however many functions of ours."""

import inspect

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics._warn import warn

X = np.array([[0.0], [0.1], [1.0], [1.1]])
Y_TRUE = [0, 0, 1, 1]
NO_SUM = np.full((4, 2), 0.25)

PUBLIC = {
    "table": lambda: sem.probabilistic_confusion_matrix(Y_TRUE, NO_SUM),
    "balance": lambda: sem.EntropyBalance.from_probabilities(Y_TRUE, NO_SUM),
    "loss": lambda: sem.probabilistic_confusion_entropy_loss(Y_TRUE, NO_SUM),
    "error": lambda: sem.mean_absolute_probability_error(Y_TRUE, NO_SUM),
    "accumulator": lambda: sem.TableAccumulator().update_proba(Y_TRUE, NO_SUM),
    "report": lambda: sem.information_report(Y_TRUE, Y_TRUE, y_proba=NO_SUM),
}


class Careless(GaussianNB):
    def predict_proba(self, X):
        return NO_SUM


@pytest.mark.parametrize("name", PUBLIC)
def test_sums_of_probabilities(name):
    with pytest.warns(UserWarning, match="sum to one") as caught:
        PUBLIC[name]()
    assert [(one.filename, one.lineno) for one in caught] == [
        (__file__, PUBLIC[name].__code__.co_firstlineno)
    ]


def test_scorer():
    scorer = sem.InformationScorer(["neg_probabilistic_confusion_entropy"])
    with pytest.warns(UserWarning, match="sum to one") as caught:
        scorer(Careless().fit(X, Y_TRUE), X, Y_TRUE)
    assert caught[0].filename == __file__


def test_category_and_a_stack_that_is_all_ours(monkeypatch):
    with pytest.warns(FutureWarning, match="^soon$") as caught:
        warn("soon", FutureWarning)
    assert caught[0].lineno == inspect.currentframe().f_lineno - 1
    # Nothing lies outside of the package: the outermost frame is named.
    monkeypatch.setattr("sklearn_entropy_metrics._warn._PACKAGE", "")
    with pytest.warns(UserWarning, match="lost"):
        warn("lost")
