"""The frame of the φ-δ plane: outline and grid, as large as its Axes allow."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_entropy_metrics.display import _axes
from sklearn_entropy_metrics.display.phi_delta.fit import fit_beside, size_of
from sklearn_entropy_metrics.display.phi_delta.words import (
    WORSE,
    write_corners,
    write_words,
)
from sklearn_entropy_metrics.measure.plane import phi_delta_corners

# The label of the outline marks Axes that have the frame; it survives pickling.
_LABEL = "_phi-delta plane"
_XLABEL, _YLABEL = "characteristic capability φ", "discriminant capability δ"
# The strength of the colour of the half that is worse than guessing.
_SHADE = 0.09


def draw_frame(ax: Any, prevalence: float | None, view: str) -> Any:
    """Draw outline and grid unless they are there; return the outline."""
    corners = np.stack(list(phi_delta_corners(prevalence=prevalence).values()))
    for patch in ax.patches:
        if patch.get_label() == _LABEL:
            if np.allclose(patch.get_xy()[:4], corners):
                return patch
            raise ValueError(
                "ax shows the plane of another prevalence, so the points are not "
                f"comparable. Got prevalence={prevalence!r}."
            )
    outline = _draw_outline(ax, corners)
    if view == "classifier":
        _shade_lower_half(ax, corners)
    _draw_grid(ax, corners, outline)
    ax.set(xlabel=_XLABEL, ylabel=_YLABEL)  # not drawn, but asked for by others
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.format_coord = _format_coordinates
    return outline


def _format_coordinates(x, y):
    return f"φ = {x:.3f}  δ = {y:.3f}"


def _draw_outline(ax, corners):
    import matplotlib as mpl
    from matplotlib.patches import Polygon

    rc = mpl.rcParams
    outline = Polygon(
        corners,
        fill=False,
        edgecolor=rc["axes.edgecolor"],
        linewidth=1.5 * rc["axes.linewidth"],
        joinstyle="round",
        label=_LABEL,
        zorder=1.3,
    )
    ax.add_patch(outline).set_clip_on(False)
    return outline


def _shade_lower_half(ax, corners):
    from matplotlib.patches import Polygon

    shade = Polygon(corners[1:], linewidth=0, zorder=0.9, label=_axes.NO_LEGEND)
    shade.set_facecolor(_axes.tint(_axes.LOSS, _SHADE))
    ax.add_patch(shade)


def _draw_grid(ax, corners, outline):
    """Draw lines of equal φ and δ, and the lines without bias and information."""
    import matplotlib as mpl
    from matplotlib.collections import LineCollection

    rc = mpl.rcParams
    low, high = corners.min(axis=0), corners.max(axis=0)
    x, y = (
        np.arange(np.ceil(4 * a), 4 * b + 1) / 4 for a, b in zip(low, high, strict=True)
    )
    upright = [[(value, low[1]), (value, high[1])] for value in x]
    level = [[(low[0], value), (high[0], value)] for value in y]
    for ends, color, alpha in (
        (upright + level, rc["grid.color"], 0.45 * rc["grid.alpha"]),
        ([corners[[0, 2]], corners[[1, 3]]], rc["axes.edgecolor"], 0.8),
    ):
        lines = LineCollection(ends, colors=color, alpha=alpha, zorder=1.2)
        lines.set_linewidth(rc["axes.linewidth"])
        ax.add_collection(lines, autolim=False)
        lines.set_clip_path(outline)


def fit_frame(
    ax: Any, outline: Any, prevalence: float | None, view: str, note: str = WORSE
) -> None:
    """Make the plane as large as the Axes, its words and the legend allow.

    Parameters
    ----------
    ax : matplotlib Axes
        What the frame is on.

    outline : matplotlib Polygon
        What :func:`draw_frame` has returned.

    prevalence : float or None
        Share of positives that the plane is corrected for.

    view : str
        What the points are.

    note : str
        What is written into the lower half, if points are classifiers.
    """
    slot = _axes.Extent.of(ax)
    corners = outline.get_xy()[:4]
    sizes = list(map(size_of, write_corners(ax, corners, view, slot)))
    unit, start = fit_beside(ax, slot, corners, sizes, prevalence)
    low = -start / unit
    ax.set_xlim(low[0], low[0] + slot.width / unit)
    ax.set_ylim(low[1], low[1] + slot.height / unit)
    fontsize = min(0.83 * slot.fontsize, unit / 15)
    look: Any = {"note": note, "unit": unit, "fontsize": fontsize}
    write_words(ax, corners, prevalence, view, **look)
