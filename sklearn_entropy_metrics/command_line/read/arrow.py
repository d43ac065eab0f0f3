"""Text of CSV files → blocks of rows, by pyarrow's reader.

It is many times as fast as that of the standard library, but tells less of what is
wrong, and does not refuse all of it. So it gets lines that are rows and whose quotes
are in place, and leaves any others, and every error, to the other reader.
"""

import csv
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sklearn_entropy_metrics.command_line.read.blocks import (
    Block,
    Columns,
    are_counts,
    make_block,
)
from sklearn_entropy_metrics.command_line.read.numbers import plain_numbers

# Takes text of whole lines and the number of the first; None if it has doubts.
Parser = Callable[[str, int], Block | None]

# More different lines than this share are not worth to be counted.
_MOST_LINES = 0.1
# What separates no cells, so that lines stay whole.
_NOTHING = "\x01"
# A cell of more than 131,072 characters, which the standard library refuses, leaves one
# of two neighbours of this many bytes without the end of a line.
_WINDOW = 1 << 16


def arrow_parser(
    columns: Columns, places: Sequence[int], n_columns: int, delimiter: str
) -> Parser:
    """Make a parser of rows; without pyarrow it has doubts about all of them."""
    try:
        import pyarrow.csv  # noqa: F401
    except ImportError:
        return lambda text, first: None
    if not delimiter.isascii():
        return lambda text, first: None
    return _Parser(columns, places, n_columns, delimiter)


class _Parser:
    def __init__(self, columns, places, n_columns, delimiter):
        self.columns = columns
        self.places = dict(zip(columns.names, places, strict=True))
        self.n_columns = n_columns
        self.delimiter = delimiter
        self.are_lines_alike = not columns.numbers

    def __call__(self, text: str, first: int) -> Block | None:
        data = text.encode()
        n_lines = _count_lines(data)
        if n_lines is None:
            return None
        found = self._by_lines(data, n_lines) if self.are_lines_alike else None
        if found is None and _are_plain(data, self.delimiter):
            found = self._by_columns(data, n_lines)
        if found is None:
            return None
        texts, numbers, counts = found
        if not _are_known(texts, self.columns):
            return None
        places = range(first, first + n_lines)
        return make_block(texts, numbers, counts, places, "line", self.columns)

    def _by_lines(self, data, n_lines):
        """Split each line into cells once, however often it is there."""
        batch = _parse(data, ["0"], ["0"], _NOTHING, is_quoted=False)
        if batch is None or len(batch) != n_lines or _NOTHING.encode() in data:
            return None
        lines, n_rows = batch.column(0).value_counts().flatten()
        if len(lines) > _MOST_LINES * n_lines:
            self.are_lines_alike = False
            return None
        try:
            reader = csv.reader(
                lines.to_pylist(), delimiter=self.delimiter, strict=True
            )
            rows = list(reader)
        except csv.Error:
            return None
        if len(rows) < len(lines) or set(map(len, rows)) != {self.n_columns}:
            return None
        counts = n_rows.to_numpy().astype(np.float64)
        if self.columns.counts is not None:
            place = self.places[self.columns.counts]
            found = plain_numbers([row[place] for row in rows])
            if found is None or not are_counts(found).all():
                return None
            counts = counts * found
        texts = [
            [row[self.places[name]] for row in rows] for name in self.columns.texts
        ]
        return texts, [], counts

    def _by_columns(self, data, n_lines):
        """Split all lines into cells, and count different rows of labels alone."""
        columns, place = self.columns, self.places
        names = list(map(str, range(self.n_columns)))
        wanted = sorted({str(place[name]) for name in columns.names})
        batch = _parse(data, names, wanted, self.delimiter, is_quoted=b'"' in data)
        if batch is None or len(batch) != n_lines:
            return None
        numbers = [_numbers(batch.column(str(place[name]))) for name in columns.numbers]
        counts = np.ones(n_lines)
        if columns.counts is not None:
            counts = _numbers(batch.column(str(place[columns.counts])))
        if any(one is None for one in (*numbers, counts)):
            return None
        if not are_counts(counts).all():
            return None
        keys = [str(place[name]) for name in columns.texts]
        if not numbers:
            texts, counts = _distinct(batch, keys, counts)
            return texts, numbers, counts
        texts = [_texts(batch.column(key)) for key in keys]
        return texts, numbers, None if columns.counts is None else counts


def _parse(data, names, wanted, delimiter, is_quoted) -> Any:
    """Cells as text; None if something is wrong with them."""
    import pyarrow as pa
    from pyarrow import csv

    try:
        with csv.open_csv(
            pa.BufferReader(data),
            csv.ReadOptions(
                use_threads=False, block_size=len(data) + 1, column_names=names
            ),
            csv.ParseOptions(
                delimiter=delimiter, quote_char='"' if is_quoted else False
            ),
            csv.ConvertOptions(
                column_types=dict.fromkeys(wanted, pa.string()),
                include_columns=wanted,
                check_utf8=False,  # it was decoded
            ),
        ) as reader:
            return reader.read_next_batch()
    except (pa.ArrowInvalid, StopIteration):
        return None


def _count_lines(data):
    """The number of lines; None if some have ends of their own."""
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        return None
    n_ends = np.count_nonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return int(n_ends) + (not data.endswith(b"\n"))


def _are_plain(data, delimiter):
    """Whether no cell may be too long, and every one has two quotes or none.

    Quotes open and close in turn. One that opens is at the beginning of a cell and one
    that closes at the end, or both are neighbours and stand for a quote.
    """
    starts = range(0, len(data) - _WINDOW + 1, _WINDOW)
    if any(data.find(b"\n", start, start + _WINDOW) < 0 for start in starts):
        return False
    if b'"' not in data:
        return True
    text = np.frombuffer(b"\n" + data + b"\n", np.uint8)
    quotes = np.flatnonzero(text == ord('"'))
    is_border = np.zeros(256, dtype=bool)
    is_border[list(f'{delimiter}\r\n"'.encode())] = True
    before, after = text[quotes[::2] - 1], text[quotes[1::2] + 1]
    is_closed = len(before) == len(after)
    return bool(is_closed and is_border[before].all() and is_border[after].all())


def _numbers(column):
    """Numbers; None if some may be no plain decimals."""
    import pyarrow as pa

    try:
        numbers = column.cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _texts(column):
    encoded = column.dictionary_encode()
    values = np.array(encoded.dictionary.to_pylist(), dtype=object)
    return values[encoded.indices.to_numpy()].tolist()


def _distinct(batch, keys, counts):
    """The texts of different rows, and how many samples have them."""
    import pyarrow as pa

    names = sorted(set(keys))
    table = pa.Table.from_batches([batch.select(names)])
    table = table.append_column("n", pa.array(counts))
    found = table.group_by(names, use_threads=False).aggregate([("n", "sum")])
    texts = [found.column(key).to_pylist() for key in keys]
    return texts, found.column("n_sum").to_numpy()


def _are_known(texts, columns):
    """Whether no cell is empty, and every label is one of the classes."""
    if any("" in column for column in texts):
        return False
    seen = set().union(*texts[: len(columns.labels)])
    return columns.classes is None or seen <= columns.classes
