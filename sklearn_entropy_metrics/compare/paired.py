"""Do two classifiers differ? A paired comparison on the same samples."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics.balance.interval import (
    ClassifierComparison,
    ConfidenceInterval,
    check_confidence_level,
    warn_of_undefined,
)
from sklearn_entropy_metrics.balance.shrink import shrink_errors
from sklearn_entropy_metrics.compare._exchange import (
    Units,
    exchanged_differences,
    find_units,
    resampled_values,
)
from sklearn_entropy_metrics.compare._resample import make_generator
from sklearn_entropy_metrics.compare.confidence import confidence_interval
from sklearn_entropy_metrics.compare.design import number_groups
from sklearn_entropy_metrics.measure.chosen import Chosen, choose_metric
from sklearn_entropy_metrics.measure.delta import influence
from sklearn_entropy_metrics.table.checks import check_integer, check_weight
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.classes import number_labels
from sklearn_entropy_metrics.table.labels import encode

# Values that differ by less than this share of their size are equal.
_TIE = 1e-12
# Resamples that are enough for a standard error.
_N_RESAMPLES = 300


def compare_classifiers(
    y_true: ArrayLike,
    y_pred_a: ArrayLike,
    y_pred_b: ArrayLike,
    metric: str | Callable[..., Any] = "normalized_information",
    *,
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 999,
    random_state: int | np.random.RandomState | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ClassifierComparison:
    r"""Compare two classifiers that predicted the same samples.

    Both classifiers are judged on the same resampled samples, so that samples that are
    easy or hard for both do not blur the difference. The p-value comes from a
    permutation test, which swaps the two predictions of each sample at random.

    The samples must be held out from training, and independent of each other, or
    `groups` must say which of them belong together.

    Read more in the :ref:`User Guide <intervals>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred_a, y_pred_b : array-like of shape (n_samples,)
        Labels predicted by the first and by the second classifier.

    metric : str or callable, default="normalized_information"
        A metric, as in :func:`confidence_interval`.

    groups : array-like of shape (n_samples,), default=None
        Which samples belong together, such as those of one patient: their predictions
        are swapped, and resampled, together.

    confidence_level : float, default=0.95
        The share of such intervals that should contain the true difference.

    n_resamples : int, default=999
        How many exchanges to draw.

    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    labels, pred_labels : array-like, default=None
        True and predicted classes of both tables, as in :func:`contingency_table`. By
        default, the labels seen in any of the three arrays.

    pos_label : label, default=None
        The positive class, where it matters; by default, 1.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    comparison : ClassifierComparison
        ``difference, low, high, p_value``. If the metric is undefined, they are NaN,
        with an `UndefinedMetricWarning`. Resamples for which it is undefined are left
        out; exchanges after which it is undefined count against a difference.

    See Also
    --------
    confidence_interval : The interval of the metric of one classifier.
    compare_models : Compare more than two, with p-values adjusted for their number.

    Notes
    -----
    The information in a sample is too large, and more so for a classifier that scatters
    its errors. So the difference is that of the estimates of
    :func:`confidence_interval`: the plug-in difference d minus that of the corrections
    :math:`c_a` and :math:`c_b`. The standard error s is

    .. math:: s^2 = e^2 + \frac{(c_a - c_b)^2}{4} + \frac{c_a^2 + c_b^2}{16}
        + \left(\frac{x}{n}\right)^2

    where e is the largest of the standard deviation of d over resamples, that over
    exchanges, and the `confidence_level` quantile of the sizes of the latter divided by
    that of the normal distribution; x is the mean effect of a sample that becomes an
    error, so that equal predictions of few samples do not prove two classifiers equal.

    The p-value is the share of exchanges that differ at least as much, or
    :math:`2 \Phi(-|d - c_a + c_b| / s)` if that is larger, or if no exchange does: it
    may be less than 1 / (n_resamples + 1).

    Exchanges and resamples are drawn for the occupied cells of true class × first ×
    second prediction, never for samples.

    Examples
    --------
    >>> from sklearn_entropy_metrics import compare_classifiers
    >>> y_true = [0] * 50 + [1] * 50
    >>> a = [0] * 45 + [1] * 5 + [0] * 10 + [1] * 40
    >>> b = [0] * 35 + [1] * 15 + [0] * 15 + [1] * 35
    >>> compare_classifiers(y_true, a, b, random_state=0)
    normalized_information: difference 0.272 [0.131, 0.413], p = 0.000156
    """
    confidence_level = check_confidence_level(confidence_level)
    n_resamples = check_integer(n_resamples, "n_resamples", minimum=1)
    predictions = read_predictions(
        {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b},
        y_true=y_true,
        metric=metric,
        groups=groups,
        labels=labels,
        pred_labels=pred_labels,
        pos_label=pos_label,
        sample_weight=sample_weight,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the intervals of one classifier
        intervals = [
            predictions.interval(y, confidence_level) for y in (y_pred_a, y_pred_b)
        ]
    if any(math.isnan(one.estimate) for one in intervals):
        warn_of_undefined()
    generator = make_generator(random_state)
    return predictions.compare(intervals, [(0, 1)], n_resamples, generator)[0]


class Predictions(NamedTuple):
    """Samples that several models predicted, with classes as numbers.

    Attributes
    ----------
    arguments : dict
        What :func:`confidence_interval` is called with for any of them.

    table : ClassTable
        The table of the first model.

    units : Units
        Kinds of samples, or groups.

    chosen : Chosen
        The metric.
    """

    arguments: dict[str, Any]
    table: ClassTable
    units: Units
    chosen: Chosen

    def metric(self, tables: np.ndarray) -> np.ndarray:
        """The metric of tables, as users named it."""
        return self.chosen.sign * np.asarray(self.chosen.function(tables))

    def interval(self, y_pred: Any, confidence_level: float) -> ConfidenceInterval:
        """The interval of one model, over the classes of all."""
        return confidence_interval(
            y_pred=y_pred, confidence_level=confidence_level, **self.arguments
        )

    def compare(
        self,
        intervals: Sequence[ConfidenceInterval],
        pairs: Sequence[tuple[int, int]],
        n_resamples: int,
        generator: np.random.Generator,
        verbose: int = 0,
    ) -> list[ClassifierComparison]:
        """Compare pairs of models, whose intervals are known."""
        for_interval, for_test = generator.spawn(2)
        n_draws, draw = min(n_resamples, _N_RESAMPLES), (self.units, self.metric)
        resampled = resampled_values(*draw, n_draws, for_interval)
        exchanged = exchanged_differences(*draw, pairs, n_resamples, for_test, verbose)
        models = [_model(self, i, interval) for i, interval in enumerate(intervals)]
        is_grouped = self.arguments["groups"] is not None
        degrees = len(self.units.number) - 1 if is_grouped else math.inf
        return [
            _judge(models[a], models[b], resampled[a] - resampled[b], some, degrees)
            for (a, b), some in zip(pairs, exchanged, strict=True)
        ]


def read_predictions(predictions: Mapping[str, Any], **arguments: Any) -> Predictions:
    """Number the classes of several predictions, and find the kinds of samples.

    The keys of the predictions are what errors call them; the arguments are those of
    :func:`compare_classifiers`.
    """
    y_true, groups = arguments["y_true"], arguments["groups"]
    true, *every = _encode(y_true, predictions)
    weight = check_weight(arguments["sample_weight"])
    check_consistent_length(true.codes, weight, groups)
    numbers, rows, columns = number_labels(
        {"y_true": true},
        dict(zip(predictions, every, strict=True)),
        labels=arguments["labels"],
        pred_labels=arguments["pred_labels"],
        weight=weight,
    )
    order = columns.places_of(rows)
    if order is not None and columns is not rows:  # then in the order of the rows
        places = np.argsort(order)
        numbers[1:] = [places[one] for one in numbers[1:]]
        columns = rows
    shape = len(rows.places), len(columns.places)
    arguments["labels"] = rows.labels
    arguments["pred_labels"] = None if columns is rows else columns.labels
    group = None
    if groups is not None:
        group = number_groups(groups, y_true, weight).numbers
    units = find_units(numbers[0], numbers[1:], shape, weight, group)
    table = ClassTable(units.table(0), rows, columns)
    chosen = choose_metric(arguments["metric"], table, arguments["pos_label"])
    return Predictions(arguments, table, units, chosen)


def _encode(y_true, predictions):
    """Labels of samples, which must be equally many."""
    true = encode(y_true, "y_true")
    if len(true.codes) == 0:
        raise ValueError("y_true is empty; at least 1 sample is required.")
    every = [encode(y_pred, name) for name, y_pred in predictions.items()]
    for name, one in zip(predictions, every, strict=True):
        try:
            check_consistent_length(true.codes, one.codes)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
    return true, *every


class _Model(NamedTuple):
    interval: ConfidenceInterval
    tables: Any  # of the units
    effect: float  # mean square of the effect of a sample that becomes an error


def _model(predictions, number, interval):
    units, hits = predictions.units, predictions.table.hits
    if math.isnan(interval.estimate):
        return _Model(interval, units.tables[number], math.nan)
    table, size = units.table(number), interval.n_effective
    shares = shrink_errors(table, hits=hits, n_samples=size).shrunk
    chosen = predictions.chosen.in_the_limit()
    gain = influence(shares[None], chosen, table.sum()[None])[0]
    # Classes without a column of their own: the one they are mostly taken for.
    hit = np.where(hits.any(axis=1), hits.argmax(axis=1), shares.argmax(axis=1))
    rows = np.arange(len(hit))
    errors = shares.copy()
    errors[rows, hit] = 0
    squares = errors * (gain[rows, hit][:, None] - gain) ** 2
    effect = float(squares.sum() / errors.sum()) if errors.any() else 0.0
    return _Model(interval, units.tables[number], effect)


def _judge(a, b, resampled, exchanged, degrees):
    """The difference of two models, its interval and its p-value.

    Exchanges after which the metric is undefined count as at least as large.
    """
    first, second = a.interval, b.interval
    level = first.confidence_level
    plug_in = first.plug_in - second.plug_in
    bias = first.correction - second.correction
    estimate = plug_in - bias
    if math.isnan(estimate):
        nan = math.nan
        return ClassifierComparison(nan, nan, nan, nan, nan, nan, level, first.metric)
    quantile = float(stats.t.ppf((1 + level) / 2, degrees))
    sizes, n_extreme = _sizes(exchanged, plug_in, _TIE * abs(first.plug_in))
    place = math.ceil(level * len(sizes) - 1e-9) - 1
    errors = sizes[place] / quantile, _spread(resampled), _spread(exchanged)
    corrections = [bias / 2, first.correction / 4, second.correction / 4]
    if (a.tables != b.tables).nnz == 0:  # equal predictions have equal corrections
        corrections = []
    n_samples = min(first.n_effective, second.n_effective)
    pair = math.sqrt((a.effect + b.effect) / 2) / n_samples
    error = math.hypot(float(np.nanmax(errors)), *corrections, pair)
    p_value = 2 * float(stats.t.sf(abs(estimate) / error, degrees)) if error else 1.0
    if n_extreme > 1:
        p_value = max(p_value, n_extreme / len(sizes))
    return ClassifierComparison(
        estimate,
        estimate - quantile * error,
        estimate + quantile * error,
        p_value,
        standard_error=error,
        plug_in_difference=plug_in,
        confidence_level=level,
        metric=first.metric,
    )


def _sizes(exchanged, observed, tie):
    """Sorted sizes of differences with the observed one, and how many are as large."""
    size = abs(observed)
    sizes = np.append(np.abs(exchanged), size)
    sizes[~(np.abs(sizes - size) > tie)] = size  # equal but for round-off, or NaN
    return np.sort(sizes), int(np.count_nonzero(sizes >= size))


def _spread(values):
    """The standard deviation of values of any size; NaN for fewer than two."""
    values = values[~np.isnan(values)]
    if len(values) < 2:
        return math.nan
    largest = float(np.abs(values).max())
    return largest * float((values / largest).std(ddof=1)) if largest else 0.0
