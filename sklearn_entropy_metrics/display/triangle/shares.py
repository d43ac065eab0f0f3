"""Balances → the points, names and bounds that the entropy triangle shows."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.source import SourceBalance
from sklearn_entropy_metrics.display._points import mean_of
from sklearn_entropy_metrics.measure.catalog import evaluate

# What shares of entropy are called: of tables, of one side of them, and of a source.
_ALL = ("divergence", "mutual_information", "variation_of_information")
_SIDE = ("divergence", "mutual_information", "conditional_entropy")
_SOURCE = ("divergence", "mutual_information", "remaining_entropy")
# What the point of all variables of a source is called.
_TOGETHER = "all together"


@dataclass
class Series:
    """Points that share a name, a colour and a marker; and what is drawn of them.

    The mark is the shares of what stands for the points, and the centre its artist.
    """

    name: str | None
    part: slice
    size: int
    mark: Any = None
    artist: Any = None
    center: Any = None


@dataclass(frozen=True)
class TriangleData:
    """Points in the order of their series, and the balances that they belong to.

    There are no balances if the points are those of a source, which has no prediction;
    `together` then holds the places of all variables together.
    """

    joint: np.ndarray
    series: list[Series]
    balances: list[EntropyBalance] = field(default_factory=list)
    together: list[int] = field(default_factory=list)

    def fractions(self, of: str) -> np.ndarray:
        """Shares of entropy of all points, one after the other."""
        return _join((getattr(one, of) for one in self.balances), 3)

    def frame(self) -> dict[str, np.ndarray]:
        """The names of the points and their shares."""
        names = [one.name or "" for one in self.series]
        frame = {"name": np.repeat(names, [one.size for one in self.series])}
        frame |= zip(_SOURCE if self.together else _ALL, self.joint.T, strict=True)
        for side in () if self.together else ("true", "pred"):
            shares = self.fractions(f"{side}_fractions").T
            frame |= zip([f"{key}_{side}" for key in _SIDE], shares, strict=True)
        return frame

    @property
    def runs(self) -> list[slice]:
        """Points that follow each other: those of a stack, or single ones together."""
        if len(self.balances) > 1 and any(one.size > 1 for one in self.series):
            return [one.part for one in self.series]
        return [slice(0, len(self.joint))]

    def values(self, c: Any, path: bool) -> tuple[np.ndarray | None, str]:
        """What the colours of the points stand for: `c`, or the order in a path.

        Returns a number for each point, or None, and what they are called.
        """
        runs, n_points = [run.stop - run.start for run in self.runs], len(self.joint)
        if path and max(runs) < 2:
            raise ValueError(f"`path` must have at least 2 points. Got {n_points}.")
        if c is None:
            orders = [np.arange(1.0, length + 1) for length in runs]
            return np.concatenate(orders) if path else None, "order"
        if isinstance(c, str):
            numbers = _join(evaluate(one, [c])[c] for one in self.balances)
            return numbers, c.replace("_", " ")
        numbers = np.asarray(c, dtype=np.float64).ravel()
        if len(numbers) != n_points:
            raise ValueError(
                "`c` must be the name of a measure or hold a number for each of the "
                f"{n_points} points. Got an array of shape {np.shape(c)}."
            )
        return numbers, ""

    def bounds(self, pooled: list[EntropyBalance]) -> np.ndarray:
        """The greatest 2MI' and the least ΔH' that classifiers can reach, by series.

        Tables of a stack are samples of one class balance: the pooled one, or the mean
        of theirs.
        """
        if pooled:
            return _join(map(_bound, pooled), 2)
        bounds = _join(map(_bound, self.balances), 2)
        return np.array([mean_of(bounds[one.part]) for one in self.series])

    def uniform_entropies(self) -> tuple[float, float]:
        """Bits of uniform true and of uniform predicted classes, the same in all."""
        ends = ((b.uniform_entropy_true, b.uniform_entropy_pred) for b in self.balances)
        pairs = set(ends)
        if len(pairs) > 1:
            raise ValueError(
                "`nit_lines` must have the same number of classes in all tables. Got "
                f"{len(pairs)} different ones."
            )
        ((true, pred),) = pairs
        if not 0 < true + pred <= 1000:
            raise ValueError(
                "`nit_lines` must have at least 2 classes, and variables at most "
                f"1,000 bits in all. Got {true + pred:.0f} bits."
            )
        return true, pred


def read_data(balance: Any, name: Any) -> TriangleData:
    """Read a balance, a list or a dict of them, and match them with names.

    Parameters
    ----------
    balance : EntropyBalance, SourceBalance, or several
        As of :class:`EntropyTriangleDisplay`.

    name : str, list of str or None
        The names. A single name is that of all variables of a source together.
    """
    if isinstance(balance, EntropyBalance | SourceBalance):
        balance = [balance]
    is_dict = isinstance(balance, Mapping)
    balances: list[Any] = list(balance.values() if is_dict else balance)
    keys: list[Any] = list(balance) if is_dict else [None] * len(balances)
    are_sources = {isinstance(one, SourceBalance) for one in balances}
    if are_sources == {True}:
        return _read_sources(balances, keys, name)
    if len(are_sources) > 1:
        raise ValueError(
            "`balance` must hold a SourceBalance for every name or for none. Got "
            f"{[type(one).__name__ for one in balances]}."
        )
    sizes = [math.prod(one.table.shape[:-2]) for one in balances]
    if not sum(sizes):
        raise ValueError("`balance` must hold at least 1 table. Got none.")
    names = keys if name is None else [name] if isinstance(name, str) else list(name)
    if len(balances) == 1 and len(names) == sizes[0]:
        sizes = [1] * sizes[0]
    if len(names) != len(sizes):
        raise ValueError(
            f"`name` must hold as many names as there are balances, {len(balances)}"
            + (f", or tables, {sizes[0]}. " if len(balances) == 1 else ". ")
            + f"Got {len(names)}: {name!r}."
        )
    joint = _join((one.joint_fractions for one in balances), 3)
    return TriangleData(joint, _series(names, sizes), balances)


def _read_sources(sources, keys, name):
    """A point for each variable, and one for all of them together."""
    names = []
    for key, one in zip(keys, sources, strict=True):
        names += [column if key is None else f"{key}: {column}" for column in one.names]
        names.append(_TOGETHER if key is None else str(key))
    if name is not None:
        names = [*names[:-1], name] if isinstance(name, str) else list(name)
    parts = [np.vstack([one.fractions, one.aggregate_fractions]) for one in sources]
    joint = np.vstack(parts)
    if len(names) != len(joint):
        raise ValueError(
            "`name` must hold a name for each variable and one for all of them "
            f"together, {len(joint)} in all. Got {len(names)} names."
        )
    ends = np.cumsum([len(part) for part in parts]) - 1
    return TriangleData(joint, _series(names, [1] * len(names)), [], ends.tolist())


def _series(names, sizes):
    stops = np.cumsum(sizes).tolist()
    return [
        Series(None if name is None else str(name), slice(stop - size, stop), size)
        for name, size, stop in zip(names, sizes, stops, strict=True)
    ]


def _join(values, *shape):
    """Values of stacks, one after the other."""
    return np.concatenate([np.reshape(value, (-1, *shape)) for value in values])


def _bound(balance):
    uniform = balance.uniform_entropy_true + balance.uniform_entropy_pred
    most = np.minimum(balance.entropy_true, balance.uniform_entropy_pred)
    pair = np.stack([2 * most, np.asarray(balance.divergence_true)], axis=-1)
    with np.errstate(invalid="ignore"):
        return np.divide(pair, uniform)
