"""What users of scikit-learn call by name, as functions of square tables.

The values are those of scikit-learn for the labels of the same table: precision,
recall, F1 and Jaccard index of a class are 0 where their denominator is 0. Averages are
over the classes that are true or predicted at least once.
"""

from __future__ import annotations

import numpy as np

from sklearn_entropy_metrics.balance.balance import Number, TableLike, float_or_array
from sklearn_entropy_metrics.measure import against_rest

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
    table = against_rest.square_shares(table)
    total = table.astype(np.float64, copy=False).sum(axis=-1).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        return float_or_array(against_rest.diagonal(table).sum(axis=-1) / total)


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
    mcc = against_rest.measure_classes("matthews_corrcoef", table)
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
    return against_rest.measure_classes("balanced_accuracy", table)


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
    return against_rest.measure_classes("cohen_kappa", table)


def precision(table: TableLike, *, average: against_rest.Average = "binary") -> Number:
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
    return against_rest.measure_classes("precision", table, average=average)


def recall(table: TableLike, *, average: against_rest.Average = "binary") -> Number:
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
    return against_rest.measure_classes("recall", table, average=average)


def f1(table: TableLike, *, average: against_rest.Average = "binary") -> Number:
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
    return against_rest.measure_classes("f1", table, average=average)


def jaccard(table: TableLike, *, average: against_rest.Average = "binary") -> Number:
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
    return against_rest.measure_classes("jaccard", table, average=average)
