"""The entropy triangle as SVG, with a tooltip for each point."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics._html import Html, html_text

# The corners in the picture: VI' = 1, ΔH' = 1 and 2MI' = 1.
_SIDE, _HEIGHT = 380, 329
_CORNERS = np.array([[450, 390], [260, 390 - _HEIGHT], [70, 390]])  # as fractions are
# The scales: class of the style, title and its angle, coordinate, and the corners of
# the side along which it grows.
_SCALES = (
    ("imbalance", "class imbalance ΔH' →", 0, 0, (2, 0)),
    ("information", "← information transferred 2MI'", 60, 1, (0, 1)),
    ("loss", "← random error VI'", -60, 2, (1, 2)),
)
_TICKS = (0.2, 0.4, 0.6, 0.8)
_MARKS = {
    "both": '<circle r="7"/>',
    "true": '<path d="M-8-8 8 8M-8 8 8-8"/>',
    "predicted": '<circle class="ring" r="10"/>',
}


class Point(NamedTuple):
    """What to draw at ΔH', 2MI', VI'.

    The tooltip holds the details; `text` is a short label next to the point.
    """

    fractions: Any
    tooltip: str
    mark: str = "both"
    text: str = ""


def draw_triangle(points: Sequence[Point], title: str, *, guides: bool = False) -> Html:
    """Draw points, the first with guides to the scales; undefined ones are left out."""
    defined = [point for point in points if np.isfinite(point.fractions).all()]
    parts = [
        '<svg class="triangle" viewBox="0 30 520 412" role="img" '
        f'aria-label="{html_text(title)}">',
        *(_scale(*scale) for scale in _SCALES),
        f'<path d="M{_path(_CORNERS)}z"/>',
        '<text class="corner" x="260" y="50">perfect</text>',
        '<text class="corner" x="60" y="412">pure<tspan x="60" dy="17">guessing</tspan>'
        '</text><text class="corner" x="460" y="412">always<tspan x="460" dy="17">'
        "one class</tspan></text>",
        _guides(defined[0].fractions) if guides and defined else "",
        *map(_point, defined),
        "</svg>",
    ]
    return Html("".join(parts))


def _scale(name, title, angle, place, side):
    """Grid lines, numbers and the title of a coordinate, in its colour."""
    start, stop = _CORNERS[list(side)]
    along = (stop - start) / _SIDE
    outward = np.array([-along[1], along[0]])
    lines, numbers = [], []
    for tick in _TICKS:
        on_side = start + tick * (stop - start)
        lines.append(f"M{_path([on_side, _other_end(place, tick, side)])}")
        x, y = on_side + 16 * outward
        numbers.append(f'<text x="{x:.0f}" y="{y + 5:.0f}">{tick}</text>')
    x, y = (start + stop) / 2 + 40 * outward
    return (
        f'<g class="{name}"><path class="grid" d="{"".join(lines)}"/>{"".join(numbers)}'
        f'<text transform="translate({x:.0f} {y:.0f}) rotate({angle})" dy="5">{title}'
        "</text></g>"
    )


def _other_end(place, tick, side):
    """Where the grid line of a coordinate meets the other side that it crosses."""
    (other,) = {0, 1, 2} - set(side)
    return tick * _CORNERS[place] + (1 - tick) * _CORNERS[other]


def _guides(fractions):
    """Lines from a point to the three scales."""
    at = _place(fractions)
    lines = []
    for name, _, _, place, (start, stop) in _SCALES:
        value = fractions[place]
        end = _CORNERS[start] + value * (_CORNERS[stop] - _CORNERS[start])
        lines.append(f'<path class="guide {name}" d="M{_path([at, end])}"/>')
    return "".join(lines)


def _point(point):
    x, y = _place(point.fractions)
    text = f'<text x="11" y="5">{html_text(point.text)}</text>' if point.text else ""
    return (
        f'<g class="point" transform="translate({x:.1f} {y:.1f})">'
        f"{_MARKS[point.mark]}{text}<title>{html_text(point.tooltip)}</title></g>"
    )


def _place(fractions):
    return np.asarray(fractions) @ _CORNERS


def _path(points):
    return " ".join(f"{x:.1f} {y:.1f}" for x, y in points)
