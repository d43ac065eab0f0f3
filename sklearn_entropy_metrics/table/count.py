"""Codes of labels → counts of their pairs: a table, dense or sparse."""

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.table.labels import wrapped

# Samples taken at a time: their codes stay in the processor's cache.
_BLOCK = 1 << 15
# A table with no more cells than this is cheaper dense than sparse.
_SMALL = 1 << 14


def is_small(n_cells: int, n_samples: int) -> bool:
    """Whether a table is better dense: cheap, or no larger than what it counts."""
    return n_cells <= max(_SMALL, n_samples)


def count_pairs(true, pred, offsets, shape, weight):
    """Dense table of two arrays of codes, one cache-sized block at a time."""
    n_rows, n_columns = shape
    n_cells = n_rows * n_columns
    table = np.zeros(n_cells, dtype=np.int64 if weight is None else np.float64)
    block = max(_BLOCK, n_cells)
    first = wrapped(offsets[0] * n_columns + offsets[1])
    cells = np.empty(min(block, len(true)), dtype=np.int64)
    for start in range(0, len(true), block):
        part = slice(start, start + block)
        cell = cells[: len(true[part])]
        # Modulo 2^64, so that uint64 and int64 need no common type.
        np.multiply(true[part], n_columns, out=cell, dtype=np.int64, casting="unsafe")
        np.add(cell, pred[part], out=cell, dtype=np.int64, casting="unsafe")
        if first:
            cell -= first
        table += np.bincount(
            cell, None if weight is None else weight[part], minlength=n_cells
        )
    return table.reshape(shape)


def count_sparse(true, pred, shape, weight):
    """Sparse table of two arrays of codes."""
    if weight is not None or shape[0] * shape[1] >= 2**63:
        cells = np.ones(len(true), dtype=np.int64) if weight is None else weight
        table = sp.coo_array((cells, (true, pred)), shape=shape).tocsr()
        table.sum_duplicates()
        return table
    # Twice as fast as scipy's own way, which carries the ones along.
    cells = np.sort(true * shape[1] + pred)
    first = np.flatnonzero(np.diff(cells, prepend=-1))
    rows, columns = np.divmod(cells[first], shape[1])
    ends = np.cumsum(np.bincount(rows, minlength=shape[0]))
    counts = np.diff(first, append=len(cells))
    return sp.csr_array((counts, columns, np.append(0, ends)), shape=shape)
