"""Balances of several variables → a point a variable, and one for all of them."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sklearn_entropy_metrics.balance.source import SourceBalance
from sklearn_entropy_metrics.display._axes import text_color
from sklearn_entropy_metrics.display.triangle.data import Series, TriangleData, Values
from sklearn_entropy_metrics.display.triangle.words import OF_SOURCES, Words

# What the point of all variables is called.
TOGETHER = "all together"


@dataclass(frozen=True)
class SourceData(TriangleData):
    """Points of variables; there is no prediction, and so no table."""

    shares: ClassVar[dict[str, tuple[str, ...]]] = {
        "joint_fractions": ("divergence", "mutual_information", "remaining_entropy")
    }
    words: ClassVar[Words] = OF_SOURCES
    points: np.ndarray

    def fractions(self, of: str = "joint_fractions") -> np.ndarray:
        if of != "joint_fractions":
            raise _needs_prediction("split")
        return self.points

    def emphasize(self, scatters: list[Any]) -> None:
        together = scatters[-1]
        together.set_sizes(2 * together.get_sizes())
        together.set(edgecolor=text_color(), linewidth=1.5)

    def values(self, c: Any, path: bool) -> Values | None:
        if isinstance(c, str):
            raise _needs_prediction("c as the name of a measure")
        return super().values(c, path)

    def bounds(self, pooled: Any) -> np.ndarray:
        raise _needs_prediction("bound")

    def common_shape(self) -> tuple[float, float]:
        raise _needs_prediction("nit_lines")


def read_data(balance: Any, name: Any) -> TriangleData:
    """Take what the triangle draws, with predictions or without.

    Parameters
    ----------
    balance : EntropyBalance, SourceBalance, or several
        As of :class:`EntropyTriangleDisplay`.

    name : str, list of str or None
        The names. One name is that of all variables of a source together.

    Returns
    -------
    data : TriangleData
    """
    if not isinstance(balance, SourceBalance):
        return TriangleData.read(balance, name)
    points = np.vstack([balance.fractions, balance.aggregate_fractions])
    if name is None or isinstance(name, str):
        name = [*balance.names, name or TOGETHER]
    if len(name) != len(points):
        raise ValueError(
            f"`name` must hold a name for each of the {len(balance.names)} variables "
            f"and one for all of them together, got {len(name)} names instead."
        )
    series = [Series(one, slice(i, i + 1)) for i, one in enumerate(name)]
    return SourceData([], series, points)


def _needs_prediction(what):
    return ValueError(
        f"{what} needs predictions: an EntropyBalance, got a SourceBalance instead."
    )
