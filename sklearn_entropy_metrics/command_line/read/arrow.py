"""Text of CSV files → blocks of rows, by pyarrow's reader.

It is many times as fast as that of the standard library, but says less about errors,
and misses some. So it gets only lines that are rows and whose quotes are in place, and
leaves all others, and every error, to the other reader.
"""

import csv
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.command_line.read import quotes
from sklearn_entropy_metrics.command_line.read.blocks import (
    Block,
    Coded,
    Columns,
    are_counts,
    make_block,
)
from sklearn_entropy_metrics.command_line.read.numbers import plain_numbers

# Takes text of whole lines and the number of the first; None if it has doubts.
Parser = Callable[[str, int], Block | None]

# With a larger share of different lines, counting them is not worth it.
_MOST_LINES = 0.1
# What separates no cells, so that lines stay whole; if it does, there are too many.
_NOTHING = "\x01"
# A cell of more than 131,072 characters, which the standard library refuses, leaves one
# of two neighbours of this many bytes without the end of a line.
_WINDOW = 1 << 16


class _Cells(NamedTuple):
    """The wanted cells of some lines.

    Each of `texts` has all rows, or all different rows, whose numbers are in `n_rows`.
    """

    texts: list[Any]
    numbers: list[np.ndarray]
    counts: np.ndarray | None
    n_rows: np.ndarray | None


def arrow_parser(
    columns: Columns, places: Sequence[int], n_columns: int, delimiter: str
) -> Parser:
    """Make a parser of rows; without pyarrow it declines all of them."""
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
        cells = self._by_lines(data, n_lines) if self.are_lines_alike else None
        if cells is None and _are_short(data):
            cells = self._by_columns(data, n_lines)
        if cells is None or not self._are_right(cells):
            return None
        places = range(first, first + n_lines)
        return make_block(
            cells.texts, cells.numbers, cells.counts, places, "line", self.columns
        )

    def _by_lines(self, data, n_lines):
        """Split each distinct line into cells only once."""
        batch = _parse(data, ["0"], ["0"], _NOTHING)
        if batch is None or len(batch) != n_lines:
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
        column = {
            name: [row[place] for row in rows] for name, place in self.places.items()
        }
        counts = n_rows = n_rows.to_numpy().astype(np.float64)
        if self.columns.counts is not None:
            factors = plain_numbers(column[self.columns.counts])
            if factors is None or not are_counts(factors).all():
                return None
            counts = n_rows * factors
        texts = [column[name] for name in self.columns.texts]
        return _Cells(texts, [], counts, n_rows)

    def _by_columns(self, data, n_lines):
        """Split all lines into cells."""
        cells = self._split(data, n_lines, quote=False)
        n_quotes = quotes.count(data)
        if n_quotes == 0:
            return cells
        # Quotes that are in the wanted cells alone are looked at in different ones.
        if cells is not None and cells.n_rows is not None:
            names = self.columns.texts
            found = {  # a column may be wanted twice
                name: quotes.unquoted(text, cells.n_rows)
                for name, text in zip(names, cells.texts, strict=True)
            }
            if sum(number for _, number in found.values()) == n_quotes:
                return cells._replace(texts=[found[name][0] for name in names])
        if not quotes.are_in_place(data, self.delimiter):
            return None
        return self._split(data, n_lines, quote='"')

    def _split(self, data, n_lines, quote):
        names = list(map(str, range(self.n_columns)))
        key = {name: str(place) for name, place in self.places.items()}
        batch = _parse(data, names, sorted(set(key.values())), self.delimiter, quote)
        if batch is None or len(batch) != n_lines:
            return None
        columns = self.columns
        numbers = [_numbers(batch.column(key[name])) for name in columns.numbers]
        counts = None
        if columns.counts is not None:
            numbers.append(_numbers(batch.column(key[columns.counts])))
        if any(one is None for one in numbers):
            return None
        if columns.counts is not None:
            counts = numbers.pop()
            if not are_counts(counts).all():
                return None
        keys = [key[name] for name in columns.texts]
        if numbers:
            texts = [_texts(batch.column(one)) for one in keys]
            return _Cells(texts, numbers, counts, None)
        return _distinct(batch, keys, counts)

    def _are_right(self, cells):
        """Whether no cell is empty, and every label is one of the classes."""
        texts = cells.texts
        if cells.n_rows is None:
            texts = [text.categories for text in texts]
        if any("" in text or None in text for text in texts):
            return False
        seen = set().union(*texts[: len(self.columns.labels)])
        return self.columns.classes is None or seen <= self.columns.classes


def _parse(data, names, wanted, delimiter, quote=False) -> Any:
    """Cells as text; None if something is wrong with them."""
    import pyarrow as pa
    from pyarrow import csv

    try:
        with csv.open_csv(
            pa.BufferReader(data),
            csv.ReadOptions(
                use_threads=False, block_size=len(data) + 1, column_names=names
            ),
            csv.ParseOptions(delimiter=delimiter, quote_char=quote),
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


def _are_short(data):
    """Whether no line is so long that one of its cells may be too long."""
    starts = range(0, len(data) - _WINDOW + 1, _WINDOW)
    return all(data.find(b"\n", start, start + _WINDOW) >= 0 for start in starts)


def _numbers(column):
    """Numbers; None if some may not be plain decimals."""
    import pyarrow as pa

    try:
        numbers = column.cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _texts(column):
    encoded = column.dictionary_encode()
    return Coded(encoded.indices.to_numpy(), encoded.dictionary.to_pylist())


def _distinct(batch, keys, counts):
    """Different rows, and how many rows and samples share each of them."""
    import pyarrow as pa

    names = sorted(set(keys))
    table = pa.Table.from_batches([batch.select(names)])
    how: list[Any] = [([], "count_all")]
    if counts is not None:
        table = table.append_column("n", pa.array(counts))
        how.append(("n", "sum"))
    found = table.group_by(names, use_threads=False).aggregate(how)
    texts = [found.column(key).to_pylist() for key in keys]
    n_rows = found.column("count_all").to_numpy().astype(np.float64)
    counts = n_rows if counts is None else found.column("n_sum").to_numpy()
    return _Cells(texts, [], counts, n_rows)
