"""The fixed frame of the triangle, once per Axes: outline, grid, scales and words.

It is imported only when something is drawn, as it defines an artist.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rcParams
from matplotlib.collections import LineCollection
from matplotlib.patches import Polygon

from sklearn_entropy_metrics.display import _display
from sklearn_entropy_metrics.display.triangle.geometry import (
    CORNERS,
    HEIGHT,
    Window,
    across,
    from_plane,
    outward,
    window_of,
)

# In the order of the scales, ΔH', 2MI' and VI'.
_COLORS = (_display.IMBALANCE, _display.INFORMATION, _display.LOSS)
# How numbers at a side are aligned, how words along it are turned, and where both are.
_SIDES = (
    ("center", "top", 0, (0, -1)),
    ("left", "center", -60, (1, 0)),
    ("right", "center", 60, (-1, 0)),
)
# Room around the triangle for its words, in sides: left and right, below and above.
_LEFT, _BELOW, _TOP = 0.12, 0.125, 0.945
# A triangle with shorter sides, in points, has symbols instead of words.
_SMALL = 130
# The width of a character, in sizes of its font.
_CHARACTER = 0.56


class Words(NamedTuple):
    """Texts of a triangle in the order of its shares: sides in three lengths, corners.

    Arrows point to where a share grows, in texts that are turned along their side.
    """

    sides: tuple[tuple[str, str, str], ...]
    corners: tuple[str, str, str]
    symbols: tuple[str, str, str]


OF_CLASSIFIERS = Words(
    (
        (
            "uneven classes or predictions  ΔH' →",
            "← information transferred  2MI'",
            "← not shared  VI'",
        ),
        ("uneven  ΔH' →", "← transferred  2MI'", "← not shared  VI'"),
    ),
    ("always\none class", "perfect", "pure\nguessing"),
    ("ΔH'", "2MI'", "VI'"),
)
OF_SOURCES = Words(
    (
        (
            "uneven values  ΔH' →",
            "← shared with the others  MI'",
            "← not shared  H'",
        ),
        ("uneven  ΔH' →", "← shared  MI'", "← alone  H'"),
    ),
    ("constant", "redundant", "independent"),
    ("ΔH'", "MI'", "H'"),
)


class Frame(Polygon):
    """The outline of the triangle, with what it must know of other calls.

    Attributes
    ----------
    words, speaks : Words, bool
        What sides and corners mean, and whether it is said.

    window : Window
        The part of the triangle that is shown.

    shown : list of ndarray of shape (n_points, 3)
        The shares of everything that was drawn on the Axes.

    room, side, factor : tuple of float, float
        The size of the Axes and the length of a side, about, in points, and the factor
        of font sizes.

    passing : list of (Artist, str or None)
        What goes, or has a shorter text, when points of another call are drawn.

    texts, sentence : list of Text, str
        Those of the frame, and the title that a point alone has.

    legends, explained, has_bar : list of Legend, dict of str to Artist, bool
        What is in the upper corners: names, marks in words, and a colour bar.
    """

    axes: Any

    def __init__(self, ax: Any, words: Words, speaks: bool) -> None:
        super().__init__(
            CORNERS.tolist(),
            facecolor=rcParams["axes.facecolor"],
            edgecolor=_display.border_color(),
            linewidth=max(1.5 * rcParams["axes.linewidth"], 1),
            joinstyle="round",
            zorder=0.5,
        )
        self.words, self.window, self.zoomed = words, Window(), False
        self.shown: list[np.ndarray] = []
        self.passing: list[tuple[Any, str | None]] = []
        self.texts: list[Any] = []
        self.grids: list[Any] = []
        self.legends: list[Any] = []
        self.explained: dict[str, Any] = {}
        self.has_bar, self.sentence = False, ""
        self.room = width, height = 72 * _display.inches(ax)
        self.side = min(width / (1 + 2 * _LEFT), height / (_BELOW + _TOP))
        self.factor = _display.font_factor(ax)
        self.level = self._find_level() if speaks else None
        self.colors = [_display.on_paper(color) for color in _COLORS]
        ax.add_patch(self)
        ax.set_axis_off()
        ax.set_aspect("equal", adjustable="box")
        ax.format_coord = self.format_coordinates
        self._rule()

    def size(self, of: str) -> float:
        """The size of texts, in points, that are as those of the style."""
        sizes: Any = rcParams
        return _display.font_size(sizes[of], self.factor)

    @property
    def margin(self) -> float:
        """The room on each side that the aspect leaves, in widths of the frame."""
        return max(self.room[0] / self.side / (1 + 2 * _LEFT) - 1, 0) / 2

    @property
    def named(self) -> tuple[str, ...]:
        """The names of the scales, in the length that fits."""
        level = self.level
        return self.words.symbols if level is None else self.words.sides[level]

    @property
    def high(self) -> float:
        """The height above the lower side, in points, that words at a side reach."""
        length = (
            _CHARACTER * self.size("axes.labelsize") * max(map(len, self.named[1:]))
        )
        return HEIGHT / 2 * (self.side + length)

    def format_coordinates(self, x: float, y: float) -> str:
        """What the status line says of the point under the mouse."""
        shares = zip(self.words.symbols, from_plane([x, y]), strict=True)
        return "  ".join(f"{symbol} = {share:.3f}" for symbol, share in shares)

    def include(self, fractions: np.ndarray, zoom: bool) -> None:
        """Take points in; a zoomed frame shows the part that holds them all."""
        for artist, text in self.passing:
            artist.remove() if text is None else artist.set_text(text)
        self.passing = []
        if self.sentence and self.axes.get_title() == self.sentence:
            self.axes.set_title("")
        self.shown.append(fractions)
        self.zoomed |= zoom
        window = window_of(np.vstack(self.shown)) if self.zoomed else self.window
        if window != self.window:
            self.window = window
            self._rule()

    @property
    def worded(self) -> list[Any]:
        """The texts that say what sides and corners mean."""
        return (
            [] if self.level is None else [t for t in self.texts if t.get_in_layout()]
        )

    def title(self, fractions: np.ndarray) -> list[Any]:
        """Say where the entropy went above the Axes, if there is room and no title."""
        if self.axes.get_title():
            return []
        uneven, information, rest = _display.percentages(fractions)
        size = self.size("axes.labelsize")
        for last in ("uneven classes or predictions", "uneven"):
            text = f"{information}% transferred · {rest}% not shared · {uneven}% {last}"
            if _CHARACTER * size * len(text) < self.room[0]:
                self.sentence = text
                return [self.axes.set_title(text, fontsize=size, y=1, pad=3)]
        return []

    def _find_level(self):
        """Which of the texts fit along the sides, the longest first; None if none."""
        if self.side < _SMALL:
            return None
        size = _CHARACTER * self.size("axes.labelsize")
        corners = [max(map(len, text.split("\n"))) for text in self.words.corners]
        below = self.side - 0.6 * size * (corners[0] + corners[2])
        for level, (low, *high) in enumerate(self.words.sides):
            if size * len(low) < below and size * max(map(len, high)) < 0.9 * self.side:
                return level
        return None

    def _rule(self):
        """Draw the grid, the numbers and the words, and set the limits."""
        for artist in self.texts + self.grids:
            artist.remove()
        window = self.window
        self.set_xy(window.corners)
        border = LineCollection([window.corners[[0, 1, 2, 0]]], zorder=1)
        border.set(color=self.get_edgecolor(), linewidth=self.get_linewidth())
        border.set(joinstyle="round", capstyle="round")
        self.texts, self.grids = [], [self.axes.add_collection(border, autolim=False)]
        for scale in range(3):
            self._rule_scale(scale)
            self._name_scale(scale)
            if self.level is not None:
                self._name_corner(scale)
        low = window.corners[2]
        x, y = window.size * np.array([[-_LEFT, 1 + _LEFT], [-_BELOW, _TOP]])
        # Other Axes with the same limits have another size.
        self.axes.set_xlim(*(low[0] + x), emit=False)
        self.axes.set_ylim(*(low[1] + y), emit=False)

    def _write(self, text, place, offset, **look):
        written = self.axes.annotate(
            text, place, offset, textcoords="offset points", zorder=1.9, **look
        )
        self.texts.append(written)
        return written

    def _rule_scale(self, scale):
        """Draw the lines of the grid of one scale and write its numbers."""
        window, color = self.window, self.colors[scale]
        steps = np.arange(1, window.n_steps)
        start, end = across(window.corners, scale, steps[:, None] / window.n_steps)
        lines = LineCollection(list(np.stack([start, end], axis=1)), colors=[color])
        lines.set(alpha=0.3, zorder=0.6, linewidth=0.9)
        self.grids.append(self.axes.add_collection(lines, autolim=False))
        digits = max(1, math.ceil(-math.log10(window.step) - 1e-9))
        ha, va, _, away = _SIDES[scale]
        size = self.size("xtick.labelsize")
        width = _CHARACTER * size * (digits + 2)
        stride = math.ceil(1.2 * width / (self.side / window.n_steps))
        for step, place in list(zip(steps, start, strict=True))[stride - 1 :: stride]:
            number = f"{window.lower[scale] + window.step * step:.{digits}f}"
            look = {"ha": ha, "va": va, "color": color, "fontsize": size}
            offset = 4 * self.factor * np.array(away)
            self._write(number, place, offset, **look).set_in_layout(False)

    def _name_scale(self, scale):
        window, size = self.window, self.size("axes.labelsize")
        middle = (window.corners[scale] + window.corners[scale - 1]) / 2
        number = self.size("xtick.labelsize") * (1.25 if scale == 0 else 1.9)
        away = (7 * self.factor + number + 0.6 * size) * outward(scale)
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size}
        look |= {"rotation": _SIDES[scale][2], "rotation_mode": "anchor"}
        self._write(self.named[scale], middle, away, color=self.colors[scale], **look)

    def _name_corner(self, corner):
        """Say what a corner means, unless it is out of sight."""
        place = CORNERS[corner]
        if np.abs(self.window.corners - place).sum(axis=1).min() > 1e-9:
            return
        look: dict[str, Any] = {"fontweight": "bold", "linespacing": 1.0}
        look |= {"ha": "center", "va": "bottom" if corner == 1 else "top"}
        offset = np.array([(6, -6), (0, 5), (-6, -6)][corner]) * self.factor
        text = self.words.corners[corner]
        self._write(text, place, offset, fontsize=self.size("axes.labelsize"), **look)


def find_frame(ax: Any, words: Words, speaks: bool) -> Frame:
    """The frame of the triangle on Axes, which is drawn if there is none."""
    found = [patch for patch in ax.patches if isinstance(patch, Frame)]
    return found[0] if found else Frame(ax, words, speaks)
