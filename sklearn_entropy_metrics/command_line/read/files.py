"""Files → predictions: tables with names."""

import re
from argparse import Namespace
from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from sklearn_entropy_metrics.balance.smooth import Smoothing, smoothed_table
from sklearn_entropy_metrics.command_line.messages import Progress, file_name, tell
from sklearn_entropy_metrics.command_line.read.blocks import Block, Columns, by_group
from sklearn_entropy_metrics.command_line.read.csv_files import read_csv
from sklearn_entropy_metrics.command_line.read.doubts import (
    tell_if_disjoint,
    tell_of_blanks,
    tell_of_numbers,
)
from sklearn_entropy_metrics.command_line.read.matrices import read_matrix
from sklearn_entropy_metrics.command_line.read.parquet_files import (
    is_parquet,
    read_parquet,
)
from sklearn_entropy_metrics.command_line.read.tables import Tables, locate
from sklearn_entropy_metrics.table.checks import Table
from sklearn_entropy_metrics.table.merge import Part
from sklearn_entropy_metrics.table.probabilities import (
    Samples,
    merge_samples,
    soft_table,
)

# Longer ones are names rather than numbers, and slow to convert.
_WHOLE_NUMBER = re.compile("-?[0-9]{1,18}")


class Prediction(NamedTuple):
    """The predictions of a classifier: a table, and its probabilities if known.

    The table of probabilities alone has rows that need not sum to the support.
    """

    name: str
    table: Table
    labels: list[str]
    samples: Samples | None = None
    support: list[float] | None = None
    n_samples: float | None = None  # the effective number, if samples have weights
    group: str = ""
    pred_labels: list[str] | None = None  # if they are not those of the rows

    def smoothed(self, smoothing: Smoothing | None) -> Table:
        """The table, or the shares estimated from it."""
        return smoothed_table(self.table, smoothing, n_samples=self.n_samples)


def read_predictions(
    args: Namespace, *, keep_samples: bool = False
) -> list[Prediction]:
    """Read the predictions that the arguments of a command name.

    Parameters
    ----------
    args : Namespace
        With `files`, `matrix`, `true`, `pred`, `proba`, `labels`, `weights`, `counts`,
        `by`, `delimiter` and `progress`, as checked by `arguments`.

    keep_samples : bool, default=False
        Whether to keep the probabilities of every sample. Tables need little memory,
        regardless of the size of the file.

    Returns
    -------
    predictions : list of Prediction
        One for each matrix or column of predictions, or the one of the probabilities;
        of each group, if there are groups.
    """
    if args.matrix:
        names = _matrix_names(args.files)
        matrices = [read_matrix(file, args.delimiter) for file in args.files]
        return [
            Prediction(name, table, labels, pred_labels=pred_labels)
            for name, (table, labels, pred_labels) in zip(names, matrices, strict=True)
        ]
    groups = read_groups(args, keep_samples=keep_samples)
    return [
        prediction._replace(group=group)
        for group, tables in groups.items()
        for prediction in _predictions(tables, args)
    ]


def named_by_group(predictions: list[Prediction], args: Namespace) -> list[Prediction]:
    """Name predictions by their groups, and by their columns if there are several."""
    if args.by is None:
        return predictions
    if len(args.pred) < 2:
        return [one._replace(name=one.group) for one in predictions]
    return [one._replace(name=f"{one.group}: {one.name}") for one in predictions]


def read_groups(
    args: Namespace, *, keep_samples: bool = False, keep_rows: bool = False
) -> dict[str, Tables]:
    """Read the tables of each group; without groups, all samples are the group "".

    Prints what may be wrong with the file. The parameters are those of
    :func:`read_predictions` and of :class:`Tables`.
    """
    (file,) = args.files
    found: dict[str, Tables] = {}
    with Progress(args.progress) as progress:
        for block in _blocks(file, args, progress):
            for group, part in by_group(block).items():
                if group not in found:
                    sizes = len(args.pred), len(args.proba)
                    found[group] = Tables(args.labels, *sizes, keep_samples, keep_rows)
                try:
                    found[group].add(part)
                except ValueError as error:
                    raise ValueError(locate(found[group], part, file)) from error
    _check_samples(found, args)
    _tell_of_doubts(found, args)
    return {group: found[group] for group in _sorted(found)}


def _matrix_names(files):
    """Names of files without folder and suffix, unless these distinguish them."""
    names = [PurePath(file).stem for file in files]
    return names if len(set(names)) == len(names) else files


def _blocks(file: str, args: Namespace, progress: Progress) -> Iterator[Block]:
    weights = [] if args.weights is None else [args.weights]
    columns = Columns(
        [args.true, *args.pred],
        [*args.proba, *weights],
        counts=args.counts,
        group=args.by,
        classes=None if args.labels is None else frozenset(args.labels),
    )
    if is_parquet(file):
        return read_parquet(file, columns, progress)
    return read_csv(file, args.delimiter, columns, progress)


def _check_samples(groups, args):
    """Raise an error for groups without weight; leave out those without samples."""
    empty = [group for group, tables in groups.items() if tables.n_samples == 0]
    if args.weights is not None and empty:
        where = "" if args.by is None else f" where column {args.by!r} is {empty[0]!r}"
        raise ValueError(
            f"{file_name(args.files[0])}: all weights in column {args.weights!r} are "
            f"zero{where}."
        )
    if len(empty) == len(groups):
        raise ValueError(
            f"{file_name(args.files[0])}: all counts in column {args.counts!r} are "
            "zero."
        )
    for group in empty:
        del groups[group]


def _tell_of_doubts(groups: dict[str, Tables], args: Namespace) -> None:
    (file,) = args.files
    sums = [one.sums for one in groups.values() if one.sums is not None]
    if not all(one.sum_to_one for one in sums):
        tell(
            f"warning: {file_name(file)}: the probabilities of some rows do not sum to "
            "one; they are used as they are."
        )
    if args.by is not None:
        tell_of_blanks(file, args.by, set(groups))
    seen = _seen_labels(groups.values(), args)
    if args.labels is None:  # otherwise they are meant
        for name, labels in seen.items():
            tell_of_blanks(file, name, labels)
    for name in args.pred:
        both = {args.true: seen[args.true], name: seen[name]}
        if args.labels is None:
            tell_of_numbers(file, both)
        tell_if_disjoint(file, both)


def _seen_labels(groups, args):
    """The labels in the columns of true and of predicted labels."""
    seen: dict[str, set[str]] = {name: set() for name in (args.true, *args.pred)}
    for one in groups:
        for name, accumulator in zip(args.pred, one.accumulators, strict=True):
            for column, axis in ((args.true, 1), (name, 0)):
                there = np.asarray(accumulator.table.sum(axis=axis)) > 0
                seen[column].update(accumulator.labels_[there].tolist())
    return seen


def _predictions(tables: Tables, args: Namespace) -> list[Prediction]:
    samples = merge_samples(tables.samples) if tables.samples else None
    size = tables.effective_size
    if tables.sums is not None and not tables.accumulators:
        soft = soft_table(tables.sums)
        given = soft.table, args.labels, samples, soft.class_weight.tolist(), size
        return [Prediction("probabilities", *given)]
    parts = tables.parts()
    if args.labels is None:
        parts = list(map(_in_order, parts))
    return [
        Prediction(name, part.table, part.labels.tolist(), samples, n_samples=size)
        for name, part in zip(args.pred, parts, strict=True)
    ]


def _in_order(part):
    """The table with its labels in order: by value if all are whole numbers."""
    place = {label: i for i, label in enumerate(part.labels.tolist())}
    order = [place[label] for label in _sorted(place)]
    if order == sorted(order):
        return part
    labels = part.labels[order]
    return Part(part.table[order][:, order], labels, None, part.n_samples)


def _sorted(labels):
    """Labels in order, by value if all are whole numbers."""
    labels = sorted(labels)
    if all(map(_WHOLE_NUMBER.fullmatch, labels)):
        labels.sort(key=int)
    return labels
