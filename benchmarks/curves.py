"""How time grows with the number of samples and of classes: measured and drawn."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from benchmarks.inputs import labels
from benchmarks.peers import PEERS, is_installed
from benchmarks.timing import Effort, best_time

# Seconds; a peer is left out from the size on where its first call takes longer.
PATIENCE = 2.0


class Curve(NamedTuple):
    """One picture of time against a size."""

    name: str
    file: str
    axis: int  # which of the two sizes grows
    sizes: list[tuple[int, int]]  # numbers of samples and of classes
    caption: str


_ONE_AND_THREE = [factor * 10**exponent for exponent in range(7) for factor in (1, 3)]

CURVES = [
    Curve(
        "samples",
        "benchmarks_samples.svg",
        0,
        [(n, 10) for n in [*_ONE_AND_THREE, 10**7] if n >= 100],
        "Time against the number of samples, 10 classes.",
    ),
    Curve(
        "classes",
        "benchmarks_classes.svg",
        1,
        [(10**6, k) for k in [*_ONE_AND_THREE, 500_000] if 3 <= k <= 500_000],
        "Time against the number of classes, 1,000,000 samples.",
    ),
]

_STYLES: dict[str, dict[str, Any]] = {
    PEERS[0].name: {"color": "black", "linewidth": 3},
    PEERS[-1].name: {"color": "gray", "linestyle": "--"},
}

Lines = dict[str, list[tuple[int, float]]]


def measure(curve: Curve, effort: Effort) -> Lines:
    """Sizes and seconds by the names of the peers that are installed."""
    lines: Lines = {peer.name: [] for peer in PEERS if is_installed(peer.needs)}
    alive = {peer.name: peer for peer in PEERS if peer.name in lines}
    for peer in alive.values():
        peer.function(*labels(100, 2))  # imports what it needs
    # There are many points, and none is judged.
    effort = replace(effort, rounds=(effort.rounds + 1) // 2)
    largest = effort.part * curve.sizes[-1][curve.axis]
    for sizes in curve.sizes:
        size = sizes[curve.axis]
        if size > largest:
            break
        n_samples, n_classes = sizes
        y = labels(effort.size(n_samples) if curve.axis else n_samples, n_classes)
        calls = {
            name: partial(peer.function, *y)
            for name, peer in alive.items()
            if n_classes <= effort.part * peer.max_classes
        }
        once = {name: best_time(call, 0) for name, call in calls.items()}
        alive = {name: alive[name] for name in calls if once[name] < PATIENCE}
        times = effort.best_times(*(calls[name] for name in alive))
        for name, seconds in zip(alive, times, strict=True):
            lines[name].append((size, min(once[name], seconds)))
    return lines


def draw(curve: Curve, lines: Lines, folder: Path) -> None:
    """Write the picture, without anything that differs between equal runs."""
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    ax = figure.subplots()
    for name, points in lines.items():
        style = _STYLES.get(name, {"marker": "o", "markersize": 3})
        ax.loglog(*np.transpose(points), label=name, **style)
    ax.set(xlabel=f"number of {curve.name}", ylabel="seconds")
    ax.grid(alpha=0.3)
    figure.legend(loc="outside lower center", ncols=3, fontsize="small")
    with mpl.rc_context({"svg.hashsalt": curve.name, "svg.fonttype": "none"}):
        figure.savefig(folder / curve.file, metadata={"Date": None})
