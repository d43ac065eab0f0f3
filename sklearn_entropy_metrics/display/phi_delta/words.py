"""Texts of the φ-δ plane: corners, axes, borders and scales in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_entropy_metrics.display import _axes
from sklearn_entropy_metrics.display.phi_delta.fit import (
    BESIDE,
    legend_corner,
    size_of,
)

# What the corners mean, clockwise from the top.
CORNERS = {
    "classifier": (
        "always right",
        "says\n“yes”\nalways",
        "always wrong",
        "says\n“no”\nalways",
    ),
    "feature": (
        "covariant: in the class only",
        "pervasive:\nevery-\nwhere",
        "contravariant: only outside the class",
        "rare:\nno-\nwhere",
    ),
}
# What φ and δ say; the words are left out if there is no room for them.
_AXES = {
    "classifier": ("φ: leans to “yes” →", "δ: separates classes →"),
    "feature": ("φ: in more samples →", "δ: more in the class →"),
}
# What is true of the borders, clockwise from the upper right.
_BORDERS = {
    "classifier": (("never a miss",), (), (), ("never a false alarm",)),
    "feature": tuple(
        (f"{formula}: {words}", formula)
        for formula, words in (
            (r"$\neg f \to \neg c$", "in all of the class"),
            (r"$\neg f \to c$", "in all other samples"),
            (r"$f \to \neg c$", "never in the class"),
            (r"$f \to c$", "in the class only"),
        )
    ),
}
WORSE = "worse than guessing:\nflip the\nanswers"
# Texts with this mark are written anew when the plane is fitted; it survives pickling.
_WORDS = "_phi-delta words"


def write_corners(
    ax: Any, corners: np.ndarray, view: str, slot: _axes.Extent
) -> list[Any]:
    """Write what the corners mean, instead of all words that were there before."""
    for old in [text for text in ax.texts if text.get_gid() == _WORDS]:
        old.remove()
    # In two lines where there is little room.
    end = " " if slot.width > _axes.ROOMY else "\n"
    texts = [text.replace(": ", f":{end}") for text in CORNERS[view]]
    return [
        _note(ax, corner, text, offset, slot.fontsize, ha=ha, va=va, weight="bold")
        for corner, text, (offset, ha, va) in zip(corners, texts, BESIDE, strict=True)
    ]


def write_words(
    ax: Any,
    corners: np.ndarray,
    prevalence: float | None,
    view: str,
    *,
    note: str,
    unit: float,
    fontsize: float,
) -> None:
    """Write what axes, borders and halves mean, where there is room for it.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to write.

    corners : ndarray of shape (4, 2)
        The corners of the plane, clockwise from the top.

    prevalence : float or None
        Share of positives that the plane is corrected for.

    view : str
        What the points are.

    note : str
        The text in the lower half, if points are classifiers.

    unit : float
        The points that φ or δ of 1 take.

    fontsize : float
        The size of the words.
    """
    n_outside = len(ax.texts)
    _write_inside(ax, corners, view, unit, fontsize)
    if view == "classifier" and abs((prevalence or 0.5) - 0.5) < 0.1:
        _write_below(ax, corners[[1, 3]].mean(axis=0), note, unit, fontsize)
    if unit > 6 * fontsize:
        _write_scales(ax, corners, fontsize, is_turned=prevalence is not None)
    _make_legible(ax, ax.texts[n_outside:])
    _write_borders(ax, corners, view, unit, fontsize)
    if prevalence is not None:
        _write_prevalence(ax, prevalence, fontsize)


def _note(ax, point, text, offset, fontsize, **look):
    """Write a text of the frame beside a point of the plane."""
    look = {"color": _axes.text_color(), "fontsize": fontsize, "zorder": 2.3, **look}
    note = _axes.write(ax, point, text, offset, **look)
    note.set_gid(_WORDS)
    return note


def _make_legible(ax, notes):
    """Set texts off from lines; on contours, which are light in any style, in black."""
    import matplotlib as mpl
    from matplotlib.patheffects import withStroke

    halo: Any = {"linewidth": 4, "foreground": mpl.rcParams["axes.facecolor"]}
    if any(getattr(artist, "filled", False) for artist in ax.collections):
        halo = {"linewidth": 2, "foreground": "white", "alpha": 0.7}
        for note in notes:
            note.set_color("black")
    for note in notes:
        note.set_path_effects([withStroke(**halo)])


def _write_inside(ax, corners, view, unit, fontsize):
    """Write what the axes say, where there is room for it."""
    top, right, bottom, left = corners
    middle = (left + right) / 2
    lean, apart = _AXES[view]
    for ends, text, side in (
        ((middle, right), lean, -_normal(left, right)),
        ((bottom, middle), apart, _normal(bottom, top)),
    ):
        _write_along(ax, ends, (text,), side, unit, fontsize)


def _write_borders(ax, corners, view, unit, fontsize):
    """Write what is true of the borders, outside of them."""
    middle = corners.mean(axis=0)
    for start, end, texts in zip(
        corners, np.roll(corners, -1, axis=0), _BORDERS[view], strict=True
    ):
        ends = (start, end) if start[0] < end[0] else (end, start)
        normal = _normal(*ends)
        outward = normal * np.sign(normal @ ((start + end) / 2 - middle))
        _write_along(ax, ends, texts, outward, unit, fontsize, alpha=0.65)


def _normal(start, end):
    """The unit vector to the left of a line."""
    dx, dy = end - start
    return np.array([-dy, dx]) / np.hypot(dx, dy)


def _write_along(ax, ends, texts, side, unit, fontsize, **look):
    """Write the first text that is not longer than a line, along its side."""
    start, end = ends
    dx, dy = end - start
    turn = np.degrees(np.arctan2(dy, dx))
    if turn > 91:  # it would stand on its head
        turn -= 180
        texts = ["← " + text.removesuffix(" →") for text in texts]
    look |= {"rotation": turn, "rotation_mode": "anchor"}
    for text in texts:
        note = _note(ax, (start + end) / 2, text, side * fontsize, fontsize, **look)
        note.set_rotation(0)
        length = size_of(note)[0]
        note.set_rotation(turn)
        if length < 0.85 * unit * np.hypot(dx, dy):
            return
        note.remove()


def _write_scales(ax, corners, fontsize, is_turned):
    """Write numbers where lines of the grid cross those without bias and without δ.

    If these lines are turned, a number that would cover words is left out.
    """
    top, right, bottom, left = corners
    for start, end, axis, offset in (
        (left, right, 0, (0, 0.8 * fontsize)),
        (bottom, top, 1, (1.5 * fontsize, 0)),
    ):
        for value in (-0.5, 0.5, 1.0):
            share = (value - start[axis]) / (end[axis] - start[axis])
            if 0.2 < share < 0.8 and abs(share - 0.5) > 0.15:
                point = start + share * (end - start)
                text = f"{value:+.1f}".replace("-", "−")
                note = _note(ax, point, text, offset, 0.85 * fontsize, alpha=0.6)
                if is_turned and _is_covered(ax, note):
                    note.remove()


def _is_covered(ax, note):
    """Whether a text is written over another one of the Axes."""
    from sklearn_entropy_metrics.display._labels import text_boxes

    (left, bottom, right, top), *_ = text_boxes(note)
    return any(
        left < box[2] and box[0] < right and bottom < box[3] and box[1] < top
        for other in ax.texts
        if other is not note
        for box in text_boxes(other)
    )


def _write_below(ax, middle, text, unit, fontsize):
    note = _note(
        ax,
        middle,
        text,
        (0.6 * fontsize, -2 * fontsize),
        fontsize,
        color=_axes.on_paper(_axes.LOSS),
        ha="left",
        va="top",
    )
    width, height = size_of(note)
    if width > 0.74 * unit or height > 0.4 * unit:
        note.remove()


def _write_prevalence(ax, prevalence, fontsize):
    is_left = "right" in legend_corner(prevalence)
    note = ax.text(
        0 if is_left else 1,
        0,
        f"at {100 * prevalence:.3g} % positives;\nheight is\n2 × accuracy − 1",
        transform=ax.transAxes,
        ha="left" if is_left else "right",
        va="bottom",
        fontsize=fontsize,
        alpha=0.8,
    )
    note.set_gid(_WORDS)
