"""Words on a picture of normalized information: values, meanings, names, legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sklearn_entropy_metrics.display import _axes
from sklearn_entropy_metrics.display.information_map import spaces
from sklearn_entropy_metrics.display.phi_delta import fit, frame

# Along which lines, from a point without information to one with all of it, values are
# written on contours; None is the prevalence.
_PATHS: dict[str, Any] = {
    "roc": ((0.5, 0.5), (0, 1)),
    "precision_recall": ((0.35, None), (1, 1)),
    "phi_delta": ((-0.2, 0), (0, 1)),
}
# Texts where nothing is known, and where answers can be flipped.
_CHANCE, _TURNED = "no information: guessing", "as informative, upside down"
_INFEASIBLE = "no such classifier"
# Classifiers that are named beside their points, unless it is asked for.
_FEW = 12


def write_on_ground(
    ax: Any, space: str, prevalence: float, artists: dict[str, Any], classifiers: Any
) -> dict[str, list[Any]]:
    """Write values on the contours, what positions mean, and named points."""
    fontsize = 0.83 * _axes.Extent.of(ax).fontsize
    texts: dict[str, list[Any]] = {"contours": [], "notes": []}
    if space == "phi_delta":
        fit_diamond(ax)
    if space in spaces.MAPS:
        ax.apply_aspect()
        lines = artists["contour_lines_"]
        texts["contours"] = _write_values(ax, space, prevalence, lines, fontsize)
        look = {"color": lines.get_edgecolor()[0][:3], "fontsize": fontsize}
        look["path_effects"] = [_halo(artists["contour_"])]
        texts["notes"] = [
            _axes.write(ax, point, words, offset, **(look | own))
            for point, words, offset, own in _notes(ax, space, prevalence, fontsize)
        ]
    return texts | _write_named_points(ax, space, prevalence, artists, classifiers)


def fit_diamond(ax: Any) -> None:
    """Make the diamond of a map as large as it can be."""
    outline = frame.draw_frame(ax, None, "classifier")
    note = _TURNED.replace(", ", ",\n")
    frame.fit_frame(ax, outline, None, "classifier", note=note)


def _write_values(ax, space, prevalence, lines, fontsize):
    places = _places_on_lines(ax, space, prevalence, lines.levels, 2.2 * fontsize)
    if not places:
        return []
    # All levels are given: matplotlib 3.9 takes the wrong one of a selection.
    return list(ax.clabel(lines, manual=places, fmt="%g", fontsize=fontsize))


def _halo(contours):
    from matplotlib.patheffects import withStroke

    return withStroke(linewidth=2.5, foreground=contours.cmap(0.0))


def _places_on_lines(ax, space, prevalence, levels, gap):
    """Where lines cross a path from no information to all, if not too near together."""
    (x, y), end = _PATHS[space]
    start = np.array([x, prevalence if y is None else y])
    path = start + np.linspace(0, 1, 401)[:, np.newaxis] * (np.array(end) - start)
    ni = spaces.information_at(space, path[:, 0], path[:, 1], prevalence)
    places: list[Any] = []
    last = ax.transData.transform(start)
    for level in levels:
        place = [np.interp(level, ni, path[:, axis]) for axis in (0, 1)]
        pixel = ax.transData.transform(place)
        if np.hypot(*(pixel - last)) > gap * ax.figure.dpi / 72 and level < ni[-2]:
            places.append(place)
            last = pixel
    return places


def _notes(ax, space, prevalence, fontsize):
    """Points, words, offsets and looks of what is written on a map."""
    if space == "roc" and _points_of(ax)[0] > 16 * fontsize:
        turned = {"rotation": 45, "rotation_mode": "anchor"}
        above = 0.6 * fontsize * np.array([-1, 1])
        yield (0.5, 0.5), _CHANCE, above, turned
        yield (0.73, 0.27), _TURNED, (0, 0), turned
    if space == "precision_recall":
        above = fontsize if prevalence < 0.5 else -fontsize
        words, _ = _CHANCE.split(":")
        yield (0, prevalence), words, (0.4 * fontsize, above), {"ha": "left"}
        if _has_room_below(ax, prevalence, fontsize):
            place = (0.72, 0.4 * spaces.least_precision(0.72, prevalence))
            yield place, _INFEASIBLE, (0, 0), {"path_effects": None}


def _points_of(ax):
    """Width and height of Axes in points."""
    return np.array(ax.get_window_extent().size) * 72 / ax.figure.dpi


def _has_room_below(ax, prevalence, fontsize):
    """Whether the precisions that are too low leave room for words."""
    width, height = _points_of(ax)
    room = spaces.least_precision(0.5, prevalence) * height
    return room > 2 * fontsize and width > 20 * fontsize


def legend_entries(
    artists: dict[str, Any], texts: dict[str, list[Any]], space: str, prevalence: float
) -> list[tuple[Any, str]]:
    """The legend entries other than classifiers."""
    if space == "precision_recall" and len(texts["notes"]) < 2:
        return [(artists["infeasible_"], _INFEASIBLE)]
    if space in spaces.MAPS:
        return []
    left, right = spaces.compute_bounds(space, prevalence).empty
    return [
        (artists["upper_left_"], f"upper bound, {left} = 0"),
        (artists["upper_right_"], f"upper bound, {right} = 0"),
        (artists["lower_"], "lower bound"),
    ]


def _write_named_points(ax, space, prevalence, artists, classifiers):
    """Mark the points that Wang and Hu name, and say what they are."""
    named = spaces.named_points(space, prevalence)
    if not named:
        return {"named_points": []}
    points = np.array(list(named.values()))
    artists["named_points_"] = ax.scatter(
        *points.T,
        s=18,
        color=[_axes.text_color()],
        zorder=2.5,
        clip_on=False,
        label=_axes.NO_LEGEND,
    )
    fontsize = 0.83 * _axes.Extent.of(ax).fontsize
    look = {"add": _add_names(False), "fontsize": fontsize}
    texts = _write_beside(ax, list(named), points, classifiers, **look)
    for text in texts:
        text.set_parse_math(True)
    return {"named_points": texts}


def write_names(
    ax: Any, names: Sequence[Any], points: np.ndarray, annotate: bool | str
) -> list[Any] | None:
    """Write names beside classifiers; None if they go into the legend."""
    is_auto = annotate == "auto"
    one_each = len(names) == len(points) and None not in names
    if not annotate or not one_each or (is_auto and len(names) > _FEW):
        return None
    fontsize = _axes.Extent.of(ax).fontsize
    return _write_beside(
        ax, names, points, points, add=_add_names(is_auto), fontsize=fontsize
    )


def _add_names(must_fit):
    from sklearn_entropy_metrics.display import _labels

    return _labels.add_names_that_fit if must_fit else _labels.add_names


def _write_beside(ax, names, points, others, *, add, fontsize):
    """Write names beside points, clear of the others and of the lines."""
    import matplotlib as mpl

    drawn = np.isfinite(points).all(axis=1)
    names = [name for name, there in zip(names, drawn, strict=True) if there]
    if not names:
        return []
    taken = np.vstack([points, others])
    taken = taken[np.isfinite(taken).all(axis=1)]
    # A few points of a smooth curve are enough to keep clear of it.
    lines = [xy[:: max(1, len(xy) // 8)] for xy in map(_vertices, ax.lines)]
    texts = add(ax, names, points[drawn], taken, lines, fontsize=fontsize)
    for text in texts or ():
        # Legible on both dark and bright contours.
        ground = mpl.rcParams["axes.facecolor"]
        text.set_bbox({"facecolor": ground, "linewidth": 0, "alpha": 0.75, "pad": 0.5})
    return texts


def _vertices(line):
    return line.get_xydata()


def draw_legend(
    ax: Any, space: str, entries: list[tuple[Any, str]], classifiers: np.ndarray
) -> Any:
    """Add to the legend, and put it where it hides little."""
    if not entries:
        return ax.get_legend()
    if space == "phi_delta":
        look = fit.legend_look(ax, len(entries), None)
        legend = _axes.add_legend(ax, entries, **look)
        fit_diamond(ax)
        return legend
    look = {"fontsize": _axes.Extent.of(ax).fontsize, "handlelength": 2.4}
    legend = _axes.add_legend(ax, entries, **look)
    # Between both sides of the upper bound there is room.
    is_map = space in spaces.MAPS
    legend.set_loc(_place(ax, classifiers) if is_map else "upper center")
    legend.borderaxespad = 0.6
    legend.set_frame_on(True)
    return legend


def hide_covered(legend: Any, texts: Sequence[Any]) -> None:
    """Hide words of the ground that the legend is written over."""
    box = legend.get_window_extent()
    for text in texts:
        if text.get_window_extent().overlaps(box):
            text.set_visible(False)


def _place(ax, classifiers):
    """The corner with the fewest classifiers, if possible worse than chance."""
    x, y = ax.transLimits.transform(classifiers).T
    inside = {
        "lower right": (x > 0.55) & (y < 0.5),
        "lower left": (x < 0.4) & (y < 0.5),
        "upper right": (x > 0.55) & (y > 0.5),
    }
    return min(inside, key=lambda corner: np.count_nonzero(inside[corner]))
