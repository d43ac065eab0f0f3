"""The arguments of the commands → a request: what to read, and what to make of it."""

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sklearn_entropy_metrics import __version__
from sklearn_entropy_metrics._interrupt import PROGRAM

_COMMANDS = {
    "demo": "Compare classifiers on an imbalanced problem made from digits.",
    "report": "Report on the information that predictions transfer.",
    "compare": "Rank predictions of the same samples, with intervals, and test pairs.",
    "plot": "Draw the information that predictions transfer.",
}
_DATA = """

FILE has a header and a row for each sample: CSV, TSV (.tsv, .tab), Parquet (.parquet,
.pq) or JSON lines (.ndjson, .jsonl), plain or compressed by gzip or zstd. "-" is
standard input; several files, or a pattern in quotes, are read as one. Labels are
numbers if all of them are whole ones, else text: "1" and "01" are two classes.
"""
_METRIC = "normalized_information"
_EXAMPLE = "example: %(prog)s results.csv --true truth --pred tree"
_STATUS = "exit status: 0 for success, 1 if a file is invalid, 2 if the arguments are."
_ALL, _FLAG, _COLUMN = (
    "report compare plot",
    {"action": "store_true"},
    {"metavar": "COLUMN"},
)
_SEVERAL: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
_FORMATS = {"choices": ["text", "json", "html", "markdown"], "default": "text"}
_KINDS = {"choices": ["triangle", "phi-delta", "diagram"], "default": "triangle"}
# The commands that have an option, what it means, and what it takes.
_OPTIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "true": (_ALL, "the column of the true labels", _COLUMN),
    "pred": (_ALL, "columns of predicted labels", _SEVERAL | _COLUMN),
    "labels": (_ALL, "all classes in order; others are errors", _SEVERAL),
    "weights": (_ALL, "the column of the weights of the samples", _COLUMN),
    "counts": (_ALL, "how many samples each row stands for", _COLUMN),
    "groups": ("report compare", "whose samples belong together", _COLUMN),
    "by": ("report plot", "segments, which are compared with each other", _COLUMN),
    "full": ("report", "with --by, add the report of each segment to the text", _FLAG),
    "all": ("report", "print all numbers", _FLAG),
    "proba": (
        "report",
        "one for each of --labels, or for the second",
        _SEVERAL | _COLUMN,
    ),
    "matrix": ("report plot", "each FILE is a confusion matrix, true in rows", _FLAG),
    "smoothing": (
        "report",
        "of tables of few samples",
        {"choices": ["empirical_bayes"]},
    ),
    "metric": ("compare", "a measure, by any of its names", {"default": _METRIC}),
    "format": ("report compare", "HTML has plots, JSON all numbers", _FORMATS),
    "kind": ("plot", "default: %(default)s", _KINDS),
    "drop-missing": (_ALL, "leave rows out that lack a cell", _FLAG),
    "delimiter": (_ALL, "between cells (default: comma; tab in .tsv and .tab)", {}),
    "encoding": (_ALL, "such as latin-1 or utf-16", {"default": "utf-8"}),
}


class Request(argparse.Namespace):
    """What to read, and what to make of it."""

    # What not all commands have.
    groups: str | None = None
    by: str | None = None
    proba: Sequence[str] = ()
    matrix: bool = False
    all: bool = False
    smoothing: str | None = None

    @property
    def texts(self) -> list[str]:
        """The columns of labels, segments and groups."""
        return [name for name in (self.true, *self.pred, self.by, self.groups) if name]

    @property
    def numbers(self) -> list[str]:
        """The columns of numbers."""
        return [name for name in (*self.proba, self.weights, self.counts) if name]


def parse(argv: Sequence[str] | None) -> Request:
    """Read and check the arguments; invalid ones end the program.

    Parameters
    ----------
    argv : sequence of str or None
        The arguments. None: those of the process.

    Returns
    -------
    request : Request
    """
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description="Judge classifiers by the information they transfer."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    parsers = {name: _add_command(commands, name) for name in _COMMANDS}
    request = parser.parse_args(argv, Request())
    for problem in () if request.command == "demo" else _problems(request):
        parsers[request.command].error(problem)
    return request


def _add_command(commands, name):
    takes_files = name != "demo"
    parser = commands.add_parser(
        name,
        help=_COMMANDS[name],
        description=_COMMANDS[name] + (_DATA if takes_files else ""),
        epilog=f"{_EXAMPLE}\n{_STATUS}" if takes_files else _STATUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if takes_files:
        parser.add_argument("files", nargs="*", metavar="FILE")
    where = "the folder to write to" if name == "demo" else "the file to write to"
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help=where)
    for option, (having, text, form) in _OPTIONS.items():
        if name in having.split():
            parser.add_argument(f"--{option}", help=text, **form)
    return parser


def _problems(request: Request) -> Iterator[str]:
    """Why a request cannot be met."""
    if not request.files:
        names = [*request.pred, *request.proba, *request.labels]
        taken = [name for name in names if name == "-" or os.path.exists(name)]
        yield "the following arguments are required: FILE" + "".join(
            f". The option before it has taken {name!r} as a name: put the file before "
            "options that take several"
            for name in taken[:1]
        )
    for file in request.files if request.output and request.output.exists() else ():
        if os.path.exists(file) and os.path.samefile(request.output or "", file):
            yield f"{file!r} would be overwritten by the output"
    if request.matrix and (request.texts or request.numbers or request.labels):
        yield "--matrix cannot be combined with columns and --labels"
    if not (request.matrix or (request.true and request.pred)):
        yield "--true and --pred are needed" + (
            "" if request.command == "compare" else ", or --matrix"
        )
    if request.command == "compare" and len(request.pred) < 2:
        yield "two or more columns of --pred are needed"
    if request.weights and request.counts:
        yield "use --weights or --counts, not both"
    if both := {*request.texts} & {*request.numbers}:
        yield f"a column holds labels or numbers, not both. Got {both.pop()!r} twice"
    if request.proba and not request.labels:
        yield "--proba needs --labels: the classes of its columns"
    if (request.proba or request.smoothing) and len(request.pred) > 1:
        yield "--proba and --smoothing are for one column of --pred"
    if request.smoothing and (request.proba or request.groups or request.by):
        yield "--smoothing cannot be combined with --proba, --groups and --by"
    if request.command == "report" and request.by and len(request.pred) > 1:
        yield "report --by is for one column of --pred"
