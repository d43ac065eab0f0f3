"""The frame of the φ-δ plane: outline, grid and words, as large as its Axes allow."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.display import _axes
from sklearn_entropy_metrics.measure.plane import phi_delta_corners

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
        "contravariant: outside of the class only",
        "rare:\nno-\nwhere",
    ),
}
# What φ and δ say; the words are left out where there is no room for them.
_AXES = {
    "classifier": ("φ: leans to “yes” →", "δ: tells classes apart →"),
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
WORSE = "worse than guessing:\nturn the\nanswers round"
# The label of the outline marks Axes that have the frame, and the other one the texts
# that are written anew when the frame is fitted; both survive pickling.
_LABEL, _WORDS = "_phi-delta plane", "_phi-delta words"
# How much of its colour the half has that is worse than guessing.
SHADE = 0.09
# Beside the corners: where to, in points, and how the text is aligned.
_BESIDE = (
    ((0, 4), "center", "bottom"),
    ((5, 0), "left", "center"),
    ((0, -4), "center", "top"),
    ((-5, 0), "right", "center"),
)
# Axes of this size in points have texts of the full size.
_FULL = 260
# Points between the legend and what it must not cover.
_GAP = 4


def draw_frame(ax: Any, prevalence: float | None, view: str) -> Any:
    """Draw outline and grid, unless they are there; return the outline."""
    corners = np.stack(list(phi_delta_corners(prevalence=prevalence).values()))
    for patch in ax.patches:
        if patch.get_label() == _LABEL:
            if np.allclose(patch.get_xy()[:4], corners):
                return patch
            raise ValueError(
                "ax shows the plane of another prevalence, which points are not "
                f"comparable in. Got prevalence={prevalence!r}."
            )
    outline = _draw_outline(ax, corners)
    if view == "classifier":
        _shade_lower_half(ax, corners)
    _draw_grid(ax, corners, outline)
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.format_coord = _format_coordinates
    return outline


def _format_coordinates(x, y):
    return f"φ = {x:.3f}  δ = {y:.3f}"


def _draw_outline(ax, corners):
    import matplotlib as mpl
    from matplotlib.patches import Polygon

    rc = mpl.rcParams
    outline = Polygon(
        corners,
        fill=False,
        edgecolor=rc["axes.edgecolor"],
        linewidth=1.5 * rc["axes.linewidth"],
        joinstyle="round",
        label=_LABEL,
        zorder=1.3,
    )
    ax.add_patch(outline).set_clip_on(False)
    return outline


def _shade_lower_half(ax, corners):
    from matplotlib.patches import Polygon

    shade = Polygon(corners[1:], linewidth=0, zorder=0.9, label=_axes.NO_LEGEND)
    shade.set_facecolor(_axes.tint(_axes.LOSS, SHADE))
    ax.add_patch(shade)


def _draw_grid(ax, corners, outline):
    """Draw lines of equal φ and δ, and the lines without bias and information."""
    import matplotlib as mpl
    from matplotlib.collections import LineCollection

    rc = mpl.rcParams
    low, high = corners.min(axis=0), corners.max(axis=0)
    x, y = (
        np.arange(np.ceil(4 * a), 4 * b + 1) / 4 for a, b in zip(low, high, strict=True)
    )
    upright = [[(value, low[1]), (value, high[1])] for value in x]
    level = [[(low[0], value), (high[0], value)] for value in y]
    for ends, color, alpha in (
        (upright + level, rc["grid.color"], 0.45 * rc["grid.alpha"]),
        ([corners[[0, 2]], corners[[1, 3]]], rc["axes.edgecolor"], 0.8),
    ):
        lines = LineCollection(ends, colors=color, alpha=alpha, zorder=1.2)
        lines.set_linewidth(rc["axes.linewidth"])
        ax.add_collection(lines, autolim=False)
        lines.set_clip_path(outline)


class Slot(NamedTuple):
    """The room of Axes, in points, and the size of texts in it."""

    width: float
    height: float
    fontsize: float

    @classmethod
    def of(cls, ax: Any) -> Slot:
        """What there is of Axes before their aspect is set."""
        import matplotlib as mpl
        from matplotlib.font_manager import FontProperties

        box = ax.get_position(original=True).transformed(ax.figure.transSubfigure)
        width, height = np.array(box.size) * 72 / ax.figure.dpi
        full = FontProperties(size=mpl.rcParams["axes.labelsize"]).get_size_in_points()
        size = full * np.clip(min(width, height) / _FULL, 0.6, 1)
        return cls(width, height, size)


def fit_frame(
    ax: Any, outline: Any, prevalence: float | None, view: str, note: str = WORSE
) -> None:
    """Make the plane as large as the Axes, its words and the legend allow.

    Parameters
    ----------
    ax : matplotlib Axes
        What the frame is on.

    outline : matplotlib Polygon
        What :func:`draw_frame` has returned.

    prevalence : float or None
        Share of positives that the plane is corrected for.

    view : str
        What the points are.

    note : str
        What is written into the lower half, if points are classifiers.
    """
    for old in [text for text in ax.texts if text.get_gid() == _WORDS]:
        old.remove()
    slot = Slot.of(ax)
    corners = outline.get_xy()[:4]
    # In two lines where there is little room.
    end = " " if slot.width > _FULL else "\n"
    texts = [text.replace(": ", f":{end}") for text in CORNERS[view]]
    words = [
        _note(ax, corner, text, offset, slot.fontsize, ha=ha, va=va, weight="bold")
        for corner, text, (offset, ha, va) in zip(corners, texts, _BESIDE, strict=True)
    ]
    sizes, legend = list(map(_size, words)), _legend_box(ax, slot, prevalence)
    unit, start, boxes = _arrange(slot, corners, sizes, legend)
    if legend is not None:
        _bring_near(ax, slot, legend, unit * corners + start, boxes)
    low = -start / unit
    ax.set_xlim(low[0], low[0] + slot.width / unit)
    ax.set_ylim(low[1], low[1] + slot.height / unit)
    fontsize = min(0.83 * slot.fontsize, unit / 15)
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


def _size(text):
    box = text.get_window_extent()
    return np.array([box.width, box.height]) * 72 / text.figure.dpi


def _arrange(slot, corners, sizes, legend):
    """The largest unit, where φ = δ = 0 is, and the boxes of the texts of the corners.

    Nothing is cut or covered then, in Axes that are not very small.
    """
    room = np.array([slot.width, slot.height])
    for obstacle in (None,) if legend is None else (legend, None):
        for unit in np.linspace(1, 0.4, 61) * room.min() / 2:
            boxes = np.array(list(map(_beside, unit * corners, _BESIDE, sizes)))
            low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
            free = room - (high - low)
            # In the middle, or else away from the legend.
            for share in (0.5, 0.25, 0, 0.75, 1):
                start = free * (share, 0.5) - low
                placed = boxes + start
                if (free >= 0).all() and not _covers(
                    obstacle, unit * corners + start, placed
                ):
                    return unit, start, placed
    return unit, start, placed


def _beside(corner, beside, size):
    """Lower left and upper right of the text of a corner, and of the corner itself."""
    offset, ha, va = beside
    align = {"left": 0, "bottom": 0, "center": 0.5, "right": 1, "top": 1}
    low = corner + offset - size * (align[ha], align[va])
    return np.minimum(low, corner - 1), np.maximum(low + size, corner + 1)


def legend_corner(prevalence: float | None) -> str:
    """The upper corner that a plane of this prevalence leaves free."""
    return "upper left" if (prevalence or 0) > 0.5 else "upper right"


def legend_look(ax: Any, n_entries: int, prevalence: float | None) -> dict[str, Any]:
    """What a legend looks like: in its corner, the smaller the more entries it has."""
    slot = Slot.of(ax)
    share = 1 if n_entries <= 10 else 0.83 if n_entries <= 20 else 0.69
    size = max(share * slot.fontsize, 5)
    return {
        "loc": legend_corner(prevalence),
        "columnspacing": 1,
        "fontsize": size,
        "ncols": math.ceil(1.5 * size * n_entries / slot.height) or 1,
    }


def _legend_box(ax, slot, prevalence):
    """Lower left and upper right of the legend, in points of the Axes."""
    legend = ax.get_legend()
    if legend is None:
        return None
    size = _size(legend)
    low = np.array([slot.width, slot.height]) - size
    if "left" in legend_corner(prevalence):
        low[0] = 0
    return np.array([low, low + size])


def _bring_near(ax, slot, legend, corners, boxes):
    """Move the legend towards the plane as far as it does not touch it."""
    sign = -1 if legend[0][0] > 0 else 1
    for steps in range(30, -1, -1):
        shift = np.array([sign * steps * _GAP, 0])
        if not _covers(legend + shift - (0, _GAP), corners, boxes):
            break
    x = 1 + shift[0] / slot.width if sign < 0 else shift[0] / slot.width
    ax.get_legend().set_bbox_to_anchor((x, 1), transform=ax.transAxes)


def _covers(legend, corners, boxes):
    from matplotlib.path import Path
    from matplotlib.transforms import Bbox

    if legend is None:
        return False
    box = Bbox([legend[0] - _GAP, legend[1] + _GAP])
    closed = Path(np.vstack([corners, corners[:1]]))
    if closed.intersects_bbox(box, filled=True):
        return True
    return any(box.overlaps(Bbox(one)) for one in boxes)


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

    ground = mpl.rcParams["axes.facecolor"]
    if any(getattr(artist, "filled", False) for artist in ax.collections):
        ground = "white"
        for note in notes:
            note.set_color("black")
    for note in notes:
        note.set_path_effects([withStroke(linewidth=2, foreground=ground, alpha=0.7)])


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
        length = _size(note)[0]
        note.set_rotation(turn)
        if length < 0.85 * unit * np.hypot(dx, dy):
            return
        note.remove()


def _write_scales(ax, corners, fontsize, is_turned):
    """Write numbers where lines of the grid cross those without bias and without δ.

    If these lines are turned, a number may come to lie on words: it is left out then.
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
    width, height = _size(note)
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
