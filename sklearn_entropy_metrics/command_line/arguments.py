"""The arguments of the commands, and which can be combined."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from sklearn_entropy_metrics import __version__
from sklearn_entropy_metrics.command_line.help import (
    COMPARE_EXAMPLES,
    DATA,
    PLOT_EXAMPLES,
    REPORT_EXAMPLES,
)
from sklearn_entropy_metrics.command_line.messages import PROGRAM


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read and check the arguments.

    Parameters
    ----------
    argv : sequence of str or None
        The arguments. None: those of the process.

    Returns
    -------
    args : Namespace
        With the name of the `command`. Invalid arguments end the program.
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
    _add_report(commands)
    _add_compare(commands)
    _add_plot(commands)
    args = parser.parse_args(argv)
    if args.command != "demo":
        _check_data(args)
        _check_output(args)
    return args


def _add_report(commands):
    parser = _add_command(
        commands,
        "report",
        help="report on predictions in a file",
        description="Report on the information that predictions transfer. One "
        "prediction gets the full\nreport, several get a row each.",
        epilog=REPORT_EXAMPLES,
        output="where to write the report (default: standard output)",
    )
    _add_tables(parser)
    parser.add_argument(
        "--format",
        choices=["text", "json", "csv", "html", "markdown"],
        default="text",
        help="JSON has all numbers of all predictions, CSV a row for each prediction; "
        "HTML is one page with plots, Markdown is for pull requests (default: "
        "%(default)s)",
    )


def _add_compare(commands):
    parser = _add_command(
        commands,
        "compare",
        help="compare several predictions in a file",
        description="Rank predictions of the same samples by normalized information, "
        "with intervals,\nand test each pair for a difference.",
        epilog=COMPARE_EXAMPLES,
        output="where to write the comparison (default: standard output)",
    )
    parser.set_defaults(proba=[], matrix=False)
    parser.add_argument(
        "--format",
        choices=["text", "json"],
        default="text",
        help="JSON has all numbers of models and pairs (default: %(default)s)",
    )


def _add_plot(commands):
    parser = _add_command(
        commands,
        "plot",
        help="draw predictions in a file",
        description="Draw the information that predictions transfer.",
        epilog=PLOT_EXAMPLES,
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


def _add_command(commands, name, *, help, description, epilog, output):
    """A command that reads predictions."""
    parser = commands.add_parser(
        name,
        help=help,
        description=f"{description}\n\n{DATA}",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(usage_error=parser.error)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="the file to read; put it before options that take several names",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help=output)
    _add_columns(parser)
    parser.add_argument(
        "--delimiter",
        type=_delimiter,
        metavar="CHARACTER",
        help="the separator of cells, if not comma or (in .tsv and .tab) tab",
    )
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="show how much has been read (default: if standard error is a terminal)",
    )
    return parser


def _add_columns(parser):
    """Which columns hold what."""
    parser.add_argument(
        "--true", metavar="COLUMN", help="the column of the true labels"
    )
    parser.add_argument(
        "--pred",
        nargs="+",
        action="extend",
        default=[],
        metavar="COLUMN",
        help="columns of predicted labels, one for each classifier",
    )
    parser.add_argument(
        "--labels",
        nargs="+",
        metavar="LABEL",
        help="all classes; any other label in the file is an error",
    )
    parser.add_argument(
        "--weights", metavar="COLUMN", help="the column of the weights of the samples"
    )
    parser.add_argument(
        "--counts",
        metavar="COLUMN",
        help="the column that says how many samples each row stands for",
    )
    parser.add_argument(
        "--by",
        metavar="COLUMN",
        help="the column of groups, each of which is reported separately",
    )


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
        choices=["empirical_bayes", "james_stein", "jeffreys", "laplace"],
        help="estimate the shares of the cells from few samples (default: as counted)",
    )
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="each FILE is a confusion matrix, true classes in rows; a first row and a "
        "first column of labels are optional",
    )


def _delimiter(text):
    character = {"tab": "\t", r"\t": "\t"}.get(text, text)
    if len(character) != 1 or character in '"\r\n\0':
        raise argparse.ArgumentTypeError(f"{text!r} is not one character")
    return character


def _check_data(args):
    """Raise an error if the arguments do not say what to read."""
    for option, given in (
        ("FILE", args.files),
        ("--pred", args.pred),
        ("--labels", args.labels or []),
    ):
        if len(set(given)) < len(given):
            args.usage_error(f"{option} must not repeat a name. Got {given}")
    if args.matrix:
        columns = args.true, args.weights, args.counts, args.by
        if any(columns) or args.pred or args.proba or args.labels:
            args.usage_error(
                "--matrix cannot be combined with --true, --pred, --proba, --labels, "
                "--weights, --counts and --by"
            )
        return
    if len(args.files) > 1:
        args.usage_error(
            f"several files need --matrix. Got {args.files}; put columns after the "
            "file, each option followed by its columns"
        )
    if args.command == "compare" and (args.true is None or len(args.pred) < 2):
        args.usage_error("--true and two or more columns of --pred are needed")
    if args.true is None or not (args.pred or args.proba):
        args.usage_error("--true and one of --pred and --proba are needed, or --matrix")
    if args.weights and args.counts:
        args.usage_error("use --weights or --counts, not both")
    if args.proba:
        _check_probabilities(args)


def _check_probabilities(args):
    if args.labels is None:
        args.usage_error("--proba needs --labels: the classes of its columns")
    n_columns, n_labels = len(args.proba), len(args.labels)
    if n_columns != n_labels and (n_columns, n_labels) != (1, 2):
        args.usage_error(
            "--proba needs a column for each of --labels, or one column for two "
            f"labels. Got {n_columns} columns for {n_labels} labels"
        )
    if args.command == "plot" and args.pred:
        args.usage_error("draw --pred or --proba, not both")
    if len(args.pred) > 1:
        args.usage_error(
            "--proba belongs to one classifier: give at most one column of --pred"
        )


def _check_output(args):
    """Raise an error, before anything is read, if the output cannot be written."""
    if args.command == "plot" and args.split and args.kind == "phi-delta":
        args.usage_error("--split is for the triangle and the diagram")
    path = args.output
    if path is None:
        return
    if not path.parent.is_dir():
        args.usage_error(f"there is no folder {str(path.parent)!r} to write to")
    if path.exists() and not path.is_file():
        args.usage_error(f"{str(path)!r} is not a file that can be written")
    for file in args.files:
        if path.exists() and os.path.exists(file) and os.path.samefile(path, file):
            args.usage_error(f"{file!r} would be overwritten by the output")
