"""The command `compare`: several predictions of the same samples → which is best."""

import sys
import warnings
from argparse import Namespace
from dataclasses import asdict, replace

import numpy as np

from sklearn_entropy_metrics.command_line.messages import printable, tell
from sklearn_entropy_metrics.command_line.read.blocks import Coded
from sklearn_entropy_metrics.command_line.read.files import read_groups
from sklearn_entropy_metrics.command_line.read.tables import Tables
from sklearn_entropy_metrics.command_line.write import in_groups, write_text
from sklearn_entropy_metrics.compare._model_comparison import ModelComparison
from sklearn_entropy_metrics.compare.models import compare_models
from sklearn_entropy_metrics.table.checks import check_memory

# The same file gives the same text.
_SEED = 0


def run_compare(args: Namespace) -> None:
    """Compare the predictions that the arguments name."""
    groups = {
        group: _compare_group(group, tables, args)
        for group, tables in read_groups(args, keep_rows=True).items()
    }
    results = groups if args.format == "text" else dict(map(_records, groups.items()))
    write_text(in_groups(results, args.by, args.format, _as_text), args.output)


def _compare_group(group: str, tables: Tables, args: Namespace) -> ModelComparison:
    """Compare the predictions of a group; say which if something is wrong."""
    where = "" if args.by is None else f"{args.by} = {group}: "
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            comparison = _compare(tables, args)
        except ValueError as error:
            raise ValueError(where + str(error)) from error
    for warning in caught:
        tell(f"warning: {where}{warning.message}")
    return comparison


def _compare(tables: Tables, args: Namespace) -> ModelComparison:
    n_samples = np.array(list(tables.rows.values()))
    columns = list(zip(*tables.rows, strict=True))
    check_memory(
        tables.rows.total() * len(columns), "All predictions", "compare fewer of them"
    )
    weight = None if args.weights is None else np.repeat(columns.pop(), n_samples)
    y_true, *y_preds = (_repeated(column, n_samples) for column in columns)
    is_shown = sys.stderr.isatty() if args.progress is None else args.progress
    return compare_models(
        y_true,
        dict(zip(args.pred, y_preds, strict=True)),
        random_state=_SEED,
        labels=args.labels,
        sample_weight=weight,
        verbose=is_shown,
    )


def _repeated(labels, n_samples):
    """A label for each sample, as small numbers."""
    place = {label: i for i, label in enumerate(sorted(set(labels)))}
    smallest = np.min_scalar_type(len(place))
    codes = np.array([place[label] for label in labels], dtype=smallest)
    return Coded(np.repeat(codes, n_samples), list(place))


def _records(item):
    group, comparison = item
    return group, {
        "models": list(map(asdict, comparison.models)),
        "pairs": list(map(asdict, comparison.pairs)),
    }


def _as_text(comparison: ModelComparison) -> str:
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
