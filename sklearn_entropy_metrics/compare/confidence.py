"""Confidence intervals of metrics."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.compare._interval import (
    FourNumbers,
    Method,
    bootstrap,
    check_settings,
)
from sklearn_entropy_metrics.compare._metric import choose_metric
from sklearn_entropy_metrics.compare._resample import make_generator, tabulate_cells


@dataclass(frozen=True, eq=False, repr=False)
class ConfidenceInterval(FourNumbers):
    """What :func:`~sklearn_entropy_metrics.confidence_interval` returns.

    It is also a sequence of its first four attributes.

    Attributes
    ----------
    estimate : float
        The best guess of the metric.

    low, high : float
        The ends of the interval.

    standard_error : float
        Standard deviation of the metric over the resamples.

    plug_in : float
        The metric of the samples themselves; the methods that resample take it for the
        estimate.

    correction : float
        The plug-in value less the estimate.

    confidence_level : float
        The share of such intervals that are meant to contain the true value.

    method : str
        How the interval was made.

    n_undefined : int
        In how many resamples the metric was undefined.
    """

    estimate: float
    low: float
    high: float
    standard_error: float
    plug_in: float
    correction: float
    confidence_level: float
    method: str
    n_undefined: int


def confidence_interval(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    metric: str | Callable[..., Any] = "normalized_information",
    *,
    table: Any = None,
    confidence_level: float = 0.95,
    method: Method = "bca",
    n_resamples: int = 1000,
    stratify: bool = False,
    random_state: int | np.random.RandomState | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ConfidenceInterval:
    r"""Confidence interval of a metric.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), default=None
        True labels.

    y_pred : array-like of shape (n_samples,), default=None
        Predicted labels.

    metric : str or callable, default="normalized_information"
        One of

        - the name of a measure of tables in
          :data:`sklearn_entropy_metrics.measure.MEASURES`;
        - its scoring string; those that begin with "neg\_" give the negated interval;
        - its metric function, such as :func:`normalized_information_score`, with the
          defaults of that function;
        - any function that takes a stack of tables of shape (n, k, m) and returns n
          numbers, NaN where it is undefined.

        For measures of two classes the second label is the positive one.

    table : array-like of shape (k, m), sparse, EntropyBalance or TableAccumulator, \
            default=None
        Counts, true classes in rows, instead of `y_true` and `y_pred`.

    confidence_level : float, default=0.95
        The share of such intervals that are meant to contain the true value.

    method : {"bca", "percentile"}, default="bca"
        "percentile" takes quantiles of the metric over resampled tables. "bca" corrects
        these quantiles for bias and skewness [1]_, and covers the truth more often.

    n_resamples : int, default=1000
        How many tables to draw.

    stratify : bool, default=False
        Whether to resample within each true class, as if the numbers of samples of the
        classes had been fixed beforehand.

    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    labels, pred_labels : array-like, default=None
        True and predicted classes, as in :func:`contingency_table`; with `table` the
        names of its rows and columns.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. Numbers of samples belong into a `table`.

    Returns
    -------
    interval : ConfidenceInterval
        ``estimate, low, high, standard_error``. If the metric is undefined they are
        NaN, with an `UndefinedMetricWarning`. Resamples in which it is undefined are
        left out; a warning says how many, and so does the attribute `n_undefined`. A
        single sample has an interval of length zero.

    See Also
    --------
    compare_classifiers : Whether two classifiers differ.
    bootstrap_balance : The resampled tables themselves.
    scipy.stats.bootstrap : Resamples the samples, for any statistic.

    Notes
    -----
    Numbers are drawn for the occupied cells of the table and never for samples; see
    :func:`bootstrap_balance`. The acceleration of "bca" comes from removing one sample
    of each cell, or of 1,000 cells drawn in proportion to their samples if there are
    more. A cell in which weights w sum to W counts as W² / Σw² samples of equal weight.
    A table that is too large to be dense is drawn as sparse tables, of which the metric
    gets one at a time.

    Where few samples fall into each cell, or little information is transferred, the
    information in a sample is larger than the truth. With 40 samples per cell of the
    table and a normalized information of at least 0.2, intervals of 95 % by "bca" cover
    the truth in 90 to 98 % of cases. Near independence they do not: the truth is at the
    border of what is possible, and most resamples lie above the estimate. If more than
    90 % lie on one side, a warning tells so; beyond 97.5 % "bca" breaks down, and the
    ends are those of "percentile". A classifier without any error has an interval of
    length zero: what has not been seen is not drawn.

    References
    ----------
    .. [1] B. Efron (1987). "Better bootstrap confidence intervals". Journal of the
       American Statistical Association 82(397), 171-185.

    Examples
    --------
    >>> from sklearn_entropy_metrics import confidence_interval
    >>> y_true = [0] * 50 + [1] * 50
    >>> y_pred = [0] * 45 + [1] * 5 + [0] * 10 + [1] * 40
    >>> confidence_interval(y_true, y_pred, "normalized_information", random_state=0)
    ConfidenceInterval(estimate=0.3973, low=0.217, high=0.5933, standard_error=0.09688)
    """
    settings = check_settings(confidence_level, n_resamples, method, stratify)
    given, cells = tabulate_cells(
        y_true,
        y_pred,
        table=table,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
    )
    chosen = choose_metric(metric, cells.shape, given.is_square)
    found = bootstrap(cells, chosen.function, settings, make_generator(random_state))
    if chosen.is_doubtful and given.doubt is not None and not isnan(found.estimate):
        warn(given.doubt)
    interval = ConfidenceInterval(
        found.estimate,
        found.low,
        found.high,
        found.standard_error,
        plug_in=found.estimate,
        correction=0.0,
        confidence_level=settings.confidence_level,
        method=settings.method,
        n_undefined=found.n_undefined,
    )
    return interval if chosen.sign > 0 else _negated(interval)


def _negated(interval):
    """The interval of the negative of a metric."""
    return replace(
        interval,
        estimate=-interval.estimate,
        low=-interval.high,
        high=-interval.low,
        plug_in=-interval.plug_in,
        correction=0.0 - interval.correction,
    )
