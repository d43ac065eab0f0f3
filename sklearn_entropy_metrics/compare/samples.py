"""Intervals of measures that look at single samples: of probabilities, of many labels.

A table of labels does not contain what they need. Each is a mean over the samples, so
that the spread over the samples, or over groups of them, is its standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import log_loss

from sklearn_entropy_metrics.balance.interval import (
    ClassifierComparison,
    ConfidenceInterval,
    warn_of_undefined,
)
from sklearn_entropy_metrics.balance.pointwise import (
    NAMES,
    difference_of,
    interval_of,
    mean_of,
)
from sklearn_entropy_metrics.balance.probability import (
    ProbabilityBalance,
    balance_samples,
)
from sklearn_entropy_metrics.balance.shrink import shrink_errors
from sklearn_entropy_metrics.compare.design import number_groups, warn_of_causes
from sklearn_entropy_metrics.measure.catalog import find_signed
from sklearn_entropy_metrics.measure.delta import distance_quantiles
from sklearn_entropy_metrics.measure.transfer import multilabel_information
from sklearn_entropy_metrics.table.checks import as_weight
from sklearn_entropy_metrics.table.multilabel import tabulate_indicators
from sklearn_entropy_metrics.table.probabilities import check_samples

MULTILABEL = "multilabel_information"
# Numbers of a balance of which more is better.
_GREATER_IS_BETTER = ("information", "normalized_information", "stated_information")


def interval_of_probabilities(
    y_true: ArrayLike | None,
    y_proba: ArrayLike,
    metric: str | Callable[..., Any],
    confidence_level: float,
    groups: ArrayLike | None,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> ConfidenceInterval:
    """Interval of a measure of probabilities; see :func:`confidence_interval`."""
    name, called, sign = _number(metric)
    balance = _balance(y_true, y_proba, labels, sample_weight)
    numbers = _group_numbers(groups, y_true, sample_weight)
    interval = interval_of(balance, name, confidence_level, numbers)
    return signed(replace(interval, metric=called), sign)


def signed(interval: ConfidenceInterval, sign: int) -> ConfidenceInterval:
    """The interval of a metric, or of its negative."""
    if sign > 0:
        return interval
    return replace(
        interval,
        estimate=-interval.estimate,
        low=-interval.high,
        high=-interval.low,
        plug_in=-interval.plug_in,
        correction=0.0 - interval.correction,
    )


def compare_probabilities(
    y_true: ArrayLike,
    y_probas: Mapping[Any, ArrayLike],
    metric: str | Callable[..., Any],
    level: float,
    groups: ArrayLike | None,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> tuple[
    dict[Any, ConfidenceInterval],
    Callable[[list[tuple[Any, Any]]], list[ClassifierComparison]],
    bool,
]:
    """Intervals of models, how to compare pairs of them, and whether more is better.

    The parameters are those of :func:`compare_models`.
    """
    name, called, sign = _number(metric)
    if sign < 0:
        raise ValueError(f"`metric` must not be negated. Got {metric!r}.")
    numbers = _group_numbers(groups, y_true, sample_weight)
    balances = {}
    for model, y_proba in y_probas.items():
        try:
            balances[model] = _balance(y_true, y_proba, labels, sample_weight)
        except ValueError as error:
            raise ValueError(f"The probabilities of {model!r}: {error}") from error
    intervals = {
        model: replace(interval_of(balance, name, level, numbers), metric=called)
        for model, balance in balances.items()
    }

    def compare(pairs):
        found = [
            difference_of(balances[a], balances[b], name, numbers) for a, b in pairs
        ]
        return [_comparison(mean, level, called) for mean in found]

    return intervals, compare, name in _GREATER_IS_BETTER


def _comparison(mean, level, metric):
    reach = mean.quantile(level) * mean.standard_error
    return ClassifierComparison(
        mean.value,
        mean.value - reach,
        mean.value + reach,
        mean.p_value(),
        standard_error=mean.standard_error,
        plug_in_difference=mean.value,
        confidence_level=level,
        metric=metric,
    )


def _balance(y_true, y_proba, labels, sample_weight) -> ProbabilityBalance:
    return balance_samples(
        check_samples(y_true, y_proba, labels=labels, sample_weight=sample_weight)
    )


def _number(metric):
    """The number of a balance that a metric is, what it is called, and its sign."""
    called, sign = metric, 1
    if metric in (log_loss, "neg_log_loss"):
        called, sign = "log_loss", 1 if metric is log_loss else -1
    elif metric not in NAMES:
        with suppress(ValueError):
            measure, sign = find_signed(metric)
            called = measure.name
    name = "information" if called == "probability_information" else called
    if name not in NAMES:
        names = ", ".join(map(repr, ("probability_information", *NAMES[1:])))
        raise ValueError(
            f"`metric` must be one of {names} for probabilities. Got {metric!r}."
        )
    return name, called if sign > 0 else f"neg_{called}", sign


def _group_numbers(groups, y_true, sample_weight):
    """The number of the group of each sample that weighs something."""
    if groups is None:
        return None
    found = number_groups(groups, y_true, sample_weight)
    warn_of_causes(found.causes())
    weight = as_weight(sample_weight)
    return found.numbers if weight is None else found.numbers[weight > 0]


def multilabel_interval(
    Y_true: Any,
    Y_pred: Any,
    level: float,
    groups: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> ConfidenceInterval:
    """Interval of multilabel information; see :func:`confidence_interval`.

    Labels that are wrong in the same samples say less than others: the spread is that
    of the sums of all labels of a sample.
    """
    read = tabulate_indicators(Y_true, Y_pred, sample_weight)
    tables = read.tables
    plug_in = float(multilabel_information(tables))
    weight = np.ones(read.true.shape[0]) if read.weight is None else read.weight
    weight = weight / weight.sum()
    size = float(1 / (weight @ weight))
    varies = np.all(tables.any(axis=2), axis=1)
    if not varies.any():
        warn_of_undefined()
        nan = math.nan
        return ConfidenceInterval(nan, nan, nan, nan, nan, nan, level, MULTILABEL, size)
    found = shrink_errors(tables[varies], n_samples=size)
    estimate = float(multilabel_information(found.table))
    shrunk = float(multilabel_information(found.shrunk))
    influence = np.zeros(tables.shape)
    influence[varies] = _influence(found.shrunk, estimate)
    sums = read.sum_over_labels(influence)
    mean = mean_of(sums, weight, _group_numbers(groups, Y_true, None))
    # The few errors that were seen are no measure of those there might be.
    least = _deviation(found.by_row, estimate) / math.sqrt(mean.n_effective)
    error = math.hypot(max(mean.standard_error, least), (plug_in - estimate) / 2)
    is_perfect = plug_in == 1
    distance = 1 - (shrunk if is_perfect else estimate)
    arrays = np.array([distance]), np.array([error])
    ends = distance_quantiles(*arrays, mean.quantile(level), np.array([is_perfect]))
    near, far = ends[:, 0].tolist()
    return ConfidenceInterval(
        estimate,
        max(0.0, 1 - far),
        1.0 if is_perfect else 1 - near,
        error,
        plug_in=plug_in,
        correction=plug_in - estimate,
        confidence_level=level,
        metric=MULTILABEL,
        **mean.samples(),
    )


def _influence(tables, value):
    """The effect of a sample in each cell of each label's table on their measure."""
    rows, columns = (tables.sum(axis=axis, keepdims=True) for axis in (2, 1))
    chance = rows * columns
    empty = tables == 0
    ratio = np.log2(np.where(empty, 1, tables) / np.where(empty, 1, chance))
    logs = np.log2(np.where(rows > 0, rows, 1))  # a label may not vary
    return (ratio + value * logs) / -(rows * logs).sum()


def _deviation(tables, value):
    """Standard deviation of that effect if the labels were independent."""
    influence = _influence(tables, value)
    mean = (tables * influence).sum(axis=(1, 2), keepdims=True)
    return math.sqrt((tables * (influence - mean) ** 2).sum())
