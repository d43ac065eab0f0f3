"""The arguments of the commands → requests: what to read, and what to make of it."""

import argparse
import codecs
import os
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

from sklearn_entropy_metrics import __version__
from sklearn_entropy_metrics._interrupt import PROGRAM

_DATA = """

FILE has a header and a row for each sample: CSV, TSV (.tsv, .tab), Parquet (.parquet,
.pq) or JSON lines (.ndjson, .jsonl), plain or compressed by gzip or zstd. "-" is
standard input; several files, or a pattern in quotes, are read as one. Labels are
numbers if all of them are whole ones, else text: "1" and "01" are two classes.
"""
_STATUS = (
    "\nexit status: 0 for success, 1 if a file is invalid, 2 if the arguments are."
)
# What options take, and what they mean.
_HELP = {
    "files": ("FILE", "the files, before options that take several names"),
    "output": ("FILE", "where to write (default: standard output; plots: KIND.png)"),
    "true": ("COLUMN", "the column of the true labels"),
    "pred": ("COLUMN", "columns of predicted labels, one for each classifier"),
    "labels": ("LABEL", "all classes, in order (default: sorted); others are errors"),
    "weights": ("COLUMN", "the column of the weights of the samples"),
    "counts": ("COLUMN", "the column of how many samples each row stands for"),
    "by": ("COLUMN", "the column of segments, which are compared with each other"),
    "groups": ("COLUMN", "the column of groups whose samples belong together"),
    "drop_missing": (None, "leave rows out that lack a cell (default: an error)"),
    "delimiter": ("CHARACTER", "between cells (default: comma; tab in .tsv and .tab)"),
    "encoding": ("NAME", "such as latin-1 or utf-16 (default: %(default)s)"),
    "metric": ("NAME", "a measure or scikit-learn's name of it (default: %(default)s)"),
    "format": (None, "HTML has plots, JSON all numbers (default: %(default)s)"),
    "all": (None, "add all further numbers to the text"),
    "full": (None, "with --by, add the report of each segment to the text"),
    "proba": ("COLUMN", "probabilities of each of --labels, or of the second of two"),
    "smoothing": ("empirical_bayes", "estimate the shares of cells from few samples"),
    "matrix": (None, "each FILE is a confusion matrix, true classes in rows"),
    "kind": (None, "default: %(default)s"),
    "split": (None, "draw true and predicted classes separately (not in phi-delta)"),
}


@dataclass(frozen=True, kw_only=True)
class Demo:
    """Compare classifiers on an imbalanced problem made from scikit-learn's digits."""

    output: Path = Path("entropy_metrics_demo")


@dataclass(frozen=True, kw_only=True)
class Data:
    """Files, their form, and which of their columns hold what."""

    files: list[str]
    output: Path | None = None
    true: str = ""
    pred: list[str] = field(default_factory=list)
    labels: list[str] | None = None
    weights: str | None = None
    counts: str | None = None
    by: str | None = None
    groups: str | None = None
    drop_missing: bool = False
    delimiter: str | None = None
    encoding: str = "utf-8"

    @property
    def texts(self) -> list[str]:
        """The columns of labels, segments and groups."""
        return [name for name in (self.true, *self.pred, self.by, self.groups) if name]

    @property
    def numbers(self) -> list[str]:
        """The columns of numbers."""
        return [name for name in (self.weights, self.counts) if name]


@dataclass(frozen=True, kw_only=True)
class Compare(Data):
    """Rank predictions of the same samples, with intervals, and test each pair.

    For example:
      %(prog)s results.csv --true truth --pred tree forest boosting
    """

    metric: str = "normalized_information"
    format: Literal["text", "json", "html", "markdown"] = "text"


@dataclass(frozen=True, kw_only=True)
class Tables(Data):
    """What can be made into tables besides labels, and how."""

    proba: list[str] = field(default_factory=list)
    smoothing: Literal["empirical_bayes"] | None = None
    matrix: bool = False

    @property
    def numbers(self) -> list[str]:
        """The columns of numbers."""
        return [*self.proba, *super().numbers]


@dataclass(frozen=True, kw_only=True)
class Report(Tables):
    """Report on the information that predictions transfer.

    For example:
      %(prog)s results.csv --true truth --pred tree
      %(prog)s results.csv --true y --pred label --proba p_yes --labels no yes
      %(prog)s counted.parquet --true truth --pred tree --counts n --by hospital
      %(prog)s results.csv --true truth --pred tree --format html -o report.html
      %(prog)s --matrix C01.csv C02.csv C03.csv
    """

    format: Literal["text", "json", "html", "markdown"] = "text"
    all: bool = False
    full: bool = False


@dataclass(frozen=True, kw_only=True)
class Plot(Tables):
    """Draw the information that predictions transfer.

    For example:
      %(prog)s results.csv --true truth --pred tree forest -o triangle.svg
      %(prog)s --matrix C01.csv --kind diagram -o diagram.svg
    """

    kind: Literal["triangle", "phi-delta", "diagram"] = "triangle"
    split: bool = False


Request = Demo | Report | Compare | Plot


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
    kinds = {kind.__name__.lower(): kind for kind in (Demo, Report, Compare, Plot)}
    parsers = {name: _add_command(commands, name, kind) for name, kind in kinds.items()}
    args = vars(parser.parse_args(argv))
    command = args.pop("command")
    request = kinds[command](**args)
    if isinstance(request, Data):
        for problem in (*_data_problems(request), *_output_problems(request)):
            parsers[command].error(problem)
    return request


def _add_command(commands, name, kind):
    description, _, examples = (kind.__doc__ or "").partition("\n\n")
    parser = commands.add_parser(
        name,
        help=description,
        description=description + (_DATA if issubclass(kind, Data) else ""),
        epilog=examples.replace("\n    ", "\n").strip() + "\n" + _STATUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    hints = get_type_hints(kind)
    for one in fields(kind):
        metavar, text = _HELP[one.name]
        form = _form(one.name, hints[one.name]) | {"help": text}
        if one.name == "files":
            parser.add_argument("files", nargs="*", metavar=metavar, help=text)
            continue
        if metavar is not None:
            form["metavar"] = metavar
        flags = ["-o"] if one.name == "output" else []
        default = [] if one.default is MISSING else one.default
        flags.append(f"--{one.name.replace('_', '-')}")
        parser.add_argument(*flags, default=default, **form)
    return parser


def _form(name, hint):
    """What argparse is to make of an option, which follows from its type."""
    for one in (hint, *get_args(hint)):
        if one is bool:
            return {"action": "store_true"}
        if one == list[str]:
            return {"nargs": "+", "action": "extend"}
        if get_origin(one) is Literal:
            return {"choices": get_args(one)}
        if one is Path:
            return {"type": Path}
    return {"type": {"delimiter": _delimiter, "encoding": _encoding}.get(name, str)}


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


def _data_problems(data: Data) -> Iterator[str]:
    """Why the arguments do not say what to read."""
    labels, names = data.labels or [], [*data.pred, *data.numbers, *(data.labels or [])]
    if not data.files:
        taken = [name for name in names if name == "-" or os.path.exists(name)]
        yield "the following arguments are required: FILE" + "".join(
            f". The option before it has taken {name!r} as a name: put the file before "
            "options that take several"
            for name in taken[:1]
        )
    lists = {"FILE": data.files, "--pred": data.pred, "--labels": labels}
    for option, given in lists.items():
        if len(set(given)) < len(given):
            yield f"{option} must not repeat a name. Got {given}"
    if isinstance(data, Tables) and data.matrix:
        if data.texts or data.numbers or labels:
            yield (
                "--matrix cannot be combined with --true, --pred, --proba, --labels, "
                "--weights, --counts, --by and --groups"
            )
        return
    if isinstance(data, Compare) and not (data.true and len(data.pred) > 1):
        yield "--true and two or more columns of --pred are needed"
    if isinstance(data, Compare) and data.by and data.format == "html":
        yield "one page holds one comparison: --by has no HTML"
    if data.weights and data.counts:
        yield "use --weights or --counts, not both"
    if both := {*data.texts} & {*data.numbers}:
        yield f"a column holds labels or numbers, not both. Got {both.pop()!r} twice"
    if isinstance(data, Tables):
        yield from _table_problems(data, len(data.proba), len(labels))


def _table_problems(data: Tables, n_columns: int, n_labels: int) -> Iterator[str]:
    if not (data.true and (data.pred or data.proba)):
        yield "--true and one of --pred and --proba are needed, or --matrix"
    if data.proba and data.labels is None:
        yield "--proba needs --labels: the classes of its columns"
    if data.proba and n_columns != n_labels and (n_columns, n_labels) != (1, 2):
        yield (
            "--proba needs a column for each of --labels, or one column for two "
            f"labels. Got {n_columns} columns for {n_labels} labels"
        )
    if isinstance(data, Report) and data.by and len(data.pred) > 1:
        yield "--by reports on one column of --pred; compare takes several"
    of_samples = data.proba or data.groups or len(data.pred) > 1
    if isinstance(data, Report) and data.smoothing and of_samples:
        yield "--smoothing is for one column of --pred, without --proba and --groups"
    if data.proba and isinstance(data, Plot) and data.pred:
        yield "draw --pred or --proba, not both"
    if data.proba and len(data.pred) > 1:
        yield "--proba belongs to one classifier: give at most one column of --pred"


def _output_problems(data: Data) -> Iterator[str]:
    """Why the output cannot be written."""
    path = data.output
    if isinstance(data, Plot) and data.split and data.kind == "phi-delta":
        yield "--split is for the triangle and the diagram"
    if path is None:
        return
    if isinstance(data, Plot):
        from matplotlib.backend_bases import FigureCanvasBase

        kinds = sorted(FigureCanvasBase.get_supported_filetypes())
        if path.suffix[1:].lower() not in kinds:
            yield (
                f"the name of a plot must end in one of {', '.join(kinds)}, preceded "
                f"by a dot. Got {str(path)!r}"
            )
    if path.is_dir() or not path.parent.is_dir():
        yield f"{str(path)!r} is not a file that can be written"
    for file in data.files:
        if path.exists() and os.path.exists(file) and os.path.samefile(path, file):
            yield f"{file!r} would be overwritten by the output"
