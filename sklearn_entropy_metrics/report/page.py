"""Reports as HTML: a self-contained page, or a part of a notebook."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib.resources import files
from math import isnan
from typing import Any
from zlib import crc32

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text
from scipy import sparse as sp
from sklearn.calibration import CalibrationDisplay
from sklearn.metrics import roc_curve

from sklearn_entropy_metrics import display
from sklearn_entropy_metrics._html import Html, html_table, html_text, shorten
from sklearn_entropy_metrics.measure import MEASURES
from sklearn_entropy_metrics.report import text, words
from sklearn_entropy_metrics.report.numbers import Report

_TITLE = "Information report"
# Names are cut to this many characters.
_LONGEST = 60
# Bins of the reliability diagram.
_BINS = 10
# Up to this number of classes the matrix shows all of them, else as many rows and
# columns: the worst classes and what they are taken for.
_MOST, _ROWS, _COLUMNS = 25, 10, 15
# Shades of a colour: factors of the square root of two, more or less than by chance.
_SHADES = 4
_COLOURS = (
    "{}predictions that are more frequent than by chance. Grey: less frequent than by "
    "chance, as if they did not depend on the true class. The stronger the colour, the "
    "larger the ratio."
)
_RIGHT = "Green: right predictions, more frequent than by chance. Orange: other "
_NO_COLOURS = "No cell is coloured: predictions say no more than chance could explain."
_HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark">'
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
)


def html_page(reports: Mapping[str, Report], comparison: Any) -> str:
    """One page for one or several reports, after their comparison.

    Parameters
    ----------
    reports : dict of str to Report
        A single report may have an empty name.

    comparison : ModelComparison, SegmentComparison or None
        The comparison of models or segments.

    Returns
    -------
    page : str
        HTML without scripts that loads nothing.
    """
    style = f"{_style('report.css')}{_style('page.css')}"
    return (
        f"{_HEAD}<title>{_TITLE}</title><style>{style}</style></head><body>"
        f"{_article(_body(reports, comparison))}</body></html>\n"
    )


def html_part(reports: Mapping[str, Report], comparison: Any) -> str:
    """Reports to embed, for example in a notebook."""
    style = f"<style>{_style('report.css')}</style>"
    return _article(style + _body(reports, comparison))


def _style(name):
    sheet = files("sklearn_entropy_metrics.report") / name
    return sheet.read_text(encoding="utf-8")


def _article(body):
    return f'<article class="sem-report"><h1>{_TITLE}</h1>{body}</article>'


def _body(reports, comparison):
    parts = [] if comparison is None else [_comparison(comparison)]
    for name, report in reports.items():
        heading = "h3" if name else "h2"
        if name:
            parts.append(f"<h2>{html_text(shorten(name, _LONGEST))}</h2>")
        parts += [
            f"<{heading}>{title}</{heading}>{part}" if title else part
            for title, part in _sections(report)
            if part
        ]
    # Identifiers of pictures differ from those of others, also in a notebook.
    page = crc32("".join(parts).encode())
    before, *pictures = "".join(parts).split("<svg")
    return before + "".join(
        "<svg" + re.sub(r'( id="|href="#|url\(#)', rf"\1p{page:x}-{place}-", picture)
        for place, picture in enumerate(pictures)
    )


def _comparison(comparison):
    plot = display.ModelComparisonDisplay(comparison=comparison).plot
    _, rows = comparison.rows()
    label, size = "Estimates with their intervals", (5.6, 1.2 + 0.45 * len(rows))
    return (
        f'<p class="verdict">{html_text(comparison.summary())}</p>'
        f"{_picture(plot, label, size)}"
        f'<div class="scroll">{comparison._repr_html_()}</div>'
    )


def _sections(report):
    numbers = report.numbers
    yield "", _verdict(report)
    yield "What not to trust", _items(numbers["notes"], "notes")
    yield "The classes", _classes(report)
    yield "Systematic confusions", _items(words.confusions(numbers))
    yield "Where the entropy goes", _triangle(report)
    yield "The confusion matrix", _matrix(report)
    yield "What the probabilities provide", _probabilities(report)
    deltas = [row["delta"] for row in numbers["classes"].values()]
    if len(deltas) == 2 and not any(map(isnan, deltas)):
        yield "Which class it favours", _plane(report)
    yield "", _further(report)


def _paragraph(text):
    return f"<p>{html_text(text)}</p>"


def _items(sentences, style=""):
    items = "".join(f"<li>{html_text(sentence)}</li>" for sentence in sentences)
    return f'<ul class="{style}">{items}</ul>' if items else ""


def _verdict(report):
    """The verdict, the observed values in large type, and the main numbers."""
    numbers, values = report.numbers, text.main_values(report)
    tiles = "".join(
        f"<li><b>{words.percent(values[name])}</b>{html_text(words.title_of(name))}</li>"
        for name in list(values)[:2]
        if not isnan(values[name])
    )
    heads, *rows = text.main_cells(report)
    for row, name in zip(rows, values, strict=True):
        row[0] = _titled(row[0], MEASURES[name].meaning)
    table = _table(heads, rows)
    largest = words.quoted(numbers["baseline"]["largest_class"])
    return (
        f'<p class="verdict">{html_text(" ".join(numbers["verdict"]))}</p>'
        f'<ul class="tiles">{tiles}</ul>'
        f"{table}{_paragraph(f'Baseline: always answering {largest}.')}"
    )


def _titled(title, meaning):
    small = f"<small>{html_text(meaning)}</small>" if meaning else ""
    return Html(f"{html_text(title)}{small}")


def _classes(report):
    heads, *rows = text.class_cells(report)
    table = _table(heads, [[shorten(name, _LONGEST), *row] for name, *row in rows])
    return f"{table}{_paragraph(words.CLASS_MEANINGS)}"


def _table(heads, rows):
    table = html_table(rows, header=heads, named_rows=True)
    return f'<div class="scroll">{table}</div>'


def _triangle(report):
    if isnan(report.numbers["triangle"]["divergence"]):
        return _paragraph("A single class has no entropy: there is nothing to draw.")
    draw = display.EntropyTriangleDisplay.from_confusion_matrix
    plot = partial(draw, report.table)
    return _picture(plot, "Entropy triangle of the predictions", (5.6, 4.4))


def _matrix(report):
    """The table, true classes in rows, coloured by chance."""
    table, names = sp.csr_array(report.table), list(report.numbers["classes"])
    rows, columns = _shown_classes(report, table)
    by_row, by_column = (np.asarray(table.sum(axis=i, dtype=float)) for i in (1, 0))
    total = by_row.sum()
    cells = table[rows][:, columns].toarray()
    expected = np.outer(by_row[rows], by_column[columns] / total)
    # Half a sample more in both, so that empty cells of rare classes stay pale.
    unit = 0.5 if total > 1 else 0.5 * total / math.prod(table.shape)
    steps = 2 * np.log2((cells + unit) / (expected + unit)) * report.is_known
    steps = np.clip(np.rint(steps), -_SHADES, _SHADES).astype(int)
    called = [report.columns[i] for i in columns]
    heads = "".join(
        f'<th scope="col">{html_text(shorten(name, 12))}</th>' for name in called
    )
    body, is_hit = "", np.equal.outer(np.array(names, object)[rows], called)
    for i, *numbers in zip(rows, cells.tolist(), steps.tolist(), is_hit, strict=True):
        tds = "".join(map(_cell, *numbers))
        body += f'<tr><th scope="row">{html_text(shorten(names[i], 24))}</th>{tds}</tr>'
    meaning = _COLOURS.format(_RIGHT if is_hit.any() else "Orange: ")
    part = (
        f"{len(rows)} of {len(names)} classes, and what they were most often called. "
    )
    return (
        '<div class="scroll"><table class="cells"><thead><tr><th scope="col">true ↓ '
        f"predicted →</th>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
        f"<p>{part if len(rows) < len(names) else ''}"
        f"{meaning if report.is_known else _NO_COLOURS}</p>"
    )


def _cell(value, step, is_hit):
    more = "hit" if is_hit else "miss"
    shade = f"{more if step > 0 else 'less'}{abs(step)}" if step else ""
    style = f"{shade} {'diagonal' if is_hit else ''}".strip()
    return f'<td class="{style}">{words.count(value)}</td>'


def _shown_classes(report, table):
    """The places of the rows and columns to show."""
    rows, columns = (np.arange(size) for size in table.shape)
    if max(table.shape) > _MOST:
        place = {name: i for i, name in enumerate(report.numbers["classes"])}
        worst = words.sorted_classes(report.numbers["classes"], _ROWS)
        rows = np.sort([place[name] for name in worst])
        by_size = np.argsort(-table[rows].sum(axis=0), kind="stable")
        columns = np.sort(by_size[:_COLUMNS])
    return rows, columns


def _plane(report):
    plot = partial(display.PhiDeltaDisplay.from_confusion_matrix, report.table)
    if report.samples is not None:
        true, proba, weight, _ = report.samples
        fpr, tpr, _ = roc_curve(true, proba[:, 1], sample_weight=weight)
        plot = partial(display.PhiDeltaDisplay.from_roc, fpr, tpr)
    positive = words.quoted(list(report.numbers["classes"])[1])
    meaning = (
        f"“Yes” is {positive}. δ: how well the classes are separated. φ: rate of "
        "false alarms minus rate of misses."
    )
    return _picture(plot, meaning, (5, 4.6)) + _paragraph(meaning)


def _probabilities(report):
    if report.probabilities is None:
        return ""
    plot = display.ProbabilityBalanceDisplay(balance=report.probabilities).plot
    (balance,) = words.of_probabilities(report.numbers)
    reliability = (
        "Reliability: how often the most probable class is right, each sample counted "
        "once, by its stated probability. On the diagonal, both are the same."
    )
    plot_reliability = partial(_plot_reliability, report.samples)
    return (
        _paragraph(balance)
        + _picture(plot, balance, (5.6, 2.6))
        + _picture(plot_reliability, reliability, (5, 4))
        + _paragraph(reliability)
    )


def _plot_reliability(samples, ax):
    """Shares of right decisions in bins of their stated probability."""
    right = samples.proba.argmax(axis=1) == samples.true
    stated = np.minimum(samples.proba.max(axis=1), 1)
    CalibrationDisplay.from_predictions(right, stated, n_bins=_BINS, pos_label=1, ax=ax)
    ax.set(xlabel="stated probability of the most probable class", ylabel="share right")


def _further(report):
    tables = ""
    for title, lines in words.further_sections(report.numbers):
        rows = [
            [_titled(name, meaning), text.shown(value, report.digits)]
            for name, value, meaning in lines
        ]
        tables += html_table(rows, caption=title, named_rows=True)
    return (
        f"<details><summary>All further numbers</summary>"
        f'<div class="numbers">{tables}</div></details>'
    )


def _picture(plot: Callable[..., object], label: str, size: tuple[float, float]):
    """What a Display draws, as SVG with its texts as texts."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams["svg.fonttype"] = "none"
        mpl.rcParams["svg.hashsalt"] = label
        mpl.rcParams["font.sans-serif"] = ["DejaVu Sans", "Verdana"]
        figure = Figure(figsize=size, layout="constrained")
        plot(ax=figure.add_subplot())
        figure.gca().set_title("", loc="left")  # it would repeat the paragraph above
        for name in figure.findobj(Text):
            if name.get_path_effects():  # a text with an outline would become a path
                name.set(path_effects=[], gid="outlined")
        buffer = io.StringIO()
        metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(buffer, format="svg", metadata=metadata, transparent=True)
    svg = buffer.getvalue().replace('id="outlined"', 'class="outlined"')
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda id: id[0] if id[1] in used else "", svg)
    opened = f'<svg role="img" aria-label="{html_text(label)}"'
    return svg[svg.index("<svg") :].replace("<svg", opened, 1)
