"""Samples that belong together: how many independent samples they count as."""

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse as sp
from scipy.special import ndtr, stdtrit
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.table.checks import check_memory, check_weight
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.classes import number_labels

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


def dense_counts(given: ClassTable, what: str) -> np.ndarray:
    """A table of counts or weights as an array, if there is memory to work with it."""
    check_counts(given)
    if isinstance(given.table, np.ndarray):
        return given.table
    n_bytes = 8 * _ARRAYS * math.prod(given.table.shape)
    what = f"{what} of a table of shape {given.table.shape}"
    check_memory(n_bytes, what, "use fewer classes")
    return given.table.toarray()


class Groups(NamedTuple):
    """The group of each sample, as a number."""

    numbers: np.ndarray
    n_groups: int

    def by_cell(
        self, cells: np.ndarray, n_cells: int, weight: Any = None
    ) -> sp.csr_array:
        """Weight of each group in each cell of a table, shape (n_groups, n_cells).

        Parameters
        ----------
        cells : ndarray of shape (n_samples,)
            The number of the cell of each sample, in the order of the raveled table.

        n_cells : int
            The number of cells.

        weight : ndarray of shape (n_samples,), default=None
            Weights of the samples.

        Returns
        -------
        counted : csr_array of shape (n_groups, n_cells)
        """
        weight = np.ones(len(cells)) if weight is None else weight
        shape = self.n_groups, n_cells
        return sp.coo_array((weight, (self.numbers, cells)), shape).tocsr()

    def level(self, confidence_level: float) -> float:
        """The level whose normal quantile is the t quantile of so many groups."""
        quantile = stdtrit(self.n_groups - 1, (1 + confidence_level) / 2)
        return float(2 * ndtr(quantile) - 1)

    def causes(self) -> list[str]:
        """Why an interval may miss the true value; empty if there are enough groups."""
        if self.n_groups >= _FEW_GROUPS:
            return []
        return [f"there are {self.n_groups} groups, fewer than {_FEW_GROUPS}"]


def number_groups(groups: Any, y_true: Any, sample_weight: Any = None) -> Groups:
    """Number the groups of samples, and check that there are at least two.

    Parameters
    ----------
    groups : array-like of shape (n_samples,)
        A label for each sample; samples of a group belong together.

    y_true : array-like of shape (n_samples,)
        The labels of the same samples.

    sample_weight : array-like of shape (n_samples,), default=None
        Groups of weight zero do not count.

    Returns
    -------
    groups : Groups
    """
    check_consistent_length(y_true, groups)
    found = number_labels({"groups": groups}, weight=check_weight(sample_weight))
    (numbers,) = found.numbers
    n_groups = len(found.rows.places)
    if n_groups < 2:
        raise ValueError(f"`groups` must name at least 2 groups. Got {n_groups}.")
    return Groups(numbers, n_groups)


def number_samples(
    groups: Any, y_true: Any, y_pred: Any, given: ClassTable, weight: Any = None
) -> tuple[Groups, np.ndarray, np.ndarray]:
    """Number the groups, and the rows and columns, of samples with a known table."""
    if y_true is None or y_pred is None:
        raise ValueError("`groups` needs `y_true` and `y_pred`. Got a table.")
    (rows, columns), *_ = number_labels(
        {"y_true": y_true},
        {"y_pred": y_pred},
        labels=given.labels,
        pred_labels=given.pred_labels,
        weight=weight,
    )
    return number_groups(groups, y_true, weight), rows.astype(np.int64), columns


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
