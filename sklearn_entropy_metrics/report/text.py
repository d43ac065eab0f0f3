"""Reports as text of at most 80 columns, and the tables that all forms share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan
from textwrap import wrap
from typing import Any

from sklearn_entropy_metrics._html import shorten
from sklearn_entropy_metrics.report import words
from sklearn_entropy_metrics.report.numbers import Report

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
    parts = [] if comparison is None else [f"{comparison}\n"]
    for name, report in reports.items():
        title = f"== {shorten(name, 60)} ==\n\n" if name else ""
        parts.append(title + _report(report, full))
    return "\n".join(parts)


def _report(report, full):
    numbers = report.numbers
    main = list(main_cells(report))
    main[0][-1] = main[0][-1].ljust(20)  # above intervals, not at the right
    blocks = [
        wrap(" ".join(numbers["verdict"]), _WIDTH),
        _aligned(main, (37, 9, 8, 21)),
        [
            line
            for note in numbers["notes"]
            for line in wrap(note, _WIDTH, initial_indent="  ", subsequent_indent="  ")
        ],
        _aligned(class_cells(report), (19, 7, *[9] * 5)) + more_classes(report),
        [f"  {one}" for one in words.confusions(numbers)],
    ]
    for title, block in (("What not to trust", 2), ("Systematic confusions", 4)):
        blocks[block][:0] = [title] if blocks[block] else []
    if full:
        for title, lines in words.further_sections(numbers):
            rows = [[line.title, shown(line.value, report.digits)] for line in lines]
            blocks.append([title, *_aligned(rows, (37, 9))])
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _aligned(rows, widths):
    """Rows of cells below each other; the first is on the left."""
    lines = []
    for name, *cells in rows:
        used = zip(cells, widths[1:], strict=False)
        end = "".join(f" {cell:>{width}}" for cell, width in used)
        room = sum(widths) + len(widths) - 1 - len(end) if cells else _WIDTH
        lines.append(f"  {shorten(name, room):<{room}}{end}".rstrip())
    return lines


def main_cells(report: Report) -> Iterator[list[str]]:
    """Heads and rows of the main numbers: observed, baseline, estimate."""
    n_columns = 3 if report.confidence_level is None else 4
    level = f"estimate [{100 * (report.confidence_level or 0):g} %]"
    yield ["", "observed", "baseline", level][:n_columns]
    for line in words.main_lines(report.numbers):
        numbers = (shown(x, report.digits) for x in (line.value, line.baseline))
        interval = _interval(line.interval, report.digits)
        yield [line.title, *numbers, interval][:n_columns]


def _interval(interval, digits):
    if interval is None or isnan(interval["estimate"]):
        return ""
    ends = (f"{interval[key]:.{digits}f}" for key in ("estimate", "low", "high"))
    return "{} [{}, {}]".format(*ends)


def class_cells(report: Report) -> Iterator[list[str]]:
    """Heads and rows of the classes, the lowest recall first if there are many."""
    classes = report.numbers["classes"]
    yield ["Classes", "support", *words.CLASS_RATES.values()]
    for name in words.sorted_classes(classes, _MOST_CLASSES):
        support, *rates = classes[name].values()
        yield [name, words.count(support), *(shown(x, report.digits) for x in rates)]


def more_classes(report: Report) -> list[str]:
    """How many classes are not listed, if any."""
    n_more = len(report.numbers["classes"]) - _MOST_CLASSES
    return [f"  … and {n_more} more classes"] if n_more > 0 else []


def shown(value: Any, digits: int) -> str:
    """A number of a report or a word; a dash if there is none."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return "–"
    if isinstance(value, str):
        return value
    return words.count(value) if isinstance(value, int) else f"{value:.{digits}f}"
