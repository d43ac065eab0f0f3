"""Normalized information over its spaces, as numbers: maps, bounds, named points.

The bounds of NI at a given accuracy, precision or recall follow from its convexity in
the rates: on a line in ROC space it is largest at an end, where one cell is empty.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from sklearn_entropy_metrics.balance.balance import balance_of
from sklearn_entropy_metrics.measure.maps import (
    normalized_information_from_precision_recall,
    normalized_information_from_roc,
)
from sklearn_entropy_metrics.measure.plane import (
    normalized_information_from_phi_delta,
    phi_delta_from_rates,
)
from sklearn_entropy_metrics.table.tabulate import tabulate_labels

NI = "normalized_information"
# What is drawn along x and y.
COLUMNS = {
    "roc": ("fpr", "tpr"),
    "precision_recall": ("recall", "precision"),
    "phi_delta": ("phi", "delta"),
    "accuracy": ("accuracy", NI),
    "precision": ("precision", NI),
    "recall": ("recall", NI),
}
MAPS = ("roc", "precision_recall", "phi_delta")
_STEPS = 128


class Bounds(NamedTuple):
    """The range of normalized information at each value of another measure."""

    x: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    turn: float  # where the upper bound turns
    empty: tuple[str, str]  # the cell that is empty at the upper bound on either side


def describe(
    fpr: ArrayLike, tpr: ArrayLike, prevalence: float
) -> dict[str, np.ndarray]:
    """Every measure that a space has along its axes, of classifiers."""
    false, true = (np.asarray(rate, dtype=float) for rate in (fpr, tpr))
    right, wrong = prevalence * true, (1 - prevalence) * false
    phi, delta = phi_delta_from_rates(false, true)
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
        NI: normalized_information_from_roc(false, true, prevalence),
    }


class Rates(NamedTuple):
    """False and true positive rate of a classifier, and the share of positives."""

    fpr: float
    tpr: float
    prevalence: float


def tabulate_rates(
    y_true: ArrayLike, y_pred: ArrayLike, known: Any, weight: Any, pos_label: Any
) -> Rates:
    """Rates and prevalence of labels of two classes; None: the second is positive."""
    found = tabulate_labels(y_true, y_pred, labels=known, sample_weight=weight)
    labels = found.labels.tolist()
    if len(labels) > 2:
        raise ValueError("The target y is not binary. Got multiclass type of target.")
    if len(labels) == 2 and pos_label is not None and pos_label not in labels:
        raise ValueError(
            f"pos_label={pos_label!r} is not a valid label. It should be one of "
            f"{labels}."
        )
    table = found.table if pos_label in (None, labels[-1]) else found.table[::-1, ::-1]
    return _rates(table, labels if table is found.table else labels[::-1])


def matrix_rates(matrix: Any) -> Rates:
    """Rates and prevalence of a matrix ``[[TN, FP], [FN, TP]]``."""
    table = balance_of(matrix).table
    if table.shape != (2, 2):
        raise ValueError(f"A matrix must have shape (2, 2). Got shape {table.shape}.")
    return _rates(table if isinstance(table, np.ndarray) else table.toarray(), [0, 1])


def _rates(table, labels):
    sums = table.sum(axis=1)
    if np.count_nonzero(sums) < 2:
        raise ValueError(
            "Normalized information is undefined with one true class only. Got "
            f"{[label for label, n in zip(labels, sums, strict=True) if n]}."
        )
    (_, false), (_, true) = table / sums[:, np.newaxis]
    return Rates(float(false), float(true), float(sums[1] / sums.sum()))


def gather(found: Rates | dict[str, Rates], name: Any) -> dict[str, Any]:
    """Parameters of a display of one classifier, or of several on the same data."""
    if isinstance(found, Rates):
        return {**found._asdict(), "name": name}
    fpr, tpr, prevalence = np.array(list(found.values())).T
    if np.ptp(prevalence) > 1e-9:
        raise ValueError(
            "Normalized information depends on the share of positives, which must be "
            f"the same for all. Got {', '.join(f'{one:.3g}' for one in prevalence)}."
        )
    name = [str(key) for key in found] if name is None else name
    return {"fpr": fpr, "tpr": tpr, "prevalence": float(prevalence[0]), "name": name}


def compute_map(space: str, prevalence: float) -> dict[str, np.ndarray]:
    """Normalized information on a grid whose edges are those of what is feasible."""
    share = _dense_at_ends(_STEPS)
    if space != "precision_recall":
        fpr, tpr = np.meshgrid(share, share)
        columns = describe(fpr, tpr, prevalence)
        return {key: columns[key] for key in (*COLUMNS[space], NI)}
    recall = np.broadcast_to(share, (len(share), len(share)))
    least = least_precision(recall, prevalence)
    precision = least + share[:, None] * (1 - least)
    ni = normalized_information_from_precision_recall(precision, recall, prevalence)
    return {"recall": recall, "precision": precision, NI: ni}


def information_at(
    space: str, x: ArrayLike, y: ArrayLike, prevalence: float
) -> np.ndarray:
    """Normalized information at points of a map."""
    if space == "precision_recall":
        return normalized_information_from_precision_recall(y, x, prevalence)
    if space == "phi_delta":
        return normalized_information_from_phi_delta(x, y, prevalence=prevalence)
    return normalized_information_from_roc(x, y, prevalence)


def _dense_at_ends(n_steps):
    """From 0 to 1, in small steps where normalized information is steep."""
    return (1 - np.cos(np.pi * np.linspace(0, 1, n_steps + 1))) / 2


def least_precision(recall: ArrayLike, prevalence: float) -> np.ndarray:
    """Precision if all negatives are predicted positive, (16) of Wang and Hu."""
    return describe(1.0, recall, prevalence)["precision"]


def compute_bounds(space: str, prevalence: float) -> Bounds:
    """Bounds of normalized information given accuracy, precision or recall."""
    turn = prevalence if space == "precision" else 0.5
    x = np.unique([*_dense_at_ends(400), turn, prevalence, 1 - prevalence])
    lower = np.zeros_like(x)
    if space == "accuracy":
        empty = ("TN", "FP") if prevalence >= 0.5 else ("TP", "FN")
        lower = _least_at_accuracy(x, prevalence)
    else:
        empty = ("TN", "FN" if space == "precision" else "FP")
    upper = _most(space, x, prevalence)
    return Bounds(x, lower, upper, turn, empty)


def _least_at_accuracy(accuracy, prevalence):
    """The minimum at an accuracy A, 1 - h(A) / h(π), is where npv and precision are A.

    It is 0 between the shares of both classes, where one can guess with accuracy A.
    """
    return np.maximum(0, 1 - _entropy(accuracy) / _entropy(prevalence))


def _entropy(share):
    return entr(share) + entr(1 - np.asarray(share))


def _most(space, x, prevalence):
    """The upper bound: the larger value at the ends of the line on which x holds."""
    negative = 1 - prevalence
    if space == "recall":
        ends = [(np.ones_like(x), x), (np.zeros_like(x), x)]
    elif space == "precision":
        with np.errstate(divide="ignore"):
            odds = x / (1 - x) * negative / prevalence
            ends = [(np.minimum(1, 1 / odds), np.minimum(1, odds))]
    else:
        hits = [np.maximum(0, x - negative), np.minimum(prevalence, x)]
        ends = [(1 - (x - hit) / negative, hit / prevalence) for hit in hits]
    values = [
        normalized_information_from_roc(fpr.clip(0, 1), tpr.clip(0, 1), prevalence)
        for fpr, tpr in ends
    ]
    return np.max(values, axis=0)


def named_points(space: str, prevalence: float) -> dict[str, tuple[float, float]]:
    """The points that Wang and Hu name: their letters, and what they are in words."""
    if space == "precision_recall":
        return {_name("α", "AP", "says “yes” always"): (1.0, prevalence)}
    if space in MAPS:
        return {}
    of = space[0].upper()
    turn = compute_bounds(space, prevalence).turn
    height = float(_most(space, np.array([turn]), prevalence)[0])
    rare = min(prevalence, 1 - prevalence)
    worst, middle, best = _WORDS[space]
    points = {_name("α", of, worst): (0.0, 1.0)}
    if space == "accuracy" and rare == 0.5:
        letters = " = ".join(f"{letter}$_{of}$" for letter in "βηλ")
        points[f"{letters}\n{middle}"] = (turn, height)
    else:
        points[_name("β", of, middle)] = (turn, height)
    points[_name("γ", of, best)] = (1.0, 1.0)
    if space == "accuracy" and rare != 0.5:
        points[_name("η", of, "always says\nthe rare class")] = (rare, 0.0)
        points[_name("λ", of, "always says\nthe common class")] = (1 - rare, 0.0)
    return points


def _name(letter, index, words):
    return f"{letter}$_{{{index}}}$ {words}"


# What is at 0, where the upper bound turns, and at 1.
_WORDS = {
    "accuracy": ("always wrong", "half are right", "always right"),
    "precision": ("no hit", "as by guessing", "no false alarm"),
    "recall": ("misses all", "misses half", "misses none"),
}
