"""Labels, probabilities and given matrices → checked tables.

The one gate for user data: everything behind it trusts what it gets. A table has a row
for each true class and a column for each predicted class; it is an array, a stack of
arrays or a sparse array.
"""

import sys
from functools import partial
from numbers import Integral
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn import get_config
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics.table.blocks import is_dask, reduce_blocks
from sklearn_entropy_metrics.table.count import count_pairs, count_sparse, is_small
from sklearn_entropy_metrics.table.labels import (
    Shared,
    encode,
    from_zero,
    refuse_mask,
    share,
)
from sklearn_entropy_metrics.table.merge import Part, Table, merge_parts

NOTHING = (
    "y_true is empty, or sample_weight is all zero; at least 1 sample of positive "
    "weight is required."
)


class KnownLabels(NamedTuple):
    """Classes that have a row and a column, seen or not, beside those that are seen."""

    classes: ArrayLike


def known_labels(estimator: Any) -> KnownLabels | None:
    """The classes of a fitted classifier, None if it tells none."""
    classes = getattr(estimator, "classes_", None)
    if classes is None or (isinstance(classes, list) and any(map(np.ndim, classes))):
        return None  # a list of arrays has one for each of several outputs
    return KnownLabels(classes)


class Classes(NamedTuple):
    """The classes of the rows or of the columns of a table, in their order."""

    space: Shared
    numbers: np.ndarray  # of their labels in the space

    @property
    def labels(self) -> np.ndarray:
        return self.space.labels(self.numbers)


class Tabulated(NamedTuple):
    """A table with the classes of its rows and columns."""

    table: Table
    rows: Classes
    columns: Classes  # the very same as the rows unless `pred_labels` is given

    @property
    def labels(self) -> np.ndarray:
        return self.rows.labels

    @property
    def pred_labels(self) -> np.ndarray:
        return self.columns.labels

    @property
    def hits(self) -> np.ndarray:
        """Where row and column are the same class, shape of the table."""
        if self.columns is self.rows:
            return np.eye(len(self.rows.numbers), dtype=bool)
        # As objects, which are compared exactly, also if they are of different kinds.
        return np.equal.outer(
            self.labels.astype(object), self.pred_labels.astype(object)
        )

    def doubt(self) -> str | None:
        """Why measures of this table are worth little; None if nothing is wrong."""
        same_classes = self.columns is self.rows
        if same_classes and two_are_right(self.table):
            return None  # before the labels are looked up
        return doubt(self.table, self.labels, same_classes)


def doubt(table: Table, labels: np.ndarray, same_classes: bool) -> str | None:
    """Why measures of a table are worth little; None if nothing is wrong.

    Whether columns stand for the classes of the rows, `same_classes` says.
    """
    if same_classes and two_are_right(table):
        return None
    true, pred = (np.flatnonzero(table.sum(axis=axis)) for axis in (1, 0))
    if len(true) == 1:
        return (
            f"y_true has one class only ({_some(labels[true])}): "
            "entropy-modulated accuracy is 1 whatever is predicted, and confusion "
            "entropy means little."
        )
    if same_classes and not np.intersect1d(true, pred).size:
        return (
            "y_true and y_pred share no label. Got "
            f"{_some(labels[true])} in y_true and {_some(labels[pred])} "
            "in y_pred. If this is meant, as with the numbers of clusters, name "
            "the predicted classes by `pred_labels`."
        )
    return None


def two_are_right(table: Table) -> bool:
    """Whether two classes were recognised at least once: nearly always, and cheap."""
    return bool(np.count_nonzero(table.diagonal()) > 1)


def contingency_table(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sparse: bool | Literal["auto"] = False,
) -> Table:
    """Count how often each true class was predicted as each class.

    Entry :math:`C_{ij}` is the number (or the total weight) of samples of class i that
    were predicted to be of class j. Unlike a confusion matrix, the table may be
    rectangular: predictions may have classes of their own, such as a "reject" class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels: integers, booleans, strings, or floats that are whole numbers.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes, in the order of the rows. A label of `y_true` outside of them
        is an error. By default the sorted labels seen in `y_true` or `y_pred`; if
        `pred_labels` is given, those seen in `y_true`. The order of an ordered
        categorical is not used.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, in the order of the columns. By default the same as the
        rows. If they are given, they may be of another kind than the true ones, such
        as the numbers of clusters.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A label carried by samples of weight zero only is not
        seen.

    sparse : bool or "auto", default=False
        Whether to return a sparse array. "auto" does so if the table has more cells
        than there are samples, and more than 16,384. A dense table that would not fit
        into scikit-learn's `working_memory` is an error.

    Returns
    -------
    table : ndarray or scipy.sparse.csr_array of shape (n_classes, n_pred_classes)
        The dtype is int64 without weights and float64 with them.

    See Also
    --------
    EntropyBalance : The entropies of a table.
    sklearn.metrics.confusion_matrix : Square tables, where labels outside of the given
        ones are left out.

    Examples
    --------
    >>> from sklearn_entropy_metrics import contingency_table
    >>> y_true = ["cat", "ant", "cat", "cat", "ant", "bird"]
    >>> y_pred = ["ant", "ant", "cat", "cat", "ant", "cat"]
    >>> contingency_table(y_true, y_pred)
    array([[2, 0, 0],
           [0, 0, 1],
           [1, 0, 2]])
    >>> y_pred = ["ant", "ant", "cat", "?", "ant", "?"]
    >>> contingency_table(y_true, y_pred, pred_labels=["ant", "bird", "cat", "?"])
    array([[2, 0, 0, 0],
           [0, 0, 0, 1],
           [1, 0, 1, 1]])
    """
    return tabulate_labels(
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
        sparse=sparse,
    ).table


def tabulate_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sparse: bool | Literal["auto"] = "auto",
) -> Tabulated:
    """Make a contingency table and tell the labels of its rows and columns.

    The parameters are those of :func:`contingency_table`; `labels` may also be
    :class:`KnownLabels`.
    """
    if not (isinstance(sparse, bool) or sparse == "auto"):
        raise ValueError(f"sparse must be True, False or 'auto'. Got {sparse!r}.")
    given: Any = {"labels": labels, "pred_labels": pred_labels}
    found: Tabulated | None
    if any(map(is_dask, (y_true, y_pred, sample_weight))):
        part = tabulate_part(y_true, y_pred, sample_weight=sample_weight, **given)
        found = None if part is None else _labelled(part, sparse)
    else:
        found = _tabulate(y_true, y_pred, sample_weight, sparse, **given)
    if found is None:
        raise ValueError(NOTHING)
    return found


def tabulate_part(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: Any = None,
) -> Part | None:
    """Make a table that can be merged with those of other samples.

    The parameters are those of :func:`tabulate_labels`. It is None if there are no
    samples or all weigh nothing, which other samples can make up for.
    """
    arrays = {"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight}
    given: Any = {"labels": labels, "pred_labels": pred_labels}
    if any(map(is_dask, arrays.values())):
        return reduce_blocks(partial(tabulate_part, **given), merge_parts, **arrays)
    found = _tabulate(**arrays, sparse="auto", **given)
    if found is None:
        return None
    columns = None if found.columns is found.rows else found.pred_labels
    n_samples = len(y_true) if hasattr(y_true, "__len__") else len(np.asarray(y_true))
    return Part(found.table, found.labels, columns, n_samples)


def _tabulate(y_true, y_pred, sample_weight, sparse, labels, pred_labels):
    """The table of labels that are at hand, None if they weigh nothing."""
    arrays = {"y_true": encode(y_true, "y_true"), "y_pred": encode(y_pred, "y_pred")}
    weight = as_weight(sample_weight)
    n_samples = len(arrays["y_true"].codes)
    lengths = {n_samples, len(arrays["y_pred"].codes)}
    if len(lengths if weight is None else lengths | {len(weight)}) > 1:
        check_consistent_length(y_true, y_pred, weight)
    if labels is not None:
        arrays["labels"] = encode_given(labels, "labels")
    if pred_labels is not None:
        arrays["pred_labels"] = encode_given(pred_labels, "pred_labels")
    if weighs_nothing(n_samples, weight):
        return None
    codes, spaces = _share_codes(arrays, n_samples)
    if weight is not None and not weight.all():
        keep = weight > 0
        weight = weight[keep]
        codes["y_true"], codes["y_pred"] = codes["y_true"][keep], codes["y_pred"][keep]
    fixed = not isinstance(labels, KnownLabels)
    n_cells = len(spaces[0].space) * len(spaces[1].space)
    way = _tabulate_few if is_small(n_cells, n_samples) else _tabulate_many
    return way(codes, weight, spaces, fixed, sparse)


def _share_codes(arrays, n_samples):
    """Codes of all arrays, and the spaces of the rows and of the columns.

    It is one space, unless the predicted classes are given: these may be of another
    kind.
    """
    if "pred_labels" not in arrays:
        if arrays["y_true"].kind != arrays["y_pred"].kind:
            raise ValueError(
                f"y_true and y_pred must be of one kind. Got {arrays['y_true'].kind}s "
                f"in y_true and {arrays['y_pred'].kind}s in y_pred. If this is meant, "
                "as with the numbers of clusters, name the predicted classes by "
                "`pred_labels`."
            )
        shared = share(arrays, n_samples)
        return dict(zip(arrays, shared.codes, strict=True)), (shared, shared)
    codes, spaces = {}, []
    for names in (("y_true", "labels"), ("y_pred", "pred_labels")):
        some = {name: arrays[name] for name in names if name in arrays}
        shared = share(some, n_samples)
        codes.update(zip(some, shared.codes, strict=True))
        spaces.append(shared)
    return codes, spaces


def _labelled(part, sparse):
    """A merged table as one that was made at once."""
    table, labels, pred_labels, _ = part
    if sparse is False and sp.issparse(table):
        _check_dense(table.shape[0] * table.shape[1])
        table = table.toarray()
    elif sparse is True:
        table = sp.csr_array(table)
    rows = columns = Classes(Shared([], 0, labels), np.arange(len(labels)))
    if pred_labels is not None:
        columns = Classes(Shared([], 0, pred_labels), np.arange(len(pred_labels)))
    return Tabulated(table, rows, columns)


def _tabulate_few(codes, weight, spaces, fixed, sparse):
    """Count every pair of codes, then pick the rows and columns that are wanted."""
    shape = len(spaces[0].space), len(spaces[1].space)
    offsets = spaces[0].offset, spaces[1].offset
    full = count_pairs(codes["y_true"], codes["y_pred"], offsets, shape, weight)
    rows, columns = _choose(codes, full.any(axis=1), full.any(axis=0), spaces, fixed)
    is_whole = columns is rows and len(rows.numbers) == shape[0]
    if is_whole and "labels" not in codes:
        table = full
    else:
        table = full[rows.numbers][:, columns.numbers]
    if sparse is True:
        table = sp.csr_array(table)
    return Tabulated(table, rows, columns)


def _tabulate_many(codes, weight, spaces, fixed, sparse):
    """Find the rows and columns that are wanted, then count pairs of their numbers."""
    index, seen = [], []
    for y, shared in zip(("y_true", "y_pred"), spaces, strict=True):
        index.append(from_zero(codes[y], shared.offset))
        seen.append(np.zeros(len(shared.space), dtype=bool))
        seen[-1][index[-1]] = True
    chosen = _choose(codes, *seen, spaces, fixed)
    for i, classes in enumerate(chosen):
        number = np.empty(len(classes.space.space), dtype=np.int64)
        number[classes.numbers] = np.arange(len(classes.numbers))
        index[i] = number[index[i]]
    shape = len(chosen[0].numbers), len(chosen[1].numbers)
    n_cells = shape[0] * shape[1]
    if sparse is False:
        _check_dense(n_cells)
    if sparse is False or (sparse == "auto" and is_small(n_cells, len(index[0]))):
        table = count_pairs(*index, (0, 0), shape, weight)
    else:
        table = count_sparse(*index, shape, weight)
    return Tabulated(table, *chosen)


def _choose(codes, true_seen, pred_seen, spaces, fixed):
    """The classes of the rows and of the columns."""
    true_space, pred_space = spaces
    labels, pred_labels = codes.get("labels"), codes.get("pred_labels")
    if labels is not None:
        labels = from_zero(labels, true_space.offset)
    if labels is not None and fixed:
        rows = Classes(true_space, labels)
        check_covered(labels, true_seen, true_space, "labels", "y_true")
    else:
        wanted = true_seen | pred_seen if pred_labels is None else true_seen.copy()
        if labels is not None:
            wanted[labels] = True
        rows = Classes(true_space, wanted.nonzero()[0])
    columns = rows
    if pred_labels is not None:
        columns = Classes(pred_space, from_zero(pred_labels, pred_space.offset))
    if pred_labels is not None or labels is not None:
        name = "labels" if pred_labels is None else "pred_labels"
        check_covered(columns.numbers, pred_seen, pred_space, name, "y_pred")
    return rows, columns


def check_covered(labels, seen, shared, name, of):
    """Refuse labels that were seen in `of` but are not among the given ones."""
    outside = seen.copy()
    outside[labels] = False
    if outside.any():
        raise ValueError(
            f"{name} must contain every value of {of}. Got besides: "
            f"{_some(shared.labels(outside.nonzero()[0]))}."
        )


def _some(labels):
    """The first few labels, for a message."""
    more = ", …" if len(labels) > 5 else ""
    return ", ".join(map(repr, labels[:5].tolist())) + more


def encode_given(labels, name):
    """Encode `labels` or `pred_labels` as given by the user."""
    if isinstance(labels, KnownLabels):
        return encode(labels.classes, name)
    encoded = encode(labels, name)
    n_labels = len(encoded.codes)
    if n_labels == 0:
        raise ValueError(f"{name} must not be empty.")
    if len(np.unique(encoded.codes)) < n_labels:
        raise ValueError(f"{name} must not repeat a label. Got {labels!r}.")
    return encoded


def given_labels(labels: Any, name: str) -> np.ndarray:
    """The labels that the user gave as an array of our own, each as it is."""
    encoded = encode_given(labels, name)
    if encoded.values is None:
        return encoded.codes.copy()
    return encoded.values[encoded.codes]


def check_memory(n_bytes: int, what: str, advice: str) -> None:
    """Refuse to make what would not fit into scikit-learn's `working_memory`."""
    limit = get_config()["working_memory"]
    if n_bytes > limit * 2**20:
        raise ValueError(
            f"{what} would take {n_bytes / 2**20:,.0f} MiB, more than scikit-learn's "
            f"working_memory of {limit} MiB; {advice}."
        )


def _check_dense(n_cells):
    check_memory(8 * n_cells, "A dense table", "use sparse='auto'")


def check_weight(sample_weight: Any) -> np.ndarray | None:
    """Sample weights as an array of float64, not all of them zero, or None."""
    weight = as_weight(sample_weight)
    if weight is not None and weight.size and not weight.any():
        raise ValueError("sample_weight must not be all zero.")
    return weight


def as_weight(sample_weight: Any) -> np.ndarray | None:
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


def effective_size(sample_weight: Any) -> float | None:
    """How many samples of equal weight tell as much: (Σw)² / Σw²; None for None."""
    if sample_weight is None:
        return None
    weight: Any = sample_weight
    if not is_dask(weight):
        weight = check_weight(weight)
    weight = weight / weight.max()
    return float(weight.sum() ** 2 / (weight**2).sum())


def weighs_nothing(n_samples: int, weight: np.ndarray | None) -> bool:
    """Whether there are no samples, or some that all weigh nothing."""
    return n_samples == 0 or (weight is not None and not weight.any())


def check_integer(value: Any, name: str, minimum: int) -> int:
    """Return `value` as an int, or say what is wrong with it."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < minimum:
        raise ValueError(
            f"`{name}` must be an integer of at least {minimum}; got {value!r}."
        )
    return int(value)


def as_numbers(values: Any, name: str) -> np.ndarray:
    """An array of numbers that the user gave, of whatever shape."""
    refuse_mask(values, name)
    try:
        array = np.asarray(values)
    except ValueError as error:  # lists of unequal lengths
        raise ValueError(f"{name} must be an array of numbers: {error}.") from error
    if array.dtype.kind not in "biufO":
        raise ValueError(
            f"{name} must be an array of numbers. Got dtype {array.dtype}."
        )
    return array if array.dtype != object else as_floats(array, name)


def as_floats(array: np.ndarray, name: str) -> np.ndarray:
    """The same numbers as float64; an error if objects are no numbers."""
    if array.dtype == np.float64:
        return array
    try:
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must hold numbers: {error}.") from error


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
        In C order, so that sums of a table do not depend on how it lay in memory.
        Counts may have a total that is too large for an integer.
    """
    if np.ma.is_masked(table):
        raise ValueError("The table has masked entries; fill them first.")
    given = sp.csr_array(table) if sp.issparse(table) else np.asarray(table)
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
    is_canonical = table.has_canonical_format
    cells = _check_cells(table.data, None, copy)
    if not is_canonical and cells.sum(dtype=np.float64) >= 2.0**63:
        cells = cells.astype(np.float64)  # in which they can be added up
    buffers = cells, table.indices, table.indptr
    checked = sp.csr_array(buffers, table.shape, copy=copy or not is_canonical)
    checked.sum_duplicates()
    return checked


def _check_cells(cells, axis, copy):
    """Cells as int64 or float64, if their sums over an axis are finite."""
    if cells.dtype.kind not in "biufO":
        raise ValueError(f"A table must hold numbers. Got dtype {cells.dtype}.")
    if cells.dtype.kind == "O":
        cells = as_floats(cells, "A table")
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
    if high > sys.float_info.max / cells.size:
        with np.errstate(over="ignore"):
            total = cells.sum(axis=axis).max()
        if total == np.inf:
            raise ValueError(
                "A table must have a finite total. Got cells whose sum overflows, the "
                f"largest of them {high}."
            )
    return cells
