"""The φ-δ plane on Axes: its frame, drawn once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.display import _axes
from sklearn_entropy_metrics.measure.plane import (
    Isometric,
    phi_delta_corners,
    phi_delta_from_rates,
    rates_from_phi_delta,
)

# What the corners mean, clockwise from the top.
VIEWS = {
    "classifier": ("oracle", "always positive", "anti-oracle", "always negative"),
    "feature": ("covariant", "pervasive", "contravariant", "rare"),
}
# Beside the corners: where to, in points, how the text is turned and aligned.
_BESIDE = (
    ((0, 4), 0, "bottom"),
    ((6, 0), 270, "center"),
    ((0, -4), 0, "top"),
    ((-6, 0), 90, "center"),
)
# What features on the borders imply, clockwise from the upper right.
_IMPLICATIONS = (
    r"$\neg f \to \neg c$",
    r"$\neg f \to c$",
    r"$f \to \neg c$",
    r"$f \to c$",
)
# Where along its lines, and with which dashes, a family of isometrics is drawn.
FAMILIES: dict[str, tuple[float, Any]] = {
    "sensitivity": (0.8, "solid"),
    "specificity": (0.8, "dashed"),
    "precision": (0.6, "dashdot"),
    "npv": (0.4, "dotted"),
    "accuracy": (0.3, (0, (6, 1, 1, 1, 1, 1))),
}
_LEVELS = (0.1, 0.3, 0.5, 0.7, 0.9)
SELECTED = "selected"
# Text of this label marks Axes that have the frame; it survives pickling.
_LABEL = "_phi-delta plane"
KEY = "_phi-delta key"
_MARGIN = 0.25
# With more points than this a cloud is a density.
MANY = 5000


class Series(NamedTuple):
    """Points that look alike, as they are drawn."""

    name: str | None
    points: np.ndarray
    strength: np.ndarray  # |δ| of each
    center: np.ndarray | None

    @property
    def anchor(self) -> np.ndarray:
        """Where its name belongs."""
        if self.center is not None:
            return self.center
        return self.points[np.argmax(np.nan_to_num(self.strength))]


def to_plane(phi: ArrayLike, delta: ArrayLike, prevalence: float | None) -> np.ndarray:
    """Where φ and δ are drawn, (..., 2): corrected for the prevalence, if any."""
    if prevalence is not None:
        rates = rates_from_phi_delta(phi, delta)
        phi, delta = phi_delta_from_rates(*rates, prevalence=prevalence)
    return np.stack(np.broadcast_arrays(phi, delta), axis=-1)


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
            f"The isometrics must be among {', '.join(map(repr, known))}. Got "
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
            "region must be a pair of max_phi in (0, 1] and min_delta in [0, 1]. Got "
            f"{region!r}."
        )


def draw_plane(ax: Any, prevalence: float | None, view: str) -> Any:
    """Draw the frame, unless there is one; return its outline."""
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
    _draw_grid(ax, corners, outline)
    _label_axes(ax, prevalence)
    for corner, text, beside in zip(corners, VIEWS[view], _BESIDE, strict=True):
        _note(ax, corner, text, *beside)
    if view == "feature":
        _draw_implications(ax, corners)
    return outline


def _draw_outline(ax, corners):
    import matplotlib as mpl
    from matplotlib.patches import Polygon

    rc = mpl.rcParams
    outline = Polygon(
        corners,
        fill=False,
        edgecolor=rc["axes.edgecolor"],
        linewidth=1.25 * rc["axes.linewidth"],
        joinstyle="round",
        label=_LABEL,
        zorder=1.3,
    )
    ax.add_patch(outline)
    (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
    ax.set_xlim(left - _MARGIN, right + _MARGIN)
    ax.set_ylim(bottom - _MARGIN, top + _MARGIN)
    ax.set_aspect("equal")
    ax.spines[["top", "right"]].set_visible(False)
    return outline


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
        ([corners[[0, 2]], corners[[1, 3]]], rc["axes.edgecolor"], 0.6),
    ):
        lines = LineCollection(ends, colors=color, alpha=alpha, zorder=1.2)
        lines.set_linewidth(rc["axes.linewidth"])
        ax.add_collection(lines, autolim=False)
        lines.set_clip_path(outline)


def _label_axes(ax, prevalence):
    ax.set_xlabel("characteristic capability φ")
    ax.set_ylabel("discriminant capability δ")
    if prevalence is not None:
        ax.set_xlabel(rf"$\varphi_g$ at a prevalence of {prevalence:.3g}")
        ax.set_ylabel(rf"$\delta_g$ at a prevalence of {prevalence:.3g}")
    ax.format_coord = _format_coordinates


def _format_coordinates(x, y):
    return f"φ = {x:.3f}  δ = {y:.3f}"


def _draw_implications(ax, corners):
    middle = corners.mean(axis=0)
    following = np.roll(corners, -1, axis=0)
    for start, end, text in zip(corners, following, _IMPLICATIONS, strict=True):
        dx, dy = start - end if start[0] > end[0] else end - start
        normal = np.array([-dy, dx]) / np.hypot(dx, dy)
        outward = normal * np.sign(normal @ ((start + end) / 2 - middle))
        if np.hypot(dx, dy) < 0.5:
            continue  # the names of the corners leave no room
        angle = np.degrees(np.arctan2(dy, dx))
        _note(ax, (start + end) / 2, text, 9 * outward, angle)


def _note(ax, point, text, offset, rotation, va="center"):
    """Write a small text beside a point of the plane."""
    return _axes.write(
        ax,
        point,
        text,
        offset,
        rotation=rotation,
        color=_axes.text_color(),
        fontsize="small",
        va=va,
        zorder=1.9,
        clip_on=True,  # not drawn when a part without it is shown
    )
