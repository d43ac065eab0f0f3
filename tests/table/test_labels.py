"""Label metrics: references, edge cases, undefined values."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import homogeneity_score, matthews_corrcoef

from sklearn_entropy_metrics import (
    contingency_table,
    entropy_modulated_accuracy_score,
    measure,
    normalized_information_score,
    normalized_information_transfer_score,
    variation_of_information_loss,
)

PAIRS = st.lists(st.tuples(*[st.integers(0, 4)] * 2), min_size=1, max_size=60)


@pytest.mark.filterwarnings("ignore:y_true")  # some samples are doubtful
@given(PAIRS)
def test_against_scikit_learn_and_scipy(pairs):
    y_true, y_pred = np.array(pairs).T
    table = contingency_table(y_true, y_pred)
    joint, rows, columns = (
        entropy(part.ravel(), base=2)
        for part in (table, table.sum(axis=1), table.sum(axis=0))
    )
    vi = variation_of_information_loss(y_true, y_pred)
    assert vi == pytest.approx(2 * joint - rows - columns, abs=1e-12)
    ema = entropy_modulated_accuracy_score(y_true, y_pred)
    assert ema == pytest.approx(2 ** (columns - joint), rel=1e-12)
    nit = normalized_information_transfer_score(y_true, y_pred)
    information = rows + columns - joint
    assert nit == pytest.approx(2**information / len(table), rel=1e-12)
    if len(set(y_true)) > 1:
        ni = normalized_information_score(y_true, y_pred)
        assert ni == pytest.approx(homogeneity_score(y_true, y_pred), abs=1e-12)


@given(PAIRS)
def test_matthews_against_scikit_learn(pairs):
    y_true, y_pred = np.array(pairs).T
    got = measure.matthews_corrcoef(contingency_table(y_true, y_pred))
    if min(len(set(y_true)), len(set(y_pred))) == 1:
        assert np.isnan(got)  # scikit-learn has 0
    else:
        assert got == pytest.approx(matthews_corrcoef(y_true, y_pred), abs=1e-12)


def test_majority_classifier():
    y_true = [0] * 90 + [1] * 10
    y_pred = [0] * 100
    effective = 2 ** entropy([0.9, 0.1], base=2)
    ema = entropy_modulated_accuracy_score(y_true, y_pred)
    assert ema == pytest.approx(1 / effective)
    assert normalized_information_transfer_score(y_true, y_pred) == 0.5
    assert normalized_information_score(y_true, y_pred) == 0


def test_always_wrong_is_always_informative():
    y_true = np.array([0, 0, 1, 1])
    assert entropy_modulated_accuracy_score(y_true, 1 - y_true) == 1
    assert normalized_information_transfer_score(y_true, 1 - y_true) == 1


def test_a_class_that_is_never_predicted_counts():
    y_true, y_pred = [0, 1, 2], [0, 1, 1]
    assert normalized_information_transfer_score(y_true, y_pred) == pytest.approx(
        2 ** (np.log2(3) - 2 / 3) / 3
    )


@pytest.mark.filterwarnings("ignore:y_true has one class")
def test_constant_classifier_of_three_classes():
    for y_true in ([0, 0, 1, 2], [0, 0, 1], [1]):
        y_pred = [0] * len(y_true)
        nit = normalized_information_transfer_score(y_true, y_pred, labels=[0, 1, 2])
        assert nit == 1 / 3


def test_reject_class():
    y_true, y_pred = ["a", "a", "b", "b"], ["a", "?", "b", "?"]
    columns = ["a", "b", "?"]
    assert normalized_information_transfer_score(
        y_true, y_pred, pred_labels=columns
    ) == pytest.approx(2**0.5 / 2)
    assert entropy_modulated_accuracy_score(
        y_true, y_pred, pred_labels=columns
    ) == pytest.approx(2**-0.5)
    normalized = variation_of_information_loss(
        y_true, y_pred, pred_labels=columns, normalize=True
    )
    assert normalized == pytest.approx((0.5 + 1) / np.log2(6))


@pytest.mark.filterwarnings("ignore:y_true has one class")
def test_one_sample_and_one_class():
    for y in ([3], ["a", "a"]):
        assert entropy_modulated_accuracy_score(y, y) == 1
        assert normalized_information_transfer_score(y, y) == 1
        assert variation_of_information_loss(y, y) == 0


UNDEFINED = [
    (normalized_information_score, {}, "single true class"),
    (variation_of_information_loss, {"normalize": True}, "single class"),
]


@pytest.mark.parametrize(("metric", "kwargs", "reason"), UNDEFINED)
def test_undefined_warns_once_and_names_the_parameter(metric, kwargs, reason):
    with pytest.warns(UndefinedMetricWarning, match=reason) as record:
        assert np.isnan(metric([1, 1], [1, 1], **kwargs))
    assert len(record) == 1
    assert "replace_undefined_by" in str(record[0].message)
    assert record[0].filename == __file__


@pytest.mark.parametrize(("metric", "kwargs", "reason"), UNDEFINED)
@pytest.mark.parametrize("value", [0, 0.5, -1.0, np.float32(2), np.inf])
def test_undefined_replaced_silently(metric, kwargs, reason, value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = metric([1, 1], [1, 1], replace_undefined_by=value, **kwargs)
    assert got == value
    assert type(got) is float


def test_normalized_information_of_a_fold_with_one_class():
    """Naming the classes does not make information appear."""
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(normalized_information_score([1, 1], [0, 1], labels=[0, 1]))


def test_floats_are_labels_as_long_as_integers_hold_them():
    largest = np.nextafter(2.0**63, 0)
    table = contingency_table(np.array([0, largest]), np.array([largest, 2**63 - 1024]))
    assert table.tolist() == [[0, 1], [0, 1]]
    with pytest.raises(ValueError, match=r"at most 64 bits\. Got 9\.22"):
        contingency_table(np.array([0, 2.0**63]), np.array([0, 1.0]))
