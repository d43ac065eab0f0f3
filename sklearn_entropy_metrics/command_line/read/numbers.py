"""Cells of CSV files → numbers, which must be plain decimals."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from sklearn_entropy_metrics.command_line.read.blocks import fail


def parse_number(cell: str, file: str, line: int, column: str) -> float:
    """The number in a cell, which must be a plain decimal."""
    if _are_plain(cell):
        with suppress(ValueError):
            return float(cell)
    problem = f"{cell!r} is not a number." if cell else "the cell is empty."
    fail(file, f"line {line}", column, problem)


def parse_numbers(
    cells: Sequence[str], file: str, lines: Sequence[int], column: str
) -> np.ndarray:
    """The numbers in a column."""
    plain = plain_numbers(cells)
    if plain is not None:
        return plain
    # One by one, to find out which of them is wrong.
    places = zip(cells, lines, strict=True)
    return np.array([parse_number(cell, file, line, column) for cell, line in places])


def plain_numbers(cells: Sequence[str]) -> np.ndarray | None:
    """The numbers in cells; None if some are not plain decimals."""
    if _are_plain("".join(cells)):
        with suppress(ValueError):
            return np.fromiter(map(float, cells), np.float64, len(cells))
    return None


def _are_plain(cells):
    """Whether everything that Python parses as a number is a plain decimal.

    Python also accepts digits of other scripts, 1_000, nan and inf.
    """
    return cells.isascii() and not any(character in cells for character in "_nN")
