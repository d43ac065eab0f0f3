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

from sklearn_entropy_metrics.table import checks, classes
from sklearn_entropy_metrics.table.blocks import is_dask, reduce_blocks
from sklearn_entropy_metrics.table.checks import Table
from sklearn_entropy_metrics.table.classes import ClassTable, KnownLabels
from sklearn_entropy_metrics.table.count import count_pairs, count_sparse, is_small
from sklearn_entropy_metrics.table.labels import Codes, encode, labels_at
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
    table = tabulate_part(y_true, y_pred, **given)
    if table is None:
        raise ValueError(checks.NOTHING)
    return table


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
    if any(map(is_dask, arrays.values())):
        function = partial(tabulate_part, labels=labels, pred_labels=pred_labels)
        part = reduce_blocks(function, merge_tables, **arrays)
        return None if part is None else part._replace(table=_as(part.table, sparse))
    true, pred = encode(y_true, "y_true"), encode(y_pred, "y_pred")
    weight = checks.as_weight(sample_weight)
    n_samples = len(true.codes)
    n_weights = n_samples if weight is None else len(weight)
    if not n_samples == len(pred.codes) == n_weights:
        check_consistent_length(true.codes, pred.codes, weight)
    if checks.weighs_nothing(n_samples, weight):
        return None
    sides = classes.encode_sides(
        {"y_true": true}, {"y_pred": pred}, labels, pred_labels
    )
    n_cells = len(sides[0].space) * len(sides[-1].space)
    if is_small(n_cells, n_samples):
        table, rows, columns = _tabulate_few(sides, weight)
    else:
        table, rows, columns = _tabulate_many(sides, weight, sparse)
    return ClassTable(_as(table, sparse), rows, columns, effective_size(weight))


def _as(table, sparse):
    """A table made dense or sparse if that is asked for."""
    if sparse is False and sp.issparse(table):
        _check_dense(table.shape[0] * table.shape[1])
        return table.toarray()
    return sp.csr_array(table) if sparse is True else table


def _tabulate_few(sides, weight):
    """Count every pair of codes, then pick the requested rows and columns."""
    spaces = [side.space for side in sides]
    shape = len(spaces[0]), len(spaces[-1])
    table = count_pairs(sides[0].codes[0], sides[-1].codes[-1], shape, weight)
    none_given = len(sides) == 1 and sides[0].given is None
    if none_given and np.count_nonzero(table.diagonal()) == shape[0]:
        labels = labels_at(slice(None), spaces[0])
        return table, labels, labels
    seen = [table.any(axis=1), table.any(axis=0)]
    by_side = [seen] if len(sides) == 1 else [seen[:1], seen[1:]]
    places = [side.choose(masks) for side, masks in zip(sides, by_side, strict=True)]
    axes = [labels_at(*pair) for pair in zip(places, spaces, strict=True)]
    return table[places[0]][:, places[-1]], axes[0], axes[-1]


def _tabulate_many(sides, weight, sparse):
    """Find the requested rows and columns, then count pairs of their numbers."""
    (true, pred), rows, columns = classes.number_sides(sides, weight)
    if weight is not None and not weight.all():
        keep = weight > 0
        true, pred, weight = true[keep], pred[keep], weight[keep]
    shape = len(rows), len(columns)
    n_cells = shape[0] * shape[1]
    if sparse is False:
        _check_dense(n_cells)
    is_dense = sparse is False or (sparse == "auto" and is_small(n_cells, len(true)))
    count = count_pairs if is_dense else count_sparse
    return count(Codes(true), Codes(pred), shape, weight), rows, columns


def _check_dense(n_cells):
    checks.check_memory(8 * n_cells, "A dense table", "use sparse='auto'")


def effective_size(weight: np.ndarray | None) -> float | None:
    """The equivalent number of samples of equal weight: (Σw)² / Σw²; None for None."""
    if weight is None:
        return None
    weight = weight[weight > 0]  # zeros would change the round-off
    weight = weight / weight.max()
    return float(weight.sum() ** 2 / (weight**2).sum())
