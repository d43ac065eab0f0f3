"""Normalized information of two classes over other measures: maps and bounds.

The bounds of NI at a given accuracy, precision or recall follow from its convexity in
the rates: on a line in ROC space it is largest at an end, where one cell is empty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from sklearn_entropy_metrics.measure.plane import (
    normalized_information_from_precision_recall,
    normalized_information_from_roc,
    phi_delta_from_rates,
)

# Steps of the grid of a map.
_STEPS = 48


def describe_rates(
    fpr: ArrayLike, tpr: ArrayLike, prevalence: float
) -> dict[str, np.ndarray]:
    """Every measure that a space has along its axes, of classifiers."""
    false, true = (np.asarray(rate, dtype=float) for rate in (fpr, tpr))
    right, wrong = prevalence * true, (1 - prevalence) * false
    phi, delta = phi_delta_from_rates(false, true)
    information = normalized_information_from_roc(false, true, prevalence)
    with np.errstate(invalid="ignore"):
        precision = right / (right + wrong)
    return {
        "fpr": false,
        "tpr": true,
        "phi": phi,
        "delta": delta,
        "accuracy": right + 1 - prevalence - wrong,
        "precision": precision,
        "recall": true,
        "normalized_information": information,
    }


def map_information(space: str, prevalence: float) -> dict[str, np.ndarray]:
    """Measures on a grid whose edges are those of what is feasible in a space."""
    share = _dense_at_ends(_STEPS)
    if space != "precision_recall":
        fpr, tpr = np.meshgrid(share, share)
        return describe_rates(fpr, tpr, prevalence)
    recall = np.broadcast_to(share, (len(share), len(share)))
    least = least_precision(recall, prevalence)
    at = least + share[:, None] * (1 - least)
    ni = normalized_information_from_precision_recall(at, recall, prevalence)
    return {"recall": recall, "precision": at, "normalized_information": ni}


def _dense_at_ends(n_steps):
    """From 0 to 1, in small steps where normalized information is steep."""
    return (1 - np.cos(np.pi * np.linspace(0, 1, n_steps + 1))) / 2


def least_precision(recall: ArrayLike, prevalence: float) -> np.ndarray:
    """Precision if all negatives are predicted positive, (16) of Wang and Hu."""
    return describe_rates(1.0, recall, prevalence)["precision"]


def bound_information(space: str, prevalence: float) -> dict[str, np.ndarray]:
    """The range of normalized information given accuracy, precision or recall.

    The upper bound is the larger value at the ends of the line on which x holds.
    """
    rest = 1 - prevalence
    x = np.unique([*_dense_at_ends(400), 0.5, prevalence, rest])
    lower = np.zeros_like(x)
    if space == "recall":
        ends = [(np.ones_like(x), x), (np.zeros_like(x), x)]
    elif space == "precision":
        with np.errstate(divide="ignore"):
            odds = x / (1 - x) * rest / prevalence
            ends = [(np.minimum(1, 1 / odds), np.minimum(1, odds))]
    else:
        hits = [np.maximum(0, x - rest), np.minimum(prevalence, x)]
        ends = [(1 - (x - hit) / rest, hit / prevalence) for hit in hits]
        # The minimum at an accuracy A, 1 - h(A) / h(π), is where npv and precision are
        # A. It is 0 between the shares of both classes: one can guess with accuracy A.
        entropy, most = (entr(one) + entr(1 - one) for one in (x, prevalence))
        lower = np.maximum(0, 1 - entropy / most)
    fpr, tpr = np.moveaxis(np.clip(ends, 0, 1), 1, 0)
    upper = normalized_information_from_roc(fpr, tpr, prevalence).max(axis=0)
    return {space: x, "lower": lower, "upper": upper}
