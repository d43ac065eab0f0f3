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
from typing import Any

import numpy as np
from scipy.special import xlogy
from sklearn import get_config

from sklearn_entropy_metrics.measure.against_rest import Average

Gradient = Callable[..., np.ndarray]

# Small compared with the cells that matter, and large compared with round-off.
_STEP = 1e-7


def numeric_gradient(
    function: Callable[[np.ndarray], Any], shares: np.ndarray, step: float = _STEP
) -> np.ndarray:
    """The gradient of any function of tables at one distribution.

    Parameters
    ----------
    function : callable
        Stack of tables of shape (n, k, m) in, n numbers out.

    shares : ndarray of shape (k, m)
        A distribution.

    step : float, default=1e-7
        The h of the formula above.

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
    for first in range(0, len(cells), size):
        some = cells[first : first + size]
        moved = np.repeat((1 - step) * shares[None], len(some), axis=0)
        moved.reshape(len(some), -1)[np.arange(len(some)), some] += step
        values.append((function(moved) - start) / step)
    gradient = np.zeros_like(shares)
    gradient.flat[cells] = np.concatenate(values)
    return gradient


def entropy_modulated_accuracy(shares: np.ndarray) -> np.ndarray:
    """Gradient of EMA."""
    _, columns = _margins(shares)
    log = _log(shares / _nonzero(columns))
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


def variation_of_information(
    shares: np.ndarray, *, normalize: bool = False
) -> np.ndarray:
    """Gradient of VI."""
    rows, columns = _margins(shares)
    bits = _log(shares / _nonzero(rows)) + _log(shares / _nonzero(columns))
    unit = math.log(math.prod(shares.shape[-2:])) if normalize else math.log(2)
    return _centred(-bits / unit, shares)


def accuracy(shares: np.ndarray) -> np.ndarray:
    """Gradient of accuracy."""
    return _centred(np.eye(shares.shape[-1]), shares)


def matthews_corrcoef(shares: np.ndarray) -> np.ndarray:
    """Gradient of MCC."""
    rows, columns = _margins(shares)
    own_column, own_row = np.swapaxes(columns, -1, -2), np.swapaxes(rows, -1, -2)
    spread_true = 1 - (rows**2).sum(axis=-2, keepdims=True)
    spread_pred = 1 - (columns**2).sum(axis=-1, keepdims=True)
    right = np.trace(shares, axis1=-2, axis2=-1)[..., None, None]
    covariance = right - (rows * own_column).sum(axis=-2, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.sqrt(spread_true * spread_pred)
        raw = (np.eye(shares.shape[-1]) - own_column - own_row) / scale
        raw += covariance / scale * (rows / spread_true + columns / spread_pred)
    return _centred(raw, shares)


def cohen_kappa(shares: np.ndarray) -> np.ndarray:
    """Gradient of Cohen's kappa."""
    rows, columns = _margins(shares)
    own_column, own_row = np.swapaxes(columns, -1, -2), np.swapaxes(rows, -1, -2)
    wrong = 1 - np.trace(shares, axis1=-2, axis2=-1)[..., None, None]
    expected = 1 - (rows * own_column).sum(axis=-2, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        raw = np.eye(shares.shape[-1]) - wrong / expected * (own_column + own_row)
        return _centred(raw / expected, shares)


def balanced_accuracy(shares: np.ndarray) -> np.ndarray:
    """Gradient of the mean recall of the true classes."""
    rows = shares.sum(axis=-1, keepdims=True)
    recall = np.diagonal(shares, axis1=-2, axis2=-1)[..., None] / _nonzero(rows)
    n_true = (rows > 0).sum(axis=-2, keepdims=True)
    raw = (np.eye(shares.shape[-1]) - recall) / _nonzero(rows) / n_true
    return _centred(raw, shares)


def precision(shares: np.ndarray, **options: Any) -> np.ndarray:
    """Gradient of precision or of its mean over classes."""
    return _of_ratio(shares, 1, (1, 1, 0), **options)


def recall(shares: np.ndarray, **options: Any) -> np.ndarray:
    """Gradient of recall or of its mean over classes."""
    return _of_ratio(shares, 1, (1, 0, 1), **options)


def f1(shares: np.ndarray, **options: Any) -> np.ndarray:
    """Gradient of F1 or of its mean over classes."""
    return _of_ratio(shares, 2, (2, 1, 1), **options)


def jaccard(shares: np.ndarray, **options: Any) -> np.ndarray:
    """Gradient of the Jaccard index or of its mean over classes."""
    return _of_ratio(shares, 1, (1, 1, 1), **options)


def _of_ratio(shares, part, whole, average: Average = "binary"):
    """Gradient of a ratio of sums of TP, FP and FN of a class, or of its mean.

    Above the line stands `part` times TP, below it TP, FP and FN times `whole`.
    """
    rows, right = shares.sum(axis=-1), np.diagonal(shares, axis1=-2, axis2=-1)
    counts = right, shares.sum(axis=-2) - right, rows - right
    below = sum(factor * count for factor, count in zip(whole, counts, strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(below > 0, part * right / below, 0.0)
        by_tp, by_fp, by_fn = (
            np.where(below > 0, (top - value * factor) / below, 0.0)
            for top, factor in zip((part, 0, 0), whole, strict=True)
        )
    if average == "weighted":
        weight = rows
        by_row = value - (rows * value).sum(axis=-1, keepdims=True)
    else:
        weight = np.where(np.sum(counts, axis=0) > 0, 1.0, 0.0)
        weight /= _nonzero(weight.sum(axis=-1, keepdims=True))
        by_row = np.zeros_like(value)
    if average == "binary":  # of two classes the second one counts
        weight = np.broadcast_to([0.0, 1.0], value.shape)
    raw = (weight * by_fp)[..., None, :] + (weight * by_fn + by_row)[..., :, None]
    raw += np.eye(shares.shape[-1]) * (weight * (by_tp - by_fp - by_fn))[..., None]
    return _centred(raw, shares)


def confusion_entropy(
    shares: np.ndarray,
    *,
    relative: bool = False,
    modified: bool = False,
    weighting: str = "class",
) -> np.ndarray:
    """Gradient of CEN, rCEN or MCEN."""
    if not relative:
        return _centred(_of_confusion(shares, modified, weighting), shares)
    rows = shares.sum(axis=-1, keepdims=True)
    within = shares / _nonzero(rows)
    raw = _of_confusion(within, False, weighting)
    change = (raw - (within * raw).sum(axis=-1, keepdims=True)) / _nonzero(rows)
    return _centred(change, shares)


def _of_confusion(table, modified, weighting):
    r"""Partial derivatives of CEN for a fixed total of the table.

    With the confused samples :math:`o_j` in the row and column of class j and all of
    its samples :math:`s_j`, CEN is the sum over the classes of :math:`-w_j (\sum c \log
    c - o_j \log s_j)`, over the sum of all :math:`s_j`.
    """
    n_classes = table.shape[-1]
    diagonal = np.eye(n_classes, dtype=bool)
    off = np.where(diagonal, 0.0, table)
    on = np.diagonal(table, axis1=-2, axis2=-1)
    confused = off.sum(axis=-1) + off.sum(axis=-2)
    once = 1 if modified else 2
    samples = _nonzero(confused + once * on)
    logs = xlogy(off, off)
    term = logs.sum(axis=-1) + logs.sum(axis=-2) - xlogy(confused, samples)
    share = confused / samples
    if weighting == "confusion":
        weight, slope_off = share, (1 - share) / samples
        slope_on = -once * share / samples
    else:
        weight, slope_off, slope_on = np.ones_like(share), 0.0, 0.0
    by_class = slope_off * term - weight * (np.log(samples) + share)
    both = weight[..., :, None] + weight[..., None, :]
    raw = both * (_log(off) + 1) + by_class[..., :, None] + by_class[..., None, :]
    of_hits = slope_on * term - weight * once * share
    raw = np.where(diagonal, of_hits[..., None], raw)
    whole = 2 * table.sum(axis=(-2, -1))
    value = (weight * term).sum(axis=-1)
    if modified and n_classes > 2:
        whole = whole - on.sum(axis=-1)
        raw = raw + diagonal * (value / whole)[..., None, None]
    base = math.log(2 * (n_classes - 1)) if n_classes > 1 else math.nan
    return -raw / whole[..., None, None] / base


def characteristic_capability(shares: np.ndarray, **options: Any) -> np.ndarray:
    """Gradient of φ or of its mean over classes."""
    return _of_rates(
        shares, lambda fpr, tpr: (tpr + fpr - 1, np.ones_like(fpr), 1.0), **options
    )


def discriminant_capability(shares: np.ndarray, **options: Any) -> np.ndarray:
    """Gradient of δ or of its mean over classes."""
    return _of_rates(
        shares, lambda fpr, tpr: (tpr - fpr, -np.ones_like(fpr), 1.0), **options
    )


def unbiased_accuracy(shares: np.ndarray, **options: Any) -> np.ndarray:
    """Gradient of unbiased accuracy or of its mean."""
    return _of_rates(
        shares,
        lambda fpr, tpr: ((1 + tpr - fpr) / 2, np.full_like(fpr, -0.5), 0.5),
        **options,
    )


def unbiased_precision(shares: np.ndarray, **options: Any) -> np.ndarray:
    """Gradient of unbiased precision or of its mean."""

    def formula(fpr, tpr):
        both = fpr + tpr
        return tpr / both, -tpr / both**2, fpr / both**2

    return _of_rates(shares, formula, **options)


def unbiased_f1(shares: np.ndarray, **options: Any) -> np.ndarray:
    """Gradient of unbiased F1 or of its mean."""

    def formula(fpr, tpr):
        all_three = fpr + tpr + 1
        f1 = 2 * tpr / all_three
        return f1, -f1 / all_three, (2 - f1) / all_three

    return _of_rates(shares, formula, **options)


def unbiased_matthews_corrcoef(shares: np.ndarray, **options: Any) -> np.ndarray:
    """Gradient of unbiased MCC or of its mean."""

    def formula(fpr, tpr):
        square = (fpr + tpr) * (2 - fpr - tpr)
        mcc = (tpr - fpr) / np.sqrt(square)
        bend = mcc * (1 - fpr - tpr) / square
        return mcc, -1 / np.sqrt(square) - bend, 1 / np.sqrt(square) - bend

    return _of_rates(shares, formula, **options)


def _of_rates(shares, formula, average: Average = "binary"):
    """Gradient of a formula of the false and the true positive rate, or of its mean.

    The formula returns its value and its derivatives towards both rates.
    """
    rows = shares.sum(axis=-1)
    right = np.diagonal(shares, axis1=-2, axis2=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        tpr = right / rows
        fpr = (shares.sum(axis=-2) - right) / (1 - rows)
        value, by_fpr, by_tpr = formula(fpr, tpr)
    # Of two classes the second one counts.
    counts = np.array([False, True]) if average == "binary" else True
    defined = counts & (rows > 0) & (rows < 1) & ~np.isnan(value)
    weight = np.where(defined, rows if average == "weighted" else 1.0, 0.0)
    whole = weight.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        by_hit = np.where(defined, weight / whole * by_tpr / rows, 0.0)
        by_false = np.where(defined, weight / whole * by_fpr / (1 - rows), 0.0)
        value, fpr, tpr = (np.where(defined, v, 0.0) for v in (value, fpr, tpr))
        # A sample in a row moves the rates of its class and of all others.
        paid = by_false * fpr
        by_row = paid - paid.sum(axis=-1, keepdims=True) - by_hit * tpr
        if average == "weighted":
            mean = (weight * value).sum(axis=-1, keepdims=True) / whole
            by_row += np.where(defined, value - mean, 0.0) / whole
    raw = by_false[..., None, :] + by_row[..., :, None]
    raw += np.eye(shares.shape[-1]) * (by_hit - by_false)[..., None]
    return _centred(np.where(whole[..., None] > 0, raw, np.nan), shares)


def _margins(shares):
    return shares.sum(axis=-1, keepdims=True), shares.sum(axis=-2, keepdims=True)


def _log_ratio(shares):
    """The logarithm of P(x, y) / (P(x) P(y))."""
    rows, columns = _margins(shares)
    return _log(shares / _nonzero(rows) / _nonzero(columns))


def _log(values):
    """The logarithm, with 0 at 0."""
    return np.log(np.where(values > 0, values, 1.0))


def _mean(shares, values):
    return (shares * values).sum(axis=(-2, -1), keepdims=True)


def _centred(raw, shares):
    """Partial derivatives minus their mean, in the non-empty cells."""
    return np.where(shares > 0, raw - _mean(shares, raw), 0.0)


def _nonzero(divisor):
    return np.where(divisor > 0, divisor, 1.0)
