"""CSV and TSV files, plain or gzipped, and standard input → rows and blocks of rows."""

import csv
import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from operator import itemgetter
from pathlib import PurePath
from typing import Any, Self

from sklearn_entropy_metrics.command_line.messages import Progress, file_name, tell
from sklearn_entropy_metrics.command_line.read.arrow import Parser, arrow_parser
from sklearn_entropy_metrics.command_line.read.blocks import (
    Block,
    Columns,
    check_counts,
    fail,
    find_columns,
    make_block,
)
from sklearn_entropy_metrics.command_line.read.lines import Lines
from sklearn_entropy_metrics.command_line.read.numbers import parse_numbers


class CsvFile:
    """Rows of a file or, if it is called "-", of standard input.

    Iterate to get lists of cells, all of the same length. Blank lines are skipped.

    Parameters
    ----------
    file : str
        Its name.

    delimiter : str or None
        The separator of cells. None: comma or, depending on the file name, tab.
    """

    def __init__(self, file: str, delimiter: str | None) -> None:
        self.file = file
        self.delimiter = delimiter or _delimiter(file)
        self._stack = ExitStack()
        self._n_parsed = 0  # lines that did not pass through the reader

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
        return self._n_parsed + self._reader.line_num

    @property
    def is_between_blocks(self) -> bool:
        """Whether the last row was the last one of a block of bytes."""
        return self._lines.is_between_blocks

    def parsed(self, parse: Parser) -> Block | None:
        """The rest of a block of bytes, or the next one, if it can be parsed.

        If not, it must still be read by iteration.
        """
        text = self._lines.take()
        block = parse(text, self.line + 1) if text else None
        if block is None:
            self._lines.put_back(text)
        else:
            self._n_parsed += len(block.places)
            self._lines.count(len(block.places))
        return block

    @property
    def share(self) -> float | None:
        """The share of the file that was read; None if its size is unknown."""
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
    """Read the wanted columns of a file with a header, some rows at a time.

    Blocks are parsed by pyarrow if it is installed and can handle them.
    """
    n_rows = 0
    with CsvFile(file, delimiter) as opened:
        rows = iter(opened)
        header = next(rows)
        hint = separator_hint(header, opened.delimiter)
        places = find_columns(columns.names, header, file, hint)
        if hint:
            tell(f"warning: {file_name(file)}: there is one column only.{hint}")
        parse = arrow_parser(columns, places, len(header), opened.delimiter)
        pick = itemgetter(*places)
        while block := opened.parsed(parse) or _next_block(opened, rows, pick, columns):
            yield block
            n_rows += len(block.places)
            progress.show(n_rows, opened.share)
    if n_rows == 0:
        raise ValueError(f"{file_name(file)}: there are no rows below the header.")


def separator_hint(header: list[str], delimiter: str) -> str:
    """A hint if a first row of one cell contains another separator."""
    if len(header) > 1:
        return ""
    found = [other for other in ",;\t|" if other != delimiter and other in header[0]]
    if not found:
        return ""
    likely = max(found, key=header[0].count)
    name = "tab" if likely == "\t" else likely
    return f" Cells seem to be separated by {likely!r}: try --delimiter {name!r}."


def _next_block(opened, rows, pick, columns):
    """Rows of about as many bytes as are read at a time; None at the end."""
    # One flat list: rows that are kept would make work for the garbage collector.
    cells: list[str] = []
    lines: list[int] = []
    for row in rows:
        cells.extend(pick(row))
        lines.append(opened.line)
        if opened.is_between_blocks:
            break
    return _block(cells, lines, columns, opened.file) if lines else None


def _block(cells, lines, columns, file):
    names = columns.names
    known: dict[str, str] = {}  # so that equal labels are one object
    texts, found = [], []
    for i, name in enumerate(names):
        column = cells[i :: len(names)]
        if "" in column:
            line = lines[column.index("")]
            fail(file, f"line {line}", name, "the cell is empty.")
        if i < len(columns.texts):
            texts.append(list(map(known.setdefault, column, column)))
        else:
            found.append(parse_numbers(column, file, lines, name))
    counts = None if columns.counts is None else found.pop()
    block = make_block(texts, found, counts, lines, "line", columns)
    return check_counts(block, columns, file)


def _delimiter(file):
    suffix = PurePath(file.lower().removesuffix(".gz")).suffix
    return "\t" if suffix in (".tsv", ".tab") else ","


def _size(raw):
    """Bytes of a file; None if unknown."""
    if not raw.seekable():
        return None
    here = raw.tell()
    size = raw.seek(0, io.SEEK_END)
    raw.seek(here)
    return size
