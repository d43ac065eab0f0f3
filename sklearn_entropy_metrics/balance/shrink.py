r"""Counts → an estimated joint distribution: shrink the errors, keep the hits.

In a small sample, the errors of a classifier fall into fewer cells than they would
otherwise, and so look more systematic than they are. The errors are shrunk towards the
table that they would have if the true class said nothing about the wrong class that is
predicted (quasi-independence). The errors themselves determine how far: the
concentration of the Dirichlet prior maximises their likelihood. Hits hardly suffer from
small samples and are kept, plus half a sample.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from scipy.special import psi, xlogy
from sklearn.utils import gen_batches

from sklearn_entropy_metrics.balance.entropy import in_shares, nonzero, sum_of_others
from sklearn_entropy_metrics.table.checks import Table
from sklearn_entropy_metrics.table.classes import ClassTable

Smoothing: TypeAlias = Literal["empirical_bayes"]

# Pseudo-count of the hits and of the errors: half a sample each.
PSEUDO_COUNT = 0.5
_SWEEPS = 12
# They end earlier if they change no factor by more than this share of it.
_SETTLED = 1e-13
_BISECTIONS = 50
# Concentrations of the prior to try: from almost none to certainty.
_N_CONCENTRATIONS = 50
_LOWEST, _HIGHEST = 0.05, 1e9
# Evidences that differ by less than this are equal.
_TIE = 1e-6
# Information in nats that differs by less than this is the same.
_SAME = 1e-12
# From here on Stirling's formula is exact to 11 digits.
_SHIFT = 8
# Terms of the evidence computed at a time: they stay in the processor's cache.
_BLOCK = 1 << 14


class EmpiricalBayes(NamedTuple):
    """Estimates of a joint distribution, each of shape (..., k, m).

    Attributes
    ----------
    observed : ndarray
        The shares of the samples.

    shrunk : ndarray
        The mean of the posterior distribution.

    table : ndarray
        The mixture of both whose mutual information is the mean of that of the
        posterior distribution: the estimate.

    by_row : ndarray
        The shares of the samples with half a hit and half an error more in each row:
        no class of few samples is certain. Columns that were never predicted get
        nothing.

    by_cell : ndarray
        The same, where these columns get their part.
    """

    observed: np.ndarray
    shrunk: np.ndarray
    table: np.ndarray
    by_row: np.ndarray
    by_cell: np.ndarray


def smoothed_table(given: ClassTable, smoothing: Smoothing | None) -> Table:
    """Estimate the joint distribution by :func:`shrink_errors`, if asked for."""
    table = given.table
    if smoothing is None:
        return table
    if smoothing != "empirical_bayes":
        raise ValueError(
            f"smoothing must be 'empirical_bayes' or None. Got {smoothing!r}."
        )
    if sp.issparse(table):
        raise ValueError(
            "smoothing gives every cell a probability and takes dense tables only. "
            f"Got a sparse table of shape {table.shape}."
        )
    return shrink_errors(table, hits=given.hits, n_samples=given.size).table


def shrink_errors(
    table: np.ndarray,
    *,
    hits: np.ndarray | None = None,
    n_samples: ArrayLike | None = None,
) -> EmpiricalBayes:
    r"""Estimate the joint distribution behind a table or each table of a stack.

    Parameters
    ----------
    table : ndarray of shape (..., k, m)
        Checked counts or weights. All-zero tables stay zero.

    hits : ndarray of bool of shape (k, m), default=None
        The cells whose row and column are the same class. By default the diagonal, or
        none if the tables are not square.

    n_samples : float or ndarray of shape (...), default=None
        The effective number of samples, by default the total of the table.

    Returns
    -------
    estimates : EmpiricalBayes
    """
    k, m = table.shape[-2:]
    if hits is None:
        hits = np.eye(k, m, dtype=bool) & (k == m)
    if n_samples is None:
        n_samples = table.sum(axis=(-2, -1), dtype=np.float64)
    stack = in_shares(table).reshape(-1, k, m)
    total = stack.sum(axis=(-2, -1), dtype=np.float64)
    is_seen = total > 0
    size = np.broadcast_to(n_samples, table.shape[:-2]).reshape(-1)[is_seen]
    unknown = size[~((size > 1 + 1e-9) & (size < np.inf))]
    if unknown.size:  # a table of probabilities
        raise ValueError(
            "smoothing='empirical_bayes' needs the number of samples: a table of "
            "counts, or weights whose effective number is more than 1. Got "
            f"{unknown[0]}."
        )
    observed = stack[is_seen] / total[is_seen, None, None]
    # More samples would change nothing, but their powers might not be finite.
    counts = observed * np.minimum(size, 1e30)[:, None, None]
    estimates = np.zeros((len(EmpiricalBayes._fields), *stack.shape))
    estimates[:, is_seen] = _estimate(observed, counts, hits)
    return EmpiricalBayes(*estimates.reshape(-1, *table.shape))


def _estimate(observed, counts, hits):
    errors = np.where(hits, 0.0, counts)
    target = _target(observed, errors, hits)
    concentration = _concentration(errors, target)
    shrunk = _shrink(observed, counts, errors, hits, target, concentration)
    information = _information(shrunk)
    information += _posterior_gain(shrunk, errors, hits, concentration)
    rows = shrunk.sum(axis=-1)
    information = np.clip(information, 0, -xlogy(rows, rows).sum(axis=-1))
    table = _on_the_line(observed, shrunk, information)
    by_row, by_cell = (
        _smooth_rows(counts, errors, hits, unseen) for unseen in (0.0, 1.0)
    )
    return observed, shrunk, table, by_row, by_cell


def _smooth_rows(counts, errors, hits, unseen):
    """Add half a hit and half an error to each row, spread as errors usually are.

    `unseen` is the weight of the columns that were never predicted.
    """
    columns = counts.sum(axis=-2, keepdims=True)
    errors = errors.sum(axis=-2, keepdims=True)
    errors += PSEUDO_COUNT * columns / _total(counts)
    is_seen = columns > 0
    errors = np.where(hits, 0.0, np.where(is_seen, errors, unseen * PSEUDO_COUNT))
    more = errors / nonzero(errors.sum(axis=-1, keepdims=True))
    more = PSEUDO_COUNT * np.where(hits, np.where(is_seen, 1.0, unseen), more)
    rows = counts.sum(axis=-1, keepdims=True)
    smooth = (counts + more) * rows / nonzero(rows + more.sum(axis=-1, keepdims=True))
    return smooth / _total(counts)


def _target(observed, errors, hits):
    """Quasi-independent errors with the observed margins, sum 1."""
    rows, columns = (
        errors.sum(axis=axis) + PSEUDO_COUNT * observed.sum(axis=axis)
        for axis in (-1, -2)
    )
    of_rows, of_columns = quasi_independence(rows, columns, hits.nonzero())
    return np.where(hits, 0.0, of_rows[..., None] * of_columns[..., None, :])


def quasi_independence(
    rows: np.ndarray, columns: np.ndarray, hits: Sequence[np.ndarray | slice]
) -> tuple[np.ndarray, np.ndarray]:
    """Fit products of factors to the margins of the errors.

    Parameters
    ----------
    rows, columns : ndarray of shape (..., k) and (..., m)
        The margins, to which a pseudo-count with the shares of the classes was added,
        so that no class is without errors.

    hits : tuple of two ndarray or slice
        Rows and columns of the cells that are no errors, at most one per row and per
        column.

    Returns
    -------
    of_rows, of_columns : ndarray of shape (..., k) and (..., m)
        Factors whose products sum to 1 over the errors.
    """
    in_rows, in_columns = hits
    a = rows
    for _ in range(_SWEEPS):
        b = columns / nonzero(_sums_without(a, columns.shape, in_rows, in_columns))
        off_hits = _sums_without(b, rows.shape, in_columns, in_rows)
        earlier, a = a, rows / nonzero(off_hits)
        if (np.abs(a - earlier) <= _SETTLED * a).all():
            break
    return a / nonzero((a * off_hits).sum(axis=-1, keepdims=True)), b


def _sums_without(factors, shape, hit, of):
    """For each line, the sum of the factors, but for that of its hit."""
    others = sum_of_others(factors)[..., hit]
    if isinstance(of, slice):  # each line has one
        return others
    sums = np.broadcast_to(factors.sum(axis=-1, keepdims=True), shape).copy()
    sums[..., of] = others
    return sums


def _concentration(errors, target):
    """The concentration of the prior with the greatest evidence, shape (n, 1, 1).

    If it makes no difference, as with zero or one error, it is the largest.
    """
    n_errors = errors.sum(axis=(-2, -1))
    highest = np.maximum(_HIGHEST, 1e3 * n_errors)
    grid = np.geomspace(_LOWEST, highest, _N_CONCENTRATIONS, axis=-1)
    evidence = _evidence(errors, target, grid) - _log_rising(grid, n_errors[:, None])
    is_best = evidence >= evidence.max(axis=-1, keepdims=True) - _TIE
    last = _N_CONCENTRATIONS - 1 - is_best[:, ::-1].argmax(axis=-1)
    return grid[np.arange(len(grid)), last].reshape(-1, 1, 1)


def _evidence(errors, target, grid):
    """Sum of ln Γ(c + A t) - ln Γ(A t) over the errors c, for each A of the grid."""
    where = errors.nonzero()
    # A target of zero would have no evidence at all.
    number, prior = errors[where][:, None], np.maximum(target[where], 1e-200)[:, None]
    table = where[0]
    evidence = np.zeros_like(grid)
    if not len(table):
        return evidence
    first = np.flatnonzero(np.diff(table, prepend=-1))
    for part in gen_batches(grid.shape[1], max(1, _BLOCK // len(table))):
        terms = _log_rising(grid[table, part] * prior, number)
        evidence[table[first], part] = np.add.reduceat(terms, first, axis=0)
    return evidence


def _log_rising(start, step):
    """Compute ln Γ(start + step) - ln Γ(start), without cancellation.

    Stirling's formula for the difference, after a shift to where it is exact; several
    times as fast as two calls of `gammaln`.
    """
    shifted = 1.0
    for shift in range(_SHIFT):
        shifted = shifted * (1 + step / (start + shift))
    start = start + _SHIFT
    end = start + step
    change = (end - 0.5) * np.log1p(step / start) + step * (np.log(start) - 1)
    return change + _stirling_tail(end) - _stirling_tail(start) - np.log(shifted)


def _stirling_tail(x):
    square = 1 / (x * x)
    return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x


def _shrink(observed, counts, errors, hits, target, concentration):
    """The mean of the posterior distribution."""
    n_errors, all_samples = _total(errors), _total(counts) + 2 * PSEUDO_COUNT
    errors = (errors + concentration * target) / (n_errors + concentration)
    errors *= (n_errors + PSEUDO_COUNT) / all_samples
    rows = observed.sum(axis=-1, keepdims=True)
    kept = (counts + PSEUDO_COUNT * rows) / all_samples
    shrunk = np.where(hits, kept, errors)
    return shrunk / _total(shrunk)


def _posterior_gain(shrunk, errors, hits, concentration):
    """Mean information over the posterior of the errors, minus that of the mean."""
    evidence = _total(errors) + concentration
    wrong = np.where(hits, 0.0, shrunk)
    total = _total(wrong)
    shares = wrong / nonzero(total)
    joint = shares * (_digamma_excess(shares * evidence) - _digamma_excess(evidence))
    by_column = shares.sum(axis=-2, keepdims=True)
    spread = total**2 * by_column * (1 - by_column) / (evidence + 1)
    columns = spread / (2 * nonzero(shrunk.sum(axis=-2, keepdims=True)))
    return (total * joint).sum(axis=(-2, -1)) - columns.sum(axis=(-2, -1))


def _digamma_excess(x):
    """Digamma ψ(x + 1) - ln x, with 0 at 0."""
    x = np.where(x > 0, x, 1.0)
    return psi(x + 1) - np.log(x)


def _on_the_line(start, end, information):
    """The mixtures of two distributions that have this information, or an end."""
    fall = _information(start) - _information(end)
    low, high = np.zeros_like(information), np.ones_like(information)
    way = end - start
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        value = _information(start + middle[:, None, None] * way)
        is_before = np.where(fall > 0, value > information, value < information)
        low, high = np.where(is_before, middle, low), np.where(is_before, high, middle)
    weight = np.where(low > 0, high, 0.0)
    # Where the information is the same all the way, round-off must not decide.
    weight = np.where(np.abs(fall) < _SAME, 1.0, weight)[:, None, None]
    return (1 - weight) * start + weight * end


def _information(shares):
    """Mutual information in nats, as precise as the bisection needs."""
    rows, columns = shares.sum(axis=-1), shares.sum(axis=-2)
    joint = xlogy(shares, shares).sum(axis=(-2, -1))
    return joint - xlogy(rows, rows).sum(axis=-1) - xlogy(columns, columns).sum(axis=-1)


def _total(stack):
    return stack.sum(axis=(-2, -1), keepdims=True)
