"""The plane of the triangle: shares of entropy and points, windows and lines."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

HEIGHT = math.sqrt(3) / 2
# Where all the entropy is ΔH', 2MI' and VI': the order of the fractions.
CORNERS = np.array([[1.0, 0.0], [0.5, HEIGHT], [0.0, 0.0]])
_STEPS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)


def to_plane(fractions: ArrayLike) -> np.ndarray:
    """Map shares of entropy to points of the plane.

    Parameters
    ----------
    fractions : array-like of shape (..., 3)
        Shares ΔH', 2MI' and VI', which sum to one.

    Returns
    -------
    points : ndarray of shape (..., 2)
        VI' = 1 is at (0, 0), ΔH' = 1 at (1, 0) and 2MI' = 1 at (1/2, √3/2).

    Examples
    --------
    >>> from sklearn_entropy_metrics import EntropyBalance
    >>> from sklearn_entropy_metrics.display import to_plane
    >>> balance = EntropyBalance.from_confusion_matrix([[1, 0], [0, 1]])
    >>> to_plane(balance.joint_fractions).round(3)
    array([0.5  , 0.866])
    """
    return np.asarray(fractions, dtype=np.float64) @ CORNERS


def from_plane(points: ArrayLike) -> np.ndarray:
    """Map points of the plane, (..., 2), back to shares of entropy, (..., 3)."""
    x, y = np.moveaxis(np.asarray(points, dtype=np.float64), -1, 0)
    information = y / HEIGHT
    divergence = x - information / 2
    return np.stack([divergence, information, 1 - divergence - information], axis=-1)


@dataclass(frozen=True)
class Window:
    """The part of the entropy triangle that is shown, itself a triangle.

    Attributes
    ----------
    lower : tuple of float
        The least ΔH', 2MI' and VI' that are shown.

    step : float
        From one line of the grid to the next.
    """

    lower: tuple[float, ...] = (0.0, 0.0, 0.0)
    step: float = 0.2

    @property
    def size(self) -> float:
        return 1 - sum(self.lower)

    @property
    def corners(self) -> np.ndarray:
        return to_plane(self.lower + self.size * np.eye(3))

    @property
    def n_steps(self) -> int:
        return round(self.size / self.step)


def window_of(fractions: np.ndarray) -> Window:
    """The part that holds all points, bounded by lines of a grid of round numbers."""
    fractions = fractions[np.isfinite(fractions).all(axis=1)]
    if not len(fractions):
        return Window()
    least = fractions.min(axis=0)
    margin = max(0.1 * (1 - least.sum()), 0.005)
    least = np.maximum(least - margin, 0)
    for step in _STEPS:
        lower = step * np.floor(least / step + 1e-9)
        part = Window(tuple(lower.tolist()), step)
        if part.n_steps >= 4:
            break
    return part


def across(corners, scale, share):
    """Ends of the lines on which a scale has risen to a share of its side."""
    this, before, after = corners[scale], corners[scale - 1], corners[(scale + 1) % 3]
    return before + share * (this - before), after + share * (this - after)


def outward(scale: int) -> np.ndarray:
    """Unit vector that points out of the side along which a scale runs."""
    normal = (CORNERS[scale] + CORNERS[scale - 1]) / 2 - CORNERS[(scale + 1) % 3]
    return normal / HEIGHT


def guides(window: Window, fractions: np.ndarray) -> list[np.ndarray]:
    """Lines from a point to the three scales."""
    shares = (fractions - np.array(window.lower)) / window.size
    ends = [across(window.corners, scale, shares[scale])[0] for scale in range(3)]
    return [np.stack([to_plane(fractions), end]) for end in ends]
