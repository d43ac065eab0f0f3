"""Blocks of rows → the tables of all predictions in them."""

import warnings
from bisect import bisect_left
from collections import Counter
from typing import Any

import numpy as np

from sklearn_entropy_metrics.command_line.messages import file_name
from sklearn_entropy_metrics.command_line.read.blocks import MOST_SAMPLES, Block
from sklearn_entropy_metrics.table.accumulate import TableAccumulator
from sklearn_entropy_metrics.table.checks import check_memory
from sklearn_entropy_metrics.table.merge import Part, align
from sklearn_entropy_metrics.table.probabilities import (
    Samples,
    Sums,
    check_samples,
    merge_sums,
    sum_probabilities,
)


class Tables:
    """The tables of what was read so far.

    Parameters
    ----------
    labels : list of str or None
        The classes; None: those of the true labels and of each prediction.

    n_pred, n_proba : int
        Numbers of the columns of predictions and of probabilities.

    keep_samples : bool
        Whether to keep the probabilities of every sample.

    keep_rows : bool
        Whether to keep all different rows of labels and weights, and how many samples
        each stands for.
    """

    def __init__(
        self,
        labels: list[str] | None,
        n_pred: int,
        n_proba: int,
        keep_samples: bool = False,
        keep_rows: bool = False,
    ) -> None:
        self.labels = labels
        self.n_proba = n_proba
        self.n_samples = 0  # without blocks of zero weight
        self.accumulators = [TableAccumulator(labels=labels) for _ in range(n_pred)]
        self.sums: Sums | None = None
        self.samples: list[Samples] = []
        self.rows: Counter[tuple[Any, ...]] = Counter()
        self._is_weighted = False
        self._keep_samples, self._keep_rows = keep_samples, keep_rows

    @property
    def effective_size(self) -> float | None:
        """The equivalent number of samples of equal weight; None without weights."""
        if not self._is_weighted:
            return None
        if self.accumulators:
            return self.accumulators[0].effective_size
        return None if self.sums is None else self.sums.part.size

    def parts(self) -> list[Part]:
        """The table of each prediction, with its own classes."""
        parts = [_part(one, self.n_samples) for one in self.accumulators]
        return parts if self._is_weighted else list(map(_counted, parts))

    def add(self, block: Block) -> None:
        """Add some rows."""
        y_true, *y_preds = block.labels
        proba, weights = block.numbers[: self.n_proba], block.numbers[self.n_proba :]
        weight = weights[0] if weights else block.counts
        for accumulator, y_pred in zip(self.accumulators, y_preds, strict=True):
            accumulator.update(y_true, y_pred, sample_weight=weight)
        if proba:
            y_proba = proba[0] if len(proba) == 1 else np.column_stack(proba)
            self._add_probabilities(y_true, y_proba, block.counts, weights)
        if self._keep_rows:
            self._add_rows([*block.labels, *weights], block.counts)
        self._is_weighted = bool(weights)
        if block.counts is not None:
            self.n_samples += int(block.counts.sum())
        elif weight is None or weight.any():
            self.n_samples += len(y_true)

    def _add_probabilities(self, y_true, y_proba, counts, weights):
        if counts is not None:
            y_true, y_proba = _written_out(y_true, y_proba, counts)
        given = {
            "labels": self.labels,
            "sample_weight": weights[0] if weights else None,
        }
        sums = sum_probabilities(y_true, y_proba, **given)
        if sums is None:  # all weigh nothing
            return
        self.sums = sums if self.sums is None else merge_sums([self.sums, sums])
        if self._keep_samples:
            with warnings.catch_warnings(action="ignore"):  # warned of once
                self.samples.append(check_samples(y_true, y_proba, **given))

    def _add_rows(self, columns, counts):
        rows = zip(*columns, strict=True)
        if counts is None:
            self.rows.update(rows)
            return
        for row, count in zip(rows, counts.astype(np.int64).tolist(), strict=True):
            self.rows[row] += count


def locate(read: Tables, block: Block, file: str) -> str:
    """Find what is wrong with a block, and in which row.

    The shortest beginning of the block that is wrong ends with that row.
    """

    def problem(n_rows):
        fresh = Tables(read.labels, len(read.accumulators), read.n_proba)
        try:
            fresh.add(block.rows(range(n_rows)))
        except ValueError as error:
            return str(error)
        return ""

    row = bisect_left(range(1, len(block.places)), True, key=lambda n: bool(problem(n)))
    cells = [repr(column[row]) for column in block.labels]
    cells += [f"{column[row]:g}" for column in block.numbers]
    return (
        f"{file_name(file)}, {block.unit} {block.places[row]} ({', '.join(cells)}): "
        + problem(row + 1)
    )


def _written_out(y_true, y_proba, counts):
    """Repeat each row as often as its count says."""
    check_memory(
        8 * counts.sum() * (1 if y_proba.ndim == 1 else y_proba.shape[1]),
        "The probabilities of all samples",
        "report on --pred alone",
    )
    rows = np.repeat(np.arange(len(y_true)), counts.astype(np.int64))
    return [y_true[row] for row in rows.tolist()], y_proba[rows]


def _part(accumulator, n_samples):
    return Part(accumulator.table, accumulator.labels_, None, n_samples)


def _counted(part):
    """A table of whole numbers, sparse only if that of single rows would be."""
    total = part.table.sum(dtype=np.float64)
    if total >= MOST_SAMPLES:
        raise ValueError(
            f"there are too many samples: counts must sum to less than 2**53, got "
            f"{total:.17g} instead."
        )
    (whole,) = align([part._replace(table=part.table.astype(np.int64))])
    return whole
