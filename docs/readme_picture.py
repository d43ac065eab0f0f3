"""``python docs/readme_picture.py``: draw the picture of the README anew."""

from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from sklearn_entropy_metrics import (
    EntropyBalance,
    EntropyTriangleDisplay,
    contingency_table,
    measure,
)

MODELS = {
    "always the majority": DummyClassifier(),
    "nearest centroid": NearestCentroid(),
    "nearest neighbours": KNeighborsClassifier(),
}
COLORS = ("0.45", "tab:blue", "tab:purple")


def make_tables() -> dict:
    """Three classifiers of imbalanced classes, where accuracy prefers the useless."""
    X, y = make_classification(
        4000,
        n_classes=3,
        weights=[0.8, 0.1],
        n_informative=4,
        class_sep=1.5,
        random_state=3,
    )
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
    return {
        name: contingency_table(y_test, model.fit(X, y).predict(X_test))
        for name, model in MODELS.items()
    }


def draw_bars(ax, tables) -> None:
    """Draw how often each is right, and below it what it transfers: its height."""
    for number, (name, table) in enumerate(tables.items()):
        balance = EntropyBalance.from_confusion_matrix(table)
        shares = (measure.accuracy(table), balance.joint_fractions[1])
        looks = (("0.85", "right"), (COLORS[number], "transferred"))
        ax.text(0, number - 0.4, name, color=COLORS[number], weight="bold", size=15)
        for place, share, (color, what) in zip((-0.2, 0.1), shares, looks, strict=True):
            bar = ax.barh(number + place, max(share, 0.004), 0.24, color=color)
            ax.bar_label(bar, [f"{share:.0%} {what}"], padding=3, size=15)
    ax.set(xlim=(0, 1.35), ylim=(2.3, -0.75))
    ax.set_axis_off()


@rc_context({"font.size": 13})
def draw() -> Figure:
    """Draw accuracy and information, and below where both come from.

    The type is large, since a phone shows the picture at half its size.
    """
    tables = make_tables()
    figure = Figure(figsize=(6.6, 7.9), dpi=100, layout="constrained")
    figure.suptitle(
        "More often right, but without information",
        x=0.005,
        ha="left",
        size=19,
        weight="bold",
    )
    bars, triangle = figure.subplots(2, 1, height_ratios=[1, 1.35])
    draw_bars(bars, tables)
    for (name, table), color in zip(tables.items(), COLORS, strict=True):
        EntropyTriangleDisplay.from_confusion_matrix(
            {name: table}, ax=triangle, scatter_kwargs={"color": color, "s": 70}
        )
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).parent / "readme.png")
