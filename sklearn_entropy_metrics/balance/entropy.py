r"""The numerics: cells of tables → entropies, to the last digits.

No quantity is the difference of two others. An entropy sums :math:`-p \log p`, with
the logarithm of a dominant share taken from what is left beside it; a divergence sums
terms that are each non-negative, with a series where they nearly vanish. So what
mathematics calls zero is exactly zero, and small values keep their digits.

Tables with extreme cells are lifted, and the entropies of their cells come in units of
a tiny part of a bit: there they have their digits still, and so have their ratios.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import sparse as sp
from scipy.special import xlog1py, xlogy

from sklearn_entropy_metrics.balance.scale import lift, lift_table
from sklearn_entropy_metrics.table.checks import Table

# Sparse tables with no more cells than this are computed as dense ones.
_DENSE_CELLS = 1 << 14
_LN2 = math.log(2)
# How many of the units of a lifted table make a bit.
UNITS = 2.0**1000


class Cells(NamedTuple):
    """The cells of a table, of a stack of tables, or the occupied ones of a sparse one.

    `sum_row` and `sum_column` return arrays that broadcast against the cells; `total`
    sums over each table. `expect_elsewhere` tells what independent classes would put
    into the cells that are not there.
    """

    values: np.ndarray
    lifted: bool
    sum_row: Callable[[np.ndarray], np.ndarray]
    sum_column: Callable[[np.ndarray], np.ndarray]
    total: Callable[[np.ndarray], np.ndarray]
    # Of sparse cells only:
    are_counts: bool = False
    expect_elsewhere: Callable[[], float] | None = None


def cells_of(table: Table, lifted: bool = False) -> Cells:
    """Look at a checked table as cells, dense or sparse, and lift them if wanted."""
    table = _dense_if_small(table)
    if lifted:
        table = lift_table(table)
    if not isinstance(table, np.ndarray):
        return _sparse_cells(table, lifted)
    return Cells(
        table.astype(np.float64, copy=False),
        lifted,
        sum_row=sum_last,
        sum_column=lambda cells: cells.sum(axis=-2, keepdims=True),
        total=lambda cells: cells.sum(axis=(-2, -1)),
    )


def _dense_if_small(table):
    if sp.issparse(table) and math.prod(table.shape) <= _DENSE_CELLS:
        return table.toarray()
    return table


def _sparse_cells(table, lifted):
    values = table.data.astype(np.float64, copy=False)
    n_rows = table.shape[0]
    row = np.repeat(np.arange(n_rows), np.diff(table.indptr))
    column = table.indices

    def expect_elsewhere():
        rows, columns = np.bincount(row, values, n_rows), np.bincount(column, values)
        total = rows.sum()
        missing = total - np.bincount(row, columns[column], n_rows)
        # The difference forgets digits, which matters in a row that is nearly all.
        largest = rows.argmax()
        columns[column[row == largest]] = 0
        missing[largest] = columns.sum()
        return (rows * np.maximum(missing / total, 0)).sum()

    return Cells(
        values,
        lifted,
        sum_row=lambda cells: np.bincount(row, cells)[row],
        sum_column=lambda cells: np.bincount(column, cells)[column],
        total=np.sum,
        are_counts=table.dtype.kind == "i" and values.sum() < 2**53,
        expect_elsewhere=expect_elsewhere,
    )


def entropy_true(table: Table, lifted: bool = False) -> np.ndarray:
    """H_X in bits, of the true classes."""
    return _entropy(_row_totals(table), lifted)


def entropy_pred(table: Table, lifted: bool = False) -> np.ndarray:
    """H_Y in bits, of the predicted classes."""
    return _entropy(_column_totals(table), lifted)


def divergence_true(table: Table) -> np.ndarray:
    """ΔH_X in bits: what the true classes lack to be uniform."""
    return _divergence_from_uniform(_row_totals(table))


def divergence_pred(table: Table) -> np.ndarray:
    """ΔH_Y in bits: what the predicted classes lack to be uniform."""
    return _divergence_from_uniform(_column_totals(table))


def conditional_entropy_true(table: Table, lifted: bool = False) -> np.ndarray:
    """H_X|Y in units: what the prediction leaves unknown of the true class."""
    cells = cells_of(table, lifted)
    return _conditional_entropy(cells, cells.sum_column)


def conditional_entropy_pred(table: Table, lifted: bool = False) -> np.ndarray:
    """H_Y|X in units: what the true class leaves unknown of the prediction."""
    cells = cells_of(table, lifted)
    return _conditional_entropy(cells, cells.sum_row)


def mutual_information(table: Table, lifted: bool = False) -> np.ndarray:
    """MI in units: how far the classes are from being independent."""
    cells = cells_of(table, lifted)
    values = cells.values
    rows, columns = cells.sum_row(values), cells.sum_column(values)
    total = values.sum() if cells.expect_elsewhere else cells.sum_column(rows)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # P(y|x) and P(y): equal fractions of whole numbers are equal floats.
        given, expected = values / _nonzero(rows), columns / total
        excess = (given - expected) / _nonzero(expected)
        unit = _unit_of(total, lifted)
        product = rows / unit * expected
        gains = product * _gain(excess)
        if lifted:
            is_rare = (expected < 2.0**-450) | (product < 1)
            rare = _gains_of_rare(values, rows, columns, total) / unit
            gains = np.where(is_rare, rare, gains)
        information = cells.total(gains)
        if cells.expect_elsewhere:  # where the gain is 1
            information += cells.expect_elsewhere() / unit
    return information / _LN2


def _unit_of(total, lifted):
    return total / UNITS if lifted else total


def _gains_of_rare(values, rows, columns, total):
    """The same where a share of a row or column, or their product, may vanish."""
    small, large = np.minimum(rows, columns), np.maximum(rows, columns)
    product = small * (large / total)
    small, large = _nonzero(small), _nonzero(large)
    ratio = np.where(values > 0, values / small * (total / large), 0)
    logs = np.log(_nonzero(values)) - np.log(small) + np.log(total) - np.log(large)
    log_ratio = np.where(ratio < 2.0**1000, np.log(_nonzero(ratio)), logs)
    return np.where(
        ratio > 2, values * (log_ratio - 1) + product, product * _gain(ratio - 1)
    )


def miller_madow_bias(table: Table) -> np.ndarray:
    """First-order bias of the mutual information of counts; NaN for other tables."""
    table = _dense_if_small(table)
    is_dense = isinstance(table, np.ndarray)
    values, axis = (table, (-2, -1)) if is_dense else (table.data, None)
    rows, columns = _row_totals(table), _column_totals(table)
    total = rows.sum(axis=-1)
    are_counts = ((values % 1).sum(axis=axis) == 0) & (total > 0)
    excess = (values > 0).sum(axis=axis) + 1
    excess -= np.count_nonzero(rows, axis=-1) + np.count_nonzero(columns, axis=-1)
    with np.errstate(over="ignore"):
        bias = excess / (_nonzero(total) * (2 * _LN2))
    return np.where(are_counts, bias, np.nan)


def _row_totals(table):
    return table.astype(np.float64, copy=False).sum(axis=-1)


def _column_totals(table):
    return table.astype(np.float64, copy=False).sum(axis=-2)


def _entropy(margin, lifted):
    if lifted:
        margin = lift(margin, sum_last(margin))
    with np.errstate(divide="ignore", invalid="ignore"):
        nats = surprise(margin, sum_last, lifted).sum(axis=-1) / margin.sum(axis=-1)
    return np.minimum(nats / _LN2, math.log2(margin.shape[-1]))


def _divergence_from_uniform(margin):
    uniform = 1 / margin.shape[-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = (margin / sum_last(margin) - uniform) / uniform
        return (uniform * _gain(excess)).sum(axis=-1) / _LN2


def _conditional_entropy(cells, sum_group):
    with np.errstate(divide="ignore", invalid="ignore"):
        if cells.are_counts:
            surprises = _surprise_of_counts(cells.values, sum_group)
        else:
            surprises = surprise(cells.values, sum_group, cells.lifted)
        unit = _unit_of(cells.total(cells.values), cells.lifted)
        return cells.total(surprises) / unit / _LN2


def surprise(
    values: np.ndarray,
    sum_group: Callable[[np.ndarray], np.ndarray],
    are_extreme: bool,
) -> np.ndarray:
    """-values * ln(values / sum_group(values)), cell by cell."""
    group = sum_group(values)
    # At most one cell holds more than half of its group. Its share is near 1, where
    # the logarithm forgets digits that the sum of the others still has.
    heavy = values > group / 2
    rest = sum_group(np.where(heavy, 0, values))
    group = _nonzero(group)
    share, others = values / group, rest / group
    of_heavy, of_light = values * np.log1p(-others), xlogy(values, share)
    if are_extreme:
        logs = np.log(_nonzero(values)) - np.log(group)
        of_light = np.where(share < 2.0**-1000, values * logs, of_light)
        of_heavy = np.where(others < 2.0**-1000, -rest * share, of_heavy)
    return -np.where(heavy, of_heavy, of_light)


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


def sum_last(values: np.ndarray) -> np.ndarray:
    """Sums along the last axis, which is kept."""
    return values.sum(axis=-1, keepdims=True)


def sum_of_others(values: np.ndarray, axis: int = -1) -> np.ndarray:
    """For each item along an axis the sum of all others.

    Not the total less the item, which would lose digits where one item dominates.
    """
    before, after = np.zeros_like(values), np.zeros_like(values)
    items = values.swapaxes(axis, -1)
    np.cumsum(items[..., :-1], axis=-1, out=before.swapaxes(axis, -1)[..., 1:])
    np.cumsum(items[..., :0:-1], axis=-1, out=after.swapaxes(axis, -1)[..., -2::-1])
    return before + after


def _nonzero(divisor):
    """The divisor with 1 for 0, where the dividend is 0 as well."""
    return divisor + (divisor == 0)
