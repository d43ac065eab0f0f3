"""Metrics of true labels and probabilities that look at every sample."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics import measure
from sklearn_entropy_metrics.balance.probability import (
    Recalibration,
    balance_samples,
    log2_likelihood,
)
from sklearn_entropy_metrics.measure.catalog import computes
from sklearn_entropy_metrics.score._undefined import finish
from sklearn_entropy_metrics.table.checks import as_floats, as_numbers
from sklearn_entropy_metrics.table.probabilities import Samples, check_samples


@computes(measure.probability_information)
def probability_information_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    normalize: bool = False,
    recalibration: Recalibration = "best",
    cv: int | None = 5,
) -> float:
    r"""Information that predicted probabilities carry about the classes, in bits.

    .. math:: I = H - R

    where H is the entropy of the true classes and R the log loss, in bits, of the
    probabilities after recalibration on other samples [1]_. Unlike the log loss, it
    does not penalise overconfident or underconfident probabilities, because calibration
    can fix them.

    Read more in the :ref:`User Guide <knows_says_decides>`.

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
        Value to return if ``normalize=True`` and there is only one true class. If it is
        NaN, an `UndefinedMetricWarning` is raised.

    normalize : bool, default=False
        Whether to divide by the entropy of the classes.

    recalibration : str or classifier, default="best"
        How to recalibrate the probabilities: "best", "temperature", "logistic",
        "isotonic", "none" or a classifier, as in
        :meth:`ProbabilityBalance.from_probabilities`.

    cv : int, default=5
        Number of stratified folds. With None, the recalibration is fitted and judged on
        the same samples.

    Returns
    -------
    information : float
        At most the entropy of the classes, or 1 if normalized. Never negative with the
        default recalibration.

    See Also
    --------
    miscalibration_loss : The avoidable part of the log loss.
    ProbabilityBalance : Both of them, and what deciding discards.
    normalized_information_score : The information of predicted labels.
    sklearn.metrics.d2_log_loss_score : The share of the entropy that the probabilities
        explain as they stand.

    Notes
    -----
    The folds, and so the value, depend slightly on the order of the samples.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021). "Stable reliability
       diagrams for probabilistic classifiers". PNAS 118(8), e2016191118.

    Examples
    --------
    Overconfident probabilities have a high log loss, but still carry information:

    >>> import numpy as np
    >>> from sklearn.metrics import log_loss
    >>> from sklearn_entropy_metrics import probability_information_score
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(1000)
    >>> y_true = rng.random(1000) < p
    >>> bold = p**8 / (p**8 + (1 - p) ** 8)
    >>> for y_proba in (p, bold):
    ...     information = probability_information_score(y_true, y_proba)
    ...     print(f"{log_loss(y_true, y_proba):.2f} {information:.2f}")
    0.49 0.29
    1.51 0.28
    """
    samples = check_samples(y_true, y_proba, labels=labels, sample_weight=sample_weight)
    balance = balance_samples(samples, recalibration, cv)
    return finish(
        measure.probability_information(balance, normalize=normalize),
        samples.soft_table(),
        replace_undefined_by,
        "Normalized information of probabilities is undefined if only one class is "
        "true",
    )


@computes(measure.miscalibration)
def miscalibration_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
    recalibration: Recalibration = "best",
    cv: int | None = 5,
) -> float:
    r"""What recalibration on other samples removes from the log loss, in bits.

    .. math:: M = L - R

    where L is the log loss of the probabilities as they are and R that after
    recalibration [1]_.

    Read more in the :ref:`User Guide <knows_says_decides>`.

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
        Miscalibration is always defined, so this parameter has no effect.

    recalibration : str or classifier, default="best"
        How to recalibrate the probabilities: "best", "temperature", "logistic",
        "isotonic", "none" or a classifier, as in
        :meth:`ProbabilityBalance.from_probabilities`.

    cv : int, default=5
        Number of stratified folds. With None, the recalibration is fitted and judged on
        the same samples.

    Returns
    -------
    loss : float
        0 is best. It is slightly negative if the probabilities are better than what can
        be learnt from the other folds.

    See Also
    --------
    probability_information_score : The information after recalibration.
    ProbabilityBalance : Both of them, and what deciding discards.
    sklearn.calibration.CalibratedClassifierCV : Calibrates a classifier.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021). "Stable reliability
       diagrams for probabilistic classifiers". PNAS 118(8), e2016191118.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_entropy_metrics import miscalibration_loss
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(1000)
    >>> y_true = rng.random(1000) < p
    >>> bold = p**8 / (p**8 + (1 - p) ** 8)
    >>> round(miscalibration_loss(y_true, bold), 2)
    1.46
    """
    samples = check_samples(y_true, y_proba, labels=labels, sample_weight=sample_weight)
    return finish(
        measure.miscalibration(balance_samples(samples, recalibration, cv)),
        samples.soft_table(),
        replace_undefined_by,
        "Miscalibration is undefined",
    )


def pointwise_information(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    prior: ArrayLike | None = None,
) -> np.ndarray:
    r"""Information in bits that each sample's probabilities carry about its class.

    .. math:: i_s = \log_2 p_s(y_s) - \log_2 \pi(y_s)

    with the predicted probability of the true class of sample s, and the share of that
    class. It is negative for samples whose class the classifier expects less than its
    share: sort by it to find the most surprising samples.

    Read more in the :ref:`User Guide <knows_says_decides>`.

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

    prior : array-like of shape (n_classes,), default=None
        Shares of the classes, in the order of `labels`. By default, those in `y_true`.

    Returns
    -------
    information : ndarray of shape (n_samples,)
        At most ``-log2(prior)`` of the class.

    See Also
    --------
    ProbabilityBalance : Its `stated_information` is the mean.

    Notes
    -----
    Probabilities of 0 are clipped as in :func:`sklearn.metrics.log_loss`, so that all
    values are finite.

    Examples
    --------
    >>> from sklearn_entropy_metrics import pointwise_information
    >>> pointwise_information([0, 0, 1, 1], [0.0, 0.5, 0.5, 0.25]).round(3)
    array([ 1.,  0.,  0., -1.])
    """
    samples = check_samples(y_true, y_proba, labels=labels)
    shares = _check_prior(prior, samples)
    return log2_likelihood(samples.proba, samples.true) - np.log2(shares)[samples.true]


def _check_prior(prior, samples: Samples) -> np.ndarray:
    """Shares of the classes; a class without samples may have 0."""
    n_classes = len(samples.labels)
    counts = np.bincount(samples.true, minlength=n_classes)
    if prior is None:
        shares = counts / len(samples.true)
    else:
        shares = as_floats(as_numbers(prior, "`prior`"), "`prior`")
        if shares.shape != (n_classes,):
            raise ValueError(
                f"`prior` must have a share for each of the {n_classes} classes. Got "
                f"an array of shape {shares.shape}."
            )
        if not (shares.min() >= 0 and abs(shares.sum() - 1) < 1e-6):
            raise ValueError(
                f"`prior` must be non-negative and sum to one. Got {prior!r}."
            )
        if (impossible := (shares == 0) & (counts > 0)).any():
            raise ValueError(
                "`prior` must be positive for every class of y_true. Got 0 for "
                f"{samples.labels[impossible].tolist()[0]!r}."
            )
    return np.where(counts > 0, shares, 1)
