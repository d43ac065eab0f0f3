"""Tables of some of the samples → the table of all of them, or aligned tables."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.table.checks import Table, check_memory
from sklearn_entropy_metrics.table.count import is_small
from sklearn_entropy_metrics.table.labels import union


class Part(NamedTuple):
    """The table of some samples, with its labels.

    `pred_labels` is None if the columns have the labels of the rows, so that they still
    do after tables with other labels are added. `size` is the effective number of
    samples, (Σw)² / Σw²; None if all of them have no weight.
    """

    table: Table
    labels: np.ndarray
    pred_labels: np.ndarray | None
    n_samples: int
    size: float | None = None


def merge_parts(parts: Sequence[Part], weights: Sequence[float] | None = None) -> Part:
    """Add tables up, each label in its place.

    Labels that are the same in all parts keep their order; others are sorted. The
    weights of the samples of each part are the totals of the tables unless given.
    """
    if len(parts) == 1:
        return parts[0]
    labels, pred_labels, placed = _place(parts)
    n_samples = sum(part.n_samples for part in parts)
    return _add(placed, labels, pred_labels, n_samples, _effective_size(parts, weights))


def align(parts: Sequence[Part]) -> list[Part]:
    """Give tables the same rows and columns: those that `merge_parts` would give."""
    labels, pred_labels, placed = _place(parts)
    return [
        _add([one], labels, pred_labels, part.n_samples, part.size)
        for one, part in zip(placed, parts, strict=True)
    ]


def stack_tables(parts: Sequence[Part | None]) -> tuple[np.ndarray, np.ndarray]:
    """Stack tables over the same classes; at least one is not None.

    Returns
    -------
    tables : ndarray of shape (n_parts, n_classes, n_pred_classes)
        Those of None are empty.

    labels : ndarray of shape (n_classes,)
        The labels of the rows.
    """
    filled = {i: part for i, part in enumerate(parts) if part is not None}
    aligned = align(list(filled.values()))
    shape = len(parts), *aligned[0].table.shape
    check_memory(8 * math.prod(shape), "The tables of all folds", "use fewer classes")
    tables = np.zeros(shape, dtype=np.result_type(*(part.table for part in aligned)))
    for number, part in zip(filled, aligned, strict=True):
        table = part.table
        tables[number] = table if isinstance(table, np.ndarray) else table.toarray()
    return tables, aligned[0].labels


def _place(parts):
    """All labels, and each table with the places of its rows and columns among them."""
    labels, rows = union([part.labels for part in parts])
    pred_labels, columns = None, rows
    if parts[0].pred_labels is not None:
        pred_labels, columns = union([part.pred_labels for part in parts])
    tables = [part.table for part in parts]
    return labels, pred_labels, list(zip(tables, rows, columns, strict=True))


def _effective_size(parts, weights):
    """The effective number of samples of all parts: of each, Σw² is (Σw)² / size."""
    if all(part.size is None for part in parts):
        return None
    sizes = [part.n_samples if part.size is None else part.size for part in parts]
    if weights is None:
        weights = [part.table.sum(dtype=np.float64) for part in parts]
    weights = np.array(weights) / max(weights)  # so that no square vanishes
    return float(weights.sum() ** 2 / (weights**2 / sizes).sum())


def _add(placed, labels, pred_labels, n_samples, size):
    shape = len(labels), len(labels if pred_labels is None else pred_labels)
    add = _add_dense if is_small(shape[0] * shape[1], n_samples) else _add_sparse
    return Part(add(placed, shape), labels, pred_labels, n_samples, size)


def _add_dense(placed, shape):
    table = np.zeros(shape, dtype=np.result_type(*(part.dtype for part, *_ in placed)))
    for part, rows, columns in placed:
        dense = part.toarray() if sp.issparse(part) else part
        table[np.ix_(rows, columns)] += dense
    return table


def _add_sparse(placed, shape):
    values, rows, columns = [], [], []
    for part, row, column in placed:
        cells = sp.coo_array(part)
        values.append(cells.data)
        rows.append(row[cells.coords[0]])
        columns.append(column[cells.coords[1]])
    cells = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return sp.coo_array(cells, shape=shape).tocsr()
