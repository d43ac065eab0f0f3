"""Maps and bounds of normalized information: artists against the formulas."""

import io
import itertools

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import sparse as sp
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import (
    PrecisionRecallDisplay,
    RocCurveDisplay,
    accuracy_score,
    precision_score,
    recall_score,
)

from sklearn_entropy_metrics import (
    contingency_table,
    measure,
    normalized_information_score,
)
from sklearn_entropy_metrics.display.information_map import (
    NormalizedInformationDisplay,
)
from sklearn_entropy_metrics.measure.plane import (
    normalized_information_from_precision_recall,
    normalized_information_from_roc,
)

pytestmark = pytest.mark.usefixtures("pyplot")

MAPS = ("roc", "precision_recall", "phi_delta")
CURVES = ("accuracy", "precision", "recall")
SPACES = MAPS + CURVES
PREVALENCES = (0.5, 0.1)
MODELS = {
    "fpr": [0.1, 0.2, 0.1, 0.9, 0.52, 0.24],
    "tpr": [0.5, 0.6, 0.3, 0.3, 0.24, 0.52],
    "name": ["M1", "M2", "M3", "M4", "M5", "M6"],
}
RNG = np.random.default_rng(0)
TRUE = RNG.choice([0, 1], 500, p=[0.7, 0.3])
PRED = np.where(RNG.random(500) < 0.8, TRUE, 1 - TRUE)


def new_axes():
    return Figure().add_subplot()


def draw(space, prevalence=0.4, ax=None, **given):
    display = NormalizedInformationDisplay(prevalence=prevalence, space=space, **given)
    return display.plot(new_axes() if ax is None else ax)


def sample_tables(prevalence, n_tables=20_000):
    """Random tables of a prevalence, many with empty or nearly empty cells."""
    rng = np.random.default_rng(1)
    fpr, tpr = rng.beta(0.3, 0.3, size=(2, n_tables))
    return fpr, tpr, measure.table_from_rates(fpr, tpr, prevalence=prevalence)


def information(space, x, y, prevalence):
    """Normalized information at points of a map."""
    if space == "roc":
        return normalized_information_from_roc(x, y, prevalence)
    if space == "phi_delta":
        rates = measure.rates_from_phi_delta(x, y)
        return normalized_information_from_roc(*rates, prevalence)
    return normalized_information_from_precision_recall(y, x, prevalence)


@pytest.mark.parametrize("prevalence", PREVALENCES)
@pytest.mark.parametrize("space", MAPS)
def test_maps_are_those_of_the_closed_forms(space, prevalence):
    display = draw(space, prevalence)
    frame = display.frame()
    x, y, ni = frame.values()
    expected = information(space, x, y, prevalence)
    np.testing.assert_allclose(ni, expected, rtol=0, atol=1e-12)
    assert np.isnan(ni).sum() == (space == "precision_recall")
    np.testing.assert_array_equal(display.contour_.levels, np.linspace(0, 1, 11))
    # Lines of a level run where the formula has this level.
    lines = display.contour_lines_
    for level, path in zip(lines.levels, lines.get_paths(), strict=True):
        at = path.vertices.T * 0.9999 if space == "phi_delta" else path.vertices.T
        if space == "precision_recall":
            at = at[:, at[0] > 0.05]  # where all levels meet, lines are steep
        values = information(space, *at, prevalence)
        assert len(values) > 5
        assert np.nanquantile(np.abs(values - level), 0.8) < 0.02


@pytest.mark.parametrize("prevalence", [0.6, 0.003])
@pytest.mark.parametrize("space", CURVES)
def test_bounds_hold_and_are_attained(space, prevalence):
    display = draw(space, prevalence)
    left, right = (line.get_xydata() for line in display.upper_)
    upper, lower = np.vstack([left, right[1:]]), display.lower_.get_xydata()
    np.testing.assert_array_equal(left[-1], right[0])
    frame = display.frame()
    np.testing.assert_array_equal(upper, np.stack([frame[space], frame["upper"]], 1))
    np.testing.assert_array_equal(lower, np.stack([frame[space], frame["lower"]], 1))
    _, tpr, tables = sample_tables(prevalence)
    ni = measure.normalized_information(tables)
    x = {
        "accuracy": measure.accuracy(tables),
        "precision": tables[:, 1, 1] / tables[:, :, 1].sum(axis=1),
        "recall": tpr,
    }[space]
    # Between the points of the drawn curves is a line.
    assert (ni <= np.interp(x, *upper.T) + 2e-3).all()
    assert (ni >= np.interp(x, *lower.T) - 2e-3).all()
    for at in np.linspace(0.02, 0.98, 25):
        values = information_along(space, at, prevalence)
        assert values.max() == pytest.approx(np.interp(at, *upper.T), abs=2e-3)
        assert values.min() == pytest.approx(np.interp(at, *lower.T), abs=2e-3)
        assert (values <= np.interp(at, *upper.T) + 2e-3).all()


def information_along(space, at, prevalence):
    """Normalized information of classifiers with one accuracy, precision or recall."""
    share = np.linspace(0, 1, 4001)
    if space == "recall":
        return normalized_information_from_roc(share, at, prevalence)
    if space == "precision":
        odds = (1 - at) / at * prevalence / (1 - prevalence)  # fpr / tpr
        tpr = share * min(1, 1 / odds)
        return normalized_information_from_roc(odds * tpr, tpr, prevalence)
    low, high = max(0, at - 1 + prevalence), min(prevalence, at)
    hits = low + share * (high - low)
    fpr = 1 - (at - hits) / (1 - prevalence)
    rates = np.clip([fpr, hits / prevalence], 0, 1)
    return normalized_information_from_roc(*rates, prevalence)


def test_bounds_at_accuracies_of_the_paper():
    frame = NormalizedInformationDisplay(prevalence=0.6, space="accuracy").frame()
    # 60:40 with 56 true positives and 34 true negatives, all but the minimum.
    lower = np.interp(0.9, frame["accuracy"], frame["lower"])
    assert lower == pytest.approx(0.5171, abs=2e-4)
    table = [[34, 6], [4, 56]]
    assert measure.normalized_information(table) == pytest.approx(lower, abs=2e-4)
    # Case 6, TN = 0, and case 7, FP = 0
    for accuracy, table in ((0.25, [[0, 40], [35, 25]]), (0.75, [[40, 0], [25, 35]])):
        upper = np.interp(accuracy, frame["accuracy"], frame["upper"])
        assert upper == pytest.approx(measure.normalized_information(table), abs=1e-4)


def test_cells_that_are_empty_at_the_upper_bound():
    names = {}
    for space, prevalence in itertools.product(CURVES, (0.6, 0.4)):
        legend = draw(space, prevalence).legend_
        texts = [text.get_text() for text in legend.get_texts()]
        assert texts[2] == "lower bound"
        names[space, prevalence] = [
            text.removeprefix("upper bound, ")[:2] for text in texts
        ]
    assert names["accuracy", 0.6][:2] == ["TN", "FP"]
    assert names["accuracy", 0.4][:2] == ["TP", "FN"]
    for prevalence in (0.6, 0.4):
        assert names["precision", prevalence][:2] == ["TN", "FN"]
        assert names["recall", prevalence][:2] == ["TN", "FP"]


@pytest.mark.parametrize("space", SPACES)
def test_from_predictions(space):
    ax = new_axes()
    display = NormalizedInformationDisplay.from_predictions(
        TRUE, PRED, space=space, ax=ax
    )
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    assert display.prevalence == pytest.approx(TRUE.mean())
    fpr, tpr = PRED[TRUE == 0].mean(), PRED[TRUE == 1].mean()
    ni = normalized_information_score(TRUE, PRED)
    expected = {
        "roc": (fpr, tpr),
        "precision_recall": (tpr, precision_score(TRUE, PRED)),
        "phi_delta": (tpr + fpr - 1, tpr - fpr),
        "accuracy": (accuracy_score(TRUE, PRED), ni),
        "precision": (precision_score(TRUE, PRED), ni),
        "recall": (recall_score(TRUE, PRED), ni),
    }
    np.testing.assert_allclose(display.scatter_.get_offsets(), [expected[space]])
    frame = display.frame()
    assert frame["classifier_name"].tolist() == [""]
    np.testing.assert_allclose(frame["classifier_normalized_information"], [ni])
    display.plot(new_axes(), name="mine")
    assert [text.get_text() for text in display.texts_["names"]] == ["mine"]
    display.plot(new_axes(), name="mine", annotate=False)
    assert display.legend_.get_texts()[0].get_text() == "mine"


@pytest.mark.parametrize("space", SPACES)
def test_drawing_again_adds_classifiers_only(space):
    ax = new_axes()
    first, second = (
        NormalizedInformationDisplay(prevalence=0.4, space=space, **given)
        for given in (
            {"fpr": 0.1, "tpr": 0.8, "name": "first"},
            {"fpr": 0.2, "tpr": 0.6, "name": "second"},
        )
    )
    first.plot(ax, annotate=False)
    n_axes, n_artists = len(ax.figure.axes), len(ax.get_children())
    second.plot(ax, annotate=False)
    assert len(ax.figure.axes) == n_axes
    assert len(ax.get_children()) == n_artists + 1
    for artist in ("contour_", "upper_", "lower_", "infeasible_"):
        assert getattr(first, artist) == getattr(second, artist)
    assert first.texts_ == second.texts_
    texts = [text.get_text() for text in second.legend_.get_texts()]
    assert texts[:2] == ["first", "second"]
    assert len(set(texts)) == len(texts)
    markers = [d.scatter_.get_paths()[0].vertices.tolist() for d in (first, second)]
    assert markers[0] != markers[1]
    # And on Axes of its own the display draws all.
    again = second.plot(new_axes())
    assert again is second
    assert again.ax_ is not ax
    ax.figure.savefig(io.BytesIO())


def test_data_is_kept_unchanged():
    given = {key: list(value) for key, value in MODELS.items()}
    display = NormalizedInformationDisplay(prevalence=0.5, space="recall", **given)
    display.plot(new_axes())
    assert display.prevalence == 0.5
    assert display.space == "recall"
    for key, value in MODELS.items():
        assert getattr(display, key) is given[key]
        assert given[key] == value
    frame = display.frame()
    printed = [0.1468, 0.1245, 0.0468, 0.2958, 0.0611, 0.0611]
    np.testing.assert_allclose(
        frame["classifier_normalized_information"], printed, atol=5e-5
    )
    assert frame["classifier_name"].tolist() == MODELS["name"]
    assert len(display.scatter_) == 6


@pytest.mark.parametrize("prevalence", [0.6, 0.3])
@pytest.mark.parametrize("space", MAPS)
def test_contours_have_their_values_in_line(space, prevalence):
    display = draw(space, prevalence)
    values = [text for text in display.texts_["contours"] if text.get_visible()]
    assert len(values) >= 3
    for text in values:
        level = float(text.get_text())
        ni = information(space, *text.get_position(), prevalence)
        assert ni == pytest.approx(level, abs=0.05)


def test_what_is_written_on_maps():
    roc = [text.get_text() for text in draw("roc").texts_["notes"]]
    swapped = "just as informative,\nanswers swapped"
    assert roc == ["no information", swapped]
    curve = [text.get_text() for text in draw("precision_recall", 0.6).texts_["notes"]]
    assert curve == ["no information", "no such classifier"]
    diamond = {text.get_text() for text in draw("phi_delta").ax_.texts}
    assert {"always right", swapped} <= diamond


def test_wrong_arguments():
    cls = NormalizedInformationDisplay
    with pytest.raises(ValueError, match=r"`space` must be 'roc', .* Got 'ROC'"):
        cls(prevalence=0.5, space="ROC")
    for prevalence in (0, 1, -0.1, np.nan, [0.2, 0.3]):
        with pytest.raises(ValueError, match=r"lie strictly between 0 and 1. Got"):
            cls(prevalence=prevalence)
    with pytest.raises(ValueError, match=r"`fpr` and `tpr` must be given together"):
        cls(prevalence=0.5, fpr=0.5)
    with pytest.raises(ValueError, match=r"a name for each, 2 in all. Got 1"):
        draw("roc", fpr=[0.1, 0.2], tpr=[0.5, 0.6], name=["M1"])
    with pytest.raises(ValueError, match=r"The target y is not binary. Got multiclass"):
        cls.from_predictions([0, 1, 2], [0, 1, 1])
    with pytest.raises(ValueError, match=r"classes \[0, 1, .{60,70}, 998, 999\]\.$"):
        cls.from_confusion_matrix(np.eye(1000))
    with pytest.raises(ValueError, match=r"pos_label=1 is not a valid label.*\['a', "):
        cls.from_predictions(["a", "b"], ["a", "a"], pos_label=1)
    with pytest.raises(ValueError, match=r"with one true class only. Got \[0.0, 2.0\]"):
        cls.from_predictions([1, 1], [0, 1])
    with pytest.raises(ValueError, match=r"with one true class only. Got \[0.0, 2.0\]"):
        cls.from_predictions([1, 1], [1, 1])
    X, y = make_classification(100, n_classes=3, n_informative=4, random_state=0)
    with pytest.raises(ValueError, match=r"only supports classifiers. Got LinearReg"):
        cls.from_estimator(LinearRegression().fit(X, y), X, y)
    model = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match=r"not binary. Got multiclass.*\[0, 1, 2\]"):
        cls.from_estimator(model, X, y)


def test_matrices_are_drawn_at_their_prevalence():
    matrix = contingency_table(TRUE, PRED)
    for given in (matrix, sp.csr_array(matrix), matrix / matrix.sum()):
        display = NormalizedInformationDisplay.from_confusion_matrix(
            given, ax=new_axes()
        )
        expected = NormalizedInformationDisplay.from_predictions(
            TRUE, PRED, ax=new_axes()
        )
        for attribute in ("fpr", "tpr", "prevalence"):
            value = getattr(expected, attribute)
            assert getattr(display, attribute) == pytest.approx(value, rel=1e-14)
    assert display.name is None


def test_several_matrices_need_one_prevalence():
    matrices = {"a": [[80, 20], [10, 90]], "b": [[1, 1], [0, 2]]}
    display = NormalizedInformationDisplay.from_confusion_matrix(matrices)
    assert display.prevalence == 0.5
    np.testing.assert_allclose(display.fpr, [0.2, 0.5])
    assert display.name == ["a", "b"]
    assert len(display.scatter_) == 2
    matrices["c"] = [[3, 0], [0, 1]]
    with pytest.raises(ValueError, match=r"the same for all. Got 0.5, 0.5, 0.25"):
        NormalizedInformationDisplay.from_confusion_matrix(matrices)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones((3, 3)), r"not binary. Got multiclass.*\[0, 1, 2\]"),
        ([[1, 2], [0, 0]], r"with one true class only. Got \[3.0, 0.0\]"),
        ([[1, 2], [0, -1]], "non-negative"),
    ],
)
def test_wrong_matrices(matrix, message):
    with pytest.raises(ValueError, match=message):
        NormalizedInformationDisplay.from_confusion_matrix(matrix)


@pytest.mark.parametrize("prevalence", PREVALENCES)
def test_precisions_below_the_border_are_infeasible(prevalence):
    outline = draw("precision_recall", prevalence).infeasible_.get_xy()
    # Without true negatives a classifier is on the border.
    recall = np.linspace(0.1, 1, 10)
    border = prevalence * recall / (prevalence * recall + 1 - prevalence)
    np.testing.assert_allclose(np.interp(recall, *outline[:201].T), border, atol=1e-4)
    np.testing.assert_array_equal(outline[201], [1, 0])
    below = normalized_information_from_precision_recall(
        border - 1e-3, recall, prevalence
    )
    assert np.isnan(below).all()


def test_names():
    rates = {"fpr": [0.1, 0.2], "tpr": [0.7, 0.8]}
    display = NormalizedInformationDisplay(prevalence=0.4, **rates)
    for annotate in (False, True):
        display.plot(new_axes(), name=["$x_$", "_y"], annotate=annotate)
        texts = display.texts_["names"] if annotate else display.legend_.get_texts()
        assert [text.get_text() for text in texts] == ["$x_$", "_y"]
        assert not any(text.get_parse_math() for text in texts)
    # One name for many classifiers, and none.
    frame = draw("roc", name="sweep", **rates).frame()
    assert frame["classifier_name"].tolist() == ["sweep", "sweep"]
    assert draw("roc", **rates).frame()["classifier_name"].tolist() == ["", ""]
    assert "classifier_fpr" not in draw("roc").frame()


def test_curves_of_scikit_learn_go_on_top():
    score = np.clip(PRED + RNG.normal(0, 0.4, 500), 0, 1)
    for space, curve in (
        ("roc", RocCurveDisplay),
        ("precision_recall", PrecisionRecallDisplay),
    ):
        display = NormalizedInformationDisplay.from_predictions(
            TRUE, PRED, space=space, ax=new_axes()
        )
        curve.from_predictions(TRUE, score, ax=display.ax_)
        display.figure_.savefig(io.BytesIO())


@pytest.mark.parametrize("n_models", [3, 10])
def test_a_list_leaves_room_for_the_diamond(pyplot, misplaced_texts, n_models):
    fpr, tpr = np.linspace(0.05, 0.1, n_models), np.linspace(0.95, 0.9, n_models)
    names = [f"a classifier with a long name, {i}" for i in range(n_models)]
    figure, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    given = {"fpr": fpr, "tpr": tpr, "name": names}
    display = NormalizedInformationDisplay(
        prevalence=0.5, space="phi_delta", **given
    ).plot(ax)
    assert misplaced_texts(figure) == []
    assert np.ptp(ax.get_ylim()) < 3
    assert len(display.texts_["names"]) == n_models


@pytest.mark.parametrize("space", SPACES)
def test_a_list_covers_no_classifier(pyplot, space):
    figure, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    display = NormalizedInformationDisplay(
        prevalence=0.6,
        space=space,
        fpr=np.linspace(0.05, 0.3, 10),
        tpr=np.linspace(0.97, 0.9, 10),
        name=[f"a classifier with a long name, {i}" for i in range(10)],
    ).plot(ax)
    figure.canvas.draw()
    if display.legend_ is not None:
        places = [one.get_offsets()[0] for one in display.scatter_]
        box = display.legend_.get_window_extent()
        assert not box.count_contains(ax.transData.transform(places))
