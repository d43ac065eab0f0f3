"""How each row of the table is measured: functions of an effort → our cost, theirs."""

import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import chi2, mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    ConfusionMatrixDisplay,
    confusion_matrix,
    get_scorer,
    log_loss,
    matthews_corrcoef,
    mutual_info_score,
)
from sklearn.naive_bayes import GaussianNB

import sklearn_entropy_metrics as sem
from benchmarks import inputs
from benchmarks.timing import Effort, peak_memory
from sklearn_entropy_metrics.measure import MEASURES

Measure = Callable[[Effort], tuple[float, ...]]


def against(
    peer,
    ours=sem.entropy_modulated_accuracy_score,
    *,
    n_samples=10**6,
    n_classes=10,
    convert=lambda y: y,
) -> Measure:
    """Time a metric of ours and a peer on labels of some kind."""

    def measure(effort):
        y_true, y_pred = _labels(effort, n_samples, n_classes)
        y_true, y_pred = convert(y_true), convert(y_pred)
        return effort.best_times(
            partial(ours, y_true, y_pred), partial(peer, y_true, y_pred)
        )

    return measure


def memory(n_classes) -> Measure:
    """Peak memory in addition to the inputs, and the size of the inputs."""

    def measure(effort):
        y_true, y_pred = _labels(effort, 10**6, n_classes)
        peak = peak_memory(lambda: sem.entropy_modulated_accuracy_score(y_true, y_pred))
        return peak, y_true.nbytes + y_pred.nbytes

    return measure


def _labels(effort, n_samples, n_classes):
    if n_classes > 1000:  # as many samples of each class, whatever the effort
        n_classes = effort.size(n_classes)
    return inputs.labels(effort.size(n_samples), n_classes)


def pairs(effort):
    """Systematic confusions of labels, and their table."""
    y = inputs.zipf_labels(effort.size(10**6), effort.size(10**5))
    return effort.best_times(
        lambda: sem.confusion_pairs(*y),
        lambda: sem.contingency_table(*y, sparse="auto"),
    )


def many_labels(effort):
    """The joint balance of indicator matrices, and the distinct rows of both."""
    true, pred = inputs.label_sets(effort.size(200_000), 30)
    joined = np.hstack([true, pred])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # many rows occur once
        return effort.best_times(
            lambda: sem.EntropyBalance.from_variables(true, pred).mutual_information,
            lambda: np.unique(joined, axis=0),
        )


def memory_of_many_labels(effort):
    """Peak memory in addition to the inputs, and the size of the inputs."""
    true, pred = inputs.label_sets(effort.size(200_000), 30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peak = peak_memory(lambda: sem.EntropyBalance.from_variables(true, pred))
    return peak, true.nbytes + pred.nbytes


def all_measures(y_true, y_pred):
    """EMA, NIT, NI, VI, CEN and the coordinates in the triangles, from one table."""
    balance = sem.EntropyBalance.from_predictions(y_true, y_pred)
    names = [
        "entropy_modulated_accuracy",
        "normalized_information_transfer",
        "normalized_information",
        "variation_of_information",
        "confusion_entropy",
    ]
    fractions = balance.joint_fractions, balance.true_fractions, balance.pred_fractions
    return sem.measure.evaluate(balance, names), fractions


def in_batches(y_true, y_pred):
    accumulator = sem.TableAccumulator()
    for start in range(0, len(y_true), 10**5):
        batch = slice(start, start + 10**5)
        accumulator.update(y_true[batch], y_pred[batch])
    return accumulator.balance().entropy_modulated_accuracy


def growth(effort):
    sizes = [effort.size(n) for n in (10**5, 3 * 10**5, 10**6, 3 * 10**6, 10**7)]
    y_true, y_pred = inputs.labels(sizes[-1], 10)
    return _slope(
        effort,
        sizes,
        lambda n: sem.entropy_modulated_accuracy_score(y_true[:n], y_pred[:n]),
    )


def _slope(effort, sizes, function):
    """Slope of the line through the logarithms of time and number of samples."""
    times = effort.best_times(*(partial(function, n) for n in sizes))
    return np.polyfit(np.log(sizes), np.log(times), 1)[0], 1.0


def weighted(effort):
    y_true, y_pred = inputs.labels(effort.size(10**6), 10)
    weight = np.random.default_rng(1).random(len(y_true))
    return effort.best_times(
        *(
            partial(metric, y_true, y_pred, sample_weight=weight)
            for metric in (sem.entropy_modulated_accuracy_score, confusion_matrix)
        )
    )


def lazy_frame(count=None) -> Measure:
    """A table of a lazy frame, and the group-by that it takes."""

    def measure(effort):
        import polars as pl

        y_true, y_pred = inputs.labels(effort.size(10**7), 10)
        n = np.random.default_rng(1).integers(0, 10, len(y_true))
        frame = pl.LazyFrame({"true": y_true, "pred": y_pred, "n": n})
        cell = pl.len() if count is None else pl.col(count).sum()
        return effort.best_times(
            partial(sem.tabulate_frame, frame, "true", "pred", count=count),
            lambda: frame.group_by("true", "pred").agg(cell).collect(),
        )

    return measure


def bootstrap(effort):
    """1,000 resamples of a table, and of samples: a few of these, times 1,000."""
    y_true, y_pred = inputs.labels(effort.size(10**5), 10)
    rng = np.random.default_rng(0)

    def resample_samples():
        drawn = rng.integers(0, len(y_true), len(y_true))
        matthews_corrcoef(y_true[drawn], y_pred[drawn])

    table = sem.contingency_table(y_true, y_pred)
    ours, peers = effort.best_times(
        lambda: MEASURES["matthews_corrcoef"](
            sem.bootstrap_balance(table, random_state=0)
        ),
        resample_samples,
    )
    return ours, 1000 * peers


def interval(n_classes):
    """Intervals of NI, EMA and accuracy, and their values for 1,000 resamples."""
    names = ("normalized_information", "entropy_modulated_accuracy", "accuracy")
    truth = 0.7 * np.eye(n_classes) + 0.3 / n_classes
    table = np.random.default_rng(0).multinomial(
        5 * n_classes**2, truth.ravel() / n_classes
    )
    table = table.reshape(n_classes, n_classes)

    def intervals():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name in names:
                sem.confidence_interval(table=table, metric=name)

    def resamples():
        cloud = sem.bootstrap_balance(table, random_state=0)
        for name in names:
            MEASURES[name](cloud)

    return lambda effort: effort.best_times(intervals, resamples)


def five_measures_of_stored_predictions(effort):
    y_true, y_pred = inputs.labels(effort.size(10**6), 10)
    return _five_and_one(
        effort, inputs.Stored(y_pred), np.empty((len(y_true), 0)), y_true
    )


def five_measures_of_a_fold(effort):
    y, _ = inputs.labels(1000, 10)
    X = np.random.default_rng(0).normal(size=(1000, 20)) + y[:, None]
    return _five_and_one(effort, GaussianNB().fit(X, y), X, y)


def _five_and_one(effort, classifier, X, y):
    five = sem.InformationScorer()
    one = sem.InformationScorer(["entropy_modulated_accuracy"])
    return effort.best_times(
        lambda: five(classifier, X, y), lambda: one(classifier, X, y)
    )


def stack(*attributes: str) -> Measure:
    """Seconds for each of many tables, and for one such table."""

    def measure(effort):
        tables = inputs.tables(effort.size(10**6))

        def ours():
            balance = sem.EntropyBalance.from_confusion_matrix(tables)
            return [getattr(balance, name) for name in attributes]

        ours_time, peers_time = effort.best_times(
            ours, lambda: mutual_info_score(None, None, contingency=tables[0])
        )
        return ours_time / len(tables), peers_time

    return measure


def probabilistic(effort):
    y_true, y_proba = inputs.probabilities(effort.size(10**6))
    return effort.best_times(
        lambda: sem.probabilistic_confusion_entropy_loss(y_true, y_proba),
        lambda: log_loss(y_true, y_proba),
    )


def balance_of_log_loss(effort):
    """The best recalibration in five folds, and one plain fit of scikit-learn's."""
    y_true, y_proba = inputs.noisy_probabilities(effort.size(10**5))
    log_proba = np.log(y_proba)

    def fit():
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            LogisticRegression().fit(log_proba, y_true)

    return effort.best_times(
        lambda: sem.ProbabilityBalance.from_probabilities(y_true, y_proba), fit
    )


def probability_scorer(effort):
    """The scores of a fitted classifier on 899 digits, as cross-validation does it."""
    X, y = load_digits(return_X_y=True)
    classifier = GaussianNB().fit(X[:898], y[:898])
    scorers = map(get_scorer, ("probability_information", "neg_log_loss"))
    return effort.best_times(
        *(partial(scorer, classifier, X[898:], y[898:]) for scorer in scorers)
    )


def temperature_in_sample(effort):
    y_true, y_proba = inputs.noisy_probabilities(effort.size(10**5))
    return effort.best_times(
        lambda: sem.ProbabilityBalance.from_probabilities(
            y_true, y_proba, recalibration="temperature", cv=None
        ),
        lambda: log_loss(y_true, y_proba),
    )


def growth_of_log_loss(effort):
    sizes = [effort.size(n) for n in (25_000, 50_000, 100_000, 200_000)]
    y_true, y_proba = inputs.noisy_probabilities(sizes[-1])
    return _slope(
        effort,
        sizes,
        lambda n: sem.ProbabilityBalance.from_probabilities(y_true[:n], y_proba[:n]),
    )


def probabilistic_memory(effort):
    """Peak memory in addition to the inputs, and the size of the probabilities."""
    y_true, y_proba = inputs.probabilities(effort.size(10**6))
    peak = peak_memory(
        lambda: sem.probabilistic_confusion_entropy_loss(y_true, y_proba)
    )
    return peak, y_proba.nbytes


def features(effort):
    X, y = inputs.words(effort.size(100_000), effort.size(50_000))
    return effort.best_times(lambda: sem.phi_delta_features(X, y), lambda: chi2(X, y))


def features_one_by_one(effort):
    """Seconds for each feature."""
    X, y = inputs.words(effort.size(100_000), effort.size(50_000))
    few = X[:, :20]
    ours, peers = effort.best_times(
        lambda: sem.phi_delta_features(X, y),
        lambda: mutual_info_classif(few, y, discrete_features=True),
    )
    return ours / X.shape[1], peers / few.shape[1]


def many_points(effort):
    """Build and draw many points in the triangle, and the same points plainly."""
    tables = np.random.default_rng(0).integers(0, 30, (effort.size(100_000), 3, 3))
    balance = sem.EntropyBalance.from_confusion_matrix(tables)
    points = sem.EntropyTriangleDisplay.to_plane(balance.joint_fractions)

    def ours(ax):
        display = sem.EntropyTriangleDisplay(balance=balance)
        display.plot(ax, scatter_kwargs={"s": 9})

    return _drawing(effort, ours, lambda ax: ax.scatter(*points.T, s=9))


def many_features(effort):
    """Build and draw many points in the φ-δ plane, and the same points plainly."""
    fpr, tpr = np.random.default_rng(0).random((2, effort.size(100_000)))
    phi, delta = sem.measure.phi_delta_from_rates(fpr, tpr)
    display = sem.PhiDeltaDisplay(phi=phi, delta=delta, view="feature")
    return _drawing(
        effort,
        lambda ax: display.plot(ax, scatter_kwargs={"s": 9}),
        lambda ax: ax.scatter(phi, delta, s=9),
    )


def one_classifier(display, n_classes=3, **options) -> Measure:
    """Return a function that builds and draws one classifier, and its table."""

    def measure(effort):
        y = inputs.labels(1000, n_classes)
        return _drawing(
            effort,
            lambda ax: display.from_predictions(*y, ax=ax, **options),
            lambda ax: ConfusionMatrixDisplay.from_predictions(*y, ax=ax),
        )

    return measure


def _drawing(effort, *draws):
    """Seconds to build and render each picture."""

    def render(draw):
        figure = Figure()
        canvas = FigureCanvasAgg(figure)
        draw(figure.subplots())
        canvas.draw()

    return effort.best_times(*(partial(render, draw) for draw in draws))


def importing(effort):
    """CPU seconds of importing the package, and what it needs of scikit-learn.

    Both are compiled, as after an installation.
    """
    modules = (
        "sklearn_entropy_metrics",
        "sklearn.metrics, sklearn.model_selection, sklearn.feature_selection",
    )
    code = "import {}, time; print(time.process_time())"
    with TemporaryDirectory() as folder:
        compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
        runs = [
            [
                subprocess.run(
                    [sys.executable, "-c", code.format(names)],
                    capture_output=True,
                    check=True,
                    env=os.environ | compiled,
                    text=True,
                ).stdout
                for names in modules
            ]
            for _ in range(1 + min(effort.rounds, 10))
        ]
    return tuple(np.median(np.array(runs[1:], dtype=float), axis=0))
