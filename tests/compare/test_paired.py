"""compare_classifiers: the interval of "exchange" and its p-value."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import config_context
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_entropy_metrics import compare_classifiers, measure

NI = "normalized_information"


def predictions(n_samples, n_classes=3, seed=0, kept=(0.7, 0.7)):
    """True labels, and predictions that are right or guessed."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, n_classes, n_samples)
    return y_true, *(
        np.where(
            rng.random(n_samples) < share, y_true, rng.integers(0, n_classes, n_samples)
        )
        for share in kept
    )


class TestExchange:
    def test_it_is_the_default(self):
        arrays = predictions(80)
        default = compare_classifiers(*arrays, NI, n_resamples=50, random_state=0)
        assert default.method == "exchange"
        assert default == compare_classifiers(
            *arrays, NI, method="exchange", n_resamples=50, random_state=0
        )

    @pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
    def test_the_difference_is_in_the_middle(self, level):
        comparison = compare_classifiers(
            *predictions(80), NI, confidence_level=level, n_resamples=99, random_state=0
        )
        reach = stats.norm.ppf((1 + level) / 2) * comparison.standard_error
        assert comparison.high - comparison.difference == pytest.approx(reach)
        assert comparison.difference - comparison.low == pytest.approx(reach)

    def test_the_error_is_no_smaller_than_any_of_three(self):
        y_true, a, b = predictions(120, kept=(0.9, 0.6))
        calls = []

        def spy(tables):
            calls.append(measure.normalized_information(tables))
            return calls[-1]

        comparison = compare_classifiers(
            y_true, a, b, spy, n_resamples=999, random_state=0
        )
        # Of a and b each time: the samples, the resamples, and the exchanges.
        resampled, exchanged = calls[2] - calls[3], calls[4] - calls[5]
        sizes = np.sort(np.append(np.abs(exchanged), abs(comparison.difference)))
        errors = [
            resampled.std(ddof=1),
            exchanged.std(ddof=1),
            sizes[949] / stats.norm.ppf(0.975),  # 95 % of 1,000
        ]
        assert comparison.standard_error == pytest.approx(max(errors))
        assert min(errors) < 0.99 * max(errors)

    def test_each_of_the_three_may_be_the_largest(self):
        # One sample: resamples do not vary, exchanges do.
        one = compare_classifiers(
            [0], [0], [1], "accuracy", n_resamples=2000, random_state=0
        )
        assert one.standard_error == pytest.approx(1, rel=0.01)
        # Few exchanges of large differences: their spread tells less than their size.
        y_true, a, b = predictions(300, seed=1, kept=(1.0, 0.4))
        much = compare_classifiers(y_true, a, b, NI, random_state=0)
        plain = compare_classifiers(
            y_true, a, b, NI, random_state=0, method="percentile"
        )
        assert much.standard_error >= plain.standard_error

    def test_the_bootstrap_keeps_its_own_error(self):
        arrays = predictions(60)
        for method in ("bca", "percentile"):
            comparison = compare_classifiers(
                *arrays, NI, method=method, n_resamples=300, random_state=0
            )
            assert comparison.method == method
            length = comparison.high - comparison.low
            assert 3 < length / comparison.standard_error < 5

    @given(
        st.integers(2, 40),
        st.integers(2, 4),
        st.integers(0, 10**6),
        st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99]),
        st.sampled_from([5, 19, 20, 99, 100]),
        st.sampled_from(["accuracy", "variation_of_information"]),
    )
    @settings(max_examples=150)
    def test_an_interval_without_zero_has_a_small_p_value(
        self, n_samples, n_classes, seed, level, n_resamples, metric
    ):
        arrays = predictions(n_samples, n_classes, seed, kept=(0.95, 0.2))
        comparison = compare_classifiers(
            *arrays,
            metric,
            confidence_level=level,
            n_resamples=n_resamples,
            random_state=seed,
        )
        if not comparison.low <= 0 <= comparison.high:
            assert comparison.p_value <= 1 - level + 1e-12
        assert comparison.standard_error >= 0

    def test_some_intervals_lie_off_zero(self):
        comparison = compare_classifiers(
            *predictions(200, kept=(0.95, 0.2)), NI, n_resamples=99, random_state=0
        )
        assert comparison.low > 0
        assert comparison.p_value == 0.01

    def test_equal_predictions(self):
        y_true, a, _ = predictions(50)
        comparison = compare_classifiers(y_true, a, a, NI)
        assert comparison == (0, 0, 0, 1)
        assert comparison.standard_error == 0

    def test_coverage_and_size(self):
        """Two classifiers of the same quality differ in their errors alone."""
        covered, p_values = [], []
        for seed in range(300):
            comparison = compare_classifiers(
                *predictions(90, seed=seed), NI, n_resamples=199, random_state=seed
            )
            covered.append(comparison.low <= 0 <= comparison.high)
            p_values.append(comparison.p_value)
        assert np.mean(covered) >= 0.92
        assert 0.01 <= np.mean(np.array(p_values) <= 0.05) <= 0.08

    def test_coverage_of_a_difference(self):
        good, bad = 0.85, 0.55
        joints = [(kept * np.eye(3) + (1 - kept) / 3) / 3 for kept in (good, bad)]
        truth = np.subtract(*measure.normalized_information(np.array(joints)))
        covered = []
        for seed in range(300):
            low, high = compare_classifiers(
                *predictions(180, seed=seed, kept=(good, bad)),
                NI,
                n_resamples=199,
                random_state=seed,
            )[1:3]
            covered.append(low <= truth <= high)
        assert 0.9 <= np.mean(covered) <= 0.99


class TestUndefined:
    def test_exchanges_that_are_undefined_count_against_a_difference(self):
        y_true = np.array([0] * 10 + [1] * 10)
        a, b = y_true, 1 - y_true

        def only_right_or_wrong(tables):
            """Undefined unless a classifier is all right or all wrong."""
            hits = measure.accuracy(tables)
            return np.where((hits == 0) | (hits == 1), hits, np.nan)

        comparison = compare_classifiers(
            y_true, a, b, only_right_or_wrong, n_resamples=200, random_state=0
        )
        assert comparison.difference == 1
        assert comparison.p_value == 1
        assert comparison.low <= 0

    def test_resamples_that_are_undefined_are_told(self):
        y_true, y_pred = [0] * 40 + [1], [0] * 38 + [1] * 3
        with pytest.warns(UndefinedMetricWarning, match=r"in 3\d\d of 1000") as caught:
            comparison = compare_classifiers(
                y_true, y_pred, [0, 1] + [0] * 39, NI, random_state=0
            )
        assert len(caught) == 1
        assert 300 < comparison.n_undefined < 400
        assert math.isfinite(comparison.standard_error)


def test_many_classes_take_little_memory():
    # A dense table of the pairs of predictions would not fit.
    y_true, a, b = predictions(3000, n_classes=500)
    with config_context(working_memory=4):
        comparison = compare_classifiers(
            y_true, a, b, "accuracy", n_resamples=5, random_state=0
        )
    assert comparison.difference == pytest.approx(
        np.mean(y_true == a) - np.mean(y_true == b)
    )


class TestKindsOfLabels:
    """Classes against the numbers of clusters."""

    Y, A, B = predictions(60)
    NAMES = np.array(["ant", "bee", "cow"])

    def test_other_kinds_if_they_are_named(self):
        expected = compare_classifiers(
            self.Y, self.A, self.B, NI, n_resamples=40, random_state=0
        )
        got = compare_classifiers(
            self.NAMES[self.Y],
            self.A,
            self.B,
            NI,
            pred_labels=[2, 0, 1],
            n_resamples=40,
            random_state=0,
        )
        np.testing.assert_allclose(got, expected, rtol=1e-12)

    def test_they_have_no_accuracy(self):
        with pytest.raises(ValueError, match="must be the same classes"):
            compare_classifiers(
                self.NAMES[self.Y], self.A, self.B, "accuracy", pred_labels=[0, 1, 2]
            )

    def test_the_error_names_the_parameter(self):
        with pytest.raises(ValueError, match=r"numbers in y_pred_b.*`pred_labels`"):
            compare_classifiers(self.NAMES[self.Y], self.NAMES[self.A], self.B, NI)

    @pytest.mark.parametrize("labels", [None, [0, 1, 2], [2, 1, 0]])
    @pytest.mark.parametrize("pred_labels", [None, [0, 1, 2], [1, 2, 0]])
    def test_orders_of_classes(self, labels, pred_labels):
        comparison = compare_classifiers(
            self.Y,
            self.A,
            self.B,
            "accuracy",
            labels=labels,
            pred_labels=pred_labels,
            n_resamples=5,
        )
        hits = [np.mean(y == self.Y) for y in (self.A, self.B)]
        assert comparison.difference == pytest.approx(hits[0] - hits[1])
