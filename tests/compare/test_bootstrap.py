"""Bootstrap on tables: clouds, intervals, and paired comparison."""

import dataclasses
import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse, stats
from sklearn import config_context
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import (
    EntropyBalance,
    bootstrap_balance,
    compare_classifiers,
    contingency_table,
    measure,
)
from sklearn_entropy_metrics.compare import _resample

# Many of these samples are too few for an interval; test_confidence asks who says so.
pytestmark = pytest.mark.filterwarnings("ignore:The interval may miss:UserWarning")

TABLE = np.array([[40, 7, 0], [6, 30, 9], [2, 4, 22]])
NI = "normalized_information"
TABLE_MEASURES = [
    name for name, row in measure.MEASURES.items() if row.input.endswith("table")
]


def confidence_interval(*args, **options):
    """An interval by resampling."""
    return sem.confidence_interval(*args, **{"method": "bca", **options})


def labels_of(table):
    """True and predicted labels of the samples of a table."""
    rows, columns = np.indices(table.shape)
    return np.repeat(rows, table.ravel()), np.repeat(columns, table.ravel())


def predictions(n_samples, n_classes=3, seed=0):
    """True labels, and predictions by two classifiers that often agree."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, n_classes, n_samples)
    guess, other_guess = rng.integers(0, n_classes, (2, n_samples))
    a = np.where(rng.random(n_samples) < 0.7, y_true, guess)
    b = np.where(rng.random(n_samples) < 0.8, a, other_guess)
    return y_true, a, b


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
        with pytest.raises(ValueError, match=r"`n_resamples`.*got 0"):
            bootstrap_balance(TABLE, n_resamples=0)
        with pytest.raises(ValueError, match="too many samples"):
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
        with pytest.raises(ValueError, match=r"how many samples.*sums to 1\.0"):
            bootstrap_balance(TABLE / TABLE.sum(), smoothing="laplace")


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

    @pytest.mark.parametrize("stratify", [False, True])
    def test_two_classifiers(self, stratify):
        y_true, a, b = predictions(150)
        order = np.argsort(y_true, kind="stable")
        y_true, a, b = y_true[order], a[order], b[order]
        table = contingency_table(y_true, a)
        rows, _, chosen = self.draw(table, stratify)
        in_a, in_b = (
            measure.normalized_information(tables_of(rows, y_pred[chosen], 3))
            for y_pred in (a, b)
        )
        calls = []

        def spy(tables):
            calls.append(measure.normalized_information(tables))
            return calls[-1]

        compare_classifiers(
            y_true,
            a,
            b,
            spy,
            n_resamples=self.N_RESAMPLES,
            method="percentile",
            stratify=stratify,
            random_state=0,
        )
        # Of a and b each time: the samples, the resamples, and the exchanges.
        assert [len(values) for values in calls] == [1, 1] + [self.N_RESAMPLES] * 4
        of_table = calls[2] - calls[3]
        assert stats.ks_2samp(in_a - in_b, of_table).pvalue > 0.01
        # Two intervals of their own would be wider by far.
        assert of_table.std() < 0.8 * math.hypot(in_a.std(), in_b.std())


class TestBca:
    """The intervals are those of scipy, which resamples the samples."""

    TABLE = np.array([[41, 4], [9, 26]])

    def test_one_sample(self):
        rows, columns = labels_of(self.TABLE)

        def statistic(cells, axis):
            counts = [np.sum(cells == cell, axis=axis) for cell in range(4)]
            return measure.normalized_information(
                np.stack(counts, axis=-1).reshape(*counts[0].shape, 2, 2)
            )

        theirs = stats.bootstrap(
            (2 * rows + columns,), statistic, method="BCa", random_state=0
        ).confidence_interval
        interval = confidence_interval(
            rows, columns, NI, n_resamples=20_000, random_state=0
        )
        np.testing.assert_allclose(interval[1:3], theirs, atol=0.008)
        plain = confidence_interval(
            rows, columns, NI, n_resamples=20_000, method="percentile", random_state=0
        )
        assert plain.high > theirs.high + 0.015

    def test_a_sample_for_each_class(self):
        rows, columns = labels_of(self.TABLE)

        def statistic(negatives, positives, axis):
            counts = [
                np.sum(of_class == label, axis=axis)
                for of_class in (negatives, positives)
                for label in (0, 1)
            ]
            tables = np.stack(np.broadcast_arrays(*counts), axis=-1)
            return measure.normalized_information(
                tables.reshape(*tables.shape[:-1], 2, 2)
            )

        theirs = stats.bootstrap(
            (columns[rows == 0], columns[rows == 1]),
            statistic,
            method="BCa",
            random_state=0,
        ).confidence_interval
        interval = confidence_interval(
            rows, columns, NI, n_resamples=20_000, stratify=True, random_state=0
        )
        np.testing.assert_allclose(interval[1:3], theirs, atol=0.008)

    def test_many_cells_are_sampled_for_the_acceleration(self, monkeypatch):
        rows, columns = labels_of(TABLE * 3)
        options = {"n_resamples": 500, "random_state": 0}
        exact = confidence_interval(rows, columns, NI, **options)
        monkeypatch.setattr(
            "sklearn_entropy_metrics.compare._interval._MOST_REMOVED", 7
        )
        sampled = confidence_interval(rows, columns, NI, **options)
        assert sampled != exact
        np.testing.assert_allclose(sampled, exact, atol=0.02)


class TestConfidenceInterval:
    @pytest.mark.parametrize("method", ["bca", "percentile"])
    @pytest.mark.parametrize("name", TABLE_MEASURES)
    def test_every_measure_of_tables(self, name, method):
        two = measure.MEASURES[name].input == "2x2 table"
        table = np.array([[50, 9], [12, 40]]) if two else TABLE
        estimate, low, high, error = confidence_interval(
            *labels_of(table), name, n_resamples=200, method=method, random_state=0
        )
        assert estimate == pytest.approx(measure.evaluate(table, [name])[name])
        assert low < estimate < high
        assert 2.5 < (high - low) / error < 5

    def test_a_scoring_string_is_a_score(self):
        y_true, y_pred = labels_of(TABLE)
        options = {"n_resamples": 200, "random_state": 0}
        loss = confidence_interval(y_true, y_pred, "confusion_entropy", **options)
        score = confidence_interval(y_true, y_pred, "neg_confusion_entropy", **options)
        assert score.estimate == -sem.confusion_entropy_loss(y_true, y_pred)
        assert score[:3] == (-loss.estimate, -loss.high, -loss.low)
        assert score.standard_error == loss.standard_error
        assert (score.plug_in, score.correction) == (score.estimate, 0)

    def test_a_function_of_tables(self):
        y_true, y_pred = labels_of(TABLE)
        options = {"n_resamples": 100, "random_state": 0}

        def accuracy(tables):
            right = np.trace(tables, axis1=-2, axis2=-1)
            return right / tables.sum(axis=(-2, -1))

        ours = confidence_interval(y_true, y_pred, "accuracy", **options)
        theirs = confidence_interval(y_true, y_pred, accuracy, **options)
        np.testing.assert_allclose(theirs, ours)

    def test_labels_of_all_kinds(self):
        y_true, y_pred = labels_of(TABLE)
        expected = confidence_interval(y_true, y_pred, NI, random_state=0)
        names = np.array(["ant", "bee", "cow"])
        for convert in (list, lambda y: names[y], lambda y: pd.Categorical(names[y])):
            interval = confidence_interval(
                convert(y_true), convert(y_pred), NI, random_state=0
            )
            assert interval == expected

    def test_labels_and_pred_labels(self):
        y_true, y_pred = ["a", "a", "b", "b", "b"] * 9, ["a", "?", "b", "b", "a"] * 9
        name = "normalized_information_transfer"
        wide = confidence_interval(
            y_true, y_pred, name, labels=["a", "b", "c", "d", "?"], random_state=0
        )
        narrow = confidence_interval(
            y_true, y_pred, name, pred_labels=["a", "b", "?"], random_state=0
        )
        assert narrow.estimate == pytest.approx(2.5 * wide.estimate)
        with pytest.raises(ValueError, match="labels must contain every value"):
            confidence_interval(y_true, y_pred, name, labels=["a", "b"])

    @pytest.mark.parametrize("stratify", [False, True])
    def test_sparse_tables_give_the_same(self, stratify):
        y_true, y_pred = labels_of(TABLE)
        options = {"n_resamples": 50, "stratify": stratify, "random_state": 0}
        dense = confidence_interval(y_true, y_pred, NI, **options)
        kinds = []

        def spy(tables):
            kinds.append(type(tables))
            return measure.normalized_information(tables)

        large = confidence_interval(
            y_true, y_pred, spy, labels=np.arange(200), **options
        )
        assert set(kinds) == {sparse.csr_array}
        np.testing.assert_allclose(large, dense, rtol=1e-9)

    def test_few_tables_are_held_at_a_time(self):
        rng = np.random.default_rng(0)
        y_true, y_pred = rng.integers(0, 100, (2, 20_000))
        sizes = []

        def spy(tables):
            sizes.append(len(tables))
            return measure.accuracy(tables)

        confidence_interval(y_true, y_pred, spy, n_resamples=200, method="percentile")
        assert sum(sizes) == 1 + 200 + 1  # the last one is the corrected table
        assert 1 < max(sizes) * 100 * 100 <= 2**20

    def test_perfect_and_constant_predictions_have_no_spread(self):
        y_true = [0, 1, 2, 2, 1, 1, 0, 0, 2] * 4
        for method in ("bca", "percentile"):
            perfect = confidence_interval(
                y_true, y_true, NI, method=method, labels=[0, 1, 2]
            )
            assert perfect == (1, 1, 1, 0)
            constant = confidence_interval(y_true, [0] * 36, NI, method=method)
            assert constant == (0, 0, 0, 0)

    def test_one_sample_and_one_resample(self):
        interval = confidence_interval([0], [0], "accuracy", n_resamples=1)
        assert interval[:3] == (1, 1, 1)
        assert math.isnan(interval.standard_error)

    def test_confidence_levels_are_nested(self):
        y_true, y_pred = labels_of(TABLE)
        for method in ("bca", "percentile"):
            ends = [
                confidence_interval(
                    y_true,
                    y_pred,
                    NI,
                    confidence_level=level,
                    method=method,
                    random_state=0,
                )[1:3]
                for level in (0.5, 0.9, 0.99)
            ]
            lows, highs = zip(*ends, strict=True)
            assert lows[0] > lows[1] > lows[2]
            assert highs[0] < highs[1] < highs[2]

    @given(
        hnp.arrays(np.int64, (2, 3), elements=st.integers(0, 30)),
        st.sampled_from(["bca", "percentile"]),
        st.booleans(),
    )
    def test_ends_are_in_order_and_in_range(self, table, method, stratify):
        if not table.any():
            return
        y_true, y_pred = labels_of(table)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The metric is too biased")
            warnings.filterwarnings("ignore", "y_true has one class only")
            interval = confidence_interval(
                y_true,
                y_pred,
                "entropy_modulated_accuracy",
                labels=[0, 1],
                pred_labels=[0, 1, 2],
                n_resamples=50,
                method=method,
                stratify=stratify,
                random_state=0,
            )
        assert 0.5 <= interval.low <= interval.high <= 1
        assert interval.standard_error >= 0


class TestWeights:
    def test_standard_error_is_that_of_a_weighted_mean(self):
        y_true, y_pred, _ = predictions(600)
        # Rare and heavy samples in one class: one scale for all would be wrong.
        weight = np.where(y_true == 0, 8.0, 0.5) * np.random.default_rng(0).random(600)
        interval = confidence_interval(
            y_true,
            y_pred,
            "accuracy",
            sample_weight=weight,
            n_resamples=10_000,
            random_state=0,
        )
        right = y_true == y_pred
        mean = accuracy_score(y_true, y_pred, sample_weight=weight)
        error = np.sqrt(np.sum(weight**2 * (right - mean) ** 2)) / weight.sum()
        assert interval.estimate == pytest.approx(mean)
        assert interval.standard_error == pytest.approx(error, rel=0.04)

    def test_the_scale_of_weights_does_not_matter(self):
        y_true, y_pred, other = predictions(200)
        weight = np.random.default_rng(0).random(200)
        for stratify in (False, True):
            options = {"stratify": stratify, "n_resamples": 100, "random_state": 0}
            intervals, comparisons = (
                [
                    function(*y, NI, sample_weight=scale * weight, **options)
                    for scale in (1, 1000.0)
                ]
                for function, y in (
                    (confidence_interval, (y_true, y_pred)),
                    (compare_classifiers, (y_true, y_pred, other)),
                )
            )
            np.testing.assert_allclose(*intervals, rtol=1e-6)
            np.testing.assert_allclose(*comparisons, rtol=1e-6)

    def test_equal_weights_are_no_weights(self):
        y_true, y_pred, other = predictions(300)
        options = {"n_resamples": 5000, "random_state": 0}
        plain = confidence_interval(y_true, y_pred, NI, **options)
        equal = confidence_interval(
            y_true, y_pred, NI, sample_weight=np.full(300, 0.2), **options
        )
        np.testing.assert_allclose(equal, plain, atol=0.01)
        plain = compare_classifiers(y_true, y_pred, other, NI, **options)
        equal = compare_classifiers(
            y_true, y_pred, other, NI, sample_weight=np.full(300, 0.2), **options
        )
        np.testing.assert_allclose(equal, plain, atol=0.015)

    def test_samples_without_weight_are_not_seen(self):
        y_true, y_pred, other = predictions(100)
        weight = np.arange(100) % 2
        more = np.append(y_true, 7), np.append(y_pred, 8), np.append(other, 9)
        keep = weight == 1
        for function, n_arrays in ((confidence_interval, 2), (compare_classifiers, 3)):
            some = function(
                *(y[keep] for y in (y_true, y_pred, other)[:n_arrays]),
                NI,
                sample_weight=weight[keep],
                n_resamples=50,
                random_state=0,
            )
            all_of_them = function(
                *more[:n_arrays],
                NI,
                sample_weight=np.append(weight, 0),
                n_resamples=50,
                random_state=0,
            )
            assert all_of_them == some

    def test_far_apart_weights(self):
        y_true, y_pred, _ = predictions(40)
        weight = np.ones(40)
        weight[:3] = 1e-200  # its square is zero
        confidence_interval(
            y_true, y_pred, "accuracy", sample_weight=weight, n_resamples=20
        )


class TestReproducible:
    @pytest.mark.parametrize("stratify", [False, True])
    @pytest.mark.parametrize("weighted", [False, True])
    def test_chunks_do_not_matter(self, monkeypatch, stratify, weighted):
        y_true, a, b = predictions(200)
        weight = np.random.default_rng(0).random(200) if weighted else None
        options = {"stratify": stratify, "n_resamples": 60, "random_state": 0}

        def run():
            table = contingency_table(y_true, a, sample_weight=weight)
            return (
                bootstrap_balance(table, **options).table,
                confidence_interval(y_true, a, NI, sample_weight=weight, **options),
                compare_classifiers(y_true, a, b, NI, sample_weight=weight, **options),
            )

        at_once = run()
        monkeypatch.setattr(_resample, "_CHUNK", 130)  # a few tables
        for whole, parts in zip(at_once, run(), strict=True):
            np.testing.assert_array_equal(whole, parts)

    def test_seeds(self):
        y_true, a, b = predictions(200)
        for function, arrays in (
            (confidence_interval, (y_true, a, NI)),
            (compare_classifiers, (y_true, a, b, NI)),
        ):
            first, second, other = (
                function(*arrays, n_resamples=50, random_state=seed)
                for seed in (0, np.random.RandomState(0), 1)
            )
            assert first == second
            assert first != other

    def test_the_global_seed(self):
        np.random.seed(4)  # noqa: NPY002
        first = bootstrap_balance(TABLE, n_resamples=5).table
        second = bootstrap_balance(TABLE, n_resamples=5).table
        np.random.seed(4)  # noqa: NPY002
        again = bootstrap_balance(TABLE, n_resamples=5).table
        np.testing.assert_array_equal(first, again)
        assert (first != second).any()


class TestUndefined:
    def test_a_metric_that_is_undefined(self):
        y_true, y_pred = [0] * 30, [0, 1, 1] * 10
        with pytest.warns(UndefinedMetricWarning, match="undefined for these samples"):
            interval = confidence_interval(y_true, y_pred, NI, n_resamples=20)
        np.testing.assert_array_equal(interval, [math.nan] * 4)
        assert interval.n_undefined == 20
        with pytest.warns(UndefinedMetricWarning, match="undefined for these samples"):
            comparison = compare_classifiers(y_true, y_pred, y_true, NI, n_resamples=20)
        np.testing.assert_array_equal(comparison, [math.nan] * 4)

    def test_resamples_that_lack_a_class_are_told(self):
        y_true, y_pred = [0] * 40 + [1], [0] * 38 + [1] * 3
        with pytest.warns(UndefinedMetricWarning, match=r"in 3\d\d of 1000.*stratify"):
            interval = confidence_interval(y_true, y_pred, NI, random_state=0)
        assert 300 < interval.n_undefined < 400
        assert 0 <= interval.low < interval.estimate < interval.high <= 1
        kept = confidence_interval(y_true, y_pred, NI, stratify=True, random_state=0)
        assert kept.n_undefined == 0

    def test_all_resamples_undefined(self):
        def observed_only(tables):
            return np.where((tables == TABLE).all(axis=(-2, -1)), 0.5, np.nan)

        with pytest.warns(UndefinedMetricWarning, match="in 20 of 20 resamples"):
            interval = confidence_interval(
                *labels_of(TABLE), observed_only, n_resamples=20, random_state=0
            )
        assert interval.estimate == 0.5
        np.testing.assert_array_equal(interval[1:], [math.nan] * 3)


class TestNearIndependence:
    def test_bias_is_told(self):
        y_true, y_pred = labels_of(np.full((3, 3), 20))
        with pytest.warns(UserWarning, match=r"100\.0% of .*'percentile'"):
            broken = confidence_interval(y_true, y_pred, NI, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            plain = confidence_interval(
                y_true, y_pred, NI, method="percentile", random_state=0
            )
        assert broken == plain
        assert 0 == broken.estimate < broken.low < broken.high

    def test_sparse_tables_are_biased(self):
        y_true, y_pred, _ = predictions(200, n_classes=10)
        with pytest.warns(UserWarning, match="is biased, the corrected value is"):
            confidence_interval(y_true, y_pred, NI, random_state=0)


class TestCompareClassifiers:
    @pytest.mark.parametrize("method", ["bca", "percentile"])
    @pytest.mark.parametrize("name", TABLE_MEASURES)
    def test_equal_predictions(self, name, method):
        two = measure.MEASURES[name].input == "2x2 table"
        y_true, y_pred, _ = predictions(200, n_classes=2 if two else 4)
        weight = np.random.default_rng(0).random(200)
        for sample_weight in (None, weight):
            comparison = compare_classifiers(
                y_true,
                y_pred,
                y_pred,
                name,
                n_resamples=50,
                method=method,
                sample_weight=sample_weight,
            )
            assert tuple(comparison) == (0, 0, 0, 1)

    def test_equal_perfect_and_constant_predictions(self):
        y_true = [0, 1, 2] * 5
        assert compare_classifiers(y_true, y_true, y_true, NI) == (0, 0, 0, 1)
        constant = [1] * 15
        assert compare_classifiers(y_true, constant, constant, NI) == (0, 0, 0, 1)

    @pytest.mark.parametrize("name", TABLE_MEASURES)
    def test_the_difference_of_both_tables(self, name):
        two = measure.MEASURES[name].input == "2x2 table"
        y_true, a, b = predictions(300, n_classes=2 if two else 3)
        in_a, in_b = (
            measure.evaluate(contingency_table(y_true, y), [name])[name] for y in (a, b)
        )
        comparison = compare_classifiers(
            y_true, a, b, name, n_resamples=100, random_state=0
        )
        assert comparison.difference == pytest.approx(in_a - in_b)
        assert comparison.low < comparison.difference < comparison.high
        opposite = compare_classifiers(y_true, b, a, name, n_resamples=1)
        assert opposite.difference == -comparison.difference

    @pytest.mark.parametrize(("only_a", "only_b"), [(14, 6), (9, 8), (30, 5), (3, 1)])
    def test_p_value_of_accuracy_is_that_of_the_sign_test(self, only_a, only_b):
        # Samples that a alone, b alone, both and none of them get right.
        y_true = np.ones(only_a + only_b + 60, dtype=int)
        a = np.repeat([1, 0, 1, 0], [only_a, only_b, 40, 20])
        b = np.repeat([0, 1, 1, 0], [only_a, only_b, 40, 20])
        exact = stats.binomtest(only_a, only_a + only_b).pvalue
        comparison = compare_classifiers(
            y_true, a, b, "accuracy", n_resamples=20_000, random_state=0
        )
        tolerance = 4 * math.sqrt(exact / 20_000) + 1 / 20_000
        assert comparison.p_value == pytest.approx(exact, abs=tolerance)

    def test_p_values_are_uniform_if_there_is_no_difference(self):
        rng = np.random.default_rng(0)
        p_values = []
        for seed in range(150):
            y_true = rng.integers(0, 3, 80)
            a, b = np.where(rng.random((2, 80)) < 0.6, y_true, rng.integers(0, 3, 80))
            comparison = compare_classifiers(
                y_true, a, b, NI, n_resamples=99, method="percentile", random_state=seed
            )
            p_values.append(comparison.p_value)
        assert stats.kstest(p_values, "uniform").pvalue > 0.01

    def test_a_clear_difference(self):
        y_true, good, _ = predictions(500)
        bad = np.random.default_rng(9).permutation(good)
        comparison = compare_classifiers(
            y_true, good, bad, NI, n_resamples=500, random_state=0
        )
        assert comparison.low > 0.2
        assert comparison.p_value == 1 / 501

    def test_labels_are_those_of_all_three_arrays(self):
        y_true = ["x", "y"] * 20
        a = ["x", "y", "x", "x"] * 10
        b = ["x", "z", "x", "y"] * 10
        name = "normalized_information_transfer"
        in_a, in_b = (
            sem.normalized_information_transfer_score(y_true, y, labels=["x", "y", "z"])
            for y in (a, b)
        )
        comparison = compare_classifiers(y_true, a, b, name, n_resamples=20)
        assert comparison.difference == pytest.approx(in_a - in_b)

    def test_given_labels(self):
        y_true, a, b = predictions(100)
        name = "normalized_information_transfer"
        three = compare_classifiers(y_true, a, b, name, n_resamples=20, random_state=0)
        five = compare_classifiers(
            y_true, a, b, name, n_resamples=20, labels=[4, 2, 0, 1, 3], random_state=0
        )
        rejecting = np.where(b == 0, -1, b)
        reject = compare_classifiers(
            y_true, a, rejecting, name, pred_labels=[-1, 0, 1, 2], n_resamples=20
        )
        assert five.difference == pytest.approx(three.difference * 3 / 5)
        assert reject.difference == pytest.approx(three.difference)

    def test_sparse_tables_give_the_same(self):
        y_true, a, b = predictions(100)
        options = {"n_resamples": 40, "random_state": 0}
        dense = compare_classifiers(y_true, a, b, NI, **options)
        large = compare_classifiers(y_true, a, b, NI, labels=np.arange(200), **options)
        np.testing.assert_allclose(large, dense, rtol=1e-9)

    def test_labels_of_all_kinds(self):
        arrays = predictions(100)
        expected = compare_classifiers(*arrays, NI, n_resamples=50, random_state=0)
        names = np.array(["ant", "bee", "cow"])
        for convert in (
            list,
            lambda y: names[y],
            lambda y: pd.Series(names[y]),
            lambda y: pd.Categorical(names[y]),
            lambda y: y.astype(np.uint64) + np.uint64(2**63),
        ):
            comparison = compare_classifiers(
                *map(convert, arrays), NI, n_resamples=50, random_state=0
            )
            assert comparison == expected


class TestBadInput:
    @pytest.fixture(params=["interval", "comparison"])
    def call(self, request):
        y_true, a, b = predictions(30)
        if request.param == "interval":
            return lambda metric=NI, **options: confidence_interval(
                y_true, a, metric, **options
            )
        return lambda metric=NI, **options: compare_classifiers(
            y_true, a, b, metric, **options
        )

    @pytest.mark.parametrize("level", [0, 1, 95, -0.1, math.nan, "0.9", None])
    def test_confidence_level(self, call, level):
        with pytest.raises(ValueError, match="confidence_level must be"):
            call(confidence_level=level)

    @pytest.mark.parametrize("number", [0, -1, 10.0, "10", True])
    def test_n_resamples(self, call, number):
        with pytest.raises(ValueError, match="`n_resamples` must be"):
            call(n_resamples=number)

    def test_method(self, call):
        with pytest.raises(ValueError, match=r"method must be .* Got 'basic'"):
            call(method="basic")

    @pytest.mark.parametrize("metric", ["f1_macro", "", None, [NI], 3])
    def test_unknown_metric(self, call, metric):
        with pytest.raises(ValueError, match="metric must be a function of tables"):
            call(metric)

    @pytest.mark.parametrize(
        "metric",
        ["probabilistic_confusion_entropy", "neg_mean_absolute_probability_error"],
    )
    def test_metrics_of_probabilities(self, call, metric):
        with pytest.raises(ValueError, match="is a metric of probabilities"):
            call(metric)

    def test_square_tables(self, call):
        with pytest.raises(ValueError, match=r"'accuracy' needs a square.*\(3, 4\)"):
            call("accuracy", pred_labels=[0, 1, 2, 3])
        with pytest.raises(ValueError, match=r"needs a 2x2 table.*\(3, 3\)"):
            call("discriminant_capability")

    def test_a_function_that_does_not_take_stacks(self, call):
        with pytest.raises(ValueError, match="a number for each table of a stack"):
            call(lambda table: table.max())

    def test_labels(self, call):
        with pytest.raises(ValueError, match="labels must contain every value of"):
            call(labels=[0, 1])
        with pytest.raises(ValueError, match="pred_labels must contain every value of"):
            call(pred_labels=[0, 1])
        with pytest.raises(ValueError, match="labels must not repeat"):
            call(labels=[0, 1, 2, 2])

    def test_weights(self, call):
        with pytest.raises(ValueError, match="non-negative"):
            call(sample_weight=np.full(30, -1.0))
        with pytest.raises(ValueError, match="all zero"):
            call(sample_weight=np.zeros(30))
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            call(sample_weight=np.ones(29))

    def test_random_state(self, call):
        with pytest.raises(ValueError, match="cannot be used to seed"):
            call(random_state="seed")

    def test_lengths(self):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            confidence_interval([0, 1], [0, 1, 1], NI)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            compare_classifiers([0, 1], [0, 1], [0, 1, 1], NI)
        with pytest.raises(ValueError, match="empty"):
            confidence_interval([], [], NI)
        with pytest.raises(ValueError, match="empty"):
            compare_classifiers([], [], [], NI)

    def test_labels_of_two_kinds(self):
        with pytest.raises(ValueError, match="y_pred_b"):
            compare_classifiers([0, 1], [0, 1], ["0", "1"], NI)
        with pytest.raises(ValueError, match="y_pred_a must not contain missing"):
            compare_classifiers([0, 1], [0, None], [0, 1], NI)


class TestResults:
    def test_interval(self):
        interval = confidence_interval(*labels_of(TABLE), NI, random_state=0)
        estimate, low, high, error = interval
        assert (estimate, low, high, error) == interval == tuple(interval)
        assert interval[0] == interval.estimate
        assert interval[-1] == interval.standard_error
        assert len(interval) == 4
        assert all(type(number) is float for number in interval)
        assert repr(interval) == (
            f"ConfidenceInterval(estimate={estimate:.4g}, low={low:.4g}, "
            f"high={high:.4g}, standard_error={error:.4g})"
        )
        assert interval != (estimate, low, high)
        assert (interval == "interval") is False
        assert hash(interval) == hash(tuple(interval))

    def test_comparison(self):
        comparison = compare_classifiers(*predictions(100), NI, random_state=0)
        difference, low, high, p_value = comparison
        assert difference == comparison.difference
        assert p_value == comparison.p_value
        assert low == comparison.low < high == comparison.high
        assert repr(comparison).startswith("ClassifierComparison(difference=")
        assert all(type(number) is float for number in comparison)

    def test_frozen(self):
        interval = confidence_interval(*labels_of(TABLE), NI, random_state=0)
        assert dataclasses.is_dataclass(interval)
        with pytest.raises(dataclasses.FrozenInstanceError):
            interval.low = 0

    def test_frame(self):
        interval = confidence_interval(
            *labels_of(TABLE), NI, confidence_level=0.9, random_state=0
        )
        frame = interval.to_frame()
        assert frame.shape[0] == 1
        assert list(frame.columns) == [
            "estimate",
            "low",
            "high",
            "standard_error",
            "plug_in",
            "correction",
            "confidence_level",
            "method",
            "n_undefined",
        ]
        assert tuple(frame.iloc[0, :4]) == interval
        assert frame["confidence_level"].item() == 0.9


def joint_distribution(prior, kept):
    """True classes that are predicted right, or as any class at random."""
    prior = np.asarray(prior)
    n_classes = len(prior)
    return prior[:, None] * (kept * np.eye(n_classes) + (1 - kept) / n_classes)


@pytest.mark.slow
@pytest.mark.parametrize("n_samples", [200, 2000])
@pytest.mark.parametrize(
    "joint",
    [
        joint_distribution([0.5, 0.5], 0.6),
        joint_distribution([0.8, 0.2], 0.8),
        joint_distribution([0.2] * 5, 0.5),
        joint_distribution([0.4, 0.25, 0.2, 0.1, 0.05], 0.8),
    ],
    ids=["balanced-2", "skewed-2", "balanced-5", "skewed-5"],
)
def test_coverage(joint, n_samples):
    assert measure.normalized_information(joint) >= 0.2
    n_data_sets = 500
    rng = np.random.default_rng(0)
    tables = rng.multinomial(n_samples, joint.ravel(), n_data_sets)
    names = ["entropy_modulated_accuracy", NI]
    truth = measure.evaluate(joint, names)
    covered = {}
    for name in names:
        for method in ("percentile", "bca"):
            intervals = [
                confidence_interval(
                    *labels_of(table.reshape(joint.shape)),
                    name,
                    n_resamples=600,
                    method=method,
                    labels=range(len(joint)),
                    random_state=seed,
                )
                for seed, table in enumerate(tables)
            ]
            covered[name, method] = np.mean(
                [low <= truth[name] <= high for _, low, high, _ in intervals]
            )
        assert covered[name, "bca"] >= covered[name, "percentile"] - 0.02, covered
        if n_samples / joint.size >= 40:
            assert 0.9 <= covered[name, "bca"] <= 0.98, covered
