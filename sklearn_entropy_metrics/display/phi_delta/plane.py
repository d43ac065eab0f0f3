"""The φ-δ plane: what is drawn in it, and where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.measure.plane import (
    Isometric,
    phi_delta_from_rates,
    rates_from_phi_delta,
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
