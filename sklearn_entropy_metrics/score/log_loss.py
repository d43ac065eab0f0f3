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
from sklearn_entropy_metrics.table.checks import as_floats
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
    does not punish probabilities that are too bold or too timid: these can be mended.

    Read more in the :ref:`User Guide <knows_says_decides>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Predicted probabilities, as of `predict_proba`. One-dimensional: those of the
        second one of two classes.

    labels : array-like of shape (n_classes,), default=None
        The classes, in the order of the columns of `y_proba`. By default the sorted
        labels of `y_true`: name them if some class has no samples.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Value to return if `normalize=True` and there is one true class only. While it
        is NaN, an `UndefinedMetricWarning` is raised.

    normalize : bool, default=False
        Whether to divide by the entropy of the classes.

    recalibration : str or classifier, default="best"
        How to mend the probabilities: "best", "temperature", "logistic", "isotonic",
        "none" or a classifier, as in :meth:`ProbabilityBalance.from_probabilities`.

    cv : int, default=5
        Number of stratified folds; None: fit and judge the recalibration by the same
        samples.

    Returns
    -------
    information : float
        At most the entropy of the classes, or 1 if normalized. With the default
        recalibration never negative.

    See Also
    --------
    miscalibration_loss : What the log loss could do without.
    ProbabilityBalance : Both of them, and what deciding throws away.
    normalized_information_score : The information of predicted labels.
    sklearn.metrics.d2_log_loss_score : The share of the entropy that the probabilities
        tell as they stand.

    Notes
    -----
    The folds depend on the order of the samples, and so does the value, a little.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021). "Stable reliability
       diagrams for probabilistic classifiers". PNAS 118(8), e2016191118.

    Examples
    --------
    Overconfident probabilities lose in log loss, but the information is still there:

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
        "Normalized information of probabilities is undefined if one class only is "
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
    r"""What recalibration on other samples takes off the log loss, in bits.

    .. math:: M = L - R

    where L is the log loss of the probabilities as they are and R that after
    recalibration [1]_.

    Read more in the :ref:`User Guide <knows_says_decides>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Predicted probabilities, as of `predict_proba`. One-dimensional: those of the
        second one of two classes.

    labels : array-like of shape (n_classes,), default=None
        The classes, in the order of the columns of `y_proba`. By default the sorted
        labels of `y_true`: name them if some class has no samples.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    replace_undefined_by : float, default=np.nan
        Miscalibration is always defined, so this parameter has no effect.

    recalibration : str or classifier, default="best"
        How to mend the probabilities: "best", "temperature", "logistic", "isotonic",
        "none" or a classifier, as in :meth:`ProbabilityBalance.from_probabilities`.

    cv : int, default=5
        Number of stratified folds; None: fit and judge the recalibration by the same
        samples.

    Returns
    -------
    loss : float
        0 is best. Slightly negative if the probabilities are better than what can be
        learnt from the other folds.

    See Also
    --------
    probability_information_score : What the probabilities tell when mended.
    ProbabilityBalance : Both of them, and what deciding throws away.
    sklearn.calibration.CalibratedClassifierCV : Mends a classifier.

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
    r"""Information that the probabilities of each sample tell about its class, in bits.

    .. math:: i_s = \log_2 p_s(y_s) - \log_2 \pi(y_s)

    with the probability that sample s gives to its true class, and the share of that
    class. It is negative for samples whose class is less expected than without looking:
    sort by it to find the most surprising ones.

    Read more in the :ref:`User Guide <knows_says_decides>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Predicted probabilities, as of `predict_proba`. One-dimensional: those of the
        second one of two classes.

    labels : array-like of shape (n_classes,), default=None
        The classes, in the order of the columns of `y_proba`. By default the sorted
        labels of `y_true`: name them if some class has no samples.

    prior : array-like of shape (n_classes,), default=None
        Shares of the classes, in the order of `labels`. By default those in `y_true`.

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
    """Shares of the classes; one without samples may have none."""
    n_classes = len(samples.labels)
    counts = np.bincount(samples.true, minlength=n_classes)
    if prior is None:
        shares = counts / len(samples.true)
    else:
        shares = as_floats(np.asarray(prior), "prior")
        if shares.shape != (n_classes,):
            raise ValueError(
                f"`prior` must have a share for each of the {n_classes} classes, got "
                f"an array of shape {shares.shape} instead."
            )
        if not (shares.min() >= 0 and abs(shares.sum() - 1) < 1e-6):
            raise ValueError(
                f"`prior` must be non-negative and sum to one, got {prior!r} instead."
            )
        if (impossible := (shares == 0) & (counts > 0)).any():
            raise ValueError(
                "`prior` must be positive for every class of y_true, got 0 for "
                f"{samples.labels[impossible][0]!r} instead."
            )
    return np.where(counts > 0, shares, 1)
