"""Reports of what a classifier transfers: numbers, text, page and Markdown."""

from sklearn_entropy_metrics.score.report.numbers import report_of_table
from sklearn_entropy_metrics.score.report.report import information_report
from sklearn_entropy_metrics.score.report.text import text_of_report

__all__ = ["information_report", "report_of_table", "text_of_report"]
