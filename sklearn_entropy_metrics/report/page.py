"""Reports as HTML: a self-contained page, or a part of a notebook."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from math import isnan
from typing import Any
from zlib import crc32

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.calibration import CalibrationDisplay
from sklearn.metrics import roc_curve

from sklearn_entropy_metrics._html import Html, html_table, html_text, shorten
from sklearn_entropy_metrics.display import (
    EntropyTriangleDisplay,
    ModelComparisonDisplay,
    PhiDeltaDisplay,
    ProbabilityBalanceDisplay,
)
from sklearn_entropy_metrics.report import words
from sklearn_entropy_metrics.report.matrix import html_matrix
from sklearn_entropy_metrics.report.numbers import Report
from sklearn_entropy_metrics.report.text import (
    class_cells,
    main_cells,
    more_classes,
    shown,
)

_TITLE = "Information report"
# Names are cut to this many characters.
_LONGEST = 60
_BINS = 10
_HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark">'
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
)


def html_page(
    reports: Mapping[str, Report], comparison: Any = None, title: str = _TITLE
) -> str:
    """One page for one or several reports, after their comparison.

    Parameters
    ----------
    reports : dict of str to Report
        A single report may have an empty name.

    comparison : ModelComparison or SegmentComparison, default=None
        The comparison of models or segments.

    title : str
        The heading of the page.

    Returns
    -------
    page : str
        HTML without scripts that loads nothing.
    """
    if len(reports) == 1 and (name := next(iter(reports))):
        title = f"{title}: {shorten(name, _LONGEST)}"
    style = f"{_style('report.css')}{_style('page.css')}"
    return (
        f"{_HEAD}<title>{html_text(title)}</title><style>{style}</style></head><body>"
        f"{_article(title, _body(reports, comparison))}</body></html>\n"
    )


def html_part(reports: Mapping[str, Report], comparison: Any = None) -> str:
    """Reports to embed, for example in a notebook."""
    style = f"<style>{_style('report.css')}</style>"
    return _article(_TITLE, style + _body(reports, comparison))


@cache
def _style(name):
    sheet = files("sklearn_entropy_metrics.report") / name
    return sheet.read_text(encoding="utf-8")


def _article(title, body):
    return f'<article class="sem-report"><h1>{html_text(title)}</h1>{body}</article>'


def _body(reports, comparison):
    parts = [] if comparison is None else [_comparison(comparison)]
    heading = "h2" if len(reports) == 1 else "h3"
    for name, report in reports.items():
        if len(reports) > 1:
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
    def draw(ax):
        ModelComparisonDisplay(comparison=comparison).plot(ax=ax)

    heads, rows = comparison.rows()
    size = 7, 1.4 + 0.45 * len(rows)
    return (
        f'<p class="verdict">{html_text(comparison.summary())}</p>'
        f"{_picture(draw, 'Estimates with their intervals', size)}"
        f"{_table(heads, rows)}"
    )


def _sections(report):
    numbers = report.numbers
    yield "", _verdict(report)
    yield "What not to trust", _items(numbers["notes"], "notes")
    yield "The classes", _classes(report)
    yield "Systematic confusions", _items(words.confusions(numbers))
    yield "Where the entropy goes", _triangle(report)
    yield "The confusion matrix", html_matrix(report)
    yield "What the probabilities provide", _probabilities(report)
    if report.table.shape == (2, 2):
        yield "Which class it favours", _plane(report)
    yield "", _further(report)


def _paragraph(text):
    return f"<p>{html_text(text)}</p>"


def _items(sentences, style=""):
    items = "".join(f"<li>{html_text(sentence)}</li>" for sentence in sentences)
    return f'<ul class="{style}">{items}</ul>' if items else ""


def _verdict(report):
    """The verdict, the observed values in large type, and the main numbers."""
    numbers = report.numbers
    lines = words.main_lines(numbers)
    tiles = "".join(
        f"<li><b>{words.percent(line.value)}</b>{html_text(line.title)}</li>"
        for line in lines[:2]
        if not isnan(line.value)
    )
    heads, *rows = main_cells(report)
    table = _table(
        heads, [[_titled(o), *r] for o, (_, *r) in zip(lines, rows, strict=True)]
    )
    largest = words.quoted(numbers["baseline"]["largest_class"])
    return (
        f'<p class="verdict">{html_text(" ".join(numbers["verdict"]))}</p>'
        f'<ul class="tiles">{tiles}</ul>'
        f"{table}{_paragraph(f'Baseline: always answering {largest}.')}"
    )


def _titled(line):
    meaning = f"<small>{html_text(line.meaning)}</small>" if line.meaning else ""
    return Html(f"{html_text(line.title)}{meaning}")


def _classes(report):
    heads, *rows = class_cells(report)
    table = _table(heads, [[shorten(name, _LONGEST), *row] for name, *row in rows])
    more = "".join(map(_paragraph, more_classes(report)))
    return f"{table}{more}{_paragraph(words.CLASS_MEANINGS)}"


def _table(heads, rows):
    table = html_table(rows, header=heads, named_rows=True)
    return f'<div class="scroll">{table}</div>'


def _triangle(report):
    if isnan(report.numbers["triangle"]["divergence"]):
        return _paragraph("A single class has no entropy: there is nothing to draw.")

    def draw(ax):
        EntropyTriangleDisplay.from_confusion_matrix(report.table, ax=ax)

    return _picture(draw, "Entropy triangle of the predictions", (5.6, 4.4))


def _plane(report):
    def draw(ax):
        if report.samples is None:
            PhiDeltaDisplay.from_confusion_matrix(report.table, ax=ax)
        else:
            proba, weight = report.samples.proba[:, 1], report.samples.weight
            fpr, tpr, _ = roc_curve(report.samples.true, proba, sample_weight=weight)
            PhiDeltaDisplay.from_roc(fpr, tpr, ax=ax)

    text = "δ: how well the classes are separated; φ: which is predicted too often."
    return _picture(draw, text, (5, 4.6)) + _paragraph(text)


def _probabilities(report):
    if report.probabilities is None:
        return ""

    def draw_balance(ax):
        ProbabilityBalanceDisplay(balance=report.probabilities).plot(ax=ax)

    balance = words.of_probabilities(report.numbers["probabilities"])
    reliability = (
        "Reliability: how often the predicted class is right, by the probability that "
        "was stated. On the diagonal, probabilities mean what they say."
    )
    return (
        _paragraph(balance)
        + _picture(draw_balance, balance, (7, 2.4))
        + _picture(
            lambda ax: _draw_reliability(report.samples, ax), reliability, (5, 4)
        )
        + _paragraph(reliability)
    )


def _draw_reliability(samples, ax):
    """Shares of right decisions in bins of their stated probability."""
    stated = samples.proba.max(axis=1)
    right = samples.proba.argmax(axis=1) == samples.true
    weight = np.ones(len(stated)) if samples.weight is None else samples.weight
    place = np.minimum((_BINS * stated).astype(int), _BINS - 1)
    total = np.bincount(place, weight, minlength=_BINS)
    sums = [np.bincount(place, weight * x, minlength=_BINS) for x in (right, stated)]
    shares = [part[total > 0] / total[total > 0] for part in sums]
    CalibrationDisplay(*shares, stated).plot(ax=ax)
    ax.set(xlabel="stated probability of the predicted class", ylabel="share right")


def _further(report):
    tables = "".join(
        html_table(
            [[_titled(line), shown(line.value, report.digits)] for line in lines],
            caption=title,
            named_rows=True,
        )
        for title, lines in words.further_sections(report.numbers)
    )
    return (
        f"<details><summary>All further numbers</summary>"
        f'<div class="numbers">{tables}</div></details>'
    )


def _picture(draw: Callable[[Axes], object], label: str, size: tuple[float, float]):
    """What a Display draws, as SVG with its texts as texts."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams["svg.fonttype"] = "none"
        mpl.rcParams["svg.hashsalt"] = label
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        buffer = io.StringIO()
        metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(buffer, format="svg", metadata=metadata, transparent=True)
    svg = buffer.getvalue()
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda id: id[0] if id[1] in used else "", svg)
    opened = f'<svg role="img" aria-label="{html_text(label)}"'
    return svg[svg.index("<svg") :].replace("<svg", opened, 1)
