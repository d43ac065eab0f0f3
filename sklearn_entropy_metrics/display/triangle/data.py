"""Balances → the points, names and bounds that the entropy triangle shows."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from sklearn_entropy_metrics.balance.balance import EntropyBalance, is_of_variables
from sklearn_entropy_metrics.display.triangle.words import OF_CLASSIFIERS, Words
from sklearn_entropy_metrics.measure.catalog import evaluate


class Series(NamedTuple):
    """Points that share a name, a colour and a marker."""

    name: str | None
    part: slice

    @property
    def is_cloud(self) -> bool:
        return self.part.stop - self.part.start > 1


class Values(NamedTuple):
    """The values that colours stand for."""

    numbers: np.ndarray
    label: str
    is_order: bool


@dataclass(frozen=True)
class TriangleData:
    """Balances with the series that their points belong to."""

    # What the shares of the entropies are called, by the attribute that holds them.
    shares: ClassVar[dict[str, tuple[str, ...]]] = {
        "joint_fractions": (
            "divergence",
            "mutual_information",
            "variation_of_information",
        ),
        "true_fractions": (
            "divergence_true",
            "mutual_information_true",
            "conditional_entropy_true",
        ),
        "pred_fractions": (
            "divergence_pred",
            "mutual_information_pred",
            "conditional_entropy_pred",
        ),
    }
    words: ClassVar[Words] = OF_CLASSIFIERS
    balances: list[EntropyBalance]
    series: list[Series]

    @classmethod
    def read(cls, balance: Any, name: Any) -> "TriangleData":
        """Read a balance, a list or a dict of them, and match them with names."""
        if isinstance(balance, EntropyBalance):
            balances, keys = [balance], [None]
        elif isinstance(balance, Mapping):
            balances, keys = list(balance.values()), list(balance)
        else:
            balances, keys = list(balance), [None] * len(balance)
        sizes = [math.prod(one.table.shape[:-2]) for one in balances]
        if not sum(sizes):
            raise ValueError("balance holds no table; at least 1 is required.")
        names = keys if name is None else [name] if isinstance(name, str) else name
        if len(balances) == 1 and len(names) == sizes[0]:
            sizes = [1] * sizes[0]
        if len(names) != len(sizes):
            raise ValueError(
                f"name must hold as many names as there are balances, {len(balances)}"
                + (f", or tables, {sizes[0]}. " if len(balances) == 1 else ". ")
                + f"Got {len(names)}: {name!r}."
            )
        stops = np.cumsum(sizes).tolist()
        parts = map(slice, [0, *stops[:-1]], stops)
        return cls(balances, list(map(Series, names, parts)))

    def fractions(self, of: str = "joint_fractions") -> np.ndarray:
        """Shares of entropy of all points, one after the other."""
        return self._all(lambda balance: getattr(balance, of), 3)

    def _all(self, function, *shape):
        values = (function(balance) for balance in self.balances)
        return np.concatenate([np.reshape(value, (-1, *shape)) for value in values])

    def emphasize(self, scatters: list[Any]) -> None:
        """Emphasise points that differ from the others: here, none do."""

    @property
    def n_points(self) -> int:
        return self.series[-1].part.stop

    @property
    def runs(self) -> list[slice]:
        """Points that follow each other: those of a stack, or single ones together."""
        if len(self.balances) > 1 and any(one.is_cloud for one in self.series):
            return [one.part for one in self.series]
        return [slice(0, self.n_points)]

    def values(self, c: Any, path: bool) -> Values | None:
        """What the colours of the points stand for: `c`, or the order in a path."""
        runs = [run.stop - run.start for run in self.runs]
        if path and max(runs) < 2:
            raise ValueError(f"path needs at least 2 points. Got {self.n_points}.")
        if c is None:
            orders = [np.arange(1.0, length + 1) for length in runs]
            return Values(np.concatenate(orders), "order", True) if path else None
        if isinstance(c, str):
            values = self._all(lambda balance: evaluate(balance, [c])[c])
            return Values(values, c.replace("_", " "), False)
        values = np.asarray(c, dtype=np.float64)
        if values.size != self.n_points:
            raise ValueError(
                "c must be the name of a measure or hold a number for each of the "
                f"{self.n_points} points. Got an array of shape {values.shape}."
            )
        return Values(values.ravel(), "", False)

    def bounds(
        self, pooled: EntropyBalance | list[EntropyBalance] | None
    ) -> np.ndarray:
        """The greatest 2MI' and the least ΔH' that classifiers can reach, by series.

        Tables of a cloud are samples of one class balance: the pooled one, or the mean
        of theirs.
        """
        if isinstance(pooled, EntropyBalance):
            return _bound(pooled).reshape(1, 2)
        if pooled is not None:
            return np.array(list(map(_bound, pooled)))
        bounds = self._all(_bound, 2)
        return np.array([mean_of_defined(bounds[one.part]) for one in self.series])

    def common_shape(self) -> tuple[float, float]:
        """The number of true and predicted classes, if all tables agree."""
        shapes = set(map(_shape, self.balances))
        if len(shapes) > 1:
            raise ValueError(
                "nit_lines needs the same number of classes in all tables. Got tables "
                f"of shapes {sorted(shapes)}."
            )
        if shapes == {(1, 1)}:
            raise ValueError("nit_lines needs at least 2 classes. Got 1.")
        return shapes.pop()


def _shape(balance):
    """The numbers of classes or, for several variables, of their possible values."""
    if not is_of_variables(balance):
        return balance.table.shape[-2:]
    uniform = balance.uniform_entropy_true, balance.uniform_entropy_pred
    if sum(uniform) > 1000:
        raise ValueError(
            "nit_lines needs variables with at most 1,000 bits in all, got "
            f"{sum(uniform):.0f} instead."
        )
    return 2.0 ** uniform[0], 2.0 ** uniform[1]


def _bound(balance):
    uniform = balance.uniform_entropy_true + balance.uniform_entropy_pred
    most = np.minimum(balance.entropy_true, balance.uniform_entropy_pred)
    pair = np.stack([2 * most, np.asarray(balance.divergence_true)], axis=-1)
    with np.errstate(invalid="ignore"):
        return np.divide(pair, uniform)


def mean_of_defined(rows: np.ndarray) -> np.ndarray:
    """Mean of the rows without NaN."""
    defined = rows[np.isfinite(rows).all(axis=1)]
    return defined.mean(axis=0) if len(defined) else np.full(rows.shape[1], np.nan)
