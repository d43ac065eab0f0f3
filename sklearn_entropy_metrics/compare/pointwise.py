"""Intervals of measures that look at single samples: of probabilities, of many labels.

A table of labels does not contain what they need. Each is a mean over the samples, so
that the spread over the samples, or over groups of them, is its standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import log_loss

from sklearn_entropy_metrics.balance import probability
from sklearn_entropy_metrics.balance.interval import (
    ClassifierComparison,
    ConfidenceInterval,
    warn_of_undefined,
)
from sklearn_entropy_metrics.balance.shrink import shrink_errors
from sklearn_entropy_metrics.compare import design
from sklearn_entropy_metrics.measure.catalog import find_signed
from sklearn_entropy_metrics.measure.delta import distance_quantiles
from sklearn_entropy_metrics.measure.transfer import multilabel_information
from sklearn_entropy_metrics.table.checks import check_weight
from sklearn_entropy_metrics.table.multilabel import tabulate_indicators
from sklearn_entropy_metrics.table.probabilities import check_samples

MULTILABEL = "multilabel_information"
# Compares pairs of models by their names.
Compare = Callable[[list[tuple[Any, Any]]], Iterable[ClassifierComparison]]


def signed(result: ConfidenceInterval, sign: int) -> ConfidenceInterval:
    """The interval of a metric, or of its negative."""
    if sign > 0:
        return result
    ends: Any = {"low": 0.0 - result.high, "high": 0.0 - result.low}
    negated = ("estimate", "plug_in", "correction")
    values: Any = {name: 0.0 - getattr(result, name) for name in negated}
    return replace(result, **ends, **values)


def judge_probabilities(
    y_true: Any,
    y_probas: Mapping[Any, ArrayLike],
    metric: str | Callable[..., Any],
    level: float,
    groups: ArrayLike | None,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> tuple[dict[Any, ConfidenceInterval], Compare, bool]:
    """Intervals of models, how to compare pairs of them, and whether more is better.

    The parameters are those of :func:`compare_models`; a single model is called None.
    """
    name, called, sign = _number(metric)
    numbers = _group_numbers(groups, y_true, sample_weight)
    balances, intervals = {}, {}
    for model, y_proba in y_probas.items():
        try:
            read = check_samples(
                y_true, y_proba, labels=labels, sample_weight=sample_weight
            )
        except ValueError as error:
            if model is None:
                raise
            raise ValueError(f"The probabilities of {model!r}: {error}") from error
        balances[model] = probability.balance_samples(read)
        result = probability.interval_of(balances[model], name, level, numbers)
        intervals[model] = signed(replace(result, metric=called), sign)

    def compare(pairs):
        for a, b in (pair[::sign] for pair in pairs):
            mean = probability.difference_of(balances[a], balances[b], name, numbers)
            value, error = mean.value, mean.standard_error
            reach = mean.quantile(level) * error
            tested = value - reach, value + reach, mean.p_value(), error, value
            yield ClassifierComparison(value, *tested, level, called)

    return intervals, compare, name.endswith("information") == (sign > 0)


def _number(metric):
    """The number of a balance that a metric is, what it is called, and its sign."""
    called, sign = metric, 1
    if metric in (log_loss, "neg_log_loss"):
        called, sign = "log_loss", 1 if metric is log_loss else -1
    elif metric not in probability.NAMES:
        with suppress(ValueError):
            measure, sign = find_signed(metric)
            called = measure.name
    name = "information" if called == "probability_information" else called
    if name not in probability.NAMES:
        names = "probability_information", *probability.NAMES[1:]
        raise ValueError(
            f"`metric` must be one of {', '.join(map(repr, names))} for "
            f"probabilities. Got {metric!r}."
        )
    return name, called if sign > 0 else f"neg_{called}", sign


def _group_numbers(groups, y_true, sample_weight):
    """The number of the group of each sample that weighs something."""
    if groups is None:
        return None
    weight = check_weight(sample_weight)
    numbers = design.number_groups(groups, y_true, weight)
    numbers = numbers if weight is None else numbers[weight > 0]
    design.warn_of_causes(design.few_groups(int(numbers.max()) + 1))
    return numbers


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
    shrunk = shrink_errors(tables[varies], n_samples=size)
    estimate = float(multilabel_information(shrunk.table))
    influence = np.zeros(tables.shape)
    influence[varies] = _influence(shrunk.shrunk, estimate)
    numbers = _group_numbers(groups, Y_true, None)
    mean = probability.mean_of(read.sum_over_labels(influence), weight, numbers)
    # The few errors that were seen are no measure of those there might be.
    least = _deviation(shrunk.by_row, estimate) / math.sqrt(mean.n_effective)
    error = math.hypot(max(mean.standard_error, least), (plug_in - estimate) / 2)
    is_perfect = plug_in == 1
    centre = shrunk.shrunk if is_perfect else shrunk.table
    distance = np.array([1 - multilabel_information(centre)])
    near, far = distance_quantiles(
        distance, np.array([error]), mean.quantile(level), np.array([is_perfect])
    )[:, 0].tolist()
    ends = max(0.0, 1 - far), 1.0 if is_perfect else 1 - near
    numbers = estimate, *ends, error, plug_in, plug_in - estimate
    return ConfidenceInterval(*numbers, level, MULTILABEL, **mean.samples())


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
