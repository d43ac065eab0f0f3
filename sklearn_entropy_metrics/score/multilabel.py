"""The metric of several labels per sample."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics import measure
from sklearn_entropy_metrics.measure.catalog import computes
from sklearn_entropy_metrics.score._undefined import finish
from sklearn_entropy_metrics.table.multilabel import tabulate_indicators


@computes(measure.multilabel_information)
def multilabel_information_score(
    Y_true: ArrayLike,
    Y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Share of the entropy of several labels that their predictions explain.

    .. math:: \frac{\sum_l \mathrm{MI}_l}{\sum_l H_l}

    with the mutual information :math:`\mathrm{MI}_l` of label l and its prediction, and
    the entropy :math:`H_l` of label l. It is the normalized information of the labels,
    weighted by their entropies: a label that hardly varies counts little.

    Read more in the :ref:`User Guide <several_variables>`.

    Parameters
    ----------
    Y_true : array-like or sparse matrix of shape (n_samples, n_labels)
        True labels: zeros and ones, or booleans.

    Y_pred : array-like or sparse matrix of shape (n_samples, n_labels)
        Predicted labels.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return if no label varies in `Y_true`. If it is NaN, an
        `UndefinedMetricWarning` is raised.

    Returns
    -------
    score : float
        Between 0, for constant predictions, and 1 (best).

    See Also
    --------
    EntropyBalance.from_variables : All labels together, which needs many samples.
    normalized_information_score : The same for a single label.
    sklearn.metrics.hamming_loss : The share of labels that are wrong.

    Notes
    -----
    Each label is compared only with its own prediction: what one label says about
    another does not count. Swapping zeros and ones makes no difference. For measures of
    each label, use ``measure.normalized_information(multilabel_confusion_matrix(Y_true,
    Y_pred))`` and similar calls.

    Examples
    --------
    If labels are rare, predicting none of them is nearly right and says nothing:

    >>> import numpy as np
    >>> from sklearn.metrics import hamming_loss
    >>> from sklearn_entropy_metrics import multilabel_information_score
    >>> Y_true = np.eye(10, dtype=int)
    >>> none, half = np.zeros_like(Y_true), np.tri(10, dtype=int)
    >>> round(hamming_loss(Y_true, none), 3), round(hamming_loss(Y_true, half), 3)
    (0.1, 0.45)
    >>> multilabel_information_score(Y_true, none)
    0.0
    >>> round(multilabel_information_score(Y_true, half), 3)
    0.292
    """
    tables = tabulate_indicators(Y_true, Y_pred, sample_weight).tables
    return finish(
        measure.multilabel_information(tables),
        None,
        replace_undefined_by,
        "Multilabel information is undefined if no label varies in Y_true",
    )
