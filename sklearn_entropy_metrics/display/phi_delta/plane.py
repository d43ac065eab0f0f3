"""The φ-δ plane on ordinary Axes: the diamond, its words, and room for a list."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display import _display
from sklearn_entropy_metrics.measure.plane import (
    phi_delta_corners,
    phi_delta_from_rates,
    rates_from_phi_delta,
)

# What the corners mean, clockwise from the top.
CORNERS = {
    "classifier": (
        "always right",
        "always\nsays “yes”",
        "always wrong",
        "always\nsays “no”",
    ),
    "feature": (
        "covariant: only in the class",
        "pervasive:\neverywhere",
        "contravariant: only outside the class",
        "rare:\nnowhere",
    ),
}
# Beside the corners: where to, in points, and how the text is aligned.
_BESIDE = (
    ((0, 3), "center", "bottom"),
    ((4, 0), "left", "center"),
    ((0, -3), "center", "top"),
    ((-4, 0), "right", "center"),
)
_AXES = {
    "classifier": ("φ: tends to answer “yes” →", "δ: tells the classes apart →"),
    "feature": ("φ: in more samples →", "δ: more often in the class →"),
}
# What is true of the borders, clockwise from the upper right.
_BORDERS = {
    "classifier": ("never a miss", "", "", "never a false alarm"),
    "feature": (
        r"$\neg f \to \neg c$: in all of the class",
        r"$\neg f \to c$: in all other samples",
        r"$f \to \neg c$: never in the class",
        r"$f \to c$: only in the class",
    ),
}
WORSE = "worse than guessing:\nswap the answers"
# Marks of the outline and of words; they survive pickling.
_PLANE, _WORDS = "_phi-delta plane", "_phi-delta words"
# The strength of the colour of the half that is worse than guessing.
_SHADE = 0.09
# Entries of a numbered list of names.
NUMBERED = re.compile(r"\d+  ")
# Points around the plane, and between it and a legend.
_MARGIN, _GAP = 8, 6
# Points that φ of 1 takes at least where words are written along the borders.
_WORDY = 85
# The least share of the room that the plane takes beside a list of names.
_LEAST = 0.35


def to_plane(phi: ArrayLike, delta: ArrayLike, prevalence: float | None) -> np.ndarray:
    """Where φ and δ are drawn, (..., 2): corrected for the prevalence, if any."""
    if prevalence is not None:
        rates = rates_from_phi_delta(phi, delta)
        phi, delta = phi_delta_from_rates(*rates, prevalence=prevalence)
    return np.stack(np.broadcast_arrays(phi, delta), axis=-1)


def draw_plane(
    ax: Any, prevalence: float | None, view: str = "classifier", note: str = WORSE
) -> Any:
    """Draw the diamond and its words unless they are there; return its outline."""
    corners = np.stack(list(phi_delta_corners(prevalence=prevalence).values()))
    for patch in ax.patches:
        if patch.get_label() == _PLANE:
            if np.allclose(patch.get_xy()[:4], corners):
                return patch
            raise ValueError(
                "`ax` must show the plane of the same prevalence. Got "
                f"prevalence={prevalence!r} and Axes with another one."
            )
    outline = _draw_diamond(ax, corners, view)
    size = _display.font_size("medium", _display.font_factor(ax))
    _label_axes(ax, prevalence, view, size)
    _write_corners(ax, corners, view, size)
    fit_plane(ax, outline)
    small = max(0.85 * size, 6)
    if _unit(ax) > _WORDY:
        _write_borders(ax, corners, _BORDERS[view], small)
    if view == "classifier":
        _write_note(ax, corners, note, small)
    return outline


def _draw_diamond(ax, corners, view):
    import matplotlib as mpl
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Polygon

    rc = mpl.rcParams
    ink = rc["axes.labelcolor"]
    look: Any = {"joinstyle": "round", "linewidth": 1.3, "zorder": 1.4, "label": _PLANE}
    # Artists, not patches: they do not count as data, whose limits `zoom` shows.
    outline = Polygon(corners, fill=False, edgecolor=ink, **look)
    ax.add_patch(outline)
    if view == "classifier":
        shade = _display.tint(_display.LOSS, _SHADE)
        half = Polygon(corners[1:], facecolor=shade, linewidth=0, zorder=0.6)
        ax.add_patch(half)
    zeros = LineCollection([corners[[0, 2]], corners[[1, 3]]], colors=ink)
    zeros.set(linewidth=0.7, alpha=0.7, zorder=1.3)
    ax.add_collection(zeros, autolim=False)
    ax.set_axisbelow(True)
    ax.grid(visible=True, linewidth=0.6, alpha=0.4)
    ax.spines[:].set_visible(False)
    ax.set_aspect("equal")
    return outline


def _label_axes(ax, prevalence, view, size):
    x, y = _AXES[view]
    if prevalence is not None:
        x = f"φ at {100 * prevalence:.3g} % positives"
        y = "δ = 2 × accuracy − 1"
    factor = _display.font_factor(ax)
    is_small = factor < 0.7 or (factor < 0.9 and ax.figure.get_layout_engine() is None)
    ax.set_xlabel("φ" if is_small else x, fontsize=size)
    ax.set_ylabel("δ" if is_small else y, fontsize=size)
    if is_small:  # between the numbers, where they take no room
        width, height = 72 * _display.inches(ax)
        ax.xaxis.set_label_coords(0.85, -3 / height)
        ax.yaxis.set_label_coords(-0.7 * size / width, 0.85)
        ax.yaxis.label.set(rotation=0, ha="right", va="center")
    ax.tick_params(labelsize=size, length=0)
    ax.format_coord = _format_coordinates


def _format_coordinates(x, y):
    return f"φ = {x:.3f}  δ = {y:.3f}"


def _note(ax, point, text, offset, size, **look):
    """Write a word of the plane beside a point, unless the window is elsewhere."""
    look = {"fontsize": size, "zorder": 2.3, "annotation_clip": True, **look}
    note = ax.annotate(text, point, offset, textcoords="offset points", **look)
    note.set_gid(_WORDS)
    return note


def _write_corners(ax, corners, view, size):
    for corner, text, (offset, ha, va) in zip(
        corners, CORNERS[view], _BESIDE, strict=True
    ):
        _note(ax, corner, text, offset, size, ha=ha, va=va, weight="bold")


def words_of(ax: Any) -> list[Any]:
    """The words of the plane: those of the four corners first."""
    return [text for text in ax.texts if text.get_gid() == _WORDS]


def fit_plane(ax: Any, outline: Any, legend: Any = None) -> bool:
    """Set limits that leave room for the words of the corners, and for a legend.

    The words of the left and the right corner go below them if they would make the
    plane much smaller; the window is as wide as a legend at its upper right needs it.

    Returns
    -------
    fits : bool
        Whether the plane takes enough of the Axes, and the legend is not cut.
    """
    corners = outline.get_xy()[:4]
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = _room(ax)
    top, right, _, left = words = words_of(ax)[:4]
    for word in words:
        word.set_visible(True)  # what is not has no size
    narrow = np.array([_MARGIN, size_of(top)[1] + _GAP])
    side = max(size_of(right)[0], size_of(left)[0]) + _MARGIN
    wide = np.array([side, narrow[1]])
    size = np.zeros(2) if legend is None else size_of(legend) + _GAP
    for share in np.linspace(0, 1.1, 23):
        beside = np.array([share * size[0], 0])
        scales = {
            is_wide: float(((room - 2 * border - beside) / (high - low)).min())
            for is_wide, border in ((False, narrow), (True, wide))
        }
        is_wide = scales[True] > 0.9 * scales[False]
        scale, border = scales[is_wide], wide if is_wide else narrow
        start, end = low - border / scale, high + (border + beside) / scale
        taken = _boxes(corners, (top, right), is_wide, scale)
        if legend is None or _is_clear(corners, taken, end - size / scale, end):
            break
    scale = max(scale, 1.0)
    ax.set(xlim=(start[0], end[0]), ylim=(start[1], end[1]))
    _set_ticks(ax, low, high)
    _place_sides(right, left, is_wide, scale)
    for note in words_of(ax)[4:]:
        if note.xy[1] < corners[:, 1].mean() and note.get_rotation() and not is_wide:
            note.set_visible(False)
    part = np.prod(scale * (high - low)) / np.prod(room)
    return bool(part > _LEAST and size[1] < room[1])


def _room(ax):
    """Width and height that Axes will have, in points, in any layout."""
    spec, figure = ax.get_subplotspec(), ax.figure
    if figure.get_layout_engine() is None or spec is None:
        return 72 * _display.inches(ax)
    grid = spec.get_gridspec()
    share = np.array([len(spec.colspan) / grid.ncols, len(spec.rowspan) / grid.nrows])
    # Numbers and words of the axes, and of a colour bar.
    labels = np.array([4.5, 3.2])
    if any(getattr(one, "colorbar", None) for one in ax.collections):
        labels[0] += 6.5
    points = ax.xaxis.label.get_fontsize() * labels
    return 72 * share * figure.get_size_inches() - points - 4


def _set_ticks(ax, low, high):
    """Number the axes as far as the plane goes, in steps of a half."""
    for axis, first, last in zip((ax.xaxis, ax.yaxis), low, high, strict=True):
        axis.set_ticks(np.arange(np.ceil(2 * first), 2 * last + 1e-9) / 2)


def _boxes(corners, words, is_wide, scale):
    """Boxes of the words of the top and of the right corner, as they will be."""
    top, right = (size_of(word) / scale for word in words)
    gap = np.full(2, _GAP / scale)
    above, beside = corners[0], corners[1]
    if not is_wide:
        beside = beside - (right[0], right[0] + right[1] / 2)
    half = np.array([top[0] / 2, 0]), np.array([0, right[1] / 2])
    return [
        (above - half[0], np.add(above + half[0], (0, top[1])) + gap),
        (beside - half[1], np.add(beside + half[1], (right[0], 0)) + gap),
    ]


def _is_clear(corners, words, start, end):
    """Whether a box is clear of the plane and of words."""
    from matplotlib.path import Path
    from matplotlib.transforms import Bbox

    box = Bbox([start, end])
    if any(box.overlaps(Bbox(one)) for one in words):
        return False
    return not Path(corners).intersects_bbox(box, filled=True)


def size_of(artist: Any) -> np.ndarray:
    """Width and height of a text or a legend, in points."""
    from matplotlib.text import Text

    measure = Text.get_window_extent if isinstance(artist, Text) else None
    box = measure(artist) if measure else artist.get_window_extent()
    return np.array([box.width, box.height]) * 72 / artist.figure.dpi


def _place_sides(right, left, is_wide, scale):
    """Put the words of the left and the right corner beside or below them."""
    for note, sign, (offset, ha, va) in (
        (right, 1, _BESIDE[1]),
        (left, -1, _BESIDE[3]),
    ):
        width, height = size_of(note)
        if not is_wide:
            # As far below as the border of 45° needs to clear the text.
            offset, va = (sign * (_MARGIN - 2), -width), "top"
            ha = "right" if sign > 0 else "left"
            note.set_visible(width + height < 0.9 * scale)
        note.set(position=offset, ha=ha, va=va)


def zoom_to(ax: Any, points: np.ndarray) -> None:
    """Show the part of the plane that holds points, with the same shape of window."""
    from matplotlib.ticker import MaxNLocator

    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        return
    low, high = points.min(axis=0), points.max(axis=0)
    shape = np.array([np.ptp(ax.get_xlim()), np.ptp(ax.get_ylim())])
    half = shape * max(0.65 * ((high - low) / shape).max(), 0.02)
    middle = (low + high) / 2
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(5))
    ax.set(
        xlim=middle[0] + half[0] * np.array([-1, 1]),
        ylim=middle[1] + half[1] * np.array([-1, 1]),
    )


def _write_borders(ax, corners, texts, size):
    """Write what is true of the borders along them, if they are long enough."""
    middle, scale = corners.mean(axis=0), _unit(ax)
    for start, end, text in zip(
        corners, np.roll(corners, -1, axis=0), texts, strict=True
    ):
        if not text:
            continue
        start, end = sorted([start, end], key=lambda corner: corner[0])
        dx, dy = end - start
        turn = np.degrees(np.arctan2(dy, dx))
        away = np.array([-dy, dx]) / np.hypot(dx, dy)
        away *= np.sign(away @ ((start + end) / 2 - middle))
        look: Any = {"ha": "center", "va": "center", "rotation_mode": "anchor"}
        note = _note(ax, (start + end) / 2, text, size * away, size, alpha=0.65, **look)
        if size_of(note)[0] > 0.8 * scale * np.hypot(dx, dy):
            note.remove()
        note.set_rotation(turn)


def _write_note(ax, corners, text, size):
    """Write into the lower half what it means, if there is room."""
    middle, color = corners[[1, 3]].mean(axis=0), _display.on_paper(_display.LOSS)
    look = {"color": color, "ha": "left", "va": "top"}
    note = _note(ax, middle, text, (0.5 * size, -0.8 * size), size, **look)
    width, height = size_of(note)
    if width + height + 1.3 * size > _unit(ax) or corners[1, 1] != corners[3, 1]:
        note.remove()


def _unit(ax):
    """The points that φ or δ of 1 take."""
    span = np.array([np.ptp(ax.get_xlim()), np.ptp(ax.get_ylim())])
    return float((_room(ax) / span).min())


def draw_legend(ax: Any, entries: list[tuple[Any, str]]) -> Any:
    """Draw a legend again, with what the old one had apart from a numbered list."""
    old = ax.get_legend()
    if old is not None:
        names = {name for _, name in entries}
        before = zip(old.legend_handles, old.get_texts(), strict=True)
        kept = [(handle, text.get_text()) for handle, text in before]
        kept = [one for one in kept if not NUMBERED.match(one[1])]
        entries = entries + [one for one in kept if one[1] not in names]
        old.remove()
    if not entries:
        return None
    entries = list({one[1]: one for one in entries}.values())
    # All rows of a long list fit the height of the Axes.
    height = _room(ax)[1] / (1.4 * len(entries))
    size = max(min(0.75 * ax.xaxis.label.get_fontsize(), height), 6)
    look = {"loc": "upper right", "frameon": True, "labelspacing": 0.15}
    legend = _display.write_legend(ax, entries, fontsize=size, **look)
    legend.get_frame().set(linewidth=0, alpha=1)
    return legend


def draw_bar(ax: Any, mappable: Any, label: str, **look: Any) -> Any:
    """Draw a colour bar about as high as Axes whose shape is fixed."""
    width, height = _room(ax)
    ratio = np.ptp(ax.get_xlim()) / np.ptp(ax.get_ylim())
    size = ax.xaxis.label.get_fontsize()
    shrink = float(np.clip((width - 6.5 * size) / ratio / height, 0.3, 1))
    bar = ax.figure.colorbar(mappable, ax=ax, shrink=shrink, pad=0.03, **look)
    bar.set_label(label, fontsize=size)
    bar.ax.tick_params(labelsize=size)
    return bar


def hide_words(ax: Any, *, borders: bool) -> None:
    """Hide the words along the borders, or else the note in the lower half."""
    for note in words_of(ax)[4:]:
        if bool(note.get_rotation()) is borders:
            note.set_visible(False)
