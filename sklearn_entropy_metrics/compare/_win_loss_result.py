"""The results of the win-loss-equal protocol, counted from scores."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.stats import rankdata

# Scores that differ by round-off alone are equal.
_DECIMALS = 12


@dataclass(frozen=True, eq=False, repr=False)
class WinLossEqualResult:
    """How often one measure picked a better classifier than another.

    For several arbiters, all arrays have one more leading axis, with an entry for each.

    Attributes
    ----------
    metrics : tuple of str
        Names of the measures that were compared.

    arbiter : str or tuple of str
        Names of the measures that judged the picks.

    n_rounds : int
        Number of rounds.

    wins, losses, ties : ndarray of shape (n_metrics, n_metrics)
        Entry i, j is the share of rounds in which the regret of measure i was smaller
        than, greater than or equal to that of measure j, among the rounds in which both
        are defined. The three sum to 1; NaN if there was no such round.

    regrets : ndarray of shape (n_metrics,)
        How far the picks of each measure fall short of the best candidate according to
        the arbiter: the mean over the rounds in which it is defined. 0 is best.

    ranks : ndarray of shape (n_metrics,)
        Ranks of the regrets. 1 is best; equal regrets share the smaller rank.

    n_undefined : ndarray of shape (n_metrics,)
        Number of rounds without a regret: the measure was undefined on the validation
        part for some candidate, or the arbiter on the test part. These rounds are not
        counted in any pair.
    """

    metrics: tuple[str, ...]
    arbiter: str | tuple[str, ...]
    n_rounds: int
    wins: np.ndarray
    ties: np.ndarray
    regrets: np.ndarray
    ranks: np.ndarray
    n_undefined: np.ndarray

    @classmethod
    def from_scores(
        cls,
        metrics: tuple[str, ...],
        arbiter: str | tuple[str, ...],
        on_validation: np.ndarray,
        on_test: np.ndarray,
    ) -> Self:
        """Count the wins from the scores of all candidates in all rounds.

        Parameters
        ----------
        metrics : tuple of str
            Names of the measures that picked the classifiers.

        arbiter : str or tuple of str
            Names of the measures that judged the picks.

        on_validation : ndarray of shape (n_rounds, n_metrics, n_candidates)
            Scores by the measures on the validation part. Greater is better.

        on_test : ndarray of shape (n_rounds, n_arbiters, n_candidates)
            Scores by the arbiters on the test part.

        Returns
        -------
        result : WinLossEqualResult
        """
        arrays = _count(_find_regrets(on_validation, on_test))
        if isinstance(arbiter, str):
            arrays = {name: array[0] for name, array in arrays.items()}
        return cls(metrics, arbiter, len(on_test), **arrays)

    @property
    def losses(self) -> np.ndarray:
        return np.swapaxes(self.wins, -1, -2)

    @property
    def arbiters(self) -> tuple[str, ...]:
        """The names of the arbiters, even if there is only one."""
        return (self.arbiter,) if isinstance(self.arbiter, str) else self.arbiter

    def to_dict(self) -> dict[str, np.ndarray]:
        """Return all numbers as columns, with a row per arbiter and pair of measures.

        Returns
        -------
        columns : dict of str to ndarray
            Names of the arbiter, the metric and its opponent; wins, losses and ties of
            the metric; regret, rank and n_undefined of the metric.
        """
        n_metrics = len(self.metrics)
        shape = (len(self.arbiters), n_metrics, n_metrics)
        arbiter, metric, opponent = np.indices(shape).reshape(3, -1)
        names = np.array(self.metrics)
        single = arbiter * n_metrics + metric
        return {
            "arbiter": np.array(self.arbiters)[arbiter],
            "metric": names[metric],
            "opponent": names[opponent],
            "wins": self.wins.ravel(),
            "losses": self.losses.ravel(),
            "ties": self.ties.ravel(),
            "regret": self.regrets.ravel()[single],
            "rank": self.ranks.ravel()[single],
            "n_undefined": self.n_undefined.ravel()[single],
        }

    def to_frame(self) -> Any:
        """Return :meth:`to_dict` as a data frame; needs pandas.

        Returns
        -------
        frame : pandas.DataFrame
        """
        import pandas as pd

        return pd.DataFrame(self.to_dict())

    def __repr__(self) -> str:
        names = [f"[{place}] {name}" for place, name in enumerate(self.metrics, 1)]
        width = max(map(len, names))
        heads = ["rank", "regret", "undefined", "wins over"]
        heads += [name.split()[0] for name in names]
        lines = [f"{type(self).__name__} of {self.n_rounds} rounds"]
        columns = (self.ranks, self.regrets, self.n_undefined, self.wins)
        shape = (len(self.arbiters), len(names), -1)
        tables = np.concatenate([column.reshape(shape) for column in columns], axis=-1)
        for arbiter, rows in zip(self.arbiters, tables, strict=True):
            lines += ["", f"arbiter: {arbiter}", _line("", width, heads)]
            for name, (rank, regret, n_undefined, *wins) in zip(
                names, rows, strict=True
            ):
                cells = [f"{rank:.0f}", f"{regret:.2g}", f"{n_undefined:.0f}", ""]
                lines.append(_line(name, width, cells + [f"{x:.3f}" for x in wins]))
        return "\n".join(lines)


def _line(name, width, cells):
    widths = (6, 10, 11, 11, *[7] * len(cells))
    cells = [f"{cell:>{size}}" for cell, size in zip(cells, widths, strict=False)]
    return f"{name:<{width}}" + "".join(cells)


def _find_regrets(on_validation, on_test):
    """How far the picks of each measure fall short, according to each arbiter.

    From scores of shapes (n_rounds, n_metrics, n_candidates) and (n_rounds, n_arbiters,
    n_candidates); the result has the shape (n_rounds, n_arbiters, n_metrics).
    """
    on_validation = np.round(on_validation, _DECIMALS)
    on_test = np.round(on_test, _DECIMALS)
    picks = on_validation.argmax(axis=-1)  # the first of the best
    gaps = on_test.max(axis=-1, keepdims=True) - on_test
    regrets = np.take_along_axis(gaps, picks[:, None], axis=-1)
    is_undefined = np.isnan(on_validation).any(axis=-1)
    return np.where(is_undefined[:, None], np.nan, regrets)


def _count(regrets):
    """The arrays of a result, from `_find_regrets`."""
    ahead = regrets[..., None, :] - regrets[..., None]
    n_both = (~np.isnan(ahead)).sum(axis=0)
    n_undefined = np.isnan(regrets).sum(axis=0)
    with np.errstate(invalid="ignore"):  # NaN where there was no round
        means = np.nansum(regrets, axis=0) / (len(regrets) - n_undefined)
        return {
            "wins": (ahead > 0).sum(axis=0) / n_both,
            "ties": (ahead == 0).sum(axis=0) / n_both,
            "regrets": means,
            "ranks": rankdata(means, method="min", axis=-1, nan_policy="omit") * 1.0,
            "n_undefined": n_undefined,
        }
