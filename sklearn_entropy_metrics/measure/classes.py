"""Each class against the rest: tables of many classes → tables of two."""

from typing import Any, Literal

import numpy as np

from sklearn_entropy_metrics.balance.entropy import in_shares, sum_of_others
from sklearn_entropy_metrics.measure.square import (
    diagonal,
    off_diagonal_sums,
    square_table,
    sums_without,
)
from sklearn_entropy_metrics.table.checks import Table
from sklearn_entropy_metrics.table.class_table import ClassTable

Average = Literal["binary", "macro", "weighted"] | None


def one_vs_rest(table: Any) -> np.ndarray:
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
    return split_classes(square_table(table))


def split_classes(table: Table, elsewhere: np.ndarray | None = None) -> np.ndarray:
    """Like :func:`one_vs_rest`, for checked tables.

    Parameters
    ----------
    table : ndarray of shape (..., k, k) or csr_array
        Counts or weights, true classes in rows.

    elsewhere : ndarray of shape (..., k), default=None
        Samples of each true class that were predicted as none of these classes.

    Returns
    -------
    tables : ndarray of shape (..., k, 2, 2)
    """
    tables = np.stack(class_counts(table, elsewhere), axis=-1)
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
        return split_classes(table)
    # Put the column of each true class in its place; a class may have none.
    labels = np.asarray(counted.pred_labels).tolist()
    place = {label: i for i, label in enumerate(labels)}
    known = [place.pop(label, -1) for label in counted.labels.tolist()]
    dense = table if isinstance(table, np.ndarray) else table.toarray()
    padded = np.pad(dense, ((0, 0), (0, 1)))  # the last column, at -1, is empty
    elsewhere = dense[:, list(place.values())].sum(axis=1)
    return split_classes(padded[:, known], elsewhere)


def class_counts(
    table: Table, elsewhere: np.ndarray | None = None
) -> tuple[np.ndarray, ...]:
    """TN, FP, FN and TP of each class, as in :func:`split_classes`, shape (..., k)."""
    right = diagonal(table)
    missed, false = off_diagonal_sums(table)
    if elsewhere is not None:
        missed = missed + elsewhere
    neither = sum_of_others(right + missed) - false
    # The difference loses digits where it is small compared with its terms.
    small = neither < false
    if small.any() and not _is_exact(table):
        summed = sums_without(table, small)
        if elsewhere is not None:
            summed = summed + sum_of_others(np.asarray(elsewhere, dtype=np.float64))
        neither = np.where(small, summed, neither)
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
    support = in_shares(support[..., np.newaxis])[..., 0]
    defined = ~np.isnan(values)
    weight = np.where(defined, support if average == "weighted" else 1.0, 0.0)
    with np.errstate(invalid="ignore"):
        return (weight * np.where(defined, values, 0)).sum(axis=-1) / weight.sum(
            axis=-1
        )


def positive_class(labels: list[Any], pos_label: Any, matters: bool = True) -> int:
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


def check_average(average: Any) -> None:
    """Raise an error for an unknown average."""
    if average not in (None, "binary", "macro", "weighted"):
        raise ValueError(
            f"average must be 'binary', 'macro', 'weighted' or None. Got {average!r}."
        )
