"""The frame of the triangle, once per Axes: outline, grid, scales and their words."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.display._axes import (
    IMBALANCE,
    INFORMATION,
    LOSS,
    font_size,
    on_paper,
)
from sklearn_entropy_metrics.display.triangle import layout
from sklearn_entropy_metrics.display.triangle.geometry import (
    CORNERS,
    Triangle,
    across,
    enclosing_triangle,
    from_plane,
    to_plane,
)
from sklearn_entropy_metrics.display.triangle.slots import Slot
from sklearn_entropy_metrics.display.triangle.words import OF_CLASSIFIERS, Words

# In the order of the scales, ΔH', 2MI' and VI'.
_COLORS = (IMBALANCE, INFORMATION, LOSS)
# How texts at a side are aligned, and how the words along it are turned.
_ALIGNED = (("center", "top", 0), ("left", "center", -60), ("right", "center", 60))
# Text of this label marks the outline.
_LABEL = "_entropy triangle"


class Note(NamedTuple):
    """A text, what it belongs to in the plane, and its size in points."""

    text: Any
    anchor: np.ndarray
    size: float


class Solo(NamedTuple):
    """The text at a point that is alone: its name, and its score."""

    label: Any
    name: str | None
    score: str
    remark: str

    def say(self, at_length: bool) -> None:
        """Write all, or what small triangles have room for."""
        name = [] if self.name is None else [self.name]
        long = [*name, f"{self.score} {self.remark}"]
        self.label.set_text("\n".join(long) if at_length else (*name, self.score)[0])

    def end(self) -> None:
        """Leave the name alone, as others come."""
        if self.name is None:
            self.label.remove()
        else:
            self.label.set_text(self.name)


class Frame:
    """The frame of a triangle; as the locator of its Axes it finds its own place.

    Attributes
    ----------
    words, speaks : Words, bool
        What sides and corners mean, and whether it is said.

    part : Triangle
        The part of the triangle that is shown.

    shown : list of ndarray of shape (n_points, 3)
        The shares of everything that was drawn on the Axes.

    limits, state : tuple
        The limits of the Axes, and what their arrangement depended on.

    share : float
        How large texts are, of their full size.

    seats : list of ndarray of shape (n_points, 3)
        Those of points and of centres, without the points around a centre.

    slots : list of Slot
        Axes beside the triangle: colour bars and a detail.

    passing : list of matplotlib Artist
        What goes when points of another call are drawn.

    solo : Solo or None
        The text at a point that is alone.

    marks : ndarray of shape (n_marks, 2)
        The points that have a marker of their own: classifiers and centres.

    labels, writings : list
        The names beside points, and those of them that may move to a legend.

    crowded : bool
        Whether they did.

    scaled : list of Note
        Other texts that are smaller in small triangles.

    nit_lines : list of NitLines
        Lines that depend on the part that is shown.

    detail : Detail or None
        A part of the triangle, enlarged.
    """

    def __init__(
        self,
        ax: Any,
        words: Words = OF_CLASSIFIERS,
        *,
        speaks: bool = True,
        slot: Any = None,
    ) -> None:
        from matplotlib.collections import LineCollection
        from matplotlib.patches import Polygon

        self.words, self.speaks = words, speaks
        self.slot = slot
        self.zoomed = False
        self.part = Triangle()
        self.shown: list[np.ndarray] = []
        self.seats: list[np.ndarray] = []
        self.slots: list[Slot] = []
        self.passing: list[Any] = []
        self.sentence: Note | None = None
        self.solo: Solo | None = None
        self.marks = np.empty((0, 2))
        self.labels: list[Note] = []
        self.scaled: list[Note] = []
        self.writings: list[Any] = []
        self.crowded = False
        self.nit_lines: list[Any] = []
        self.detail: Any = None
        self.limits: Any = None
        self.state: Any = None
        self.share = 1.0
        self.outline = ax.add_patch(Polygon(self.part.corners, **_outline_look()))
        self.colors = [on_paper(color) for color in _COLORS]
        self.grids = []
        for color in self.colors:
            lines = LineCollection([], colors=[color], alpha=0.3, zorder=0.6)
            lines.set_linewidth(0.9)
            self.grids.append(ax.add_collection(lines, autolim=False))
        self.numbers: list[list[Note]] = []
        self.scales: list[Note] = []
        self.corners: list[Note | None] = []
        self._rule(ax)
        ax.set_aspect("equal")
        ax.set_axis_off()
        ax.format_coord = self.format_coordinates
        ax.set_axes_locator(self)

    def __call__(self, ax: Any, renderer: Any) -> Any:
        """Arrange texts and limits; return the place of the Axes in the figure."""
        return layout.arrange(self, ax, renderer)

    def get_subplotspec(self) -> Any:
        """What tight layouts ask locators for."""
        return self.outline.axes.get_subplotspec()

    def format_coordinates(self, x: float, y: float) -> str:
        """What the status line says of the point under the mouse."""
        shares = zip(self.words.symbols, from_plane([x, y]), strict=True)
        return "  ".join(f"{symbol} = {share:.3f}" for symbol, share in shares)

    @property
    def notes(self) -> list[Note]:
        """All texts of the frame."""
        numbers = [note for notes in self.numbers for note in notes]
        corners = [note for note in self.corners if note is not None]
        return numbers + self.scales + corners

    @property
    def worded(self) -> list[Any]:
        """The texts that say what sides and corners mean."""
        corners = [note for note in self.corners if note is not None]
        return [note.text for note in self.scales + corners] if self.speaks else []

    def include(self, fractions: np.ndarray, zoom: bool) -> None:
        """Take points in; a zoomed frame then shows the part that holds them all."""
        ax = self.outline.axes
        self.drop(self.passing)
        self.passing, self.sentence = [], None
        if self.solo is not None:
            self.solo.end()
            self.solo = None
        self.shown.append(fractions)
        self.zoomed |= zoom
        if self.zoomed:
            self.show(ax, enclosing_triangle(np.vstack(self.shown)))

    def show(self, ax: Any, part: Triangle) -> None:
        """Show a part of the triangle."""
        if part != self.part:
            self.part = part
            self.outline.set_xy(part.corners)
            self._rule(ax)

    def _rule(self, ax):
        """Draw the grid, the numbers of the scales and the words."""
        for note in self.notes:
            note.text.remove()
        self.numbers = [self._rule_scale(ax, scale) for scale in range(3)]
        named = range(3) if self.slot is None else ()
        self.scales = [self._name_scale(ax, scale) for scale in named]
        self.corners = [self._name_corner(ax, corner) for corner in range(3)]
        # Until it is drawn, when its place in the figure is known.
        low, high = self.part.corners.min(axis=0), self.part.corners.max(axis=0)
        margin = 0.1 * self.part.size
        # Other Axes with the same limits have another size.
        ax.set_xlim(low[0] - margin, high[0] + margin, emit=False)
        ax.set_ylim(low[1] - margin, high[1] + margin, emit=False)
        self.limits, self.state = layout.view(ax), None

    def _rule_scale(self, ax, scale):
        """Draw the lines of the grid of one scale and write its numbers."""
        import matplotlib as mpl

        part = self.part
        shares = np.arange(1, part.n_steps)[:, None] / part.n_steps
        start, end = across(part.corners, scale, shares)
        self.grids[scale].set_segments(list(np.stack([start, end], axis=1)))
        digits = max(1, math.ceil(-math.log10(part.step) - 1e-9))
        ha, va, _ = _ALIGNED[scale]
        size = font_size(mpl.rcParams["xtick.labelsize"])
        look = {"ha": ha, "va": va, "color": self.colors[scale]}
        return [
            _write(ax, place, f"{value:.{digits}f}", size, **look)
            for place, value in zip(
                start,
                part.lower[scale] + part.step * np.arange(1, part.n_steps),
                strict=True,
            )
        ]

    def _name_scale(self, ax, scale):
        import matplotlib as mpl

        middle = (self.part.corners[scale] + self.part.corners[scale - 1]) / 2
        size = font_size(mpl.rcParams["axes.labelsize"])
        look = {"ha": "center", "va": "center", "rotation": _ALIGNED[scale][2]}
        look |= {"rotation_mode": "anchor", "color": self.colors[scale]}
        names = self.words.sides if self.speaks else self.words.symbols
        return _write(ax, middle, names[scale], size, **look)

    def _name_corner(self, ax, corner):
        """Say what a corner means, unless it is out of sight."""
        import matplotlib as mpl

        place = CORNERS[corner]
        if not self.speaks or np.abs(self.part.corners - place).sum(1).min() > 1e-9:
            return None
        look: dict[str, Any] = {"fontweight": "bold", "linespacing": 1.0}
        look |= {"ha": "center", "va": "bottom" if corner == 1 else "top"}
        size = font_size(mpl.rcParams["axes.labelsize"])
        return _write(ax, place, self.words.corners[corner], size, **look)

    def scale(self, texts: list[Any]) -> None:
        """Let texts be smaller in small triangles."""
        self.scaled += [Note(text, CORNERS[0], text.get_fontsize()) for text in texts]

    def drop(self, artists: list[Any]) -> None:
        """Remove artists from the picture."""
        for artist in artists:
            artist.remove()
        self.scaled = [note for note in self.scaled if note.text.axes is not None]

    def say(self, ax: Any, sentence: str) -> Any:
        """Write a sentence above the triangle."""
        import matplotlib as mpl

        size = font_size(mpl.rcParams["xtick.labelsize"])
        look: dict[str, Any] = {"ha": "center", "va": "top", "alpha": 0.85}
        self.sentence = _write(ax, self.part.corners[1], sentence, size, **look)
        self.passing.append(self.sentence.text)
        return self.sentence.text

    def guides(self, fractions: np.ndarray) -> list[np.ndarray]:
        """Lines from a point to the three scales."""
        shares = (fractions - np.array(self.part.lower)) / self.part.size
        point = to_plane(fractions)
        return [
            np.stack([point, across(self.part.corners, scale, shares[scale])[0]])
            for scale in range(3)
        ]


def _outline_look():
    import matplotlib as mpl

    rc = mpl.rcParams
    return {
        "facecolor": rc["axes.facecolor"],
        "edgecolor": rc["axes.edgecolor"],
        "linewidth": 1.5 * rc["axes.linewidth"],
        "joinstyle": "round",
        "label": _LABEL,
        "zorder": 0.5,
        "clip_on": False,  # half of the line is outside of its points
    }


def _write(ax, place, text, size, **look):
    written = ax.text(*place, text, fontsize=size, zorder=1.9, **look)
    # The frame keeps its texts inside of its Axes: layouts need not look at them.
    written.set_in_layout(False)
    return Note(written, place, size)


def find_frame(ax: Any) -> Frame | None:
    """The frame of the triangle on Axes; None if there is none."""
    frame = ax.get_axes_locator()
    on_axes = isinstance(frame, Frame) and frame.outline.axes is ax
    return frame if on_axes else None
