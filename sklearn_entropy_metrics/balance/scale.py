"""Cells of extreme magnitude, brought to where neither they nor their sums vanish.

Multiplying by a power of two changes no digit. So a table may be measured at any scale:
an ordinary one as it is; one with cells near the limits of a float is scaled so that
its total is near the upper limit and every cell is a normal number.
"""

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.table.checks import Table

# Shares of cells between these, and products of two shares, are normal numbers.
_SMALL, _LARGE = 2.0**-200, 2.0**200
# Cells are scaled to totals of at least half and less than this: the sum of a row and
# of a column is finite.
TOP = 2.0**1020
_LEAST = 2.0**-980


def is_extreme(cells: np.ndarray) -> bool:
    """Whether shares of some cell, or their products, might over- or underflow."""
    if cells.dtype.kind != "f":
        return False
    n_ordinary = np.count_nonzero((cells >= _SMALL) & (cells <= _LARGE))
    return bool(n_ordinary < np.count_nonzero(cells != 0))


def lift(cells: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Multiply cells by the power of two that brings their total close below `TOP`.

    Parameters
    ----------
    cells : ndarray
        Non-negative numbers.

    total : ndarray
        Sums of cells that share a scale, of a shape that broadcasts to the cells.

    Returns
    -------
    cells : ndarray
    """
    _, exponent = np.frexp(total)
    lifted = np.ldexp(cells, 1020 - exponent)
    if ((cells > 0) & (lifted < _LEAST)).any():
        raise ValueError(
            "The numbers of a table must lie within 600 orders of magnitude. Got "
            f"{cells[(cells > 0) & (lifted < _LEAST)][0]} in a table with a total of "
            f"up to {np.max(total)}."
        )
    return lifted


def lift_extreme(table: Table) -> Table:
    """Lift each table of a stack if one of them is extreme."""
    cells = table if isinstance(table, np.ndarray) else table.data
    return lift_table(table) if is_extreme(cells) else table


def lift_table(table: Table) -> Table:
    """Lift each table of a stack, or a sparse table."""
    if isinstance(table, np.ndarray):
        return lift(table, table.sum(axis=(-2, -1), keepdims=True))
    cells = lift(table.data, table.data.sum())
    return sp.csr_array((cells, table.indices, table.indptr), table.shape)
