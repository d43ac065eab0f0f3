"""Balances of probabilities → information and miscalibration.

These measures look at each sample, so a table cannot replace the samples.
"""

from typing import Any

from sklearn_entropy_metrics.balance.probability import ProbabilityBalance


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


def _checked(balance: Any) -> ProbabilityBalance:
    if not isinstance(balance, ProbabilityBalance):
        raise ValueError(
            "This measure needs labels and probabilities of samples, as a "
            f"ProbabilityBalance; a table does not contain them. Got {type(balance)}."
        )
    return balance
