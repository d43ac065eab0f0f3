"""Reports as HTML: a self-contained page, or a part of a notebook."""

from collections.abc import Mapping
from math import isnan

from sklearn_entropy_metrics._html import Html, html_table, html_text, shorten
from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.measure.catalog import MEASURES
from sklearn_entropy_metrics.score.report import words
from sklearn_entropy_metrics.score.report.bars import draw_log_loss
from sklearn_entropy_metrics.score.report.content import MOST_CLASSES, Content
from sklearn_entropy_metrics.score.report.heat_map import draw_heat_map
from sklearn_entropy_metrics.score.report.style import page_style, report_style
from sklearn_entropy_metrics.score.report.text import (
    cells_of_lines,
    cells_of_reports,
    shown_number,
)
from sklearn_entropy_metrics.score.report.titles import CLASS_COLUMNS, titled_sections
from sklearn_entropy_metrics.score.report.triangle import Point, draw_triangle

_TITLE = "Information report"
# Names are cut to this many characters.
_LONGEST = 60
_HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark">'
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
)


def html_page(reports: Mapping[str, Content]) -> str:
    """One page for a report, or for several named reports.

    Parameters
    ----------
    reports : dict of str to Content
        What to report. A single report may have an empty name.

    Returns
    -------
    page : str
        HTML without scripts that loads nothing.
    """
    title = _TITLE if len(reports) == 1 else f"{_TITLE}s"
    if len(reports) == 1 and (name := next(iter(reports))):
        title = f"{_TITLE}: {shorten(name, _LONGEST)}"
    style = report_style() + page_style()
    return (
        f"{_HEAD}<title>{html_text(title)}</title><style>{style}</style></head><body>"
        f"{_article(title, _body(reports))}</body></html>\n"
    )


def html_part(content: Content) -> str:
    """A report to embed, for example in a notebook."""
    style = f"<style>{report_style()}</style>"
    return _article(_TITLE, style + _sections(content, "h2"))


def _article(title, body):
    return f'<article class="sem-report"><h1>{html_text(title)}</h1>{body}</article>'


def _body(reports):
    if len(reports) == 1:
        return "".join(_sections(content, "h2") for content in reports.values())
    parts = [_overview(reports)]
    for name, content in reports.items():
        parts.append(f"<h2>{html_text(shorten(name, _LONGEST))}</h2>")
        parts.append(_sections(content, "h3"))
    return "".join(parts)


def _sections(content, heading):
    sections = {
        "": _headlines(content),
        "What not to trust": _doubts(content),
        "Where the entropy goes": _triangle(content),
        "Information in each cell": _heat_map(content),
        "The classes": _classes(content),
        "The numbers": _numbers(content),
    }
    if "probabilities" in content.numbers:
        sections["Where the log loss comes from"] = _log_loss(content)
    return "".join(
        f"<{heading}>{title}</{heading}>{part}" if title else part
        for title, part in sections.items()
    )


def _paragraph(*sentences):
    return f"<p>{html_text(' '.join(sentences))}</p>"


def _headlines(content):
    parts = [
        f"<li><b>{value}</b> {title}<small>{found}</small></li>"
        for title, value, found in words.headlines(content)
    ]
    sentences = "".join(map(_paragraph, words.summary(content)))
    return f'<ul class="headlines">{"".join(parts)}</ul>{sentences}'


def _doubts(content):
    kind = "doubts" if content.numbers["notes"] else "doubts fine"
    items = (f"<li>{html_text(note)}</li>" for note in words.distrust(content))
    return f'<ul class="{kind}">{"".join(items)}</ul>'


def _triangle(content):
    fractions = list(content.numbers["triangle"].values())
    points = [Point(fractions, words.of_triangle(fractions))]
    if content.cells is not None:
        balance = EntropyBalance.from_confusion_matrix(content.cells)
        sides = {"true": balance.true_fractions, "predicted": balance.pred_fractions}
        points += [
            Point(side, f"The {mark} classes: {words.of_triangle(side)}", mark)
            for mark, side in sides.items()
        ]
    text = f"Of the entropy that uniform classes would have: {points[0].tooltip}."
    if isnan(fractions[0]):
        text = "A single class has no entropy: there is no point to draw."
    elif len(points) > 1:
        text += " The cross is the true classes alone, the circle the predicted ones."
    return draw_triangle(points, text, guides=True) + _paragraph(text)


def _heat_map(content):
    if content.cells is None:
        return _paragraph(
            f"No cells are shown: there are more than {MOST_CLASSES} classes."
        )
    return draw_heat_map(content.cells, content.rows, content.columns)


def _numbers(content):
    tables = [
        _section(section, section.title, content)
        for section in titled_sections(content.numbers)
        if section.key != "probabilities"
    ]
    return f'<div class="numbers">{"".join(tables)}</div>'


def _section(section, title, content):
    header, rows = cells_of_lines(section.lines, content)
    of_measures = {
        m.name: m.meaning for m in MEASURES.values() if m.section == section.key
    }
    meanings = of_measures | words.MEANINGS.get(section.key, {})
    for line, row in zip(section.lines, rows, strict=True):
        if line.key in meanings:
            meaning = html_text(meanings[line.key])
            row[0] = Html(f"{html_text(line.title)}<small>{meaning}</small>")
    header = header if len(header) > 2 else []
    return html_table(rows, header=header, caption=title, named_rows=True)


def _classes(content):
    classes = content.numbers["classes"]
    rows = [
        [
            shorten(name, _LONGEST),
            *(shown_number(x, content.digits) for x in row.values()),
        ]
        for name, row in list(classes.items())[:MOST_CLASSES]
    ]
    table = html_table(rows, header=["", *CLASS_COLUMNS.values()], named_rows=True)
    if len(classes) > MOST_CLASSES:
        table += _paragraph(f"… and {len(classes) - MOST_CLASSES} more classes.")
    return f'<div class="scroll">{table}</div>' + _paragraph(
        "δ is 1 for a class that is always recognised, and 0 for one that is guessed. "
        "φ is the false alarm rate minus the miss rate. CEN_j is the contribution of "
        "the class to the confusion entropy."
    )


def _log_loss(content):
    balance = content.numbers["probabilities"]
    (section,) = (
        section
        for section in titled_sections(content.numbers)
        if section.key == "probabilities"
    )
    return (
        draw_log_loss(balance)
        + _paragraph(words.of_probabilities(balance))
        + f'<div class="numbers">{_section(section, "In bits", content)}</div>'
    )


def _overview(reports):
    """A row and a point for each report."""
    header, rows = cells_of_reports(reports)
    points = []
    for place, (row, content) in enumerate(zip(rows, reports.values(), strict=True), 1):
        row[0] = f"{place} {shorten(row[0], _LONGEST)}"
        fractions = list(content.numbers["triangle"].values())
        tooltip = f"{row[0]}: {words.of_triangle(fractions)}"
        points.append(Point(fractions, tooltip, text=str(place)))
    table = html_table(rows, header=header, named_rows=True)
    title = "The reports as numbered points of the entropy triangle"
    return f'<div class="scroll">{table}</div>{draw_triangle(points, title)}'
