"""Tables and probabilities → the numbers of a report, and notes about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse as sp
from scipy.optimize import linear_sum_assignment

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.probability import balance_samples
from sklearn_entropy_metrics.measure import (
    MEASURES,
    confusion_entropy,
    confusion_entropy_per_class,
    phi_delta,
)
from sklearn_entropy_metrics.score.report.intervals import report_intervals
from sklearn_entropy_metrics.score.report.titles import CLASS_COLUMNS
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.probabilities import Samples

# The search for the best relabelling takes a dense table and cubic time.
_MOST_RELABELLED = 1000
# Folds of the recalibration, if there are as many samples.
_FOLDS = 5


def report_of_table(
    given: ClassTable,
    names: Sequence[str],
    samples: Samples | None = None,
    support: Sequence[float] | None = None,
    *,
    confidence_level: float | None = None,
    n_samples: float | None = None,
) -> dict[str, Any]:
    """Report on a table whose classes have names, and on probabilities if given.

    The table may be that of the probabilities, whose rows need not sum to the `support`
    of the classes. Measures that compare each class with its own predictions are NaN
    unless the columns stand for the classes of the rows. There are intervals if a
    confidence level is given, for `n_samples` samples or the total of the table.
    """
    table, is_square = given.table, given.is_square
    balance = EntropyBalance(table)
    if given.class_weight is not None:
        support = given.class_weight.tolist()
    support = _row_sums(table) if support is None else _whole(list(support))
    rows = zip(*_class_columns(balance, is_square), support, strict=True)
    accuracies = _accuracies(balance, is_square)
    intervals: dict[str, Any] = {}
    notes: list[str] = []
    if confidence_level is not None:
        intervals, notes = report_intervals(given, confidence_level, n_samples)
    report: dict[str, Any] = {
        "task": {
            "n_samples": sum(support),
            "n_classes": balance.n_true_classes,
            "effective_classes": balance.effective_true_classes,
        },
        **_sections(balance, is_square),
        "intervals": intervals,
        "accuracy": accuracies,
        "classes": {
            name: dict(zip(CLASS_COLUMNS, row, strict=True))
            for name, row in zip(names, rows, strict=True)
        },
        "notes": _notes(given.warning, accuracies) + notes,
    }
    if given.class_weight is not None:
        report["confusion_entropy"] |= _soft_measures(table, given.class_weight)
    if samples is not None:
        _add_probabilities(report, samples)
    return report


def _sections(balance, is_square):
    """The numbers of all classes together, except the accuracy."""
    divergence, information, variation = balance.joint_fractions.tolist()
    return {
        "transfer": {
            "mutual_information": balance.mutual_information,
            **_measures("transfer", balance, is_square),
        },
        "triangle": {
            "divergence": divergence,
            "mutual_information": information,
            "variation_of_information": variation,
        },
        "confusion_entropy": {
            **_measures("confusion_entropy", balance, is_square),
            "modified_confusion_entropy": (
                confusion_entropy(balance, modified=True) if is_square else np.nan
            ),
        },
    }


def _soft_measures(table, class_weight):
    """The confusion entropies of sums of probabilities."""
    return {
        name: measure(table, class_weight=class_weight)
        for name, measure in MEASURES.items()
        if measure.section == "confusion_entropy" and measure.of_probabilities
    }


def _add_probabilities(report, samples):
    soft = samples.soft_table()
    report["confusion_entropy"] |= _soft_measures(soft.table, soft.class_weight)
    n_folds = min(_FOLDS, len(samples.true))
    balance = balance_samples(samples, cv=n_folds if n_folds > 1 else None)
    report["probabilities"] = balance.to_dict()
    if balance.stated_information < 0:
        report["notes"].append(
            "The probabilities mislead: as they are, they say less than the class "
            "frequencies alone."
        )


def _measures(section, balance, is_square):
    """The measures of tables that the catalogue puts into a section."""
    return {
        measure.name: measure(balance)
        if measure.input == "table"
        or (is_square and measure.takes(balance.table.shape))
        else np.nan
        for measure in MEASURES.values()
        if measure.section == section and not measure.of_probabilities
    }


def _row_sums(table):
    """Numbers of samples of the classes; counts as Python ints, which may be large."""
    if table.dtype.kind == "f" or table.sum(dtype=np.float64) < 2.0**62:
        return table.sum(axis=1).tolist()
    cells = sp.coo_array(table)
    sums = [0] * table.shape[0]
    for row, value in zip(cells.coords[0].tolist(), cells.data.tolist(), strict=True):
        sums[row] += value
    return sums


def _whole(sums):
    """Counts as ints, where those of probabilities were added up as floats."""
    if all(total < 2.0**53 and float(total).is_integer() for total in sums):
        return [int(total) for total in sums]
    return sums


def _class_columns(balance, is_square):
    """φ, δ and CEN of each class."""
    if not is_square:
        return np.full((3, balance.n_true_classes), np.nan).tolist()
    columns = *phi_delta(balance, average=None), confusion_entropy_per_class(balance)
    return [np.asarray(column).tolist() for column in columns]


def _accuracies(balance, is_square):
    """Accuracy, plain and under the best relabelling of the predictions."""
    measures, table = _measures("accuracy", balance, is_square), balance.table
    if table.shape[0] > _MOST_RELABELLED or not is_square:
        return measures | {"best_relabelling": None, "is_exchanged": None}
    dense = table.toarray() if sp.issparse(table) else table
    hits = dense[linear_sum_assignment(dense, maximize=True)]
    best = float(hits.sum(dtype=np.float64) / dense.sum(dtype=np.float64))
    plain = measures["accuracy"]
    return measures | {
        "best_relabelling": max(best, plain),
        "is_exchanged": best > plain + 1e-12,
    }


def _notes(doubt, accuracies):
    """What the numbers alone do not show."""
    notes = [] if doubt is None else [doubt]
    if accuracies["is_exchanged"]:
        notes.append(
            "Classes are exchanged: with other names for the predicted classes the "
            f"accuracy would be {accuracies['best_relabelling']:.3f} instead of "
            f"{accuracies['accuracy']:.3f}."
        )
    return notes
