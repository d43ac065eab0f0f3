"""Names beside points, or numbers with a list, placed each time that a figure is drawn.

Only then is it known where there is room: layouts and colour bars resize the Axes.
"""

from typing import Any, NamedTuple

import numpy as np
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.legend import Legend
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation, Text

from sklearn_entropy_metrics._html import shorten
from sklearn_entropy_metrics.display._display import (
    font_factor,
    text_color,
    write_legend,
)

# Distances from the point in points, and directions, that are tried.
_DISTANCE = np.repeat([7, 10, 13, 17, 23, 30, 38, 47, 57, 68, 80], 24)
_ANGLE = np.tile(np.deg2rad(np.arange(0, 360, 15)), 11)
_DIRECTION = np.stack([np.cos(_ANGLE), np.sin(_ANGLE)], axis=-1)
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

# Ways to write a list, the best first: shares of the size of its texts, and how many
# characters names have at most.
_WAYS = ((1, 99), (0.8, 99), (0.6, 99), (0.6, 20), (0.6, 12), (0.6, 9))
# So many of the highest and of the lowest points are named where no list fits; fewer
# on small Axes.
_ENDS = 4


class Named(NamedTuple):
    """A name, the point that it belongs to, its colour, and what a legend shows."""

    name: str
    anchor: np.ndarray
    color: Any
    handle: Any


def name_points(ax, new, annotate, points, lines, fontsize, fixed=()):
    """Write names beside points or, if they do not fit, numbers that a list explains.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to write. Names of earlier calls are numbered together with these.

    new : list of Named
        What to write. What has no name or no place is left out.

    annotate : bool or "auto"
        Whether to write beside the points; otherwise the list has the names. If "auto",
        at most 8 names are written, if they fit without overlap; else numbers from the
        highest point down.

    points : ndarray of shape (n_points, 2)
        Points to keep clear of.

    lines : list of LineCollection, Line2D or Patch
        Lines to keep clear of.

    fontsize : float
        The size of the names, in points.

    fixed : sequence of Named
        What is written beside its point unless `annotate` is False; never numbered.

    Returns
    -------
    labels : list of Annotation
        The texts beside points that this call wrote.

    entries : list of (Artist, str)
        What the legend lists: all names, of all calls, that are not beside points.
    """
    there = [one for one in ax.artists if isinstance(one, Placer)]
    placer: Any = there[0] if there else ax.add_artist(Placer())
    new, fixed = (
        [one for one in some if one.name and np.isfinite(one.anchor).all()]
        for some in (new, fixed)
    )
    if len(points) <= _MANY:
        points = points[np.isfinite(points).all(axis=1)]
        placer.points = np.vstack([placer.points, points])
    placer.lines += lines
    if annotate is False:
        placer.listed += [(one.handle, one.name) for one in new]
        return [], placer.entries
    labels = None
    if annotate is True or all(len(one.name) <= _SHORT for one in new):
        labels = placer.add(new, fontsize)
    elif not placer.is_list and len(placer.named) + len(new) <= _MOST:
        small = max(0.8 * fontsize, 6)
        labels = placer.add_if_they_fit(new, fontsize)
        labels = labels or placer.add_if_they_fit(new, small)
        if len(placer.named) + len(new) == 1:  # a list of one name would not help
            labels = labels or placer.add(new, small)
        placer.named += zip(new, labels or [], strict=False)
    if labels is None:
        labels = placer.number(new, fontsize)
    return labels + placer.add(fixed, fontsize), placer.entries


def fit_legend(ax, listed, others, names, size, fits):
    """Draw the legend again, in one upper corner or in both; return the right one.

    A list that does not fit has smaller texts, then shorter names. If that is not
    enough, it is left out, and of `names`, the numbers beside the points, the first and
    the last become names, and the rest go; at last also the `others` go, with what an
    older legend had. `fits` makes room for legends and returns whether there is enough.
    """
    kept: dict[str, Any] = {}
    for legend in [one for one in ax.get_children() if isinstance(one, Legend)]:
        texts = map(Text.get_text, legend.get_texts())
        given = dict(zip(texts, legend.legend_handles, strict=True))
        kept |= vars(legend).get("others", given)
        legend.remove()
    kept |= {name: mark for mark, name in others}
    others = [(mark, name) for name, mark in kept.items()]
    legends = _draw_list(ax, [*listed, *others], size, fits) if listed else []
    if not legends:
        legends = _draw_list(ax, others, size, fits)
        factor = font_factor(ax)
        some, most = round(_ENDS * factor**4), round(20 * factor)
        numbers = [label for label in names if hasattr(label, "stands_for")]
        for label in numbers:
            label.set_text(shorten(label.stands_for, most))
        for label in numbers[some : len(numbers) - some]:
            label.remove()
            names.remove(label)
    for legend in legends:
        legend.others = kept
    return legends[-1] if legends else None


def _draw_list(ax, entries, size, fits):
    """Draw the first legends that fit, one or two halves; none if there are none."""
    half = (len(entries) + 1) // 2
    for scale, most in _WAYS if entries else ():
        short = [(mark, shorten(name, most)) for mark, name in entries]
        for parts in ([short], [short[:half], short[half:]]):
            legends = _draw_legends(ax, parts, max(scale * size, 6))
            if fits(legends):
                return legends
            for legend in legends:
                legend.remove()
    fits([])
    return []


def _draw_legends(ax, parts, size):
    look: Any = {"frameon": ax.axison, "labelspacing": 0.15, "fontsize": size}
    legends: list[Any] = []
    for part, side in zip(parts, ("left", "right")[-len(parts) :], strict=False):
        for legend in legends:
            ax.add_artist(legend)  # the next would take its place
        if ax.axison and not all(isinstance(m, PathCollection) for m, _ in part):
            look["handlelength"] = 2.2  # dashes stay distinguishable
        if part:
            legends.append(write_legend(ax, part, loc=f"upper {side}", **look))
            legends[-1].get_frame().set(linewidth=0, alpha=1)
    return legends


def _annotate(ax, named, fontsize):
    leader = {"arrowstyle": "-", "linewidth": 0.6, "alpha": 0.6, "shrinkB": 3}
    leader |= {"shrinkA": 0, "color": text_color()}
    look: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}
    look |= {"fontsize": fontsize, "color": named.color, "arrowprops": leader}
    # Legible on a cloud of points.
    paper = "white" if isinstance(named.color, str) else rcParams["axes.facecolor"]
    stroke = withStroke(linewidth=2, foreground=paper)
    # Names are drawn inside of the picture and need not make room for themselves.
    look |= {"path_effects": [stroke], "in_layout": False, "zorder": 6}
    given = named.name, named.anchor, (0, 0)
    return ax.annotate(*given, textcoords="offset points", **look)


def _dots(line):
    """Many points of the lines of an artist, as it is now."""
    if isinstance(line, LineCollection):
        paths = line.get_paths()
    else:
        paths = [line.get_path()]
        if isinstance(line, Patch):
            paths = [line.get_patch_transform().transform_path(paths[0])]
    long = [path for path in paths if len(path) > 1]
    return [path.interpolated(max(1, 200 // len(path))).vertices for path in long]


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
        if self.place():
            return labels
        for label in labels:
            label.remove()
        return None

    def number(self, new, fontsize):
        """Write numbers in place of all names, from the highest point down."""
        for _, label in self.named:
            if label.axes is not None:  # it left with a list that had no room
                label.remove()
        every = [*(one for one, _ in self.named), *new]
        every.sort(key=lambda one: -one.anchor[1])
        numbers = [one._replace(name=str(i)) for i, one in enumerate(every, start=1)]
        labels = self.add(numbers, fontsize)
        for one, label in zip(every, labels, strict=True):
            label.stands_for = one.name.splitlines()[0]
        self.named, self.is_list = list(zip(every, labels, strict=True)), True
        return labels

    @property
    def entries(self):
        """What the legend lists."""
        numbered = enumerate(self.named if self.is_list else (), start=1)
        entries = [
            (one.handle, f"{i}  {one.name.splitlines()[0]}") for i, (one, _) in numbered
        ]
        return entries + self.listed

    def draw(self, renderer: Any) -> None:
        self.place(renderer)
        self.stale = False

    def place(self, renderer: Any = None) -> bool:
        """Move the names; return whether all are clear of each other and the rest."""
        self.labels = [label for label in self.labels if label.axes is self.axes]
        self.lines = [one for one in self.lines if getattr(one, "axes", True)]
        taken: Any = self._obstacles(renderer) if self.labels else None
        points = self.axes.transData.transform(self.points)
        names, are_clear = np.empty((0, 4)), True
        for label in self.labels:
            if label.get_visible():
                box, leader, is_clear = _place(label, taken, points, renderer)
                are_clear &= is_clear and not _shared(leader, names).any()
                names = np.vstack([names, box])
                taken = np.vstack([taken, box, leader])
        return are_clear

    def _obstacles(self, renderer):
        """Boxes of the points, of other texts and of the legend, in pixels."""
        point = self.axes.figure.dpi / 72
        boxes: list[Any] = []
        for text in self.axes.texts:
            if text.get_visible() and text not in self.labels:
                boxes.append(_text_boxes(text, 2 * point, renderer))
        legends = [c for c in self.axes.get_children() if isinstance(c, Legend)]
        beside = [legend.get_window_extent(renderer) for legend in legends]
        beside += [ax.get_tightbbox(renderer) for ax in self.axes.child_axes]
        boxes += [box.extents for box in beside if box is not None]
        dots = [(one, 1.5 * point) for line in self.lines for one in _dots(line)]
        for points, half in [(self.points, 6 * point), *dots]:
            centers = self.axes.transData.transform(points)
            boxes.append(np.hstack([centers - half, centers + half]))
        return np.vstack(boxes)


def _text_boxes(text, pad, renderer):
    """Boxes that cover a text; a slanted one is covered by several along its diagonal.

    Each has its left, lower, right and upper end, in pixels.
    """
    box = text.get_window_extent(renderer)
    if text.get_rotation() % 90 == 0:
        return [box.padded(pad).extents]
    half = 0.8 * text.get_fontsize() * text.figure.dpi / 72
    ends = box.padded(-half).get_points()
    if text.get_rotation() % 180 > 90:  # it falls
        ends[:, 1] = ends[::-1, 1]
    centers = np.linspace(ends[0], ends[1], 12)
    return np.hstack([centers - half - pad, centers + half + pad])


def _place(label, taken, points, renderer):
    """Put a name where it is free, near to its point, best to the right.

    Returns its box, boxes along the line that leads to it, and whether it lies on
    nothing else and inside of the Axes.
    """
    ax, point = label.axes, label.axes.figure.dpi / 72
    size = np.array(Text.get_window_extent(label, renderer).size)
    anchor = ax.transData.transform(label.xy)
    offset = _DIRECTION * (_DISTANCE[:, None] * point + size / 2)
    low = anchor + offset - size / 2
    boxes = np.hstack([low, low + size])
    reach = np.append(low.min(axis=0), low.max(axis=0) + size)
    taken = taken[_shared(reach[None], taken)[0] > 0]
    outside = size.prod() - _shared(boxes, ax.bbox.extents[None])[:, 0]
    shared = _shared(boxes, taken).sum(axis=1) + outside
    cost = 1000 * shared + _DISTANCE - 6 * _DIRECTION[:, 0]
    # A name nearer to another point would seem to belong to that point.
    others = points[np.abs(points - anchor).max(axis=1) > 1e-6]
    away = others - np.clip(others, low[:, None], (low + size)[:, None])
    nearest = np.hypot(*np.moveaxis(away, -1, 0)).min(axis=1, initial=np.inf)
    cost += 40 * (nearest < _DISTANCE * point)
    some = np.argsort(cost, kind="stable")[:_SOME]
    is_far = _DISTANCE[some] > _NEAR
    # Dots on the lines that lead to these places, but for what is at the point itself.
    ends = np.clip(anchor, boxes[some, :2], boxes[some, 2:])
    dots = anchor + np.linspace(0.2, 0.9, 9)[:, None, None] * (ends - anchor)
    leaders = np.concatenate([dots - point / 2, dots + point / 2], axis=-1)
    other = taken[_shared(np.append(anchor, anchor + 1)[None], taken)[0] == 0]
    hits = _shared(leaders.reshape(-1, 4), other).reshape(*leaders.shape[:2], -1) > 0
    best = np.argmin(cost[some] + 90 * is_far * hits.any(axis=2).mean(axis=0))
    leader, best = leaders[:, best] if is_far[best] else taken[:0], some[best]
    label.set_position(offset[best] / point)
    label.arrow_patch.set_visible(len(leader) > 0)
    box = boxes[best] + 1.5 * point * np.array([-1, -0.5, 1, 0.5])
    return box, leader, shared[best] < _TOUCHING * point**2


def _shared(boxes, others):
    """Area that each box shares with each of the others."""
    low = np.maximum(boxes[:, None, :2], others[:, :2])
    high = np.minimum(boxes[:, None, 2:], others[:, 2:])
    width, height = np.moveaxis(np.clip(high - low, 0, None), -1, 0)
    return width * height
