"""Whether the quotes of CSV files are where the standard library expects them."""

from collections.abc import Sequence

import numpy as np

_QUOTE = ord('"')


def count(data: bytes) -> int:
    """How many quotes there are."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == _QUOTE))


def are_in_place(data: bytes, delimiter: str) -> bool:
    """Whether every cell has quotes around it or none.

    Quotes open and close in turn. One that opens is at the beginning of a cell and one
    that closes at the end, or both are neighbours and stand for a quote.
    """
    text = np.frombuffer(b"\n" + data + b"\n", np.uint8)
    places = np.flatnonzero(text == _QUOTE)
    is_border = np.zeros(256, dtype=bool)
    is_border[list(f'{delimiter}\r\n"'.encode())] = True
    before, after = text[places[::2] - 1], text[places[1::2] + 1]
    is_closed = len(before) == len(after)
    return bool(is_closed and is_border[before].all() and is_border[after].all())


def unquoted(
    cells: Sequence[str], n_rows: np.ndarray
) -> tuple[list[str | None], float]:
    """Cells that were split at every delimiter, without the quotes around them.

    Returns
    -------
    cells : list of str or None
        None where a quote is out of place.

    n_quotes : float
        The number of quotes in all rows; each cell is repeated a number of times.
    """
    numbers = np.array([cell.count('"') for cell in cells])
    return list(map(_unquoted, cells)), float(numbers @ n_rows)


def _unquoted(cell):
    if not cell.startswith('"'):
        return cell
    inner = cell[1:-1]
    if len(cell) < 2 or cell[-1] != '"' or '"' in inner.replace('""', ""):
        return None
    return inner.replace('""', '"')
