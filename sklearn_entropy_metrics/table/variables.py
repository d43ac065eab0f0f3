"""Several discrete variables, one per column → numbers of their distinct rows, tables.

Each column becomes small integers, and columns become one number per row by a mixed
radix. If that would overflow, the distinct rows are renumbered, so that no memory is
proportional to the number of possible rows. Numbers follow the sorted order of the
rows: results do not depend on whether a matrix is dense or sparse.
"""

import math
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.table import checks
from sklearn_entropy_metrics.table.blocks import gather
from sklearn_entropy_metrics.table.checks import Table
from sklearn_entropy_metrics.table.classes import number_labels
from sklearn_entropy_metrics.table.count import count_pairs, count_sparse, is_small
from sklearn_entropy_metrics.table.labels import Codes
from sklearn_entropy_metrics.table.tabulate import effective_size

# Columns of zeros and ones that become one number at a time, as integers.
_BITS = 8


class Numbered(NamedTuple):
    """A variable as integers from zero on, and how many they might be."""

    codes: np.ndarray
    size: int

    @property
    def n_values(self) -> int:
        """The number of values of a column; a constant column counts as two."""
        return max(self.size, 2)

    def at(self, rows: np.ndarray) -> "Numbered":
        """Those of some of the rows."""
        return Numbered(self.codes[rows], self.size)


class Variables(NamedTuple):
    """User input: the columns, and the matrix of all columns if it was one."""

    name: str
    names: list[str]
    column: Callable[[int], Any]
    n_samples: int
    matrix: Any = None


def tabulate_variables(
    true: Variables, pred: Variables, sample_weight: ArrayLike | None
) -> tuple[Table, int, int]:
    """Count the pairs of distinct rows.

    Parameters
    ----------
    true, pred : Variables
        The two sides.

    sample_weight : array-like of shape (n_samples,) or None
        Non-negative weights; rows of weight zero are ignored.

    Returns
    -------
    table : ndarray or csr_array
        The distinct rows of the one side, and those of the other.

    n_true, n_pred : int
        How many rows the values of the columns of each side could make.
    """
    keep, weight = positive_weight(sample_weight, true, pred)
    rows, n_rows = _number(true, keep)
    columns, n_columns = _number(pred, keep)
    warn_of_few(join(rows, columns), weight, 2 * rows.size * columns.size)
    return count_rows(rows, columns, weight), n_rows, n_columns


def warn_of_few(joint: Numbered, weight: np.ndarray | None, n_needed: int = 0) -> None:
    """Warn if so many rows are possible that few samples seem to determine each other.

    Parameters
    ----------
    joint : Numbered
        The distinct rows of all columns of all sides.

    weight : ndarray or None
        The weights of the samples.

    n_needed : int, default=0
        The number of samples that the table of both sides needs.
    """
    n_samples = len(joint.codes)
    size = effective_size(weight) or n_samples
    n_alone = np.count_nonzero(np.bincount(joint.codes) == 1)
    if n_alone > n_samples / 2:
        cause = f"{n_alone} of {n_samples} are the only ones of their kind"
    elif size < n_needed:
        cause = f"{n_needed} are needed for so many distinct rows. Got {size:.0f}"
    else:
        return
    warn(
        f"The samples are few for several columns: {cause}. The information is too "
        "large; use fewer columns, or compare label by label."
    )


def count_rows(rows: Numbered, columns: Numbered, weight: np.ndarray | None) -> Table:
    """Count pairs of two variables; the table is sparse if it would be large."""
    shape = rows.size, columns.size
    count = count_pairs if is_small(math.prod(shape), len(rows.codes)) else count_sparse
    table = count(Codes(rows.codes), Codes(columns.codes), shape, weight)
    counts = weight is None or weight.dtype.kind == "i"
    return table.astype(np.int64, copy=False) if counts else table


def distinct_rows(
    variables: Variables, keep: np.ndarray | None, weight: np.ndarray | None
) -> tuple[list[Numbered], np.ndarray]:
    """Numbers of the values in each column of the distinct rows, and their weights.

    Parameters
    ----------
    variables : Variables
        The columns.

    keep, weight : ndarray or None
        As of :func:`positive_weight`.

    Returns
    -------
    columns : list of Numbered
    weight : ndarray of shape (n_rows,)
        How often each row occurs: integers unless there are weights.
    """
    columns = _number_columns(variables, keep)
    rows = join(*columns)
    if len(columns) > 1:
        warn_of_few(rows, weight)
    _, first = np.unique(rows.codes, return_index=True)
    weight = np.bincount(rows.codes, weight, rows.size)
    return [column.at(first) for column in columns], weight


def read_variables(X: Any, name: str) -> Variables:
    """Read a matrix or a frame as columns.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame of shape (n_samples, n_variables)
        The variables.

    name : str
        What the argument is called, for the error messages.

    Returns
    -------
    variables : Variables
    """
    X = gather(X)
    is_frame = hasattr(X, "columns") and hasattr(X, "__getitem__")
    matrix: Any = X
    if sp.issparse(X):
        matrix = sp.csc_array(X, copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    elif not is_frame:
        checks.refuse_mask(X, name)
        # numpy would make strings of [[1, "a"]].
        matrix = np.asarray(X, dtype=object if isinstance(X, list | tuple) else None)
    shape = matrix.shape
    if len(shape) != 2 or not shape[1]:
        advice = "; reshape(-1, 1) makes one column" if len(shape) == 1 else ""
        raise ValueError(
            f"{name} must be 2-D, with at least one column for a variable{advice}. Got "
            f"shape {shape}."
        )
    if is_frame:
        return _read_frame(X, name)

    def column(number):
        # One strided pass, so that all others are over contiguous memory.
        one = matrix[:, [number]]
        return (one.toarray() if sp.issparse(one) else one).ravel()

    names = [f"x{i}" for i in range(shape[1])]
    return Variables(name, names, column, shape[0], matrix)


def _read_frame(frame, name):
    keys = getattr(frame, "column_names", frame.columns)
    names, n_samples = [str(key) for key in keys], frame.shape[0]
    if not hasattr(frame, "iloc"):  # polars, pyarrow
        return Variables(name, names, lambda i: frame[keys[i]], n_samples)
    dtypes = set(frame.dtypes)
    # Of one type only: numpy would make floats of integers and unsigned integers.
    alike = len(dtypes) == 1 and isinstance(next(iter(dtypes)), np.dtype)
    matrix = frame.to_numpy() if alike else None
    return Variables(name, names, lambda i: frame.iloc[:, i], n_samples, matrix)


def positive_weight(
    sample_weight: ArrayLike | None, *sides: Variables
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Check lengths and weights.

    Returns
    -------
    keep : ndarray of bool of shape (n_samples,) or None
        Which samples have a weight; None: all of them.

    weight : ndarray or None
        The weights of those to keep.
    """
    weight = checks.as_weight(sample_weight)
    check_consistent_length(*(range(side.n_samples) for side in sides), weight)
    checks.refuse_nothing(sides[0].name, sides[0].n_samples, weight)
    if weight is None or weight.all():
        return None, weight
    keep = weight > 0
    return keep, weight[keep]


def _number(variables, keep):
    """The distinct rows of one side, and how many rows are possible."""
    packed = _packed(variables.matrix)
    if packed is not None:
        kept = packed if keep is None else packed.at(keep)
        return _renumber(kept), 2 ** len(variables.names)
    columns = _number_columns(variables, keep)
    return join(*columns), math.prod(column.n_values for column in columns)


def _number_columns(variables, keep):
    return [
        number_values(variables.column(i), f"Column {name!r} of {variables.name}", keep)
        for i, name in enumerate(variables.names)
    ]


def number_values(y: Any, name: str, keep: np.ndarray | None) -> Numbered:
    """Number the values of the samples to keep, in their sorted order."""
    (numbers,), values, _ = number_labels({name: y}, weight=keep)
    return Numbered(numbers if keep is None else numbers[keep], len(values))


def join(*parts: Numbered) -> Numbered:
    """Number the distinct rows of several variables, in their sorted order."""
    return _renumber(reduce(_extend, parts))


def _extend(joined, part):
    """One more column on the right, as a digit, so the numbers sort as the rows do."""
    if joined.size * part.size >= 2**63:
        joined = _renumber(joined)
    if joined.size * part.size >= 2**63:
        part = _renumber(part)
    codes = np.multiply(joined.codes, part.size, dtype=np.int64)
    return Numbered(codes + part.codes, joined.size * part.size)


def _renumber(variable: Numbered) -> Numbered:
    """Number the codes that occur, in their order."""
    codes, size = variable
    if size <= max(1024, 4 * len(codes)):
        seen = np.zeros(size, dtype=bool)
        seen[codes] = True
        place = np.cumsum(seen) - 1
        return Numbered(place[codes], int(place[-1]) + 1)
    values, numbers = np.unique(codes, return_inverse=True)
    return Numbered(numbers, len(values))


def _packed(matrix):
    """Columns of zeros and ones as bits, the first one highest; None for others."""
    if matrix is None or matrix.dtype.kind not in "biuf":
        return None
    values = matrix.data if sp.issparse(matrix) else matrix
    if not ((values == 0) | (values == 1)).all():
        return None
    packed = []
    for start in range(0, matrix.shape[1], _BITS):
        bits = matrix[:, start : start + _BITS].astype(np.int64, copy=False)
        powers = 1 << np.arange(bits.shape[1])[::-1]
        packed.append(Numbered(bits @ powers, 2 ** len(powers)))
    return reduce(_extend, packed)
