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
from scipy.special import gammaincinv, ndtr, ndtri, xlogy

from sklearn_entropy_metrics.balance.entropy import excess_cells
from sklearn_entropy_metrics.balance.shrink import EmpiricalBayes
from sklearn_entropy_metrics.measure.chosen import Chosen
from sklearn_entropy_metrics.measure.gradients import numeric_gradient

# The quantile of the normal distribution for intervals of 95 %.
NORMAL = float(ndtri(0.975))
# Below this square of distance over standard error, distances are gamma-distributed.
_FEW_ERRORS = 4
# Share of a correction that counts as its standard error.
_UNCERTAIN = 0.5
# Number of samples of a true class below which little can be said about it; of two
# classes the second figure counts, as all depends on the smaller one.
_FEW_IN_CLASS, _FEW_IN_ONE_OF_TWO = 5, 10
# Number of samples per cell below which the table is too large.
_PER_CELL = 2
# Values that differ by less than this are the same.
_SAME = 1e-12
# Standard deviations below this share of the largest influence are zero.
_ROUND_OFF = 1e-9


class DeltaIntervals(NamedTuple):
    """Estimates and intervals of a stack of tables, each of shape (...)."""

    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    standard_error: np.ndarray
    plug_in: np.ndarray
    deviation: np.ndarray  # of the effect of one sample

    def only(self) -> Any:
        """Those of the only table, as floats."""
        return type(self)(*(part[0].item() for part in self))


class _Points(NamedTuple):
    """The distributions at which a measure is estimated, of shape (n, k, m)."""

    centre: np.ndarray  # whose value is the estimate
    no_error: np.ndarray  # whose value is the estimate if none was observed
    spread: tuple[np.ndarray, ...]  # the largest of their variances counts
    within_rows: bool  # whether the numbers of the true classes do not matter


def delta_intervals(
    tables: np.ndarray,
    bayes: EmpiricalBayes,
    chosen: Chosen,
    *,
    n_samples: np.ndarray | None = None,
    quantile: float = NORMAL,
) -> DeltaIntervals:
    """Estimate a measure of each table of a stack, with confidence intervals.

    Parameters
    ----------
    tables : ndarray of shape (n, k, m)
        Counts or weights.

    bayes : EmpiricalBayes
        The empirical Bayes estimates of the tables; the same for all measures.

    chosen : Chosen
        The measure.

    n_samples : ndarray of shape (n,), default=None
        The effective numbers of samples; by default, the totals.

    quantile : float, default=1.96
        How many standard errors an interval reaches to each side.

    Returns
    -------
    intervals : DeltaIntervals
        NaN where the measure is undefined.
    """
    total = tables.sum(axis=(-2, -1), dtype=np.float64)
    size = total if n_samples is None else n_samples
    plug_in = np.asarray(chosen.function(tables))
    chosen = chosen.in_the_limit()  # a distribution has no number of samples
    points = _points(bayes, chosen)
    # A user's function may be so large that its square is not finite.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        deviation = _sampling_error(points, bayes, chosen, total)
        error = deviation / np.sqrt(size)
        if chosen.measure is not None and chosen.measure.is_share:
            estimate = plug_in
            low, high = _wilson(plug_in, size, quantile)
        else:
            estimate = _values(chosen, points.centre, total)
            if not points.within_rows:
                error = np.hypot(error, _UNCERTAIN * np.abs(plug_in - estimate))
                error = np.hypot(error, _error_by_chance(bayes, estimate, size, chosen))
            low, high = _ends(
                plug_in, estimate, error, points, bayes.observed, chosen, size, quantile
            )
    undefined = np.isnan(estimate + plug_in)
    low, high = np.fmin(low, estimate), np.fmax(high, estimate)
    parts = estimate, low, high, error, plug_in, deviation
    return DeltaIntervals(*(np.where(undefined, np.nan, part) for part in parts))


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
    few = _FEW_IN_ONE_OF_TWO if shape[0] == 2 else _FEW_IN_CLASS
    if least < few - 1e-9:
        number = _number(least)
        samples = "sample" if number == "1" else "samples"
        causes.append(f"a true class has {number} {samples}, fewer than {few}")
    needed = _PER_CELL * shape[0] * shape[1]
    if size < needed - 1e-9:
        causes.append(
            f"{_number(size)} samples are few for a table of {shape[0]} × {shape[1]} "
            f"classes; at least {needed} are needed"
        )
    return causes


def _number(size):
    rounded = round(size)
    return f"{rounded}" if abs(size - rounded) < 1e-9 * size else f"{size:.3g}"


def _points(bayes, chosen):
    """Which estimates suit a measure, by what it depends on."""
    measure, by_row = chosen.measure, bayes.by_row
    if measure is not None and measure.of_rates and by_row.shape[-2:] == (2, 2):
        # Rates of two classes: each row has a sample and an error of its own.
        return _Points(by_row, by_row, (by_row,), True)
    shrunk, table = bayes.shrunk, bayes.table
    if measure is not None and measure.of_rates:
        return _Points(table, shrunk, (shrunk, bayes.by_cell), False)
    if measure is not None and (measure.is_average or measure.input == "2x2 table"):
        # Classes that were never predicted: the plug-in value leaves them out, too.
        is_seen = bayes.observed.any(axis=-2, keepdims=True)
        shrunk, table = (_kept(shares, is_seen) for shares in (shrunk, table))
        return _Points(table, by_row, (shrunk, by_row), False)
    return _Points(table, shrunk, (shrunk, by_row), False)


def _kept(shares, is_seen):
    """Distributions without some of their cells."""
    shares = np.where(is_seen, shares, 0.0)
    return shares / shares.sum(axis=(-2, -1), keepdims=True)


def _values(chosen, shares, total):
    """Values of distributions; users' functions get tables with the original total."""
    if chosen.measure is None:
        shares = shares * total[:, None, None]
    return np.asarray(chosen.function(shares))


def _sampling_error(points, bayes, chosen, total):
    """Standard deviation of the effect of one sample on the measure."""
    deviation = partial(
        _deviation, chosen=chosen, total=total, within_rows=points.within_rows
    )
    error = np.fmax.reduce([deviation(shares) for shares in points.spread])
    # Where nothing varies because a class was never predicted, it might have been.
    if not np.all(error > 0):
        error = np.where(error > 0, error, deviation(bayes.by_cell))
    return error


def _deviation(shares, chosen, total, within_rows):
    """Standard deviation of the influence, within each true class if asked for."""
    psi = influence(shares, chosen, total)
    axis = -1 if within_rows else (-2, -1)
    whole = shares.sum(axis=axis, keepdims=True)
    mean = (shares * psi).sum(axis=axis, keepdims=True)
    mean = mean / np.where(whole > 0, whole, 1.0)
    largest = np.abs(psi).max(axis=(-2, -1), keepdims=True)
    largest = np.where(largest > 0, largest, 1.0)
    squares = shares * ((psi - mean) / largest) ** 2
    deviation = np.sqrt(squares.sum(axis=(-2, -1)))
    return np.where(deviation < _ROUND_OFF, 0.0, largest[..., 0, 0] * deviation)


def influence(shares: np.ndarray, chosen: Chosen, total: np.ndarray) -> np.ndarray:
    """The effect of a sample in each cell on a metric, for distributions (n, k, m).

    A user's function gets tables with the given totals.
    """
    if chosen.measure is not None:
        return chosen.influence(shares)
    gradients = [
        numeric_gradient(partial(_values, chosen, total=total[i : i + 1]), one)
        for i, one in enumerate(shares)
    ]
    return np.array(gradients)


def _error_by_chance(bayes, value, size, chosen):
    """Standard deviation of a measure of information if the classes were independent.

    In that case the gradient vanishes, and 2n times the mutual information in nats has
    a chi-square distribution.
    """
    slope = None if chosen.measure is None else chosen.measure.slope
    if slope is None:
        return 0.0
    rows = bayes.table.sum(axis=-1)
    entropy = -xlogy(rows, rows).sum(axis=-1)
    degrees = np.maximum(excess_cells(bayes.observed), 0)
    return np.sqrt(degrees / 2) / size * np.abs(slope(value, entropy))


def _wilson(share, size, normal):
    """Wilson's interval of a share of independent samples."""
    square = normal**2 / size
    centre = share + square / 2
    reach = np.sqrt(square * (share * (1 - share) + square / 4))
    return np.clip(np.array([centre - reach, centre + reach]) / (1 + square), 0, 1)


def _ends(plug_in, estimate, error, points, observed, chosen, size, normal):
    """Low and high ends, within what is possible."""
    reach, measure = normal * error, chosen.measure
    if measure is None:
        return estimate - reach, estimate + reach
    bounds = measure.bounds(observed.shape)
    if measure.direction == "zero":
        return np.clip([estimate - reach, estimate + reach], *bounds)
    best = measure.best(points.centre)
    is_perfect = np.abs(plug_in - measure.best(observed)) < _SAME
    distance = np.abs(best - estimate)
    is_rare = is_perfect | (distance < math.sqrt(_FEW_ERRORS) * error)
    if is_rare.any():  # the few errors seen are no measure of those there might be
        other = np.abs(best - _values(chosen, points.no_error, None))
        distance = np.where(is_rare, np.maximum(distance, other), distance)
    near, far = distance_quantiles(distance, error, normal, is_perfect)
    near = np.where(is_perfect, 0.0, near)
    if measure.direction == "minimize":
        return np.clip([best + near, best + far], *bounds)
    low, high = best - far, best - near
    if measure.perfect is not None:
        # The best value of these true classes is only estimated, too.
        rows = points.centre.sum(axis=-1)[..., None] * np.eye(observed.shape[-2])
        of_best = _deviation(rows, chosen, None, False) / np.sqrt(size)
        high = np.minimum(np.maximum(high, estimate + reach), best + normal * of_best)
    return np.clip([low, high], *bounds)


def distance_quantiles(
    mean: np.ndarray, error: np.ndarray, normal: float, is_perfect: np.ndarray
) -> np.ndarray:
    """Quantiles of distances from the best value: log-normal, or gamma for few errors.

    Parameters
    ----------
    mean, error : ndarray of shape (n,)
        The distances and their standard errors.

    normal : float
        The quantile of the normal distribution.

    is_perfect : ndarray of bool of shape (n,)
        Where no error was observed.

    Returns
    -------
    ends : ndarray of shape (2, n)
    """
    levels = ndtr(normal * np.array([[-1], [1]]))
    shape = (mean / error) ** 2
    log_normal = mean * np.exp(normal * np.array([[-1], [1]]) * error / mean)
    gamma = gammaincinv(shape, levels) * error**2 / mean
    ends = np.where((shape < _FEW_ERRORS) | is_perfect, gamma, log_normal)
    # Both are degenerate at distance zero.
    return np.where(mean < _SAME, [0 * error, normal * error], ends)
