"""Files → predictions: tables with names."""

import re
import warnings
from argparse import Namespace
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from sklearn_entropy_metrics.balance.smooth import Smoothing, smoothed_table
from sklearn_entropy_metrics.command_line.messages import Progress, file_name, tell
from sklearn_entropy_metrics.command_line.read.blocks import Block, Columns
from sklearn_entropy_metrics.command_line.read.csv_files import read_csv
from sklearn_entropy_metrics.command_line.read.matrices import read_matrix
from sklearn_entropy_metrics.command_line.read.parquet_files import (
    is_parquet,
    read_parquet,
)
from sklearn_entropy_metrics.table.accumulate import TableAccumulator
from sklearn_entropy_metrics.table.checks import Table
from sklearn_entropy_metrics.table.merge import Part, align
from sklearn_entropy_metrics.table.probabilities import (
    Samples,
    Sums,
    check_samples,
    merge_samples,
    merge_sums,
    soft_table,
    sum_probabilities,
)

# Longer ones are names rather than numbers, and slow to convert.
_WHOLE_NUMBER = re.compile("-?[0-9]{1,18}")


class Prediction(NamedTuple):
    """What a classifier predicted: a table, and its probabilities if they are known.

    The table of probabilities alone has rows that need not sum to the support.
    """

    name: str
    table: Table
    labels: list[str]
    samples: Samples | None = None
    support: list[float] | None = None
    n_samples: float | None = None  # the effective number, if samples have weights

    def smoothed(self, smoothing: Smoothing | None) -> Table:
        """The table, or the shares that are estimated from it."""
        return smoothed_table(self.table, smoothing, n_samples=self.n_samples)


def read_predictions(
    args: Namespace, *, keep_samples: bool = False
) -> list[Prediction]:
    """Read what the arguments of a command name.

    Parameters
    ----------
    args : Namespace
        With `files`, `matrix`, `true`, `pred`, `proba`, `labels`, `weights`,
        `delimiter` and `progress`, as checked by `arguments`.

    keep_samples : bool, default=False
        Whether to keep the probabilities of every sample. Tables need little memory,
        whatever the size of the file.

    Returns
    -------
    predictions : list of Prediction
        One for each matrix or column of predictions, or the one of the probabilities.
    """
    if args.matrix:
        names = _matrix_names(args.files)
        return [
            Prediction(name, *read_matrix(file, args.delimiter))
            for name, file in zip(names, args.files, strict=True)
        ]
    (file,) = args.files
    read = _Reading(args.labels, len(args.pred), len(args.proba), keep_samples)
    with Progress(args.progress) as progress:
        for block in _blocks(file, args, progress):
            try:
                read.add(block)
            except ValueError as error:
                raise ValueError(_located(read, block, file)) from error
    if read.n_samples == 0:
        raise ValueError(
            f"{file_name(file)}: all weights in column {args.weights!r} are zero."
        )
    if read.sums is not None and not read.sums.sum_to_one:
        tell(
            f"warning: {file_name(file)}: the probabilities of some rows do not sum to "
            "one; they are used as they are."
        )
    return _predictions(read, args)


def _matrix_names(files):
    """Names of files without folder and suffix, unless these tell them apart."""
    names = [PurePath(file).stem for file in files]
    return names if len(set(names)) == len(names) else files


def _blocks(file: str, args: Namespace, progress: Progress) -> Iterator[Block]:
    weights = [] if args.weights is None else [args.weights]
    columns = Columns([args.true, *args.pred], [*args.proba, *weights])
    if is_parquet(file):
        return read_parquet(file, columns, progress)
    return read_csv(file, args.delimiter, columns, progress)


class _Reading:
    """The tables of what was read so far."""

    def __init__(
        self, labels: list[str] | None, n_pred: int, n_proba: int, keep_samples: bool
    ) -> None:
        self.labels = labels
        self.keep_samples = keep_samples
        self.samples: list[Samples] = []
        self.n_proba = n_proba
        self.n_samples = 0  # without blocks of zero weight
        self.accumulators = [TableAccumulator(labels=labels) for _ in range(n_pred)]
        self.sums: Sums | None = None

    @property
    def effective_size(self) -> float | None:
        """How many samples of equal weight tell as much; None if it is not known."""
        if self.accumulators:
            return self.accumulators[0].effective_size
        return None if self.sums is None else self.sums.part.size

    def add(self, block: Block) -> None:
        y_true, *y_preds = block.labels
        proba, weights = block.numbers[: self.n_proba], block.numbers[self.n_proba :]
        weight = weights[0] if weights else None
        for accumulator, y_pred in zip(self.accumulators, y_preds, strict=True):
            accumulator.update(y_true, y_pred, sample_weight=weight)
        if proba:
            y_proba = proba[0] if len(proba) == 1 else np.column_stack(proba)
            self._add_probabilities(y_true, y_proba, weight)
        if weight is None or weight.any():
            self.n_samples += len(y_true)

    def _add_probabilities(self, y_true, y_proba, weight):
        given = {"labels": self.labels, "sample_weight": weight}
        sums = sum_probabilities(y_true, y_proba, **given)
        if sums is None:  # all weigh nothing
            return
        self.sums = sums if self.sums is None else merge_sums([self.sums, sums])
        if self.keep_samples:
            with warnings.catch_warnings(action="ignore"):  # sums are told of once
                self.samples.append(check_samples(y_true, y_proba, **given))


def _located(read: _Reading, block: Block, file: str) -> str:
    """What is wrong with a block, and in which row.

    The shortest beginning of the block that is wrong ends with that row.
    """

    def problem(n_rows):
        labels = [column[:n_rows] for column in block.labels]
        numbers = [column[:n_rows] for column in block.numbers]
        fresh = _Reading(read.labels, len(read.accumulators), read.n_proba, False)
        try:
            fresh.add(block._replace(labels=labels, numbers=numbers))
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


def _predictions(read: _Reading, args: Namespace) -> list[Prediction]:
    samples = merge_samples(read.samples) if read.samples else None
    size = None if args.weights is None else read.effective_size
    if read.sums is not None and not read.accumulators:
        soft = soft_table(read.sums)
        given = soft.table, args.labels, samples, soft.class_weight.tolist(), size
        return [Prediction("probabilities", *given)]
    parts = [
        Part(one.table, one.labels_, None, read.n_samples) for one in read.accumulators
    ]
    if args.labels is None:
        parts = _with_all_labels(parts)
    return [
        Prediction(name, part.table, part.labels.tolist(), samples, n_samples=size)
        for name, part in zip(args.pred, parts, strict=True)
    ]


def _with_all_labels(parts):
    """Tables with the labels of all of them, so that they can be compared.

    The labels are sorted, by value if all are whole numbers.
    """
    parts = align(parts)
    labels = parts[0].labels
    if not all(map(_WHOLE_NUMBER.fullmatch, labels)):
        return parts
    order = np.argsort([int(label) for label in labels], kind="stable")
    return [
        Part(part.table[order][:, order], labels[order], None, part.n_samples)
        for part in parts
    ]
