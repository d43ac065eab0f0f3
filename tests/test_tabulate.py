"""contingency_table: every kind of input, and every wrong one."""

import datetime
import enum
import re
import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse as sp
from sklearn.metrics import confusion_matrix

from sklearn_entropy_metrics import contingency_table
from sklearn_entropy_metrics.tabulate import tabulate

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
    days = [datetime.date(2024, 1, day) for day in (3, 1, 2)]
    np.testing.assert_array_equal(contingency_table(days, days), np.eye(3))


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


@settings(max_examples=200)
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


@pytest.mark.parametrize("n_classes", [2, 50, 300, 4000])
@pytest.mark.parametrize("weighted", [False, True])
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
def test_a_million_distinct_labels(dtype):
    ids = RNG.permutation(np.arange(10**6) * 7_919_000_003)
    y = ids.astype(dtype)
    table = contingency_table(y, np.roll(y, 1), sparse="auto")
    assert table.shape == (10**6, 10**6)
    assert table.nnz == table.sum() == 10**6
    assert (np.diff(table.indptr) == 1).all()


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
    "infinity": ((np.array([0, np.inf]), [0, 1]), {}, "infinity; got inf"),
    "infinity in a list": (([0.0, float("inf")], [0, 1]), {}, "infinity; got inf"),
    "None": ((["a", None], ["a", "a"]), {}, "y_true must not contain missing.*None"),
    "NA": ((pd.Series(["a", pd.NA], dtype="string"), ["a", "a"]), {}, "missing"),
    "NA object": (([0, 1], [0, pd.NA]), {}, "y_pred must not contain missing.*<NA>"),
    "NaT": (([pd.NaT, 0], [0, 0]), {}, "missing"),
    "nullable NA": ((pd.Series([1, None], dtype="Int64"), [0, 1]), {}, "missing"),
    "missing category": ((pd.Categorical(["a", None]), ["a", "a"]), {}, "missing"),
    "polars null": ((pl.Series([1, None]), [0, 1]), {}, "y_true"),
    "mixed": (([0, "a"], ["a", "a"]), {}, "y_true mixes number.*string"),
    "mixed objects": ((np.array([0, "a"], object), ["a", "a"]), {}, "mixes"),
    "strings and numbers": ((["a", "b"], [0, 1]), {}, "strings in y_true and numbers"),
    "labels of another kind": (([0, 1], [0, 1]), {"labels": ["0", "1"]}, "one kind"),
    "unhashable": (([{}, {}], [0, 1]), {}, "unhashable"),
    "ragged": (([[0], [1, 2]], [0, 1]), {}, "unhashable"),
    "tuples": ((np.array([(1,), (1, 2), 0], object)[:2], [0, 1]), {}, "tuple"),
    "bytes": ((np.array([b"a", b"b"]), ["a", "b"]), {}, "bytes"),
    "bytes objects": (([b"a", b"b"], ["a", "b"]), {}, "bytes"),
    "continuous": (([0.5, 1.0], [0, 1]), {}, "y_true.*continuous.*0.5"),
    "continuous array": ((np.array([0, 1]), np.array([0.25, 1])), {}, "0.25"),
    "huge floats": ((np.array([1e300, 1]), [0, 1]), {}, "beyond the range"),
    "complex": ((np.array([1j, 1]), [0, 1]), {}, "complex"),
    "dates": ((np.array(["2024-01-01"] * 2, "M8[D]"), [0, 1]), {}, "datetime64"),
    "unsortable": (([object(), object()], [object()] * 2), {}, "sorted"),
    "multilabel": ((np.eye(2, dtype=int), np.eye(2, dtype=int)), {}, "multilabel"),
    "scalar": ((1, 1), {}, "1-D"),
    "masked": ((np.ma.array([0, 1], mask=[0, 1]), [0, 1]), {}, "masked"),
    "repeated labels": (([0, 1], [0, 1]), {"labels": [0, 1, 1]}, "not repeat"),
    "repeated pred_labels": (([0, 1], [0, 1]), {"pred_labels": ["a", "a"]}, "repeat"),
    "no labels": (([0, 1], [0, 1]), {"labels": []}, "labels must not be empty"),
    "outside": (
        ([0, 7], [0, 0]),
        {"labels": [0, 1]},
        "value of y_true. Got besides: 7",
    ),
    "outside, pred": (([0, 1], [0, 7]), {"labels": [0, 1]}, "labels.*of y_pred.*7"),
    "outside, columns": (
        (["a", "b"], ["a", "c"]),
        {"pred_labels": ["a", "b"]},
        "pred_labels must contain every value of y_pred. Got besides: 'c'",
    ),
    "outside, many": ((np.arange(9), np.zeros(9)), {"labels": [0]}, "1, 2, 3, 4, 5, …"),
    "negative weight": (([0, 1], [0, 1]), {"sample_weight": [1, -1]}, "Got -1.0"),
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
    "sparse": (([0, 1], [0, 1]), {"sparse": "yes"}, "sparse must be.*'yes'"),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
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
    assert re.search(message, tabulate(*args, **kwargs).doubt())


@pytest.mark.parametrize("case", CLEAR)
def test_other_tables_are_beyond_doubt(case):
    args, kwargs = CLEAR[case]
    assert tabulate(*args, **kwargs).doubt() is None
