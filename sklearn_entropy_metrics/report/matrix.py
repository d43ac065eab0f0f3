"""The confusion matrix as an HTML table of counts."""

from __future__ import annotations

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics._html import html_text, shorten
from sklearn_entropy_metrics.report.numbers import Report
from sklearn_entropy_metrics.report.words import count, sorted_classes

# Up to this number of classes all of them are shown, else the worst and the rest.
_MOST, _WORST = 25, 10
# Shades of a colour: factors of the square root of two, more or less than by chance.
_SHADES = 4
_MEANING = (
    "Green: right predictions that are more frequent than by chance. Orange: other "
    "predictions that are more frequent than by chance. Grey: less frequent than by "
    "chance. The darker, the larger the ratio."
)
_NO_COLOUR = (
    "No cell is coloured: the predictions say no more than chance would explain."
)


def html_matrix(report: Report) -> str:
    """Draw the table of a report, true classes in rows, coloured by chance."""
    table, rows, columns = _shown(report)
    total = table.sum()
    expected = table.sum(axis=1, keepdims=True) * (table.sum(axis=0) / total)
    # Half a sample more in both, so that empty cells of rare classes stay pale.
    unit = 0.5 if total > 1 else 0.5 * total / table.size
    steps = 2 * np.log2((table + unit) / (expected + unit))
    steps = np.clip(np.rint(steps), -_SHADES, _SHADES).astype(int)
    if not report.is_known:
        steps = np.zeros_like(steps)
    heads = "".join(
        f'<th scope="col">{html_text(shorten(name, 12))}</th>' for name in columns
    )
    body = "".join(
        _row(name, table[i].tolist(), steps[i].tolist(), columns)
        for i, name in enumerate(rows)
    )
    meaning = _MEANING if report.is_known else _NO_COLOUR
    return (
        '<div class="scroll"><table class="cells"><thead><tr><th scope="col">true ↓ '
        f"predicted →</th>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
        f"<p>{meaning}</p>"
    )


def _shown(report):
    """The table, or that of the worst classes and all others together."""
    table, rows, columns = report.table, report.rows, report.columns
    if max(table.shape) <= _MOST:
        dense = table.toarray() if sp.issparse(table) else table
        return dense, rows, columns
    if rows == columns:
        worst = set(sorted_classes(report.numbers["classes"], _WORST))
        kept = [[i for i, name in enumerate(rows) if name in worst]] * 2
    else:
        kept = [list(range(min(len(names), _WORST))) for names in (rows, columns)]
    sides = [_gathered(n, some) for n, some in zip(table.shape, kept, strict=True)]
    dense = (sides[0] @ sp.csr_array(table) @ sides[1].T).toarray()
    names = [
        [*(side[i] for i in some), f"{len(side) - len(some)} others"]
        for side, some in zip((rows, columns), kept, strict=True)
    ]
    return dense, *names


def _gathered(size, kept):
    """A matrix that keeps some classes and adds all others up."""
    place = np.full(size, len(kept))
    place[kept] = np.arange(len(kept))
    shape = len(kept) + 1, size
    return sp.csr_array((np.ones(size, dtype=int), (place, np.arange(size))), shape)


def _row(name, values, steps, columns):
    cells = []
    for value, step, column in zip(values, steps, columns, strict=True):
        is_hit = name == column
        more = "hit" if is_hit else "miss"
        shade = f"{more if step > 0 else 'less'}{abs(step)}" if step else ""
        style = f"{shade} {'diagonal' if is_hit else ''}".strip()
        cells.append(f'<td class="{style}">{count(value)}</td>')
    head = html_text(shorten(name, 24))
    return f'<tr><th scope="row">{head}</th>{"".join(cells)}</tr>'
