"""What is measured: ours and a peer on the same inputs, and how far apart they must be.

Inputs are built when a case is run, from a fixed seed.
"""

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy import sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import chi2, mutual_info_classif
from sklearn.metrics import (
    ConfusionMatrixDisplay,
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    log_loss,
    mutual_info_score,
)
from sklearn.naive_bayes import GaussianNB

import sklearn_entropy_metrics as sem
from benchmarks.timing import best_time

N = 10**6


class Case(NamedTuple):
    """One line of the table: `measure()` gives our cost and the peer's.

    `limit` is the largest ratio of ours to the peer's that is acceptable.
    """

    name: str
    peer: str
    limit: float
    measure: Callable[[], tuple[float, float]]


class Stored(ClassifierMixin, BaseEstimator):
    """A classifier that has predicted already, so that only the score costs."""

    def __init__(self, y_pred: Any) -> None:
        self.y_pred = y_pred
        self.classes_ = np.unique(y_pred)

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.y_pred


def labels(n_samples: int = N, n_classes: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """True labels, and predictions of which 70 % and some more are right."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, n_classes, n_samples)
    guess = rng.integers(0, n_classes, n_samples)
    return y_true, np.where(rng.random(n_samples) < 0.7, y_true, guess)


def names(n_classes: int = 10) -> np.ndarray:
    return np.array([f"class{number:03d}" for number in range(n_classes)])


def against(peer, convert=lambda y: y, ours=sem.entropy_modulated_accuracy_score):
    """Time a metric of ours and a peer on a million labels of some kind."""

    def measure():
        y_true, y_pred = (convert(y) for y in labels())
        return (
            best_time(lambda: ours(y_true, y_pred)),
            best_time(lambda: peer(y_true, y_pred)),
        )

    return measure


def weighted():
    y_true, y_pred = labels()
    weight = np.random.default_rng(1).random(N)
    return tuple(
        best_time(lambda metric=metric: metric(y_true, y_pred, sample_weight=weight))
        for metric in (sem.entropy_modulated_accuracy_score, confusion_matrix)
    )


def fold():
    y_true, y_pred = labels(1000)
    return (
        best_time(lambda: sem.entropy_modulated_accuracy_score(y_true, y_pred)),
        best_time(lambda: balanced_accuracy_score(y_true, y_pred)),
    )


def categorical(y):
    import pandas as pd

    return pd.Series(pd.Categorical(names()[y]))


def many_classes():
    y_true, y_pred = labels(n_classes=100_000)
    return (
        best_time(lambda: sem.entropy_modulated_accuracy_score(y_true, y_pred)),
        best_time(lambda: mutual_info_score(y_true, y_pred)),
    )


def many_classes_memory():
    """Peak memory beside the inputs, in the size of the inputs."""
    y_true, y_pred = labels(n_classes=100_000)
    tracemalloc.start()
    sem.entropy_modulated_accuracy_score(y_true, y_pred)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, y_true.nbytes + y_pred.nbytes


def five_measures_of_stored_predictions():
    y_true, y_pred = labels()
    return _five_and_one(Stored(y_pred), np.empty((N, 0)), y_true)


def five_measures_of_a_fold():
    y, _ = labels(1000)
    X = np.random.default_rng(0).normal(size=(1000, 20)) + y[:, None]
    return _five_and_one(GaussianNB().fit(X, y), X, y)


def _five_and_one(classifier, X, y):
    five = sem.InformationScorer()
    one = sem.InformationScorer(["entropy_modulated_accuracy"])
    return (
        best_time(lambda: five(classifier, X, y)),
        best_time(lambda: one(classifier, X, y)),
    )


def probabilities():
    """True labels, and probabilities of ten classes."""
    y_true, _ = labels()
    return y_true, np.random.default_rng(0).dirichlet(np.ones(10), N)


def probabilistic():
    y_true, y_proba = probabilities()
    return (
        best_time(lambda: sem.probabilistic_confusion_entropy_loss(y_true, y_proba)),
        best_time(lambda: log_loss(y_true, y_proba)),
    )


def probabilistic_memory():
    """Peak memory beside the inputs, in the size of the probabilities."""
    y_true, y_proba = probabilities()
    tracemalloc.start()
    sem.probabilistic_confusion_entropy_loss(y_true, y_proba)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, y_proba.nbytes


def words():
    """Which of 50,000 terms occur in 100,000 texts, and the classes of the texts."""
    rng = np.random.default_rng(0)
    n_texts, n_terms = 100_000, 50_000
    cells = np.unique(rng.integers(0, n_texts * n_terms, 5_000_000))
    entries = np.ones(len(cells)), np.divmod(cells, n_terms)
    return sp.csr_array(entries, shape=(n_texts, n_terms)), rng.integers(0, 2, n_texts)


def features():
    X, y = words()
    return best_time(lambda: sem.phi_delta_features(X, y)), best_time(
        lambda: chi2(X, y)
    )


def features_one_by_one():
    """Seconds for each feature."""
    X, y = words()
    few = X[:, :20]
    ours = best_time(lambda: sem.phi_delta_features(X, y))
    peers = best_time(lambda: mutual_info_classif(few, y, discrete_features=True))
    return ours / X.shape[1], peers / few.shape[1]


def many_points():
    """Build and draw 100,000 points in the triangle, and the same points plainly."""
    tables = np.random.default_rng(0).integers(0, 30, (100_000, 3, 3))
    balance = sem.EntropyBalance.from_confusion_matrix(tables)
    points = sem.EntropyTriangleDisplay.to_plane(balance.joint_fractions)

    def ours(ax):
        display = sem.EntropyTriangleDisplay(balance=balance)
        display.plot(ax, scatter_kwargs={"s": 9})

    return _drawing(ours), _drawing(lambda ax: ax.scatter(*points.T, s=9))


def many_features():
    """Build and draw 100,000 points in the φ-δ plane, and the same points plainly."""
    fpr, tpr = np.random.default_rng(0).random((2, 100_000))
    phi, delta = sem.measure.phi_delta_from_rates(fpr, tpr)
    display = sem.PhiDeltaDisplay(phi=phi, delta=delta, view="feature")
    return (
        _drawing(lambda ax: display.plot(ax, density=False, scatter_kwargs={"s": 9})),
        _drawing(lambda ax: ax.scatter(phi, delta, s=9)),
    )


def one_classifier():
    y_true, y_pred = labels(1000, 3)
    return (
        _drawing(
            lambda ax: sem.EntropyTriangleDisplay.from_predictions(
                y_true, y_pred, ax=ax
            )
        ),
        _drawing(
            lambda ax: ConfusionMatrixDisplay.from_predictions(y_true, y_pred, ax=ax)
        ),
    )


def _drawing(draw):
    """Seconds to build and render a picture."""

    def render():
        figure = Figure()
        canvas = FigureCanvasAgg(figure)
        draw(figure.subplots())
        canvas.draw()

    return best_time(render, at_least=3.0)


def importing():
    """Seconds that the package takes after scikit-learn's model selection, and that."""
    code = """
from time import perf_counter
start = perf_counter()
import sklearn.model_selection
middle = perf_counter()
import sklearn_entropy_metrics
print(perf_counter() - middle, middle - start)
"""
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, text=True
        ).stdout.split()
        for _ in range(7)
    ]
    ours, peers = np.array(runs, dtype=float).min(axis=0)
    return ours, peers


CASES = [
    Case("int64, 10 classes", "confusion_matrix", 1 / 15, against(confusion_matrix)),
    Case("int64, 10 classes", "accuracy_score", 1 / 8, against(accuracy_score)),
    Case("int64, weighted", "confusion_matrix", 1 / 12, weighted),
    Case("1,000 samples", "balanced_accuracy_score", 1 / 12, fold),
    Case(
        "<U8 strings",
        "confusion_matrix",
        1 / 8,
        against(confusion_matrix, lambda y: names()[y]),
    ),
    Case(
        "object strings, shared",
        "confusion_matrix",
        1 / 35,
        against(confusion_matrix, lambda y: names().astype(object)[y]),
    ),
    Case(
        "object strings, distinct",
        "confusion_matrix",
        1 / 35,
        against(confusion_matrix, lambda y: names()[y].astype(object)),
    ),
    Case(
        "pandas categoricals",
        "confusion_matrix",
        1 / 100,
        against(confusion_matrix, categorical),
    ),
    Case("100,000 classes", "mutual_info_score", 1 / 10, many_classes),
    Case("100,000 classes, memory", "the inputs", 8, many_classes_memory),
    Case("5 measures, 1,000 samples", "1 measure", 1.5, five_measures_of_a_fold),
    Case("5 measures, stored", "1 measure", 1.5, five_measures_of_stored_predictions),
    Case("pCEN, 10 classes", "log_loss", 1 / 6, probabilistic),
    Case("pCEN, memory", "the probabilities", 0.05, probabilistic_memory),
    Case("φ, δ of 50,000 features", "chi2", 1 / 3, features),
    Case("φ, δ per feature", "mutual_info_classif", 1 / 100, features_one_by_one),
    Case("triangle, 100,000 points", "plain scatter", 2, many_points),
    Case("φ-δ, 100,000 points", "plain scatter", 2, many_features),
    Case("triangle, 1 classifier", "ConfusionMatrixDisplay", 1.5, one_classifier),
    Case("import", "sklearn.model_selection", 0.15, importing),
]
