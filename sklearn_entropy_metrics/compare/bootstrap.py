"""Bootstrap on tables: clouds of balances, and intervals of metrics."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.compare._interval import (
    FourNumbers,
    Method,
    bootstrap,
    check_settings,
)
from sklearn_entropy_metrics.compare._resample import (
    find_metric,
    make_generator,
    occupied_cells,
    resample,
    stack_tables,
    tabulate_cells,
)
from sklearn_entropy_metrics.decompose import EntropyBalance, balance_of
from sklearn_entropy_metrics.tabulate import check_integer, check_memory


def bootstrap_balance(
    table: Any,
    *,
    n_resamples: int = 1000,
    stratify: bool = False,
    random_state: int | np.random.RandomState | None = None,
) -> EntropyBalance:
    """Balance tables of resampled samples.

    The cloud of points that they make in the entropy triangle shows how uncertain the
    place of a classifier is.

    Parameters
    ----------
    table : array-like of shape (k, m), sparse table or EntropyBalance
        Counts or weights, true classes in rows.

    n_resamples : int, default=1000
        How many tables to draw.

    stratify : bool, default=False
        Whether to resample within each true class, so that the sums of the rows stay
        as they are.

    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    Returns
    -------
    balance : EntropyBalance
        Of a stack of shape (n_resamples, k, m). If it would not fit into
        scikit-learn's `working_memory`, an error is raised.

    See Also
    --------
    bootstrap_interval : The interval of a metric.
    EntropyTriangleDisplay : Draws the cloud.

    Notes
    -----
    Samples in the same cell of the table are alike, so that drawing n of n samples with
    replacement is drawing the occupied cells from a multinomial distribution. The cost
    depends on the number of these cells and not on the number of samples.

    A table that does not hold whole numbers holds weights. It does not tell how many
    samples there were; each unit of weight is taken for one. Then the number of samples
    is drawn as well, from a Poisson distribution, which makes the cells independent
    Poisson numbers, and the table is scaled to its old total, or its rows to theirs. A
    table that sums to one is an error.

    Examples
    --------
    >>> from sklearn_entropy_metrics import bootstrap_balance
    >>> balance = bootstrap_balance([[45, 5], [10, 40]], random_state=0)
    >>> balance
    EntropyBalance(of a stack of shape (1000, 2, 2))
    >>> balance.joint_fractions.mean(axis=0).round(2)
    array([0.01, 0.41, 0.58])
    >>> balance.joint_fractions.std(axis=0).round(2)
    array([0.01, 0.09, 0.09])
    """
    n_resamples = check_integer(n_resamples, "n_resamples", minimum=1)
    table = balance_of(table).table
    if table.ndim > 2:
        raise ValueError(
            f"One table is resampled at a time. Got a stack of shape {table.shape}."
        )
    check_memory(
        8 * n_resamples * math.prod(table.shape),
        "The resampled tables",
        "draw fewer of them, or use bootstrap_interval, which keeps no tables",
    )
    cells = occupied_cells(table)
    stack = np.empty((n_resamples, *cells.shape), dtype=cells.values.dtype)
    start = 0
    for drawn in resample(cells, n_resamples, stratify, make_generator(random_state)):
        stop = start + len(drawn)
        stack[start:stop] = stack_tables(cells, cells.columns[0], drawn)
        start = stop
    return EntropyBalance(stack)


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapInterval(FourNumbers):
    """What :func:`~sklearn_entropy_metrics.bootstrap_interval` returns.

    It is also a sequence of its first four attributes.

    Attributes
    ----------
    estimate : float
        The metric of the samples themselves.

    low, high : float
        The ends of the interval.

    standard_error : float
        Standard deviation of the metric over the resamples.

    confidence_level : float
        How often such intervals shall cover the truth.

    n_undefined : int
        In how many resamples the metric was undefined.
    """

    estimate: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
    n_undefined: int


def bootstrap_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Callable[[Any], Any],
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    method: Method = "bca",
    stratify: bool = False,
    random_state: int | np.random.RandomState | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> BootstrapInterval:
    r"""Bootstrap confidence interval of a metric.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    metric : str or callable
        The name of a measure of tables in
        :data:`sklearn_entropy_metrics.measure.MEASURES`; a scoring string of this
        package (those that begin with "neg\_" give negative values); or a function of
        tables that returns a number for each table of a stack of shape (n, k, m). For
        measures of two classes the second label is the positive one.

    confidence_level : float, default=0.95
        How often such intervals shall cover the truth.

    n_resamples : int, default=1000
        How many tables to draw.

    method : {"bca", "percentile"}, default="bca"
        "percentile" takes quantiles of the metric over the resamples. "bca" corrects
        which ones for bias and skewness [1]_, and covers the truth more often.

    stratify : bool, default=False
        Whether to resample within each true class, as if the numbers of samples of the
        classes had been fixed beforehand.

    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    labels, pred_labels : array-like, default=None
        True and predicted classes, as in :func:`contingency_table`.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    interval : BootstrapInterval
        ``estimate, low, high, standard_error``. If the metric is undefined they are
        NaN, with an `UndefinedMetricWarning`. Resamples in which it is undefined are
        left out; a warning tells how many, and so does the attribute `n_undefined`.

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
    >>> from sklearn_entropy_metrics import bootstrap_interval
    >>> y_true = [0] * 50 + [1] * 50
    >>> y_pred = [0] * 45 + [1] * 5 + [0] * 10 + [1] * 40
    >>> bootstrap_interval(y_true, y_pred, "normalized_information", random_state=0)
    BootstrapInterval(estimate=0.3973, low=0.217, high=0.5933, standard_error=0.09688)
    """
    settings = check_settings(confidence_level, n_resamples, method, stratify)
    _, cells = tabulate_cells(
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
    )
    found = bootstrap(
        cells, find_metric(metric, cells), settings, make_generator(random_state)
    )
    return BootstrapInterval(*found[:4], settings.confidence_level, found.n_undefined)
