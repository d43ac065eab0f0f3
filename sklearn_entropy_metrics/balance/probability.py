"""Labels and probabilities → ProbabilityBalance: where the bits of the log loss go."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit
from sklearn.base import BaseEstimator
from sklearn.model_selection import KFold, StratifiedKFold

from sklearn_entropy_metrics.balance import recalibrate, shown
from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.entropy import nonzero
from sklearn_entropy_metrics.balance.interval import (
    ConfidenceInterval,
    check_confidence_level,
    warn_of_undefined,
)
from sklearn_entropy_metrics.table.checks import check_integer
from sklearn_entropy_metrics.table.classes import known_labels
from sklearn_entropy_metrics.table.count import count_pairs
from sklearn_entropy_metrics.table.labels import Codes
from sklearn_entropy_metrics.table.probabilities import Samples, check_samples

# A name, or a classifier to fit on log-probabilities.
Recalibration: TypeAlias = (
    Literal["best", "temperature", "logistic", "isotonic", "none"] | BaseEstimator
)
# The numbers that have intervals.
NAMES = (
    "information",
    "normalized_information",
    "miscalibration",
    "decision_loss",
    "stated_information",
    "log_loss",
)
_INFORMATION = NAMES[:2]


class Terms(NamedTuple):
    """The samples of a balance; logarithms are to base 2."""

    weight: np.ndarray  # sums to one
    true: np.ndarray
    decision: np.ndarray
    stated: np.ndarray  # logarithms of the probabilities of the true classes
    recalibrated: np.ndarray  # the same, recalibrated on other samples
    optimism: float  # what they gain on the samples of the fit; NaN: they are these


@dataclass(frozen=True, eq=False)
class ProbabilityBalance:
    r"""Balance of the log loss of predicted probabilities, in bits.

    The log loss L is the entropy H of the true classes, minus the information I that
    the probabilities carry, plus their miscalibration M:

    .. math:: L = H - I + M

    With R the log loss of the probabilities after recalibration, :math:`I = H - R` and
    :math:`M = L - R` [1]_. The recalibration is fitted and judged on different samples,
    in folds, so I is a lower bound of the information that the probabilities carry
    about the classes. Choosing the most probable class keeps a part of I: the mutual
    information of true and predicted classes.

    Use the constructors :meth:`from_probabilities` and :meth:`from_estimator`.

    Read more in the :ref:`User Guide <knows_says_decides>`.

    Attributes
    ----------
    entropy : float
        :math:`H`, the entropy of the true classes.

    log_loss : float
        :math:`L`: :func:`sklearn.metrics.log_loss` divided by ln 2.

    recalibrated_log_loss : float
        :math:`R`.

    information : float
        :math:`I = H - R`; never negative with ``recalibration="best"``.

    miscalibration : float
        :math:`M = L - R`: the avoidable part of the loss. It is slightly negative if
        the probabilities are better than what the folds can learn.

    stated_information : float
        :math:`H - L`: the information of the probabilities as they stand; negative if
        they mislead more than they inform.

    decision_information : float
        Mutual information of the true classes and the most probable ones, with
        ``smoothing="empirical_bayes"``, because the plug-in value from few samples is
        too large.

    decision_loss : float
        Information minus decision information: what deciding discards.

    normalized_information : float
        :math:`I / H`; NaN if there is only one true class.

    likelihood, recalibrated_likelihood : float
        :math:`2^{-L}` and :math:`2^{-R}`: the geometric mean of the probabilities of
        the true classes.

    recalibration : str
        The recalibration that was used: "temperature", "logistic", "isotonic", "none",
        the name of a classifier, or "shares" if none is better than the class shares.

    n_classes : int
        The number of classes.

    table : ndarray of shape (n_classes, n_classes)
        Counts of true and most probable classes.

    See Also
    --------
    EntropyBalance : The balance of the decisions.
    probability_information_score : The information alone.
    sklearn.metrics.d2_log_loss_score : Stated information, divided by the entropy.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021). "Stable reliability
       diagrams for probabilistic classifiers". PNAS 118(8), e2016191118.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_entropy_metrics import ProbabilityBalance
    >>> X, y = load_digits(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> classifier = GaussianNB().fit(X_train, y_train)
    >>> balance = ProbabilityBalance.from_estimator(classifier, X_test, y_test)
    >>> round(balance.stated_information, 1), round(balance.information, 1)
    (-0.9, 2.6)
    """

    entropy: float
    log_loss: float
    recalibrated_log_loss: float
    recalibration: str
    table: np.ndarray
    _terms: Terms

    @classmethod
    def from_probabilities(
        cls,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        recalibration: Recalibration = "best",
        cv: int | None = 5,
        random_state: int | np.random.RandomState | None = 0,
    ) -> ProbabilityBalance:
        """Balance true labels and predicted probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.

        y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
            Predicted probabilities, as from `predict_proba`. A one-dimensional array
            holds those of the second of two classes.

        labels : array-like of shape (n_classes,), default=None
            The classes, in the order of the columns of `y_proba`. By default, the
            sorted labels of `y_true`; pass them if some class has no samples.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        recalibration : {"best", "temperature", "logistic", "isotonic", "none"} or \
                classifier, default="best"
            How to recalibrate the probabilities. "temperature" multiplies the
            log-probabilities by one number, "logistic" is a logistic regression on
            centred log-probabilities and the decision, "isotonic" is a monotone
            function for each class, "none" leaves them alone. A classifier is fitted on
            the log-probabilities. "best" uses the most informative of the first three,
            or the class shares if none of them is informative. It skips "logistic" if
            there are more pairs of classes than samples.

        cv : int, default=5
            Number of stratified folds. With None, the recalibration is judged on the
            samples it was fitted to, and information is biased upwards.

        random_state : int, RandomState instance or None, default=0
            How samples are assigned to folds.

        Returns
        -------
        balance : ProbabilityBalance
        """
        samples = check_samples(
            y_true, y_proba, labels=labels, sample_weight=sample_weight
        )
        return balance_samples(samples, recalibration, cv, random_state)

    @classmethod
    def from_estimator(
        cls,
        estimator: BaseEstimator,
        X: Any,
        y: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        recalibration: Recalibration = "best",
        cv: int | None = 5,
        random_state: int | np.random.RandomState | None = 0,
    ) -> ProbabilityBalance:
        """Balance true labels and the probabilities of a fitted classifier.

        Parameters
        ----------
        estimator : classifier
            A fitted classifier with `predict_proba`.

        X : array-like of shape (n_samples, n_features)
            Samples to predict; not those the classifier was fitted on.

        y : array-like of shape (n_samples,)
            Their true labels.

        labels : array-like of shape (n_classes,), default=None
            The classes. By default, those that the estimator knows and those in `y`;
            classes that it does not know have probability zero.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        recalibration, cv, random_state
            As in :meth:`from_probabilities`.

        Returns
        -------
        balance : ProbabilityBalance
        """
        known = known_labels(estimator)
        samples = check_samples(
            y,
            estimator.predict_proba(X),
            labels=labels,
            columns=None if known is None else known.classes,
            sample_weight=sample_weight,
        )
        return balance_samples(samples, recalibration, cv, random_state)

    @property
    def n_classes(self) -> int:
        return len(self.table)

    @property
    def information(self) -> float:
        return self.entropy - self.recalibrated_log_loss

    @property
    def miscalibration(self) -> float:
        return self.log_loss - self.recalibrated_log_loss

    @property
    def stated_information(self) -> float:
        return self.entropy - self.log_loss

    @cached_property
    def _decisions(self) -> EntropyBalance:
        return EntropyBalance.from_confusion_matrix(
            self.table, smoothing="empirical_bayes"
        )

    @cached_property
    def decision_information(self) -> float:
        return float(self._decisions.mutual_information) if self.entropy else 0.0

    @property
    def decision_loss(self) -> float:
        return self.information - self.decision_information

    @property
    def normalized_information(self) -> float:
        return self.information / self.entropy if self.entropy else math.nan

    @property
    def likelihood(self) -> float:
        return 2.0**-self.log_loss

    @property
    def recalibrated_likelihood(self) -> float:
        return 2.0**-self.recalibrated_log_loss

    def interval(
        self, name: str = "information", confidence_level: float = 0.95
    ) -> ConfidenceInterval:
        r"""Confidence interval of one of the numbers.

        It supposes independent samples that the classifier was not fitted on.

        Parameters
        ----------
        name : str, default="information"
            Which attribute: "information", "normalized_information", "miscalibration",
            "decision_loss", "stated_information" or "log_loss".

        confidence_level : float, default=0.95
            The share of such intervals that should contain the true value.

        Returns
        -------
        interval : ConfidenceInterval
            ``estimate, low, high, standard_error``; `plug_in` is the attribute.

        See Also
        --------
        confidence_interval : With ``y_proba=``, for samples in groups, too.
        compare_models : With ``y_probas=``, differences between models.

        Notes
        -----
        The numbers are means over the samples, so their standard error is the standard
        deviation over the samples, divided by the root of their number. Two biases are
        corrected, and half of each correction counts as a standard error: what the
        recalibration loses because it is fitted on other samples, taken as half of what
        it gains when it is fitted on the same ones, and the bias
        :math:`(k - 1) / (2 n \ln 2)` of the entropy of k classes.

        In simulations with at least 100 samples, 95 % intervals contain the true
        information in 92 to 96 % of cases, miscalibration in 90 to 95 % (70 to 85 % if
        it is close to 0), and the decision loss in 88 to 97 %.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_entropy_metrics import ProbabilityBalance
        >>> rng = np.random.default_rng(0)
        >>> p = rng.random(1000)
        >>> y_true = rng.random(1000) < p
        >>> balance = ProbabilityBalance.from_probabilities(y_true, p)
        >>> interval = balance.interval("information")
        >>> round(interval.low, 2), round(interval.high, 2)
        (0.24, 0.33)
        """
        if name not in NAMES:
            allowed = ", ".join(map(repr, NAMES))
            raise ValueError(f"`name` must be one of {allowed}. Got {name!r}.")
        return interval_of(self, name, confidence_level)

    def to_dict(self) -> dict[str, Any]:
        """All attributes except the table.

        Returns
        -------
        attributes : dict of str to float, int or str
        """
        return shown.plain_numbers(self)

    def __repr__(self) -> str:
        gain = f"{self.entropy:.3f} - {self.information:.3f}"
        loss = f"{self.log_loss:.3f} = {gain} + {self.miscalibration:.3f}"
        return f"<ProbabilityBalance: log loss {loss} bits>"

    def _repr_html_(self) -> str:
        rows = (
            ("entropy of the classes", self.entropy),
            ("− information of the probabilities", self.information),
            (f"+ miscalibration ({self.recalibration})", self.miscalibration),
            ("= log loss", self.log_loss),
            ("information that decisions keep", self.decision_information),
            ("information that deciding discards", self.decision_loss),
        )
        return shown.html_of_numbers(rows, caption="ProbabilityBalance, bits")


def balance_samples(
    samples: Samples,
    recalibration: Recalibration = "best",
    cv: int | None = 5,
    random_state: int | np.random.RandomState | None = 0,
) -> ProbabilityBalance:
    """Balance checked samples, as :meth:`ProbabilityBalance.from_probabilities`."""
    true, (n_samples, n_classes) = samples.true, samples.proba.shape
    candidates = _candidates(recalibration, n_samples, n_classes)
    if cv is not None:
        check_integer(cv, "cv", 2)
    folds = _folds(true, cv, random_state) if candidates and cv else None
    weight = np.ones(n_samples) if samples.weight is None else samples.weight
    weight = weight / weight.sum()
    decision = samples.proba.argmax(axis=1)
    # Weights count as effective samples.
    counts = None if samples.weight is None else weight / (weight @ weight)
    shape = n_classes, n_classes
    table = count_pairs(Codes(true), Codes(decision), shape, counts)
    entropy = float(EntropyBalance.from_confusion_matrix(table).entropy_true)
    stated = log2_likelihood(samples.proba, true)
    logs, optimism = {"none": stated}, 0.0
    if candidates and entropy > 0:
        logs = _recalibrated(candidates, samples, weight, folds)
    losses = {name: -float(weight @ bits) for name, bits in logs.items()}
    best = min(losses, key=losses.__getitem__)
    if best in candidates:
        optimism = math.nan
        if folds:
            alone, everything = {best: candidates[best]}, slice(None)
            fitted = _recalibrated(alone, samples, weight, [(everything, everything)])
            optimism = float(weight @ fitted[best]) + losses[best]
    terms = Terms(weight, true, decision, stated, logs[best], optimism)
    loss = losses[best]
    if entropy == 0 or (len(candidates) > 1 and entropy <= loss):
        best, loss = "shares", entropy
    log_loss = -float(weight @ stated)
    return ProbabilityBalance(entropy, log_loss, loss, best, table, terms)


def log2_likelihood(proba: np.ndarray, true: np.ndarray) -> np.ndarray:
    """log2 of the probability of the true class of each sample.

    Clipped as in scikit-learn's `log_loss`, by the precision of the dtype.
    """
    given = proba[np.arange(len(true)), true]
    least = np.finfo(given.dtype).eps
    return np.log2(given.clip(least, 1 - least), dtype=np.float64)


def _candidates(recalibration, n_samples, n_classes):
    """The recalibrations to fit, by name."""
    known = recalibrate.RECALIBRATIONS
    if hasattr(recalibration, "predict_proba") and not isinstance(recalibration, type):
        function = partial(recalibrate.by_classifier, recalibration)
        return {type(recalibration).__name__: function}
    skipped = "logistic" if n_classes**2 > n_samples else None
    names = {"best": [name for name in known if name != skipped]}
    names |= {name: [name] for name in known} | {"none": []}
    if not (isinstance(recalibration, str) and recalibration in names):
        raise ValueError(
            f"`recalibration` must be one of {', '.join(map(repr, names))} or a "
            f"classifier with `predict_proba`. Got {recalibration!r}."
        )
    return {name: known[name] for name in names[recalibration]}


def _folds(true, cv, random_state):
    """Samples to fit and samples to judge, in pairs."""
    if cv > len(true):
        raise ValueError(
            f"`cv` must be at most the number of samples, {len(true)}, or None. "
            f"Got {cv}."
        )
    # If every class is too small for all folds, there is nothing to stratify.
    stratified = np.bincount(true).max() >= cv
    splitter = StratifiedKFold if stratified else KFold
    with warnings.catch_warnings():
        # A class too small for all folds is missing from some: this is expected.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        folds = splitter(cv, shuffle=True, random_state=random_state)
        return list(folds.split(true, true))


def _recalibrated(candidates, samples, weight, folds):
    """Logarithms of the probabilities of the true classes, by recalibration."""
    proba, true = samples.proba.astype(np.float64, copy=False), samples.true
    logs = {name: np.empty(len(true)) for name in candidates}
    everything = slice(None)
    for known, judged in folds or [(everything, everything)]:
        share = weight[known] / weight[known].sum()
        fit = recalibrate.Fit(proba[known], true[known], share, in_sample=folds is None)
        for name, function in candidates.items():
            mended = function(fit, proba[judged])
            logs[name][judged] = log2_likelihood(mended, true[judged])
    return logs


class Mean(NamedTuple):
    """A mean over samples, with its standard error."""

    value: float
    standard_error: float
    n_effective: float
    n_samples: int
    n_groups: int | None

    @property
    def freedom(self) -> int:
        """Degrees of freedom."""
        return (self.n_groups or self.n_samples) - 1

    def samples(self) -> dict[str, Any]:
        """What a :class:`ConfidenceInterval` says about the samples."""
        return {
            "n_effective": self.n_effective,
            "n_samples": float(self.n_samples),
            "n_groups": self.n_groups,
            "deviation": self.standard_error * math.sqrt(self.n_effective),
        }

    def quantile(self, confidence_level: float) -> float:
        """How many standard errors an interval reaches to each side."""
        return float(stdtrit(self.freedom, (1 + confidence_level) / 2))

    def p_value(self) -> float:
        """That of the hypothesis that the mean is zero."""
        if self.value == 0:
            return 1.0
        with np.errstate(divide="ignore"):
            ratio = np.divide(abs(self.value), self.standard_error)
        return float(2 * stdtr(self.freedom, -ratio))


def mean_of(
    values: np.ndarray, weight: np.ndarray, groups: np.ndarray | None = None
) -> Mean:
    """Average over samples that are independent, or over independent groups.

    Parameters
    ----------
    values, weight : ndarray of shape (n_samples,)
        Numbers of the samples, and weights that sum to one.

    groups : ndarray of int of shape (n_samples,), default=None
        The number of the group of each sample, from zero on.

    Returns
    -------
    mean : Mean
    """
    mean = weight @ values
    part = weight * (values - mean)
    spread, n_effective = part @ (values - mean), 1 / (weight @ weight)
    if groups is not None:
        part = np.bincount(groups, part)
    n_parts = len(part)
    if n_parts < 2:
        what = "samples" if groups is None else "groups"
        raise ValueError(f"An interval needs at least 2 {what}. Got {n_parts}.")
    variance = part @ part * n_parts / (n_parts - 1)
    if groups is not None and variance > 0:
        n_effective = min(n_effective, spread / variance)
    n_groups = None if groups is None else n_parts
    error = math.sqrt(variance)
    return Mean(float(mean), error, float(n_effective), len(values), n_groups)


def bits_of(
    balance: ProbabilityBalance, name: str, informed: bool = False
) -> tuple[np.ndarray, float, float]:
    """Split a number of a balance over its samples.

    Parameters
    ----------
    balance : ProbabilityBalance
        The balance.

    name : str
        One of `NAMES`.

    informed : bool, default=False
        Whether to use the best recalibration even if the class shares are better.

    Returns
    -------
    values : ndarray of shape (n_samples,)
        What each sample adds.

    fit, entropy : float
        What corrects the bias of their mean: how much of half the optimism of the
        recalibration, and of the bias of the entropy of the classes.
    """
    terms, rows = balance._terms, balance.table.sum(axis=1)
    share = np.log2(rows[terms.true] / rows.sum())
    knows = float(informed or balance.recalibration != "shares")
    recalibrated = terms.recalibrated if knows else share
    if name == "normalized_information":
        known, whole = balance.normalized_information, balance.entropy or math.nan
        values = known + (recalibrated - share + known * share) / whole
        return values, knows / whole, (1 - known) * knows / whole
    if name == "decision_loss":
        joint = balance._decisions.table
        given = joint / nonzero(joint.sum(axis=0))
        decided = np.log2(given[terms.true, terms.decision])
        return recalibrated - decided, knows, knows
    return {
        "information": (recalibrated - share, knows, knows),
        "miscalibration": (recalibrated - terms.stated, knows, 0.0),
        "stated_information": (terms.stated - share, 0.0, 1.0),
        "log_loss": (-terms.stated, 0.0, 0.0),
    }[name]


def interval_of(
    balance: ProbabilityBalance,
    name: str,
    confidence_level: float = 0.95,
    groups: np.ndarray | None = None,
) -> ConfidenceInterval:
    """Interval of a number of a balance; see `ProbabilityBalance.interval`.

    Parameters
    ----------
    balance : ProbabilityBalance
        The balance.

    name : str
        One of `NAMES`.

    confidence_level : float, default=0.95
        The share of such intervals that should contain the true value.

    groups : ndarray of int of shape (n_samples,), default=None
        As of :func:`mean_of`.

    Returns
    -------
    interval : ConfidenceInterval
    """
    level = check_confidence_level(confidence_level)
    plug_in = getattr(balance, name)
    if math.isnan(plug_in):
        warn_of_undefined()
    # The class shares carry exactly nothing; how much there may be is what the best
    # recalibration finds.
    nothing = balance.recalibration == "shares" and name in _INFORMATION
    nothing = nothing and not math.isnan(plug_in)
    values, fit, entropy = bits_of(balance, name, informed=nothing)
    if fit and math.isnan(balance._terms.optimism):
        raise ValueError(
            f"An interval of {name!r} needs probabilities that are recalibrated on "
            "other samples: `cv` must be an integer. Got None."
        )
    mean = mean_of(values, balance._terms.weight, groups)
    n_seen = int(balance.table.any(axis=1).sum())
    bias = (n_seen - 1) / (2 * mean.n_effective * math.log(2))
    # Where nothing was fitted in folds, the optimism may be NaN, and `fit` is 0.
    shifts = (fit and fit * balance._terms.optimism / 2), entropy * bias
    estimate = (mean.value if nothing else plug_in) + sum(shifts)
    error = math.hypot(mean.standard_error, shifts[0] / 2, shifts[1] / 2)
    reach = mean.quantile(level) * error
    low, high = estimate - reach, estimate + reach
    if nothing:
        estimate, low, high = 0.0, 0.0, max(0.0, high)
    if name in (*_INFORMATION, "log_loss"):
        low = max(low, min(0.0, estimate))
    if name == "normalized_information":
        high = min(high, 1.0)
    numbers = estimate, low, high, error, plug_in, plug_in - estimate
    return ConfidenceInterval(*numbers, level, name, **mean.samples())


def difference_of(
    a: ProbabilityBalance,
    b: ProbabilityBalance,
    name: str,
    groups: np.ndarray | None = None,
) -> Mean:
    """How a number of two balances of the same samples differs, sample by sample.

    Parameters
    ----------
    a, b : ProbabilityBalance
        The balances.

    name : str
        One of `NAMES`.

    groups : ndarray of int of shape (n_samples,), default=None
        As of :func:`mean_of`.

    Returns
    -------
    difference : Mean
    """
    values = bits_of(a, name)[0] - bits_of(b, name)[0]
    return mean_of(values, a._terms.weight, groups)
