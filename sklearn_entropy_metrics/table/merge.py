"""Tables of some of the samples → the table of all of them, or aligned tables."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.table.checks import check_memory
from sklearn_entropy_metrics.table.classes import ClassTable, number_labels
from sklearn_entropy_metrics.table.count import is_small


def merge_tables(parts: Sequence[ClassTable]) -> ClassTable:
    """Add tables up, each label in its place.

    Labels that are the same in all parts keep their order; others are sorted.
    """
    first = parts[0]
    if len(parts) == 1:
        return first
    rows, columns, placed = _place(parts)
    shape = len(rows), len(columns)
    class_weight = None
    if first.class_weight is not None:
        if len(numbers := {part.table.shape[1] for part in parts}) > 1:
            raise ValueError(
                "y_proba must have the same number of columns in all parts. Got "
                f"{' and '.join(map(str, sorted(numbers)))}."
            )
        class_weight = np.zeros(shape[0])
        for part, (_, places, _) in zip(parts, placed, strict=True):
            class_weight[places] += part.class_weight
    n_samples = sum(part.n_samples for part in parts)
    is_dense = class_weight is not None or is_small(math.prod(shape), n_samples)
    return first._replace(
        table=(_add_dense if is_dense else _add_sparse)(placed, shape),
        labels=rows,
        pred_labels=columns,
        size=_effective_size(parts),
        class_weight=class_weight,
        sums_to_one=all(part.sums_to_one for part in parts),
    )


def stack_tables(parts: Sequence[ClassTable | None]) -> ClassTable:
    """Stack tables over the same classes; at least one is not None.

    Those of None are empty. The result has a table of shape (n_parts, k, m).
    """
    filled = {i: part for i, part in enumerate(parts) if part is not None}
    rows, columns, placed = _place(list(filled.values()))
    shape = len(parts), len(rows), len(columns)
    check_memory(8 * math.prod(shape), "A stack of these tables", "use fewer classes")
    tables = np.zeros(shape, np.result_type(*(table.dtype for table, *_ in placed)))
    for number, one in zip(filled, placed, strict=True):
        tables[number] = _add_dense([one], shape[1:])
    return ClassTable(tables, rows, columns, _effective_size(list(filled.values())))


def _place(parts):
    """All classes, and each table with the places of its rows and columns in them."""
    rows, places = _union([part.labels for part in parts])
    columns, pred_places = rows, places
    if parts[0].pred_labels is not parts[0].labels:
        columns, pred_places = _union([part.pred_labels for part in parts])
    tables = [part.table for part in parts]
    return rows, columns, list(zip(tables, places, pred_places, strict=True))


def _union(arrays):
    """All labels of several arrays, and where among them those of each array are.

    If the arrays are equal they keep their order, else the labels are sorted.
    """
    first = arrays[0]
    if all(np.array_equal(array, first) for array in arrays):
        return first, [np.arange(len(first))] * len(arrays)
    numbered = number_labels({f"part {i}": array for i, array in enumerate(arrays)})
    return numbered.rows, numbered.numbers


def _effective_size(parts):
    """The effective number of samples of all parts: of each, Σw² is (Σw)² / size."""
    if all(part.size is None for part in parts):
        return None
    weights = np.array([part.total for part in parts])
    weights /= weights.max()  # so that no square vanishes
    sizes = [part.n_samples for part in parts]
    return float(weights.sum() ** 2 / (weights**2 / sizes).sum())


def _add_dense(placed, shape):
    table = np.zeros(shape, dtype=np.result_type(*(part.dtype for part, *_ in placed)))
    for part, rows, columns in placed:
        dense = part.toarray() if sp.issparse(part) else part
        table[np.ix_(rows, columns)] += dense
    return table


def _add_sparse(placed, shape):
    table = sp.csr_array(shape, dtype=np.int64)
    for part, rows, columns in placed:
        cells = sp.coo_array(part)
        places = rows[cells.coords[0]], columns[cells.coords[1]]
        table = table + sp.csr_array((cells.data, places), shape=shape)
    return table
