"""The layers of the entropy triangle that help to read it: zones, bounds, NIT lines."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from sklearn_entropy_metrics.display._axes import text_color, write
from sklearn_entropy_metrics.display.triangle.geometry import (
    CORNERS,
    across,
    outward,
    shown_triangle,
    tick_size,
    to_plane,
)

# What the corners mean, with the place of the text beside them, and what the sides mean
# along which the scales run; in the order ΔH', 2MI', VI'.
_CORNERS = (
    ("majority,\nspecialised", (4, -4), "left", "top"),
    ("all information,\nbest", (-14, 6), "right", "top"),
    ("random,\nworst", (-4, -4), "right", "top"),
)
_SIDES = (("no information", 0), ("diagonal table", -60), ("uniform marginals", 60))
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


def draw_nit_lines(
    ax: Any, outline: Any, n_true: float, n_pred: float
) -> tuple[Any, list]:
    """Draw lines of equal NIT factor q, which are at 2MI' = 2 log2(q k) / log2(k m)."""
    part = shown_triangle(outline)

    def share(q):
        """Of the height of the picture."""
        height = 2 * math.log2(q * n_true) / math.log2(n_true * n_pred)
        return (height - part.lower[1]) / part.size

    chosen = _spaced(share)
    ends = [across(part.corners, 1, height) for height in chosen.values()]
    texts = [
        _note(ax, left + 0.6 * (right - left), f"q = {q:g}", opaque=True)
        for q, (right, left) in zip(chosen, ends, strict=True)
    ]
    return _lines(ax, ends, "dotted"), texts


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


def draw_zones(ax: Any, outline: Any) -> list[Any]:
    """Say what the corners and sides mean, of those that are shown."""
    part = shown_triangle(outline)
    texts = []
    for corner, (text, offset, ha, va) in zip(CORNERS, _CORNERS, strict=True):
        if np.abs(part.corners - corner).sum(axis=1).min() < 1e-9:
            texts.append(_note(ax, corner, text, offset, ha=ha, va=va))
    for scale, (text, rotation) in enumerate(_SIDES):
        # The scale of ΔH' runs along the side 2MI' = 0, and so on.
        if part.lower[(scale + 1) % 3] == 0:
            middle = (part.corners[scale] + part.corners[scale - 1]) / 2
            beyond = (3.6 if rotation == 0 else 4.4) * tick_size() * outward(scale)
            texts.append(_note(ax, middle, text, beyond, rotation=rotation))
    return texts


def _lines(ax, ends, linestyle):
    from matplotlib.collections import LineCollection

    color = text_color()
    lines = LineCollection(ends, colors=color, linestyles=linestyle, zorder=1.8)
    lines.set(linewidth=1.1, alpha=0.75)
    return ax.add_collection(lines, autolim=False)


def _note(ax, point, text, offset=(0, 0), opaque=False, **where):
    """Write a small faint text."""
    import matplotlib as mpl

    box = {"facecolor": mpl.rcParams["axes.facecolor"], "edgecolor": "none", "pad": 1}
    look: dict[str, Any] = {"bbox": box if opaque else None, "color": text_color()}
    look |= {"alpha": 0.75, "fontsize": "small", "zorder": 1.9}
    return write(ax, point, text, offset, **look, **where)
