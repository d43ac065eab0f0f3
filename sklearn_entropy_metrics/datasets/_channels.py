"""Joint tables of three textbook channels, all with uniform input."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.table.checks import check_integer


def binary_symmetric_channel(p: ArrayLike) -> np.ndarray:
    """Joint table of a channel that flips one bit with probability `p`.

    Parameters
    ----------
    p : float or array-like of shape (...)
        Probability of error, in [0, 1].

    Returns
    -------
    table : ndarray of shape (..., 2, 2)
        Joint probabilities under uniform input, rows sent, columns received.

    See Also
    --------
    binary_erasure_channel : A bit may be lost, but is never flipped.

    Notes
    -----
    One of the three channels that [1]_ places in the entropy triangle (Fig. 4b),
    there with `p` from 0 to 0.5.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2010). "Two
       information-theoretic tools to assess the performance of multi-class
       classifiers". Pattern Recognition Letters 31(12), 1665-1671.

    Examples
    --------
    >>> from sklearn_entropy_metrics.datasets import binary_symmetric_channel
    >>> binary_symmetric_channel(0.25)
    array([[0.375, 0.125],
           [0.125, 0.375]])
    >>> binary_symmetric_channel([0.0, 0.25, 0.5]).shape
    (3, 2, 2)
    """
    error = _check_probability(p)
    return _stack([[1 - error, error], [error, 1 - error]]) / 2


def binary_erasure_channel(p: ArrayLike) -> np.ndarray:
    """Joint table of a channel that loses one bit with probability `p`.

    Parameters
    ----------
    p : float or array-like of shape (...)
        Probability of erasure, in [0, 1].

    Returns
    -------
    table : ndarray of shape (..., 2, 3)
        Joint probabilities under uniform input, rows sent, columns received. The
        last column is the erasure: in the terms of a classifier, its reject class.

    See Also
    --------
    binary_symmetric_channel : A bit may be flipped, but is never lost.

    Notes
    -----
    One of the three channels that [1]_ places in the entropy triangle (Fig. 4b), the
    only one whose input and output differ in size.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2010). "Two
       information-theoretic tools to assess the performance of multi-class
       classifiers". Pattern Recognition Letters 31(12), 1665-1671.

    Examples
    --------
    >>> from sklearn_entropy_metrics.datasets import binary_erasure_channel
    >>> binary_erasure_channel(0.25)
    array([[0.375, 0.   , 0.125],
           [0.   , 0.375, 0.125]])
    """
    lost = _check_probability(p)
    never = np.zeros_like(lost)
    return _stack([[1 - lost, never, lost], [never, 1 - lost, lost]]) / 2


def noisy_typewriter(n: int = 27) -> np.ndarray:
    """Joint table of a typewriter that may strike a neighbouring key.

    Parameters
    ----------
    n : int, default=27
        Number of keys, at least 3. The keys are arranged in a ring.

    Returns
    -------
    table : ndarray of shape (n, n)
        Joint probabilities under uniform input, rows intended, columns printed. Each
        key prints itself, the one before and the one after with probability 1/3.

    Notes
    -----
    One of the three channels that [1]_ places in the entropy triangle (Fig. 4b),
    there with the letters and the space as the 27 keys.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2010). "Two
       information-theoretic tools to assess the performance of multi-class
       classifiers". Pattern Recognition Letters 31(12), 1665-1671.

    Examples
    --------
    >>> from sklearn_entropy_metrics.datasets import noisy_typewriter
    >>> (noisy_typewriter(4) * 12).round().astype(int)
    array([[1, 1, 0, 1],
           [1, 1, 1, 0],
           [0, 1, 1, 1],
           [1, 0, 1, 1]])
    """
    n = check_integer(n, "n", minimum=3)
    itself = np.eye(n)
    before, after = np.roll(itself, -1, axis=1), np.roll(itself, 1, axis=1)
    return (before + itself + after) / (3 * n)


def _check_probability(p):
    p = np.asarray(p)
    if p.dtype.kind not in "iuf":
        raise ValueError(f"`p` must hold real numbers. Got dtype {p.dtype}.")
    p = p.astype(np.float64)
    wrong = ~((p >= 0) & (p <= 1))  # true for NaN, too
    if wrong.any():
        raise ValueError(f"`p` must lie in [0, 1]. Got {float(p[wrong][0])}.")
    return p


def _stack(cells):
    """Nested lists of equal arrays (...) to one array (..., rows, columns)."""
    return np.moveaxis(np.array(cells), (0, 1), (-2, -1))
