"""What all displays share: Axes, colours, texts and legends.

Nothing here imports matplotlib before something is drawn.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from sklearn_entropy_metrics.display._display import (
    FILLS,
    IMBALANCE,
    INFORMATION,
    LOSS,
    NO_LEGEND,
    add_legend,
    cycle_color,
    font_size,
    information_cmap,
    legend_mark,
    on_paper,
    one_or_list,
    text_color,
    tint,
)

__all__ = [
    "FILLS",
    "IMBALANCE",
    "INFORMATION",
    "LOSS",
    "NO_LEGEND",
    "Extent",
    "add_legend",
    "cycle_color",
    "divide",
    "font_scale",
    "font_size",
    "get_axes",
    "information_cmap",
    "legend_mark",
    "on_paper",
    "one_or_list",
    "text_color",
    "tint",
    "write",
]

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


def write(ax: Any, point: Any, text: str, offset: Any, **look: Any) -> Any:
    """Write a text at some points of distance from a point of the plane."""
    from matplotlib.transforms import offset_copy

    x, y = offset
    transform = offset_copy(ax.transData, ax.figure, x, y, units="points")
    look = {"ha": "center", "va": "center", **look}
    return ax.text(*point, text, transform=transform, **look)
