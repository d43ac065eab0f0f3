r"""The numerics: cells of tables → entropies in bits, to the last digits.

No quantity is the difference of two others. An entropy sums :math:`-p \log p`, with
the logarithm of a dominant share taken from what is left beside it; a divergence sums
terms that are each non-negative, with a series where they nearly vanish. So what
mathematics calls zero is exactly zero, and small values keep their digits.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import sparse as sp
from scipy.special import xlog1py, xlogy

from sklearn_entropy_metrics.table.tabulate import Table

# Sparse tables with no more cells than this are computed as dense ones.
_DENSE_CELLS = 1 << 14
_LN2 = math.log(2)


class Cells(NamedTuple):
    """The cells of a table, of a stack of tables, or the occupied ones of a sparse one.

    `sum_row` and `sum_column` return arrays that broadcast against the cells; `total`
    sums over each table.
    """

    values: np.ndarray
    sum_row: Callable[[np.ndarray], np.ndarray]
    sum_column: Callable[[np.ndarray], np.ndarray]
    total: Callable[[np.ndarray], np.ndarray]
    is_sparse: bool
    are_counts: bool = False  # told of sparse ones only


def cells_of(table: Table) -> Cells:
    """Look at a checked table as cells, dense or sparse."""
    if isinstance(table, sp.csr_array):
        n_rows, n_columns = table.shape
        if n_rows * n_columns > _DENSE_CELLS:
            return _sparse_cells(table)
        table = table.toarray()
    return Cells(
        table.astype(np.float64, copy=False),
        sum_row=_sum_last,
        sum_column=lambda cells: cells.sum(axis=-2, keepdims=True),
        total=lambda cells: cells.sum(axis=(-2, -1)),
        is_sparse=False,
    )


def _sparse_cells(table):
    n_rows = table.shape[0]
    row = np.repeat(np.arange(n_rows), np.diff(table.indptr))
    column = table.indices
    return Cells(
        table.data.astype(np.float64, copy=False),
        sum_row=lambda cells: np.bincount(row, cells)[row],
        sum_column=lambda cells: np.bincount(column, cells)[column],
        total=np.sum,
        is_sparse=True,
        are_counts=table.dtype.kind == "i" and table.data.sum() < 2**53,
    )


def entropy_true(table: Table) -> np.ndarray:
    """H_X, of the true classes."""
    return _entropy(_row_totals(table))


def entropy_pred(table: Table) -> np.ndarray:
    """H_Y, of the predicted classes."""
    return _entropy(_column_totals(table))


def divergence_true(table: Table) -> np.ndarray:
    """ΔH_X: what the true classes lack to be uniform."""
    return _divergence_from_uniform(_row_totals(table))


def divergence_pred(table: Table) -> np.ndarray:
    """ΔH_Y: what the predicted classes lack to be uniform."""
    return _divergence_from_uniform(_column_totals(table))


def conditional_entropy_true(table: Table) -> np.ndarray:
    """H_X|Y: what the prediction leaves unknown of the true class."""
    cells = cells_of(table)
    return _conditional_entropy(cells, cells.sum_column)


def conditional_entropy_pred(table: Table) -> np.ndarray:
    """H_Y|X: what the true class leaves unknown of the prediction."""
    cells = cells_of(table)
    return _conditional_entropy(cells, cells.sum_row)


def mutual_information(table: Table) -> np.ndarray:
    """MI: the divergence of the joint distribution from the product of its margins."""
    cells = cells_of(table)
    values = cells.values
    rows, columns = cells.sum_row(values), cells.sum_column(values)
    total = values.sum() if cells.is_sparse else cells.sum_column(rows)
    with np.errstate(divide="ignore", invalid="ignore"):
        # P(y|x) and P(y): equal fractions of whole numbers are equal floats.
        given, expected = values / _nonzero(rows), columns / total
        excess = (given - expected) / _nonzero(expected)
        product = rows / total * expected
        information = cells.total(product * _gain(excess))
        if cells.is_sparse:  # the cells that are not there have a gain of 1
            information += max(1 - product.sum(), 0.0)
    return information / _LN2


def miller_madow_bias(table: Table) -> np.ndarray:
    """First-order bias of the mutual information of counts; NaN for other tables."""
    cells = cells_of(table)
    n_cells = cells.total(cells.values > 0)
    n_rows = np.count_nonzero(_row_totals(table), axis=-1)
    n_columns = np.count_nonzero(_column_totals(table), axis=-1)
    total = cells.total(cells.values)
    are_counts = (cells.total(cells.values % 1) == 0) & (total > 0)
    bias = (n_cells - n_rows - n_columns + 1) / (2 * _nonzero(total) * _LN2)
    return np.where(are_counts, bias, np.nan)


def _row_totals(table):
    return table.sum(axis=-1, dtype=np.float64)


def _column_totals(table):
    return table.sum(axis=-2, dtype=np.float64)


def _entropy(margin):
    with np.errstate(divide="ignore", invalid="ignore"):
        nats = _surprise(margin, _sum_last).sum(axis=-1) / margin.sum(axis=-1)
    return np.minimum(nats / _LN2, math.log2(margin.shape[-1]))


def _divergence_from_uniform(margin):
    uniform = 1 / margin.shape[-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = (margin / _sum_last(margin) - uniform) / uniform
        return (uniform * _gain(excess)).sum(axis=-1) / _LN2


def _conditional_entropy(cells, sum_group):
    surprise_of = _surprise_of_counts if cells.are_counts else _surprise
    with np.errstate(divide="ignore", invalid="ignore"):
        surprise = cells.total(surprise_of(cells.values, sum_group))
        return surprise / cells.total(cells.values) / _LN2


def _surprise(values, sum_group):
    """-values * ln(values / sum_group(values)), cell by cell."""
    group = sum_group(values)
    # At most one cell holds more than half of its group. Its share is near 1, where
    # the logarithm forgets digits that the sum of the others still has.
    heavy = values > group / 2
    rest = sum_group(np.where(heavy, 0, values))
    group = _nonzero(group)
    log_heavy = np.log1p(-rest / group)
    return -np.where(heavy, values * log_heavy, xlogy(values, values / group))


def _surprise_of_counts(values, sum_group):
    """The same of whole numbers in sparse cells, without what is zero anyway."""
    group = sum_group(values)
    shared = np.flatnonzero((values > 0) & (values < group))
    values, group = values[shared], group[shared]
    rest = group - values  # the sum of the others, exactly
    log_share = np.where(rest < values, np.log1p(-rest / group), np.log(values / group))
    return -values * log_share


def _gain(excess):
    """(1 + ε) ln(1 + ε) - ε, which is never negative."""
    gain = xlog1py(1 + excess, excess) - excess
    near = np.abs(excess) < 0.02
    if near.any():
        # With t = ε / (2 + ε), ln(1 + ε) = 2 (t + t³/3 + t⁵/5 + …).
        t = excess[near] / (2 + excess[near])
        square = t * t
        tail = t * (1 / 3 + square * (1 / 5 + square * (1 / 7 + square / 9)))
        gain[near] = 2 * square * (1 + (1 + t) * tail) / (1 - t)
    return gain


def _sum_last(values):
    return values.sum(axis=-1, keepdims=True)


def _nonzero(divisor):
    """The divisor with 1 for 0, where the dividend is 0 as well."""
    return divisor + (divisor == 0)
