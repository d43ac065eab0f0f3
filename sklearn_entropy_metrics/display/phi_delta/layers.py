"""What is drawn in the φ-δ plane: region, information, lines, curves, density."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display import _display, _points
from sklearn_entropy_metrics.display.phi_delta.plane import draw_bar, to_plane
from sklearn_entropy_metrics.measure.maps import mutual_information_from_phi_delta
from sklearn_entropy_metrics.measure.plane import (
    Isometric,
    isometric_lines,
    phi_delta_from_rates,
)

# Where along its lines, and with which dashes, a family of isometrics is drawn.
_FAMILIES: dict[str, tuple[float, Any]] = {
    "sensitivity": (0.8, "solid"),
    "specificity": (0.8, "dashed"),
    "precision": (0.6, "dashdot"),
    "npv": (0.4, "dotted"),
    "accuracy": (0.3, (0, (6, 1, 1, 1, 1, 1))),
}
_LEVELS = (0.1, 0.3, 0.5, 0.7, 0.9)


def read_isometrics(isometrics: Any) -> dict[str, ArrayLike]:
    """Check isometrics; each with its values, and "information" with none."""
    if isinstance(isometrics, str):
        isometrics = (isometrics,)
    if not isinstance(isometrics, Mapping):
        isometrics = dict.fromkeys(isometrics, _LEVELS)
    known = (*get_args(Isometric), "information")
    unknown = [one for one in isometrics if one not in known]
    if unknown:
        raise ValueError(
            f"`isometrics` must be among {', '.join(map(repr, known))}. Got "
            f"{unknown[0]!r}."
        )
    return dict(isometrics)


def check_region(region: Any) -> None:
    """Check the limits of a selection region."""
    if region is None:
        return
    pair = np.asarray(region, dtype=float)
    if not (pair.shape == (2,) and 0 < pair[0] <= 1 and 0 <= pair[1] <= 1):
        raise ValueError(
            "`region` must be a pair of max_phi in (0, 1] and min_delta in [0, 1]. Got "
            f"{region!r}."
        )


def draw_region(ax: Any, region: tuple[float, float], prevalence: Any) -> list[Any]:
    """Shade where |φ| < max_phi and |φ| + |δ| / min_delta ≥ 1, above and below."""
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Polygon

    wide, deep = map(float, region)
    phi = np.array([-wide, 0, wide, wide, 0, -wide])
    delta = np.append(1 - np.abs(phi[:3]), deep * (1 - np.abs(phi[3:])))
    color, ink = to_rgba(_display.cycle_color(7), 0.25), _display.text_color()
    look: Any = {"linestyle": "dashed", "linewidth": 0.9, "zorder": 2.2}
    areas = [
        Polygon(to_plane(phi, sign * delta, prevalence), fc=color, ec=ink, **look)
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
    look = {"levels": 10, "cmap": _display.information_cmap(), "zorder": 1}
    contours = ax.contourf(x, y, bits, **look)
    contours.set_edgecolor("face")  # no gaps between the bands in a PDF
    return contours, draw_bar(ax, contours, "mutual information (bits)")


def draw_isometrics(
    ax: Any, values: Mapping[str, ArrayLike], prevalence: Any
) -> tuple[dict[str, Any], list[Any]]:
    """Draw lines of equal values, a colour for each measure, and their values."""
    from matplotlib.collections import LineCollection

    families: dict[str, Any] = {}
    texts: list[Any] = []
    for family, levels in values.items():
        levels = np.unique(np.asarray(levels, dtype=float))
        ends = isometric_lines(family, levels, prevalence=prevalence)  # type: ignore[arg-type]
        possible = np.isfinite(ends).all(axis=(1, 2))
        # Colours from the end of the cycle: those of points come from its beginning.
        color = _display.cycle_color(9 - list(_FAMILIES).index(family))
        share, dashes = _FAMILIES[family]
        lines = LineCollection(ends[possible], colors=color, linestyles=[dashes])
        lines.set(linewidth=1.1, zorder=1.5, label=family)
        families[family] = ax.add_collection(lines, autolim=False)
        for line, level in zip(ends[possible], levels[possible], strict=True):
            texts += _write_value(ax, line, f"{level:.3g}", share, color, texts)
    return families, texts


def _write_value(ax, line, text, share, color, others):
    """Write a value on its line, which it interrupts, if others are not in the way."""
    import matplotlib as mpl

    size = max(0.8 * ax.xaxis.label.get_fontsize(), 6)
    pixels = ax.transData.transform(line)
    turn = np.degrees(np.arctan2(*(pixels[1] - pixels[0])[::-1]))
    taken = np.array([ax.transData.transform(one.get_position()) for one in others])
    for step in (0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3):
        at = np.clip(share + step, 0.1, 0.9)
        place = pixels[0] + at * (pixels[1] - pixels[0])
        gaps = np.hypot(*(taken.reshape(-1, 2) - place).T)
        if gaps.min(initial=np.inf) > 2.2 * size * ax.figure.dpi / 72:
            break
    else:
        return []
    ground = {"facecolor": mpl.rcParams["axes.facecolor"], "linewidth": 0, "pad": 0.7}
    look: Any = {"ha": "center", "va": "center", "clip_on": True, "zorder": 2.3}
    look |= {"color": color, "fontsize": size, "bbox": ground}
    look["rotation"] = (turn + 90) % 180 - 90
    return [ax.text(*(line[0] + at * (line[1] - line[0])), text, **look)]


def draw_curve(
    ax: Any, points: np.ndarray, name: str | None, style: dict[str, Any] | None
) -> Any:
    """Draw points as a line, with dashes of its own after the first."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    number = n_drawn(ax)
    defaults = {
        "color": _display.cycle_color(number),
        "linestyle": ("-", "--", "-.", ":")[number % 4],
        "label": name,
        "zorder": 2.5,
    }
    look: Any = {**defaults, **normalize_kwargs(style or {}, Line2D)}
    (line,) = ax.plot(*points.T, **look)
    return line


def n_drawn(ax: Any) -> int:
    """How many series of points and curves were drawn before."""
    return _points.n_series(ax) + len(ax.lines)
