"""Rates of two classes: the φ-δ plane, its corners and lines, and their information.

With a prevalence, the share of positives, the plane is corrected for it: the diamond
becomes a parallelogram. Functions of information find the one table, in shares of all
samples, that has the given rates; rates that no table has give NaN.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.balance import EntropyBalance

__all__ = [
    "isometric_lines",
    "mutual_information_from_phi_delta",
    "normalized_information_from_accuracy",
    "normalized_information_from_precision_recall",
    "normalized_information_from_roc",
    "phi_delta_corners",
    "phi_delta_from_rates",
    "rates_from_phi_delta",
    "table_from_rates",
]

Isometric = Literal["sensitivity", "specificity", "precision", "npv", "accuracy"]
# How far round-off may take rates outside the feasible range.
_TOLERANCE = 1e-9
_ROUND_OFF = 4 * np.finfo(float).eps


def phi_delta_from_rates(
    fpr: ArrayLike, tpr: ArrayLike, *, prevalence: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray]:
    r"""Turn rates into φ and δ.

    Parameters
    ----------
    fpr, tpr : array-like of shape (...)
        False and true positive rates, as of :func:`sklearn.metrics.roc_curve`.

    prevalence : float or array-like, default=None
        Share of positives, for :math:`\varphi_g` and :math:`\delta_g`.

    Returns
    -------
    phi, delta : ndarray of shape (...)
        Characteristic and discriminant capability.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> phi, delta = measure.phi_delta_from_rates(0.25, 0.75)
    >>> float(phi), float(delta)
    (0.0, 0.5)
    """
    false, true = _floats(fpr, tpr)
    phi, delta = true + false - 1, true - false
    if prevalence is None:
        return phi, delta
    excess = _excess_of_negatives(prevalence)
    return phi + excess * (1 - delta), delta - excess * phi


def rates_from_phi_delta(
    phi: ArrayLike, delta: ArrayLike, *, prevalence: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Turn φ and δ into rates, the inverse of ``phi_delta_from_rates``.

    Parameters
    ----------
    phi, delta : array-like of shape (...)
        Points in the plane. Outside the diamond the rates leave [0, 1].

    prevalence : float or array-like, default=None
        Share of positives, strictly between 0 and 1, if the plane is corrected for it.

    Returns
    -------
    fpr, tpr : ndarray of shape (...)
        False and true positive rate.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> fpr, tpr = measure.rates_from_phi_delta(0.0, 0.5)
    >>> float(fpr), float(tpr)
    (0.25, 0.75)
    """
    x, y = _floats(phi, delta)
    if prevalence is not None:
        excess = _excess_of_negatives(prevalence)
        if (np.abs(excess) == 1).any():
            raise ValueError(
                "prevalence must lie strictly between 0 and 1 to be undone. Got "
                f"{prevalence!r}."
            )
        x = (x - excess * (1 - y)) / (1 - excess**2)
        y = y + excess * x
    return (1 - y + x) / 2, (1 + y + x) / 2


def phi_delta_corners(*, prevalence: float | None = None) -> dict[str, np.ndarray]:
    """Corners of the diamond, or of its parallelogram for a prevalence.

    Parameters
    ----------
    prevalence : float, default=None
        Share of positives.

    Returns
    -------
    corners : dict of str to ndarray of shape (2,)
        φ and δ of "oracle" (top), "always_positive" (right), "anti_oracle" (bottom)
        and "always_negative" (left).

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.phi_delta_corners()["oracle"]
    array([0., 1.])
    """
    rates = {
        "oracle": (0, 1),
        "always_positive": (1, 1),
        "anti_oracle": (1, 0),
        "always_negative": (0, 0),
    }
    return {
        name: np.stack(phi_delta_from_rates(fpr, tpr, prevalence=prevalence))
        for name, (fpr, tpr) in rates.items()
    }


def isometric_lines(
    measure: Isometric, values: ArrayLike, *, prevalence: float | None = None
) -> np.ndarray:
    """Lines of the φ-δ plane along which a measure is constant.

    Parameters
    ----------
    measure : {"sensitivity", "specificity", "precision", "npv", "accuracy"}
        The measure.

    values : array-like of shape (n_lines,)
        Its values, between 0 and 1.

    prevalence : float, default=None
        Share of positives, on which precision, npv, accuracy and the plane depend. By
        default, the classes are balanced: the unbiased measures.

    Returns
    -------
    lines : ndarray of shape (n_lines, 2, 2)
        φ and δ of both ends of each line, on the border of the diamond; NaN for a value
        that no classifier can reach.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.isometric_lines("accuracy", [0.75])[0]
    array([[-0.5,  0.5],
           [ 0.5,  0.5]])
    """
    c = np.atleast_1d(np.asarray(values, dtype=float))
    positive = 0.5 if prevalence is None else float(prevalence)
    _excess_of_negatives(positive)
    negative = 1 - positive
    # The share of negatives less c, in the order that is exact where it is small.
    excess = np.where(c < 0.5, negative - c, 1 - c - positive)
    # Each measure is c where a linear function of the rates is 0. It has these values
    # at the corners (0, 0), (1, 0), (0, 1) and (1, 1) of the ROC square.
    corners = {
        "sensitivity": (-c, -c, 1 - c, 1 - c),
        "specificity": (1 - c, -c, 1 - c, -c),
        "precision": (0 * c, -c * negative, (1 - c) * positive, positive - c),
        "npv": (excess, -c * positive, (1 - c) * negative, 0 * c),
        "accuracy": (excess, -c, 1 - c, positive - c),
    }
    if measure not in corners:
        raise ValueError(
            f"The isometric must be one of {', '.join(corners)}. Got {measure!r}."
        )
    ends = _zero_lines(np.array(corners[measure]))
    return np.stack(
        phi_delta_from_rates(ends[..., 0], ends[..., 1], prevalence=prevalence), axis=-1
    )


def table_from_rates(
    fpr: ArrayLike, tpr: ArrayLike, *, prevalence: ArrayLike = 0.5
) -> np.ndarray:
    """Joint distribution of true and predicted classes with given rates.

    Parameters
    ----------
    fpr, tpr : array-like of shape (...)
        False and true positive rates.

    prevalence : float or array-like, default=0.5
        Share of positives.

    Returns
    -------
    tables : ndarray of shape (..., 2, 2)
        ``[[TN, FP], [FN, TP]]`` as shares of all samples, for any measure of tables.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.table_from_rates(0.25, 0.75, prevalence=0.5)
    array([[0.375, 0.125],
           [0.125, 0.375]])
    """
    _excess_of_negatives(prevalence)
    false, true, positive = np.broadcast_arrays(*_floats(fpr, tpr, prevalence))
    negative = 1 - positive
    cells = [
        negative * (1 - false),
        negative * false,
        positive * (1 - true),
        positive * true,
    ]
    return np.stack(cells, axis=-1).reshape(*false.shape, 2, 2)


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
    ni : float or ndarray of shape (...)
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
    ni : float or ndarray of shape (...)
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
    given, true, positive = np.broadcast_arrays(*_floats(precision, recall, prevalence))
    defined = _where_nothing_is_predicted(given, true)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        fpr = positive * true * (1 - defined) / (defined * (1 - positive))
    fpr = np.where(_is_rate(defined), fpr, np.nan)
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
    ni : float or ndarray of shape (...)
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
    right, given, true = np.broadcast_arrays(*_floats(accuracy, precision, recall))
    rates = np.stack([right, _where_nothing_is_predicted(given, true), true])
    # If all or none are right, the prevalence is open, but NI does not depend on it.
    extreme = (rates == 0).all(axis=0) | (np.abs(rates - 1) <= _ROUND_OFF).all(axis=0)
    tables = _tables_from_accuracy(*np.clip(rates, 0, 1))
    # Comparing leaves NaN out, of the rates and of 0 / 0.
    feasible = _is_rate(rates).all(axis=0) & (tables >= -_TOLERANCE).all(axis=(-2, -1))
    tables = np.where(feasible[..., None, None], np.clip(tables, 0, 1), 0.25)
    ni = EntropyBalance.from_confusion_matrix(tables).normalized_information
    return np.where(extreme, 1.0, np.where(feasible, ni, np.nan))[()]


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
    information : float or ndarray of shape (...)
        In bits; NaN outside the diamond.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.mutual_information_from_phi_delta([0.0, 0.0], [1.0, 0.0])
    array([1., 0.])
    """
    rates = rates_from_phi_delta(phi, delta)
    return _information("mutual_information", *rates, prevalence)


def _zero_lines(corners):
    """Ends of the lines in the unit square on which linear functions are 0.

    The functions grow with y and fall with x, or do not depend on them. They are given
    by their values at the corners, shape (4, n). NaN for lines outside the square.
    """
    places = np.array([(0, 0), (1, 0), (0, 1), (1, 1)])
    start, end = [0, 0, 1, 2], [1, 2, 3, 3]  # corners of each side
    here, there = np.abs(corners[start]), np.abs(corners[end])
    with np.errstate(invalid="ignore"):
        way = here / (here + there)
        way[np.sign(corners[start]) * np.sign(corners[end]) > 0] = np.nan
    points = (
        places[start][:, None] + way[..., None] * (places[end] - places[start])[:, None]
    )
    height = points.sum(axis=-1)
    first = np.where(np.isnan(height), np.inf, height).argmin(axis=0)
    last = np.where(np.isnan(height), -np.inf, height).argmax(axis=0)
    lines = np.arange(corners.shape[1])
    return np.stack([points[first, lines], points[last, lines]], axis=1)


def _excess_of_negatives(prevalence):
    """The share of negatives minus that of positives."""
    prevalence = np.asarray(prevalence, dtype=float)
    if not ((prevalence >= 0) & (prevalence <= 1)).all():
        raise ValueError(f"prevalence must lie between 0 and 1. Got {prevalence}.")
    return 1 - 2 * prevalence


def _floats(*arrays):
    return [np.asarray(array, dtype=float) for array in arrays]


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
    rates = np.stack(np.broadcast_arrays(*_floats(fpr, tpr)))
    feasible = _is_rate(rates).all(axis=0)
    false, true = np.where(feasible, np.clip(rates, 0, 1), 0.5)
    tables = table_from_rates(false, true, prevalence=prevalence)
    values = getattr(EntropyBalance.from_confusion_matrix(tables), attribute)
    return np.where(feasible, values, np.nan)[()]  # a float for single rates


def _is_rate(values):
    return (values >= -_TOLERANCE) & (values <= 1 + _TOLERANCE)
