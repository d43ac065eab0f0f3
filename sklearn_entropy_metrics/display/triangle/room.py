"""The room that a figure leaves to a triangle with its texts."""

from __future__ import annotations

from typing import Any

import numpy as np

# Distance from texts to lines and to the border of the figure, in points.
GAP = 5
_SIDES = ("left", "bottom", "right", "top")


def find_room(frame: Any, ax: Any) -> Any:
    """The box for the triangle with its texts, in shares of the figure.

    A layout, or the user, gives Axes their place. The margins that Axes of a grid have
    without either are there for texts, and the triangle uses them.
    """
    from matplotlib.transforms import Bbox

    if frame.slot is not None:
        return frame.slot(ax, None)
    spot = ax.get_position(original=True)
    if ax.figure.get_layout_engine() is not None or not _has_usual_margins(ax):
        return spot
    low, high = _between_texts(ax)
    others = [other for other in ax.figure.axes if other is not ax]
    triangles = [other for other in others if _is_triangle(other, ax)]
    spec = ax.get_subplotspec()
    if len(triangles) == len(others) and _is_even(spec):
        low, high = _cell(spec, low, high)
        least = low[1]
    else:
        _keep_off(spot, others, low, high, evenly=bool(triangles))
        least = spot.y1  # as usual, the title is above
    height = max(_title_height(one) for one in [ax, *triangles])
    high[1] = max(high[1] - height / ax.figure.bbox.height, least)
    pad = GAP * ax.figure.dpi / 72 / ax.figure.bbox.size
    return Bbox([low + pad, high - pad])


def _has_usual_margins(ax):
    """Whether Axes are in a grid whose margins nobody has set."""
    from matplotlib.figure import SubplotParams
    from matplotlib.gridspec import GridSpec

    spec = ax.get_subplotspec()
    grid = None if spec is None else spec.get_gridspec()
    if not isinstance(grid, GridSpec):
        return False
    usual, given = SubplotParams(), grid.get_subplot_params(ax.figure)
    return all(getattr(given, side) == getattr(usual, side) for side in _SIDES)


def _is_even(spec):
    """Whether all columns of a grid, and all rows, have one size."""
    grid = spec.get_gridspec()
    return len({*grid.get_width_ratios()}) == len({*grid.get_height_ratios()}) == 1


def _between_texts(ax):
    """The part of the figure between its own texts, such as a title."""
    low, high = np.zeros(2), np.ones(2)
    spot = ax.get_position(original=True)
    to_figure = ax.figure.transSubfigure.inverted()
    for text in ax.figure.texts:
        box = text.get_window_extent().transformed(to_figure)
        if box.y0 >= spot.y1:
            high[1] = min(high[1], box.y0)
        elif box.y1 <= spot.y0:
            low[1] = max(low[1], box.y1)
        elif box.x1 <= spot.x0:
            low[0] = max(low[0], box.x1)
        elif box.x0 >= spot.x1:
            high[0] = min(high[0], box.x0)
    return low, high


def _cell(spec, low, high):
    """The cell of a grid that shares a part of the figure equally."""
    shape = np.array([spec.get_gridspec().ncols, spec.get_gridspec().nrows])
    first = np.array([spec.colspan.start, shape[1] - spec.rowspan.stop])
    last = np.array([spec.colspan.stop, shape[1] - spec.rowspan.start])
    return low + (high - low) * first / shape, low + (high - low) * last / shape


def _keep_off(spot, others, low, high, *, evenly):
    """Shrink bounds to where other Axes, whose texts need room, leave space.

    Of several triangles, none takes more than the others have.
    """
    for other in others:
        box = other.get_position(original=True)
        for axis in (0, 1):
            is_after = box.min[axis] >= spot.max[axis]
            is_before = box.max[axis] <= spot.min[axis]
            if is_after or (is_before and evenly):
                high[axis] = min(high[axis], spot.max[axis])
            if is_before or (is_after and evenly):
                low[axis] = max(low[axis], spot.min[axis])


def _is_triangle(other, ax):
    """Whether other Axes have a frame of their own, as these have."""
    return type(other.get_axes_locator()) is type(ax.get_axes_locator())


def _title_height(ax):
    """The height of the titles above Axes, in pixels."""
    tops = [title.get_window_extent().y1 - ax.bbox.y1 for title in titles(ax)]
    return max(tops, default=0)


def titles(ax: Any) -> list[Any]:
    """The titles of Axes: texts that are neither drawn on them nor empty."""
    from matplotlib.text import Text

    given = {ax.get_title(loc) for loc in ("left", "center", "right")} - {""}
    texts = [child for child in ax.get_children() if isinstance(child, Text)]
    own = {id(text) for text in ax.texts}
    return [one for one in texts if id(one) not in own and one.get_text() in given]
