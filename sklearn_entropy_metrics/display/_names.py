"""Names beside points, or numbers with a list, placed each time that a figure is drawn.

Only then is it known where there is room: layouts and colour bars resize the Axes. This
is the only file that imports matplotlib at the top, because it defines an artist; it is
imported only when something is drawn.
"""

from typing import Any, NamedTuple

import numpy as np
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.collections import LineCollection
from matplotlib.legend import Legend
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation, Text

from sklearn_entropy_metrics.display._display import font_size, text_color

# Distances from the point in points, and directions, that are tried.
_DISTANCES = (7, 10, 13, 17, 23, 30, 38, 47, 57, 68, 80)
_ANGLES = np.deg2rad(np.arange(0, 360, 15))
# Farther than this a thin line leads from the point to its name.
_NEAR = 10
# Of this many good places, one whose line to the point crosses little is chosen.
_SOME = 40
# With more points than this, a name may cover some of them.
_MANY = 500
# Names that share less than this with anything else, in square points, are clear of it.
_TOUCHING = 4
# More names than this are a list, with numbers at the points, unless they are as short.
_MOST, _SHORT = 8, 3


class Named(NamedTuple):
    """A name, the point that it belongs to, its colour, and what a legend shows."""

    name: str
    anchor: np.ndarray
    color: Any
    handle: Any


class Naming(NamedTuple):
    """Texts beside points, and what the legend lists: all names that are not there."""

    labels: list[Any]
    entries: list[tuple[Any, str]]


def name_points(
    ax: Any,
    new: list[Named],
    annotate: bool | str,
    points: np.ndarray,
    lines: list[Any],
    fontsize: Any = None,
) -> Naming:
    """Write names beside points or, if they do not fit, numbers that a list explains.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to write. Names of earlier calls are numbered together with these.

    new : list of Named
        What to write.

    annotate : bool or "auto"
        Whether to write beside the points; otherwise the list has the names. If "auto",
        at most 8 names are written, if they fit without overlap; else numbers from the
        highest point down.

    points : ndarray of shape (n_points, 2)
        Points to keep clear of.

    lines : list of ndarray of shape (n_points, 2), LineCollection or Patch
        Lines to keep clear of.

    fontsize : float or str, default=None
        The size of the names. By default that of legends.

    Returns
    -------
    naming : Naming
        Its labels are those of this call, its entries those of all calls.
    """
    placer = _find_placer(ax)
    size = font_size(fontsize or rcParams["legend.fontsize"])
    labels: list[Any] | None = None
    placer.keep_clear(points if len(points) <= _MANY else [], lines)
    if annotate is False:
        placer.listed += [(one.handle, one.name) for one in new]
        labels = []
    elif annotate is True or all(len(one.name) <= _SHORT for one in new):
        labels = placer.add(new, size)
    elif not placer.is_list and len(placer.named) + len(new) <= _MOST:
        for smaller in (size, font_size(0.8 * size)):
            labels = labels or placer.add_if_they_fit(new, smaller)
        placer.named += zip(new, labels or [], strict=False)
    if labels is None:
        labels = placer.number(new, size)
    return Naming(labels, placer.entries)


def _find_placer(ax):
    """The placer of Axes, which is added if there is none."""
    found = [one for one in ax.artists if isinstance(one, Placer)]
    return found[0] if found else ax.add_artist(Placer())


def _annotate(ax, named, fontsize):
    leader = {"arrowstyle": "-", "linewidth": 0.6, "alpha": 0.6, "shrinkB": 3}
    leader |= {"shrinkA": 0, "color": text_color()}
    look: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}
    look |= {"fontsize": fontsize, "color": named.color, "arrowprops": leader}
    label = ax.annotate(
        named.name, named.anchor, (0, 0), textcoords="offset points", zorder=6, **look
    )
    # Legible on a cloud of points.
    label.set_path_effects(
        [withStroke(linewidth=2, foreground=rcParams["axes.facecolor"])]
    )
    # Names are drawn inside of the picture and need not make room for themselves.
    label.set_in_layout(False)
    return label


def _parts(line):
    """Lines as arrays: of an artist as it is now, unless it has been removed."""
    if isinstance(line, np.ndarray):
        return [line]
    if line.axes is None:
        return []
    if isinstance(line, LineCollection):
        return [part for part in line.get_segments() if len(part) > 1]
    return [line.get_patch_transform().transform(line.get_path().vertices)]


def _dots(line):
    """Many points of a line."""
    share = np.linspace(0, 1, max(2, 60 // len(line)))[:, None, None]
    return (line[:-1] + share * (line[1:] - line[:-1])).reshape(-1, 2)


class Placer(Artist):
    """Moves names to where there is room; it draws nothing itself."""

    axes: Any

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[Annotation] = []
        self.points = np.empty((0, 2))
        self.lines: list[Any] = []
        # What is written as a name or, if that is a list, as a number; and other names.
        self.named: list[tuple[Named, Annotation]] = []
        self.is_list = False
        self.listed: list[tuple[Any, str]] = []
        self.set_in_layout(False)
        self.set_zorder(-1)  # before the names are drawn

    def keep_clear(self, points, lines):
        """Let names keep off points and lines, too."""
        self.points = np.vstack([self.points, np.reshape(points, (-1, 2))])
        self.lines += lines

    def add(self, new, fontsize):
        """Write names; they and those that are there are moved together."""
        labels = [_annotate(self.axes, one, fontsize) for one in new]
        self.points = np.vstack([self.points, *(one.anchor[None] for one in new)])
        self.labels += labels
        return labels

    def add_if_they_fit(self, new, fontsize):
        """Write names, unless one would cover another or a point: then None."""
        labels = self.add(new, fontsize)
        locator = self.axes.get_axes_locator()
        self.axes.apply_aspect(locator(self.axes, None) if locator else None)
        if self.place() < _TOUCHING:
            return labels
        for label in labels:
            label.remove()
        return None

    def number(self, new, fontsize):
        """Write numbers in place of all names, from the highest point down."""
        for _, label in self.named:
            label.remove()
        every = [*(one for one, _ in self.named), *new]
        every.sort(key=lambda one: -one.anchor[1])
        numbers = [one._replace(name=str(i)) for i, one in enumerate(every, start=1)]
        labels = self.add(numbers, fontsize)
        self.named, self.is_list = list(zip(every, labels, strict=True)), True
        return labels

    @property
    def entries(self):
        """What the legend lists."""
        numbered = enumerate(self.named if self.is_list else (), start=1)
        return [(one.handle, f"{i}  {one.name}") for i, (one, _) in numbered] + [
            *self.listed
        ]

    def draw(self, renderer: Any) -> None:
        self.place(renderer)
        self.stale = False

    def place(self, renderer: Any = None) -> float:
        """Move the names; return the largest area, in square points, that one shares.

        A name shares it with others, with points and lines, or with the outside.
        """
        self.labels = [label for label in self.labels if label.axes is self.axes]
        taken = self._obstacles(renderer)
        inside = self.axes.bbox.extents
        points = self.axes.transData.transform(self.points)
        point = self.axes.figure.dpi / 72
        most = 0.0
        for label in self.labels:
            if label.get_visible():
                anchor = self.axes.transData.transform(label.xy)
                others = points[np.abs(points - anchor).max(axis=1) > 1e-6]
                box, shared = _place(label, np.array(taken), inside, others, renderer)
                taken.append(box)
                most = max(most, shared / point**2)
        return most

    def _obstacles(self, renderer):
        """Boxes of the points, of other texts and of the legend, in pixels."""
        own = set(map(id, self.labels))
        point = self.axes.figure.dpi / 72
        boxes = []
        for text in self.axes.texts:
            if id(text) not in own and text.get_visible():
                boxes.extend(_text_boxes(text, 2 * point, renderer))
        legends = [c for c in self.axes.get_children() if isinstance(c, Legend)]
        beside = [legend.get_window_extent(renderer) for legend in legends]
        beside += [ax.get_tightbbox(renderer) for ax in self.axes.child_axes]
        boxes.extend(box.extents for box in beside if box is not None)
        dots = [_dots(line) for lines in self.lines for line in _parts(lines)]
        for points, size in (
            (self.points, 6),
            (np.vstack([np.empty((0, 2)), *dots]), 1.5),
        ):
            half = size * point
            centers = self.axes.transData.transform(points)
            boxes.extend(np.hstack([centers - half, centers + half]))
        return boxes


def _text_boxes(text, pad, renderer):
    """Boxes that cover a text; a slanted one is covered by several along its diagonal.

    Each has its left, lower, right and upper end, in pixels.
    """
    box = text.get_window_extent(renderer)
    if text.get_rotation() % 90 == 0:
        return [box.padded(pad).extents]
    rises = text.get_rotation() % 180 < 90
    half = 0.8 * text.get_fontsize() * text.figure.dpi / 72
    (left, low), (right, high) = box.padded(-half).get_points()
    start, end = (low, high) if rises else (high, low)
    centers = np.linspace((left, start), (right, end), 12)
    return np.hstack([centers - half - pad, centers + half + pad])


def _place(label, taken, inside, others, renderer):
    """Put a name where it is free, near to its point, best to the right.

    Returns its box and the pixels of it that lie on something else or outside.
    """
    point = label.axes.figure.dpi / 72
    size = np.array(Text.get_window_extent(label, renderer).size)
    anchor = label.axes.transData.transform(label.xy)
    distance, angle = (
        grid.ravel() for grid in np.meshgrid(_DISTANCES, _ANGLES, indexing="ij")
    )
    direction = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    offset = direction * (distance[:, None] * point + size / 2)
    low = anchor + offset - size / 2
    boxes = np.hstack([low, low + size])
    near = (taken[:, :2] < boxes.max(axis=0)[2:]) & (
        taken[:, 2:] > boxes.min(axis=0)[:2]
    )
    taken = taken[near.all(axis=1)]
    shared = _crowding(boxes, taken, inside)
    cost = 1000 * shared + distance - 6 * direction[:, 0]
    # A name nearer to another point would seem to belong to that point.
    if len(others):
        cost += 40 * (_distances(boxes, others).min(axis=1) < distance * point)
    some = np.argsort(cost, kind="stable")[:_SOME]
    crossed = np.where(distance[some] > _NEAR, _crossed(anchor, boxes[some], taken), 0)
    best = some[np.argmin(cost[some] + 30 * crossed)]
    label.set_position(offset[best] / point)
    label.arrow_patch.set_visible(bool(distance[best] > _NEAR))
    return boxes[best] + 1.5 * point * np.array([-1, -0.5, 1, 0.5]), shared[best]


def _crossed(anchor, boxes, taken):
    """How much lies below the line from a point to each box."""
    end = np.clip(anchor, boxes[:, :2], boxes[:, 2:])
    own = ((taken[:, :2] < anchor) & (anchor < taken[:, 2:])).all(axis=1)
    low, high = taken[~own, :2], taken[~own, 2:]
    between = [(1 - t) * anchor + t * end for t in (0.35, 0.6, 0.85)]
    hits = [((low < p[:, None]) & (p[:, None] < high)).all(axis=2) for p in between]
    return np.minimum(np.sum(hits, axis=(0, 2)), 3)


def _distances(boxes, points):
    """Distance of each box from each point."""
    low, high = boxes[:, np.newaxis, :2], boxes[:, np.newaxis, 2:]
    return np.hypot(*np.moveaxis(points - np.clip(points, low, high), -1, 0))


def _crowding(boxes, taken, inside):
    """Area that each box shares with those taken, or has outside of the Axes."""
    low = np.maximum(boxes[:, None, :2], taken[:, :2])
    high = np.minimum(boxes[:, None, 2:], taken[:, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=-1).sum(axis=-1)
    size = boxes[:, 2:] - boxes[:, :2]
    within = np.minimum(boxes[:, 2:], inside[2:]) - np.maximum(boxes[:, :2], inside[:2])
    return shared + size.prod(axis=-1) - np.clip(within, 0, None).prod(axis=-1)
