"""Tables → corrected estimates of a measure with intervals, by the delta method.

The estimate is the measure of the table after empirical Bayes. Its variance adds the
effect of sampling the cells, the uncertainty of the correction, and the information
that independent classes appear to have. The distance from the best value is treated as
log-normal, or as gamma-distributed where errors are few, so that the interval ends at
the best value and is longer towards the other side.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaincinv, ndtri, xlogy

from sklearn_entropy_metrics.balance.empirical_bayes import EmpiricalBayes
from sklearn_entropy_metrics.measure.chosen import Chosen
from sklearn_entropy_metrics.measure.gradients import numeric_gradient

# Below this square of distance over standard error, distances are gamma-distributed.
_FEW_ERRORS = 4
# Share of a correction that counts as its standard error.
_DOUBT = 0.5
# Number of samples of a true class below which nothing can be said about it.
_FEW_IN_CLASS = 5
# Number of samples per cell below which the table is too large.
_PER_CELL = 2
# Values that differ by less than this are the same.
_SAME = 1e-12


class DeltaIntervals(NamedTuple):
    """Estimates and intervals of a stack of tables, each of shape (...)."""

    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    standard_error: np.ndarray
    plug_in: np.ndarray


def delta_intervals(
    tables: np.ndarray,
    found: EmpiricalBayes,
    chosen: Chosen,
    *,
    n_samples: Any = None,
    confidence_level: float = 0.95,
) -> DeltaIntervals:
    """Estimate a measure of each table of a stack, with confidence intervals.

    Parameters
    ----------
    tables : ndarray of shape (n, k, m)
        Counts or weights.

    found : EmpiricalBayes
        The empirical Bayes estimates of the tables; the same for all measures.

    chosen : Chosen
        The measure.

    n_samples : ndarray of shape (n,), default=None
        The effective numbers of samples; by default, the totals.

    confidence_level : float, default=0.95
        The share of intervals that should contain the true value.

    Returns
    -------
    intervals : DeltaIntervals
        NaN where the measure is undefined.
    """
    total = tables.sum(axis=(-2, -1), dtype=np.float64)
    size = total if n_samples is None else n_samples
    plug_in = np.asarray(chosen.function(tables))
    chosen = chosen.in_the_limit()  # a distribution has no number of samples
    shrunk, estimate = (_values(chosen, t, total) for t in found[1:])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # A user's function may be so large that its square is not finite.
        error = np.hypot(
            _sampling_error(found.shrunk, chosen, total) / np.sqrt(size),
            _DOUBT * np.abs(plug_in - estimate),
        )
        error = np.hypot(error, _error_by_chance(found, estimate, size, chosen))
        low, high = _ends(
            np.array([plug_in, shrunk, estimate]),
            error,
            chosen,
            tables.shape[-2:],
            confidence_level,
        )
    undefined = np.isnan(estimate + plug_in)
    return DeltaIntervals(
        *(
            np.where(undefined, np.nan, part)
            for part in (estimate, low, high, error, plug_in)
        )
    )


def few_samples(rows: np.ndarray, size: float, shape: tuple[int, ...]) -> list[str]:
    """Which samples a table lacks, in words.

    Parameters
    ----------
    rows : ndarray of shape (k,)
        Counts or weights of the true classes, on any scale.

    size : float
        The effective number of samples.

    shape : (int, int)
        The number of true and of predicted classes.

    Returns
    -------
    causes : list of str
        Why an interval may miss the true value; empty if there is enough.
    """
    causes = []
    least = rows[rows > 0].min() / rows.sum() * size
    if least < _FEW_IN_CLASS - 1e-9:
        number = _number(least)
        samples = "sample" if number == "1" else "samples"
        causes.append(
            f"a true class has {number} {samples}, fewer than {_FEW_IN_CLASS}"
        )
    needed = _PER_CELL * shape[0] * shape[1]
    if size < needed - 1e-9:
        causes.append(
            f"{_number(size)} samples are few for a table of {shape[0]} × {shape[1]} "
            f"classes, which asks for {needed} at least"
        )
    return causes


def _number(size):
    rounded = round(size)
    return f"{rounded}" if abs(size - rounded) < 1e-9 * size else f"{size:.3g}"


def _values(chosen, shares, total):
    """Values of distributions; users' functions get tables with the original total."""
    if chosen.measure is None:
        shares = shares * total[:, None, None]
    return np.asarray(chosen.function(shares))


def _sampling_error(shares, chosen, total):
    """Standard deviation of the effect of one sample on the measure."""
    if chosen.measure is None:
        influence = np.array(
            [
                numeric_gradient(partial(_of_total, chosen.function, n), one)
                for one, n in zip(shares, total, strict=True)
            ]
        )
    else:
        influence = chosen.measure.influence(shares)
    mean = (shares * influence).sum(axis=(-2, -1), keepdims=True)
    largest = np.abs(influence).max(axis=(-2, -1), keepdims=True)
    largest = np.where(largest > 0, largest, 1.0)
    squares = shares * ((influence - mean) / largest) ** 2
    return largest[..., 0, 0] * np.sqrt(squares.sum(axis=(-2, -1)))


def _of_total(function, total, shares):
    return function(shares * total)


def _error_by_chance(found, value, size, chosen):
    """Standard deviation of a measure of information if the classes were independent.

    In that case the gradient vanishes, and 2n times the mutual information in nats has
    a chi-square distribution.
    """
    slope = None if chosen.measure is None else chosen.measure.slope
    if slope is None:
        return 0.0
    occupied = found.observed > 0
    n_cells = occupied.sum(axis=(-2, -1))
    n_margins = occupied.any(axis=-1).sum(axis=-1) + occupied.any(axis=-2).sum(axis=-1)
    rows = found.table.sum(axis=-1)
    entropy = -xlogy(rows, rows).sum(axis=-1)
    degrees = np.maximum(n_cells - n_margins + 1, 0)
    return np.sqrt(degrees / 2) / size * np.abs(slope(value, entropy))


def _ends(values, error, chosen, shape, confidence_level):
    """Low and high ends, around the estimate and within what is possible."""
    plug_in, shrunk, estimate = values
    quantile = ndtri((1 + confidence_level) / 2)
    lowest, highest = -math.inf, math.inf
    if chosen.measure is not None:
        lowest, highest = chosen.measure.bounds(shape)
    if chosen.measure is None or chosen.measure.direction == "zero":
        low, high = estimate - quantile * error, estimate + quantile * error
    else:
        best = highest if chosen.measure.direction == "maximize" else lowest
        is_perfect = np.abs(plug_in - best) < _SAME
        distance = np.abs(best - np.where(is_perfect, shrunk, estimate))
        near, far = _quantiles(distance, error, confidence_level, is_perfect)
        near = np.where(is_perfect, 0.0, near)
        is_highest = best == highest
        low, high = (best - far, best - near) if is_highest else (near, far)
    low, high = np.clip([low, high], lowest, highest)
    return np.minimum(low, estimate), np.maximum(high, estimate)


def _quantiles(mean, error, confidence_level, is_perfect):
    """Quantiles of a distance: log-normal, or of a gamma distribution."""
    levels = (1 + confidence_level * np.array([[-1], [1]])) / 2
    shape = (mean / error) ** 2
    log_normal = mean * np.exp(ndtri(levels) * error / mean)
    gamma = gammaincinv(shape, levels) * error**2 / mean
    ends = np.where((shape < _FEW_ERRORS) | is_perfect, gamma, log_normal)
    # Both are degenerate at distance zero.
    return np.where(mean < _SAME, [0 * error, ndtri(levels[1]) * error], ends)
