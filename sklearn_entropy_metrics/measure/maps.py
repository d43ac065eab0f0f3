"""Information of two classes from rates instead of tables.

Each function finds the one table, in shares of all samples, that has the given rates,
so the values are those of the tables. Rates that no table has give NaN.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.measure.plane import rates_from_phi_delta, table_from_rates

__all__ = [
    "mutual_information_from_phi_delta",
    "normalized_information_from_accuracy",
    "normalized_information_from_phi_delta",
    "normalized_information_from_precision_recall",
    "normalized_information_from_roc",
]

# How far round-off may take rates outside the feasible range.
_TOLERANCE = 1e-9
_ROUND_OFF = 4 * np.finfo(float).eps


def normalized_information_from_roc(
    fpr: ArrayLike, tpr: ArrayLike, prevalence: ArrayLike
) -> np.ndarray:
    r"""Normalized information (NI) over ROC space.

    With the false positive rate F, the true positive rate R, the prevalence
    :math:`\pi` and the entropy h of two classes, (14) of [1]_ is

    .. math::

        \mathrm{NI} = \frac{h(\pi R + (1 - \pi) F) - \pi h(R) - (1 - \pi) h(F)}{h(\pi)}

    Parameters
    ----------
    fpr, tpr : array-like of shape (...)
        False and true positive rates, as returned by :func:`sklearn.metrics.roc_curve`.

    prevalence : float or array-like of shape (...)
        Share of positives, between 0 and 1.

    Returns
    -------
    ni : ndarray of shape (...)
        Between 0 and 1; NaN for rates outside [0, 1] and for a prevalence of 0 or 1.

    See Also
    --------
    sklearn_entropy_metrics.measure.normalized_information : The same from tables.

    References
    ----------
    .. [1] Y. Wang and B.-G. Hu (2009). "Derivations of normalized mutual information
       in binary classifications". FSKD 2009, 155-163.

    Examples
    --------
    The models M1 and M4 of Table II:

    >>> from sklearn_entropy_metrics import measure
    >>> measure.normalized_information_from_roc([0.1, 0.9], [0.5, 0.3], 0.5).round(4)
    array([0.1468, 0.2958])
    """
    return _information("normalized_information", fpr, tpr, prevalence)


def normalized_information_from_precision_recall(
    precision: ArrayLike, recall: ArrayLike, prevalence: ArrayLike
) -> np.ndarray:
    r"""Normalized information (NI) over precision-recall space.

    Precision P, recall R and the prevalence :math:`\pi` determine the false positive
    rate, :math:`F = \pi R (1 - P) / (P (1 - \pi))`, and they are feasible only if it is
    at most 1: (12) of [1]_.

    Parameters
    ----------
    precision, recall : array-like of shape (...)
        Precision and recall, as returned by
        :func:`sklearn.metrics.precision_recall_curve`. A precision of NaN with a recall
        of 0 says that nothing is predicted positive.

    prevalence : float or array-like of shape (...)
        Share of positives, between 0 and 1.

    Returns
    -------
    ni : ndarray of shape (...)
        Between 0 and 1; 0 where the recall is 0. NaN where no such classifier exists,
        where precision and recall are both 0, which leaves the false positive rate
        open, and for a prevalence of 0 or 1.

    See Also
    --------
    normalized_information_from_roc : From false and true positive rates.

    References
    ----------
    .. [1] Y. Wang and B.-G. Hu (2009). "Derivations of normalized mutual information
       in binary classifications". FSKD 2009, 155-163.

    Examples
    --------
    The model M2 of Table II, and a pair that is infeasible with half of the samples
    positive:

    >>> from sklearn_entropy_metrics import measure
    >>> ni = measure.normalized_information_from_precision_recall([0.75, 0.1], 0.6, 0.5)
    >>> ni.round(4)
    array([0.1245,    nan])
    """
    given, true, positive = _broadcast(precision, recall, prevalence)
    found = _where_nothing_is_predicted(given, true)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        fpr = positive * true * (1 - found) / (found * (1 - positive))
    fpr = np.where(_is_rate(found), fpr, np.nan)
    return normalized_information_from_roc(fpr, true, positive)


def normalized_information_from_accuracy(
    accuracy: ArrayLike, precision: ArrayLike, recall: ArrayLike
) -> np.ndarray:
    r"""Normalized information (NI) from accuracy, precision and recall.

    Accuracy A, precision P and recall R determine the prevalence, :math:`\pi = P (1 -
    A) / (P + R - 2 P R)`, and one table: the nine cases of [1]_.

    Parameters
    ----------
    accuracy, precision, recall : array-like of shape (...)
        Accuracy, precision and recall. A precision of NaN with a recall of 0 says that
        nothing is predicted positive.

    Returns
    -------
    ni : ndarray of shape (...)
        Between 0 and 1; it is 1 if all three are 1, or all are 0. NaN where no such
        classifier exists, where there is only one true class, and where precision and
        recall are 0 but accuracy is not, which leaves the prevalence open.

    See Also
    --------
    normalized_information_from_precision_recall : For a given prevalence.

    References
    ----------
    .. [1] Y. Wang and B.-G. Hu (2009). "Derivations of normalized mutual information
       in binary classifications". FSKD 2009, 155-163.

    Examples
    --------
    The models M4 and M2 of Table II:

    >>> from sklearn_entropy_metrics import measure
    >>> accuracy, precision, recall = [0.2, 0.7], [0.25, 0.75], [0.3, 0.6]
    >>> ni = measure.normalized_information_from_accuracy(accuracy, precision, recall)
    >>> ni.round(4)
    array([0.2958, 0.1245])
    """
    right, given, true = _broadcast(accuracy, precision, recall)
    rates = np.stack([right, _where_nothing_is_predicted(given, true), true])
    # If all or none are right, the prevalence is open, but NI does not depend on it.
    extreme = (rates == 0).all(axis=0) | (np.abs(rates - 1) <= _ROUND_OFF).all(axis=0)
    tables = _tables_from_accuracy(*np.clip(rates, 0, 1))
    # Comparing leaves NaN out, of the rates and of 0 / 0.
    feasible = _is_rate(rates).all(axis=0) & (tables >= -_TOLERANCE).all(axis=(-2, -1))
    tables = np.where(feasible[..., None, None], np.clip(tables, 0, 1), 0.25)
    ni = EntropyBalance.from_confusion_matrix(tables).normalized_information
    return np.where(extreme, 1.0, np.where(feasible, ni, np.nan))


def mutual_information_from_phi_delta(
    phi: ArrayLike, delta: ArrayLike, *, prevalence: ArrayLike = 0.5
) -> np.ndarray:
    """Mutual information over the φ-δ plane.

    Parameters
    ----------
    phi, delta : array-like of shape (...)
        Points of the plane that is not corrected for prevalence.

    prevalence : float or array-like, default=0.5
        Share of positives.

    Returns
    -------
    information : ndarray of shape (...)
        In bits; NaN outside the diamond.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.mutual_information_from_phi_delta([0.0, 0.0], [1.0, 0.0])
    array([1., 0.])
    """
    return _information(
        "mutual_information", *rates_from_phi_delta(phi, delta), prevalence
    )


def normalized_information_from_phi_delta(
    phi: ArrayLike, delta: ArrayLike, *, prevalence: ArrayLike = 0.5
) -> np.ndarray:
    """Normalized information (NI) over the φ-δ plane.

    Parameters
    ----------
    phi, delta : array-like of shape (...)
        Points of the plane that is not corrected for prevalence.

    prevalence : float or array-like, default=0.5
        Share of positives.

    Returns
    -------
    ni : ndarray of shape (...)
        NaN outside the diamond, and for a prevalence of 0 or 1.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.normalized_information_from_phi_delta(0.0, 1.0, prevalence=0.1)
    array(1.)
    """
    return normalized_information_from_roc(
        *rates_from_phi_delta(phi, delta), prevalence
    )


def _tables_from_accuracy(accuracy, precision, recall):
    """Shares ``[[TN, FP], [FN, TP]]``; the wrong ones sum to 1 - accuracy."""
    right = precision * recall
    missed, false = precision * (1 - recall), recall * (1 - precision)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        scale = (1 - accuracy) / (missed + false)
        cells = [accuracy - scale * right, scale * false, scale * missed, scale * right]
    return np.stack(cells, axis=-1).reshape(*accuracy.shape, 2, 2)


def _where_nothing_is_predicted(precision, recall):
    """Replace an undefined precision: with a recall of 0, any value will do."""
    return np.where(np.isnan(precision) & (recall == 0), 1.0, precision)


def _information(attribute, fpr, tpr, prevalence):
    rates = np.stack(_broadcast(fpr, tpr))
    feasible = _is_rate(rates).all(axis=0)
    false, true = np.where(feasible, np.clip(rates, 0, 1), 0.5)
    tables = table_from_rates(false, true, prevalence=prevalence)
    values = getattr(EntropyBalance.from_confusion_matrix(tables), attribute)
    return np.where(feasible, values, np.nan)


def _is_rate(values):
    return (values >= -_TOLERANCE) & (values <= 1 + _TOLERANCE)


def _broadcast(*arrays):
    return np.broadcast_arrays(*(np.asarray(array, dtype=float) for array in arrays))
