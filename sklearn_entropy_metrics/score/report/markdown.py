"""Reports as Markdown, for pull requests and issues."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from sklearn_entropy_metrics._html import visible
from sklearn_entropy_metrics.score.report import words
from sklearn_entropy_metrics.score.report.content import MOST_CLASSES, Content
from sklearn_entropy_metrics.score.report.text import (
    cells_of_lines,
    cells_of_reports,
    shown_number,
)
from sklearn_entropy_metrics.score.report.titles import CLASS_COLUMNS, titled_sections

# Sections that readers look at first; the others are folded away.
_FIRST = ("transfer", "accuracy")
# Characters with a meaning in Markdown, and names without any.
_SPECIAL = re.compile(r"([\\`*_\[\]|~#])")
_HARMLESS = re.compile(r"[\w .,:;+/()%=-]*[\w.,:;+/()%=-]")


def markdown_page(reports: Mapping[str, Content]) -> str:
    """Write one or several named reports as GitHub Markdown.

    Parameters
    ----------
    reports : dict of str to Content
        What to report. A single report may have an empty name.

    Returns
    -------
    text : str
    """
    parts = [_report(name, content) for name, content in reports.items()]
    if len(reports) > 1:
        header, rows = cells_of_reports(reports)
        rows = [[code(name), *numbers] for name, *numbers in rows]
        parts.insert(0, "## Information reports\n\n" + _table(header, rows) + "\n")
    return "\n".join(parts)


def _report(name, content):
    sections = list(titled_sections(content.numbers))
    first = [line for one in sections if one.key in _FIRST for line in one.lines]
    notes = (f"> {_plain(note)}" for note in content.numbers["notes"])
    parts = [
        "## Information report" + (f": {code(name)}" if name else ""),
        " ".join(words.summary(content)),
        _lines(first, content),
        "\n>\n".join(notes),
        "<details><summary>More numbers</summary>",
        *(
            f"**{one.title}**\n\n{_lines(one.lines, content)}"
            for one in sections
            if one.key not in _FIRST
        ),
        "</details>",
        "<details><summary>Classes</summary>",
        _classes(content),
        "</details>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def code(name: Any) -> str:
    """A name as code, which mentions nobody and is not interpreted as Markdown."""
    name = visible(name)
    if _HARMLESS.fullmatch(name):
        return f"`{name}`"
    escaped = re.sub(r"[^\w ]", lambda found: f"&#{ord(found[0])};", name)
    return f"<code>{escaped}</code>"


def _plain(text):
    """A text that is not interpreted as markup or as a user name."""
    text = _SPECIAL.sub(r"\\\1", escape(visible(text), quote=False))
    return text.replace("@", "@\u200b")


def _lines(lines, content):
    header, rows = cells_of_lines(lines, content)
    return _table(header, [list(map(_plain, row)) for row in rows])


def _classes(content):
    classes = content.numbers["classes"]
    rows = [
        [code(name), *(shown_number(x, content.digits) for x in row.values())]
        for name, row in list(classes.items())[:MOST_CLASSES]
    ]
    table = _table(["class", *map(_plain, CLASS_COLUMNS.values())], rows)
    if len(classes) > MOST_CLASSES:
        table += f"\n\n… and {len(classes) - MOST_CLASSES} more classes"
    return table


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
