"""The metrics of a class against the rest: φ, δ and the unbiased family."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics import measure
from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.balance.balance import float_or_array
from sklearn_entropy_metrics.balance.entropy import in_shares
from sklearn_entropy_metrics.measure import against_rest
from sklearn_entropy_metrics.measure.catalog import MEASURES, computes
from sklearn_entropy_metrics.score._undefined import finish
from sklearn_entropy_metrics.score.labels import count_labels
from sklearn_entropy_metrics.table.classes import ClassTable


@computes(measure.discriminant_capability)
def discriminant_capability_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Hashable = 1,
    average: against_rest.Average = "binary",
) -> float | np.ndarray:
    r"""Discriminant capability δ, also known as Youden's J or informedness.

    How well a classifier separates a class from the rest, regardless of their ratio
    [1]_:

    .. math:: \delta = \mathrm{tp} - \mathrm{fp}

    with the true positive rate tp and the false positive rate fp. It is 1 for an
    oracle, -1 for a classifier that is always wrong and 0 for one that does not
    separate the classes.

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
        Between -1 and 1 (best).

    See Also
    --------
    characteristic_capability : The other coordinate of the plane.
    sklearn.metrics.balanced_accuracy_score : The same for two classes if adjusted.

    References
    ----------
    .. [1] G. Armano (2015). "A direct measure of discriminant and characteristic
       capability for classifier building and assessment". Information Sciences 325,
       466-483.

    Examples
    --------
    >>> from sklearn_entropy_metrics import discriminant_capability_score
    >>> y_true = [0, 0, 0, 0, 0, 0, 1, 1]
    >>> round(discriminant_capability_score(y_true, [0, 0, 0, 0, 0, 1, 1, 1]), 3)
    0.833
    >>> discriminant_capability_score(y_true, [0] * 8)
    0.0
    """
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = _class_score(measure.discriminant_capability, counted, pos_label, average)
    reason = "δ is undefined without positives or without negatives"
    return finish(value, counted, replace_undefined_by, reason)


@computes(measure.characteristic_capability)
def characteristic_capability(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Hashable = 1,
    average: against_rest.Average = "binary",
) -> float | np.ndarray:
    r"""Characteristic capability φ.

    How much a classifier tends to answer with the positive class, regardless of the
    class ratio [1]_:

    .. math:: \varphi = \mathrm{tp} + \mathrm{fp} - 1

    with the true positive rate tp and the false positive rate fp. It is 1 if everything
    is predicted to be positive, -1 if nothing is, and 0 without bias. It is best at 0,
    so do not maximise it.

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
    phi : float or ndarray of shape (n_classes,)
        Between -1 and 1.

    See Also
    --------
    discriminant_capability_score : The other coordinate of the plane.

    References
    ----------
    .. [1] G. Armano (2015). "A direct measure of discriminant and characteristic
       capability for classifier building and assessment". Information Sciences 325,
       466-483.

    Examples
    --------
    >>> from sklearn_entropy_metrics import characteristic_capability
    >>> y_true = [0, 0, 0, 0, 0, 0, 1, 1]
    >>> characteristic_capability(y_true, [1] * 8)
    1.0
    >>> round(characteristic_capability(y_true, [0, 0, 0, 0, 0, 1, 1, 1]), 3)
    0.167
    """
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = _class_score(measure.characteristic_capability, counted, pos_label, average)
    reason = "φ is undefined without positives or without negatives"
    return finish(value, counted, replace_undefined_by, reason)


def phi_delta(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Hashable = 1,
    average: against_rest.Average = "binary",
    prevalence_corrected: bool = False,
) -> tuple[float | np.ndarray, float | np.ndarray]:
    r"""Characteristic and discriminant capability, φ and δ.

    The coordinates of a classifier in the diamond
    :math:`|\varphi| + |\delta| \le 1` [1]_:

    .. math::
        \varphi = \mathrm{tp} + \mathrm{fp} - 1, \quad
        \delta = \mathrm{tp} - \mathrm{fp}

    with the true positive rate tp and the false positive rate fp.

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

    prevalence_corrected : bool, default=False
        Whether to take the shares n of negatives and p of positives into account:
        :math:`\delta_g = \delta - (n - p)\varphi`, which is twice the accuracy minus 1,
        and :math:`\varphi_g = \varphi + (n - p)(1 - \delta)`.

    Returns
    -------
    phi, delta : float or ndarray of shape (n_classes,)
        Both between -1 and 1; the best δ is 1, and a φ of 0 means no bias.

    See Also
    --------
    characteristic_capability : φ alone.
    discriminant_capability_score : δ alone.

    References
    ----------
    .. [1] G. Armano (2015). "A direct measure of discriminant and characteristic
       capability for classifier building and assessment". Information Sciences 325,
       466-483.

    Examples
    --------
    >>> from sklearn_entropy_metrics import phi_delta
    >>> phi, delta = phi_delta([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1])
    >>> phi, delta
    (0.25, 0.75)
    """
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)

    def both(tables):
        pair = measure.phi_delta(tables, prevalence_corrected=prevalence_corrected)
        return np.stack(pair)

    value = _class_score(both, counted, pos_label, average)
    reason = "φ and δ are undefined without positives or without negatives"
    pair = finish(value, counted, replace_undefined_by, reason)
    return float_or_array(pair[0]), float_or_array(pair[1])


@computes(measure.unbiased_accuracy)
def unbiased_accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Hashable = 1,
    average: against_rest.Average = "binary",
) -> float | np.ndarray:
    r"""Unbiased accuracy, which is the balanced accuracy of two classes.

    The accuracy that the rates would give if the classes were balanced:

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
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = _class_score(measure.unbiased_accuracy, counted, pos_label, average)
    reason = "Unbiased accuracy is undefined without positives or without negatives"
    return finish(value, counted, replace_undefined_by, reason)


@computes(measure.unbiased_precision)
def unbiased_precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Hashable = 1,
    average: against_rest.Average = "binary",
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
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = _class_score(measure.unbiased_precision, counted, pos_label, average)
    reason = (
        "Unbiased precision is undefined without positives, negatives or positive "
        "predictions"
    )
    return finish(value, counted, replace_undefined_by, reason)


@computes(measure.unbiased_f1)
def unbiased_f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Hashable = 1,
    average: against_rest.Average = "binary",
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
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = _class_score(measure.unbiased_f1, counted, pos_label, average)
    reason = "Unbiased F1 is undefined without positives or without negatives"
    return finish(value, counted, replace_undefined_by, reason)


@computes(measure.unbiased_matthews_corrcoef)
def unbiased_matthews_corrcoef(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    pos_label: Hashable = 1,
    average: against_rest.Average = "binary",
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
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = _class_score(
        measure.unbiased_matthews_corrcoef, counted, pos_label, average
    )
    reason = (
        "Unbiased MCC is undefined without positives or negatives, or if all "
        "predictions are the same"
    )
    return finish(value, counted, replace_undefined_by, reason)


def _class_score(
    function: Callable[..., Any],
    counted: ClassTable,
    pos_label: Hashable,
    average: against_rest.Average,
) -> Any:
    """Measure stacks of 2x2 tables: the positive class, or the average of all."""
    against_rest.check_average(average)
    tables = against_rest.class_tables(counted)
    if average == "binary":
        matters = all(
            m.needs_positive
            for m in MEASURES.values()
            if m.function is function and not m.is_average
        )
        labels = counted.labels.tolist()
        return function(tables[against_rest.positive_class(labels, pos_label, matters)])
    if pos_label not in (None, 1):
        warn(
            f"pos_label={pos_label!r} is ignored because average={average!r} is not "
            "'binary'."
        )
    support = in_shares(tables[np.newaxis, :, 1].sum(axis=-1))[0]
    return float_or_array(
        against_rest.average_over_classes(function(tables), support, average)
    )
