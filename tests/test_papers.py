"""The numbers that the papers print, through the public API."""

import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    precision_score,
    recall_score,
    roc_auc_score,
)

from sklearn_entropy_metrics import (
    EntropyBalance,
    confusion_entropy_loss,
    contingency_table,
    datasets,
    mean_absolute_probability_error,
    measure,
    normalized_information_score,
    probabilistic_confusion_entropy_loss,
    probabilistic_confusion_matrix,
)

DOCS = Path(__file__).parents[1] / "docs"

# Valverde-Albacete and Peláez-Moreno (2010), the matrices of Fig. 3: [ΔH', 2MI', VI'].
# Of the points of Fig. 2, the paper prints the coordinates of a alone.
TRIANGLE = {
    "a": [0.027, 0.605, 0.368],
    "b": [0.001, 0.490, 0.509],
    "c": [0.610, 0.041, 0.349],
    "d": [0.029, 0.971, 0.000],
    "e": [0.790, 0.210, 0.000],
    "f": [0.742, 0.000, 0.258],
}

# Valverde-Albacete and Peláez-Moreno (2014), Table 1: k_X|Y, μ, accuracy, EMA, NIT.
MEG = {
    "C1": [2.562, 1.932, 0.680, 0.390, 0.386],
    "C2": [2.447, 2.023, 0.632, 0.409, 0.405],
    "C3": [2.589, 1.912, 0.628, 0.386, 0.382],
    "C4": [2.430, 2.037, 0.622, 0.412, 0.407],
    "C5": [2.723, 1.818, 0.565, 0.367, 0.364],
    "C6": [2.682, 1.846, 0.542, 0.373, 0.369],
    "C7": [2.730, 1.813, 0.539, 0.366, 0.363],
    "C8": [3.629, 1.364, 0.472, 0.276, 0.273],
    "C9": [2.995, 1.653, 0.443, 0.334, 0.331],
    "C10": [4.801, 1.031, 0.242, 0.208, 0.206],
}

# Wang and Hu (2009), Table II: TP, FP, TN, FN; accuracy, precision, recall and NI.
WANG_HU = {
    "M1": ([25, 5, 45, 25], [0.7, 0.8333, 0.5, 0.1468]),
    "M2": ([30, 10, 40, 20], [0.7, 0.75, 0.6, 0.1245]),
    "M3": ([15, 5, 45, 35], [0.6, 0.75, 0.3, 0.0468]),
    "M4": ([15, 45, 5, 35], [0.2, 0.25, 0.3, 0.2958]),
    "M5": ([12, 26, 24, 38], [0.36, 0.3158, 0.24, 0.0611]),
    "M6": ([26, 12, 38, 24], [0.64, 0.6842, 0.52, 0.0611]),
}

# Wang, Wei et al. (2013), Tables 1-3: probabilities of three classes for ten samples.
PCEN_TRUE = np.repeat([0, 1, 2], [5, 3, 2])
PCEN = {
    "M1": [
        [0.947, 0.051, 0.002],
        [0.895, 0.104, 0.001],
        [0.998, 0.001, 0.001],
        [0.372, 0.228, 0.4],
        [0.355, 0.612, 0.033],
        [0.101, 0.894, 0.005],
        [0.001, 0.984, 0.015],
        [0.489, 0.281, 0.23],
        [0.07, 0, 0.93],
        [0.07, 0, 0.93],
    ],
    "M2": [
        [0.729, 0.098, 0.173],
        [0.684, 0.04, 0.276],
        [0.684, 0.04, 0.276],
        [0.217, 0.1, 0.683],
        [0.079, 0.896, 0.025],
        [0.217, 0.696, 0.087],
        [0.217, 0.696, 0.087],
        [0.684, 0.04, 0.276],
        [0.04, 0.276, 0.684],
        [0.04, 0.276, 0.684],
    ],
    "M3": [
        [0.729, 0.271, 0],
        [0.684, 0.316, 0],
        [0.684, 0.316, 0],
        [0.217, 0, 0.783],
        [0.079, 0.921, 0],
        [0.304, 0.696, 0],
        [0.304, 0.696, 0],
        [0.96, 0.04, 0],
        [0, 0.316, 0.684],
        [0, 0.316, 0.684],
    ],
}
# Their probabilistic confusion matrices, Tables 5-7.
PCEN_TABLES = {
    "M1": [[0.714, 0.199, 0.087], [0.197, 0.720, 0.083], [0.070, 0.000, 0.930]],
    "M2": [[0.479, 0.235, 0.286], [0.373, 0.477, 0.150], [0.040, 0.276, 0.684]],
    "M3": [[0.479, 0.365, 0.156], [0.523, 0.477, 0.000], [0.000, 0.316, 0.684]],
}
# rpCEN weighted by confusion and by class. M3 is printed as 0.2648, which comes from
# a slip in its table, and M1 as 0.0932, which comes from the rounded Table 5.
PRINTED_RPCEN = {"M1": 0.0932, "M2": 0.3071, "M3": 0.2648}
RPCEN = {"M1": (0.0934, 0.4045), "M2": (0.3071, 0.6662), "M3": (0.2710, 0.5604)}


def test_synthetic_matrices_in_the_triangle():
    data = datasets.load_synthetic()
    b = EntropyBalance.from_confusion_matrix(data.matrices)
    for name, fractions in zip(data.names, b.joint_fractions, strict=True):
        np.testing.assert_allclose(fractions, TRIANGLE[name], atol=5e-4)


def test_split_points_of_the_synthetic_matrices():
    data = datasets.load_synthetic()
    b = EntropyBalance.from_confusion_matrix(data.matrices)
    a, f = data.names.index("a"), data.names.index("f")
    np.testing.assert_allclose(b.true_fractions[f], [0.485, 0, 0.515], atol=5e-4)
    np.testing.assert_array_equal(b.pred_fractions[f], [1, 0, 0])
    np.testing.assert_allclose(b.pred_fractions[a], [0.054, 0.605, 0.341], atol=5e-4)
    np.testing.assert_allclose(b.true_fractions[a], [0, 0.605, 0.395], atol=5e-4)


def test_all_entries_of_the_meg_table():
    data = datasets.load_meg_mind_reading()
    b = EntropyBalance.from_confusion_matrix(data.matrices)
    table = np.column_stack(
        [
            b.remaining_true_classes,
            b.information_transfer_factor,
            measure.accuracy(data.matrices),
            b.entropy_modulated_accuracy,
            b.normalized_information_transfer,
        ]
    )
    np.testing.assert_allclose(b.effective_true_classes, 4.950, atol=5e-4)
    np.testing.assert_array_equal(data.names, list(MEG))
    np.testing.assert_allclose(table, list(MEG.values()), atol=5e-4)


def test_meg_ranking_by_ema():
    data = datasets.load_meg_mind_reading()
    ema = measure.entropy_modulated_accuracy(data.matrices)
    ranking = [data.names[i] for i in np.argsort(-ema)]
    assert ranking == ["C4", "C2", "C1", "C3", "C6", "C5", "C7", "C9", "C8", "C10"]


def test_miller_nicely_series():
    data = datasets.load_miller_nicely()
    accuracy = [0.078, 0.270, 0.465, 0.716, 0.834, 0.908]
    information = [0.015, 0.240, 0.458, 0.699, 0.806, 0.887]
    b = EntropyBalance.from_confusion_matrix(data.matrices)
    np.testing.assert_allclose(measure.accuracy(data.matrices), accuracy, atol=5e-4)
    np.testing.assert_allclose(b.joint_fractions[:, 1], information, atol=5e-4)


def test_symmetric_channels_lie_on_the_left_side():
    errors = np.linspace(0, 0.5, 11)
    b = EntropyBalance.from_confusion_matrix(datasets.binary_symmetric_channel(errors))
    np.testing.assert_array_equal(b.joint_fractions[:, 0], 0)
    assert (np.diff(b.joint_fractions[:, 1]) < 0).all()
    np.testing.assert_array_equal(b.joint_fractions[[0, -1]], [[0, 1, 0], [0, 0, 1]])
    typewriter = EntropyBalance.from_confusion_matrix(datasets.noisy_typewriter())
    expected = [0, np.log(9) / np.log(27), np.log(3) / np.log(27)]
    np.testing.assert_allclose(typewriter.joint_fractions, expected, atol=1e-12)


def test_erasure_channel_leaves_the_left_side():
    erasures = np.linspace(0, 1, 11)
    b = EntropyBalance.from_confusion_matrix(datasets.binary_erasure_channel(erasures))
    np.testing.assert_array_equal(b.true_fractions[:, 0], 0)
    np.testing.assert_allclose(b.mutual_information, 1 - erasures, atol=1e-15)
    # Uniform output, and so the left side, only if a third is erased.
    assert (b.joint_fractions[:, 0] > 0.001).all()
    third = EntropyBalance.from_confusion_matrix(datasets.binary_erasure_channel(1 / 3))
    assert third.joint_fractions[0] == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("name", WANG_HU)
def test_table_of_wang_and_hu(name):
    (tp, fp, tn, fn), expected = WANG_HU[name]
    y_true = np.repeat([1, 0, 0, 1], [tp, fp, tn, fn])
    y_pred = np.repeat([1, 1, 0, 0], [tp, fp, tn, fn])
    metrics = (
        accuracy_score,
        precision_score,
        recall_score,
        normalized_information_score,
    )
    got = [metric(y_true, y_pred) for metric in metrics]
    np.testing.assert_allclose(got, expected, atol=5e-5)


@pytest.mark.parametrize("name", PCEN)
def test_probabilistic_confusion_matrices(name):
    table = probabilistic_confusion_matrix(PCEN_TRUE, PCEN[name], normalize="true")
    # One entry of each table is printed a unit off, so that its row sums to 1.000.
    difference = np.abs(table - PCEN_TABLES[name])
    assert (difference > 5.01e-4).sum() == 1
    assert difference.max() < 6.1e-4


@pytest.mark.parametrize("name", PCEN)
def test_relative_probabilistic_confusion_entropy(name):
    for weighting, expected in zip(("confusion", "class"), RPCEN[name], strict=True):
        got = probabilistic_confusion_entropy_loss(
            PCEN_TRUE, PCEN[name], relative=True, weighting=weighting
        )
        assert got == pytest.approx(expected, abs=5e-5)
    default = probabilistic_confusion_entropy_loss(PCEN_TRUE, PCEN[name], relative=True)
    assert default == pytest.approx(RPCEN[name][0], abs=5e-5)


@pytest.mark.parametrize("name", PCEN)
def test_printed_confusion_entropies_come_from_the_rounded_tables(name):
    table = np.array(PCEN_TABLES[name])
    if name == "M3":
        table[1, 0] = 0.477  # instead of 0.523
    got = measure.confusion_entropy(table, weighting="confusion")
    assert got == pytest.approx(PRINTED_RPCEN[name], abs=5e-5)


@pytest.mark.parametrize("name", PCEN)
def test_crisp_confusion_entropy_cannot_tell_them_apart(name):
    y_pred = np.argmax(PCEN[name], axis=1)
    np.testing.assert_array_equal(
        contingency_table(PCEN_TRUE, y_pred), [[3, 1, 1], [1, 2, 0], [0, 0, 2]]
    )
    cen = confusion_entropy_loss(PCEN_TRUE, y_pred)
    assert cen == pytest.approx(0.4250, abs=5e-5)
    relative = confusion_entropy_loss(PCEN_TRUE, y_pred, relative=True)
    assert relative == pytest.approx(0.3599, abs=5e-5)


def test_measures_disagree_on_the_second_and_the_third_classifier():
    m2, m3 = np.array(PCEN["M2"]), np.array(PCEN["M3"])

    def compare(metric, **kwargs):
        return metric(PCEN_TRUE, m3, **kwargs) - metric(PCEN_TRUE, m2, **kwargs)

    # A loss that is smaller is better: the confusion of M3 is more concentrated.
    assert compare(probabilistic_confusion_entropy_loss, relative=True) < 0
    assert compare(mean_absolute_probability_error) == pytest.approx(0, abs=1e-15)
    squares = [((np.eye(3)[PCEN_TRUE] - p) ** 2).mean() for p in (m2, m3)]
    assert squares[1] > squares[0]
    assert compare(roc_auc_score, multi_class="ovr") < 0
    assert compare(roc_auc_score, multi_class="ovo") < 0


def test_printed_areas_are_those_of_scikit_learn():
    """AU1U and AUNU; the paper's AU1P is not scikit-learn's weighted one-vs-one."""
    printed = {"M1": (0.97, 0.96), "M2": (0.81, 0.79), "M3": (0.74, 0.71)}
    au1p = {"M1": (0.957, 0.960), "M2": (0.790, 0.798), "M3": (0.720, 0.723)}
    for name, (au1u, aunu) in printed.items():
        scores = {
            (kind, average): roc_auc_score(
                PCEN_TRUE, np.array(PCEN[name]), multi_class=kind, average=average
            )
            for kind in ("ovo", "ovr")
            for average in ("macro", "weighted")
        }
        assert scores["ovo", "macro"] == pytest.approx(au1u, abs=0.005)
        assert scores["ovr", "macro"] == pytest.approx(aunu, abs=0.005)
        assert scores["ovo", "weighted"] == pytest.approx(au1p[name][1], abs=5e-4)
        assert ferri_au1p(np.array(PCEN[name])) == pytest.approx(
            au1p[name][0], abs=5e-4
        )


def test_the_areas_react_to_the_distribution_of_mistakes():
    """From M2 to M3 the true classes keep their probabilities, yet the areas fall."""
    m2, m3 = np.array(PCEN["M2"]), np.array(PCEN["M3"])
    own = np.arange(10), PCEN_TRUE
    np.testing.assert_array_equal(m2[own], m3[own])
    page = " ".join((DOCS / "confusion_entropy.md").read_text("utf-8").split())
    for name, kind, average in [
        ("AU1U", "ovo", "macro"),
        ("AUNU", "ovr", "macro"),
        ("AUNP", "ovr", "weighted"),
    ]:
        before, after = (
            roc_auc_score(PCEN_TRUE, proba, multi_class=kind, average=average)
            for proba in (m2, m3)
        )
        assert re.search(rf"{name} (falls )?from {before:.3f} to {after:.3f}", page)


def ferri_au1p(proba):
    """AUC of each class against each other, weighted by the prior of the first."""
    total = 0.0
    for j, k in permutations(range(3), 2):
        pair = np.isin(PCEN_TRUE, [j, k])
        area = roc_auc_score(PCEN_TRUE[pair] == j, proba[pair, j])
        total += (j == PCEN_TRUE).mean() * area
    return total / 2
