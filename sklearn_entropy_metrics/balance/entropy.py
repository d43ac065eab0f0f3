r"""The numerics: cells of tables → entropies, to the last digits.

No quantity is the difference of two others. An entropy sums :math:`-p \log p`, with
the logarithm of a dominant share computed from the rest; a divergence sums terms that
are each non-negative, with a series where they nearly vanish. So values that are zero
in theory are exactly zero, and small values keep their digits.
"""

import math
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

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
        k, m = tables.shape[-2:]
        cells = tables.reshape(-1, k * m).T
        self.values = np.ascontiguousarray(cells, dtype=np.float64).reshape(k, m, -1)
        self.columns = _add(self.values)
        self.pred_totals = self.columns[0]
        self.total = _add(self.pred_totals)[0]
        # Whether differences of sums are exact.
        self.are_counts = tables.dtype.kind == "i" and self.total.max() < 2.0**53

    @cached_property
    def are_small(self) -> bool:
        """Whether sums of products of counts are exact, too."""
        return self.are_counts and bool(self.total.max() < 2.0**26)

    @cached_property
    def pred_totals(self) -> np.ndarray:
        """The sums of the columns, a row for each."""
        return self.sum_group(self.values, 0)

    @cached_property
    def true_totals(self) -> np.ndarray:
        """The sums of the rows, a row for each."""
        return self.sum_group(self.values, 1)

    @cached_property
    def rows(self) -> np.ndarray:
        """The sum of each cell's row, of a shape that broadcasts to the cells."""
        return self.spread(self.true_totals, 1)

    @cached_property
    def columns(self) -> np.ndarray:
        """The sum of each cell's column, of a shape that broadcasts to the cells."""
        return self.spread(self.pred_totals, 0)

    def sum_group(self, cells: np.ndarray, axis: int) -> np.ndarray:
        """The sums of columns (0) or rows (1), a row for each."""
        return _add(cells, axis).squeeze(axis)

    def spread(self, totals: np.ndarray, axis: int) -> np.ndarray:
        """Give each cell the number of its column (0) or row (1)."""
        return totals[:, np.newaxis] if axis else totals[np.newaxis]

    def sum_terms(self, terms: Callable[..., np.ndarray], *sums: np.ndarray) -> Any:
        """The sum over each table of terms of the cells and of rows or columns."""
        cells = terms(self.values, *sums)
        shorter = int(cells.shape[0] > cells.shape[1])
        return _add(_add(cells, shorter), 1 - shorter)[0, 0]

    def expect_elsewhere(self) -> np.ndarray | float:
        """The share that independent classes would put into cells that are left out."""
        return 0.0


class SparseCells(Cells):
    """The occupied cells of one sparse table, shape (n_cells, 1)."""

    def __init__(self, table: sp.csr_array) -> None:
        self.table = table
        self.values = table.data[:, np.newaxis].astype(np.float64)
        self.total = self.values.sum(axis=0)
        self.are_counts = table.dtype.kind == "i" and self.total.max() < 2.0**53

    def sum_group(self, cells: np.ndarray, axis: int) -> np.ndarray:
        parts = cells[:, 0], self.table.indices, self.table.indptr
        if axis == 0:
            return np.bincount(parts[1], parts[0], self.table.shape[1])[:, np.newaxis]
        table = sp.csr_array(parts, shape=self.table.shape)
        return table @ np.ones((table.shape[1], 1))

    def spread(self, totals: np.ndarray, axis: int) -> np.ndarray:
        if axis == 0:
            return totals[self.table.indices]
        return np.repeat(totals, np.diff(self.table.indptr), axis=0)

    def sum_terms(self, terms: Callable[..., np.ndarray], *sums: np.ndarray) -> Any:
        starts = range(0, len(self.values), _BLOCK)
        parts = [slice(start, start + _BLOCK) for start in starts]
        arrays = self.values, *sums
        return sum(terms(*(of[part] for of in arrays)).sum(axis=0) for part in parts)

    def expect_elsewhere(self) -> np.ndarray:
        if self.are_small:
            products = self.rows[:, 0] @ self.columns[:, 0]
            return (self.total**2 - products) / self.total**2
        missing = self.total - self.sum_group(self.columns, 1)
        # The difference forgets digits, which matters in a row that is nearly all.
        largest = self.true_totals.argmax()
        others = self.pred_totals.copy()
        of_largest = slice(*self.table.indptr[largest : largest + 2])
        others[self.table.indices[of_largest]] = 0
        missing[largest] = others.sum()
        share = np.maximum(missing / self.total, 0)
        return (self.true_totals / self.total * share).sum(axis=0)


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
def measure_stack(
    function: Callable[[Cells], np.ndarray], tables: np.ndarray
) -> np.ndarray:
    """Apply a function of cells to cache-sized parts of a stack of tables.

    Only tables of a stack may be all zero; everything is NaN there.
    """
    *shape, k, m = tables.shape
    stack = tables.reshape(-1, k, m)
    step = _BLOCK // (k * m)
    if step < _FEW:
        step = 1
    values = np.empty(len(stack))
    for start in range(0, len(stack), step):
        part = slice(start, start + step)
        values[part] = function(cells_of(stack[part]))
    return values.reshape(shape)


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
    return _conditional_entropy(cells, 0)


def conditional_entropy_pred(cells: Cells) -> np.ndarray:
    """H_Y|X in bits: what the true class leaves unknown about the prediction."""
    return _conditional_entropy(cells, 1)


def mutual_information(cells: Cells) -> np.ndarray:
    """MI in bits: how far the classes are from being independent."""
    terms = partial(_gains, cells.total, cells.are_small)
    gains = cells.sum_terms(terms, cells.rows, cells.columns)
    # The gain of an empty cell is 1.
    return (gains + cells.expect_elsewhere()) / _LN2


def _gains(total, are_small, values, rows, columns):
    """Terms of the mutual information, each of which is not negative."""
    product = rows * columns
    surplus = total * values - product
    if not are_small:  # nearly independent classes leave nothing but round-off
        surplus += _round_off(total, values) - _round_off(rows, columns)
    return product / total / total * _gain(surplus / nonzero(product))


def _round_off(first, second):
    """What a product of floats lacks, exactly (Dekker 1971)."""
    (a, b), (c, d) = map(_halves, (first, second))
    return b * d - (((first * second - a * c) - b * c) - a * d)


def _halves(values):
    """Two numbers of 26 bits whose sum is the value."""
    shifted = values * (2.0**27 + 1)
    high = shifted - (shifted - values)
    return high, values - high


def miller_madow_bias(table: Table) -> np.ndarray:
    """First-order bias of the mutual information of counts; NaN for other tables."""
    if isinstance(table, np.ndarray):
        fractional = (table % 1).any(axis=(-2, -1))
    else:
        fractional = (table.data % 1).any()
    total = np.asarray(table.sum(axis=-1, dtype=np.float64).sum(axis=-1))
    bias = excess_cells(table) / (np.maximum(total, 1) * (2 * _LN2))
    return np.where(fractional | (total == 0), np.nan, bias)


def excess_cells(table: Table) -> np.ndarray:
    """How many cells are occupied beyond those that margins like these need."""
    occupied = table.astype(bool)
    in_rows, in_columns = (occupied.sum(axis=axis) for axis in (-1, -2))
    n_margins = (in_rows > 0).sum(axis=-1) + (in_columns > 0).sum(axis=-1)
    return in_rows.sum(axis=-1) - n_margins + 1


def _entropy(totals):
    nats = _add(surprise(totals, _add))[0] / _add(totals)[0]
    return np.minimum(nats / _LN2, math.log2(len(totals)))


def _divergence_from_uniform(totals):
    k, total = len(totals), _add(totals)
    excess = (k * totals - total) / total  # exact for counts, but for the quotient
    return _add(_gain(excess) / k)[0] / _LN2


def _conditional_entropy(cells, axis):
    """H of the cells given their columns (0) or rows (1), in bits."""
    if cells.are_counts:
        groups = cells.rows if axis else cells.columns
        nats = cells.sum_terms(_surprise_of_counts, groups)
    else:
        surprises = surprise(
            cells.values,
            lambda values: cells.spread(cells.sum_group(values, axis), axis),
        )
        nats = cells.sum_terms(lambda _, surprises: surprises, surprises)
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
    return values * np.log1p(rest / nonzero(values))


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


def _add(values, axis=0):
    """Ordered sums, so that a table adds up alone as in a stack; keeps axes."""
    if values.shape[-1] > 1:
        return np.add.reduce(values, axis=axis, keepdims=True)
    sums = np.add.accumulate(values, axis=axis)
    return sums[-1:] if axis == 0 else sums[:, -1:]


def sum_of_others(values: np.ndarray, axis: int = -1) -> np.ndarray:
    """For each item along an axis, the sum of all others.

    The total minus the item would lose digits where one item dominates.
    """
    largest = values.argmax(axis=axis, keepdims=True)
    others = values.copy()
    np.put_along_axis(others, largest, 0, axis)
    rest = others.sum(axis=axis, keepdims=True)
    total = rest + np.take_along_axis(values, largest, axis)
    np.subtract(total, values, out=others)
    np.put_along_axis(others, largest, rest, axis)
    return others


def nonzero(divisor: np.ndarray) -> np.ndarray:
    """The divisor with 1 for 0, where the dividend is 0 as well."""
    return divisor + (divisor == 0)
