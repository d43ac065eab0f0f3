"""From labels to 2x2 tables: of the positive class, or of each class."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.balance import float_or_array
from sklearn_entropy_metrics.measure.classes import (
    Average,
    average_over_classes,
    check_average,
    split_classes,
)
from sklearn_entropy_metrics.table.tabulate import Tabulated, tabulate


def class_tables(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None,
    pred_labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
    pos_label: Any,
    average: Average,
) -> np.ndarray:
    """Tabulate labels once, and split the table.

    Parameters
    ----------
    y_true, y_pred, labels, pred_labels, sample_weight
        As in :func:`contingency_table`.

    pos_label, average
        As in :func:`discriminant_capability_score`.

    Returns
    -------
    tables : ndarray of shape (2, 2) or (n_classes, 2, 2)
        ``[[TN, FP], [FN, TP]]`` of the positive class if the average is "binary", else
        of each class.
    """
    check_average(average)
    if average != "binary" and pos_label not in (None, 1):
        warnings.warn(
            f"pos_label={pos_label!r} is ignored, since average={average!r} is not "
            "'binary'.",
            UserWarning,
            stacklevel=3,
        )
    tabulated = tabulate(
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
    )
    tables = _split(tabulated)
    if average != "binary":
        return tables
    return _positive(tables, tabulated.labels.tolist(), pos_label)


def class_average(values: Any, tables: np.ndarray, average: Average) -> Any:
    """Average what was computed of :func:`class_tables`; floats for a single number."""
    if average == "binary":
        return values
    support = tables[:, 1].sum(axis=-1)
    return float_or_array(average_over_classes(values, support, average))


def _split(tabulated: Tabulated) -> np.ndarray:
    table = tabulated.table
    if tabulated.columns is tabulated.rows:
        return split_classes(table)
    # Bring the column of each true class into its place; a class may have none.
    place = {label: place for place, label in enumerate(tabulated.pred_labels.tolist())}
    known = [place.pop(label, -1) for label in tabulated.labels.tolist()]
    dense = table if isinstance(table, np.ndarray) else table.toarray()
    padded = np.pad(dense, ((0, 0), (0, 1)))  # the last column, at -1, is empty
    elsewhere = dense[:, list(place.values())].sum(axis=1)
    return split_classes(padded[:, known], elsewhere)


def _positive(tables, labels, pos_label):
    if len(labels) > 2:
        raise ValueError(
            "Target is multiclass but average='binary'. Please choose another average "
            "setting, one of [None, 'macro', 'weighted']."
        )
    if pos_label in labels:
        return tables[labels.index(pos_label)]
    if len(labels) == 2:
        raise ValueError(
            f"pos_label={pos_label!r} is not a valid label. "
            f"It should be one of {labels}."
        )
    return tables[0, ::-1, ::-1]  # one class only, and it is the negative one
