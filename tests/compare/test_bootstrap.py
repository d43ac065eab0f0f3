"""Bootstrap on tables: clouds of balances."""

import numpy as np
import pytest
from scipy import sparse, stats
from sklearn import config_context

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import (
    EntropyBalance,
    bootstrap_balance,
    contingency_table,
    measure,
)

TABLE = np.array([[40, 7, 0], [6, 30, 9], [2, 4, 22]])
NI = "normalized_information"


def labels_of(table):
    """True and predicted labels of the samples of a table."""
    rows, columns = np.indices(table.shape)
    return np.repeat(rows, table.ravel()), np.repeat(columns, table.ravel())


def tables_of(rows, columns, n_classes):
    """Stack of tables of samples along the last axis."""
    cells = rows * n_classes + columns
    counts = [np.bincount(one, minlength=n_classes**2) for one in cells]
    return np.array(counts).reshape(-1, n_classes, n_classes)


class TestBootstrapBalance:
    def test_each_table_holds_all_samples_in_occupied_cells(self):
        balance = bootstrap_balance(TABLE, n_resamples=200, random_state=0)
        assert isinstance(balance, EntropyBalance)
        assert balance.table.shape == (200, 3, 3)
        assert balance.table.dtype == np.int64
        np.testing.assert_array_equal(balance.table.sum(axis=(1, 2)), TABLE.sum())
        assert (balance.table[:, TABLE == 0] == 0).all()

    def test_moments_are_those_of_the_multinomial_distribution(self):
        tables = bootstrap_balance(TABLE, n_resamples=20_000, random_state=0).table
        share = TABLE / TABLE.sum()
        deviation = np.sqrt(TABLE * (1 - share))
        np.testing.assert_allclose(tables.mean(axis=0), TABLE, atol=0.15)
        np.testing.assert_allclose(tables.std(axis=0), deviation, rtol=0.03)

    @pytest.mark.parametrize("table", [TABLE, TABLE / 2, sparse.csr_array(TABLE)])
    def test_stratify_keeps_the_row_sums(self, table):
        tables = bootstrap_balance(
            table, n_resamples=100, stratify=True, random_state=0
        ).table
        rows = np.broadcast_to(table.sum(axis=1), (100, 3))
        np.testing.assert_allclose(tables.sum(axis=2), rows)
        assert tables.std(axis=0).max() > 1

    def test_stratified_moments(self):
        tables = bootstrap_balance(
            TABLE, n_resamples=20_000, stratify=True, random_state=0
        ).table
        share = TABLE / TABLE.sum(axis=1, keepdims=True)
        deviation = np.sqrt(TABLE * (1 - share))
        np.testing.assert_allclose(tables.std(axis=0), deviation, rtol=0.03)

    def test_weights_are_poisson_numbers_of_samples(self):
        weights = TABLE + 0.5
        tables = bootstrap_balance(weights, n_resamples=20_000, random_state=0).table
        share = weights / weights.sum()
        deviation = np.sqrt(weights * (1 - share))  # of independent cells, scaled
        np.testing.assert_allclose(tables.sum(axis=(1, 2)), weights.sum())
        np.testing.assert_allclose(tables.mean(axis=0), weights, rtol=0.02)
        np.testing.assert_allclose(tables.std(axis=0), deviation, rtol=0.03)

    def test_tiny_weights_never_leave_a_table_or_a_row_empty(self):
        weights = np.array([[0.3, 0.4], [0.2, 0.6]])
        for stratify in (False, True):
            tables = bootstrap_balance(
                weights, n_resamples=500, stratify=stratify, random_state=0
            ).table
            np.testing.assert_allclose(tables.sum(axis=(1, 2)), 1.5)

    def test_no_sample_and_one_sample_are_both_drawn_as_one(self):
        weights = np.array([[0.3, 0.4], [0.2, 0.6]])
        tables = bootstrap_balance(weights, random_state=0).table
        alone = ((tables > 0).sum(axis=(1, 2)) == 1).mean()
        assert alone > stats.poisson.cdf(1, 1.5)

    def test_forms_of_the_same_table(self):
        expected = bootstrap_balance(TABLE, n_resamples=20, random_state=3).table
        for table in (
            TABLE.tolist(),
            TABLE.astype(float),
            sparse.coo_array(TABLE),
            EntropyBalance.from_confusion_matrix(TABLE),
        ):
            drawn = bootstrap_balance(table, n_resamples=20, random_state=3).table
            np.testing.assert_array_equal(drawn, expected)

    def test_rectangular(self):
        table = [[10, 2, 3, 0], [1, 9, 0, 5]]
        balance = bootstrap_balance(table, n_resamples=7, random_state=0)
        assert balance.normalized_information.shape == (7,)

    def test_one_sample(self):
        balance = bootstrap_balance([[0, 1], [0, 0]], n_resamples=3)
        np.testing.assert_array_equal(balance.table, [[[0, 1], [0, 0]]] * 3)

    def test_bad_input(self):
        with pytest.raises(ValueError, match=r"stack of shape \(2, 3, 3\)"):
            bootstrap_balance([TABLE, TABLE])
        with pytest.raises(ValueError, match=r"how many samples.*sums to 1\.0"):
            bootstrap_balance(TABLE / TABLE.sum())
        with pytest.raises(ValueError, match=r"`n_resamples`.*Got 0"):
            bootstrap_balance(TABLE, n_resamples=0)
        with pytest.raises(ValueError, match=r"`stratify` must be True.*Got 'no'"):
            bootstrap_balance(TABLE, stratify="no")
        with pytest.raises(ValueError, match="less than 2⁶³ samples"):
            bootstrap_balance([[1e300, 1], [2, 3]])
        with pytest.raises(ValueError, match="all zero"):
            bootstrap_balance([[0, 0], [0, 0]])

    def test_a_stack_larger_than_the_working_memory(self):
        table = sparse.eye_array(400, dtype=int, format="csr")
        with (
            config_context(working_memory=10),
            pytest.raises(ValueError, match=r"12 MiB.*working_memory of 10 MiB"),
        ):
            bootstrap_balance(table, n_resamples=10)


class TestSmoothedCloud:
    """With few samples the corrected cloud surrounds the corrected estimate."""

    EB = "empirical_bayes"

    def guesser(self):
        y_true, y_pred = np.random.default_rng(0).integers(0, 10, (2, 150))
        return contingency_table(y_true, y_pred)

    def noisy(self, n_classes, n_samples, accuracy):
        rng = np.random.default_rng(1)
        y_true, guess = rng.integers(0, n_classes, (2, n_samples))
        y_pred = np.where(rng.random(n_samples) < accuracy, y_true, guess)
        return contingency_table(y_true, y_pred)

    @pytest.mark.parametrize("stratify", [False, True])
    def test_guesser(self, stratify):
        table = self.guesser()
        options = {"n_resamples": 300, "stratify": stratify, "random_state": 0}
        plain = bootstrap_balance(table, **options).mutual_information
        cloud = bootstrap_balance(table, smoothing=self.EB, **options)
        estimate = EntropyBalance.from_confusion_matrix(table, smoothing=self.EB)
        information = cloud.mutual_information
        off = abs(information.mean() - estimate.mutual_information)
        assert off < 2 * information.std()
        assert plain.min() > estimate.mutual_information + 0.3
        assert plain.min() > EntropyBalance(table).mutual_information
        assert information.max() < plain.min()

    @pytest.mark.parametrize(
        "case", [(10, 150, 0.5), (10, 200, 0.8), (10, 100, 0.95), (3, 30, 0.7)]
    )
    def test_classifiers(self, case):
        table = self.noisy(*case)
        cloud = bootstrap_balance(
            table, n_resamples=300, smoothing=self.EB, random_state=0
        )
        np.testing.assert_allclose(cloud.joint_fractions.sum(axis=-1), 1, rtol=1e-12)
        fractions = cloud.joint_fractions[:, 1:]
        estimate = EntropyBalance.from_confusion_matrix(table, smoothing=self.EB)
        off = np.abs(fractions.mean(axis=0) - estimate.joint_fractions[1:])
        assert np.all(off < fractions.std(axis=0))
        below = (cloud.mutual_information < estimate.mutual_information).mean()
        assert 0.1 < below < 0.9

    def test_many_samples_need_no_smoothing(self):
        options = {"n_resamples": 300, "random_state": 0}
        plain = bootstrap_balance(100 * TABLE, **options).mutual_information
        smooth = bootstrap_balance(100 * TABLE, smoothing=self.EB, **options)
        assert smooth.mutual_information.mean() == pytest.approx(plain.mean(), abs=2e-3)
        assert smooth.mutual_information.std() == pytest.approx(plain.std(), rel=0.15)

    def test_hits_of_an_accumulator_are_found_by_label(self):
        rows, columns = labels_of(np.diag([20, 20, 20]) + TABLE)
        turned = sem.TableAccumulator(labels=[0, 1, 2], pred_labels=[2, 1, 0, 3])
        turned.update(rows, columns)
        options = {"smoothing": self.EB, "random_state": 0}
        by_label = bootstrap_balance(turned, **options)
        bare = bootstrap_balance(turned.table, **options)
        expected = EntropyBalance.from_predictions(
            rows, columns, pred_labels=[2, 1, 0, 3], smoothing=self.EB
        )
        information = by_label.mutual_information
        off = abs(information.mean() - expected.mutual_information)
        assert off < 0.3 * information.std()
        assert np.any(bare.table != by_label.table)

    def test_bad_input(self):
        with pytest.raises(ValueError, match="smoothing must be"):
            bootstrap_balance(TABLE, smoothing="more")
        with pytest.raises(ValueError, match="dense tables only"):
            bootstrap_balance(sparse.csr_array(TABLE), smoothing=self.EB)
        with pytest.raises(ValueError, match="how many samples there were"):
            bootstrap_balance(TABLE / TABLE.sum(), smoothing="empirical_bayes")


class TestSameAsResamplingSamples:
    """Drawing cells is drawing samples: the distributions agree."""

    N_RESAMPLES = 2000

    def draw(self, table, stratify):
        rng = np.random.default_rng(1)
        rows, columns = labels_of(table)
        first = np.concatenate([[0], np.cumsum(table.sum(axis=1))[:-1]])
        size = table.sum(axis=1)
        if stratify:
            chosen = first[rows] + rng.integers(
                0, size[rows], (self.N_RESAMPLES, len(rows))
            )
        else:
            chosen = rng.integers(0, len(rows), (self.N_RESAMPLES, len(rows)))
        return rows[chosen], columns[chosen], chosen

    @pytest.mark.parametrize("stratify", [False, True])
    @pytest.mark.parametrize("name", [NI, "entropy_modulated_accuracy", "accuracy"])
    def test_one_classifier(self, name, stratify):
        rows, columns, _ = self.draw(TABLE, stratify)
        of_samples = measure.evaluate(tables_of(rows, columns, 3), [name])[name]
        balance = bootstrap_balance(
            TABLE, n_resamples=self.N_RESAMPLES, stratify=stratify, random_state=0
        )
        of_table = measure.evaluate(balance, [name])[name]
        assert stats.ks_2samp(of_samples, of_table).pvalue > 0.01

    def test_the_test_tells_schemes_apart(self):
        rows, columns, _ = self.draw(TABLE, stratify=True)
        entropy = EntropyBalance(tables_of(rows, columns, 3)).entropy_true
        free = bootstrap_balance(TABLE, n_resamples=self.N_RESAMPLES, random_state=0)
        assert stats.ks_2samp(entropy, free.entropy_true).pvalue < 1e-6


class TestReproducible:
    def test_the_global_seed(self):
        np.random.seed(4)  # noqa: NPY002
        first = bootstrap_balance(TABLE, n_resamples=5).table
        second = bootstrap_balance(TABLE, n_resamples=5).table
        np.random.seed(4)  # noqa: NPY002
        again = bootstrap_balance(TABLE, n_resamples=5).table
        np.testing.assert_array_equal(first, again)
        assert (first != second).any()
