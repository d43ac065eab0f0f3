"""Confidence intervals of metrics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isnan
from typing import Any

from numpy.typing import ArrayLike

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.balance.interval import (
    ConfidenceInterval,
    check_confidence_level,
    warn_of_undefined,
)
from sklearn_entropy_metrics.balance.shrink import shrink_errors
from sklearn_entropy_metrics.compare._resample import (
    dense_table,
    positive_last,
    tabulate_cells,
)
from sklearn_entropy_metrics.compare.samples import interval_by_sample
from sklearn_entropy_metrics.measure.chosen import choose_metric
from sklearn_entropy_metrics.measure.delta import (
    delta_intervals,
    few_samples,
)


def confidence_interval(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    metric: str | Callable[..., Any] = "normalized_information",
    *,
    table: Any = None,
    y_proba: ArrayLike | None = None,
    confidence_level: float = 0.95,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ConfidenceInterval:
    r"""Confidence interval of a metric.

    Read more in the :ref:`User Guide <intervals>`.

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

        For measures of one class against another, the positive class is 1, as in the
        metrics, or the second label if there is no label 1.

    table : array-like, sparse table, EntropyBalance or TableAccumulator, default=None
        Counts, true classes in rows, instead of `y_true` and `y_pred`.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,), default=None
        Predicted probabilities instead of `y_pred`, as from `predict_proba`, for
        measures of probabilities: "probability_information", "normalized_information"
        (of the probabilities), "miscalibration", "decision_loss",
        "stated_information" and "log_loss", all but the second in bits. See
        :meth:`ProbabilityBalance.interval`.

    confidence_level : float, default=0.95
        The share of such intervals that should contain the true value.

    labels, pred_labels : array-like, default=None
        True and predicted classes, as in :func:`contingency_table`; with `table`, the
        names of its rows and columns. Cells whose row and column have the same label
        are correct predictions; without labels, these are the diagonal cells of a
        square table; a rectangular one has none.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. Pass counts of samples as a `table`.

    Returns
    -------
    interval : ConfidenceInterval
        ``estimate, low, high, standard_error``, and the plug-in value. If the metric is
        undefined, they are NaN, with an `UndefinedMetricWarning`.

    See Also
    --------
    compare_classifiers : Whether two classifiers differ.
    bootstrap_balance : Resampled tables, for a cloud in the entropy triangle.
    EntropyBalance : With ``smoothing="empirical_bayes"``, all numbers of the corrected
        table.

    Notes
    -----
    The information in a sample is larger than the true value, the more so the fewer
    samples there are per cell of the table. The estimate is the metric of the table
    after ``smoothing="empirical_bayes"`` of :class:`EntropyBalance`. Its variance adds

    - the variance of the metric's gradient over the cells, divided by the number of
      samples;
    - the square of half the correction;
    - for measures of information, their variance if the classes were independent, when
      the gradient vanishes.

    The distance of the metric from its best value is taken for log-normal, or for
    gamma-distributed if there are hardly any errors. So the interval stays within the
    range of the metric, and for a classifier without errors it ends at the best value.
    The interval of a user's function is symmetric. No random numbers are used.

    In simulations with up to 10 classes and at least half a sample per cell, 95 %
    intervals contain the true NI and EMA in 93 to 98 % of cases on average. Bootstrap
    intervals do so in 37 % with half a sample and 83 % with 40 samples per cell, which
    is why there are none. Nothing helps if one class has 90 % of the samples and many
    others share the rest.

    A warning says why an interval is doubtful: a true class with fewer than 5 samples,
    or fewer than 2 samples per cell of the table. Weights w count as (Σw)² / Σw²
    samples.

    Examples
    --------
    >>> from sklearn_entropy_metrics import confidence_interval
    >>> y_true = [0] * 50 + [1] * 50
    >>> y_pred = [0] * 45 + [1] * 5 + [0] * 10 + [1] * 40
    >>> interval = confidence_interval(y_true, y_pred, "normalized_information")
    >>> interval
    ConfidenceInterval(estimate=0.3883, low=0.1858, high=0.5404, standard_error=0.08926)
    >>> round(interval.plug_in, 4)
    0.3973
    """
    confidence_level = check_confidence_level(confidence_level)
    found = interval_by_sample(
        y_true,
        y_pred,
        metric,
        table=table,
        y_proba=y_proba,
        confidence_level=confidence_level,
        labels=labels,
        sample_weight=sample_weight,
    )
    if found is not None:
        interval, sign = found
        return interval if sign > 0 else _negated(interval)
    given, cells = tabulate_cells(
        y_true,
        y_pred,
        table=table,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
    )
    chosen = choose_metric(metric, cells.shape, given.is_square)
    cells = positive_last(cells, given.labels, chosen)
    if chosen.counts_samples:
        cells = cells.in_samples()
    interval = _interval(given, cells, chosen, confidence_level, _name(metric, chosen))
    return interval if chosen.sign > 0 else _negated(interval)


def _interval(given, cells, chosen, confidence_level, name):
    tables = dense_table(cells, "An interval", "use fewer classes")[None]
    size = cells.effective_size
    if size < 2 - 1e-9:
        raise ValueError(
            "An interval needs at least 2 samples, or weights that count as many. "
            f"Got {size:.6g}."
        )
    intervals = delta_intervals(
        tables,
        shrink_errors(tables, hits=given.hits, n_samples=size),
        chosen,
        n_samples=size,
        confidence_level=confidence_level,
    )
    estimate, low, high, error, plug_in = (float(part[0]) for part in intervals)
    if isnan(estimate):
        warn_of_undefined()
    else:
        causes = few_samples(tables[0].sum(axis=1), size, cells.shape)
        _warn(causes, given.warning if chosen.is_doubtful else None)
    return ConfidenceInterval(
        estimate,
        low,
        high,
        error,
        plug_in=plug_in,
        correction=plug_in - estimate,
        confidence_level=confidence_level,
        metric=name,
        n_effective=size,
    )


def _warn(causes, doubt):
    """Warn once of all causes, and of a table that means little."""
    messages = [] if doubt is None else [doubt]
    if causes:
        messages.append(
            "The interval may miss the true value more often than it should: "
            f"{'; '.join(causes)}."
        )
    if messages:
        warn(" ".join(messages))


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


def _name(metric, chosen):
    """What the result calls its metric."""
    if chosen.measure is None:
        return getattr(metric, "__name__", "metric")
    return chosen.measure.name if chosen.sign > 0 else chosen.measure.scoring
