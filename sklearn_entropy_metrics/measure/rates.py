"""φ and δ of tables, and the unbiased family.

The functions of tables take 2x2 tables ``[[TN, FP], [FN, TP]]`` or stacks of them. With
`average` they take square tables of more classes and average over the classes, each
against the rest. They depend only on the rates, not on the ratio of the classes.
Undefined values are NaN.
"""

from __future__ import annotations

from sklearn_entropy_metrics.balance.balance import Number, TableLike
from sklearn_entropy_metrics.measure.against_rest import Average, measure_classes
from sklearn_entropy_metrics.table.checks import check_flags

__all__ = [
    "characteristic_capability",
    "discriminant_capability",
    "phi_delta",
    "unbiased_accuracy",
    "unbiased_f1",
    "unbiased_matthews_corrcoef",
    "unbiased_npv",
    "unbiased_precision",
]


def phi_delta(
    table: TableLike, *, average: Average = "binary", prevalence_corrected: bool = False
) -> tuple[Number, Number]:
    r"""Characteristic and discriminant capability, φ and δ, of tables.

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    prevalence_corrected : bool, default=False
        Whether to return :math:`\varphi_g` and :math:`\delta_g`, which take the class
        ratio of the table into account: :math:`\delta_g` is twice the accuracy minus 1.

    Returns
    -------
    phi, delta : float or ndarray of shape (...) or (..., k)
        Both between -1 and 1. NaN without positives or without negatives.

    See Also
    --------
    sklearn_entropy_metrics.phi_delta : The same from labels, with the reference.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> phi, delta = measure.phi_delta([[90, 10], [5, 15]])
    >>> round(phi, 3), round(delta, 3)
    (-0.15, 0.65)
    """
    check_flags(prevalence_corrected=prevalence_corrected)
    names = ("characteristic_capability", "discriminant_capability")
    if prevalence_corrected:
        names = ("corrected_phi", "corrected_delta")
    phi, delta = (measure_classes(name, table, average=average) for name in names)
    return phi, delta


def discriminant_capability(table: TableLike, *, average: Average = "binary") -> Number:
    """Discriminant capability of tables, δ = tp - fp.

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    delta : float or ndarray
        Between -1 and 1 (best). NaN without positives or without negatives.

    See Also
    --------
    sklearn_entropy_metrics.discriminant_capability_score : The same from labels, with
        the reference.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.discriminant_capability([[90, 10], [5, 15]]), 3)
    0.65
    """
    return measure_classes("discriminant_capability", table, average=average)


def characteristic_capability(
    table: TableLike, *, average: Average = "binary"
) -> Number:
    """Characteristic capability of tables, φ = tp + fp - 1.

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    phi : float or ndarray
        Between -1 (always negative) and 1 (always positive); 0 is without bias. NaN
        without positives or without negatives.

    See Also
    --------
    sklearn_entropy_metrics.characteristic_capability : The same from labels, with the
        reference.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.characteristic_capability([[90, 10], [5, 15]]), 3)
    -0.15
    """
    return measure_classes("characteristic_capability", table, average=average)


def unbiased_accuracy(table: TableLike, *, average: Average = "binary") -> Number:
    """Accuracy that the rates would give on balanced classes.

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    accuracy : float or ndarray
        Between 0 and 1 (best). NaN without positives or without negatives.

    See Also
    --------
    sklearn_entropy_metrics.unbiased_accuracy_score : The same from labels, with
        the reference.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.unbiased_accuracy([[90, 10], [5, 15]]), 3)
    0.825
    """
    return measure_classes("unbiased_accuracy", table, average=average)


def unbiased_precision(table: TableLike, *, average: Average = "binary") -> Number:
    """Precision that the rates would give on balanced classes, tp / (tp + fp).

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    precision : float or ndarray
        Between 0 and 1 (best). NaN also if nothing is predicted to be positive.

    See Also
    --------
    sklearn_entropy_metrics.unbiased_precision_score : The same from labels, with
        the reference.
    unbiased_npv : The same for the negative class.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.unbiased_precision([[90, 10], [5, 15]]), 3)
    0.882
    """
    return measure_classes("unbiased_precision", table, average=average)


def unbiased_npv(table: TableLike, *, average: Average = "binary") -> Number:
    """Negative predictive value that the rates would give on balanced classes.

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    npv : float or ndarray
        Between 0 and 1 (best). NaN also if nothing is predicted to be negative.

    See Also
    --------
    unbiased_precision : The same for the positive class.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.unbiased_npv([[90, 10], [5, 15]]), 3)
    0.783
    """
    return measure_classes("unbiased_npv", table, average=average)


def unbiased_f1(table: TableLike, *, average: Average = "binary") -> Number:
    """F1 that the rates would give on balanced classes, 2 tp / (tp + fp + 1).

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    f1 : float or ndarray
        Between 0 and 1 (best). NaN without positives or without negatives.

    See Also
    --------
    sklearn_entropy_metrics.unbiased_f1_score : The same from labels, with the
        reference.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.unbiased_f1([[90, 10], [5, 15]]), 3)
    0.811
    """
    return measure_classes("unbiased_f1", table, average=average)


def unbiased_matthews_corrcoef(
    table: TableLike, *, average: Average = "binary"
) -> Number:
    r"""Matthews correlation that the rates would give on balanced classes.

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    mcc : float or ndarray
        :math:`\delta / \sqrt{1 - \varphi^2}`, between -1 and 1 (best). NaN also if all
        predictions are the same.

    See Also
    --------
    sklearn_entropy_metrics.unbiased_matthews_corrcoef : The same from labels, with the
        reference.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.unbiased_matthews_corrcoef([[90, 10], [5, 15]]), 3)
    0.657
    """
    return measure_classes("unbiased_matthews_corrcoef", table, average=average)
