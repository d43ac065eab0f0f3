"""Which of several models is the best, and which tie with it?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics._html import shorten
from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.balance import interval
from sklearn_entropy_metrics.compare._records import NAME, Records, frame_of
from sklearn_entropy_metrics.compare._warnings import call_each
from sklearn_entropy_metrics.compare.paired import read_predictions
from sklearn_entropy_metrics.compare.pointwise import Compare, judge_probabilities
from sklearn_entropy_metrics.measure.chosen import is_greater_better
from sklearn_entropy_metrics.table.checks import check_flags, check_integer

if TYPE_CHECKING:
    import pandas as pd

# Estimates that differ by no more than this are equal but for round-off.
_TIE = 1e-9
# Names in a sentence.
_MOST = 5


@dataclass(frozen=True)
class ComparedModel:
    """One of several models.

    Attributes
    ----------
    name : hashable
        Its name.

    estimate, low, high, standard_error : float
        The metric and its interval, as returned by
        :func:`~sklearn_entropy_metrics.confidence_interval`.

    rank : int
        1 for the best; equal estimates share the smaller rank.

    tied_with_best : bool
        Whether the samples do not show that the best model is better.
    """

    name: Any
    estimate: float
    low: float
    high: float
    standard_error: float
    rank: int
    tied_with_best: bool


@dataclass(frozen=True)
class ComparedPair:
    """Two of several models.

    Attributes
    ----------
    a, b : hashable
        Their names; the first has the better or an equal estimate.

    difference, low, high : float
        The metric of the first minus that of the second, and its interval, as returned
        by :func:`~sklearn_entropy_metrics.compare_classifiers`.

    p_value : float
        The p-value of this pair alone.

    adjusted_p_value : float
        The p-value adjusted for the number of pairs by Holm's method.
    """

    a: Any
    b: Any
    difference: float
    low: float
    high: float
    p_value: float
    adjusted_p_value: float


@dataclass(frozen=True, repr=False)
class ModelComparison(Records):
    """What :func:`~sklearn_entropy_metrics.compare_models` returns.

    Attributes
    ----------
    models : list of ComparedModel
        Records with the attributes `name`, `estimate`, `low`, `high`,
        `standard_error`, `rank` and `tied_with_best`, the best model first.

    pairs : list of ComparedPair
        Records with the attributes `a`, `b`, `difference`, `low`, `high`, `p_value` and
        `adjusted_p_value`, in the order of the models.

    metric : str
        The name of the metric.

    greater_is_better : bool
        Whether models with greater values are better.

    confidence_level : float
        The level of all intervals.
    """

    models: list[ComparedModel]
    pairs: list[ComparedPair]
    metric: str
    greater_is_better: bool
    confidence_level: float

    _kind = ComparedModel

    def _records(self):
        return self.models

    def pairs_to_frame(self) -> pd.DataFrame:
        """Return the pairs as a data frame; needs pandas.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each pair.
        """
        return frame_of(self.pairs, ComparedPair)

    def summary(self) -> str:
        """Which model is the best, and which tie with it, in a sentence or two.

        Returns
        -------
        summary : str
        """
        best, *others = self.models
        if math.isnan(best.estimate):
            return f"{self.metric} is undefined for all models."
        place = "among the best" if others[0].rank == 1 else "the best"
        words = (
            f"{shorten(best.name, NAME)} is {place} by "
            f"{self.metric}: {best.estimate:.3f} [{best.low:.3f}, {best.high:.3f}]."
        )
        tied = [shorten(one.name, NAME) for one in others if one.tied_with_best]
        if len(tied) == len(others):
            return f"{words} No other model is significantly worse."
        if not tied:
            rest = "The other is" if len(others) == 1 else "All others are"
            return f"{words} {rest} significantly worse."
        names = ", ".join(tied[:_MOST]) + (", …" if len(tied) > _MOST else "")
        return f"{words} Not significantly worse: {names}."

    def rows(self) -> tuple[list[str], list[list[str]]]:
        """The models as texts, for tables.

        Returns
        -------
        heads : list of str

        rows : list of list of str
            A row for each model, the best first.
        """
        rows: list[list[str]] = []
        for one in self.models:
            numbers = [f"{number:.3f}" for number in (one.estimate, one.low, one.high)]
            star = "*" if one.tied_with_best and rows else ""  # not of the best itself
            rows.append([str(one.name), *numbers, str(one.rank), star])
        return ["model", "estimate", "low", "high", "rank", ""], rows

    def _title(self):
        level = f"{100 * self.confidence_level:g}%"
        return f"{len(self.models)} models by {self.metric}, with {level} intervals"

    def _notes(self):
        words = "* not significantly worse than the best"
        adjusted = f", adjusted for {len(self.pairs)} pairs" if self.pairs[1:] else ""
        note = f"{words}: p > {1 - self.confidence_level:.4g}{adjusted}"
        return [note] if any(one.tied_with_best for one in self.models[1:]) else []


def compare_models(
    y_true: ArrayLike,
    predictions: Mapping[Any, ArrayLike] | Any = None,
    metric: str | Callable[..., Any] = "normalized_information",
    *,
    y_probas: Mapping[Any, ArrayLike] | None = None,
    groups: ArrayLike | None = None,
    greater_is_better: bool = True,
    confidence_level: float = 0.95,
    n_resamples: int = 999,
    random_state: int | np.random.RandomState | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    verbose: int = 0,
) -> ModelComparison:
    """Compare models that predicted the same samples.

    Each model gets an interval, and each pair a paired comparison. Among many pairs,
    some differ by chance alone, so the p-values are adjusted for their number by Holm's
    method [1]_.

    The samples must be held out from training, and independent of each other, or
    `groups` must say which of them belong together.

    Read more in the :ref:`User Guide <intervals>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    predictions : dict of name to array-like of shape (n_samples,), or data frame
        The predicted labels of two models or more; of a data frame, one per column.

    metric : str or callable, default="normalized_information"
        A metric, as in :func:`confidence_interval`.

    y_probas : dict of name to array-like of shape (n_samples, n_classes), default=None
        Predicted probabilities instead of labels, as from `predict_proba`, for measures
        of probabilities. They are compared sample by sample, without random numbers.

    groups : array-like of shape (n_samples,), default=None
        Which samples belong together, such as those of one patient.

    greater_is_better : bool, default=True
        Whether greater values of a function of your own are better. Other metrics are
        known.

    confidence_level : float, default=0.95
        The share of intervals that should contain the true value. Differences count if
        their adjusted p-value is at most 1 - `confidence_level`.

    n_resamples : int, default=999
        How many exchanges to draw; all pairs share them. Whatever their number,
        p-values may be as small as the samples justify.

    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    labels, pred_labels : array-like, default=None
        True and predicted classes of all tables, as in :func:`contingency_table`. By
        default, the labels seen in `y_true` or in any of the predictions.

    pos_label : label, default=None
        The positive class, where it matters; by default, 1.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    verbose : int, default=0
        Whether to show the progress, on standard error.

    Returns
    -------
    comparison : ModelComparison
        `models`, the best first, and `pairs`. A model is `tied_with_best` unless the
        first one is better with an adjusted p-value of at most 1 - `confidence_level`.

    See Also
    --------
    compare_classifiers : The comparison of one pair.
    confidence_interval : The interval of one model.
    rank_models : Rank models of two classes.

    Notes
    -----
    Only the test samples vary, not the training samples. For tests over many data sets,
    see the packages autorank (Friedman and Nemenyi tests) and baycomp (Bayesian tests).

    References
    ----------
    .. [1] S. Holm (1979). "A simple sequentially rejective multiple test procedure".
       Scandinavian Journal of Statistics 6(2), 65-70.

    Examples
    --------
    >>> from sklearn_entropy_metrics import compare_models
    >>> y_true = [0] * 50 + [1] * 50
    >>> predictions = {
    ...     "bad": [0] * 30 + [1] * 20 + [0] * 20 + [1] * 30,
    ...     "good": [0] * 45 + [1] * 5 + [0] * 10 + [1] * 40,
    ...     "fair": [0] * 44 + [1] * 6 + [0] * 10 + [1] * 40,
    ... }
    >>> compare_models(y_true, predictions, random_state=0)
    3 models by normalized_information, with 95% intervals
    <BLANKLINE>
          estimate       low      high      rank
    good     0.388     0.186     0.540         1
    fair     0.362     0.164     0.512         2  *
    bad      0.028     0.000     0.086         3
    <BLANKLINE>
    * not significantly worse than the best: p > 0.05, adjusted for 3 pairs
    """
    if (predictions is None) == (y_probas is None):
        got = "neither" if predictions is None else "both"
        raise ValueError(f"Pass either `predictions` or `y_probas`. Got {got}.")
    check_flags(greater_is_better=greater_is_better)
    confidence_level = interval.check_confidence_level(confidence_level)
    if y_probas is not None:
        probas = _check_named(y_probas, "y_probas")
        known = confidence_level, groups, labels, sample_weight
        return rank_models_by(*judge_probabilities(y_true, probas, metric, *known))
    n_resamples = check_integer(n_resamples, "n_resamples", minimum=1)
    named = _check_named(predictions, "predictions")
    every = {f"The predictions of {name!r}": y for name, y in named.items()}
    options = metric, groups, labels, pred_labels, pos_label, sample_weight
    read = read_predictions(y_true, every, *options)
    is_better = _is_greater_better(metric, read.chosen, greater_is_better)
    judged = call_each(named, lambda i: read.judge(i, confidence_level))
    _warn_of_clusters(read)
    names = list(named)

    def compare(pairs):
        numbers = [(names.index(a), names.index(b)) for a, b in pairs]
        return read.compare(judged, numbers, n_resamples, random_state, verbose)

    intervals = dict(zip(named, judged, strict=True))
    return rank_models_by(intervals, compare, is_better)


def _is_greater_better(metric, chosen, greater_is_better):
    """Whether greater values are better: known but for a user's function."""
    if chosen.measure is None:
        return greater_is_better
    if not greater_is_better:
        raise ValueError(
            "`greater_is_better` must be True unless `metric` is a function of your "
            f"own: which values of {metric!r} are better is known. Got False."
        )
    return is_greater_better(metric)


def _check_named(named, what):
    """A dict of what several models predicted."""
    if hasattr(named, "columns"):  # a data frame; pyarrow calls its names otherwise
        names = getattr(named, "column_names", named.columns)
        named = {name: named[name] for name in names}
    if not isinstance(named, Mapping) or len(named) < 2:
        number = f" of {len(named)}" if isinstance(named, Mapping) else ""
        raise ValueError(
            f"`{what}` must be a dict from the names of two models or more to what "
            "they predicted, or a data frame with a column for each model. Got "
            f"{type(named).__name__}{number}."
        )
    return dict(named)


def _warn_of_clusters(read):
    """Warn where a model is better because it has more clusters than another."""
    name = getattr(read.chosen.measure, "name", None)
    if read.tables[0].is_square or name != "normalized_information":
        return
    numbers = sorted({len(np.unique(one.pred)) for one in read.samples})
    if len(numbers) > 1:
        warn(
            f"The models predict {numbers[0]} to {numbers[-1]} clusters. Normalized "
            "information grows with their number; use "
            "metric='adjusted_normalized_information'."
        )


def rank_models_by(
    intervals: Mapping[Any, interval.ConfidenceInterval],
    compare: Compare,
    greater_is_better: bool,
) -> ModelComparison:
    """Rank models by their intervals, and compare each with all that follow.

    `compare` takes pairs of names and compares each pair.
    """
    sign = 1 if greater_is_better else -1
    scores = {
        name: -math.inf if math.isnan(one.estimate) else sign * one.estimate
        for name, one in intervals.items()
    }
    order = sorted(scores, key=lambda name: -scores[name])
    names = list(combinations(order, 2))
    pairs = _adjusted(names, list(compare(names)))
    first = intervals[order[0]]
    level = first.confidence_level
    worse = {
        pair.b
        for pair in pairs
        if pair.a == order[0]
        and sign * pair.difference > 0
        and pair.adjusted_p_value <= 1 - level + _TIE
    }
    models = []
    for name in order:
        rank = 1 + sum(score > scores[name] + _TIE for score in scores.values())
        one = intervals[name]
        numbers = one.estimate, one.low, one.high, one.standard_error
        models.append(ComparedModel(name, *numbers, rank, name not in worse))
    return ModelComparison(models, pairs, first.metric, greater_is_better, level)


def _adjusted(names, compared):
    """Records of pairs, with p-values adjusted by Holm's method."""
    p_values = np.array([one.p_value for one in compared])
    order = np.argsort(p_values)
    factors = np.arange(len(order), 0, -1)
    holm = np.empty_like(p_values)
    holm[order] = np.minimum(np.maximum.accumulate(factors * p_values[order]), 1)
    return [
        ComparedPair(a, b, one.difference, one.low, one.high, one.p_value, adjusted)
        for (a, b), one, adjusted in zip(names, compared, holm.tolist(), strict=True)
    ]
