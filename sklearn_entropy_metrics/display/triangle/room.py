"""The room that a figure leaves to a triangle with its texts."""

from __future__ import annotations

from typing import Any

import numpy as np

# Distance from texts to lines and to the border of the figure, in points.
GAP = 5


def find_room(frame: Any, ax: Any) -> Any:
    """The box for the triangle with its texts, in shares of the figure.

    Without a layout, Axes of a grid have margins around them, which texts may use.
    """
    from matplotlib.transforms import Bbox

    if frame.slot is not None:
        return frame.slot(ax, None)
    spot = ax.get_position(original=True)
    if ax.figure.get_layout_engine() is not None or ax.get_subplotspec() is None:
        return spot
    low, high = np.zeros(2), np.ones(2)
    to_figure = ax.figure.transSubfigure.inverted()
    texts = (text.get_window_extent() for text in ax.figure.texts)
    others = [text.transformed(to_figure) for text in texts]
    bounds = [(other, other) for other in others]
    bounds += [
        (other.get_position(original=True), _border(ax, other))
        for other in ax.figure.axes
        if other is not ax
    ]
    for box, border in bounds:
        for axis in (0, 1):
            beside = box.min[1 - axis] < spot.max[1 - axis]
            beside &= box.max[1 - axis] > spot.min[1 - axis]
            if beside and box.min[axis] >= spot.max[axis]:
                high[axis] = min(high[axis], max(border.min[axis], spot.max[axis]))
            elif beside and box.max[axis] <= spot.min[axis]:
                low[axis] = max(low[axis], min(border.max[axis], spot.min[axis]))
    for title in titles(ax):  # it stands above the Axes
        height = title.get_window_extent().y1 - ax.bbox.y1
        high[1] = min(high[1], max(1 - height / ax.figure.bbox.height, spot.y1))
    _even_out(ax, low, high)
    pad = GAP * ax.figure.dpi / 72 / ax.figure.bbox.size
    return Bbox([low + pad, high - pad])


def titles(ax: Any) -> list[Any]:
    """The titles of Axes: texts that are neither drawn on them nor empty."""
    from matplotlib.text import Text

    given = {ax.get_title(loc) for loc in ("left", "center", "right")} - {""}
    texts = [child for child in ax.get_children() if isinstance(child, Text)]
    own = {id(text) for text in ax.texts}
    return [one for one in texts if id(one) not in own and one.get_text() in given]


def _even_out(ax, low, high):
    """Triangles keep one size: those at the border take no more room than others."""
    spot = ax.get_position(original=True)
    for other in ax.figure.axes:
        for axis in (0, 1) if _is_triangle(other, ax) else ():
            box = other.get_position(original=True)
            if box.min[axis] >= spot.max[axis] or box.max[axis] <= spot.min[axis]:
                more = min(spot.min[axis] - low[axis], high[axis] - spot.max[axis])
                low[axis], high[axis] = spot.min[axis] - more, spot.max[axis] + more


def _is_triangle(other, ax):
    """Whether other Axes have a frame of their own, as these have."""
    alike = type(other.get_axes_locator()) is type(ax.get_axes_locator())
    return alike and other is not ax


def _border(ax, other):
    """The half of the gap between two triangles belongs to each, else no share."""
    from matplotlib.transforms import Bbox

    spot, box = ax.get_position(original=True), other.get_position(original=True)
    if not _is_triangle(other, ax) or titles(other):
        return Bbox([spot.max, spot.min])
    return Bbox([(box.min + spot.max) / 2, (box.max + spot.min) / 2])
