"""The commands that read files: `report`, `compare` and `plot`."""

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.shrink import smoothed_table
from sklearn_entropy_metrics.command_line.arguments import Compare, Plot, Report
from sklearn_entropy_metrics.command_line.read import (
    Prediction,
    Samples,
    read_matrices,
    read_samples,
    read_tables,
)
from sklearn_entropy_metrics.command_line.write import (
    as_json,
    printable,
    replacing,
    tell,
    write_text,
)
from sklearn_entropy_metrics.compare._model_comparison import ModelComparison
from sklearn_entropy_metrics.compare.models import compare_models
from sklearn_entropy_metrics.measure import MEASURES
from sklearn_entropy_metrics.score.report import (
    Content,
    content_of,
    html_page,
    markdown_page,
    report_of_table,
    text_of_report,
)
from sklearn_entropy_metrics.table.accumulate import TableAccumulator
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.given import given_table
from sklearn_entropy_metrics.table.probabilities import check_samples

# The same file gives the same text.
_SEED = 0
# More names than this would overlap.
_MOST_NAMED = 30
_PAGES = {"html": html_page, "markdown": markdown_page}


class _Reported(NamedTuple):
    """What a report is about: a table, and the samples of probabilities."""

    name: str
    group: str | None
    given: ClassTable
    samples: Any = None


def run_report(request: Report) -> None:
    """Report on the predictions that a request names."""
    found = _reported(request)
    if request.format in _PAGES:
        pages = {_title(one, request): _content(one, request) for one in found}
        return write_text(_PAGES[request.format](pages), request.output)
    groups: dict[str | None, dict[str, Any]] = {}
    for one in found:
        groups.setdefault(one.group, {})[one.name] = _content(one, request).numbers
    if request.format == "json":
        content = groups if request.by else groups[None]
        return write_text(as_json(content), request.output)
    several = len(found) > len(groups)
    texts = {
        group: _rows([one for one in found if one.group == group])
        if several
        else _text(*numbers.values())
        for group, numbers in groups.items()
    }
    write_text(_in_groups(texts, request.by), request.output)


def run_compare(request: Compare) -> None:
    """Compare the predictions that a request names."""
    groups = {}
    for group, samples in read_samples(request).items():
        where = "" if group is None else f"{request.by} = {group}: "
        with _telling(where):
            try:
                groups[group] = _compare(samples, request)
            except ValueError as error:
                raise ValueError(where + str(error)) from error
    if request.format == "json":
        records = {group: _records(one) for group, one in groups.items()}
        text = as_json(records[None] if request.by is None else records)
    else:
        texts = {group: _comparison(one) for group, one in groups.items()}
        text = _in_groups(texts, request.by)
    write_text(text, request.output)


def run_plot(request: Plot) -> None:
    """Draw the predictions that a request names."""
    from matplotlib.figure import Figure

    from sklearn_entropy_metrics import display

    path = request.output or Path(f"{request.kind}.png")
    tables, classes = {}, {}
    for one in _reported(request):
        name = printable(_title(one, request))
        if one.given.table.shape == (1, 1):
            raise ValueError(f"{name!r} cannot be drawn: there is only one class.")
        tables[name] = _smoothed(one.given, request.smoothing)
        labels = [printable(str(label)) for label in one.given.labels]
        # Of two classes the second is positive, and none is named.
        classes[name] = labels if len(labels) > 2 else None
    draws: dict[str, Callable[..., Any]] = {
        "triangle": partial(
            display.EntropyTriangleDisplay.from_confusion_matrix,
            split=request.split,
            annotate=True,
        ),
        "diagram": partial(
            display.InformationDiagramDisplay.from_confusion_matrix,
            split=request.split,
        ),
        "phi-delta": partial(
            display.PhiDeltaDisplay.from_confusion_matrix,
            annotate=_MOST_NAMED,
            labels=classes,
        ),
    }
    height = 2.75 * (1 + len(tables)) if request.kind == "diagram" else 5.5
    figure = Figure(figsize=(7, height), layout="constrained")
    with _telling():
        draws[request.kind](tables, ax=figure.subplots())
    with replacing(path) as file:
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
        tell(f"warning: {where}{message}")


def _reported(request: Report | Plot) -> list[_Reported]:
    if request.matrix:
        return [_of_table(one) for one in read_matrices(request)]
    if not request.proba:
        return [_of_table(one) for one in read_tables(request)]
    with _telling():
        return [
            _of_samples(group, samples, request)
            for group, samples in read_samples(request).items()
        ]


def _of_table(one: Prediction) -> _Reported:
    return _Reported(one.name, one.group, given_table(None, None, one.table))


def _of_samples(
    group: str | None, samples: Samples, request: Report | Plot
) -> _Reported:
    frame, labels = samples
    true, weights = frame[request.true].to_numpy(), request.weights
    weight = None if weights is None else frame[weights].to_numpy()
    proba = frame.select(request.proba).to_numpy()
    proba = proba[:, 0] if proba.shape[1] == 1 else proba
    options: dict[str, Any] = {"labels": labels, "sample_weight": weight}
    checked = check_samples(true, proba, **options)
    if request.pred:
        (name,) = request.pred
        given = given_table(true, frame[name].to_numpy(), None, **options)
        return _Reported(name, group, given, checked)
    accumulator = TableAccumulator(labels=labels)
    accumulator.update_proba(true, proba, sample_weight=weight)
    given = given_table(None, None, accumulator)
    return _Reported("probabilities", group, given, checked)


def _title(one: _Reported, request: Report | Plot) -> str:
    """The name of a prediction, or of its group, or both if needed."""
    if one.group is None:
        return one.name
    return one.group if len(request.pred) < 2 else f"{one.group}: {one.name}"


def _smoothed(given, smoothing):
    return smoothed_table(given.table, smoothing, hits=given.hits, n_samples=given.size)


def _content(one: _Reported, request: Report) -> Content:
    """The report of a prediction; its table is the one that was measured."""
    given, names = one.given, list(map(str, one.given.labels))
    measured = given._replace(table=_smoothed(given, request.smoothing))
    support = given.table.sum(axis=1).tolist() if request.smoothing else None
    is_known = given.table.sum() > 1 + 1e-9 and request.smoothing is None
    numbers = report_of_table(
        measured,
        names,
        one.samples,
        support,
        confidence_level=0.95 if is_known else None,
        n_samples=given.size,
    )
    if request.smoothing is not None:
        numbers["notes"].append(
            f"The measures are those of the table after smoothing "
            f"({request.smoothing})."
        )
    return content_of(numbers, measured)


def _text(numbers: dict[str, Any]) -> str:
    classes = {printable(name): row for name, row in numbers["classes"].items()}
    return text_of_report(numbers | {"classes": classes})


def _rows(found: Sequence[_Reported]) -> str:
    """A row of numbers for each prediction."""
    measures = [one for one in MEASURES.values() if one.section == "transfer"]
    heads = ["k", "k_X", "k_X|Y", "μ", "accuracy", *(one.symbol for one in measures)]
    names = [printable(one.name) for one in found]
    width = max(map(len, names))
    lines = [" " * width + "".join(f"{head:>10}" for head in heads)]
    for name, one in zip(names, found, strict=True):
        balance = EntropyBalance.from_confusion_matrix(one.given.table)
        accuracy = MEASURES["accuracy"]
        values = [
            balance.effective_true_classes,
            balance.remaining_true_classes,
            balance.information_transfer_factor,
            accuracy(balance) if one.given.is_square else float("nan"),
            *(measure(balance) for measure in measures),
        ]
        cells = f"{balance.n_true_classes:10}" + "".join(f"{x:10.3f}" for x in values)
        lines.append(f"{name:<{width}}{cells}")
    return "\n".join(lines) + "\n"


def _in_groups(texts: Mapping[str | None, str], by: str | None) -> str:
    """Texts under the names of their groups, or a single one without."""
    if by is None:
        return texts[None]
    titles = {group: f"{printable(by)} = {printable(str(group))}" for group in texts}
    return "\n".join(
        f"{title}\n{'=' * len(title)}\n{texts[group]}"
        for group, title in titles.items()
    )


def _compare(samples: Samples, request: Compare) -> ModelComparison:
    frame, labels = samples
    weights = request.weights
    return compare_models(
        frame[request.true].to_numpy(),
        {name: frame[name].to_numpy() for name in request.pred},
        request.metric,
        random_state=_SEED,
        labels=labels,
        sample_weight=None if weights is None else frame[weights].to_numpy(),
        verbose=sys.stderr.isatty(),
    )


def _records(comparison: ModelComparison) -> dict[str, Any]:
    return {
        "models": list(map(asdict, comparison.models)),
        "pairs": list(map(asdict, comparison.pairs)),
    }


def _comparison(comparison: ModelComparison) -> str:
    """The table of the models, and that of the pairs."""
    models = [replace(one, name=printable(one.name)) for one in comparison.models]
    pairs = [
        replace(one, a=printable(one.a), b=printable(one.b)) for one in comparison.pairs
    ]
    lines = [repr(replace(comparison, models=models, pairs=pairs)), ""]
    names = [f"{pair.a} - {pair.b}" for pair in pairs]
    width = max(map(len, names))
    heads = ("difference", "low", "high", "p", "adjusted p")
    lines.append(" " * width + "".join(f"{head:>12}" for head in heads))
    for name, pair in zip(names, pairs, strict=True):
        numbers = pair.difference, pair.low, pair.high
        cells = [f"{number:.3f}" for number in numbers]
        cells += [f"{number:.4f}" for number in (pair.p_value, pair.adjusted_p_value)]
        lines.append(f"{name:<{width}}" + "".join(f"{cell:>12}" for cell in cells))
    return "\n".join(lines) + "\n"
