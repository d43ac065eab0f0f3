"""Results that are lists of records: as text, HTML and data frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, ClassVar

from sklearn_entropy_metrics._html import html_table, html_text, shorten

if TYPE_CHECKING:
    import pandas as pd

# Characters of a name in texts.
NAME = 30


class Records:
    """A result with records, their rows of texts, a title and notes."""

    _kind: ClassVar[type]

    def _records(self) -> list[Any]:
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """Return the records as a data frame; needs pandas.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each record.
        """
        return frame_of(self._records(), self._kind)

    def rows(self) -> tuple[list[str], list[list[str]]]:
        """The heads of the columns, and the rows, as texts."""
        raise NotImplementedError

    def _title(self) -> str:
        raise NotImplementedError

    def _notes(self) -> list[str]:
        return []

    def __repr__(self) -> str:
        notes = ["\n" + note for note in self._notes()]
        return "\n".join([self._title(), "", *text_lines(*self.rows()), *notes])

    def _repr_html_(self) -> str:
        heads, rows = self.rows()
        table = html_table(rows, header=heads, caption=self._title(), named_rows=True)
        return table + "".join(f"<p>{html_text(note)}</p>" for note in self._notes())


def frame_of(records: Sequence[Any], kind: type) -> pd.DataFrame:
    """Records of a kind as a data frame; needs pandas."""
    import pandas as pd

    names = [field.name for field in fields(kind)]
    return pd.DataFrame([asdict(one) for one in records], columns=names)


def text_lines(heads: list[str], rows: list[list[str]], width: int = NAME) -> list[str]:
    """A table as lines of text: names of at most some characters, then numbers."""
    names = [shorten(row[0], width) for row in rows]
    width = max(map(len, names))
    lines = []
    for name, row in zip(["", *names], [heads, *rows], strict=True):
        cells = [f"  {cell}" if cell == "*" else f"{cell:>10}" for cell in row[1:]]
        lines.append(f"{name:<{width}}{''.join(cells)}".rstrip())
    return lines
