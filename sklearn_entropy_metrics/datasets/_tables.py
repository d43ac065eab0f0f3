"""Every table of a given size and number of samples, or a uniform sample of them.

The set is that of the combinatorial analysis of Valverde-Albacete and Peláez-Moreno
(2014): row sums are positive and do not increase downwards, because permuting the
classes adds nothing new, and the cells of each row are any weak composition (zeros
allowed) of its sum.
"""

from collections.abc import Iterator
from math import comb, prod

import numpy as np
from scipy.special import gammaln
from sklearn.utils import check_random_state

from sklearn_entropy_metrics.table.checks import check_integer

_BLOCK_SIZE = 65_536
# Distinct rows that the enumeration may hold in memory. Where there are more, the
# tables are too many to run through: 7e9 for two classes, 1e15 and up for others.
_MAX_ROWS = 10_000_000


def enumerate_tables(
    n_classes: int, n_samples: int, *, n_correct: int | None = None
) -> Iterator[np.ndarray]:
    """Enumerate every square table with a given number of samples.

    Parameters
    ----------
    n_classes : int
        Number of rows and columns.
    n_samples : int
        Sum of each table, at least `n_classes`: every class has a sample.
    n_correct : int, default=None
        If given, only tables with this trace, that is, with an accuracy of
        ``n_correct / n_samples``.

    Returns
    -------
    blocks : iterator of ndarray of shape (n_tables, n_classes, n_classes)
        Blocks of int64 counts, each of at most 65,536 tables with the same row sums.

    See Also
    --------
    sample_tables : Uniform sample, for sets too large to enumerate.

    Notes
    -----
    The row sums are the partitions of `n_samples` into `n_classes` positive parts, in
    non-increasing order, and each row is a weak composition of its sum, as in Fig. 2 of
    [1]_: 89,625 tables of 100 samples in 2 classes, 302,484 of 18 in 3, and 19,866,389
    of 16 in 4. It needs memory for one block and for the distinct rows.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2014). "100% classification
       accuracy considered harmful: the normalized information transfer factor explains
       the accuracy paradox". PLoS ONE 9(1), e84217.

    Examples
    --------
    >>> from sklearn_entropy_metrics.datasets import enumerate_tables
    >>> sum(len(block) for block in enumerate_tables(3, 18))
    302484
    >>> next(enumerate_tables(2, 3, n_correct=2))
    array([[[1, 1],
            [0, 1]],
    <BLANKLINE>
           [[2, 0],
            [1, 0]]])
    """
    n_classes, n_samples = _check_size(n_classes, n_samples)
    if n_correct is not None:
        n_correct = check_integer(n_correct, "n_correct", minimum=0)
        if n_correct > n_samples:
            raise ValueError(
                f"`n_correct` must be at most `n_samples`={n_samples}. Got {n_correct}."
            )
    n_rows = comb(n_samples + 1, n_classes)
    if n_rows > _MAX_ROWS:
        raise ValueError(
            f"Too many tables to enumerate: at most {_MAX_ROWS:,} different rows are "
            f"possible. Use sample_tables instead. Got {n_rows:.2g} for `n_classes`="
            f"{n_classes} and `n_samples`={n_samples}."
        )
    # The generator is a function of its own, so that the checks run here and now.
    return _blocks(n_classes, n_samples, n_correct)


def sample_tables(
    n_tables: int,
    n_classes: int,
    n_samples: int,
    *,
    random_state: int | np.random.RandomState | None = None,
) -> np.ndarray:
    """Draw tables uniformly, with replacement, from those of ``enumerate_tables``.

    Parameters
    ----------
    n_tables : int
        Number of tables to draw.
    n_classes : int
        Number of rows and columns.
    n_samples : int
        Sum of each table, at least `n_classes`: every class has a sample.
    random_state : int, RandomState instance or None, default=None
        Seed or generator, see :term:`random_state`.

    Returns
    -------
    tables : ndarray of shape (n_tables, n_classes, n_classes), dtype int64
        The tables drawn; row sums do not increase downwards.

    See Also
    --------
    enumerate_tables : Enumerates all of them.

    Notes
    -----
    The sample is exact: the row sums are drawn largest first, each with its share of
    the tables as probability (counted by a recursion over partitions), then each row
    uniformly from the weak compositions of its sum. The recursion takes memory
    proportional to ``n_samples**2 * log(n_classes)``. The set is that of [1]_.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2014). "100% classification
       accuracy considered harmful: the normalized information transfer factor explains
       the accuracy paradox". PLoS ONE 9(1), e84217.

    Examples
    --------
    >>> from sklearn_entropy_metrics.datasets import sample_tables
    >>> tables = sample_tables(1000, 4, 16, random_state=0)
    >>> tables.shape
    (1000, 4, 4)
    >>> set(tables.sum(axis=(1, 2)).tolist())
    {16}
    """
    n_tables = check_integer(n_tables, "n_tables", minimum=1)
    n_classes, n_samples = _check_size(n_classes, n_samples)
    random_state = check_random_state(random_state)
    log_counts = _log_counts(n_classes, n_samples)
    tables = np.empty((n_tables, n_classes, n_classes), dtype=np.int64)
    # Blocks, because the intermediate arrays are as large as the tables they make.
    for start in range(0, n_tables, _BLOCK_SIZE):
        block = tables[start : start + _BLOCK_SIZE]
        row_sums = _sample_row_sums(len(block), log_counts, n_samples, random_state)
        block[...] = _sample_rows(row_sums, random_state)
    return tables


def _check_size(n_classes, n_samples):
    n_classes = check_integer(n_classes, "n_classes", minimum=1)
    n_samples = check_integer(n_samples, "n_samples", minimum=1)
    if n_samples < n_classes:
        raise ValueError(
            f"`n_samples` must be at least `n_classes`={n_classes}, or no table has "
            f"positive row sums. Got {n_samples}."
        )
    return n_classes, n_samples


# Enumeration. A table is a line of row numbers: places in the one list of all rows.


def _blocks(n_classes, n_samples, n_correct):
    rows = _weak_compositions(n_classes, n_samples - n_classes + 1)
    for numbers in _row_numbers(n_classes, n_samples):
        tables = rows[numbers]
        if n_correct is not None:
            tables = tables[tables.trace(axis1=1, axis2=2) == n_correct]
        if len(tables):
            yield tables


def _weak_compositions(n_parts, largest):
    """All weak compositions of 0, 1, ..., `largest` into `n_parts`, in this order."""
    rest = np.arange(largest + 1, dtype=np.int64)
    rows = np.empty((largest + 1, 0), dtype=np.int64)
    for _ in range(n_parts - 1):
        # Each row goes on in rest + 1 ways: its next cell is 0, 1, ..., rest.
        ways = rest + 1
        first = np.repeat(np.cumsum(ways) - ways, ways)
        cell = np.arange(first.size) - first
        rows = np.column_stack([np.repeat(rows, ways, axis=0), cell])
        rest = np.repeat(rest, ways) - cell
    return np.column_stack([rows, rest])


def _row_numbers(n_classes, n_samples):
    """Yield arrays (at most a block, n_classes) of row numbers, a line per table."""
    for row_sums in _partitions(n_samples, n_classes, n_samples):
        sizes = [comb(total + n_classes - 1, n_classes - 1) for total in row_sums]
        # So many weak compositions come before the first one with this sum.
        first = [comb(total + n_classes - 1, n_classes) for total in row_sums]
        n_tables = prod(sizes)
        for start in range(0, n_tables, _BLOCK_SIZE):
            stop = min(start + _BLOCK_SIZE, n_tables)
            yield _product_slice(sizes, start, stop) + first


def _partitions(total, n_parts, largest):
    """Yield the non-increasing tuples of positive parts, none above `largest`."""
    if n_parts == 1:
        yield (total,)
        return
    smallest = -(-total // n_parts)  # of the first part: the others are not larger
    for part in range(min(largest, total - n_parts + 1), smallest - 1, -1):
        for others in _partitions(total - part, n_parts - 1, part):
            yield (part, *others)


def _product_slice(sizes, start, stop):
    """Lines `start` to `stop` of the Cartesian product of the ranges of `sizes`."""
    lines = np.empty((stop - start, len(sizes)), dtype=np.int64)
    carry = np.arange(stop - start)
    for place in reversed(range(len(sizes))):
        # `start` stays a Python int: the product may be longer than int64 can count.
        start, digit = divmod(start, sizes[place])
        carry, lines[:, place] = np.divmod(carry + digit, sizes[place])
    return lines


# Sampling. In logarithms, since the numbers of tables soon exceed every float.


def _log_counts(n_classes, n_samples):
    """Logarithms of how many ways there are to fill the last `t` rows of a table.

    Item `t` is an array `[b, s]`: `t` rows with sums of at most `b` that add up to `s`.
    The largest sum is either below `b` or equal to it, so that with f(r) weak
    compositions of r: W[t][b, s] = W[t][b - 1, s] + f(b) W[t - 1][b, s - b].
    """
    total = np.arange(n_samples + 1)
    log_rows = gammaln(total + n_classes) - gammaln(total + 1) - gammaln(n_classes)
    no_row = np.full((1, n_samples + 1), -np.inf)
    no_row[0, 0] = 0.0
    levels = [no_row]
    for t in range(1, n_classes + 1):
        # n_classes - t rows above have no smaller sum, t - 1 below have one sample or
        # more: no larger sum can occur here, so a larger bound is no bound.
        top = (n_samples - t + 1) // (n_classes - t + 1)
        below = levels[-1]
        level = np.full((top + 1, n_samples + 1), -np.inf)
        for b in range(1, top + 1):
            with_b = log_rows[b] + below[min(b, len(below) - 1), : n_samples + 1 - b]
            level[b, :b] = level[b - 1, :b]
            level[b, b:] = np.logaddexp(level[b - 1, b:], with_b)
        levels.append(level)
    return levels


def _sample_row_sums(n_tables, log_counts, n_samples, random_state):
    """Draw row sums, largest first, in proportion to the tables that have them."""
    rest = np.full(n_tables, n_samples)
    part = rest
    row_sums = []
    for level in log_counts[:0:-1]:
        bound = np.minimum(part, len(level) - 1)
        share = 1.0 - random_state.random_sample(n_tables)  # in (0, 1]: has a logarithm
        part = _bisect(level, rest, bound, np.log(share) + level[bound, rest])
        rest = rest - part
        row_sums.append(part)
    return np.column_stack(row_sums)


def _bisect(level, column, high, target):
    """Smallest `b <= high` with `level[b, column] >= target`, for all at once."""
    low = np.zeros_like(high)
    while np.any(low < high):
        middle = (low + high) // 2
        reached = level[middle, column] >= target
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    return high


def _sample_rows(row_sums, random_state):
    """Draw for each row sum a weak composition, uniformly: (n, k) to (n, k, k).

    Stars and bars: k - 1 distinct places out of sum + k - 1 hold the bars, the stars
    between them are the cells. The places are drawn by Floyd's algorithm, one for all
    rows at a time.
    """
    n_classes = row_sums.shape[1]
    bars = np.empty((n_classes - 1, *row_sums.shape), dtype=np.int64)
    for drawn in range(n_classes - 1):
        last = row_sums + drawn
        place = random_state.randint(0, last + 1, dtype=np.int64)
        taken = (bars[:drawn] == place).any(axis=0)
        bars[drawn] = np.where(taken, last, place)
    bars.sort(axis=0)
    left, right = np.full_like(row_sums, -1), row_sums + n_classes - 1
    cells = np.diff(bars, axis=0, prepend=left[None], append=right[None]) - 1
    return np.moveaxis(cells, 0, -1)
