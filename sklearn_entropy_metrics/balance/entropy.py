r"""The numerics: cells of tables → entropies, to the last digits.

No quantity is the difference of two others. An entropy sums :math:`-p \log p`, with
the logarithm of a dominant share computed from the rest; a divergence sums terms that
are each non-negative, with a series where they nearly vanish. So values that are zero
in theory are exactly zero, and small values keep their digits.

Functions of cells make numpy warn about all-zero tables in a stack, where everything is
NaN; :func:`measure_tables` silences it.
"""

import math
from collections.abc import Callable
from functools import cached_property, partial

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.table.checks import Table

# Sparse tables with no more cells than this are computed as dense ones.
_DENSE_CELLS = 1 << 14
# Cells processed at a time: they stay in the processor's cache.
_BLOCK = 1 << 15
# Operations along fewer tables than this cost more than one table after another.
_FEW = 8
_LN2 = math.log(2)
# Smaller shares of a table are zero: products of larger ones never vanish.
_SMALLEST = 2.0**-200
# The least number above -1.
_ABOVE_MINUS_ONE = -1 + 2.0**-53


class Cells:
    """The cells of one or several tables, shape (k, m, n_tables).

    The tables come last, so that every operation runs along them.

    Parameters
    ----------
    tables : ndarray of shape (k, m) or (n_tables, k, m)
        One table or several.
    """

    def __init__(self, tables: np.ndarray) -> None:
        self.is_integer = tables.dtype.kind == "i"
        if tables.ndim == 2:
            self.values = tables[..., np.newaxis].astype(np.float64)
        else:
            n_tables, *shape = tables.shape
            cells = tables.reshape(n_tables, -1).T
            values = np.ascontiguousarray(cells, dtype=np.float64)
            self.values = values.reshape(*shape, n_tables)
        # The sum of each cell's column, of a shape that broadcasts to the cells.
        self.columns = self.sum_column(self.values)
        self.total = sum_first(self.pred_totals)[0]

    @cached_property
    def rows(self) -> np.ndarray:
        """The sum of each cell's row, of a shape that broadcasts to the cells."""
        return self.sum_row(self.values)

    @property
    def true_totals(self) -> np.ndarray:
        """The sums of the rows, a row for each."""
        return self.rows[:, 0]

    @property
    def pred_totals(self) -> np.ndarray:
        """The sums of the columns, a row for each."""
        return self.columns[0]

    @property
    def are_counts(self) -> bool:
        """Whether differences of sums are exact."""
        return self.is_integer and not np.count_nonzero(self.total >= 2.0**53)

    def sum_row(self, cells: np.ndarray) -> np.ndarray:
        return _add(cells, 1)

    def sum_column(self, cells: np.ndarray) -> np.ndarray:
        return _add(cells, 0)

    def sum_all(self, cells: np.ndarray) -> np.ndarray:
        """The sum over each table."""
        shorter = int(cells.shape[0] > cells.shape[1])
        return _add(_add(cells, shorter), 1 - shorter)[0, 0]

    def sum_terms(self, terms: Callable[..., np.ndarray], *sums: str) -> np.ndarray:
        """The sum over each table of terms of the cells and of "rows" or "columns"."""
        return self.sum_all(terms(self.values, *(getattr(self, name) for name in sums)))


class SparseCells(Cells):
    """The occupied cells of one sparse table, shape (n_cells, 1)."""

    def __init__(self, table: sp.csr_array) -> None:
        self.is_integer = table.dtype.kind == "i"
        self.table = table
        self.values = table.data[:, np.newaxis].astype(np.float64)
        self.columns = self.pred_totals[table.indices]
        self.total = self.sum_all(self.values)

    @cached_property
    def rows(self) -> np.ndarray:
        return self._to_cells_of_row(self.true_totals)

    @cached_property
    def true_totals(self) -> np.ndarray:
        return self._sum_by_row(self.values)

    @cached_property
    def pred_totals(self) -> np.ndarray:
        return self._sum_by_column(self.values)

    def sum_row(self, cells: np.ndarray) -> np.ndarray:
        return self._to_cells_of_row(self._sum_by_row(cells))

    def sum_column(self, cells: np.ndarray) -> np.ndarray:
        return self._sum_by_column(cells)[self.table.indices]

    def sum_all(self, cells: np.ndarray) -> np.ndarray:
        return cells.sum(axis=0)

    def sum_terms(self, terms: Callable[..., np.ndarray], *sums: str) -> np.ndarray:
        arrays = [self.values, *(getattr(self, name) for name in sums)]
        starts = range(0, len(self.values), _BLOCK)
        parts = [slice(start, start + _BLOCK) for start in starts]
        return sum(terms(*(of[part] for of in arrays)).sum(axis=-2) for part in parts)

    def expect_elsewhere(self) -> np.ndarray:
        """What independent classes would put into the empty cells."""
        missing = self.total - self._sum_by_row(self.columns)
        # The difference forgets digits, which matters in a row that is nearly all.
        largest = self.true_totals.argmax()
        others = self.pred_totals.copy()
        others[self.table[[largest]].indices] = 0
        missing[largest] = others.sum()
        return (self.true_totals * np.maximum(missing / self.total, 0)).sum(axis=0)

    def _sum_by_row(self, cells):
        parts = cells[:, 0], self.table.indices, self.table.indptr
        table = sp.csr_array(parts, shape=self.table.shape)
        return table @ np.ones((table.shape[1], 1))

    def _sum_by_column(self, cells):
        n_columns = self.table.shape[1]
        sums = np.bincount(self.table.indices, cells[:, 0], n_columns)
        return sums[:, np.newaxis]

    def _to_cells_of_row(self, totals):
        return np.repeat(totals, np.diff(self.table.indptr), axis=0)


def in_shares(table: Table) -> Table:
    """Tables of weights or probabilities in units of their totals, but for a factor.

    The factor is a power of two, which changes no digit. Shares below 2⁻²⁰⁰ become
    zero. Counts stay as they are.
    """
    if table.dtype.kind == "i":
        return table
    if not isinstance(table, np.ndarray):
        shares = in_shares(table.data[np.newaxis])[0]
        return sp.csr_array((shares, table.indices, table.indptr), table.shape)
    total = table.sum(axis=(-2, -1), keepdims=True)
    _, exponent = np.frexp(total)
    unit = np.ldexp(1.0, exponent - 1)
    shares = table / unit
    shares[shares < _SMALLEST * (total / unit)] = 0
    return shares


def cells_of(table: Table) -> Cells:
    """View checked tables as cells, dense or sparse."""
    if not isinstance(table, np.ndarray) and math.prod(table.shape) <= _DENSE_CELLS:
        table = table.toarray()
    table = in_shares(table)
    return Cells(table) if isinstance(table, np.ndarray) else SparseCells(table)


@np.errstate(divide="ignore", invalid="ignore")
def measure_tables(
    function: Callable[[Cells], np.ndarray], table: Table
) -> float | np.ndarray:
    """Apply a function of cells to one table, or to cache-sized parts of a stack."""
    if table.ndim == 2:
        return float(function(cells_of(table))[0])
    stack = table.reshape(-1, *table.shape[-2:])
    values = np.empty(len(stack))
    step = _BLOCK // math.prod(table.shape[-2:])
    if step < _FEW:
        step = 1
    for start in range(0, len(stack), step):
        part = slice(start, start + step)
        values[part] = function(cells_of(stack[part]))
    return values.reshape(table.shape[:-2])


def entropy_true(cells: Cells) -> np.ndarray:
    """H_X in bits, of the true classes."""
    return _entropy(cells.true_totals)


def entropy_pred(cells: Cells) -> np.ndarray:
    """H_Y in bits, of the predicted classes."""
    return _entropy(cells.pred_totals)


def divergence_true(cells: Cells) -> np.ndarray:
    """ΔH_X in bits: how far the true classes fall short of uniform."""
    return _divergence_from_uniform(cells.true_totals)


def divergence_pred(cells: Cells) -> np.ndarray:
    """ΔH_Y in bits: how far the predicted classes fall short of uniform."""
    return _divergence_from_uniform(cells.pred_totals)


def conditional_entropy_true(cells: Cells) -> np.ndarray:
    """H_X|Y in bits: what the prediction leaves unknown about the true class."""
    return _conditional_entropy(cells, "columns", cells.sum_column)


def conditional_entropy_pred(cells: Cells) -> np.ndarray:
    """H_Y|X in bits: what the true class leaves unknown about the prediction."""
    return _conditional_entropy(cells, "rows", cells.sum_row)


def mutual_information(cells: Cells) -> np.ndarray:
    """MI in bits: how far the classes are from being independent."""
    if not isinstance(cells, SparseCells):
        return cells.sum_terms(partial(_gains, cells), "rows", "columns") / _LN2

    def gains_and_products(values, rows, columns):
        product = rows / cells.total * (columns / cells.total)
        return np.stack((_gains(cells, values, rows, columns), product))

    gains, expected = cells.sum_terms(gains_and_products, "rows", "columns")
    if expected > 0.5:  # too much to be subtracted without loss
        elsewhere = cells.expect_elsewhere() / cells.total
    else:
        elsewhere = 1 - expected
    # The gain of an empty cell is 1.
    return (gains + elsewhere) / _LN2


def _gains(cells, values, rows, columns):
    """Terms of the mutual information, each of which is not negative."""
    # P(y|x) and P(y): equal fractions of whole numbers are equal floats.
    given, expected = values / _nonzero(rows), columns / cells.total
    excess = (given - expected) / _nonzero(expected)
    return rows / cells.total * expected * _gain(excess)


def miller_madow_bias(table: Table) -> np.ndarray:
    """First-order bias of the mutual information of counts; NaN for other tables."""
    if isinstance(table, np.ndarray):
        fractional, occupied = (table % 1).any(axis=(-2, -1)), table > 0
        n_cells = occupied.sum(axis=(-2, -1))
        n_margins = sum(occupied.any(axis=axis).sum(axis=-1) for axis in (-2, -1))
    else:
        fractional, n_cells = (table.data % 1).any(), np.count_nonzero(table.data)
        n_margins = sum(np.count_nonzero(table.sum(axis=axis)) for axis in (0, 1))
    total = np.asarray(table.sum(axis=-1, dtype=np.float64).sum(axis=-1))
    bias = (n_cells - n_margins + 1) / (np.maximum(total, 1) * (2 * _LN2))
    return np.where(fractional | (total == 0), np.nan, bias)


def _entropy(totals):
    nats = sum_first(surprise(totals, sum_first))[0] / sum_first(totals)[0]
    return np.minimum(nats / _LN2, math.log2(len(totals)))


def _divergence_from_uniform(totals):
    uniform = 1 / len(totals)
    excess = (totals / sum_first(totals) - uniform) / uniform
    return sum_first(uniform * _gain(excess))[0] / _LN2


def _conditional_entropy(cells, group, sum_group):
    if cells.are_counts:
        nats = cells.sum_terms(_surprise_of_counts, group)
    else:
        nats = cells.sum_all(surprise(cells.values, sum_group))
    return nats / cells.total / _LN2


def _surprise_of_counts(values, group):
    """-values * ln(values / group) of whole numbers, whose differences are exact."""
    # The logarithm of 1 + rest / values keeps its digits where either is small.
    return values * np.log1p((group - values) / np.maximum(values, 1))


def surprise(
    values: np.ndarray, sum_group: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """-values * ln(values / sum_group(values)), cell by cell."""
    rest = sum_group(values) - values
    # At most one cell holds more than half of its group. The difference forgets digits
    # that the sum of the others still has.
    heavy = values > rest
    rest = np.where(heavy, sum_group(np.where(heavy, 0, values)), rest)
    return values * np.log1p(rest / _nonzero(values))


def _gain(excess):
    """(1 + ε) ln(1 + ε) - ε, which is never negative."""
    # Where 1 + ε is 0 the logarithm is made finite.
    gain = (1 + excess) * np.log1p(np.maximum(excess, _ABOVE_MINUS_ONE)) - excess
    near = np.abs(excess) < 0.02
    if near.any():
        # With t = ε / (2 + ε), ln(1 + ε) = 2 (t + t³/3 + t⁵/5 + …).
        t = excess[near] / (2 + excess[near])
        square = t * t
        tail = t * (1 / 3 + square * (1 / 5 + square * (1 / 7 + square / 9)))
        gain[near] = 2 * square * (1 + (1 + t) * tail) / (1 - t)
    return gain


def _add(values, axis):
    """Ordered sums, so that a table adds up alone as in a stack; keeps axes."""
    if values.shape[-1] > 1:
        return np.add.reduce(values, axis=axis, keepdims=True)
    sums = np.add.accumulate(values, axis=axis)
    return sums[-1:] if axis == 0 else sums[:, -1:]


def sum_first(values: np.ndarray) -> np.ndarray:
    """Sums along the first axis of two, which is kept."""
    return _add(values, 0)


def sum_last(values: np.ndarray) -> np.ndarray:
    """Sums along the last axis, which is kept."""
    return values.sum(axis=-1, keepdims=True)


def sum_of_others(values: np.ndarray, axis: int = -1) -> np.ndarray:
    """For each item along an axis, the sum of all others.

    The total minus the item would lose digits where one item dominates.
    """
    before, after = np.zeros_like(values), np.zeros_like(values)
    items = values.swapaxes(axis, -1)
    np.cumsum(items[..., :-1], axis=-1, out=before.swapaxes(axis, -1)[..., 1:])
    np.cumsum(items[..., :0:-1], axis=-1, out=after.swapaxes(axis, -1)[..., -2::-1])
    return before + after


def _nonzero(divisor):
    """The divisor with 1 for 0, where the dividend is 0 as well."""
    return divisor + (divisor == 0)
