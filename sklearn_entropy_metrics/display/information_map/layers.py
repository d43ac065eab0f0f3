"""The layers of a picture of normalized information, each drawn by one function."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sklearn_entropy_metrics.display import _axes, _points
from sklearn_entropy_metrics.display.information_map import spaces
from sklearn_entropy_metrics.display.phi_delta import frame

LABELS = {
    "fpr": "false positive rate",
    "tpr": "true positive rate",
    spaces.NI: "normalized information (NI)",
}
# The values of the lines between contours.
_LEVELS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
# Either side of the upper bound, and the lower one.
_BOUNDS = ("-", "--", "-.")


def find_layers(ax: Any, key: str) -> dict[str, Any]:
    """The artists of a picture that was drawn before, by their names."""
    return {
        artist.get_gid().removeprefix(key): artist
        for artist in ax.get_children()
        if (artist.get_gid() or "").startswith(key)
    }


def draw_ground(ax: Any, space: str, prevalence: float, style: Any) -> dict[str, Any]:
    """Draw the map or the bounds."""
    if space in spaces.MAPS:
        return draw_map(ax, space, prevalence, style)
    return draw_bounds(ax, space, prevalence)


def draw_map(ax: Any, space: str, prevalence: float, style: Any) -> dict[str, Any]:
    """Fill a space with contours of normalized information."""
    columns = spaces.compute_map(space, prevalence)
    x, y = (columns[key] for key in spaces.COLUMNS[space])
    if space != "phi_delta":
        _frame_square(ax, spaces.COLUMNS[space])
    style = style or {}
    # Above the ground of the diamond and below its lines.
    look = {"levels": np.linspace(0, 1, 21), "zorder": 1, **style}
    if not look.keys() & {"cmap", "colors"}:
        look["cmap"] = _axes.information_cmap()
    ni = np.ma.masked_invalid(columns[spaces.NI])
    artists = {"contour_": ax.contourf(x, y, ni, **look)}
    artists["contour_"].set_edgecolor("face")  # no gaps between the bands in a PDF
    ink = _contrast(artists["contour_"])
    levels = artists["contour_"].levels[1:-1] if "levels" in style else _LEVELS
    artists["contour_lines_"] = ax.contour(
        x, y, ni, levels=levels, colors=[ink], linewidths=0.7, alpha=0.8, zorder=1.1
    )
    artists["chance_level_"] = _draw_chance(ax, space, prevalence, ink)
    if space == "precision_recall":
        artists["infeasible_"] = _draw_infeasible(ax, prevalence)
    if space == "phi_delta":
        frame.draw_frame(ax, None, "classifier")
    return artists


def _frame_square(ax, columns):
    for axis, key in zip((ax.xaxis, ax.yaxis), columns, strict=True):
        axis.set_label_text(LABELS.get(key, key))
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    _scale_labels(ax, _axes.Extent.of(ax).fontsize)


def _scale_labels(ax, fontsize):
    """Make numbers and labels of the axes smaller if the Axes are small."""
    for axis in (ax.xaxis, ax.yaxis):
        usual = axis.label.get_fontsize()
        if fontsize < usual:
            axis.label.set_fontsize(fontsize)
            axis.set_tick_params(labelsize=fontsize)


def _contrast(contours):
    """White or black, whichever stands out from what carries no information."""
    red, green, blue, _ = contours.cmap(0.0)
    return "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "black"


def _draw_chance(ax, space, prevalence, color):
    ends = {
        "roc": ([0, 1], [0, 1]),
        "precision_recall": ([0, 1], [prevalence, prevalence]),
        "phi_delta": ([-1, 1], [0, 0]),
    }
    (line,) = ax.plot(
        *ends[space], color=color, linestyle="--", linewidth=1, zorder=1.3
    )
    return line


def _draw_infeasible(ax, prevalence):
    """Fill the precisions that are too low for any classifier with grey."""
    import matplotlib as mpl
    from matplotlib.patches import Polygon

    recall = np.linspace(0, 1, 201)
    curve = np.stack([recall, spaces.least_precision(recall, prevalence)], axis=1)
    return ax.add_patch(
        Polygon(
            np.vstack([curve, [1, 0]]),
            facecolor="0.9",
            edgecolor="0.4",
            linewidth=mpl.rcParams["axes.linewidth"],
            zorder=1.2,
            label=_axes.NO_LEGEND,
        )
    )


def draw_colorbar(ax: Any, space: str, prevalence: float, contours: Any) -> Any:
    """Draw the colour bar, which says what the map depends on."""
    bar = ax.figure.colorbar(
        contours, ax=ax, label=_label(prevalence), ticks=np.linspace(0, 1, 6)
    )
    bar.ax.set_axes_locator(_AsHigh(ax, bar.ax.get_axes_locator()))
    _scale_labels(bar.ax, _axes.Extent.of(ax).fontsize)
    return bar


class _AsHigh:
    """Keeps a colour bar as high as Axes whose shape is fixed, in any layout."""

    def __init__(self, ax, locate):
        self.ax = ax
        self.locate = locate

    def __call__(self, bar_ax, renderer):
        from matplotlib.transforms import Bbox

        own = self.locate(bar_ax, renderer)
        locate = self.ax.get_axes_locator()
        self.ax.apply_aspect(locate and locate(self.ax, renderer))
        beside = self.ax.get_position()
        return Bbox.from_extents(own.x0, beside.y0, own.x1, beside.y1)

    def get_subplotspec(self):
        """Tell the tight layout where the colour bar belongs."""
        return self.locate.get_subplotspec()


def _label(prevalence):
    # In two lines it fits into a grid of small pictures.
    return f"{LABELS[spaces.NI]}\nwith {100 * prevalence:.3g} % positives"


def draw_bounds(ax: Any, space: str, prevalence: float) -> dict[str, Any]:
    """Draw the range of normalized information, given another measure."""
    bounds = spaces.compute_bounds(space, prevalence)
    x, turn = bounds.x, bounds.turn
    ax.set(xlabel=space, ylabel=_label(prevalence), xlim=(0, 1), ylim=(0, 1))
    ax.margins(0)
    _scale_labels(ax, _axes.Extent.of(ax).fontsize)
    color = _axes.tint(_axes.INFORMATION, 0.15)
    region = ax.fill_between(x, bounds.lower, bounds.upper, color=color)
    region.set(linewidth=0, zorder=1, label=_axes.NO_LEGEND)
    artists = {"region_": region}
    parts = [
        ("upper_left_", x <= turn, bounds.upper),
        ("upper_right_", x >= turn, bounds.upper),
        ("lower_", x >= 0, bounds.lower),
    ]
    for (name, part, values), dashes in zip(parts, _BOUNDS, strict=True):
        (artists[name],) = ax.plot(
            x[part],
            values[part],
            color=_axes.INFORMATION,
            linestyle=dashes,
            zorder=2,
            clip_on=False,
        )
    return artists


def draw_points(
    ax: Any, points: np.ndarray, names: Sequence[str | None], style: Any
) -> list[Any]:
    """Scatter classifiers, a marker and a colour for each name."""
    return _points.draw_series(
        ax,
        names,
        np.array_split(points, len(names)),
        style,
        start=_points.n_series(ax),
        sizes=(60, 60),
        edgecolor="black",  # contours are light where most classifiers are
        linewidth=0.7,
        clip_on=False,
    )
