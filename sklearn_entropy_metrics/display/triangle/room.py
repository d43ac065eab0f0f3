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
    if has_title(ax):  # it stands above the Axes
        title = ax.title.get_window_extent().y1 - ax.bbox.y1
        high[1] = max(high[1] - title / ax.figure.bbox.height, spot.y1)
    _even_out(ax, low, high)
    pad = GAP * ax.figure.dpi / 72 / ax.figure.bbox.size
    return Bbox([low + pad, high - pad])


def has_title(ax: Any) -> bool:
    """Whether there is a text above Axes."""
    return any(ax.get_title(loc) for loc in ("left", "center", "right"))


def _even_out(ax, low, high):
    """Panels of a grid keep one size: those at the border take no more than others."""
    spot, spec = ax.get_position(original=True), ax.get_subplotspec()
    shape = spec.get_gridspec().ncols, spec.get_gridspec().nrows
    for axis in (0, 1):
        if shape[axis] > 1:
            more = min(spot.min[axis] - low[axis], high[axis] - spot.max[axis])
            low[axis], high[axis] = spot.min[axis] - more, spot.max[axis] + more


def _border(ax, other):
    """The half of the gap between two triangles belongs to each, else no share."""
    from matplotlib.transforms import Bbox

    spot, box = ax.get_position(original=True), other.get_position(original=True)
    alike = type(other.get_axes_locator()) is type(ax.get_axes_locator())
    if not alike or has_title(other):
        return Bbox([spot.max, spot.min])
    return Bbox([(box.min + spot.max) / 2, (box.max + spot.min) / 2])
