"""The detail of the triangle: where points crowd, enlarged beside it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display._axes import on_paper, write
from sklearn_entropy_metrics.display.triangle.frame import Frame, Note
from sklearn_entropy_metrics.display.triangle.geometry import (
    Triangle,
    enclosing_triangle,
    from_plane,
    to_plane,
)
from sklearn_entropy_metrics.display.triangle.slots import Slot

_COLOR = "#1f5fa8"
# Points with smaller gaps between them are a crowd.
_GAP = 0.05
# Of more points, the detail shows all.
_MANY = 1000


class Detail(NamedTuple):
    """The Axes of the detail, their room, and what marks it in the triangle."""

    ax: Any
    slot: Slot
    marks: list[Any]


def find_crowd(fractions: np.ndarray) -> Triangle:
    """The part of the triangle that holds the most points close to each other."""
    from scipy.cluster.hierarchy import fcluster, linkage

    fractions = fractions[np.isfinite(fractions).all(axis=1)]
    if 1 < len(fractions) <= _MANY:
        joined = linkage(to_plane(fractions), "single")
        groups = fcluster(joined, _GAP, "distance")
        fractions = fractions[groups == np.bincount(groups).argmax()]
    return enclosing_triangle(fractions)


def is_inside(part: Triangle, points: ArrayLike) -> np.ndarray:
    """Whether points of the plane, (n, 2), are in a part of the triangle."""
    return np.all(from_plane(points) >= np.array(part.lower) - 1e-9, axis=1)


def draw_detail(ax: Any, frame: Frame, part: Triangle) -> Any:
    """Draw all that is on Axes anew, enlarged; return the Axes of the detail."""
    remove_detail(frame)
    inset = ax.inset_axes((0, 0, 1, 1), xticks=[], yticks=[])
    slot = Slot(inset)
    inner = Frame(inset, frame.words, speaks=False, slot=slot)
    inner.show(inset, part)
    color = on_paper(_COLOR)
    inner.outline.set_edgecolor(color)
    inner.say(inset, "detail").set(color=color, alpha=1)
    _copy_artists(ax, inset, frame, inner)
    _move_names(frame, inset, inner)
    frame.slots.insert(0, slot)
    window, label = _mark(ax, part, color)
    frame.scale([label])
    frame.detail = Detail(inset, slot, [window, label])
    return inset


def remove_detail(frame: Frame) -> None:
    """Take the detail away, before it is drawn anew."""
    if frame.detail is None:
        return
    frame.detail.ax.remove()
    frame.slots.remove(frame.detail.slot)
    frame.drop(frame.detail.marks)
    for note in frame.labels:
        note.text.set_visible(True)
    frame.detail = None


def _mark(ax, part, color):
    """Shade the part that the detail shows."""
    from matplotlib.patches import Polygon

    window = Polygon(part.corners, facecolor=color, alpha=0.12, zorder=1)
    look = {"ha": "left", "va": "bottom", "color": color, "fontsize": "small"}
    right = (part.corners[0] + part.corners[1]) / 2
    label = write(ax, right, "detail", (3, 0), **look)
    label.set_in_layout(False)
    return [ax.add_patch(window), label]


def _copy_artists(ax, inset, frame, inner):
    """Draw points, their lines and ellipses again."""
    from matplotlib.collections import LineCollection, PathCollection
    from matplotlib.patches import Ellipse

    own = [*frame.grids, *frame.passing, *(one.lines for one in frame.nit_lines)]
    for artist in ax.collections:
        if any(artist is one for one in own):
            continue
        if isinstance(artist, PathCollection):
            points = np.asarray(artist.get_offsets())
            copy: Any = inset.scatter(*points.T, zorder=artist.get_zorder())
            copy.set_paths(artist.get_paths())
            copy.update_from(artist)
            copy.set_sizes(artist.get_sizes())
        elif isinstance(artist, LineCollection):
            copy = LineCollection(artist.get_segments())
            copy.update_from(artist)
            inset.add_collection(copy, autolim=False)
        copy.set_clip_path(inner.outline)
    for patch in ax.patches:
        if isinstance(patch, Ellipse):
            center: Any = patch.get_center()
            shape = Ellipse(center, patch.width, patch.height, angle=patch.angle)
            copy = inset.add_patch(shape)
            copy.update_from(patch)
            copy.set(transform=inset.transData, clip_path=inner.outline)


def _move_names(frame, inset, inner):
    """Write names of what the detail shows there, not in the triangle."""
    from sklearn_entropy_metrics.display._labels import add_names

    here = [
        note.text
        for note in frame.labels
        if note.text.axes is not None and is_inside(inner.part, [note.text.xy])
    ]
    for label in here:
        label.set_visible(False)
    if here:
        shown = to_plane(np.vstack(frame.shown))
        labels = add_names(
            inset,
            [label.get_text() for label in here],
            np.array([label.xy for label in here]),
            shown[is_inside(inner.part, shown)],
            [inner.outline.get_xy()],
            [label.get_color() for label in here],
        )
        inner.labels += [
            Note(label, np.array(label.xy), label.get_fontsize()) for label in labels
        ]
