"""The layers of the entropy triangle that show data, each drawn by one function."""

from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.display import _axes
from sklearn_entropy_metrics.display.triangle.data import Values
from sklearn_entropy_metrics.display.triangle.frame import Frame
from sklearn_entropy_metrics.display.triangle.slots import BarSlot


class Shades(NamedTuple):
    """Colours that stand for values."""

    values: np.ndarray
    mappable: Any
    label: str
    is_order: bool


def make_shades(values: Values, style: dict[str, Any]) -> Shades:
    """Shade values; the related keywords are removed from the style."""
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


def draw_colorbar(ax: Any, frame: Frame, shades: Shades) -> Any:
    """Draw the colour bar of the shades, small, in the corner beside the triangle."""
    import matplotlib as mpl

    rc = mpl.rcParams
    place = ax.inset_axes((0, 0, 1, 1))
    sizes = (
        _axes.font_size(rc["axes.labelsize"]),
        _axes.font_size(rc["xtick.labelsize"]),
    )
    frame.slots.append(BarSlot(place, *sizes))
    bar = ax.figure.colorbar(
        shades.mappable, cax=place, orientation="horizontal", ticks=_ticks(shades)
    )
    bar.outline.set_linewidth(0)
    place.xaxis.set_label_position("top")
    bar.set_label(shades.label)
    return bar


def _ticks(shades):
    """Few round numbers; matplotlib chooses those of bars that are not linear."""
    from matplotlib.colors import Normalize
    from matplotlib.ticker import MaxNLocator

    if type(shades.mappable.norm) is not Normalize:
        return None
    low, high = shades.mappable.get_clim()
    ticks = MaxNLocator(5, integer=shades.is_order).tick_values(low, high)
    return ticks[(ticks >= low) & (ticks <= high)]


def sentence(fractions: np.ndarray) -> str:
    """Where the entropy went, in shares ΔH', 2MI' and VI'."""
    imbalance, information, error = (f"{share:.0%}" for share in fractions)
    return (
        f"{information} transferred · {error} lost in random error · "
        f"{imbalance} missing through imbalance"
    )


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
    # Where all three coincide, the arms of the cross stick out of the point, and the
    # circle is around them.
    look: dict[str, Any] = {"linewidth": 1.4, "zorder": 4.5, "label": _axes.NO_LEGEND}
    cross = ax.scatter(*true_points.T, marker="x", s=55, color=colors, **look)
    circle = ax.scatter(
        *pred_points.T, marker="o", s=130, facecolor="none", edgecolor=colors, **look
    )
    joined = list(np.stack([true_points, points, pred_points], axis=1))
    lines = LineCollection(joined, colors=colors, linewidths=0.9, alpha=0.7, zorder=2.6)
    ax.add_collection(lines, autolim=False)
    return [cross, circle], lines


def draw_path(ax, points, part, shades):
    """Draw a line through the points in their order."""
    from matplotlib.collections import LineCollection

    points = points[part]
    lines = LineCollection(
        list(np.stack([points[:-1], points[1:]], axis=1)), linewidths=1.6, zorder=2.4
    )
    if shades.is_order:
        values = shades.values[part]
        lines.set(norm=shades.mappable.norm, cmap=shades.mappable.cmap)
        lines.set_array((values[:-1] + values[1:]) / 2)
    else:
        lines.set(color=_axes.text_color(), alpha=0.5)
    return ax.add_collection(lines, autolim=False)
