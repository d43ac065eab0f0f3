"""What scikit-learn computes from labels, too, as functions of tables."""

import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics.measure import MEASURES

FAMILIAR = [name for name, m in MEASURES.items() if m.sklearn is not None]
every_measure = pytest.mark.parametrize("name", FAMILIAR)


def by_scikit_learn(name, table):
    """The value that scikit-learn gives to the labels that a table counts."""
    rows, columns = np.nonzero(table)
    metric = partial(MEASURES[name].sklearn, **MEASURES[name].options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return metric(rows, columns, sample_weight=table[rows, columns])


@st.composite
def tables(draw, name):
    n_classes = 2 if MEASURES[name].input == "2x2 table" else draw(st.integers(2, 5))
    cells = (
        st.integers(0, 50) if draw(st.booleans()) else st.sampled_from([0, 0, 0.3, 7])
    )
    table = draw(arrays(np.float64, (n_classes, n_classes), elements=cells))
    table[draw(st.integers(0, n_classes - 1)), -1] += 1  # not empty
    return table


@every_measure
@given(data=st.data())
def test_equals_scikit_learn(name, data):
    table = data.draw(tables(name))
    expected = by_scikit_learn(name, table)
    got = MEASURES[name](table)
    if name == "matthews_corrcoef" and np.isnan(got):
        expected = np.nan  # scikit-learn says 0
    assert got == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", ["precision", "recall", "f1", "jaccard"])
def test_a_class_that_is_never_predicted(name):
    """scikit-learn says 0, and so do these."""
    function = getattr(sem.measure, name)
    assert function([[5, 0], [3, 0]]) == 0
    per_class = function([[5, 0, 0], [1, 2, 0], [3, 0, 0]], average=None)
    assert per_class[2] == 0
    assert function([[5, 0, 0], [1, 2, 0], [3, 0, 0]], average="macro") == (
        pytest.approx(per_class.mean())
    )


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_a_class_that_does_not_occur_is_left_out(average):
    table = np.array([[5, 1], [2, 4]])
    padded = np.pad(table, (0, 1))
    for name in ("precision", "recall", "f1", "jaccard"):
        function = getattr(sem.measure, name)
        assert function(padded, average=average) == function(table, average=average)


def test_kappa_of_one_class_is_undefined():
    assert np.isnan(sem.measure.cohen_kappa([[5, 0], [0, 0]]))
    assert sem.measure.cohen_kappa([[5, 2], [0, 0]]) == 0


@every_measure
def test_interval_by_any_name(name):
    """The name, and scikit-learn's function, with an interval within the range."""
    rng = np.random.default_rng(0)
    n_classes = 2 if MEASURES[name].input == "2x2 table" else 3
    table = rng.integers(1, 9, (n_classes, n_classes)) + 30 * np.eye(
        n_classes, dtype=int
    )
    interval = sem.confidence_interval(table=table, metric=name)
    low, high = MEASURES[name].bounds(table.shape)
    assert low <= interval.low < interval.estimate < interval.high <= high
    metric = partial(MEASURES[name].sklearn, **MEASURES[name].options)
    assert sem.confidence_interval(table=table, metric=metric) == interval
    assert interval.plug_in == pytest.approx(by_scikit_learn(name, table), rel=1e-12)


def test_they_are_not_listed_but_evaluated():
    table = [[5, 1], [2, 4]]
    assert "f1" not in sem.measure.evaluate(table)
    assert "f1" not in sem.information_scores([0, 1] * 4, [0, 1, 1, 1] * 2)
    assert "balanced_accuracy" not in sem.scorer_names()
    assert sem.measure.evaluate(table, ["f1_macro"])["f1_macro"] == (
        sem.measure.f1(table, average="macro")
    )
