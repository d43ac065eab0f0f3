"""Axes beside the triangle: colour bars and a detail, each in its own space."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_entropy_metrics.display.triangle.geometry import HEIGHT

# The width of a colour bar with its numbers.
_BAR = 150


class Slot:
    """Room beside the triangle, and the locator of the Axes that are put there.

    Attributes
    ----------
    ax : matplotlib Axes
        The Axes in this space.

    box : matplotlib Bbox or None
        The room in pixels, once it is known.
    """

    is_bar = False

    def __init__(self, ax: Any) -> None:
        self.ax = ax
        self.box: Any = None
        ax.set_axes_locator(self)

    def __call__(self, ax: Any, renderer: Any) -> Any:
        if self.box is None:
            return ax.get_position(original=True)
        return self.inner(ax).transformed(ax.figure.transSubfigure.inverted())

    def inner(self, ax: Any) -> Any:
        """The place of the Axes in the room."""
        return self.box

    def wanted(self, room: np.ndarray, share: float, renderer: Any) -> Any:
        """Width and height in points, in a room and with texts of a share of theirs."""
        headline = 12 * share
        width = min(0.38 * room[0], max((room[1] - headline) / HEIGHT, 40))
        return width, HEIGHT * width + headline


class BarSlot(Slot):
    """Room for a colour bar with its label above and its numbers below."""

    is_bar = True

    def __init__(self, ax: Any, label: float, numbers: float) -> None:
        super().__init__(ax)
        self.label, self.numbers = label, numbers  # sizes in points
        self.share = 0.0

    def wanted(self, room: np.ndarray, share: float, renderer: Any) -> Any:
        ax, label = self.ax, self.ax.xaxis.label
        if share != self.share:
            label.set_fontsize(self.label * share)
            ax.tick_params(labelsize=self.numbers * share)
            self.share = share
        text = label.get_window_extent(renderer).width * 72 / ax.figure.dpi
        height = 18 + 1.4 * self.numbers + 1.4 * self.label * bool(label.get_text())
        return max(_BAR * share, text + 2), height * share

    def inner(self, ax: Any) -> Any:
        from matplotlib.transforms import Bbox

        point = ax.figure.dpi / 72 * self.share
        low = self.box.y0 + (8 + 1.4 * self.numbers) * point
        width = min(self.box.width, _BAR * point) - 24 * point
        x = (self.box.x0 + self.box.x1 - width) / 2
        return Bbox.from_bounds(x, low, width, 8 * point)
