"""The command `plot`: predictions → a picture."""

from argparse import Namespace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from sklearn_entropy_metrics.command_line.messages import printable, tell
from sklearn_entropy_metrics.command_line.read.files import Prediction, read_predictions
from sklearn_entropy_metrics.command_line.write import replacing
from sklearn_entropy_metrics.display import (
    EntropyTriangleDisplay,
    InformationDiagramDisplay,
    PhiDeltaDisplay,
)
from sklearn_entropy_metrics.measure import phi_delta

_WIDTH, _HEIGHT = 7, 5.5  # inches
# More names than this leave no place for each other.
_MOST_NAMED = 30


def plot(args: Namespace) -> None:
    """Draw the predictions that the arguments name."""
    path = args.output or Path(f"{args.kind}.png")
    kinds = Figure().canvas.get_supported_filetypes()
    kind = path.suffix.lower().removeprefix(".")
    if kind not in kinds:
        args.usage_error(
            f"the name of a picture must end in one of {', '.join(sorted(kinds))}, "
            f"preceded by a dot. Got {str(path)!r}."
        )
    draw = {"triangle": _triangle, "phi-delta": _phi_delta, "diagram": _diagrams}
    predictions = read_predictions(args)
    for one in predictions:
        if one.table.shape == (1, 1):
            raise ValueError(f"{one.name!r} cannot be drawn: there is but one class.")
    figure = draw[args.kind](predictions, args.split)
    with replacing(path) as file:
        figure.savefig(file, format=kind, dpi=150)
    print(f"Picture: {path}")


def _figure(height=_HEIGHT):
    return Figure(figsize=(_WIDTH, height), layout="constrained")


def _triangle(predictions: list[Prediction], split: bool) -> Figure:
    figure = _figure()
    EntropyTriangleDisplay.from_confusion_matrix(
        {printable(one.name): one.table for one in predictions},
        split=split,
        annotate=True,
        ax=figure.subplots(),
    )
    return figure


def _phi_delta(predictions: list[Prediction], split: bool) -> Figure:
    """A point for each prediction of two classes, or for each of more classes."""
    names, points = [], []
    for one in predictions:
        rates = np.array(phi_delta(one.table, average=None)).T
        if len(rates) == 2:
            names.append(one.name)
            points.append(rates[1:])
        else:
            prefix = f"{one.name}: " if len(predictions) > 1 else ""
            names += [prefix + label for label in one.labels]
            points.append(rates)
    phi, delta = np.concatenate(points).T
    if np.isnan(delta).any():
        tell(
            "warning: φ and δ are undefined, and not drawn, for classes without "
            "samples."
        )
    figure = _figure()
    display = PhiDeltaDisplay(phi=phi, delta=delta, name=list(map(printable, names)))
    display.plot(figure.subplots(), annotate=min(len(names), _MOST_NAMED))
    return figure


def _diagrams(predictions: list[Prediction], split: bool) -> Figure:
    """The diagrams of all predictions, one below the other."""
    figure = _figure(height=_HEIGHT / 2 * (1 + len(predictions)))
    axes = figure.subplots(len(predictions), squeeze=False).ravel()
    for one, ax in zip(predictions, axes, strict=True):
        InformationDiagramDisplay.from_confusion_matrix(
            one.table, split=split, name=printable(one.name), ax=ax
        )
    return figure
