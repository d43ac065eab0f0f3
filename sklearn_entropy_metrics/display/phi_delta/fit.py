"""How large the φ-δ plane can be on its Axes, beside its words and the legend."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sklearn_entropy_metrics.display._axes import Extent

# Beside the corners: where to, in points, and how the text is aligned.
BESIDE = (
    ((0, 4), "center", "bottom"),
    ((5, 0), "left", "center"),
    ((0, -4), "center", "top"),
    ((-5, 0), "right", "center"),
)
# Points between the legend and what it must not cover.
_GAP = 4


def size_of(text: Any) -> np.ndarray:
    """Width and height of a text or a legend, in points."""
    box = text.get_window_extent()
    return np.array([box.width, box.height]) * 72 / text.figure.dpi


def fit_beside(
    ax: Any, slot: Extent, corners: np.ndarray, sizes: Any, prevalence: float | None
) -> tuple[float, np.ndarray]:
    """Find the largest plane whose words have these sizes, and move the legend to it.

    Returns
    -------
    unit : float
        The points that φ or δ of 1 take.
    start : ndarray of shape (2,)
        Where φ = δ = 0 is, in points from the lower left of the Axes.
    """
    legend = _legend_box(ax, slot, prevalence)
    unit, start, boxes = _arrange(slot, corners, sizes, legend)
    if legend is not None:
        _bring_near(ax, slot, legend, unit * corners + start, boxes)
    return unit, start


def _arrange(slot, corners, sizes, legend):
    """The largest unit, where φ = δ = 0 is, and the boxes of the texts of the corners.

    Nothing is cut or covered then, in Axes that are not very small.
    """
    room = np.array([slot.width, slot.height])
    for obstacle in (None,) if legend is None else (legend, None):
        for unit in np.linspace(1, 0.3, 71) * room.min() / 2:
            boxes = np.array(list(map(_beside, unit * corners, BESIDE, sizes)))
            low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
            free = room - (high - low)
            # In the middle, or else away from the legend.
            for share in (0.5, 0.25, 0, 0.75, 1):
                start = free * (share, 0.5) - low
                placed = boxes + start
                if (free >= 0).all() and not _covers(
                    obstacle, unit * corners + start, placed
                ):
                    return unit, start, placed
    return unit, start, placed


def _beside(corner, beside, size):
    """Lower left and upper right of the text of a corner, and of the corner itself."""
    offset, ha, va = beside
    align = {"left": 0, "bottom": 0, "center": 0.5, "right": 1, "top": 1}
    low = corner + offset - size * (align[ha], align[va])
    return np.minimum(low, corner - 1), np.maximum(low + size, corner + 1)


def legend_corner(prevalence: float | None) -> str:
    """The upper corner that a plane of this prevalence leaves free."""
    return "upper left" if (prevalence or 0) > 0.5 else "upper right"


def legend_look(ax: Any, n_entries: int, prevalence: float | None) -> dict[str, Any]:
    """What a legend looks like: in its corner, the smaller the more entries it has."""
    slot = Extent.of(ax)
    share = 1 if n_entries <= 10 else 0.83 if n_entries <= 20 else 0.69
    size = max(share * slot.fontsize, 5)
    return {
        "loc": legend_corner(prevalence),
        "columnspacing": 1,
        "fontsize": size,
        "ncols": math.ceil(1.5 * size * n_entries / slot.height) or 1,
    }


def _legend_box(ax, slot, prevalence):
    """Lower left and upper right of the legend, in points of the Axes."""
    legend = ax.get_legend()
    if legend is None:
        return None
    size = size_of(legend)
    low = np.array([slot.width, slot.height]) - size
    if "left" in legend_corner(prevalence):
        low[0] = 0
    return np.array([low, low + size])


def _bring_near(ax, slot, legend, corners, boxes):
    """Move the legend towards the plane as far as it does not touch it."""
    sign = -1 if legend[0][0] > 0 else 1
    for steps in range(30, -1, -1):
        shift = np.array([sign * steps * _GAP, 0])
        if not _covers(legend + shift - (0, _GAP), corners, boxes):
            break
    x = 1 + shift[0] / slot.width if sign < 0 else shift[0] / slot.width
    ax.get_legend().set_bbox_to_anchor((x, 1), transform=ax.transAxes)


def _covers(legend, corners, boxes):
    from matplotlib.path import Path
    from matplotlib.transforms import Bbox

    if legend is None:
        return False
    box = Bbox([legend[0] - _GAP, legend[1] + _GAP])
    closed = Path(np.vstack([corners, corners[:1]]))
    if closed.intersects_bbox(box, filled=True):
        return True
    return any(box.overlaps(Bbox(one)) for one in boxes)
