"""The layers of a picture of normalized information, each drawn by one function."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sklearn_entropy_metrics.display import _axes, _points
from sklearn_entropy_metrics.display.information_map import spaces
from sklearn_entropy_metrics.display.phi_delta import plane

LABELS = {
    "fpr": "false positive rate",
    "tpr": "true positive rate",
    spaces.NI: "normalized information",
}
# What either side of the upper bound, and the lower one, look like.
_BOUNDS = ((0, "-"), (1, "--"), (2, "-."))


def find_layers(ax: Any, key: str) -> dict[str, Any]:
    """The artists of a picture that was drawn before, by their names."""
    return {
        artist.get_gid().removeprefix(key): artist
        for artist in ax.get_children()
        if (artist.get_gid() or "").startswith(key)
    }


def draw_ground(
    ax: Any, space: str, prevalence: float, style: Any, classifiers: np.ndarray
) -> dict[str, Any]:
    """Draw the map or the bounds, and named points with texts clear of classifiers."""
    if space in spaces.MAPS:
        artists = draw_map(ax, space, prevalence, style)
    else:
        artists = draw_bounds(ax, space, prevalence)
    marks, texts = draw_named_points(ax, space, prevalence, classifiers)
    if texts:
        artists |= {"named_points_": marks}
        artists |= {f"text_{number}": text for number, text in enumerate(texts)}
    return artists


def draw_map(ax: Any, space: str, prevalence: float, style: Any) -> dict[str, Any]:
    """Fill a space with contours of normalized information."""
    columns = spaces.compute_map(space, prevalence)
    x, y = (columns[key] for key in spaces.COLUMNS[space])
    if space == "phi_delta":
        plane.draw_plane(ax, None, "classifier")
    else:
        _frame_square(ax, spaces.COLUMNS[space])
    # Above the ground of the diamond and below its lines.
    look = {"levels": np.linspace(0, 1, 21), "zorder": 1, **(style or {})}
    ni = np.ma.masked_invalid(columns[spaces.NI])
    artists = {"contour_": ax.contourf(x, y, ni, **look)}
    faint = _contrast(artists["contour_"])
    artists["contour_lines_"] = ax.contour(
        x,
        y,
        ni,
        levels=artists["contour_"].levels[1:-1],
        colors=[faint],
        linewidths=0.4,
        alpha=0.6,
        zorder=1.1,
    )
    artists["chance_level_"] = _draw_chance(ax, space, prevalence, faint)
    if space == "precision_recall":
        artists["infeasible_"] = _draw_infeasible(ax, prevalence)
    return artists


def _frame_square(ax, columns):
    for axis, key in zip((ax.xaxis, ax.yaxis), columns, strict=True):
        axis.set_label_text(LABELS.get(key, key))
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")


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
    """Hatch the precisions that are too low for any classifier."""
    import matplotlib as mpl
    from matplotlib.patches import Polygon

    recall = np.linspace(0, 1, 201)
    curve = np.stack([recall, spaces.least_precision(recall, prevalence)], axis=1)
    return ax.add_patch(
        Polygon(
            np.vstack([curve, [1, 0]]),
            facecolor=mpl.rcParams["axes.facecolor"],
            edgecolor=mpl.rcParams["axes.edgecolor"],
            hatch="////",
            linewidth=0.8,
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
    return f"{LABELS[spaces.NI]}\nat a prevalence of {prevalence:.3g}"


def draw_bounds(ax: Any, space: str, prevalence: float) -> dict[str, Any]:
    """Draw what normalized information can be, given another measure."""
    bounds = spaces.compute_bounds(space, prevalence)
    x, turn = bounds.x, bounds.turn
    ax.set(xlabel=space, ylabel=_label(prevalence), xlim=(0, 1), ylim=(0, 1))
    ax.margins(0)
    region = ax.fill_between(
        x, bounds.lower, bounds.upper, color=_axes.cycle_color(0), alpha=0.12
    )
    region.set(linewidth=0, zorder=1, label=_axes.NO_LEGEND)
    artists = {"region_": region}
    parts = [
        ("upper_left_", x <= turn, bounds.upper),
        ("upper_right_", x >= turn, bounds.upper),
        ("lower_", x >= 0, bounds.lower),
    ]
    for (name, part, values), (number, dashes) in zip(parts, _BOUNDS, strict=True):
        (artists[name],) = ax.plot(
            x[part],
            values[part],
            color=_axes.cycle_color(number),
            linestyle=dashes,
            zorder=2,
            clip_on=False,
        )
    return artists


def legend_entries(
    artists: dict[str, Any], space: str, prevalence: float
) -> list[tuple[Any, str]]:
    """What is called by a name in the legend, apart from classifiers."""
    if space == "precision_recall":
        return [(artists["infeasible_"], "infeasible")]
    if space in spaces.MAPS:
        return []
    left, right = spaces.compute_bounds(space, prevalence).empty
    return [
        (artists["upper_left_"], f"upper, {left} = 0"),
        (artists["upper_right_"], f"upper, {right} = 0"),
        (artists["lower_"], "lower"),
    ]


def draw_named_points(
    ax: Any, space: str, prevalence: float, classifiers: np.ndarray
) -> tuple[Any, list[Any]]:
    """Mark and name the points that Wang and Hu name; return marks and texts."""
    named = spaces.named_points(space, prevalence)
    if not named:
        return None, []
    points = np.array(list(named.values()))
    marks = ax.scatter(
        *points.T,
        s=18,
        color=[_axes.text_color()],
        zorder=2.5,
        clip_on=False,
        label=_axes.NO_LEGEND,
    )
    texts = write_names(ax, list(named), points, classifiers)
    for text in texts:
        text.set_parse_math(True)
    return marks, texts


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
        first_color=len(_BOUNDS),  # the first colours are those of the bounds
        edgecolor="white",  # stands out from dark and bright contours alike
        linewidth=0.7,
        clip_on=False,
    )


def write_names(
    ax: Any, names: Sequence[str], points: np.ndarray, others: np.ndarray
) -> list[Any]:
    """Write names beside points, clear of the others and of the lines."""
    import matplotlib as mpl

    from sklearn_entropy_metrics.display._labels import add_names

    drawn = np.isfinite(points).all(axis=1)
    names = [name for name, there in zip(names, drawn, strict=True) if there]
    if not names:
        return []
    taken = np.vstack([points, others])
    taken = taken[np.isfinite(taken).all(axis=1)]
    # A few points of a smooth curve are enough to keep clear of it.
    lines = [xy[:: max(1, len(xy) // 8)] for xy in map(_vertices, ax.lines)]
    texts = add_names(ax, names, points[drawn], taken, lines)
    for text in texts:
        # Legible on dark and bright contours alike.
        ground = mpl.rcParams["axes.facecolor"]
        text.set_bbox({"facecolor": ground, "linewidth": 0, "alpha": 0.75, "pad": 0.5})
    return texts


def _vertices(line):
    return line.get_xydata()


def draw_legend(
    ax: Any, space: str, entries: list[tuple[Any, str]], classifiers: np.ndarray
) -> Any:
    """Add to the legend, and put it where it hides little."""
    legend = _axes.add_legend(ax, entries)
    if entries:
        # Between both sides of the upper bound there is room.
        is_map = space in spaces.MAPS
        legend.set_loc(_place(ax, classifiers) if is_map else "upper center")
        legend.borderaxespad = 0.6
        legend.set_frame_on(True)
    return legend


def _place(ax, classifiers):
    """The corner with the fewest classifiers, if possible worse than chance."""
    x, y = ax.transLimits.transform(classifiers).T
    inside = {
        "lower right": (x > 0.55) & (y < 0.5),
        "lower left": (x < 0.4) & (y < 0.5),
        "upper right": (x > 0.55) & (y > 0.5),
    }
    return min(inside, key=lambda corner: np.count_nonzero(inside[corner]))
