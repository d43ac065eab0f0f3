"""The fixed frame of the triangle, once per Axes: outline, scales, words, corners."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rcParams
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.legend import Legend
from matplotlib.patches import Polygon
from matplotlib.ticker import MaxNLocator

from sklearn_entropy_metrics.display import _display
from sklearn_entropy_metrics.display.triangle import geometry
from sklearn_entropy_metrics.display.triangle.geometry import CORNERS, HEIGHT, Window

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


class Side(NamedTuple):
    """What a share is called along its side, and what its corner means."""

    long: str
    short: str
    symbol: str
    corner: str


OF_CLASSIFIERS = (
    Side("uneven classes or predictions", "uneven", "ΔH'", "always\none class"),
    Side("information transferred", "transferred", "2MI'", "perfect"),
    Side("not shared", "not shared", "VI'", "pure\nguessing"),
)
OF_SOURCES = (
    Side("uneven values", "uneven", "ΔH'", "constant"),
    Side("shared with the others", "shared", "MI'", "redundant"),
    Side("not shared", "alone", "H'", "independent"),
)


class Frame(Polygon):
    """The outline of the triangle, with what it must know of other calls.

    Attributes
    ----------
    sides, along, speaks : tuple of Side, list of str, bool
        What shares are called, what is written along the sides, and whether that is
        words and not only symbols.

    window : Window
        The part of the triangle that is shown.

    shown : list of ndarray of shape (n_points, 3)
        The shares of everything that was drawn on the Axes.

    room, side, factor : tuple of float, float
        The size of the Axes and the length of a side, about, in points, and the factor
        of font sizes.

    passing : list of (Artist, str or None)
        What goes, or has a shorter text, when points of another call are drawn.

    words, grids : list of Text, list of Artist
        What sides and corners mean; lines and numbers of the grid.

    sentence : str
        The title that a point alone has.

    has_bar : bool
        Whether there is a colour bar, in the left corner.
    """

    axes: Any

    def __init__(self, ax: Any, sides: tuple[Side, ...], speaks: bool) -> None:
        look: Any = {"fc": rcParams["axes.facecolor"], "ec": _display.border_color()}
        width = max(1.5 * rcParams["axes.linewidth"], 1)
        super().__init__(CORNERS.tolist(), linewidth=width, zorder=0.5, **look)
        self.sides, self.window, self.zoomed = sides, Window(), False
        self.shown: list[np.ndarray] = []
        self.passing: list[tuple[Any, str | None]] = []
        self.words: list[Any] = []
        self.grids: list[Any] = []
        self.has_bar, self.sentence = False, ""
        self.room = width, height = 72 * _display.inches(ax)
        self.side = min(width / (1 + 2 * _LEFT), height / (_BELOW + _TOP))
        self.factor = _display.font_factor(ax)
        words = self._find_words() if speaks and self.side >= _SMALL else None
        self.speaks = words is not None
        self.along = words or [one.symbol for one in sides]
        self.colors = [_display.on_paper(color) for color in _COLORS]
        # The room on each side that the aspect leaves, in widths of the frame.
        self.margin = max(width / self.side / (1 + 2 * _LEFT) - 1, 0) / 2
        ax.add_patch(self)
        ax.set_axis_off()
        ax.set_aspect("equal", adjustable="box")
        ax.format_coord = self.format_coordinates
        self._rule()

    def size(self, of: str) -> float:
        """The size of texts, in points, that are as those of the style."""
        sizes: Any = rcParams
        return _display.font_size(sizes[of], self.factor)

    def format_coordinates(self, x: float, y: float) -> str:
        """What the status line says of the point under the mouse."""
        shares = zip(self.sides, geometry.from_plane([x, y]), strict=True)
        return "  ".join(f"{side.symbol} = {share:.3f}" for side, share in shares)

    def include(self, fractions: np.ndarray, zoom: bool) -> None:
        """Take points in; a zoomed frame shows the part that holds them all."""
        for artist, text in self.passing:
            artist.remove() if text is None else artist.set_text(text)
        self.passing = []
        if self.sentence and self.axes.get_title() == self.sentence:
            self.axes.set_title("")
        self.shown.append(fractions)
        self.zoomed |= zoom
        if self.zoomed:
            self.window = geometry.window_of(np.vstack(self.shown))
            self._rule()

    def title(self, fractions: np.ndarray) -> list[Any]:
        """Say where the entropy went above the Axes, if there is room and no title."""
        uneven, information, rest = _display.percentages(fractions)
        size = self.size("axes.labelsize")
        for last in ("uneven classes or predictions", "uneven"):
            text = f"{information}% transferred · {rest}% not shared · {uneven}% {last}"
            fits = _CHARACTER * size * len(text) < self.room[0]
            if fits and not self.axes.get_title():
                self.sentence = text
                return [self.axes.set_title(text, fontsize=size, y=1, pad=3)]
        return []

    def _find_words(self):
        """The longest texts that fit along the sides, with arrows to where shares grow.

        None if not even short ones fit.
        """
        size = _CHARACTER * self.size("axes.labelsize")
        corners = [max(map(len, one.corner.split("\n"))) for one in self.sides]
        below = self.side - 0.6 * size * (corners[0] + corners[2])
        for length in range(2):
            low, *high = (f"{one[length]}  {one.symbol}" for one in self.sides)
            words = [f"{low} →", *(f"← {text}" for text in high)]
            widths = [size * len(text) for text in words]
            if widths[0] < below and max(widths[1:]) < 0.9 * self.side:
                return words
        return None

    def _rule(self):
        """Draw the grid, the numbers and the words, and set the limits."""
        for artist in self.words + self.grids:
            artist.remove()
        window = self.window
        self.set_xy(window.corners)
        border = LineCollection([window.corners[[0, 1, 2, 0]]], zorder=1)
        border.set(color=self.get_edgecolor(), linewidth=self.get_linewidth())
        border.set(joinstyle="round", capstyle="round")
        self.words, self.grids = [], [self.axes.add_collection(border, autolim=False)]
        for scale in range(3):
            self._rule_scale(scale)
            self._name_scale(scale)
            self._name_corner(scale)
        low = window.corners[2]
        x, y = window.size * np.array([[-_LEFT, 1 + _LEFT], [-_BELOW, _TOP]])
        # Other Axes with the same limits have another size.
        self.axes.set_xlim(*(low[0] + x), emit=False)
        self.axes.set_ylim(*(low[1] + y), emit=False)

    def _write(self, text, place, offset, **look):
        look = {"ha": "center", "va": "center", "zorder": 1.9} | look
        look["textcoords"] = "offset points"
        return self.axes.annotate(text, place, offset, **look)

    def _rule_scale(self, scale):
        """Draw the lines of the grid of one scale and write its numbers."""
        window, color = self.window, self.colors[scale]
        shares = np.arange(1, window.n_steps)[:, None] / window.n_steps
        start, end = geometry.across(window.corners, scale, shares)
        lines = LineCollection(list(np.stack([start, end], axis=1)), colors=[color])
        lines.set(alpha=0.3, zorder=0.6, linewidth=0.9)
        self.grids.append(self.axes.add_collection(lines, autolim=False))
        digits = max(1, math.ceil(-math.log10(window.step) - 1e-9))
        ha, va, _, away = _SIDES[scale]
        size = self.size("xtick.labelsize")
        width = _CHARACTER * size * (digits + 2)
        stride = math.ceil(1.2 * width / (self.side / window.n_steps))
        look = {"ha": ha, "va": va, "color": color, "fontsize": size}
        look["in_layout"] = False
        for step in range(stride, window.n_steps, stride):
            number = f"{window.lower[scale] + window.step * step:.{digits}f}"
            offset = 4 * self.factor * np.array(away)
            self.grids.append(self._write(number, start[step - 1], offset, **look))

    def _name_scale(self, scale):
        window, size = self.window, self.size("axes.labelsize")
        middle = (window.corners[scale] + window.corners[scale - 1]) / 2
        number = self.size("xtick.labelsize") * (1.25 if scale == 0 else 1.9)
        away = (7 * self.factor + number + 0.6 * size) * geometry.outward(scale)
        look = {"color": self.colors[scale], "fontsize": size}
        look |= {"rotation": _SIDES[scale][2], "rotation_mode": "anchor"}
        self.words.append(self._write(self.along[scale], middle, away, **look))

    def _name_corner(self, corner):
        """Say what a corner means, unless it is out of sight."""
        place = CORNERS[corner]
        is_far = np.abs(self.window.corners - place).sum(axis=1).min() > 1e-9
        if is_far or not self.speaks:
            return
        look = {"fontsize": self.size("axes.labelsize"), "fontweight": "bold"}
        look |= {"linespacing": 1.0, "va": "bottom" if corner == 1 else "top"}
        offset = np.array([(6, -6), (0, 5), (-6, -6)][corner]) * self.factor
        self.words.append(self._write(self.sides[corner].corner, place, offset, **look))

    def draw_colorbar(self, shades, label, are_whole):
        """Draw a small colour bar in the left corner, with its label above."""
        few = MaxNLocator(3 if self.side > 200 else 2, integer=are_whole)
        ticks = few if type(shades.norm) is Normalize else None
        size, height = self.size("xtick.labelsize"), 1.08 * self.side
        thick, top = 7 * self.factor / height, 2 * size / height
        place = (0.02 - self.margin, 1 - top - thick, 0.22, thick)
        cax = self.axes.inset_axes(place)
        look = {"orientation": "horizontal", "ticks": ticks}
        bar = self.axes.figure.colorbar(shades, cax=cax, **look)
        bar.outline.set_linewidth(0)
        cax.xaxis.set_label_position("top")
        cax.tick_params(labelsize=size)
        bar.set_label(label, fontsize=size)
        self.has_bar = True
        return bar

    def has_room(self, legends: Sequence[Legend]) -> bool:
        """Put legends in the upper corners; whether they keep clear of all else."""
        size, room = self.size("axes.labelsize"), []
        ends = 1 + self.margin, -self.margin
        for legend, x in zip(legends[::-1], ends, strict=False):
            legend.set_bbox_to_anchor((x, 1), self.axes.transAxes)
            width, height = _display.size_of(legend)
            low = 0.94 * self.side - height
            slope = self.side / 2 - max(low, 0) / math.sqrt(3)
            band = 2.2 * self.size("xtick.labelsize") + 4 * self.factor
            length = _CHARACTER * size * max(map(len, self.along[1:]))
            if low < HEIGHT / 2 * (self.side + length) + size:  # words are in the way
                band += 1.8 * size
            free = (0.62 + 1.24 * self.margin) * self.side - slope - band
            room.append(width < free)
        return all(room) and len(room) < (2 if self.has_bar else 3)
