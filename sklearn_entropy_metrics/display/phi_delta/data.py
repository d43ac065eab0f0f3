"""Points of the φ-δ plane: what is given, checked and named."""

from numbers import Integral

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.measure import phi_delta
from sklearn_entropy_metrics.table.tabulate import tabulate

# Names that are written if none are asked for by number.
_SOME = 10


def as_arrays(phi, delta):
    """Give both as arrays of at least one axis."""
    return [np.atleast_1d(np.asarray(values, dtype=float)) for values in (phi, delta)]


def check_plane(phi, delta):
    """Refuse pairs of φ and δ that no rates have."""
    phi, delta = as_arrays(phi, delta)
    if phi.shape != delta.shape:
        raise ValueError(
            "phi and delta must have the same shape. Got "
            f"{phi.shape} and {delta.shape}."
        )
    if not phi.size:
        raise ValueError(
            "phi and delta must hold at least one point. Got arrays of shape "
            f"{phi.shape}."
        )
    outside = np.abs(phi) + np.abs(delta) > 1 + 1e-9
    if outside.any():
        raise ValueError(
            "phi and delta must satisfy |phi| + |delta| <= 1. Got "
            f"phi={phi[outside][0]:g} with delta={delta[outside][0]:g}."
        )


def series_names(name, shape, parameter="name"):
    """Names for the points along the last axis; None if there is one name or none."""
    if name is None or isinstance(name, str):
        return None
    names = [str(one) for one in name]
    if len(names) != shape[-1]:
        raise ValueError(
            f"{parameter} must be as long as there are points. Got {len(names)} names "
            f"for {shape[-1]} points."
        )
    return names


def names_of_points(series, point_names, annotate):
    """Names to write beside points, with their places, the largest |δ| first."""
    if not (isinstance(annotate, Integral) and annotate >= 0):
        raise ValueError(f"annotate must be a bool or a number ≥ 0. Got {annotate!r}.")
    if point_names is not None and len(series) == 1:
        (one,) = series
        names = np.resize(point_names, len(one.points))
        places, strength = one.points, one.strength
        n_names = _SOME if annotate is True else annotate
    else:
        series = [one for one in series if one.name is not None]
        names = [one.name for one in series]
        places = [one.anchor for one in series]
        strength = np.array([np.nanmax(one.strength, initial=0) for one in series])
        n_names = len(names) if annotate is True else annotate
    order = np.argsort(-strength, kind="stable")[: int(n_names)]
    return {str(names[i]): places[i] for i in order if np.isfinite(places[i]).all()}


def split_labels(y_true, y_pred, labels, pred_labels, sample_weight):
    """The true classes, in the order of the rows of a table."""
    return tabulate(
        y_true,
        y_pred,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
    ).labels


def choose_points(tables, classes, pos_label, name):
    """Tables of the positive class or of every class, with their names."""
    classes = classes.tolist()
    if pos_label is None and len(classes) > 2:
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


def defined_rates(tables):
    """φ and δ of tables, with a warning where there are none."""
    phi, delta = phi_delta(tables)
    if np.isnan(delta).any():
        warn(
            "φ and δ are undefined, and not drawn, without positive or without "
            "negative samples.",
            UndefinedMetricWarning,
        )
    return phi, delta
