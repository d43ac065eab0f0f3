"""Rows with names, below a title: long texts go on several lines."""

import re
from collections.abc import Sequence
from textwrap import fill
from typing import Any

# Characters of a name on one line, and points that a layout leaves free beside names.
_LONG, _FREE = 24, 12


def write_names(ax: Any, names: Sequence[str]) -> None:
    """Name the rows from the top; long names break at blanks and before capitals."""
    ax.set_yticks(
        range(len(names)),
        [_break(str(name), _LONG) for name in names],
        parse_math=False,
    )


def _break(text, most):
    """Lines of at most so many characters, broken at signs and before capitals."""
    lines = [""]
    for part in re.split(r"(?<=[\s_(,.=-])|(?=[A-Z][a-z])", text):
        if lines[-1] and len(lines[-1] + part.rstrip()) > most:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def legend_above(scale: float) -> dict[str, Any]:
    """The look of a legend above rows: at the left, or at the right of small Axes."""
    side, at = ("left", 0) if scale == 1 else ("right", 1)
    return {
        "loc": f"lower {side}",
        "bbox_to_anchor": (at, 1),
        "borderaxespad": 0,
        "frameon": False,
    }


def fit(text: Any, ax: Any, right: float = 0.0) -> None:
    """Break a text that is wider than the Axes will be.

    A layout makes room for the names, and for so many pixels on the right.
    """
    room = ax.get_window_extent().width
    spec = ax.get_subplotspec()
    if spec is not None and ax.figure.get_layout_engine() is not None:
        names = [label.get_window_extent().width for label in ax.get_yticklabels()]
        share = len(spec.colspan) / spec.get_gridspec().ncols
        free = _FREE * ax.figure.dpi / 72
        room = share * ax.figure.bbox.width - max(names) - right - free
    width = text.get_window_extent().width
    if width > room:
        words = text.get_text()
        most = max(int(len(words) * room / width), 1)
        lines = fill(words, most, break_long_words=False).split("\n")
        text.set_text("\n".join(_break(line, most) for line in lines))
