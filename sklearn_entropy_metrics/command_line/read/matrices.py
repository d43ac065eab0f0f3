"""A CSV file with a confusion matrix → its table and the names of its classes."""

import math
import re
from itertools import chain

import numpy as np

from sklearn_entropy_metrics.command_line.messages import file_name
from sklearn_entropy_metrics.command_line.read.blocks import fail
from sklearn_entropy_metrics.command_line.read.csv_files import CsvFile, separator_hint
from sklearn_entropy_metrics.command_line.read.numbers import parse_number

_COUNT = re.compile(r"\s*[0-9]{1,18}\s*")


def read_matrix(
    file: str, delimiter: str | None
) -> tuple[np.ndarray, list[str], list[str] | None]:
    """Read a confusion matrix, true classes in rows.

    A first row and a first column of labels are optional.

    Returns
    -------
    table : ndarray of shape (n_classes, n_pred_classes), dtype int64 or float64
        Columns with the labels of the rows are in the order of the rows.

    labels : list of str
        Those of the rows; those of the columns, or numbers, if the rows have none.

    pred_labels : list of str or None
        Those of the columns; None if there are none, or if there are as many as rows,
        so that they stand for the same classes.
    """
    lines, rows = [], []
    with CsvFile(file, delimiter) as opened:
        for row in opened:
            lines.append(opened.line)
            rows.append(row)
        if hint := separator_hint(rows[0], opened.delimiter):
            raise ValueError(f"{file_name(file)}: there is one column only.{hint}")
    columns = labels = None
    has_columns, has_labels = _has_labels(rows)
    if has_columns:
        columns = rows.pop(0)[has_labels:]
        lines.pop(0)
    if has_labels:
        labels = [row.pop(0) for row in rows]
    _check_form(rows, labels, columns, file)
    table = _table(rows, lines, file, first=1 + has_labels)
    if columns is not None and labels is not None:
        table = table[:, _order(labels, columns, file)]
    is_square = table.shape[0] == table.shape[1]
    if labels is None and columns is not None and is_square:
        labels = columns
    pred_labels = None if is_square else columns
    return table, labels or [str(i) for i in range(len(table))], pred_labels


def _has_labels(rows):
    """Whether the first row and whether the first column holds labels.

    Text is a label, a number is a count, unless the cell in the corner is empty or the
    row and the column hold the same.
    """
    (corner, *top), side = rows[0], [row[0] for row in rows[1:]]
    if top and side and not _is_number(corner):
        same = set(top) <= set(side) or set(side) <= set(top)
        if corner == "" or same:
            return True, True
    has_columns = not any(map(_is_number, rows[0]))
    side = side if has_columns else [corner, *side]
    return has_columns, len(rows[0]) > 1 and not any(map(_is_number, side))


def _is_number(cell):
    """Whether Python parses it as a number, even if it is not a valid count."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _check_form(rows, labels, columns, file):
    """Raise for cells that may or may not be labels, and for invalid labels."""
    if not rows:
        raise ValueError(f"{file_name(file)}: there are no rows below the header.")
    side, top = [row[0] for row in rows], rows[0]
    for given, cells, others, what in (
        (labels, side, top, "column"),
        (columns, top, side, "row"),
    ):
        if given is None and len(cells) == len(others) - 1 and _counts_up(cells):
            raise ValueError(
                f"{file_name(file)}: the first {what} may hold labels or counts. If "
                "labels, give labels to rows and columns and leave the cell in the "
                "corner empty; if counts, give labels that are not numbers."
            )
        if given is not None and ("" in given or len(set(given)) < len(given)):
            raise ValueError(
                f"{file_name(file)}: labels must be different, and not empty. The "
                f"first {what} holds {', '.join(map(repr, given))}."
            )


def _counts_up(cells):
    return cells in ([str(i + first) for i in range(len(cells))] for first in (0, 1))


def _table(rows, lines, file, first):
    for row, line in zip(rows, lines, strict=True):
        for column, cell in enumerate(row, start=first):
            value = parse_number(cell, file, line, str(column))
            if not 0 <= value < math.inf:
                problem = f"counts must be non-negative and finite. Got {cell!r}."
                fail(file, f"line {line}", str(column), problem)
    is_count = all(map(_COUNT.fullmatch, chain.from_iterable(rows)))
    table = np.array([list(map(int if is_count else float, row)) for row in rows])
    if not table.any():
        raise ValueError(f"{file_name(file)}: all cells of the matrix are zero.")
    return table


def _order(labels, columns, file):
    """The column of each class, by label if columns and rows have the same labels."""
    if set(labels) == set(columns):
        return [columns.index(label) for label in labels]
    in_place = [i for i, label in enumerate(labels) if label in columns[i : i + 1]]
    if len(labels) == len(columns) and len(in_place) < len(set(labels) & set(columns)):
        raise ValueError(
            f"{file_name(file)}: rows and columns share labels, but not in the same "
            f"places: {labels} and {columns}."
        )
    return list(range(len(columns)))
