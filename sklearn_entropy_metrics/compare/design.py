"""Samples that belong together: how many independent samples they count as."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse as sp
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.table.checks import check_memory, refuse_nothing
from sklearn_entropy_metrics.table.classes import ClassTable, number_labels, places_of
from sklearn_entropy_metrics.table.given import given_table
from sklearn_entropy_metrics.table.labels import encode
from sklearn_entropy_metrics.table.tabulate import tabulate_labels

# Number of groups below which their spread is hardly known.
_FEW_GROUPS = 20
# Arrays of the size of a dense table that are needed at a time.
_ARRAYS = 12


def check_counts(given: ClassTable) -> None:
    """Refuse probabilities, which do not say how many samples there were."""
    if given.class_weight is not None or (
        given.size is None and given.total < 1 + 1e-6 and given.table.dtype.kind == "f"
    ):
        raise ValueError(
            "Probabilities do not say how many samples there were, and so not how "
            f"uncertain they are; pass counts. Got a table that sums to {given.total}."
        )


def dense_counts(given: ClassTable) -> np.ndarray:
    """A table of counts or weights as an array, if there is memory to work with it."""
    check_counts(given)
    if isinstance(given.table, np.ndarray):
        return given.table
    n_bytes = 8 * _ARRAYS * math.prod(given.table.shape)
    what = f"What a table of shape {given.table.shape} needs"
    check_memory(n_bytes, what, "use fewer classes")
    return given.table.toarray()


class Samples(NamedTuple):
    """Samples of positive weight, with classes and groups as numbers.

    Attributes
    ----------
    true, pred : ndarray of int of shape (n_samples,)
        The rows and columns of the samples.

    groups : ndarray of int of shape (n_samples,) or None
        The groups of samples that belong together, each number from 0 on.

    weight : ndarray of shape (n_samples,) or None
        Their weights.

    rows, columns : ndarray
        The labels of the classes, in the same order if they are the same.
    """

    true: np.ndarray
    pred: np.ndarray
    groups: Any
    weight: np.ndarray | None
    rows: np.ndarray
    columns: np.ndarray

    @property
    def n_groups(self) -> int:
        return 0 if self.groups is None else int(self.groups.max()) + 1

    @property
    def cells(self) -> np.ndarray:
        """The cell of each sample, as a number."""
        return self.true * len(self.columns) + self.pred

    def table(self) -> ClassTable:
        """Count the samples."""
        labels, pred_labels = (np.arange(len(x)) for x in self[4:])
        options: Any = {"labels": labels, "pred_labels": pred_labels}
        options["sample_weight"] = self.weight
        table = tabulate_labels(self.true, self.pred, **options)
        return table._replace(labels=self.rows, pred_labels=self.columns)

    def by_group(self, cells: np.ndarray, n_cells: int) -> sp.csr_array:
        """Weight of each group in each of some cells, of shape (n_groups, n_cells)."""
        weight = np.ones(len(cells)) if self.weight is None else self.weight
        shape = self.n_groups, n_cells
        return sp.csr_array((weight, (self.groups, cells)), shape)

    def one_of_each(self, numbers: np.ndarray) -> np.ndarray | None:
        """The one class or segment of each group; None if a group has several."""
        one = np.empty(self.n_groups, dtype=np.int64)
        one[self.groups] = numbers
        return one if np.array_equal(one[self.groups], numbers) else None

    def part(self, some: np.ndarray) -> Samples:
        """Some of the samples."""
        true, pred, groups = self.true[some], self.pred[some], self.groups
        if groups is not None:
            groups = number_groups(groups[some], true)
        weight = None if self.weight is None else self.weight[some]
        return Samples(true, pred, groups, weight, self.rows, self.columns)


def given_samples(
    y_true: Any,
    y_pred: Any,
    table: Any,
    groups: Any,
    labels: Any,
    pred_labels: Any,
    weight: np.ndarray | None = None,
) -> tuple[ClassTable, Samples | None]:
    """Tabulate labels, or use the given table; also the samples, if in groups."""
    if groups is None:
        options: Any = {"labels": labels, "pred_labels": pred_labels}
        return given_table(y_true, y_pred, table, **options, sample_weight=weight), None
    if y_true is None or y_pred is None or table is not None:
        raise ValueError("`groups` needs `y_true` and `y_pred`. Got a table.")
    (samples,) = number_samples(
        y_true, {"y_pred": y_pred}, groups, labels, pred_labels, weight
    )
    return samples.table(), samples


def number_samples(
    y_true: Any,
    predictions: Mapping[str, Any],
    groups: Any,
    labels: Any,
    pred_labels: Any,
    weight: np.ndarray | None,
) -> list[Samples]:
    """Number the classes of several predictions of the same samples, and their groups.

    The keys of the predictions are what errors call them.
    """
    true = encode(y_true, "y_true")
    refuse_nothing("y_true", len(true.codes), weight)
    check_consistent_length(true.codes, weight, groups)
    every = {name: encode(y_pred, name) for name, y_pred in predictions.items()}
    for name, pred in every.items():
        try:
            check_consistent_length(true.codes, pred.codes)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
    options = {"labels": labels, "pred_labels": pred_labels, "weight": weight}
    numbers, rows, columns = number_labels({"y_true": true}, every, **options)
    numbers = [one.astype(np.int64) for one in numbers]
    order = places_of(rows, columns)
    if order is not None and columns is not rows:  # then in the order of the rows
        numbers[1:] = [np.argsort(order)[one] for one in numbers[1:]]
        columns = rows
    group = None if groups is None else number_groups(groups, y_true, weight)
    first, *others = numbers
    samples = [Samples(first, pred, group, weight, rows, columns) for pred in others]
    return samples if weight is None else [one.part(weight > 0) for one in samples]


def number_groups(groups: Any, y_true: Any, weight: Any = None) -> np.ndarray:
    """Number the groups of samples, and check that there are at least two.

    Parameters
    ----------
    groups : array-like of shape (n_samples,)
        A label for each sample; samples of a group belong together.

    y_true : array-like of shape (n_samples,)
        The labels of the same samples.

    weight : ndarray of shape (n_samples,), default=None
        Groups of weight zero do not count; their numbers mean nothing.

    Returns
    -------
    numbers : ndarray of int of shape (n_samples,)
    """
    check_consistent_length(y_true, groups)
    groups = {"groups": dates_as_texts(groups, "groups")}
    (numbers,), classes, _ = number_labels(groups, weight=weight)
    n_groups = len(classes)
    if n_groups < 2:
        raise ValueError(f"`groups` must name at least 2 groups. Got {n_groups}.")
    return numbers


def dates_as_texts(values: Any, name: str) -> Any:
    """Dates as texts, which sort alike; anything else as it is."""
    array = np.asarray(values)
    if array.dtype.kind != "M":
        return values
    if np.isnat(array).any():
        raise ValueError(f"`{name}` must not contain missing values. Got NaT.")
    is_long = np.datetime_data(array.dtype)[0] in ("Y", "M", "W")
    return np.datetime_as_string(array, None if is_long else "auto")  # without zeros


def few_groups(n_groups: int) -> list[str]:
    """Why an interval may miss the true value; empty if there are enough groups."""
    cause = f"there are {n_groups} groups, fewer than {_FEW_GROUPS}"
    return [cause] if n_groups < _FEW_GROUPS else []


def warn_of_causes(causes: list[str], *others: str | None) -> None:
    """Warn once of why an interval may be wrong, and of anything else."""
    messages = [other for other in others if other is not None]
    if causes:
        messages.append(
            "The interval may miss the true value more often than it should: "
            f"{'; '.join(causes)}."
        )
    if messages:
        warn(" ".join(messages))


def effective_size(
    counted: sp.csr_array, influence: np.ndarray, shares: np.ndarray, n_samples: float
) -> float:
    r"""Number of independent samples that say as much about a metric as these groups.

    Parameters
    ----------
    counted : csr_array of shape (n_groups, n_cells)
        Weight of each group in each cell.

    influence : ndarray of shape (k, m)
        The effect :math:`\psi` of a sample in each cell on the metric, with mean 0.

    shares : ndarray of shape (k, m)
        The distribution P at which it was taken.

    n_samples : float
        The number of samples, or its equivalent if they have weights: the largest
        possible result.

    Returns
    -------
    size : float
        :math:`\sum P \psi^2 / V`, with the variance V of the mean of :math:`\psi` over
        samples, from its sums over groups; at least 2.
    """
    n_groups = counted.shape[0]
    sums = counted @ influence.ravel() / counted.sum()
    variance = n_groups / (n_groups - 1) * ((sums - sums.mean()) ** 2).sum()
    spread = (shares * influence**2).sum()
    if not spread < n_samples * variance:
        return n_samples
    return max(float(spread / variance), 2.0)
