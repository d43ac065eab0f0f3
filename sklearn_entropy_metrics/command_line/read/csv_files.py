"""CSV and TSV files, plain or gzipped, and standard input → rows and blocks of rows."""

import csv
import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from operator import itemgetter
from pathlib import PurePath
from typing import Any, Self

import numpy as np

from sklearn_entropy_metrics.command_line.messages import Progress, file_name
from sklearn_entropy_metrics.command_line.read.blocks import (
    Block,
    Columns,
    fail,
    find_columns,
)
from sklearn_entropy_metrics.command_line.read.lines import Lines


class CsvFile:
    """Rows of a file or, if it is called "-", of standard input.

    Iterate to get lists of cells, all of the same length. Blank lines are skipped.

    Parameters
    ----------
    file : str
        Its name.

    delimiter : str or None
        What separates cells. None: comma or, by the name of the file, tab.
    """

    def __init__(self, file: str, delimiter: str | None) -> None:
        self.file = file
        self.delimiter = delimiter or _delimiter(file)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        is_input = self.file == "-"
        raw: Any = sys.stdin.buffer if is_input else open(self.file, "rb")
        if not is_input:
            self._stack.enter_context(raw)
        stream = raw
        if self.file.lower().endswith(".gz"):
            stream = self._stack.enter_context(gzip.open(raw))
        self._raw, self._size = raw, _size(raw)
        self._lines = Lines(stream, self.file)
        self._reader = csv.reader(self._lines, delimiter=self.delimiter, strict=True)
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    @property
    def line(self) -> int:
        """The line where the last row ends."""
        return self._reader.line_num

    @property
    def n_blocks(self) -> int:
        """How many blocks of bytes were read."""
        return self._lines.n_blocks

    @property
    def share(self) -> float | None:
        """Which share of the file was read; None if its size is not known."""
        return self._raw.tell() / self._size if self._size else None

    def __iter__(self) -> Iterator[list[str]]:
        width = None
        try:
            for row in self._reader:
                if len(row) == width:
                    yield row
                elif not row and width != 1:
                    continue
                elif width is None:
                    width = len(row)
                    yield row
                else:
                    self._fail(f"the row has {len(row)} instead of {width} cells.")
        except csv.Error as error:
            self._fail(f"{error}.")
        if width is None:
            raise ValueError(f"{file_name(self.file)}: the file is empty.")

    def _fail(self, problem):
        raise ValueError(f"{file_name(self.file)}, line {self.line}: {problem}")


def read_csv(
    file: str, delimiter: str | None, columns: Columns, progress: Progress
) -> Iterator[Block]:
    """Read the wanted columns of a file with a header, some rows at a time."""
    names = [*columns.labels, *columns.numbers]
    n_rows = 0
    with CsvFile(file, delimiter) as opened:
        rows = iter(opened)
        pick = itemgetter(*find_columns(names, next(rows), file))
        # One flat list: rows that are kept would make work for the garbage collector.
        cells: list[str] = []
        lines: list[int] = []
        n_blocks = opened.n_blocks
        for row in rows:
            cells.extend(pick(row))
            lines.append(opened.line)
            if opened.n_blocks != n_blocks:
                yield _block(cells, lines, columns, file)
                n_blocks, n_rows = opened.n_blocks, n_rows + len(lines)
                progress.show(n_rows, opened.share)
                cells, lines = [], []
    if lines:
        yield _block(cells, lines, columns, file)
    elif n_rows == 0:
        raise ValueError(f"{file_name(file)}: there are no rows below the header.")


def number(cell: str, file: str, line: int, column: str) -> float:
    """The number in a cell, which must be a plain decimal."""
    if _are_plain(cell):
        with suppress(ValueError):
            return float(cell)
    problem = f"{cell!r} is not a number." if cell else "the cell is empty."
    fail(file, f"line {line}", column, problem)


def _are_plain(cells):
    """Whether there is nothing but plain decimals in what Python takes for numbers.

    It also takes digits of other scripts, 1_000, nan and inf.
    """
    return cells.isascii() and not any(character in cells for character in "_nN")


def _block(cells, lines, columns, file):
    names = [*columns.labels, *columns.numbers]
    known: dict[str, str] = {}  # so that equal labels are one object
    labels, numbers = [], []
    for i, name in enumerate(names):
        column = cells[i :: len(names)]
        if "" in column:
            line = lines[column.index("")]
            fail(file, f"line {line}", name, "the cell is empty.")
        if i < len(columns.labels):
            labels.append(list(map(known.setdefault, column, column)))
        else:
            numbers.append(_numbers(column, name, lines, file))
    return Block(labels, numbers, lines, "line")


def _numbers(cells, column, lines, file):
    if _are_plain("".join(cells)):
        with suppress(ValueError):
            return np.fromiter(map(float, cells), np.float64, len(cells))
    # One by one, to tell which of them is wrong.
    places = zip(cells, lines, strict=True)
    return np.array([number(cell, file, line, column) for cell, line in places])


def _delimiter(file):
    suffix = PurePath(file.lower().removesuffix(".gz")).suffix
    return "\t" if suffix in (".tsv", ".tab") else ","


def _size(raw):
    """Bytes of a file; None if they cannot be known beforehand."""
    if not raw.seekable():
        return None
    here = raw.tell()
    size = raw.seek(0, io.SEEK_END)
    raw.seek(here)
    return size
