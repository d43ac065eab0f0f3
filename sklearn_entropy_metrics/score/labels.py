"""Metrics of true and predicted labels, in the style of :mod:`sklearn.metrics`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics import measure
from sklearn_entropy_metrics.balance.balance import balance_of_own
from sklearn_entropy_metrics.measure.catalog import computes
from sklearn_entropy_metrics.measure.chance import chance_of_weights
from sklearn_entropy_metrics.measure.confusion import Weighting
from sklearn_entropy_metrics.score._undefined import finish
from sklearn_entropy_metrics.table.classes import ClassTable
from sklearn_entropy_metrics.table.tabulate import tabulate_labels


@computes(measure.entropy_modulated_accuracy)
def entropy_modulated_accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Entropy-modulated accuracy (EMA).

    One divided by the number of classes that the prediction leaves us to guess among:

    .. math:: a' = 1 / k_{X|Y} = 2^{-H_{X|Y}}

    with the entropy :math:`H_{X|Y}` in bits of the true classes given the predicted
    ones [1]_. It is the expected accuracy of a classifier that guesses among
    :math:`k_{X|Y}` equally likely classes. A classifier that transfers no information
    has :math:`1/k_X`, where :math:`k_X = 2^{H_X}` is the effective number of classes.

    Read more in the :ref:`User Guide <transfer>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default, the labels seen in `y_true` or `y_pred`.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. EMA is always defined, so this
        parameter has no effect.

    Returns
    -------
    score : float
        Between 1/k and 1 (best).

    See Also
    --------
    normalized_information_transfer_score : Also discounts the imbalance of the classes.
    sklearn.metrics.accuracy_score : How often the prediction is right.

    Notes
    -----
    Permuting the predicted labels does not change the score: a classifier that is
    always wrong in the same way transfers all information. Check the accuracy, too, or
    use :func:`information_report`.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2014). "100% classification
       accuracy considered harmful: the normalized information transfer factor explains
       the accuracy paradox". PLoS ONE 9(1), e84217, equation (3).

    Examples
    --------
    >>> from sklearn.metrics import accuracy_score
    >>> from sklearn_entropy_metrics import entropy_modulated_accuracy_score
    >>> y_true = [0, 0, 0, 0, 0, 0, 1, 1, 2, 2]
    >>> majority, better = [0] * 10, [0, 0, 0, 1, 2, 2, 1, 1, 2, 2]
    >>> accuracy_score(y_true, majority), accuracy_score(y_true, better)
    (0.6, 0.7)
    >>> round(entropy_modulated_accuracy_score(y_true, majority), 3)
    0.387
    >>> round(entropy_modulated_accuracy_score(y_true, better), 3)
    0.626
    """
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = measure.entropy_modulated_accuracy(balance_of_own(counted.table))
    reason = "Entropy-modulated accuracy is undefined"
    return finish(value, counted, replace_undefined_by, reason)


@computes(measure.normalized_information_transfer)
def normalized_information_transfer_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Normalized information transfer (NIT) factor.

    The information transfer factor :math:`\mu = 2^{\mathrm{MI}}` as a share of the
    number k of classes:

    .. math:: q = \mu / k = 2^{\mathrm{MI}} / k

    with the mutual information MI in bits of true and predicted classes [1]_. It says
    how close the task of separating k balanced classes is to being solved: 1 only if
    the classes are balanced and the prediction determines them, 1/k if nothing is
    transferred. It never exceeds the entropy-modulated accuracy.

    Read more in the :ref:`User Guide <transfer>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes; their number is k. By default, the labels seen in `y_true` or
        `y_pred`.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. NIT is always defined, so this
        parameter has no effect.

    Returns
    -------
    score : float
        Between 1/k and 1 (best).

    See Also
    --------
    entropy_modulated_accuracy_score : Does not discount the imbalance of the classes.
    normalized_information_score : Information as a share of the maximum.

    Notes
    -----
    Permuting the predicted labels does not change the score.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2014). "100% classification
       accuracy considered harmful: the normalized information transfer factor explains
       the accuracy paradox". PLoS ONE 9(1), e84217, equation (5).

    Examples
    --------
    >>> from sklearn_entropy_metrics import normalized_information_transfer_score
    >>> y_true = [0, 0, 0, 0, 0, 0, 1, 1, 2, 2]
    >>> majority, better = [0] * 10, [0, 0, 0, 1, 2, 2, 1, 1, 2, 2]
    >>> round(normalized_information_transfer_score(y_true, majority), 3)
    0.333
    >>> round(normalized_information_transfer_score(y_true, better), 3)
    0.54
    """
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = measure.normalized_information_transfer(balance_of_own(counted.table))
    reason = "The normalized information transfer factor is undefined"
    return finish(value, counted, replace_undefined_by, reason)


@computes(measure.normalized_information)
def normalized_information_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Normalized mutual information (NI) of a classifier.

    The share of the information in the true classes that the prediction carries:

    .. math:: \mathrm{NI} = \mathrm{MI} / H_X = 1 - H_{X|Y} / H_X

    with the entropy :math:`H_X` of the true classes [1]_. For clusterings this is the
    homogeneity, which favours many clusters: with a cluster for each sample it is 1.

    Read more in the :ref:`User Guide <normalized_information>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default, the labels seen in `y_true` or `y_pred`.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return if `y_true` has only one class, so that there is no information
        to transfer. If it is NaN, an `UndefinedMetricWarning` is raised.

    Returns
    -------
    score : float
        Between 0 and 1 (best).

    See Also
    --------
    entropy_modulated_accuracy_score : The remaining entropy, as an accuracy.
    sklearn.metrics.homogeneity_score : The same number without weights, and 1 where it
        is undefined.

    Notes
    -----
    Permuting the predicted labels does not change the score: an NI of 0.3 may come from
    a classifier that is systematically wrong.

    References
    ----------
    .. [1] Y. Wang and B.-G. Hu (2009). "Derivations of normalized mutual information
       in binary classifications". FSKD 2009, 155-163.

    Examples
    --------
    >>> from sklearn_entropy_metrics import normalized_information_score
    >>> y_true = [0] * 50 + [1] * 50
    >>> y_pred = [0] * 45 + [1] * 5 + [0] * 25 + [1] * 25
    >>> round(normalized_information_score(y_true, y_pred), 4)
    0.1468
    """
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = measure.normalized_information(balance_of_own(counted.table))
    reason = "Normalized information is undefined for a single true class"
    return finish(value, counted, replace_undefined_by, reason)


@computes(measure.adjusted_normalized_information)
def adjusted_normalized_information_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Normalized information (NI), adjusted for chance.

    In a small sample, even random predictions share some information with the true
    classes. The score subtracts it, as in the adjusted mutual information (AMI) [1]_:

    .. math:: \frac{\mathrm{MI} - E[\mathrm{MI}]}{H_X - E[\mathrm{MI}]}

    where the expectation is over all tables with the same numbers of samples of each
    true and of each predicted class. A classifier that guesses scores 0 on average,
    regardless of the number of samples, and a perfect one scores 1. With many samples
    the score approaches :func:`normalized_information_score`.

    Read more in the :ref:`User Guide <small_samples>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default, the labels seen in `y_true` or `y_pred`. Classes
        that do not occur make no difference.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. The information that is expected by chance is then the
        mean of 50 permutations of the predictions, always the same ones.

    replace_undefined_by : float, default=np.nan
        Value to return if `y_true` has only one class, or if chance alone would
        identify the classes, for example if each sample has its own class. If it is
        NaN, an `UndefinedMetricWarning` is raised.

    Returns
    -------
    score : float
        At most 1 (best); 0 for a guess on average, and possibly less.

    See Also
    --------
    normalized_information_score : Without the adjustment.
    independence_test : Whether there is any information at all.
    sklearn.metrics.adjusted_mutual_info_score : The same with a mean of the entropies
        of both in the denominator, and without weights.

    Notes
    -----
    The score is the share of the information beyond chance that is transferred. To
    estimate NI itself from few samples, use :func:`confidence_interval`.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey (2010). "Information theoretic measures for
       clusterings comparison: variants, properties, normalization and correction for
       chance". Journal of Machine Learning Research 11, 2837-2854.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_entropy_metrics import adjusted_normalized_information_score
    >>> from sklearn_entropy_metrics import normalized_information_score
    >>> y_true, y_guessed = np.random.default_rng(0).integers(0, 10, (2, 150))
    >>> round(normalized_information_score(y_true, y_guessed), 3)
    0.144
    >>> round(adjusted_normalized_information_score(y_true, y_guessed), 3)
    0.003
    """
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = measure.adjusted_normalized_information(
        balance_of_own(counted.table),
        n_samples=counted.size,
        expected=chance_of_weights(y_true, y_pred, sample_weight),
    )
    reason = (
        "Adjusted normalized information is undefined for a single true class, and "
        "where chance alone would identify the classes"
    )
    return finish(value, counted, replace_undefined_by, reason)


@computes(measure.variation_of_information)
def variation_of_information_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    normalize: bool = False,
) -> float:
    r"""Variation of information (VI) between true and predicted classes.

    What true and predicted classes do not say about each other, in bits:

    .. math:: \mathrm{VI} = H_{X|Y} + H_{Y|X}

    It is a distance between the two partitions of the samples, and the part of the
    balance of entropies that a classifier wastes [1]_.

    Read more in the :ref:`User Guide <entropy_triangle>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default, the labels seen in `y_true` or `y_pred`.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return if `normalize` is true and there is only one class. If it is
        NaN, an `UndefinedMetricWarning` is raised.

    normalize : bool, default=False
        Whether to divide by :math:`H_{UX} + H_{UY} = \log_2 k + \log_2 m`, which
        gives the coordinate VI' of the entropy triangle.

    Returns
    -------
    loss : float
        0 is best.

    See Also
    --------
    EntropyBalance : All parts of the balance.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2010). "Two
       information-theoretic tools to assess the performance of multi-class
       classifiers". Pattern Recognition Letters 31(12), 1665-1671.

    Examples
    --------
    >>> from sklearn_entropy_metrics import variation_of_information_loss
    >>> y_true = [0, 0, 0, 1, 1, 1]
    >>> y_pred = [0, 0, 0, 1, 1, 0]
    >>> round(variation_of_information_loss(y_true, y_pred), 3)
    1.0
    >>> round(variation_of_information_loss(y_true, y_pred, normalize=True), 3)
    0.5
    """
    counted = count_labels(y_true, y_pred, labels, pred_labels, sample_weight)
    value = measure.variation_of_information(
        balance_of_own(counted.table), normalize=normalize
    )
    reason = "Normalized variation of information is undefined for a single class"
    return finish(value, counted, replace_undefined_by, reason)


@computes(measure.confusion_entropy)
def confusion_entropy_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    relative: bool = False,
    modified: bool = False,
    weighting: Weighting = "class",
) -> float:
    """Confusion entropy (CEN), and the relative (rCEN) and modified (MCEN) one.

    How evenly the mistakes of a classifier are spread over the pairs of classes [1]_: 0
    if there are none, small if each class is mistaken for only one other class. The
    formula is in :func:`sklearn_entropy_metrics.measure.confusion_entropy`.

    Read more in the :ref:`User Guide <confusion_entropy>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The classes; a class without samples and predictions adds nothing to the sum but
        counts in the base of the logarithm. By default the labels seen in `y_true` or
        `y_pred`.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return if there is only one class. If it is NaN, an
        `UndefinedMetricWarning` is raised.

    relative : bool, default=False
        Whether to divide the counts of each true class by their sum first (rCEN), so
        that the frequencies of the classes do not matter [3]_.

    modified : bool, default=False
        Whether to count correct predictions once instead of twice in the number of
        samples of a class (MCEN) [2]_. Cannot be combined with `relative` or other
        weights.

    weighting : {"class", "confusion"}, default="class"
        The weights of the mean over the classes: all samples of a class, true or
        predicted, or only the confused ones.

    Returns
    -------
    loss : float
        0 is best. At most 1 for three or more classes; for two classes, it can reach
        1.0615 with ``weighting="class"``.

    See Also
    --------
    probabilistic_confusion_entropy_loss : The same from probabilities. Its default for
        `weighting` is "confusion": each follows the paper that defined the measure.

    References
    ----------
    .. [1] J.-M. Wei, X.-J. Yuan, Q.-H. Hu and S.-Q. Wang (2010). "A novel measure for
       evaluating classifiers". Expert Systems with Applications 37(5), 3799-3809.
    .. [2] R. Delgado and J. D. Núñez-González (2019). "Enhancing confusion entropy
       (CEN) for binary and multiclass classification". PLoS ONE 14(1), e0210264.
    .. [3] X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang (2013). "Probabilistic
       confusion entropy for evaluating classifiers". Entropy 15(11), 4969-4992.

    Examples
    --------
    >>> from sklearn_entropy_metrics import confusion_entropy_loss
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> one_way = [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0]
    >>> all_ways = [0, 0, 1, 2, 1, 1, 2, 0, 2, 2, 0, 1]
    >>> round(confusion_entropy_loss(y_true, one_way), 3)
    0.5
    >>> round(confusion_entropy_loss(y_true, all_ways), 3)
    0.75
    """
    counted = count_labels(y_true, y_pred, labels, None, sample_weight)
    value = measure.confusion_entropy(
        balance_of_own(counted.table),
        relative=relative,
        modified=modified,
        weighting=weighting,
    )
    reason = "Confusion entropy is undefined for a single class"
    return finish(value, counted, replace_undefined_by, reason)


def count_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None,
    pred_labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> ClassTable:
    """The first step of every metric of labels; all parameters are those of users."""
    return tabulate_labels(
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
    )
