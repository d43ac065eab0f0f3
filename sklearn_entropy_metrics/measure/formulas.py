"""Measures of classes against the rest, as formulas of their TN, FP, FN and TP.

A formula takes arrays of shape (..., k) and returns one of shape (...). Tables and
gradients both use it, so it must be analytic: a gradient is its value at complex
numbers. Conditions look at the real part.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from sklearn_entropy_metrics.balance.balance import Number, TableLike, float_or_array
from sklearn_entropy_metrics.measure.against_rest import (
    Average,
    average_over_classes,
    check_average,
    class_counts,
    square_shares,
)

Formula = Callable[..., np.ndarray]


def measure_classes(name: str, table: TableLike, **average: Average) -> Number:
    """Measure square tables by a formula, with `average` if it has one for a class."""
    table = square_shares(table)
    for choice in average.values():
        check_average(choice, table.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float_or_array(FORMULAS[name](*class_counts(table), **average))


def _averaged(formula: Formula) -> Formula:
    """The value of the second class of two, or an average over those that occur."""

    def of_classes(tn, fp, fn, tp, average: Average = "binary"):
        occurs = tp + fp + fn + (tn if average == "binary" else 0)
        values = np.where(occurs.real > 0, formula(tn, fp, fn, tp), np.nan)
        if average == "binary":
            return values[..., 1]
        return average_over_classes(values, tp + fn, average)

    return of_classes


def _ratio(part: int, *whole: int) -> Formula:
    """A multiple of TP over a sum of TP, FP and FN, or 0 if that is 0."""

    def of_class(tn, fp, fn, tp):
        below = whole[0] * tp + whole[1] * fp + whole[2] * fn
        return np.where(below.real > 0, part * tp / below, 0.0)

    return _averaged(of_class)


def _of_rates(formula: Formula) -> Formula:
    """A formula of the rates of true negatives, false positives and so on.

    All four are ratios of counts, so no formula has to subtract one from 1, which would
    lose the digits of a small rate.
    """

    def of_class(tn, fp, fn, tp):
        negative, positive = tn + fp, fn + tp
        return formula(tn / negative, fp / negative, fn / positive, tp / positive)

    return _averaged(of_class)


def _of_shares(formula: Formula) -> Formula:
    """A linear formula of shares of all samples; NaN unless both classes occur."""

    def of_class(tn, fp, fn, tp):
        total = np.where((tn + fp) * (fn + tp) > 0, tn + fp + fn + tp, np.nan)
        return formula(tn, fp, fn, tp) / total

    return _averaged(of_class)


def _unbiased_correlation(tnr, fpr, fnr, tpr):
    # Two ratios, each of at most 1, rather than one of products that might vanish.
    positive, negative = np.sqrt(tpr + fpr), np.sqrt(tnr + fnr)
    right = (tpr / positive) * (tnr / negative)
    return right - (fpr / positive) * (fnr / negative)


def _correlation(tn, fp, fn, tp):
    covariance = (tp * tn - fp * fn).sum(axis=-1)
    of_true = ((tp + fn) * (tn + fp)).sum(axis=-1)
    of_pred = ((tp + fp) * (tn + fn)).sum(axis=-1)
    low, high = np.minimum(of_true, of_pred), np.maximum(of_true, of_pred)
    return covariance / (np.sqrt(high / low) * low)


def _kappa(tn, fp, fn, tp):
    total = (tp + fn).sum(axis=-1, keepdims=True)
    expected = ((tp + fn) / total * (tn + fn)).sum(axis=-1)
    return 1 - fn.sum(axis=-1) / expected


FORMULAS: dict[str, Formula] = {
    "matthews_corrcoef": _correlation,
    "cohen_kappa": _kappa,
    "balanced_accuracy": partial(
        _averaged(lambda tn, fp, fn, tp: tp / (tp + fn)), average="macro"
    ),
    "precision": _ratio(1, 1, 1, 0),
    "recall": _ratio(1, 1, 0, 1),
    "f1": _ratio(2, 2, 1, 1),
    "jaccard": _ratio(1, 1, 1, 1),
    "corrected_phi": _of_shares(lambda tn, fp, fn, tp: 2 * (fp - fn)),
    "corrected_delta": _of_shares(lambda tn, fp, fn, tp: tp + tn - fp - fn),
    "characteristic_capability": _of_rates(
        lambda tnr, fpr, fnr, tpr: tpr * fpr - tnr * fnr
    ),
    "discriminant_capability": _of_rates(
        lambda tnr, fpr, fnr, tpr: tpr * tnr - fpr * fnr
    ),
    "unbiased_accuracy": _of_rates(lambda tnr, fpr, fnr, tpr: (tnr + tpr) / 2),
    "unbiased_precision": _of_rates(lambda tnr, fpr, fnr, tpr: tpr / (tpr + fpr)),
    "unbiased_npv": _of_rates(lambda tnr, fpr, fnr, tpr: tnr / (tnr + fnr)),
    "unbiased_f1": _of_rates(lambda tnr, fpr, fnr, tpr: 2 * tpr / (tpr + fpr + 1)),
    "unbiased_matthews_corrcoef": _of_rates(_unbiased_correlation),
}
