"""The empty upper corners of a triangle: its colour bar and its legend."""

import math
from typing import Any

from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.colors import Normalize
from matplotlib.legend import Legend
from matplotlib.ticker import MaxNLocator

from sklearn_entropy_metrics.display import _display
from sklearn_entropy_metrics.display.triangle.frame import Frame

# Names of a list; more are left out.
_MOST = 30


def draw_colorbar(
    frame: Frame, shades: ScalarMappable, label: str, are_whole: bool
) -> Colorbar:
    """Draw a small colour bar in the left corner, with its label above."""
    few = MaxNLocator(3 if frame.side > 200 else 2, integer=are_whole)
    ticks = few if type(shades.norm) is Normalize else None
    ax, size = frame.axes, frame.size("xtick.labelsize")
    height = 1.08 * frame.side
    thick, top = 7 * frame.factor / height, 2 * size / height
    place = ax.inset_axes((0.02 - frame.margin, 1 - top - thick, 0.26, thick))
    bar = ax.figure.colorbar(shades, cax=place, orientation="horizontal", ticks=ticks)
    bar.outline.set_linewidth(0)
    place.xaxis.set_label_position("top")
    place.tick_params(labelsize=size)
    bar.set_label(label, fontsize=size)
    frame.has_bar = True
    return bar


def draw_legend(frame: Frame, names: list[Any], others: list[Any]) -> Legend | None:
    """Draw the legend in the right corner, or a long one in both.

    Parameters
    ----------
    frame : Frame
        The frame on the Axes.

    names, others : list of (Artist, str)
        All names on the Axes, and entries to add to those that explain marks.

    Returns
    -------
    legend : Legend or None
        The one on the right.
    """
    frame.explained |= {text: mark for mark, text in others}
    entries = [*names[:_MOST], *((m, t) for t, m in frame.explained.items())]
    if len(names) > _MOST:
        entries.append((_display.legend_mark(""), f"… {len(names) - _MOST} more"))
    for legend in frame.legends:
        if legend.axes is not None:
            legend.remove()
    frame.legends = []
    if not entries:
        return None
    size, parts = _arrange(frame, entries)
    places = [("left", -frame.margin), ("right", 1 + frame.margin)]
    for part, (side, x) in zip(parts, places[-len(parts) :], strict=True):
        for legend in frame.legends:
            frame.axes.add_artist(legend)  # the next would take its place
        look = {"loc": f"upper {side}", "bbox_to_anchor": (x, 1), "fontsize": size}
        frame.legends.append(_display.write_legend(frame.axes, part, **look))
    return frame.legends[-1]


def _arrange(frame, entries):
    """The size of texts, and the entries in one or two parts, shortened if needed."""
    half = math.ceil(len(entries) / 2)
    options = [[entries]]
    if len(entries) > 3 and not frame.has_bar:
        options.append([entries[:half], entries[half:]])
    for share in (1, 0.8):
        size = max(share * frame.size("legend.fontsize"), 6)
        for parts in options:
            most = _most(frame, size, max(map(len, parts)))
            if max(len(text) for _, text in entries) <= most:
                return size, parts
    return size, [[(mark, _shorten(text, most)) for mark, text in p] for p in parts]


def _shorten(text, most):
    """Leave out the middle of a long text: ends of names differ."""
    tail = most // 2 - 1
    return text if len(text) <= most else f"{text[: most - tail - 1]}…{text[-tail:]}"


def _most(frame, size, n_rows):
    """How many characters are free beside so many rows."""
    height = 0.94 * frame.side - n_rows * 1.4 * size
    slope = frame.side / 2 - max(height, 0) / math.sqrt(3)
    band = 2.2 * frame.size("xtick.labelsize") + 4 * frame.factor
    if height < frame.high:  # words stand in the way, too
        band += 1.8 * frame.size("axes.labelsize")
    free = (0.62 + 1.24 * frame.margin) * frame.side - slope - band - 2 * size
    return max(int(free / (0.55 * size)), 8)
