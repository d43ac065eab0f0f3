"""Square tables, and each class against the rest: tables of many classes → of two."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.balance.balance import EntropyBalance, TableLike
from sklearn_entropy_metrics.balance.entropy import in_shares, sum_of_others
from sklearn_entropy_metrics.table.checks import Table, check_table
from sklearn_entropy_metrics.table.class_table import ClassTable

__all__ = ["one_vs_rest"]

Average = Literal["binary", "macro", "weighted"] | None


def one_vs_rest(table: TableLike) -> np.ndarray:
    """Make a 2x2 table for each class of square tables.

    Parameters
    ----------
    table : array-like of shape (..., k, k), sparse table or EntropyBalance
        Counts or weights, true classes in rows.

    Returns
    -------
    tables : ndarray of shape (..., k, 2, 2)
        ``[[TN, FP], [FN, TP]]`` of each class.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.one_vs_rest([[5, 1, 0], [2, 4, 0], [0, 3, 6]])[0]
    array([[13.,  2.],
           [ 1.,  5.]])
    """
    tables = np.stack(class_counts(square_table(table)), axis=-1)
    return tables.reshape(*tables.shape[:-1], 2, 2)


def class_tables(counted: ClassTable) -> np.ndarray:
    """Like :func:`one_vs_rest`, for tables whose columns may be of other classes.

    Parameters
    ----------
    counted : ClassTable
        A table with its classes.

    Returns
    -------
    tables : ndarray of shape (n_classes, 2, 2)
        ``[[TN, FP], [FN, TP]]`` of each true class.
    """
    table = counted.table
    if counted.is_square:
        return one_vs_rest(table)
    place = {
        label: i for i, label in enumerate(np.asarray(counted.pred_labels).tolist())
    }
    own = [place.pop(label, -1) for label in counted.labels.tolist()]
    dense = table if isinstance(table, np.ndarray) else table.toarray()
    # Classes that are only predicted get empty rows, and those that never are a column.
    padded = np.pad(dense, ((0, len(place)), (0, 1)))
    return one_vs_rest(padded[:, [*own, *place.values()]])[: len(own)]


def class_counts(table: Table) -> tuple[np.ndarray, ...]:
    """TN, FP, FN and TP of each class of checked square tables, of shape (..., k)."""
    if isinstance(table, np.ndarray) and table.shape[-1] == 2:  # the cells themselves
        cells = table.astype(np.float64).reshape(*table.shape[:-2], 4)
        return tuple(cells[..., [3 - i, i]] for i in range(4))
    right = diagonal(table)
    missed, false = off_diagonal_sums(table)
    neither = sum_of_others(right + missed) - false
    # The difference loses digits where it is small compared with its terms.
    small = neither < false
    if small.any() and not _is_exact(table):
        neither = np.where(small, sums_without(table, small), neither)
    return neither, false, missed, right


def _is_exact(table):
    """Whether all sums of a table are whole numbers that a float can hold."""
    cells = table if isinstance(table, np.ndarray) else table.data
    return cells.dtype.kind == "i" and cells.sum(dtype=np.float64) < 2**53


def average_over_classes(
    values: np.ndarray, support: np.ndarray, average: Average
) -> np.ndarray:
    """Average the values of classes along the last axis, ignoring undefined ones.

    Parameters
    ----------
    values : ndarray of shape (..., k)
        NaN where undefined.

    support : ndarray of shape (..., k)
        Weights for "weighted".

    average : {"macro", "weighted"} or None
        None: no average.

    Returns
    -------
    averages : ndarray of shape (...) or (..., k)
        NaN if all are undefined.
    """
    if average is None:
        return values
    defined = ~np.isnan(values)
    weight = np.where(defined, support if average == "weighted" else 1.0, 0.0)
    with np.errstate(invalid="ignore"):
        mean = (
            weight / weight.sum(axis=-1, keepdims=True) * np.where(defined, values, 0)
        )
    return mean.sum(axis=-1)


def positive_class(labels: list[Any], pos_label: Hashable, matters: bool = True) -> int:
    """Find the positive class of two.

    Parameters
    ----------
    labels : list
        The classes.

    pos_label : label or None
        The positive class.

    matters : bool, default=True
        Whether the measure differs between the two classes. If not, the default of 1
        need not be among the labels.

    Returns
    -------
    place : int
        The index of the positive class among the labels.
    """
    if len(labels) > 2:
        raise ValueError(
            "Target is multiclass but average='binary'. Please choose another average "
            "setting, one of [None, 'macro', 'weighted']."
        )
    if pos_label in labels:
        return labels.index(pos_label)
    if len(labels) == 2 and (matters or pos_label not in (None, 1)):
        raise ValueError(
            f"pos_label={pos_label!r} is not a valid label. It should be one of "
            f"{labels}. Pass the positive class as `pos_label`, and to a scorer as "
            "make_scorer(metric, pos_label=...)."
        )
    return -1


def check_average(average: object, shape: tuple[int, ...] = (2, 2)) -> None:
    """Raise an error for an unknown average, or one that tables do not have."""
    if average not in (None, "binary", "macro", "weighted"):
        raise ValueError(
            f"average must be 'binary', 'macro', 'weighted' or None. Got {average!r}."
        )
    if average == "binary" and shape[-1] != 2:
        raise ValueError(
            "average='binary' takes 2x2 tables [[TN, FP], [FN, TP]]; choose another "
            f"average for more classes. Got shape {shape}."
        )


def square_table(table: TableLike) -> Table:
    """Check a table, and that it has the same classes in rows and columns."""
    table = table.table if isinstance(table, EntropyBalance) else check_table(table)
    if table.shape[-1] != table.shape[-2]:
        raise ValueError(
            "This measure compares each true class with the predictions of the same "
            f"class and needs a square table. Got shape {table.shape}."
        )
    return table


def square_shares(table: TableLike) -> Table:
    """The same in units of the total of each table; see :func:`in_shares`."""
    return in_shares(square_table(table))


def diagonal(table: Table) -> np.ndarray:
    """The diagonals of square tables, as floats."""
    if sp.issparse(table):
        return table.diagonal().astype(np.float64)
    return np.diagonal(table, axis1=-2, axis2=-1).astype(np.float64)


def without_diagonal(table: np.ndarray) -> np.ndarray:
    """Dense square tables with zeros on the diagonal, as floats."""
    wrong = table.astype(np.float64, order="C")
    n_classes = table.shape[-1]
    wrong.reshape(*table.shape[:-2], -1)[..., :: n_classes + 1] = 0
    return wrong


def off_diagonal_sums(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Sums of the rows and of the columns of square tables without the diagonal."""
    if isinstance(table, np.ndarray):
        wrong = without_diagonal(table)
        return wrong.sum(axis=-1), wrong.sum(axis=-2)
    cells = table.tocoo()
    off = cells.row != cells.col
    rows, columns = (
        np.bincount(index[off], cells.data[off], minlength=table.shape[0])
        for index in (cells.row, cells.col)
    )
    return rows, columns


def sums_without(table: Table, classes: np.ndarray) -> np.ndarray:
    """Sums of square tables without the row and the column of a class.

    Parameters
    ----------
    table : ndarray of shape (..., k, k) or csr_array
        Counts or weights.

    classes : ndarray of bool of shape (..., k)
        The requested classes.

    Returns
    -------
    sums : ndarray of shape (..., k)
        Computed without differences, so that they keep their digits.
    """
    if isinstance(table, np.ndarray):
        others = sum_of_others(table.astype(np.float64))
        return without_diagonal(others).sum(axis=-2)
    cells, sums = table.tocoo(), np.zeros(len(classes))
    for k in np.flatnonzero(classes):
        neither = (cells.row != k) & (cells.col != k)
        sums[k] = cells.data[neither].sum(dtype=np.float64)
    return sums
