"""Values of a metric on resampled tables → an interval."""

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.balance.interval import check_confidence_level
from sklearn_entropy_metrics.compare._resample import Cells, chunks, evaluate, resample
from sklearn_entropy_metrics.measure.chosen import Metric
from sklearn_entropy_metrics.table.checks import check_integer

Method = Literal["delta", "bca", "percentile"]

# Cells of which a sample is removed for the acceleration, at most.
_MOST_REMOVED = 1000
# If a larger share of the resamples is on one side of the estimate, "bca" intervals
# have hardly any length.
BROKEN = 0.975
# Values that differ by less than this share of their size are equal.
_TIE = 1e-12


class Settings(NamedTuple):
    """How to make an interval, checked."""

    confidence_level: float
    n_resamples: int
    method: str
    stratify: bool


def check_settings(
    confidence_level: Any,
    n_resamples: Any,
    method: Any,
    stratify: Any,
    methods: Sequence[str] = ("bca", "percentile"),
) -> Settings:
    """Check the parameters that intervals share."""
    confidence_level = check_confidence_level(confidence_level)
    if method not in methods:
        names = ", ".join(map(repr, methods))
        raise ValueError(f"method must be one of {names}. Got {method!r}.")
    n_resamples = check_integer(n_resamples, "n_resamples", minimum=1)
    return Settings(confidence_level, n_resamples, method, bool(stratify))


class Interval(NamedTuple):
    """The metric, or the difference of that of two classifiers, and its interval."""

    estimate: float
    low: float
    high: float
    standard_error: float
    n_undefined: int
    tie: float
    one_side: float  # share of the resamples on the fuller side of the estimate
    levels: np.ndarray  # of the quantiles that are the ends


def bootstrap_metric(
    cells: Cells, metric: Metric, settings: Settings, generator: np.random.Generator
) -> Interval:
    """Bootstrap the metric, or the difference of that of two classifiers.

    The ends are NaN if the method is not a bootstrap method.
    """
    for_resamples, for_removal = generator.spawn(2)
    observed = evaluate(cells, metric, cells.values[None])
    estimate = float(difference(observed)[0])
    resamples = resample(cells, settings.n_resamples, settings.stratify, for_resamples)
    values = np.concatenate(
        [difference(evaluate(cells, metric, drawn)) for drawn in resamples]
    )
    defined = values[~np.isnan(values)]
    n_undefined = len(values) - len(defined)
    if math.isnan(estimate):
        warn_of_undefined()
    elif n_undefined:
        _warn_of_undefined_resamples(n_undefined, settings)
    low = high = error = one_side = math.nan
    levels = (1 + settings.confidence_level * np.array([-1, 1])) / 2
    tie = _TIE * float(np.abs(observed).max())
    if len(defined) and not math.isnan(estimate):
        if settings.method in ("bca", "percentile"):
            rank = _rank(defined, estimate, tie)
            one_side = max(rank, 1 - rank)
            if settings.method == "bca" and one_side <= BROKEN:
                acceleration = _acceleration(
                    cells, metric, settings.stratify, for_removal
                )
                levels = _bca_levels(levels, rank, acceleration)
            low, high = np.quantile(defined, levels).tolist()
        error = spread(defined)
    return Interval(estimate, low, high, error, n_undefined, tie, one_side, levels)


def difference(values: np.ndarray) -> np.ndarray:
    """The values of one classifier, or the first minus the second."""
    return np.subtract.reduce(values)


def spread(values: np.ndarray) -> float:
    """The standard deviation of values of any size; NaN for fewer than two."""
    if len(values) < 2:
        return math.nan
    largest = float(np.abs(values).max())
    return largest * float((values / largest).std(ddof=1)) if largest else 0.0


def _warn_of_undefined_resamples(n_undefined, settings):
    message = (
        f"The metric is undefined in {n_undefined} of {settings.n_resamples} "
        "resamples, which are left out of the interval."
    )
    if not settings.stratify:
        message += " stratify=True keeps all true classes."
    warn(message, UndefinedMetricWarning)


def warn_of_undefined() -> None:
    """Warn that there is no value, and so no interval."""
    warn(
        "The metric is undefined for these samples; nan is returned.",
        UndefinedMetricWarning,
    )


def _rank(values, estimate, tie):
    """Share of the values below the estimate, which counts as one of them."""
    below = np.count_nonzero(values < estimate - tie)
    not_above = np.count_nonzero(values <= estimate + tie)
    return ((below + not_above + 1) / 2) / (len(values) + 1)


def _bca_levels(levels, rank, acceleration):
    """Levels of the quantiles, corrected for bias and skewness."""
    bias = ndtri(rank)
    shifted = bias + ndtri(levels)
    # Not negative: at its pole the correction has reached level 0 or 1.
    return ndtr(bias + shifted / np.maximum(1 - acceleration * shifted, 1e-9))


def _acceleration(cells, metric, stratify, generator):
    """A sixth of the skewness of the effect of single samples on the metric.

    Samples in a cell have the same effect: one of them is removed, and counts for all
    of them. If there are many cells, some are drawn in proportion to their samples.
    """
    number = cells.n_samples.astype(np.float64)
    stratum = cells.rows if stratify else np.zeros_like(cells.rows)
    size = np.bincount(stratum, number)[stratum]
    removed, weight = np.arange(len(number)), number
    if len(number) > _MOST_REMOVED:
        total = number.sum()
        removed = generator.choice(len(number), _MOST_REMOVED, p=number / total)
        weight = np.full(_MOST_REMOVED, total / _MOST_REMOVED)
    values = _values_without(cells, metric, removed)
    defined = ~np.isnan(values)
    removed, weight, values = removed[defined], weight[defined], values[defined]
    stratum, size = stratum[removed], size[removed]
    sums, weights = np.bincount(stratum, weight * values), np.bincount(stratum, weight)
    mean = sums[stratum] / weights[stratum]
    influence = (size - 1) / size * (mean - values)
    largest = np.abs(influence).max(initial=0.0)
    if largest == 0:
        return 0.0
    influence /= largest  # so that no power vanishes
    square, cube = (np.sum(weight * influence**power) for power in (2, 3))
    return cube / (6 * square**1.5)


def _values_without(cells, metric, removed):
    """Values of the metric without one sample of each of some cells."""
    values, start = [], 0
    for size in chunks(cells, len(removed)):
        part = removed[start : start + size]
        left = np.repeat(cells.values[None], size, axis=0)
        left[np.arange(size), part] -= cells.unit[part]
        # A cell of one weight may be left with a negative zero's worth of round-off.
        values.append(difference(evaluate(cells, metric, np.maximum(left, 0))))
        start += size
    return np.concatenate(values)
