"""What is true of every display."""

import functools
import inspect
import io
import warnings

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.patches import Polygon
from matplotlib.text import Text
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import Bunch

from sklearn_entropy_metrics import (
    EntropyBalance,
    ProbabilityBalance,
    TableAccumulator,
    compare_models,
    contingency_table,
    cross_val_tables,
    display,
)
from sklearn_entropy_metrics.compare.win_loss import WinLossEqualResult
from sklearn_entropy_metrics.display import (
    EntropyTriangleDisplay,
    InformationDiagramDisplay,
    ModelComparisonDisplay,
    NormalizedInformationDisplay,
    PhiDeltaDisplay,
    ProbabilityBalanceDisplay,
    WinLossEqualDisplay,
)

DISPLAYS = [getattr(display, name) for name in display.__all__ if "Display" in name]
OF_TABLES = [
    EntropyTriangleDisplay,
    InformationDiagramDisplay,
    NormalizedInformationDisplay,
    PhiDeltaDisplay,
]
OF_FOLDS = [EntropyTriangleDisplay, PhiDeltaDisplay]
TWO, MANY = load_breast_cancer(return_X_y=True), load_iris(return_X_y=True)
MODELS = {
    "naive Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
}
every_display = pytest.mark.parametrize("cls", OF_TABLES)


@pytest.fixture(autouse=True)
def close(pyplot):
    return pyplot


def sample(cls):
    """Data of two classes where more are refused, else of three."""
    return TWO if cls is NormalizedInformationDisplay else MANY


def fitted(cls):
    X, y = sample(cls)
    return {name: model.fit(X[::2], y[::2]) for name, model in MODELS.items()}


def predicted(cls):
    X, _ = sample(cls)
    return {name: model.predict(X) for name, model in fitted(cls).items()}


def numbers(frame):
    """What a frame says of classifiers, without their names."""
    keys = [key for key in frame if key.startswith("classifier_")] or list(frame)
    return {key: frame[key] for key in keys if not key.endswith("name")}


def names(frame):
    return list(dict.fromkeys(frame.get("classifier_name", frame.get("name")).tolist()))


def assert_one_after_the_other(cls, several, singles):
    """The display of a dict has the numbers of the displays of its values."""
    frames = [numbers(one.frame()) for one in singles]
    for key, column in numbers(several.frame()).items():
        expected = [frame[key] for frame in frames]
        np.testing.assert_array_equal(column, np.concatenate(expected))
    if cls in (EntropyTriangleDisplay, InformationDiagramDisplay):
        assert list(several.balance) == list(MODELS)
        for one, single in zip(several.balance.values(), singles, strict=True):
            assert isinstance(one, EntropyBalance)
            assert isinstance(single.balance, EntropyBalance)
            np.testing.assert_array_equal(one.table, single.balance.table)
    for name in MODELS:
        assert any(name in text for text in names(several.frame()))


@every_display
def test_predictions_of_several_classifiers(cls):
    y = sample(cls)[1]
    weight = np.random.default_rng(0).random(len(y))
    several = cls.from_predictions(y, predicted(cls), sample_weight=weight)
    singles = [
        cls.from_predictions(y, one, sample_weight=weight)
        for one in predicted(cls).values()
    ]
    assert_one_after_the_other(cls, several, singles)


@every_display
def test_several_estimators(cls):
    X, y = sample(cls)
    several = cls.from_estimator(fitted(cls), X, y)
    singles = [cls.from_estimator(one, X, y) for one in fitted(cls).values()]
    assert_one_after_the_other(cls, several, singles)
    with pytest.raises(ValueError, match=r"only supports classifiers\. Got str"):
        cls.from_estimator({"a": "b"}, X, y)


@every_display
def test_matrices_equal_predictions(cls):
    y = sample(cls)[1]
    matrices = {name: contingency_table(y, one) for name, one in predicted(cls).items()}
    several = cls.from_confusion_matrix(matrices)
    singles = [cls.from_confusion_matrix(one) for one in matrices.values()]
    assert_one_after_the_other(cls, several, singles)
    expected = cls.from_predictions(y, predicted(cls))
    found, expected = several.frame(), expected.frame()
    assert list(found) == list(expected)
    for key in found:
        np.testing.assert_array_equal(found[key], expected[key])


@every_display
def test_matrices_may_know_their_classes(cls):
    y_true = np.array(["no", "yes"]).repeat(30)
    y_pred = np.roll(y_true, 5)
    X = np.random.default_rng(0).normal(size=(60, 2)) + (y_true == "yes")[:, None]
    accumulator = TableAccumulator().update(y_true, y_pred)
    folds = cross_val_tables(GaussianNB(), X, y_true)
    table = contingency_table(y_true, y_pred)
    for given, expected in (
        (accumulator, table),
        (accumulator.balance(), table),
        (pd.crosstab(y_true, y_pred), table),
        (Bunch(table=table, labels=["no", "yes"]), table),
        (folds, folds.tables.sum(axis=0)),
    ):
        found = numbers(cls.from_confusion_matrix(given).frame())
        for one in (given, {"a": given}, expected):
            for key, column in numbers(cls.from_confusion_matrix(one).frame()).items():
                np.testing.assert_array_equal(column, found[key])


@pytest.mark.parametrize("cls", [EntropyTriangleDisplay, InformationDiagramDisplay])
def test_smoothing(cls):
    X, y = MANY
    options = {"smoothing": "empirical_bayes"}
    model = MODELS["tree"].fit(X[::2], y[::2])
    y_pred = model.predict(X)
    table = contingency_table(y, y_pred)
    expected = EntropyBalance.from_confusion_matrix(table, **options)
    plain = cls.from_predictions(y, y_pred).frame()
    for display_ in (
        cls.from_predictions(y, y_pred, **options),
        cls.from_estimator(model, X, y, **options),
        cls.from_confusion_matrix({"a": table}, **options),
    ):
        balance = display_.balance
        balance = balance["a"] if isinstance(balance, dict) else balance
        np.testing.assert_allclose(balance.table, expected.table, rtol=1e-12)
        key = "mutual_information" if "mutual_information" in plain else "entropy"
        assert np.all(display_.frame()[key] != plain[key])


@pytest.mark.parametrize("cls", OF_FOLDS)
def test_folds_of_several_classifiers(cls):
    X, y = sample(cls)
    options = {"return_estimator": True, "return_indices": True}
    results = {
        name: cross_validate(model, X, y, cv=cv, **options)
        for (name, model), cv in zip(MODELS.items(), (4, 6), strict=True)
    }
    several = cls.from_cv_results(results, X, y)
    singles = [cls.from_cv_results(one, X, y) for one in results.values()]
    for name in MODELS:
        assert any(name in text for text in names(several.frame()))
    for artist in ("scatter_", "center_"):
        alone = np.concatenate([np.ravel(getattr(one, artist)) for one in singles])
        for one, other in zip(getattr(several, artist), alone, strict=True):
            points = np.asarray(one.get_offsets(), dtype=float)
            points = points[np.isfinite(points).all(axis=1)]
            np.testing.assert_array_equal(points, other.get_offsets())


@every_display
def test_an_empty_dict(cls):
    X, y = sample(cls)
    with pytest.raises(ValueError, match="at least 1 table"):
        cls.from_confusion_matrix({})
    with pytest.raises(ValueError, match="at least 1 table"):
        cls.from_predictions(y, {})
    with pytest.raises(ValueError, match="at least 1 table"):
        cls.from_estimator({}, X, y)


@every_display
def test_inputs_are_not_changed_and_may_be_read_only(cls):
    X, y = (array.copy() for array in sample(cls))
    weight = np.ones(len(y))
    matrix = contingency_table(y, next(iter(predicted(cls).values())))
    given = [X, y, weight, matrix]
    before = [array.copy() for array in given]
    for array in given:
        array.flags.writeable = False
    models = fitted(cls)
    cls.from_predictions(y, y, sample_weight=weight)
    cls.from_estimator(models, X, y, sample_weight=weight)
    drawn = cls.from_confusion_matrix({"a": matrix})
    for array, old in zip(given, before, strict=True):
        np.testing.assert_array_equal(array, old)
    frame = {key: column.copy() for key, column in drawn.frame().items()}
    matrix.flags.writeable = True
    matrix[:] = 1
    for key, column in drawn.frame().items():
        np.testing.assert_array_equal(column, frame[key])


@pytest.mark.parametrize("cls", DISPLAYS)
def test_artists_are_declared(cls):
    """Everything with a trailing underscore that plot sets has a type."""
    X, y = TWO
    if hasattr(cls, "from_estimator"):
        drawn = cls.from_estimator(GaussianNB().fit(X, y), X, y)
        found = {key for key in vars(drawn) if key.endswith("_")}
        declared = set().union(*map(inspect.get_annotations, cls.__mro__))
        assert found == declared


@pytest.mark.parametrize("cls", DISPLAYS)
def test_constructors_take_axes_a_name_and_no_positive_class(cls):
    for name, method in inspect.getmembers(cls, inspect.ismethod):
        if name.startswith("from_"):
            given = inspect.signature(method).parameters
            assert {"ax", "name"} <= given.keys(), name
            for one in given.keys() & {"ax", "name", "pos_label"}:
                assert given[one].default is None, name
    assert not hasattr(cls, "_repr_html_")


# Pictures of every display that can be read, wherever they are drawn.

LONG = [
    "DummyClassifier (most frequent)",
    "Decision tree, max_depth=1",
    "Decision tree, max_depth=3",
    "Decision tree, unpruned",
    "Gaussian naive Bayes",
    "Nearest centroid",
    "k nearest neighbours (k=5)",
    "Logistic regression, scaled",
    "Support vector machine (RBF)",
    "Random forest, 30 trees",
]


@functools.cache
def simulated(n_classes, n_samples=400):
    """Labels, and predictions of which more and more are right."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n_samples)
    guess = rng.integers(0, n_classes, (len(LONG), n_samples))
    right = (
        rng.random((len(LONG), n_samples)) < np.linspace(0, 0.95, len(LONG))[:, None]
    )
    return y, dict(zip(LONG, np.where(right, y, guess), strict=True))


@functools.cache
def made(cls, n_models, n_classes):
    """A display of the first models, which is plotted several times."""
    y, predictions = simulated(2 if cls is NormalizedInformationDisplay else n_classes)
    chosen = dict(list(predictions.items())[-n_models:])
    if cls is WinLossEqualDisplay:
        scores = np.random.default_rng(0).random((50, 3, 4))
        names = ("normalized_information", "accuracy", "matthews_corrcoef")
        result = WinLossEqualResult.from_scores(
            names, ("test accuracy", "test EMA"), scores, scores[:, :2] + 0.1
        )
        return cls(result=result)
    if cls is ModelComparisonDisplay:
        chosen = dict(list(predictions.items())[-max(n_models, 2) :])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # few samples for thirty classes
            compared = compare_models(y, chosen, n_resamples=19, random_state=0)
        return cls(comparison=compared)
    if cls is ProbabilityBalanceDisplay:
        balances = {}
        for name, pred in chosen.items():
            proba = np.full((len(y), n_classes), 0.3 / n_classes)
            proba[np.arange(len(y)), pred] += 0.7
            balances[name] = ProbabilityBalance.from_probabilities(
                y, proba, recalibration="temperature"
            )
        return cls(balance=balances, name=None)
    return cls.from_predictions(y, chosen)


def unreadable(figure, misplaced_texts):
    """Texts over each other, cut or too small, and borders that are not seen."""
    found = [*misplaced_texts(figure)]
    for text in figure.findobj(Text):
        is_seen = text.get_visible() and text.get_text().strip()
        if is_seen and text.get_fontsize() < 5.99:
            found.append((text.get_text(), text.get_fontsize()))
    for ax in figure.axes:
        for patch in ax.patches:
            edge = np.array(to_rgb(patch.get_edgecolor()))
            if type(patch) is not Polygon and isinstance(patch, Polygon):
                paper = np.array(to_rgb(figure.get_facecolor()))
                if np.abs(edge - paper).max() < 0.3:
                    found.append("border")
    return found


SITUATIONS = {
    "default": {},
    "small": {"size": (3, 2.5)},
    "plain": {"layout": None},
    "small, plain": {"size": (3, 2.5), "layout": None},
    "ten names, small, plain": {"n_models": 10, "size": (3, 2.5), "layout": None},
    "grid": {"shape": (2, 3), "size": (9.6, 6.4)},
    "plain grid": {"shape": (2, 3), "size": (9.6, 6.4), "layout": None},
    "dark": {"style": "dark_background"},
    "seaborn": {"style": "seaborn-v0_8-darkgrid"},
    "ggplot": {"style": "ggplot"},
    "ten names": {"n_models": 10, "own": True},
    "ten names, plain": {"n_models": 10, "layout": None},
    "ten names, small": {"n_models": 10, "size": (3, 2.5)},
    "one": {"n_models": 1},
    "thirty classes": {"n_models": 1, "n_classes": 30},
    "beside a colour bar": {"bar": True, "size": (9.6, 4.8)},
}
FAST = ("default",)


def draw_in(
    pyplot,
    cls,
    shape=(1, 1),
    size=(6.4, 4.8),
    layout="constrained",
    style="default",
    n_models=3,
    n_classes=3,
    bar=False,
    own=False,
):
    if own:  # with a row for each model, figures of a suitable height
        drawn = made(cls, n_models, n_classes).plot()
        return drawn.figure_
    with pyplot.style.context(style):
        shape = (1, 2) if bar else shape
        figure, axes = pyplot.subplots(
            *shape, figsize=size, layout=layout, squeeze=False
        )
        if bar:
            figure.colorbar(axes[0, 0].imshow(np.eye(3)), ax=axes[0, 0])
            axes = axes[:, 1:]
        for ax in axes.flat:
            made(cls, n_models, n_classes).plot(ax)
    return figure


@pytest.mark.parametrize(
    "situation",
    [
        one if one in FAST else pytest.param(one, marks=pytest.mark.slow)
        for one in SITUATIONS
    ],
)
@pytest.mark.parametrize("cls", DISPLAYS)
def test_pictures_can_be_read(pyplot, cls, situation, misplaced_texts):
    given = SITUATIONS[situation]
    # The fonts of a style are found when a figure is drawn.
    with pyplot.style.context(given.get("style", "default")):
        figure = draw_in(pyplot, cls, **given)
        assert unreadable(figure, misplaced_texts) == []


@pytest.mark.slow
@pytest.mark.parametrize("cls", DISPLAYS)
def test_any_other_call_on_the_same_axes(pyplot, cls):
    """Before and after."""
    _, ax = pyplot.subplots()
    ax.plot([0, 1], [0, 1], label="a line")
    ax.fill_between([0, 1], [0, 0.1], alpha=0.2)
    drawn = made(cls, 3, 3).plot(ax)
    assert drawn.ax_ is ax
    assert drawn.plot(ax) is drawn
    ax.fill_between([0, 1], [0, 0.2], color="0.5")
    ax.contour([[0, 1], [1, 0]])
    ax.axvline(0.5)
    ax.annotate("here", (0.5, 0.5))
    ax.legend(loc="upper left")  # "best" warns if it takes long
    ax.set_title("mine")
    for kind in ("svg", "pdf"):
        ax.figure.savefig(io.BytesIO(), format=kind)
    assert ax.get_title() == "mine"
    ax.clear()
    drawn.plot(ax)


@pytest.mark.parametrize("cls", DISPLAYS)
def test_a_repr_is_one_line(pyplot, cls):
    text = repr(made(cls, 3, 3))
    assert text.startswith(cls.__name__)
    assert len(text) <= 80
    assert "\n" not in text


@pytest.mark.parametrize("cls", DISPLAYS)
def test_shared_axes(pyplot, cls, misplaced_texts):
    """There matplotlib hides the numbers and names of inner Axes."""
    figure, axes = pyplot.subplots(1, 2, sharex=True, sharey=True, figsize=(9.6, 4.8))
    for ax in axes:
        assert made(cls, 3, 3).plot(ax).ax_ is ax
    assert misplaced_texts(figure) == []
