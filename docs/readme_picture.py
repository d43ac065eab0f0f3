"""``python docs/readme_picture.py``: draw the picture of the README anew."""

from pathlib import Path

from matplotlib.figure import Figure
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from sklearn_entropy_metrics import EntropyTriangleDisplay, contingency_table, measure

MODELS = {
    "always the majority": DummyClassifier(),
    "nearest centroid": NearestCentroid(),
    "nearest neighbours": KNeighborsClassifier(),
}


def draw() -> Figure:
    """Three classifiers of imbalanced classes, where accuracy prefers the useless."""
    X, y = make_classification(
        2000,
        n_classes=3,
        weights=[0.8, 0.1],
        n_informative=4,
        class_sep=1.5,
        random_state=3,
    )
    tables = {
        name: contingency_table(y, cross_val_predict(model, X, y))
        for name, model in MODELS.items()
    }
    figure = Figure(figsize=(8.6, 3.6), dpi=100, layout="constrained")
    bars, triangle = figure.subplots(1, 2, width_ratios=[1, 1.2])
    shares = {"right": measure.accuracy, "tells": measure.normalized_information}
    for number, table in enumerate(tables.values()):
        for offset, (what, share) in zip((-0.2, 0.2), shares.items(), strict=True):
            alpha = 0.35 if what == "right" else 1
            bar = bars.barh(
                number + offset, share(table), 0.38, color=f"C{number}", alpha=alpha
            )
            bars.bar_label(bar, [f"{what} {share(table):.0%}"], padding=3)
    bars.set_yticks(range(len(tables)), list(tables))
    bars.invert_yaxis()
    bars.set_xlim(0, 1.5)
    bars.set_xticks([])
    bars.spines[["top", "right", "bottom"]].set_visible(False)
    display = EntropyTriangleDisplay.from_confusion_matrix(tables, ax=triangle)
    display.legend_.remove()  # the bars say which colour is which
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).parent / "readme.png")
