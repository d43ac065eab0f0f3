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


def test_guessing_has_all_of_the_variation_of_information():
    """A channel that transfers nothing has VI' = 1, not 0."""
    errors = datasets.binary_symmetric_channel(0.5)
    np.testing.assert_allclose(
        balance_of(errors).joint_fractions, [0, 0, 1], atol=1e-15
    )


def test_input_margins_of_the_six_matrices():
    """f has the input margin of c, and of no other."""
    data = datasets.load_synthetic()
    margins = dict(zip(data.names, data.matrices.sum(axis=2).tolist(), strict=True))
    assert [name for name in "abcde" if margins[name] == margins["f"]] == ["c"]


def test_the_largest_information_is_that_of_the_smaller_side():
    """Not the mean of both: with k ≠ m there is no apex."""
    best = balance_of([[2, 0, 0], [0, 1, 1]])
    assert best.mutual_information == pytest.approx(1)  # log2 of 2, the smaller side
    assert best.joint_fractions[1] == pytest.approx(2 / (1 + np.log2(3)))


def test_listeners_move_along_the_left_side():
    data = datasets.load_miller_nicely()
    fractions = balance_of(data.matrices).joint_fractions
    assert fractions[:, 0].max() < 0.03
    assert (fractions[:, 2].min(), fractions[:, 2].max()) == pytest.approx(
        (0.11, 0.98), abs=5e-3
    )


# Valverde-Albacete and Peláez-Moreno (2014)


def test_which_classifiers_specialise():
    """By ΔH_Y', 9 and 8 specialise more than 10."""
    data = datasets.load_meg_mind_reading()
    uneven = dict(
        zip(data.names, balance_of(data.matrices).pred_fractions[:, 0], strict=True)
    )
    got = [uneven[name] for name in ("C9", "C8", "C10")]
    np.testing.assert_allclose(got, [0.215, 0.114, 0.031], atol=5e-4)


def test_ema_may_exceed_the_accuracy():
    table = np.array([[1, 0], [8, 8]])
    assert measure.entropy_modulated_accuracy(table) == pytest.approx(0.83, abs=5e-3)
    assert measure.accuracy(table) == pytest.approx(0.53, abs=5e-3)


UNBALANCED = balance_of([[20, 5, 1], [3, 9, 4], [0, 1, 57]])


def test_factors():
    b = UNBALANCED
    k, k_x, left = b.n_true_classes, b.effective_true_classes, b.remaining_true_classes
    mu = b.information_transfer_factor
    assert mu == pytest.approx(2 ** (b.entropy_true - b.conditional_entropy_true))
    assert mu == pytest.approx(2 ** (b.entropy_pred - b.conditional_entropy_pred))
    assert mu != pytest.approx(2 ** (b.entropy_true - b.conditional_entropy_pred))
    assert mu != pytest.approx(2 ** (b.entropy_pred - b.conditional_entropy_true))
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


def test_where_the_upper_bounds_of_accuracy_meet():
    """The printed beta_A has the numbers of the two classes the wrong way round."""

    def printed(w1, w2):
        shares = np.array([w1, w2]) / (w1 + w2)
        mixed = shares @ [1.5, 0.5]
        top = -0.5 - shares[1] * np.log2(shares[1]) - mixed * np.log2(mixed)
        return top / -(shares @ np.log2(shares))

    assert printed(60, 40) == pytest.approx(-0.126, abs=5e-4)
    meeting = measure.normalized_information([[50, 10], [40, 0]])  # TN = 0, A = 1/2
    assert printed(40, 60) == pytest.approx(meeting, abs=1e-12)
    assert meeting == pytest.approx(0.0813, abs=5e-5)


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


def test_information_from_rates_needs_the_number_of_samples():
    """Equation 14 as printed is too small by log2(w1 + w2), divided by H(T)."""
    w1, w2, recall, false_alarm = 60, 40, 0.7, 0.1
    named = recall * w1 + false_alarm * w2, (1 - recall) * w1 + (1 - false_alarm) * w2
    rates = [w1 * recall, w1 * (1 - recall), w2 * false_alarm, w2 * (1 - false_alarm)]
    logs = np.log2([recall, 1 - recall, false_alarm, 1 - false_alarm])
    entropy = -(0.6 * np.log2(0.6) + 0.4 * np.log2(0.4))
    printed = (np.dot(rates, logs) - np.dot(named, np.log2(named))) / (w1 + w2)
    got = measure.normalized_information_from_roc(false_alarm, recall, 0.6)
    assert got == pytest.approx((printed + np.log2(w1 + w2)) / entropy)
    assert printed < 0 < got


# Armano (2015)

# Table 3: accuracy in percent, specificity, sensitivity and bias, as printed. The
# borders φ_M and δ_m are settings, and the standard deviations need the single runs.
NEWSWIRE = [
    (73.6, 0.716, 0.756, 0.040),
    (80.5, 0.818, 0.793, -0.025),
    (75.5, 0.782, 0.729, -0.053),
    (81.5, 0.834, 0.796, -0.082),
    (72.6, 0.762, 0.691, -0.071),
    (75.3, 0.776, 0.731, -0.044),
    (69.7, 0.718, 0.677, -0.041),
    (71.2, 0.741, 0.684, -0.057),
]


def test_bias_is_sensitivity_less_specificity():
    _, specificity, sensitivity, printed = np.transpose(NEWSWIRE)
    bias = sensitivity - specificity
    assert np.flatnonzero(np.abs(bias - printed) > 1.5e-3).tolist() == [3]
    assert bias[3] == pytest.approx(-0.038)


def test_printed_accuracies_are_unbiased_ones():
    printed, specificity, sensitivity, _ = np.transpose(NEWSWIRE)
    table = np.array([[specificity, 1 - specificity], [1 - sensitivity, sensitivity]])
    accuracy = measure.unbiased_accuracy(np.moveaxis(table, -1, 0))
    np.testing.assert_allclose(100 * accuracy, printed, atol=0.11)


def test_second_form_of_delta():
    tp, fp = np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 5))
    phi, delta = tp + fp - 1, tp - fp
    np.testing.assert_allclose(delta, phi + 1 - 2 * fp, atol=1e-15)
