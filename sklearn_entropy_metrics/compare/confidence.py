"""Confidence intervals of metrics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri, stdtrit

from sklearn_entropy_metrics.balance import interval
from sklearn_entropy_metrics.balance.shrink import shrink_errors
from sklearn_entropy_metrics.compare import design, pointwise
from sklearn_entropy_metrics.compare._warnings import without
from sklearn_entropy_metrics.measure import delta
from sklearn_entropy_metrics.measure.chosen import choose_metric
from sklearn_entropy_metrics.score.multilabel import multilabel_information_score
from sklearn_entropy_metrics.table.checks import check_weight
from sklearn_entropy_metrics.table.classes import ClassTable


@without(
    *("method", "stratify", "n_resamples", "random_state"),
    advice="its one method draws no random numbers; bootstrap_balance draws tables",
)
def confidence_interval(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    metric: str | Callable[..., Any] = "normalized_information",
    *,
    table: Any = None,
    y_proba: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> interval.ConfidenceInterval:
    r"""Confidence interval of a metric.

    It is valid for held-out, independent samples, or for samples with `groups`:
    predictions of samples that the model was fitted to, or of samples that depend on
    each other in a way that `groups` does not say, look too good and too certain.

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
          :data:`sklearn_entropy_metrics.measure.MEASURES`, or what scikit-learn calls
          it, such as "f1_macro" or "balanced_accuracy";
        - its scoring string; those that begin with "neg\_" give the negated interval;
        - its function, such as :func:`normalized_information_score` or
          :func:`sklearn.metrics.f1_score`, with the defaults of that function;
        - any function that takes a stack of tables of shape (n, k, m) and returns n
          numbers, NaN where it is undefined;
        - any other metric ``metric(y_true, y_pred, *, sample_weight)`` of labels.

    table : array-like, EntropyBalance, TableAccumulator or Bunch, default=None
        Counts, true classes in rows, instead of `y_true` and `y_pred`: a dense or
        sparse table, or a data frame of pandas with its classes; also what
        :func:`tabulate_frame` and :func:`cross_val_tables` return.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,), default=None
        Predicted probabilities instead of `y_pred`, as from `predict_proba`, for
        measures of probabilities: "probability_information", "normalized_information"
        (of the probabilities), "miscalibration", "decision_loss",
        "stated_information" and "log_loss", all but the second in bits. See
        :meth:`ProbabilityBalance.interval`.

    groups : array-like of shape (n_samples,), default=None
        A label for each sample. Samples of a group belong together: those of a patient,
        a document, a day.

    confidence_level : float, default=0.95
        The share of such intervals that should contain the true value.

    labels, pred_labels : array-like, default=None
        True and predicted classes, as in :func:`contingency_table`; with `table`, the
        names of its rows and columns. Cells whose row and column have the same label
        are correct predictions; without labels, these are the diagonal cells of a
        square table; a rectangular one has none.

    pos_label : label, default=None
        The positive class of measures of one class against another; by default 1.

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
      samples. It is taken at two tables, and the larger one counts: the one above, and
      one with half a hit and half an error more in each row, so that a class of a few
      samples is not taken for certain;
    - the square of half the correction;
    - for measures of information, their variance if the classes were independent, when
      the gradient vanishes.

    The distance of the metric from its best value is taken for log-normal, or for
    gamma-distributed if there are hardly any errors. So the interval stays within the
    range of the metric, and for a classifier without errors it ends at the best value.
    Where the best value is not known, or inside of the range, the interval is
    symmetric. Accuracy has no bias: its estimate is the observed one, with Wilson's
    interval. Rates of two classes, such as recall, are estimated row by row. No random
    numbers are used.

    Samples with `groups` count as fewer, independent ones: as many as would make the
    metric vary as much as it does between the groups. Samples of
    :func:`cross_val_tables` count as n / 1.45, because the folds share their training
    samples, however often each of them was tested. Weights w count as (Σw)² / Σw²
    samples, which is an approximation: it is wrong if samples of great weight are
    predicted better or worse than others. If the numbers of samples of the classes were
    fixed beforehand, the interval is a little too long.

    In simulations with up to 10 classes and at least half a sample per cell, 95 %
    intervals contain the true NI and EMA in 94 to 99 % of cases on average. Bootstrap
    intervals do so in 37 % with half a sample and 83 % with 40 samples per cell, which
    is why there are none. Nothing helps if one class has 90 % of the samples and many
    others share the rest.

    A warning says why an interval may be wrong: a true class with fewer than 5 samples
    (10 if there are two classes), fewer than 2 samples per cell of the table, fewer
    than 20 groups, samples that were tested more than once.

    Examples
    --------
    >>> from sklearn_entropy_metrics import confidence_interval
    >>> y_true = [0] * 50 + [1] * 50
    >>> y_pred = [0] * 45 + [1] * 5 + [0] * 10 + [1] * 40
    >>> interval = confidence_interval(y_true, y_pred)
    >>> interval
    NI 0.388 [0.186, 0.540]
    >>> round(interval.plug_in, 3)
    0.397
    >>> confidence_interval(y_true, y_pred, "f1")
    F1 0.839 [0.734, 0.902]

    Two samples of each patient, which are right or wrong together:

    >>> patients = [i // 2 for i in range(100)]
    >>> confidence_interval(y_true, y_pred, "accuracy", groups=patients)
    accuracy 0.850 [0.727, 0.923], 50 groups
    """
    confidence_level = interval.check_confidence_level(confidence_level)
    if y_proba is not None:
        if y_pred is not None or table is not None:
            raise ValueError("`y_proba` takes the place of y_pred. Got both.")
        read = {None: y_proba}, metric, confidence_level, groups, labels, sample_weight
        return pointwise.judge_probabilities(y_true, *read)[0][None]
    if table is None and metric in (pointwise.MULTILABEL, multilabel_information_score):
        return pointwise.multilabel_interval(
            y_true, y_pred, confidence_level, groups, sample_weight
        )
    weight = check_weight(sample_weight)
    given, samples = design.given_samples(
        y_true, y_pred, table, groups, labels, pred_labels, weight
    )
    result = interval_of_table(given, metric, pos_label, confidence_level, samples)
    if weight is None:
        return result
    return replace(result, n_samples=float(np.count_nonzero(weight)))


def interval_of_table(
    given: ClassTable,
    metric: str | Callable[..., Any],
    pos_label: Any,
    confidence_level: float,
    samples: design.Samples | None = None,
) -> interval.ConfidenceInterval:
    """Interval of a metric of one table; see :func:`confidence_interval`."""
    tables = design.dense_counts(given)[None]
    size, n_groups, causes = given.n_samples, None, []
    if size < 2 - 1e-9:
        raise ValueError(
            "An interval needs at least 2 samples, or weights that count as many. "
            f"Got {size:.6g}."
        )
    chosen = choose_metric(metric, given, pos_label)
    if samples is not None and samples.groups is not None:
        n_groups = samples.n_groups
        size = _size_of_groups(samples, tables, given, chosen)
        causes = design.few_groups(n_groups)
    if chosen.counts_samples:
        tables = tables * (size / given.total)
    shrunk = shrink_errors(tables, hits=given.hits, n_samples=size)
    quantile = _quantile(confidence_level, n_groups)
    judged = delta.delta_intervals(
        tables, shrunk, chosen, n_samples=np.array([size]), quantile=quantile
    ).only()
    n_samples, n_tested = given.n_samples, given.n_tested
    causes += delta.few_samples(given.support, size, tables.shape[1:])
    if n_tested is not None:
        n_samples = given.total / max(1, n_tested)
        if n_tested > 1 + 1e-9:
            causes.append(f"each sample was tested {n_tested:.3g} times")
    if isnan(judged.estimate):
        interval.warn_of_undefined()
    else:
        design.warn_of_causes(causes, given.warning if chosen.heeds_warnings else None)
    result = interval.ConfidenceInterval(
        **judged._asdict(),
        correction=judged.plug_in - judged.estimate,
        confidence_level=confidence_level,
        n_effective=size,
        n_samples=n_samples,
        n_groups=n_groups,
        is_cross_validated=n_tested is not None,
        **_names(metric, chosen),
    )
    return pointwise.signed(result, chosen.sign)


def _quantile(level, n_groups):
    """Of the t distribution for groups, otherwise of the normal one."""
    tail = (1 + level) / 2
    return float(ndtri(tail) if n_groups is None else stdtrit(n_groups - 1, tail))


def _size_of_groups(samples, tables, given, chosen):
    """As many independent samples as make this metric vary as between the groups."""
    counted = samples.by_group(samples.cells, tables.size)
    size, limit = given.n_samples, chosen.in_the_limit()
    for _ in range(2):  # the second time, errors are shrunk as those of so many
        shares = shrink_errors(tables, hits=given.hits, n_samples=size).shrunk
        effect = delta.influence(shares, limit, np.array([given.total]))
        effect = effect - (shares * effect).sum()
        size = design.effective_size(counted, effect[0], shares[0], given.n_samples)
    return size


def _names(metric, chosen):
    """What the result calls its metric, and what it prints."""
    measure = chosen.measure
    if measure is None:
        return {"metric": getattr(metric, "__name__", "metric")}
    if chosen.sign < 0:
        return {"metric": measure.scoring}
    symbol = "" if measure.is_average else measure.symbol  # of these there are several
    return {"metric": measure.name, "symbol": symbol}
