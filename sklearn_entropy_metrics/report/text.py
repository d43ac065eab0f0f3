"""Reports as text of at most 80 columns."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from textwrap import wrap
from typing import Any

from sklearn_entropy_metrics._html import shorten
from sklearn_entropy_metrics.report import words
from sklearn_entropy_metrics.report.numbers import Report
from sklearn_entropy_metrics.report.words import Line

# Classes that are listed, and characters of titles and names.
MOST_CLASSES = 50
_WIDTH, _TITLE, _NAME = 78, 39, 26


def text_of_reports(
    reports: Mapping[str, Report], comparison: Any = None, *, full: bool = False
) -> str:
    """Write one or several reports, after their comparison if there is one.

    Parameters
    ----------
    reports : dict of str to Report
        A single report may have an empty name.

    comparison : ModelComparison, default=None
        The comparison of the models.

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
    numbers, digits = report.numbers, report.digits
    blocks = [_paragraph(" ".join(numbers["verdict"]), ""), _main_table(report)]
    if numbers["notes"]:
        notes = [line for note in numbers["notes"] for line in _paragraph(note)]
        blocks.append(["What not to trust", *notes])
    blocks.append(_classes(numbers["classes"], digits))
    if confusions := words.confusions(numbers):
        blocks.append(["Systematic confusions", *(f"  {one}" for one in confusions)])
    if full:
        for title, lines in words.further_sections(numbers):
            rows = (f"  {title:<{_TITLE}}{_cell(v, digits)}" for title, v, *_ in lines)
            blocks.append([title, *rows])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _paragraph(text, indent="  "):
    return wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)


def estimate_heading(report: Report) -> str:
    """The head of the column of estimates and intervals."""
    return f"estimate [{100 * report.confidence_level:g} %]"


def _main_table(report):
    """Observed values beside the baseline, and estimates with their intervals."""
    has_intervals = report.confidence_level is not None
    title = f"{'':<{_TITLE}}{'observed':>9}{'baseline':>9}"
    lines = [f"{title}  {estimate_heading(report)}" if has_intervals else title]
    for line in words.main_lines(report.numbers):
        row = f"  {line.title:<{_TITLE - 2}}{_cell(line.value, report.digits)}"
        row += f"{shown_number(line.baseline, report.digits):>9}"
        lines.append(f"{row}  {shown_interval(line, report.digits)}".rstrip())
    return lines


def _classes(classes, digits):
    heads = "".join(f"{head:>10}" for head in ("support", *words.CLASS_RATES.values()))
    lines = [f"{'Classes':<{_NAME - 8}}{heads}"]
    for name in words.sorted_classes(classes, MOST_CLASSES):
        support, *rates = classes[name].values()
        cells = "".join(f"{shown_number(rate, digits):>10}" for rate in rates)
        room = _NAME - 8 + 10
        number = words.count(support)
        label = shorten(name, room - len(number) - 3)
        lines.append(f"  {label:<{room - 2 - len(number)}}{number}{cells}")
    return [*lines, *more_classes(classes)]


def more_classes(classes: dict[str, Any]) -> list[str]:
    """How many classes are not listed, if any."""
    n_more = len(classes) - MOST_CLASSES
    return [f"  … and {n_more} more classes"] if n_more > 0 else []


def _cell(value, digits):
    return f"{shown_number(value, digits):>9}"


def shown_number(value: Any, digits: int) -> str:
    """A number of a report or a word; a dash if there is none."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return "–"
    if isinstance(value, str):
        return value
    return words.count(value) if isinstance(value, int) else f"{value:.{digits}f}"


def shown_interval(line: Line, digits: int) -> str:
    """An estimate with its interval; nothing if there is none."""
    if line.interval is None or isnan(line.interval["estimate"]):
        return ""
    ends = (f"{line.interval[key]:.{digits}f}" for key in ("estimate", "low", "high"))
    return "{} [{}, {}]".format(*ends)
