"""Labels, probabilities and given matrices → checked tables.

The one gate for user data: everything behind it trusts its input. A table has a row for
each true class and a column for each predicted class; it is an array, a stack of arrays
or a sparse array.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics.table.blocks import is_dask, reduce_blocks
from sklearn_entropy_metrics.table.checks import (
    NOTHING,
    Table,
    as_weight,
    check_memory,
    weighs_nothing,
)
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.classes import (
    Classes,
    KnownLabels,
    encode_given,
    encode_sides,
    number_labels,
)
from sklearn_entropy_metrics.table.count import count_pairs, count_sparse, is_small
from sklearn_entropy_metrics.table.labels import Codes, encode
from sklearn_entropy_metrics.table.merge import merge_tables


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


def tabulate_labels(y_true: ArrayLike, y_pred: ArrayLike, **given: Any) -> ClassTable:
    """Make a contingency table that knows its classes.

    The parameters are those of :func:`tabulate_part`.
    """
    found = tabulate_part(y_true, y_pred, **given)
    if found is None:
        raise ValueError(NOTHING)
    return found


def tabulate_part(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sparse: bool | Literal["auto"] = "auto",
) -> ClassTable | None:
    """Make a table that can be merged with those of other samples.

    The parameters are those of :func:`contingency_table`; `labels` may also be
    :class:`KnownLabels`. It is None if there are no samples or all weigh nothing, which
    other samples can make up for.
    """
    if not (isinstance(sparse, bool) or sparse == "auto"):
        raise ValueError(f"`sparse` must be True, False or 'auto'. Got {sparse!r}.")
    arrays = {"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight}
    given: Any = {"labels": labels, "pred_labels": pred_labels}
    if any(map(is_dask, arrays.values())):
        part = reduce_blocks(partial(tabulate_part, **given), merge_tables, **arrays)
        return None if part is None else part._replace(table=_as(part.table, sparse))
    return _tabulate(**arrays, **given, sparse=sparse)


def _tabulate(y_true, y_pred, sample_weight, labels, pred_labels, sparse):
    """The table of labels in memory, None if they weigh nothing."""
    true, pred = encode(y_true, "y_true"), encode(y_pred, "y_pred")
    weight = as_weight(sample_weight)
    n_samples = len(true.codes)
    lengths = {n_samples, len(pred.codes)}
    if len(lengths if weight is None else lengths | {len(weight)}) > 1:
        check_consistent_length(y_true, y_pred, weight)
    for some, name in ((labels, "labels"), (pred_labels, "pred_labels")):
        if some is not None and weighs_nothing(n_samples, weight):
            encode_given(some, name)
    if weighs_nothing(n_samples, weight):
        return None
    sides = encode_sides({"y_true": true}, {"y_pred": pred}, labels, pred_labels)
    shape = sides.spaces[0].size, sides.spaces[1].size
    if is_small(shape[0] * shape[1], n_samples):
        table, rows, columns = _tabulate_few(sides, weight, shape)
    else:
        table, rows, columns = _tabulate_many(sides, weight, sparse)
    return ClassTable(_as(table, sparse), rows, columns, effective_size(weight))


def _as(table, sparse):
    """A table made dense or sparse if that is asked for."""
    if sparse is False and sp.issparse(table):
        _check_dense(table.shape[0] * table.shape[1])
        return table.toarray()
    return sp.csr_array(table) if sparse is True else table


def _tabulate_few(sides, weight, shape):
    """Count every pair of codes, then pick the requested rows and columns."""
    table = count_pairs(sides.true["y_true"], sides.pred["y_pred"], shape, weight)
    none_given = sides.labels is sides.pred_labels is None
    if none_given and np.count_nonzero(table.diagonal()) == shape[0]:
        rows = Classes(sides.spaces[0], np.arange(shape[0]))
        return table, rows, rows
    rows, columns = sides.choose(table.any(axis=1), table.any(axis=0))
    if not (none_given and len(rows.places) == shape[0]):
        table = table[rows.places][:, columns.places]
    return table, rows, columns


def _tabulate_many(sides, weight, sparse):
    """Find the requested rows and columns, then count pairs of their numbers."""
    (true, pred), rows, columns = sides.number(weight)
    if weight is not None and not weight.all():
        keep = weight > 0
        true, pred, weight = true[keep], pred[keep], weight[keep]
    shape = len(rows.places), len(columns.places)
    n_cells = shape[0] * shape[1]
    if sparse is False:
        _check_dense(n_cells)
    is_dense = sparse is False or (sparse == "auto" and is_small(n_cells, len(true)))
    count = count_pairs if is_dense else count_sparse
    return count(Codes(true), Codes(pred), shape, weight), rows, columns


def labels_of(y: ArrayLike) -> np.ndarray:
    """The sorted labels of one array."""
    encoded = encode(y, "y_true")
    if len(encoded.codes) == 0:
        raise ValueError(NOTHING)
    return number_labels({"y_true": encoded}).rows.labels


def _check_dense(n_cells):
    check_memory(8 * n_cells, "A dense table", "use sparse='auto'")


def effective_size(sample_weight: ArrayLike | None) -> float | None:
    """The equivalent number of samples of equal weight: (Σw)² / Σw²; None for None."""
    if sample_weight is None:
        return None
    weight: Any = sample_weight
    if not is_dask(weight):
        weight = as_weight(weight)
        weight = weight[weight > 0]  # which would change the round-off
    weight = weight / weight.max()
    return float(weight.sum() ** 2 / (weight**2).sum())
