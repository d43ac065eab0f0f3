"""Reports as Markdown, for pull requests and issues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from sklearn_entropy_metrics._html import shorten, visible
from sklearn_entropy_metrics.report import words
from sklearn_entropy_metrics.report.numbers import Report
from sklearn_entropy_metrics.report.text import class_cells, main_cells

# Characters with a meaning in Markdown, and names without any.
_SPECIAL = re.compile(r"([\\`*_\[\]|~#])")
_HARMLESS = re.compile(r"[\w .,:;+/()%=-]*[\w.,:;+/()%=-]")


def markdown_of_reports(reports: Mapping[str, Report], comparison: Any) -> str:
    """Write one or several reports as GitHub Markdown, after their comparison.

    The parameters are those of :func:`text_of_reports`.
    """
    parts = [] if comparison is None else [markdown_of_comparison(comparison)]
    return "\n".join([*parts, *(_report(*item) for item in reports.items())])


def markdown_of_comparison(comparison: Any) -> str:
    """Write a comparison of models or segments: its sentences, and a row each."""
    heads, rows = comparison.rows()
    cells = ([_code(row[0]), *map(_plain, row[1:])] for row in rows)
    table = _table([map(_plain, heads), *cells])
    return f"## Comparison\n\n{_plain(comparison.summary())}\n\n{table}\n"


def _report(name, report):
    numbers = report.numbers
    heads, *rows = class_cells(report)
    confusions = [f"- {_plain(one)}" for one in words.confusions(numbers)]
    parts = [
        "## Information report" + (f": {_code(name)}" if name else ""),
        _plain(" ".join(numbers["verdict"])),
        _table([map(_plain, row) for row in main_cells(report)]),
        "\n>\n".join(f"> {_plain(note)}" for note in numbers["notes"]),
        "\n".join(["**Systematic confusions**", "", *confusions]) if confusions else "",
        *map(_plain, words.of_probabilities(numbers)),
        "<details><summary>Classes</summary>",
        _table([heads, *([_code(name), *row] for name, *row in rows)]),
        "</details>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _code(name):
    """A name as code, which mentions nobody and is not interpreted as Markdown."""
    name = shorten(name, 60)
    if _HARMLESS.fullmatch(name):
        return f"`{name}`"
    escaped = re.sub(r"[^\w ]", lambda match: f"&#{ord(match[0])};", name)
    return f"<code>{escaped}</code>"


def _plain(text):
    """A text that is not interpreted as markup or as a user name."""
    text = _SPECIAL.sub(r"\\\1", escape(visible(text), quote=False))
    return text.replace("@", "@\u200b")


def _table(rows: Iterable[Iterable[str]]) -> str:
    head, *body = (list(row) for row in rows)
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
