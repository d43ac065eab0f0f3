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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
from sklearn.utils import Bunch

from sklearn_entropy_metrics._html import visible
from sklearn_entropy_metrics.command_line.arguments import Request
from sklearn_entropy_metrics.command_line.write import tell
from sklearn_entropy_metrics.table.classes import ClassTable
from sklearn_entropy_metrics.table.frames import tabulate_frame
from sklearn_entropy_metrics.table.given import given_table

# Longer ones are names rather than numbers.
_WHOLE = re.compile(r"(0|-?[1-9][0-9]{0,17})(\.0*)?")
_BLANKS = " \t\N{NO-BREAK SPACE}"
# No column of a file has these names.
_ROW, _CELL, _SQUARES, _BAD = "\0row", "\0cell", "\0squares", "\0bad"
_IS_BLANK = pl.all_horizontal(pl.exclude(_ROW).is_null())


class BadFileError(ValueError):
    """What is wrong with a file, which the message names."""


def read_tables(request: Request) -> dict[str, Bunch]:
    """Count the pairs of labels of each prediction, as `tabulate_frame` returns them.

    What may be wrong with the labels is printed.
    """
    with _opened(request) as files:
        return {name: _table(files, name, request) for name in request.pred}


def read_samples(request: Request) -> tuple[pl.DataFrame, list[Any] | None]:
    """Read the columns of all samples; print what may be wrong with the labels."""
    with _opened(request) as files:
        frame = files.collect()
    if request.counts is not None:
        counts = frame[request.counts].to_numpy().astype(np.int64)
        frame = frame[np.repeat(np.arange(len(frame)), counts)]
    return _numbered(frame, request.pred, request)


def read_matrices(request: Request) -> dict[str, ClassTable]:
    """Read confusion matrices, true classes in rows, named by their files."""
    with _opened(request, header=False) as files:
        tables = {
            name: _matrix(name, scan.filter(~_IS_BLANK).collect().rows())
            for name, scan in files.scans.items()
        }
    stems = [Path(name).stem for name in tables]
    names = stems if len(set(stems)) == len(stems) else tables
    return dict(zip(names, tables.values(), strict=True))


def _table(files, pred, request):
    """The table of a prediction. Polars adds up the rows of the same labels."""
    weights, by = request.weights, request.by
    name = weights or request.counts or _CELL
    sums = [pl.len().alias(name)]
    if name != _CELL:
        amount = pl.col(name)
        sums = [amount.sum(), (amount * amount).sum().alias(_SQUARES)]
    cells = files.collect([request.true, pred, *([by] if by else [])], sums)
    frame, labels = _numbered(cells.filter(pl.col(name) > 0), [pred], request)
    options = {"weight" if weights else "count": name, "by": by, "labels": labels}
    table = tabulate_frame(frame, request.true, pred, **options)
    if weights:
        size = pl.col(name).sum() ** 2 / pl.col(_SQUARES).sum()
        sizes = frame.group_by(by or pl.lit(0)).agg(size.alias(_CELL)).sort(pl.first())
        table.n_samples = sizes[_CELL].to_numpy() if by else sizes[_CELL][0]
    return table


class _Files:
    """The scans of files by their names, with all columns."""

    def __init__(self, scans: dict[str, pl.LazyFrame], request: Request) -> None:
        self.scans, self._request = scans, request
        self._wanted = list(dict.fromkeys([*request.texts, *request.numbers]))

    def collect(self, keys: Sequence[str] = (), sums: Iterable[pl.Expr] = ()) -> Any:
        """The wanted columns of all rows, or sums of the rows of the same keys."""
        is_bad = pl.any_horizontal(map(self._is_bad, self._wanted)).alias(_BAD)
        for skip_blank in (False, True):
            frame = self._frame(skip_blank).with_columns(is_bad)
            if keys:
                groups = frame.group_by(*dict.fromkeys(keys))
                frame = groups.agg(*sums, pl.col(_BAD).any())
            rows = frame.collect()
            if not rows[_BAD].any():
                break
            self._refuse_bad_cells()
        return rows.drop(_BAD)

    def tell_of_dropped(self) -> None:
        """Print how many rows lack a cell."""
        parts = (
            scan.filter(~_IS_BLANK).select(self._lacks().sum().alias(_ROW))
            for scan in self.scans.values()
        )
        if n_dropped := pl.concat(parts).sum().collect().item():
            tell(f"rows left out because a cell is empty: {n_dropped:,}.")

    def _frame(self, skip_blank):
        """The wanted columns of all files."""
        scans = list(self.scans.values())
        if skip_blank:
            scans = [scan.filter(~_IS_BLANK) for scan in scans]
        if self._request.drop_missing:
            scans = [scan.filter(~self._lacks()) for scan in scans]
        return pl.concat(self._typed(scan.select(self._wanted)) for scan in scans)

    def _typed(self, frame):
        """Labels as text, and numbers as floats that are null where there are none."""
        number = pl.col(self._request.numbers).str.strip_chars()
        texts = frame.with_columns(pl.col(self._wanted).cast(pl.String))
        return texts.with_columns(number.cast(pl.Float64, strict=False))

    def _lacks(self):
        """Which rows lack a cell."""
        cell = pl.col(self._wanted).cast(pl.String)
        return pl.any_horizontal(cell.is_null() | (cell == ""))

    def _is_bad(self, name):
        """Which cells of a column cannot be used."""
        request, cell = self._request, pl.col(name)
        if name not in request.numbers:
            return cell.is_null() | (cell == "")
        highest = {request.weights: math.inf, request.counts: 2.0**53}.get(name, 1.0)
        is_valid = (cell >= 0) & ((cell < highest) | (cell == 1))
        if name == request.counts:
            is_valid = is_valid & (cell % 1 == 0)
        return ~is_valid.fill_null(False)

    def _refuse_bad_cells(self):
        """Raise an error that names the first cell that is wrong, if there is one."""
        rules = {
            self._request.weights: "non-negative finite number",
            self._request.counts: "whole number from 0 to 2⁵³ - 1",
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
def _opened(request: Request, *, header: bool = True) -> Iterator[_Files]:
    """Find out what can be read; errors name the file."""
    try:
        with TemporaryDirectory() as folder, pl.Config() as config:
            config.set_engine_affinity("streaming")
            scans = {}
            for file in _expanded(request.files):
                path = _stored(file, Path(folder), request.encoding)
                scans[_name(file)] = _scan(path, file, request, header)
            opened = _Files(scans, request)
            if request.drop_missing:
                opened.tell_of_dropped()
            yield opened
    except (OSError, ValueError, LookupError, pl.exceptions.PolarsError) as error:
        if isinstance(error, BadFileError) or getattr(error, "filename", None):
            raise
        raise BadFileError(f"{_names(request)}: {_reason(error)}") from error


def _name(file):
    return "standard input" if file == "-" else visible(file)


def _names(request):
    return ", ".join(map(_name, request.files))


def _reason(error: Exception) -> str:
    """What polars found, in a line."""
    reason = str(error).strip().partition("\n")[0]
    if "invalid utf-8" in reason or "invalid utf8" in reason:
        return "the text is not UTF-8. Say which it is, such as --encoding latin-1."
    return "the file is empty." if reason == "empty CSV" else reason


def _expanded(files: Iterable[str]) -> dict[str, None]:
    """The files that names and patterns stand for, each once."""
    expanded: dict[str, None] = {}
    for file in files:
        is_pattern = glob.has_magic(file) and not os.path.exists(file)
        some = sorted(glob.glob(file, recursive=True)) if is_pattern else [file]
        if not some:
            raise BadFileError(f"no file is called {file!r}.")
        expanded |= dict.fromkeys(some)
    return expanded


def _stored(file: str, folder: Path, encoding: str) -> str | Path:
    """Where polars finds a file as UTF-8: a copy if it is a pipe or encoded."""
    source: Any = sys.stdin.buffer if file == "-" else open(file, "rb")  # noqa: SIM115
    with source:
        start = source.peek(2)[:2]
        if encoding == "utf-8" and start in (b"\xff\xfe", b"\xfe\xff"):
            raise BadFileError(f"{_name(file)}: UTF-16 needs --encoding utf-16.")
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


def _scan(path: str | Path, file: str, request: Request, header: bool) -> pl.LazyFrame:
    """A frame of all columns of a file, which is not read yet."""
    kind = Path(re.sub(r"\.(gz|zst)$", "", file.lower())).suffix
    if header and kind in (".parquet", ".pq"):
        scan = pl.scan_parquet(path, glob=False).fill_nan(None)
    elif header and kind in (".ndjson", ".jsonl"):
        scan = pl.scan_ndjson(path)
    else:
        separator = request.delimiter or ("tab" if kind in (".tsv", ".tab") else ",")
        separator = {"tab": "\t", r"\t": "\t"}.get(separator, separator)
        form: dict[str, Any] = {"has_header": header, "separator": separator}
        scan = pl.scan_csv(path, infer_schema=False, glob=False, **form)
    names = scan.collect_schema().names()
    for name in (*request.texts, *request.numbers) if header else ():
        if name not in names:
            raise BadFileError(
                f"{_name(file)}: there is no column {name!r}. The columns are "
                f"{', '.join(map(repr, names))}.{_hint(names)}"
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
    matches = {label: _WHOLE.fullmatch(label) for label in labels}
    if not all(matches.values()):
        return {}
    return {label: int(match[1]) for label, match in matches.items() if match}


def _numbered(
    frame: pl.DataFrame, preds: Sequence[str], request: Request
) -> tuple[pl.DataFrame, list[Any] | None]:
    """Labels as numbers if all are, else as text that spells whole numbers in one way.

    Each prediction is judged with the true labels alone, so that none changes another.
    What may be wrong with the labels is printed.
    """
    if frame.is_empty():
        problem = "there are no samples, or none of a weight or count above 0."
        raise BadFileError(f"{_names(request)}: {problem}")
    true, by, labels = request.true, request.by, request.labels
    seen = {name: set(frame[name].unique()) for name in (true, *preds)}
    whole = {}
    for name in preds:
        _tell_of_labels(name, seen[true], seen[name], request)
        if numbers := _classes([*seen[true], *seen[name], *labels]):
            whole[name] = numbers
    kind: Any = int if len(whole) == len(preds) else str
    first: dict[str, int] = next(iter(whole.values()), {})
    classes = {
        name: {one: kind(whole.get(name, first).get(one, one)) for one in texts}
        for name, texts in seen.items()
    }
    if by and by not in seen:
        segments = frame[by].unique()
        classes[by] = _classes(segments) or {one: one for one in segments}
    for name, pairs in classes.items():
        column = frame[name].replace_strict(list(pairs), list(pairs.values()))
        frame = frame.with_columns(column)
    return frame, [kind(first.get(label, label)) for label in labels] or None


def _tell_of_labels(
    name: str, true: set[str], pred: set[str], request: Request
) -> None:
    """Print what may be wrong with true and predicted labels."""
    first = {request.true: true} if name in request.pred[:1] else {}
    for column, labels in (first | {name: pred}).items():
        padded = sorted(one for one in labels if one != one.strip(_BLANKS))
        if padded and not request.labels:  # otherwise they are meant
            tell(
                f"warning: {_names(request)}: labels in column {column!r} begin or end "
                f"with blanks, such as {padded[0]!r}. They are kept: {padded[0]!r} and "
                f"{padded[0].strip(_BLANKS)!r} are different."
            )
    number = _classes(true | pred)
    if {number.get(one, one) for one in true}.isdisjoint(
        number.get(one, one) for one in pred
    ):
        some = (", ".join(map(repr, sorted(one)[:5])) for one in (true, pred))
        tell(
            f"warning: {_names(request)}: columns {request.true!r} and {name!r} share "
            f"no label. Got {' and '.join(some)}."
        )


def _matrix(file: str, cells: list[tuple[str | None, ...]]) -> ClassTable:
    """The table in the cells of a file, and the names of its classes.

    The first row and the first column are labels unless the first cell is a number. As
    many columns as rows stand for the same classes, unless their labels say that only
    some of them do.
    """
    rows = [[cell or "" for cell in row] for row in cells]
    if hint := _hint(rows[0]):
        raise BadFileError(f"{file}: there is one column only.{hint}")
    if not _floats(rows[0][:1]).has_nulls():
        return given_table(None, None, _cells(rows, file, 1))
    (corner, *columns), *rows = rows
    labels = [row.pop(0) for row in rows]
    is_apart = set(labels).isdisjoint(columns)
    for names, what in ((columns, "row"), (labels, "column")):
        if corner and is_apart and not _floats(names).has_nulls():
            raise BadFileError(
                f"{file}: the first {what} may hold labels or counts. Rows and columns "
                "must both have labels, below an empty corner, or neither."
            )
        if bad := [name for name in names if not name or names.count(name) > 1]:
            raise BadFileError(
                f"{file}: the labels in the first {what} must be different, and not "
                f"empty. Got {bad[0]!r}."
            )
    table = _cells(rows, file, 2)
    pred_labels = None if is_apart and len(labels) == len(columns) else columns
    return given_table(None, None, table, labels=labels, pred_labels=pred_labels)


def _floats(cells):
    """Numbers, null where there is none."""
    texts = pl.Series(cells, dtype=pl.String).str.strip_chars()
    return texts.cast(pl.Float64, strict=False)


def _cells(rows, file, first):
    """Counts as integers if all are whole, else as floats."""
    column = _floats([cell for row in rows for cell in row])
    numbers = column.to_numpy().reshape(len(rows), -1)
    for row, place in np.argwhere(~((numbers >= 0) & (numbers < math.inf)))[:1]:
        raise BadFileError(
            f"{file}, row {row + first}, column {place + first}: the cell "
            f"must hold a non-negative finite number. Got {rows[row][place]!r}."
        )
    if not numbers.any():
        raise BadFileError(f"{file}: all cells of the matrix are zero.")
    whole = numbers.astype(np.int64) if numbers.max() < 2**53 else numbers
    return whole if (whole == numbers).all() else numbers
