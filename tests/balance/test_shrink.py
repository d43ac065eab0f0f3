"""Empirical Bayes: the steps by hand, hits by label, weights, and what it gains."""

import math

import dask.array as da
import mpmath
import numpy as np
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse as sp
from scipy.special import psi
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import EntropyBalance, contingency_table, measure
from sklearn_entropy_metrics.balance.shrink import (
    _log_rising,
    shrink_errors,
)

balance_of = EntropyBalance.from_confusion_matrix
COUNTS = hnp.arrays(
    np.int64,
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    elements=st.one_of(st.integers(0, 5), st.integers(0, 10**9)),
).filter(lambda table: table.sum() > 1)


def estimate(table, **options):
    return EntropyBalance.from_confusion_matrix(
        table, smoothing="empirical_bayes", **options
    )


def information(table):
    """Mutual information in nats."""
    return sum(
        p * math.log(p / (table[i].sum() * table[:, j].sum()))
        for (i, j), p in np.ndenumerate(table)
        if p > 0
    )


def by_hand(counts, hits):
    """The five steps, a cell at a time: shrunk table, and the one that is returned."""
    counts = np.asarray(counts, dtype=float)
    shape, n = counts.shape, counts.sum()
    cells = [cell for cell in np.ndindex(shape) if not hits[cell]]
    errors = np.where(hits, 0, counts)
    n_errors = errors.sum()
    rows = errors.sum(axis=1) + 0.5 * counts.sum(axis=1) / n
    columns = errors.sum(axis=0) + 0.5 * counts.sum(axis=0) / n
    target = np.where(hits, 0, np.outer(rows, columns))
    for _ in range(12):
        for j in range(shape[1]):
            if target[:, j].any():
                target[:, j] *= columns[j] / target[:, j].sum()
        for i in range(shape[0]):
            if target[i].any():
                target[i] *= rows[i] / target[i].sum()
    target /= target.sum()

    best, concentration = -math.inf, None
    grid = np.geomspace(0.05, 1e9, 50)
    evidences = []
    for a in grid:
        # ln Γ forgets digits at the top of the grid; mpmath has more.
        mpmath.mp.dps = 30
        evidence = mpmath.loggamma(a) - mpmath.loggamma(n_errors + a)
        for cell in cells:
            if errors[cell]:
                prior = mpmath.mpf(a) * float(target[cell])
                evidence += mpmath.loggamma(errors[cell] + prior)
                evidence -= mpmath.loggamma(prior)
        evidences.append(float(evidence))
    best = max(evidences)
    concentration = max(
        a for a, e in zip(grid, evidences, strict=True) if e >= best - 1e-6
    )

    shrunk = np.empty(shape)
    for cell in np.ndindex(shape):
        if hits[cell]:
            row_share = counts[cell[0]].sum() / n
            shrunk[cell] = (counts[cell] + 0.5 * row_share) / (n + 1)
        else:
            share = (counts[cell] + concentration * target[cell]) / (
                n_errors + concentration
            )
            shrunk[cell] = share * (n_errors + 0.5) / (n + 1)
    shrunk /= shrunk.sum()

    wrong = sum(shrunk[cell] for cell in cells)
    size = n_errors + concentration
    gain = 0
    for cell in cells:
        m = shrunk[cell] / wrong
        if m > 0:
            gain += wrong * m * (psi(m * size + 1) - psi(size + 1) - math.log(m))
    for j in range(shape[1]):
        m = sum(shrunk[cell] for cell in cells if cell[1] == j) / wrong
        if shrunk[:, j].any():
            gain -= wrong**2 * m * (1 - m) / (size + 1) / (2 * shrunk[:, j].sum())
    true = shrunk.sum(axis=1)
    entropy = -sum(p * math.log(p) for p in true if p > 0)
    wanted = min(max(information(shrunk) + gain, 0), entropy)

    observed = counts / n
    low, high = 0.0, 1.0
    if wanted >= information(observed):
        return shrunk, observed
    if wanted <= information(shrunk):
        return shrunk, shrunk
    for _ in range(60):
        middle = (low + high) / 2
        if information(observed + middle * (shrunk - observed)) > wanted:
            low = middle
        else:
            high = middle
    return shrunk, observed + high * (shrunk - observed)


DIAGONAL = np.eye(4, dtype=bool)
BY_LABEL = np.array([[0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]], dtype=bool)


@pytest.mark.parametrize(
    ("table", "hits"),
    [
        ([[5, 1, 0, 2], [1, 3, 1, 0], [0, 2, 3, 0], [0, 0, 4, 9]], DIAGONAL),
        ([[90, 9, 1, 0], [2, 30, 8, 1], [0, 3, 77, 2], [0, 0, 1, 9]], DIAGONAL),
        ([[9, 0, 0, 1], [0, 9, 0, 0], [0, 0, 9, 0], [0, 0, 0, 9]], DIAGONAL),
        ([[9, 3, 0, 1], [0, 0, 0, 0], [2, 0, 9, 0], [4, 0, 0, 9]], DIAGONAL),
        ([[1, 12, 0, 4], [3, 0, 2, 15], [8, 2, 2, 0]], BY_LABEL),
        ([[1, 12, 0, 4], [3, 0, 2, 15], [8, 2, 2, 0]], np.zeros((3, 4), dtype=bool)),
        ([[14, 6], [3, 11]], np.eye(2, dtype=bool)),
        ([[3.5, 1.25], [0.5, 4.0]], np.eye(2, dtype=bool)),
    ],
)
def test_the_steps_by_hand(table, hits):
    shrunk, final = by_hand(table, hits)
    got = shrink_errors(np.array(table), hits=hits)
    np.testing.assert_allclose(got.observed, np.array(table) / np.sum(table))
    np.testing.assert_allclose(got.shrunk, shrunk, rtol=1e-9)
    np.testing.assert_allclose(got.table, final, rtol=1e-7, atol=1e-9)


def test_one_true_class_gets_half_a_hit_and_half_an_error():
    """Its information is 0 on all the way, which must not keep the plain table."""
    got = estimate([[8, 2], [0, 0]]).table
    np.testing.assert_allclose(got, np.array([[8.5, 2.5], [0, 0]]) / 11)


def test_errors_that_are_scattered_are_shrunk_and_others_kept():
    """What is a habit of the classifier stays."""
    scattered = np.array([[20, 1, 0, 1], [0, 20, 1, 1], [1, 1, 20, 0], [1, 0, 1, 20]])
    habit = np.array([[20, 30, 0, 0], [0, 20, 30, 0], [0, 0, 20, 30], [30, 0, 0, 20]])
    kept = estimate(habit)
    assert kept.table[0, 1] == pytest.approx(0.15, rel=0.02)
    assert kept.table[0, 2] < 0.003
    off = ~np.eye(4, dtype=bool)
    assert np.ptp(estimate(scattered).table[off]) < 0.4 * np.ptp(scattered[off]) / 88


@given(COUNTS)
def test_it_is_a_distribution_close_to_the_table(table):
    b = estimate(table)
    assert b.table.min() >= 0
    assert abs(b.table.sum() - 1) <= 1e-12
    assert b.mutual_information >= 0
    total = b.uniform_entropy_true + b.uniform_entropy_pred
    parts = b.divergence_true + b.divergence_pred + b.variation_of_information
    assert np.isclose(parts + 2 * b.mutual_information, total, 1e-12, 1e-12)
    if table.shape[0] == table.shape[1]:
        moved = abs(np.trace(b.table) - np.trace(table) / table.sum())
        assert moved <= 0.5 / table.sum() + 1e-12


@given(COUNTS)
def test_classes_that_never_occur_stay_impossible(table):
    shares = estimate(table).table.copy()
    assert not shares[table.sum(axis=1) == 0].any()
    # A class that was never predicted may still be hit, but not by error.
    if table.shape[0] == table.shape[1]:
        np.fill_diagonal(shares, 0)
    assert not shares[:, table.sum(axis=0) == 0].any()


@given(COUNTS, st.randoms(use_true_random=False))
def test_order_of_classes(table, random):
    hits = np.zeros(table.shape, dtype=bool)
    np.fill_diagonal(hits, val=True)
    rows, columns = (random.sample(range(n), n) for n in table.shape)
    place = np.ix_(rows, columns)
    np.testing.assert_allclose(
        shrink_errors(table[place], hits=hits[place]).table,
        shrink_errors(table, hits=hits).table[place],
        rtol=1e-6,
        atol=1e-9,
    )


def test_stack_equals_loop():
    rng = np.random.default_rng(0)
    stack = rng.poisson(rng.gamma(0.4, 3, (5, 7, 4, 4)))
    stack[2, 3] = 0
    got = shrink_errors(stack)
    for index in np.ndindex(stack.shape[:-2]):
        if index == (2, 3):
            assert not got.table[index].any()
            assert not got.shrunk[index].any()
        else:
            for whole, one in zip(got, shrink_errors(stack[index]), strict=True):
                np.testing.assert_allclose(whole[index], one, rtol=1e-10, atol=1e-13)
    b = estimate(stack)
    assert np.isnan(b.entropy_true[2, 3])
    assert np.isnan(b.entropy_true).sum() == 1


def test_many_samples_agree_with_the_plain_table():
    table = np.array([[50, 3, 7], [4, 60, 1], [0, 9, 30]])
    plain = balance_of(table).mutual_information
    gaps = [
        abs(estimate(table * n).mutual_information - plain) for n in (1, 100, 10**4)
    ]
    assert gaps[0] > 10 * gaps[1] > 100 * gaps[2]
    assert abs(estimate(table * 10**12).mutual_information - plain) < 1e-9


@pytest.mark.parametrize("step", [0.3, 1, 17, 1e4, 1e10])
def test_log_rising(step):
    starts = [1e-24, 1e-6, 0.05, 1, 7.5, 8, 300, 1e6, 1e9, 1e13]
    mpmath.mp.dps = 40
    expected = [
        float(mpmath.loggamma(mpmath.mpf(a) + step) - mpmath.loggamma(mpmath.mpf(a)))
        for a in starts
    ]
    got = _log_rising(np.array(starts), step)
    np.testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-11)


def test_a_single_error_says_nothing_of_the_concentration():
    """The evidence is flat, so the largest is taken: errors are spread as the target.

    With the smallest one the single error would stay where it is.
    """
    table = np.diag([30, 30, 30])
    table[0, 1] = 1
    shares = shrink_errors(table).shrunk
    assert shares[0, 1] < 0.75 * shares[~np.eye(3, dtype=bool)].sum()


class TestLabels:
    """Hits are cells of the same label, wherever they are."""

    y_true = np.repeat(["ant", "bee", "cow"], [12, 9, 11])
    y_pred = np.array(
        ["ant"] * 9 + ["bee"] * 3 + ["bee"] * 7 + ["?", "ant"] + ["cow"] * 9 + ["?"] * 2
    )
    columns = ("?", "ant", "bee", "cow")

    def fit(self, **options):
        return EntropyBalance.from_predictions(
            self.y_true, self.y_pred, smoothing="empirical_bayes", **options
        )

    def test_rectangular(self):
        table = contingency_table(self.y_true, self.y_pred, pred_labels=self.columns)
        hits = np.equal.outer(["ant", "bee", "cow"], self.columns)
        got = self.fit(pred_labels=self.columns).table
        np.testing.assert_allclose(got, shrink_errors(table, hits=hits).table)
        bare = estimate(table).table  # nothing is known of its classes
        assert abs(bare - got).max() > 1e-3

    def test_order_of_columns(self):
        got = self.fit(pred_labels=self.columns).table
        order = [2, 0, 3, 1]
        other = self.fit(pred_labels=[self.columns[i] for i in order]).table
        np.testing.assert_allclose(other, got[:, order], rtol=1e-9)

    def test_numbers_of_clusters_are_no_hits(self):
        numbers = np.unique(self.y_pred, return_inverse=True)[1]
        with_numbers = EntropyBalance.from_predictions(
            np.unique(self.y_true, return_inverse=True)[1] + 100,
            numbers,
            pred_labels=range(4),
            smoothing="empirical_bayes",
        ).table
        table = contingency_table(self.y_true, self.y_pred, pred_labels=self.columns)
        np.testing.assert_allclose(with_numbers, estimate(table).table)

    def test_estimator(self):
        X, y = load_iris(return_X_y=True)
        model = GaussianNB().fit(X, y)
        b = EntropyBalance.from_estimator(model, X, y, smoothing="empirical_bayes")
        expected = estimate(contingency_table(y, model.predict(X)))
        np.testing.assert_array_equal(b.table, expected.table)

    def test_probabilities_count_samples(self):
        X, y = load_iris(return_X_y=True)
        proba = GaussianNB().fit(X, y).predict_proba(X)
        b = EntropyBalance.from_probabilities(y, proba, smoothing="empirical_bayes")
        sums = np.array([proba[y == c].sum(axis=0) for c in range(3)])
        np.testing.assert_allclose(b.table, estimate(sums).table, rtol=1e-9)
        weighted = EntropyBalance.from_probabilities(
            y, proba, sample_weight=np.full(150, 0.01), smoothing="empirical_bayes"
        )
        np.testing.assert_allclose(weighted.table, b.table, rtol=1e-9)


class TestWeights:
    rng = np.random.default_rng(3)
    y_true = rng.integers(0, 4, 60)
    y_pred = np.where(rng.random(60) < 0.7, y_true, rng.integers(0, 4, 60))
    weight = rng.exponential(size=60)

    def fit(self, weight):
        return EntropyBalance.from_predictions(
            self.y_true, self.y_pred, sample_weight=weight, smoothing="empirical_bayes"
        ).table

    def test_scale_does_not_matter(self):
        plain = self.fit(None)
        for scale in (1e-200, 0.3, 1, 1e200):
            got = self.fit(np.full(60, scale))
            np.testing.assert_allclose(got, plain, rtol=1e-9)
            np.testing.assert_allclose(
                self.fit(self.weight * scale), self.fit(self.weight), rtol=1e-6
            )

    @pytest.mark.parametrize("scale", [1e31, 1e50, 1e300])
    def test_so_many_samples_need_no_correction(self, scale):
        table = np.array([[30, 5, 4], [3, 40, 9], [1, 2, 50]]) / 144
        np.testing.assert_allclose(estimate(table * scale).table, table, rtol=1e-9)

    def test_effective_number_of_samples(self):
        table = contingency_table(self.y_true, self.y_pred, sample_weight=self.weight)
        size = self.weight.sum() ** 2 / (self.weight**2).sum()
        assert size < 45
        expected = estimate(table * size / table.sum()).table
        np.testing.assert_allclose(self.fit(self.weight), expected, rtol=1e-9)

    def test_zero_weights_are_removed(self):
        weight = np.where(np.arange(60) < 40, self.weight, 0)
        expected = EntropyBalance.from_predictions(
            self.y_true[:40],
            self.y_pred[:40],
            sample_weight=self.weight[:40],
            smoothing="empirical_bayes",
        ).table
        np.testing.assert_allclose(self.fit(weight), expected, rtol=1e-9)

    def test_dask(self):
        weight = da.from_array(self.weight, chunks=17)
        b = EntropyBalance.from_predictions(
            da.from_array(self.y_true, chunks=17),
            da.from_array(self.y_pred, chunks=17),
            sample_weight=weight,
            smoothing="empirical_bayes",
        )
        np.testing.assert_allclose(b.table, self.fit(self.weight), rtol=1e-9)

    def test_one_sample_that_outweighs_all_others(self):
        with pytest.raises(ValueError, match=r"is more than 1\. Got 1"):
            self.fit(np.where(np.arange(60) == 7, 1e30, 1e-30))


@pytest.mark.parametrize(
    "table",
    [
        np.full((2, 2), 0.25),
        np.array([[0.2, 0.1], [0.1, 0.1]]),
        [[1, 0], [0, 0]],
        np.array([np.ones((2, 2)), np.full((2, 2), 0.25)]),
    ],
)
def test_probabilities_are_refused(table):
    with pytest.raises(ValueError, match=r"needs the number of samples.*Got \d"):
        estimate(table)


def test_sparse_and_large_tables_are_refused():
    with pytest.raises(ValueError, match="dense tables only"):
        estimate(sp.csr_array([[1, 2], [3, 4]]))
    y_true, y_pred = np.random.default_rng(0).integers(0, 200, (2, 1000))
    with (
        sklearn.config_context(working_memory=0.1),
        pytest.raises(ValueError, match="working_memory"),
    ):
        EntropyBalance.from_predictions(y_true, y_pred, smoothing="empirical_bayes")


def noisy(n_classes, accuracy):
    """A classifier that scatters its errors evenly."""
    wrong = (1 - accuracy) / (n_classes - 1)
    return np.where(np.eye(n_classes), accuracy, wrong) / n_classes


@pytest.mark.parametrize(
    ("truth", "n_samples", "ratio"),
    [
        (noisy(10, 0.8), 50, 0.65),
        (noisy(10, 0.8), 200, 0.6),
        (noisy(10, 0.1), 100, 0.4),
        (noisy(5, 0.5), 50, 0.7),
        (noisy(3, 0.9), 360, 1.02),
    ],
)
def test_error_of_the_estimate_beside_that_of_the_plain_table(truth, n_samples, ratio):
    rng = np.random.default_rng(0)
    tables = rng.multinomial(n_samples, truth.ravel(), 300).reshape(-1, *truth.shape)
    expected = measure.normalized_information(truth)
    errors = [
        balance_of(tables, smoothing=smoothing).normalized_information - expected
        for smoothing in (None, "empirical_bayes")
    ]
    plain, corrected = (np.sqrt(np.mean(error**2)) for error in errors)
    assert corrected < ratio * plain


def test_a_perfect_classifier_stays_nearly_perfect():
    table = 10 * np.eye(10, dtype=int)
    shrunk = balance_of(table, smoothing="empirical_bayes")
    assert shrunk.normalized_information > 0.97
    assert measure.accuracy(estimate(table)) == pytest.approx(100.5 / 101)


@pytest.mark.parametrize("smoothing", ["laplace", "james_stein", 0.5, True])
def test_other_smoothing_is_refused(smoothing):
    with pytest.raises(ValueError, match="smoothing must be 'empirical_bayes' or None"):
        balance_of([[3, 1], [1, 3]], smoothing=smoothing)


def test_sparse_tables_are_refused():
    table = sp.csr_array([[3, 1], [1, 3]])
    with pytest.raises(ValueError, match=r"dense tables only. Got a sparse table"):
        balance_of(table, smoothing="empirical_bayes")


def test_constructors_agree():
    """Of labels, of their one-hot probabilities, and of a table in any form."""
    y_true, y_pred = [0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 2, 0, 2]
    expected = EntropyBalance.from_predictions(
        y_true, y_pred, smoothing="empirical_bayes"
    )
    proba = np.eye(3)[y_pred]
    plain = EntropyBalance.from_predictions(y_true, y_pred)
    for got in (
        EntropyBalance.from_probabilities(y_true, proba, smoothing="empirical_bayes"),
        balance_of(plain, smoothing="empirical_bayes"),
        balance_of(plain.table, smoothing="empirical_bayes"),
    ):
        np.testing.assert_allclose(got.table, expected.table, rtol=1e-13)
