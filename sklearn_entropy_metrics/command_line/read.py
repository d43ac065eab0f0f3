"""Files → tables and samples, read lazily by polars and counted by `tabulate_frame`."""

from __future__ import annotations

import codecs
import glob
import gzip
import math
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse as sp
from sklearn.utils import Bunch

from sklearn_entropy_metrics.command_line.arguments import Data
from sklearn_entropy_metrics.command_line.write import printable, tell
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.frames import tabulate_frame
from sklearn_entropy_metrics.table.given import given_table

# Longer ones are names rather than numbers.
_WHOLE = re.compile(r"(0|-?[1-9][0-9]{0,17})(\.0*)?")
_BLANKS = " \t\N{NO-BREAK SPACE}"
# Columns that are named when one is not found.
_MOST_NAMED = 30
# No column of a file has these names.
_ROW, _CELL = "\0row", "\0cell"
_IS_BLANK = pl.all_horizontal(pl.exclude(_ROW).is_null())


class BadFileError(ValueError):
    """What is wrong with a file, which the message names."""


class Samples(NamedTuple):
    """Columns of all samples; labels are numbers if all are whole ones, else text."""

    frame: pl.DataFrame
    labels: list[int] | list[str] | None


def read_tables(data: Data) -> dict[str, Bunch]:
    """Count the pairs of labels of each prediction, as `tabulate_frame` returns them.

    What may be wrong with the labels is printed.
    """
    with _opened(data) as files:
        return {
            name: _with_classes(files.count(name), replace(data, pred=[name]))
            for name in data.pred
        }


def read_samples(data: Data) -> dict[str | None, Samples]:
    """Read the columns of all samples, of each segment if there are some.

    What may be wrong with the labels is printed.
    """
    with _opened(data) as files:
        frame = files.samples()
    if data.counts is not None:
        counts = frame[data.counts].to_numpy().astype(np.int64)
        frame = frame[np.repeat(np.arange(len(frame)), counts)]
    if frame.is_empty():
        raise BadFileError(f"{_names(data)}: there are no samples.")
    samples = _numbered(frame, data)
    if data.by is None:
        return {None: samples}
    parts = samples.frame.partition_by(data.by, as_dict=True)
    groups = _in_order(str(key[0]) for key in parts)
    return {group: samples._replace(frame=parts[(group,)]) for group in groups}


def read_matrices(data: Data) -> dict[str, ClassTable]:
    """Read confusion matrices, true classes in rows, named by their files."""
    with _opened(data, header=False) as files:
        tables = {
            name: _matrix(name, scan.filter(~_IS_BLANK).collect().rows())
            for name, scan in files.scans.items()
        }
    stems = [Path(name).stem for name in tables]
    names = stems if len(set(stems)) == len(stems) else tables
    return dict(zip(names, tables.values(), strict=True))


class _Files:
    """The scans of files by their names, with all columns."""

    def __init__(self, scans: dict[str, pl.LazyFrame], data: Data) -> None:
        self.scans, self._data = scans, data
        self._wanted = list(dict.fromkeys([*data.texts, *data.numbers]))

    def count(self, pred: str) -> Bunch:
        """The table of a column of predictions, of texts as they are in the file."""
        try:
            return self._tabulate(self._frame(), pred)
        except ValueError:
            self._refuse_bad_cells()
            return self._tabulate(self._frame(skip_blank=True), pred)

    def samples(self) -> pl.DataFrame:
        """The wanted columns of all rows."""
        frame = self._frame().collect()
        if frame.select(
            pl.any_horizontal(map(self._is_bad, self._wanted)).any()
        ).item():
            self._refuse_bad_cells()
            frame = self._frame(skip_blank=True).collect()
        return frame

    def tell_of_dropped(self) -> None:
        """Print how many rows lack a cell."""
        parts = (
            scan.filter(~_IS_BLANK).select(self._lacks().sum().alias(_ROW))
            for scan in self.scans.values()
        )
        if n_dropped := pl.concat(parts).sum().collect().item():
            tell(f"{n_dropped:,} rows in which a cell is empty are left out.")

    def _tabulate(self, frame, pred):
        data = self._data
        options = {"count": data.counts, "weight": data.weights, "by": data.by}
        found = tabulate_frame(frame, data.true, pred, **options)
        if "" in found.labels or (data.by is not None and "" in found.groups):
            raise ValueError("a cell is empty.")
        return found

    def _frame(self, *, skip_blank=False):
        """The wanted columns of all files."""
        scans = list(self.scans.values())
        if skip_blank:
            scans = [scan.filter(~_IS_BLANK) for scan in scans]
        if self._data.drop_missing:
            scans = [scan.filter(~self._lacks()) for scan in scans]
        return pl.concat(self._typed(scan.select(self._wanted)) for scan in scans)

    def _typed(self, frame):
        """Labels as text, and numbers as floats that are null where there are none."""
        number = pl.col(self._data.numbers).str.strip_chars()
        texts = frame.with_columns(pl.col(self._wanted).cast(pl.String))
        return texts.with_columns(number.cast(pl.Float64, strict=False))

    def _lacks(self):
        """Which rows lack a cell."""
        cell = pl.col(self._wanted).cast(pl.String)
        return pl.any_horizontal(cell.is_null() | (cell == ""))

    def _is_bad(self, name):
        """Which cells of a column cannot be used."""
        data, cell = self._data, pl.col(name)
        if name not in data.numbers:
            return cell.is_null() | (cell == "")
        highest = {data.weights: math.inf, data.counts: 2.0**53}.get(name, 1.0)
        is_valid = (cell >= 0) & ((cell < highest) | (cell == 1))
        if name == data.counts:
            is_valid = is_valid & (cell % 1 == 0)
        return ~is_valid.fill_null(False)

    def _refuse_bad_cells(self):
        """Raise an error that names the first cell that is wrong, if there is one."""
        rules = {
            self._data.weights: "non-negative finite number",
            self._data.counts: "whole number from 0 to 2⁵³ - 1",
        }
        for (file, scan), name in product(self.scans.items(), self._wanted):
            rows = scan.with_row_index(_ROW, 1).filter(~_IS_BLANK)
            rows = rows.with_columns(pl.col(name).cast(pl.String).alias(_CELL))
            bad = self._typed(rows).filter(self._is_bad(name)).select(_ROW, _CELL)
            for row, cell in bad.head(1).collect().rows():
                rule = rules.get(name, "number from 0 to 1")
                raise BadFileError(
                    f"{file}, row {row}, column {name!r}: the cell "
                    + (
                        f"must hold a {rule}. Got {cell!r}."
                        if cell
                        else "is empty. --drop-missing leaves such rows out."
                    )
                )


@contextmanager
def _opened(data: Data, *, header: bool = True) -> Iterator[_Files]:
    """Find out what can be read; errors name the file."""
    try:
        with TemporaryDirectory() as folder, pl.Config() as config:
            config.set_engine_affinity("streaming")
            files = list(_expanded(data.files))
            paths = [_stored(file, Path(folder), data.encoding) for file in files]
            scans = {
                _name(file): _scan(path, file, data, header)
                for file, path in zip(files, paths, strict=True)
            }
            opened = _Files(scans, data)
            if data.drop_missing:
                opened.tell_of_dropped()
            yield opened
    except BadFileError:
        raise
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        if getattr(error, "filename", None) is not None:
            raise
        raise BadFileError(f"{_names(data)}: {_reason(error)}") from error


def _name(file):
    return "standard input" if file == "-" else printable(file)


def _names(data):
    return ", ".join(map(_name, data.files))


def _reason(error: Exception) -> str:
    """What polars found, in a line."""
    reason = str(error).strip().partition("\n")[0]
    if "invalid utf-8" in reason or "invalid utf8" in reason:
        return "the text is not UTF-8. Say which it is, such as --encoding latin-1."
    if "more fields than" in reason:
        return "a row has more cells than the header."
    return "the file is empty." if reason == "empty CSV" else reason


def _expanded(files: Iterable[str]) -> dict[str, None]:
    """The files that names and patterns stand for, each once."""
    found: dict[str, None] = {}
    for file in files:
        is_pattern = glob.has_magic(file) and not os.path.exists(file)
        some = sorted(glob.glob(file, recursive=True)) if is_pattern else [file]
        if not some:
            raise BadFileError(f"no file is called {file!r}.")
        found.update(dict.fromkeys(some))
    return found


def _stored(file: str, folder: Path, encoding: str) -> str | Path:
    """Where polars finds a file as UTF-8: a copy if it is a pipe or encoded."""
    source: Any = sys.stdin.buffer if file == "-" else open(file, "rb")  # noqa: SIM115
    with source:
        start = source.peek(2)[:2]
        if encoding == "utf-8" and start in (b"\xff\xfe", b"\xfe\xff"):
            problem = "the text is UTF-16. Say --encoding utf-16."
            raise BadFileError(f"{_name(file)}: {problem}")
        if file != "-" and encoding == "utf-8":
            return file
        path = folder / str(len(list(folder.iterdir())))
        content = source
        if encoding != "utf-8":
            content = gzip.GzipFile(fileobj=source) if start == b"\x1f\x8b" else source
            content = codecs.EncodedFile(content, "utf-8", encoding)
        with path.open("wb") as target:
            shutil.copyfileobj(content, target)
    return path


def _scan(path: str | Path, file: str, data: Data, header: bool) -> pl.LazyFrame:
    """A frame of all columns of a file, which is not read yet."""
    kind = Path(re.sub(r"\.(gz|zst)$", "", file.lower())).suffix
    if header and kind in (".parquet", ".pq"):
        scan = pl.scan_parquet(path, glob=False).fill_nan(None)
    elif header and kind in (".ndjson", ".jsonl"):
        scan = pl.scan_ndjson(path)
    else:
        separator = data.delimiter or ("\t" if kind in (".tsv", ".tab") else ",")
        form: dict[str, Any] = {"has_header": header, "separator": separator}
        scan = pl.scan_csv(path, infer_schema=False, glob=False, **form)
    names = scan.collect_schema().names()
    for name in (*data.texts, *data.numbers) if header else ():
        if name not in names:
            some = ", ".join(map(repr, names[:_MOST_NAMED]))
            more = ", …" if len(names) > _MOST_NAMED else ""
            raise BadFileError(
                f"{_name(file)}: there is no column {name!r}. The columns are "
                f"{some}{more}.{_hint(names)}"
            )
        if f"{name}_duplicated_0" in names:
            raise BadFileError(f"{_name(file)}: several columns are called {name!r}.")
    return scan


def _hint(names):
    """A likely separator, if all cells of the header were read as one."""
    for separator in ";\t|:," if len(names) == 1 else "":
        if separator in names[0]:
            option = "tab" if separator == "\t" else f'"{separator}"'
            return f" Are its cells separated by {option}? Say --delimiter {option}."
    return ""


def _classes(labels: Iterable[str]) -> dict[str, int]:
    """The numbers that labels stand for; empty if some are not whole numbers."""
    found = {label: _WHOLE.fullmatch(label) for label in labels}
    if not all(found.values()):
        return {}
    return {label: int(match[1]) for label, match in found.items() if match}


def _in_order(labels: Iterable[str]) -> list[str]:
    """Texts in order, by value if all are whole numbers."""
    texts = sorted(labels)
    numbers = _classes(texts)
    return sorted(texts, key=lambda text: numbers.get(text, 0))


def _with_classes(found: Bunch, data: Data) -> Bunch:
    """The table of the classes that labels stand for."""
    (pred,), k = data.pred, len(found.labels)
    rows, columns, amounts = sp.find(found.table.reshape(-1, k))
    cells = {data.true: found.labels[rows % k], pred: found.labels[columns]}
    groups = [""] if found.groups is None else found.groups.tolist()
    order = [groups.index(group) for group in _in_order(groups)]
    frame = pl.DataFrame({name: column.tolist() for name, column in cells.items()})
    place = pl.Series(_ROW, np.argsort(order)[rows // k])
    samples = _numbered(frame.with_columns(place, pl.Series(_CELL, amounts)), data)
    options: dict[str, Any] = {"weight" if data.weights else "count": _CELL}
    if data.by is not None:
        options |= {"by": _ROW}
        found.update(groups=found.groups[order], n_samples=found.n_samples[order])
    result = tabulate_frame(
        samples.frame, data.true, pred, labels=samples.labels, **options
    )
    return Bunch(**result | {"groups": found.groups, "n_samples": found.n_samples})


def _numbered(frame: pl.DataFrame, data: Data) -> Samples:
    """Labels as numbers if all are, else as text that spells whole numbers in one way.

    Each prediction is judged with the true labels alone, so that none changes another.
    What may be wrong with the labels is printed.
    """
    labels, seen = data.labels or [], {data.true: set(frame[data.true].unique())}
    pairs = {}
    for name in data.pred or [data.true]:
        seen[name] = set(frame[name].unique())
        pairs[name] = _classes([*seen[data.true], *seen[name], *labels])
        _tell_of_labels(name, seen[data.true], seen[name], data)
    whole = {name: pair for name, pair in pairs.items() if pair}
    kind: Any = int if len(whole) == len(pairs) else str
    true: dict[str, int] = next(iter(whole.values()), {})
    frame = frame.with_columns(
        pl.col(name).replace_strict(
            {one: kind(whole.get(name, true).get(one, one)) for one in texts},
            return_dtype=kind,
        )
        for name, texts in seen.items()
    )
    return Samples(frame, [kind(true.get(label, label)) for label in labels] or None)


def _tell_of_labels(name: str, true: set[str], pred: set[str], data: Data) -> None:
    """Print what may be wrong with true and predicted labels."""
    first = {data.true: true} if name in data.pred[:1] else {}
    for column, labels in (first | {name: pred}).items():
        padded = sorted(one for one in labels if one != one.strip(_BLANKS))
        if padded and data.labels is None:  # otherwise they are meant
            tell(
                f"warning: {_names(data)}: labels in column {column!r} begin or end "
                f"with blanks, such as {padded[0]!r}. They are kept: {padded[0]!r} and "
                f"{padded[0].strip(_BLANKS)!r} are different."
            )
    number = _classes(true | pred)
    if {number.get(one, one) for one in true}.isdisjoint(
        number.get(one, one) for one in pred
    ):
        some = (", ".join(map(repr, _in_order(one)[:5])) for one in (true, pred))
        tell(
            f"warning: {_names(data)}: columns {data.true!r} and {name!r} share no "
            f"label. Got {' and '.join(some)}."
        )


def _matrix(file: str, cells: list[tuple[str | None, ...]]) -> ClassTable:
    """The table in the cells of a file, and the names of its classes.

    As many columns as rows stand for the same classes, unless their labels say that
    only some of them do.
    """
    rows = [[cell or "" for cell in row] for row in cells]
    if hint := _hint(rows[0]):
        raise BadFileError(f"{file}: there is one column only.{hint}")
    has_columns, has_labels = _has_labels(rows)
    columns = rows.pop(0)[has_labels:] if has_columns else None
    labels = [row.pop(0) for row in rows] if has_labels else None
    if not rows:
        raise BadFileError(f"{file}: there are no rows below the header.")
    _check_labels(labels, [row[0] for row in rows], rows[0], "column", file)
    _check_labels(columns, rows[0], [row[0] for row in rows], "row", file)
    table = _cells(rows, file, 1 + has_columns, 1 + has_labels)
    is_square = table.shape[0] == table.shape[1]
    if labels is None:
        labels = columns if is_square else None
        labels = labels or [str(i) for i in range(len(table))]
    if is_square and set(labels).isdisjoint(columns or []):
        columns = None
    return given_table(None, None, table, labels=labels, pred_labels=columns)


def _has_labels(rows):
    """Whether the first row and whether the first column holds labels.

    Text is a label, a number is a count, unless the cell in the corner is empty or the
    row and the column hold the same.
    """
    (corner, *top), side = rows[0], [row[0] for row in rows[1:]]
    same = set(top) <= set(side) or set(side) <= set(top)
    if top and side and not _is_number(corner) and (corner == "" or same):
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


def _check_labels(labels, cells, others, what, file):
    """Raise for cells that may or may not be labels, and for invalid labels."""
    numbers = ([str(i + first) for i in range(len(cells))] for first in (0, 1))
    if labels is None and len(cells) == len(others) - 1 and cells in numbers:
        raise BadFileError(
            f"{file}: the first {what} may hold labels or counts. If labels, leave the "
            "cell in the corner empty; if counts, give labels that are not numbers."
        )
    if labels is not None and ("" in labels or len(set(labels)) < len(labels)):
        raise BadFileError(
            f"{file}: labels must be different, and not empty. The first {what} holds "
            f"{', '.join(map(repr, labels))}."
        )


def _cells(rows, file, first_row, first_column):
    """Counts as integers if all are whole, else as floats."""
    column = pl.Series([cell for row in rows for cell in row]).str.strip_chars()
    numbers = column.cast(pl.Float64, strict=False).to_numpy().reshape(len(rows), -1)
    for row, place in np.argwhere(~((numbers >= 0) & (numbers < math.inf)))[:1]:
        raise BadFileError(
            f"{file}, row {row + first_row}, column {place + first_column}: the cell "
            f"must hold a non-negative finite number. Got {rows[row][place]!r}."
        )
    if not numbers.any():
        raise BadFileError(f"{file}: all cells of the matrix are zero.")
    whole = numbers.astype(np.int64) if numbers.max() < 2**53 else numbers
    return whole if (whole == numbers).all() else numbers
