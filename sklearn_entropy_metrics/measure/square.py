"""Square tables, for measures that compare rows and columns of the same class."""

from typing import Any

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.entropy import in_shares, sum_of_others
from sklearn_entropy_metrics.table.checks import Table, check_table


def square_table(table: Any) -> Table:
    """Check a table, and that it has the same classes in rows and columns."""
    table = table.table if isinstance(table, EntropyBalance) else check_table(table)
    if table.shape[-1] != table.shape[-2]:
        raise ValueError(
            "This measure compares each true class with the predictions of the same "
            f"class and needs a square table. Got shape {table.shape}."
        )
    return table


def square_shares(table: Any) -> Table:
    """The same in units of the total of each table; see :func:`in_shares`."""
    return in_shares(square_table(table))


def diagonal(table: Table) -> np.ndarray:
    """The diagonals of square tables, as floats."""
    if sp.issparse(table):
        return table.diagonal().astype(np.float64)
    return np.diagonal(table, axis1=-2, axis2=-1).astype(np.float64)


def without_diagonal(table: np.ndarray) -> np.ndarray:
    """Dense square tables with zeros on the diagonal, as floats."""
    wrong = table.astype(np.float64, order="C")
    n_classes = table.shape[-1]
    wrong.reshape(*table.shape[:-2], -1)[..., :: n_classes + 1] = 0
    return wrong


def off_diagonal_sums(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Sums of the rows and of the columns of square tables without the diagonal."""
    if isinstance(table, np.ndarray):
        wrong = without_diagonal(table)
        return wrong.sum(axis=-1), wrong.sum(axis=-2)
    cells = table.tocoo()
    off = cells.row != cells.col
    rows, columns = (
        np.bincount(index[off], cells.data[off], minlength=table.shape[0])
        for index in (cells.row, cells.col)
    )
    return rows, columns


def sums_without(table: Table, classes: np.ndarray) -> np.ndarray:
    """Sums of square tables without the row and the column of a class.

    Parameters
    ----------
    table : ndarray of shape (..., k, k) or csr_array
        Counts or weights.

    classes : ndarray of bool of shape (..., k)
        The requested classes.

    Returns
    -------
    sums : ndarray of shape (..., k)
        Computed without differences, so that they keep their digits.
    """
    if isinstance(table, np.ndarray):
        others = sum_of_others(table.astype(np.float64))
        return without_diagonal(others).sum(axis=-2)
    cells, sums = table.tocoo(), np.zeros(len(classes))
    for k in np.flatnonzero(classes):
        neither = (cells.row != k) & (cells.col != k)
        sums[k] = cells.data[neither].sum(dtype=np.float64)
    return sums
