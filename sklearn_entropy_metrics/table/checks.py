"""Checks of user input: integers, weights, numbers, tables, memory.

Labels are checked in `labels`, probabilities in `probabilities`.
"""

import sys
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn import get_config

Table: TypeAlias = np.ndarray | sp.csr_array

NOTHING = (
    "y_true is empty, or sample_weight is all zero; at least 1 sample of positive "
    "weight is required."
)


def refuse_mask(y: object, name: str) -> None:
    """Raise if any entry is masked: numpy would silently use the value underneath."""
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        n_masked = np.ma.count_masked(y)
        raise ValueError(f"{name} must have no masked entries. Got {n_masked}.")


def check_memory(n_bytes: int, what: str, advice: str) -> None:
    """Raise if a result would not fit into scikit-learn's `working_memory`."""
    limit = get_config()["working_memory"]
    if n_bytes > limit * 2**20:
        raise ValueError(
            f"{what} would take {n_bytes / 2**20:,.0f} MiB, more than scikit-learn's "
            f"working_memory of {limit} MiB; {advice}."
        )


def check_weight(sample_weight: ArrayLike | None) -> np.ndarray | None:
    """Sample weights as an array of float64, not all of them zero, or None."""
    weight = as_weight(sample_weight)
    if weight is not None and weight.size and not weight.any():
        raise ValueError("sample_weight must not be all zero.")
    return weight


def as_weight(sample_weight: ArrayLike | None) -> np.ndarray | None:
    """Sample weights as an array of float64, or None."""
    if sample_weight is None:
        return None
    weight = as_numbers(sample_weight, "sample_weight")
    if weight.ndim != 1:
        raise ValueError(
            f"sample_weight must be a 1-D array. Got an array of shape {weight.shape}."
        )
    weight = as_floats(weight, "sample_weight")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if weight.size and not (weight.min() >= 0 and total < np.inf):
        bad = weight[~((weight >= 0) & (weight < np.inf))]
        raise ValueError(
            "sample_weight must be non-negative and finite. Got "
            + (f"{bad[0]}." if len(bad) else "weights whose sum overflows.")
        )
    return weight


def weighs_nothing(n_samples: int, weight: np.ndarray | None) -> bool:
    """Whether there are no samples, or some that all weigh nothing."""
    return n_samples == 0 or (weight is not None and not weight.any())


def refuse_nothing(name: str, n_samples: int, weight: np.ndarray | None) -> None:
    """Raise if there are no samples, or some that all weigh nothing."""
    if weighs_nothing(n_samples, weight):
        raise ValueError(NOTHING.replace("y_true", name))


def check_integer(value: object, name: str, minimum: int) -> int:
    """Return `value` as an int, or raise an error that says what is wrong."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < minimum:
        raise ValueError(
            f"`{name}` must be an integer of at least {minimum}. Got {value!r}."
        )
    return int(value)


def check_flags(**flags: object) -> None:
    """Raise an error if an option is neither True nor False."""
    for name, value in flags.items():
        if not isinstance(value, bool | np.bool_):
            raise ValueError(f"`{name}` must be True or False. Got {value!r}.")


def as_numbers(values: object, name: str) -> np.ndarray:
    """An array of numbers from the user, of any shape."""
    refuse_mask(values, name)
    if sp.issparse(values):
        raise ValueError(f"{name} must be a dense array. Got {type(values).__name__}.")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:  # of lists, of tensors
        got = f"{type(values).__name__}: {error}"
        raise ValueError(f"{name} must be an array of numbers. Got {got}") from error
    if array.dtype.kind not in "biufO":
        raise ValueError(f"{name} must hold numbers. Got dtype {array.dtype}.")
    return array if array.dtype != object else as_floats(array, name)


def as_floats(array: np.ndarray, name: str) -> np.ndarray:
    """The same numbers as float64; an error if objects are not numbers."""
    if array.dtype == np.float64:
        return array
    try:
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        got = f"dtype {array.dtype}: {error}"
        raise ValueError(f"{name} must hold numbers. Got {got}") from error


def check_table(table: Any, *, copy: bool = False) -> Table:
    """Check a table, a stack of tables or a sparse table given by the user.

    Parameters
    ----------
    table : array-like of shape (..., n_classes, n_pred_classes) or 2-D sparse
        Counts, weights or probabilities. It is not changed.

    copy : bool, default=False
        Whether to copy what could be used as it is.

    Returns
    -------
    table : ndarray or csr_array, of dtype int64 or float64
        In C order, so that sums do not depend on the memory layout of the input. The
        total of the counts may be too large for an integer.
    """
    given = table if sp.issparse(table) else as_numbers(table, "A table")
    if given.ndim < 2 or 0 in given.shape[-2:]:
        raise ValueError(
            "A table must have at least one row and one column: shape (..., k, m). "
            f"Got shape {given.shape}."
        )
    if isinstance(given, np.ndarray):
        checked = cells = _check_cells(given, (-2, -1), copy)
    else:
        checked = _check_sparse(given, copy)
        cells = checked.data
    if checked.ndim == 2 and not cells.any():
        raise ValueError("The table is all zero: it holds no samples.")
    return checked


def _check_sparse(table, copy):
    if table.format != "csr":
        table = table.tocoo()
    cells = _check_cells(as_numbers(table.data, "A table"), None, copy)
    may_repeat = table.format == "coo" or not table.has_canonical_format
    if may_repeat and cells.sum(dtype=np.float64) >= 2.0**63:
        cells = cells.astype(np.float64)  # in which they can be added up
    if table.format == "csr":
        buffers = cells, table.indices, table.indptr
        checked = sp.csr_array(buffers, table.shape, copy=copy or may_repeat)
    else:
        checked = sp.csr_array((cells, (table.row, table.col)), table.shape)
    checked.sum_duplicates()
    return checked


def _check_cells(cells, axis, copy):
    """Cells as int64 or float64, if their sums over an axis are finite."""
    whole = cells.dtype.kind in "biu" and cells.dtype != np.uint64
    dtype = np.int64 if whole else np.float64
    if cells.dtype != dtype:
        with np.errstate(over="ignore"):  # of a long double
            cells = cells.astype(dtype, order="C")
    elif copy or not cells.flags.c_contiguous:
        cells = cells.copy()
    if cells.size == 0:
        return cells
    low, high = cells.min().item(), cells.max().item()
    if not (low >= 0 and high < np.inf):
        bad = cells[~((cells >= 0) & np.isfinite(cells))][0]
        raise ValueError(f"A table must be non-negative and finite. Got {bad}.")
    with np.errstate(over="ignore"):
        # No sum is larger than this, which is cheap.
        is_huge = high > sys.float_info.max / cells.size
        if is_huge and np.isinf(cells.sum(axis=axis)).any():
            raise ValueError(
                "A table must have a finite total. Got cells whose sum overflows, the "
                f"largest of them {high}."
            )
    return cells
