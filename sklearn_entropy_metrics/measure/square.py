"""Square tables, for measures that compare rows and columns of the same class."""

from typing import Any

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.decompose import EntropyBalance
from sklearn_entropy_metrics.tabulate import Table, check_table


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
