"""What is drawn in the φ-δ plane: region, information, lines, curves, density."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display import _axes, _points
from sklearn_entropy_metrics.display.phi_delta.plane import (
    FAMILIES,
    SELECTED,
    Series,
    to_plane,
)
from sklearn_entropy_metrics.measure.plane import (
    isometric_lines,
    mutual_information_from_phi_delta,
    phi_delta_from_rates,
)


def draw_region(ax: Any, region: tuple[float, float], prevalence: Any) -> list[Any]:
    """Shade where |φ| < max_phi and |φ| + |δ| / min_delta ≥ 1, above and below."""
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Polygon

    wide, deep = map(float, region)
    phi = np.array([-wide, 0, wide, wide, 0, -wide])
    delta = np.append(1 - np.abs(phi[:3]), deep * (1 - np.abs(phi[3:])))
    color = _axes.cycle_color(7)
    areas = [
        Polygon(
            to_plane(phi, sign * delta, prevalence),
            facecolor=to_rgba(color, 0.25),
            edgecolor=_axes.text_color(),
            linestyle="dashed",
            linewidth=0.9,
            label=SELECTED if sign > 0 else _axes.NO_LEGEND,
            zorder=2.2,  # seen on a density, but below points
        )
        for sign in (1, -1)
    ]
    return [ax.add_patch(area) for area in areas]


def draw_information(ax: Any, prevalence: float | None) -> tuple[Any, Any]:
    """Fill the plane with contours of mutual information; return them and their bar."""
    # Multiples of a power of two: no corner is lost to round-off.
    fpr, tpr = np.meshgrid(*[np.linspace(0, 1, 129)] * 2)
    plain = phi_delta_from_rates(fpr, tpr)
    bits = mutual_information_from_phi_delta(
        *plain, prevalence=0.5 if prevalence is None else prevalence
    )
    x, y = np.moveaxis(to_plane(*plain, prevalence), -1, 0)
    look = {"levels": 10, "cmap": _axes.information_cmap(), "zorder": 1}
    contours = ax.contourf(x, y, bits, **look)
    contours.set_edgecolor("face")  # no gaps between the bands in a PDF
    bar = ax.figure.colorbar(
        contours, ax=ax, label="mutual information (bits)", shrink=0.8
    )
    return contours, bar


def draw_isometrics(
    ax: Any, values: Mapping[str, ArrayLike], prevalence: Any
) -> dict[str, Any]:
    """Draw lines of equal values, those of each measure in a colour of their own."""
    from matplotlib.collections import LineCollection

    names = list(FAMILIES)
    families = {}
    for family, levels in values.items():
        levels, ends = _possible_lines(family, levels, prevalence)
        # Colours from the end of the cycle: those of points come from its beginning.
        color = _axes.cycle_color(9 - names.index(family))
        lines = LineCollection(ends, colors=color, linestyles=[FAMILIES[family][1]])
        lines.set(linewidth=1.1, zorder=1.5, label=family)
        families[family] = ax.add_collection(lines, autolim=False)
    return families


def _possible_lines(family, levels, prevalence):
    """Values of a measure, and the ends of their lines in the plane."""
    levels = np.unique(np.asarray(levels, dtype=float))
    ends = isometric_lines(family, levels, prevalence=prevalence)
    possible = np.isfinite(ends).all(axis=(1, 2))
    return levels[possible], ends[possible]


def write_values(
    ax: Any, values: Mapping[str, ArrayLike], families: Any, prevalence: Any, taken: Any
) -> list[Any]:
    """Write numbers on the lines of equal values, away from points and each other."""
    texts: list[Any] = []
    if not families:
        return texts
    taken = [*taken[:500], *_places_of_texts(ax)]
    fontsize = 0.8 * _axes.Extent.of(ax).fontsize
    # What a number takes along its line, in units of the plane.
    length = 1.8 * fontsize * np.ptp(ax.get_ylim()) / _axes.Extent.of(ax).height
    for family, lines in families.items():
        levels, ends = _possible_lines(family, values[family], prevalence)
        color = lines.get_color()[0]
        for (first, last), level in zip(ends, levels, strict=True):
            place = _free_place(first, last, FAMILIES[family][0], taken, length)
            if place is not None:
                turn = np.degrees(np.arctan2(*(last - first)[::-1]))
                text = f"{level:.3g}"
                texts.append(_write_value(ax, place, text, turn, color, fontsize))
                taken.append(place)
    return texts


def _places_of_texts(ax):
    """Points of the plane that cover the texts on Axes."""
    from sklearn_entropy_metrics.display._labels import text_boxes

    ax.apply_aspect()
    step = 6 * ax.figure.dpi / 72
    places = []
    for left, bottom, right, top in (box for t in ax.texts for box in text_boxes(t)):
        x, y = np.arange(left, right + step, step), np.arange(bottom, top + step, step)
        places += np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2).tolist()
    return ax.transData.inverted().transform(places)


def _free_place(first, last, start, taken, length):
    """A place on a line with room for a small number; None if there is none."""
    shares = np.linspace(0.1, 0.9, 33)
    shares = shares[np.argsort(np.abs(shares - start), kind="stable")]
    places = first + shares[:, None] * (last - first)
    if not taken:
        return places[0]
    gaps = np.moveaxis(places[:, None] - np.array(taken), -1, 0)
    room = np.minimum(np.hypot(*gaps).min(axis=1), 1.6 * length)
    return places[np.argmax(room)] if room.max() > length else None


def _write_value(ax, place, text, turn, color, fontsize):
    """Write a number along its line, which ends where the number begins."""
    import matplotlib as mpl

    ground = mpl.rcParams["axes.facecolor"]
    return ax.text(
        *place,
        text,
        color=color,
        ha="center",
        va="center",
        rotation=(turn + 90) % 180 - 90,
        fontsize=fontsize,
        bbox={"facecolor": ground, "edgecolor": "none", "pad": 0.7},
        zorder=2.3,
        clip_on=True,
    )


def draw_curve(ax: Any, one: Series, style: dict[str, Any] | None) -> Any:
    """Draw points as a line, with dashes of its own after the first."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    number = n_drawn(ax)
    defaults = {
        "color": _axes.cycle_color(number),
        "linestyle": ("-", "--", "-.", ":")[number % 4],
        "label": one.name,
        "zorder": 2.5,
    }
    look: Any = {**defaults, **normalize_kwargs(style or {}, Line2D)}
    (line,) = ax.plot(*one.points.T, **look)
    return line


def n_drawn(ax: Any) -> int:
    """How many series of points and curves were drawn before."""
    return _points.n_series(ax) + len(ax.lines)


def draw_density(ax: Any, outline: Any, points: np.ndarray, kind: str) -> Any:
    """Count points in hexagons; return these and their colour bar."""
    points = points[np.isfinite(points).all(axis=1)]
    (left, bottom), (right, top) = (
        bound(outline.get_xy(), axis=0) for bound in (np.min, np.max)
    )
    hexagons = ax.hexbin(
        *points.T,
        gridsize=60,
        extent=(left, right, bottom, top),
        mincnt=1,
        bins="log",
        linewidths=0.1,
        zorder=2,
    )
    bar = ax.figure.colorbar(hexagons, ax=ax, label=f"number of {kind}", shrink=0.8)
    return hexagons, bar
