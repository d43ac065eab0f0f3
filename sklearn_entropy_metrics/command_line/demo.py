"""The command `demo`: a comparison of classifiers on an imbalanced problem."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics.command_line.write import aligned, write_text
from sklearn_entropy_metrics.display import (
    EntropyTriangleDisplay,
    InformationDiagramDisplay,
    PhiDeltaDisplay,
)
from sklearn_entropy_metrics.measure import MEASURES
from sklearn_entropy_metrics.report.page import html_page
from sklearn_entropy_metrics.report.report import information_report
from sklearn_entropy_metrics.table.tabulate import contingency_table

_MAJORITY = "majority class"


def run_demo(folder: Path) -> None:
    """Compare classifiers, report on the most informative one, and draw them."""
    X, digit = load_digits(return_X_y=True)
    y = np.where(digit == 8, "eight", np.where(digit == 9, "nine", "other"))
    print(f"Is it an eight, a nine or another digit? {len(y)} images, 5-fold")
    print("cross-validation; sorted by entropy-modulated accuracy.\n")
    predictions = {
        name: cross_val_predict(classifier, X, y)
        for name, classifier in _classifiers().items()
    }
    tables = {name: contingency_table(y, p) for name, p in predictions.items()}
    rows = {name: _numbers(table) for name, table in tables.items()}
    ranking = sorted(rows, key=lambda name: -rows[name]["EMA"])
    cells = {name: [f"{x:.3f}" for x in rows[name].values()] for name in ranking}
    print(aligned(list(rows[_MAJORITY]), cells))
    print(_lesson(rows) + f"\n\nThe best of them, {ranking[0]}:\n")
    report: Any = information_report(y, {ranking[0]: predictions[ranking[0]]})
    print(report)
    folder.mkdir(parents=True, exist_ok=True)
    _draw(folder, tables, ranking[0])
    write_text(html_page(report.reports), folder / "report.html")
    print(f"The report as a page: {folder / 'report.html'}")


def _numbers(table):
    """The accuracy and the measures of information transfer, by their symbols."""
    measures = [one for one in MEASURES.values() if one.section == "transfer"]
    numbers = {"accuracy": MEASURES["accuracy"](table)}
    return numbers | {one.symbol: one(table) for one in measures}


def _draw(folder, tables, best):
    """Write the pictures of all classifiers and of the best one."""
    triangle = {"c": "accuracy", "bound": True}
    diamond = {"labels": ["eight", "nine", "other"], "isometrics": ("accuracy",)}
    several, one = f"{len(tables)} classifiers: what they transfer", tables[best]
    treats, goes = (
        f"{best}: how it treats each class",
        f"{best}: where the entropy goes",
    )
    pictures: dict[str, tuple[Any, ...]] = {
        "entropy_triangle": (several, EntropyTriangleDisplay, tables, triangle),
        "phi_delta": (treats, PhiDeltaDisplay, one, diamond),
        "information_diagram": (goes, InformationDiagramDisplay, one, {}),
    }
    for name, (title, display, table, options) in pictures.items():
        figure = Figure(figsize=(7, 5.5), layout="constrained")
        drawn = display.from_confusion_matrix(table, ax=figure.subplots(), **options)
        drawn.ax_.set_title(title)
        figure.savefig(folder / f"{name}.png", dpi=150)
        print(f"Picture: {folder / f'{name}.png'}")


def _classifiers():
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    linear = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    return {
        _MAJORITY: DummyClassifier(),
        "naive Bayes": GaussianNB(),
        "tree": tree,
        "tree, balanced classes": clone(tree).set_params(class_weight="balanced"),
        "logistic regression": linear,
        "nearest neighbours": KNeighborsClassifier(),
    }


def _lesson(rows):
    """One sentence on what the numbers say."""
    majority = rows[_MAJORITY]
    outdone = [
        name
        for name, row in rows.items()
        if row["accuracy"] < majority["accuracy"] and row["NI"] > majority["NI"]
    ]
    return (
        f"Always saying 'other' is right {majority['accuracy']:.0%} of the time and "
        f"transfers nothing\n(NI {majority['NI']:.3f}): by accuracy it beats "
        f"{' and '.join(outdone)},\nwhich do separate the classes."
    )
