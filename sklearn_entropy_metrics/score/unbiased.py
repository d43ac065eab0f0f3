"""Accuracy, precision, F1 and MCC that the rates would give on balanced classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics import measure
from sklearn_entropy_metrics.measure.catalog import computes
from sklearn_entropy_metrics.measure.classes import Average
from sklearn_entropy_metrics.score._classes import class_score


@computes(measure.unbiased_accuracy)
def unbiased_accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Any = 1,
    average: Average = "binary",
) -> float | np.ndarray:
    r"""Unbiased accuracy: the accuracy that the rates would give on balanced classes.

    .. math:: a_u = (\mathrm{tp} + \mathrm{tn}) / 2 = (1 + \delta) / 2

    with the true positive rate tp and the true negative rate tn [1]_.

    Read more in the :ref:`User Guide <phi_delta>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default, the labels seen in `y_true` or `y_pred`.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones. Predictions outside
        the true classes are negative for all of them.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return where there are no positives or no negatives. If it is NaN, an
        `UndefinedMetricWarning` is raised.

    pos_label : int, float, bool or str, default=1
        The positive class if ``average="binary"``. The metric is the same for either
        class, so any two labels will do if this is the default or None.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        "binary" scores the positive of two classes. The others score each class against
        the rest: "macro" is the mean, "weighted" the mean weighted by the number of
        true samples; both ignore undefined classes. None returns a value for each
        class.

    Returns
    -------
    score : float or ndarray of shape (n_classes,)
        Between 0 and 1 (best).

    See Also
    --------
    discriminant_capability_score : The same from -1 to 1.
    sklearn.metrics.balanced_accuracy_score : The same for two classes.

    References
    ----------
    .. [1] G. Armano (2015). "A direct measure of discriminant and characteristic
       capability for classifier building and assessment". Information Sciences 325,
       466-483.

    Examples
    --------
    >>> from sklearn_entropy_metrics import unbiased_accuracy_score
    >>> unbiased_accuracy_score([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1])
    0.875
    """
    return class_score(
        measure.unbiased_accuracy,
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
        replace_undefined_by=replace_undefined_by,
        pos_label=pos_label,
        average=average,
        reason="Unbiased accuracy is undefined without positives or without negatives",
    )


@computes(measure.unbiased_precision)
def unbiased_precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Any = 1,
    average: Average = "binary",
) -> float | np.ndarray:
    r"""Unbiased precision: the precision that the rates would give on balanced classes.

    .. math:: \pi_u = \mathrm{tp} / (\mathrm{tp} + \mathrm{fp})

    with the true positive rate tp and the false positive rate fp [1]_.

    Read more in the :ref:`User Guide <phi_delta>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default, the labels seen in `y_true` or `y_pred`.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones. Predictions outside
        the true classes are negative for all of them.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return where there are no positives, no negatives or no positive
        predictions. If it is NaN, an `UndefinedMetricWarning` is raised.

    pos_label : int, float, bool or str, default=1
        The positive class if ``average="binary"``. It must be one of the two labels.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        "binary" scores the positive of two classes. The others score each class against
        the rest: "macro" is the mean, "weighted" the mean weighted by the number of
        true samples; both ignore undefined classes. None returns a value for each
        class.

    Returns
    -------
    score : float or ndarray of shape (n_classes,)
        Between 0 and 1 (best).

    See Also
    --------
    sklearn.metrics.precision_score : Depends on the ratio of the classes.

    References
    ----------
    .. [1] G. Armano (2015). "A direct measure of discriminant and characteristic
       capability for classifier building and assessment". Information Sciences 325,
       466-483.

    Examples
    --------
    >>> from sklearn_entropy_metrics import unbiased_precision_score
    >>> unbiased_precision_score([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1])
    0.8
    """
    return class_score(
        measure.unbiased_precision,
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
        replace_undefined_by=replace_undefined_by,
        pos_label=pos_label,
        average=average,
        reason=(
            "Unbiased precision is undefined without positives, negatives or positive "
            "predictions"
        ),
    )


@computes(measure.unbiased_f1)
def unbiased_f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Any = 1,
    average: Average = "binary",
) -> float | np.ndarray:
    r"""Unbiased F1: the F1 score that the rates would give on balanced classes.

    .. math:: \mathrm{F1}_u = 2\,\mathrm{tp} / (\mathrm{tp} + \mathrm{fp} + 1)

    with the true positive rate tp and the false positive rate fp: the harmonic mean of
    unbiased precision and recall, 0 if nothing is predicted to be positive [1]_.

    Read more in the :ref:`User Guide <phi_delta>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default, the labels seen in `y_true` or `y_pred`.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones. Predictions outside
        the true classes are negative for all of them.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return where there are no positives or no negatives. If it is NaN, an
        `UndefinedMetricWarning` is raised.

    pos_label : int, float, bool or str, default=1
        The positive class if ``average="binary"``. It must be one of the two labels.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        "binary" scores the positive of two classes. The others score each class against
        the rest: "macro" is the mean, "weighted" the mean weighted by the number of
        true samples; both ignore undefined classes. None returns a value for each
        class.

    Returns
    -------
    score : float or ndarray of shape (n_classes,)
        Between 0 and 1 (best).

    See Also
    --------
    sklearn.metrics.f1_score : Depends on the ratio of the classes.

    References
    ----------
    .. [1] G. Armano (2015). "A direct measure of discriminant and characteristic
       capability for classifier building and assessment". Information Sciences 325,
       466-483.

    Examples
    --------
    >>> from sklearn_entropy_metrics import unbiased_f1_score
    >>> round(unbiased_f1_score([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]), 3)
    0.889
    """
    return class_score(
        measure.unbiased_f1,
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
        replace_undefined_by=replace_undefined_by,
        pos_label=pos_label,
        average=average,
        reason="Unbiased F1 is undefined without positives or without negatives",
    )


@computes(measure.unbiased_matthews_corrcoef)
def unbiased_matthews_corrcoef(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Any = 1,
    average: Average = "binary",
) -> float | np.ndarray:
    r"""Unbiased Matthews correlation: its value for the same rates on balanced classes.

    .. math:: \mathrm{MCC}_u = \delta / \sqrt{1 - \varphi^2}

    with the discriminant capability δ and the characteristic capability φ [1]_.

    Read more in the :ref:`User Guide <phi_delta>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default, the labels seen in `y_true` or `y_pred`.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones. Predictions outside
        the true classes are negative for all of them.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return where there are no positives, no negatives, or only one
        predicted class. If it is NaN, an `UndefinedMetricWarning` is raised.

    pos_label : int, float, bool or str, default=1
        The positive class if ``average="binary"``. The metric is the same for either
        class, so any two labels will do if this is the default or None.

    average : {"binary", "macro", "weighted"} or None, default="binary"
        "binary" scores the positive of two classes. The others score each class against
        the rest: "macro" is the mean, "weighted" the mean weighted by the number of
        true samples; both ignore undefined classes. None returns a value for each
        class.

    Returns
    -------
    score : float or ndarray of shape (n_classes,)
        Between -1 and 1 (best).

    See Also
    --------
    sklearn.metrics.matthews_corrcoef : Depends on the ratio of the classes.

    References
    ----------
    .. [1] G. Armano (2015). "A direct measure of discriminant and characteristic
       capability for classifier building and assessment". Information Sciences 325,
       466-483.

    Examples
    --------
    >>> from sklearn_entropy_metrics import unbiased_matthews_corrcoef
    >>> round(unbiased_matthews_corrcoef([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]), 3)
    0.775
    """
    return class_score(
        measure.unbiased_matthews_corrcoef,
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
        replace_undefined_by=replace_undefined_by,
        pos_label=pos_label,
        average=average,
        reason=(
            "Unbiased MCC is undefined without positives or negatives, or if all "
            "predictions are the same"
        ),
    )
