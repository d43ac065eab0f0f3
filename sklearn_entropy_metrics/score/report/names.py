"""Names of classes where space is limited."""

from collections.abc import Sequence

from sklearn_entropy_metrics._html import html_text, shorten

# With more columns than this, names get only a few characters.
_MANY, _VERY_MANY = 12, 24
# Characters of names in the heads of rows and columns, and of those that are narrow.
_ROW, _COLUMN = 24, 12
_NARROW_ROW, _NARROW_COLUMN = 15, 3
# Bytes that names may take in all tooltips together, and lengths to try.
_BUDGET = 60_000
_LENGTHS = (40, 24, 16, 12, 8, 5)


def width_of(n_columns: int) -> str:
    """How wide the columns are: the class of their style."""
    if n_columns > _VERY_MANY:
        return "many"
    return "several" if n_columns > _MANY else "few"


def column_heads(columns: Sequence[str]) -> list[str]:
    """Short names of the columns; numbers if there is no room for names."""
    if _are_numbered(columns):
        return [str(place) for place in range(1, len(columns) + 1)]
    return [shorten(name, _COLUMN) for name in columns]


def row_heads(rows: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Short names of the rows, with the numbers of their columns if there are any."""
    length = _NARROW_ROW if len(columns) > _VERY_MANY else _ROW
    heads = [shorten(name, length) for name in rows]
    if not _are_numbered(columns) or list(rows) != list(columns):
        return heads
    return [f"{place} {head}" for place, head in enumerate(heads, 1)]


def key_of(rows: Sequence[str], columns: Sequence[str]) -> str:
    """What the column numbers stand for, if no row says so."""
    if not _are_numbered(columns) or list(rows) == list(columns):
        return ""
    names = (f"{i} {shorten(name, _ROW)}" for i, name in enumerate(columns, 1))
    return f"Columns: {', '.join(names)}."


def tooltip_names(rows: Sequence[str], columns: Sequence[str]) -> list[list[str]]:
    """Names for HTML, as long as all cells together allow; otherwise numbers."""
    sides = rows, columns
    for length in _LENGTHS:
        names: list[list[str]] = [
            [html_text(shorten(name, length)) for name in side] for side in sides
        ]
        sizes = [len("".join(side).encode()) for side in names]
        if sizes[0] * len(columns) + sizes[1] * len(rows) <= _BUDGET:
            return names
    return [[str(place) for place in range(1, len(side) + 1)] for side in sides]


def _are_numbered(columns):
    return len(columns) > _MANY and max(map(len, columns)) > _NARROW_COLUMN
