"""How much information a classifier transfers: EMA, NIT, NI, VI, and accuracy.

Every function takes a table, a stack of tables of shape (..., k, m), a 2-D sparse
table or an :class:`~sklearn_entropy_metrics.EntropyBalance`, and returns a float for
one table or an array of shape (...) for a stack. Undefined values are NaN.
"""

from typing import Any

import numpy as np

from sklearn_entropy_metrics.balance.balance import Number, balance_of, float_or_array
from sklearn_entropy_metrics.measure.classes import class_counts
from sklearn_entropy_metrics.measure.square import diagonal, square_shares


def entropy_modulated_accuracy(table: Any) -> Number:
    """Entropy-modulated accuracy (EMA) of tables.

    Parameters
    ----------
    table : array-like of shape (..., k, m), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    Returns
    -------
    ema : float or ndarray of shape (...)
        :math:`2^{-H_{X|Y}}`, between 1/k and 1 (best).

    See Also
    --------
    sklearn_entropy_metrics.entropy_modulated_accuracy_score : The same from labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.entropy_modulated_accuracy([[9, 1], [2, 8]]), 3)
    0.659
    """
    return balance_of(table).entropy_modulated_accuracy


def normalized_information_transfer(table: Any) -> Number:
    r"""Normalized information transfer (NIT) factor of tables.

    Parameters
    ----------
    table : array-like of shape (..., k, m), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    Returns
    -------
    nit : float or ndarray of shape (...)
        :math:`2^{\mathrm{MI}} / k`, between 1/k and 1 (best).

    See Also
    --------
    sklearn_entropy_metrics.normalized_information_transfer_score : The same from
        labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.normalized_information_transfer([[9, 1], [2, 8]]), 3)
    0.659
    """
    return balance_of(table).normalized_information_transfer


def normalized_information(table: Any) -> Number:
    r"""Normalized mutual information (NI) of tables.

    Parameters
    ----------
    table : array-like of shape (..., k, m), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    Returns
    -------
    ni : float or ndarray of shape (...)
        :math:`\mathrm{MI} / H_X`, between 0 and 1 (best); NaN if there is only one true
        class.

    See Also
    --------
    sklearn_entropy_metrics.normalized_information_score : The same from labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.normalized_information([[45, 5], [25, 25]]), 4)
    0.1468
    """
    return balance_of(table).normalized_information


def variation_of_information(table: Any, *, normalize: bool = False) -> Number:
    r"""Variation of information (VI) of tables.

    Parameters
    ----------
    table : array-like of shape (..., k, m), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    normalize : bool, default=False
        Whether to divide by :math:`\log_2 k + \log_2 m`.

    Returns
    -------
    vi : float or ndarray of shape (...)
        :math:`H_{X|Y} + H_{Y|X}` in bits, 0 (best) or more. If normalised, it is at
        most 1, and NaN for k = m = 1.

    See Also
    --------
    sklearn_entropy_metrics.variation_of_information_loss : The same from labels.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.variation_of_information([[9, 1], [2, 8]]), 3)
    1.198
    """
    balance = balance_of(table)
    if normalize:
        return float_or_array(balance.joint_fractions[..., 2])
    return balance.variation_of_information


def accuracy(table: Any) -> Number:
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


def matthews_corrcoef(table: Any) -> Number:
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
