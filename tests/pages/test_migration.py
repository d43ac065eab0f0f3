"""What the page for those who come from scikit-learn and PyCM says is so."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.utils.class_weight import compute_sample_weight

import sklearn_entropy_metrics as sem

PAGE = Path(__file__).parents[2] / "docs/guide/from_scikit_learn_and_pycm.md"
# Rows of the table of PyCM's names; those that have no counterpart say so.
ROWS = [
    (theirs, ours)
    for theirs, ours in re.findall(
        r"^\| (`cm\..*?) \| (.*?) \|$", PAGE.read_text("utf-8"), flags=re.M
    )
    if not ours.startswith("none")
]
PAIRS = [
    pair
    for row in ROWS
    for pair in zip(*(re.findall("`(.*?)`", cell) for cell in row), strict=False)
]
LABELS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=60
)


def test_the_table_is_read():
    assert ("cm.Overall_CEN", "confusion_entropy_loss(y_true, y_pred)") in PAIRS
    assert len(PAIRS) == 11


@pytest.mark.filterwarnings("ignore:divide by zero")  # in PyCM, where rates are 1
@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize(("theirs", "ours"), PAIRS)
def test_pycm(theirs, ours, n_classes):
    pycm = pytest.importorskip("pycm")
    rng = np.random.default_rng(n_classes)
    y_true = np.r_[np.arange(n_classes), rng.integers(0, n_classes, 80) // 2]
    y_pred = np.r_[np.arange(n_classes), rng.integers(0, n_classes, 80)]
    names = {
        "cm": pycm.ConfusionMatrix(y_true, y_pred),
        "y_true": y_true,
        "y_pred": y_pred,
        "balance": sem.EntropyBalance.from_predictions(y_true, y_pred),
        "table": sem.contingency_table(y_true, y_pred),
    }
    expected = eval(theirs, names)
    if isinstance(expected, dict):
        expected = list(expected.values())
    value = eval(ours, vars(sem) | names)
    np.testing.assert_allclose(value, expected, rtol=1e-12, atol=1e-12)


@given(LABELS)
def test_no_information_rate_is_above_the_floor_of_ema(pairs):
    y_true, _ = np.transpose(pairs)
    balance = sem.EntropyBalance.from_predictions(y_true, y_true)
    rate = np.bincount(y_true).max() / len(y_true)
    assert 1 / balance.effective_true_classes <= rate + 1e-12


@given(LABELS)
def test_mutual_information_and_its_shares_as_in_scikit_learn(pairs):
    y_true, y_pred = np.transpose(pairs)
    assume(len(set(y_true)) > 1 and len(set(y_pred)) > 1)
    balance = sem.EntropyBalance.from_predictions(y_true, y_pred)
    bits = balance.mutual_information
    mean = (balance.entropy_true + balance.entropy_pred) / 2
    both = (y_true, y_pred)
    close = {"atol": 1e-9}
    np.testing.assert_allclose(
        bits * np.log(2), metrics.mutual_info_score(*both), **close
    )
    np.testing.assert_allclose(
        balance.normalized_information, metrics.homogeneity_score(*both), **close
    )
    np.testing.assert_allclose(
        bits / balance.entropy_pred, metrics.completeness_score(*both), **close
    )
    np.testing.assert_allclose(
        bits / mean, metrics.normalized_mutual_info_score(*both), **close
    )


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (metrics.accuracy_score, sem.unbiased_accuracy_score),
        (metrics.precision_score, sem.unbiased_precision_score),
        (metrics.f1_score, sem.unbiased_f1_score),
        (metrics.matthews_corrcoef, sem.unbiased_matthews_corrcoef),
    ],
)
@given(counts=st.lists(st.integers(1, 30), min_size=4, max_size=4))
def test_unbiased_family_is_scikit_learn_with_balanced_weights(theirs, ours, counts):
    y_true = np.repeat([0, 0, 1, 1], counts)
    y_pred = np.repeat([0, 1, 0, 1], counts)
    weight = compute_sample_weight("balanced", y_true)
    np.testing.assert_allclose(
        ours(y_true, y_pred), theirs(y_true, y_pred, sample_weight=weight), atol=1e-9
    )


@given(counts=st.lists(st.integers(1, 30), min_size=4, max_size=4))
def test_delta_is_adjusted_balanced_accuracy_of_two_classes(counts):
    y_true = np.repeat([0, 0, 1, 1], counts)
    y_pred = np.repeat([0, 1, 0, 1], counts)
    np.testing.assert_allclose(
        sem.discriminant_capability_score(y_true, y_pred),
        metrics.balanced_accuracy_score(y_true, y_pred, adjusted=True),
        atol=1e-12,
    )
