"""Tables from batches: equal to those made at once, in any order and grouping."""

import copy
import pickle
import threading
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse as sp

from sklearn_entropy_metrics import (
    EntropyBalance,
    TableAccumulator,
    confidence_interval,
    contingency_table,
    independence_test,
    information_report,
    mean_absolute_probability_error,
    probabilistic_confusion_entropy_loss,
    probabilistic_confusion_matrix,
)

rng = np.random.default_rng(0)
NAMES = np.array(["ant", "bee", "cat", "dog", "emu"])


def cut(n_samples, n_batches, seed=0):
    """Slices of uneven lengths, some of them empty."""
    ends = np.sort(np.random.default_rng(seed).integers(0, n_samples, n_batches - 1))
    return [slice(a, b) for a, b in zip([0, *ends], [*ends, n_samples], strict=True)]


def accumulate(y_true, y_pred, batches, *, sample_weight=None, **labels):
    accumulator = TableAccumulator(**labels)
    for batch in batches:
        weight = None if sample_weight is None else sample_weight[batch]
        accumulator.update(y_true[batch], y_pred[batch], sample_weight=weight)
    return accumulator


def dense(table):
    return table.toarray() if sp.issparse(table) else table


KINDS = {
    "small integers": np.arange(5),
    "spread integers": np.array([-(2**62), -5, 0, 7, 2**62]),
    "beyond int64": np.array([1, 2, 2**63, 2**63 + 1, 2**64 - 1], dtype=np.uint64),
    "strings": NAMES,
    "objects": NAMES.astype(object),
    "floats": np.arange(5.0),
    "booleans": np.array([False, True]),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_batches_equal_one_shot(kind, weighted):
    values = KINDS[kind]
    y_true, y_pred = values[rng.integers(0, len(values), (2, 500))]
    weight = rng.random(500) if weighted else None
    got = accumulate(y_true, y_pred, cut(500, 20), sample_weight=weight)
    expected = contingency_table(y_true, y_pred, sample_weight=weight)
    assert got.table.dtype == expected.dtype
    if weighted:
        assert_allclose(got.table, expected, rtol=1e-12)
    else:
        assert_array_equal(got.table, expected)
    assert_array_equal(got.labels_, np.unique(values))
    assert got.labels_ is got.pred_labels_ or (got.labels_ == got.pred_labels_).all()
    balance = EntropyBalance.from_predictions(y_true, y_pred, sample_weight=weight)
    assert got.balance().mutual_information == pytest.approx(
        balance.mutual_information, abs=1e-12
    )


batches = st.lists(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=8),
    min_size=1,
    max_size=8,
).filter(any)


@given(batches, st.randoms(use_true_random=False))
def test_any_order_and_grouping_gives_the_same_counts(batches, random):
    def of(batch):
        return TableAccumulator().update(
            [true for true, _ in batch], [pred for _, pred in batch]
        )

    whole = of([pair for batch in batches for pair in batch])
    accumulators = [of(batch) for batch in batches]
    random.shuffle(accumulators)
    while len(accumulators) > 1:  # merge neighbours at random
        place = random.randrange(len(accumulators) - 1)
        accumulators[place].merge(accumulators.pop(place + 1))
    assert_array_equal(accumulators[0].table, whole.table)
    assert accumulators[0].table.dtype == np.int64
    assert_array_equal(accumulators[0].labels_, whole.labels_)


def test_reset_forgets_what_was_seen_and_keeps_what_was_given():
    free = TableAccumulator().update(["a", "b"], ["b", "b"])
    assert free.reset() is free
    assert repr(free) == "<TableAccumulator of 0 samples>"
    with pytest.raises(ValueError, match="no samples yet"):
        free.table  # noqa: B018
    assert_array_equal(free.update([7, 9], [7, 7]).labels_, [7, 9])  # of another kind
    assert_array_equal(free.table, [[1, 0], [1, 0]])
    free.reset().update_proba([0, 1], random_probabilities(2, 2))
    assert_array_equal(free.reset().update([5], [5]).labels_, [5])

    fixed = TableAccumulator(labels=["b", "a"], pred_labels=[3, 1])
    fixed.update(["a", "b"], [1, 3]).reset()
    for _ in range(2):  # before and after an update
        assert_array_equal(fixed.labels_, ["b", "a"])
        assert_array_equal(fixed.pred_labels_, [3, 1])
        fixed.update(["a"], [3])
    assert_array_equal(fixed.table, [[0, 0], [2, 0]])
    assert_array_equal(TableAccumulator(labels=[2, 1]).pred_labels_, [2, 1])


def test_a_reset_leaves_alone_what_was_merged_or_copied():
    first = TableAccumulator().update([0, 1], [0, 1])
    second = TableAccumulator().merge(first)
    twin = copy.copy(first)
    first.reset().update([5], [5])
    assert_array_equal(second.table, np.eye(2))
    assert_array_equal(twin.table, np.eye(2))


@pytest.mark.parametrize("n_classes", [3, 500])  # dense and sparse
@pytest.mark.parametrize("kind", [np.asarray, lambda y: y.astype(str)])
def test_labels_are_not_shared_with_the_outside(n_classes, kind):
    labels, columns = kind(np.arange(n_classes)), kind(np.arange(n_classes)[::-1])
    before = labels.copy(), columns.copy()
    accumulator = TableAccumulator(labels=labels, pred_labels=columns)
    accumulator.update(labels, labels)
    table = dense(accumulator.table)
    labels[:] = labels[0]
    columns[:] = columns[0]
    for name in ("labels_", "pred_labels_"):
        getattr(accumulator, name)[:] = labels[0]
    with pytest.raises(ValueError, match="read-only"):
        accumulator.labels[0] = labels[0]
    assert_array_equal(accumulator.labels_, before[0])
    assert_array_equal(accumulator.pred_labels_, before[1])
    accumulator.update(before[0], before[0])
    assert_array_equal(dense(accumulator.table), 2 * table)


def test_a_list_of_labels_may_change_later():
    labels = [0, 1]
    accumulator = TableAccumulator(labels=labels)
    labels.append(2)
    assert accumulator.update([0, 1], [1, 1]).table.shape == (2, 2)
    seen = TableAccumulator().update([0, 1], [0, 1])
    seen.labels_[:] = 7
    seen.pred_labels_[:] = 7
    assert_array_equal(seen.update([0], [0]).labels_, [0, 1])
    soft = TableAccumulator().update_proba([0, 1], random_probabilities(2, 2))
    soft.table[:] = 0
    soft.labels_[:] = 7
    assert soft.table.sum() == pytest.approx(2)
    assert_array_equal(soft.labels_, [0, 1])


def test_an_accumulator_owns_what_it_adds_up():
    y_true, y_pred, weight = np.array([0, 1, 1]), np.array([1, 1, 0]), np.ones(3)
    y_proba = random_probabilities(3, 2)
    hard = TableAccumulator().update(y_true, y_pred, sample_weight=weight)
    soft = TableAccumulator().update_proba(y_true, y_proba, sample_weight=weight)
    before = hard.table, soft.table
    y_true[:], y_pred[:], weight[:], y_proba[:] = 9, 9, 9, 9
    assert_array_equal(hard.table, before[0])
    assert_array_equal(soft.table, before[1])


def test_merging_is_in_place_and_leaves_the_other_alone():
    first = TableAccumulator().update([0, 1], [0, 1])
    second = TableAccumulator().update([2], [0])
    before = second.table.copy()
    assert first.merge(second) is first
    assert_array_equal(second.table, before)
    assert_array_equal(first.table, [[1, 0, 0], [0, 1, 0], [1, 0, 0]])
    assert_array_equal(first.merge(first).table, [[2, 0, 0], [0, 2, 0], [2, 0, 0]])
    assert_array_equal(first.merge(TableAccumulator()).table.sum(), 6)


def test_weights_are_associative_to_the_last_digits():
    y_true, y_pred = rng.integers(0, 4, (2, 3000))
    weight = rng.lognormal(sigma=3, size=3000)
    parts = [
        TableAccumulator().update(y_true[c], y_pred[c], sample_weight=weight[c])
        for c in cut(3000, 30)
        if c.stop > c.start
    ]
    left = reduce(lambda a, b: a.merge(b), copy.deepcopy(parts)).table
    right = reduce(lambda a, b: a.merge(b), copy.deepcopy(parts[::-1])).table
    assert_allclose(left, right, rtol=1e-12)
    assert_allclose(
        left, contingency_table(y_true, y_pred, sample_weight=weight), rtol=1e-12
    )


def test_fixed_labels_keep_their_order():
    y_true, y_pred = NAMES[rng.integers(0, 4, (2, 200))]
    order = NAMES[::-1]
    got = accumulate(y_true, y_pred, cut(200, 9), labels=order)
    assert_array_equal(got.table, contingency_table(y_true, y_pred, labels=order))
    assert_array_equal(got.labels_, order)


def test_predictions_with_classes_of_their_own():
    y_true = NAMES[rng.integers(0, 3, 100)]
    y_pred = np.where(rng.random(100) < 0.2, "?", NAMES[rng.integers(0, 3, 100)])
    given = {"pred_labels": ["?", *NAMES[:3]]}
    got = accumulate(y_true, y_pred, cut(100, 7), **given)
    assert_array_equal(got.table, contingency_table(y_true, y_pred, **given))
    assert_array_equal(got.labels_, NAMES[:3])
    assert_array_equal(got.pred_labels_, given["pred_labels"])


@pytest.mark.parametrize("weighted", [False, True])
def test_very_many_classes_stay_sparse(weighted):
    y_true = rng.integers(0, 10**6, 20_000)
    y_pred = np.where(rng.random(20_000) < 0.5, y_true, y_true[::-1])
    weight = rng.random(20_000) if weighted else None
    expected = contingency_table(y_true, y_pred, sample_weight=weight, sparse="auto")
    got = accumulate(y_true, y_pred, cut(20_000, 40), sample_weight=weight).table
    assert isinstance(got, sp.csr_array)
    assert got.shape == expected.shape
    assert abs(got - expected).max() <= (1e-12 if weighted else 0)
    assert got.dtype == expected.dtype


def test_a_sparse_stream_is_not_moved_with_every_batch():
    accumulator = TableAccumulator()
    for start in range(0, 64_000, 1000):
        ids = np.arange(start, start + 1000) * 1000
        accumulator.update(ids, ids)
    sizes = [part.table.size for part in accumulator._parts]
    assert len(sizes) <= 7
    assert all(a > 2 * b for a, b in pairwise(sizes))
    assert accumulator.table.sum() == 64_000


def test_weighted_and_unweighted_batches_add_up():
    got = TableAccumulator().update([0, 1], [0, 1])
    got.update([1], [0], sample_weight=[0.5])
    assert got.table.dtype == np.float64
    assert_array_equal(got.table, [[1, 0], [0.5, 1]])


def test_batches_that_hold_nothing_change_nothing():
    got = TableAccumulator().update([0, 1], [1, 1])
    table = got.table.copy()
    got.update([], []).update([5, 6], [6, 5], sample_weight=[0, 0])
    got.update(np.array([], dtype="U1"), [], sample_weight=[])
    assert_array_equal(got.table, table)
    assert_array_equal(got.labels_, [0, 1])


def test_before_the_first_batch():
    accumulator = TableAccumulator()
    for read in ("table", "labels_", "pred_labels_"):
        with pytest.raises(ValueError, match="no samples yet"):
            getattr(accumulator, read)
    with pytest.raises(ValueError, match="no samples yet"):
        accumulator.balance()
    assert repr(accumulator) == "<TableAccumulator of 0 samples>"
    assert repr(accumulator.update([0], [1])) == "<TableAccumulator of 1 samples>"


def random_probabilities(n_samples, n_classes):
    return rng.dirichlet(np.ones(n_classes), n_samples)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fixed", [False, True])
def test_probabilities_equal_one_shot(weighted, fixed):
    # Sorted, so that single batches lack classes: their columns are known in the end.
    y_true = np.sort(NAMES[rng.integers(0, 5, 400)])
    y_proba = random_probabilities(400, 5)
    weight = rng.random(400) if weighted else None
    labels = NAMES[::-1] if fixed else None
    accumulator = TableAccumulator(labels=labels)
    for batch in cut(400, 12):
        accumulator.update_proba(
            y_true[batch],
            y_proba[batch],
            sample_weight=None if weight is None else weight[batch],
        )
    given = {"labels": labels, "sample_weight": weight}
    expected = probabilistic_confusion_matrix(y_true, y_proba, **given)
    assert_allclose(accumulator.table, expected, rtol=1e-12)
    assert_array_equal(accumulator.labels_, NAMES if labels is None else labels)
    balance = EntropyBalance.from_probabilities(y_true, y_proba, **given)
    assert accumulator.balance().joint_fractions == pytest.approx(
        balance.joint_fractions, abs=1e-12
    )


def test_probabilities_of_the_second_of_two_classes():
    y_true, positive = rng.integers(0, 2, 50), rng.random(50)
    first = TableAccumulator().update_proba(y_true[:20], positive[:20])
    second = TableAccumulator().update_proba(y_true[20:], positive[20:])
    expected = probabilistic_confusion_matrix(y_true, positive)
    assert_allclose(first.merge(second).table, expected, rtol=1e-12)
    assert_allclose(second.merge(TableAccumulator()).table.sum(), 30)


def test_probabilities_that_do_not_sum_to_one_are_told():
    accumulator = TableAccumulator()
    with pytest.warns(UserWarning, match="sum to one") as caught:
        accumulator.update_proba([0, 1], [[0.5, 0.1], [0.2, 0.2]])
    assert caught[0].filename == __file__


def test_classes_that_are_missing_in_the_end_are_told():
    accumulator = TableAccumulator().update_proba([0, 1], random_probabilities(2, 3))
    with pytest.raises(ValueError, match=r"labels=.*3 columns, but there are 2"):
        accumulator.balance()
    accumulator.update_proba([2], random_probabilities(1, 3))
    assert accumulator.table.shape == (3, 3)


BAD = {
    "missing value": (("update", ["a", None], ["a", "b"]), "missing"),
    "lengths": (("update", ["a", "b"], ["a"]), "inconsistent"),
    "another kind": (("update", [1, 2], [2, 1]), "one kind"),
    "weights": (("update", ["a"], ["b"], [-1.0]), "non-negative"),
    "probabilities": (
        ("update_proba", ["a"], [[0.5, 0.5]]),
        "Labels and probabilities",
    ),
}


@pytest.mark.parametrize("bad", BAD)
def test_an_update_that_fails_leaves_the_accumulator_as_it_was(bad):
    (method, y_true, y_pred, *weight), message = BAD[bad]
    accumulator = TableAccumulator().update(["a", "b", "b"], ["b", "b", "c"])
    before = pickle.dumps(accumulator)
    with pytest.raises(ValueError, match=message):
        getattr(accumulator, method)(
            y_true, y_pred, sample_weight=(weight or [None])[0]
        )
    assert pickle.dumps(accumulator) == before


def test_a_kind_of_label_is_refused_at_once_in_a_large_sparse_table():
    ids = np.arange(20_000) * 10**6
    accumulator = TableAccumulator().update(ids, ids)
    with pytest.raises(ValueError, match="numbers in earlier samples and strings in"):
        accumulator.update(["a"], ["b"])
    assert accumulator.table.sum() == 20_000


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        (([0, 1], [[0.5, 0.5, 0.0]] * 2), "same number of columns"),
        (([2], [[0.5, 0.5]]), "2 columns, but there are 3 classes"),
        ((["a"], [[0.5, 0.5]]), "one kind"),
        (([0], [[0.5, 1.5]]), "between 0 and 1"),
    ],
)
def test_bad_probabilities_leave_the_accumulator_as_it_was(batch, message):
    accumulator = TableAccumulator().update_proba([0, 1], random_probabilities(2, 2))
    before = pickle.dumps(accumulator)
    with pytest.raises(ValueError, match=message):
        accumulator.update_proba(*batch)
    with pytest.raises(ValueError, match="Labels and probabilities"):
        accumulator.update([0], [1])
    assert pickle.dumps(accumulator) == before


def test_fixed_labels_are_checked():
    with pytest.raises(ValueError, match="repeat"):
        TableAccumulator(labels=[1, 1])
    with pytest.raises(ValueError, match="empty"):
        TableAccumulator(pred_labels=[])
    accumulator = TableAccumulator(labels=[0, 1])
    with pytest.raises(ValueError, match=r"labels must contain every value .* 2"):
        accumulator.update([0, 2], [0, 1])
    with pytest.raises(ValueError, match="3 columns, but there are 2"):
        accumulator.update_proba([0, 1], random_probabilities(2, 3))
    with pytest.raises(ValueError, match="no samples yet"):
        accumulator.balance()
    with pytest.raises(ValueError, match="pred_labels must be None"):
        TableAccumulator(pred_labels=[0, 1]).update_proba([0], [[1.0, 0.0]])


def test_accumulators_that_cannot_be_merged():
    labels = TableAccumulator().update([0, 1], [0, 1])
    proba = TableAccumulator().update_proba([0, 1], random_probabilities(2, 2))
    for one, other in [(labels, proba), (proba, labels)]:
        with pytest.raises(ValueError, match="Labels and probabilities"):
            one.merge(other)
    with pytest.raises(ValueError, match=r"to be merged. Got None and \[0 1\]"):
        labels.merge(TableAccumulator(labels=[0, 1]))
    with pytest.raises(ValueError, match="same pred_labels"):
        labels.merge(TableAccumulator(pred_labels=[0, 1]))
    with pytest.raises(TypeError, match="TableAccumulator"):
        labels.merge(labels.table)
    with pytest.raises(ValueError, match="one kind"):
        labels.merge(TableAccumulator().update(["a"], ["b"]))
    assert_array_equal(labels.table, np.eye(2))


LARGE = 2**63 + 1  # as a float it is 2**63


@pytest.mark.parametrize("kind", [list, lambda y: np.array(y, dtype=np.uint64)])
def test_labels_that_floats_take_for_one_are_not_the_same(kind):
    for name in ("labels", "pred_labels"):
        one = TableAccumulator(**{name: kind([LARGE, 5])})
        other = TableAccumulator(**{name: kind([LARGE + 1, 5])})
        with pytest.raises(
            ValueError, match=f"same {name} to be merged. Got .{LARGE} +5. and .*10 +5"
        ):
            one.merge(other)
        same = TableAccumulator(**{name: [LARGE, 5]}).update([5, 5], [5, LARGE])
        assert one.merge(same).table.sum() == 2
    with pytest.raises(ValueError, match="same labels"):
        TableAccumulator(labels=np.array([2**53], dtype=np.int64)).merge(
            TableAccumulator(labels=np.array([2**53 + 1], dtype=np.uint64))
        )


@pytest.mark.parametrize("low", [2**53, 2**63 - 1])
def test_seen_labels_that_floats_take_for_one(low):
    one = TableAccumulator().update(*[np.array([low], dtype=np.int64)] * 2)
    other = TableAccumulator().update(*[np.array([low + 1], dtype=np.uint64)] * 2)
    one.merge(other)
    assert one.labels_.tolist() == [low, low + 1]
    assert_array_equal(one.table, np.eye(2))


def test_strings_against_numbers_of_clusters():
    y_true, y_pred = NAMES[rng.integers(0, 5, 100)], rng.integers(0, 7, 100)
    given = {"pred_labels": np.arange(7)}
    got = accumulate(y_true, y_pred, cut(100, 6), **given)
    assert_array_equal(got.table, contingency_table(y_true, y_pred, **given))
    assert_array_equal(got.labels_, NAMES)
    assert_array_equal(got.pred_labels_, np.arange(7))
    with pytest.raises(ValueError, match=r"strings in y_true and .*pred_labels"):
        TableAccumulator().update(y_true, y_pred)


def test_wrong_batches_that_weigh_nothing_are_refused():
    accumulator = TableAccumulator()
    for bad in (
        lambda: accumulator.update([None], [0], sample_weight=[0]),
        lambda: accumulator.update([0], [0], sample_weight=["", ""][:1]),
        lambda: accumulator.update([0], [0], sample_weight=np.ma.array([0], mask=[1])),
        lambda: accumulator.update_proba([0.5], [[1, 0]], sample_weight=[0]),
        lambda: accumulator.update([], None),
    ):
        with pytest.raises(ValueError, match=r"must|masked"):
            bad()


def test_pickling_and_copying():
    accumulator = TableAccumulator(labels=[1, 0]).update([0, 1, 1], [1, 1, 0])
    for twin in (pickle.loads(pickle.dumps(accumulator)), copy.deepcopy(accumulator)):
        twin.update([0], [0])
        assert_array_equal(twin.table, [[1, 1], [1, 1]])
    assert_array_equal(accumulator.table, [[1, 1], [1, 0]])


def test_an_interrupt_loses_nothing_already_added(monkeypatch):
    accumulator = TableAccumulator().update([0, 1], [0, 1])

    def interrupted(parts):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(
            "sklearn_entropy_metrics.table.accumulate.merge_tables", interrupted
        )
        with pytest.raises(KeyboardInterrupt):
            accumulator.update([1], [0])
    assert_array_equal(accumulator.table, np.eye(2))
    assert_array_equal(accumulator.update([1], [0]).table, [[1, 0], [1, 1]])


@pytest.mark.parametrize("n_classes", [3, 10**6])  # dense and sparse
def test_changes_of_the_table_stay_outside(n_classes):
    y_true, y_pred = rng.integers(0, n_classes, (2, 1000))
    accumulator = TableAccumulator().update(y_true, y_pred)
    table = accumulator.table
    table *= 0
    assert accumulator.table.sum() == 1000
    assert accumulator.update([0], [0]).table.sum() == 1001


def test_an_accumulator_for_each_thread():
    y_true, y_pred = rng.integers(0, 5, (2, 4000))
    accumulators = [TableAccumulator() for _ in range(4)]

    def work(number):
        for start in range(number * 1000, (number + 1) * 1000, 50):
            part = slice(start, start + 50)
            accumulators[number].update(y_true[part], y_pred[part])

    threads = [threading.Thread(target=work, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    merged = reduce(lambda a, b: a.merge(b), accumulators)
    assert_array_equal(merged.table, contingency_table(y_true, y_pred))


class TestEffectiveSize:
    """Weights of all batches count as so many samples of equal weight."""

    RNG = np.random.default_rng(2)
    TRUE = RNG.integers(0, 3, 90)
    PRED = np.where(RNG.random(90) < 0.7, TRUE, RNG.integers(0, 3, 90))
    WEIGHT = RNG.exponential(size=90)
    PARTS = (slice(0, 20), slice(20, 33), slice(33, 90))

    @pytest.mark.parametrize("scale", [1e-200, 1, 1e200])
    def test_of_batches_and_of_merged_ones(self, scale):
        weight = scale * self.WEIGHT
        expected = self.WEIGHT.sum() ** 2 / (self.WEIGHT**2).sum()
        whole, merged, proba = (TableAccumulator() for _ in range(3))
        for part in self.PARTS:
            given = {"sample_weight": weight[part]}
            whole.update(self.TRUE[part], self.PRED[part], **given)
            merged.merge(
                TableAccumulator().update(self.TRUE[part], self.PRED[part], **given)
            )
            proba.update_proba(self.TRUE[part], np.eye(3)[self.PRED[part]], **given)
        for accumulator in (whole, merged, proba):
            size = accumulator._class_table().n_samples
            assert size == pytest.approx(expected, rel=1e-12)
        whole.update([0, 1], [0, 1], sample_weight=[0, 0])
        assert whole._class_table().n_samples == pytest.approx(expected, rel=1e-12)

    def test_without_weights(self):
        accumulator = TableAccumulator().update([0, 1, 1], [0, 1, 0])
        assert accumulator._class_table().n_samples == 3
        accumulator.update([0], [1])
        assert accumulator._class_table().n_samples == 4
        accumulator.update([0], [1], sample_weight=[2])
        assert accumulator._class_table().n_samples == pytest.approx(36 / 8)

    def test_intervals_and_reports_know_it(self):
        weight = 1e-6 * self.WEIGHT
        accumulator = TableAccumulator()
        for part in self.PARTS:
            accumulator.update(
                self.TRUE[part], self.PRED[part], sample_weight=weight[part]
            )
        expected = confidence_interval(self.TRUE, self.PRED, sample_weight=weight)
        got = confidence_interval(table=accumulator)
        np.testing.assert_allclose(got, expected, rtol=1e-6)
        report = information_report(table=accumulator, output_dict=True)
        expected = information_report(
            self.TRUE, self.PRED, sample_weight=weight, output_dict=True
        )
        for name, interval in expected["intervals"].items():
            for key, value in interval.items():
                assert report["intervals"][name][key] == pytest.approx(value, rel=1e-6)


class TestProbabilitiesOfAStream:
    """What a report of probabilities needs besides their table."""

    RNG = np.random.default_rng(5)
    TRUE = NAMES[RNG.integers(0, len(NAMES), 120)]
    PROBA = RNG.dirichlet(np.ones(len(NAMES)), 120)
    WEIGHT = RNG.exponential(size=120)

    def accumulated(self, proba, weight):
        accumulator = TableAccumulator()
        for part in cut(120, 5):
            some = None if weight is None else weight[part]
            accumulator.update_proba(self.TRUE[part], proba[part], sample_weight=some)
        return accumulator

    @pytest.mark.parametrize("weight", [None, WEIGHT])
    @pytest.mark.filterwarnings("ignore:The rows of y_proba")
    def test_class_weights_are_those_of_the_samples(self, weight):
        accumulator = self.accumulated(self.PROBA / 2, weight)
        ones = np.ones(120) if weight is None else weight
        expected = [ones[name == self.TRUE].sum() for name in NAMES]
        assert_allclose(accumulator._class_table().support, expected, rtol=1e-12)
        assert_allclose(accumulator.table.sum(axis=1), np.divide(expected, 2))

    @pytest.mark.filterwarnings("ignore:The rows of y_proba")
    def test_the_effective_size_is_that_of_the_weights(self):
        proba = self.PROBA * np.linspace(0.1, 1, 120)[:, None]
        size = self.accumulated(proba, self.WEIGHT)._class_table().n_samples
        expected = self.WEIGHT.sum() ** 2 / (self.WEIGHT**2).sum()
        assert size == pytest.approx(expected, rel=1e-12)

    def test_class_weights_of_labels(self):
        accumulator = TableAccumulator().update(["b", "a", "b"], ["a", "a", "b"])
        assert accumulator._class_table().support.tolist() == [1, 2]
        accumulator.update(["a"], ["c"], sample_weight=[0.5])
        assert accumulator._class_table().support.tolist() == [1.5, 2, 0]
        ids = np.arange(20_000)
        assert (TableAccumulator().update(ids, ids)._class_table().support == 1).all()

    @pytest.mark.parametrize("weight", [None, WEIGHT])
    @pytest.mark.filterwarnings("ignore:The rows of y_proba")
    def test_the_report_has_their_measures(self, weight):
        accumulator = self.accumulated(self.PROBA / 2, weight)
        report = information_report(table=accumulator, output_dict=True)
        given = self.TRUE, self.PROBA / 2
        entropies = report["confusion_entropy"]
        for relative, name in [(False, ""), (True, "relative_")]:
            expected = probabilistic_confusion_entropy_loss(
                *given, relative=relative, sample_weight=weight
            )
            got = entropies[f"{name}probabilistic_confusion_entropy"]
            assert got == pytest.approx(expected, rel=1e-12)
        expected = mean_absolute_probability_error(*given, sample_weight=weight)
        got = entropies["mean_absolute_probability_error"]
        assert got == pytest.approx(expected, rel=1e-12)
        support = [row["support"] for row in report["classes"].values()]
        assert support == accumulator._class_table().support.tolist()
        assert report["task"]["n_samples"] == pytest.approx(sum(support))

    def test_no_intervals(self):
        accumulator = self.accumulated(self.PROBA, None)
        report = information_report(table=accumulator, output_dict=True)
        assert report["intervals"] == {}
        assert any("No intervals: the table holds prob" in s for s in report["notes"])
        for function in (confidence_interval, independence_test):
            with pytest.raises(ValueError, match="Probabilities do not say"):
                function(table=accumulator)


@pytest.mark.parametrize("weight", [None, np.arange(1, 91) % 4])
def test_a_stream_has_the_report_and_the_tests_of_its_samples(weight):
    rng = np.random.default_rng(3)
    true = NAMES[rng.integers(0, 3, 90)]
    pred = np.where(rng.random(90) < 0.7, true, NAMES[rng.integers(0, 3, 90)])
    stream = accumulate(true, pred, cut(90, 7), sample_weight=weight)
    expected = information_report(true, pred, sample_weight=weight, output_dict=True)
    report = information_report(table=stream, output_dict=True)
    for name, interval in expected.pop("intervals").items():
        assert report["intervals"][name] == pytest.approx(interval, rel=1e-13)
    assert report.items() >= expected.items()
    if weight is None:
        test = independence_test(true, pred, n_resamples=99, random_state=0)
        got = independence_test(table=stream, n_resamples=99, random_state=0)
        assert got == test
        interval = confidence_interval(true, pred)
        assert confidence_interval(table=stream) == interval
