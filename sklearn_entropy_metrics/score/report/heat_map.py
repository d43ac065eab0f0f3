"""The confusion matrix as a heat map of what each cell tells."""

from collections.abc import Sequence

import numpy as np

from sklearn_entropy_metrics._html import Html, html_text, visible
from sklearn_entropy_metrics.score.report.words import count, signed_percent

# Information below which there is nothing to share out, in bits.
_NOTHING = 1e-9
# Shades of a colour, and the most columns with a share in each cell and with a number.
LEVELS = 9
_WIDEST_SHARES, _WIDEST_COUNTS = 12, 24
# Characters of names in the heads of rows and columns, and of those that are narrow.
_ROW, _COLUMN = 24, 12
_NARROW_ROW, _NARROW_COLUMN = 15, 3
# Bytes that names may take in all tooltips together, and lengths to try.
_BUDGET = 60_000
_LENGTHS = (40, 24, 16, 12, 8, 5)

_NO_INFORMATION = "There is no information that the cells could have parts of."
_EXPLANATION = (
    "The colour of a cell is its part of the information, p log₂(p / (p_true p_pred)): "
    "green if true and predicted class meet more often than by chance, brown if they "
    "meet less often. The parts of all cells sum to the mutual information. A "
    "green cell off the diagonal is a systematic confusion: it tells something about "
    "the true class, which accuracy does not see."
)


def cell_information(cells: np.ndarray) -> np.ndarray:
    r"""Parts of the mutual information, in bits, that the cells of a table carry.

    Parameters
    ----------
    cells : ndarray of shape (k, m)
        Counts or weights.

    Returns
    -------
    bits : ndarray of shape (k, m)
        :math:`p_{ij} \log_2 (p_{ij} / (p_{i.} p_{.j}))`, 0 for empty cells.
    """
    p = cells / cells.max()  # totals may be beyond the largest float
    p /= p.sum()
    i, j = np.nonzero(p)
    logs = np.log2(p[i, j]) - np.log2(p.sum(axis=1)[i]) - np.log2(p.sum(axis=0)[j])
    bits = np.zeros(p.shape)
    bits[i, j] = p[i, j] * logs
    return bits


def shorten(name: str, length: int) -> str:
    """A name of at most so many characters, with its start and its end."""
    name = visible(name)
    if len(name) <= length:
        return name
    tail = (length - 1) // 3
    return name[: length - 1 - tail] + "…" + name[len(name) - tail :]


def draw_heat_map(
    cells: np.ndarray, rows: Sequence[str], columns: Sequence[str]
) -> Html:
    """Draw a table of counts or weights, true classes in rows."""
    bits = cell_information(cells)
    total = float(bits.sum())
    has_shares = total > _NOTHING
    shares = bits / total if has_shares else np.zeros_like(bits)
    levels = _levels(bits) if has_shares else np.zeros(bits.shape, dtype=int)
    row_names, column_names = _short_names(rows, columns)
    show = _shown_in_cells(len(columns), has_shares)
    body = []
    for i, head in enumerate(_row_heads(rows, columns)):
        found = [f'<tr><th scope="row">{html_text(head)}</th>']
        for j, value in enumerate(cells[i].tolist()):
            is_hit = rows[i] == columns[j]
            if not value:
                found.append('<td class="hit"></td>' if is_hit else "<td></td>")
                continue
            level, share = levels[i, j], shares[i, j]
            style = f"{'p' if level > 0 else 'n'}{abs(level)}{' hit' if is_hit else ''}"
            tooltip = f"{row_names[i]} → {column_names[j]}: {count(value)}"
            tooltip += f", {signed_percent(share)}" if has_shares else ""
            found.append(
                f'<td class="{style}" title="{tooltip}">{show(value, share)}</td>'
            )
        body.append("".join([*found, "</tr>"]))
    heads = _heads(columns)
    cells_of_heads = (f'<th scope="col">{html_text(head)}</th>' for head in heads)
    longest = max(map(len, heads))
    return Html(
        f'<div class="scroll"><table class="cells {_width(columns)}" '
        f'style="--column:{max(5, 0.62 * longest + 0.5):.1f}em"><thead><tr>'
        f'<th scope="col">true ↓ predicted →</th>{"".join(cells_of_heads)}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>{_key(rows, columns)}"
        f"<p>{html_text(_EXPLANATION if has_shares else _NO_INFORMATION)}</p>"
    )


def _levels(bits):
    """Shades, negative where bits are, from 1 where there is hardly anything."""
    steps = np.ceil(LEVELS * np.sqrt(np.abs(bits) / np.abs(bits).max()))
    return (np.sign(bits) * steps).astype(int)


def _shown_in_cells(n_columns, has_shares):
    """What writes a number of samples and its share into a cell, if there is room."""
    if n_columns > _WIDEST_COUNTS:
        return lambda value, share: ""
    if n_columns > _WIDEST_SHARES or not has_shares:
        return lambda value, share: count(value)
    return lambda value, share: f"{count(value)}<small>{signed_percent(share)}</small>"


def _width(columns):
    n_columns = len(columns)
    if n_columns > _WIDEST_COUNTS:
        return "many"
    return "several" if n_columns > _WIDEST_SHARES else "few"


def _are_numbered(columns):
    """Whether numbers stand in the heads of columns that are too narrow for names."""
    is_narrow = len(columns) > _WIDEST_SHARES
    return is_narrow and max(map(len, columns)) > _NARROW_COLUMN


def _heads(columns):
    if _are_numbered(columns):
        return [str(place) for place in range(1, len(columns) + 1)]
    return [shorten(name, _COLUMN) for name in columns]


def _row_heads(rows, columns):
    """Names of the rows, with the numbers of their columns if there are any."""
    length = _NARROW_ROW if len(columns) > _WIDEST_COUNTS else _ROW
    heads = [shorten(name, length) for name in rows]
    if not _are_numbered(columns) or list(rows) != list(columns):
        return heads
    return [f"{place} {head}" for place, head in enumerate(heads, 1)]


def _key(rows, columns):
    """What the numbers in the heads of the columns stand for, if no row says it."""
    if not _are_numbered(columns) or list(rows) == list(columns):
        return ""
    names = (f"{i} {shorten(name, _ROW)}" for i, name in enumerate(columns, 1))
    return f"<p>Columns: {html_text(', '.join(names))}.</p>"


def _short_names(rows, columns):
    """Escaped names for tooltips, as long as all of them together may be."""
    for length in _LENGTHS:
        sides = [
            [html_text(shorten(x, length)) for x in side] for side in (rows, columns)
        ]
        sizes = [len("".join(side).encode()) for side in sides]
        if sizes[0] * len(columns) + sizes[1] * len(rows) <= _BUDGET:
            return sides
    return [[str(place + 1) for place in range(len(side))] for side in (rows, columns)]
