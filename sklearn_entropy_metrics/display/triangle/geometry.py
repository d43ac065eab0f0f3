"""The frames that points are drawn in: geometry, scales and grid, once per Axes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display._axes import write

HEIGHT = math.sqrt(3) / 2
# Where all the entropy is ΔH', 2MI' and VI': the order of the fractions.
CORNERS = np.array([[1.0, 0.0], [0.5, HEIGHT], [0.0, 0.0]])
SCALES = ("ΔH'", "2MI'", "VI'")
# A scale runs along the side that ends in its corner: where its ticks point to, how
# their labels are aligned, and how its own label is turned.
_TICKS = (
    ((-0.5, -HEIGHT), "center", "top", 0),
    ((1.0, 0.0), "left", "center", -60),
    ((-0.5, HEIGHT), "right", "center", 60),
)
_STEPS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
# Text of this label marks Axes that have the frame; it survives pickling.
_LABEL = "_entropy triangle"


def to_plane(fractions: ArrayLike) -> np.ndarray:
    """Map shares of entropy to points of the plane.

    Parameters
    ----------
    fractions : array-like of shape (..., 3)
        Shares ΔH', 2MI' and VI', which sum to one.

    Returns
    -------
    points : ndarray of shape (..., 2)
        VI' = 1 is at (0, 0), ΔH' = 1 at (1, 0) and 2MI' = 1 at (1/2, √3/2).

    Examples
    --------
    >>> from sklearn_entropy_metrics import EntropyBalance
    >>> from sklearn_entropy_metrics.display import to_plane
    >>> balance = EntropyBalance.from_confusion_matrix([[1, 0], [0, 1]])
    >>> to_plane(balance.joint_fractions).round(3)
    array([0.5  , 0.866])
    """
    return np.asarray(fractions, dtype=np.float64) @ CORNERS


def from_plane(points: ArrayLike) -> np.ndarray:
    """Map points of the plane, (..., 2), back to shares of entropy, (..., 3)."""
    x, y = np.moveaxis(np.asarray(points, dtype=np.float64), -1, 0)
    information = y / HEIGHT
    divergence = x - information / 2
    return np.stack([divergence, information, 1 - divergence - information], axis=-1)


def format_coordinates(x: float, y: float) -> str:
    """What the status line says of the point under the mouse."""
    shares = zip(SCALES, from_plane([x, y]), strict=True)
    return "  ".join(f"{scale} = {share:.3f}" for scale, share in shares)


@dataclass(frozen=True)
class Triangle:
    """The part of the entropy triangle that is shown, itself a triangle.

    Attributes
    ----------
    lower : tuple of float
        The least ΔH', 2MI' and VI' that are shown.

    step : float
        From one line of the grid to the next.
    """

    lower: tuple[float, ...] = (0.0, 0.0, 0.0)
    step: float = 0.2

    @property
    def size(self) -> float:
        return 1 - sum(self.lower)

    @property
    def corners(self) -> np.ndarray:
        return to_plane(self.lower + self.size * np.eye(3))

    @property
    def n_steps(self) -> int:
        return round(self.size / self.step)


def enclosing_triangle(fractions: np.ndarray) -> Triangle:
    """The part that holds all points, bounded by lines of a grid of round numbers."""
    fractions = fractions[np.isfinite(fractions).all(axis=1)]
    if not len(fractions):
        return Triangle()
    least = fractions.min(axis=0)
    margin = max(0.1 * (1 - least.sum()), 0.005)
    least = np.maximum(least - margin, 0)
    for step in _STEPS:
        lower = step * np.floor(least / step + 1e-9)
        part = Triangle(tuple(lower.tolist()), step)
        if part.n_steps >= 4:
            break
    return part


def find_frame(ax: Any) -> Any:
    """The outline of the triangle on Axes; None if there is none."""
    return next((patch for patch in ax.patches if patch.get_label() == _LABEL), None)


def shown_triangle(outline: Any) -> Triangle:
    """The part of the triangle that an outline encloses."""
    lower = from_plane(outline.get_xy()[:3]).min(axis=0)
    return Triangle(tuple(lower.round(9).tolist()))


def draw_triangle(ax: Any, part: Triangle) -> Any:
    """Draw the frame with its three scales, unless there is one; return its outline."""
    outline = find_frame(ax)
    if outline is not None:
        return outline
    import matplotlib as mpl
    from matplotlib.patches import Polygon

    rc = mpl.rcParams
    outline = Polygon(
        part.corners,
        facecolor=rc["axes.facecolor"],
        edgecolor=rc["axes.edgecolor"],
        linewidth=rc["axes.linewidth"],
        joinstyle="round",
        label=_LABEL,
        zorder=0.5,
    )
    # Half of the line is drawn outside of the points of the outline.
    ax.add_patch(outline).set_clip_on(False)
    for scale in range(3):
        _draw_scale(ax, part, scale)
    _set_limits(ax, part)
    ax.format_coord = format_coordinates
    return outline


def _draw_scale(ax, part, scale):
    """Draw the lines of the grid of one scale, its ticks and its label."""
    import matplotlib as mpl
    from matplotlib.collections import LineCollection

    rc = mpl.rcParams
    direction, *_ = _TICKS[scale]
    shares = np.arange(1, part.n_steps)[:, None] / part.n_steps
    start, end = across(part.corners, scale, shares)
    tips = start + 0.018 * part.size * np.array(direction)
    for ends, color, alpha in (
        ((start, end), rc["grid.color"], 0.45 * rc["grid.alpha"]),
        ((start, tips), rc["axes.edgecolor"], 1),
    ):
        lines = LineCollection(
            list(np.stack(ends, axis=1)),
            colors=color,
            alpha=alpha,
            linewidths=rc["axes.linewidth"],
            zorder=0.6,
        )
        lines.set_clip_on(False)
        ax.add_collection(lines, autolim=False)
    _label_scale(ax, part, scale, tips)


def across(corners, scale, share):
    """Ends of the lines on which a scale has risen to a share of its side."""
    this, before, after = corners[scale], corners[scale - 1], corners[(scale + 1) % 3]
    return before + share * (this - before), after + share * (this - after)


def _label_scale(ax, part, scale, tips):
    """Write the numbers of the ticks and, beyond them, the name of the scale."""
    import matplotlib as mpl

    rc = mpl.rcParams
    direction, ha, va, rotation = _TICKS[scale]
    color = rc["xtick.labelcolor"]
    look = {"ha": ha, "va": va, "fontsize": rc["xtick.labelsize"]}
    look["color"] = rc["xtick.color"] if color == "inherit" else color
    offset = 0.25 * tick_size() * np.array(direction)
    digits = max(1, math.ceil(-math.log10(part.step) - 1e-9))
    for number, tip in enumerate(tips, start=1):
        value = part.lower[scale] + number * part.step
        write(ax, tip, f"{value:.{digits}f}", offset, **look)
    # Numbers above and below each other need less room than side by side.
    beyond = 1.7 if rotation == 0 else 1.75 + 0.62 * digits
    middle = (part.corners[scale] + part.corners[scale - 1]) / 2
    write(
        ax,
        middle,
        SCALES[scale],
        (beyond + 0.7) * tick_size() * outward(scale),
        rotation=rotation,
        fontsize=rc["axes.labelsize"],
        color=rc["axes.labelcolor"],
    )


def tick_size() -> float:
    """Size in points of the numbers at the ticks, the unit of distances of texts."""
    import matplotlib as mpl
    from matplotlib.font_manager import FontProperties

    return FontProperties(size=mpl.rcParams["xtick.labelsize"]).get_size_in_points()


def outward(scale: int) -> np.ndarray:
    """Unit vector that points out of the side along which a scale runs."""
    normal = (CORNERS[scale] + CORNERS[scale - 1]) / 2 - CORNERS[(scale + 1) % 3]
    return normal / HEIGHT


def _set_limits(ax, part):
    (right, low), (_, high), (left, _) = part.corners
    margin = 0.08 * part.size
    ax.set_xlim(left - margin, right + margin)
    ax.set_ylim(low - 2 * margin, high + 0.5 * margin)
    ax.set_aspect("equal")
    ax.set_axis_off()


def make_room(ax: Any, outline: Any, box: Any, beyond: float = 0) -> None:
    """Widen Axes until a box fits into the upper right corner beside the triangle.

    Parameters
    ----------
    ax : matplotlib Axes
        Axes with the frame.

    outline : matplotlib Polygon
        The outline of the triangle.

    box : matplotlib Bbox
        A box in pixels.

    beyond : float, default=0
        Room that texts beyond the scale of 2MI' take, in sizes of the numbers.
    """
    (corner, low), (_, high), *_ = outline.get_xy()
    left, right = ax.get_xlim()
    bottom, top = ax.get_ylim()
    room = ax.get_position(original=True).transformed(ax.figure.transSubfigure)
    # A layout is computed later, and makes Axes smaller.
    share = 1 if ax.figure.get_layout_engine() is None else 0.85
    size = tick_size() * ax.figure.dpi / 72
    # The numbers of a smaller triangle would overlap.
    widest = share * room.width * (high - low) / HEIGHT / (12 * size)
    width = right - left
    for _ in range(20):
        scale = share * min(room.width / width, room.height / (top - bottom))
        height = max(top - box.height / scale, low)
        is_above = height > (low + high) / 2 + (4 + beyond) * size / scale
        margin = (3.2 if is_above else 5 + beyond) * size
        side = corner - (height - low) / math.sqrt(3)
        width = max(width, min(side + (box.width + margin) / scale - left, widest))
    ax.set_xlim(left, left + width)
