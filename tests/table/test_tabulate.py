"""contingency_table: every kind of input, and every wrong one."""

import datetime
import enum
import re
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse as sp
from sklearn.metrics import confusion_matrix

from sklearn_entropy_metrics import EntropyBalance, contingency_table
from sklearn_entropy_metrics.table.classes import known_labels
from sklearn_entropy_metrics.table.tabulate import tabulate_labels

RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 4, 200)
PRED = np.where(RNG.random(200) < 0.6, TRUE, RNG.integers(0, 4, 200))
NAMES = np.array(["ant", "bee", "cat", "dodo"])
EXPECTED = confusion_matrix(TRUE, PRED)


class Colour(enum.IntEnum):
    RED = 0
    GREEN = 1


class OnlyArray:
    """Like a tensor: nothing but the array protocol."""

    def __init__(self, values):
        self._values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._values, dtype=dtype)

    def __len__(self):
        return len(self._values)


def as_categorical(values):
    return pd.Series(pd.Categorical(values, categories=[*reversed(NAMES), "unused"]))


NUMBERS = {
    "list": lambda y: y.tolist(),
    "tuple": lambda y: tuple(y.tolist()),
    "int8": lambda y: y.astype(np.int8),
    "uint8": lambda y: y.astype(np.uint8),
    "int32": lambda y: y.astype(np.int32),
    "uint64": lambda y: y.astype(np.uint64),
    "big-endian": lambda y: y.astype(">i4"),
    "float64": lambda y: y.astype(float),
    "float16": lambda y: y.astype(np.float16),
    "list of floats": lambda y: y.astype(float).tolist(),
    "object": lambda y: y.astype(object),
    "numpy scalars": list,
    "column": lambda y: y.reshape(-1, 1),
    "strided": lambda y: np.repeat(y, 3)[::3],
    "read-only": lambda y: np.frombuffer(y.tobytes(), y.dtype),
    "far from zero": lambda y: y - 2**62,
    "shifted uint64": lambda y: y.astype(np.uint64) + np.uint64(2**64 - 10),
    "pandas": pd.Series,
    "pandas index": pd.Index,
    "pandas, other index": lambda y: pd.Series(y, index=np.arange(len(y))[::-1]),
    "pandas frame": lambda y: pd.DataFrame({"y": y}),
    "pandas nullable": lambda y: pd.Series(y, dtype="Int64"),
    "pandas nullable float": lambda y: pd.Series(y, dtype="Float64"),
    "pandas arrow": lambda y: pd.Series(y, dtype="int64[pyarrow]"),
    "pandas categorical": lambda y: pd.Categorical(y),
    "polars": pl.Series,
    "array protocol": OnlyArray,
}

STRINGS = {
    "list": lambda y: y.tolist(),
    "numpy": lambda y: y,
    "wide": lambda y: y.astype("<U31"),
    "big-endian": lambda y: y.astype(">U7"),
    "not Latin": lambda y: np.char.add("あ", y),
    "astral": lambda y: np.char.add("🐜", y),
    "object": lambda y: y.astype(object),
    "StringDType": lambda y: y.astype(np.dtypes.StringDType()),
    "pandas": lambda y: pd.Series(y),
    "pandas object": lambda y: pd.Series(y, dtype=object),
    "pandas string": lambda y: pd.Series(y, dtype="string"),
    "pandas arrow": lambda y: pd.Series(y, dtype="string[pyarrow]"),
    "pandas categorical": as_categorical,
    "pandas categorical index": lambda y: pd.CategoricalIndex(as_categorical(y)),
    "polars": pl.Series,
    "polars categorical": lambda y: pl.Series(y).cast(pl.Categorical),
    "polars enum": lambda y: pl.Series(y).cast(pl.Enum(NAMES.tolist())),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_of_any_kind(kind):
    convert = NUMBERS[kind]
    np.testing.assert_array_equal(
        contingency_table(convert(TRUE), convert(PRED)), EXPECTED
    )


@pytest.mark.parametrize("kind", STRINGS)
def test_strings_of_any_kind(kind):
    convert = STRINGS[kind]
    table = contingency_table(convert(NAMES[TRUE]), convert(NAMES[PRED]))
    np.testing.assert_array_equal(table, EXPECTED)


@pytest.mark.parametrize("kind", sorted(STRINGS.keys() - {"not Latin", "astral"}))
def test_kinds_of_strings_can_be_mixed(kind):
    table = contingency_table(STRINGS[kind](NAMES[TRUE]), NAMES[PRED].tolist())
    np.testing.assert_array_equal(table, EXPECTED)


@pytest.mark.parametrize(
    "kind", sorted(NUMBERS.keys() - {"far from zero", "shifted uint64"})
)
def test_kinds_of_numbers_can_be_mixed(kind):
    table = contingency_table(TRUE.astype(np.int16), NUMBERS[kind](PRED))
    np.testing.assert_array_equal(table, EXPECTED)


def test_booleans_and_enumerations():
    expected = [[1, 1], [0, 2]]
    y_true, y_pred = [False, False, True, True], [False, True, True, True]
    for kind in (list, np.array, pd.Series, pl.Series):
        np.testing.assert_array_equal(
            contingency_table(kind(y_true), kind(y_pred)), expected
        )
    nullable = pd.Series(y_true, dtype="boolean")
    np.testing.assert_array_equal(contingency_table(nullable, y_pred), expected)
    colours = [Colour(value) for value in y_pred]
    np.testing.assert_array_equal(contingency_table(y_true, colours), expected)


def test_other_objects_that_sort():
    bins = pd.cut([0.1, 2.5, 1.5], [0, 1, 2, 3])
    for kind in (bins, list(bins)):
        np.testing.assert_array_equal(contingency_table(kind, kind), np.eye(3))


def test_the_order_of_an_ordered_categorical_is_not_used():
    size = pd.CategoricalDtype(["small", "large", "huge"], ordered=True)
    y = pd.Series(["small", "large", "small"], dtype=size)
    found = tabulate_labels(y, y)
    assert found.labels.tolist() == ["large", "small"]
    np.testing.assert_array_equal(found.table, [[1, 0], [0, 2]])
    enum = pl.Series(y.astype(str)).cast(pl.Enum(["small", "large"]))
    assert tabulate_labels(enum, enum).labels.tolist() == ["large", "small"]
    named = tabulate_labels(y, y, labels=["small", "large", "huge"])
    np.testing.assert_array_equal(named.table, np.diag([2, 1, 0]))


def test_names_of_columns_mean_nothing():
    for name in ("codes", "cat", "categories"):
        frame = pd.DataFrame({name: TRUE})
        np.testing.assert_array_equal(contingency_table(frame, PRED), EXPECTED)


def test_trailing_nul_is_part_of_a_python_string():
    y = ["a", "a\0", "a\0\0"]
    np.testing.assert_array_equal(contingency_table(y, y), np.eye(3))


def test_empty_strings():
    y = np.array(["", ""])
    np.testing.assert_array_equal(contingency_table(y, y), [[2]])
    y = np.array(["", "x"])
    np.testing.assert_array_equal(contingency_table(y, y), np.eye(2))


@given(
    st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=60),
    st.booleans(),
)
def test_any_strings_equal_a_dictionary(pairs, as_objects):
    y_true, y_pred = zip(*pairs, strict=True)
    if not as_objects and not any("\0" in text for pair in pairs for text in pair):
        table = contingency_table(np.array(y_true), np.array(y_pred))
    else:
        table = contingency_table(list(y_true), list(y_pred))
    labels = sorted({*y_true, *y_pred})
    expected = np.zeros((len(labels), len(labels)))
    for true, pred in pairs:
        expected[labels.index(true), labels.index(pred)] += 1
    np.testing.assert_array_equal(table, expected)


@given(
    st.lists(
        st.tuples(
            *[st.one_of(st.integers(-5, 5), st.integers(-(2**63), 2**63 - 1))] * 2
        ),
        min_size=1,
        max_size=40,
    ),
    st.sampled_from([False, True, "auto"]),
)
def test_any_integers_equal_a_dictionary(pairs, sparse):
    y_true, y_pred = np.array(pairs, dtype=np.int64).T
    table = contingency_table(y_true, y_pred, sparse=sparse)
    labels = sorted({label for pair in pairs for label in pair})
    expected = np.zeros((len(labels), len(labels)))
    for true, pred in pairs:
        expected[labels.index(true), labels.index(pred)] += 1
    np.testing.assert_array_equal(sp.csr_array(table).toarray(), expected)


@pytest.mark.parametrize("n_classes", [2, 50, 300, 2000])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.slow
def test_size_does_not_matter(n_classes, weighted):
    """Few, some and very many classes take different ways to the same table."""
    rng = np.random.default_rng(n_classes)
    y_true, y_pred = rng.integers(-3, n_classes - 3, (2, 5000))
    weight = rng.random(5000) if weighted else None
    expected = confusion_matrix(y_true, y_pred, sample_weight=weight)
    dense = contingency_table(y_true, y_pred, sample_weight=weight)
    sparse = contingency_table(y_true, y_pred, sample_weight=weight, sparse=True)
    auto = contingency_table(y_true, y_pred, sample_weight=weight, sparse="auto")
    assert dense.dtype == sparse.dtype == (np.float64 if weighted else np.int64)
    assert sp.issparse(sparse)
    assert sparse.has_canonical_format
    assert sp.issparse(auto) == (n_classes > 128)
    np.testing.assert_allclose(dense, expected, rtol=1e-12)
    np.testing.assert_allclose(sparse.toarray(), expected, rtol=1e-12)


def test_labels_order_and_add():
    table = contingency_table(["b", "a"], ["a", "a"], labels=["c", "b", "a"])
    np.testing.assert_array_equal(table, [[0, 0, 0], [0, 0, 1], [0, 0, 1]])


@pytest.mark.parametrize("n_clusters", [255, 256, 257])
def test_one_class_in_as_many_clusters_as_a_byte_numbers(n_clusters):
    clusters = np.arange(n_clusters)
    y_pred = np.tile(clusters, 100)
    table = contingency_table(np.zeros_like(y_pred), y_pred, pred_labels=clusters)
    np.testing.assert_array_equal(table, np.full((1, n_clusters), 100))


def test_pred_labels_make_it_rectangular():
    y_true, y_pred = [1, 2, 2], [1, -1, 2]
    np.testing.assert_array_equal(
        contingency_table(y_true, y_pred, pred_labels=[1, 2, -1]),
        [[1, 0, 0], [0, 1, 1]],
    )
    np.testing.assert_array_equal(
        contingency_table(y_true, y_pred, labels=[2, 1, 0], pred_labels=[-1, 1, 2]),
        [[1, 0, 1], [0, 1, 0], [0, 0, 0]],
    )


WORDS = np.array(["left", "right", "left", "up"])
CLUSTERS = [7, 7, 3, 5]
BY_CLUSTER = [[1, 0, 1], [0, 0, 1], [0, 1, 0]]  # left, right, up by 3, 5, 7


@pytest.mark.parametrize("sparse", [False, True, "auto"])
@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series])
def test_strings_against_numbers_of_clusters(kind, sparse):
    table = contingency_table(
        kind(WORDS), kind(CLUSTERS), pred_labels=[3, 5, 7], sparse=sparse
    )
    np.testing.assert_array_equal(sp.csr_array(table).toarray(), BY_CLUSTER)
    turned = contingency_table(
        kind(CLUSTERS), kind(WORDS), pred_labels=["left", "right", "up"], sparse=sparse
    )
    np.testing.assert_array_equal(sp.csr_array(turned).toarray().T, BY_CLUSTER)


def test_rows_and_columns_of_other_kinds_have_their_own_labels():
    found = tabulate_labels(
        WORDS, CLUSTERS, labels=WORDS[[3, 1, 0]], pred_labels=[5, 3, 7, 0]
    )
    assert found.labels.tolist() == ["up", "right", "left"]
    assert found.pred_labels.tolist() == [5, 3, 7, 0]
    np.testing.assert_array_equal(found.table[::-1, [1, 0, 2]], BY_CLUSTER)
    weighted = tabulate_labels(
        WORDS, CLUSTERS, pred_labels=[3, 5, 7], sample_weight=[1, 1, 1, 0]
    )
    assert weighted.labels.tolist() == ["left", "right"]
    np.testing.assert_array_equal(weighted.table, np.array(BY_CLUSTER)[:2])
    balance = EntropyBalance.from_predictions(WORDS, CLUSTERS, pred_labels=[3, 5, 7])
    np.testing.assert_array_equal(balance.table, BY_CLUSTER)


def test_many_rows_and_columns_of_other_kinds():
    ids = RNG.integers(0, 10**9, 5000)
    y_pred = ids.astype(str)
    columns = np.unique(y_pred)[::-1]
    found = tabulate_labels(ids, y_pred, pred_labels=columns)
    assert sp.issparse(found.table)
    rows, places = found.table.nonzero()
    np.testing.assert_array_equal(found.labels[rows].astype(str), columns[places])
    np.testing.assert_array_equal(found.labels, np.unique(ids))
    assert found.table.sum() == 5000


def test_labels_far_away_cost_no_memory():
    tracemalloc.start()
    table = contingency_table([0, 1], [1, 1], labels=[0, 1, 2**63, -(2**63)])
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()
    np.testing.assert_array_equal(table[:2, :2], [[0, 1], [0, 1]])
    assert table.sum() == 2


def test_extreme_integers_are_kept_apart():
    y = np.array([-(2**63), 2**63 - 1, 2**63 - 2])
    np.testing.assert_array_equal(contingency_table(y, y), np.eye(3))


def test_uint64_with_int64_are_kept_apart():
    """As floats, the two large ids would be one."""
    y_true = np.array([2**63 + 1, 2**63 + 2, 5], dtype=np.uint64)
    y_pred = np.array([-1, 5, 5], dtype=np.int64)
    table = contingency_table(y_true, y_pred)  # -1, 5, 2**63 + 1, 2**63 + 2
    expected = np.zeros((4, 4))
    expected[2, 0] = expected[3, 1] = expected[1, 1] = 1
    np.testing.assert_array_equal(table, expected)
    near = contingency_table(y_true[:2], np.array([2**63 - 1] * 2, dtype=np.int64))
    np.testing.assert_array_equal(near, [[0, 0, 0], [1, 0, 0], [1, 0, 0]])


def test_python_integers_of_any_size():
    y = [2**64, -1, 2**200]
    np.testing.assert_array_equal(contingency_table(y, y), np.eye(3))


@pytest.mark.parametrize("dtype", ["U", object, np.int64])
@pytest.mark.slow
def test_very_many_distinct_labels(dtype):
    n_labels = 200_000  # a dense table would have 298 GiB
    ids = RNG.permutation(np.arange(n_labels) * 7_919_000_003)
    y = ids.astype(dtype)
    table = contingency_table(y, np.roll(y, 1), sparse="auto")
    assert table.shape == (n_labels, n_labels)
    assert table.nnz == table.sum() == n_labels
    assert (np.diff(table.indptr) == 1).all()


@pytest.mark.parametrize(("n_classes", "is_sparse"), [(128, False), (129, True)])
@pytest.mark.parametrize("spread", [1, 10**9])
def test_auto_is_sparse_beyond_16384_cells(n_classes, is_sparse, spread):
    y = spread * np.arange(n_classes)
    assert sp.issparse(contingency_table(y, y, sparse="auto")) is is_sparse
    # No table is sparse that has no more cells than there are samples.
    y = np.tile(y, n_classes)
    assert not sp.issparse(contingency_table(y, y, sparse="auto"))


@pytest.mark.parametrize("sparse", ["auto", True])
def test_more_samples_than_cells_or_fewer(sparse):
    y = 10**9 * np.arange(129)
    some = np.concatenate([y, np.repeat(y[0], 129**2 - 129)])
    assert sp.issparse(contingency_table(some[:-1], some[:-1], sparse=sparse))
    assert sp.issparse(contingency_table(some, some, sparse=sparse)) is (sparse is True)


def test_zero_weight_samples_are_not_seen():
    y_true, y_pred, weight = [0, 1, 2, 9], [0, 1, 1, 8], [1.0, 2.0, 0.5, 0.0]
    table = contingency_table(y_true, y_pred, sample_weight=weight)
    np.testing.assert_array_equal(table, [[1, 0, 0], [0, 2, 0], [0, 0.5, 0]])
    table = contingency_table(y_true, y_pred, sample_weight=weight, labels=[0, 1, 2])
    assert table.sum() == 3.5


@pytest.mark.parametrize(
    "weight",
    [
        [1, 2, 3],
        [True, True, False],
        np.array([1, 2, 3], np.float32),
        pd.Series([1, 2, 3]),
    ],
)
def test_weights_of_any_kind(weight):
    table = contingency_table([0, 1, 1], [0, 1, 0], sample_weight=weight)
    assert table.dtype == np.float64
    assert table.sum() == np.sum(np.asarray(weight, dtype=float))


def test_weights_of_any_magnitude():
    y = [0, 1, 1]
    for weight in ([5e-324, 1e-320, 5e-324], [1e-300, 1e300, 1.0], [0, 8e307, 8e307]):
        table = contingency_table(y, y, sample_weight=weight)
        expected = [w for w in (weight[0], weight[1] + weight[2]) if w]
        np.testing.assert_array_equal(np.diag(table), expected)


def test_masked_arrays_in_which_nothing_is_masked():
    weight = np.ma.array([1.0, 2.0], mask=[False, False])
    y = np.ma.array([0, 1])
    table = contingency_table(y, y, sample_weight=weight)
    np.testing.assert_array_equal(table, [[1, 0], [0, 2]])


KEPT = {
    "integers": TRUE,
    "spread": TRUE * 10**12,
    "floats": TRUE.astype(float),
    "strings": NAMES[TRUE],
    "objects": NAMES[TRUE].astype(object),
    "distinct objects": np.array([f"{i}" for i in range(200)], dtype=object),
}


@pytest.mark.parametrize("given", [{}, {"labels": True}, {"pred_labels": True}])
@pytest.mark.parametrize("kind", KEPT)
def test_inputs_stay_as_they_are_and_may_be_read_only(kind, given):
    values = KEPT[kind]
    weight = RNG.random(200) * (RNG.random(200) < 0.8)
    arrays = [values.copy(), values.copy(), weight.copy()]
    arrays += [np.unique(values)[::-1].copy() for _ in given]
    for array in arrays:
        array.flags.writeable = False
    (
        *pair,
        weight_only,
    ) = arrays[:3]
    labels = dict(zip(given, arrays[3:], strict=True))
    for sparse in (False, True):
        table = contingency_table(
            *pair, sample_weight=weight_only, sparse=sparse, **labels
        )
        table *= 2  # it is nobody else's
    for array, before in zip(arrays, [values, values, weight], strict=False):
        np.testing.assert_array_equal(array, before)


@pytest.mark.parametrize("kind", ["integers", "spread", "floats", "strings"])
def test_memory_mapped_inputs(kind, tmp_path):
    values = KEPT[kind]
    for name, array in {"y": values, "weight": RNG.random(200)}.items():
        np.save(tmp_path / name, array)
    y = np.load(tmp_path / "y.npy", mmap_mode="r")
    weight = np.load(tmp_path / "weight.npy", mmap_mode="r")
    found = tabulate_labels(y, y[::-1], sample_weight=weight)
    expected = contingency_table(values, values[::-1], sample_weight=np.array(weight))
    np.testing.assert_array_equal(found.table, expected)
    assert type(found.table) is type(found.labels) is np.ndarray


def test_dense_table_beyond_working_memory():
    y = np.arange(5000)
    with (
        sklearn.config_context(working_memory=10),
        pytest.raises(ValueError, match=r"191 MiB.*10 MiB; use sparse='auto'"),
    ):
        contingency_table(y, y)
    with sklearn.config_context(working_memory=10):
        assert contingency_table(y, y, sparse="auto").nnz == 5000


WRONG = {
    "lengths": (([0, 1], [0]), {}, "inconsistent numbers of samples: \\[2, 1\\]"),
    "weight length": (([0, 1], [0, 1]), {"sample_weight": [1]}, "inconsistent numbers"),
    "empty": (([], []), {}, "empty"),
    "empty array": ((np.array([], int), np.array([], int)), {}, "empty"),
    "NaN": (([0.0, np.nan], [0, 1]), {}, "y_true must not contain missing.*nan"),
    "NaN array": ((np.array([0, 1]), np.array([0, np.nan])), {}, "y_pred.*NaN"),
    "infinity": ((np.array([0, np.inf]), [0, 1]), {}, "infinity. Got inf"),
    "infinity in a list": (([0.0, float("inf")], [0, 1]), {}, "infinity. Got inf"),
    "None": ((["a", None], ["a", "a"]), {}, "y_true must not contain missing.*None"),
    "NA": ((pd.Series(["a", pd.NA], dtype="string"), ["a", "a"]), {}, "missing"),
    "NA object": (([0, 1], [0, pd.NA]), {}, "y_pred must not contain missing.*<NA>"),
    "NaT": (([pd.NaT, 0], [0, 0]), {}, "missing"),
    "polars string null": ((pl.Series(["a", None]), ["a", "b"]), {}, "missing.*1\\."),
    "nullable NA": ((pd.Series([1, None], dtype="Int64"), [0, 1]), {}, "missing.*1\\."),
    "missing category": ((pd.Categorical(["a", None]), ["a", "a"]), {}, "missing"),
    "polars null": ((pl.Series([1, None]), [0, 1]), {}, "y_true"),
    "mixed": (
        ([0, "a"], ["a", "a"]),
        {},
        "y_true must hold labels of one kind. Got number.*string",
    ),
    "mixed objects": ((np.array([0, "a"], object), ["a", "a"]), {}, "of one kind"),
    "strings and numbers": (
        (["a", "b"], [0, 1]),
        {},
        "strings in y_true and numbers in y_pred.*pred_labels",
    ),
    "columns of another kind": (
        (["a", "b"], [0, 1]),
        {"pred_labels": ["a", "b"]},
        "Got numbers in y_pred and strings in pred_labels",
    ),
    "labels of another kind": (
        ([0, 1], [0, 1]),
        {"labels": ["0", "1"]},
        "numbers in y_true and strings in labels.$",
    ),
    "unhashable": (([{}, {}], [0, 1]), {}, "y_true .* labels.*unhashable type: 'dict'"),
    "ragged": (([[0], [1, 2]], [0, 1]), {}, "unhashable"),
    "tuples": ((np.array([(1,), (1, 2), 0], object)[:2], [0, 1]), {}, "tuple"),
    "bytes": ((np.array([b"a", b"b"]), ["a", "b"]), {}, "bytes"),
    "bytes objects": (([b"a", b"b"], ["a", "b"]), {}, "bytes"),
    "continuous": (([0.5, 1.0], [0, 1]), {}, "y_true.*continuous.*0.5"),
    "one continuous value": ((np.array([0.5]), [0]), {}, "y_true.*continuous.*0.5"),
    "one infinity": (([0], np.array([np.inf])), {}, "y_pred .*infinity. Got inf"),
    "empty floats": ((np.array([]), np.array([])), {}, "at least 1 sample"),
    "continuous array": ((np.array([0, 1]), np.array([0.25, 1])), {}, "0.25"),
    "huge floats": ((np.array([1e300, 1]), [0, 1]), {}, "at most 64 bits"),
    "complex": ((np.array([1j, 1]), [0, 1]), {}, "complex"),
    "empty strings": ((np.array([], "U1"), np.array([], "U3")), {}, "empty"),
    "empty and not": ((np.array([], "U1"), ["a"]), {}, r"samples: \[0, 1\]"),
    "probabilities": (
        ([0, 1], np.full((2, 2), 0.5)),
        {},
        r"y_pred .*\(2, 2\).*argmax.*probabilistic_confusion_entropy_loss",
    ),
    "probabilities in lists": (([0, 1], [[1, 0], [0.2, 0.8]]), {}, "y_pred .*argmax"),
    "probabilities in a frame": (
        ([0, 1], pd.DataFrame([[1.0, 0.0], [0.0, 1.0]])),
        {},
        "y_pred .*argmax",
    ),
    "a column of probabilities": (([0, 1], [[0.5], [0.5]]), {}, "y_pred.*continuous"),
    "dict": (({0: 1, 1: 0}, [0, 1]), {}, "y_true must be a 1-D.*Got .* of type dict"),
    "set": (([0, 1], {0, 1}), {}, "y_pred must be a 1-D.*of type set"),
    "generator": (((i for i in (0, 1)), [0, 1]), {}, "generator; convert it to a list"),
    "scalar": ((1, [0, 1]), {}, "y_true must be a 1-D array of class labels. Got 1.$"),
    "text": (("ab", [0, 1]), {}, "y_true must be a 1-D .* Got 'ab'"),
    "nothing": ((None, [0, 1]), {}, "y_true must be a 1-D array .* Got None"),
    "0-d array": (([0, 1], np.array(1)), {}, "y_pred must be a 1-D .*ndarray"),
    "labels of a scalar": (([0], [0]), {"labels": 0}, "^labels must be a 1-D .*Got 0"),
    "lazy frame": ((pl.LazyFrame({"a": [0, 1]}), [0, 1]), {}, "LazyFrame; collect it"),
    "sparse matrix": ((sp.csr_array(np.eye(2)), [0, 1]), {}, "1-D .*csr_array"),
    "structured": ((np.zeros(2, [("a", "i8")]), [0, 1]), {}, "integers, boole.*'a'"),
    "dates": ((np.array(["2024-01-01"] * 2, "M8[D]"), [0, 1]), {}, "datetime64"),
    "time spans": (([0, 1], np.array([1, 2], "m8[s]")), {}, "timedelta64.*time spans"),
    "numpy date": (([np.datetime64("2024")] * 2, [0, 1]), {}, "datetime64"),
    "numpy time span": (([np.timedelta64(1, "s")] * 2, [0, 1]), {}, "timedelta64"),
    "date": (([datetime.date(2024, 1, 1)], [0]), {}, "y_true .*of type date"),
    "datetime": (([datetime.datetime(2024, 1, 1)], [0]), {}, "of type datetime"),
    "time": (([datetime.time(1)], [0]), {}, "of type time"),
    "time span": (([0], [datetime.timedelta(1)]), {}, "y_pred .*of type timedelta"),
    "time spans alone": (([datetime.timedelta(1)],) * 2, {}, "of type timedelta"),
    "pandas dates": ((pd.Series(pd.to_datetime(["2024"])),) * 2, {}, "datetime64"),
    "dates of a time zone": (
        (pd.Series(pd.to_datetime(["2024"]).tz_localize("UTC")), [0]),
        {},
        "of type Timestamp",
    ),
    "pandas periods": (
        (pd.Series(pd.period_range("2024", periods=2, freq="D")), [0, 1]),
        {},
        "of type Period",
    ),
    "categories of dates": (
        (pd.Series(pd.to_datetime(["2024"])).astype("category"), [0]),
        {},
        "of type Timestamp",
    ),
    "polars time spans": ((pl.Series([datetime.timedelta(1)]), [0]), {}, "timedelta64"),
    "unsortable": (([object(), object()], [object()] * 2), {}, "sorted"),
    "multilabel": ((np.eye(2, dtype=int), np.eye(2, dtype=int)), {}, "multilabel"),
    "masked": ((np.ma.array([0, 1], mask=[0, 1]), [0, 1]), {}, "masked"),
    "repeated labels": (([0, 1], [0, 1]), {"labels": [0, 1, 1]}, "not repeat"),
    "repeated pred_labels": (([0, 1], [0, 1]), {"pred_labels": ["a", "a"]}, "repeat"),
    "no labels": (([0, 1], [0, 1]), {"labels": []}, "labels must not be empty"),
    "outside": (
        ([0, 7], [0, 0]),
        {"labels": [0, 1]},
        "value of y_true. Got 7 besides",
    ),
    "outside, pred": (([0, 1], [0, 7]), {"labels": [0, 1]}, "labels.*of y_pred.*7"),
    "outside, columns": (
        (["a", "b"], ["a", "c"]),
        {"pred_labels": ["a", "b"]},
        "pred_labels must contain every value of y_pred. Got 'c' besides",
    ),
    "outside, many": ((np.arange(9), np.zeros(9)), {"labels": [0]}, "1, 2, 3, 4, 5, …"),
    "negative weight": (([0, 1], [0, 1]), {"sample_weight": [1, -1]}, "Got -1.0"),
    "negative beside zero": (
        ([0, 1, 1], [0, 1, 1]),
        {"sample_weight": [0.0, 2.0, -3.5]},
        r"Got -3.5\.",
    ),
    "NaN beside large ones": (
        ([0, 1, 1], [0, 1, 1]),
        {"sample_weight": [1e308, 1e308, np.nan]},
        r"Got nan\.",
    ),
    "masked weight": (
        ([0, 1], [0, 1]),
        {"sample_weight": np.ma.array([1.0, 2.0], mask=[False, True])},
        "sample_weight must have no masked entries. Got 1",
    ),
    "ragged weight": (([0, 1], [0, 1]), {"sample_weight": [[1], [1, 2]]}, "numbers"),
    "weight beyond floats": (([0], [0]), {"sample_weight": [10**400]}, "numbers"),
    "weight beyond float64": (
        ([0, 1], [0, 1]),
        {"sample_weight": np.array([1, np.longdouble("1e400")])},
        "Got inf|overflows",  # longdouble is float64 on some machines
    ),
    "NaN weight": (([0, 1], [0, 1]), {"sample_weight": [1, np.nan]}, "Got nan"),
    "infinite weight": (([0, 1], [0, 1]), {"sample_weight": [1, np.inf]}, "Got inf"),
    "overflow": (([0, 1], [0, 1]), {"sample_weight": [1e308, 1e308]}, "overflows"),
    "zero weights": (([0, 1], [0, 1]), {"sample_weight": [0, 0]}, "all zero"),
    "weight matrix": (([0, 1], [0, 1]), {"sample_weight": [[1], [1]]}, r"\(2, 1\)"),
    "weight text": (([0, 1], [0, 1]), {"sample_weight": ["a", "b"]}, "sample_weight"),
    "weight None": (([0, 1], [0, 1]), {"sample_weight": [1, None]}, "Got nan"),
    "weight object": (
        ([0, 1], [0, 1]),
        {"sample_weight": np.array([1, "a"], dtype=object)},
        "sample_weight must hold numbers",
    ),
    "sparse": (([0, 1], [0, 1]), {"sparse": "yes"}, "`sparse` must be.*'yes'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input(case):
    args, kwargs, message = WRONG[case]
    with pytest.raises(ValueError, match=message):
        contingency_table(*args, **kwargs)


SPREAD = 10**6 * np.arange(300)  # their table is sparse

DOUBTFUL = {
    "one class": (([1, 1, 1], [0, 1, 2]), {}, r"one class only \(1\)"),
    "one class, named": ((["a"], ["b"]), {"labels": ["b", "a", "c"]}, r"only \('a'\)"),
    "one class, columns": (([1, 1], [0, 2]), {"pred_labels": [2, 0]}, "one class only"),
    "one class by weight": (
        ([0, 1, 1], [0, 0, 1]),
        {"sample_weight": [0.0, 1.0, 1.0]},
        r"one class only \(1\)",
    ),
    "one class, sparse": ((np.full(300, 7), SPREAD), {}, r"one class only \(7\)"),
    "disjoint": (
        (["a", "b"], ["b ", "a "]),
        {},
        "share no label. Got 'a', 'b' in y_true and 'a ', 'b ' in y_pred.*pred_labels",
    ),
    "disjoint, named": (([0, 1], [2, 3]), {"labels": [3, 2, 1, 0]}, "share no label"),
    "disjoint, sparse": (
        (SPREAD, SPREAD + 1),
        {},
        r"Got 0, 1000000, .*, … in y_true and 1, 1000001",
    ),
}
CLEAR = {
    "shared": (([0, 1], [0, 1]), {}),
    "one shared label": (([0, 1], [1, 2]), {}),
    "one right": (([0, 1], [0, 2]), {}),
    "meant": (([0, 1], [2, 3]), {"pred_labels": [2, 3]}),
    "sparse": ((SPREAD, np.roll(SPREAD, 1)), {}),
    "subnormal weights": (([0, 1], [0, 1]), {"sample_weight": [5e-324, 5e-324]}),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_doubtful_tables_say_so(case):
    args, kwargs, message = DOUBTFUL[case]
    assert re.search(message, tabulate_labels(*args, **kwargs).warning)


@pytest.mark.parametrize("case", CLEAR)
def test_other_tables_are_beyond_doubt(case):
    args, kwargs = CLEAR[case]
    assert tabulate_labels(*args, **kwargs).warning is None


def test_the_classes_of_an_estimator_are_known_unless_it_has_several_outputs():
    def known(**attributes):
        return known_labels(SimpleNamespace(**attributes))

    assert known(classes_=["a", "b"]).classes == ["a", "b"]
    assert known(classes_=np.array([0, 1])).classes.tolist() == [0, 1]
    assert known(classes_=[np.array([0, 1]), np.array([0, 2])]) is None
    assert known(classes_=None) is known() is None
    labels = tabulate_labels([0, 1], [1, 1], labels=known(classes_=[5, 1])).labels
    assert labels.tolist() == [0, 1, 5]


@pytest.mark.parametrize("n_classes", [1, 2, 3, 4, 5, 16, 17])
@pytest.mark.parametrize("n_samples", [2**14, 2**14 + 1, 2**18 + 2**14 + 2])
@pytest.mark.parametrize("lowest", [0, -3, 2**62])
def test_long_arrays_of_few_classes(n_classes, n_samples, lowest):
    """Their codes are counted as pairs, in blocks."""
    true, pred = np.random.default_rng(0).integers(0, n_classes, (2, n_samples))
    true[:n_classes] = pred[:n_classes] = range(n_classes)
    expected = np.zeros((n_classes, n_classes), dtype=np.int64)
    np.add.at(expected, (true, pred), 1)
    table = contingency_table(true + lowest, pred + lowest)
    np.testing.assert_array_equal(table, expected)
