"""The layers of the entropy triangle that show data, each drawn by one function."""

import math
from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.display import _axes
from sklearn_entropy_metrics.display.triangle.data import Values

# Share of the points of a cloud that its region holds.
COVERAGE = 0.95


class Shades(NamedTuple):
    """Colours that stand for values."""

    values: np.ndarray
    mappable: Any
    label: str
    is_order: bool


def make_shades(values: Values, style: dict[str, Any]) -> Shades:
    """Shade values; what concerns the shades is taken out of the style."""
    import matplotlib as mpl
    from matplotlib.cm import ScalarMappable

    cmap = style.pop("cmap", None) or mpl.rcParams["image.cmap"]
    cmap = mpl.colormaps[cmap] if isinstance(cmap, str) else cmap
    # An undefined value leaves its point in the picture.
    mappable = ScalarMappable(style.pop("norm", None), cmap.with_extremes(bad="0.6"))
    mappable.set_array(values.numbers[np.isfinite(values.numbers)])
    mappable.set_clim(style.pop("vmin", None), style.pop("vmax", None))
    mappable.autoscale_None()
    return Shades(values.numbers, mappable, values.label, values.is_order)


def draw_colorbar(ax, shades):
    """Draw the colour bar of the shades."""
    from matplotlib.ticker import MaxNLocator

    return ax.figure.colorbar(
        shades.mappable,
        ax=ax,
        label=shades.label,
        shrink=0.8,
        ticks=MaxNLocator(integer=True) if shades.is_order else None,
    )


def draw_series(ax, series, points, shades, style, alike):
    """Scatter the points, one call for each series."""
    import matplotlib as mpl
    from matplotlib.markers import MarkerStyle

    first = _axes.n_series(ax)
    artists = []
    for number, one in enumerate(series, start=first):
        marker = "o" if alike else _axes.MARKERS[number % len(_axes.MARKERS)]
        defaults = {
            "marker": marker,
            "color": _axes.cycle_color(number),
            "edgecolor": mpl.rcParams["axes.facecolor"],
            "zorder": 3,
            "label": one.name,
            **_size(one.part.stop - one.part.start),
        }
        if not MarkerStyle(style.get("marker", marker)).is_filled():
            del defaults["edgecolor"]
        look = _axes.merge_style(defaults, style)
        if shades is not None:
            look = {key: look[key] for key in look.keys() - {"color", "alpha"}}
            mapped = shades.mappable
            look |= {"c": shades.values[one.part], "norm": mapped.norm}
            look |= {"cmap": mapped.cmap, "plotnonfinite": True}
        artists.append(ax.scatter(*points[one.part].T, **look))
    return artists


def _size(n_points):
    """The more points, the smaller and fainter; very many are one image in a PDF."""
    if n_points <= 50:
        return {"s": 50, "linewidth": 0.6}
    if n_points <= 2000:
        return {"s": 14, "linewidth": 0, "alpha": 0.5}
    return {"s": 5, "linewidth": 0, "alpha": 0.3, "rasterized": n_points > 10_000}


def point_colors(series, artists, shades, n_points):
    """The colour of every point."""
    if shades is not None:
        return shades.mappable.to_rgba(np.ma.masked_invalid(shades.values))
    colors = np.ones((n_points, 4))
    for one, artist in zip(series, artists, strict=True):
        colors[one.part, :3] = artist.get_facecolor()[0, :3]
    return colors


def draw_split(ax, points, ends, colors):
    """Draw the points of X, crosses, and of Y, circles, joined to the joint points."""
    from matplotlib.collections import LineCollection

    true_points, pred_points = ends
    look: dict[str, Any] = {"s": 40, "linewidth": 1.4, "zorder": 2.8}
    look["label"] = _axes.NO_LEGEND
    cross = ax.scatter(*true_points.T, marker="x", color=colors, **look)
    circle = ax.scatter(
        *pred_points.T, marker="o", facecolor="none", edgecolor=colors, **look
    )
    joined = np.stack([true_points, points, pred_points], axis=1)
    lines = LineCollection(joined, colors=colors, linewidths=0.9, alpha=0.7, zorder=2.6)
    ax.add_collection(lines, autolim=False)
    return [cross, circle], lines


def draw_path(ax, points, part, shades):
    """Draw a line through the points in their order."""
    from matplotlib.collections import LineCollection

    points = points[part]
    lines = LineCollection(
        np.stack([points[:-1], points[1:]], axis=1), linewidths=1.6, zorder=2.4
    )
    if shades.is_order:
        values = shades.values[part]
        lines.set(norm=shades.mappable.norm, cmap=shades.mappable.cmap)
        lines.set_array((values[:-1] + values[1:]) / 2)
    else:
        lines.set(color=_axes.text_color(), alpha=0.5)
    return ax.add_collection(lines, autolim=False)


def draw_center(ax, center, color):
    """Mark the centre of a cloud."""
    return ax.scatter(
        *center,
        marker="P",
        s=90,
        color=[color],
        edgecolor=[_axes.text_color()],
        linewidth=0.9,
        zorder=4,
        label=_axes.NO_LEGEND,
    )


def draw_region(ax, outline, points, center, color):
    """Draw the ellipse that holds 95 % of the points; None if they lie on a line."""
    from matplotlib.patches import Ellipse

    points = points[np.isfinite(points).all(axis=1)]
    if len(points) < 3:
        return None
    spread, axes = np.linalg.eigh(np.cov(points.T))
    if not spread[0] > 1e-12 * spread[1]:
        return None
    distances = np.sum(((points - center) @ axes) ** 2 / spread, axis=1)
    nearest = math.ceil(COVERAGE * len(points)) - 1
    radius = math.sqrt(np.partition(distances, nearest)[nearest])
    width, height = 2 * radius * np.sqrt(spread)
    angle = math.degrees(math.atan2(axes[1, 0], axes[0, 0]))
    ellipse = Ellipse(center, width, height, angle=angle, zorder=2)
    ellipse.set(facecolor=(*color[:3], 0.12), edgecolor=(*color[:3], 0.9))
    ellipse.set_linewidth(1.2)
    ax.add_patch(ellipse)
    ellipse.set_clip_path(outline)
    return ellipse
