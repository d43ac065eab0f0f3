"""The occupied cells of a table → tables of resampled samples.

Samples that share a cell are interchangeable, so numbers are drawn for cells, never for
samples.
"""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from sklearn_entropy_metrics.table.checks import Table


def make_generator(random_state: Any) -> np.random.Generator:
    """A generator that is seeded as scikit-learn seeds."""
    seed = check_random_state(random_state).randint(0, 2**32, size=4, dtype=np.uint32)
    return np.random.default_rng(seed)


def resample(
    table: Table, n_resamples: int, stratify: bool, generator: np.random.Generator
) -> np.ndarray:
    """Draw tables of as many samples, shape (n_resamples, k, m).

    Whole numbers are counts, which are resampled at the same size; other tables are
    sums of weights, of which 1 counts as a sample: a Poisson number of samples (at
    least one) is drawn and scaled to the same total. With `stratify`, this is done
    within each row.
    """
    rows, columns = table.nonzero()
    values = np.asarray(table[rows, columns]).ravel()
    total = values.sum(dtype=np.float64)
    are_counts = not np.any(values % 1)
    if total >= 2.0**63:
        raise ValueError(f"The table has too many samples to be resampled: {total}.")
    if not are_counts and total < 1 + 1e-6:
        raise ValueError(
            "Probabilities do not say how many samples there were, and so not how "
            f"uncertain they are; pass counts. Got a table that sums to {total}."
        )
    values = values.astype(np.int64) if are_counts else values
    stack = np.zeros((n_resamples, *table.shape), dtype=values.dtype)
    for part in _parts(rows if stratify else np.zeros_like(rows)):
        drawn = _draw(values[part], n_resamples, *generator.spawn(2))
        stack[:, rows[part], columns[part]] = drawn
    return stack


def _parts(rows):
    """Places of the cells of each row, in matrices of rows with equally many cells."""
    order = np.argsort(rows, kind="stable")
    _, first, size = np.unique(rows[order], return_index=True, return_counts=True)
    return [
        order[first[size == length][:, None] + np.arange(length)]
        for length in np.unique(size)
    ]


def _draw(values, n_resamples, generator, generator_of_totals):
    """Draw cells from each row of values, shape (n_resamples, n_rows, n_cells)."""
    total = values.sum(axis=1)
    shares, shape = values / total[:, None], (n_resamples, len(total))
    if values.dtype.kind == "i":
        return generator.multinomial(total, shares, shape)
    number = np.maximum(generator_of_totals.poisson(total, shape), 1)
    drawn = generator.multinomial(number, shares, shape)
    return drawn / number[..., None] * total[:, None]
