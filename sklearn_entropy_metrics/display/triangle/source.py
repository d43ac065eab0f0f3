"""Balances of several variables → a point per variable, and one for all of them."""

from collections.abc import Mapping
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
    together: list[int]  # the points of all variables of a source

    def fractions(self, of: str = "joint_fractions") -> np.ndarray:
        if of != "joint_fractions":
            raise _needs_prediction("split")
        return self.points

    def emphasize(self, scatters: list[Any]) -> None:
        for point in self.together:
            scatters[point].set_sizes(2 * scatters[point].get_sizes())
            scatters[point].set(edgecolor=text_color(), linewidth=1.5)

    def values(self, c: Any, path: bool) -> Values | None:
        if isinstance(c, str):
            raise _needs_prediction("c as the name of a measure")
        return super().values(c, path)

    def bounds(self, pooled: Any) -> np.ndarray:
        raise _needs_prediction("bound")

    def common_shape(self) -> tuple[float, float]:
        raise _needs_prediction("nit_lines")


def read_data(balance: Any, name: Any) -> TriangleData:
    """Read what the triangle draws, with predictions or without.

    Parameters
    ----------
    balance : EntropyBalance, SourceBalance, or several
        As of :class:`EntropyTriangleDisplay`.

    name : str, list of str or None
        The names. A single name is that of all variables of a source together.

    Returns
    -------
    data : TriangleData
    """
    if isinstance(balance, SourceBalance):
        sources, names = [balance], [*balance.names, TOGETHER]
    elif isinstance(balance, Mapping) and any(
        isinstance(one, SourceBalance) for one in balance.values()
    ):
        sources = _checked(balance)
        names = [
            label
            for key, one in balance.items()
            for label in (*(f"{key}: {column}" for column in one.names), str(key))
        ]
    else:
        return TriangleData.read(balance, name)
    if isinstance(name, str):
        name = [*names[:-1], name]
    if name is not None and len(name) != len(names):
        raise ValueError(
            "`name` must hold a name for each variable and one for all of them "
            f"together, {len(names)} in all, got {len(name)} names instead."
        )
    parts = [np.vstack([one.fractions, one.aggregate_fractions]) for one in sources]
    series = [Series(one, slice(i, i + 1)) for i, one in enumerate(name or names)]
    ends = np.cumsum([len(part) for part in parts]) - 1
    return SourceData([], series, np.vstack(parts), ends.tolist())


def _checked(balances):
    if all(isinstance(one, SourceBalance) for one in balances.values()):
        return list(balances.values())
    raise ValueError(
        "`balance` must hold a SourceBalance for every name or for none, got "
        f"{[type(one).__name__ for one in balances.values()]} instead."
    )


def _needs_prediction(what):
    return ValueError(
        f"{what} needs predictions: an EntropyBalance, got a SourceBalance instead."
    )
