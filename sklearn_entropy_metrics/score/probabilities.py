"""Metrics of true labels and predicted probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics import measure
from sklearn_entropy_metrics.measure.catalog import computes
from sklearn_entropy_metrics.measure.confusion import Weighting
from sklearn_entropy_metrics.score._undefined import finish
from sklearn_entropy_metrics.table.probabilities import tabulate_probabilities


@computes(measure.probabilistic_confusion_entropy)
def probabilistic_confusion_entropy_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    relative: bool = False,
    weighting: Weighting = "confusion",
) -> float:
    r"""Probabilistic confusion entropy (pCEN), and the relative one (rpCEN).

    The confusion entropy of the probabilistic confusion matrix, whose entry
    :math:`c_{ij} = \sum_{s \in i} p(s, j)` sums the probabilities given to class j over
    the samples s of class i [1]_. It is small if samples get high probabilities for
    their own class, and if the rest is spread over few other classes.

    Read more in the :ref:`User Guide <confusion_entropy>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Predicted probabilities, as from `predict_proba`. A one-dimensional array holds
        those of the second of two classes.

    labels : array-like of shape (n_classes,), default=None
        The classes, in the order of the columns of `y_proba`. By default, the sorted
        labels of `y_true`; pass them if some class has no samples.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return if there is only one class. If it is NaN, an
        `UndefinedMetricWarning` is raised.

    relative : bool, default=False
        Whether to take the mean over the samples of each class instead of the sum
        (rpCEN), so that the frequencies of the classes do not matter.

    weighting : {"class", "confusion"}, default="confusion"
        The weights of the mean over the classes: all probability of a class, or only
        what went to or came from other classes.

    Returns
    -------
    loss : float
        0 is best. At most 1, except for two classes with ``weighting="class"``, where
        it can reach 1.0615.

    See Also
    --------
    confusion_entropy_loss : The same from predicted labels.
    probabilistic_confusion_matrix : The matrix.
    miscalibration_loss : What calibration would remove from the log loss.
    sklearn.metrics.log_loss : Looks only at the probability of the true class.

    Notes
    -----
    It rewards confidence, deserved or not: probabilities that are too bold have a lower
    loss than calibrated ones. Use the log loss to judge calibration.

    With probabilities of 0 and 1 this is :func:`confusion_entropy_loss` with the same
    `weighting`. The two defaults differ because each follows the paper that defined the
    measure: the values printed in [1]_ use weights by confusion.

    References
    ----------
    .. [1] X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang (2013). "Probabilistic
       confusion entropy for evaluating classifiers". Entropy 15(11), 4969-4992.

    Examples
    --------
    >>> from sklearn_entropy_metrics import probabilistic_confusion_entropy_loss
    >>> y_true = [0, 0, 1, 2]
    >>> sharp = [[0.8, 0.2, 0], [0.9, 0.1, 0], [0, 0.7, 0.3], [0, 0, 1]]
    >>> vague = [[0.8, 0.1, 0.1], [0.9, 0.05, 0.05], [0.15, 0.7, 0.15], [0, 0, 1]]
    >>> round(probabilistic_confusion_entropy_loss(y_true, sharp), 3)
    0.043
    >>> round(probabilistic_confusion_entropy_loss(y_true, vague), 3)
    0.05
    """
    soft = tabulate_probabilities(
        y_true, y_proba, labels=labels, sample_weight=sample_weight
    )
    value = measure.probabilistic_confusion_entropy(
        soft.table,
        class_weight=soft.class_weight,
        relative=relative,
        weighting=weighting,
    )
    return finish(
        value,
        soft,
        replace_undefined_by,
        "Probabilistic confusion entropy is undefined for a single class",
    )


@computes(measure.mean_absolute_probability_error)
def mean_absolute_probability_error(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Mean absolute error (MAE) of predicted probabilities.

    .. math:: \frac{1}{n m} \sum_s \sum_j \left| [y_s = j] - p(s, j) \right|

    over n samples s and m classes j [1]_.

    Read more in the :ref:`User Guide <confusion_entropy>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Predicted probabilities, as from `predict_proba`. A one-dimensional array holds
        those of the second of two classes.

    labels : array-like of shape (n_classes,), default=None
        The classes, in the order of the columns of `y_proba`. By default, the sorted
        labels of `y_true`; pass them if some class has no samples.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. This error is always defined, so
        the parameter has no effect.

    Returns
    -------
    error : float
        Between 0 (best) and 1.

    See Also
    --------
    probabilistic_confusion_entropy_loss : Also considers where wrong probability goes.
    sklearn.metrics.brier_score_loss : With squares instead of absolute values.

    References
    ----------
    .. [1] X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang (2013). "Probabilistic
       confusion entropy for evaluating classifiers". Entropy 15(11), 4969-4992.

    Examples
    --------
    >>> from sklearn_entropy_metrics import mean_absolute_probability_error
    >>> round(mean_absolute_probability_error([0, 1, 1], [0.1, 0.8, 0.6]), 3)
    0.233
    """
    soft = tabulate_probabilities(
        y_true, y_proba, labels=labels, sample_weight=sample_weight
    )
    value = measure.mean_absolute_probability_error(
        soft.table, class_weight=soft.class_weight
    )
    return finish(
        value,
        soft,
        replace_undefined_by,
        "Mean absolute probability error is undefined",
    )
