"""The arguments of the commands → requests: what to read, and what to make of it."""

import argparse
import codecs
import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, TypeVar

from sklearn_entropy_metrics import __version__

PROGRAM = "sklearn-entropy-metrics"

_DATA = """\
FILE has a header and a row for each sample: CSV, TSV (.tsv, .tab), Parquet (.parquet,
.pq) or JSON lines (.ndjson, .jsonl), plain or compressed by gzip or zstd. "-" is
standard input; several files, or a pattern in quotes, are read as one. Labels are
numbers if all of them are whole ones, else text: "1" and "01" are two classes.
"""
_EXAMPLES = {
    "report": """\
examples:
  one prediction:
    %(prog)s results.csv --true truth --pred tree

  the probability of the second of two classes, with the predicted labels:
    %(prog)s results.csv --true y --pred label --proba p_yes --labels no yes

  rows that stand for several samples, and a report for each hospital:
    %(prog)s counted.parquet --true truth --pred tree --counts n --by hospital

  confusion matrices, true classes in rows, one row each:
    %(prog)s --matrix C01.csv C02.csv C03.csv

  a self-contained page with plots:
    %(prog)s results.csv --true truth --pred tree --format html -o report.html
""",
    "compare": """\
examples:
  which of three classifiers is the best, and which are tied with it:
    %(prog)s results.csv --true truth --pred tree forest boosting

  in each hospital, for a program:
    %(prog)s results.csv --true truth --pred tree forest --by hospital --format json
""",
    "plot": """\
examples:
  the entropy triangle, a point for each prediction:
    %(prog)s results.csv --true truth --pred tree forest -o triangle.svg

  the information diagram of a confusion matrix:
    %(prog)s --matrix C01.csv --kind diagram -o diagram.svg
""",
}
_STATUS = (
    "\nexit status: 0 for success, 1 if a file is invalid, 2 if the arguments are.\n"
)


@dataclass(frozen=True, kw_only=True)
class Data:
    """Files, their form, and which of their columns hold what."""

    files: list[str]
    true: str
    pred: list[str]
    labels: list[str] | None
    weights: str | None
    counts: str | None
    by: str | None
    delimiter: str | None
    encoding: str
    drop_missing: bool
    proba: list[str]
    matrix: bool


@dataclass(frozen=True, kw_only=True)
class Demo:
    """Compare classifiers on built-in data."""

    output: Path


@dataclass(frozen=True, kw_only=True)
class Report(Data):
    """Report on predictions."""

    format: Literal["text", "json", "html", "markdown"]
    smoothing: Literal["empirical_bayes"] | None
    output: Path | None


@dataclass(frozen=True, kw_only=True)
class Compare(Data):
    """Find the best of several predictions."""

    format: Literal["text", "json"]
    metric: str
    output: Path | None


@dataclass(frozen=True, kw_only=True)
class Plot(Data):
    """Draw predictions."""

    kind: Literal["triangle", "phi-delta", "diagram"]
    split: bool
    smoothing: Literal["empirical_bayes"] | None
    output: Path | None


Request = Demo | Report | Compare | Plot
_REQUESTS = {"demo": Demo, "report": Report, "compare": Compare, "plot": Plot}
_AnyRequest = TypeVar("_AnyRequest", Demo, Report, Compare, Plot)


def parse(argv: Sequence[str] | None) -> Request:
    """Read and check the arguments; invalid ones end the program.

    Parameters
    ----------
    argv : sequence of str or None
        The arguments. None: those of the process.

    Returns
    -------
    request : Demo, Report, Compare or Plot
    """
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description="Judge classifiers by the information they transfer."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser(
        "demo",
        help="compare classifiers on an imbalanced problem",
        description="Fit a few classifiers to an imbalanced problem made from "
        "scikit-learn's handwritten digits, and compare them by accuracy and by the "
        "information they transfer.",
    )
    demo.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("entropy_metrics_demo"),
        metavar="FOLDER",
        help="where to write the plots (default: %(default)s)",
    )
    readers = {"demo": demo} | {
        name: add(commands)
        for name, add in {
            "report": _add_report,
            "compare": _add_compare,
            "plot": _add_plot,
        }.items()
    }
    args = parser.parse_args(argv)
    request = _request(_REQUESTS[args.command], args)
    if not isinstance(request, Demo):
        problem = _data_problem(request) or _output_problem(request)
        if problem:
            readers[args.command].error(problem)
    return request


def _request(kind: type[_AnyRequest], args: argparse.Namespace) -> _AnyRequest:
    return kind(**{one.name: getattr(args, one.name) for one in fields(kind)})


def _add_report(commands):
    parser = _add_command(
        commands,
        "report",
        help="report on predictions in a file",
        description="Report on the information that predictions transfer. One "
        "prediction gets the full\nreport, several get a row each.",
        output="where to write the report (default: standard output)",
    )
    _add_tables(parser)
    parser.add_argument(
        "--format",
        choices=["text", "json", "html", "markdown"],
        default="text",
        help="JSON has all numbers; HTML is one page with plots, Markdown is for pull "
        "requests (default: %(default)s)",
    )
    return parser


def _add_compare(commands):
    parser = _add_command(
        commands,
        "compare",
        help="compare several predictions in a file",
        description="Rank predictions of the same samples, with intervals, and test "
        "each pair for a\ndifference.",
        output="where to write the comparison (default: standard output)",
    )
    parser.set_defaults(proba=[], matrix=False)
    parser.add_argument(
        "--metric",
        default="normalized_information",
        metavar="NAME",
        help="a measure of the catalogue, or scikit-learn's name of it, such as "
        "f1_macro (default: %(default)s)",
    )
    parser.add_argument(
        "--format",
        choices=["text", "json"],
        default="text",
        help="JSON has all numbers of models and pairs (default: %(default)s)",
    )
    return parser


def _add_plot(commands):
    parser = _add_command(
        commands,
        "plot",
        help="draw predictions in a file",
        description="Draw the information that predictions transfer.",
        output="the output file; its suffix sets the format (default: KIND.png)",
    )
    _add_tables(parser)
    parser.add_argument(
        "--kind",
        choices=["triangle", "phi-delta", "diagram"],
        default="triangle",
        help="the entropy triangle, the φ-δ diamond or the information diagram "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--split",
        action="store_true",
        help="draw true and predicted classes separately (triangle and diagram)",
    )
    return parser


def _add_command(commands, name, *, help, description, output):
    """A command that reads predictions."""
    parser = commands.add_parser(
        name,
        help=help,
        description=f"{description}\n\n{_DATA}",
        epilog=_EXAMPLES[name] + _STATUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="the files to read; put them before options that take several names",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help=output)
    one = {"metavar": "COLUMN"}
    several = one | {"nargs": "+", "action": "extend", "default": []}
    for option, form, text in (
        ("--true", one, "the column of the true labels"),
        ("--pred", several, "columns of predicted labels, one a classifier"),
        ("--weights", one, "the column of the weights of the samples"),
        ("--counts", one, "the column that says how many samples a row stands for"),
        ("--by", one, "the column of groups, each of which is reported separately"),
    ):
        parser.add_argument(option, help=text, **form)
    parser.add_argument(
        "--labels",
        nargs="+",
        metavar="LABEL",
        help="all classes, in order (default: sorted); any other label is an error",
    )
    parser.add_argument(
        "--drop-missing",
        action="store_true",
        help="leave rows out in which a cell is empty (default: an error)",
    )
    parser.add_argument(
        "--delimiter",
        type=_delimiter,
        metavar="CHARACTER",
        help="the separator of cells, if not comma or (in .tsv and .tab) tab",
    )
    parser.add_argument(
        "--encoding",
        type=_encoding,
        default="utf-8",
        metavar="NAME",
        help="of the text, such as latin-1 or utf-16 (default: %(default)s)",
    )
    return parser


def _add_tables(parser):
    """What else can be made into tables, and how."""
    parser.add_argument(
        "--proba",
        nargs="+",
        action="extend",
        default=[],
        metavar="COLUMN",
        help="columns of probabilities, one for each of --labels, in their order; a "
        "single one is the probability of the second of two",
    )
    parser.add_argument(
        "--smoothing",
        choices=["empirical_bayes"],
        help="estimate the shares of the cells from few samples (default: as counted)",
    )
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="each FILE is a confusion matrix, true classes in rows; a first row and a "
        "first column of labels are optional",
    )


def _delimiter(text: str) -> str:
    character = {"tab": "\t", r"\t": "\t"}.get(text, text)
    if len(character.encode()) != 1 or character in '"\r\n\0':
        raise argparse.ArgumentTypeError(f"{text!r} is not one ASCII character")
    return character


def _encoding(text: str) -> str:
    try:
        return codecs.lookup(text).name
    except LookupError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no encoding") from error


def _data_problem(data: Data) -> str | None:
    """Why the arguments do not say what to read, if so."""
    columns = [*data.pred, *data.proba, *(data.labels or [])]
    if not data.files:
        taken = [name for name in columns if name == "-" or os.path.exists(name)]
        return "the following arguments are required: FILE" + (
            f". The option before it has taken {taken[0]!r} as a name: put the file "
            "before options that take several"
            if taken
            else ""
        )
    for option, given in (
        ("FILE", data.files),
        ("--pred", data.pred),
        ("--labels", data.labels or []),
    ):
        if len(set(given)) < len(given):
            return f"{option} must not repeat a name. Got {given}"
    if data.matrix:
        others = data.true, data.weights, data.counts, data.by, data.labels
        if any(others) or data.pred or data.proba:
            return (
                "--matrix cannot be combined with --true, --pred, --proba, --labels, "
                "--weights, --counts and --by"
            )
        return None
    if isinstance(data, Compare) and (data.true is None or len(data.pred) < 2):
        return "--true and two or more columns of --pred are needed"
    if data.true is None or not (data.pred or data.proba):
        return "--true and one of --pred and --proba are needed, or --matrix"
    if data.weights and data.counts:
        return "use --weights or --counts, not both"
    numbers = {data.weights, data.counts, *data.proba}
    if both := numbers & {data.true, *data.pred, data.by} - {None}:
        return f"a column holds labels or numbers, not both. Got {both.pop()!r} twice"
    return _probability_problem(data) if data.proba else None


def _probability_problem(data: Data) -> str | None:
    if data.labels is None:
        return "--proba needs --labels: the classes of its columns"
    n_columns, n_labels = len(data.proba), len(data.labels)
    if n_columns != n_labels and (n_columns, n_labels) != (1, 2):
        return (
            "--proba needs a column for each of --labels, or one column for two "
            f"labels. Got {n_columns} columns for {n_labels} labels"
        )
    if isinstance(data, Plot) and data.pred:
        return "draw --pred or --proba, not both"
    if len(data.pred) > 1:
        return "--proba belongs to one classifier: give at most one column of --pred"
    return None


def _output_problem(request: Report | Compare | Plot) -> str | None:
    """Why the output cannot be written, if so, before anything is read."""
    path = request.output
    if isinstance(request, Plot):
        from matplotlib.backend_bases import FigureCanvasBase

        kinds = FigureCanvasBase.get_supported_filetypes()
        if request.split and request.kind == "phi-delta":
            return "--split is for the triangle and the diagram"
        if path is not None and path.suffix[1:].lower() not in kinds:
            return (
                f"the name of a plot must end in one of {', '.join(sorted(kinds))}, "
                f"preceded by a dot. Got {str(path)!r}"
            )
    if path is None:
        return None
    if not path.parent.is_dir():
        return f"there is no folder {str(path.parent)!r} to write to"
    if path.exists() and not path.is_file():
        return f"{str(path)!r} is not a file that can be written"
    for file in request.files:
        if path.exists() and os.path.exists(file) and os.path.samefile(path, file):
            return f"{file!r} would be overwritten by the output"
    return None
