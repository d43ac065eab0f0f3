"""Intervals by the delta method: formulas by hand, edges, and how often they cover."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats
from sklearn import config_context
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_entropy_metrics import (
    EntropyBalance,
    adjusted_normalized_information_score,
    bootstrap_balance,
    confidence_interval,
    contingency_table,
    measure,
)
from sklearn_entropy_metrics.balance.shrink import shrink_errors
from sklearn_entropy_metrics.measure import MEASURES
from sklearn_entropy_metrics.measure.chosen import choose_metric
from sklearn_entropy_metrics.measure.delta import delta_intervals
from sklearn_entropy_metrics.table.given import read_table

few = pytest.mark.filterwarnings("ignore:The interval may miss:UserWarning")

NI, EMA = "normalized_information", "entropy_modulated_accuracy"
NIT, VI = "normalized_information_transfer", "variation_of_information"
# Measures of every kind: of information, of hits, of rates, and averages.
OF_TABLES = [
    NI,
    EMA,
    NIT,
    VI,
    "accuracy",
    "matthews_corrcoef",
    "confusion_entropy",
    "relative_confusion_entropy",
    "discriminant_capability",
    "characteristic_capability",
    "unbiased_f1",
    "unbiased_precision_weighted",
    "unbiased_matthews_corrcoef_macro",
    "balanced_accuracy",
    "cohen_kappa",
    "precision",
    "recall",
    "f1_macro",
]
TABLE = np.array([[40, 7, 0], [6, 30, 9], [2, 4, 22]])
RARE = np.array([[180, 10], [2, 12]])
Z = stats.norm.ppf(0.975)


def table_for(name):
    two = MEASURES[name].input == "2x2 table"
    return TABLE[:2, :2] if two else TABLE


def intervals(tables, chosen):
    return delta_intervals(tables, shrink_errors(tables), chosen)


def with_rows_smoothed(table):
    """Half a hit, and half an error spread like all errors, more in each row."""
    n, columns = table.sum(), table.sum(axis=0)
    smooth = np.zeros(table.shape)
    for i, row in enumerate(table):
        likely = columns - np.diag(table) + columns / n / 2
        likely[i] = 0
        more = likely / likely.sum() / 2
        more[i] = 0.5
        smooth[i] = (row + more) / (row.sum() + 1) * row.sum() / n
    return smooth


def variance(function, shares, within_rows=False):
    """Of the effect of one sample, with slopes by differences."""
    influence = np.zeros(shares.shape)
    for cell in zip(*shares.nonzero(), strict=True):
        way = -shares.copy()
        way[cell] += 1
        there, back = (function(shares + step * way) for step in (1e-6, -1e-6))
        influence[cell] = (there - back) / 2e-6
    if within_rows:
        rows = shares.sum(axis=1, keepdims=True)
        influence -= (shares * influence).sum(axis=1, keepdims=True) / rows
    return (shares * influence**2).sum()


def number_of_hits(tables):
    return np.trace(tables, axis1=-2, axis2=-1)


class TestByHand:
    @pytest.mark.parametrize(
        "name", [NI, EMA, NIT, VI, "confusion_entropy", "cohen_kappa", "f1_macro"]
    )
    @pytest.mark.parametrize("table", [TABLE, RARE], ids=["three", "rare"])
    def test_estimate_and_standard_error(self, name, table):
        estimated = EntropyBalance.from_confusion_matrix(
            table, smoothing="empirical_bayes"
        )
        function, n = MEASURES[name], table.sum()
        value, entropy = function(estimated), estimated.entropy_true
        slopes = {
            NI: 1 / (entropy * math.log(2)),
            EMA: value,
            NIT: value,
            VI: 2 / math.log(2),
        }
        interval = confidence_interval(table=table, metric=name)
        assert interval.estimate == pytest.approx(value, rel=1e-12)
        assert interval.plug_in == pytest.approx(function(table), rel=1e-12)
        assert interval.correction == interval.plug_in - interval.estimate
        assert interval.n_effective == n
        tables = shrink_errors(table).shrunk, with_rows_smoothed(table)
        expected = max(variance(function, shares) for shares in tables) / n
        expected += (interval.correction / 2) ** 2
        bias = EntropyBalance.from_confusion_matrix(table).mutual_information_bias
        expected += slopes.get(name, 0) ** 2 * bias * math.log(2) / n
        assert interval.standard_error == pytest.approx(math.sqrt(expected), rel=1e-4)

    @pytest.mark.parametrize(
        "name",
        ["discriminant_capability", "unbiased_f1", "recall", "balanced_accuracy"],
    )
    def test_rates_of_two_classes(self, name):
        """By rows; how many samples each class has does not vary."""
        function, smooth = MEASURES[name], with_rows_smoothed(RARE)
        interval = confidence_interval(table=RARE, metric=name)
        assert interval.estimate == pytest.approx(function(smooth), rel=1e-12)
        assert interval.plug_in == pytest.approx(function(RARE))
        expected = math.sqrt(variance(function, smooth, within_rows=True) / RARE.sum())
        assert interval.standard_error == pytest.approx(expected, rel=1e-4)

    @pytest.mark.parametrize(
        "name", ["balanced_accuracy", "recall_macro", "relative_confusion_entropy"]
    )
    def test_rates_of_several_classes_are_those_of_the_estimated_table(self, name):
        estimated = EntropyBalance.from_confusion_matrix(
            TABLE, smoothing="empirical_bayes"
        )
        interval = confidence_interval(table=TABLE, metric=name)
        value = MEASURES[name](estimated)
        assert interval.estimate == pytest.approx(value, rel=1e-12)

    def test_phi_is_best_in_the_middle(self):
        interval = confidence_interval(
            table=RARE, metric="characteristic_capability", confidence_level=0.9
        )
        reach = stats.norm.ppf(0.95) * interval.standard_error
        assert interval.low == pytest.approx(interval.estimate - reach)
        assert interval.high == pytest.approx(interval.estimate + reach)

    @pytest.mark.parametrize("level", [0.5, 0.95])
    @pytest.mark.parametrize("n_right", [0, 1, 47, 92])
    def test_accuracy_has_the_interval_of_wilson(self, n_right, level):
        y_true = np.arange(92) % 3
        y_pred = np.where(np.arange(92) < n_right, y_true, (y_true + 1) % 3)
        interval = confidence_interval(
            y_true, y_pred, "accuracy", confidence_level=level
        )
        theirs = stats.binomtest(n_right, 92).proportion_ci(level, method="wilson")
        np.testing.assert_allclose(interval[1:3], theirs, atol=1e-12)
        assert interval.estimate == interval.plug_in == pytest.approx(n_right / 92)
        assert interval.correction == 0
        assert interval.standard_error > 0

    def test_classes_that_were_never_predicted(self):
        """The average leaves them out, as the plug-in value does."""
        table = np.array([[50, 2, 0], [3, 40, 0], [6, 8, 0]])
        for name in ("unbiased_matthews_corrcoef_macro", "precision_macro"):
            interval = confidence_interval(table=table, metric=name)
            assert abs(interval.correction) < interval.standard_error

    def test_an_adjusted_measure_has_the_interval_of_what_it_tends_to(self):
        """But beside its own plug-in value, which is another correction."""
        adjusted = confidence_interval(
            table=TABLE, metric="adjusted_normalized_information"
        )
        plain = confidence_interval(table=TABLE, metric=NI)
        assert adjusted.estimate == plain.estimate
        assert adjusted.plug_in == measure.adjusted_normalized_information(TABLE)
        assert adjusted.plug_in < plain.plug_in
        assert adjusted.high == pytest.approx(plain.high, abs=0.02)
        rng = np.random.default_rng(0)
        rows, columns = (np.repeat(i, TABLE.ravel()) for i in np.indices(TABLE.shape))
        weight = rng.exponential(size=len(rows))
        first, second = (
            confidence_interval(
                rows,
                columns,
                "adjusted_normalized_information",
                sample_weight=scale * weight,
            )
            for scale in (1, 1e-4)
        )
        np.testing.assert_allclose(first, second, rtol=1e-6)
        expected = adjusted_normalized_information_score(
            rows, columns, sample_weight=weight
        )
        assert first.plug_in == pytest.approx(expected, abs=0.02)

    @pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
    def test_distances_are_log_normal(self, level):
        z = stats.norm.ppf((1 + level) / 2)
        gain = confidence_interval(table=TABLE, metric=NI, confidence_level=level)
        distance = 1 - gain.estimate
        assert (distance / gain.standard_error) ** 2 > 4
        factor = math.exp(z * gain.standard_error / distance)
        assert gain.low == pytest.approx(max(1 - distance * factor, 0))
        assert gain.high == pytest.approx(1 - distance / factor)
        loss = confidence_interval(table=TABLE, metric=VI, confidence_level=level)
        factor = math.exp(z * loss.standard_error / loss.estimate)
        assert loss.low == pytest.approx(loss.estimate / factor)
        assert loss.high == pytest.approx(min(loss.estimate * factor, 2 * math.log2(3)))

    @pytest.mark.parametrize("name", [NI, "matthews_corrcoef", "confusion_entropy"])
    def test_few_errors_are_gamma_distributed(self, name):
        table = np.diag([40, 30, 30])
        table[0, 1] = 1
        interval = confidence_interval(table=table, metric=name)
        best = 0 if name == "confusion_entropy" else 1
        mean, error = abs(best - interval.estimate), interval.standard_error
        assert (mean / error) ** 2 < 4
        gamma = stats.gamma((mean / error) ** 2, scale=error**2 / mean)
        ends = sorted(abs(best - np.array([interval.low, interval.high])))
        np.testing.assert_allclose(ends, gamma.ppf([0.025, 0.975]), rtol=1e-6)

    def test_the_best_value_of_nit_is_that_of_the_true_classes(self):
        """Which is only estimated; balanced classes have the greatest."""
        for table in ([[200, 4], [3, 40]], [[200, 0], [0, 40]]):
            interval = confidence_interval(table=table, metric=NIT)
            corrected = EntropyBalance.from_confusion_matrix(
                table, smoothing="empirical_bayes"
            )
            best = corrected.effective_true_classes / 2
            distance = best - interval.estimate
            factor = math.exp(Z * interval.standard_error / distance)
            if interval.plug_in < best - 0.01:
                assert interval.low == pytest.approx(best - distance * factor)
            shares = corrected.table.sum(axis=1)
            slopes = best * (-np.log(shares) - corrected.entropy_true * math.log(2))
            of_best = math.sqrt((shares * slopes**2).sum() / np.sum(table))
            assert interval.high <= best + Z * of_best + 1e-12
            reach = interval.estimate + Z * interval.standard_error
            assert interval.high >= min(reach, best + Z * of_best) - 1e-12
        perfect = confidence_interval(table=[[50, 0], [0, 50]], metric=NIT)
        assert perfect.high == pytest.approx(1)

    def test_what_users_give_is_symmetric(self):
        def log_odds(tables):
            (a, b), (c, d) = np.moveaxis(tables[..., :2, :2], (-2, -1), (0, 1))
            return np.log(a * d / (b * c))

        table = np.array([[200, 40], [30, 100]])
        interval = confidence_interval(table=table, metric=log_odds)
        middle = (interval.low + interval.high) / 2
        assert interval.estimate == pytest.approx(middle)
        assert interval.plug_in == pytest.approx(math.log(200 * 100 / 40 / 30))
        length = interval.high - interval.low
        assert length == pytest.approx(2 * Z * interval.standard_error)
        # Woolf's formula, beside which the correction is small
        expected = math.sqrt((1 / table).sum())
        assert interval.standard_error == pytest.approx(expected, rel=0.05)

    def test_functions_of_counts_get_counts(self):
        """What depends on the number of samples is asked about so many."""
        interval = confidence_interval(
            table=[[90, 10], [20, 80]], metric=lambda tables: tables[..., 0, 0]
        )
        assert interval.plug_in == 90
        assert interval.estimate == pytest.approx(90, abs=0.5)
        expected = math.sqrt(200 * 0.45 * 0.55)
        assert interval.standard_error == pytest.approx(expected, rel=0.05)

    def test_functions_may_return_fractions(self):
        def exact(tables):
            return [Fraction(hits) for hits in number_of_hits(tables).tolist()]

        expected = confidence_interval(table=TABLE, metric=number_of_hits)
        assert confidence_interval(table=TABLE, metric=exact) == expected

    def test_a_function_equals_its_measure_up_to_shape(self):
        ours = confidence_interval(table=TABLE, metric="cohen_kappa")
        theirs = confidence_interval(
            table=TABLE, metric=lambda t: measure.cohen_kappa(t)
        )
        assert theirs.estimate == pytest.approx(ours.estimate)
        assert theirs.standard_error == pytest.approx(ours.standard_error, rel=1e-5)


class TestEdges:
    @few
    @pytest.mark.parametrize("name", [n for n in OF_TABLES if not n.startswith("char")])
    @pytest.mark.parametrize("n_samples", [5, 500])
    def test_no_error_at_all(self, name, n_samples):
        n_classes = len(table_for(name))
        y = np.repeat(np.arange(n_classes), n_samples)
        interval = confidence_interval(y, y, name)
        best = MEASURES[name].best(np.eye(n_classes))
        worse = interval.low if best == 1 else interval.high
        assert interval.plug_in == pytest.approx(best, abs=1e-12)
        assert best in (interval.low, interval.high)
        assert worse != best
        # Not far beside the rule of three: at most 3 errors in n are likely.
        if name == "accuracy":
            assert 1 / len(y) < 1 - worse < 4 / len(y)

    def test_exchanged_names(self):
        y = np.repeat([0, 1], 40)
        information = confidence_interval(y, 1 - y, NI)
        assert information.plug_in == information.high == 1
        assert information.low < 0.99
        accuracy = confidence_interval(y, 1 - y, "accuracy")
        assert accuracy.plug_in == accuracy.low == 0
        assert 0 == accuracy.estimate < accuracy.high < 0.1

    def test_a_guesser_may_know_nothing(self):
        """The one of the user guide, and others like it."""
        for seed in range(20):
            y_true, y_guessed = np.random.default_rng(seed).integers(0, 10, (2, 150))
            with pytest.warns(UserWarning, match=r"150 samples.*at least 200"):
                interval = confidence_interval(y_true, y_guessed)
            assert interval.low == 0
            assert interval.plug_in > 0.1
            assert interval.estimate < interval.plug_in / 2

    @few
    @pytest.mark.parametrize("name", OF_TABLES)
    @given(data=st.data())
    def test_the_ends_hold_the_estimate_and_keep_to_the_range(self, name, data):
        size = 2 if MEASURES[name].input == "2x2 table" else 3
        table = data.draw(
            hnp.arrays(
                np.int64,
                (size, size),
                elements=st.one_of(st.integers(0, 3), st.integers(0, 10**7)),
            ).filter(lambda table: table.sum() > 1)
        )
        chosen = choose_metric(name, read_table(table))
        found = intervals(table[None], chosen)
        estimate, low, high, error, plug_in, _ = found.only()
        if np.isnan([MEASURES[name](table), plug_in]).any():
            assert np.isnan([estimate, low, high, error, plug_in]).all()
            return
        lowest, highest = MEASURES[MEASURES[name].limit or name].bounds((size, size))
        slack = 1e-9
        assert lowest - slack <= low <= estimate <= high <= highest + slack
        assert 0 <= error < math.inf

    @pytest.mark.parametrize("table", [[[60, 0], [9, 0]], [[0, 60], [0, 9]]])
    @pytest.mark.parametrize("name", OF_TABLES)
    @few
    def test_a_constant_prediction_is_not_certain(self, name, table):
        if np.isnan(MEASURES[name](table)):
            return
        interval = confidence_interval(table=table, metric=name)
        assert interval.high - interval.low > 0.001
        assert interval.low <= interval.estimate <= interval.high

    @given(st.integers(0, 2**32 - 1))
    @settings(max_examples=5)
    def test_stack_equals_loop(self, seed):
        rng = np.random.default_rng(seed)
        stack = rng.poisson(rng.gamma(0.5, 4, (6, 3, 3))) + np.eye(3, dtype=int)
        for metric in (NI, "accuracy", "unbiased_f1_macro", number_of_hits):
            chosen = choose_metric(metric, read_table(stack))
            whole = intervals(stack, chosen)
            for i, table in enumerate(stack):
                one = intervals(table[None], chosen)
                for got, expected in zip(whole, one, strict=True):
                    np.testing.assert_allclose(got[i], expected[0], rtol=1e-7)

    @few
    def test_undefined(self):
        for call in (
            lambda: confidence_interval([0] * 9, [0, 1, 1] * 3, NI),
            lambda: confidence_interval([0, 1] * 9, [0] * 18, "matthews_corrcoef"),
        ):
            with pytest.warns(UndefinedMetricWarning, match="undefined for these"):
                interval = call()
            np.testing.assert_array_equal(interval, [math.nan] * 4)
            assert math.isnan(interval.plug_in)
            assert math.isnan(interval.correction)

    def test_one_true_class(self):
        with pytest.warns(UserWarning, match="one class only"):
            assert confidence_interval([1] * 9, [0, 1, 1] * 3, EMA) == (1, 1, 1, 0)

    @few
    def test_large_tables(self):
        y_true, y_pred = np.random.default_rng(0).integers(0, 200, (2, 1000))
        y_pred = np.where(np.arange(1000) < 700, y_true, y_pred)
        interval = confidence_interval(y_true, y_pred)  # 200 × 200, counted sparsely
        dense = confidence_interval(table=contingency_table(y_true, y_pred))
        assert interval == dense
        with (
            config_context(working_memory=1),
            pytest.raises(
                ValueError, match=r"table of shape \(200, 200\).*fewer classes"
            ),
        ):
            confidence_interval(y_true, y_pred)


class TestWeights:
    rng = np.random.default_rng(5)
    y_true = rng.integers(0, 3, 300)
    y_pred = np.where(rng.random(300) < 0.7, y_true, rng.integers(0, 3, 300))
    weight = rng.exponential(size=300)

    def test_equal_weights_are_none(self):
        plain = confidence_interval(self.y_true, self.y_pred)
        weighted = confidence_interval(
            self.y_true, self.y_pred, sample_weight=np.full(300, 0.2)
        )
        np.testing.assert_allclose(weighted, plain, rtol=1e-6)

    def test_effective_number_of_samples(self):
        table = contingency_table(self.y_true, self.y_pred, sample_weight=self.weight)
        size = self.weight.sum() ** 2 / (self.weight**2).sum()
        expected = confidence_interval(table=table * size / table.sum())
        got = confidence_interval(self.y_true, self.y_pred, sample_weight=self.weight)
        np.testing.assert_allclose(got, expected, rtol=1e-6)

    def test_accuracy_of_weighted_samples(self):
        got = confidence_interval(
            self.y_true, self.y_pred, "accuracy", sample_weight=self.weight
        )
        share = self.weight / self.weight.sum()
        right = self.y_true == self.y_pred
        error = math.sqrt((share**2 * (right - share @ right) ** 2).sum())
        assert got.standard_error == pytest.approx(error, rel=0.1)


class TestDoubts:
    """One warning names all causes."""

    @staticmethod
    def message(**options):
        with pytest.warns(UserWarning, match="The interval may miss") as caught:
            confidence_interval(**options)
        (warning,) = caught
        assert warning.filename == __file__
        return str(warning.message)

    def test_a_rare_class(self):
        message = self.message(table=[[40, 4], [1, 8]])
        assert "a true class has 9 samples, fewer than 10." in message
        confidence_interval(table=[[40, 4], [1, 9]])
        table = np.diag([40, 40, 5])
        confidence_interval(table=table)
        table[2, 2] = 1
        message = self.message(table=table)
        assert "a true class has 1 sample, fewer than 5." in message

    def test_few_samples_for_the_table(self):
        table = np.full((3, 3), 2)
        table[0, 0] = 1
        message = self.message(table=table)
        assert "17 samples are few for a table of 3 × 3 classes" in message
        assert "at least 18" in message
        table[0, 0] = 2
        confidence_interval(table=table)

    def test_both_in_one(self):
        message = self.message(table=np.eye(3, dtype=int) * 3)
        assert "a true class has 3 samples" in message
        assert "9 samples are few" in message

    def test_weights_count_by_their_effective_number(self):
        y = np.repeat([0, 1], 10)
        weight = np.where(np.arange(20) % 10 < 2, 1, 1e-9)
        message = self.message(y_true=y, y_pred=y, sample_weight=weight)
        assert "a true class has 2 samples" in message
        assert "4 samples are few for a table of 2 × 2" in message

    def test_a_class_that_is_only_predicted_is_no_true_class(self):
        y_true, y_pred = [0] * 20 + [1] * 20, [0] * 19 + [2] + [1] * 20
        confidence_interval(y_true, y_pred)

    def test_a_doubtful_table_is_part_of_it(self):
        with pytest.warns(UserWarning, match="share no label") as caught:
            confidence_interval([0, 1], [2, 3])
        assert len(caught) == 1
        assert "The interval may miss" in str(caught[0].message)


class TestManySamples:
    """The estimate is the plug-in value, and the interval that of the bootstrap."""

    @pytest.mark.parametrize(
        "name", [NI, EMA, NIT, VI, "accuracy", "confusion_entropy", "matthews_corrcoef"]
    )
    def test_a_million(self, name):
        truth = np.where(np.eye(10), 0.07, 0.3 / 90)
        table = np.random.default_rng(0).multinomial(10**6, truth.ravel())
        table = table.reshape(10, 10)
        interval = confidence_interval(table=table, metric=name)
        assert abs(interval.correction) < 1e-3
        cloud = bootstrap_balance(table, n_resamples=8000, random_state=0)
        low, high = np.quantile(MEASURES[name](cloud), [0.025, 0.975])
        assert abs(interval.low - low) < 0.1 * (high - low)
        assert abs(interval.high - high) < 0.1 * (high - low)


def truths(n_classes):
    """Classifiers of several kinds: scattered errors, habits, and none but chance."""
    rng = np.random.default_rng(n_classes)
    even, uneven = np.full(n_classes, 1 / n_classes), rng.dirichlet([3.0] * n_classes)
    for prior in (even, uneven):
        for accuracy in (0.1, 0.5, 0.8, 0.95):
            for concentration in (0.3, 50):
                errors = rng.dirichlet([concentration] * n_classes, n_classes)
                rows = accuracy * np.eye(n_classes) + (1 - accuracy) * errors
                yield prior[:, None] * rows


@pytest.mark.parametrize("n_classes", [2, 3, 8])
@pytest.mark.parametrize("per_cell", [0.5, 4])
def test_coverage(n_classes, per_cell):
    """A short version of the benchmark of coverage, within wide limits."""
    n_samples = round(per_cell * n_classes**2)
    if n_samples < 8:
        return
    rng = np.random.default_rng(0)
    names = [NI, EMA, NIT, VI, "confusion_entropy", "accuracy"]
    covered = {name: [] for name in names}
    for truth in truths(n_classes):
        tables = rng.multinomial(n_samples, truth.ravel(), 60)
        tables = tables.reshape(-1, n_classes, n_classes)
        tables = tables[(tables.sum(axis=-1) > 0).sum(axis=-1) > 1]
        found = shrink_errors(tables)
        for name in names:
            chosen = choose_metric(name, read_table(truth))
            _, low, high, *_ = delta_intervals(tables, found, chosen)
            value = MEASURES[name](truth)
            covered[name].append(np.mean((low <= value) & (value <= high)))
    for name in names:
        assert 0.88 < np.mean(covered[name]) <= 1, name
    assert np.mean(covered[NI]) > 0.92
    assert np.mean(covered[EMA]) > 0.92


@pytest.mark.parametrize(
    ("prevalence", "n_samples", "sensitivity", "specificity"),
    [(0.05, 200, 0.9, 0.9), (0.01, 1000, 0.9, 0.95), (0.1, 200, 0.8, 0.98)],
)
def test_coverage_of_a_rare_class(prevalence, n_samples, sensitivity, specificity):
    """Ten positives: without a floor of the variance, NI covers 66 to 79 %."""
    rows = [[specificity, 1 - specificity], [1 - sensitivity, sensitivity]]
    truth = np.array([[1 - prevalence], [prevalence]]) * rows
    rng = np.random.default_rng(0)
    tables = rng.multinomial(n_samples, truth.ravel(), 300).reshape(-1, 2, 2)
    tables = tables[tables.sum(axis=-1).min(axis=-1) > 0]
    found = shrink_errors(tables)
    for name in (NI, EMA, "discriminant_capability", "unbiased_f1", "recall", "f1"):
        chosen = choose_metric(name, read_table(np.ones((2, 2))))
        _, low, high, *_ = delta_intervals(tables, found, chosen)
        value = MEASURES[name](truth)
        assert np.mean((low <= value) & (value <= high)) >= 0.88, name
