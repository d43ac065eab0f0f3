"""Reports as Markdown, for pull requests and issues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from sklearn_entropy_metrics._html import visible
from sklearn_entropy_metrics.report import words
from sklearn_entropy_metrics.report.numbers import Report
from sklearn_entropy_metrics.report.text import (
    MOST_CLASSES,
    estimate_heading,
    more_classes,
    shown_interval,
    shown_number,
)

# Characters with a meaning in Markdown, and names without any.
_SPECIAL = re.compile(r"([\\`*_\[\]|~#])")
_HARMLESS = re.compile(r"[\w .,:;+/()%=-]*[\w.,:;+/()%=-]")


def markdown_of_reports(reports: Mapping[str, Report], comparison: Any = None) -> str:
    """Write one or several reports as GitHub Markdown, after their comparison.

    The parameters are those of :func:`text_of_reports`.
    """
    parts = [] if comparison is None else [markdown_of_comparison(comparison)]
    return "\n".join([*parts, *(_report(*item) for item in reports.items())])


def markdown_of_comparison(comparison: Any) -> str:
    """Write a comparison of models or segments: its sentences, and a row each."""
    heads, rows = comparison.rows()
    cells = [[_code(row[0]), *map(_plain, row[1:])] for row in rows]
    return (
        f"## Comparison\n\n{_plain(comparison.summary())}\n\n"
        f"{_table(list(map(_plain, heads)), cells)}\n"
    )


def _report(name, report):
    numbers = report.numbers
    notes = (f"> {_plain(note)}" for note in numbers["notes"])
    confusions = [f"- {_plain(one)}" for one in words.confusions(numbers)]
    parts = [
        "## Information report" + (f": {_code(name)}" if name else ""),
        _plain(" ".join(numbers["verdict"])),
        _main_table(report),
        "\n>\n".join(notes),
        "\n".join(["**Systematic confusions**", "", *confusions]) if confusions else "",
        "<details><summary>Classes</summary>",
        _classes(report),
        "</details>",
        "<details><summary>More numbers</summary>",
        *(
            f"**{_plain(title)}**\n\n{_further_table(lines, report.digits)}"
            for title, lines in words.further_sections(numbers)
        ),
        "</details>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _code(name):
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


def _main_table(report):
    heads = ["", "observed", "baseline"]
    if report.confidence_level is not None:
        heads.append(_plain(estimate_heading(report)))
    rows = [
        [
            line.title,
            shown_number(line.value, report.digits),
            shown_number(line.baseline, report.digits),
            _plain(shown_interval(line, report.digits)),
        ][: len(heads)]
        for line in words.main_lines(report.numbers)
    ]
    return _table(heads, rows)


def _further_table(lines, digits):
    rows = [[_plain(title), shown_number(v, digits)] for title, v, *_ in lines]
    return _table(["", "observed"], rows)


def _classes(report):
    classes = report.numbers["classes"]
    rows = [
        [_code(name), *(shown_number(x, report.digits) for x in classes[name].values())]
        for name in words.sorted_classes(classes, MOST_CLASSES)
    ]
    heads = ["class", "support", *map(_plain, words.CLASS_RATES.values())]
    return "\n\n".join([_table(heads, rows), *more_classes(classes)])


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
