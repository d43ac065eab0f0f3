"""Which of several models is the best, and which tie with it?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from sklearn_entropy_metrics.compare._model_comparison import (
    TIE,
    ComparedModel,
    ComparedPair,
    ModelComparison,
)
from sklearn_entropy_metrics.compare._progress import telling
from sklearn_entropy_metrics.compare._warnings import WarningsByName
from sklearn_entropy_metrics.compare.confidence import confidence_interval
from sklearn_entropy_metrics.compare.paired import compare_classifiers
from sklearn_entropy_metrics.measure.chosen import is_greater_better
from sklearn_entropy_metrics.table.classes import KnownLabels
from sklearn_entropy_metrics.table.tabulate import tabulate_labels


def compare_models(
    y_true: ArrayLike,
    predictions: Mapping[Any, ArrayLike],
    metric: str | Callable[..., Any] = "normalized_information",
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    random_state: int | np.random.RandomState | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    verbose: int = 0,
) -> ModelComparison:
    """Compare models that predicted the same samples.

    Each model gets an interval, and each pair a paired comparison. Among many pairs,
    some differ by chance alone, so the p-values are adjusted for their number by Holm's
    method [1]_.

    Read more in the :ref:`User Guide <intervals>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    predictions : dict of name to array-like of shape (n_samples,)
        The predicted labels of two models or more.

    metric : str or callable, default="normalized_information"
        A measure of tables, as in :func:`confidence_interval`. For your own functions,
        greater values are better.

    confidence_level : float, default=0.95
        The share of intervals that should contain the true value. Differences count if
        their adjusted p-value is at most 1 - `confidence_level`.

    n_resamples : int, default=9999
        How many pairs of tables to draw for each pair of models. No p-value is less
        than 1 / (n_resamples + 1), even before it is adjusted.

    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    labels, pred_labels : array-like, default=None
        True and predicted classes of all tables, as in :func:`contingency_table`. By
        default, the labels seen in `y_true` or in any of the predictions.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    verbose : int, default=0
        Whether to show the progress, on standard error.

    Returns
    -------
    comparison : ModelComparison
        `models`, the best first, and `pairs`. A model is `tied_with_best` unless the
        first one has the better estimate, the better value on the samples themselves,
        and an adjusted p-value of at most 1 - `confidence_level`.

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
    good     0.388     0.186     0.540         1  *
    fair     0.362     0.164     0.512         2  *
    bad      0.028     0.000     0.086         3
    <BLANKLINE>
    * tied with the best: not shown to be worse, p > 0.05 adjusted for 3 pairs
    """
    predictions = _check_predictions(predictions)
    if labels is None and pred_labels is None:
        labels = _all_labels(y_true, predictions, sample_weight)
    # One seed for all pairs: no model changes what is drawn for two others.
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    shared: dict[str, Any] = {
        "confidence_level": confidence_level,
        "labels": labels,
        "pred_labels": pred_labels,
        "sample_weight": sample_weight,
    }
    told = WarningsByName()
    intervals = {
        name: told.call(name, confidence_interval, y_true, y_pred, metric, **shared)
        for name, y_pred in predictions.items()
    }
    sign = 1 if is_greater_better(metric) else -1
    scores = {name: _score(found, sign) for name, found in intervals.items()}
    order = sorted(scores, key=lambda name: -scores[name])
    pairs = list(combinations(order, 2))
    shown = telling(pairs, len(pairs), "compare_models", "pairs")
    shared |= {"n_resamples": n_resamples, "random_state": seed}
    comparisons = {}
    for a, b in shown if verbose > 0 else pairs:
        arrays = y_true, predictions[a], predictions[b]
        comparisons[a, b] = told.call(
            f"{a} and {b}", compare_classifiers, *arrays, metric, **shared
        )
    told.warn()
    records = _adjusted(comparisons)
    worse = _worse_than_best(records, scores, sign, 1 - confidence_level)
    models = [
        ComparedModel(*(name, *intervals[name], _rank(name, scores), name not in worse))
        for name in order
    ]
    name = metric if isinstance(metric, str) else getattr(metric, "__name__", "metric")
    return ModelComparison(models, records, name, sign > 0, float(confidence_level))


def _check_predictions(predictions):
    if not isinstance(predictions, Mapping) or len(predictions) < 2:
        raise ValueError(
            "predictions must be a dict from the names of two models or more to their "
            f"predicted labels. Got {type(predictions).__name__}"
            + (f" of {len(predictions)}." if isinstance(predictions, Mapping) else ".")
        )
    return dict(predictions)


def _all_labels(y_true, predictions, sample_weight):
    """The labels seen in any of the arrays: all tables have the same classes."""
    labels = None
    for name, y_pred in predictions.items():
        try:
            labels = tabulate_labels(
                y_true,
                y_pred,
                labels=None if labels is None else KnownLabels(labels),
                sample_weight=sample_weight,
            ).labels
        except ValueError as error:
            raise ValueError(f"The predictions of {name!r}: {error}") from error
    return labels


def _score(interval, sign):
    """A number that is greater for better models, and lowest if it is undefined."""
    return -math.inf if math.isnan(interval.estimate) else sign * interval.estimate


def _rank(name, scores):
    return 1 + sum(score > scores[name] + TIE for score in scores.values())


def _adjusted(comparisons):
    """Records of pairs, with p-values adjusted by Holm's method."""
    p_values = np.array([found.p_value for found in comparisons.values()])
    order = np.argsort(p_values)
    factors = np.arange(len(order), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(factors * p_values[order]), 1)
    return [
        ComparedPair(
            a,
            b,
            found.difference,
            found.low,
            found.high,
            found.p_value,
            adjusted_p_value,
        )
        for ((a, b), found), adjusted_p_value in zip(
            comparisons.items(), adjusted.tolist(), strict=True
        )
    ]


def _worse_than_best(pairs, scores, sign, limit):
    """Names of the models that the first one beats by every criterion."""
    best = pairs[0].a
    return {
        pair.b
        for pair in pairs
        if pair.a == best
        and scores[best] > scores[pair.b] + TIE
        and sign * pair.difference > 0
        and pair.adjusted_p_value <= limit + TIE
    }
