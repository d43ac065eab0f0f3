"""The arguments of the commands → a request: what to read, and what to make of it."""

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
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
_EXAMPLE = "example: %(prog)s results.csv --true truth --pred tree"
_STATUS = "exit status: 0 for success, 1 if a file is invalid, 2 if the arguments are."
_ALL = "report compare plot"
_METRIC = "normalized_information"
_FORMATS = "text", "json", "html", "markdown"
_KINDS = "triangle", "phi-delta", "diagram"


def _option(default: object, commands: str, text: str, **form: Any) -> Any:
    """An option: the commands that have it, what it means, and what it takes."""
    of_option = {"commands": commands.split(), "form": {"help": text, **form}}
    return field(default=default, metadata=of_option)


_flag = partial(_option, False, action="store_true")
_several = partial(_option, (), nargs="+", action="extend")
_column = partial(_option, None, metavar="COLUMN")
_columns = partial(_several, metavar="COLUMN")


@dataclass(frozen=True)
class Request:
    """What to read, and what to make of it."""

    command: str
    files: Sequence[str] = ()
    output: Path | None = None
    true: str = _option("", _ALL, "the column of the true labels", metavar="COLUMN")
    pred: Sequence[str] = _columns(_ALL, "columns of predicted labels")
    labels: Sequence[str] = _several(_ALL, "all classes in order; others are errors")
    weights: str | None = _column(_ALL, "the column of the weights of the samples")
    counts: str | None = _column(_ALL, "how many samples each row stands for")
    groups: str | None = _column("report compare", "whose samples belong together")
    by: str | None = _column("report plot", "segments to compare with each other")
    full: bool = _flag("report", "with --by, add the report of each segment")
    all: bool = _flag("report", "print all numbers")
    proba: Sequence[str] = _columns("report", "one for each of --labels, or the second")
    matrix: bool = _flag("report plot", "each FILE is a confusion matrix, true in rows")
    smoothing: str | None = _option(
        None, "report", "of tables of few samples", choices=["empirical_bayes"]
    )
    metric: str = _option(_METRIC, "compare", "a measure, by any of its names")
    format: str = _option(
        "text", "report compare", "HTML has plots, JSON all numbers", choices=_FORMATS
    )
    kind: str = _option("triangle", "plot", "default: triangle", choices=_KINDS)
    drop_missing: bool = _flag(_ALL, "leave rows out that lack a cell")
    delimiter: str | None = _option(
        None, _ALL, "between cells (default: comma; tab in .tsv and .tab)"
    )
    encoding: str = _option("utf-8", _ALL, "such as latin-1 or utf-16")

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
    request = Request(**vars(parser.parse_args(argv)))
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
        argument_default=argparse.SUPPRESS,  # those of the request
    )
    if takes_files:
        parser.add_argument("files", nargs="*", metavar="FILE")
    where = "the folder to write to" if name == "demo" else "the file to write to"
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help=where)
    for option in fields(Request):
        if name in option.metadata.get("commands", ()):
            flag = f"--{option.name.replace('_', '-')}"
            parser.add_argument(flag, **option.metadata["form"])
    return parser


def _problems(request: Request) -> Iterator[str]:
    """Why a request cannot be met."""
    named = [*request.pred, *request.proba]
    if not request.files:
        taken = [x for x in (*named, *request.labels) if x == "-" or os.path.exists(x)]
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
        other = "" if request.command == "compare" else ", or --matrix"
        yield f"--true and --pred are needed{other}"
    if request.command == "compare" and len(request.pred) < 2:
        yield "two or more columns of --pred are needed"
    if request.weights and request.counts:
        yield "use --weights or --counts, not both"
    if both := {*request.texts} & {*request.numbers}:
        yield f"a column holds labels or numbers, not both. Got {both.pop()!r} twice"
    if twice := [one for one in named if named.count(one) > 1]:
        yield f"--pred and --proba must name each column once. Got {twice[0]!r} twice"
    if request.proba and not request.labels:
        yield "--proba needs --labels: the classes of its columns"
    if (request.proba or request.smoothing) and len(request.pred) > 1:
        yield "--proba and --smoothing are for one column of --pred"
    if request.smoothing and (request.proba or request.groups or request.by):
        yield "--smoothing cannot be combined with --proba, --groups and --by"
    if request.command == "report" and request.by and len(request.pred) > 1:
        yield "report --by is for one column of --pred"
