"""The occupied cells of a table → tables of resampled samples → values of a metric.

Samples that share a cell are alike, so that numbers are drawn for cells and never for
samples. A few resamples are held at a time.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse as sp
from sklearn.utils import check_random_state

from sklearn_entropy_metrics.decompose import EntropyBalance
from sklearn_entropy_metrics.measure.catalog import MEASURES
from sklearn_entropy_metrics.tabulate import Table, Tabulated, check_weight, tabulate

# Cells of resampled tables that are held at a time.
_CHUNK = 1 << 20

Metric = Callable[[Any], Any]


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
        """How many samples each cell stands for."""
        return self.values if self.are_counts else self.values / self.unit


def occupied_cells(table: Table) -> Cells:
    """The cells of a checked table that are not zero.

    Whole numbers are counts. Other tables are sums of weights; how many samples they
    stand for is not known, and a weight of 1 is taken for one sample.
    """
    rows, columns = table.nonzero()
    values = np.asarray(table[rows, columns]).ravel()
    total = values.sum(dtype=np.float64)
    if total >= 2.0**63:
        raise ValueError(f"The table has too many samples to be resampled: {total}.")
    are_counts = not np.any(values % 1)
    if not are_counts and total < 1 + 1e-6:
        raise ValueError(
            "Probabilities do not tell how many samples there were, and so not how "
            f"uncertain they are; give counts. Got a table that sums to {total}."
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
    y_true: Any, y_pred: Any, *, sample_weight: Any, **options: Any
) -> tuple[Tabulated, Cells]:
    """Tabulate labels and take the occupied cells.

    A cell in which weights w sum to W stands for W² / Σw² samples of equal weight: its
    mean and its variance under resampling are those of its samples. The parameters are
    those of :func:`tabulate`.
    """
    weight = check_weight(sample_weight)
    found = tabulate(y_true, y_pred, sample_weight=weight, **options)
    table: Any = found.table
    if weight is None:
        return found, occupied_cells(table)
    rows, columns = table.nonzero()
    values = np.asarray(table[rows, columns]).ravel()
    largest = weight.max()
    squares: Any = tabulate(
        y_true,
        y_pred,
        labels=found.labels,
        pred_labels=found.pred_labels,
        sample_weight=(weight / largest) ** 2,
    ).table
    square = np.asarray(squares[rows, columns]).ravel()
    # The square of a tiny weight may vanish; then the cell is one sample.
    unit = np.where(square > 0, largest * (square / (values / largest)), values)
    shape, is_sparse = table.shape, sp.issparse(table)
    return found, Cells(values, unit, rows, (columns,), shape, is_sparse)


def make_generator(random_state: Any) -> np.random.Generator:
    """A generator that is seeded as scikit-learn seeds."""
    seed = check_random_state(random_state).randint(0, 2**32, size=4, dtype=np.uint32)
    return np.random.default_rng(seed)


def resample(
    cells: Cells, n_resamples: int, stratify: bool, generator: np.random.Generator
) -> Iterator[np.ndarray]:
    """Draw values of the cells, in chunks of shape (n, n_cells).

    Of counts as many samples as there are; of weights a Poisson number of samples (at
    least one), which makes the cells independent, scaled to the same total. With
    `stratify` so within each row. The draws do not depend on the size of the chunks.
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
    weight = cells.values[group].sum(axis=1) / drawn.sum(axis=-1)
    return drawn * weight[..., None]


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


def evaluate(cells: Cells, metric: Metric, drawn: np.ndarray) -> np.ndarray:
    """Values of the metric for each classifier, shape (n_classifiers, n)."""
    if not cells.is_sparse:
        return np.stack(
            [metric(stack_tables(cells, column, drawn)) for column in cells.columns]
        )
    return np.array(
        [
            [float(metric(_sparse_table(cells, column, one))) for one in drawn]
            for column in cells.columns
        ]
    )


def _sparse_table(cells, columns, drawn):
    occupied = drawn > 0
    place = cells.rows[occupied], columns[occupied]
    return sp.coo_array((drawn[occupied], place), cells.shape).tocsr()


def find_metric(metric: str | Metric, cells: Cells) -> Metric:
    """The function of tables that a user names or gives."""
    if callable(metric):
        return _checked(metric)
    by_scoring = {measure.scoring: measure for measure in MEASURES.values()}
    names = by_scoring | MEASURES
    if not isinstance(metric, str) or metric not in names:
        raise ValueError(
            f"metric must be a function of tables, a scoring string or one of "
            f"{', '.join(MEASURES)}. Got {metric!r}."
        )
    found = names[metric]
    if found.input == "probabilities":
        raise ValueError(
            f"{metric!r} is a metric of probabilities, which a table of labels does "
            "not hold: it cannot be resampled."
        )
    if not found.takes(EntropyBalance(np.broadcast_to(0.0, cells.shape))):
        raise ValueError(
            f"{metric!r} needs a {found.input}. Got a table of shape {cells.shape}."
        )
    sign = 1 if metric in MEASURES else found.sign
    return lambda tables: sign * found(EntropyBalance(tables))


def _checked(metric):
    """A function of the user that must return a number for each table."""

    def checked(tables):
        values = np.asarray(metric(tables), dtype=np.float64)
        if values.shape != tables.shape[:-2]:
            raise ValueError(
                "metric must return a number for each table of a stack: an array of "
                f"shape {tables.shape[:-2]} for tables of shape {tables.shape}. Got "
                f"shape {values.shape}."
            )
        return values

    return checked
