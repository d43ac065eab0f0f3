"""Tables of several labels → how much of them is known."""

from typing import Any

import numpy as np

from sklearn_entropy_metrics.balance.balance import Number, balance_of, float_or_array


def multilabel_information(tables: Any) -> Number:
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
