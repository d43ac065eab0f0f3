"""Square tables, and each class against the rest: tables of many classes → of two.

A measure of classes is a formula of their TN, FP, FN and TP. It takes arrays of shape
(..., k) and returns one of shape (...). Tables and gradients both use it, so it must be
analytic: a gradient is its value at complex numbers. Conditions look at the real part.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Literal

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.balance.balance import (
    EntropyBalance,
    Number,
    TableLike,
    float_or_array,
)
from sklearn_entropy_metrics.balance.entropy import in_shares, sum_of_others
from sklearn_entropy_metrics.table.checks import Table, check_table
from sklearn_entropy_metrics.table.classes import ClassTable

__all__ = ["one_vs_rest"]

Average = Literal["binary", "macro", "weighted"] | None
Formula = Callable[..., np.ndarray]


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
    columns = np.asarray(counted.pred_labels).tolist()
    place = {label: i for i, label in enumerate(columns)}
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
    is_exact = table.dtype.kind == "i" and table.sum(dtype=np.float64) < 2**53
    if small.any() and not is_exact:
        neither = np.where(small, sums_without(table, small), neither)
    return neither, false, missed, right


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
        share = weight / weight.sum(axis=-1, keepdims=True)
    return (share * np.where(defined, values, 0)).sum(axis=-1)


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


def without_diagonal(table: Table) -> Any:
    """Square tables without their diagonals, as floats."""
    if isinstance(table, np.ndarray):
        wrong = table.astype(np.float64, order="C")
        wrong.reshape(*table.shape[:-2], -1)[..., :: table.shape[-1] + 1] = 0
        return wrong
    cells = table.tocoo()
    off = cells.row != cells.col
    parts = cells.data[off].astype(np.float64), (cells.row[off], cells.col[off])
    return sp.coo_array(parts, table.shape)


def off_diagonal_sums(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Sums of the rows and of the columns of square tables without the diagonal."""
    wrong = without_diagonal(table)
    return wrong.sum(axis=-1), wrong.sum(axis=-2)


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


def measure_classes(name: str, table: TableLike, **average: Average) -> Number:
    """Measure square tables by a formula, with `average` if it has one for a class."""
    table = square_shares(table)
    for choice in average.values():
        check_average(choice, table.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float_or_array(FORMULAS[name](*class_counts(table), **average))


def _averaged(formula: Formula) -> Formula:
    """The value of the second class of two, or an average over those that occur."""

    def of_classes(tn, fp, fn, tp, average: Average = "binary"):
        occurs = tp + fp + fn + (tn if average == "binary" else 0)
        values = np.where(occurs.real > 0, formula(tn, fp, fn, tp), np.nan)
        if average == "binary":
            return values[..., 1]
        return average_over_classes(values, tp + fn, average)

    return of_classes


def _ratio(part: int, *whole: int) -> Formula:
    """A multiple of TP over a sum of TP, FP and FN, or 0 if that is 0."""

    def of_class(tn, fp, fn, tp):
        below = whole[0] * tp + whole[1] * fp + whole[2] * fn
        return np.where(below.real > 0, part * tp / below, 0.0)

    return _averaged(of_class)


def _of_rates(formula: Formula) -> Formula:
    """A formula of the rates of true negatives, false positives and so on.

    All four are ratios of counts, so no formula has to subtract one from 1, which would
    lose the digits of a small rate.
    """

    def of_class(tn, fp, fn, tp):
        negative, positive = tn + fp, fn + tp
        return formula(tn / negative, fp / negative, fn / positive, tp / positive)

    return _averaged(of_class)


def _of_shares(formula: Formula) -> Formula:
    """A linear formula of shares of all samples; NaN unless both classes occur."""

    def of_class(tn, fp, fn, tp):
        total = np.where((tn + fp) * (fn + tp) > 0, tn + fp + fn + tp, np.nan)
        return formula(tn, fp, fn, tp) / total

    return _averaged(of_class)


def _unbiased_correlation(tnr, fpr, fnr, tpr):
    # Two ratios, each of at most 1, rather than one of products that might vanish.
    positive, negative = np.sqrt(tpr + fpr), np.sqrt(tnr + fnr)
    right = (tpr / positive) * (tnr / negative)
    return right - (fpr / positive) * (fnr / negative)


def _correlation(tn, fp, fn, tp):
    covariance = (tp * tn - fp * fn).sum(axis=-1)
    of_true = ((tp + fn) * (tn + fp)).sum(axis=-1)
    of_pred = ((tp + fp) * (tn + fn)).sum(axis=-1)
    low, high = np.minimum(of_true, of_pred), np.maximum(of_true, of_pred)
    return covariance / (np.sqrt(high / low) * low)


def _kappa(tn, fp, fn, tp):
    total = (tp + fn).sum(axis=-1, keepdims=True)
    expected = ((tp + fn) / total * (tn + fn)).sum(axis=-1)
    return 1 - fn.sum(axis=-1) / expected


FORMULAS: dict[str, Formula] = {
    "matthews_corrcoef": _correlation,
    "cohen_kappa": _kappa,
    "balanced_accuracy": partial(
        _averaged(lambda tn, fp, fn, tp: tp / (tp + fn)), average="macro"
    ),
    "precision": _ratio(1, 1, 1, 0),
    "recall": _ratio(1, 1, 0, 1),
    "f1": _ratio(2, 2, 1, 1),
    "jaccard": _ratio(1, 1, 1, 1),
    "corrected_phi": _of_shares(lambda tn, fp, fn, tp: 2 * (fp - fn)),
    "corrected_delta": _of_shares(lambda tn, fp, fn, tp: tp + tn - fp - fn),
    "characteristic_capability": _of_rates(
        lambda tnr, fpr, fnr, tpr: tpr * fpr - tnr * fnr
    ),
    "discriminant_capability": _of_rates(
        lambda tnr, fpr, fnr, tpr: tpr * tnr - fpr * fnr
    ),
    "unbiased_accuracy": _of_rates(lambda tnr, fpr, fnr, tpr: (tnr + tpr) / 2),
    "unbiased_precision": _of_rates(lambda tnr, fpr, fnr, tpr: tpr / (tpr + fpr)),
    "unbiased_npv": _of_rates(lambda tnr, fpr, fnr, tpr: tnr / (tnr + fnr)),
    "unbiased_f1": _of_rates(lambda tnr, fpr, fnr, tpr: 2 * tpr / (tpr + fpr + 1)),
    "unbiased_matthews_corrcoef": _of_rates(_unbiased_correlation),
}
