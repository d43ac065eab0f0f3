"""Parquet files → blocks of rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sklearn_entropy_metrics.command_line.messages import Progress, file_name
from sklearn_entropy_metrics.command_line.read.blocks import (
    Block,
    Columns,
    check_counts,
    fail,
    find_columns,
    make_block,
)

# Rows read at a time.
_BLOCK = 1 << 16


def is_parquet(file: str) -> bool:
    """Whether a file is a Parquet file, by its name."""
    return file.lower().endswith((".parquet", ".pq"))


def read_parquet(file: str, columns: Columns, progress: Progress) -> Iterator[Block]:
    """Read the wanted columns of a file, some rows at a time."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise ValueError(
            f"{file_name(file)}: Parquet files are read by the package pyarrow, which "
            "is not installed."
        ) from error
    names = columns.names
    try:
        with parquet.ParquetFile(file) as opened:
            find_columns(names, opened.schema_arrow.names, file)
            n_rows = opened.metadata.num_rows
            if n_rows == 0:
                raise ValueError(f"{file_name(file)}: there are no rows.")
            n_read = 0
            for batch in opened.iter_batches(_BLOCK, columns=sorted(set(names))):
                first = n_read + 1
                n_read += len(batch)
                progress.show(n_read, n_read / n_rows)
                yield _block(batch, columns, range(first, n_read + 1), file)
    except ArrowException as error:
        raise ValueError(f"{file_name(file)}: {error}") from error


def _block(batch, columns, rows, file):
    first = rows.start
    texts = [_labels(batch, name, first, file) for name in columns.texts]
    numbers = [_numbers(batch, name, first, file) for name in columns.numbers]
    counts = None
    if columns.counts is not None:
        counts = _numbers(batch, columns.counts, first, file)
    block = make_block(texts, numbers, counts, rows, "row", columns)
    return check_counts(block, columns, file)


def _labels(batch, name, first, file):
    """Labels as text: strings, whole numbers and booleans."""
    _check_filled(batch, name, first, file)
    values = batch.column(name).to_pylist()
    if "" in values:
        fail(file, f"row {first + values.index('')}", name, "the cell is empty.")
    if not set(map(type, values)) <= {str, int, bool}:
        values = [
            _whole(value, f"row {first + i}", name, file)
            for i, value in enumerate(values)
        ]
    return list(map(str, values))


def _whole(value, place, name, file):
    if isinstance(value, float) and value.is_integer():
        return int(value)
    fail(file, place, name, f"{value!r} is not a class label.")


def _numbers(batch, name, first, file):
    _check_filled(batch, name, first, file)
    numbers = batch.column(name).to_numpy(zero_copy_only=False)
    if numbers.dtype.kind not in "iuf":
        fail(file, f"row {first}", name, f"{numbers[0]!r} is not a number.")
    return numbers.astype(np.float64)


def _check_filled(batch: Any, name: str, first: int, file: str) -> None:
    column = batch.column(name)
    if column.null_count:
        row = first + column.is_null().to_pylist().index(True)
        fail(file, f"row {row}", name, "the cell is empty.")
