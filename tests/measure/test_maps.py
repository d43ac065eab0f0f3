"""Normalized information from rates, against tables and the nine cases of the paper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import entr

from sklearn_entropy_metrics import measure
from sklearn_entropy_metrics.measure.plane import (
    normalized_information_from_accuracy,
    normalized_information_from_precision_recall,
    normalized_information_from_roc,
)

PREVALENCES = np.array([0.05, 0.3, 0.5, 0.6, 0.95])
# TP, FP, TN, FN and NI of Table II
MODELS = {
    "M1": ((25, 5, 45, 25), 0.1468),
    "M2": ((30, 10, 40, 20), 0.1245),
    "M3": ((15, 5, 45, 35), 0.0468),
    "M4": ((15, 45, 5, 35), 0.2958),
    "M5": ((12, 26, 24, 38), 0.0611),
    "M6": ((26, 12, 38, 24), 0.0611),
}


def h(p):
    return (entr(p) + entr(1 - np.asarray(p))) / np.log(2)


def rates(tables):
    """Accuracy, precision, recall, false positive rate and prevalence of tables."""
    tables = np.asarray(tables, dtype=float)
    tables = tables / tables.sum(axis=(-2, -1), keepdims=True)
    (tn, fp), (fn, tp) = np.moveaxis(tables, (-2, -1), (0, 1))
    with np.errstate(invalid="ignore"):
        return tp + tn, tp / (tp + fp), tp / (tp + fn), fp / (fp + tn), tp + fn


def closed_forms(tables):
    accuracy, precision, recall, fpr, prevalence = rates(tables)
    return {
        "roc": normalized_information_from_roc(fpr, recall, prevalence),
        "precision_recall": normalized_information_from_precision_recall(
            precision, recall, prevalence
        ),
        "accuracy": normalized_information_from_accuracy(accuracy, precision, recall),
    }


@pytest.mark.parametrize("form", ["roc", "precision_recall", "accuracy"])
@pytest.mark.parametrize("prevalence", PREVALENCES)
def test_equals_tables_on_a_grid(form, prevalence):
    grid = np.linspace(0, 1, 200)
    fpr, tpr = np.meshgrid(grid, grid)
    tables = measure.table_from_rates(fpr, tpr, prevalence=prevalence)
    expected = np.asarray(measure.normalized_information(tables))
    got = closed_forms(tables)[form]
    # With no true positive, recall and precision do not tell the false positives.
    open_ = (tpr == 0) & (fpr > 0) & (form != "roc")
    if form == "accuracy":
        open_ &= fpr < 1
    assert np.isnan(got[open_]).all()
    np.testing.assert_allclose(got[~open_], expected[~open_], rtol=0, atol=1e-12)


def test_prevalences_broadcast():
    grid = np.linspace(0, 1, 50)
    got = normalized_information_from_roc(grid[:, None], 0.7, PREVALENCES)
    assert got.shape == (50, 5)
    alone = normalized_information_from_roc(grid, 0.7, PREVALENCES[3])
    np.testing.assert_array_equal(got[:, 3], alone)
    got = normalized_information_from_precision_recall(0.9, grid[:, None], PREVALENCES)
    assert got.shape == (50, 5)
    got = normalized_information_from_accuracy(grid, 0.9, grid[:, None])
    assert got.shape == (50, 50)


def test_formula():
    rng = np.random.default_rng(0)
    f, r, p = rng.random((3, 1000))
    expected = (h(p * r + (1 - p) * f) - p * h(r) - (1 - p) * h(f)) / h(p)
    got = normalized_information_from_roc(f, r, p)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", MODELS)
def test_models_of_the_paper(name):
    (tp, fp, tn, fn), ni = MODELS[name]
    for value in closed_forms([[tn, fp], [fn, tp]]).values():
        assert value == pytest.approx(ni, abs=5e-5)


# TN, FP, FN, TP of each case, for 60 positives of 100.
CASES = {
    1: (40, 0, 60, 0),
    2: (0, 40, 0, 60),
    3: (0, 40, 60, 0),
    4: (40, 0, 0, 60),
    5: (25, 15, 60, 0),
    6: (0, 40, 35, 25),
    7: (40, 0, 35, 25),
    8: (25, 15, 0, 60),
    9: (30, 10, 25, 35),
}
# Where the rates of a case leave something open.
OPEN = {(3, "precision_recall"), (5, "precision_recall"), (5, "accuracy")}


@pytest.mark.parametrize("form", ["roc", "precision_recall", "accuracy"])
@pytest.mark.parametrize("case", CASES)
def test_nine_cases(case, form):
    table = np.reshape(CASES[case], (2, 2))
    got = closed_forms(table)[form]
    if (case, form) in OPEN:
        assert np.isnan(got)
    else:
        expected = measure.normalized_information(table)
        assert got == pytest.approx(expected, abs=1e-12)
        known = {1: 0, 2: 0, 3: 1, 4: 1}
        assert got == pytest.approx(known.get(case, expected), abs=1e-12)


def test_limits():
    pr = normalized_information_from_precision_recall
    assert pr(0.3, 0, 0.4) == pytest.approx(0, abs=1e-15)
    assert pr(0.3, 1e-12, 0.4) == pytest.approx(0, abs=1e-11)
    assert np.isnan(pr(0, 0, 0.4))
    assert np.isnan(pr(0, 0.5, 0.4))
    assert np.isnan(pr(np.nan, 0.5, 0.4))
    assert np.isnan(pr(0.5, np.nan, 0.4))
    accuracy = normalized_information_from_accuracy
    assert accuracy(0, 0, 0) == accuracy(1, 1, 1) == 1
    assert accuracy(1 - 1e-16, 1 - 2e-16, 1) == 1
    assert accuracy(0.7, 0.3, 0) == pytest.approx(0, abs=1e-15)
    assert accuracy(0.7, np.nan, 0) == pytest.approx(0, abs=1e-15)
    assert np.isnan(accuracy(0.4, 0, 0))
    assert np.isnan(accuracy(0.4, 1, 1))
    assert np.isnan(
        accuracy([0.4, np.nan, 0.4], [0, 0.5, 0.5], [0.5, 0.5, np.nan])
    ).all()


def test_infeasible_is_nan():
    assert np.isnan(
        normalized_information_from_roc([-0.1, 0.2, np.nan], [0.5, 1.1, 1], 0.5)
    ).all()
    # Precision on data with 60 % of positives is at least 0.6 if all are recalled.
    pr = normalized_information_from_precision_recall
    got = pr([0.59, 0.6 - 1e-10, 0.6, 0.61, 1.1], 1, 0.6)
    np.testing.assert_array_equal(np.isnan(got), [True, False, False, False, True])
    np.testing.assert_allclose(got[1:3], 0, atol=1e-12)
    # More true positives than samples that are classified correctly.
    assert np.isnan(normalized_information_from_accuracy(0.1, 0.9, 0.9))
    assert np.isnan(normalized_information_from_accuracy(0.5, 0.9, 1.2))
    # Feasible only if a recall of 1.2 were taken for 1.
    assert normalized_information_from_accuracy(0.8, 0.8, 1) >= 0
    assert np.isnan(normalized_information_from_accuracy(0.8, 0.8, 1.2))


def test_single_rates_give_a_number():
    numbers = (
        normalized_information_from_roc(0.1, 0.5, 0.5),
        normalized_information_from_precision_recall(25 / 30, 0.5, 0.5),
        normalized_information_from_accuracy(0.7, 25 / 30, 0.5),
        measure.mutual_information_from_phi_delta(-0.4, 0.4),
    )
    assert all(isinstance(number, float) for number in numbers)
    assert [round(number, 4) for number in numbers] == [MODELS["M1"][1]] * 4
    assert isinstance(normalized_information_from_accuracy(0.5, 0.9, 1.2), float)


def test_round_off_is_forgiven():
    assert normalized_information_from_roc(-1e-10, 1 + 1e-10, 0.3) == 1
    assert np.isnan(normalized_information_from_roc(-1e-8, 1, 0.3))


def test_one_true_class_is_undefined():
    assert np.isnan(normalized_information_from_roc(0.2, 0.7, [0, 1])).all()
    pr = normalized_information_from_precision_recall
    assert np.isnan(pr([0.8, 1, 0.5], 0.7, [[0], [1]])).all()
    assert np.isnan(normalized_information_from_accuracy(0.3, 1, 0.3))


@pytest.mark.parametrize("prevalence", [-0.1, 1.5, np.nan])
def test_wrong_prevalence(prevalence):
    with pytest.raises(ValueError, match="prevalence must lie between 0 and 1"):
        normalized_information_from_roc(0.2, 0.7, prevalence)
    with pytest.raises(ValueError, match="prevalence must lie between 0 and 1"):
        normalized_information_from_precision_recall(0.2, 0.7, prevalence)


@given(hnp.arrays(np.int64, (2, 2), elements=st.integers(0, 1000)))
def test_tables(table):
    if not table.sum(axis=1).all():
        return
    expected = measure.normalized_information(table)
    got = closed_forms(table)
    assert got["roc"] == pytest.approx(expected, abs=1e-12)
    if table[1, 1] or not table[0, 1]:
        assert got["precision_recall"] == pytest.approx(expected, abs=1e-11)
        assert got["accuracy"] == pytest.approx(expected, abs=1e-11)


@given(*[st.integers(0, 10**9).map(lambda number: number / 10**9)] * 3)
def test_range_and_symmetries(first, second, third):
    ni = normalized_information_from_roc(first, second, third)
    if 0.01 < third < 0.99:
        assert 0 <= ni <= 1
        flipped = normalized_information_from_roc(1 - first, 1 - second, third)
        assert flipped == pytest.approx(ni, abs=1e-9)
    for form in (
        normalized_information_from_precision_recall,
        normalized_information_from_accuracy,
    ):
        value = form(first, second, third)
        assert np.isnan(value) or 0 <= value <= 1
