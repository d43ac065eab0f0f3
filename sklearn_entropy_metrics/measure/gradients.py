r"""How measures change when a little of a distribution moves to one of its cells.

The value of a gradient g at a cell is the slope of the measure f on the way from the
distribution P to the one concentrated in that cell,

.. math:: g = \lim_{h \to 0} \frac{f((1 - h) P + h\,1_{cell}) - f(P)}{h},

the influence of a sample in that cell. Its mean over P is 0, and its variance divided
by n is that of f over samples of size n. Every function takes distributions of shape
(..., k, m) and the options of the measure of the same name, and returns the gradient in
the same shape, 0 in empty cells. The cost is O(km) for each table.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.special import xlogy
from sklearn import get_config
from sklearn.utils import gen_batches

from sklearn_entropy_metrics.balance.entropy import nonzero
from sklearn_entropy_metrics.measure import against_rest

Gradient = Callable[..., np.ndarray]

# Small compared with the cells that matter, and large compared with round-off.
_STEP = 1e-7
# Of imaginary steps, which lose no digits: small compared with the smallest cell.
_TINY = 1e-150
_ROUND_OFF = 1e-14


def numeric_gradient(
    function: Callable[[np.ndarray], Any], shares: np.ndarray
) -> np.ndarray:
    """The gradient of any function of tables at one distribution.

    Parameters
    ----------
    function : callable
        Stack of tables of shape (n, k, m) in, n numbers out.

    shares : ndarray of shape (k, m)
        A distribution.

    Returns
    -------
    gradient : ndarray of shape (k, m)
        0 in empty cells.
    """
    cells = np.flatnonzero(shares)
    # The function may need a few arrays of the size of its tables.
    size = max(1, int(get_config()["working_memory"] * 2**20 // (64 * shares.size)))
    start = function(shares[None])[0]
    values = [np.empty(0)]
    for batch in gen_batches(len(cells), size):
        some = cells[batch]
        moved = np.repeat((1 - _STEP) * shares[None], len(some), axis=0)
        moved.reshape(len(some), -1)[np.arange(len(some)), some] += _STEP
        values.append((function(moved) - start) / _STEP)
    gradient = np.zeros_like(shares)
    gradient.flat[cells] = np.concatenate(values)
    return gradient


def entropy_modulated_accuracy(shares: np.ndarray) -> np.ndarray:
    """Gradient of EMA."""
    _, columns = _margins(shares)
    log = _log(shares / nonzero(columns))
    return _centred(np.exp(_mean(shares, log)) * log, shares)


def normalized_information_transfer(shares: np.ndarray) -> np.ndarray:
    """Gradient of NIT."""
    log = _log_ratio(shares)
    return _centred(np.exp(_mean(shares, log)) / shares.shape[-2] * log, shares)


def normalized_information(shares: np.ndarray) -> np.ndarray:
    """Gradient of NI."""
    log, rows = _log_ratio(shares), shares.sum(axis=-1, keepdims=True)
    entropy = -xlogy(rows, rows).sum(axis=-2, keepdims=True)
    information = _mean(shares, log)
    with np.errstate(divide="ignore", invalid="ignore"):
        raw = (log + information / entropy * _log(rows)) / entropy
    return _centred(raw, shares)


def variation_of_information(shares: np.ndarray) -> np.ndarray:
    """Gradient of VI."""
    rows, columns = _margins(shares)
    bits = _log(shares / nonzero(rows)) + _log(shares / nonzero(columns))
    return _centred(-bits / math.log(2), shares)


def accuracy(shares: np.ndarray) -> np.ndarray:
    """Gradient of accuracy."""
    return _centred(np.eye(shares.shape[-1]), shares)


def of_formula(
    name: str, shares: np.ndarray, **options: against_rest.Average
) -> np.ndarray:
    """Gradient of a formula of classes against the rest."""
    formula, counts = (
        partial(against_rest.FORMULAS[name], **options),
        against_rest.class_counts(shares),
    )
    one = np.eye(shares.shape[-1])

    def slope(moved):
        """Slopes towards a count of each class, 0 where no sample is counted."""
        parts = (c[..., None, :] + _TINY * 1j * one * (c is moved) for c in counts)
        return np.where(moved > 0, formula(*parts).imag / _TINY, 0.0)

    with np.errstate(divide="ignore", invalid="ignore"):
        by_tn, by_fp, by_fn, by_tp = map(slope, counts)
    # A sample is a true negative of all classes but those of its row and its column.
    raw = by_tn.sum(axis=-1)[..., None, None] + (by_fp - by_tn)[..., None, :]
    raw = raw + (by_fn - by_tn)[..., :, None]
    raw += one * (by_tp - by_fp - by_fn + by_tn)[..., None]
    gradient = _centred(raw, shares)
    # Slopes that cancel in all cells leave nothing but round-off.
    largest = np.abs(gradient).max(axis=(-2, -1), keepdims=True)
    smallest = nonzero(shares).min(axis=(-2, -1), keepdims=True)
    return gradient * (largest * smallest > _ROUND_OFF)


def confusion_entropy(shares: np.ndarray, *, relative: bool = False) -> np.ndarray:
    """Gradient of CEN or rCEN."""
    if not relative:
        return _centred(_of_confusion(shares), shares)
    rows = shares.sum(axis=-1, keepdims=True)
    within = shares / nonzero(rows)
    raw = _of_confusion(within)
    change = (raw - (within * raw).sum(axis=-1, keepdims=True)) / nonzero(rows)
    return _centred(change, shares)


def _of_confusion(table):
    r"""Partial derivatives of CEN for a fixed total of the table.

    With the confused samples :math:`o_j` in the row and column of class j and all of
    its samples :math:`s_j`, CEN is the sum over the classes of :math:`-(\sum c \log c -
    o_j \log s_j)`, over the sum of all :math:`s_j`.
    """
    n_classes = table.shape[-1]
    off = against_rest.without_diagonal(table)
    confused = off.sum(axis=-1) + off.sum(axis=-2)
    samples = nonzero(confused + 2 * against_rest.diagonal(table))
    share = confused / samples
    by_class = -np.log(samples) - share
    raw = 2 * (_log(off) + 1) + by_class[..., :, None] + by_class[..., None, :]
    raw = np.where(np.eye(n_classes, dtype=bool), -2 * share[..., None], raw)
    whole = 2 * table.sum(axis=(-2, -1), keepdims=True)
    base = math.log(2 * (n_classes - 1)) if n_classes > 1 else math.nan
    return -raw / whole / base


def _margins(shares):
    return shares.sum(axis=-1, keepdims=True), shares.sum(axis=-2, keepdims=True)


def _log_ratio(shares):
    """The logarithm of P(x, y) / (P(x) P(y))."""
    rows, columns = _margins(shares)
    return _log(shares / nonzero(rows) / nonzero(columns))


def _log(values):
    """The logarithm, with 0 at 0."""
    return np.log(np.where(values > 0, values, 1.0))


def _mean(shares, values):
    return (shares * values).sum(axis=(-2, -1), keepdims=True)


def _centred(raw, shares):
    """Partial derivatives minus their mean, in the non-empty cells."""
    return np.where(shares > 0, raw - _mean(shares, raw), 0.0)
