"""Names of points: beside them while they fit, else in a legend, on shared Axes too."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.display._axes import font_size
from sklearn_entropy_metrics.display.triangle.frame import Frame, Note

# Of more points than this, the names are in a legend.
MOST = 8


class Named(NamedTuple):
    """A name, the point that it belongs to, its colour, and what a legend shows."""

    name: str
    anchor: np.ndarray
    color: Any
    handle: Any


class Writing(NamedTuple):
    """A name that is written beside its point, until there are too many."""

    named: Named
    label: Any


def write_names(
    ax: Any,
    frame: Frame,
    new: list[Named],
    annotate: bool | str,
    points: Any,
    lines: Any,
) -> tuple[list[Any], list[tuple[Any, str]]]:
    """Write names beside the points of Axes, or leave them to the legend.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to write.

    frame : Frame
        The frame on these Axes.

    new : list of Named
        The names of the points that were drawn last.

    annotate : bool or "auto"
        Whether to write beside points. If "auto", there are at most 8 names on the
        Axes, which do not overlap.

    points, lines
        What names keep clear of.

    Returns
    -------
    labels : list of matplotlib Annotation
    entries : list of (Artist, str)
        What the legend shows.
    """
    import matplotlib as mpl

    from sklearn_entropy_metrics.display._labels import add_names, add_names_that_fit

    if not new or annotate is False:
        return [], [(one.handle, one.name) for one in new]
    size = font_size(mpl.rcParams["legend.fontsize"])
    ax.apply_aspect(frame(ax, None))  # it sets the size of texts
    given: list[Any] = [[one.name for one in new]]
    given += [np.stack([one.anchor for one in new]), points, lines]
    given += [[one.color for one in new], size * frame.share]
    is_first = len(new) == 1 and not frame.writings
    labels = None
    if annotate is True or (is_first and not frame.crowded):
        labels = add_names(ax, *given)
    elif not frame.crowded and len(frame.writings) + len(new) <= MOST:
        labels = add_names_that_fit(ax, *given)
    if labels is None:
        return [], _move_to_legend(frame, new)
    frame.labels += [Note(label, label.xy, size) for label in labels]
    if annotate == "auto":
        frame.writings += map(Writing, new, labels)
    return labels, []


def _move_to_legend(frame, new):
    """Take the names from the points, for good."""
    every = [writing.named for writing in frame.writings] + new
    for writing in frame.writings:
        writing.label.remove()
    frame.writings, frame.crowded = [], True
    return [(one.handle, one.name) for one in every]
