"""The output of file readers: some rows of the requested columns at a time."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, NoReturn

import numpy as np

from sklearn_entropy_metrics.command_line.messages import file_name

# Columns that are named when one is not found.
_MOST_NAMED = 30
# From here on floats do not hold every whole number.
MOST_SAMPLES = 2.0**53


class Columns(NamedTuple):
    """Names of the wanted columns.

    `classes` are the only labels allowed, if they are known.
    """

    labels: list[str]
    numbers: list[str]
    counts: str | None = None
    group: str | None = None
    classes: frozenset[str] | None = None

    @property
    def texts(self) -> list[str]:
        """Labels, and the group if there is one."""
        return self.labels if self.group is None else [*self.labels, self.group]

    @property
    def names(self) -> list[str]:
        """All of them: texts, then numbers, then counts."""
        counts = [] if self.counts is None else [self.counts]
        return [*self.texts, *self.numbers, *counts]


class Coded(Sequence[str]):
    """Texts as places among the different ones, which tables use without a search."""

    def __init__(self, codes: np.ndarray, categories: list[str]) -> None:
        self.codes = codes
        self.categories = categories

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: Any) -> Any:
        return self.categories[self.codes[row]]


class Block(NamedTuple):
    """The wanted columns of some rows of a file.

    With `counts`, each label stands for that many rows; equal rows may have been
    merged, but `places` still lists each of them.
    """

    labels: Sequence[Sequence[str]]
    numbers: list[np.ndarray]
    places: Sequence[int]
    unit: Literal["line", "row"]  # of the places
    counts: np.ndarray | None = None
    groups: Sequence[str] | None = None

    def rows(self, chosen: Sequence[int]) -> "Block":
        """Some of the rows, without their groups."""
        counts, is_whole = self.counts, len(self.places) == len(self.labels[0])
        return Block(
            [[column[i] for i in chosen] for column in self.labels],
            [column[chosen] for column in self.numbers],
            [self.places[i] for i in chosen] if is_whole else self.places,
            self.unit,
            None if counts is None else counts[chosen],
        )


def by_group(block: Block) -> dict[str, Block]:
    """The rows of each group; all rows are the group "" if there are no others."""
    if block.groups is None:
        return {"": block}
    rows: dict[str, list[int]] = defaultdict(list)
    for i, group in enumerate(block.groups):
        rows[group].append(i)
    return {group: block.rows(chosen) for group, chosen in rows.items()}


def make_block(
    texts: Sequence[Sequence[str]],
    numbers: list[np.ndarray],
    counts: np.ndarray | None,
    places: Sequence[int],
    unit: Literal["line", "row"],
    columns: Columns,
) -> Block:
    """Separate labels and groups."""
    labels = texts[: len(columns.labels)]
    groups = None if columns.group is None else texts[-1]
    return Block(labels, numbers, places, unit, counts, groups)


def find_columns(
    names: Sequence[str], header: Sequence[str], file: str, hint: str = ""
) -> list[int]:
    """Where the wanted columns are; each must be there once."""
    header = list(header)
    for name in names:
        if name not in header:
            some = ", ".join(map(repr, header[:_MOST_NAMED]))
            more = ", …" if len(header) > _MOST_NAMED else ""
            raise ValueError(
                f"{file_name(file)}: there is no column {name!r}. The columns are "
                f"{some}{more}.{hint}"
            )
        if header.count(name) > 1:
            raise ValueError(f"{file_name(file)}: several columns are called {name!r}.")
    return [header.index(name) for name in names]


def check_counts(block: Block, columns: Columns, file: str) -> Block:
    """Raise an error for counts that are not numbers of samples."""
    if columns.counts is None or block.counts is None:
        return block
    bad = np.flatnonzero(~are_counts(block.counts))
    if bad.size:
        value, place = block.counts[bad[0]], block.places[bad[0]]
        problem = (
            "counts must be whole numbers from 0 to less than 2**53, got "
            f"{value:.17g} instead."
        )
        fail(file, f"{block.unit} {place}", columns.counts, problem)
    return block


def are_counts(numbers: np.ndarray) -> np.ndarray:
    """Which numbers are whole, not negative and exact."""
    whole = (numbers >= 0) & (numbers < MOST_SAMPLES)
    return whole & (np.floor(numbers) == numbers)


def fail(file: str, place: str, column: str, problem: str) -> NoReturn:
    """Raise an error about a cell."""
    raise ValueError(f"{file_name(file)}, {place}, column {column!r}: {problem}")
