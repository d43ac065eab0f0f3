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
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, NamedTuple, cast

import numpy as np
import polars as pl
from scipy import sparse as sp
from sklearn.utils import Bunch

from sklearn_entropy_metrics.command_line.arguments import Data
from sklearn_entropy_metrics.command_line.write import printable, tell
from sklearn_entropy_metrics.table.frames import tabulate_frame
from sklearn_entropy_metrics.table.tabulate import contingency_table

_Label = int | str
# Longer ones are names rather than numbers.
_WHOLE = re.compile(r"(0|-?[1-9][0-9]{0,17})(\.0*)?")
_NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*", re.A)
_COUNT = re.compile(r"\s*[0-9]{1,18}\s*", re.A)
_BLANKS = " \t\N{NO-BREAK SPACE}"
# Columns that are named when one is not found.
_MOST_NAMED = 30
# No column of a file has this name.
_ROW, _CELL = "\0row", "\0cell"


class BadFileError(ValueError):
    """What is wrong with a file, which the message names."""


class Prediction(NamedTuple):
    """A table and its classes, as `tabulate_frame` returns them, with names."""

    name: str
    table: Bunch
    group: str | None = None


class Samples(NamedTuple):
    """Columns of all samples; labels are numbers if all are whole ones, else text."""

    frame: pl.DataFrame
    labels: list[_Label] | None


def read_tables(data: Data) -> list[Prediction]:
    """Count the pairs of labels of each prediction, in each group if there are some.

    What may be wrong with the labels is printed.
    """
    with _opened(data) as files:
        found = {name: files.count(name) for name in data.pred}
        tables = [
            Prediction(name, table, group)
            for name, one in found.items()
            for group, table in _by_group(one, data.labels)
        ]
        seen = {name: _seen(one) for name, one in found.items()}
    _tell_of_labels(seen, data)
    order = _in_order({one.group or "" for one in tables})
    return sorted(tables, key=lambda one: order.index(one.group or ""))


def read_samples(data: Data) -> dict[str | None, Samples]:
    """Read the columns of all samples, of each group if there are some.

    What may be wrong with the labels is printed.
    """
    with _opened(data) as files:
        frame = files.samples()
    if data.counts is not None:
        counts = frame[data.counts].to_numpy().astype(np.int64)
        frame = frame[np.repeat(np.arange(len(frame)), counts)]
    if frame.is_empty():
        raise BadFileError(f"{_names(data)}: there are no samples.")
    labels = {one: set(frame[one].unique()) for one in (data.true, *data.pred)}
    true = labels.pop(data.true)
    _tell_of_labels({name: (true, pred) for name, pred in labels.items()}, data)
    samples = _numbered(frame, true, labels, data)
    if data.by is None:
        return {None: samples}
    parts = samples.frame.partition_by(data.by, as_dict=True)
    groups = _in_order({cast(str, key[0]) for key in parts})
    return {group: samples._replace(frame=parts[(group,)]) for group in groups}


def read_matrices(data: Data) -> list[Prediction]:
    """Read confusion matrices, true classes in rows, named by their files."""
    with _opened(data, header=False) as files:
        tables = {name: _matrix(name, files.rows(name)) for name in files.scans}
    stems = [Path(name).stem for name in tables]
    names = stems if len(set(stems)) == len(stems) else list(tables)
    return [
        Prediction(name, table)
        for name, table in zip(names, tables.values(), strict=True)
    ]


class _Files:
    """The scans of files by their names, with all columns."""

    def __init__(self, scans: dict[str, pl.LazyFrame], data: Data) -> None:
        self.scans, self._data = scans, data
        self._texts = list(dict.fromkeys([data.true, *data.pred, data.by or data.true]))
        numbers = [*data.proba, data.weights, data.counts]
        self._numbers = [name for name in dict.fromkeys(numbers) if name is not None]

    def rows(self, name: str) -> list[list[str]]:
        """The cells of a file without blank lines."""
        frame = self.scans[name].filter(~_is_blank()).collect()
        return [["" if cell is None else cell for cell in row] for row in frame.rows()]

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
        is_bad = pl.any_horizontal(bad for bad, _ in self._rules().values())
        if frame.select(is_bad.any()).item():
            self._refuse_bad_cells()
            frame = self._frame(skip_blank=True).collect()
        return frame

    def tell_of_dropped(self) -> None:
        """Print how many rows lack a cell."""
        wanted = [*self._texts, *self._numbers]
        n_rows = pl.concat(
            scan.filter(~_is_blank()).select(_lacks(wanted).sum().alias(_ROW))
            for scan in self.scans.values()
        )
        if n_dropped := n_rows.sum().collect().item():
            tell(f"{n_dropped:,} rows in which a cell is empty are left out.")

    def _tabulate(self, frame, pred):
        data = self._data
        options = {"count": data.counts, "weight": data.weights, "by": data.by}
        found = tabulate_frame(frame, data.true, pred, **options)
        groups = [] if found.groups is None else found.groups
        if "" in found.labels or "" in groups:
            raise ValueError("a cell is empty.")
        return found

    def _frame(self, *, skip_blank=False):
        """The wanted columns, labels as text and numbers as floats."""
        parts = []
        for scan in self.scans.values():
            part = scan.filter(~_is_blank()) if skip_blank else scan
            part = part.select(*self._texts, *self._numbers)
            if self._data.drop_missing:
                part = part.filter(~_lacks([*self._texts, *self._numbers]))
            parts.append(part.with_columns(self._types(scan)))
        return pl.concat(parts)

    def _types(self, scan):
        """Labels as text, and numbers as floats that are null where there are none."""
        schema = scan.collect_schema()
        texts = (
            pl.col(name).fill_nan(None) if schema[name].is_float() else pl.col(name)
            for name in self._texts
        )
        numbers = (
            pl.col(name)
            if schema[name].is_numeric()
            else pl.col(name).cast(pl.String).str.strip_chars()
            for name in self._numbers
        )
        return [
            *(text.cast(pl.String) for text in texts),
            *(number.cast(pl.Float64, strict=False) for number in numbers),
        ]

    def _rules(self):
        """For each column which cells are wrong, and what they must be."""
        data, rules = self._data, {}
        for name in self._texts:
            rules[name] = pl.col(name).is_null() | (pl.col(name) == ""), "a label"
        for name in self._numbers:
            number, words = pl.col(name), "a number from 0 to 1"
            is_valid = number.is_between(0, 1)
            if name == data.weights:
                is_valid = number.is_between(0, math.inf, closed="left")
                words = "a non-negative finite number"
            elif name == data.counts:
                is_whole = number.is_between(0, 2**53, closed="left")
                is_valid = is_whole & (number % 1 == 0)
                words = "a whole number from 0 to 2⁵³ - 1"
            rules[name] = ~is_valid.fill_null(False), words
        return rules

    def _refuse_bad_cells(self):
        """Raise an error that names the first cell that is wrong, if there is one."""
        for file, scan in self.scans.items():
            rows = scan.with_row_index(_ROW, 1).filter(~_is_blank())
            for column, (is_bad, words) in self._rules().items():
                bad = rows.with_columns(
                    *self._types(scan), pl.col(column).cast(pl.String).alias(_CELL)
                ).filter(is_bad)
                found = bad.select(_ROW, _CELL).head(1).collect()
                if found.is_empty():
                    continue
                row, cell = found.row(0)
                raise BadFileError(
                    f"{file}, row {row}, column {column!r}: "
                    + (
                        f"the cell must hold {words}. Got {cell!r}."
                        if cell
                        else "the cell is empty. --drop-missing leaves such rows out."
                    )
                )


@contextmanager
def _opened(data: Data, *, header: bool = True) -> Iterator[_Files]:
    """Find out what can be read; errors name the file."""
    try:
        with TemporaryDirectory() as folder:
            scans = {
                "standard input" if file == "-" else printable(file): _scan(
                    _stored(file, Path(folder), data.encoding), file, data, header
                )
                for file in _expanded(data.files)
            }
            files = _Files(scans, data)
            if data.drop_missing:
                files.tell_of_dropped()
            yield files
    except BadFileError:
        raise
    except OSError as error:
        if error.filename is not None:
            raise
        raise BadFileError(f"{_names(data)}: {error}") from error
    except (ValueError, pl.exceptions.PolarsError) as error:
        raise BadFileError(f"{_names(data)}: {_reason(error)}") from error


def _names(data):
    return ", ".join(
        "standard input" if file == "-" else printable(file) for file in data.files
    )


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
    if file != "-":
        with open(file, "rb") as opened:
            start = opened.read(2)
        if encoding == "utf-8":
            if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
                problem = "the text is UTF-16. Say --encoding utf-16."
                raise BadFileError(f"{printable(file)}: {problem}")
            return file
    path = folder / f"{len(list(folder.iterdir()))}"
    source = sys.stdin.buffer if file == "-" else open(file, "rb")  # noqa: SIM115
    with source, path.open("wb") as target:
        shutil.copyfileobj(_decoded(source, encoding), target)
    return path


def _decoded(source: Any, encoding: str) -> IO[bytes]:
    if encoding == "utf-8":
        return source
    if source.peek(2)[:2] == b"\x1f\x8b":
        source = gzip.GzipFile(fileobj=source)
    return codecs.EncodedFile(source, "utf-8", encoding)


def _scan(path: str | Path, file: str, data: Data, header: bool) -> pl.LazyFrame:
    """A frame of all columns of a file, which is not read yet."""
    name = re.sub(r"\.(gz|zst)$", "", file.lower())
    if not header or not name.endswith((".parquet", ".pq", ".ndjson", ".jsonl")):
        tab = "\t" if name.endswith((".tsv", ".tab")) else ","
        scan = pl.scan_csv(
            path,
            has_header=header,
            separator=data.delimiter or tab,
            infer_schema=False,
            glob=False,
        )
    elif name.endswith((".parquet", ".pq")):
        scan = pl.scan_parquet(path, glob=False)
    else:
        names = pl.scan_ndjson(path).collect_schema().names()
        scan = pl.scan_ndjson(path, schema_overrides=dict.fromkeys(names, pl.String))
    if header:
        _check_columns(scan.collect_schema().names(), file, data)
    return scan


def _check_columns(names, file, data):
    """Raise an error if a wanted column is not there, or twice."""
    wanted = [data.true, *data.pred, *data.proba, data.weights, data.counts, data.by]
    for name in wanted:
        if name is not None and name not in names:
            some = ", ".join(map(repr, names[:_MOST_NAMED]))
            more = ", …" if len(names) > _MOST_NAMED else ""
            raise BadFileError(
                f"{printable(file)}: there is no column {name!r}. The columns are "
                f"{some}{more}.{_hint(names)}"
            )
        if f"{name}_duplicated_0" in names:
            raise BadFileError(
                f"{printable(file)}: several columns are called {name!r}."
            )


def _hint(names):
    """A likely separator, if all cells of the header were read as one."""
    for separator in ";\t|:," if len(names) == 1 else "":
        if separator in names[0]:
            option = "tab" if separator == "\t" else f'"{separator}"'
            return f" Are its cells separated by {option}? Say --delimiter {option}."
    return ""


def _is_blank():
    """Which rows of a CSV file are blank lines."""
    return pl.all_horizontal(pl.exclude(_ROW).is_null())


def _lacks(columns):
    """Which rows lack a cell."""
    texts = (pl.col(name).cast(pl.String) for name in columns)
    return pl.any_horizontal(text.is_null() | (text == "") for text in texts)


def _classes(labels: Iterable[str]) -> Mapping[str, _Label]:
    """The classes that labels stand for: numbers, if all are whole ones, else text."""
    found = {label: _WHOLE.fullmatch(label) for label in labels}
    if all(found.values()):
        return {label: int(match[1]) for label, match in found.items() if match}
    return {label: label for label in found}


def _in_order(labels: Iterable[str]) -> list[str]:
    """Texts in order, by value if all are whole numbers."""
    classes = _classes(labels)
    return sorted(classes, key=lambda label: (classes[label], label))


def _by_group(found: Bunch, labels: list[str] | None) -> Iterator[Any]:
    """The table of each group over its own classes, or over those that are given."""
    classes = _classes([*found.labels.tolist(), *(labels or [])])
    if found.groups is None:
        yield None, _table(found.table, found, found.n_samples, classes, labels)
        return
    for group, table, size in zip(
        found.groups.tolist(), found.table, found.n_samples.tolist(), strict=True
    ):
        yield group, _table(table, found, size, classes, labels)


def _table(table, found, n_samples, classes, labels):
    """A table of classes; labels that stand for the same one are added up."""
    cells = sp.coo_array(table)
    there = cells.data > 0
    y_true, y_pred = (
        [classes[label] for label in names[place[there]].tolist()]
        for names, place in zip(
            (found.labels, found.pred_labels), cells.coords, strict=True
        )
    )
    chosen = sorted({*y_true, *y_pred}) if labels is None else labels
    names = [classes.get(label, label) for label in chosen]
    summed = contingency_table(
        y_true,
        y_pred,
        labels=names,
        sample_weight=cells.data[there],
        sparse=sp.issparse(table),
    )
    return Bunch(
        table=summed.astype(table.dtype),
        labels=np.array(names),
        pred_labels=np.array(names),
        groups=None,
        n_samples=n_samples,
    )


def _seen(found: Bunch) -> tuple[set[str], set[str]]:
    """The true and the predicted labels, as they are in the file."""
    table = found.table if found.groups is None else found.table.sum(axis=0)
    return (
        set(found.labels[np.asarray(table.sum(axis=1)) > 0].tolist()),
        set(found.pred_labels[np.asarray(table.sum(axis=0)) > 0].tolist()),
    )


def _numbered(frame, true, preds, data):
    """Labels as numbers if all are, else as text that spells whole numbers in one way.

    Each prediction is judged with the true labels alone, so that none changes another.
    """
    labels = data.labels or []
    classes = {data.true: _classes([*true, *labels])}
    for name, pred in preds.items():
        both = _classes([*true, *pred, *labels])
        is_whole = all(isinstance(one, int) for one in both.values())
        new = both if is_whole else classes[data.true]
        classes[name] = {label: new.get(label, label) for label in pred}
    known = chain.from_iterable(one.values() for one in classes.values())
    are_whole = all(isinstance(new, int) for new in known)
    dtype, kind = (pl.Int64, int) if are_whole else (pl.String, str)
    frame = frame.with_columns(
        pl.col(name).replace_strict(
            {old: kind(new) for old, new in one.items()}, return_dtype=dtype
        )
        for name, one in classes.items()
    )
    if data.labels is None:
        return Samples(frame, None)
    return Samples(frame, [kind(classes[data.true][label]) for label in labels])


def _tell_of_labels(seen: Mapping[str, tuple[set[str], set[str]]], data: Data) -> None:
    """Print what may be wrong with true and predicted labels."""
    messages: dict[str, None] = {}
    for name, (true, pred) in seen.items():
        for column, labels in ((data.true, true), (name, pred)):
            padded = sorted(one for one in labels if one != one.strip(_BLANKS))
            if padded and data.labels is None:  # otherwise they are meant
                messages[
                    f"labels in column {column!r} begin or end with blanks, such as "
                    f"{padded[0]!r}. They are kept: {padded[0]!r} and "
                    f"{padded[0].strip(_BLANKS)!r} are different."
                ] = None
        classes = _classes(true | pred)
        if {classes[one] for one in true}.isdisjoint(classes[one] for one in pred):
            some = (", ".join(map(repr, _in_order(one)[:5])) for one in (true, pred))
            messages[
                f"columns {data.true!r} and {name!r} share no label. Got "
                f"{' and '.join(some)}."
            ] = None
    for message in messages:
        tell(f"warning: {_names(data)}: {message}")


def _matrix(file: str, rows: list[list[str]]) -> Bunch:
    """The table in the cells of a file, and the names of its classes.

    Columns that have the labels of the rows are put in the order of the rows; as many
    columns as rows stand for the same classes.
    """
    if not rows:
        raise BadFileError(f"{file}: the file is empty.")
    if hint := _hint(rows[0]):
        raise BadFileError(f"{file}: there is one column only.{hint}")
    columns = labels = None
    has_columns, has_labels = _has_labels(rows)
    if has_columns:
        columns = rows.pop(0)[has_labels:]
    if has_labels:
        labels = [row.pop(0) for row in rows]
    _check_form(rows, labels, columns, file)
    table = _cells(rows, file, 1 + has_columns, 1 + has_labels)
    if columns is not None and labels is not None:
        table = table[:, _order(labels, columns, file)]
    is_square = table.shape[0] == table.shape[1]
    if labels is None:
        numbers = [str(i) for i in range(len(table))]
        labels = columns if columns is not None and is_square else numbers
    return Bunch(
        table=table,
        labels=np.array(labels),
        pred_labels=None if columns is None or is_square else np.array(columns),
        groups=None,
        n_samples=None,
    )


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
        raise BadFileError(f"{file}: there are no rows below the header.")
    side, top = [row[0] for row in rows], rows[0]
    for given, cells, others, what in (
        (labels, side, top, "column"),
        (columns, top, side, "row"),
    ):
        counted = ([str(i + first) for i in range(len(cells))] for first in (0, 1))
        if given is None and len(cells) == len(others) - 1 and cells in counted:
            raise BadFileError(
                f"{file}: the first {what} may hold labels or counts. If labels, give "
                "labels to rows and columns and leave the cell in the corner empty; if "
                "counts, give labels that are not numbers."
            )
        if given is not None and ("" in given or len(set(given)) < len(given)):
            raise BadFileError(
                f"{file}: labels must be different, and not empty. The first {what} "
                f"holds {', '.join(map(repr, given))}."
            )


def _cells(rows, file, first_row, first_column):
    """Counts as integers if all are, else as floats."""
    for place, row in enumerate(rows, first_row):
        for column, cell in enumerate(row, first_column):
            if not _NUMBER.fullmatch(cell) or not 0 <= float(cell) < math.inf:
                problem = (
                    f"must hold a non-negative finite number. Got {cell!r}"
                    if cell
                    else "is empty"
                )
                raise BadFileError(
                    f"{file}, row {place}, column {column}: the cell {problem}."
                )
    is_count = all(map(_COUNT.fullmatch, chain.from_iterable(rows)))
    table = np.array([list(map(int if is_count else float, row)) for row in rows])
    if not table.any():
        raise BadFileError(f"{file}: all cells of the matrix are zero.")
    return table


def _order(labels, columns, file):
    """The column of each class, by label if columns and rows have the same labels."""
    if set(labels) == set(columns):
        return [columns.index(label) for label in labels]
    in_place = [i for i, label in enumerate(labels) if label in columns[i : i + 1]]
    if len(labels) == len(columns) and len(in_place) < len(set(labels) & set(columns)):
        raise BadFileError(
            f"{file}: rows and columns share labels, but not in the same places: "
            f"{labels} and {columns}."
        )
    return list(range(len(columns)))
