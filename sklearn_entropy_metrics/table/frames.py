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
from sklearn_entropy_metrics.table.classes import number_labels
from sklearn_entropy_metrics.table.labels import encode, is_missing

# Sums of whole numbers are exact in floats below this.
_LARGEST = 2**53
_RULES = {
    "count": "counts: whole numbers from 0 to 2⁵³ - 1",
    "weight": "weights: non-negative finite numbers",
}


def tabulate_frame(
    frame: Any,
    true: str,
    pred: str,
    *,
    count: str | None = None,
    weight: str | None = None,
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

    weight : str, default=None
        A column of weights, which are summed instead. Not together with `count`.

    by : str, default=None
        A column of groups. Each group gets its own table.

    labels : array-like of shape (n_classes,), default=None
        The true classes, in the order of the rows of the table. By default the sorted
        labels in both columns; if `pred_labels` is given, those in the column `true`.
        Labels that occur only in rows with a count or weight of zero are ignored.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, in the order of the columns of the table. By default the
        same as the rows.

    Returns
    -------
    result : :class:`~sklearn.utils.Bunch`
        A dictionary with the attributes

        table : ndarray of shape (n_classes, n_pred_classes), or \
                (n_groups, n_classes, n_pred_classes) with `by`
            Counts, of dtype int64, or sums of weights, of dtype float64. A single table
            that does not fit into scikit-learn's `working_memory` is a
            :class:`scipy.sparse.csr_array`.
        labels : ndarray of shape (n_classes,)
            The classes of the rows.
        pred_labels : ndarray of shape (n_pred_classes,)
            The classes of the columns.
        groups : ndarray of shape (n_groups,) or None
            The sorted values of the column `by`.
        n_samples : int or float, or ndarray of shape (n_groups,) with `by`
            The number of samples; with `weight` the effective number, the square of the
            sum of the weights divided by the sum of their squares.

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
    if count is not None and weight is not None:
        raise ValueError(
            "`count` and `weight` cannot be combined. Got the columns "
            f"{count!r} and {weight!r}."
        )
    columns = {"true": true, "pred": pred, "by": by, "count": count, "weight": weight}
    used = {role: name for role, name in columns.items() if name is not None}
    try:
        lazy = nw.from_native(frame).lazy()
    except TypeError as error:
        raise TypeError(
            "`frame` must be a data frame that narwhals reads. Got an object of type "
            f"{type(frame).__name__}."
        ) from error
    names = lazy.collect_schema().names()
    for role, name in used.items():
        if name not in names:
            raise ValueError(
                f"`{role}` must be a column of the frame. Got {name!r}; there are "
                f"{', '.join(map(repr, names))}."
            )
    selected = lazy.select(nw.col(name).alias(role) for role, name in used.items())
    cells = _count(nw, selected, used)
    if not any(cells["amount"]):
        amount = weight if count is None else count
        raise ValueError(
            "The frame holds no samples: it has no rows"
            + ("." if amount is None else f", or the column {amount!r} is all zero.")
        )
    return _place(cells, used, labels, pred_labels)


def _count(nw, frame, columns):
    """The pairs of labels that there are, and their amounts, as lists by roles."""
    keys = [role for role in columns if role in ("true", "pred", "by")]
    role = next((role for role in ("count", "weight") if role in columns), None)
    sums = {"amount": nw.len()}
    if role is not None:
        frame = _with_valid_amounts(nw, frame, role, columns[role])
        valid = nw.col("valid")
        sums = {"amount": valid.sum(), "known": valid.count(), "rows": nw.len()}
    if role == "weight":
        frame = frame.with_columns((valid * valid).alias("square"))
        sums["squares"] = nw.col("square").sum()
    named = (value.alias(name) for name, value in sums.items())
    cells = frame.group_by(*keys).agg(*named).collect()
    lists = {name: cells[name].to_list() for name in cells.columns}
    if role is not None and lists["known"] != lists["rows"]:
        bad = frame.filter(nw.col("valid").is_null()).select(role).head(1).collect()
        raise ValueError(
            f"The column {columns[role]!r} must hold {_RULES[role]}, none missing. Got "
            f"{bad[role].to_list()[0]!r}."
        )
    largest = max(lists["amount"], default=0)
    if role == "count" and largest >= _LARGEST:
        raise ValueError(
            f"The column {columns[role]!r} must have sums below 2⁵³. Got {largest:.0f} "
            "in one cell of the table."
        )
    return lists


def _with_valid_amounts(nw, frame, role, name):
    """A column of counts or weights as floats, null where they are none."""
    dtype = frame.collect_schema()[role]
    if not dtype.is_numeric():
        values = frame.select(role).head(1).collect()[role].to_list()
        example = "".join(f" such as {value!r}" for value in values)
        raise ValueError(
            f"The column {name!r} must hold numbers. Got {dtype}{example}."
        )
    number = nw.col(role)
    is_valid = (number >= 0) & (number < (_LARGEST if role == "count" else math.inf))
    if not dtype.is_integer():
        frame = frame.with_columns(number.cast(nw.Float64))
        if role == "count":
            is_valid = is_valid & (number.round() == number)
    frame = frame.with_columns(nw.when(is_valid).then(number).alias("valid"))
    # Not before: pyarrow refuses to cast integers that a float cannot hold.
    return frame.with_columns(nw.col("valid").cast(nw.Float64))


def _place(cells, columns, labels, pred_labels):
    """Put each amount into its place of the table."""
    is_weighted = "weight" in columns
    amounts = np.array(cells["amount"], dtype=np.float64 if is_weighted else np.int64)
    seen = amounts > 0
    true, pred = (
        {f"the column {name!r}": encode(cells[role], f"The column {name!r}")}
        for role, name in (("true", columns["true"]), ("pred", columns["pred"]))
    )
    numbers, rows, pred_classes = number_labels(
        true, pred, labels=labels, pred_labels=pred_labels, weight=amounts
    )
    shape: tuple[int, ...] = len(rows), len(pred_classes)
    places, amounts = tuple(number[seen] for number in numbers), amounts[seen]
    groups, group = None, np.zeros(len(amounts), dtype=np.intp)
    if "by" in columns:
        groups, group = _groups(cells["by"], seen, columns["by"])
        shape, places = (len(groups), *shape), (group, *places)
    table = _fill(amounts, places, shape)
    sizes = np.atleast_1d(table.sum(axis=-1).sum(axis=-1))
    if is_weighted:
        squares = np.bincount(group, np.array(cells["squares"])[seen])
        if not (np.isfinite(sizes) & np.isfinite(squares) & (squares > 0)).all():
            raise ValueError(
                f"The column {columns['weight']!r} must hold weights whose squares can "
                f"be added up, between 1e-150 and 1e150. Got sums of {sizes.tolist()}."
            )
        sizes = sizes**2 / squares
    return Bunch(
        table=table,
        labels=rows,
        pred_labels=pred_classes,
        groups=groups,
        n_samples=sizes.item() if groups is None else sizes,
    )


def _groups(values, seen, name):
    """The sorted groups, and the number of the group of each pair of labels seen."""
    missing = [value for value in values if is_missing(value)]
    if missing:
        raise ValueError(
            f"The column {name!r} must not contain missing values. Got {missing[0]!r}."
        )
    some = np.fromiter(values, object, len(values))
    try:
        groups, group = np.unique(some[seen], return_inverse=True)
    except TypeError as error:
        raise ValueError(f"The column {name!r} cannot be sorted: {error}.") from error
    return np.array(groups.tolist()), group


def _fill(amounts, places, shape):
    """A table, sparse if it would be too large, or a stack of tables."""
    n_bytes = 8 * math.prod(shape)
    if len(shape) == 2 and n_bytes > get_config()["working_memory"] * 2**20:
        return sp.coo_array((amounts, places), shape=shape).tocsr()
    check_memory(n_bytes, "The tables of all groups", "use fewer groups")
    table = np.zeros(shape, dtype=amounts.dtype)
    np.add.at(table, places, amounts)
    return table
