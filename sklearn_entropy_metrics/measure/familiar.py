"""What users of scikit-learn call by name, as functions of square tables.

The values are those of scikit-learn for the labels of the same table: precision,
recall, F1 and Jaccard index of a class are 0 where their denominator is 0. Averages are
over the classes that are true or predicted at least once.
"""

from __future__ import annotations

import numpy as np

from sklearn_entropy_metrics.balance.balance import Number, TableLike, float_or_array
from sklearn_entropy_metrics.measure.against_rest import (
    Average,
    average_over_classes,
    check_average,
    class_counts,
    diagonal,
    square_shares,
)

__all__ = [
    "accuracy",
    "balanced_accuracy",
    "cohen_kappa",
    "f1",
    "jaccard",
    "matthews_corrcoef",
    "precision",
    "recall",
]


def accuracy(table: TableLike) -> Number:
    """Share of the diagonal of square tables.

    Parameters
    ----------
    table : array-like of shape (..., k, k), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    Returns
    -------
    accuracy : float or ndarray of shape (...)
        Between 0 and 1 (best).

    See Also
    --------
    sklearn.metrics.accuracy_score : The same from labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.accuracy([[9, 1], [2, 8]])
    0.85
    """
    table = square_shares(table)
    total = table.astype(np.float64, copy=False).sum(axis=-1).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        return float_or_array(diagonal(table).sum(axis=-1) / total)


def matthews_corrcoef(table: TableLike) -> Number:
    """Matthews correlation coefficient of square tables.

    Parameters
    ----------
    table : array-like of shape (..., k, k), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    Returns
    -------
    mcc : float or ndarray of shape (...)
        Between -1 and 1 (best); NaN if only one class is true or predicted.

    See Also
    --------
    sklearn.metrics.matthews_corrcoef : The same from labels, 0 where undefined.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.matthews_corrcoef([[9, 1], [2, 8]]), 3)
    0.704
    """
    tn, fp, fn, tp = class_counts(square_shares(table))
    covariance = (tp * tn - fp * fn).sum(axis=-1)
    of_true = ((tp + fn) * (tn + fp)).sum(axis=-1)
    of_pred = ((tp + fp) * (tn + fn)).sum(axis=-1)
    low, high = np.minimum(of_true, of_pred), np.maximum(of_true, of_pred)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        mcc = covariance / (np.sqrt(high / low) * low)
    return float_or_array(np.clip(mcc, -1, 1))


def balanced_accuracy(table: TableLike) -> Number:
    """Mean recall of the true classes of square tables.

    Parameters
    ----------
    table : array-like of shape (..., k, k), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    Returns
    -------
    accuracy : float or ndarray of shape (...)
        Between 0 and 1 (best).

    See Also
    --------
    sklearn.metrics.balanced_accuracy_score : The same from labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.balanced_accuracy([[9, 1], [1, 1]]), 3)
    0.7
    """
    _, _, fn, tp = class_counts(square_shares(table))
    with np.errstate(invalid="ignore"):
        recalls = tp / (tp + fn)
    return float_or_array(average_over_classes(recalls, tp + fn, "macro"))


def cohen_kappa(table: TableLike) -> Number:
    r"""Cohen's kappa of square tables: agreement beyond chance.

    Parameters
    ----------
    table : array-like of shape (..., k, k), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    Returns
    -------
    kappa : float or ndarray of shape (...)
        :math:`1 - d / d_e`, with the share d of samples that are not predicted as their
        class and the share :math:`d_e` expected if truth and prediction were
        independent. Between -1 and 1 (best); NaN if a single class is both true and
        predicted.

    See Also
    --------
    sklearn.metrics.cohen_kappa_score : The same from labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.cohen_kappa([[9, 1], [2, 8]]), 3)
    0.7
    """
    tn, _, fn, tp = class_counts(square_shares(table))
    total = (tp + fn).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        expected = ((tp + fn) / total[..., None] * (tn + fn)).sum(axis=-1)
        return float_or_array(1 - fn.sum(axis=-1) / expected)


def precision(table: TableLike, *, average: Average = "binary") -> Number:
    """Share of the samples predicted to be of a class that are.

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    precision : float or ndarray
        Between 0 and 1 (best); 0 for a class that is never predicted.

    See Also
    --------
    sklearn.metrics.precision_score : The same from labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.precision([[90, 10], [5, 15]])
    0.6
    """
    return _of_class(table, average, lambda fp, fn, tp: (tp, tp + fp))


def recall(table: TableLike, *, average: Average = "binary") -> Number:
    """Share of the samples of a class that are predicted as it.

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    recall : float or ndarray
        Between 0 and 1 (best); 0 for a class without samples.

    See Also
    --------
    sklearn.metrics.recall_score : The same from labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.recall([[90, 10], [5, 15]])
    0.75
    """
    return _of_class(table, average, lambda fp, fn, tp: (tp, tp + fn))


def f1(table: TableLike, *, average: Average = "binary") -> Number:
    """Harmonic mean of precision and recall of a class.

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    f1 : float or ndarray
        Between 0 and 1 (best).

    See Also
    --------
    sklearn.metrics.f1_score : The same from labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.f1([[90, 10], [5, 15]]), 3)
    0.667
    """
    return _of_class(table, average, lambda fp, fn, tp: (2 * tp, 2 * tp + fp + fn))


def jaccard(table: TableLike, *, average: Average = "binary") -> Number:
    """Jaccard index: share of correct ones among samples of or predicted as a class.

    Parameters
    ----------
    table : array-like of shape (..., 2, 2) or (..., k, k)
        Counts or weights ``[[TN, FP], [FN, TP]]``, or of k classes with `average`.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        How to average over the classes; None: a value for each.

    Returns
    -------
    jaccard : float or ndarray
        Between 0 and 1 (best).

    See Also
    --------
    sklearn.metrics.jaccard_score : The same from labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.jaccard([[90, 10], [5, 15]])
    0.5
    """
    return _of_class(table, average, lambda fp, fn, tp: (tp, tp + fp + fn))


def _of_class(table, average, ratio):
    """A ratio of the counts of a class, 0 where there is nothing to divide by."""
    check_average(average)
    table = square_shares(table)
    if average == "binary" and table.shape[-1] != 2:
        raise ValueError(
            "average='binary' takes 2x2 tables [[TN, FP], [FN, TP]]; choose another "
            f"average for more classes. Got shape {table.shape}."
        )
    tn, fp, fn, tp = class_counts(table)
    part, whole = ratio(fp, fn, tp)
    with np.errstate(invalid="ignore"):
        values = np.where(whole > 0, part / whole, 0.0)
    occurs = fp + fn + tp > 0
    if average == "binary":  # an absent class has the value 0, an empty table none
        values = np.where(occurs | (tn > 0), values, np.nan)
        return float_or_array(values[..., 1])
    values = np.where(occurs, values, np.nan)
    return float_or_array(average_over_classes(values, tp + fn, average))
