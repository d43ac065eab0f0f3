"""``python -m benchmarks.coverage``: how often intervals contain the true value.

Data sets are drawn from known joint distributions, and each gets intervals. A cell of
the experiment is one distribution at one number of samples; the tables show means over
cells. They go to a file that the page on intervals includes.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from sklearn_entropy_metrics import EntropyBalance
from sklearn_entropy_metrics.balance.shrink import shrink_errors
from sklearn_entropy_metrics.compare._progress import telling
from sklearn_entropy_metrics.measure import MEASURES
from sklearn_entropy_metrics.measure.chosen import choose_metric
from sklearn_entropy_metrics.measure.delta import delta_intervals

DOCS = Path(__file__).parents[1] / "docs"
NI = "normalized_information"
NAMES = {
    NI: "NI",
    "entropy_modulated_accuracy": "EMA",
    "normalized_information_transfer": "NIT",
    "variation_of_information": "VI",
    "confusion_entropy": "CEN",
    "accuracy": "accuracy",
}
ESTIMATES = {"plug-in": None, "empirical_bayes": "empirical_bayes"}
RATIOS = (0.5, 1, 2, 5, 10, 40)
QUALITIES = {
    "useless": 0.0,
    "weak": 0.3,
    "fair": 0.6,
    "good": 0.85,
    "nearly perfect": 0.97,
}
FEWEST = 8  # samples


class Truth(NamedTuple):
    """A joint distribution of true and predicted classes."""

    group: str
    n_classes: int
    quality: str
    table: np.ndarray


class Effort(NamedTuple):
    """How many data sets are drawn in each cell."""

    data_sets: int


FULL, QUICK = Effort(1000), Effort(20)


def promised(seed: int = 0) -> Iterator[Truth]:
    """Classifiers with scattered or systematic errors, of balanced classes or not."""
    rng = np.random.default_rng(seed)
    for n_classes in (2, 3, 4, 5, 7, 10):
        for largest in (1, 9):  # times the smallest class
            prior = np.geomspace(largest, 1, n_classes)[:, None]
            for quality, kept in QUALITIES.items():
                same = np.tile(rng.dirichlet([2.0] * n_classes), (n_classes, 1))
                scattered = np.full((n_classes, n_classes), 1 / n_classes)
                habits = rng.dirichlet([0.5] * n_classes, n_classes)
                for errors in (scattered, habits) if kept else (same,):
                    rows = kept * np.eye(n_classes) + (1 - kept) * errors
                    table = prior / prior.sum() * rows
                    yield Truth("promised", n_classes, quality, table)


def not_promised() -> Iterator[Truth]:
    """Cases for which the method is not made, or for which no method works."""
    for n_classes in (5, 10):
        hits, order = np.eye(n_classes), np.roll(np.arange(n_classes), 1)
        for kept in (0.6, 0.85, 0.97):
            table = (kept * hits + (1 - kept) / n_classes)[:, order] / n_classes
            yield Truth("exchanged names", n_classes, "", table)
        for kept in (0.1, 0.3, 0.85):
            table = (kept * hits + (1 - kept) * hits[:, order]) / n_classes
            yield Truth("one other class each", n_classes, "", table)
    prior = np.r_[0.9, np.full(29, 0.1 / 29)][:, None]
    for kept in (0.85, 0.97):
        table = prior * (kept * np.eye(30) + (1 - kept) / 30)
        yield Truth("one class of 90 %, 29 others", 30, "", table)


def simulate(truth: Truth, ratio: float, seed: int, effort: Effort) -> list[dict]:
    """Records of one cell: coverage, width and error of each measure and method."""
    n_classes = truth.n_classes
    n_samples = round(ratio * n_classes**2)
    rng = np.random.default_rng([seed, n_samples])
    tables = rng.multinomial(n_samples, truth.table.ravel(), effort.data_sets)
    tables = tables.reshape(-1, n_classes, n_classes)
    # With one class only there is no information to be estimated.
    tables = tables[(tables.sum(axis=-1) > 0).sum(axis=-1) > 1]
    found, records = shrink_errors(tables), []
    for name in NAMES:
        true = MEASURES[name](truth.table)
        chosen = choose_metric(name, truth.table.shape, is_square=True)
        estimate, low, high, *_ = delta_intervals(tables, found, chosen)
        records.append(judge("delta", name, true, low, high, estimate))
    true = MEASURES[NI](truth.table)
    for label, smoothing in ESTIMATES.items():
        balance = EntropyBalance.from_confusion_matrix(tables, smoothing=smoothing)
        error = np.mean((balance.normalized_information - true) ** 2)
        records.append({"method": label, "measure": NI, "square": error})
    same = {"group": truth.group, "k": n_classes, "r": ratio, "quality": truth.quality}
    return [{**same, **record} for record in records]


def judge(method, name, true, low, high, estimate) -> dict:
    slack = 1e-9  # a value may be at the end of its range, and so is the interval
    covered = (low - slack <= true) & (true <= high + slack)
    return {
        "method": method,
        "measure": name,
        "covered": np.mean(covered),
        "width": np.mean(high - low),
        "square": np.mean((estimate - true) ** 2),
    }


def run(effort: Effort, n_jobs: int) -> pd.DataFrame:
    """All cells."""
    cells = [
        (truth, ratio)
        for truth in (*promised(), *not_promised())
        for ratio in RATIOS
        if round(ratio * truth.n_classes**2) >= FEWEST
        and (truth.n_classes <= 10 or ratio <= 10)
    ]
    tasks = (delayed(simulate)(*cell, seed, effort) for seed, cell in enumerate(cells))
    done = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    shown = telling(done, len(cells), "coverage", "cells")
    return pd.DataFrame([record for records in shown for record in records])


def tables_of(results: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Titles and tables of what was found."""
    kept = results[results["group"] == "promised"]
    of_ni = kept[kept["measure"] == NI]
    intervals = of_ni[of_ni["method"] == "delta"]
    by = {"r": "samples per cell", "k": "number of classes", "quality": "quality"}
    for column, label in by.items():
        for value, title in (("covered", "contain the true NI"), ("width", "width")):
            what = "Share of 95 % intervals that" if value == "covered" else "Mean"
            table = mean(intervals, "method", column, value)
            yield f"{what} {title}, by {label}", table
    yield "Root-mean-square error of NI, by samples per cell", root(of_ni, "r")
    yield "Root-mean-square error of NI, by number of classes", root(of_ni, "k")
    delta = kept[kept["method"] == "delta"].replace({"measure": NAMES})
    title = "Share of intervals by delta that contain the true value, by samples"
    yield f"{title} per cell", mean(delta, "measure", "r", "covered", NAMES.values())
    cells = delta.assign(covered=delta["covered"] >= 0.9)
    title = "Share of cells of the experiment where at least 90 % do"
    yield title, mean(cells, "measure", "r", "covered", NAMES.values())
    others = results[(results["group"] != "promised") & (results["method"] == "delta")]
    others = others[others["measure"] == NI]
    title = "Not promised: share of intervals by delta that contain the true NI"
    yield title, mean(others, "group", "r", "covered")


def mean(results, rows, columns, value, order=None) -> pd.DataFrame:
    table = results.pivot_table(value, rows, columns, sort=False)
    table = table.sort_index(axis=1) if columns in "kr" else table[list(QUALITIES)]
    return table if order is None else table.loc[list(order)]


def root(results, column) -> pd.DataFrame:
    chosen = results[results["method"].isin(ESTIMATES)]
    table = chosen.pivot_table("square", "method", column) ** 0.5
    return table.loc[list(ESTIMATES)]


def markdown(tables) -> str:
    """The tables as a part of a page."""
    parts = []
    for title, table in tables:
        columns = [f"{c:g}" if isinstance(c, float | int) else c for c in table.columns]
        lines = [["", *columns], ["---"] * (len(columns) + 1)]
        for name, row in table.iterrows():
            cells = ["–" if np.isnan(x) else f"{x:.3f}".lstrip("0") for x in row]
            lines.append([str(name), *(cell or "0" for cell in cells)])
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        parts.append(f"**{title}**\n\n{text}\n")
    return "\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate, print the tables and write them."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.coverage", description=__doc__.split("\n\n")[1]
    )
    parser.add_argument("--quick", action="store_true", help="see that everything runs")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument(
        "--output",
        metavar="FOLDER",
        type=Path,
        help="where coverage.md goes (default: docs; with --quick nowhere)",
    )
    options = parser.parse_args(arguments)
    effort = QUICK if options.quick else FULL
    found = list(tables_of(run(effort, options.jobs)))
    for title, table in found:
        print(f"\n{title}\n{table.to_string(float_format='{:.3f}'.format)}")
    folder = options.output or (None if options.quick else DOCS)
    if folder is not None:
        path = folder / "coverage.md"
        path.write_text(markdown(found), encoding="utf-8")
        print(f"\nTables: {path}")


if __name__ == "__main__":
    main()
