"""Reports on the information a classifier transfers: numbers, text, page, Markdown."""

from sklearn_entropy_metrics.score.report.content import Content, content_of
from sklearn_entropy_metrics.score.report.markdown import markdown_page
from sklearn_entropy_metrics.score.report.numbers import report_of_table
from sklearn_entropy_metrics.score.report.page import html_page
from sklearn_entropy_metrics.score.report.report import (
    InformationReport,
    information_report,
)
from sklearn_entropy_metrics.score.report.text import text_of_report

__all__ = [
    "Content",
    "InformationReport",
    "content_of",
    "html_page",
    "information_report",
    "markdown_page",
    "report_of_table",
    "text_of_report",
]
