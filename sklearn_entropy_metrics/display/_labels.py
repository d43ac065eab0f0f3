"""Names beside points, placed without overlap each time that the picture is drawn.

Where there is room is known only then: layouts and colour bars resize the Axes. This
is the one file that imports matplotlib at its head, since it defines an artist; it is
imported only when something is drawn.
"""

from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation, Text

from sklearn_entropy_metrics.display._axes import text_color

# Distances from the point in points, and directions, that are tried.
_DISTANCES = (5, 8, 12, 17, 23, 30, 38, 47, 57, 68, 80)
_ANGLES = np.deg2rad(np.arange(0, 360, 15))
# Farther than this a thin line leads from the point to its name.
_NEAR = 8
# With more points than this, a name may cover some of them.
_MANY = 500


def add_names(
    ax: Any, names: list[str], anchors: np.ndarray, points: Any, lines: Any
) -> list[Any]:
    """Write names beside their anchors, clear of each other and of what is there.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to write.

    names : list of str
        What to write.

    anchors : ndarray of shape (n_names, 2)
        What the names belong to.

    points : ndarray of shape (n_points, 2)
        Points to keep clear of.

    lines : list of ndarray of shape (n_points, 2)
        Lines to keep clear of.

    Returns
    -------
    labels : list of matplotlib Annotation
    """
    labels = [
        _annotate(ax, name, anchor) for name, anchor in zip(names, anchors, strict=True)
    ]
    points = points if len(points) <= _MANY else anchors
    ax.add_artist(Placer(labels, points, np.concatenate(list(map(_dots, lines)))))
    return labels


def _annotate(ax, name, anchor):
    leader = {"arrowstyle": "-", "linewidth": 0.6, "alpha": 0.6, "shrinkB": 3}
    leader |= {"shrinkA": 0, "color": text_color()}
    label = ax.annotate(
        name,
        anchor,
        xytext=(0, 0),
        textcoords="offset points",
        ha="center",
        va="center",
        parse_math=False,
        fontsize=rcParams["legend.fontsize"],
        zorder=6,
        arrowprops=leader,
    )
    # Legible on a cloud of points.
    label.set_path_effects(
        [withStroke(linewidth=2, foreground=rcParams["axes.facecolor"])]
    )
    # Names are drawn inside of the picture and need not make room for themselves.
    label.set_in_layout(False)
    return label


def _dots(line):
    """Many points of a line."""
    share = np.linspace(0, 1, 50)[:, None, None]
    return (line[:-1] + share * (line[1:] - line[:-1])).reshape(-1, 2)


class Placer(Artist):
    """Moves names to where there is room; it draws nothing itself."""

    axes: Any

    def __init__(
        self, labels: list[Annotation], points: np.ndarray, dots: np.ndarray
    ) -> None:
        super().__init__()
        self.labels = labels
        self.points = points
        self.dots = dots
        self.set_in_layout(False)
        self.set_zorder(-1)  # before the names are drawn

    def draw(self, renderer: Any) -> None:
        taken = self._obstacles(renderer)
        inside = self.axes.bbox.extents
        points = self.axes.transData.transform(self.points)
        for label in self.labels:
            if label.get_visible():
                anchor = self.axes.transData.transform(label.xy)
                away = _away(anchor, points, renderer.points_to_pixels(50))
                taken.append(_place(label, np.array(taken), inside, away, renderer))
        self.stale = False

    def _obstacles(self, renderer):
        """Boxes of the points, of other texts and of the legend, in pixels."""
        own = set(map(id, self.labels))
        pad = renderer.points_to_pixels(2)
        boxes = [
            text.get_window_extent(renderer).padded(pad).extents
            for text in self.axes.texts
            if id(text) not in own and text.get_visible()
        ]
        legend = self.axes.get_legend()
        if legend is not None:
            boxes.append(legend.get_window_extent(renderer).extents)
        for points, size in ((self.points, 4.5), (self.dots, 1.5)):
            half = renderer.points_to_pixels(size)
            centers = self.axes.transData.transform(points)
            boxes.extend(np.hstack([centers - half, centers + half]))
        return boxes


def _place(label, taken, inside, away, renderer):
    """Put a name where it is free, near to its point and away from its neighbours."""
    point = renderer.points_to_pixels(1)
    size = np.array(Text.get_window_extent(label, renderer).size)
    anchor = label.axes.transData.transform(label.xy)
    distance, angle = (
        grid.ravel() for grid in np.meshgrid(_DISTANCES, _ANGLES, indexing="ij")
    )
    direction = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    offset = direction * (distance[:, None] * point + size / 2)
    low = anchor + offset - size / 2
    boxes = np.hstack([low, low + size])
    cost = 1000 * _crowding(boxes, taken, inside) + distance - 6 * direction @ away
    best = np.argmin(cost)
    label.set_position(offset[best] / point)
    label.arrow_patch.set_visible(bool(distance[best] > _NEAR))
    return boxes[best] + 1.5 * point * np.array([-1, -0.5, 1, 0.5])


def _away(anchor, points, radius):
    """Unit vector that points away from the neighbours; without any, to the right."""
    from_points = anchor - points
    lengths = np.hypot(*from_points.T)
    near = (lengths > 1e-6) & (lengths < radius)
    # The nearest neighbours count most.
    away = (from_points[near] / lengths[near, None] ** 2).sum(axis=0)
    length = np.hypot(*away)
    return away / length if length > 1e-9 else np.array([1.0, 0.0])


def _crowding(boxes, taken, inside):
    """Area that each box shares with those taken, or has outside of the Axes."""
    low = np.maximum(boxes[:, None, :2], taken[:, :2])
    high = np.minimum(boxes[:, None, 2:], taken[:, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=-1).sum(axis=-1)
    size = boxes[:, 2:] - boxes[:, :2]
    within = np.minimum(boxes[:, 2:], inside[2:]) - np.maximum(boxes[:, :2], inside[:2])
    return shared + size.prod(axis=-1) - np.clip(within, 0, None).prod(axis=-1)
