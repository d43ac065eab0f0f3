"""What all displays share: Axes, colours, texts and legends.

Nothing here imports matplotlib before something is drawn.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from sklearn_entropy_metrics._colors import IMBALANCE, INFORMATION, LOSS

# An artist with this label is not a named series of points.
NO_LEGEND = "_nolegend_"
# The strength of the colour of an area: dark, medium and light, so that areas remain
# distinct in grey and for colour-blind readers.
FILLS = {INFORMATION: 1.0, LOSS: 0.5, IMBALANCE: 0.25}

# Axes of this size in points have texts of the full size.
ROOMY = 260


def get_axes(ax: Any = None, *, bare: bool = False) -> tuple[Any, Any]:
    """The Axes to draw on, by default new ones, and their figure.

    New Axes that are bare, without ticks and labels of their own, leave room in the
    figure for a title alone.
    """
    if ax is None:
        import matplotlib.pyplot as plt

        room = {"left": 0.02, "right": 0.98, "bottom": 0.02, "top": 0.92}
        _, ax = plt.subplots(gridspec_kw=room if bare else None)
    return ax, ax.figure


class Extent(NamedTuple):
    """The room of Axes before their aspect is set, in points, and the size of texts."""

    width: float
    height: float
    fontsize: float

    @classmethod
    def of(cls, ax: Any) -> Self:
        """Measure Axes; texts are those of labels, and smaller on small Axes."""
        import matplotlib as mpl

        box = ax.get_position(original=True).transformed(ax.figure.transSubfigure)
        width, height = np.array(box.size) * 72 / ax.figure.dpi
        scale = float(np.clip(min(width, height) / ROOMY, 0.6, 1))
        return cls(width, height, font_size(mpl.rcParams["axes.labelsize"], scale))


def font_scale(ax: Any, inches: float) -> float:
    """How much smaller texts are than usual on Axes that are not as wide as this."""
    width = ax.get_window_extent().width / ax.figure.dpi
    return float(np.clip(width / inches, 0.6, 1))


def font_size(size: Any, scale: float = 1.0) -> float:
    """The size in points of a font, scaled; the size may be a word such as "small"."""
    from matplotlib.font_manager import FontProperties

    return scale * FontProperties(size=size).get_size_in_points()


def divide(ax: Any, n_rows: int) -> list[Any]:
    """Turn Axes off and put others in their place, one below the other."""
    ax.set_axis_off()
    # A layout makes room for titles and labels; without one, rows keep a distance.
    space = 0.5 if ax.figure.get_layout_engine() is None else None
    spec = ax.get_subplotspec()
    if spec is not None:
        grid = spec.subgridspec(n_rows, 1, hspace=space)
    else:
        left, bottom, right, top = ax.get_position().extents
        sides = {"left": left, "bottom": bottom, "right": right, "top": top}
        grid = ax.figure.add_gridspec(n_rows, 1, hspace=space, **sides)
    return [ax.figure.add_subplot(row) for row in grid]


def one_or_list(artists: Sequence[Any]) -> Any:
    """The artist if there is one, a list if there are several, None if none."""
    if len(artists) > 1:
        return list(artists)
    return artists[0] if artists else None


def cycle_color(number: int) -> Any:
    """A colour of the style in use, by its number."""
    import matplotlib as mpl

    colors = mpl.rcParams["axes.prop_cycle"].by_key().get("color", ["C0"])
    return colors[number % len(colors)]


def text_color() -> tuple[float, float, float, float]:
    """The colour of texts of the style in use, black on white by default."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgba

    return to_rgba(mpl.rcParams["text.color"])


def tint(color: str, share: float | None = None) -> tuple[float, float, float]:
    """A colour mixed with the background, by default for areas."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgb

    share = FILLS[color] if share is None else share
    ground = np.array(to_rgb(mpl.rcParams["axes.facecolor"]))
    red, green, blue = share * np.array(to_rgb(color)) + (1 - share) * ground
    return float(red), float(green), float(blue)


def information_cmap() -> Any:
    """Light where nothing is known, dark green where much is, in any style."""
    from matplotlib.colors import LinearSegmentedColormap

    steps = ["#f6fbf9", "#d3ebe1", "#93ccb4", "#4aa583", INFORMATION, "#0a4a35"]
    return LinearSegmentedColormap.from_list("information", steps)


def on_paper(color: Any) -> tuple[float, float, float]:
    """A colour of the visual language, lighter where the style in use is dark."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgb

    paper = np.array(to_rgb(mpl.rcParams["axes.facecolor"]))
    lighter = 0.35 if paper.mean() < 0.5 else 0.0
    red, green, blue = np.array(to_rgb(color)) * (1 - lighter) + lighter
    return float(red), float(green), float(blue)


def write(ax: Any, point: Any, text: str, offset: Any, **look: Any) -> Any:
    """Write a text at some points of distance from a point of the plane."""
    from matplotlib.transforms import offset_copy

    x, y = offset
    transform = offset_copy(ax.transData, ax.figure, x, y, units="points")
    look = {"ha": "center", "va": "center", **look}
    return ax.text(*point, text, transform=transform, **look)


def add_legend(ax: Any, entries: Iterable[tuple[Any, str]], **look: Any) -> Any:
    """Add artists to the legend of Axes, with texts that are not read as mathematics.

    Existing entries stay, and each text appears once. Returns the legend, or None if
    there is none. Keyword arguments override its default look.
    """
    old = ax.get_legend()
    before = [] if old is None else old.get_texts()
    there = {text.get_text() for text in before}
    fresh: dict[str, Any] = {}
    for artist, name in entries:
        if name not in there:
            fresh.setdefault(name, artist)
    if not fresh:
        return old
    names, handles = list(fresh), list(fresh.values())
    handles = [*([] if old is None else old.legend_handles), *handles]
    # A label with a leading underscore would be left out: texts are set afterwards.
    slim: dict[str, Any] = {
        "frameon": False,
        "borderpad": 0.2,
        "borderaxespad": 0,
        "handlelength": 1.4,
    }
    slim |= {"handletextpad": 0.5, "labelspacing": 0.35, "loc": "upper right"}
    legend = ax.legend(handles, ["name"] * len(handles), **(slim | look))
    texts = legend.get_texts()
    for text, model in zip(texts, before, strict=False):
        text.set(text=model.get_text(), parse_math=model.get_parse_math())
    for text, name in zip(texts[len(before) :], names, strict=True):
        text.set(text=name, parse_math=False)
    for handle in legend.legend_handles:
        if hasattr(handle, "get_sizes"):  # points of a cloud are small and faint
            handle.set(alpha=1, sizes=np.clip(handle.get_sizes(), 30, 60))
    return legend


def legend_mark(marker: str, **look: Any) -> Any:
    """A mark for the legend that stands for points of any colour."""
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="none", marker=marker, color=text_color(), **look)
