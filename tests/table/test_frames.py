"""Tables of data frames: the same from every engine, counted where the data are."""

import subprocess
import sys
from datetime import date
from decimal import Decimal
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse as sp
from sklearn import config_context

from sklearn_entropy_metrics import contingency_table, tabulate_frame

pytest.importorskip("narwhals")

rng = np.random.default_rng(0)
N = 300
TRUE = rng.integers(0, 4, N)
PRED = np.where(rng.random(N) < 0.6, TRUE, rng.integers(0, 4, N))
GROUP = rng.integers(0, 3, N)
COUNT = rng.integers(0, 5, N)
WORDS = np.array(["dog", "Émile", "ant", "bee"], dtype=object)
# What codes from 0 to 3 stand for; the order of the categories is no order of labels.
KINDS = {
    "integers": lambda codes: codes * 10**12 - 10**12,
    "strings": lambda codes: WORDS[codes],
    "categoricals": lambda codes: pd.Categorical(
        WORDS[codes], categories=[*WORDS, "unused"], ordered=True
    ),
    "booleans": lambda codes: codes > 1,
    "floats": lambda codes: codes * 1.0,
}


def arrow(frame):
    return import_module("pyarrow").Table.from_pandas(frame, preserve_index=False)


def duckdb(frame):
    return pytest.importorskip("duckdb").from_arrow(arrow(frame))


def ibis(frame):
    return pytest.importorskip("ibis").memtable(arrow(frame))


def dask(frame):
    frames = pytest.importorskip("dask.dataframe")
    return frames.from_pandas(frame, npartitions=3)


def polars(frame):
    return pytest.importorskip("polars").from_arrow(arrow(frame))


ENGINES = {
    "pandas": lambda frame: frame,
    "polars": polars,
    "lazy polars": lambda frame: polars(frame).lazy(),
    "pyarrow": arrow,
    "duckdb": duckdb,
    "ibis": ibis,
    "dask": dask,
}
every_engine = pytest.mark.parametrize(
    "engine",
    [pytest.param(e, marks=pytest.mark.slow) if e == "dask" else e for e in ENGINES],
)


def frame_of(engine, **columns):
    return ENGINES[engine](pd.DataFrame(columns))


def samples(engine, kind):
    """A frame of all samples; the roles have names that SQL or we could stumble on."""
    convert = KINDS[kind]
    columns = {"count": TRUE, "a pred": PRED, "by": GROUP}
    columns = {name: convert(codes) for name, codes in columns.items()}
    return frame_of(engine, **columns, rows=COUNT)


@every_engine
@pytest.mark.parametrize("kind", KINDS)
class TestSameTable:
    def test_of_samples(self, engine, kind):
        found = tabulate_frame(samples(engine, kind), "count", "a pred")
        convert = KINDS[kind]
        expected = contingency_table(convert(TRUE), convert(PRED))
        assert_array_equal(found.table, expected, strict=True)
        assert found.labels.tolist() == sorted(set(convert(np.arange(4))))
        assert found.pred_labels.tolist() == found.labels.tolist()
        assert found.groups is None
        assert found.n_samples == N

    def test_of_counts(self, engine, kind):
        frame = samples(engine, kind)
        found = tabulate_frame(frame, "count", "a pred", count="rows")
        repeated = (KINDS[kind](np.repeat(codes, COUNT)) for codes in (TRUE, PRED))
        assert_array_equal(found.table, contingency_table(*repeated), strict=True)
        assert found.n_samples == COUNT.sum()

    @pytest.mark.parametrize("count", [None, "rows"])
    def test_of_groups(self, engine, kind, count):
        frame = samples(engine, kind)
        found = tabulate_frame(frame, "count", "a pred", count=count, by="by")
        weight = np.ones(N, dtype=int) if count is None else COUNT
        groups = np.asarray(KINDS[kind](GROUP))
        assert found.groups.tolist() == sorted(set(groups))
        assert_array_equal(found.n_samples, found.table.sum(axis=(1, 2)), strict=True)
        for group, table in zip(found.groups, found.table, strict=True):
            times = weight * (groups == group)
            repeated = (KINDS[kind](np.repeat(codes, times)) for codes in (TRUE, PRED))
            expected = contingency_table(*repeated, labels=found.labels)
            assert_array_equal(table, expected, strict=True)


@every_engine
class TestWeights:
    def test_are_summed_with_their_effective_number(self, engine):
        weight = np.where(TRUE == 3, 0, rng.random(N))
        frame = frame_of(engine, t=TRUE, p=np.minimum(PRED, 2), g=GROUP, w=weight)
        found = tabulate_frame(frame, "t", "p", weight="w")
        expected = contingency_table(
            TRUE, np.minimum(PRED, 2), sample_weight=weight, labels=[0, 1, 2, 3]
        )
        assert found.labels.tolist() == [0, 1, 2]
        assert_allclose(found.table, expected[:3, :3], rtol=1e-12)
        assert found.n_samples == pytest.approx(
            weight.sum() ** 2 / (weight**2).sum(), rel=1e-12
        )
        found = tabulate_frame(frame, "t", "p", weight="w", by="g")
        for group, table, size in zip(
            range(3), found.table, found.n_samples, strict=True
        ):
            own = weight[group == GROUP]
            assert table.sum() == pytest.approx(own.sum(), rel=1e-12)
            assert size == pytest.approx(own.sum() ** 2 / (own**2).sum(), rel=1e-12)

    def test_of_whole_numbers_are_no_counts(self, engine):
        frame = frame_of(engine, t=[1, 2, 2], p=[1, 2, 1], w=[3, 4, 5])
        found = tabulate_frame(frame, "t", "p", weight="w")
        assert_array_equal(found.table, [[3.0, 0.0], [5.0, 4.0]], strict=True)
        assert found.n_samples == pytest.approx(144 / 50)

    @pytest.mark.parametrize("weight", [-0.5, np.inf, np.nan])
    def test_that_are_none(self, engine, weight):
        frame = frame_of(engine, t=[1, 2], p=[1, 2], w=[1.0, weight])
        with pytest.raises(ValueError, match="'w' must hold weights: non-negative"):
            tabulate_frame(frame, "t", "p", weight="w")

    def test_that_have_no_squares(self, engine):
        for weight in (1e-200, 1e200):
            frame = frame_of(engine, t=[1, 2], p=[1, 2], w=[weight, weight])
            with pytest.raises(ValueError, match="between 1e-150 and 1e150"):
                tabulate_frame(frame, "t", "p", weight="w")

    def test_not_together_with_counts(self, engine):
        frame = frame_of(engine, t=[1, 2], p=[1, 2], w=[1, 1])
        with pytest.raises(ValueError, match="`count` and `weight` cannot be combined"):
            tabulate_frame(frame, "t", "p", weight="w", count="w")


@every_engine
class TestClasses:
    def test_given_labels_order_rows_and_columns(self, engine):
        frame = frame_of(engine, t=["a", "b", "b"], p=["b", "b", "a"])
        found = tabulate_frame(frame, "t", "p", labels=["c", "b", "a"])
        assert found.table.tolist() == [[0, 0, 0], [0, 1, 1], [0, 1, 0]]
        assert found.labels.tolist() == found.pred_labels.tolist() == ["c", "b", "a"]

    def test_predicted_classes_of_another_kind(self, engine):
        frame = frame_of(engine, t=["b", "a", "b"], p=[2, 1, 1])
        found = tabulate_frame(frame, "t", "p", pred_labels=[3, 2, 1])
        assert found.table.tolist() == [[0, 0, 1], [0, 1, 1]]
        assert found.labels.tolist() == ["a", "b"]
        assert found.pred_labels.tolist() == [3, 2, 1]

    def test_labels_without_counts_are_not_seen(self, engine):
        frame = frame_of(engine, t=[1, 2, 9], p=[1, 1, 9], n=[3, 4, 0], g=[1, 1, 2])
        found = tabulate_frame(frame, "t", "p", count="n", by="g")
        assert found.table.tolist() == [[[3, 0], [4, 0]]]
        assert found.groups.tolist() == [1]

    def test_labels_are_checked_also_without_counts(self, engine):
        frame = frame_of(engine, t=["a", None], p=["a", "a"], n=[3, 0], g=["x", None])
        with pytest.raises(ValueError, match="'t' must not contain missing values"):
            tabulate_frame(frame, "t", "p", count="n")
        with pytest.raises(ValueError, match="'g' must not contain missing"):
            tabulate_frame(frame, "p", "p", count="n", by="g")

    def test_one_column_may_have_several_roles(self, engine):
        frame = frame_of(engine, t=[1, 2, 2])
        found = tabulate_frame(frame, "t", "t", count="t", by="t")
        assert found.table.tolist() == [[[1, 0], [0, 0]], [[0, 0], [0, 4]]]

    def test_dates_are_groups(self, engine):
        days = [date(2026, 2, 1), date(2026, 1, 1), date(2026, 2, 1)]
        frame = frame_of(engine, t=[0, 0, 1], p=[0, 1, 1], day=pd.to_datetime(days))
        found = tabulate_frame(frame, "t", "p", by="day")
        assert [day.month for day in found.groups] == [1, 2]
        assert found.table.tolist() == [[[0, 1], [0, 0]], [[1, 0], [0, 1]]]

    @pytest.mark.parametrize("dtype", ["int8", "uint8", "uint64", "float32", "Int64"])
    def test_counts_of_any_type_add_up(self, engine, dtype):
        counts = pd.array([100] * 4, dtype=dtype)
        frame = frame_of(engine, t=[1] * 4, p=[1] * 4, n=counts)
        table = tabulate_frame(frame, "t", "p", count="n").table
        assert_array_equal(table, np.array([[400]]), strict=True)


class TestDatabases:
    def test_integers_that_come_as_decimals(self):
        """As from a database whose only integers are NUMBER(38, 0)."""
        pa = pytest.importorskip("pyarrow")
        labels = pa.array([Decimal(1), Decimal(2)], pa.decimal128(38, 0))
        counts = pa.array([Decimal(5), Decimal(7)], pa.decimal128(20, 2))
        frame = pa.table({"t": labels, "p": labels, "n": counts})
        found = tabulate_frame(frame, "t", "p", count="n")
        assert found.labels.dtype == np.int64
        assert found.table.tolist() == [[5, 0], [0, 7]]

    def test_sums_of_a_statement(self):
        duckdb = pytest.importorskip("duckdb")
        counted = duckdb.sql(
            "SELECT t, p, sum(n) AS n FROM (VALUES ('a', 'a', 2), ('a', 'a', 3), "
            "('b', 'a', 4)) AS v(t, p, n) GROUP BY t, p"
        )
        found = tabulate_frame(counted, "t", "p", count="n")
        assert found.table.tolist() == [[5, 0], [4, 0]]

    def test_a_file_that_is_scanned(self, tmp_path):
        pl = pytest.importorskip("polars")
        file = tmp_path / "file.parquet"
        pl.DataFrame({"t": TRUE, "p": PRED, "x": COUNT}).write_parquet(file)
        found = tabulate_frame(pl.scan_parquet(file), "t", "p")
        assert_array_equal(found.table, contingency_table(TRUE, PRED))

    def test_no_rows_are_gathered(self, monkeypatch):
        nw = import_module("narwhals")
        pl = pytest.importorskip("polars")
        sizes = []
        collect = nw.LazyFrame.collect

        def spy(frame, *args, **kwargs):
            result = collect(frame, *args, **kwargs)
            sizes.append(len(result))
            return result

        monkeypatch.setattr(nw.LazyFrame, "collect", spy)
        frame = pl.LazyFrame({"t": TRUE, "p": PRED, "n": COUNT, "g": GROUP})
        tabulate_frame(frame, "t", "p", count="n", by="g")
        assert len(sizes) == 1
        assert sizes[0] <= 4 * 4 * 3 < N


class TestSize:
    def test_a_large_table_is_sparse(self):
        pl = pytest.importorskip("polars")
        true = np.arange(50_000)
        frame = pl.DataFrame({"t": true, "p": true[::-1]})
        found = tabulate_frame(frame, "t", "p")
        assert isinstance(found.table, sp.csr_array)
        assert found.table.nnz == 50_000
        expected = contingency_table(true, true[::-1], sparse=True)
        assert (found.table != expected).nnz == 0

    def test_too_many_groups(self):
        frame = pd.DataFrame({"t": range(100), "p": range(100), "g": range(100)})
        with (
            config_context(working_memory=1),
            pytest.raises(ValueError, match="tables of all groups would take 8 MiB"),
        ):
            tabulate_frame(frame, "t", "p", by="g")


@every_engine
class TestWrong:
    LABELS = {"t": ["a", "b", "a"], "p": ["a", "b", "b"]}  # noqa: RUF012

    def refused(self, engine, message, *, count=None, by=None, **columns):
        frame = frame_of(engine, **(self.LABELS | columns))
        with pytest.raises(ValueError, match=message):
            tabulate_frame(frame, "t", "p", count=count, by=by)

    @pytest.mark.parametrize("role", ["true", "pred", "count", "weight", "by"])
    def test_unknown_column(self, engine, role):
        frame = frame_of(engine, **self.LABELS)
        names = {"true": "t", "pred": "p"} | {role: "truth"}
        with pytest.raises(ValueError, match=f"`{role}`.*'truth'; there are 't', 'p'"):
            tabulate_frame(frame, **names)

    @pytest.mark.parametrize("column", ["t", "p", "g"])
    @pytest.mark.parametrize(
        "values",
        [
            ["a", None, "b"],
            pd.Categorical(["a", None, "b"]),
            pd.array([1, None, 2], dtype="Int64"),
            pd.array([True, None, False], dtype="boolean"),
            [1.0, np.nan, 2.0],
        ],
        ids=["string", "categorical", "integer", "boolean", "nan"],
    )
    def test_missing_labels(self, engine, column, values):
        by = "g" if column == "g" else None
        message = f"The column '{column}' must not contain missing values.* Got"
        self.refused(engine, message, by=by, **{column: values})

    @pytest.mark.parametrize(
        ("counts", "got"),
        [
            ([1, 2, -3], "-3"),
            ([1.0, 2.0, -0.5], "-0.5"),
            ([0.5, 0.5, 1.0], "0.5"),
            ([1.0, 2.0, np.nan], "(nan|None)"),
            ([1.0, 2.0, np.inf], "inf"),
            (pd.array([1, 2, None], dtype="Int64"), "(<NA>|None|nan)"),
            ([1, 2, 2**62], "4611686018427387904"),
        ],
        ids=["negative", "fraction", "halves", "nan", "inf", "null", "huge"],
    )
    def test_no_counts(self, engine, counts, got):
        message = f"The column 'n' must hold counts.* Got {got}."
        self.refused(engine, message, count="n", n=counts)

    def test_halves_that_add_up_to_one(self, engine):
        labels = {"t": ["a"] * 2, "p": ["a"] * 2}
        message = "'n' must hold counts.* Got 0.5"
        self.refused(engine, message, count="n", n=[0.5, 0.5], **labels)

    def test_sums_that_floats_do_not_hold(self, engine):
        labels = {"t": ["a"] * 3, "p": ["a"] * 3}
        message = "The column 'n' must have sums below 2⁵³. Got 9007199254740993"
        self.refused(engine, message[:-1], count="n", n=[2**53 - 1, 1, 1], **labels)

    @pytest.mark.parametrize(
        ("counts", "got"),
        [(["1", "2", "x"], "String such as '1'"), ([True] * 3, "Boolean such as True")],
    )
    def test_counts_that_are_no_numbers(self, engine, counts, got):
        self.refused(engine, f"'n' must hold numbers. Got {got}", count="n", n=counts)

    @pytest.mark.parametrize("count", [None, "n"])
    def test_no_rows(self, engine, count):
        frame = ENGINES[engine](pd.DataFrame(self.LABELS | {"n": [1, 2, 3]})[:0])
        with pytest.raises(ValueError, match="no samples: it has no rows"):
            tabulate_frame(frame, "t", "p", count=count)

    def test_only_zeros(self, engine):
        self.refused(engine, "column 'n' is all zero", count="n", n=[0, 0, 0])

    def test_columns_of_different_kinds(self, engine):
        message = (
            "numbers in the column 't' and strings in the column 'p'.*`pred_labels`"
        )
        self.refused(engine, message, t=[1, 1, 1])

    def test_labels_that_are_none(self, engine):
        self.refused(engine, "'t' must hold class labels.* 0.5", t=[0.5, 1.0, 2.0])
        self.refused(
            engine, "'t' must hold.*2026", t=pd.to_datetime(["2026-01-01"] * 3)
        )

    def test_given_labels_that_do_not_fit(self, engine):
        frame = frame_of(engine, **self.LABELS)
        with pytest.raises(ValueError, match=r"labels must .* column 't'.* 'b'"):
            tabulate_frame(frame, "t", "p", labels=["a"])
        with pytest.raises(ValueError, match=r"strings in .* and numbers in labels"):
            tabulate_frame(frame, "t", "p", labels=[0, 1])
        with pytest.raises(ValueError, match=r"pred_labels must contain.*'p'.* 'b'"):
            tabulate_frame(frame, "t", "p", pred_labels=["a"])


def test_mixed_kinds_in_a_column():
    frame = pd.DataFrame({"t": [1, "a", 2], "p": [1, 2, 2], "g": [1, 2, 3]})
    with pytest.raises(
        ValueError,
        match=r"'t' must hold labels of one kind. Got numbers .* \(such as 'a'\)",
    ):
        tabulate_frame(frame, "t", "p")
    with pytest.raises(ValueError, match="column 't' cannot be sorted"):
        tabulate_frame(frame, "p", "g", by="t")


@pytest.mark.parametrize("frame", [np.ones((2, 2)), {"t": [1]}, pd.Series([1])])
def test_no_frame(frame):
    with pytest.raises(TypeError, match=f"an object of type {type(frame).__name__}"):
        tabulate_frame(frame, "t", "p")


def test_names_need_not_be_strings():
    frame = pd.DataFrame({0: [1, 2, 2], 1: [1, 2, 1]})
    assert tabulate_frame(frame, 0, 1).table.tolist() == [[1, 0], [1, 1]]
    with pytest.raises(ValueError, match="Got 2; there are 0, 1"):
        tabulate_frame(frame, 0, 2)


def test_other_errors_name_the_function():
    pl = pytest.importorskip("polars")
    with pytest.raises(ValueError, match=r"LazyFrame; collect it.*`tabulate_frame`"):
        contingency_table(pl.LazyFrame({"t": [1]}), [1])


def test_without_narwhals_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(ImportError, match=r"narwhals.*the extra `frames`"):
        tabulate_frame(pd.DataFrame({"t": [1]}), "t", "t")


def test_counts_of_pandas_that_arrow_holds():
    frame = pd.DataFrame({"t": ["a", "b"], "p": ["b", "b"], "n": [2.0, 3.0]})
    frame["n"] = frame["n"].astype("double[pyarrow]")
    assert tabulate_frame(frame, "t", "p", count="n").table.tolist() == [[0, 2], [0, 3]]
    frame.loc[1, "n"] = 1.5
    with pytest.raises(ValueError, match=r"'n' must hold counts: whole .* Got 1\.5"):
        tabulate_frame(frame, "t", "p", count="n")


@pytest.mark.slow
def test_importing_the_package_does_not_import_narwhals():
    code = (
        "import sys, sklearn.metrics, sklearn.model_selection; "
        "sys.modules.setdefault('narwhals', None); import sklearn_entropy_metrics"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
