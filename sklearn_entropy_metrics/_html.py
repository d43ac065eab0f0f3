"""Small pieces of HTML in which every text is escaped."""

import re
from collections.abc import Iterable, Sequence
from html import escape

# Characters that a page may not contain, that break lines, or that change the text
# direction.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069]")


def visible(text: object) -> str:
    """A text on one line, with its control characters written out."""
    return _UNSAFE.sub(lambda match: repr(match[0])[1:-1], str(text))


def shorten(label: object, length: int) -> str:
    """A name cut to a number of characters, keeping its start and its end."""
    name = visible(label)
    if len(name) <= length:
        return name
    tail = (length - 1) // 3
    return name[: length - 1 - tail] + "…" + name[len(name) - tail :]


class Html(str):
    """A text that is already HTML."""


def html_text(text: object) -> Html:
    """A text that is safe between tags and inside quotation marks."""
    return text if isinstance(text, Html) else Html(escape(visible(text)))


def html_table(
    rows: Iterable[Sequence[object]],
    *,
    header: Sequence[object] = (),
    caption: str = "",
    named_rows: bool = False,
) -> str:
    """A table of texts.

    Parameters
    ----------
    rows : iterable of sequences
        The cells, row by row. Everything that is not :class:`Html` is escaped.

    header : sequence, default=()
        The heads of the columns.

    caption : str, default=""
        The text above the table.

    named_rows : bool, default=False
        Whether the first cell of each row is its head.

    Returns
    -------
    table : str
    """
    parts = ["<table>"]
    if caption:
        parts.append(f"<caption>{html_text(caption)}</caption>")
    if header:
        heads = [f'<th scope="col">{html_text(cell)}</th>' for cell in header]
        parts.append(f"<thead><tr>{''.join(heads)}</tr></thead>")
    parts.append("<tbody>")
    for row in rows:
        heads = [f'<th scope="row">{html_text(row[0])}</th>'] if named_rows else []
        cells = [f"<td>{html_text(cell)}</td>" for cell in row[len(heads) :]]
        parts.append(f"<tr>{''.join(heads + cells)}</tr>")
    return "".join([*parts, "</tbody></table>"])
