"""The confusion matrix as a heat map of the information in each cell."""

import math
from collections.abc import Sequence

import numpy as np

from sklearn_entropy_metrics._html import Html, html_text
from sklearn_entropy_metrics.score.report.names import (
    column_heads,
    key_of,
    row_heads,
    tooltip_names,
    width_of,
)
from sklearn_entropy_metrics.score.report.words import count, signed_percent

# Information below this, in bits, counts as none.
_NOTHING = 1e-9
# Shades of a colour.
LEVELS = 9
_NO_INFORMATION = "There is no information to distribute over the cells."
_EXPLANATION = (
    "The colour of a cell is its part of the information, p log₂(p / (p_true p_pred)): "
    "green if true and predicted class meet more often than by chance, brown if they "
    "meet less often. The parts of all cells sum to the mutual information. A "
    "green cell off the diagonal is a systematic confusion: it says something about "
    "the true class, which accuracy ignores."
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


def draw_heat_map(
    cells: np.ndarray, rows: Sequence[str], columns: Sequence[str]
) -> Html:
    """Draw a table of counts or weights, true classes in rows."""
    bits = cell_information(cells)
    has_shares = bits.sum() > _NOTHING
    shares = bits / bits.sum() if has_shares else np.full(bits.shape, np.nan)
    row_names, column_names = tooltip_names(rows, columns)
    width, heads = width_of(len(columns)), column_heads(columns)
    levels, body = _levels(shares), []
    for i, head in enumerate(row_heads(rows, columns)):
        found = [
            _cell(
                value,
                share,
                level,
                rows[i] == column,
                f"{row_names[i]} → {name}",
                width,
            )
            for value, share, level, column, name in zip(
                cells[i].tolist(),
                shares[i].tolist(),
                levels[i].tolist(),
                columns,
                column_names,
                strict=True,
            )
        ]
        body.append(f'<tr><th scope="row">{html_text(head)}</th>{"".join(found)}</tr>')
    above = (f'<th scope="col">{html_text(head)}</th>' for head in heads)
    key = key_of(rows, columns)
    column = max(5, 0.62 * max(map(len, heads)) + 0.5)
    return Html(
        f'<div class="scroll"><table class="cells {width}" style="--column:{column:.1f}'
        f'em"><thead><tr><th scope="col">true ↓ predicted →</th>{"".join(above)}</tr>'
        f"</thead><tbody>{''.join(body)}</tbody></table></div>"
        f"{f'<p>{html_text(key)}</p>' if key else ''}"
        f"<p>{html_text(_EXPLANATION if has_shares else _NO_INFORMATION)}</p>"
    )


def _levels(shares):
    """Shades, negative where shares are; the palest is 1."""
    sizes = np.nan_to_num(np.abs(shares))
    steps = np.ceil(LEVELS * np.sqrt(sizes / (sizes.max() or 1)))
    return (np.sign(np.nan_to_num(shares)) * steps).astype(int)


def _cell(value, share, level, is_hit, names, width):
    """A cell with as many numbers as fit; the tooltip has all of them."""
    hit = "hit" if is_hit else ""
    if not value:
        return f'<td class="{hit}"></td>' if hit else "<td></td>"
    said = "" if math.isnan(share) else signed_percent(share)
    shown = "" if width == "many" else count(value)
    if said and width == "few":
        shown += f"<small>{said}</small>"
    style = f"{'p' if level > 0 else 'n'}{abs(level)} {hit}".strip()
    tooltip = f"{names}: {count(value)}" + (f", {said}" if said else "")
    return f'<td class="{style}" title="{tooltip}">{shown}</td>'
