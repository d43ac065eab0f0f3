"""The occupied cells of a table → tables of resampled samples.

Samples that share a cell are interchangeable, so numbers are drawn for cells, never for
samples. A few resamples are held at a time.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse as sp
from sklearn.utils import check_random_state

from sklearn_entropy_metrics.measure.chosen import Chosen
from sklearn_entropy_metrics.table.checks import Table, check_memory, check_weight
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.given import given_table
from sklearn_entropy_metrics.table.tabulate import tabulate_labels

# Cells of resampled tables that are held at a time.
_CHUNK = 1 << 20
# Arrays of the size of a dense table that are needed at a time.
_ARRAYS = 12


class Cells(NamedTuple):
    """The occupied cells of one table, or of several that count the same samples.

    Attributes
    ----------
    values : ndarray of shape (n_cells,)
        Counts (int64) or sums of weights (float64).

    unit : ndarray of shape (n_cells,)
        What one sample of the cell weighs.

    rows : ndarray of shape (n_cells,)
        The true classes.

    columns : tuple of ndarray of shape (n_cells,)
        The classes predicted by each classifier.

    shape : (int, int)
        The shape of the tables.

    is_sparse : bool
        Whether the tables are too large to be stacked.
    """

    values: np.ndarray
    unit: np.ndarray
    rows: np.ndarray
    columns: tuple[np.ndarray, ...]
    shape: tuple[int, int]
    is_sparse: bool

    @property
    def are_counts(self) -> bool:
        return self.values.dtype.kind == "i"

    @property
    def n_samples(self) -> np.ndarray:
        """The number of samples that each cell stands for."""
        return self.values if self.are_counts else self.values / self.unit


def positive_last(cells: Cells, labels: Any, chosen: Chosen) -> Cells:
    """Put the positive class, 1, last, where it matters which class is positive."""
    if chosen.measure is None or not chosen.measure.needs_positive or labels[0] != 1:
        return cells
    columns = tuple(1 - column for column in cells.columns)
    return cells._replace(rows=1 - cells.rows, columns=columns)


def occupied_cells(table: Table, n_samples: float | None = None) -> Cells:
    """The cells of a checked table that are not zero.

    Whole numbers are counts. Other tables are sums of weights; unless `n_samples` says
    how many samples they stand for, a weight of 1 counts as one sample.
    """
    rows, columns = table.nonzero()
    values = _values(table, rows, columns)
    total = values.sum(dtype=np.float64)
    if total >= 2.0**63:
        raise ValueError(f"The table has too many samples to be resampled: {total}.")
    if n_samples is not None:
        unit = np.full_like(values, total / n_samples)
        return Cells(values, unit, rows, (columns,), table.shape, sp.issparse(table))
    are_counts = not np.any(values % 1)
    if not are_counts and total < 1 + 1e-6:
        raise ValueError(
            "Probabilities do not say how many samples there were, and so not how "
            f"uncertain they are; pass counts. Got a table that sums to {total}."
        )
    values = values.astype(np.int64) if are_counts else values
    return Cells(
        values,
        np.ones_like(values),
        rows,
        (columns,),
        table.shape,
        sp.issparse(table),
    )


def tabulate_cells(
    y_true: Any, y_pred: Any, *, table: Any = None, sample_weight: Any, **options: Any
) -> tuple[ClassTable, Cells]:
    """Tabulate labels, or take a table, and its occupied cells.

    A cell in which weights w sum to W stands for W² / Σw² samples of equal weight: its
    mean and its variance under resampling are those of its samples. The parameters are
    those of :func:`given_table`.
    """
    weight = check_weight(sample_weight)
    given = given_table(y_true, y_pred, table, sample_weight=weight, **options)
    if given.class_weight is not None:
        raise ValueError(
            "`table` must hold counts or weights of samples. Got probabilities, which "
            "do not say how many samples there were, and so not how uncertain they are."
        )
    if weight is None:
        return given, occupied_cells(given.table, given.size)
    rows, columns = given.table.nonzero()
    values = _values(given.table, rows, columns)
    squares = tabulate_labels(
        y_true,
        y_pred,
        labels=given.labels,
        pred_labels=given.pred_labels,
        sample_weight=(weight / weight.max()) ** 2,
    ).table
    unit = weight.max() * _values(squares, rows, columns) / (values / weight.max())
    left = unit > 0  # beside the largest weights some are nothing
    shape, is_sparse = given.table.shape, sp.issparse(given.table)
    return given, Cells(
        values[left], unit[left], rows[left], (columns[left],), shape, is_sparse
    )


def _values(table, rows, columns):
    return np.asarray(table[rows, columns]).ravel()


def make_generator(random_state: Any) -> np.random.Generator:
    """A generator that is seeded as scikit-learn seeds."""
    seed = check_random_state(random_state).randint(0, 2**32, size=4, dtype=np.uint32)
    return np.random.default_rng(seed)


def resample(
    cells: Cells, n_resamples: int, stratify: bool, generator: np.random.Generator
) -> Iterator[np.ndarray]:
    """Draw values of the cells, in chunks of shape (n, n_cells).

    Counts are resampled at the same size; weights by a Poisson number of samples (at
    least one), which makes the cells independent, scaled to the same total. With
    `stratify`, this is done within each row. The draws do not depend on the size of the
    chunks.
    """
    groups = _groups(cells.rows if stratify else np.zeros_like(cells.rows))
    generators = [generator.spawn(2) for _ in groups]
    for size in chunks(cells, n_resamples):
        drawn = np.empty((size, len(cells.values)), dtype=cells.values.dtype)
        for group, pair in zip(groups, generators, strict=True):
            drawn[:, group] = _draw(cells, group, size, *pair)
        yield drawn


def chunks(cells: Cells, n_resamples: int) -> Iterator[int]:
    """Split a number of resamples into parts that fit into memory."""
    n_cells = len(cells.values)
    if not cells.is_sparse:
        n_cells += cells.shape[0] * cells.shape[1]
    most = max(1, _CHUNK // n_cells)
    for start in range(0, n_resamples, most):
        yield min(most, n_resamples - start)


def _groups(rows):
    """Places of the cells of each row, in matrices of rows with equally many cells."""
    order = np.argsort(rows, kind="stable")
    _, first, size = np.unique(rows[order], return_index=True, return_counts=True)
    return [
        order[first[size == length][:, None] + np.arange(length)]
        for length in np.unique(size)
    ]


def _draw(cells, group, size, generator, generator_of_totals):
    """Draw from each row of a group, shape (size, n_rows, n_cells_of_a_row)."""
    n_samples = cells.n_samples[group]
    total = n_samples.sum(axis=1)
    shares = n_samples / total[:, None]
    shape = size, len(total)
    if cells.are_counts:
        return generator.multinomial(total, shares, shape)
    number = np.maximum(generator_of_totals.poisson(total, shape), 1)
    drawn = generator.multinomial(number, shares, shape) * cells.unit[group]
    # Not by one factor: between weights far apart it might overflow.
    shares = drawn / drawn.sum(axis=-1, keepdims=True)
    return shares * cells.values[group].sum(axis=1, keepdims=True)


def stack_tables(cells: Cells, columns: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Put drawn values of the cells into tables, shape (n, k, m)."""
    place = cells.rows * cells.shape[1] + columns
    ones = np.ones(len(place), dtype=drawn.dtype)
    # A row for each drawn cell, with a one at its place in the table.
    put = sp.csr_array(
        (ones, place, np.arange(len(place) + 1)),
        shape=(len(place), cells.shape[0] * cells.shape[1]),
    )
    return np.ascontiguousarray(drawn @ put).reshape(-1, *cells.shape)


def dense_table(cells: Cells, what: str, advice: str) -> np.ndarray:
    """The one table of some cells, if it fits into memory several times."""
    if cells.is_sparse:
        check_memory(
            _ARRAYS * 8 * cells.shape[0] * cells.shape[1],
            f"{what} of a table of shape {cells.shape}",
            advice,
        )
    return stack_tables(cells, cells.columns[0], cells.values[None])[0]
