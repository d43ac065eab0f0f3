"""The slips of the printed papers that the documentation lists, checked by numbers."""

import numpy as np
import pytest

from sklearn_entropy_metrics import EntropyBalance, datasets, measure

balance_of = EntropyBalance.from_confusion_matrix

# Valverde-Albacete and Peláez-Moreno (2010)


def test_corners_of_the_triangle():
    """Guessing has all of its entropy in VI', always naming one class in ΔH'."""
    guessing = balance_of(np.full((3, 3), 5)).joint_fractions
    np.testing.assert_allclose(guessing, [0, 0, 1], atol=1e-15)
    one_class = balance_of([[0, 0, 0], [0, 0, 0], [0, 0, 9]]).joint_fractions
    np.testing.assert_allclose(one_class, [1, 0, 0], atol=1e-15)


def test_sides_are_not_points():
    even = balance_of([[8, 1, 1], [1, 8, 1], [1, 1, 8]]).joint_fractions
    assert even[0] == pytest.approx(0, abs=1e-15)
    assert 0.2 < even[1] < 0.8
    independent = balance_of(np.outer([1, 2, 7], [2, 3, 5])).joint_fractions
    assert independent[1] == pytest.approx(0, abs=1e-15)
    assert 0.2 < independent[2] < 0.9
    diagonal = balance_of(np.diag([1, 2, 57])).joint_fractions
    assert diagonal[2] == pytest.approx(0, abs=1e-15)
    assert 0.2 < diagonal[1] < 0.8


# Valverde-Albacete and Peláez-Moreno (2014)

UNBALANCED = balance_of([[20, 5, 1], [3, 9, 4], [0, 1, 57]])


def test_factors():
    b = UNBALANCED
    k, k_x, left = b.n_true_classes, b.effective_true_classes, b.remaining_true_classes
    mu = b.information_transfer_factor
    assert mu == pytest.approx(2 ** (b.entropy_true - b.conditional_entropy_true))
    assert mu != pytest.approx(2 ** (b.entropy_true - b.conditional_entropy_pred))
    delta_x = k / k_x
    nit = b.normalized_information_transfer
    assert nit == pytest.approx(1 / (delta_x * left))
    assert nit != pytest.approx(delta_x / left)


def test_data_without_entropy():
    b = balance_of([[4, 5], [0, 0]])
    assert b.entropy_modulated_accuracy == 1
    assert b.normalized_information_transfer == 1 / 2


def test_a_classifier_that_transfers_nothing():
    b = balance_of(np.outer([1, 2, 7], [0, 0, 1]))
    assert b.entropy_modulated_accuracy == pytest.approx(1 / b.effective_true_classes)
    assert b.entropy_modulated_accuracy > 0.4


def test_information_at_a_given_accuracy_is_bounded():
    """For k = 2 and an accuracy of 0.75 it does not range over all of [0, 1]."""
    blocks = datasets.enumerate_tables(2, 100, n_correct=75)
    most = max(balance_of(block).joint_fractions[:, 1].max() for block in blocks)
    assert most == pytest.approx(0.348, abs=5e-4)


# Wang and Hu (2009)


def test_least_information_at_a_given_accuracy():
    """60 : 40, accuracy 0.9: the minimum has no empty cell, unlike case 8."""
    tables = [[[tp, 60 - tp], [tp - 50, 90 - tp]] for tp in range(50, 61)]
    information = balance_of(tables).normalized_information
    assert np.argmin(information) == 56 - 50
    assert information.min() == pytest.approx(0.5171, abs=5e-5)
    assert information[-1] == pytest.approx(0.5734, abs=5e-5)


def test_precision_of_flipped_models():
    for (tp, fp, tn, fn), precision, printed in [
        ((15, 45, 5, 35), 0.875, 0.75),
        ((12, 26, 24, 38), 0.6129, 0.6842),
    ]:
        assert fn / (fn + tn) == pytest.approx(precision, abs=5e-5)
        assert 1 - tp / (tp + fp) == pytest.approx(printed, abs=5e-5)


def test_precision_and_recall_give_the_false_alarms():
    """Precision has FP in its denominator: with it, NI follows from the rates."""
    tp, fp, tn, fn = 25, 5, 45, 25
    got = measure.normalized_information_from_precision_recall(
        tp / (tp + fp), tp / (tp + fn), 0.5
    )
    expected = balance_of([[tn, fp], [fn, tp]]).normalized_information
    assert got == pytest.approx(expected, abs=1e-12)


# Armano (2015)

# Table 3: specificity, sensitivity and bias, as printed.
NEWSWIRE = [
    (0.716, 0.756, 0.040),
    (0.818, 0.793, -0.025),
    (0.782, 0.729, -0.053),
    (0.834, 0.796, -0.082),
    (0.762, 0.691, -0.071),
    (0.776, 0.731, -0.044),
    (0.718, 0.677, -0.041),
    (0.741, 0.684, -0.057),
]


def test_bias_is_sensitivity_less_specificity():
    specificity, sensitivity, printed = np.transpose(NEWSWIRE)
    bias = sensitivity - specificity
    assert np.flatnonzero(np.abs(bias - printed) > 1.5e-3).tolist() == [3]
    assert bias[3] == pytest.approx(-0.038)


def test_second_form_of_delta():
    tp, fp = np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 5))
    phi, delta = tp + fp - 1, tp - fp
    np.testing.assert_allclose(delta, phi + 1 - 2 * fp, atol=1e-15)
