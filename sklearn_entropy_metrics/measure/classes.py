"""Each class against the rest: tables of many classes → tables of two."""

from typing import Any, Literal

import numpy as np

from sklearn_entropy_metrics.measure.square import (
    diagonal,
    off_diagonal_sums,
    square_table,
)
from sklearn_entropy_metrics.table.tabulate import Table

Average = Literal["binary", "macro", "weighted"] | None


def one_vs_rest(table: Any) -> np.ndarray:
    """Make a 2x2 table of each class of square tables.

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


def split_classes(table: Table, elsewhere: np.ndarray | float = 0.0) -> np.ndarray:
    """As :func:`one_vs_rest`, of checked tables.

    Parameters
    ----------
    table : ndarray of shape (..., k, k) or csr_array
        Counts or weights, true classes in rows.

    elsewhere : ndarray of shape (..., k), default=0.0
        Counts of each true class that were predicted as none of these classes.

    Returns
    -------
    tables : ndarray of shape (..., k, 2, 2)
    """
    # Sums of what is not in a class, rather than differences: they keep their digits.
    right = diagonal(table)
    missed, false = off_diagonal_sums(table)
    missed = missed + elsewhere
    negatives = sum_of_others(right + missed)
    tables = np.stack([np.maximum(negatives - false, 0), false, missed, right], axis=-1)
    return tables.reshape(*tables.shape[:-1], 2, 2)


def average_over_classes(
    values: np.ndarray, support: np.ndarray, average: Average
) -> np.ndarray:
    """Average values of classes along the last axis, leaving undefined ones out.

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
        return (weight * np.where(defined, values, 0)).sum(axis=-1) / weight.sum(
            axis=-1
        )


def check_average(average: Any) -> None:
    """Refuse an unknown way to average."""
    if average not in (None, "binary", "macro", "weighted"):
        raise ValueError(
            f"average must be 'binary', 'macro', 'weighted' or None. Got {average!r}."
        )


def sum_of_others(values: np.ndarray) -> np.ndarray:
    """For each item along the last axis the sum of all others.

    Not the total less the item, which would lose digits where one item dominates.
    """
    before = np.zeros_like(values)
    before[..., 1:] = np.cumsum(values[..., :-1], axis=-1)
    after = np.zeros_like(values)
    after[..., :-1] = np.cumsum(values[..., :0:-1], axis=-1)[..., ::-1]
    return before + after
