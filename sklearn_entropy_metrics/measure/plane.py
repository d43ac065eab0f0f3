"""The φ-δ plane: from and to rates, its corners and isometric lines, its information.

With a prevalence, the share of positives, the plane is corrected for it: the diamond
becomes a parallelogram.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

__all__ = [
    "isometric_lines",
    "phi_delta_corners",
    "phi_delta_from_rates",
    "rates_from_phi_delta",
    "table_from_rates",
]

Isometric = Literal["sensitivity", "specificity", "precision", "npv", "accuracy"]


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
