"""What each sample adds to a balance of probabilities → intervals, differences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from sklearn_entropy_metrics.balance.interval import (
    ConfidenceInterval,
    check_confidence_level,
)

if TYPE_CHECKING:
    from sklearn_entropy_metrics.balance.probability import ProbabilityBalance

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


class Bits(NamedTuple):
    """What each sample adds to a number, and what corrects the bias of their mean."""

    values: np.ndarray
    fit: float = 0.0  # how much of the optimism of the recalibration, twice
    entropy: float = 0.0  # how much of the bias of the entropy of the classes


def bits_of(balance: ProbabilityBalance, name: str, informed: bool = False) -> Bits:
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
    bits : Bits
    """
    terms, rows = balance._terms, balance.table.sum(axis=1)
    share = np.log2(rows[terms.true] / rows.sum())
    knows = float(informed or balance.recalibration != "shares")
    recalibrated = terms.recalibrated if knows else share
    if name == "log_loss":
        return Bits(-terms.stated)
    if name == "stated_information":
        return Bits(terms.stated - share, entropy=1.0)
    if name == "miscalibration":
        return Bits(recalibrated - terms.stated, knows)
    if name == "decision_loss":
        joint = balance._decisions.table
        cell = terms.true, terms.decision
        decided = np.log2(joint[cell] / joint.sum(axis=0)[terms.decision])
        return Bits(recalibrated - decided, knows, knows)
    if name == "information":
        return Bits(recalibrated - share, knows, knows)
    known, whole = balance.normalized_information, balance.entropy
    values = (recalibrated - share + known * share) / whole
    return Bits(values, knows / whole, (1 - known) * knows / whole)


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
    # The class shares carry exactly nothing; how much there may be is what the best
    # recalibration finds.
    nothing = balance.recalibration == "shares" and name in _INFORMATION
    bits = bits_of(balance, name, informed=nothing)
    if bits.fit and math.isnan(balance._terms.optimism):
        raise ValueError(
            f"An interval of {name!r} needs probabilities that are recalibrated on "
            "other samples: `cv` must be an integer. Got None."
        )
    mean = mean_of(bits.values, balance._terms.weight, groups)
    n_seen = np.count_nonzero(balance.table.any(axis=1))
    bias = (n_seen - 1) / (2 * mean.n_effective * math.log(2))
    fit = bits.fit * balance._terms.optimism / 2 if bits.fit else 0.0
    shifts = fit, bits.entropy * bias
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
    return ConfidenceInterval(
        float(estimate),
        float(low),
        float(high),
        error,
        plug_in=plug_in,
        correction=float(plug_in - estimate),
        confidence_level=level,
        metric=name,
        **mean.samples(),
    )


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
    values = bits_of(a, name).values - bits_of(b, name).values
    return mean_of(values, a._terms.weight, groups)
