"""Points of the φ-δ plane: what is given, checked and named."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.measure import one_vs_rest, phi_delta
from sklearn_entropy_metrics.measure.against_rest import class_tables
from sklearn_entropy_metrics.table.classes import ClassTable, KnownLabels
from sklearn_entropy_metrics.table.given import read_table
from sklearn_entropy_metrics.table.multilabel import (
    is_multilabel,
    tabulate_indicators,
)
from sklearn_entropy_metrics.table.tabulate import tabulate_labels


class Series(NamedTuple):
    """Points that look alike, as they are drawn."""

    name: str | None
    points: np.ndarray
    pooled: np.ndarray | None


def as_arrays(phi, delta):
    """Return both as arrays of at least one axis."""
    return [np.atleast_1d(np.asarray(values, dtype=float)) for values in (phi, delta)]


def check_plane(phi, delta):
    """Raise an error for pairs of φ and δ that no rates have."""
    phi, delta = as_arrays(phi, delta)
    if phi.shape != delta.shape or not phi.size:
        raise ValueError(
            "`phi` and `delta` must hold at least one point and have the same shape. "
            f"Got {phi.shape} and {delta.shape}."
        )
    outside = np.abs(phi) + np.abs(delta) > 1 + 1e-9
    if outside.any():
        raise ValueError(
            "`phi` and `delta` must satisfy |phi| + |delta| <= 1. Got "
            f"phi={phi[outside][0]:g} with delta={delta[outside][0]:g}."
        )


def check_annotate(annotate: bool | int | str, view: str) -> None:
    """Raise an error for anything but a bool, "auto" or a number of features."""
    is_number = view == "feature" and isinstance(annotate, Integral) and annotate >= 0
    if not (is_number or isinstance(annotate, bool) or annotate == "auto"):
        raise ValueError(
            "`annotate` must be a bool, 'auto' or, for features, a number ≥ 0. Got "
            f"{annotate!r}."
        )


class ClassTables(NamedTuple):
    """Tables of classes against the rest, `(..., k, 2, 2)`, and the classes."""

    tables: np.ndarray
    classes: list[Any]
    # Whether these are labels of which a sample may have several.
    of_several: bool = False


def tabulate_classes(y_true, y_pred, labels, pred_labels, sample_weight):
    """Tabulate labels once, or each label of indicator matrices."""
    if not is_multilabel(y_true):
        options = {"labels": labels, "pred_labels": pred_labels}
        table = tabulate_labels(y_true, y_pred, sample_weight=sample_weight, **options)
        return ClassTables(class_tables(table), table.labels.tolist())
    if not isinstance(labels, KnownLabels | None) or pred_labels is not None:
        raise ValueError(
            "`labels` and `pred_labels` must be None for several labels per sample, "
            f"whose columns are the labels. Got {labels!r} and {pred_labels!r}."
        )
    several = tabulate_indicators(y_true, y_pred, sample_weight)
    return ClassTables(several.tables, several.names, True)


def split_matrix(matrix: Any, labels: Any = None) -> ClassTables:
    """Split a square matrix or a stack of them, whose classes may have labels."""
    counted = read_table(matrix, labels)
    return ClassTables(one_vs_rest(counted.table), counted.labels.tolist())


def split_folds(folds: ClassTable, labels: Any) -> ClassTables:
    """Split the tables of folds; classes without a sample stay if they are given."""
    tables, classes = one_vs_rest(folds.table), folds.labels
    if labels is None:
        seen = folds.table.any(axis=(0, 2))
        tables, classes = tables[:, seen], classes[seen]
    return ClassTables(tables, classes.tolist())


def choose_points(classes: Any, pos_label: Any, name: Any) -> tuple[np.ndarray, Any]:
    """Choose the tables of the points, (..., 2, 2) or (..., n_points, 2, 2).

    In a dict, those of several runs have one leading axis. Returns them and their name,
    or a name for each of n_points.
    """
    if not isinstance(classes, Mapping):
        return _choose(classes, pos_label, name)
    chosen = [_choose(one, pos_label, str(key)) for key, one in classes.items()]
    tables, names = _side_by_side(chosen)
    return tables, names if name is None else name


def _choose(split, pos_label, name):
    tables, classes, of_several = split
    if pos_label is None and (len(classes) > 2 or of_several):
        if name is None or isinstance(name, str):
            prefix = "" if name is None else f"{name}: "
            name = [f"{prefix}{one}" for one in classes]
        return tables, name
    pos_label = max(classes) if pos_label is None else pos_label
    if pos_label not in classes:
        raise ValueError(
            f"pos_label={pos_label!r} is not a valid label. It should be one of "
            f"{classes}."
        )
    return tables[..., classes.index(pos_label), :, :], name


def _side_by_side(chosen):
    """The points of all classifiers; empty tables where one has fewer runs."""
    points: list[np.ndarray] = []
    names: list[str] = []
    for tables, name in chosen:
        one_point = isinstance(name, str)
        points.append(tables[..., np.newaxis, :, :] if one_point else tables)
        names += [name] if one_point else name
    if all(tables.ndim == 3 for tables in points):
        return np.concatenate(points), names
    runs = [tables.reshape(-1, *tables.shape[-3:]) for tables in points]
    most = max(map(len, runs))
    width = [((0, most - len(tables)), (0, 0), (0, 0), (0, 0)) for tables in runs]
    return np.concatenate(list(map(np.pad, runs, width)), axis=1), names


def defined_rates(tables):
    """φ and δ of tables, with a warning where there are none."""
    phi, delta = phi_delta(tables)
    # An empty table needs no warning.
    if (np.isnan(delta) & tables.any(axis=(-2, -1))).any():
        warn(
            "φ and δ are undefined, and not drawn, without positive or without "
            "negative samples.",
            UndefinedMetricWarning,
        )
    return phi, delta
