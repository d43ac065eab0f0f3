"""Labels of every kind, at random, against a dictionary that counts pairs."""

from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse as sp

from sklearn_entropy_metrics import (
    TableAccumulator,
    contingency_table,
    probabilistic_confusion_matrix,
)
from sklearn_entropy_metrics.table.tabulate import tabulate_labels

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXT = st.text(CHARACTERS, max_size=50)


def integers(dtype):
    """Labels of a dtype: small ones, and those near its ends."""
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    near_zero = st.integers(max(low, -5), 5)
    return near_zero | st.integers(low, low + 3) | st.integers(high - 3, high)


def numbers_of(dtype):
    """Containers of numbers of a dtype of numpy."""
    name = {"u": "UInt", "i": "Int"}[np.dtype(dtype).kind] + dtype.lstrip("uint")
    return {
        "numpy": lambda y: np.array(y, dtype=dtype),
        "strided": lambda y: np.repeat(np.array(y, dtype=dtype), 2)[::2],
        "list": list,
        "tuple": tuple,
        "object": lambda y: np.array([*y, None], dtype=object)[:-1],
        "column": lambda y: np.array(y, dtype=dtype).reshape(-1, 1),
        "pandas": lambda y: pd.Series(y, dtype=dtype),
        "nullable": lambda y: pd.Series(y, dtype=name),
        "arrow": lambda y: pd.Series(y, dtype=f"{dtype}[pyarrow]"),
        "categorical": lambda y: pd.Categorical(pd.Series(y, dtype=dtype)),
        "polars": lambda y: pl.Series(y, dtype=getattr(pl, name)),
    }


BOOLEANS = {
    "numpy": np.array,
    "list": list,
    "object": lambda y: np.array(y, dtype=object),
    "pandas": pd.Series,
    "nullable": lambda y: pd.Series(y, dtype="boolean"),
    "arrow": lambda y: pd.Series(y, dtype="bool[pyarrow]"),
    "categorical": pd.Categorical,
    "polars": lambda y: pl.Series(y, dtype=pl.Boolean),
}
STRINGS = {
    "numpy": lambda y: np.array(y, dtype=str),
    "wide": lambda y: np.array(y, dtype="U50"),
    "list": list,
    "object": lambda y: np.array(y, dtype=object),
    "StringDType": lambda y: np.array(y, dtype=np.dtypes.StringDType()),
    "pandas": lambda y: pd.Series(y, dtype=object),
    "nullable": lambda y: pd.Series(y, dtype="string"),
    "arrow": lambda y: pd.Series(y, dtype="string[pyarrow]"),
    "categorical": lambda y: pd.Series(y, dtype="category"),
    "ordered": lambda y: pd.Categorical(y, sorted(set(y))[::-1], ordered=True),
    "polars": lambda y: pl.Series(y, dtype=pl.String),
    "polars categorical": lambda y: pl.Series(y, dtype=pl.String).cast(pl.Categorical),
}
FLOATS = {
    "numpy": lambda y: np.array(y, dtype=float),
    "list": lambda y: list(map(float, y)),
    "object": lambda y: np.array(list(map(float, y)), dtype=object),
    "nullable": lambda y: pd.Series(y, dtype="Float64"),
    "arrow": lambda y: pd.Series(y, dtype="double[pyarrow]"),
    "polars": lambda y: pl.Series(y, dtype=pl.Float64, strict=False),
}
KINDS = {dtype: (integers(dtype), numbers_of(dtype)) for dtype in INTEGERS} | {
    "boolean": (st.booleans(), BOOLEANS),
    "string": (TEXT, STRINGS),
    "float": (st.integers(-5, 5) | st.integers(-(2**53), 2**53), FLOATS),
}
# Sums of these are exact in any order.
WEIGHTS = st.sampled_from([0.0, 0.125, 0.5, 1.0, 3.0, 1024.0])
WEIGHT_KINDS = [
    list,
    np.array,
    lambda w: np.array(w, dtype=np.float32),
    pd.Series,
    lambda w: pd.Series(w, dtype="Float64"),
    pl.Series,
]


@st.composite
def samples(draw, kind):
    """Pairs of labels that repeat, with or without weights, once or many times."""
    values, containers = KINDS[kind]
    labels = draw(st.lists(values, min_size=1, max_size=8, unique=True))
    pairs = draw(
        st.lists(st.tuples(*[st.sampled_from(labels)] * 2), min_size=1, max_size=30)
    )
    weight = None
    if draw(st.booleans()):
        weight = draw(st.lists(WEIGHTS, min_size=len(pairs), max_size=len(pairs)))
        weight[0] = weight[0] or 1.0
    times = draw(st.sampled_from([1, 1, 1, 600]))
    names = draw(st.tuples(*[st.sampled_from(sorted(containers))] * 2))
    return pairs * times, weight and weight * times, [containers[n] for n in names]


def count(pairs, weight, rows=None, columns=None):
    """The table by a dictionary; rows and columns in the given order, or sorted."""
    table: Counter = Counter()
    for pair, one in zip(pairs, weight or [1] * len(pairs), strict=True):
        if one:
            table[pair] += one
    rows = rows or sorted({label for pair in table for label in pair})
    columns = columns or rows
    return rows, [[table[true, pred] for pred in columns] for true in rows]


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_tables_are_those_of_a_dictionary(kind, data):
    pairs, weight, containers = data.draw(samples(kind))
    y_true, y_pred = (
        make(list(y))
        for make, y in zip(containers, zip(*pairs, strict=True), strict=True)
    )
    given_weight = weight and data.draw(st.sampled_from(WEIGHT_KINDS))(weight)
    sparse = data.draw(st.sampled_from([False, True, "auto"]))
    found = tabulate_labels(y_true, y_pred, sample_weight=given_weight, sparse=sparse)
    labels, expected = count(pairs, weight)
    assert found.labels.tolist() == found.pred_labels.tolist() == labels
    assert found.table.dtype == (np.int64 if weight is None else np.float64)
    np.testing.assert_array_equal(sp.csr_array(found.table).toarray(), expected)


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_given_labels_and_batches(kind, data):
    pairs, weight, (make, _) = data.draw(samples(kind))
    y_true, y_pred = map(list, zip(*pairs, strict=True))
    rows = data.draw(st.permutations(sorted(set(y_true))))
    columns = data.draw(st.permutations(sorted(set(y_pred))))
    _, expected = count(pairs, weight, rows, columns)
    given = {"labels": make(rows), "pred_labels": make(columns)}
    table = contingency_table(make(y_true), make(y_pred), sample_weight=weight, **given)
    np.testing.assert_array_equal(table, expected)
    accumulator = TableAccumulator(**given)
    cut = data.draw(st.integers(0, len(pairs)))
    for part in (slice(0, cut), slice(cut, None)):
        accumulator.update(
            make(y_true[part]),
            make(y_pred[part]),
            sample_weight=weight and weight[part],
        )
    np.testing.assert_array_equal(accumulator.table, expected)
    assert accumulator.labels_.tolist() == rows
    assert accumulator.pred_labels_.tolist() == columns


@given(st.data())
def test_rows_and_columns_of_two_kinds(data):
    kinds = data.draw(st.tuples(*[st.sampled_from(sorted(KINDS))] * 2))
    n_samples = data.draw(st.integers(1, 30))
    sides = []
    for kind in kinds:
        values, containers = KINDS[kind]
        pool = data.draw(st.lists(values, min_size=1, max_size=8, unique=True))
        draws = st.lists(st.sampled_from(pool), min_size=n_samples, max_size=n_samples)
        make = containers[data.draw(st.sampled_from(sorted(containers)))]
        sides.append((data.draw(draws), pool, make))
    (y_true, _, make_true), (y_pred, columns, make_pred) = sides
    rows, expected = count(
        list(zip(y_true, y_pred, strict=True)), None, sorted(set(y_true)), columns
    )
    found = tabulate_labels(make_true(y_true), make_pred(y_pred), pred_labels=columns)
    assert found.labels.tolist() == rows
    assert found.pred_labels.tolist() == columns
    np.testing.assert_array_equal(found.table, expected)


class Tensor:
    """As of a graphics card, or of bfloat16: numpy cannot read it."""

    dtype = "torch.bfloat16"

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")


class TensorWithGradient(Tensor):
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad")


class TensorScalar(Tensor):
    def __array__(self, dtype=None, copy=None):
        return np.array(1)


class Column:
    """A column of a frame that is elsewhere, as of Spark: it has every attribute."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Column()

    def __lt__(self, other):
        return Column()

    def __bool__(self):
        raise ValueError("Cannot convert column into bool")

    def alias(self, name):
        return self


def test_categories_that_no_sample_has_do_not_matter():
    for unused in ("?", 1.5, pd.Timestamp(2020, 1, 1)):
        y = pd.Categorical([0, 2, 0], categories=[2, 0, unused])
        for container in (pd.Series, pd.CategoricalIndex, pd.Categorical):
            table = contingency_table(container(y), [0, 0, 2])
            np.testing.assert_array_equal(table, [[1, 1], [1, 0]])
    for seen, what in (("?", "of one kind"), (1.5, "continuous"), (None, "missing")):
        y = pd.Categorical([0, seen], categories=[0, "?", 1.5])
        with pytest.raises(ValueError, match=f"y_true must .*{what}") as caught:
            contingency_table(y, [0, 0])
        assert caught.value.__context__ is None


def test_arrays_that_numpy_cannot_read():
    with pytest.raises(ValueError, match=r"y_true must.*\.cpu\(\)`.*Tensor.*BFloat16"):
        contingency_table(Tensor(), [0, 1])
    with pytest.raises(ValueError, match=r"y_pred must.*\.detach\(\).*requires grad"):
        contingency_table([0, 1], TensorWithGradient())
    for tensor, why in (Tensor(), "BFloat16"), (TensorWithGradient(), "requires grad"):
        with pytest.raises(ValueError, match=rf"numbers\. Got Tensor.*: .*{why}$"):
            probabilistic_confusion_matrix([0, 1], tensor)
    scalars = [TensorScalar(), TensorScalar()]
    with pytest.raises(ValueError, match=r"y_pred must.*Got .* of type TensorSc"):
        contingency_table([0, 1], scalars)
    for column in Column(), pl.col("a"):
        with pytest.raises(ValueError, match=r"y_true .*; count .* `tabulate_frame`"):
            contingency_table(column, [0, 1])
        with pytest.raises(ValueError, match="sample_weight must hold numbers"):
            contingency_table([0, 1], [0, 1], sample_weight=column)
    arrow = pytest.importorskip("pyarrow")
    for values in [[0], [1]], [{"a": 0}, {"a": 1}]:
        kind = pd.ArrowDtype(arrow.array(values).type)
        with pytest.raises(ValueError, match=r"y_pred must .* without a hash"):
            contingency_table([0, 1], pd.Series(values, dtype=kind))
    large = pl.Series([2**100, 1], dtype=pl.Int128)
    assert contingency_table(large, [1, 2**100]).tolist() == [[0, 1], [1, 0]]
    with pytest.raises(ValueError, match="y_true must not contain missing values"):
        contingency_table(pl.Series([0, None], dtype=pl.Int128), [0, 1])
