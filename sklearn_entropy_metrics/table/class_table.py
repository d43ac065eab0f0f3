"""One table with its classes: what labels, frames, streams and folds become."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sklearn_entropy_metrics.table.checks import Table
from sklearn_entropy_metrics.table.classes import (
    NAME_PREDICTED,
    Classes,
    some_labels,
)


class ClassTable(NamedTuple):
    """A table, or a stack of tables, with the classes of its rows and columns.

    Attributes
    ----------
    table : ndarray of shape (..., k, m) or csr_array of shape (k, m)
        Counts (int64), or sums of weights or probabilities, true classes in rows.

    rows : Classes
        The true classes.

    columns : Classes or None
        The predicted classes: the very same as the rows unless they were given; None if
        they are not known.

    size : float or None
        The effective number of samples, (Σw)² / Σw² for weights w; None if it is the
        total of the table.

    class_weight : ndarray of shape (k,) or None
        The weight of the samples of each true class, if the table holds sums of their
        probabilities; None for any other table.

    sums_to_one : bool
        Whether the probabilities of every sample do.

    n_tested : float or None
        How often each sample was tested, if the table was cross-validated.

    is_named : bool
        Whether the labels are those of classes; else they are mere numbers of rows.
    """

    table: Table
    rows: Classes
    columns: Classes | None
    size: float | None = None
    class_weight: np.ndarray | None = None
    sums_to_one: bool = True
    n_tested: float | None = None
    is_named: bool = True

    @property
    def labels(self) -> np.ndarray:
        """The classes of the rows."""
        return self.rows.labels

    @property
    def pred_labels(self) -> np.ndarray | None:
        """The classes of the columns; None if they are not known."""
        return None if self.columns is None else self.columns.labels

    @property
    def is_square(self) -> bool:
        """Whether the columns are the classes of the rows, in the same order."""
        if self.columns is None or self.columns is self.rows:
            return self.columns is not None
        return self.labels.tolist() == self.columns.labels.tolist()

    @property
    def hits(self) -> np.ndarray:
        """The cells whose row and column are the same class, booleans (k, m)."""
        k, m = self.table.shape[-2:]
        if self.columns is None:
            return np.zeros((k, m), dtype=bool)
        if self.columns is self.rows:
            return np.eye(k, dtype=bool)
        # As objects, which are compared exactly, also if they are of different kinds.
        return np.equal.outer(
            self.labels.astype(object), self.columns.labels.astype(object)
        )

    @property
    def n_samples(self) -> float:
        """The effective number of samples."""
        return self.total if self.size is None else self.size

    @property
    def total(self) -> float:
        """The weight of all samples."""
        cells = self.table if self.class_weight is None else self.class_weight
        return float(cells.sum(dtype=np.float64))

    @property
    def support(self) -> np.ndarray:
        """The weight of the samples of each true class."""
        if self.class_weight is not None:
            return self.class_weight
        return np.asarray(self.table.sum(axis=-1))

    @property
    def warning(self) -> str | None:
        """Why measures of one table mean little; None if nothing is wrong."""
        named_alike = self.columns is self.rows
        if named_alike and np.count_nonzero(self.table.diagonal()) > 1:
            return None  # nearly always, and cheap
        weight = self.class_weight
        cells = self.table if weight is None else weight[:, np.newaxis]
        true = np.flatnonzero(cells.sum(axis=1))
        if len(true) == 1:
            return (
                f"y_true has one class only ({some_labels(self.labels[true])}): "
                "entropy-modulated accuracy is 1 for any prediction, and confusion "
                "entropy means little."
            )
        if not named_alike or self.table[:, true].sum():
            return None
        if weight is not None:
            return (
                "y_true and y_proba share no class: every class of y_true has "
                "probability 0 throughout."
            )
        pred = np.flatnonzero(self.table.sum(axis=0))
        return (
            "y_true and y_pred share no label. Got "
            f"{some_labels(self.labels[true])} in y_true and "
            f"{some_labels(self.labels[pred])} in y_pred. {NAME_PREDICTED}"
        )

    def aligned(self) -> ClassTable:
        """Put columns that are the classes of the rows in the order of the rows."""
        if self.columns is None or self.is_square:
            return self
        order = self.columns.places_of(self.rows)
        if order is None:
            return self
        return self._replace(table=self.table[..., order], columns=self.rows)
