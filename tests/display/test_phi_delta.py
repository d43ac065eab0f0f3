"""PhiDeltaDisplay: artists against formulas, constructors, layouts, errors."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.legend import Legend
from matplotlib.path import Path
from matplotlib.text import Text
from scipy import sparse as sp
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import measure, phi_delta
from sklearn_entropy_metrics.display.phi_delta import PhiDeltaDisplay
from sklearn_entropy_metrics.features import PhiDeltaSelector, phi_delta_features

pytestmark = pytest.mark.usefixtures("pyplot")

X, Y = load_breast_cancer(return_X_y=True)
X_IRIS, Y_IRIS = load_iris(return_X_y=True)
FAMILIES = ("sensitivity", "specificity", "precision", "npv", "accuracy")
PLANES = (None, 0.1)
RNG = np.random.default_rng(0)
WORDS = RNG.random((300, 120)) < RNG.beta(0.6, 0.6, 120)
TOPICS = RNG.integers(0, 2, 300)
WORDS[:, 0] = TOPICS == 1
WORDS[:, 1] = TOPICS == 0


def random_plane(n_points, seed=0):
    rates = np.random.default_rng(seed).random((2, n_points))
    return measure.phi_delta_from_rates(*rates)


def offsets(artists):
    artists = artists if isinstance(artists, list) else [artists]
    return np.concatenate([np.asarray(artist.get_offsets()) for artist in artists])


def names_of(display):
    """What is written beside points, without numbers, and in the legend."""
    legend = [] if display.legend_ is None else display.legend_.get_texts()
    texts = [*display.texts_["names"], *legend]
    return [text.get_text().split("\n")[0] for text in texts]


def box_of(display):
    """Share of the figure that the box of the plane takes."""
    display.figure_.canvas.draw()
    (outline,) = outlines(display.ax_)
    box, figure = outline.get_window_extent(), display.figure_.bbox
    return box.width * box.height / (figure.width * figure.height)


def corrected(phi, delta, prevalence):
    """Formulas of the paper, with the shares n of negatives and p of positives."""
    excess = 0 if prevalence is None else (1 - prevalence) - prevalence
    return np.stack([phi + excess * (1 - delta), delta - excess * phi], axis=-1)


def outlines(ax):
    return [one for one in ax.patches if one.get_label() == "_phi-delta plane"]


@pytest.mark.parametrize("prevalence", PLANES)
def test_points_and_corners(prevalence):
    phi, delta = random_plane(20)
    display = PhiDeltaDisplay(phi=phi, delta=delta, prevalence=prevalence)
    assert display.plot() is display
    expected = corrected(phi, delta, prevalence)
    np.testing.assert_allclose(offsets(display.scatter_), expected)
    (outline,) = outlines(display.ax_)
    p = 0.5 if prevalence is None else prevalence
    n = 1 - p
    corners = [(0, 1), (2 * n, p - n), (2 * (n - p), -1), (-2 * p, n - p)]
    np.testing.assert_allclose(outline.get_xy()[:4], corners, atol=1e-12)
    assert (Path(outline.get_xy()).contains_points(expected)).all()


def test_data_are_kept_and_given():
    phi, delta, names = [0.1, -0.2], [0.5, 0.6], ["a", "b"]
    display = PhiDeltaDisplay(phi=phi, delta=delta, name=names, prevalence=0.3)
    display.plot().plot()
    assert display.phi is phi
    assert display.delta is delta
    assert display.name is names
    frame = display.frame()
    assert frame["name"].tolist() == names
    assert frame["phi"].tolist() == phi
    assert frame["delta"].tolist() == delta
    drawn = np.stack([frame["phi_g"], frame["delta_g"]], axis=-1)
    np.testing.assert_allclose(drawn, corrected(np.array(phi), np.array(delta), 0.3))
    np.testing.assert_allclose(drawn, offsets(display.scatter_))
    one = PhiDeltaDisplay(phi=0.1, delta=0.2).frame()
    assert set(one) == {"name", "phi", "delta"}
    assert one["name"].tolist() == [""]


def test_a_point_for_each_class():
    names = load_iris().target_names[Y_IRIS]
    estimator = GaussianNB().fit(X_IRIS[::3], names[::3])
    display = PhiDeltaDisplay.from_estimator(estimator, X_IRIS, names)
    table = confusion_matrix(names, estimator.predict(X_IRIS))
    expected = []
    for j in range(3):
        tpr = table[j, j] / table[j].sum()
        fpr = (table[:, j].sum() - table[j, j]) / (table.sum() - table[j].sum())
        expected.append((tpr + fpr - 1, tpr - fpr))
    np.testing.assert_allclose(offsets(display.scatter_), expected)
    assert sorted(names_of(display)) == ["setosa", "versicolor", "virginica"]
    looks = {tuple(one.get_paths()[0].vertices.ravel()) for one in display.scatter_}
    assert len(looks) == 3
    named = PhiDeltaDisplay.from_estimator(estimator, X_IRIS, names, name="NB")
    assert named.name[0] == "NB: setosa"
    single = PhiDeltaDisplay.from_estimator(
        estimator, X_IRIS, names, pos_label="virginica"
    )
    np.testing.assert_allclose(offsets(single.scatter_), expected[2:])


def test_rejected_samples_are_negative():
    display = PhiDeltaDisplay.from_predictions(
        ["a", "a", "b", "b"], ["a", "?", "b", "?"], pred_labels=["a", "b", "?"]
    )
    np.testing.assert_allclose(offsets(display.scatter_), [(-0.5, 0.5)])


def test_undefined_points_are_left_out_with_a_warning(misplaced_texts):
    with pytest.warns(UndefinedMetricWarning, match="not drawn"):
        display = PhiDeltaDisplay.from_predictions([1, 1], [1, 0], annotate=True)
    assert np.isnan(display.frame()["delta"]).all()
    display.figure_.canvas.draw()
    with pytest.warns(UndefinedMetricWarning):
        display = PhiDeltaDisplay.from_predictions(
            [0, 0, 1, 1], [0, 1, 1, 2], annotate=True
        )
    assert {text.get_text() for text in display.texts_["names"]} == {"0", "1"}
    assert misplaced_texts(display.figure_) == []


def test_classes_that_are_named_have_points_even_without_weight():
    cv_results = cross_validate(
        GaussianNB(), X_IRIS, Y_IRIS, return_estimator=True, return_indices=True
    )
    weight = (Y_IRIS != 2).astype(float)
    with pytest.warns(UndefinedMetricWarning, match="not drawn") as caught:
        display = PhiDeltaDisplay.from_cv_results(
            cv_results, X_IRIS, Y_IRIS, sample_weight=weight, labels=[0, 1, 2]
        )
    assert caught[0].filename == __file__
    assert np.isnan(np.asarray(display.delta)[:, 2]).all()
    with pytest.raises(ValueError, match="must not be all zero"):
        PhiDeltaDisplay.from_cv_results(
            cv_results, X_IRIS, Y_IRIS, sample_weight=np.zeros(150)
        )


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array, pd.DataFrame])
def test_features(container, misplaced_texts):
    display = PhiDeltaDisplay.from_features(container(WORDS.astype(int)), TOPICS)
    expected = np.stack(phi_delta_features(WORDS, TOPICS), axis=-1)
    np.testing.assert_allclose(offsets(display.scatter_), expected)
    assert display.view == "feature"
    prefix = "" if container is pd.DataFrame else "x"
    assert display.frame()["name"][5] == f"{prefix}5"
    strongest = np.argsort(-np.abs(expected[:, 1]), kind="stable")[:10]
    names = [text.get_text() for text in display.texts_["names"]]
    assert names == [f"{prefix}{i}" for i in strongest]
    assert display.center_ is None
    texts = [text.get_text() for text in display.ax_.texts]
    for corner in ("covariant", "contravariant", "pervasive", "rare"):
        assert any(text.startswith(corner) for text in texts)
    assert box_of(display) > 0.36
    assert misplaced_texts(display.figure_) == []


def test_features_of_many_classes():
    topics = np.arange(300) % 3
    display = PhiDeltaDisplay.from_features(WORDS, topics, annotate=False)
    selector = PhiDeltaSelector().fit(WORDS, topics)
    np.testing.assert_allclose(display.phi, selector.phi_)
    np.testing.assert_allclose(display.delta, selector.delta_)
    one = PhiDeltaDisplay.from_features(WORDS, topics, pos_label=2, annotate=False)
    np.testing.assert_allclose(
        one.delta, phi_delta_features(WORDS, topics, pos_label=2)[1]
    )


@pytest.mark.parametrize("prevalence", PLANES)
@pytest.mark.parametrize("family", FAMILIES)
def test_isometrics_lie_where_the_measure_is_constant(family, prevalence):
    values = [0.2, 0.5, 0.85]
    display = PhiDeltaDisplay(phi=0, delta=0, prevalence=prevalence).plot(
        isometrics={family: values}
    )
    positive = 0.5 if prevalence is None else prevalence
    segments = np.array(display.isometric_lines_[family].get_segments())
    assert len(segments) == 3
    inner = np.linspace(0.1, 0.9, 5)[:, None, None]
    points = segments[:, 0] + inner * (segments[:, 1] - segments[:, 0])
    fpr, tpr = measure.rates_from_phi_delta(
        points[..., 0], points[..., 1], prevalence=prevalence
    )
    tp, fp = positive * tpr, (1 - positive) * fpr
    fn, tn = positive - tp, (1 - positive) - fp
    measured = {
        "sensitivity": tpr,
        "specificity": 1 - fpr,
        "precision": tp / (tp + fp),
        "npv": tn / (tn + fn),
        "accuracy": tp + tn,
    }[family]
    np.testing.assert_allclose(measured, np.broadcast_to(values, measured.shape))
    for text in display.texts_["isometrics"]:
        place = np.array(text.get_position())
        start, end = segments[values.index(float(text.get_text()))]
        along, away = end - start, place - start
        assert abs(along[0] * away[1] - along[1] * away[0]) < 1e-9


@pytest.mark.parametrize("prevalence", PLANES)
@pytest.mark.parametrize("region", [(0.7, 0.3), (1, 0)])
def test_region_is_where_features_are_selected(region, prevalence):
    phi, delta = random_plane(2000)
    display = PhiDeltaDisplay(
        phi=phi, delta=delta, prevalence=prevalence, view="feature"
    ).plot(region=region)
    points = corrected(phi, delta, prevalence)
    shaded = sum(Path(one.get_xy()).contains_points(points) for one in display.region_)
    selected = (np.abs(phi) < region[0]) & (
        np.abs(delta) >= region[1] * (1 - np.abs(phi))
    )
    np.testing.assert_array_equal(shaded, selected)
    assert names_of(display) == ["selected"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"phi": [0, 0], "delta": [0]}, r"same shape\. Got \(2,\) and \(1,\)"),
        ({"phi": 0.8, "delta": 0.5}, r"<= 1. Got phi=0.8 with delta=0.5"),
        ({"phi": [], "delta": []}, "must hold at least one point"),
        ({"view": "rows"}, "'classifier' or 'feature'. Got 'rows'"),
        ({"prevalence": 1}, "strictly between 0 and 1. Got 1"),
        ({"prevalence": -0.1}, "strictly between 0 and 1. Got -0.1"),
        ({"name": ["a", "b"]}, "a name for each, 1 in all. Got 2 names"),
    ],
)
def test_wrong_data(data, message):
    with pytest.raises(ValueError, match=message):
        PhiDeltaDisplay(**{"phi": 0, "delta": 0, **data})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"isometrics": ["recall"]}, "must be among .*'information'. Got 'recall'"),
        ({"isometrics": "f1"}, "Got 'f1'"),
        ({"region": (0, 0.5)}, r"max_phi in \(0, 1\].* Got \(0, 0.5\)"),
        ({"region": (0.5, 2)}, "min_delta"),
        ({"region": 0.5}, "pair"),
        ({"annotate": -1}, "`annotate` must be .* Got -1"),
        ({"annotate": 1}, "for features, a number ≥ 0. Got 1"),
        ({"annotate": "all"}, "`annotate` must be .* Got 'all'"),
        ({"name": ["a", "b"]}, "a name for each, 1 in all. Got 2 names"),
    ],
)
def test_wrong_options(pyplot, options, message):
    with pytest.raises(ValueError, match=message):
        PhiDeltaDisplay(phi=0, delta=0).plot(**options)
    assert pyplot.get_fignums() == []


def test_wrong_arguments_of_constructors():
    with pytest.raises(ValueError, match=r"only supports classifiers\. Got LinearReg"):
        PhiDeltaDisplay.from_estimator(LinearRegression().fit(X, Y), X, Y)
    with pytest.raises(ValueError, match=r"'estimator' and 'indices'\. Got"):
        PhiDeltaDisplay.from_cv_results({"test_score": [1]}, X, Y)
    with pytest.raises(ValueError, match="pos_label=7 is not a valid label"):
        PhiDeltaDisplay.from_predictions([0, 1], [0, 1], pos_label=7)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        PhiDeltaDisplay.from_predictions([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        PhiDeltaDisplay.from_roc([0, 1], [0, 0.5, 1])
    with pytest.raises(ValueError, match=r"\|phi\| \+ \|delta\| <= 1"):
        PhiDeltaDisplay.from_roc([0, 1], [0, 2])
    labels = np.array([0, 1] * 500)
    for dtype in (int, np.uint8, bool):
        with pytest.raises(ValueError, match=r"must not fall.*roc_curve") as error:
            PhiDeltaDisplay.from_roc(labels.astype(dtype), labels)
        assert len(str(error.value)) < 200
    with pytest.raises(ValueError, match=r"`fpr` must not fall.*roc_curve.*'no'"):
        PhiDeltaDisplay.from_roc(["no", "yes"], ["no", "yes"])
    with pytest.raises(ValueError, match="needs a square table"):
        PhiDeltaDisplay.from_confusion_matrix([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(
        ValueError, match=r"labels must name each row.* 2 in all\. Got 1"
    ):
        PhiDeltaDisplay.from_confusion_matrix([[1, 2], [3, 4]], labels=["a"])
    with pytest.raises(ValueError, match=r"`feature_names` must hold .* Got 1 names"):
        PhiDeltaDisplay.from_features(WORDS, TOPICS, feature_names=["a"])


def test_matrices_of_two_classes_have_a_point_each():
    matrices = RNG.integers(1, 50, (4, 2, 2))
    phi, delta = measure.phi_delta(matrices)
    one = PhiDeltaDisplay.from_confusion_matrix(matrices[0], name="one")
    assert (one.phi, one.delta) == (phi[0], delta[0])
    assert one.name == "one"
    cloud = PhiDeltaDisplay.from_confusion_matrix(matrices)
    np.testing.assert_array_equal(cloud.phi, phi)
    assert cloud.center_ is cloud.pooled is None
    named = PhiDeltaDisplay.from_confusion_matrix(matrices, name=list("abcd"))
    assert named.frame()["name"].tolist() == list("abcd")
    assert len(named.scatter_) == 4


def test_the_positive_class_of_a_matrix():
    matrix = [[8, 2], [1, 9]]
    second = measure.phi_delta(matrix)
    first = measure.phi_delta([[9, 1], [2, 8]])
    for options, expected in (
        ({}, second),
        ({"labels": ["a", "b"]}, second),
        ({"labels": ["b", "a"]}, first),
        ({"labels": ["a", "b"], "pos_label": "a"}, first),
        ({"pos_label": 0}, first),
    ):
        display = PhiDeltaDisplay.from_confusion_matrix(matrix, **options)
        np.testing.assert_allclose((display.phi, display.delta), expected)


def test_matrices_of_more_classes_have_a_point_for_each():
    matrices = RNG.integers(1, 50, (5, 3, 3))
    one = PhiDeltaDisplay.from_confusion_matrix(matrices[0], labels=list("abc"))
    np.testing.assert_allclose(one.delta, phi_delta_of_classes(matrices[0])[1])
    assert one.frame()["name"].tolist() == ["a", "b", "c"]
    stack = PhiDeltaDisplay.from_confusion_matrix(matrices, name="m")
    assert np.shape(stack.phi) == (5, 3)
    assert stack.frame()["name"].tolist() == ["m: 0", "m: 1", "m: 2"] * 5
    np.testing.assert_allclose(stack.phi, phi_delta_of_classes(matrices)[0])
    sparse = PhiDeltaDisplay.from_confusion_matrix(sp.csr_array(matrices[0]))
    np.testing.assert_allclose(sparse.delta, one.delta)


def phi_delta_of_classes(matrices):
    return measure.phi_delta(matrices, average=None)


def test_an_empty_table_of_a_stack_is_not_drawn():
    display = PhiDeltaDisplay.from_confusion_matrix(
        [[[8, 2], [1, 9]], [[0, 0], [0, 0]]]
    )
    assert np.isnan(display.delta).tolist() == [False, True]
    with pytest.warns(UndefinedMetricWarning, match="not drawn"):
        PhiDeltaDisplay.from_confusion_matrix([[8, 2], [0, 0]])


@pytest.mark.parametrize("prevalence", [None, 0.3])
def test_folds_are_dots_and_a_pooled_mark(prevalence):
    cv_results = cross_validate(
        GaussianNB(), X, Y, cv=7, return_estimator=True, return_indices=True
    )
    display = PhiDeltaDisplay.from_cv_results(
        cv_results, X, Y, prevalence=prevalence, name="NB"
    )
    folds = zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True)
    tables = np.stack([confusion_matrix(Y[i], one.predict(X[i])) for one, i in folds])
    expected = corrected(*measure.phi_delta(tables), prevalence)
    np.testing.assert_allclose(offsets(display.scatter_), expected)
    pooled = corrected(*measure.phi_delta(tables.sum(axis=0)), prevalence)
    np.testing.assert_allclose(offsets(display.center_), [pooled])
    assert names_of(display) == ["NB", "all folds together"]


def test_the_corners_are_named():
    display = PhiDeltaDisplay(phi=0, delta=0).plot()
    texts = {text.get_text(): text for text in display.ax_.texts}
    for words, corner in {
        "always right": (0, 1),
        "always\nsays “yes”": (1, 0),
        "always wrong": (0, -1),
        "always\nsays “no”": (-1, 0),
    }.items():
        np.testing.assert_allclose(texts[words].xy, corner)
    assert display.ax_.get_xlabel() == "φ: tends to answer “yes” →"
    assert display.ax_.get_ylabel() == "δ: tells the classes apart →"
    assert display.ax_.axison
    assert display.ax_.get_xticks().tolist() == [-1, 0, 1]
    assert display.ax_.get_yticks().tolist() == [-1, -0.5, 0, 0.5, 1]


def test_zoom_shows_the_part_with_the_points():
    phi, delta = [0.01, 0.05], [0.9, 0.92]
    ax = PhiDeltaDisplay(phi=phi, delta=delta, name=["a", "b"]).plot(zoom=True).ax_
    low, high = ax.get_ylim()
    assert low < 0.9 < 0.92 < high < low + 0.2
    assert ax.get_aspect() == 1


def test_a_list_that_would_leave_no_room_is_left_out(pyplot, misplaced_texts):
    names = [f"a classifier with a long name, {i}" for i in range(10)]
    phi, delta = np.linspace(-0.1, 0.1, 10), np.linspace(0.5, 0.8, 10)
    display = PhiDeltaDisplay(phi=phi, delta=delta, name=names)
    texts = [text.get_text() for text in display.plot().legend_.get_texts()]
    assert texts == [f"{i}  {name}" for i, name in enumerate(names[::-1], start=1)]
    figure, axes = pyplot.subplots(2, 3)
    display.plot(axes[0, 0])
    assert display.legend_ is None
    ends = [text.get_text() for text in display.texts_["names"]]
    assert ends == ["a classi…, 9", "a classi…, 0"]
    assert box_of(display) > 0.4 / 6 / 2
    assert misplaced_texts(figure) == []


def listed_on(ax):
    """The texts of each legend, from left to right."""
    legends = [one for one in ax.get_children() if isinstance(one, Legend)]
    legends.sort(key=lambda one: one.get_window_extent().x0)
    return [[text.get_text() for text in one.get_texts()] for one in legends]


@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("long", [False, True])
def test_ten_names_are_listed_in_small_axes(pyplot, misplaced_texts, layout, long):
    """In one or both upper corners, beside a plane that stays large."""
    names = [f"{i} model" + long * " with a long name" for i in range(10)]
    phi, delta = np.linspace(-0.1, 0.1, 10), np.linspace(0.5, 0.8, 10)
    figure, ax = pyplot.subplots(figsize=(3, 2.5), layout=layout)
    display = PhiDeltaDisplay(phi=phi, delta=delta, name=names).plot(ax)
    assert box_of(display) > 0.3
    listed = [text for texts in listed_on(ax) for text in texts]
    starts = [f"{i}  {10 - i}" for i in range(1, 11)]
    assert [" ".join(text.split(" ")[:3]) for text in listed] == starts
    assert len(display.texts_["names"]) == 10
    assert misplaced_texts(figure) == []


def test_later_points_are_listed_with_earlier_ones(pyplot):
    _, ax = pyplot.subplots(layout="constrained")
    near_the_top(30).plot(ax, region=(0.8, 0.3))
    display = PhiDeltaDisplay(phi=0, delta=-0.5, name="b").plot(ax)
    first, second = listed_on(ax)
    assert len(first) + len(second) == 32
    assert second[-2:] == ["31  b", "selected"]
    assert display.legend_.get_texts()[-1].get_text() == "selected"


def test_names_of_a_list_are_shortened_before_it_is_left_out(pyplot, misplaced_texts):
    names = [f"a classifier with a long name, {i}" for i in range(3)]
    display = PhiDeltaDisplay(phi=[0, 0.03, 0.04], delta=[0.89, 0.84, 0.82], name=names)
    figure, ax = pyplot.subplots(figsize=(3.2, 3.2), layout="constrained")
    display.plot(ax)
    listed = [text.get_text() for text in display.legend_.get_texts()]
    assert listed == [f"{i}  a classifi…ame, {i - 1}" for i in (1, 2, 3)]
    assert len(display.texts_["names"]) == 3
    assert misplaced_texts(figure) == []


def test_no_line_runs_through_names_of_unbiased_classifiers():
    ax = PhiDeltaDisplay(phi=0, delta=0.9).plot().ax_
    (line,) = ax.collections[0].get_segments()
    assert (line[:, 1] == 0).all()


def test_a_list_does_not_hide_a_zoomed_plane():
    for n_names, is_listed in ((10, True), (90, False)):
        phi, delta = np.linspace(-0.1, 0.1, n_names), np.linspace(0.5, 0.8, n_names)
        names = [f"a class with a long name, number {i}" for i in range(n_names)]
        display = PhiDeltaDisplay(phi=phi, delta=delta, name=names).plot(zoom=True)
        assert (display.legend_ is not None) == is_listed
        if not is_listed:
            ends = [text.get_text()[-2:] for text in display.texts_["names"]]
            assert ends == ["89", "88", "87", "86", " 3", " 2", " 1", " 0"]


def test_classes_of_two_classifiers_have_no_room_for_a_list(misplaced_texts):
    delta = np.linspace(0.2, 0.8, 30)
    given = {"phi": 0.2 * (delta - 0.2), "delta": delta}
    first = PhiDeltaDisplay(**given, name=[f"first {i}" for i in range(30)]).plot()
    given["delta"] = -delta
    names = [f"second {i}" for i in range(30)]
    second = PhiDeltaDisplay(**given, name=names).plot(first.ax_)
    texts = [text.get_text() for text in second.texts_["names"]]
    assert texts == [*(f"first {i}" for i in (29, 28, 27, 26)), *names[26:]]
    assert misplaced_texts(first.figure_) == []
    colors = [
        {tuple(one.get_facecolor()[0]) for one in d.scatter_} for d in (first, second)
    ]
    assert [len(one) for one in colors] == [1, 1]
    assert colors[0] != colors[1]
    # Names, unlike numbers, stay what they are, also digits.
    third = PhiDeltaDisplay(phi=[0.3, 0.4], delta=[0.1, 0.2], name=["a", "7"])
    third.plot(first.ax_)
    assert [text.get_text() for text in third.texts_["names"]] == ["a", "7"]


@pytest.mark.parametrize("pos_label", [None, 0])
def test_binary_predictions(pos_label):
    y_pred, weight = GaussianNB().fit(X[::2], Y[::2]).predict(X), np.arange(len(Y)) % 3
    options = {"pos_label": pos_label, "sample_weight": weight}
    display = PhiDeltaDisplay.from_predictions(Y, y_pred, **options)
    options["pos_label"] = 1 if pos_label is None else pos_label
    expected = phi_delta(Y, y_pred, **options)
    np.testing.assert_allclose(offsets(display.scatter_), [expected])
    numbers = "δ = {1:.2f}, φ = {0:.2f}".format(*expected).replace("-", "−")
    assert display.texts_["names"][0].get_text() == numbers
    assert display.legend_ is None


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_information_is_that_of_the_measure(prevalence):
    contours = (
        PhiDeltaDisplay(phi=0.1, delta=0.5, prevalence=prevalence)
        .plot(isometrics="information")
        .information_
    )
    positive = 0.5 if prevalence is None else prevalence
    for low, high, path in zip(
        contours.levels, contours.levels[1:], contours.get_paths(), strict=False
    ):
        fpr, tpr = measure.rates_from_phi_delta(*path.vertices.T, prevalence=prevalence)
        inside = (np.minimum(fpr, tpr) > 0.02) & (np.maximum(fpr, tpr) < 0.98)
        plane = measure.phi_delta_from_rates(fpr[inside], tpr[inside])
        bits = measure.mutual_information_from_phi_delta(*plane, prevalence=positive)
        assert ((bits > low - 0.01) & (bits < high + 0.01)).all()


@pytest.mark.parametrize("prevalence", PLANES)
def test_roc_curve_is_turned(prevalence):
    fpr, tpr = np.array([0, 0, 0.2, 1]), np.array([0, 0.5, 0.8, 1])
    display = PhiDeltaDisplay.from_roc(fpr, tpr, name="$a$", prevalence=prevalence)
    expected = corrected(tpr + fpr - 1, tpr - fpr, prevalence)
    np.testing.assert_allclose(display.line_.get_xydata(), expected, atol=1e-12)
    assert display.scatter_ is None
    (name,) = display.texts_["names"]
    assert (name.get_text(), name.get_parse_math()) == ("$a$", False)
    second = PhiDeltaDisplay.from_roc(
        [0, 1], [0, 1], ax=display.ax_, prevalence=prevalence
    )
    assert second.line_.get_color() != display.line_.get_color()
    assert second.line_.get_linestyle() != display.line_.get_linestyle()


def test_a_second_display_adds_to_the_first(pyplot):
    _, ax = pyplot.subplots()
    PhiDeltaDisplay(phi=0, delta=0.5, name="a").plot(ax, isometrics=FAMILIES)
    second = PhiDeltaDisplay(phi=0.1, delta=0.4, name="b").plot(ax, region=(0.5, 0.5))
    assert len(outlines(ax)) == 1
    entries = [text.get_text() for text in second.legend_.get_texts()]
    assert {*FAMILIES, "selected"} <= set(entries)
    assert len(entries) == len(set(entries))
    with pytest.raises(ValueError, match="the plane of the same prevalence"):
        PhiDeltaDisplay(phi=0, delta=0, prevalence=0.1).plot(ax)


@pytest.mark.parametrize("n_names", [1, 3, 10, 30])
def test_the_plane_fills_the_figure(n_names):
    """Even beside a list of names; more than ten series look alike."""
    phi, delta = np.linspace(-0.1, 0.1, n_names), np.linspace(0.5, 0.8, n_names)
    names = [f"a classifier, {i}" for i in range(n_names)]
    display = PhiDeltaDisplay(phi=phi, delta=delta, name=names).plot()
    assert box_of(display) > 0.4
    looks = {tuple(one.get_facecolor()[0]) for one in np.atleast_1d(display.scatter_)}
    assert len(looks) == (1 if n_names > 10 else n_names)
    assert n_names > 10 or len(names_of(display)) >= n_names


def near_the_top(n_points):
    """Points so near to each other that long names do not fit beside them."""
    names = [f"a classifier with a long name, {i}" for i in range(n_points)]
    phi, delta = np.linspace(0, 0.05, n_points), np.linspace(0.9, 0.8, n_points)
    return PhiDeltaDisplay(phi=phi, delta=delta, name=names)


@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("annotate", ["auto", False])
def test_no_list_of_names_squeezes_the_plane(pyplot, layout, annotate):
    _, axes = pyplot.subplots(2, 3, figsize=(9.6, 6.4), layout=layout)
    display = near_the_top(10).plot(axes[0, 0], annotate=annotate, region=(0.8, 0.3))
    assert box_of(display) > 0.35 / 6
    assert len(np.unique(offsets(display.scatter_), axis=0)) == 10


def test_no_leader_runs_through_a_name(pyplot):
    """In small Axes, three near points have numbers instead."""
    figure, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    display = near_the_top(3).plot(ax)
    figure.canvas.draw()
    assert [text.get_text() for text in display.texts_["names"]] == ["1", "2", "3"]
    for label in display.texts_["names"]:
        if label.arrow_patch.get_visible():
            path = label.arrow_patch.get_path().interpolated(50)
            line = label.arrow_patch.get_transform().transform_path(path).vertices
            for other in set(display.texts_["names"]) - {label}:
                assert not Text.get_window_extent(other).count_contains(line)


def test_many_classes_have_the_look_of_their_classifier():
    labels = np.repeat(np.arange(20), 9)
    given = {name: np.roll(labels, shift) for name, shift in (("a: b", 1), ("c", 2))}
    display = PhiDeltaDisplay.from_predictions(labels, given)
    looks = [
        (tuple(one.get_facecolor()[0]), len(one.get_paths()[0]))
        for one in display.scatter_
    ]
    assert looks == 20 * [looks[0]] + 20 * [looks[-1]]
    assert looks[0][0] != looks[-1][0]
    assert looks[0][1] != looks[-1][1]


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_a_colour_bar_stands_beside_the_axes(pyplot, layout):
    """Also on a wide figure, where the plane leaves much room."""
    figure, ax = pyplot.subplots(figsize=(10, 3.5), layout=layout)
    display = PhiDeltaDisplay(phi=0, delta=0.8).plot(ax, isometrics="information")
    figure.canvas.draw()
    gap = display.colorbar_.ax.bbox.x0 - ax.bbox.x1
    assert 0 < gap < 0.1 * figure.bbox.width


def test_zero_has_no_sign():
    display = PhiDeltaDisplay(phi=-1e-9, delta=0.5).plot()
    assert display.texts_["names"][0].get_text() == "δ = 0.50, φ = 0.00"


@pytest.mark.parametrize("prevalence", [None, 0.2, 0.35])
@pytest.mark.parametrize("layout", [None, "constrained"])
def test_words_of_a_corrected_plane_are_apart(
    pyplot, misplaced_texts, prevalence, layout
):
    figure, axes = pyplot.subplots(2, 3, figsize=(9.6, 6.4), layout=layout)
    for ax in axes.flat:
        PhiDeltaDisplay(phi=0.1, delta=0.8, prevalence=prevalence).plot(ax)
    assert misplaced_texts(figure) == []


def test_a_colour_bar_leaves_room_for_the_words(pyplot, misplaced_texts):
    figure, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    PhiDeltaDisplay(phi=0, delta=0.8).plot(ax, isometrics="information")
    assert misplaced_texts(figure) == []


def test_a_single_classifier_has_its_name_beside_it(pyplot):
    """Even where isometrics leave no room: a list of one would not help."""
    _, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    display = PhiDeltaDisplay(phi=0, delta=0.9, name="a").plot(ax, isometrics=FAMILIES)
    assert names_of(display) == ["a", *FAMILIES]


def test_fewer_features_are_named_on_small_axes(pyplot):
    _, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    for given, n_names in ((None, 10), (ax, 6)):
        display = PhiDeltaDisplay.from_features(WORDS, TOPICS, ax=given)
        assert len(display.texts_["names"]) == n_names
