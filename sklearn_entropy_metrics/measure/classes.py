"""Each class against the rest: tables of many classes → tables of two."""

from typing import Any, Literal

import numpy as np

from sklearn_entropy_metrics.balance.scale import is_extreme, lift
from sklearn_entropy_metrics.measure.square import (
    diagonal,
    off_diagonal_sums,
    square_table,
    sum_of_others,
    sums_without_class,
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
    right = diagonal(table)
    missed, false = off_diagonal_sums(table)
    elsewhere = elsewhere + np.zeros_like(right)
    neither = sums_without_class(table) + sum_of_others(elsewhere)
    tables = np.stack([neither, false, missed + elsewhere, right], axis=-1)
    return tables.reshape(*tables.shape[:-1], 2, 2)


def correlation(tables: np.ndarray) -> np.ndarray:
    """Matthews correlation of classes, from the table of each against the rest.

    Parameters
    ----------
    tables : ndarray of shape (..., k, 2, 2)
        Each of the same samples, and not extreme.

    Returns
    -------
    mcc : ndarray of shape (...)
    """
    (tn, fp), (fn, tp) = np.moveaxis(tables, (-2, -1), (0, 1))
    # Products at a scale where they are finite and the larger ones are not zero.
    _, exponent = np.frexp(tables[..., :1, :, :].sum(axis=(-2, -1)))
    scale = np.ldexp(1.0, -exponent)

    def product(a, b):
        return np.minimum(a, b) * (np.maximum(a, b) * scale)

    covariance = (product(tp, tn) - product(fp, fn)).sum(axis=-1)
    of_true = product(tp + fn, fp + tn).sum(axis=-1)
    of_pred = product(tp + fp, fn + tn).sum(axis=-1)
    low, high = np.minimum(of_true, of_pred), np.maximum(of_true, of_pred)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.clip(covariance / (np.sqrt(high / low) * low), -1, 1)


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
    if is_extreme(support):
        support = lift(support, support.sum(axis=-1, keepdims=True))
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
