"""Labels, or a table in their place → one table with its classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.table.checks import check_table
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.classes import Classes, given_labels, number_labels
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
    sparse: bool | Literal["auto"] = "auto",
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

    sample_weight, sparse
        As in :func:`contingency_table`, for labels.

    Returns
    -------
    given : ClassTable
    """
    arrays = [y for y in (y_true, y_pred, sample_weight) if y is not None]
    if table is not None and arrays:
        raise ValueError(
            "table takes the place of y_true, y_pred and sample_weight: pass one or "
            "the other, not both."
        )
    if table is not None:
        given = read_table(table, labels, pred_labels)
        if given.table.ndim > 2:
            raise ValueError(
                "One table is needed, of shape (k, m). Got a stack of shape "
                f"{given.table.shape}."
            )
        return given.aligned()
    if y_true is None or y_pred is None:
        raise ValueError("Pass y_true and y_pred, or a table instead.")
    return tabulate_labels(
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
        sparse=sparse,
    ).aligned()


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
    _check_names(known.rows, labels, "labels")
    _check_names(known.columns, pred_labels, "pred_labels")
    return known._replace(table=known.table.copy()) if copy else known


def _read_array(table, labels, pred_labels, copy):
    """A bare table, with the names that are given to its classes."""
    table = check_table(table, copy=copy)
    k, m = table.shape[-2:]
    columns = _named(pred_labels, "pred_labels", m, "column")
    rows = _named(labels, "labels", k, "row")
    is_named = rows is not None or columns is not None
    if rows is None:
        rows = columns if columns and k == m else Classes.of(np.arange(k))
    if columns is None and k == m:
        columns = rows
    elif columns is rows:  # `pred_labels` alone: they need not be the true classes
        columns = Classes.of(columns.labels)
    return ClassTable(table, rows, columns, is_named=is_named)


def _named(labels, name, length, what):
    if labels is None:
        return None
    named = Classes.of(given_labels(labels, name))
    if len(named.places) != length:
        raise ValueError(
            f"{name} must name each {what} of the table, {length} in all. "
            f"Got {len(named.places)} labels."
        )
    return named


def _check_names(classes, labels, name):
    """Refuse names that are not those that the classes have."""
    if labels is None:
        return
    given = given_labels(labels, name).tolist()
    known = None if classes is None else classes.labels.tolist()
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
    rows = Classes.of(np.asarray(result["labels"]))
    pred_labels = result.get("pred_labels")
    columns = rows if table.shape[0] == table.shape[1] else None
    if pred_labels is not None and list(pred_labels) != rows.labels.tolist():
        columns = Classes.of(np.asarray(pred_labels))
    found = ClassTable(table, rows, columns, result.get("n_samples"), class_weight)
    n_tested = result.get("n_tested")
    if n_tested is not None:
        size = found.n_samples * _FOLDS_COUNT / max(1, n_tested)
        found = found._replace(size=size, n_tested=n_tested)
    elif table.dtype.kind == "i":
        found = found._replace(size=None)  # the total says it
    return found


def _read_frame(frame, pred_labels):
    """A cross-tabulation of pandas."""
    table = check_table(frame.to_numpy(), copy=True)
    index, columns = (
        Classes.of(given_labels(labels, f"The {name} of the table"))
        for labels, name in ((frame.index, "index"), (frame.columns, "columns"))
    )
    if pred_labels is not None:
        return ClassTable(table, index, columns)
    if index.labels.tolist() == columns.labels.tolist():
        return ClassTable(table, index, index)
    numbers, rows, _ = number_labels(
        {"the index of the table": index.labels},
        {"the columns of the table": columns.labels},
    )
    square = np.zeros((len(rows.places), len(rows.places)), table.dtype)
    square[np.ix_(*numbers)] = table
    return ClassTable(square, rows, rows)
