"""Smoothing: formulas, the balance under it, and what it gains on few samples."""

from fractions import Fraction

import numpy as np
import pytest
import sklearn
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse as sp
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import EntropyBalance, contingency_table, measure
from sklearn_entropy_metrics.balance.smooth import smoothed_table

balance_of = EntropyBalance.from_confusion_matrix

METHODS = ["laplace", "jeffreys", "james_stein", 0, np.float32(0.1), 3]
COUNTS = hnp.arrays(
    np.int64,
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    elements=st.one_of(st.integers(0, 5), st.integers(0, 10**12)),
).filter(lambda table: table.any())


@pytest.mark.parametrize("smoothing", METHODS)
@given(table=COUNTS)
def test_the_balance_holds(smoothing, table):
    b = balance_of(table, smoothing=smoothing)
    assert b.table.dtype == np.float64
    assert abs(b.table.sum() - 1) <= 1e-12
    assert b.table.min() >= 0
    assert b.mutual_information >= 0
    assert b.variation_of_information >= 0
    total = b.uniform_entropy_true + b.uniform_entropy_pred
    parts = b.divergence_true + b.divergence_pred + b.variation_of_information
    assert np.isclose(parts + 2 * b.mutual_information, total, 1e-12, 1e-12)
    if table.size > 1:
        assert abs(b.joint_fractions.sum() - 1) <= 1e-12
    if table.shape[0] > 1:
        assert abs(b.true_fractions.sum() - 1) <= 1e-12


@pytest.mark.parametrize(
    ("smoothing", "pseudo_count"),
    [("laplace", 1), ("jeffreys", 0.5), (2.5, 2.5), (np.float32(0.25), 0.25), (0, 0)],
)
def test_additive_smoothing_by_hand(smoothing, pseudo_count):
    table = np.array([[3, 0, 1], [0, 2, 0]])
    expected = (table + pseudo_count) / (6 + 6 * pseudo_count)
    got = balance_of(table, smoothing=smoothing).table
    np.testing.assert_allclose(got, expected, rtol=1e-15)


def shrunk_by_hand(table):
    n = table.sum()
    share = table / n
    target = np.outer(share.sum(axis=1), share.sum(axis=0))
    variance = covariance = 0
    for (i, j), p in np.ndenumerate(share):
        row, column = share[i].sum(), share[:, j].sum()
        variance += p * (1 - p) / (n - 1)
        # of row · column and p, to first order
        covariance += (column * p * (1 - row) + row * p * (1 - column)) / (n - 1)
    weight = min((variance - covariance) / np.sum((target - share) ** 2), 1)
    return weight, weight * target + (1 - weight) * share


def test_shrinkage_by_hand():
    table = np.array([[30, 4, 1], [2, 9, 3]])
    weight, expected = shrunk_by_hand(table)
    assert 0.01 < weight < 0.9
    b = balance_of(table, smoothing="james_stein")
    np.testing.assert_allclose(b.table, expected, rtol=1e-14)
    weight, expected = shrunk_by_hand(np.array([[2, 1], [1, 1]]))
    assert weight == 1
    b = balance_of([[2, 1], [1, 1]], smoothing="james_stein")
    np.testing.assert_allclose(b.table, expected, rtol=1e-14)


@given(COUNTS)
def test_shrinkage_keeps_the_margins_and_lowers_the_information(table):
    plain = balance_of(table)
    shrunk = balance_of(table, smoothing="james_stein")
    assert np.isclose(shrunk.entropy_true, plain.entropy_true, 1e-12, 1e-12)
    assert np.isclose(shrunk.entropy_pred, plain.entropy_pred, 1e-12, 1e-12)
    assert shrunk.mutual_information <= plain.mutual_information + 1e-12


@pytest.mark.parametrize("smoothing", METHODS)
def test_many_samples_agree_with_the_plain_table(smoothing):
    table = np.array([[50, 3, 7], [4, 60, 1], [0, 9, 30]])
    gaps = [
        abs(
            balance_of(table * n, smoothing=smoothing).mutual_information
            - balance_of(table).mutual_information
        )
        for n in (1, 100, 10**4, 10**8)
    ]
    assert gaps[-1] < 1e-8
    assert (np.diff(gaps) <= 1e-12).all()


def test_shrinkage_of_independent_labels_beats_the_plain_table():
    rng = np.random.default_rng(0)
    stack = rng.multinomial(100, np.full(100, 0.01), size=500).reshape(-1, 10, 10)
    rmse = {
        smoothing: np.sqrt(
            np.mean(balance_of(stack, smoothing=smoothing).mutual_information ** 2)
        )
        for smoothing in (None, "laplace", "jeffreys", "james_stein")
    }
    assert rmse["james_stein"] < 0.02 < rmse["laplace"] < rmse["jeffreys"] < rmse[None]


@pytest.mark.parametrize("smoothing", METHODS)
def test_stack_equals_loop(smoothing):
    stack = np.random.default_rng(0).integers(0, 9, (4, 50, 3, 5))
    stack[1, 2] = 0
    stack[2, 3] = 0
    stack[2, 3, 0, 0] = 1  # a single sample
    whole = balance_of(stack, smoothing=smoothing)
    assert whole.table.shape == stack.shape
    for index in [(0, 0), (3, 49), (1, 7), (2, 3)]:
        single = balance_of(stack[index], smoothing=smoothing)
        np.testing.assert_array_equal(whole.table[index], single.table)
        assert whole.mutual_information[index] == single.mutual_information
    undefined = np.isnan(whole.mutual_information)
    assert undefined[1, 2]
    assert undefined.sum() == 1
    assert np.isnan(whole.joint_fractions[1, 2]).all()


@pytest.mark.parametrize("smoothing", METHODS)
def test_smoothed_tables_are_no_counts(smoothing):
    table = np.array([[5, 1, 0], [0, 4, 0], [2, 2, 2]])
    b = balance_of(table, smoothing=smoothing)
    assert np.isnan(b.mutual_information_bias)
    stack = balance_of([table, table], smoothing=smoothing)
    assert np.isnan(stack.mutual_information_bias).all()


def test_none_leaves_the_table_alone():
    table = np.array([[5, 1], [0, 4]])
    np.testing.assert_array_equal(balance_of(table, smoothing=None).table, table)
    assert smoothed_table(table, None) is table


@pytest.mark.parametrize("smoothing", METHODS)
def test_constructors_agree(smoothing):
    X, y = load_iris(return_X_y=True)
    classifier = GaussianNB().fit(X, y)
    table = contingency_table(y, classifier.predict(X))
    expected = balance_of(table, smoothing=smoothing)
    got = {
        "estimator": EntropyBalance.from_estimator(
            classifier, X, y, smoothing=smoothing
        ),
        "labels": EntropyBalance.from_predictions(
            y, classifier.predict(X), smoothing=smoothing
        ),
        "one-hot": EntropyBalance.from_probabilities(
            y, np.eye(3)[classifier.predict(X)], smoothing=smoothing
        ),
        "weights": EntropyBalance.from_predictions(
            [0, 0, 0, 1, 1, 1, 2, 2, 2],
            [0, 1, 2, 0, 1, 2, 0, 1, 2],
            sample_weight=table.ravel(),
            smoothing=smoothing,
        ),
    }
    for balance in got.values():
        np.testing.assert_allclose(balance.table, expected.table, rtol=1e-13)


def test_probabilities_are_smoothed_by_the_number_of_samples():
    y = np.repeat([0, 1], 50)
    proba = np.where(y == 1, 0.8, 0.3)
    expected = (np.array([[35.0, 15.0], [10.0, 40.0]]) + 1) / 104
    b = EntropyBalance.from_probabilities(y, proba, smoothing="laplace")
    np.testing.assert_allclose(b.table, expected, rtol=1e-14)
    weight = np.full(100, 0.5)
    expected = (np.array([[17.5, 7.5], [5.0, 20.0]]) + 1) / 54
    b = EntropyBalance.from_probabilities(
        y, proba, sample_weight=weight, smoothing="laplace"
    )
    np.testing.assert_allclose(b.table, expected, rtol=1e-14)


def test_measures_take_a_smoothed_balance():
    b = balance_of([[9, 1], [2, 8]], smoothing="laplace")
    expected = balance_of([[10, 2], [3, 9]])
    assert measure.normalized_information(b) == pytest.approx(
        expected.normalized_information, rel=1e-14
    )


@pytest.mark.parametrize(
    "smoothing",
    ["Laplace", "", True, np.True_, -1, -0.5, np.nan, np.inf, 1j, [1], np.ones(1), b""],
)
def test_wrong_smoothing(smoothing):
    with pytest.raises(
        ValueError, match="smoothing must be 'empirical_bayes', 'james_stein', "
    ):
        balance_of([[1, 2], [3, 4]], smoothing=smoothing)


@pytest.mark.parametrize("smoothing", METHODS)
def test_sparse_tables_are_refused(smoothing):
    with pytest.raises(ValueError, match="dense tables only"):
        balance_of(sp.csr_array([[1, 2], [3, 4]]), smoothing=smoothing)


def test_many_classes_are_tabulated_densely():
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 200, (2, 1000))
    assert sp.issparse(EntropyBalance.from_predictions(y_true, y_pred).table)
    b = EntropyBalance.from_predictions(y_true, y_pred, smoothing="jeffreys")
    assert b.table.shape == (b.n_true_classes, b.n_pred_classes)
    with (
        sklearn.config_context(working_memory=0.1),
        pytest.raises(ValueError, match="working_memory"),
    ):
        EntropyBalance.from_predictions(y_true, y_pred, smoothing="jeffreys")


@pytest.mark.parametrize(
    "table",
    [
        np.full((2, 2), 0.25),
        np.full((10, 10), 0.1) / 10,
        np.array([[0.2, 0.1], [0.1, 0.1]]),
        np.array([np.ones((2, 2)), np.full((2, 2), 0.25)]),
        np.array([[1.0, 0.0], [0.0, 0.0]]),
    ],
)
def test_shrinkage_of_probabilities_is_refused(table):
    with pytest.raises(
        ValueError, match=r"needs the number of samples.*Got a total of"
    ):
        balance_of(table, smoothing="james_stein")


def test_shrinkage_of_a_single_sample():
    b = balance_of([[1, 0], [0, 0]], smoothing="james_stein")
    np.testing.assert_array_equal(b.table, [[1, 0], [0, 0]])


def exactly_shrunk(table):
    """The formulas of the shrinkage with fractions of whole numbers."""
    n = Fraction(int(table.sum()))
    share = [[int(x) / n for x in row] for row in table]
    rows, columns = [sum(r) for r in share], [sum(c) for c in zip(*share, strict=True)]
    cells = [
        (p, rows[i], columns[j]) for i, r in enumerate(share) for j, p in enumerate(r)
    ]
    variance = sum(p * (1 - p) - p * (c * (1 - r) + r * (1 - c)) for p, r, c in cells)
    distance = (n - 1) * sum((r * c - p) ** 2 for p, r, c in cells)
    weight = min(max(variance / distance, Fraction(0)), Fraction(1)) if distance else 1
    mixed = [float(weight * r * c + (1 - weight) * p) for p, r, c in cells]
    return np.reshape(mixed, table.shape)


@given(COUNTS.filter(lambda table: table.sum() > 1))
@example(np.array([[10**15, 0], [0, 1]]))
@example(np.array([[10**9, 950, 0], [5, 0, 0], [3, 1816, 0]]))
@example(np.diag([10**12, 5, 3]))
def test_shrinkage_beside_a_dominant_cell(table):
    got = balance_of(table, smoothing="james_stein")
    expected = exactly_shrunk(table)
    occupied = table > 0
    np.testing.assert_allclose(got.table[occupied], expected[occupied], rtol=1e-13)
    np.testing.assert_allclose(got.table, expected, rtol=1e-6, atol=1e-20)
    truth = balance_of(expected).normalized_information
    np.testing.assert_allclose(got.normalized_information, truth, 1e-10, 1e-13)
