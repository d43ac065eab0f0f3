"""``python -m benchmarks.coverage``: how often intervals contain the true value.

Data sets are drawn from known joint distributions, and each gets intervals. A cell of
the experiment is one distribution at one number of samples; the tables show means over
cells, and the worst ones. They go to a file that the page on intervals includes.
"""

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.special import softmax
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks import real_tables
from sklearn_entropy_metrics import (
    EntropyBalance,
    ProbabilityBalance,
    compare_classifiers,
    confidence_interval,
    cross_val_tables,
)
from sklearn_entropy_metrics.balance.shrink import shrink_errors
from sklearn_entropy_metrics.compare._progress import telling
from sklearn_entropy_metrics.measure import MEASURES
from sklearn_entropy_metrics.measure.chosen import choose_metric
from sklearn_entropy_metrics.measure.delta import delta_intervals
from sklearn_entropy_metrics.table.given import read_table

DOCS = Path(__file__).parents[1] / "docs"
NI = "normalized_information"
MAIN = {
    NI: "NI",
    "entropy_modulated_accuracy": "EMA",
    "normalized_information_transfer": "NIT",
    "variation_of_information": "VI",
    "confusion_entropy": "CEN",
    "accuracy": "accuracy",
    "matthews_corrcoef": "MCC",
}
OF_TWO = {
    NI: "NI",
    "entropy_modulated_accuracy": "EMA",
    "matthews_corrcoef": "MCC",
    "cohen_kappa": "kappa",
    "balanced_accuracy": "balanced accuracy",
    "recall": "recall",
    "precision": "precision",
    "f1": "F1",
    "discriminant_capability": "δ",
    "characteristic_capability": "φ",
    "unbiased_f1": "unbiased F1",
    "unbiased_matthews_corrcoef": "unbiased MCC",
}
OF_SEVERAL = {
    "cohen_kappa": "kappa",
    "balanced_accuracy": "balanced accuracy",
    "precision_macro": "precision, macro",
    "f1_macro": "F1, macro",
    "f1_weighted": "F1, weighted",
    "discriminant_capability_macro": "δ, macro",
    "unbiased_f1_weighted": "unbiased F1, weighted",
    "unbiased_matthews_corrcoef_macro": "unbiased MCC, macro",
    "relative_confusion_entropy": "rCEN",
}
RATIOS = (0.5, 1, 2, 5, 10, 40)
QUALITIES = {
    "useless": 0.0,
    "weak": 0.3,
    "fair": 0.6,
    "good": 0.85,
    "nearly perfect": 0.97,
}
FEWEST = 8  # samples
# Prevalence, number of samples, sensitivity and specificity: 10 to 50 positives.
RARE = (
    (0.01, 1000, 0.9, 0.95),
    (0.02, 1000, 0.9, 0.95),
    (0.05, 200, 0.6, 0.95),
    (0.05, 200, 0.9, 0.9),
    (0.05, 400, 0.8, 0.98),
    (0.1, 100, 0.8, 0.98),
    (0.1, 200, 0.9, 0.9),
    (0.1, 300, 0.95, 0.99),
    (0.1, 500, 0.5, 0.9),
)
# What each interval of a data set says: whether it holds the truth, and its width.
Outcome = tuple[np.ndarray, np.ndarray]


class Cell(NamedTuple):
    """One truth at one number of samples."""

    group: str  # the part of the page
    column: Any  # in its tables
    run: Callable[[int, int], dict[str, Outcome]]  # of the data sets and the seed
    part: float = 1.0  # of the data sets, where one of them takes long


def promised(seed: int = 0) -> Iterator[np.ndarray]:
    """Classifiers with scattered or systematic errors, of balanced classes or not."""
    rng = np.random.default_rng(seed)
    for n_classes in (2, 3, 4, 5, 7, 10):
        for largest in (1, 9):  # times the smallest class
            prior = np.geomspace(largest, 1, n_classes)[:, None]
            for kept in QUALITIES.values():
                same = np.tile(rng.dirichlet([2.0] * n_classes), (n_classes, 1))
                scattered = np.full((n_classes, n_classes), 1 / n_classes)
                habits = rng.dirichlet([0.5] * n_classes, n_classes)
                for errors in (scattered, habits) if kept else (same,):
                    rows = kept * np.eye(n_classes) + (1 - kept) * errors
                    yield prior / prior.sum() * rows


def not_promised() -> Iterator[tuple[str, np.ndarray]]:
    """Cases for which the method is not made, or for which no method works."""
    for n_classes in (5, 10):
        hits, order = np.eye(n_classes), np.roll(np.arange(n_classes), 1)
        for kept in (0.6, 0.85, 0.97):
            table = (kept * hits + (1 - kept) / n_classes)[:, order] / n_classes
            yield "exchanged names", table
        for kept in (0.1, 0.3, 0.85):
            table = (kept * hits + (1 - kept) * hits[:, order]) / n_classes
            yield "one other class each", table
    prior = np.r_[0.9, np.full(29, 0.1 / 29)][:, None]
    for kept in (0.85, 0.97):
        table = prior * (kept * np.eye(30) + (1 - kept) / 30)
        yield "one class of 90 %, 29 others", table


def of_tables(
    truth: np.ndarray, n_samples: int, names: dict[str, str], data_sets: int, seed: int
) -> dict[str, Outcome]:
    """Intervals of measures for tables drawn from a joint distribution."""
    rng = np.random.default_rng([seed, n_samples])
    tables = rng.multinomial(n_samples, truth.ravel(), data_sets)
    tables = tables.reshape(-1, *truth.shape)
    # With one class only there is no information to be estimated.
    tables = tables[(tables.sum(axis=-1) > 0).sum(axis=-1) > 1]
    found, outcomes = shrink_errors(tables), {}
    for name, label in names.items():
        chosen = choose_metric(name, read_table(truth))
        true = float(chosen.function(truth[None])[0])
        intervals = delta_intervals(tables, found, chosen)
        defined = ~np.isnan(intervals.estimate)
        low, high = intervals.low[defined], intervals.high[defined]
        outcomes[label] = judge(true, low, high)
    if names is MAIN:
        true = MEASURES[NI](truth)
        for label, smoothing in (("observed", None), ("corrected", "empirical_bayes")):
            balance = EntropyBalance.from_confusion_matrix(tables, smoothing=smoothing)
            squares = (balance.normalized_information - true) ** 2
            outcomes[f"squared error, {label}"] = squares, squares
    return outcomes


def judge(true: float, low: Any, high: Any) -> Outcome:
    slack = 1e-9  # a value may be at the end of its range, and so is the interval
    low, high = np.asarray(low), np.asarray(high)
    return (low - slack <= true) & (true <= high + slack), high - low


def of_groups(icc: float, data_sets: int, seed: int) -> dict[str, Outcome]:
    """Forty patients of one class, whose ten samples are right or wrong together."""
    rng = np.random.default_rng([seed, 7])
    groups = np.repeat(np.arange(40), 10)
    strength, ends = 1 / icc - 1, {}
    for _ in range(data_sets):
        y_true = rng.integers(0, 2, 40)[groups]
        right = rng.beta(0.8 * strength, 0.2 * strength, 40)[groups]
        y_pred = np.where(rng.random(400) < right, y_true, 1 - y_true)
        for name in (NI, "accuracy"):
            for kind, given in (("as if independent", None), ("by groups", groups)):
                interval = confidence_interval(y_true, y_pred, name, groups=given)
                ends.setdefault((name, kind), []).append(interval[1:3])
    truth = np.array([[0.8, 0.2], [0.2, 0.8]]) / 2
    return {
        f"{MAIN[name]}, {kind}": judge(MEASURES[name](truth), *np.transpose(found))
        for (name, kind), found in ends.items()
    }


def of_folds(n_samples: int, data_sets: int, seed: int) -> dict[str, Outcome]:
    """The score of the model that is fitted to all samples, by folds."""
    rng = np.random.default_rng([seed, n_samples])
    centres = np.eye(3) * 1.6
    tree = DecisionTreeClassifier(random_state=0)
    repeated = RepeatedStratifiedKFold(n_splits=5, n_repeats=5, random_state=0)

    def draw(size):
        y = rng.integers(0, 3, size)
        return centres[y] + rng.normal(size=(size, 3)), y

    X_new, y_new = draw(20_000)
    covered: dict[str, list] = {}
    for _ in range(data_sets):
        X, y = draw(n_samples)
        folds = cross_val_tables(GaussianNB(), X, y, cv=10)
        again = cross_val_tables(GaussianNB(), X, y, cv=repeated)
        of_trees = cross_val_tables(tree, X, y, cv=10)
        for kind, table, model in (
            ("as n samples", folds.tables.sum(axis=0), GaussianNB()),
            ("as n / 1.45", folds, GaussianNB()),
            ("5 x 5 folds, as 5 n samples", again.tables.sum(axis=0), GaussianNB()),
            ("5 x 5 folds, as n / 1.45", again, GaussianNB()),
            ("deep trees, as n / 1.45", of_trees, tree),
        ):
            predicted = model.fit(X, y).predict(X_new)
            truth = np.bincount(3 * y_new + predicted, minlength=9).reshape(3, 3)
            for name in (NI, "accuracy"):
                interval = confidence_interval(table=table, metric=name)
                outcome = judge(MEASURES[name](truth), interval.low, interval.high)
                covered.setdefault(f"{MAIN[name]}, {kind}", []).append(outcome)
    return {name: tuple(np.transpose(found)) for name, found in covered.items()}


def of_probabilities(n_samples: int, data_sets: int, seed: int) -> dict[str, Outcome]:
    """Overconfident probabilities of three Gaussian classes."""
    rng = np.random.default_rng([seed, n_samples])

    def draw(size):
        y = rng.integers(0, 3, size)
        logits = 1.3 * np.eye(3)[y] + rng.normal(size=(size, 3))
        right = softmax(1.3 * logits, axis=1)  # what the features say
        return y, right, softmax(2 * np.log(right), axis=1)

    y, right, stated = draw(200_000)
    losses = [-np.log2(p[np.arange(len(y)), y]).mean() for p in (right, stated)]
    truths = {
        "information": np.log2(3) - losses[0],
        "miscalibration": losses[1] - losses[0],
        "log_loss": losses[1],
    }
    ends: dict[str, list] = {name: [] for name in truths}
    for _ in range(data_sets):
        y, _, stated = draw(n_samples)
        balance = ProbabilityBalance.from_probabilities(y, stated)
        for name, found in ends.items():
            found.append(balance.interval(name)[1:3])
    return {
        name.replace("_", " "): judge(truth, *np.transpose(ends[name]))
        for name, truth in truths.items()
    }


def of_pairs(kind: str, ratio: float, data_sets: int, seed: int) -> dict[str, Outcome]:
    """Differences of two classifiers of ten classes with known truths."""
    k, n_samples = 10, round(100 * ratio)
    eye, order = np.eye(k), np.roll(np.arange(k), 1)
    first = second = 0.9 * eye + 0.1 / k  # scatters its errors
    if kind == "scattered and concentrated":
        second = _concentrated(MEASURES[NI](first / k), eye, order)
    rng = np.random.default_rng([seed, n_samples])
    truth = MEASURES[NI](first / k) - MEASURES[NI](second / k)
    ends, rejected = [], []
    for i in range(data_sets):
        y = rng.integers(0, k, n_samples)
        a, b = (_predict(rows, y, rng) for rows in (first, second))
        if kind == "nearly agreeing":
            b = np.where(rng.random(n_samples) < 0.9, a, b)
        found = compare_classifiers(y, a, b, NI, n_resamples=299, random_state=i)
        ends.append(found[1:3])
        rejected.append(found.p_value <= 0.05)
    share = np.array(rejected, dtype=float)
    covered = judge(truth, *np.transpose(ends))
    return {f"{kind}: covered": covered, f"{kind}: p ≤ .05": (share, share)}


def _concentrated(information, eye, order):
    """A classifier of this information that mistakes each class for one other."""
    kept = np.linspace(0.5, 1, 2001)[:, None, None]
    rows = kept * eye + (1 - kept) * eye[:, order]
    off = np.abs(MEASURES[NI](rows / len(eye)) - information)
    return rows[off.argmin()]


def _predict(rows, y, rng):
    return (rng.random(len(y))[:, None] > np.cumsum(rows[y], axis=1)).sum(axis=1)


def cells() -> Iterator[Cell]:
    """All cells of the experiment. A new part of the page is a few more of them."""
    for group, truths in (("known", promised()), ("real", real_tables.read())):
        for truth in truths:
            for ratio in RATIOS:
                n_samples = round(ratio * truth.size)
                if n_samples >= FEWEST:
                    yield Cell(group, ratio, partial(of_tables, truth, n_samples, MAIN))
                if group == "known" and len(truth) > 2 and ratio >= 2:
                    run = partial(of_tables, truth, n_samples, OF_SEVERAL)
                    yield Cell("averages", ratio, run)
    for prevalence, n_samples, sensitivity, specificity in RARE:
        rows = [[specificity, 1 - specificity], [1 - sensitivity, sensitivity]]
        truth = np.array([[1 - prevalence], [prevalence]]) * rows
        column = f"{prevalence * n_samples:.0f} of {n_samples:,}"
        run = partial(of_tables, truth, n_samples, OF_TWO)
        yield Cell("rare", f"{column}, {sensitivity:g}/{specificity:g}", run)
    for icc in (0.1, 0.3):
        yield Cell("groups", f"ICC {icc:g}", partial(of_groups, icc), 0.5)
    for n_samples in (100, 300):
        yield Cell("folds", f"n = {n_samples}", partial(of_folds, n_samples), 0.5)
    for n_samples in (100, 400):
        run = partial(of_probabilities, n_samples)
        yield Cell("probabilities", f"n = {n_samples}", run, 0.5)
    for kind in ("same channel", "scattered and concentrated", "nearly agreeing"):
        for ratio in (1, 4, 10):
            yield Cell("pairs", ratio, partial(of_pairs, kind, ratio), 0.25)
    for name, truth in not_promised():
        for ratio in RATIOS[: 6 if len(truth) <= 10 else 5]:
            run = partial(of_tables, truth, round(ratio * truth.size), {NI: name})
            yield Cell("not promised", ratio, run)


def simulate(cell: Cell, data_sets: int, seed: int) -> list[dict[str, Any]]:
    """Records of one cell: coverage and median width of each row."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes = cell.run(max(2, round(cell.part * data_sets)), seed)
    return [
        {
            "group": cell.group,
            "column": cell.column,
            "row": row,
            "covered": np.mean(covered),
            "width": np.median(width),
        }
        for row, (covered, width) in outcomes.items()
        if len(covered)
    ]


def run(data_sets: int, n_jobs: int) -> pd.DataFrame:
    """All cells."""
    every = list(cells())
    tasks = (
        delayed(simulate)(cell, data_sets, seed) for seed, cell in enumerate(every)
    )
    done = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    shown = telling(done, len(every), "coverage", "cells")
    return pd.DataFrame([record for records in shown for record in records])


def tables_of(results: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Titles and tables of what was found."""
    is_error = results["row"].str.startswith("squared error")
    errors = results[is_error & (results["group"] == "known")]
    parts = dict(list(results[~is_error].groupby("group", sort=False)))
    covered = "share of 95 % intervals that contain the true value"
    by_ratio = "by samples per cell"
    for group, what in (
        ("known", "108 distributions"),
        ("real", "30 real classifiers"),
    ):
        part = parts[group]
        yield f"{what}: {covered}, {by_ratio}", pivot(part, "covered")
        enough = part.assign(covered=part["covered"] >= 0.9)
        yield f"{what}: share of cells where at least 90 % do", pivot(enough, "covered")
        yield f"{what}: worst cell", pivot(part, "covered", "min")
        yield f"{what}: mean width of the intervals", pivot(part, "width")
    error = pivot(errors, "covered") ** 0.5
    error.index = error.index.str.removeprefix("squared error, ")
    yield f"108 distributions: root-mean-square error of NI, {by_ratio}", error
    rare = pivot(parts["rare"], "covered")
    yield (
        f"Rare class of two (positives, sensitivity and specificity): {covered}",
        rare.assign(mean=rare.mean(axis=1)),
    )
    averages = parts["averages"]
    yield f"More measures of 3 to 10 classes: {covered}", pivot(averages, "covered")
    yield "More measures: worst cell", pivot(averages, "covered", "min")
    yield f"Forty groups of ten samples: {covered}", pivot(parts["groups"], "covered")
    yield (
        f"Folds, pooled (ten, naive Bayes, unless named): {covered}",
        pivot(parts["folds"], "covered"),
    )
    yield f"Probabilities: {covered}", pivot(parts["probabilities"], "covered")
    yield (
        "Two classifiers of ten classes: shares of intervals that contain the true "
        f"difference of NI and of small p-values, {by_ratio}",
        pivot(parts["pairs"], "covered"),
    )
    yield f"Not promised: NI, {covered}", pivot(parts["not promised"], "covered")


def pivot(results, value, how="mean") -> pd.DataFrame:
    table = results.pivot_table(value, "row", "column", aggfunc=how, sort=False)
    is_number = all(isinstance(column, int | float) for column in table.columns)
    return table.sort_index(axis=1) if is_number else table


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
    parser.add_argument(
        "--data-sets", type=int, default=400, help="in each cell (default: 400)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument(
        "--output",
        metavar="FOLDER",
        type=Path,
        help="where coverage.md goes (default: docs; with --quick nowhere)",
    )
    options = parser.parse_args(arguments)
    found = list(
        tables_of(run(4 if options.quick else options.data_sets, options.jobs))
    )
    for title, table in found:
        print(f"\n{title}\n{table.to_string(float_format='{:.3f}'.format)}")
    folder = options.output or (None if options.quick else DOCS)
    if folder is not None:
        path = folder / "coverage.md"
        path.write_text(markdown(found), encoding="utf-8")
        print(f"\nTables: {path}")


if __name__ == "__main__":
    main()
