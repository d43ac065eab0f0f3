"""compare_segments: intervals of segments, and three tests in bits."""

import dataclasses
import math
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse as sp
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import f1_score

from sklearn_entropy_metrics import (
    EntropyBalance,
    TableAccumulator,
    compare_segments,
    confidence_interval,
    tabulate_frame,
)

# Of small segments, which most of these are.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*may miss the true value", "ignore:Segments with fewer than 8"
)

TESTS = ("separation", "independence", "sufficiency")


def samples(n_samples, seed=0, n_classes=3, n_segments=4, kept=(0.8,)):
    """True labels, predictions and segments; the kept share may differ by segment."""
    rng = np.random.default_rng(seed)
    y_true, by = rng.integers(0, [[n_classes], [n_segments]], (2, n_samples))
    share = np.resize(kept, n_segments)[by]
    guess = rng.integers(0, n_classes, n_samples)
    return y_true, np.where(rng.random(n_samples) < share, y_true, guess), by


def stack(y_true, y_pred, by):
    tables = np.zeros((by.max() + 1, 3, 3), dtype=int)
    np.add.at(tables, (by, y_true, y_pred), 1)
    return tables


def numbers(comparison):
    every = (*comparison.segments, comparison.overall)
    return [dataclasses.astuple(one)[1:] for one in every], [
        dataclasses.astuple(getattr(comparison, name)) for name in TESTS
    ]


class TestSegments:
    def test_a_row_each_with_the_interval_of_its_samples(self):
        y_true, y_pred, by = samples(300)
        found = compare_segments(y_true, y_pred, by, n_resamples=9)
        assert [one.name for one in found.segments] == [0, 1, 2, 3]
        for one in (*found.segments, found.overall):
            some = by == one.name if one.name != "overall" else by >= 0
            there = confidence_interval(y_true[some], y_pred[some], labels=range(3))
            assert one.n_samples == some.sum()
            assert dataclasses.astuple(one)[2:] == pytest.approx(
                (there.estimate, there.low, there.high, there.plug_in), rel=1e-12
            )

    @pytest.mark.parametrize("kind", [list, pd.Series, pl.Series, pa.array])
    def test_any_labels(self, kind):
        y_true, y_pred, by = samples(100)
        options = {"n_resamples": 9, "random_state": 0}
        found = compare_segments(kind(y_true), kind(y_pred), kind(by), **options)
        assert found == compare_segments(y_true, y_pred, by, **options)

    def test_classes_are_those_of_all_segments(self):
        y_true = np.array([0, 1] * 20 + [0, 1, 2, 0] * 10)
        by = np.repeat(["a", "b"], 40)
        found = compare_segments(
            y_true, y_true, by, "normalized_information_transfer", n_resamples=9
        )
        assert found.segments[0].plug_in == pytest.approx(2 / 3)

    def test_any_metric(self):
        arrays = samples(200)
        loss = compare_segments(*arrays, "variation_of_information", n_resamples=9)
        assert not loss.greater_is_better
        accuracy = compare_segments(*arrays, "accuracy", n_resamples=9)
        hits = (arrays[0] == arrays[1])[arrays[2] == 2].mean()
        assert accuracy.segments[2].plug_in == pytest.approx(hits)
        assert accuracy.metric == "accuracy"

    def test_metrics_without_a_name(self):
        metric = partial(f1_score, average="macro", zero_division=0)
        found = compare_segments(*samples(200), metric, n_resamples=9)
        assert 0.5 < found.overall.estimate < 1

    def test_few_samples(self):
        y_true, y_pred, by = samples(203)
        by[:] = 0
        by[:7], by[7:15] = 1, 2
        expected = r"Segments with fewer than 8 samples have no interval: 1 \(7\)\."
        with pytest.warns(UserWarning, match=expected):
            found = compare_segments(y_true, y_pred, by, n_resamples=9)
        assert math.isnan(found.segments[1].estimate)
        assert math.isfinite(found.segments[2].estimate)

    def test_undefined(self):
        y_true, y_pred, by = samples(200)
        y_true[by == 1] = 0
        with pytest.warns(UndefinedMetricWarning, match="^1: The metric is undefined"):
            found = compare_segments(y_true, y_pred, by, n_resamples=9)
        assert math.isnan(found.segments[1].estimate)


class TestBits:
    @given(st.integers(0, 2**32 - 1))
    def test_chain_rule(self, seed):
        y_true, y_pred, by = samples(60, seed)
        found = compare_segments(
            y_true, y_pred, by, "accuracy", n_resamples=1, random_state=0
        )

        def information(a, b):
            return EntropyBalance.from_predictions(
                a, b, pred_labels=np.unique(b)
            ).mutual_information

        both = 10 * y_true + by
        assert information(both, y_pred) == pytest.approx(
            information(y_true, y_pred) + found.separation.bits, abs=1e-12
        )
        assert information(10 * y_pred + by, y_true) == pytest.approx(
            information(y_pred, y_true) + found.sufficiency.bits, abs=1e-12
        )
        assert found.independence.bits == pytest.approx(
            information(by, y_pred), abs=1e-12
        )

    @given(st.integers(0, 2**32 - 1))
    def test_names_and_order_do_not_matter(self, seed):
        rng = np.random.default_rng(seed)
        y_true, y_pred, by = samples(80, seed)
        options = {"metric": "accuracy", "n_resamples": 1}
        here = compare_segments(y_true, y_pred, by, **options)
        names = np.array(["d", "a", "c", "b"])
        classes = rng.permutation(3)
        there = compare_segments(classes[y_true], classes[y_pred], names[by], **options)
        for name in TESTS:
            bits = getattr(here, name).bits
            assert getattr(there, name).bits == pytest.approx(bits, abs=1e-12)
        ours = {names[one.name]: one.estimate for one in here.segments}
        theirs = {one.name: one.estimate for one in there.segments}
        assert theirs == pytest.approx(ours, rel=1e-9, nan_ok=True)


class TestPValues:
    @pytest.mark.slow
    def test_uniform_if_segments_do_not_matter(self):
        every = [
            compare_segments(
                *samples(120, seed), "accuracy", n_resamples=99, random_state=seed
            )
            for seed in range(50)
        ]
        for name in TESTS:
            p_values = [getattr(one, name).p_value for one in every]
            assert stats.kstest(p_values, "uniform").pvalue > 0.01

    @pytest.mark.parametrize(("n_classes", "share"), [(2, 0.8), (3, 0.6)])
    def test_a_worse_segment_is_found(self, n_classes, share):
        """As often as the guide says: with three classes, errors spread over more."""
        found = []
        for seed in range(40):
            rng = np.random.default_rng([n_classes, seed])
            y_true, by = rng.integers(0, n_classes, 800), np.repeat(range(4), 200)
            kept = rng.random(800) < np.where(by == 2, 0.7, 0.85)
            other = (y_true + rng.integers(1, n_classes, 800)) % n_classes
            comparison = compare_segments(
                y_true,
                np.where(kept, y_true, other),
                by,
                n_resamples=199,
                random_state=0,
            )
            worst = min(comparison.segments, key=lambda one: one.estimate)
            found.append(worst.name == 2 and comparison.separation.p_value <= 0.05)
        assert np.mean(found) >= share

    def test_frequencies_alone_do_not_break_separation(self):
        rng = np.random.default_rng(0)
        by = np.repeat([0, 1], 1000)
        y_true = (rng.random(2000) < np.where(by == 0, 0.2, 0.6)).astype(int)
        y_pred = np.where(rng.random(2000) < 0.8, y_true, 1 - y_true)
        found = compare_segments(y_true, y_pred, by, random_state=0)
        assert found.separation.p_value > 0.05
        assert found.independence.p_value == 0.001
        assert found.sufficiency.p_value == 0.001

    def test_permutations_of_cells_are_those_of_samples(self):
        y_true, y_pred, by = samples(100, 3, kept=(0.9, 0.6))
        found = compare_segments(y_true, y_pred, by, n_resamples=4999, random_state=0)
        rng = np.random.default_rng(0)
        at_least = 0
        for _ in range(600):
            permuted = by.copy()
            for label in range(3):
                some = np.flatnonzero(y_true == label)
                permuted[some] = by[rng.permutation(some)]
            joint = EntropyBalance.from_predictions(
                10 * y_true + permuted, y_pred, pred_labels=range(3)
            )
            whole = EntropyBalance.from_predictions(y_true, y_pred)
            bits = joint.mutual_information - whole.mutual_information
            at_least += bits >= found.separation.bits - 1e-12
        assert found.separation.p_value == pytest.approx(at_least / 600, abs=0.08)

    def test_tables_as_likely_as_these_count_as_unlikely(self):
        """Every permutation within the classes gives cells of a single sample."""
        with pytest.warns(UserWarning, match="have no interval"):
            found = compare_segments(
                [0, 1, 0, 1], [0, 1, 1, 0], [0, 1, 1, 0], n_resamples=9
            )
        assert found.separation.bits == 1
        assert found.separation.p_value == 1

    def test_seeds(self):
        one, same, other = (
            compare_segments(*samples(90), random_state=seed) for seed in (0, 0, 1)
        )
        assert numbers(one) == numbers(same)
        assert numbers(one) != numbers(other)


class TestTables:
    Y, P, BY = samples(240)

    @pytest.fixture
    def expected(self):
        return numbers(compare_segments(self.Y, self.P, self.BY, random_state=0))

    def test_a_stack(self, expected):
        tables = stack(self.Y, self.P, self.BY)
        found = compare_segments(table=tables, random_state=0)
        assert numbers(found) == expected
        assert [one.name for one in found.segments] == [0, 1, 2, 3]
        named = compare_segments(table=tables, by=list("wxyz"), random_state=0)
        assert [one.name for one in named.segments] == list("wxyz")

    def test_whole_numbers_as_floats_are_counts(self, expected):
        tables = stack(self.Y, self.P, self.BY).astype(float)
        assert numbers(compare_segments(table=tables, random_state=0)) == expected
        tables[0, 0, 0] += 0.5
        found = compare_segments(table=tables, n_resamples=9)
        assert math.isnan(found.separation.p_value)

    def test_counted_frames(self, expected):
        frame = pd.DataFrame({"y": self.Y, "p": self.P, "month": self.BY})
        result = tabulate_frame(frame, "y", "p", by="month")
        assert numbers(compare_segments(table=result, random_state=0)) == expected

    def test_accumulators_by_name(self, expected):
        months = {}
        for month in range(4):
            some = month == self.BY
            accumulator = TableAccumulator()
            accumulator.update(self.Y[some], self.P[some])
            months[month] = accumulator
        assert numbers(compare_segments(table=months, random_state=0)) == expected

    def test_folds_have_no_p_values(self):
        tables = stack(self.Y, self.P, self.BY)
        folds = {
            month: {"tables": [one, one], "labels": range(3), "n_tested": 2}
            for month, one in enumerate(tables)
        }
        found = compare_segments(table=folds, metric="accuracy", n_resamples=9)
        assert math.isnan(found.independence.p_value)
        for one, table in zip(found.segments, tables, strict=True):
            assert one.n_samples == pytest.approx(table.sum() / 1.45)

    def test_classes_of_a_dict_are_united(self):
        first, second = TableAccumulator(), TableAccumulator()
        first.update([0, 1] * 10, [0, 1] * 10)
        second.update([0, 1, 2, 0] * 5, [0, 1, 2, 1] * 5)
        found = compare_segments(
            table={"a": first, "b": second},
            metric="normalized_information_transfer",
            n_resamples=9,
        )
        assert found.segments[0].plug_in == pytest.approx(2 / 3)

    def test_a_table_without_samples(self):
        tables = stack(self.Y, self.P, self.BY)
        tables[2] = 0
        with pytest.warns(UserWarning, match=r"have no interval: 2 \(0\)\."):
            found = compare_segments(table=tables, n_resamples=9, random_state=0)
        assert math.isnan(found.segments[2].estimate)
        assert found.overall.n_samples == tables.sum()
        rest = compare_segments(table=tables[[0, 1, 3]], n_resamples=9)
        assert found.separation.bits == pytest.approx(rest.separation.bits, abs=1e-12)

    def test_probabilities_are_refused(self):
        shares = np.full((2, 2, 2), 0.25)
        for table in (shares, shares / 2, dict(enumerate(shares))):
            with pytest.raises(ValueError, match="how many samples"):
                compare_segments(table=table)

    def test_names_come_once(self):
        named = dict(enumerate(stack(self.Y, self.P, self.BY)))
        with pytest.raises(ValueError, match="`by` must be None"):
            compare_segments(table=named, by=list("wxyz"))

    def test_too_many_samples(self):
        tables = np.full((2, 2, 2), 3 * 10**9)
        with pytest.raises(ValueError, match=r"at most 1,000,000,000 samples"):
            compare_segments(table=tables)

    @pytest.mark.parametrize(
        ("bad", "words"),
        [("wxyw", "must not repeat"), (["w", "x", "y", None], "must not contain")],
    )
    def test_bad_names(self, bad, words):
        tables = stack(self.Y, self.P, self.BY)
        with pytest.raises(ValueError, match=f"by {words}"):
            compare_segments(table=tables, by=list(bad))

    def test_bad_tables(self):
        one = stack(self.Y, self.P, self.BY)[0]
        with pytest.raises(ValueError, match=r"\(n_segments, k, m\)"):
            compare_segments(table=one)
        with pytest.raises(ValueError, match=r"Got shape \(3, 3\) and 3 names"):
            compare_segments(table=sp.csr_array(one))
        huge = sp.csr_array((np.ones(9, dtype=int), ([0] * 9, range(9))), (10**5,) * 2)
        with pytest.raises(ValueError, match="A stack of these tables would take"):
            compare_segments(table={"a": huge, "b": huge})
        with pytest.raises(ValueError, match="and 2 names"):
            compare_segments(table=np.array([one] * 3), by=["a", "b"])
        with pytest.raises(ValueError, match="Got both"):
            compare_segments(self.Y, self.P, table=[one, one])
        frame = pd.DataFrame({"y": self.Y, "p": self.P})
        with pytest.raises(ValueError, match="made with `by="):
            compare_segments(table=tabulate_frame(frame, "y", "p"))


class TestWeights:
    def test_no_p_values_but_intervals(self):
        y_true, y_pred, by = samples(200)
        weight = np.where(y_true == 1, 2.0, 1.0)
        found = compare_segments(y_true, y_pred, by, sample_weight=weight)
        assert math.isnan(found.separation.p_value)
        for one in found.segments:
            some = by == one.name
            there = confidence_interval(
                y_true[some], y_pred[some], sample_weight=weight[some]
            )
            assert one.estimate == pytest.approx(there.estimate, rel=1e-9)
            assert one.high == pytest.approx(there.high, rel=1e-9)
        assert found.summary().startswith("Predictions depend on the segment by")
        assert "nan" not in repr(found)

    def test_whole_weights_are_weights(self):
        y_true, y_pred, by = samples(200)
        frame = pd.DataFrame({"y": y_true, "p": y_pred, "by": by, "w": 2.0})
        result = tabulate_frame(frame, "y", "p", weight="w", by="by")
        ours = compare_segments(y_true, y_pred, by, sample_weight=np.full(200, 2.0))
        for found in (ours, compare_segments(table=result)):
            assert found.overall.n_samples == pytest.approx(200)
            assert math.isnan(found.separation.p_value)

    def test_a_weight_of_zero_leaves_out(self):
        y_true, y_pred, by = samples(200)
        weight = (by != 3).astype(float)
        found = compare_segments(y_true, y_pred, by, sample_weight=weight)
        assert [one.name for one in found.segments] == [0, 1, 2]


class TestGroups:
    """Patients of ten samples each, who are of one site."""

    @staticmethod
    def patients(seed, n_patients=60, worse=0.0):
        rng = np.random.default_rng(seed)
        patient = np.repeat(np.arange(n_patients), 10)
        site = (np.arange(n_patients) % 3)[patient]
        y_true = rng.integers(0, 2, n_patients)[patient]
        skill = rng.beta(4, 1, n_patients)[patient] - worse * (site == 1)
        y_pred = np.where(rng.random(len(patient)) < skill, y_true, 1 - y_true)
        return y_true, y_pred, site, patient

    @pytest.mark.slow
    def test_patients_differ_and_sites_do_not(self):
        p_values = {"alone": [], "groups": []}
        for seed in range(25):
            y_true, y_pred, site, patient = self.patients(seed)
            for name, groups in (("alone", None), ("groups", patient)):
                found = compare_segments(
                    y_true, y_pred, site, "accuracy", groups=groups, n_resamples=99
                )
                p_values[name].append(found.separation.p_value)
        assert np.mean(np.array(p_values["alone"]) <= 0.05) > 0.25
        assert np.mean(np.array(p_values["groups"]) <= 0.05) <= 0.2

    @pytest.mark.slow
    def test_a_worse_site_is_found(self):
        *arrays, patient = self.patients(0, 120, worse=0.35)
        found = compare_segments(*arrays, groups=patient, random_state=0)
        assert found.separation.p_value <= 0.01
        assert min(found.segments, key=lambda one: one.estimate).name == 1

    @pytest.mark.slow
    @pytest.mark.parametrize("one_class_each", [True, False])
    def test_uniform_if_sites_do_not_matter(self, one_class_each):
        p_values = {name: [] for name in TESTS}
        for seed in range(60):
            y_true, y_pred, site, patient = self.patients(seed)
            if not one_class_each:
                mirrored = np.random.default_rng(seed).random(len(site)) < 0.5
                y_true, y_pred = y_true ^ mirrored, y_pred ^ mirrored
            options = {"groups": patient, "n_resamples": 99, "random_state": seed}
            found = compare_segments(y_true, y_pred, site, "accuracy", **options)
            for name in TESTS:
                p_values[name].append(getattr(found, name).p_value)
        for some in p_values.values():
            assert stats.kstest(some, "uniform").pvalue > 0.01

    def test_patients_are_permuted_within_classes(self):
        """Of six patients, the last alone is wrong, and alone at its site."""
        arrays = [0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0], [0, 0, 0, 0, 0, 1], range(6)
        *arrays, patient = (np.repeat(array, 10) for array in arrays)
        found = compare_segments(*arrays, groups=patient, random_state=0)
        assert found.separation.p_value == pytest.approx(1 / 3, abs=0.05)
        assert found.sufficiency.p_value == pytest.approx(1 / 4, abs=0.05)
        assert found.independence.p_value == 1

    def test_a_site_of_one_patient_has_no_interval(self):
        y_true, y_pred, site, patient = self.patients(1)
        site[patient == 0] = 7
        words = r"fewer than 8 samples or 2 groups have no interval: 7 \(10\)\."
        with pytest.warns(UserWarning, match=words):
            found = compare_segments(
                y_true, y_pred, site, groups=patient, n_resamples=9
            )
        *others, alone = found.segments
        assert alone.n_samples == 10
        assert math.isnan(alone.low)
        assert all(math.isfinite(one.low) for one in (*others, found.overall))

    def test_intervals_are_those_of_groups(self):
        y_true, y_pred, site, patient = self.patients(1)
        found = compare_segments(y_true, y_pred, site, groups=patient, n_resamples=9)
        some = site == 2
        there = confidence_interval(y_true[some], y_pred[some], groups=patient[some])
        one = found.segments[2]
        assert (one.low, one.high) == pytest.approx((there.low, there.high), rel=1e-9)

    def test_groups_with_weights(self):
        y_true, y_pred, site, patient = self.patients(1)
        weight = np.where(y_true == 1, 3.0, 1.0)
        found = compare_segments(
            y_true, y_pred, site, groups=patient, sample_weight=weight, n_resamples=9
        )
        some = site == 1
        arrays = (array[some] for array in (y_true, y_pred))
        options = {"groups": patient[some], "sample_weight": weight[some]}
        there = confidence_interval(*arrays, **options)
        assert found.segments[1].low == pytest.approx(there.low, rel=1e-9)
        assert math.isnan(found.separation.p_value)

    def test_groups_that_are_alike_differ_by_round_off_alone(self):
        mix = [(0, 0), (0, 1), (1, 1), (1, 1), (0, 0), (2, 1), (2, 2)]
        rng = np.random.default_rng(46)
        times = enumerate(rng.integers(1, 9, 8))
        pairs = [(*pair, g) for g, n_times in times for pair in mix * n_times]
        y_true, y_pred, group = np.array(pairs).T
        site = rng.permutation(np.arange(8) % 2)[group]
        tests = compare_segments(
            y_true, y_pred, site, groups=group, n_resamples=99, random_state=0
        )
        assert tests.independence.p_value == 1

    def test_a_group_in_two_segments(self):
        y_true, y_pred, site, patient = self.patients(1)
        site[0] = 2
        with pytest.raises(ValueError, match="Got a group in several segments"):
            compare_segments(y_true, y_pred, site, groups=patient, n_resamples=9)


class TestBadInput:
    Y, P, BY = samples(60)

    def test_lengths(self):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            compare_segments(self.Y, self.P, self.BY[:-1])

    @pytest.mark.parametrize("bad", [None, math.nan, pd.NA])
    def test_missing_segments(self, bad):
        by = self.BY.astype(object)
        by[5] = bad
        with pytest.raises(ValueError, match=r"by must not contain missing"):
            compare_segments(self.Y, self.P, by)

    def test_dates(self):
        months = np.array(["2026-01", "2025-12", "2026-02"], dtype="datetime64[M]")
        found = compare_segments(self.Y, self.P, np.resize(months, 60), n_resamples=9)
        assert [one.name for one in found.segments] == ["2025-12", "2026-01", "2026-02"]
        days = np.resize(months, 60).astype("datetime64[ns]")
        found = compare_segments(self.Y, self.P, days, n_resamples=9)
        assert found.segments[0].name == "2025-12-01"
        months[0] = "NaT"
        with pytest.raises(ValueError, match="Got NaT"):
            compare_segments(self.Y, self.P, np.resize(months, 60))

    def test_one_segment(self):
        with pytest.raises(ValueError, match=r"two segments or more. Got \['x'\]\."):
            compare_segments(self.Y, self.P, ["x"] * 60)

    @pytest.mark.parametrize(
        ("table", "got"),
        [({}, r"\[\]"), ({"a": np.eye(2)}, r"\['a'\]"), ([[[1]]], "0")],
    )
    def test_too_few_tables(self, table, got):
        with pytest.raises(ValueError, match=f"two segments or more. Got .*{got}"):
            compare_segments(table=table)

    def test_no_samples(self):
        with pytest.raises(ValueError, match="by is empty; at least 1 sample"):
            compare_segments([], [], [])

    def test_nothing_to_compare(self):
        with pytest.raises(ValueError, match="`y_true`, `y_pred` and `by`, or"):
            compare_segments(self.Y, self.P)


class TestText:
    @given(st.text(max_size=60), st.integers(8, 10**8))
    def test_at_most_80_columns(self, name, count):
        tables = np.array([[[count, 3], [4, 9]], [[10**6, 2], [8, 10]]])
        found = compare_segments(
            table=tables, by=[name + "a", name + "b"], metric="accuracy", n_resamples=9
        )
        assert max(map(len, repr(found).split("\n"))) <= 80

    def test_frame_and_html(self):
        found = compare_segments(*samples(200), random_state=0)
        frame = found.to_frame()
        assert list(frame.name) == [0, 1, 2, 3, "overall"]
        shown = found._repr_html_()
        assert found.summary().split(".")[0] in shown
        heads, rows = found.rows()
        assert len(heads) == 6
        assert [row[0] for row in rows] == ["0", "1", "2", "3", "overall"]
