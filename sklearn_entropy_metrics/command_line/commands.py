"""The commands that read files: `report`, `compare` and `plot`."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sklearn.utils import Bunch

from sklearn_entropy_metrics._html import visible
from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.command_line import read, write
from sklearn_entropy_metrics.command_line.arguments import Request
from sklearn_entropy_metrics.compare.models import ModelComparison, compare_models
from sklearn_entropy_metrics.compare.segments import compare_segments
from sklearn_entropy_metrics.report.report import InformationReport, information_report
from sklearn_entropy_metrics.report.text import aligned
from sklearn_entropy_metrics.table.classes import ClassTable
from sklearn_entropy_metrics.table.given import given_table

# The same file gives the same text.
_SEED = 0


def run_report(request: Request) -> None:
    """Report on the predictions that a request names."""
    with _telling():
        if request.proba or request.groups or len(request.pred) > 1:
            report = _report_of_samples(request)
        else:
            tables = _tables(request)
            if request.matrix and request.format == "text" and len(tables) > 1:
                return write.write_text(write.table_rows(tables), request.output)
            report = _report_of_tables(tables, request)
    write.write_text(_written(report, request), request.output)


def run_compare(request: Request) -> None:
    """Compare the predictions that a request names."""
    frame, labels = read.read_samples(request)
    with _telling():
        comparison = compare_models(
            frame[request.true],
            frame.select(request.pred),
            request.metric,
            labels=labels,
            random_state=_SEED,
            verbose=sys.stderr.isatty(),
            **_options(frame, request),
        )
    report = InformationReport({}, comparison)
    write.write_text(_written(report, request), request.output)


def run_plot(request: Request) -> None:
    """Draw the predictions that a request names."""
    from matplotlib.figure import Figure

    from sklearn_entropy_metrics import display

    path = request.output or Path(f"{request.kind}.png")
    tables = {visible(name): one for name, one in _tables(request).items()}
    height = 2.75 * (1 + len(tables)) if request.kind == "diagram" else 5.5
    figure = Figure(figsize=(7, height), layout="constrained")
    matrices, ax = {name: one.table for name, one in tables.items()}, figure.subplots()
    with _telling():
        if request.kind == "triangle":
            display.EntropyTriangleDisplay.from_confusion_matrix(matrices, ax=ax)
        elif request.kind == "diagram":
            display.InformationDiagramDisplay.from_confusion_matrix(matrices, ax=ax)
        for name, one in tables.items() if request.kind == "phi-delta" else ():
            labels = list(map(visible, one.labels))
            display.PhiDeltaDisplay.from_confusion_matrix(
                {name: one.table},
                # Of two classes the second is positive, and none is named.
                labels=labels if len(labels) > 2 else None,
                ax=ax,
            )
    with write.replacing(path) as file:
        figure.savefig(file, format=path.suffix[1:].lower(), dpi=150)
    print(f"Picture: {path}")


@contextmanager
def _telling() -> Iterator[None]:
    """Print warnings as messages."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        # Deprecations in what others call are not for users.
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        write.tell(f"warning: {message}")


def _tables(request: Request) -> dict[str, ClassTable]:
    """Tables by the names of matrices, of predictions, or of their segments."""
    if request.matrix:
        return read.read_matrices(request)
    tables = {}
    for name, one in read.read_tables(request).items():
        prefix = f"{name}: " if len(request.pred) > 1 else ""
        for i, segment in enumerate([] if one.groups is None else one.groups):
            own = {"table": one.table[i], "n_samples": one.n_samples[i]}
            tables[f"{prefix}{segment}"] = Bunch(**one | own | {"groups": None})
        if one.groups is None:
            tables[name] = one
    return {name: given_table(None, None, one) for name, one in tables.items()}


def _options(frame, request):
    columns = {"sample_weight": request.weights, "groups": request.groups}
    return {option: frame[name] for option, name in columns.items() if name}


def _report_of_tables(tables, request):
    comparison: Any = None
    if request.by:
        comparison = compare_segments(table=tables, random_state=_SEED)
    if request.smoothing:
        tables = {
            name: EntropyBalance.from_confusion_matrix(one, smoothing=request.smoothing)
            for name, one in tables.items()
        }
    made: Any = {name: information_report(table=one) for name, one in tables.items()}
    reports = {name: one.reports[""] for name, one in made.items()}
    return InformationReport(reports, comparison)


def _report_of_samples(request):
    frame, labels = read.read_samples(request)
    true, pred, by = request.true, request.pred[0], request.by
    if not by:
        return _report(frame, labels, request)
    labels = labels or sorted({*frame[true], *frame[pred]})
    options = {"labels": labels, **_options(frame, request)}
    comparison: Any = compare_segments(
        frame[true], frame[pred], frame[by], random_state=_SEED, **options
    )
    reports = {
        str(part[by][0]): _report(part, labels, request).reports[pred]
        for part in frame.sort(by, maintain_order=True).partition_by(by)
        if not request.groups or part[request.groups].n_unique() > 1
    }
    return InformationReport(reports, comparison)


def _report(frame, labels, request):
    """A report on the predictions of some samples."""
    preds, probas = {name: frame[name] for name in request.pred}, None
    if request.proba:
        proba = frame.select(request.proba).to_numpy()
        probas = {request.pred[0]: proba[:, 0] if proba.shape[1] == 1 else proba}
    options = {"y_proba": probas, "labels": labels, **_options(frame, request)}
    return information_report(frame[request.true], preds, **options)


def _written(report: InformationReport, request: Request) -> str:
    if request.format == "html":
        return report.to_html()
    if request.format == "markdown":
        return report.to_markdown()
    if request.format == "json":
        return write.as_json(_records(report))
    if request.command == "compare":
        return f"{report}\n{_pairs(report.comparison)}"
    if request.by and not request.full:
        return InformationReport({}, report.comparison)
    return report.to_text() if request.all else report


def _records(report):
    """What JSON holds."""
    reports = {name: one.numbers for name, one in report.reports.items()}
    if report.comparison is None:
        return reports
    if isinstance(report.comparison, ModelComparison):
        numbers = report.to_dict()
        return numbers if reports else numbers["comparison"]
    numbers = asdict(report.comparison)
    tests = {key: numbers[key] for key in ("separation", "independence", "sufficiency")}
    segments = {key: numbers[key] for key in ("segments", "overall")}
    return segments | {"tests": tests, "reports": reports}


def _pairs(comparison):
    """A row of text for each pair of models."""
    rows = [["", "difference", "low", "high", "p", "p (Holm)"]]
    for pair in comparison.pairs:
        numbers = (f"{x:.3f}" for x in (pair.difference, pair.low, pair.high))
        p_values = (f"{p:.2g}" for p in (pair.p_value, pair.adjusted_p_value))
        rows.append([f"{pair.a} - {pair.b}", *numbers, *p_values])
    return aligned(rows)
