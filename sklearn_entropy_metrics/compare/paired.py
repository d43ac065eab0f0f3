"""Do two classifiers differ? A paired comparison on the same samples."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.balance.interval import (
    FourNumbers,
    check_confidence_level,
    warn_of_undefined,
)
from sklearn_entropy_metrics.compare._resample import (
    chunks,
    evaluate,
    make_generator,
    positive_last,
    resample,
    tabulate_cells,
)
from sklearn_entropy_metrics.measure.chosen import choose_metric
from sklearn_entropy_metrics.table.checks import check_integer, check_weight
from sklearn_entropy_metrics.table.classes import number_labels
from sklearn_entropy_metrics.table.count import is_small
from sklearn_entropy_metrics.table.labels import encode

# Values that differ by less than this share of their size are equal.
_TIE = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class ClassifierComparison(FourNumbers):
    """What :func:`~sklearn_entropy_metrics.compare_classifiers` returns.

    It is also a sequence of its first four attributes.

    Attributes
    ----------
    difference : float
        The metric of the first classifier minus that of the second.

    low, high : float
        The ends of the interval of the difference.

    p_value : float
        How often a difference at least as large, of either sign, would occur if it did
        not matter which classifier made which prediction.

    standard_error : float
        The standard error of the difference, on which the interval is based.

    confidence_level : float
        The share of such intervals that should contain the true difference.

    n_undefined : int
        In how many resamples the difference was undefined.
    """

    difference: float
    low: float
    high: float
    p_value: float
    standard_error: float
    confidence_level: float
    n_undefined: int


def compare_classifiers(
    y_true: ArrayLike,
    y_pred_a: ArrayLike,
    y_pred_b: ArrayLike,
    metric: str | Callable[[Any], Any],
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    random_state: int | np.random.RandomState | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ClassifierComparison:
    """Compare two classifiers that predicted the same samples.

    The samples are resampled together with both predictions, so that samples that are
    easy or hard for both classifiers do not blur the difference. The p-value comes from
    a permutation test, which swaps the two predictions of each sample at random.

    Read more in the :ref:`User Guide <intervals>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred_a, y_pred_b : array-like of shape (n_samples,)
        Labels predicted by the first and by the second classifier.

    metric : str or callable
        A measure of tables, as in :func:`confidence_interval`.

    confidence_level : float, default=0.95
        The share of such intervals that should contain the true difference.

    n_resamples : int, default=1000
        How many pairs of tables to draw, for the interval and for the p-value, which is
        at least 1 / (n_resamples + 1).

    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    labels, pred_labels : array-like, default=None
        True and predicted classes of both tables, as in :func:`contingency_table`. By
        default, the labels seen in any of the three arrays.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    comparison : ClassifierComparison
        ``difference, low, high, p_value``: 0, 0, 0 and 1 for equal predictions. If the
        metric is undefined, they are NaN, with an `UndefinedMetricWarning`. Resamples
        for which it is undefined are left out of the interval, and a warning says how
        many; exchanges after which it is undefined count against a difference.

    See Also
    --------
    confidence_interval : The interval of the metric of one classifier.

    Notes
    -----
    The occupied cells of true class × first × second prediction are counted once. Only
    numbers for these cells are drawn: resamples from a multinomial distribution, and
    the number of samples to exchange in each cell from a binomial one.

    The standard error is the largest of three: the standard deviation of
    the resampled differences, that of the exchanged ones, and the `confidence_level`
    quantile of the sizes of the latter divided by the normal quantile. So an interval
    without 0 implies a p-value of at most 1 - `confidence_level`. The interval is
    centred at the difference on the samples themselves: the biases of two classifiers
    nearly cancel, while their corrections would not.

    A single sample cannot distinguish classifiers: its p-value is 1. Among many
    comparisons, some appear significant by chance; divide the limit for p by their
    number, or use :func:`compare_models`.

    Examples
    --------
    >>> from sklearn_entropy_metrics import compare_classifiers
    >>> y_true = [0] * 50 + [1] * 50
    >>> a = [0] * 45 + [1] * 5 + [0] * 10 + [1] * 40
    >>> b = [0] * 35 + [1] * 15 + [0] * 15 + [1] * 35
    >>> compare_classifiers(y_true, a, b, "normalized_information", random_state=0)
    ClassifierComparison(difference=0.2786, low=0.1363, high=0.4209, p_value=0.000999)
    >>> tuple(compare_classifiers(y_true, a, a, "normalized_information"))
    (0.0, 0.0, 0.0, 1.0)
    """
    confidence_level = check_confidence_level(confidence_level)
    n_resamples = check_integer(n_resamples, "n_resamples", minimum=1)
    cells, classes, is_square = _tabulate_pairs(
        y_true, y_pred_a, y_pred_b, labels, pred_labels, sample_weight
    )
    chosen = choose_metric(metric, cells.shape, is_square)
    cells = positive_last(cells, classes, chosen)
    if chosen.counts_samples:
        cells = cells.in_samples()
    if chosen.sign < 0:  # the difference of the negated losses has the opposite sign
        cells = cells._replace(columns=cells.columns[::-1])
    for_interval, for_test = make_generator(random_state).spawn(2)
    found = _resampled(cells, chosen.function, n_resamples, for_interval)
    low = high = p_value = math.nan
    error = found.standard_error
    if not math.isnan(found.difference):
        exchanged = _exchange(cells, chosen.function, n_resamples, for_test)
        normal = float(ndtri((1 + confidence_level) / 2))
        p_value, reach = _judge(found, exchanged, confidence_level, normal)
        low, high = found.difference - reach, found.difference + reach
        error = reach / normal
    return ClassifierComparison(
        found.difference,
        low,
        high,
        p_value,
        standard_error=error,
        confidence_level=confidence_level,
        n_undefined=found.n_undefined,
    )


def _tabulate_pairs(y_true, y_pred_a, y_pred_b, labels, pred_labels, sample_weight):
    """The occupied cells of true class × first × second prediction.

    Also returns whether the columns stand for the classes of the rows.
    """
    true = encode(y_true, "y_true")
    both = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    both = {name: encode(y, name) for name, y in both.items()}
    n_samples = len(true.codes)
    check_consistent_length(
        true.codes, *(y.codes for y in both.values()), sample_weight
    )
    if n_samples == 0:
        raise ValueError("y_true is empty; at least 1 sample is required.")
    numbered = number_labels(
        {"y_true": true},
        both,
        labels=labels,
        pred_labels=pred_labels,
        weight=check_weight(sample_weight),
    )
    (number_true, *number_pred), rows, columns = numbered
    shape = len(rows.places), len(columns.places)
    order = columns.places_of(rows)
    if order is not None:  # then the columns are in the order of the rows
        number_pred = [np.argsort(order)[numbers] for numbers in number_pred]
    # Both predictions as one number, so that one table counts them.
    found, cells = tabulate_cells(
        number_true,
        number_pred[0].astype(np.int64) * shape[1] + number_pred[1],
        sample_weight=sample_weight,
        sparse=True,
    )
    pairs = np.divmod(np.asarray(found.pred_labels)[cells.columns[0]], shape[1])
    cells = cells._replace(
        rows=found.labels[cells.rows],
        columns=pairs,
        shape=shape,
        is_sparse=not is_small(shape[0] * shape[1], n_samples),
    )
    return cells, rows.labels.tolist(), order is not None


class _Resampled(NamedTuple):
    """A difference, and what resamples say of it."""

    difference: float
    standard_error: float
    n_undefined: int
    tie: float  # differences that are closer than this are equal


def _resampled(cells, metric, n_resamples, generator):
    observed = evaluate(cells, metric, cells.values[None])
    value = float(_difference(observed)[0])
    resamples = resample(cells, n_resamples, False, generator)
    values = np.concatenate(
        [_difference(evaluate(cells, metric, drawn)) for drawn in resamples]
    )
    n_undefined = int(np.isnan(values).sum())
    if math.isnan(value):
        warn_of_undefined()
    elif n_undefined:
        warn(
            f"The metric is undefined in {n_undefined} of {n_resamples} resamples, "
            "which are left out of the interval.",
            UndefinedMetricWarning,
        )
    error = math.nan if math.isnan(value) else _spread(values)
    return _Resampled(value, error, n_undefined, _TIE * float(np.abs(observed).max()))


def _difference(values):
    """The values of the first classifier minus those of the second."""
    return np.subtract.reduce(values)


def _spread(values):
    """The standard deviation of values of any size; NaN for fewer than two."""
    values = values[~np.isnan(values)]
    if len(values) < 2:
        return math.nan
    largest = float(np.abs(values).max())
    return largest * float((values / largest).std(ddof=1)) if largest else 0.0


def _exchange(cells, metric, n_resamples, generator):
    """Differences after random exchanges of the predictions of samples."""
    a, b = cells.columns
    number = np.maximum(np.rint(cells.n_samples), 1).astype(np.int64)
    weight = cells.unit if cells.are_counts else cells.values / number
    both_ways = cells._replace(
        rows=np.tile(cells.rows, 2),
        columns=(np.append(a, b), np.append(b, a)),
    )
    values = []
    for size in chunks(cells, n_resamples):
        # Exchanging equal predictions changes nothing.
        draws = generator.binomial(np.where(a == b, 0, number), 0.5, (size, len(a)))
        parts = np.hstack([(number - draws) * weight, draws * weight])
        values.append(_difference(evaluate(both_ways, metric, parts)))
    return np.concatenate(values)


def _judge(found, exchanged, confidence_level, normal):
    """P-value, and the half-width of an interval that agrees with it.

    Both count the observed difference as one of the exchanges, and exchanges after
    which the metric is undefined as at least as large.
    """
    size = abs(found.difference)
    sizes = np.append(np.abs(exchanged), size)
    sizes[~(np.abs(sizes - size) > found.tie)] = size  # equal but for round-off, or NaN
    p_value = float(np.mean(sizes >= size))
    place = math.ceil(confidence_level * len(sizes) - 1e-9) - 1
    errors = found.standard_error, _spread(exchanged)
    reaches = np.sort(sizes)[place], *(normal * error for error in errors)
    return p_value, float(np.nanmax(reaches))
