"""Very many classes: from labels to every measure in memory proportional to samples."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse as sp
from sklearn.metrics import accuracy_score, matthews_corrcoef, mutual_info_score

from sklearn_entropy_metrics import (
    EntropyBalance,
    EntropyTriangleDisplay,
    contingency_table,
    information_report,
)
from sklearn_entropy_metrics.measure.catalog import MEASURES

N, K = 100_000, 50_000
rng = np.random.default_rng(0)
Y_TRUE = rng.integers(0, K, N)
Y_PRED = np.where(rng.random(N) < 0.7, Y_TRUE, rng.integers(0, K, N))
# What is expected by chance takes a time that grows with the square of the classes.
SLOW = {"adjusted_normalized_information"}
OF_SPARSE = [
    pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
    for name, m in MEASURES.items()
    if m.input in ("table", "square table")
]


@pytest.mark.parametrize("name", OF_SPARSE)
def test_memory_is_a_few_times_the_inputs(name):
    tracemalloc.start()
    balance = EntropyBalance.from_predictions(Y_TRUE, Y_PRED)
    value = MEASURES[name](balance)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(balance.table, sp.csr_array)
    assert np.isfinite(value)
    assert peak < 8 * (Y_TRUE.nbytes + Y_PRED.nbytes)


def test_smoothing_is_refused_before_anything_dense_is_made():
    table = contingency_table(Y_TRUE, Y_PRED, sparse=True)
    tracemalloc.start()
    with pytest.raises(ValueError, match="takes dense tables only"):
        EntropyBalance.from_confusion_matrix(table, smoothing="empirical_bayes")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < K**2 / 100


def test_memory_of_a_report_with_a_reject_column():
    k = 10_000
    y_true = np.arange(3 * k) % k
    y_pred = np.where(np.arange(3 * k) % 7 == 0, -1, y_true)
    labels = {"labels": np.arange(k), "pred_labels": np.arange(-1, k)}
    tracemalloc.start()
    report = information_report(y_true, y_pred, **labels, output_dict=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < k**2 / 2
    assert report["classes"]["7"]["recall"] == np.mean(y_pred[7::k] == 7)


def test_numbers_are_those_of_scikit_learn():
    table = contingency_table(Y_TRUE, Y_PRED, sparse="auto")
    balance = EntropyBalance.from_confusion_matrix(table)
    information = mutual_info_score(Y_TRUE, Y_PRED) / np.log(2)
    assert balance.mutual_information == pytest.approx(information, rel=1e-10)
    assert MEASURES["accuracy"](table) == accuracy_score(Y_TRUE, Y_PRED)
    some = slice(3000)  # scikit-learn makes a dense table for this one
    assert MEASURES["matthews_corrcoef"](
        contingency_table(Y_TRUE[some], Y_PRED[some], sparse=True)
    ) == pytest.approx(matthews_corrcoef(Y_TRUE[some], Y_PRED[some]), abs=1e-12)
    assert balance.joint_fractions.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.slow
def test_reports_and_pictures():
    report = information_report(Y_TRUE, Y_PRED, output_dict=True)
    assert report["task"]["n_samples"] == N
    display = EntropyTriangleDisplay.from_predictions(Y_TRUE, Y_PRED)
    assert isinstance(display.balance.table, sp.csr_array)
