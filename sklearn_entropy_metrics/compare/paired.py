"""Do two classifiers differ? A paired comparison on the same samples."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from scipy import stats

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.balance import interval
from sklearn_entropy_metrics.balance.shrink import shrink_errors
from sklearn_entropy_metrics.compare._progress import telling
from sklearn_entropy_metrics.compare._warnings import without
from sklearn_entropy_metrics.compare.bootstrap import make_generator
from sklearn_entropy_metrics.compare.confidence import interval_of_table
from sklearn_entropy_metrics.compare.design import Samples, dense_counts, number_samples
from sklearn_entropy_metrics.measure.chosen import Chosen, choose_metric
from sklearn_entropy_metrics.measure.delta import influence
from sklearn_entropy_metrics.table.checks import check_integer, check_weight
from sklearn_entropy_metrics.table.classes import ClassTable

# Values that differ by less than this share of their size are equal.
_TIE = 1e-12
# Resamples that are enough for a standard error.
_N_RESAMPLES = 300
# Numbers that are held at a time.
_CHUNK = 1 << 21


@without("method", "stratify", advice="its one method resamples by permutation")
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
) -> interval.ClassifierComparison:
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
    confidence_level = interval.check_confidence_level(confidence_level)
    n_resamples = check_integer(n_resamples, "n_resamples", minimum=1)
    named = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    options = metric, groups, labels, pred_labels, pos_label, sample_weight
    predictions = read_predictions(y_true, named, *options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the intervals of one classifier
        intervals = [predictions.judge(i, confidence_level) for i in range(2)]
    reasons = [one.warning for one in predictions.tables if one.warning]
    if any(math.isnan(one.estimate) for one in intervals):
        interval.warn_of_undefined()
    elif reasons and predictions.chosen.heeds_warnings:
        warn(reasons[0])
    return predictions.compare(intervals, [(0, 1)], n_resamples, random_state)[0]


class Predictions(NamedTuple):
    """Samples that several models predicted.

    Attributes
    ----------
    metric, pos_label, chosen
        The metric as given, its positive class, and what it is.

    samples : list of Samples
        The samples of each model.

    tables : list of ClassTable
        Their tables.

    units : _Units
        What is drawn.
    """

    metric: str | Callable[..., Any]
    pos_label: Any
    chosen: Chosen
    samples: list[Samples]
    tables: list[ClassTable]
    units: _Units

    def judge(self, model: int, confidence_level: float) -> interval.ConfidenceInterval:
        """The interval of one model, over the classes of all."""
        options = self.metric, self.pos_label, confidence_level
        return interval_of_table(self.tables[model], *options, self.samples[model])

    def _values(self, tables):
        return self.chosen.sign * np.asarray(self.chosen.function(tables))

    def compare(
        self,
        intervals: Sequence[interval.ConfidenceInterval],
        pairs: Sequence[tuple[int, int]],
        n_resamples: int,
        random_state: Any,
        verbose: int = 0,
    ) -> list[interval.ClassifierComparison]:
        """Compare pairs of models, whose intervals are known."""
        for_interval, for_test = make_generator(random_state).spawn(2)
        n_draws, draw = min(n_resamples, _N_RESAMPLES), (self.units, self._values)
        resampled = _resampled_values(*draw, n_draws, for_interval)
        exchanged = _exchanged_differences(*draw, pairs, n_resamples, for_test, verbose)
        effects = [_effect(self, i, one) for i, one in enumerate(intervals)]
        first = self.samples[0]
        degrees = math.inf if first.groups is None else first.n_groups - 1
        compared = []
        for (a, b), some in zip(pairs, exchanged, strict=True):
            is_same = (self.units.tables[a] != self.units.tables[b]).nnz == 0
            drawn = resampled[a] - resampled[b], some
            effect, both = (effects[a] + effects[b]) / 2, (intervals[a], intervals[b])
            compared.append(_judge(*both, *drawn, degrees, effect, is_same))
        return compared


def read_predictions(
    y_true: ArrayLike,
    predictions: Mapping[str, Any],
    metric: str | Callable[..., Any],
    groups: ArrayLike | None,
    labels: ArrayLike | None,
    pred_labels: ArrayLike | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
) -> Predictions:
    """Number the classes of several predictions, and find the kinds of samples.

    The keys of the predictions are what errors call them; the other parameters are
    those of :func:`compare_classifiers`.
    """
    options = groups, labels, pred_labels, check_weight(sample_weight)
    samples = number_samples(y_true, predictions, *options)
    tables = [one.table() for one in samples]
    chosen = choose_metric(metric, tables[0], pos_label)
    return Predictions(metric, pos_label, chosen, samples, tables, _find_units(samples))


class _Units(NamedTuple):
    """What is drawn: kinds of samples, or groups of samples.

    Samples with the same true class and the same predictions are alike, and so numbers
    are drawn for the kinds of samples, never for the samples.
    """

    number: np.ndarray  # of those of the kind
    tables: list[sp.csr_array]  # for each model, that of one of them, (n_units, k * m)
    shape: tuple[int, int]  # of the tables

    def chunks(self, n_draws):
        """Parts of all draws that fit into memory."""
        size = len(self.number) + 2 * len(self.tables) * self.tables[0].shape[1]
        step = max(1, _CHUNK // size)
        for start in range(0, n_draws, step):
            yield slice(start, min(start + step, n_draws))


def _find_units(samples):
    """Find the kinds of samples, or the groups if there are any.

    Samples of a kind whose weights w sum to W count as W² / Σw² of equal weight.
    """
    first, cells = samples[0], [one.cells for one in samples]
    shape = len(first.rows), len(first.columns)
    n_cells, weight = math.prod(shape), np.ones(len(first.true))
    if first.weight is not None:
        weight = first.weight / first.weight.max()
    weight *= weight.sum() / (weight @ weight)  # a total of effective samples
    if first.groups is not None:
        unit, number = first.groups, np.ones(first.n_groups, dtype=np.int64)
    else:
        unit = np.zeros(len(weight), dtype=np.int64)
        for cell in cells:
            unit = np.unique(unit * n_cells + cell, return_inverse=True)[1]
        total, squares = (np.bincount(unit, w) for w in (weight, weight**2))
        number = np.maximum(np.rint(total**2 / squares), 1).astype(np.int64)
    weight = weight / number[unit]
    size = len(number), n_cells
    tables = [sp.csr_array((weight, (unit, cell)), size) for cell in cells]
    return _Units(number, tables, shape)


def _resampled_values(units, metric, n_draws, generator):
    """Values of the metric in resamples, shape (n_models, n_draws)."""
    total = units.number.sum()
    values = np.empty((len(units.tables), n_draws))
    for part in units.chunks(n_draws):
        size = part.stop - part.start
        drawn = generator.multinomial(total, units.number / total, size)
        for model, table in enumerate(units.tables):
            values[model, part] = metric((drawn @ table).reshape(-1, *units.shape))
    return values


def _exchanged_differences(units, metric, pairs, n_draws, generator, verbose):
    """Differences after random exchanges of predictions, shape (n_pairs, n_draws).

    Which samples are exchanged is drawn once for all pairs.
    """
    differences = np.empty((len(pairs), n_draws))
    steps = list(product(units.chunks(n_draws), enumerate(pairs)))
    shown = telling(steps, len(steps), "compare_models", "steps", verbose)
    for part, (pair, (a, b)) in shown:
        if pair == 0:
            size = part.stop - part.start, len(units.number)
            drawn = generator.binomial(units.number, 0.5, size)
            # Two sums, not one and the rest of the total: none is negative.
            moved, kept = (
                [(some @ table).reshape(-1, *units.shape) for table in units.tables]
                for some in (drawn, units.number - drawn)
            )
        first, second = kept[a] + moved[b], kept[b] + moved[a]
        differences[pair, part] = metric(first) - metric(second)
    return differences


def _effect(predictions, number, judged):
    """Mean square of the effect of a sample that becomes an error."""
    given = predictions.tables[number]
    if math.isnan(judged.estimate):
        return math.nan
    hits, size = given.hits, judged.n_effective
    shares = shrink_errors(dense_counts(given), hits=hits, n_samples=size).shrunk
    chosen = predictions.chosen.in_the_limit()
    gain = influence(shares[None], chosen, np.array([given.total]))[0]
    # Classes without a column of their own: the one they are mostly taken for.
    hit = np.where(hits.any(axis=1), hits.argmax(axis=1), shares.argmax(axis=1))
    rows = np.arange(len(hit))
    errors = shares.copy()
    errors[rows, hit] = 0
    squares = errors * (gain[rows, hit][:, None] - gain) ** 2
    return float(squares.sum() / errors.sum()) if errors.any() else 0.0


def _judge(first, second, resampled, exchanged, degrees, effect, is_same):
    """The difference of two models, its interval and its p-value.

    Exchanges after which the metric is undefined count as at least as large.
    """
    level = first.confidence_level
    plug_in = first.plug_in - second.plug_in
    bias = first.correction - second.correction
    estimate = plug_in - bias
    quantile = float(stats.t.ppf((1 + level) / 2, degrees))
    size = abs(plug_in)
    sizes = np.append(np.abs(exchanged), size)
    # Equal but for round-off, or NaN.
    sizes[~(np.abs(sizes - size) > _TIE * abs(first.plug_in))] = size
    n_extreme = int(np.count_nonzero(sizes >= size))
    place = math.ceil(level * len(sizes) - 1e-9) - 1
    largest = np.sort(sizes)[place] / quantile
    errors = largest, _spread(resampled), _spread(exchanged)
    corrections = [bias / 2, first.correction / 4, second.correction / 4]
    if is_same:  # equal predictions have equal corrections
        corrections = []
    pair = math.sqrt(effect) / min(first.n_effective, second.n_effective)
    error = math.hypot(float(np.fmax.reduce(errors)), *corrections, pair)
    p_value = 2 * float(stats.t.sf(abs(estimate) / error, degrees)) if error else 1.0
    if n_extreme > 1:
        p_value = max(p_value, n_extreme / len(sizes))
    ends = estimate - quantile * error, estimate + quantile * error
    numbers = estimate, *ends, p_value, error, plug_in
    return interval.ClassifierComparison(*numbers, level, first.metric)


def _spread(values):
    """The standard deviation of values of any size; NaN for fewer than two."""
    values = values[~np.isnan(values)]
    if len(values) < 2:
        return math.nan
    largest = float(np.abs(values).max())
    return largest * float((values / largest).std(ddof=1)) if largest else 0.0
