"""What the report adds for few samples: corrected values, intervals and notes."""

import math
from typing import Any

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.balance.shrink import shrink_errors
from sklearn_entropy_metrics.measure.catalog import MEASURES
from sklearn_entropy_metrics.measure.chosen import choose_metric
from sklearn_entropy_metrics.measure.delta import delta_intervals, few_samples
from sklearn_entropy_metrics.table.class_table import ClassTable

_MOST_CLASSES = 200
# A plug-in value further from the corrected one, as a share of it, means little.
_FAR = 0.25


def report_intervals(
    given: ClassTable, confidence_level: float, n_samples: float | None = None
) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Correct the main measures of a table and say which numbers mean little.

    Parameters
    ----------
    given : ClassTable
        A table of counts or weights and its classes.

    confidence_level : float
        The level of the intervals.

    n_samples : float, default=None
        The effective number of samples; by default, the total of the table.

    Returns
    -------
    intervals : dict of str to dict
        Estimate, low, high, standard error and plug-in value of each measure; empty if
        there are no intervals.

    notes : list of str
        Why there are no intervals, or which numbers not to trust.
    """
    table = given.table
    if given.class_weight is not None:
        return {}, ["No intervals: the table holds probabilities, not samples."]
    if sp.issparse(table) or max(table.shape) > _MOST_CLASSES:
        return {}, [
            "No intervals: sparse tables and tables of more than "
            f"{_MOST_CLASSES} classes have none."
        ]
    size = float(table.sum(dtype=np.float64)) if n_samples is None else n_samples
    if size < 2 - 1e-9:
        return {}, [f"No intervals: they need at least 2 samples, got {size:.3g}."]
    stack = table[None]
    shrunk = shrink_errors(stack, hits=given.hits, n_samples=size)
    intervals = {}
    for name, measure in MEASURES.items():
        if measure.section not in ("transfer", "accuracy"):
            continue
        if measure.input != "table" and not given.is_square:
            continue
        found = delta_intervals(
            stack,
            shrunk,
            choose_metric(name, table.shape, given.is_square),
            n_samples=size,
            confidence_level=confidence_level,
        )
        intervals[name] = {key: float(x[0]) for key, x in found._asdict().items()}
    return intervals, _notes(table, size, intervals)


def _notes(table: np.ndarray, size: float, intervals: dict[str, Any]) -> list[str]:
    causes = few_samples(table.sum(axis=1, dtype=np.float64), size, table.shape)
    notes = [f"Few samples: {'; '.join(causes)}."] if causes else []
    far = [
        f"{MEASURES[name].symbol} {found['plug_in']:.3f} (corrected "
        f"{found['estimate']:.3f})"
        for name, found in intervals.items()
        if _is_far(**found)
    ]
    if far:
        notes.append(
            "Do not quote these observed values, which are far off because there are "
            f"few samples: {', '.join(far)}."
        )
    return notes


def _is_far(estimate, plug_in, standard_error, **_):
    off = abs(plug_in - estimate)
    if math.isnan(off):
        return False
    return off > standard_error or off > _FAR * abs(estimate)
