"""``python -m benchmarks.win_loss``: which measure picks the better classifier.

The experiment of Section 5 of X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang
(2013). "Probabilistic confusion entropy for evaluating classifiers". Entropy 15(11),
4969-4992, repeated with `win_loss_equal` and compared with the conclusions of the
paper. The data are sets from scikit-learn, and CSV files in a folder: the last column
is the class, ``?`` is a missing value, a column that holds anything but numbers is
categorical. Rows without a class are left out. Of files with more than 15,000 rows,
6,000 rows are drawn at random.

The classifiers stand in for J48, unpruned, with Laplace smoothing: trees that split by
information gain until a leaf would have less than two samples, whose leaves give
(count + 1) / (n_samples + n_classes). Unlike J48 they split in two, by gain and not by
gain ratio: a categorical column becomes one column per category. A missing number goes
to the side where it gains most, a missing category to no category.

The measures are those of the paper; AU1P is that of Ferri, not the weighted one-vs-one
area of scikit-learn. The areas are computed here from ranks, much faster.
"""

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import make_scorer
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import win_loss_equal

BUNDLED = ["iris", "wine", "breast_cancer", "digits"]
MANY, FEW = 15_000, 6_000
CONFUSION = ["rpCEN", "pCEN"]
AREAS = ["AUNU", "AUNP", "AU1U", "AU1P"]
ERRORS = ["MAE", "MSE"]

# Table 9 of the paper: samples, attributes and classes of its sets.
TABLE_9 = {
    "agaricus": (8123, 23, 7),
    "allbp": (2800, 29, 3),
    "allhypo": (2800, 29, 5),
    "allrep": (2800, 29, 4),
    "ann": (3772, 21, 3),
    "anneal": (798, 38, 6),
    "audiology": (199, 71, 24),
    "calendarDOW": (200, 32, 6),
    "car": (1717, 7, 4),
    "connect4": (5960, 42, 3),
    "dna_nominal": (2000, 60, 3),
    "flag": (194, 30, 8),
    "horse": (299, 21, 3),
    "landsat": (4435, 36, 6),
    "nursery": (11947, 8, 5),
    "pendigits": (7494, 16, 10),
    "segment": (1500, 20, 7),
    "soybean": (307, 35, 19),
    "vehicle": (564, 18, 4),
}


class LaplaceTree(ClassifierMixin, BaseEstimator):
    """Unpruned tree with smoothed leaves, for classes 0 to n_classes - 1."""

    def __init__(self, n_classes=2, random_state=None):
        self.n_classes = n_classes
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.arange(self.n_classes)
        self.tree_ = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=2, random_state=self.random_state
        ).fit(encode(X), y)
        nodes = self.tree_.tree_
        n_samples = nodes.n_node_samples[:, None]
        self.leaves_ = np.full((nodes.node_count, self.n_classes), 1.0)
        self.leaves_[:, self.tree_.classes_] += n_samples * nodes.value[:, 0]
        self.leaves_ /= n_samples + self.n_classes
        return self

    def predict_proba(self, X):
        return self.leaves_[self.tree_.apply(encode(X))]

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)


def encode(X: pd.DataFrame) -> np.ndarray:
    """Numbers as they are, and a column of 0 and 1 for each category."""
    numbers = X.select_dtypes("number")
    words = (column.cat for _, column in X.select_dtypes("category").items())
    ones = [c.codes.to_numpy()[:, None] == np.arange(len(c.categories)) for c in words]
    return np.hstack([numbers.to_numpy(np.float32), *ones], dtype=np.float32)


def areas(y_true, y_proba):
    """AUC(j|k) in row j and column k, and the number of samples of each class."""
    y_proba = np.atleast_2d(y_proba.T).T
    if y_proba.shape[1] == 1:  # the second one of two classes
        y_proba = np.hstack([1 - y_proba, y_proba])
    n_classes = y_proba.shape[1]
    counts = np.bincount(y_true, minlength=n_classes)
    result = np.empty((n_classes, n_classes))
    for j, column in enumerate(y_proba.T):
        values, place = np.unique(column, return_inverse=True)
        codes = place * n_classes + y_true
        size = len(values) * n_classes
        at = np.bincount(codes, minlength=size).reshape(-1, n_classes)
        below = at.cumsum(axis=0) - at
        result[j] = at[:, j] @ (below + at / 2)
    with np.errstate(invalid="ignore"):  # NaN: a class is missing
        return result / np.outer(counts, counts), counts


def mean_area(y_true, y_proba, one_vs_one, weighted):
    area, counts = areas(y_true, y_proba)
    others = (1 if one_vs_one else counts) * (1 - np.eye(len(counts)))
    area = (area * others).sum(axis=1) / others.sum(axis=1)
    return np.average(area, weights=counts if weighted else None)


def mean_squared_error(y_true, y_proba):
    """Of the probabilities of all classes."""
    if y_proba.ndim == 1:  # both of two classes have the same error
        return np.mean((y_true - y_proba) ** 2)
    return np.mean((np.eye(y_proba.shape[1])[y_true] - y_proba) ** 2)


def proba_scorer(metric, **options):
    return make_scorer(metric, response_method="predict_proba", **options)


METRICS = {
    "rpCEN": "neg_relative_probabilistic_confusion_entropy",
    "pCEN": "neg_probabilistic_confusion_entropy",
    "CEN": "neg_confusion_entropy",
    "ACC": "accuracy",
    "AUNU": proba_scorer(mean_area, one_vs_one=False, weighted=False),
    "AUNP": proba_scorer(mean_area, one_vs_one=False, weighted=True),
    "AU1U": proba_scorer(mean_area, one_vs_one=True, weighted=False),
    "AU1P": proba_scorer(mean_area, one_vs_one=True, weighted=True),
    "MAE": "neg_mean_absolute_probability_error",
    "MSE": proba_scorer(mean_squared_error, greater_is_better=False),
}


def bundled_sets() -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    for name in BUNDLED:
        yield name, *getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=True)


def folder_sets(folder: Path) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Sets of a folder: the CSV files, zipped or not, that end in a column "class"."""
    for path in sorted([*folder.glob("*.csv"), *folder.glob("*.csv.gz")]):
        data = pd.read_csv(path, na_values="?", low_memory=False)
        if data.columns[-1] != "class":
            continue
        data = data.dropna(subset="class")
        if len(data) > MANY:
            data = data.sample(FEW, random_state=0)
        X = data.iloc[:, :-1]
        words = X.select_dtypes(exclude="number").columns
        X = X.astype(dict.fromkeys(words, "category"))
        yield path.name.split(".")[0], X, data["class"]


def describe(sets) -> pd.DataFrame:
    """Sizes of the sets of the paper, as played and as printed."""
    columns = ["samples", "attributes", "classes"]
    return pd.DataFrame(
        {
            "data": name,
            **dict(zip(columns, (*X.shape, y.nunique()), strict=True)),
            **{f"printed_{c}": n for c, n in zip(columns, TABLE_9[name], strict=True)},
        }
        for name, X, y in sets
        if name in TABLE_9
    )


def play(name, X, y, n_rounds: int, n_jobs: int) -> pd.DataFrame:
    """A row for each arbiter and measure, with the record of rpCEN and pCEN."""
    classes, y = np.unique(y, return_inverse=True)
    with warnings.catch_warnings():
        # Small parts of sets with many classes look like a regression.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        result = win_loss_equal(
            LaplaceTree(len(classes)),
            X,
            y,
            METRICS,
            arbiter=list(METRICS),
            n_rounds=n_rounds,
            n_jobs=n_jobs,
            random_state=0,
            verbose=1,
        )
    frame = result.to_frame()
    rows = frame[frame["metric"] == frame["opponent"]]
    rows = rows[["arbiter", "metric", "regret", "n_undefined"]]
    for measure in CONFUSION:
        record = frame[frame["metric"] == measure]
        record = record[["arbiter", "opponent", "wins", "losses"]].rename(
            columns={
                "opponent": "metric",
                "wins": f"{measure}_wins",
                "losses": f"{measure}_losses",
            }
        )
        rows = rows.merge(record, on=["arbiter", "metric"])
    rows.insert(0, "data", name)
    rows.insert(1, "n_rounds", n_rounds)
    return rows


def count_ahead(table, measures, opponents, arbiters) -> tuple[int, int]:
    """On how many sets a measure wins more rounds than it loses, and how many count.

    Sets without a decided round do not count.
    """
    rows = table[table["arbiter"].isin(arbiters) & table["metric"].isin(opponents)]
    lead = np.concatenate([rows[f"{m}_wins"] - rows[f"{m}_losses"] for m in measures])
    return int((lead > 0).sum()), int((np.abs(lead) > 0).sum())


def find_ranks(table, arbiter, metrics) -> pd.DataFrame:
    """Ranks of the regrets, by set; without those where some measure has none."""
    rows = table[(table["arbiter"] == arbiter) & table["metric"].isin(metrics)]
    regrets = rows.pivot(index="data", columns="metric", values="regret")[metrics]
    return regrets.dropna().rank(axis=1, method="min")


def show_pairs(table, figure, measures, opponents, arbiters) -> None:
    print(f"\n{figure}: sets on which a measure wins more rounds than it loses")
    for arbiter in arbiters:
        for measure in measures:
            records = [
                "{} {}/{}".format(o, *count_ahead(table, [measure], [o], [arbiter]))
                for o in opponents
            ]
            line = f"  arbiter {arbiter:<6} {measure:>5} against  "
            print(line + "   ".join(f"{record:<11}" for record in records))


def show_ranks(table, figure, metrics, arbiters) -> None:
    print(f"\n{figure}: ranks of the mean regret, mean over the sets")
    for arbiter in arbiters:
        ranks = find_ranks(table, arbiter, metrics)
        print(f"  arbiter {arbiter:<7}{tell(ranks.mean())}  ({len(ranks)} sets)")


class Claim(NamedTuple):
    """What the paper concludes from a figure, whether it holds here, and why."""

    text: str
    holds: bool
    found: str


# What "almost all" and "most" are taken to mean. "Similar": almost all on no side.
ALMOST_ALL, MOST = 0.8, 0.5


def claims_of_pairs(table) -> Iterator[Claim]:
    """Each with one arbiter: to pool them would hide whom the arbiter favours."""

    def share(measures, opponents, arbiter):
        won, n = count_ahead(table, measures, opponents, [arbiter])
        return won / n if n else np.nan, f"ahead in {won} of {n} comparisons"

    for opponent in ("ACC", "CEN"):
        for arbiter in ("pCEN", opponent):
            ahead, found = share(["pCEN"], [opponent], arbiter)
            text = f"1, {arbiter}: pCEN beats {opponent} on almost all sets"
            yield Claim(text, ahead > ALMOST_ALL, found)
    for arbiter in CONFUSION:
        ahead, found = share(CONFUSION, AREAS, arbiter)
        text = f"2, {arbiter}: rpCEN and pCEN beat the areas on almost all sets"
        yield Claim(text, ahead > ALMOST_ALL, found)
    for arbiter in AREAS:
        ahead, found = share(CONFUSION, AREAS, arbiter)
        text = f"3, 4, {arbiter}: the areas beat rpCEN and pCEN on most sets"
        yield Claim(text, 1 - ahead > MOST, found)
    for arbiter in [*CONFUSION, "MAE"]:
        ahead, found = share(CONFUSION, ["MSE"], arbiter)
        text = f"7, {arbiter}: rpCEN and pCEN beat MSE on most sets"
        yield Claim(text, ahead > MOST, found)
    ahead, found = share(CONFUSION, ["MSE"], "MSE")
    yield Claim(
        "7, MSE: MSE beats rpCEN and pCEN on most sets", 1 - ahead > MOST, found
    )
    for arbiter in CONFUSION + ERRORS:
        ahead, found = share(CONFUSION, ["MAE"], arbiter)
        text = f"7, {arbiter}: rpCEN and pCEN are similar to MAE"
        yield Claim(text, 1 - ALMOST_ALL <= ahead <= ALMOST_ALL, found)


def claims_of_ranks(table) -> Iterator[Claim]:
    ranks = find_ranks(table, "rpCEN", CONFUSION + AREAS)
    n_ahead = (ranks[AREAS].min(axis=1) < ranks[CONFUSION].max(axis=1)).sum()
    text = "5, rpCEN: no area is ahead of rpCEN or pCEN on any set"
    yield Claim(text, n_ahead == 0, f"some is on {n_ahead} of {len(ranks)} sets")
    means = ranks.mean()
    text = "5, rpCEN: the mean ranks of rpCEN and pCEN are below 2"
    yield Claim(text, means[CONFUSION].max() < 2, tell(means[CONFUSION]))
    for arbiter in AREAS:
        means = find_ranks(table, arbiter, CONFUSION + AREAS).mean()
        text = f"6, {arbiter}: {arbiter} has the best mean rank, but above 2"
        yield Claim(text, means.idxmin() == arbiter and means.min() > 2, tell(means))
    means = {
        arbiter: find_ranks(table, arbiter, CONFUSION + ERRORS).mean()
        for arbiter in CONFUSION + ERRORS
    }
    for arbiter in [*CONFUSION, "MSE"]:
        text = f"8, {arbiter}: {arbiter} has the best mean rank"
        best = means[arbiter].idxmin()
        yield Claim(text, best == arbiter, tell(means[arbiter]))
    for arbiter in ERRORS:
        worst = means[arbiter][CONFUSION].max()
        text = f"8, {arbiter}: the mean ranks of rpCEN and pCEN are at most 3"
        yield Claim(text, worst <= 3, tell(means[arbiter][CONFUSION]))
    for other in ERRORS:
        worst = means["MAE"][CONFUSION].max()
        text = f"8, MAE: rpCEN and pCEN are ranked before {other}"
        yield Claim(text, worst < means["MAE"][other], tell(means["MAE"]))


def tell(means) -> str:
    return ", ".join(f"{name} {mean:.2f}" for name, mean in means.items())


def report(table, which) -> None:
    print(f"\n== {which}: {table['data'].nunique()} sets ==")
    show_pairs(table, "Figure 1", ["pCEN"], ["ACC", "CEN"], ["pCEN", "ACC", "CEN"])
    show_pairs(table, "Figures 2 to 4", CONFUSION, AREAS, CONFUSION + AREAS)
    show_ranks(table, "Figures 5 and 6", CONFUSION + AREAS, CONFUSION + AREAS)
    show_pairs(table, "Figure 7", CONFUSION, ERRORS, CONFUSION + ERRORS)
    show_ranks(table, "Figure 8", CONFUSION + ERRORS, CONFUSION + ERRORS)
    print(
        "\nWhat the paper concludes from figures and arbiters, and what is found here:"
    )
    for text, holds, found in (*claims_of_pairs(table), *claims_of_ranks(table)):
        print(f"  {'holds  ' if holds else 'DIFFERS'} {text} ({found})")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.win_loss", description=__doc__.split("\n\n")[1]
    )
    parser.add_argument("--data", type=Path, help="folder with CSV files")
    parser.add_argument(
        "--rounds", type=int, default=100, help="rounds per set (default: 100)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        help="folder to write win_loss_results.csv and win_loss_sets.csv to",
    )
    arguments = parser.parse_args()
    sets = list(bundled_sets())
    if arguments.data is not None:
        sets += folder_sets(arguments.data)
    if arguments.output is not None:
        describe(sets).to_csv(arguments.output / "win_loss_sets.csv", index=False)
    tables = []
    for name, X, y in sets:
        print(f"{name}: {len(X)} samples, {X.shape[1]} features, {y.nunique()} classes")
        tables.append(play(name, X, y, arguments.rounds, arguments.jobs))
        table = pd.concat(tables)
        if arguments.output is not None:
            table.to_csv(
                arguments.output / "win_loss_results.csv",
                index=False,
                float_format="%.4g",
            )
    if arguments.data is not None:
        report(table[~table["data"].isin(BUNDLED)], "Sets of the folder")
    report(table, "All sets")


if __name__ == "__main__":
    main()
