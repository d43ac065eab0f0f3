"""compare_classifiers: the interval and its p-value."""

import inspect
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import (
    compare_classifiers,
    confidence_interval,
    contingency_table,
    measure,
)
from sklearn_entropy_metrics.compare import paired

NI = "normalized_information"
TABLE_MEASURES = [
    name for name, row in measure.MEASURES.items() if row.input.endswith("table")
]


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


def pair(n_samples, n_classes=3, seed=0):
    """True labels, and predictions by two classifiers that often agree."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, n_classes, n_samples)
    guess, other_guess = rng.integers(0, n_classes, (2, n_samples))
    a = np.where(rng.random(n_samples) < 0.7, y_true, guess)
    b = np.where(rng.random(n_samples) < 0.8, a, other_guess)
    return y_true, a, b


class TestExchange:
    @pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
    def test_the_difference_is_in_the_middle(self, level):
        comparison = compare_classifiers(
            *predictions(80), NI, confidence_level=level, n_resamples=99, random_state=0
        )
        reach = stats.norm.ppf((1 + level) / 2) * comparison.standard_error
        assert comparison.high - comparison.difference == pytest.approx(reach)
        assert comparison.difference - comparison.low == pytest.approx(reach)

    def test_against_the_formula(self):
        """The standard error and the p-value, from its parts."""
        y_true, a, b = predictions(120, n_classes=4, kept=(0.9, 0.6))
        found = compare_classifiers(y_true, a, b, n_resamples=999, random_state=0)
        first, second = (confidence_interval(y_true, y) for y in (a, b))
        assert found.difference == pytest.approx(first.estimate - second.estimate)
        assert found.plug_in_difference == pytest.approx(first.plug_in - second.plug_in)
        c = np.array([first.correction, second.correction])
        squares = (c[0] - c[1]) ** 2 / 4 + (c**2).sum() / 16
        rest = found.standard_error**2 - squares
        # What is left is the spread of resamples and exchanges, and one pair in n.
        assert 0.05**2 < rest < 0.1**2
        tail = 2 * stats.norm.sf(found.difference / found.standard_error)
        assert found.p_value == pytest.approx(tail)
        assert found.p_value < 0.001

    def test_equal_predictions_leave_one_pair_in_doubt(self):
        y_true, a, _ = predictions(50)
        found = compare_classifiers(y_true, a, a, "accuracy")
        assert (found.difference, found.p_value) == (0, 1)
        assert found.high == -found.low == pytest.approx(stats.norm.ppf(0.975) / 50)

    @given(
        st.integers(2, 40),
        st.integers(2, 4),
        st.integers(0, 10**6),
        st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99]),
        st.sampled_from([5, 19, 20, 99, 100]),
        st.sampled_from(["accuracy", "variation_of_information"]),
    )
    @pytest.mark.slow
    def test_an_interval_with_zero_has_a_large_p_value(
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
        if comparison.low <= 0 <= comparison.high:
            assert comparison.p_value >= 1 - level - 1e-12
        assert comparison.standard_error >= 0

    def test_some_intervals_lie_off_zero(self):
        comparison = compare_classifiers(
            *predictions(200, kept=(0.95, 0.2)), NI, n_resamples=99, random_state=0
        )
        assert comparison.low > 0
        assert comparison.p_value < 0.01

    @pytest.mark.slow
    def test_coverage_and_size(self):
        """Two classifiers of the same quality differ in their errors alone."""
        covered, p_values = [], []
        for seed in range(60):
            comparison = compare_classifiers(
                *predictions(90, seed=seed), NI, n_resamples=99, random_state=seed
            )
            covered.append(comparison.low <= 0 <= comparison.high)
            p_values.append(comparison.p_value)
        assert np.mean(covered) >= 0.92
        assert np.mean(np.array(p_values) <= 0.05) <= 0.1

    @pytest.mark.slow
    def test_coverage_of_a_difference(self):
        good, bad = 0.85, 0.55
        joints = [(kept * np.eye(3) + (1 - kept) / 3) / 3 for kept in (good, bad)]
        truth = np.subtract(*measure.normalized_information(np.array(joints)))
        covered = []
        for seed in range(150):
            low, high = compare_classifiers(
                *predictions(180, seed=seed, kept=(good, bad)),
                NI,
                n_resamples=199,
                random_state=seed,
            )[1:3]
            covered.append(low <= truth <= high)
        assert np.mean(covered) >= 0.92


@pytest.mark.slow
class TestScatteredErrors:
    """One classifier concentrates its errors, the other scatters them."""

    @pytest.mark.parametrize(("per_cell", "most"), [(1, 0.2), (4, 0.1)])
    def test_no_winner_is_declared_at_equal_information(self, per_cell, most):
        k, n_wrong = 10, 0
        scattered, concentrated = 0.9, 0.7649  # accuracies of the same NI, 0.757
        for seed in range(80):
            rng = np.random.default_rng([seed, per_cell])
            n_samples = per_cell * k**2
            y_true = rng.integers(0, k, n_samples)
            other = (y_true + rng.integers(1, k, n_samples)) % k
            is_right = rng.random((2, n_samples))
            a = np.where(is_right[0] < concentrated, y_true, (y_true + 1) % k)
            b = np.where(is_right[1] < scattered, y_true, other)
            found = compare_classifiers(
                y_true, a, b, n_resamples=199, labels=range(k), random_state=seed
            )
            n_wrong += found.p_value <= 0.05
        assert n_wrong / 80 <= most


class TestUndefined:
    def test_exchanges_that_are_undefined_count_against_a_difference(self):
        y_true = np.array([0] * 10 + [1] * 10)
        a, b = y_true, 1 - y_true

        def only_right_or_wrong(tables):
            """Undefined unless a classifier is nearly all right or all wrong."""
            hits = measure.accuracy(tables)
            return np.where(np.abs(hits - 0.5) > 0.4, hits, np.nan)

        comparison = compare_classifiers(
            y_true, a, b, only_right_or_wrong, n_resamples=200, random_state=0
        )
        assert comparison.plug_in_difference == 1
        assert comparison.p_value == 1
        assert comparison.low <= 0

    def test_resamples_that_are_undefined_are_left_out(self):
        y_true, y_pred = [0] * 40 + [1], [0] * 38 + [1] * 3
        comparison = compare_classifiers(
            y_true, y_pred, [0, 1] + [0] * 39, NI, random_state=0
        )
        assert math.isfinite(comparison.standard_error)

    def test_one_warning(self):
        with pytest.warns(UndefinedMetricWarning, match="undefined for") as caught:
            found = compare_classifiers([0] * 9, [0] * 9, [0, 1, 1] * 3)
        assert len(caught) == 1
        assert all(math.isnan(number) for number in found)

    def test_one_classifier_of_two(self):
        y_true = [0, 1] * 10
        with pytest.warns(UndefinedMetricWarning, match="undefined for"):
            found = compare_classifiers(y_true, y_true, [0] * 20, "matthews_corrcoef")
        assert all(math.isnan(number) for number in found)


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
            pred_labels=[0, 1, 2],
            n_resamples=40,
            random_state=0,
        )
        # Where no prediction can be right, the errors are shrunk elsewhere.
        plug_in = expected.plug_in_difference
        assert got.plug_in_difference == pytest.approx(plug_in, rel=1e-12)

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
        gap = hits[0] - hits[1]
        assert comparison.plug_in_difference == pytest.approx(gap)


class TestCompareClassifiers:
    @pytest.mark.parametrize("name", TABLE_MEASURES)
    def test_equal_pair(self, name):
        two = measure.MEASURES[name].input == "2x2 table"
        y_true, y_pred, _ = pair(200, n_classes=2 if two else 4)
        weight = np.random.default_rng(0).random(200)
        for sample_weight in (None, weight):
            comparison = compare_classifiers(
                y_true,
                y_pred,
                y_pred,
                name,
                n_resamples=50,
                sample_weight=sample_weight,
            )
            assert (comparison.difference, comparison.p_value) == (0, 1)
            assert comparison.low == -comparison.high <= 0

    def test_equal_perfect_and_constant_pair(self):
        y_true = [0, 1, 2] * 5
        for y_pred in (y_true, [1] * 15):
            found = compare_classifiers(y_true, y_pred, y_pred, NI)
            assert (found.difference, found.p_value) == (0, 1)
            assert found.low < 0 < found.high

    @pytest.mark.parametrize("name", TABLE_MEASURES)
    def test_the_difference_of_both_tables(self, name):
        two = measure.MEASURES[name].input == "2x2 table"
        y_true, a, b = pair(300, n_classes=2 if two else 3)
        in_a, in_b = (
            measure.evaluate(contingency_table(y_true, y), [name])[name] for y in (a, b)
        )
        comparison = compare_classifiers(
            y_true, a, b, name, n_resamples=100, random_state=0
        )
        assert comparison.plug_in_difference == pytest.approx(in_a - in_b)
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

    @pytest.mark.slow
    def test_p_values_are_uniform_if_there_is_no_difference(self):
        rng = np.random.default_rng(0)
        p_values = []
        for seed in range(100):
            y_true = rng.integers(0, 3, 80)
            a, b = np.where(rng.random((2, 80)) < 0.6, y_true, rng.integers(0, 3, 80))
            comparison = compare_classifiers(
                y_true, a, b, NI, n_resamples=99, random_state=seed
            )
            p_values.append(comparison.p_value)
        assert stats.kstest(p_values, "uniform").pvalue > 0.01

    def test_a_clear_difference(self):
        y_true, good, _ = pair(500)
        bad = np.random.default_rng(9).permutation(good)
        comparison = compare_classifiers(
            y_true, good, bad, NI, n_resamples=500, random_state=0
        )
        assert comparison.low > 0.2
        assert comparison.p_value < 1e-6

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
        assert comparison.plug_in_difference == pytest.approx(in_a - in_b)

    def test_given_labels(self):
        y_true, a, b = pair(100)
        name = "normalized_information_transfer"
        three = compare_classifiers(y_true, a, b, name, n_resamples=20, random_state=0)
        five = compare_classifiers(
            y_true, a, b, name, n_resamples=20, labels=[4, 2, 0, 1, 3], random_state=0
        )
        rejecting = np.where(b == 0, -1, b)
        reject = compare_classifiers(
            y_true, a, rejecting, name, pred_labels=[-1, 0, 1, 2], n_resamples=20
        )
        plug_in = three.plug_in_difference
        assert five.plug_in_difference == pytest.approx(plug_in * 3 / 5)
        assert reject.plug_in_difference == pytest.approx(plug_in)

    def test_labels_of_all_kinds(self):
        arrays = pair(100)
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


def test_predictions_that_share_no_label_are_told():
    y_true = [0, 1] * 20
    with pytest.warns(UserWarning, match="y_true and y_pred share no label") as told:
        compare_classifiers(y_true, [2, 3] * 20, [0, 1, 1, 0] * 10, n_resamples=9)
    assert len(told) == 1


class TestBadInput:
    def call(self, metric=NI, **options):
        return compare_classifiers(*pair(30), metric, **options)

    @pytest.mark.parametrize("level", [0, 1, 95, -0.1, math.nan, "0.9", None])
    def test_confidence_level(self, level):
        with pytest.raises(ValueError, match="confidence_level must be"):
            self.call(confidence_level=level)

    @pytest.mark.parametrize("number", [0, -1, 10.0, "10", True])
    def test_n_resamples(self, number):
        with pytest.raises(ValueError, match="`n_resamples` must be"):
            self.call(n_resamples=number)

    @pytest.mark.parametrize("option", ["method", "stratify"])
    def test_options_that_are_gone(self, option):
        with pytest.raises(TypeError, match=rf"{option}.*permutation\. Got 'bca'\."):
            self.call(**{option: "bca"})

    def test_seeds(self):
        first, second, other = (
            self.call(n_resamples=50, random_state=seed)
            for seed in (0, np.random.RandomState(0), 1)
        )
        assert first == second
        assert first != other
        with pytest.raises(ValueError, match="cannot be used to seed"):
            self.call(random_state="seed")

    def test_lengths_and_kinds(self):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            compare_classifiers([0, 1], [0, 1], [0, 1, 1], NI)
        with pytest.raises(ValueError, match="empty"):
            compare_classifiers([], [], [], NI)
        with pytest.raises(ValueError, match="y_pred_b"):
            compare_classifiers([0, 1], [0, 1], ["0", "1"], NI)
        with pytest.raises(ValueError, match="y_pred_a must not contain missing"):
            compare_classifiers([0, 1], [0, None], [0, 1], NI)


@pytest.mark.parametrize("weighted", [False, True])
def test_chunks_do_not_matter(monkeypatch, weighted):
    weight = np.random.default_rng(0).random(200) if weighted else None
    options = {"sample_weight": weight, "n_resamples": 60, "random_state": 0}
    at_once = compare_classifiers(*pair(200), NI, **options)
    monkeypatch.setattr(paired, "_CHUNK", 400)  # a few tables
    assert compare_classifiers(*pair(200), NI, **options) == at_once


def test_the_scale_of_weights_does_not_matter():
    weight = np.random.default_rng(0).random(200)
    first, second = (
        compare_classifiers(
            *pair(200), NI, sample_weight=scale * weight, random_state=0
        )
        for scale in (1, 1000.0)
    )
    np.testing.assert_allclose(first, second, rtol=1e-6)


class TestGroups:
    """Patients of ten samples each, for whom a classifier is good or bad."""

    @staticmethod
    def patients(seed, n_patients=30, skills=(0.8, 0.8)):
        rng = np.random.default_rng(seed)
        patient = np.repeat(np.arange(n_patients), 10)
        y_true = rng.integers(0, 3, n_patients)[patient]
        some = []
        for skill in skills:
            share = rng.beta(2.3 * skill, 2.3 * (1 - skill), n_patients)[patient]
            guess = (y_true + rng.integers(1, 3, len(patient))) % 3
            some.append(np.where(rng.random(len(patient)) < share, y_true, guess))
        return y_true, *some, patient

    @pytest.mark.slow
    @pytest.mark.parametrize("metric", ["accuracy", NI])
    def test_equal_classifiers(self, metric):
        p_values = {"alone": [], "groups": []}
        for seed in range(50):
            *arrays, patient = self.patients(seed)
            for name, groups in (("alone", None), ("groups", patient)):
                found = compare_classifiers(
                    *arrays, metric, groups=groups, n_resamples=99, random_state=seed
                )
                p_values[name].append(found.p_value)
        assert np.mean(np.array(p_values["alone"]) <= 0.05) > 0.2
        assert np.mean(np.array(p_values["groups"]) <= 0.05) <= 0.14

    def test_a_difference_is_found(self):
        *arrays, patient = self.patients(0, 60, (0.9, 0.6))
        found = compare_classifiers(*arrays, groups=patient, random_state=0)
        assert found.p_value <= 0.01
        assert found.low > 0

    def test_lengths(self):
        *arrays, patient = self.patients(0)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            compare_classifiers(*arrays, groups=patient[:-1])


def test_the_defaults_are_those_of_the_contract():
    parameters = inspect.signature(compare_classifiers).parameters.values()
    given = {p.name: p.default for p in parameters if p.default is not p.empty}
    assert given.pop("metric") == NI
    assert given.pop("confidence_level") == 0.95
    assert given.pop("n_resamples") == 999
    assert set(given.values()) == {None}
