"""Codes of labels → counts of their pairs: a table, dense or sparse."""

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.table.labels import Codes, bounds, wrapped

# Samples taken at a time, so that their codes stay in the cache.
_BLOCK = 1 << 19
# A table with no more cells than this is cheaper dense than sparse.
_SMALL = 1 << 14


def is_small(n_cells: int, n_samples: float) -> bool:
    """Whether a table should be dense: it is cheap, or no larger than its samples."""
    return n_cells <= max(_SMALL, n_samples)


def count_pairs(
    true: Codes,
    pred: Codes,
    shape: tuple[int, int],
    weight: np.ndarray | None,
    check: bool = False,
) -> np.ndarray:
    """Dense table of two arrays of codes, one cache-sized block at a time.

    If the labels of a square table are to be checked, one outside is an IndexError.
    """
    n_cells = shape[0] * shape[1]
    n_samples, step = len(true.held), max(_BLOCK >> check, n_cells)
    table = np.zeros(n_cells, dtype=np.int64 if weight is None else np.float64)
    offset = true.offset * shape[1] + pred.offset
    # Modulo 256 or 2^64, so that labels need no common type; the codes do fit.
    are_bytes = n_cells < 256 and n_samples > _SMALL and weight is None
    dtype = np.uint8 if are_bytes else np.int64
    block: np.ndarray = np.empty(min(step, n_samples), dtype)
    for start in range(0, n_samples, step):
        part = slice(start, start + step)
        rows, columns = true.held[part], pred.held[part]
        if check:
            low, high = bounds([rows, columns])
            if low < true.offset or high >= true.offset + shape[0]:
                raise IndexError(f"Labels from {low} to {high} are outside the table.")
        cells = block[: len(rows)]
        np.multiply(rows, shape[1], out=cells, dtype=dtype, casting="unsafe")
        np.add(cells, columns, out=cells, dtype=dtype, casting="unsafe")
        if offset:
            cells -= wrapped(offset).astype(dtype)
        if weight is None:
            table += _count(cells, n_cells)
        else:
            table += np.bincount(cells, weight[part], minlength=n_cells)
    return table.reshape(shape)


def _count(codes, n_codes):
    """How often each code occurs; it overwrites the codes.

    Two codes of a byte make one of at most two bytes: half as many to count.
    """
    if codes.itemsize > 1 or len(codes) % 2:
        return np.bincount(codes, minlength=n_codes)
    if n_codes > 16:
        pairs = np.bincount(codes.view(np.uint16), minlength=256 * n_codes)
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
