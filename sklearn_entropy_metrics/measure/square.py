"""Square tables, for measures that compare rows and columns of the same class."""

from typing import Any

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.table.tabulate import Table, check_table


def square_table(table: Any) -> Table:
    """Check a table, and that it has the same classes in rows and columns."""
    table = table.table if isinstance(table, EntropyBalance) else check_table(table)
    if table.shape[-1] != table.shape[-2]:
        raise ValueError(
            "This measure compares each true class with the predictions of the same "
            f"class and needs a square table. Got shape {table.shape}."
        )
    return table


def diagonal(table: Table) -> np.ndarray:
    """The diagonals of square tables, as floats."""
    if sp.issparse(table):
        return table.diagonal().astype(np.float64)
    return np.diagonal(table, axis1=-2, axis2=-1).astype(np.float64)


def off_diagonal_sums(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Sums of the rows and of the columns of square tables without the diagonal."""
    n_classes = table.shape[-1]
    if not isinstance(table, np.ndarray):
        cells = table.tocoo()
        off = cells.row != cells.col
        rows, columns = (
            np.bincount(index[off], cells.data[off], minlength=n_classes)
            for index in (cells.row, cells.col)
        )
        return rows, columns
    wrong = np.where(np.eye(n_classes, dtype=bool), 0.0, table)
    return wrong.sum(axis=-1), wrong.sum(axis=-2)


def sums_without_class(table: Table) -> np.ndarray:
    """For each class of square tables the sum of all but its row and its column.

    No difference of sums, which would lose digits where most samples are of the class.
    """
    if isinstance(table, np.ndarray):
        return off_diagonal_sums(sum_of_others(table.astype(np.float64)))[1]
    rows, columns = off_diagonal_sums(table)
    sums = sum_of_others(diagonal(table) + rows) - columns
    cells = table.tocoo()
    # At most two classes have more than half of what is not theirs predicted as theirs.
    for k in np.flatnonzero(columns > sums):
        neither = (cells.row != k) & (cells.col != k)
        sums[k] = cells.data[neither].sum(dtype=np.float64)
    return sums


def sum_of_others(values: np.ndarray) -> np.ndarray:
    """For each item along the last axis the sum of all others.

    Not the total less the item, which would lose digits where one item dominates.
    """
    before = np.zeros_like(values)
    before[..., 1:] = np.cumsum(values[..., :-1], axis=-1)
    after = np.zeros_like(values)
    after[..., :-1] = np.cumsum(values[..., :0:-1], axis=-1)[..., ::-1]
    return before + after
