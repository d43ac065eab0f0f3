"""Codes of labels → counts of their pairs: a table, dense or sparse."""

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.table.labels import Codes, wrapped

# Samples taken at a time, so that their codes stay in the cache.
_BLOCK = 1 << 19
# A table with no more cells than this is cheaper dense than sparse.
_SMALL = 1 << 14


def is_small(n_cells: int, n_samples: float) -> bool:
    """Whether a table should be dense: it is cheap, or no larger than its samples."""
    return n_cells <= max(_SMALL, n_samples)


def count_pairs(
    true: Codes, pred: Codes, shape: tuple[int, int], weight: np.ndarray | None
) -> np.ndarray:
    """Dense table of two arrays of codes, one cache-sized block at a time."""
    n_cells = shape[0] * shape[1]
    n_samples, step = len(true.held), max(_BLOCK, n_cells)
    table = np.zeros(n_cells, dtype=np.int64 if weight is None else np.float64)
    offset = true.offset * shape[1] + pred.offset
    # Modulo 256 or 2^64, so that labels need no common type; the codes do fit.
    are_bytes = n_cells < 256 and n_samples > _SMALL and weight is None
    dtype = np.uint8 if are_bytes else np.int64
    block: np.ndarray = np.empty(min(step, n_samples), dtype)
    for start in range(0, n_samples, step):
        part = slice(start, start + step)
        rows = true.held[part]
        cells = block[: len(rows)]
        np.multiply(rows, shape[1], out=cells, dtype=dtype, casting="unsafe")
        np.add(cells, pred.held[part], out=cells, dtype=dtype, casting="unsafe")
        if offset:
            cells -= wrapped(offset).astype(dtype)
        if are_bytes:
            table += _count(cells, n_cells)
        else:
            # A quarter less time than a bincount takes.
            np.add.at(table, cells, 1 if weight is None else weight[part])
    return table.reshape(shape)


def _count(codes, n_codes):
    """How often each code of a byte occurs; it overwrites the codes.

    Two of them make one of at most two bytes: half as many to count.
    """
    if len(codes) % 2:
        return np.bincount(codes, minlength=n_codes)
    if n_codes > 16:
        pairs = np.zeros(256 * n_codes, dtype=np.int64)
        np.add.at(pairs, codes.view(np.uint16).astype(np.intp), 1)
        counts = pairs.reshape(n_codes, 256)[:, :n_codes]
    else:
        first, second = np.split(codes, 2)
        first *= n_codes
        first += second
        counts = _count(first, n_codes**2).reshape(n_codes, n_codes)
    return counts.sum(axis=0) + counts.sum(axis=1)


def count_sparse(
    true: Codes, pred: Codes, shape: tuple[int, int], weight: np.ndarray | None
) -> sp.csr_array:
    """Sparse table of two arrays of codes from zero on."""
    if weight is not None:
        return sp.coo_array((weight, (true.held, pred.held)), shape=shape).tocsr()
    # To sort pairs as single integers is several times as fast as to sort rows.
    bits = (shape[1] - 1).bit_length()
    pairs = np.left_shift(true.held, bits, dtype=np.int64, casting="unsafe")
    pairs += pred.held
    pairs.sort()
    is_edge = np.ones(len(pairs) + 1, dtype=bool)
    np.not_equal(pairs[1:], pairs[:-1], out=is_edge[1:-1])
    edges = np.flatnonzero(is_edge)
    counts, pairs = edges[1:] - edges[:-1], pairs[edges[:-1]]
    rows = np.right_shift(pairs, bits, out=edges[:-1])  # new memory would take longer
    ends = np.append(0, np.cumsum(np.bincount(rows, minlength=shape[0])))
    pairs &= (1 << bits) - 1
    small = np.int32 if max(len(pairs), *shape) < 2**31 else np.int64
    columns, ends = pairs.astype(small), ends.astype(small)
    return sp.csr_array((counts, columns, ends), shape=shape)
