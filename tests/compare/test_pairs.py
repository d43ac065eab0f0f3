"""confusion_pairs: expected counts, p-values and the pairs that are found."""

import dataclasses
import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import poisson

from sklearn_entropy_metrics import (
    EntropyBalance,
    TableAccumulator,
    confusion_pairs,
    contingency_table,
    datasets,
    tabulate_frame,
)

HEARD = datasets.load_miller_nicely()
MATRICES = dict(zip(HEARD.names, HEARD.matrices, strict=True))


def heard(name, **options):
    return confusion_pairs(table=MATRICES[name], labels=HEARD.labels, **options)


def scattered(rng, n_classes, n_samples, accuracy):
    """Errors that depend on the true class by how often it is wrong, and no further."""
    popular = rng.random(n_classes) + 0.2
    skill = np.clip(accuracy + 0.1 * rng.standard_normal(n_classes), 0, 1)
    y_true = rng.integers(0, n_classes, n_samples)
    wrong = popular * (1 - np.eye(n_classes))
    wrong = (wrong / wrong.sum(axis=1, keepdims=True)).cumsum(axis=1)
    other = (rng.random((n_samples, 1)) > wrong[y_true]).sum(axis=1)
    other = np.minimum(other, n_classes - 1)
    return y_true, np.where(rng.random(n_samples) < skill[y_true], y_true, other)


class TestMillerNicely:
    def test_in_little_noise(self):
        found = heard("0 dB")
        assert len(found.pairs) == 29
        assert json.dumps(found.n_cells) == "240"  # a Python number
        first = {(pair.true, pair.pred) for pair in found.pairs[:6]}
        assert first == {
            ("theta", "f"),
            ("p", "k"),
            ("k", "p"),
            ("g", "d"),
            ("d", "g"),
            ("eth", "v"),
        }

    def test_in_much_noise(self):
        (pair,) = heard("-18 dB").pairs
        assert (pair.true, pair.pred, pair.count) == ("n", "m", 33)

    def test_expected_counts_have_the_margins_of_the_errors(self):
        table = MATRICES["0 dB"] + 1
        expected = np.zeros(table.shape)
        for pair in confusion_pairs(table=table, alpha=1).pairs:
            expected[pair.true, pair.pred] = pair.expected
        errors = table - np.diag(table.diagonal())
        for axis in (0, 1):  # but for the half sample that is added
            assert np.allclose(expected.sum(axis), errors.sum(axis), rtol=5e-3)
        odds = expected[0, 1] * expected[2, 3] / expected[0, 3] / expected[2, 1]
        assert odds == pytest.approx(1, rel=1e-12)  # a product off the diagonal


class TestRecords:
    def test_fields(self):
        for pair in heard("-6 dB").pairs:
            assert pair.ratio == pytest.approx(pair.count / pair.expected)
            tail = poisson.sf(pair.count - 1, pair.expected)
            assert pair.p_value == pytest.approx(tail, rel=1e-9)
            row = MATRICES["-6 dB"][HEARD.labels.index(pair.true)]
            assert pair.share == pytest.approx(pair.count / row.sum())
            assert pair.adjusted_p_value <= 0.05

    def test_the_most_surprising_is_first(self):
        p_values = [pair.p_value for pair in heard("0 dB", alpha=1).pairs]
        assert p_values == sorted(p_values)

    def test_alpha_one_gives_every_error(self):
        errors = MATRICES["0 dB"] - np.diag(MATRICES["0 dB"].diagonal())
        every = heard("0 dB", alpha=1).pairs
        assert len(every) == np.count_nonzero(errors)
        assert sum(pair.count for pair in every) == errors.sum()

    def test_adjusted_by_benjamini_and_hochberg(self):
        found = heard("0 dB", alpha=1)
        p_values = np.array([pair.p_value for pair in found.pairs])
        adjusted = [
            min(1, *(p * 240 / rank for rank, p in enumerate(p_values, 1) if rank > i))
            for i in range(len(p_values))
        ]
        ours = [pair.adjusted_p_value for pair in found.pairs]
        assert ours == pytest.approx(adjusted, rel=1e-12)
        assert heard("0 dB").pairs == found.pairs[:29]

    @pytest.mark.parametrize("alpha", [0.05, 0.5, 0.97])
    def test_alpha_leaves_out_what_is_adjusted_to_more(self, alpha):
        cells = [[2, 2, 1, 0], [1, 2, 3, 1], [1, 1, 2, 1], [1, 0, 2, 2]]
        folds = {"tables": [cells], "labels": range(4), "n_tested": 2}
        for table in (cells, folds):  # which count as fewer samples
            every = confusion_pairs(table=table, alpha=1).pairs
            expected = [pair for pair in every if pair.adjusted_p_value <= alpha]
            assert confusion_pairs(table=table, alpha=alpha).pairs == expected

    def test_counts_so_large_that_p_vanishes(self):
        found = confusion_pairs(table=MATRICES["0 dB"] * 1000)
        assert found.pairs[0].p_value == 0
        assert found.pairs[0].true == HEARD.labels.index("theta")

    def test_where_p_vanishes_the_likelihood_ratio_decides(self):
        table = 10 * np.random.default_rng(0).integers(0, 10, (4, 4)) ** 4
        found = confusion_pairs(table=table, alpha=1).pairs
        least = [pair for pair in found if pair.p_value == 0]
        assert len(least) >= 2
        count, expected = np.array([(pair.count, pair.expected) for pair in least]).T
        surprise = count * np.log(count / expected) - count + expected
        assert (np.diff(surprise) < 0).all()

    def test_frame(self):
        frame = heard("0 dB").to_frame()
        assert frame.shape == (29, 8)
        assert frame.iloc[0].to_dict() == dataclasses.asdict(heard("0 dB").pairs[0])
        assert list(confusion_pairs([0, 1], [0, 1]).to_frame()) == list(frame)


class TestText:
    def test_words(self):
        text = repr(heard("0 dB"))
        assert text.splitlines()[:2] == [
            "29 of 240 possible confusions with adjusted p ≤ 0.05",
            "85 of 232 'theta' were called 'f' (12 expected)",
        ]
        assert text.endswith("… and 19 more, in `pairs` and `to_frame()`")

    @pytest.mark.parametrize(("n_pairs", "end"), [(10, ""), (11, "… and 1 more, ")])
    def test_ten_pairs_are_shown(self, n_pairs, end):
        table = np.diag([9] * 4)
        table[~np.eye(4, dtype=bool)] = np.arange(12) < n_pairs
        lines = repr(confusion_pairs(table=table, alpha=1)).splitlines()
        assert len(lines) == n_pairs + 1
        assert lines[-1].startswith(end)

    def test_numbers_are_called_classes(self):
        found = confusion_pairs([1, 1, 2, 3], [1, 2, 2, 3], alpha=1)
        (pair,) = found.pairs
        assert str(pair) == "1 of 2 class 1 was called class 2 (0.8 expected)"
        assert repr(found).startswith("1 of 6 possible confusions\n")

    def test_effective_numbers_have_two_decimals(self):
        table = np.array([[20, 7, 1], [2, 20, 3], [1, 1, 20]]) / 3
        found = confusion_pairs(table=table, alpha=1)
        assert (
            str(found.pairs[0]) == "2.33 of 9 class 0 were called class 1 (2 expected)"
        )
        assert found.rows()[1][0][2] == "2.33"

    @given(st.text(max_size=200), st.integers(1, 10**12))
    def test_at_most_80_columns(self, name, count):
        table = [[10**12, count, 0], [0, 5, 0], [1, 1, 10]]
        found = confusion_pairs(
            table=table, labels=[name + "a", name + "b", "c"], alpha=1
        )
        lines = repr(found).split("\n")
        assert len(lines) == 4
        assert max(map(len, lines)) <= 80

    def test_html_is_escaped(self):
        labels = ["<b>", "&", "c"]
        shown = confusion_pairs(
            table=np.eye(3) + 1, labels=labels, alpha=1
        )._repr_html_()
        assert "&lt;b&gt;" in shown
        assert "<b>" not in shown


class TestTruth:
    @pytest.mark.parametrize(
        ("n_classes", "n_samples"),
        [(5, 500), (30, 2000), pytest.param(100, 20_000, marks=pytest.mark.slow)],
    )
    def test_few_false_pairs_if_there_are_none(self, n_classes, n_samples):
        wrong = 0
        for seed in range(100):
            rng = np.random.default_rng([n_classes, seed])
            wrong += bool(
                confusion_pairs(*scattered(rng, n_classes, n_samples, 0.7)).pairs
            )
        assert wrong <= 5

    def test_planted_pairs_are_found(self):
        rng = np.random.default_rng(0)
        y_true, y_pred = scattered(rng, 20, 4000, 0.8)
        for true, pred in ((3, 7), (7, 3), (11, 2)):
            some = np.flatnonzero(y_true == true)[:40]
            y_pred[some] = pred
        found = {
            (pair.true, pair.pred) for pair in confusion_pairs(y_true, y_pred).pairs
        }
        assert {(3, 7), (7, 3), (11, 2)} <= found
        assert len(found) <= 4

    def test_two_classes_cannot_be_compared(self):
        assert (
            confusion_pairs([0] * 50 + [1] * 50, [1] * 50 + [0] * 20 + [1] * 30).pairs
            == []
        )

    @given(st.integers(0, 2**32 - 1))
    def test_names_and_order_of_classes_do_not_matter(self, seed):
        rng = np.random.default_rng(seed)
        y_true, y_pred = scattered(rng, 6, 150, 0.5)
        names = rng.permutation(100)[:6]
        there = confusion_pairs(y_true, y_pred, alpha=1, labels=range(6))
        here = confusion_pairs(
            names[y_true], names[y_pred], alpha=1, labels=sorted(names)
        )
        ours = {(p.true, p.pred): p for p in here.pairs}
        assert len(ours) == len(there.pairs)
        for pair in there.pairs:
            same = ours[names[pair.true], names[pair.pred]]
            assert same.p_value == pytest.approx(pair.p_value, rel=1e-9)
            assert same.adjusted_p_value == pytest.approx(
                pair.adjusted_p_value, rel=1e-9
            )


class TestInput:
    def test_labels_and_tables_give_the_same(self):
        y_true, y_pred = scattered(np.random.default_rng(0), 4, 300, 0.5)
        table = contingency_table(y_true, y_pred)
        accumulator = TableAccumulator().update(y_true, y_pred)
        expected = confusion_pairs(y_true, y_pred, alpha=1).pairs
        for given_table in (
            table,
            contingency_table(y_true, y_pred, sparse=True),
            EntropyBalance.from_confusion_matrix(table),
            accumulator,
        ):
            assert confusion_pairs(table=given_table, alpha=1).pairs == expected

    def test_the_scale_of_weights_does_not_matter(self):
        y_true, y_pred = scattered(np.random.default_rng(0), 4, 300, 0.5)
        frame = pd.DataFrame({"y": y_true, "p": y_pred, "w": 0.1 + y_true})
        found = [
            confusion_pairs(table=tabulate_frame(some, "y", "p", weight="w"), alpha=1)
            for some in (frame, frame.assign(w=7 * frame.w))
        ]
        one, other = ([pair.p_value for pair in pairs.pairs] for pairs in found)
        assert one == pytest.approx(other, rel=1e-9)

    def test_whole_weights_count_as_effective_samples(self):
        y_true, y_pred = scattered(np.random.default_rng(0), 4, 300, 0.5)
        frame = pd.DataFrame({"y": y_true, "p": y_pred, "w": 2.0})
        result = tabulate_frame(frame, "y", "p", weight="w")
        found = confusion_pairs(table=result, alpha=1).pairs
        assert found == confusion_pairs(y_true, y_pred, alpha=1).pairs

    def test_a_reject_column_is_an_error_like_any_other(self):
        y_true = ["a"] * 30 + ["b"] * 30 + ["c"] * 30
        y_pred = (
            ["a"] * 20 + ["?"] * 10 + ["b"] * 20 + ["c"] * 10 + ["c"] * 20 + ["b"] * 10
        )
        found = confusion_pairs(
            y_true, y_pred, pred_labels=["a", "b", "c", "?"], alpha=1
        )
        assert {(p.true, p.pred) for p in found.pairs} == {
            ("a", "?"),
            ("b", "c"),
            ("c", "b"),
        }
        assert found.n_cells == 9

    def test_the_order_of_the_columns_means_nothing(self):
        y_true, y_pred = scattered(np.random.default_rng(0), 3, 200, 0.5)
        y_pred[::7] = 9
        one, other = (
            confusion_pairs(
                y_true, y_pred, labels=range(3), pred_labels=columns, alpha=1
            )
            for columns in ([0, 1, 2, 9], [9, 2, 0, 1])
        )
        ours, theirs = (
            {(pair.true, pair.pred): pair.p_value for pair in found.pairs}
            for found in (one, other)
        )
        assert theirs.keys() == {
            (i, j) for i in range(3) for j in (0, 1, 2, 9) if i != j
        }
        assert theirs == pytest.approx(ours, rel=1e-9)  # sums in another order

    def test_classes_that_do_not_occur_are_not_counted(self):
        found = confusion_pairs([0, 1, 2, 2], [0, 2, 2, 1], labels=range(9), alpha=1)
        assert found.n_cells == 6

    def test_many_classes(self):
        rng = np.random.default_rng(0)
        y_true = rng.integers(0, 30_000, 60_000)
        y_pred = np.where(
            rng.random(60_000) < 0.7, y_true, rng.integers(0, 30_000, 60_000)
        )
        y_true[:9], y_pred[:9] = 17, 23
        (pair, *_) = confusion_pairs(y_true, y_pred).pairs
        assert (pair.true, pair.pred) == (17, 23)

    def test_no_error_at_all(self):
        assert confusion_pairs([0, 1, 2], [0, 1, 2], alpha=1).pairs == []
        assert confusion_pairs([1, 1], [1, 1]).n_cells == 0

    @pytest.mark.parametrize("alpha", [0, -1, 1.5, math.nan, "0.05", None])
    def test_alpha(self, alpha):
        with pytest.raises(ValueError, match="`alpha` must be a number above 0"):
            confusion_pairs([0, 1], [0, 1], alpha=alpha)

    def test_probabilities_are_refused(self):
        with pytest.raises(ValueError, match="how many samples"):
            confusion_pairs(table=np.full((2, 2), 0.25))


class TestGroups:
    @staticmethod
    def errors_of_patients(n_patients):
        """Thirty times 1 for 0, by three patients of ten samples each or by many."""
        rng = np.random.default_rng(0)
        patient = np.repeat(np.arange(160), 10)
        y_true = rng.integers(0, 8, 160)[patient]
        guess = rng.integers(0, 8, 1600)
        y_pred = np.where(rng.random(1600) < 0.8, y_true, guess)
        wrong = np.flatnonzero(y_true == 0)
        if n_patients > 3:
            wrong = wrong[np.argsort(wrong % 10, kind="stable")]
        y_pred[wrong[:30]] = 1
        return y_true, y_pred, patient

    @pytest.mark.parametrize(("n_patients", "is_found"), [(3, False), (15, True)])
    def test_errors_of_few_groups_count_as_few(self, n_patients, is_found):
        y_true, y_pred, patient = self.errors_of_patients(n_patients)
        alone = confusion_pairs(y_true, y_pred)
        assert (0, 1) in {(pair.true, pair.pred) for pair in alone.pairs}
        together = confusion_pairs(y_true, y_pred, groups=patient)
        found = {(pair.true, pair.pred) for pair in together.pairs}
        assert ((0, 1) in found) == is_found

    def test_groups_of_one_change_nothing(self):
        y_true, y_pred = scattered(np.random.default_rng(0), 5, 300, 0.6)
        alone = confusion_pairs(y_true, y_pred, alpha=1)
        single = confusion_pairs(y_true, y_pred, groups=range(300), alpha=1)
        for one, other in zip(alone.pairs, single.pairs, strict=True):
            assert one.p_value == pytest.approx(other.p_value, rel=1e-9)

    def test_samples_three_times(self):
        y_true, y_pred = scattered(np.random.default_rng(0), 5, 300, 0.6)
        three = [np.repeat(y, 3) for y in (y_true, y_pred)]
        once = confusion_pairs(y_true, y_pred, alpha=1).pairs
        thrice = confusion_pairs(*three, groups=np.repeat(range(300), 3), alpha=1).pairs
        p_values = {(pair.true, pair.pred): pair.p_value for pair in thrice}
        for pair in once:
            here = p_values[pair.true, pair.pred]
            assert here == pytest.approx(pair.p_value, rel=0.05)

    def test_one_occupied_cell_varies_with_nothing(self):
        assert confusion_pairs([0] * 6, [0] * 6, groups=[0, 0, 1, 1, 2, 2]).pairs == []

    def test_a_table_has_no_groups(self):
        with pytest.raises(ValueError, match="`groups` needs `y_true`"):
            confusion_pairs(table=np.eye(3), groups=[0, 1, 2])
