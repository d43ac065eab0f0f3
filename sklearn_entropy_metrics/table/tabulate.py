"""Labels, probabilities and given matrices → checked tables.

The one gate for user data: everything behind it trusts its input. A table has a row for
each true class and a column for each predicted class; it is an array, a stack of arrays
or a sparse array.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics.table.blocks import is_dask, reduce_blocks
from sklearn_entropy_metrics.table.checks import (
    Table,
    as_weight,
    check_memory,
    check_weight,
    weighs_nothing,
)
from sklearn_entropy_metrics.table.classes import (
    Classes,
    KnownLabels,
    choose_sides,
    encode_given,
    some_labels,
)
from sklearn_entropy_metrics.table.count import count_pairs, count_sparse, is_small
from sklearn_entropy_metrics.table.labels import (
    Codes,
    Space,
    encode,
    share,
    share_sides,
)
from sklearn_entropy_metrics.table.merge import Part, merge_parts

NOTHING = (
    "y_true is empty, or sample_weight is all zero; at least 1 sample of positive "
    "weight is required."
)
NAME_PREDICTED = (
    "If this is intended, as with cluster numbers, pass the predicted classes as "
    "`pred_labels`."
)


class Tabulated(NamedTuple):
    """A table with the classes of its rows and columns."""

    table: Table
    rows: Classes
    columns: Classes  # the same as the rows unless `pred_labels` is given

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
            return np.eye(len(self.rows.places), dtype=bool)
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
    """Why measures of a table mean little; None if nothing is wrong.

    `same_classes` says whether columns stand for the classes of the rows.
    """
    if same_classes and two_are_right(table):
        return None
    true, pred = (np.flatnonzero(table.sum(axis=axis)) for axis in (1, 0))
    if len(true) == 1:
        return (
            f"y_true has one class only ({some_labels(labels[true])}): "
            "entropy-modulated accuracy is 1 for any prediction, and confusion "
            "entropy means little."
        )
    if same_classes and not np.intersect1d(true, pred).size:
        return (
            "y_true and y_pred share no label. Got "
            f"{some_labels(labels[true])} in y_true and {some_labels(labels[pred])} "
            f"in y_pred. {NAME_PREDICTED}"
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
    rectangular: predictions may have their own classes, such as a "reject" class.

    Read more in the :ref:`User Guide <scale>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels: integers, booleans, strings, or floats that are whole numbers.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    labels : array-like of shape (n_classes,), default=None
        The true classes, in the order of the rows. Any other label in `y_true` is an
        error. By default, the sorted labels seen in `y_true` or `y_pred`; if
        `pred_labels` is given, those seen in `y_true`. The order of an ordered
        categorical is not used.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, in the order of the columns. By default, the same as the
        rows. If given, they may be of a different kind than the true ones, such as
        cluster numbers.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. Labels that occur only in samples of weight zero are
        ignored.

    sparse : bool or "auto", default=False
        Whether to return a sparse array. "auto" does so if the table has more cells
        than there are samples, and more than 16,384. A dense table that does not fit
        into scikit-learn's `working_memory` is an error.

    Returns
    -------
    table : ndarray or scipy.sparse.csr_array of shape (n_classes, n_pred_classes)
        The dtype is int64 without weights and float64 with them.

    See Also
    --------
    EntropyBalance : The entropies of a table.
    sklearn.metrics.confusion_matrix : Square tables, without labels outside the given
        ones.

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
    """Make a contingency table, with the labels of its rows and columns.

    The parameters are those of :func:`contingency_table`; `labels` may also be
    :class:`KnownLabels`.
    """
    if not (isinstance(sparse, bool) or sparse == "auto"):
        raise ValueError(f"sparse must be True, False or 'auto'. Got {sparse!r}.")
    found: Tabulated | None
    if is_dask(y_true) or is_dask(y_pred) or is_dask(sample_weight):
        part = tabulate_part(
            y_true,
            y_pred,
            labels=labels,
            pred_labels=pred_labels,
            sample_weight=sample_weight,
        )
        found = None if part is None else _labelled(part, sparse)
    else:
        found = _tabulate(y_true, y_pred, sample_weight, sparse, labels, pred_labels)
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
    size = effective_size(sample_weight)
    return Part(found.table, found.labels, columns, n_samples, size)


def _tabulate(y_true, y_pred, sample_weight, sparse, labels, pred_labels):
    """The table of labels in memory, None if they weigh nothing."""
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
    if pred_labels is None and arrays["y_true"].kind != arrays["y_pred"].kind:
        raise ValueError(
            f"y_true and y_pred must be of one kind. Got {arrays['y_true'].kind}s "
            f"in y_true and {arrays['y_pred'].kind}s in y_pred. {NAME_PREDICTED}"
        )
    codes, spaces = share_sides(arrays, n_samples)
    if weight is not None and not weight.all():
        keep = weight > 0
        weight = weight[keep]
        for name in ("y_true", "y_pred"):
            codes[name] = codes[name].kept(keep)
    fixed = not isinstance(labels, KnownLabels)
    n_cells = spaces[0].size * spaces[1].size
    way = _tabulate_few if is_small(n_cells, n_samples) else _tabulate_many
    return way(codes, weight, spaces, fixed, sparse)


def _labelled(part, sparse):
    """A merged table as one that was made at once."""
    table, labels, pred_labels, *_ = part
    if sparse is False and sp.issparse(table):
        _check_dense(table.shape[0] * table.shape[1])
        table = table.toarray()
    elif sparse is True:
        table = sp.csr_array(table)
    rows = columns = Classes(Space(labels), np.arange(len(labels)))
    if pred_labels is not None:
        columns = Classes(Space(pred_labels), np.arange(len(pred_labels)))
    return Tabulated(table, rows, columns)


def _tabulate_few(codes, weight, spaces, fixed, sparse):
    """Count every pair of codes, then pick the requested rows and columns."""
    shape = spaces[0].size, spaces[1].size
    table = count_pairs(codes["y_true"], codes["y_pred"], shape, weight)
    none_given = len(codes) == 2
    if none_given and np.count_nonzero(table.diagonal()) == shape[0]:
        rows = columns = Classes(spaces[0], np.arange(shape[0]))
    else:
        seen: dict[str, Any] = {
            "y_true": table.any(axis=1),
            "y_pred": table.any(axis=0),
        }
        rows, columns = choose_sides(codes, spaces, seen, fixed=fixed)
        if not (none_given and len(rows.places) == shape[0]):
            table = table[rows.places][:, columns.places]
    if sparse is True:
        table = sp.csr_array(table)
    return Tabulated(table, rows, columns)


def _tabulate_many(codes, weight, spaces, fixed, sparse):
    """Find the requested rows and columns, then count pairs of their numbers."""
    places = codes["y_true"].from_zero(), codes["y_pred"].from_zero()
    seen = {"y_true": spaces[0].mark(places[0]), "y_pred": spaces[1].mark(places[1])}
    rows, columns = choose_sides(codes, spaces, seen, fixed=fixed)
    numbers = rows.numbering()
    true = Codes(numbers[places[0]])
    if columns is not rows:
        numbers = columns.numbering()
    pred = Codes(numbers[places[1]])
    shape = len(rows.places), len(columns.places)
    n_cells = shape[0] * shape[1]
    if sparse is False:
        _check_dense(n_cells)
    if sparse is False or (sparse == "auto" and is_small(n_cells, len(places[0]))):
        table = count_pairs(true, pred, shape, weight)
    else:
        table = count_sparse(true, pred, shape, weight)
    return Tabulated(table, rows, columns)


def labels_of(y: Any) -> np.ndarray:
    """The sorted labels of one array."""
    arrays = {"y_true": encode(y, "y_true")}
    n_samples = len(arrays["y_true"].codes)
    if n_samples == 0:
        raise ValueError(NOTHING)
    codes, space = share(arrays, n_samples)
    seen = space.mark(codes["y_true"].from_zero())
    return space.labels(seen.nonzero()[0])


def _check_dense(n_cells):
    check_memory(8 * n_cells, "A dense table", "use sparse='auto'")


def effective_size(sample_weight: Any) -> float | None:
    """The equivalent number of samples of equal weight: (Σw)² / Σw²; None for None."""
    if sample_weight is None:
        return None
    weight: Any = sample_weight
    if not is_dask(weight):
        weight = check_weight(weight)
    weight = weight / weight.max()
    return float(weight.sum() ** 2 / (weight**2).sum())
