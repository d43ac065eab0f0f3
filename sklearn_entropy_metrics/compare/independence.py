"""Is there any information at all? A test against chance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from scipy.stats import random_table

from sklearn_entropy_metrics.balance.interval import FourNumbers, warn_of_undefined
from sklearn_entropy_metrics.compare import design
from sklearn_entropy_metrics.compare.bootstrap import make_generator
from sklearn_entropy_metrics.measure.chosen import choose_metric
from sklearn_entropy_metrics.table.checks import check_integer

# Values that differ by less than this share of their size are equal.
_TIE = 1e-12
# Above several times this number, scipy's `random_table` ends the interpreter.
_MOST_SAMPLES = 10**9
# Cells of tables that are drawn at a time.
_CHUNK = 1 << 20


@dataclass(frozen=True, eq=False, repr=False)
class IndependenceTest(FourNumbers):
    """What :func:`~sklearn_entropy_metrics.independence_test` returns.

    It is also a sequence of its first four attributes.

    Attributes
    ----------
    value : float
        The metric of the samples.

    expected : float
        Its mean over chance predictions.

    adjusted : float
        The value adjusted for chance, (value - expected) / (best - expected): 1 for
        perfect predictions, 0 for guesses on average.

    p_value : float
        The share of chance predictions that are at least as good.

    n_resamples : int
        The number of chance predictions drawn.
    """

    value: float
    expected: float
    adjusted: float
    p_value: float
    n_resamples: int


def independence_test(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    *,
    table: Any = None,
    metric: str | Callable[..., Any] = "normalized_information",
    groups: ArrayLike | None = None,
    n_resamples: int = 999,
    random_state: int | np.random.RandomState | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    pos_label: Any = None,
) -> IndependenceTest:
    """Test whether predictions are better than chance.

    Chance means the same predictions in random order: each class is true, and
    predicted, as often as in the samples, but independently of each other.

    The samples must be held out from training, and independent of each other, or
    `groups` must say which of them belong together.

    Read more in the :ref:`User Guide <small_samples>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), default=None
        True labels.

    y_pred : array-like of shape (n_samples,), default=None
        Predicted labels.

    table : array-like of shape (k, m), sparse, EntropyBalance or TableAccumulator, \
            default=None
        Counts, true classes in rows, instead of `y_true` and `y_pred`.

    metric : str or callable, default="normalized_information"
        The metric, as in :func:`confidence_interval`. For your own functions, greater
        values are better.

    groups : array-like of shape (n_samples,), default=None
        Which samples belong together, such as those of one patient. True classes are
        permuted between groups then, each of which must have one true class only.

    n_resamples : int, default=999
        How many tables to draw. The p-value is at least 1 / (n_resamples + 1).

    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    labels, pred_labels : array-like, default=None
        True and predicted classes, as in :func:`contingency_table`; with `table`, the
        names of its rows and columns.

    pos_label : label, default=None
        The positive class, where it matters; by default, 1.

    Returns
    -------
    test : IndependenceTest
        ``value, expected, adjusted, p_value``. They are NaN if the metric is undefined,
        with an `UndefinedMetricWarning`; `adjusted` is also NaN if the best value is
        unknown or equals that of chance.

    See Also
    --------
    adjusted_normalized_information_score : Adjusted by the exact expectation.
    confidence_interval : How much information there is.
    compare_classifiers : Whether one classifier is better than another.

    Notes
    -----
    Tables with the row and column totals of the samples are drawn at random [1]_, and
    the p-value is (1 + number of those that are at least as good) / (n_resamples + 1).
    With few samples the chi-square tests of independence (G-test, Pearson's) reject far
    too often: with 10 classes and 2 samples per cell of the table, the G-test rates
    25 % of the classifiers that guess as better than chance at the 5 % level. This
    test does so in at most 5 % of cases.

    The expectation is the one in scikit-learn's adjusted mutual information,
    :func:`sklearn.metrics.adjusted_mutual_info_score`, estimated from the draws for any
    metric.

    References
    ----------
    .. [1] W. M. Patefield (1981). "Algorithm AS 159: An efficient method of generating
       random R x C tables with given row and column totals". Journal of the Royal
       Statistical Society C 30(1), 91-97.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_entropy_metrics import independence_test
    >>> y_true, y_guessed = np.random.default_rng(0).integers(0, 10, (2, 150))
    >>> independence_test(y_true, y_guessed, random_state=0)
    IndependenceTest(value=0.144, expected=0.141, adjusted=0.00389, p_value=0.422)
    """
    n_resamples = check_integer(n_resamples, "n_resamples", minimum=1)
    options = groups, labels, pred_labels
    given, samples = design.given_samples(y_true, y_pred, table, *options)
    observed = _counts(given)
    chosen = choose_metric(metric, given, pos_label)
    value = float(chosen.function(observed[None])[0])
    if math.isnan(value):
        warn_of_undefined()
        return IndependenceTest(math.nan, math.nan, math.nan, math.nan, n_resamples)
    design.warn_of_causes([], given.warning if chosen.heeds_warnings else None)
    generator, step = make_generator(random_state), max(1, _CHUNK // observed.size)
    sizes = [min(step, n_resamples - start) for start in range(0, n_resamples, step)]
    draw = partial(draw_tables, observed)
    if samples is not None:
        draw = _permutation_of_groups(samples, *observed.shape)
    values = np.concatenate([chosen.function(draw(size, generator)) for size in sizes])
    expected, adjusted, p_value = _judge(value, values, chosen, observed)
    value, expected = chosen.sign * value, chosen.sign * expected
    return IndependenceTest(value, expected, adjusted, p_value, n_resamples)


def _counts(given):
    """The table as an array of whole numbers."""
    table = design.dense_counts(given)
    is_weighted = given.size is not None and given.n_tested is None
    is_repeated = given.n_tested is not None and given.n_tested > 1 + 1e-9
    if is_weighted or is_repeated or np.any(table % 1):
        got = "repeated cross-validation" if is_repeated else "weights or fractions"
        raise ValueError(
            "The test needs a table of independent samples, each of which counts once: "
            f"whole numbers. Got {got}."
        )
    return table if given.total > _MOST_SAMPLES else table.astype(np.int64)


def _permutation_of_groups(samples, k, m):
    """A function that draws tables after permutations between groups."""
    label = samples.one_of_each(samples.true)
    if label is None:
        raise ValueError(
            "Each of the `groups` must have one true class, or classes cannot be "
            "permuted between them; use `confidence_interval`, which takes any groups. "
            "Got a group with several."
        )
    draw = partial(permute_groups, label, samples.by_group(samples.pred, m), k)
    return lambda size, generator: np.stack([draw(generator) for _ in range(size)])


def _judge(value, values, chosen, table):
    """The value expected by chance, the adjusted value and the p-value."""
    goodness = 1 if chosen.measure is None else chosen.measure.sign
    tie = _TIE * abs(value)
    is_worse = goodness * values < goodness * value - tie  # undefined values are not
    p_value = (1 + int(np.count_nonzero(~is_worse))) / (len(values) + 1)
    defined = values[~np.isnan(values)]
    expected = float(defined.mean()) if len(defined) else math.nan
    best = math.nan if chosen.measure is None else float(chosen.measure.best(table))
    gain, gap = value - expected, best - expected
    gain = gain if abs(gain) > tie else 0.0
    adjusted = gain / gap if abs(gap) > tie else math.nan
    return expected, adjusted, p_value


def draw_tables(
    table: np.ndarray, size: int, generator: np.random.Generator
) -> np.ndarray:
    """Draw tables of counts with the margins of this one, shape (size, k, m)."""
    n_samples = table.sum()
    if n_samples > _MOST_SAMPLES:
        raise ValueError(
            f"Tables of at most {_MOST_SAMPLES:,} samples can be permuted. Got "
            f"{n_samples:,} samples."
        )
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    place = np.ix_(rows > 0, columns > 0)
    if 1 in (len(place[0]), place[1].size):  # there is no other such table
        return np.repeat(table[None], size, axis=0)
    tables = random_table(rows[rows > 0], columns[columns > 0])
    drawn = np.zeros((size, *table.shape), dtype=np.int64)
    drawn[:, place[0], place[1]] = tables.rvs(size, random_state=generator)
    return drawn


def permute_groups(
    label: np.ndarray,
    counted: sp.csr_array,
    n_labels: int,
    generator: np.random.Generator,
    stratum: np.ndarray | None = None,
) -> np.ndarray:
    """Draw a table after a permutation of the labels of groups, within strata if given.

    From the counts of shape (n_groups, n_cells), it is of shape (n_labels, n_cells).
    """
    n_groups = len(label)
    stratum = np.zeros(n_groups) if stratum is None else stratum
    permuted = label[np.lexsort((generator.random(n_groups), stratum))]
    places = permuted, np.argsort(stratum, kind="stable")
    chosen = sp.csr_array((np.ones(n_groups), places), (n_labels, n_groups))
    return (chosen @ counted).toarray()
