"""Reports as text of at most 80 columns, and the tables that all forms share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from textwrap import wrap
from typing import Any

from sklearn_entropy_metrics._html import shorten, visible
from sklearn_entropy_metrics.report import words
from sklearn_entropy_metrics.report.numbers import MAIN, Report

# Classes that are listed, and the columns of text.
_MOST_CLASSES, _WIDTH = 50, 78


def text_of_reports(
    reports: Mapping[str, Report], comparison: Any, *, full: bool = False
) -> str:
    """Write one or several reports, after their comparison if there is one.

    Parameters
    ----------
    reports : dict of str to Report
        A single report may have an empty name.

    comparison : ModelComparison, SegmentComparison or None
        The comparison of models or segments.

    full : bool, default=False
        Whether to add all further numbers.

    Returns
    -------
    text : str
    """
    parts = []
    if comparison is not None:
        parts += [_wrapped([comparison.summary()]), f"{comparison}\n"]
    for name, report in reports.items():
        title = f"== {shorten(name, 60)} ==\n\n" if len(reports) > 1 else ""
        parts.append(title + _report(report, full))
    return "\n".join(parts)


def _report(report, full):
    numbers = report.numbers
    blocks = [
        ("", _wrapped([" ".join(numbers["verdict"])])),
        ("", aligned(main_cells(report))),
        ("What not to trust\n", _wrapped(numbers["notes"], "  ")),
        ("", aligned(class_cells(report))),
        ("Systematic confusions\n", _wrapped(words.confusions(numbers), "  ")),
        ("Probabilities\n", _wrapped(words.of_probabilities(numbers), "  ")),
    ]
    for title, lines in words.further_sections(numbers) if full else ():
        rows = ([name, shown(value, report.digits)] for name, value, _ in lines)
        blocks.append((f"{title}\n", aligned(rows)))
    return "\n".join(title + block for title, block in blocks if block)


def _wrapped(sentences, indent=""):
    """Sentences, each from a line of its own on."""
    return "".join(
        f"{line}\n"
        for one in sentences
        for line in wrap(one, _WIDTH, initial_indent=indent, subsequent_indent=indent)
    )


def aligned(rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells below each other; the first is on the left, and cut if need be."""
    lines = [[visible(name), *cells] for name, *cells in rows]
    names, *columns = zip(*lines, strict=True)
    widths = [max(9, *(1 + len(cell) for cell in column)) for column in columns]
    room = min(max(map(len, names)), _WIDTH - sum(widths))
    text = ""
    for name, *cells in lines:
        numbers = zip(cells, widths, strict=True)
        end = "".join(f"{cell:>{width}}" for cell, width in numbers)
        text += f"  {shorten(name, room):<{room}}{end}".rstrip() + "\n"
    return text


def main_cells(report: Report) -> Iterator[list[str]]:
    """Heads and rows of the main numbers: observed, baseline, estimate."""
    numbers, digits = report.numbers, report.digits
    n_columns = 3 if report.confidence_level is None else 4
    level = f"estimate [{100 * (report.confidence_level or 0):g} %]"
    yield ["", "observed", "baseline", level][:n_columns]
    for name, value in main_values(report).items():
        interval = _interval(numbers["intervals"].get(name), digits)
        values = (shown(x, digits) for x in (value, numbers["baseline"][name]))
        yield [words.title_of(name), *values, interval][:n_columns]


def main_values(report: Report) -> dict[str, float]:
    """Observed accuracy and measures of information transfer, by their names."""
    values = report.numbers["transfer"] | report.numbers["accuracy"]
    return {one.name: values[one.name] for one in reversed(MAIN)}


def _interval(interval, digits):
    if interval is None or isnan(interval["estimate"]):
        return ""
    ends = (f"{interval[key]:.{digits}f}" for key in ("estimate", "low", "high"))
    return "{} [{}, {}]".format(*ends)


def class_cells(report: Report) -> Iterator[list[str]]:
    """Heads and rows of the classes, the lowest recall first if there are many."""
    classes = report.numbers["classes"]
    n_classes = len(classes)
    more = f"{_MOST_CLASSES} of {n_classes} classes"
    title = "Classes" if n_classes <= _MOST_CLASSES else more
    yield [title, "support", *words.CLASS_HEADS]
    for name in words.sorted_classes(classes, _MOST_CLASSES):
        support, *rates = classes[name].values()
        yield [name, words.count(support), *(shown(x, report.digits) for x in rates)]


def shown(value: Any, digits: int) -> str:
    """A number of a report or a word; a dash if there is none."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return "–"
    if isinstance(value, str):
        return value
    return words.count(value) if isinstance(value, int) else f"{value:.{digits}f}"
