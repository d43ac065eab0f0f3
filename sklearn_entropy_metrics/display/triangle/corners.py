"""The empty upper corners of a triangle: its colour bar and its legend."""

import math
from textwrap import wrap
from typing import Any

from matplotlib.colors import Normalize
from matplotlib.legend import Legend
from matplotlib.ticker import MaxNLocator

from sklearn_entropy_metrics.display import _display
from sklearn_entropy_metrics.display.triangle.frame import Frame

# Names of a list; more are left out.
_MOST = 30


def draw_colorbar(frame: Frame, shades: Any, label: str, are_whole: bool) -> Any:
    """Draw a small colour bar in the left corner, with its label above."""
    few = MaxNLocator(3 if frame.side > 200 else 2, integer=are_whole)
    ticks = few if type(shades.norm) is Normalize else None
    ax, size = frame.axes, frame.size("xtick.labelsize")
    height = 1.08 * frame.side
    thick, top = 7 * frame.factor / height, 2 * size / height
    place = ax.inset_axes(
        (0.02 - frame.margin(ax.get_anchor()), 1 - top - thick, 0.26, thick)
    )
    bar = ax.figure.colorbar(shades, cax=place, orientation="horizontal", ticks=ticks)
    bar.outline.set_linewidth(0)
    place.xaxis.set_label_position("top")
    place.tick_params(labelsize=size)
    bar.set_label(label, fontsize=size)
    frame.has_bar = True
    return bar


def draw_legend(frame: Frame, names: list[Any], others: list[Any]) -> Any:
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
    anchor, size, parts = _arrange(frame, entries)
    frame.axes.set_anchor(anchor)
    for side, part in zip(("right", "left"), parts, strict=False):
        frame.legends.append(_draw(frame, part, side, size))
    return frame.legends[0]


def _arrange(frame, entries):
    """Where the triangle stands, the size of texts, and one or two parts of entries.

    A list that does not fit into the right corner moves the triangle to the left or
    goes on in the left corner; texts that are still too long are shortened.
    """
    half = math.ceil(len(entries) / 2)
    halves = [entries[half:], entries[:half]]
    options: list[Any] = [("C", [entries]), ("W", [entries])]
    if len(entries) > 3 and not frame.has_bar:
        options.append(("C", halves))
    full = frame.size("legend.fontsize")
    for share in (1, 0.8, 0.7):
        size = max(share * full, 6)
        for anchor, parts in options:
            most = _most(frame, anchor, size, max(map(len, parts)))
            if max(len(text) for _, text in entries) <= most:
                return anchor, size, parts
        if len(entries) < 15 and share == 0.8:
            break
    rows = max(map(len, parts))
    double = _most(frame, anchor, size, 2 * rows) if rows < 7 else 0
    short = [
        [(mark, _shorten(text, most, double)) for mark, text in part] for part in parts
    ]
    return anchor, size, short


def _shorten(text, most, double):
    """Break a long text at a blank, or leave out its middle: ends of names differ."""
    if len(text) <= most:
        return text
    lines = wrap(text, double, break_long_words=False) if double else []
    if len(lines) == 2 and max(map(len, lines)) <= double:
        return "\n     ".join(lines)
    tail = most // 2 - 1
    return f"{text[: most - tail - 1]}…{text[-tail:]}"


def _most(frame, anchor, size, n_rows):
    """How many characters are free beside so many rows."""
    height = 0.94 * frame.side - n_rows * 1.4 * size
    slope = frame.side / 2 - max(height, 0) / math.sqrt(3)
    band = 2.2 * frame.size("xtick.labelsize") + 4 * frame.factor
    if height < frame.high:  # words stand in the way, too
        band += 1.8 * frame.size("axes.labelsize")
    margin = 1.24 * frame.margin(anchor)
    free = (0.62 + margin) * frame.side - slope - band - 2 * size
    return max(int(free / (0.55 * size)), 8)


def _draw(frame, entries, side, size):
    ax, margin = frame.axes, frame.margin(frame.axes.get_anchor())
    look: dict[str, Any] = {"fontsize": size}
    look |= {"loc": f"upper {side}", "frameon": False, "borderaxespad": 0}
    look |= {"borderpad": 0.1, "handlelength": 1.2, "handletextpad": 0.4}
    at = 1 + margin if side == "right" else -margin
    look |= {"labelspacing": 0.3, "bbox_to_anchor": (at, 1)}
    marks = [mark for mark, _ in entries]
    # A label with a leading underscore would be left out: texts are set afterwards.
    labels = ["name"] * len(entries)
    if side == "right":
        legend = ax.legend(marks, labels, **look)
    else:
        legend = ax.add_artist(Legend(ax, marks, labels, **look))
    for text, (_, words) in zip(legend.get_texts(), entries, strict=True):
        text.set(text=words, parse_math=False)
    for handle in legend.legend_handles:
        if hasattr(handle, "get_sizes"):  # points of a cloud are small and faint
            handle.set(alpha=1, sizes=[36])
    return legend
