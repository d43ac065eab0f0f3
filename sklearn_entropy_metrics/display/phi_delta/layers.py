"""What is drawn in the φ-δ plane: region, information, lines, curves, density."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display import _axes, _points
from sklearn_entropy_metrics.display.phi_delta.plane import (
    FAMILIES,
    KEY,
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
            label=SELECTED if sign > 0 else None,
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
    contours = ax.contourf(x, y, bits, levels=10, zorder=1)
    contours.set_edgecolor("face")  # no gaps between the bands in a PDF
    bar = ax.figure.colorbar(
        contours, ax=ax, label="mutual information (bits)", shrink=0.8
    )
    return contours, bar


def draw_isometrics(
    ax: Any, values: Mapping[str, ArrayLike], prevalence: Any, points: np.ndarray
) -> tuple[dict[str, Any], list[Any]]:
    """Draw lines of equal values, with the values on them away from each other."""
    from matplotlib.collections import LineCollection

    names = list(FAMILIES)
    families, texts, taken = {}, [], list(points[:500])
    for family, levels in values.items():
        start, dashes = FAMILIES[family]
        levels = np.unique(np.asarray(levels, dtype=float))
        ends = isometric_lines(family, levels, prevalence=prevalence)  # type: ignore
        possible = np.isfinite(ends).all(axis=(1, 2))
        # Colours from the end of the cycle: those of points come from its beginning.
        color = _axes.cycle_color(9 - names.index(family))
        lines = LineCollection(ends[possible], colors=color, linestyles=[dashes])
        lines.set(linewidth=1.1, zorder=1.5, label=family)
        families[family] = ax.add_collection(lines, autolim=False)
        for (first, last), level in zip(ends[possible], levels[possible], strict=True):
            place = _free_place(first, last, start, taken)
            if place is not None:
                texts.append(_write_value(ax, place, f"{level:.3g}", color))
                taken.append(place)
    return families, texts


def _free_place(first, last, start, taken):
    """A place on a line with room for a small number; None if there is none."""
    shares = np.linspace(0.1, 0.9, 33)
    shares = shares[np.argsort(np.abs(shares - start), kind="stable")]
    places = first + shares[:, None] * (last - first)
    if not taken:
        return places[0]
    # A number is about twice as wide as it is high.
    gaps = (places[:, None] - np.array(taken)) * (0.5, 1)
    room = np.minimum(np.hypot(*np.moveaxis(gaps, -1, 0)).min(axis=1), 0.11)
    return places[np.argmax(room)] if room.max() > 0.06 else None


def _write_value(ax, place, text, color):
    import matplotlib as mpl
    from matplotlib.patheffects import withStroke

    halo = withStroke(linewidth=3, foreground=mpl.rcParams["axes.facecolor"])
    return ax.text(
        *place,
        text,
        color=color,
        ha="center",
        va="center",
        fontsize="x-small",
        path_effects=[halo],
        zorder=1.9,
        clip_on=True,
    )


def draw_key(ax: Any, prevalence: float | None) -> Any:
    """Say what lines and areas are, in a free corner that the legend is not in."""
    from matplotlib.legend import Legend

    for old in [artist for artist in ax.artists if artist.get_label() == KEY]:
        old.remove()
    known = (*FAMILIES, SELECTED)
    drawn = {one.get_label(): one for one in (*ax.collections, *ax.patches)}
    drawn = {label: one for label, one in drawn.items() if label in known}
    if not drawn:
        return None
    is_left = prevalence is not None and prevalence < 0.5
    key = Legend(
        ax,
        list(drawn.values()),
        list(drawn),
        loc="lower left" if is_left else "lower right",
        fontsize="x-small",
        frameon=False,
        borderpad=0.2,
        borderaxespad=0,
        handlelength=1.7,
        handletextpad=0.4,
    )
    key.set_label(KEY)
    return ax.add_artist(key)


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
