"""The command `demo`: a comparison of classifiers on an imbalanced problem."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics.command_line.write import write_text
from sklearn_entropy_metrics.display import (
    EntropyTriangleDisplay,
    InformationDiagramDisplay,
    PhiDeltaDisplay,
)
from sklearn_entropy_metrics.measure import MEASURES, evaluate
from sklearn_entropy_metrics.score.report import html_page, information_report
from sklearn_entropy_metrics.table.tabulate import contingency_table

_COLUMNS = {m.symbol: m.name for m in MEASURES.values() if m.is_main and m.section}


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
    values = {name: evaluate(t, _COLUMNS.values()) for name, t in tables.items()}
    ranking = sorted(values, key=lambda name: -values[name][_COLUMNS["EMA"]])
    print(" " * 36 + "".join(f"{column:>10}" for column in _COLUMNS))
    for name in ranking:
        row = (values[name][measure] for measure in _COLUMNS.values())
        print(f"{name:<36}" + "".join(f"{value:10.3f}" for value in row))
    print("\n" + _lesson(values) + "\n")
    print(f"The best of them, {ranking[0]}:\n")
    report = information_report(y, predictions[ranking[0]])
    print(report)
    folder.mkdir(parents=True, exist_ok=True)
    for path in _draw(folder, tables, y, predictions[ranking[0]], ranking[0]):
        print(f"Picture: {path}")
    page = folder / "report.html"
    write_text(html_page({ranking[0]: report.content}), page)
    print(f"The report as a page: {page}")


def _draw(folder, tables, y, y_pred, best):
    """Write the plots of all classifiers and of the best one; yield their paths."""
    pictures = {
        "entropy_triangle": lambda ax: EntropyTriangleDisplay.from_confusion_matrix(
            tables, c="accuracy", annotate=True, bound=True, ax=ax
        ),
        "phi_delta": lambda ax: PhiDeltaDisplay.from_predictions(
            y, y_pred, isometrics=("accuracy",), ax=ax
        ),
        "information_diagram": lambda ax: InformationDiagramDisplay.from_predictions(
            y, y_pred, name=best, ax=ax
        ),
    }
    titles = {
        "entropy_triangle": f"{len(tables)} classifiers: what they transfer",
        "phi_delta": f"{best}: how it treats each class",
        "information_diagram": f"{best}: where the entropy goes",
    }
    for name, draw in pictures.items():
        figure = Figure(figsize=(7, 5.5), layout="constrained")
        ax = figure.subplots()
        draw(ax)
        ax.set_title(titles[name])
        path = folder / f"{name}.png"
        figure.savefig(path, dpi=150)
        yield path


def _classifiers():
    return {
        "majority class": DummyClassifier(),
        "naive Bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
        "tree, balanced classes": DecisionTreeClassifier(
            max_depth=3, class_weight="balanced", random_state=0
        ),
        "logistic regression": make_pipeline(
            StandardScaler(), LogisticRegression(max_iter=500)
        ),
        "logistic regression, balanced": make_pipeline(
            StandardScaler(), LogisticRegression(max_iter=500, class_weight="balanced")
        ),
        "nearest neighbours": KNeighborsClassifier(),
    }


def _lesson(values):
    """One sentence on what the numbers say."""
    majority = values["majority class"]
    outdone = [
        name
        for name, value in values.items()
        if value["accuracy"] < majority["accuracy"]
        and value["normalized_information"] > majority["normalized_information"]
    ]
    return (
        f"Always saying 'other' is right {majority['accuracy']:.0%} of the time and "
        f"transfers nothing\n(NI {majority['normalized_information']:.3f}): by "
        f"accuracy it beats {' and '.join(outdone)},\nwhich do separate the classes."
    )
