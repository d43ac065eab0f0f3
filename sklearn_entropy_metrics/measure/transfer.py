"""How much information predictions transfer: EMA, NIT, NI, VI, and of probabilities.

Functions of tables take a table, a stack of tables of shape (..., k, m), a 2-D sparse
table or an :class:`~sklearn_entropy_metrics.EntropyBalance`, and return a float for one
table or an array of shape (...) for a stack. Undefined values are NaN. Those of
probabilities look at each sample, so a table cannot replace the samples.
"""

from __future__ import annotations

import numpy as np

from sklearn_entropy_metrics.balance.balance import (
    Number,
    TableLike,
    balance_of,
    float_or_array,
)
from sklearn_entropy_metrics.balance.probability import ProbabilityBalance
from sklearn_entropy_metrics.table.checks import check_flags

__all__ = [
    "entropy_modulated_accuracy",
    "miscalibration",
    "multilabel_information",
    "normalized_information",
    "normalized_information_transfer",
    "probability_information",
    "variation_of_information",
]


def entropy_modulated_accuracy(table: TableLike) -> Number:
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


def normalized_information_transfer(table: TableLike) -> Number:
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


def normalized_information(table: TableLike) -> Number:
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


def variation_of_information(table: TableLike, *, normalize: bool = False) -> Number:
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
    check_flags(normalize=normalize)
    if normalize:
        return float_or_array(balance.joint_fractions[..., 2])
    return balance.variation_of_information


def multilabel_information(tables: TableLike) -> Number:
    r"""Share of the entropy of several labels that their predictions explain.

    Parameters
    ----------
    tables : array-like of shape (..., n_labels, 2, 2) or EntropyBalance
        A table for each label, as returned by
        :func:`~sklearn.metrics.multilabel_confusion_matrix`.

    Returns
    -------
    information : float or ndarray of shape (...)
        :math:`\sum_l \mathrm{MI}_l / \sum_l H_l`, between 0 and 1 (best); NaN if no
        label varies.

    See Also
    --------
    sklearn_entropy_metrics.multilabel_information_score : The same from label
        indicator matrices.

    Examples
    --------
    >>> from sklearn.metrics import multilabel_confusion_matrix
    >>> from sklearn_entropy_metrics import measure
    >>> Y_true = [[1, 0], [1, 1], [0, 1], [0, 0]]
    >>> Y_pred = [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> tables = multilabel_confusion_matrix(Y_true, Y_pred)
    >>> measure.normalized_information(tables).round(3)
    array([1., 0.])
    >>> round(measure.multilabel_information(tables), 3)
    0.5
    """
    balance = balance_of(tables)
    shape = balance.table.shape
    if len(shape) < 3 or shape[-2:] != (2, 2):
        raise ValueError(
            "This measure needs a 2x2 table for each label: shape (..., n_labels, 2, "
            f"2). Got shape {shape}."
        )
    information = np.sum(balance.mutual_information, axis=-1)
    # The entropy as a sum, so that the ratio is exactly 1 when nothing is unknown.
    unknown = np.sum(balance.conditional_entropy_true, axis=-1)
    with np.errstate(invalid="ignore"):
        return float_or_array(np.divide(information, information + unknown))


def probability_information(
    balance: ProbabilityBalance, *, normalize: bool = False
) -> float:
    r"""Information that probabilities carry about the classes, in bits.

    Parameters
    ----------
    balance : ProbabilityBalance
        The balance of labels and probabilities.

    normalize : bool, default=False
        Whether to divide by the entropy of the classes.

    Returns
    -------
    information : float
        The information :math:`I` in bits, never negative with the recalibration
        "best"; or its share :math:`I / H` of the entropy, at most 1, which is NaN for a
        single true class.

    See Also
    --------
    sklearn_entropy_metrics.probability_information_score : The same from labels and
        probabilities.

    Examples
    --------
    >>> from sklearn_entropy_metrics import ProbabilityBalance, measure
    >>> balance = ProbabilityBalance.from_probabilities(
    ...     [0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8], recalibration="none"
    ... )
    >>> round(measure.probability_information(balance), 3)
    0.263
    """
    balance = _checked(balance)
    check_flags(normalize=normalize)
    return balance.normalized_information if normalize else balance.information


def miscalibration(balance: ProbabilityBalance) -> float:
    r"""The avoidable part of the log loss of probabilities, in bits.

    Parameters
    ----------
    balance : ProbabilityBalance
        The balance of labels and probabilities.

    Returns
    -------
    miscalibration : float
        :math:`M`, how many bits recalibrated probabilities would save. It is
        slightly negative if the probabilities are better than what the folds can learn.

    See Also
    --------
    sklearn_entropy_metrics.miscalibration_loss : The same from labels and
        probabilities.

    Examples
    --------
    >>> from sklearn_entropy_metrics import ProbabilityBalance, measure
    >>> y_true = [0, 0, 0, 1, 1, 1]
    >>> y_proba = [0.01, 0.02, 0.99, 0.01, 0.99, 0.98]
    >>> balance = ProbabilityBalance.from_probabilities(y_true, y_proba, cv=None)
    >>> round(measure.miscalibration(balance), 2)
    1.31
    """
    return _checked(balance).miscalibration


def _checked(balance: object) -> ProbabilityBalance:
    if not isinstance(balance, ProbabilityBalance):
        raise ValueError(
            "This measure needs labels and probabilities of samples, as a "
            f"ProbabilityBalance; a table does not contain them. Got {type(balance)}."
        )
    return balance
