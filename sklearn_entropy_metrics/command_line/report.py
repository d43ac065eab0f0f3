"""The command `report`: predictions → numbers, as text or for programs, and pages."""

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.given import given_table
from sklearn_entropy_metrics.balance.smooth import Smoothing
from sklearn_entropy_metrics.command_line.messages import printable
from sklearn_entropy_metrics.command_line.read.files import (
    Prediction,
    named_by_group,
    read_predictions,
)
from sklearn_entropy_metrics.command_line.write import as_csv, in_groups, write_text
from sklearn_entropy_metrics.measure import MEASURES
from sklearn_entropy_metrics.score.report import (
    Content,
    content_of,
    html_page,
    markdown_page,
    report_of_table,
    text_of_report,
)

# Attributes of the balance that reports have besides those of `information_report`.
_PERPLEXITIES = (
    "n_pred_classes",
    "effective_pred_classes",
    "remaining_true_classes",
    "remaining_pred_classes",
    "information_transfer_factor",
)
# Columns that compare predictions: sections and keys of their reports. The measures of
# information transfer follow.
_COLUMNS = {
    "k": ("task", "n_classes"),
    "k_X": ("task", "effective_classes"),
    "k_X|Y": ("perplexities", "remaining_true_classes"),
    "μ": ("perplexities", "information_transfer_factor"),
    "accuracy": ("accuracy", "accuracy"),
}
_PAGES = {"html": html_page, "markdown": markdown_page}


def run_report(args: Namespace) -> None:
    """Report on the predictions that the arguments name."""
    predictions = read_predictions(args, keep_samples=True)
    if args.format in _PAGES:
        named = named_by_group(predictions, args)
        pages = {one.name: _content(one, args.smoothing) for one in named}
        return write_text(_PAGES[args.format](pages), args.output)
    groups: dict[str, dict[str, Any]] = {}
    for one in predictions:
        groups.setdefault(one.group, {})[one.name] = _numbers(one, args.smoothing)
    if args.format == "csv":
        text = _as_csv(groups, args.by)
    else:
        text = in_groups(groups, args.by, args.format, _as_text)
    write_text(text, args.output)


def _numbers(prediction: Prediction, smoothing: Smoothing | None) -> dict[str, Any]:
    given = _given(prediction, prediction.table)
    support = prediction.support
    if smoothing is not None and support is None:
        support = given.table.sum(axis=1).tolist()  # as counted
    table = prediction.smoothed(smoothing)
    # Weights and probabilities do not say how many samples there were.
    are_counts = table.dtype.kind == "i"
    numbers = report_of_table(
        given._replace(table=table),
        prediction.labels,
        prediction.samples,
        support,
        confidence_level=0.95 if are_counts else None,
    )
    if smoothing is not None:
        numbers["notes"].append(
            f"The measures are those of the table after smoothing ({smoothing})."
        )
    balance = EntropyBalance.from_confusion_matrix(table)
    perplexities = {name: getattr(balance, name) for name in _PERPLEXITIES}
    return numbers | {"perplexities": perplexities}


def _content(prediction: Prediction, smoothing: Smoothing | None) -> Content:
    """What a page needs; its table is the one that was measured."""
    given = _given(prediction, prediction.smoothed(smoothing))
    return content_of(_numbers(prediction, smoothing), given)


def _given(prediction, table):
    """A table with the names of its classes."""
    names = {"labels": prediction.labels, "pred_labels": prediction.pred_labels}
    return given_table(None, None, table, **names)


def _as_text(reports: Mapping[str, dict[str, Any]]) -> str:
    """The report of one prediction; a table that compares several."""
    if len(reports) > 1:
        return _comparison(reports)
    (numbers,) = reports.values()
    classes = {printable(name): row for name, row in numbers["classes"].items()}
    return text_of_report(numbers | {"classes": classes})


def _comparison(reports):
    width = max(map(len, map(printable, reports)))
    columns = _COLUMNS | {
        measure.symbol: ("transfer", measure.name)
        for measure in MEASURES.values()
        if measure.section == "transfer"
    }
    lines = [" " * width + "".join(f"{title:>10}" for title in columns)]
    for name, numbers in reports.items():
        values = (numbers[section][key] for section, key in columns.values())
        cells = (f"{v:10}" if isinstance(v, int) else f"{v:10.3f}" for v in values)
        lines.append(f"{printable(name):<{width}}" + "".join(cells))
    return "\n".join(lines) + "\n"


def _as_csv(groups: Mapping[str, Mapping[str, Any]], by: str | None) -> str:
    """A row for each prediction, a column for each number except those of classes."""
    rows = [
        ({} if by is None else {"group": group}) | {"name": name} | _flat(numbers)
        for group, reports in groups.items()
        for name, numbers in reports.items()
    ]
    header = dict.fromkeys(key for row in rows for key in row)
    return as_csv(header, ([row.get(key) for key in header] for row in rows))


def _flat(numbers, prefix=""):
    """The numbers of a dict of dicts, except those of classes."""
    flat: dict[str, Any] = {}
    for key, value in numbers.items():
        if isinstance(value, dict) and key != "classes":
            flat |= _flat(value, f"{prefix}{key}.")
        elif prefix:
            flat[prefix + key] = value
    return flat
