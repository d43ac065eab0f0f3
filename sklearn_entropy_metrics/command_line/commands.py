"""The commands that read files: `report`, `compare` and `plot`."""

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from sklearn.utils import Bunch

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.command_line import read, write
from sklearn_entropy_metrics.command_line.arguments import Compare, Data, Plot, Report
from sklearn_entropy_metrics.compare.models import ModelComparison, compare_models
from sklearn_entropy_metrics.compare.segments import (
    SegmentComparison,
    compare_segments,
)
from sklearn_entropy_metrics.measure import MEASURES
from sklearn_entropy_metrics.report import markdown, numbers, text
from sklearn_entropy_metrics.report.report import information_report
from sklearn_entropy_metrics.table.accumulate import TableAccumulator
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.given import given_table
from sklearn_entropy_metrics.table.probabilities import check_samples

# The same file gives the same text.
_SEED = 0
# More names than this would overlap.
_MOST_NAMED = 30
# What smoothing changes in a report.
_SMOOTHED = "transfer", "triangle", "confusion_entropy"


def run_report(request: Report) -> None:
    """Report on the predictions that a request names."""
    with _telling():
        if request.proba or request.groups or len(request.pred) > 1:
            reports, comparison = _reports_of_samples(request)
        else:
            tables, comparison = _tables(request)
            if request.matrix and request.format == "text" and len(tables) > 1:
                return write.write_text(_rows(tables), request.output)
            reports = {name: _report(one, request) for name, one in tables.items()}
    write.write_text(_written(reports, comparison, request), request.output)


def run_compare(request: Compare) -> None:
    """Compare the predictions that a request names."""
    found = {}
    for segment, samples in read.read_samples(request).items():
        where = "" if segment is None else f"{request.by} = {segment}: "
        with _telling(where):
            try:
                found[segment] = _compare(samples, request)
            except ValueError as error:
                raise ValueError(where + str(error)) from error
    if request.format == "json":
        records: Any = {name: _records(one) for name, one in found.items()}
        return write.write_text(
            write.as_json(records if request.by else records[None]), request.output
        )
    forms: dict[str, Callable[[ModelComparison], str]] = {
        "text": _text,
        "html": partial(_page, {}),
        "markdown": markdown.markdown_of_comparison,
    }
    texts = {name: forms[request.format](one) for name, one in found.items()}
    for segment in texts if request.by else ():
        title = f"{write.printable(str(request.by))} = {write.printable(str(segment))}"
        texts[segment] = f"{title}\n{'=' * len(title)}\n\n{texts[segment]}"
    write.write_text("\n".join(texts.values()), request.output)


def run_plot(request: Plot) -> None:
    """Draw the predictions that a request names."""
    from matplotlib.figure import Figure

    from sklearn_entropy_metrics import display

    path = request.output or Path(f"{request.kind}.png")
    tables, classes = {}, {}
    for name, one in _tables(request)[0].items():
        if one.table.shape == (1, 1):
            raise ValueError(f"{name!r} cannot be drawn: there is only one class.")
        balance = EntropyBalance.from_confusion_matrix(one, smoothing=request.smoothing)
        tables[write.printable(name)] = balance.table
        labels = [write.printable(str(label)) for label in one.labels]
        # Of two classes the second is positive, and none is named.
        classes[write.printable(name)] = labels if len(labels) > 2 else None
    kinds: dict[str, tuple[Any, dict[str, Any]]] = {
        "triangle": (display.EntropyTriangleDisplay, {"split": request.split}),
        "diagram": (display.InformationDiagramDisplay, {"split": request.split}),
        "phi-delta": (
            display.PhiDeltaDisplay,
            {"labels": classes, "annotate": _MOST_NAMED},
        ),
    }
    height = 2.75 * (1 + len(tables)) if request.kind == "diagram" else 5.5
    figure = Figure(figsize=(7, height), layout="constrained")
    draw, options = kinds[request.kind]
    with _telling():
        draw.from_confusion_matrix(tables, ax=figure.subplots(), **options)
    with write.replacing(path) as file:
        figure.savefig(file, format=path.suffix[1:].lower(), dpi=150)
    print(f"Picture: {path}")


@contextmanager
def _telling(where: str = "") -> Iterator[None]:
    """Print warnings as messages."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        # Deprecations in what others call are not for users.
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        write.tell(f"warning: {where}{message}")


def _tables(
    request: Report | Plot,
) -> tuple[dict[str, ClassTable], SegmentComparison | None]:
    """Tables by names of predictions or segments, and how segments compare."""
    if request.matrix:
        return read.read_matrices(request), None
    if request.proba:
        return {
            segment or "probabilities": _soft(samples, request)[0]
            for segment, samples in read.read_samples(request).items()
        }, None
    tables, comparison = {}, None
    for name, found in read.read_tables(request).items():
        if request.by is None:
            tables[name] = given_table(None, None, found)
            continue
        if isinstance(request, Report):
            comparison = compare_segments(table=found, random_state=_SEED)
        prefix = f"{name}: " if len(request.pred) > 1 else ""
        for i, segment in enumerate(found.groups):
            own = {"table": found.table[i], "n_samples": found.n_samples[i]}
            part = Bunch(**found | own | {"groups": None})
            tables[f"{prefix}{segment}"] = given_table(None, None, part)
    return tables, comparison


def _report(given: ClassTable, request: Report) -> numbers.Report:
    report = numbers.report_of_table(given)
    if request.smoothing is None:
        return report
    balance = EntropyBalance.from_confusion_matrix(given, smoothing=request.smoothing)
    smoothed = given._replace(table=balance.table)
    found = numbers.report_of_table(smoothed, confidence_level=None).numbers
    note = f"Measures of information and confusion are smoothed ({request.smoothing})."
    changed = {key: found[key] for key in _SMOOTHED}
    changed["notes"] = [*report.numbers["notes"], note]
    return replace(report, numbers=report.numbers | changed)


def _soft(samples: read.Samples, request: Report | Plot) -> tuple[ClassTable, Any]:
    """The table of probabilities, and the samples themselves."""
    y_true, y_proba, options = _columns(samples, request)
    accumulator = TableAccumulator(labels=samples.labels)
    weight = options["sample_weight"]
    accumulator.update_proba(y_true, y_proba, sample_weight=weight)
    checked = check_samples(
        y_true, y_proba, labels=samples.labels, sample_weight=weight
    )
    return given_table(None, None, accumulator), checked


def _columns(samples: read.Samples, data: Data) -> tuple[Any, Any, dict[str, Any]]:
    """True labels, probabilities if there are some, and what goes with them."""
    frame = samples.frame
    proba = getattr(data, "proba", [])
    y_proba = frame.select(proba).to_numpy() if proba else None
    if len(proba) == 1:
        y_proba = frame[proba[0]].to_numpy()
    columns = {"sample_weight": data.weights, "groups": data.groups}
    options: dict[str, Any] = {
        name: None if column is None else frame[column].to_numpy()
        for name, column in columns.items()
    }
    return frame[data.true].to_numpy(), y_proba, options | {"labels": samples.labels}


def _reports_of_samples(request: Report) -> tuple[dict[str, numbers.Report], Any]:
    """Reports by the names of predictions or segments, and how these compare."""
    reports: dict[str, numbers.Report] = {}
    tables: dict[str, ClassTable] = {}
    for segment, samples in read.read_samples(request).items():
        name = segment or (request.pred or ["probabilities"])[0]
        if not request.pred:
            soft, checked = _soft(samples, request)
            reports[name] = numbers.report_of_table(soft, samples=checked)
            continue
        y_true, y_proba, options = _columns(samples, request)
        preds = {name: samples.frame[name].to_numpy() for name in request.pred}
        if len(preds) > 1:
            several: Any = information_report(y_true, preds, **options)
            return several.reports, several.comparison
        (y_pred,) = preds.values()
        one: Any = information_report(y_true, y_pred, y_proba=y_proba, **options)
        (reports[name],) = one.reports.values()
        del options["groups"]
        tables[name] = given_table(y_true, y_pred, None, **options)
    if request.by is None or not tables:
        return reports, None
    return reports, compare_segments(table=tables, random_state=_SEED)


def _compare(samples: read.Samples, request: Compare) -> ModelComparison:
    y_true, _, options = _columns(samples, request)
    return compare_models(
        y_true,
        {name: samples.frame[name].to_numpy() for name in request.pred},
        request.metric,
        random_state=_SEED,
        verbose=sys.stderr.isatty(),
        **options,
    )


def _written(
    reports: Mapping[str, numbers.Report], comparison: Any, request: Report
) -> str:
    if request.format == "html":
        return _page(reports, comparison)
    if request.format == "markdown":
        return markdown.markdown_of_reports(reports, comparison)
    if request.format == "json":
        found = {name: one.numbers for name, one in reports.items()}
        if comparison is None:
            return write.as_json(found)
        records = _records(comparison)
        if isinstance(comparison, ModelComparison):
            records = {"comparison": records}
        return write.as_json(records | {"reports": found})
    if request.by and comparison is not None and not request.full:
        return f"{comparison}\n"
    if len(reports) == 1:
        reports = dict(zip([""], reports.values(), strict=True))
    return text.text_of_reports(reports, comparison, full=request.all)


def _page(reports, comparison):
    # Imported on demand: only pages need matplotlib.
    from sklearn_entropy_metrics.report.page import html_page

    return html_page(reports, comparison)


def _records(comparison: ModelComparison | SegmentComparison) -> dict[str, Any]:
    found = asdict(comparison)
    if isinstance(comparison, ModelComparison):
        return {key: found[key] for key in ("models", "pairs")}
    tests = {key: found[key] for key in ("separation", "independence", "sufficiency")}
    return {key: found[key] for key in ("segments", "overall")} | {"tests": tests}


def _text(comparison: ModelComparison) -> str:
    """The models, and a row for each pair."""
    heads = "difference", "low", "high", "p", "adjusted p"
    rows = {
        f"{write.printable(str(pair.a))} - {write.printable(str(pair.b))}": [
            *(f"{number:.3f}" for number in (pair.difference, pair.low, pair.high)),
            *(f"{number:.4f}" for number in (pair.p_value, pair.adjusted_p_value)),
        ]
        for pair in comparison.pairs
    }
    return f"{comparison}\n\n{write.aligned(heads, rows)}"


def _rows(tables: Mapping[str, ClassTable]) -> str:
    """A row of numbers for each table."""
    accuracy = MEASURES["accuracy"]
    measures = [one for one in MEASURES.values() if one.section == "transfer"]
    heads = ["k", "k_X", "k_X|Y", "μ", "accuracy", *(one.symbol for one in measures)]
    rows = {}
    for name, one in tables.items():
        balance = EntropyBalance.from_confusion_matrix(one)
        values = [
            balance.effective_true_classes,
            balance.remaining_true_classes,
            balance.information_transfer_factor,
            accuracy(balance) if one.is_square else float("nan"),
            *(measure(balance) for measure in measures),
        ]
        cells = [str(balance.n_true_classes), *(f"{one:.3f}" for one in values)]
        rows[write.printable(name)] = cells
    return write.aligned(heads, rows)
