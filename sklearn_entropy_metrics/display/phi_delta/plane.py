"""The φ-δ plane on ordinary Axes: the diamond with its words, lines and regions."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.contour import QuadContourSet
from matplotlib.legend import Legend
from matplotlib.patches import Polygon
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, MaxNLocator
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display import _display
from sklearn_entropy_metrics.measure import plane

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
    ((0, 0), "right", "top"),
    ((0, -3), "center", "top"),
    ((0, 0), "left", "top"),
)
_AXES = {
    "classifier": ("φ: tends to answer “yes” →", "δ: tells the classes apart →"),
    "feature": ("φ: in more samples →", "δ: more often in the class →"),
}
WORSE = "worse than guessing:\nswap the answers"
# Marks of the outline and of words; they survive pickling.
_PLANE, _WORDS = "_phi-delta plane", "_phi-delta words"
# The strength of the colour of the half that is worse than guessing.
_SHADE = 0.09
# Points around the plane, and between it and a legend.
_MARGIN, _GAP = 8, 4
# So much smaller than alone is the plane beside a list of names, at most.
_LEAST = 0.85
# Where along its lines, and with which dashes, a family of isometrics is drawn.
_FAMILIES: dict[str, tuple[float, Any]] = {
    "sensitivity": (0.8, "solid"),
    "specificity": (0.8, "dashed"),
    "precision": (0.6, "dashdot"),
    "npv": (0.4, "dotted"),
    "accuracy": (0.3, (0, (6, 1, 1, 1, 1, 1))),
}
_LEVELS = (0.1, 0.3, 0.5, 0.7, 0.9)


def to_plane(phi: ArrayLike, delta: ArrayLike, prevalence: float | None) -> np.ndarray:
    """Where φ and δ are drawn, (..., 2): corrected for the prevalence, if any."""
    if prevalence is not None:
        rates = plane.rates_from_phi_delta(phi, delta)
        phi, delta = plane.phi_delta_from_rates(*rates, prevalence=prevalence)
    return np.stack(np.broadcast_arrays(phi, delta), axis=-1)


def draw_plane(ax, prevalence, view="classifier", note=WORSE):
    """Draw the diamond and its words unless they are there; return its outline."""
    corners = np.stack(list(plane.phi_delta_corners(prevalence=prevalence).values()))
    for patch in ax.patches:
        if patch.get_label() == _PLANE:
            if np.allclose(patch.get_xy()[:4], corners):
                return patch
            raise ValueError(
                "`ax` must show the plane of the same prevalence. Got "
                f"prevalence={prevalence!r} and Axes with another one."
            )
    outline = _draw_diamond(ax, corners, view)
    size = _label_axes(ax, prevalence, view)
    words = zip(corners, CORNERS[view], _BESIDE, strict=True)
    for place, text, (offset, ha, va) in words:
        _note(ax, place, text, offset, fontsize=size, ha=ha, va=va, weight="bold")
    if note is not None and view == "classifier" and prevalence is None:
        look = {"color": _display.on_paper(_display.LOSS), "va": "top"}
        look["fontsize"] = max(0.85 * size, 6)
        _note(ax, (0, 0), note, (0.5 * size, -0.8 * size), **look)
    for axis, ends, n in zip((ax.xaxis, ax.yaxis), corners.T, (1, 2), strict=True):
        ticks = np.arange(np.ceil(n * ends.min()), n * ends.max() + 1e-9) / n
        axis.set_major_locator(FixedLocator(ticks.tolist()))
    fit_plane(ax, outline)
    return outline


def _draw_diamond(ax, corners, view):
    ink = _display.border_color()
    look: Any = {"joinstyle": "round", "linewidth": 1.3, "zorder": 1.4, "label": _PLANE}
    outline = ax.add_patch(Polygon(corners, fill=False, edgecolor=ink, **look))
    if view == "classifier":
        shade = _display.tint(_display.LOSS, _SHADE)
        ax.add_patch(Polygon(corners[1:], facecolor=shade, linewidth=0, zorder=0.6))
    look = {"colors": ink, "linewidth": 0.7, "alpha": 0.7, "zorder": 1.3}
    # No line at φ = 0, where the names of good classifiers are.
    ax.add_collection(LineCollection([corners[[1, 3]]], **look), autolim=False)
    ax.set_axisbelow(True)
    ax.grid(visible=True, linewidth=0.6, alpha=0.4)
    ax.spines[:].set_visible(False)
    ax.set_aspect("equal")
    return outline


def _label_axes(ax, prevalence, view):
    """Name φ and δ; return the size of texts."""
    words = _AXES[view]
    if prevalence is not None:
        words = f"φ at {100 * prevalence:.3g} % positives", "δ = 2 × accuracy − 1"
    factor = _display.font_factor(ax)
    if factor < 0.7 or (factor < 0.9 and ax.figure.get_layout_engine() is None):
        words = "φ", "δ"
    size = _display.font_size("medium", factor)
    # Small Axes have a small border, too.
    ax.set_xlabel(words[0], fontsize=size, labelpad=size - 6)
    ax.set_ylabel(words[1], fontsize=size, labelpad=size - 6)
    ax.tick_params(labelsize=size, length=0, pad=0.35 * size)
    return size


def _note(ax, point, text, offset, **look):
    """Write a word of the plane beside a point, unless the window is elsewhere."""
    look = {"zorder": 2.3, "annotation_clip": True, "gid": _WORDS, **look}
    ax.annotate(text, point, offset, textcoords="offset points", **look)


def fit_plane(ax: Axes, outline: Polygon, legends: Sequence[Legend] = ()) -> bool:
    """Leave room for the words of the corners, and for legends in the upper ones.

    Returns
    -------
    fits : bool
        Whether the plane takes enough of the Axes, and no legend is cut.
    """
    corners = outline.get_xy()[:4]
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = float(ax.xaxis.label.get_fontsize())
    room = 72 * _display.inches(ax)
    # A colour bar stands beside the Axes, which are then as wide as their place.
    has_bar = any(getattr(one, "colorbar", None) for one in ax.collections)
    if ax.figure.get_layout_engine() is not None:
        # Numbers and words of the axes, and of a colour bar.
        room = room - size * np.array([10.0 if has_bar else 3.5, 3.2])
    border = np.array([_MARGIN, 1.7 * size])
    inner = room - 2 * border
    notes = [text for text in ax.texts if text.get_gid() == _WORDS]
    scale = most = float((inner / (high - low)).min())
    # Left and right of the top: how far the plane reaches, and what a legend needs.
    ends, need = np.array([-low[0], high[0]]), np.zeros(2)
    for side, legend in zip((1, 0), legends[::-1], strict=False):
        width, height = _display.size_of(legend) + _GAP
        # Beside its lower end, the border falls to the corner; above that is the word
        # of the top.
        fall = ends[side] / (high[1] - corners[3 - 2 * side, 1]) * (height - border[1])
        need[side] = width - _MARGIN
        need[side] += max(fall, _display.size_of(notes[0])[0] / 2)
        scale *= height < room[1]
    scale = min(scale, *((inner[0] - need[::-1]) / ends))
    fits = need.sum() < inner[0] and scale > _LEAST * most
    scale = max(scale, 1.0)
    beyond = np.maximum(0.0, need - scale * ends)
    # Names stand beside the plane.
    free = inner[0] - beyond.sum() - scale * (high - low)[0]
    border[0] += np.clip(free / 2 - 2 * size, 0, np.inf if has_bar else 8 * size)
    for note in notes:
        note.set_visible(True)  # what is not has no size
    for note, y in zip(notes[1:4:2], corners[1::2, 1], strict=True):
        # As far below as the border of 45° needs to clear the text.
        width, height = _display.size_of(note)
        note.set_position((0, -width - 2))
        note.set_visible(width + height < 0.9 * scale * (y - low[1]))
    for note in notes[4:]:
        note.set_visible(bool(_display.size_of(note).sum() + 10 < scale))
    sides = (notes[0], -low[0]), (notes[2], high[0] - corners[2, 0])
    border[0] = max(
        border[0], *(_display.size_of(a)[0] / 2 - scale * b for a, b in sides)
    )
    start, end = low - border / scale, high + border / scale
    x = start[0] - beyond[0] / scale, end[0] + beyond[1] / scale
    ax.set(xlim=x, ylim=(start[1], end[1]))
    return bool(fits)


def covers_no_point(legends: Sequence[Any], loc: str, points: np.ndarray) -> bool:
    """Put one legend on the plane; whether it hides no point and is not cut."""
    if len(legends) != 1:
        return not legends
    legends[0].set_loc(loc)
    box, ax = legends[0].get_window_extent().padded(4), legends[0].axes
    hides = box.count_contains(ax.transData.transform(points))
    return not hides and box.height < ax.bbox.height


def zoom_to(ax: Axes, points: np.ndarray) -> None:
    """Show the part of the plane that holds points."""
    points = points[np.isfinite(points).all(axis=1)]
    if len(points):
        low, high = points.min(axis=0), points.max(axis=0)
        pad = max(0.2 * (high - low).max(), 0.04)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(MaxNLocator(5))
        x, y = zip(low - pad, high + pad, strict=True)
        ax.set(xlim=x, ylim=y)
        for note in [one for one in ax.texts if one.get_gid() == _WORDS][1:]:
            note.set_visible(False)  # it might leave the window


def read_isometrics(isometrics):
    """Check isometrics; each with its values, and "information" with none."""
    if isinstance(isometrics, str):
        isometrics = (isometrics,)
    if not isinstance(isometrics, Mapping):
        isometrics = dict.fromkeys(isometrics, _LEVELS)
    known = (*_FAMILIES, "information")
    unknown = [one for one in isometrics if one not in known]
    if unknown:
        raise ValueError(
            f"`isometrics` must be among {', '.join(map(repr, known))}. Got "
            f"{unknown[0]!r}."
        )
    return dict(isometrics)


def check_region(region: tuple[float, float] | None) -> None:
    """Check the limits of a selection region."""
    if region is None:
        return
    pair = np.asarray(region, dtype=float)
    if not (pair.shape == (2,) and 0 < pair[0] <= 1 and 0 <= pair[1] <= 1):
        raise ValueError(
            "`region` must be a pair of max_phi in (0, 1] and min_delta in [0, 1]. Got "
            f"{region!r}."
        )


def draw_region(ax, region, prevalence):
    """Shade where |φ| < max_phi and |φ| + |δ| / min_delta ≥ 1, above and below."""
    wide, deep = map(float, region)
    phi = np.array([-wide, 0, wide, wide, 0, -wide])
    delta = np.append(1 - np.abs(phi[:3]), deep * (1 - np.abs(phi[3:])))
    look = {"facecolor": (_display.cycle_color(7), 0.25), "zorder": 2.2}
    look |= {"edgecolor": _display.text_color(), "linestyle": "dashed", "lw": 0.9}
    return [
        ax.fill(*to_plane(phi, sign * delta, prevalence).T, **look)[0]
        for sign in (1, -1)
    ]


def draw_information(ax: Axes, prevalence: float | None) -> QuadContourSet:
    """Fill the plane with contours of mutual information; they have a colour bar."""
    # Multiples of a power of two: no corner is lost to round-off.
    fpr, tpr = np.meshgrid(*[np.linspace(0, 1, 129)] * 2)
    plain = plane.phi_delta_from_rates(fpr, tpr)
    share = 0.5 if prevalence is None else prevalence
    bits = plane.mutual_information_from_phi_delta(*plain, prevalence=share)
    x, y = np.moveaxis(to_plane(*plain, prevalence), -1, 0)
    look: Any = {"levels": 10, "cmap": _display.information_cmap(), "zorder": 1}
    contours = ax.contourf(x, y, bits, **look)
    contours.set_edgecolor("face")  # no gaps between the bands in a PDF
    size = ax.xaxis.label.get_fontsize()
    # A layout would not see at once what is left of a square.
    bar = ax.figure.colorbar(contours, ax=ax, shrink=0.8, pad=0.03, panchor="W")
    bar.set_label("mutual information (bits)", fontsize=size)
    bar.ax.tick_params(labelsize=size)
    return contours


def draw_isometrics(ax, values, prevalence):
    """Draw lines of equal values, a colour for each measure, and their values."""
    families: dict[str, Any] = {}
    texts: list[Text] = []
    ax.apply_aspect()
    for family, given in values.items():
        levels = np.unique(np.asarray(given, dtype=float))
        ends = plane.isometric_lines(family, levels, prevalence=prevalence)
        possible = np.isfinite(ends).all(axis=(1, 2))
        # Colours from the end of the cycle: those of points come from its beginning.
        color = _display.cycle_color(9 - list(_FAMILIES).index(family))
        share, dashes = _FAMILIES[family]
        look = {"colors": color, "linestyles": [dashes], "label": family}
        lines = LineCollection(ends[possible], linewidth=1.1, zorder=1.5, **look)
        families[family] = ax.add_collection(lines, autolim=False)
        for line, level in zip(ends[possible], levels[possible], strict=True):
            texts += _write_value(ax, line, f"{level:.3g}", share, color, texts)
    return families, texts


def _write_value(ax, line, text, share, color, others):
    """Write a value on its line, which it interrupts, if others are not in the way."""
    size = max(0.8 * ax.xaxis.label.get_fontsize(), 6)
    taken = np.reshape([one.get_position() for one in others], (-1, 2))
    pixel = ax.transData.transform([(0, 0), (1, 0)])
    gap = 2.2 * size * ax.figure.dpi / 72 / np.ptp(pixel[:, 0])
    along = line[1] - line[0]
    for step in (0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3):
        place = line[0] + np.clip(share + step, 0.1, 0.9) * along
        if np.hypot(*(taken - place).T).min(initial=np.inf) > gap:
            break
    else:
        return []
    paper = {"facecolor": rcParams["axes.facecolor"], "linewidth": 0, "pad": 0.7}
    look: Any = {"ha": "center", "va": "center", "clip_on": True, "zorder": 2.3}
    look |= {"color": color, "fontsize": size, "bbox": paper}
    turn = np.degrees(np.arctan2(along[1], along[0]))
    return [ax.text(*place, text, rotation=(turn + 90) % 180 - 90, **look)]
