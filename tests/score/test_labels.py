"""Flat numbers for loggers, and dicts that JSON takes."""

import json
import math

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score, matthews_corrcoef

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import (
    InformationScorer,
    information_report,
    information_scores,
)
from sklearn_entropy_metrics.measure import MEASURES

rng = np.random.default_rng(0)
N = 200
TRUE = rng.integers(0, 3, N)
PROBA = rng.dirichlet(np.ones(3), N) + 2 * np.eye(3)[TRUE] * rng.random((N, 1))
PROBA /= PROBA.sum(axis=1, keepdims=True)
PRED = PROBA.argmax(axis=1)
WEIGHT = rng.random(N)
NAMES = np.array(["ant", "bee", "cow"])
SCIKIT_LEARN = {
    "accuracy": accuracy_score,
    "matthews_corrcoef": matthews_corrcoef,
}


def value_of(measure, *, weight=None, two=False):
    """What the metric function of a measure says."""
    options = {"sample_weight": weight, **measure.options}
    true, pred, proba = TRUE, PRED, PROBA
    if two:
        true, pred, proba = (TRUE > 0) * 1, (PRED > 0) * 1, 1 - PROBA[:, 0]
    if measure.metric is None:
        return SCIKIT_LEARN[measure.name](true, pred, sample_weight=weight)
    return measure.metric(true, proba if measure.of_probabilities else pred, **options)


@pytest.mark.parametrize("weight", [None, WEIGHT])
class TestValues:
    def test_are_those_of_the_metrics(self, weight):
        scores = information_scores(TRUE, PRED, y_proba=PROBA, sample_weight=weight)
        for name, score in scores.items():
            expected = value_of(MEASURES[name], weight=weight)
            assert score == pytest.approx(expected, rel=1e-12), name
            assert type(score) is float
        missing = {
            m.input
            for name, m in MEASURES.items()
            if m.is_listed and name not in scores
        }
        assert missing == {"2x2 table", "label tables"}

    def test_of_two_classes(self, weight):
        scores = information_scores(
            (TRUE > 0) * 1,
            (PRED > 0) * 1,
            y_proba=1 - PROBA[:, 0],
            sample_weight=weight,
        )
        of_one_label = [
            n for n, m in MEASURES.items() if m.is_listed and not m.of_several_labels
        ]
        assert list(scores) == of_one_label
        for name, score in scores.items():
            expected = value_of(MEASURES[name], weight=weight, two=True)
            assert score == pytest.approx(expected, rel=1e-12), name


def test_without_probabilities():
    scores = information_scores(NAMES[TRUE], NAMES[PRED])
    assert scores["accuracy"] == accuracy_score(TRUE, PRED)
    assert not any(MEASURES[name].of_probabilities for name in scores)


def test_keys_are_measures_of_the_scorer():
    class Stored:
        classes_ = np.arange(3)

        def predict(self, X):
            return PRED

    scores = information_scores(TRUE, PRED)
    by_scorer = InformationScorer("all")(Stored(), TRUE[:, None], TRUE)
    signed = {MEASURES[n].scoring: MEASURES[n].sign * v for n, v in scores.items()}
    assert signed == by_scorer


def test_labels_fix_the_number_of_classes():
    some = TRUE < 2
    few = np.minimum(PRED, 1)
    given = information_scores(TRUE[some], few[some], labels=[0, 1, 2])
    expected = sem.normalized_information_transfer_score(
        TRUE[some], few[some], labels=[0, 1, 2]
    )
    assert given["normalized_information_transfer"] == expected
    free = information_scores(TRUE[some], few[some])
    assert free["normalized_information_transfer"] > expected


def test_columns_of_a_class_that_is_only_predicted():
    some = TRUE < 2
    scores = information_scores(TRUE[some], PRED[some], y_proba=PROBA[some])
    expected = sem.probabilistic_confusion_entropy_loss(
        TRUE[some], PROBA[some], labels=[0, 1, 2]
    )
    assert scores["probabilistic_confusion_entropy"] == pytest.approx(expected)


def test_undefined_is_nan_with_one_warning():
    with pytest.warns(UndefinedMetricWarning, match="nan is returned") as caught:
        scores = information_scores([0, 1, 1, 0], [1, 1, 1, 1])
    assert len(caught) == 1
    assert math.isnan(scores["unbiased_matthews_corrcoef"])
    assert "unbiased_matthews_corrcoef" in str(caught[0].message)
    assert scores["accuracy"] == 0.5


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_one_class_is_told():
    with pytest.warns(UserWarning, match="one class only"):
        scores = information_scores(["a", "a"], ["a", "b"])
    assert math.isnan(scores["normalized_information"])


def test_few_samples_are_not_recalibrated():
    scores = information_scores(TRUE[:4], PRED[:4], y_proba=PROBA[:4], labels=[0, 1, 2])
    assert "probabilistic_confusion_entropy" in scores
    assert "miscalibration" not in scores


def test_wrong_input():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        information_scores([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="labels must contain every value"):
        information_scores([0, 1], [0, 1], labels=[0])
    with pytest.raises(ValueError, match="y_proba must lie between"):
        information_scores([0, 1], [0, 1], y_proba=[[2, -1], [0, 1]])
    with pytest.raises(TypeError):
        information_scores([0, 1], [0, 1], [[1, 0], [0, 1]])


@pytest.mark.parametrize(
    "report",
    [
        lambda: information_report(TRUE, PRED, y_proba=PROBA, output_dict=True),
        lambda: information_report(
            NAMES[TRUE], NAMES[PRED], sample_weight=WEIGHT, output_dict=True
        ),
        lambda: information_report(
            TRUE.astype(np.uint8),
            PRED.astype(np.uint8),
            pred_labels=np.arange(4),
            output_dict=True,
        ),
        lambda: information_report(
            table=np.array([[3, 1], [0, 2]], dtype=np.float32), output_dict=True
        ),
        lambda: information_report(
            table=sem.TableAccumulator().update_proba(TRUE, PROBA), output_dict=True
        ),
        lambda: information_report(TRUE > 1, PRED > 1, output_dict=True),
    ],
)
def test_json_takes_reports(report):
    numbers = report()
    # NaN is no number of JSON, but Python reads and writes it.
    read = json.loads(json.dumps(numbers, allow_nan=True))
    np.testing.assert_equal(read, numbers)


def test_json_takes_scores():
    scores = information_scores(TRUE, PRED, y_proba=PROBA)
    assert json.loads(json.dumps(scores)) == scores
