"""Samples that several models predicted → what resamples and exchanges give.

Samples with the same true class and the same predictions are alike, and so numbers are
drawn for the kinds of samples, never for the samples. Samples that belong together are
drawn together.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.compare._progress import telling

# Numbers that are held at a time.
_CHUNK = 1 << 21

Metric = Callable[[np.ndarray], np.ndarray]


class Units(NamedTuple):
    """What is drawn: kinds of samples, or groups of samples.

    Attributes
    ----------
    number : ndarray of shape (n_units,)
        How many of the kind there are.

    tables : list of csr_array of shape (n_units, k * m)
        For each model, the table of one of them.

    shape : (int, int)
        The shape of the tables.
    """

    number: np.ndarray
    tables: list[sp.csr_array]
    shape: tuple[int, int]

    def table(self, model: int) -> np.ndarray:
        """The table of all samples."""
        return (self.number @ self.tables[model]).reshape(self.shape)

    def chunks(self, n_draws: int) -> Iterator[slice]:
        """Parts of all draws that fit into memory."""
        size = len(self.number) + 2 * len(self.tables) * self.tables[0].shape[1]
        step = max(1, _CHUNK // size)
        for start in range(0, n_draws, step):
            yield slice(start, min(start + step, n_draws))


def find_units(
    true: np.ndarray,
    pred: Sequence[np.ndarray],
    shape: tuple[int, int],
    weight: np.ndarray | None = None,
    groups: np.ndarray | None = None,
) -> Units:
    """Find the kinds of samples, or the groups if there are any.

    Samples of a kind whose weights w sum to W count as W² / Σw² of equal weight.
    """
    weight = np.ones(len(true)) if weight is None else weight / weight.max()
    keep = weight > 0
    true, pred, weight = true[keep], [one[keep] for one in pred], weight[keep]
    weight *= weight.sum() / (weight @ weight)  # a total of effective samples
    unit = _kinds(true, pred, shape[1]) if groups is None else groups[keep]
    total, squares = (np.bincount(unit, w) for w in (weight, weight**2))
    number = np.ones(len(total), dtype=np.int64)
    if groups is None:
        number = np.maximum(np.rint(total**2 / squares), 1).astype(np.int64)
    weight = weight / number[unit]
    size = len(number), shape[0] * shape[1]
    places = (true.astype(np.int64) * shape[1] + one for one in pred)
    tables = [sp.csr_array((weight, (unit, place)), size) for place in places]
    return Units(number, tables, shape)


def _kinds(true, pred, n_columns):
    """Number samples by their true class and all predictions."""
    kind = true
    for one in pred:
        code = kind.astype(np.int64) * n_columns + one
        kind = np.unique(code, return_inverse=True)[1]
    return kind


def resampled_values(
    units: Units, metric: Metric, n_draws: int, generator: np.random.Generator
) -> np.ndarray:
    """Values of the metric in resamples, shape (n_models, n_draws)."""
    total = units.number.sum()
    values = np.empty((len(units.tables), n_draws))
    for part in units.chunks(n_draws):
        size = part.stop - part.start
        drawn = generator.multinomial(total, units.number / total, size)
        for model, table in enumerate(units.tables):
            values[model, part] = metric((drawn @ table).reshape(-1, *units.shape))
    return values


def exchanged_differences(
    units: Units,
    metric: Metric,
    pairs: Sequence[tuple[int, int]],
    n_draws: int,
    generator: np.random.Generator,
    verbose: int = 0,
) -> np.ndarray:
    """Differences after random exchanges of predictions, shape (n_pairs, n_draws).

    Which samples are exchanged is drawn once for all pairs.
    """
    differences = np.empty((len(pairs), n_draws))
    steps = list(product(units.chunks(n_draws), enumerate(pairs)))
    moved: list[np.ndarray] = []
    kept: list[np.ndarray] = []
    shown = telling(steps, len(steps), "compare_models", "pairs", verbose)
    for part, (pair, (a, b)) in shown:
        if pair == 0:
            drawn = generator.binomial(
                units.number, 0.5, (part.stop - part.start, len(units.number))
            )
            # Two sums, not one and the rest of the total: none is negative.
            moved, kept = (
                [(some @ table).reshape(-1, *units.shape) for table in units.tables]
                for some in (drawn, units.number - drawn)
            )
        first, second = kept[a] + moved[b], kept[b] + moved[a]
        differences[pair, part] = metric(first) - metric(second)
    return differences
