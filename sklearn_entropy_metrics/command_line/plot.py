"""The command `plot`: predictions → a plot."""

import warnings
from argparse import Namespace
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure

from sklearn_entropy_metrics.command_line.messages import printable, tell
from sklearn_entropy_metrics.command_line.read.files import (
    Prediction,
    named_by_group,
    read_predictions,
)
from sklearn_entropy_metrics.command_line.write import replacing
from sklearn_entropy_metrics.display import (
    EntropyTriangleDisplay,
    InformationDiagramDisplay,
    PhiDeltaDisplay,
)

_WIDTH, _HEIGHT = 7, 5.5  # inches
# More names than this would overlap.
_MOST_NAMED = 30


def run_plot(args: Namespace) -> None:
    """Draw the predictions that the arguments name."""
    path = args.output or Path(f"{args.kind}.png")
    kinds = Figure().canvas.get_supported_filetypes()
    kind = path.suffix.lower().removeprefix(".")
    if kind not in kinds:
        args.usage_error(
            f"the name of a plot must end in one of {', '.join(sorted(kinds))}, "
            f"preceded by a dot. Got {str(path)!r}."
        )
    draw = {"triangle": _triangle, "phi-delta": _phi_delta, "diagram": _diagrams}
    predictions = named_by_group(read_predictions(args), args)
    for one in predictions:
        if one.table.shape == (1, 1):
            raise ValueError(f"{one.name!r} cannot be drawn: there is only one class.")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        # Deprecations in what matplotlib calls are not for users.
        warnings.simplefilter("ignore", DeprecationWarning)
        predictions = [
            one._replace(table=one.smoothed(args.smoothing)) for one in predictions
        ]
        figure = draw[args.kind](predictions, args.split)
    for warning in caught:
        tell(f"warning: {warning.message}")
    with replacing(path) as file:
        figure.savefig(file, format=kind, dpi=150)
    print(f"Picture: {path}")


def _figure(height=_HEIGHT):
    return Figure(figsize=(_WIDTH, height), layout="constrained")


def _tables(predictions):
    return {printable(one.name): one.table for one in predictions}


def _triangle(predictions: list[Prediction], split: bool) -> Figure:
    figure = _figure()
    EntropyTriangleDisplay.from_confusion_matrix(
        _tables(predictions), split=split, annotate=True, ax=figure.subplots()
    )
    return figure


def _phi_delta(predictions: list[Prediction], split: bool) -> Figure:
    """A point for each prediction of two classes, or for each class otherwise."""
    figure = _figure()
    draw = partial(
        PhiDeltaDisplay.from_confusion_matrix,
        annotate=_MOST_NAMED,
        ax=figure.subplots(),
    )
    classes = {printable(one.name): _classes(one) for one in predictions}
    if len(predictions) > 1:
        draw(_tables(predictions), labels=classes)
    else:
        ((name, labels),) = classes.items()
        table = predictions[0].table
        display = draw(table, labels=labels, name=name if labels is None else None)
        if labels is not None:
            display.ax_.set_title(name)
    return figure


def _classes(prediction):
    """Names of the classes; of two, the second is positive, and no name is shown."""
    labels = prediction.labels
    return list(map(printable, labels)) if len(labels) > 2 else None


def _diagrams(predictions: list[Prediction], split: bool) -> Figure:
    """The diagrams of all predictions, one below the other."""
    figure = _figure(height=_HEIGHT / 2 * (1 + len(predictions)))
    InformationDiagramDisplay.from_confusion_matrix(
        _tables(predictions), split=split, ax=figure.subplots()
    )
    return figure
