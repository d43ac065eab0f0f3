"""From labels to 2x2 tables, of the positive class or of each class, and to scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.balance.balance import float_or_array
from sklearn_entropy_metrics.measure.catalog import MEASURES
from sklearn_entropy_metrics.measure.classes import (
    Average,
    average_over_classes,
    check_average,
    positive_class,
    split_classes,
)
from sklearn_entropy_metrics.score._undefined import finish
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.tabulate import tabulate_labels


def class_score(
    function: Callable[..., Any],
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None,
    pred_labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
    replace_undefined_by: float,
    pos_label: Any,
    average: Average,
    reason: str,
) -> Any:
    """Measure the positive class, or average over all classes.

    Parameters
    ----------
    function : callable
        Measure of a stack of 2x2 tables.

    y_true, y_pred, labels, pred_labels, sample_weight, replace_undefined_by, \
    pos_label, average
        As in :func:`discriminant_capability_score`.

    reason : str
        Which metric is undefined and when.

    Returns
    -------
    score : float or ndarray of shape (n_classes,)
    """
    check_average(average)
    if average != "binary" and pos_label not in (None, 1):
        warn(
            f"pos_label={pos_label!r} is ignored because average={average!r} is not "
            "'binary'."
        )
    found = tabulate_labels(
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
    )
    tables = class_tables(found)
    if average == "binary":
        matters = all(
            m.needs_positive
            for m in MEASURES.values()
            if m.function is function and not m.is_average
        )
        positive = positive_class(found.labels.tolist(), pos_label, matters)
        value = function(tables[positive])
    else:
        support = tables[:, 1].sum(axis=-1)
        value = float_or_array(average_over_classes(function(tables), support, average))
    return finish(value, found, replace_undefined_by, reason)


def class_tables(found: ClassTable) -> np.ndarray:
    """Split a table into those of each class against the rest.

    Parameters
    ----------
    found : ClassTable
        A table; the classes of its columns may differ from those of its rows.

    Returns
    -------
    tables : ndarray of shape (n_classes, 2, 2)
        ``[[TN, FP], [FN, TP]]`` of each true class.
    """
    table = found.table
    if found.is_square:
        return split_classes(table)
    # Put the column of each true class in its place; a class may have none.
    place = {
        label: place
        for place, label in enumerate(np.asarray(found.pred_labels).tolist())
    }
    known = [place.pop(label, -1) for label in found.labels.tolist()]
    dense = table if isinstance(table, np.ndarray) else table.toarray()
    padded = np.pad(dense, ((0, 0), (0, 1)))  # the last column, at -1, is empty
    elsewhere = dense[:, list(place.values())].sum(axis=1)
    return split_classes(padded[:, known], elsewhere)
