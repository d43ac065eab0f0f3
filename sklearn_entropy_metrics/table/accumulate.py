"""Batches of labels or probabilities → one table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.table.checks import Table
from sklearn_entropy_metrics.table.classes import ClassTable, given_labels
from sklearn_entropy_metrics.table.labels import check_kinds, encode
from sklearn_entropy_metrics.table.merge import merge_tables
from sklearn_entropy_metrics.table.probabilities import soft_table, sum_probabilities
from sklearn_entropy_metrics.table.tabulate import tabulate_part

if TYPE_CHECKING:
    from sklearn_entropy_metrics.balance.balance import EntropyBalance


class TableAccumulator:
    """The table of a stream of samples, built batch by batch.

    The table of all samples is the sum of the tables of the batches. So it can be built
    without ever holding more than one batch, in any order, and on several machines
    whose accumulators are merged at the end. It equals the result of
    :func:`contingency_table` or :func:`probabilistic_confusion_matrix` for all samples
    at once: counts are exact, weights and probabilities agree to the last digits.

    Read more in the :ref:`User Guide <scale>`.

    Parameters
    ----------
    labels : array-like of shape (n_classes,), default=None
        The true classes, in the order of the rows. By default, they are discovered
        along the way: the sorted labels seen so far in `y_true` or `y_pred`, or in
        `y_true` only if `pred_labels` is given or with probabilities.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, in the order of the columns. By default, the same as the
        rows.

    Attributes
    ----------
    table : ndarray or csr_array of shape (n_classes, n_pred_classes)
        The sum so far. Labels give counts (int64), or sums of weights (float64), in a
        sparse array if the table is large, as for ``sparse="auto"`` of
        :func:`contingency_table`. Probabilities give their sums (float64), dense.

    labels_ : ndarray of shape (n_classes,)
        The labels of the rows.

    pred_labels_ : ndarray of shape (n_pred_classes,)
        The labels of the columns.

    See Also
    --------
    contingency_table : The table of all samples at once.
    EntropyBalance : The entropies of a table.

    Notes
    -----
    An update either succeeds or leaves the accumulator unchanged, even if it is
    interrupted. Do not update one accumulator from several threads at once: give each
    thread its own and merge them. Reading while another thread updates is safe and
    returns the table before or after the update. Accumulators can be pickled.

    Examples
    --------
    >>> from sklearn_entropy_metrics import TableAccumulator
    >>> accumulator = TableAccumulator()
    >>> accumulator.update(["cat", "dog", "cat"], ["cat", "dog", "dog"]).table
    array([[1, 1],
           [0, 1]])
    >>> accumulator.update(["ant", "dog"], ["ant", "dog"]).table
    array([[1, 0, 0],
           [0, 1, 1],
           [0, 0, 2]])
    >>> round(accumulator.balance().entropy_modulated_accuracy, 3)
    0.683
    """

    def __init__(
        self, *, labels: ArrayLike | None = None, pred_labels: ArrayLike | None = None
    ) -> None:
        self.labels = _own(labels, "labels")
        self.pred_labels = _own(pred_labels, "pred_labels")
        self.reset()

    def reset(self) -> Self:
        """Forget all samples and the labels seen in them, but keep the given labels.

        Returns
        -------
        self : TableAccumulator
        """
        self._parts: tuple[ClassTable, ...] = ()  # see _collapse
        return self

    def update(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add a batch of labels.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.

        y_pred : array-like of shape (n_samples,)
            Predicted labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        Returns
        -------
        self : TableAccumulator
        """
        counted = tabulate_part(
            y_true,
            y_pred,
            labels=self.labels,
            pred_labels=self.pred_labels,
            sample_weight=sample_weight,
        )
        return self._add(counted)

    def update_proba(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add a batch of predicted probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.

        y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
            Probabilities of the classes in the order of `labels`. If these are not
            given, the columns are the sorted labels of all batches: a single batch need
            not contain every class, but all batches together must.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        Returns
        -------
        self : TableAccumulator
        """
        if self.pred_labels is not None:
            raise ValueError(
                "Probabilities belong to the true classes: pred_labels must be "
                f"None. Got {self.pred_labels!r}."
            )
        sums = sum_probabilities(
            y_true, y_proba, labels=self.labels, sample_weight=sample_weight
        )
        return self._add(sums)

    def merge(self, other: TableAccumulator) -> Self:
        """Add everything that another accumulator holds.

        Parameters
        ----------
        other : TableAccumulator
            One with the same `labels` and `pred_labels`. It is not changed.

        Returns
        -------
        self : TableAccumulator
        """
        if not isinstance(other, TableAccumulator):
            raise TypeError(
                f"other must be a TableAccumulator. Got {type(other).__name__}."
            )
        for name in ("labels", "pred_labels"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if not np.array_equal(ours, theirs):
                raise ValueError(
                    f"Accumulators must have the same {name} to be merged. Got "
                    f"{ours} and {theirs}."
                )
        return self._add(merge_tables(other._parts) if other._parts else None)

    @property
    def table(self) -> Table:
        return self._class_table().table.copy()  # what is done to it stays outside

    @property
    def labels_(self) -> np.ndarray:
        given = self.labels
        return np.array(self._class_table().labels if given is None else given)

    @property
    def pred_labels_(self) -> np.ndarray:
        given = self.labels if self.pred_labels is None else self.pred_labels
        return np.array(self._class_table().pred_labels if given is None else given)

    def balance(self) -> EntropyBalance:
        """Balance the entropies of the table so far.

        Returns
        -------
        balance : EntropyBalance
        """
        # Imported on demand: balances are built on tables.
        from sklearn_entropy_metrics.balance.balance import EntropyBalance

        return EntropyBalance.from_confusion_matrix(self)

    def _class_table(self) -> ClassTable:
        """What `table=` takes from an accumulator; not a copy."""
        if not self._parts:
            raise ValueError("The accumulator holds no samples yet.")
        whole = merge_tables(self._parts)
        return whole if whole.class_weight is None else soft_table(whole)

    def _add(self, part: ClassTable | None) -> Self:
        if part is None:
            return self
        if len({one.class_weight is None for one in (part, *self._parts[:1])}) > 1:
            raise ValueError(
                "Labels and probabilities cannot be added up; use an accumulator for "
                "each of them. Got both."
            )
        parts = _collapse((*self._parts, part))
        n_classes, n_columns = parts[0].table.shape
        is_settled = self.labels is not None or n_classes > n_columns
        if part.class_weight is not None and is_settled:
            soft_table(parts[0])  # it raises if columns and classes can never agree
        self._parts = parts
        return self

    def __repr__(self) -> str:
        n_samples = sum(part.n_samples for part in self._parts)
        return f"<TableAccumulator of {n_samples:.15g} samples>"


def _collapse(parts: tuple[ClassTable, ...]) -> tuple[ClassTable, ...]:
    """Merge parts until each has more than twice as many cells as the next one.

    So a cell of a large sparse table is moved a few times, not with every batch. Tables
    of probabilities are always merged.
    """
    names = "earlier samples", "later ones"
    ends = [encode(part.labels[:1], "labels") for part in (parts[0], parts[-1])]
    check_kinds(names, ends)
    ratio = 2 if parts[-1].class_weight is None else math.inf
    while len(parts) > 1 and parts[-2].table.size <= ratio * parts[-1].table.size:
        parts = (*parts[:-2], merge_tables(parts[-2:]))
    return parts


def _own(labels, name):
    """A copy of given labels that nobody changes."""
    if labels is None:
        return None
    labels = given_labels(labels, name)
    labels.flags.writeable = False
    return labels
