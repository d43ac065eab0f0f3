"""Clouds of points: markers, sizes and colours, centres, and where most points lie."""

import math
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.cbook import normalize_kwargs
from matplotlib.collections import PathCollection
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Ellipse

from sklearn_entropy_metrics.display._display import NO_LEGEND, cycle_color, text_color

# Shapes that stay apart when printed small, without colour.
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "p", ">", "h", "*")
# The share of the points of a cloud that its ellipse holds.
_COVERAGE = 0.95


def mean_of(rows: np.ndarray) -> np.ndarray:
    """Mean of the rows that are defined; NaN if none is."""
    return np.ma.masked_invalid(rows).mean(axis=0).filled(np.nan)


def n_series(ax: Any) -> int:
    """How many looks series of points had before, to continue with the next colour."""
    drawn = (artist for artist in ax.collections if isinstance(artist, PathCollection))
    named: Any = [artist for artist in drawn if artist.get_label() != NO_LEGEND]
    looks = ((one.get_facecolor(), one.get_paths()[0].vertices) for one in named)
    return len({(color.tobytes(), marker.tobytes()) for color, marker in looks})


def draw_series(ax, names, parts, style, *, numbers, sizes, values=None, **look):
    """Scatter series of points, each with its own marker and colour.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to draw.

    names : sequence of str or None
        The names of the series.

    parts : sequence of ndarray of shape (n_points, 2)
        The points of each.

    style : dict or None
        The user's style for scatters.

    numbers : sequence of int
        The number of each series, which its marker and colour follow.

    sizes : tuple of float
        The size of the markers of at most 5 points, and of at most 50.

    values : sequence of ndarray, default=None
        For each series, the values that its points are coloured by; `norm` and `cmap`
        are part of the look.

    **look
        The default look of these scatters: a `marker` for all, for instance.

    Returns
    -------
    artists : list of PathCollection
    """
    artists = []
    given = zip(names, parts, numbers, strict=True)
    for i, (name, points, number) in enumerate(given):
        defaults = {
            "marker": _MARKERS[number % len(_MARKERS)],
            "color": cycle_color(number),
            "edgecolor": rcParams["axes.facecolor"],
            "zorder": 3,
            "label": name,
            **_size(len(points), sizes),
            **look,
        }
        merged = _merge_style(defaults, style)
        if values is not None:
            merged = {key: merged[key] for key in merged.keys() - {"color", "alpha"}}
            merged |= {"c": values[i], "plotnonfinite": True}
        artists.append(ax.scatter(*points.T, **merged))
    return artists


def _size(n_points, sizes):
    """The more points, the smaller and fainter; very many are one image in a PDF."""
    if n_points <= 50:
        return {"s": sizes[n_points > 5], "linewidth": 0.6}
    if n_points <= 2000:
        return {"s": 14, "linewidth": 0, "alpha": 0.5}
    return {"s": 5, "linewidth": 0, "alpha": 0.3, "rasterized": n_points > 10_000}


def _merge_style(defaults, given):
    """The user's style wins, under any alias."""
    given = normalize_kwargs(given or {}, PathCollection)
    unwanted = set()
    if given.keys() & {"c", "color", "facecolor"}:
        unwanted.add("color")
    if not MarkerStyle(given.get("marker", defaults["marker"])).is_filled():
        unwanted.add("edgecolor")  # it would take the place of the colour
    return {key: defaults[key] for key in defaults.keys() - unwanted} | given


def draw_center(ax: Any, center: np.ndarray, color: Any, marker: str = "o") -> Any:
    """Mark what stands for several points: their mean, or the pooled table."""
    look: dict[str, Any] = {"color": [tuple(color[:3])], "edgecolor": [text_color()]}
    look |= {"linewidth": 1.2, "zorder": 4, "label": NO_LEGEND}
    return ax.scatter(*center, marker=marker, s=70, **look)


def draw_spread(ax: Any, outline: Any, points: np.ndarray, color: Any) -> list[Ellipse]:
    """Draw the ellipse of the 95 % of points nearest to their mean.

    Distances are Mahalanobis'. There is none for fewer than three points and for
    identical ones.
    """
    points = points[np.isfinite(points @ np.ones(2))]
    if len(points) < 3:
        return []
    center = points.mean(axis=0)
    away = points - center
    variance, axes = np.linalg.eigh(away.T @ away / len(points))
    if not variance[1] > 1e-24:
        return []
    variance[0] *= variance[0] > 1e-12 * variance[1]  # points on a line: a flat ellipse
    units = np.sqrt(np.where(variance, variance, np.inf))
    distances = (away @ axes / units) ** 2 @ np.ones(2)  # faster than sums of rows
    nearest = math.ceil(_COVERAGE * len(points)) - 1
    radius = math.sqrt(np.partition(distances, nearest)[nearest])
    width, height = 2 * radius * np.sqrt(variance)
    angle = math.degrees(math.atan2(axes[1, 0], axes[0, 0]))
    look: Any = {"facecolor": (*color[:3], 0.08), "edgecolor": (*color[:3], 0.9)}
    look |= {"angle": angle, "linewidth": 1, "zorder": 2}
    ellipse = ax.add_patch(Ellipse(center.tolist(), width, height, **look))
    ellipse.set_clip_path(outline)
    return [ellipse]
