"""The numbers of a report as text."""

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from sklearn_entropy_metrics.measure.catalog import MEASURES
from sklearn_entropy_metrics.score.report.content import MOST_CLASSES, Content
from sklearn_entropy_metrics.score.report.titles import (
    CLASS_COLUMNS,
    Line,
    titled_sections,
)

_WIDTH = 76  # of notes


def text_of_report(
    report: dict[str, Any], digits: int = 3, confidence_level: float | None = 0.95
) -> str:
    """Write the numbers of a report as text."""
    lines = []
    for _, title, section in titled_sections(report):
        if confidence_level and any(line.interval for line in section):
            level = f"{100 * confidence_level:g} %"
            title = f"{title:<41}observed  corrected [{level}]"
        lines.append(title)
        for line in section:
            text = _line(line.title, line.value, digits=digits)
            lines.append(text + _interval(line.interval, digits))
        lines.append("")
    if report["accuracy"]["is_exchanged"]:
        lines[-2] += "  (higher: classes are exchanged)"
    classes = report["classes"]
    lines.append(
        f"{'Classes':<40}" + "".join(f"{c:>9}" for c in CLASS_COLUMNS.values())
    )
    for name in list(classes)[:MOST_CLASSES]:
        lines.append(_line(name, *classes[name].values(), digits=digits))
    if len(classes) > MOST_CLASSES:
        lines.append(f"  … and {len(classes) - MOST_CLASSES} more classes")
    if report["notes"]:
        lines += ["", "Notes"]
        for note in report["notes"]:
            lines += wrap(note, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines) + "\n"


def _interval(found, digits):
    """The corrected value and its interval, for the end of a line."""
    if found is None or np.isnan(found["estimate"]):
        return ""
    numbers = (f"{found[key]:.{digits}f}" for key in ("estimate", "low", "high"))
    return "{:>11} [{}, {}]".format(*numbers)


def _line(title, *values, digits):
    cells = "".join(f"{format_number(value, digits):>9}" for value in values)
    return f"  {title:<{38 + 9 * len(values) - len(cells)}}{cells}"  # words are longer


def format_number(value: Any, digits: int) -> str:
    """Write a number of a report, a word or nothing."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"


def shown_number(value: Any, digits: int) -> str:
    """The same for a table; a dash if undefined."""
    is_undefined = isinstance(value, float) and np.isnan(value)
    return "–" if value is None or is_undefined else format_number(value, digits)


def cells_of_lines(
    lines: Sequence[Line], content: Content
) -> tuple[list[str], list[list[str]]]:
    """The heads and cells of a table of numbers with intervals."""
    rows = [[line.title, shown_number(line.value, content.digits)] for line in lines]
    if content.confidence_level is None or not any(line.interval for line in lines):
        return ["", "observed"], rows
    level = f"{100 * content.confidence_level:g} % interval"
    for line, row in zip(lines, rows, strict=True):
        ends = ["", "", ""]
        if line.interval is not None:
            ends = [
                shown_number(line.interval[end], content.digits)
                for end in ("estimate", "low", "high")
            ]
        row += [ends[0], f"{ends[1]} to {ends[2]}" if ends[1] else ""]
    return ["", "observed", "corrected", level], rows


def cells_of_reports(
    reports: Mapping[str, Content],
) -> tuple[list[str], list[list[str]]]:
    """The heads and cells of a table that compares reports."""
    rows = []
    for name, content in reports.items():
        numbers = content.numbers
        values = numbers["accuracy"]["accuracy"], *numbers["transfer"].values()
        rows.append([name, *(shown_number(x, content.digits) for x in values)])
    symbols = [m.symbol for m in MEASURES.values() if m.section == "transfer"]
    return ["", "accuracy", "MI", *symbols], rows
