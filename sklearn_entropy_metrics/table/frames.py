"""Columns of a data frame of any kind → a table, counted where the data are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn import get_config
from sklearn.utils import Bunch

from sklearn_entropy_metrics.table.checks import check_memory
from sklearn_entropy_metrics.table.classes import choose_sides, encode_given
from sklearn_entropy_metrics.table.labels import (
    check_kinds,
    encode,
    is_missing,
    share_sides,
)
from sklearn_entropy_metrics.table.tabulate import NAME_PREDICTED

# Sums of whole numbers are exact in floats below this.
_LARGEST = 2**53


def tabulate_frame(
    frame: Any,
    true: str,
    pred: str,
    *,
    count: str | None = None,
    by: str | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
) -> Bunch:
    """Count the pairs of true and predicted classes in two columns of a data frame.

    The engine of the frame groups and counts where the data are; only the cells of the
    table come back. It accepts every frame that narwhals reads: pandas, polars (eager
    or lazy), pyarrow, DuckDB and Ibis relations, Dask, PySpark and others.

    Read more in the :ref:`User Guide <scale>`.

    Parameters
    ----------
    frame : data frame, lazy frame or relation
        One row for each sample, or one for each pair of classes with its `count`.

    true : str
        The column of the true labels.

    pred : str
        The column of the predicted labels.

    count : str, default=None
        A column of counts: how many samples the row stands for. By default each row is
        one sample.

    by : str, default=None
        A column of groups. Each group gets its own table.

    labels : array-like of shape (n_classes,), default=None
        The true classes, in the order of the rows of the table. By default the sorted
        labels in both columns; if `pred_labels` is given, those in the column `true`.
        Labels that occur only in rows with a count of zero are ignored.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, in the order of the columns of the table. By default the
        same as the rows.

    Returns
    -------
    result : :class:`~sklearn.utils.Bunch`
        A dictionary with the attributes

        table : ndarray of shape (n_classes, n_pred_classes), or \
                (n_groups, n_classes, n_pred_classes) with `by`
            Counts, of dtype int64. A single table that does not fit into scikit-learn's
            `working_memory` is a :class:`scipy.sparse.csr_array`.
        labels : ndarray of shape (n_classes,)
            The classes of the rows.
        pred_labels : ndarray of shape (n_pred_classes,)
            The classes of the columns.
        groups : ndarray of shape (n_groups,) or None
            The sorted values of the column `by`.

    See Also
    --------
    contingency_table : The table of two arrays.
    information_report : A report of such a table, by ``table=`` and ``labels=``.

    Notes
    -----
    This function needs the package narwhals, which the extra `frames` installs.

    Examples
    --------
    >>> import polars
    >>> from sklearn_entropy_metrics import tabulate_frame
    >>> frame = polars.LazyFrame(
    ...     {
    ...         "animal": ["cat", "cat", "dog", "cat"],
    ...         "prediction": ["cat", "dog", "dog", "cat"],
    ...         "n": [5, 1, 7, 3],
    ...     }
    ... )
    >>> result = tabulate_frame(frame, "animal", "prediction", count="n")
    >>> result.table
    array([[8, 1],
           [0, 7]])
    >>> result.labels.tolist()
    ['cat', 'dog']
    """
    try:
        import narwhals as nw
    except ImportError as error:
        raise ImportError(
            "tabulate_frame needs the package narwhals, which the extra `frames` of "
            "sklearn-entropy-metrics installs."
        ) from error
    columns = {"true": true, "pred": pred, "by": by, "count": count}
    columns = {role: name for role, name in columns.items() if name is not None}
    try:
        lazy = nw.from_native(frame).lazy()
    except TypeError as error:
        raise TypeError(
            "`frame` must be a data frame that narwhals reads, got an object of type "
            f"{type(frame).__name__} instead."
        ) from error
    cells = _count(_select(lazy, columns), columns)
    if not any(cells["count"]):
        raise ValueError(
            "The frame holds no samples: it has no rows"
            + ("." if count is None else f", or the column {count!r} is all zero.")
        )
    return _place(cells, columns, labels, pred_labels)


def _select(frame, columns):
    """The columns in question, under the names of their roles."""
    import narwhals as nw

    names = frame.collect_schema().names()
    for role, name in columns.items():
        if name not in names:
            raise ValueError(
                f"`{role}` must be a column of the frame, got {name!r} instead. "
                f"There are {', '.join(map(repr, names))}."
            )
    return frame.select(nw.col(name).alias(role) for role, name in columns.items())


def _count(frame, columns):
    """The pairs of labels that there are, and their counts, as lists by roles."""
    import narwhals as nw

    keys = [role for role in columns if role != "count"]
    if "count" not in columns:
        cells = frame.group_by(*keys).agg(nw.len().alias("count")).collect()
        return {name: cells[name].to_list() for name in cells.columns}
    checked = _with_valid_counts(frame, columns["count"])
    valid = nw.col("valid")
    cells = (
        checked.group_by(*keys)
        .agg(
            valid.sum().alias("count"),
            valid.count().alias("known"),
            nw.len().alias("rows"),
        )
        .collect()
    )
    lists = {name: cells[name].to_list() for name in cells.columns}
    if lists["known"] != lists["rows"]:
        _refuse_counts(checked, columns["count"])
    if max(lists["count"], default=0) >= _LARGEST:
        raise ValueError(
            f"The column {columns['count']!r} must have sums below 2⁵³, got "
            f"{max(lists['count']):.0f} in one cell of the table instead."
        )
    return lists


def _with_valid_counts(frame, name):
    """A column of counts as floats that is null where they are no counts."""
    import narwhals as nw

    dtype = frame.collect_schema()["count"]
    if not dtype.is_numeric():
        values = frame.select("count").head(1).collect()["count"].to_list()
        raise ValueError(
            f"The column {name!r} must hold numbers, got {dtype}"
            + "".join(f" such as {value!r}" for value in values)
            + " instead."
        )
    number = nw.col("count")
    is_count = (number >= 0) & (number < _LARGEST)
    if not dtype.is_integer():
        frame = frame.with_columns(number.cast(nw.Float64))
        is_count = is_count & (number % 1 == 0)
    frame = frame.with_columns(nw.when(is_count).then(number).alias("valid"))
    return frame.with_columns(nw.col("valid").cast(nw.Float64))


def _refuse_counts(frame, name):
    import narwhals as nw

    bad = frame.filter(nw.col("valid").is_null()).select("count").head(1).collect()
    raise ValueError(
        f"The column {name!r} must hold counts: whole numbers from 0 to 2⁵³ - 1, none "
        f"missing, got {bad['count'].to_list()[0]!r} instead."
    )


def _place(cells, columns, labels, pred_labels):
    """Put each count into its place of the table."""
    counts = np.array(cells["count"], dtype=np.int64)
    seen = counts > 0
    arrays = {
        f"y_{role}": encode(cells[role], f"The column {columns[role]!r}")
        for role in ("true", "pred")
    }
    for name, given in {"labels": labels, "pred_labels": pred_labels}.items():
        if given is not None:
            arrays[name] = encode_given(given, name)
    _check_kinds(arrays, cells, columns)
    sides, places = _classes(arrays, seen, columns)
    shape = len(sides[0].places), len(sides[1].places)
    groups = None
    if "by" in columns:
        groups, group = _groups(cells["by"], seen, columns["by"])
        table = _stack(counts[seen], (group, *places), (len(groups), *shape))
    else:
        table = _table(counts[seen], places, shape)
    return Bunch(
        table=table, labels=sides[0].labels, pred_labels=sides[1].labels, groups=groups
    )


def _classes(arrays, seen, columns):
    """The classes of rows and columns, and those of each pair of labels seen."""
    codes, spaces = share_sides(arrays, len(seen))
    places = [codes[name].from_zero()[seen] for name in ("y_true", "y_pred")]
    marks = {
        f"the column {columns[role]!r}": space.mark(place)
        for role, space, place in zip(("true", "pred"), spaces, places, strict=True)
    }
    sides = choose_sides(codes, spaces, marks)
    return sides, [side.numbering()[p] for side, p in zip(sides, places, strict=True)]


def _check_kinds(arrays, cells, columns):
    """Raise an error that names the columns if labels are of different kinds."""
    true, pred = arrays["y_true"], arrays["y_pred"]
    if "pred_labels" not in arrays and true.kind != pred.kind:
        raise ValueError(
            "The columns of true and predicted labels must be of one kind. Got "
            f"{true.kind}s in {columns['true']!r} (such as {cells['true'][0]!r}) and "
            f"{pred.kind}s in {columns['pred']!r} (such as {cells['pred'][0]!r}). "
            + NAME_PREDICTED
        )
    for name, role in (("labels", "true"), ("pred_labels", "pred")):
        if name in arrays:
            column = f"the column {columns[role]!r}"
            check_kinds({name: arrays[name], column: arrays[f"y_{role}"]})


def _groups(values, seen, name):
    """The sorted groups, and the number of the group of each pair of labels seen."""
    missing = [value for value in values if is_missing(value)]
    if missing:
        raise ValueError(
            f"The column {name!r} must not contain missing values; got {missing[0]!r}."
        )
    some = [values[place] for place in np.flatnonzero(seen)]
    try:
        groups = sorted(set(some))
    except TypeError as error:
        raise ValueError(f"The column {name!r} cannot be sorted: {error}.") from error
    number = {group: place for place, group in enumerate(groups)}
    return np.array(groups), np.array([number[value] for value in some])


def _stack(counts, places, shape):
    n_bytes = 8 * math.prod(shape)
    check_memory(n_bytes, "The tables of all groups", "use fewer groups")
    tables = np.zeros(shape, dtype=np.int64)
    np.add.at(tables, places, counts)
    return tables


def _table(counts, places, shape):
    cells = sp.coo_array((counts, tuple(places)), shape=shape)
    if 8 * shape[0] * shape[1] <= get_config()["working_memory"] * 2**20:
        return cells.toarray()
    return cells.tocsr()
