r"""Table → smoothed joint distribution, for tables of few samples.

Additive smoothing adds the same pseudo-count to every cell, and so adds errors where a
good classifier makes none. James-Stein shrinkage mixes the observed shares θ with a
target t, with more weight on t the fewer samples there are: :math:`\lambda t + (1 -
\lambda) \theta`. Here t is the product of the margins, the table of independent
classes. The uniform target of the paper would pull unbalanced classes towards balanced
ones, and so change :math:`H_X` and :math:`H_Y` and leave information in a table of
independent classes; with unchanged margins, only the dependence of the classes shrinks.
Empirical Bayes shrinks only the errors.
"""

import math
from numbers import Real
from typing import Literal, TypeAlias

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.balance.empirical_bayes import shrink_errors
from sklearn_entropy_metrics.balance.entropy import sum_of_others
from sklearn_entropy_metrics.table.checks import Table

Smoothing: TypeAlias = (
    Literal["empirical_bayes", "james_stein", "jeffreys", "laplace"] | float
)

_PSEUDO_COUNTS = {"laplace": 1.0, "jeffreys": 0.5}


def smoothed_table(
    table: Table,
    smoothing: Smoothing | None,
    *,
    hits: np.ndarray | None = None,
    n_samples: float | None = None,
) -> Table:
    """Estimate the joint distribution behind a table or each table of a stack.

    Parameters
    ----------
    table : ndarray or csr_array of shape (..., n_true_classes, n_pred_classes)
        A checked table; its total is taken as the number of samples.

    smoothing : {"empirical_bayes", "james_stein", "jeffreys", "laplace"}, float or None
        "laplace" adds 1 to every cell, "jeffreys" 1/2, and a number adds itself;
        "james_stein" shrinks the table, "empirical_bayes" its errors; None changes
        nothing.

    hits, n_samples
        For "empirical_bayes" only.

    Returns
    -------
    table : ndarray of the same shape
        Probabilities, with zeros for an all-zero table in a stack; for None, the table.
    """
    if smoothing is None:
        return table
    _check(smoothing, table)
    if smoothing == "empirical_bayes":
        return shrink_errors(table, hits=hits, n_samples=n_samples).table
    total = table.astype(np.float64).sum(axis=(-2, -1), keepdims=True)
    if smoothing == "james_stein":
        return _shrink(table, total)
    if isinstance(smoothing, str):
        smoothing = _PSEUDO_COUNTS[smoothing]
    added = np.where(total > 0, float(smoothing), 0)
    n_cells = table.shape[-2] * table.shape[-1]
    return (table + added) / _divisor(total + n_cells * added)


def _check(smoothing, table):
    if isinstance(smoothing, str):
        is_valid = smoothing in ("empirical_bayes", "james_stein", *_PSEUDO_COUNTS)
    else:
        is_number = isinstance(smoothing, Real) and not isinstance(smoothing, bool)
        is_valid = is_number and 0 <= smoothing < math.inf
    if not is_valid:
        raise ValueError(
            "smoothing must be 'empirical_bayes', 'james_stein', 'jeffreys', "
            "'laplace', None or a finite non-negative pseudo-count. Got "
            f"{smoothing!r}."
        )
    if sp.issparse(table):
        raise ValueError(
            "smoothing gives every cell a probability and takes dense tables only. "
            f"Got a sparse table of shape {table.shape}."
        )


def _shrink(table, total):
    """Mix shares with the product of their margins (Hausser and Strimmer, 2009).

    The weight minimises the expected error: the variances of the shares, minus their
    covariances with the target, divided by the distance between the two.
    """
    if table.dtype.kind == "f":
        _check_totals(total)
    share = table / _divisor(total)
    # The rest of each cell's row, of its column, and of the table: with these sums,
    # small values next to a dominant cell are computed without cancellation.
    row_rest, column_rest = sum_of_others(share), sum_of_others(share, axis=-2)
    neither = sum_of_others(row_rest, axis=-2)
    product = row_rest * column_rest
    gap = share * neither - product  # between the share and its target
    variance = _total(share * (2 * product + neither * (1 - 2 * share)))
    distance = (total - 1) * _total(gap * gap)
    # At distance zero, all mixtures are the same.
    weight = np.divide(variance, distance, out=np.ones_like(total), where=distance > 0)
    weight = np.clip(weight, 0, 1)
    return share * (1 - weight * neither) + weight * product


def _check_totals(total):
    """Refuse tables of probabilities, whose number of samples is not known."""
    small = total[(total > 0) & (total <= 1 + 1e-9)]
    if small.size:
        raise ValueError(
            "smoothing='james_stein' needs the number of samples: a table of counts, "
            f"or of weights whose total is more than 1. Got a total of {small[0]}."
        )


def _total(cells):
    return cells.sum(axis=(-2, -1), keepdims=True)


def _divisor(total):
    return np.where(total > 0, total, 1)
