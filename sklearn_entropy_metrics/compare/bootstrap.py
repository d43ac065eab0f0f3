"""Bootstrap on tables: clouds of balances."""

import math
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from sklearn_entropy_metrics.balance.balance import EntropyBalance, balance_of_own
from sklearn_entropy_metrics.balance.shrink import Smoothing, smoothed_table
from sklearn_entropy_metrics.compare.design import check_counts
from sklearn_entropy_metrics.table import checks
from sklearn_entropy_metrics.table.given import given_table


def bootstrap_balance(
    table: Any,
    *,
    n_resamples: int = 1000,
    stratify: bool = False,
    smoothing: Smoothing | None = None,
    random_state: int | np.random.RandomState | None = None,
) -> EntropyBalance:
    """Balance tables of resampled samples.

    They form a cloud of points in the entropy triangle, which shows how uncertain the
    position of a classifier is.

    Read more in the :ref:`User Guide <intervals>`.

    Parameters
    ----------
    table : array-like of shape (k, m), sparse, EntropyBalance or TableAccumulator
        Counts or weights, true classes in rows.

    n_resamples : int, default=1000
        How many tables to draw.

    stratify : bool, default=False
        Whether to resample within each true class, so that the row sums do not change.

    smoothing : {"empirical_bayes"}, default=None
        How to estimate the joint distribution from few samples, as in
        :meth:`EntropyBalance.from_confusion_matrix`; the hits of an accumulator are
        found by label. Samples are drawn from the estimate, and each resample is
        smoothed again, so that the cloud surrounds the estimate. By default, it
        surrounds the plain table, and is too high for small samples.

    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    Returns
    -------
    balance : EntropyBalance
        The balance of a stack of shape (n_resamples, k, m), which must fit into
        scikit-learn's `working_memory`.

    See Also
    --------
    confidence_interval : The interval of a metric.
    EntropyTriangleDisplay : Draws the cloud.

    Notes
    -----
    Samples in the same cell of the table are interchangeable, so drawing n samples with
    replacement is the same as drawing the occupied cells from a multinomial
    distribution. The cost depends on the number of these cells, not on the number of
    samples.

    A table that does not hold whole numbers holds weights. It does not say how many
    samples there were, so each unit of weight counts as one. The number of samples is
    then drawn, too, from a Poisson distribution, which makes the cells independent
    Poisson numbers, and the table, or each of its rows, is scaled to its original
    total. A table that sums to one is an error.

    Resamples of a small sample repeat its bias: the mutual information of a resample is
    larger than that of the table it was drawn from, which is already too large.
    ``smoothing="empirical_bayes"`` corrects both.

    Examples
    --------
    >>> from sklearn_entropy_metrics import bootstrap_balance
    >>> balance = bootstrap_balance([[45, 5], [10, 40]], random_state=0)
    >>> balance
    <EntropyBalance of a stack of 1000 × 2 × 2>
    >>> balance.joint_fractions.mean(axis=0).round(2)
    array([0.01, 0.41, 0.58])
    >>> balance.joint_fractions.std(axis=0).round(2)
    array([0.01, 0.09, 0.09])

    For a small sample, use the corrected cloud:

    >>> few = [[3, 1, 0], [1, 2, 1], [0, 1, 2]]
    >>> for smoothing in (None, "empirical_bayes"):
    ...     balance = bootstrap_balance(few, smoothing=smoothing, random_state=0)
    ...     print(balance.mutual_information.mean().round(2))
    0.64
    0.51
    """
    n_resamples = checks.check_integer(n_resamples, "n_resamples", minimum=1)
    checks.check_flags(stratify=stratify)
    given = given_table(None, None, table)
    check_counts(given)
    if given.total >= 2.0**63:
        raise ValueError(f"`table` must hold less than 2⁶³ samples. Got {given.total}.")
    n_bytes = 8 * n_resamples * math.prod(given.table.shape)
    checks.check_memory(n_bytes, "The resampled tables", "draw fewer of them")
    given, table = given._replace(size=None), given.table
    if smoothing is not None:
        table = smoothed_table(given, smoothing) * given.total
    stack = _resample(table, n_resamples, stratify, make_generator(random_state))
    return balance_of_own(smoothed_table(given._replace(table=stack), smoothing))


def make_generator(random_state: Any) -> np.random.Generator:
    """A generator that is seeded as scikit-learn seeds."""
    seed = check_random_state(random_state).randint(0, 2**32, size=4, dtype=np.uint32)
    return np.random.default_rng(seed)


def _resample(table, n_resamples, stratify, generator):
    """Draw tables of as many samples, shape (n_resamples, k, m).

    Samples that share a cell are interchangeable, so numbers are drawn for cells, never
    for samples. Whole numbers are counts, which are resampled at the same size; other
    tables are sums of weights, of which 1 counts as a sample: a Poisson number of
    samples (at least one) is drawn and scaled to the same total. With `stratify`, this
    is done within each row.
    """
    rows, columns = table.nonzero()
    values = np.asarray(table[rows, columns]).ravel()
    if not np.any(values % 1):
        values = values.astype(np.int64)
    stack = np.zeros((n_resamples, *table.shape), dtype=values.dtype)
    for part in _parts(rows if stratify else np.zeros_like(rows)):
        drawn = _draw(values[part], n_resamples, *generator.spawn(2))
        stack[:, rows[part], columns[part]] = drawn
    return stack


def _parts(rows):
    """Places of the cells of each row, in matrices of rows with equally many cells."""
    order = np.argsort(rows, kind="stable")
    _, first, size = np.unique(rows[order], return_index=True, return_counts=True)
    return [
        order[first[size == length][:, None] + np.arange(length)]
        for length in np.unique(size)
    ]


def _draw(values, n_resamples, generator, generator_of_totals):
    """Draw cells from each row of values, shape (n_resamples, n_rows, n_cells)."""
    total = values.sum(axis=1)
    shares, shape = values / total[:, None], (n_resamples, len(total))
    if values.dtype.kind == "i":
        return generator.multinomial(total, shares, shape)
    number = np.maximum(generator_of_totals.poisson(total, shape), 1)
    drawn = generator.multinomial(number, shares, shape)
    return drawn / number[..., None] * total[:, None]
