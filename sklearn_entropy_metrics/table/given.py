"""Labels, or a table in their place → one table with its classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.table import classes
from sklearn_entropy_metrics.table.checks import check_table
from sklearn_entropy_metrics.table.classes import ClassTable
from sklearn_entropy_metrics.table.tabulate import tabulate_labels

# Samples of folds tell less than as many held-out ones: the fits differ.
_FOLDS_COUNT = 1 / 1.45


def given_table(
    y_true: ArrayLike | None,
    y_pred: ArrayLike | None,
    table: Any,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ClassTable:
    """Tabulate labels, or use the table that was passed instead.

    Columns that are the classes of the rows are put in the order of the rows.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,) or None
        True and predicted labels.

    table : array-like of shape (k, m), sparse table, EntropyBalance, \
            TableAccumulator, pandas data frame, Bunch or None
        The table, instead of the labels; as in :func:`read_table`.

    labels, pred_labels : array-like or None
        The classes of rows and columns, as in :func:`contingency_table`. They name
        those of a bare table.

    sample_weight : array-like of shape (n_samples,), default=None
        As in :func:`contingency_table`, for labels.

    Returns
    -------
    given : ClassTable
    """
    if table is None:
        if y_true is None or y_pred is None:
            raise ValueError("Pass y_true and y_pred, or a table instead.")
        return tabulate_labels(
            y_true,
            y_pred,
            labels=labels,
            pred_labels=pred_labels,
            sample_weight=sample_weight,
        ).aligned()
    if any(y is not None for y in (y_true, y_pred, sample_weight)):
        raise ValueError(
            "table takes the place of y_true, y_pred and sample_weight. Got both."
        )
    given = read_table(table, labels, pred_labels)
    if given.table.ndim > 2:
        raise ValueError(
            f"table must be one table. Got a stack of shape {given.table.shape}."
        )
    return given.aligned()


def read_table(
    table: Any,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    *,
    copy: bool = False,
) -> ClassTable:
    """Check a table, or a stack of tables, and find out its classes.

    Parameters
    ----------
    table : array-like of shape (..., k, m), sparse table, EntropyBalance, \
            TableAccumulator, pandas data frame or Bunch
        A Bunch is what :func:`tabulate_frame` or :func:`cross_val_tables` returns; the
        tables of folds are added up. The classes of a data frame are its index and its
        columns; without `pred_labels` both become their union.

    labels, pred_labels : array-like or None
        The classes of a bare table, by default numbers; None for the columns of a table
        that is not square. Those of any other must be the same as it has.

    copy : bool, default=False
        Whether the table must not share memory with the given one.

    Returns
    -------
    given : ClassTable
    """
    if isinstance(table, ClassTable):
        known = table
    elif hasattr(table, "_class_table"):  # a balance or an accumulator
        known = table._class_table()
    elif isinstance(table, Mapping):
        known = _read_result(table)
    elif hasattr(table, "iloc"):
        known = _read_frame(table, pred_labels)
    else:
        return _read_array(table, labels, pred_labels, copy)
    if not known.is_named:
        return _read_array(known.table, labels, pred_labels, copy)
    _check_names(known.labels, labels, "labels")
    _check_names(known.pred_labels, pred_labels, "pred_labels")
    return known._replace(table=known.table.copy()) if copy else known


def _read_array(table, labels, pred_labels, copy):
    """A bare table, with the names that are given to its classes."""
    table = check_table(table, copy=copy)
    k, m = table.shape[-2:]
    columns = _named(pred_labels, "pred_labels", m, "column")
    rows = _named(labels, "labels", k, "row")
    is_named = rows is not None or columns is not None
    if rows is None:
        rows = np.arange(k) if columns is None or k != m else columns
    if columns is None and k == m:
        columns = rows
    elif columns is rows:  # `pred_labels` alone: they need not be the true classes
        columns = columns.copy()
    return ClassTable(table, rows, columns, is_named=is_named)


def _named(labels, name, length, what):
    if labels is None:
        return None
    named = classes.given_labels(labels, name)
    if len(named) != length:
        raise ValueError(
            f"{name} must name each {what} of the table, {length} in all. "
            f"Got {len(named)} labels."
        )
    return named


def _check_names(axis, labels, name):
    """Refuse names that are not those that the classes have."""
    if labels is None:
        return
    given = classes.given_labels(labels, name).tolist()
    known = None if axis is None else axis.tolist()
    if given != known:
        raise ValueError(
            f"{name} must be None or those of the table, {known}. Got {given}."
        )


def _read_result(result):
    """What `tabulate_frame` or `cross_val_tables` has returned."""
    if result.get("groups") is not None:
        raise ValueError(
            "table must be one table. Got those of several groups: pass one of them, "
            "or compare the groups by `compare_segments`."
        )
    name = "tables" if "tables" in result else "table"
    if name not in result or "labels" not in result:
        raise ValueError(
            "A dict in place of a table must be a result of `tabulate_frame` or "
            f"`cross_val_tables`. Got the keys {list(result)}."
        )
    table, class_weight = check_table(result[name]), result.get("class_weight")
    if name == "tables":
        table = table.sum(axis=0)
        class_weight = None if class_weight is None else class_weight.sum(axis=0)
    rows = np.asarray(result["labels"])
    pred_labels = result.get("pred_labels")
    columns = rows if table.shape[-2] == table.shape[-1] else None
    if pred_labels is not None and list(pred_labels) != rows.tolist():
        columns = np.asarray(pred_labels)
    counted = ClassTable(table, rows, columns, result.get("n_samples"), class_weight)
    n_tested = result.get("n_tested")
    if n_tested is not None:
        size = counted.n_samples * _FOLDS_COUNT / max(1, n_tested)
        counted = counted._replace(size=size, n_tested=n_tested)
    elif table.dtype.kind == "i":
        counted = counted._replace(size=None)  # the total says it
    return counted


def _read_frame(frame, pred_labels):
    """A cross-tabulation of pandas."""
    table = check_table(frame.to_numpy(), copy=True)
    rows = classes.given_labels(frame.index, "the index of the table")
    columns = classes.given_labels(frame.columns, "the columns of the table")
    is_sum = "All" == rows[-1] == columns[-1]  # as crosstab calls it
    if is_sum and np.allclose(table[-1], table[:-1].sum(axis=0)):
        raise ValueError("The table must have no margins. Got sums called 'All'.")
    if pred_labels is not None:
        return ClassTable(table, rows, columns)
    if rows.tolist() != columns.tolist():
        places, rows, _ = classes.number_labels(
            {"the index of the table": rows}, {"the columns of the table": columns}
        )
        cells, table = table, np.zeros((len(rows),) * 2, table.dtype)
        table[np.ix_(*places)] = cells
    return ClassTable(table, rows, rows)
