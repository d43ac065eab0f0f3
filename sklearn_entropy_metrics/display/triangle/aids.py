"""The layers of the triangle that help to read it: guides, bounds and NIT lines."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.display._axes import text_color, write
from sklearn_entropy_metrics.display.triangle.frame import Frame
from sklearn_entropy_metrics.display.triangle.geometry import across, to_plane

# Round numbers, the roundest first.
_ROUND = (
    [digit / 10**power for power in range(1, 9) for digit in (5, 2, 1)],
    [number / 10 for number in range(1, 10)],
    [number / 20 for number in range(1, 20)],
    [number / 100 for number in range(1, 100)],
    [number / 1000 for number in range(1, 1000)],
)


def draw_bound(ax: Any, outline: Any, bounds: Iterable[tuple[float, float]]) -> Any:
    """Draw what class balances allow: pairs of a greatest 2MI' and a least ΔH'."""
    pairs = np.array(list(bounds))
    pairs = np.unique(pairs[np.isfinite(pairs).all(axis=1)].round(9), axis=0)
    ends = []
    for information, divergence in pairs:
        meeting = (divergence, information, 1 - divergence - information)
        ends.append(to_plane([(1 - information, information, 0), meeting]))
        ends.append(to_plane([(divergence, 0, 1 - divergence), meeting]))
    lines = _lines(ax, ends, "dashed")
    lines.set_clip_path(outline)
    return lines


class NitLines(NamedTuple):
    """Lines of equal NIT factor with their texts, for tables of a shape."""

    lines: Any
    texts: list[Any]
    shape: tuple[float, float]


def draw_nit_lines(ax: Any, frame: Frame, shape: tuple[float, float]) -> NitLines:
    """Draw lines of equal NIT factor q, which are at 2MI' = 2 log2(q k) / log2(k m)."""
    drawn = NitLines(_lines(ax, [], "dotted"), [], shape)
    place_nit_lines(ax, frame, drawn)
    frame.nit_lines.append(drawn)
    return drawn


def place_nit_lines(ax: Any, frame: Frame, drawn: NitLines) -> None:
    """Move the lines to round numbers in the part that the frame shows."""
    part = frame.part
    n_true, n_pred = drawn.shape

    def share(q):
        """Of the height of the picture."""
        height = 2 * math.log2(q * n_true) / math.log2(n_true * n_pred)
        return (height - part.lower[1]) / part.size

    chosen = _spaced(share)
    ends = [across(part.corners, 1, height) for height in chosen.values()]
    drawn.lines.set_segments(ends)
    frame.drop(drawn.texts)
    drawn.texts[:] = [
        _note(ax, right, f"q = {q:g}")
        for q, (right, _) in zip(chosen, ends, strict=True)
    ]
    frame.scale(drawn.texts)


def draw_guides(ax: Any, frame: Frame, fractions: np.ndarray) -> Any:
    """Draw lines from points to the three scales."""
    from matplotlib.collections import LineCollection

    defined = fractions[np.isfinite(fractions).all(axis=1)]
    ends = [line for shares in defined for line in frame.guides(shares)]
    colors = frame.colors * len(defined)
    lines = LineCollection(ends, colors=colors, linestyles=(0, (1.5, 1.5)))
    lines.set(linewidth=1.6, zorder=1.7)
    return ax.add_collection(lines, autolim=False)


def _spaced(share):
    """Round numbers whose places between 0 and 1 keep a distance, by their places."""
    chosen: dict[float, float] = {}
    for numbers in _ROUND:
        for number in numbers:
            place = share(number)
            others = (0, *chosen.values())
            # Near the apex a line is too short to carry its number.
            if 0 < place < 0.8 and min(abs(place - other) for other in others) > 0.08:
                chosen[number] = place
        if len(chosen) > 3:
            break
    return chosen


def _lines(ax, ends, linestyle):
    from matplotlib.collections import LineCollection

    color = text_color()
    lines = LineCollection(ends, colors=color, linestyles=linestyle, zorder=1.8)
    lines.set(linewidth=1.1, alpha=0.75)
    return ax.add_collection(lines, autolim=False)


def _note(ax, point, text):
    """Write a small faint text upon the right end of a line."""
    look: dict[str, Any] = {"alpha": 0.75, "fontsize": "small", "zorder": 1.9}
    look |= {"ha": "right", "va": "bottom", "color": text_color()}
    note = write(ax, point, text, (-9, 0.5), **look)
    note.set_in_layout(False)
    return note
