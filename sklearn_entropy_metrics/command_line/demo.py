"""The command `demo`: a comparison of classifiers on an imbalanced problem."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import display
from sklearn_entropy_metrics.command_line.write import table_rows
from sklearn_entropy_metrics.measure import normalized_information
from sklearn_entropy_metrics.report.report import information_report
from sklearn_entropy_metrics.table.given import given_table

_CLASSIFIERS = {
    "majority class": DummyClassifier(),
    "naive Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "tree, balanced classes": DecisionTreeClassifier(
        max_depth=3, class_weight="balanced", random_state=0
    ),
    "nearest neighbours": KNeighborsClassifier(),
}


def run_demo(folder: Path) -> None:
    """Compare classifiers, report on the most informative one, and draw them."""
    X, digit = load_digits(return_X_y=True)
    y = np.where(digit == 8, "eight", np.where(digit == 9, "nine", "other"))
    X, X_test, y, y_test = train_test_split(
        X, y, test_size=0.5, stratify=y, random_state=0
    )
    print(f"Is it an eight, a nine or another digit? {len(y_test)} images that no")
    print("classifier has seen. Who always says 'other' is often right (accuracy) and")
    print("knows nothing (NI 0).\n")
    named = _CLASSIFIERS.items()
    predictions = {name: one.fit(X, y).predict(X_test) for name, one in named}
    tables = {name: given_table(y_test, one, None) for name, one in predictions.items()}
    best = max(tables, key=lambda name: normalized_information(tables[name].table))
    report: Any = information_report(y_test, {best: predictions[best]})
    print(f"{table_rows(tables)}\nThe most informative of them, {best}:\n\n{report}")
    folder.mkdir(parents=True, exist_ok=True)
    _draw({name: one.table for name, one in tables.items()}, best, folder)
    report.to_html(folder / "report.html")
    print(f"The report as a page: {folder / 'report.html'}")


def _draw(tables, best, folder):
    """Write the pictures of all classifiers and of the best one."""
    labels = ["eight", "nine", "other"]
    one = {best: tables[best]}
    pictures: dict[str, tuple[Any, ...]] = {
        "entropy_triangle": (display.EntropyTriangleDisplay, tables, {"c": "accuracy"}),
        "phi_delta": (display.PhiDeltaDisplay, one, {"labels": labels}),
        "information_diagram": (display.InformationDiagramDisplay, one, {}),
    }
    for name, (kind, some, options) in pictures.items():
        path = folder / f"{name}.png"
        figure = Figure(figsize=(7, 5.5), layout="constrained")
        kind.from_confusion_matrix(some, ax=figure.subplots(), **options)
        figure.suptitle(best if some is one else f"{len(some)} classifiers")
        figure.savefig(path, dpi=150)
        print(f"Picture: {path}")
