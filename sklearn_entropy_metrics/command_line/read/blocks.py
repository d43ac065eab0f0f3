"""What readers of files give: some rows of the wanted columns at a time."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, NoReturn

import numpy as np

from sklearn_entropy_metrics.command_line.messages import file_name

# Columns that are named when one is not found.
_MOST_NAMED = 30


class Columns(NamedTuple):
    """Names of the wanted columns."""

    labels: list[str]
    numbers: list[str]


class Block(NamedTuple):
    """The wanted columns of some rows of a file."""

    labels: Sequence[Sequence[str]]
    numbers: list[np.ndarray]
    places: Sequence[int]
    unit: Literal["line", "row"]  # of the places


def find_columns(names: Sequence[str], header: Sequence[str], file: str) -> list[int]:
    """Where the wanted columns are; each must be there once."""
    header = list(header)
    for name in names:
        if name not in header:
            some = ", ".join(map(repr, header[:_MOST_NAMED]))
            more = ", …" if len(header) > _MOST_NAMED else ""
            raise ValueError(
                f"{file_name(file)}: there is no column {name!r}. The columns are "
                f"{some}{more}."
            )
        if header.count(name) > 1:
            raise ValueError(f"{file_name(file)}: several columns are called {name!r}.")
    return [header.index(name) for name in names]


def fail(file: str, place: str, column: str, problem: str) -> NoReturn:
    """Tell what is wrong with a cell."""
    raise ValueError(f"{file_name(file)}, {place}, column {column!r}: {problem}")
