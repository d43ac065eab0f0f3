"""Information beyond chance: what tables with these margins transfer by chance."""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.metrics.cluster import expected_mutual_information

from sklearn_entropy_metrics.balance.balance import (
    Number,
    TableLike,
    balance_of,
    balance_of_own,
    float_or_array,
)
from sklearn_entropy_metrics.balance.entropy import in_shares
from sklearn_entropy_metrics.table.blocks import gather
from sklearn_entropy_metrics.table.checks import check_weight
from sklearn_entropy_metrics.table.variables import count_rows, number_values

__all__ = ["adjusted_normalized_information"]

# Above this many samples the exact sum takes minutes, and its first term dominates.
_MOST = 10**7
# Up to this many weighted samples, their predictions are permuted so many times.
_MOST_PERMUTED = 10**5
_N_PERMUTATIONS = 50
# Shares of the entropy below this are round-off.
_NOTHING = 1e-9


def adjusted_normalized_information(
    table: TableLike, *, n_samples: Number | None = None, expected: Number | None = None
) -> Number:
    r"""Normalized information of tables, adjusted for chance.

    Parameters
    ----------
    table : array-like of shape (..., k, m), sparse table or EntropyBalance
        Counts or weights, true classes in rows.

    n_samples : float or ndarray of shape (...), default=None
        The number of samples; by default, the total of the table.

    expected : float or ndarray of shape (...), default=None
        The mutual information in bits that is expected by chance; by default, that of
        all tables with the same row and column totals.

    Returns
    -------
    ani : float or ndarray of shape (...)
        :math:`(\mathrm{MI} - E[\mathrm{MI}]) / (H_X - E[\mathrm{MI}])`, at most 1
        (best), about 0 for guesses, and less than 0 for worse than the average guess.
        NaN if there is only one true class, if chance alone would identify the classes,
        and for probabilities (a total of 1 or less), which do not say how many samples
        there were.

    See Also
    --------
    sklearn_entropy_metrics.adjusted_normalized_information_score : The same from
        labels, with the reference.

    Notes
    -----
    The expectation is over all tables with the same row and column totals, as in
    :func:`sklearn.metrics.adjusted_mutual_info_score`. It takes time in proportion to
    :math:`k m`, minutes from some 100,000 classes on. Above 10⁷ samples it is
    :math:`(k - 1)(m - 1) / 2n` nats.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> table = [[4, 2, 1], [1, 5, 1], [2, 0, 4]]
    >>> round(measure.normalized_information(table), 3)
    0.266
    >>> round(measure.adjusted_normalized_information(table), 3)
    0.175
    """
    balance = balance_of(table)
    if expected is None:
        expected = _expected_information(balance.table, n_samples)
    left = balance.conditional_entropy_true
    information = balance.mutual_information
    # H_X as a sum, so that the ratio is exactly 1 when nothing is left unknown.
    whole = (information + left) - expected
    with np.errstate(divide="ignore", invalid="ignore"):
        adjusted = (information - expected) / np.asarray(whole)
        is_defined = whole > _NOTHING * (information + left)
    return float_or_array(np.where(is_defined, adjusted, np.nan))


def chance_of_weights(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
) -> float | None:
    """Mutual information of weighted samples in bits if predictions were permuted.

    Unequal weights have more information by chance than as many equal samples; how
    much depends on which samples are heavy.

    Parameters
    ----------
    y_true, y_pred, sample_weight : array-like of shape (n_samples,)
        Labels and their weights.

    Returns
    -------
    expected : float or None
        The mean of some permutations, or the limit for many samples; None without
        weights, or if all are equal.
    """
    weight = check_weight(gather(sample_weight))
    if weight is None or np.ptp(weight[weight > 0]) == 0:
        return None
    keep = weight > 0
    true = number_values(gather(y_true), "y_true", keep)
    pred = number_values(gather(y_pred), "y_pred", keep)
    weight = weight[keep]
    if len(weight) > _MOST_PERMUTED:
        shares = np.bincount(true.codes, weight) / weight.sum()
        squares = np.bincount(true.codes, (weight / weight.sum()) ** 2)
        size = (squares / shares).sum() - squares.sum()
        return float((pred.size - 1) * size / (2 * math.log(2)))
    random = np.random.default_rng(0)
    tables = (
        count_rows(true, pred.at(random.permutation(len(weight))), weight)
        for _ in range(_N_PERMUTATIONS)
    )
    return float(np.mean([balance_of_own(t).mutual_information for t in tables]))


def _expected_information(table, n_samples):
    """Mutual information in bits expected by chance, for each table."""
    if n_samples is None:
        with np.errstate(over="ignore"):
            n_samples = table.sum(axis=-1, dtype=np.float64).sum(axis=-1)
    table = in_shares(table)
    rows, columns = (table.sum(axis=axis, dtype=np.float64) for axis in (-1, -2))
    size = np.broadcast_to(n_samples, rows.shape[:-1])
    expected = np.empty(size.shape)
    for i in np.ndindex(size.shape):
        expected[i] = _expected(rows[i], columns[i], size[i])
    return expected / math.log(2)


def _expected(rows, columns, n_samples):
    if not (n_samples > 1 + 1e-9 and rows.any()):
        return math.nan
    if n_samples > _MOST:
        n_rows, n_columns = np.count_nonzero(rows), np.count_nonzero(columns)
        return (n_rows - 1) * (n_columns - 1) / (2 * n_samples)
    numbers = [_whole_numbers(margin, n_samples) for margin in (rows, columns)]
    return expected_mutual_information(_table_of(*numbers), round(n_samples))


def _whole_numbers(margin, n_samples):
    """Non-zero numbers of samples that sum to the total."""
    ends = np.cumsum(margin)
    ends = np.rint(ends / ends[-1] * n_samples).astype(np.int64)
    numbers = np.diff(ends, prepend=0)
    return numbers[numbers > 0]


def _table_of(rows, columns):
    """Any table that has these margins, along a staircase."""
    row_ends, column_ends = np.cumsum(rows), np.cumsum(columns)
    ends = np.union1d(row_ends, column_ends)
    place = np.searchsorted(row_ends, ends), np.searchsorted(column_ends, ends)
    shape = len(rows), len(columns)
    return sp.csr_array((np.diff(ends, prepend=0), place), shape)
