"""Labels, or a table in their place → one table that knows its classes."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.balance import balance_of, is_of_variables
from sklearn_entropy_metrics.table.accumulate import TableAccumulator
from sklearn_entropy_metrics.table.checks import Table
from sklearn_entropy_metrics.table.classes import encode_given
from sklearn_entropy_metrics.table.tabulate import doubt, tabulate_labels


class Given(NamedTuple):
    """One table and its classes.

    Columns that stand for the classes of the rows are in the order of the rows.

    Attributes
    ----------
    table : ndarray or csr_array of shape (k, m)
        Counts, weights or probabilities, true classes in rows.

    labels : ndarray of shape (k,)
        The classes of the rows.

    pred_labels : ndarray of shape (m,) or None
        The classes of the columns; None if they are not known.

    doubt : str or None
        Why measures of the table mean little; None if nothing is wrong.

    n_samples : float or None
        The effective number of samples, if they had weights that an accumulator has
        seen; None if the total of the table says it.

    class_weight : ndarray of shape (k,) or None
        The weight of the samples of each class if the table is that of the
        probabilities that an accumulator has seen; None for any other table.
    """

    table: Table
    labels: np.ndarray
    pred_labels: np.ndarray | None
    doubt: str | None
    n_samples: float | None = None
    class_weight: np.ndarray | None = None

    @property
    def is_square(self) -> bool:
        """Whether the columns stand for the classes of the rows."""
        columns = self.pred_labels
        return columns is not None and self.labels.tolist() == columns.tolist()

    @property
    def hits(self) -> np.ndarray:
        """The cells whose row and column are the same class, of shape (k, m)."""
        hits = np.zeros(self.table.shape, dtype=bool)
        if self.pred_labels is not None:
            place = {label: i for i, label in enumerate(self.pred_labels.tolist())}
            for i, label in enumerate(self.labels.tolist()):
                if label in place:
                    hits[i, place[label]] = True
        return hits


def given_table(
    y_true: ArrayLike | None,
    y_pred: ArrayLike | None,
    table: Any,
    *,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sparse: bool | Literal["auto"] = "auto",
) -> Given:
    """Tabulate labels, or use the table that was passed instead.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,) or None
        True and predicted labels.

    table : array-like of shape (k, m), sparse, EntropyBalance, TableAccumulator or None
        The table, instead of the labels.

    labels, pred_labels : array-like or None
        The classes of rows and columns, as in :func:`contingency_table`. They name
        those of a table; by default, numbers or the labels that an accumulator has
        seen.

    sample_weight, sparse
        As in :func:`contingency_table`, for labels.

    Returns
    -------
    given : Given
    """
    arrays = [y for y in (y_true, y_pred, sample_weight) if y is not None]
    if table is not None and arrays:
        raise ValueError(
            "table takes the place of y_true, y_pred and sample_weight: pass one or "
            "the other, not both."
        )
    if table is not None:
        return _aligned(named_table(table, labels, pred_labels))
    if y_true is None or y_pred is None:
        raise ValueError("Pass y_true and y_pred, or a table instead.")
    found = tabulate_labels(
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
        sparse=sparse,
    )
    return _aligned(Given(found.table, found.labels, found.pred_labels, found.doubt()))


def one_table(table: Any) -> Table:
    """Check a table that may also be a balance or an accumulator, but not a stack."""
    if isinstance(table, TableAccumulator):
        return table.table
    balance = balance_of(table)
    if is_of_variables(balance):
        raise ValueError(
            "A table of classes is needed. Got a balance of several variables; "
            "`balance.table` treats each distinct row as a class."
        )
    checked = balance.table
    if checked.ndim > 2:
        raise ValueError(
            f"One table is needed, of shape (k, m). Got a stack of shape "
            f"{checked.shape}."
        )
    return checked


def named_table(table: Any, labels: Any = None, pred_labels: Any = None) -> Given:
    """A table with the names of its classes, in its own order.

    The parameters are those of :func:`given_table`.
    """
    checked = one_table(table)
    n_rows, n_columns = checked.shape
    if labels is not None:
        labels = _names(labels, "labels", n_rows, "row")
    if pred_labels is not None:
        pred_labels = _names(pred_labels, "pred_labels", n_columns, "column")
    same_classes = n_rows == n_columns and pred_labels is None
    if isinstance(table, TableAccumulator):
        same_classes = same_classes and table.pred_labels is None
        labels = _known(table.labels_, labels, "labels")
        pred_labels = _known(table.pred_labels_, pred_labels, "pred_labels")
    if labels is None:
        is_named = n_rows == n_columns and pred_labels is not None
        labels = pred_labels if is_named else np.arange(n_rows)
    if same_classes:
        pred_labels = labels
    doubtful = doubt(checked, labels, same_classes)
    given = Given(checked, labels, pred_labels, doubtful)
    if isinstance(table, TableAccumulator) and checked.dtype.kind == "f":
        given = given._replace(n_samples=table.effective_size)
        if table.holds_probabilities:
            given = given._replace(class_weight=table.class_weight)
    return given


def _names(labels, name, length, what):
    n_labels = len(encode_given(labels, name).codes)
    if n_labels != length:
        raise ValueError(
            f"{name} must name each {what} of the table, {length} in all. "
            f"Got {n_labels} labels."
        )
    return np.asarray(labels)


def _known(seen, given, name):
    """The labels of an accumulator, which knows their places."""
    if given is not None and seen.tolist() != given.tolist():
        raise ValueError(
            f"{name} must be those of the accumulator, {seen}, or None. Got {given}."
        )
    return seen


def _aligned(given):
    """Put columns that stand for the classes of the rows in the order of the rows."""
    if given.is_square or given.pred_labels is None:
        return given
    labels, pred_labels = given.labels.tolist(), given.pred_labels.tolist()
    place = {label: i for i, label in enumerate(pred_labels)}
    if place.keys() != set(labels):
        return given
    order = [place[label] for label in labels]
    return given._replace(table=given.table[:, order], pred_labels=given.labels)
