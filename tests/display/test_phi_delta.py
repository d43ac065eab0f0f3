"""PhiDeltaDisplay: artists against formulas, constructors, layouts, errors."""

import io
import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.path import Path
from scipy import sparse as sp
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import confusion_matrix, roc_curve
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import measure, phi_delta
from sklearn_entropy_metrics.display.phi_delta import PhiDeltaDisplay
from sklearn_entropy_metrics.features import PhiDeltaSelector, phi_delta_features

pytestmark = pytest.mark.usefixtures("pyplot")

X, Y = load_breast_cancer(return_X_y=True)
X_IRIS, Y_IRIS = load_iris(return_X_y=True)
FAMILIES = ("sensitivity", "specificity", "precision", "npv", "accuracy")
PLANES = (None, 0.1, 0.5, 0.8)
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


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("pos_label", [None, 0, 1])
def test_binary_predictions(weighted, pos_label):
    y_pred = GaussianNB().fit(X[::2], Y[::2]).predict(X)
    weight = np.arange(len(Y)) % 3 if weighted else None
    display = PhiDeltaDisplay.from_predictions(
        Y, y_pred, pos_label=pos_label, sample_weight=weight
    )
    positive = 1 if pos_label is None else pos_label
    expected = phi_delta(Y, y_pred, pos_label=positive, sample_weight=weight)
    np.testing.assert_allclose(offsets(display.scatter_), [expected])
    numbers = "δ = {1:.2f}, φ = {0:.2f}".format(*expected).replace("-", "−")
    (text,) = display.texts_["names"]
    assert text.get_text() == numbers
    assert display.legend_ is None


@pytest.mark.parametrize("data", [(X, Y), (X_IRIS, Y_IRIS)])
def test_estimator_equals_predictions(data):
    estimator = GaussianNB().fit(data[0][::2], data[1][::2])
    y_pred = estimator.predict(data[0])
    one = PhiDeltaDisplay.from_estimator(estimator, *data, prevalence=0.4)
    other = PhiDeltaDisplay.from_predictions(data[1], y_pred, prevalence=0.4)
    np.testing.assert_array_equal(offsets(one.scatter_), offsets(other.scatter_))
    if len(set(data[1])) == 2:
        assert one.name == "GaussianNB"
    else:
        assert one.name == other.name == ["0", "1", "2"]


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


def test_folds_of_many_classes_are_a_cloud_for_each():
    cv_results = cross_validate(
        GaussianNB(),
        X_IRIS,
        Y_IRIS,
        cv=KFold(4, shuffle=True, random_state=0),
        return_estimator=True,
        return_indices=True,
    )
    display = PhiDeltaDisplay.from_cv_results(cv_results, X_IRIS, Y_IRIS)
    assert np.shape(display.phi) == (4, 3)
    assert len(display.scatter_) == len(display.center_) == 3
    assert display.frame()["name"].tolist() == ["0", "1", "2"] * 4
    display.plot(annotate=True)
    assert len(display.texts_["names"]) == 3


@pytest.mark.parametrize("cv", [KFold(5), KFold(3, shuffle=True, random_state=0)])
def test_folds_with_a_class_that_weighs_nothing(cv):
    """It has no point, though some samples are predicted to be of it."""
    cv_results = cross_validate(
        GaussianNB(), X_IRIS, Y_IRIS, cv=cv, return_estimator=True, return_indices=True
    )
    weight = (Y_IRIS != 2).astype(float)
    keep = [fold[Y_IRIS[fold] != 2] for fold in cv_results["indices"]["test"]]
    with warnings.catch_warnings():
        # Some folds of sorted samples lack another class, or have no weight at all.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        display = PhiDeltaDisplay.from_cv_results(
            cv_results, X_IRIS, Y_IRIS, sample_weight=weight
        )
    pairs = list(zip(cv_results["estimator"], keep, strict=True))
    pred = [e.predict(X_IRIS[fold]) if len(fold) else [] for e, fold in pairs]
    tables = [
        [
            [
                np.sum((Y_IRIS[fold] == 0) & (y != 1)),
                np.sum((Y_IRIS[fold] == 0) & (y == 1)),
            ],
            [
                np.sum((Y_IRIS[fold] == 1) & (y != 1)),
                np.sum((Y_IRIS[fold] == 1) & (y == 1)),
            ],
        ]
        for (_, fold), y in zip(pairs, map(np.asarray, pred), strict=True)
    ]
    assert np.concatenate(pred).max() == 2
    phi, delta = measure.phi_delta(np.array(tables))
    np.testing.assert_allclose(display.phi, phi)
    np.testing.assert_allclose(display.delta, delta)
    pooled = measure.phi_delta(np.sum(tables, axis=0))
    np.testing.assert_allclose(display.pooled, pooled)


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


def test_warnings_point_at_the_caller():
    model = GaussianNB().fit(X_IRIS, Y_IRIS)
    for draw in (
        lambda: PhiDeltaDisplay.from_predictions([1, 1], [1, 0]),
        lambda: PhiDeltaDisplay.from_estimator(model, X_IRIS[:50], Y_IRIS[:50]),
    ):
        with pytest.warns(UndefinedMetricWarning, match="not drawn") as caught:
            draw()
        place = __file__, draw.__code__.co_firstlineno
        assert [(one.filename, one.lineno) for one in caught] == [place]


def test_no_points():
    for nothing in ([], np.empty((0, 3)), np.empty((3, 0))):
        with pytest.raises(
            ValueError, match="`phi` and `delta` must hold at least one po"
        ):
            PhiDeltaDisplay(phi=nothing, delta=nothing)


def test_features_by_presence():
    counts = WORDS * RNG.integers(1, 9, WORDS.shape)
    display = PhiDeltaDisplay.from_features(counts, TOPICS, presence=True)
    expected = phi_delta_features(WORDS, TOPICS)
    np.testing.assert_allclose((display.phi, display.delta), expected)


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
def test_roc_curve_is_turned(prevalence):
    scores = LogisticRegression().fit(X[:, :1], Y).predict_proba(X[:, :1])[:, 1]
    fpr, tpr, _ = roc_curve(Y, scores)
    display = PhiDeltaDisplay.from_roc(fpr, tpr, name="$a$", prevalence=prevalence)
    expected = corrected(tpr + fpr - 1, tpr - fpr, prevalence)
    np.testing.assert_allclose(display.line_.get_xydata(), expected, atol=1e-12)
    assert display.scatter_ is None
    assert not display.texts_["names"][0].get_parse_math()
    second = PhiDeltaDisplay.from_roc(
        [0, 1], [0, 1], ax=display.ax_, prevalence=prevalence, line_kwargs={"lw": 3}
    )
    assert second.line_.get_linewidth() == 3
    assert second.line_.get_color() != display.line_.get_color()
    assert second.line_.get_linestyle() != display.line_.get_linestyle()
    assert display.plot(annotate=True).texts_["names"][0].get_text() == "$a$"


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


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_information_contours(prevalence):
    display = PhiDeltaDisplay(phi=0.1, delta=0.5, prevalence=prevalence).plot(
        isometrics="information"
    )
    levels = display.information_.levels
    positive = 0.5 if prevalence is None else prevalence
    seen = 0
    for low, high, path in zip(
        levels, levels[1:], display.information_.get_paths(), strict=False
    ):
        x, y = path.vertices.T
        fpr, tpr = measure.rates_from_phi_delta(x, y, prevalence=prevalence)
        inside = (np.minimum(fpr, tpr) > 0.02) & (np.maximum(fpr, tpr) < 0.98)
        bits = measure.mutual_information_from_phi_delta(
            tpr[inside] + fpr[inside] - 1,
            tpr[inside] - fpr[inside],
            prevalence=positive,
        )
        assert ((bits > low - 0.01) & (bits < high + 0.01)).all()
        seen += len(bits)
    assert seen > 100
    assert "bits" in display.colorbar_.ax.get_ylabel()
    assert display.isometric_lines_ == {}


@pytest.mark.parametrize("prevalence", PLANES)
@pytest.mark.parametrize("region", [(0.7, 0.3), (1, 0), (0.5, 1), (0.4, 0)])
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


def test_second_display_adds_no_second_frame(pyplot):
    _, ax = pyplot.subplots(figsize=(8, 6))
    first = PhiDeltaDisplay(phi=0, delta=0.5, name="a").plot(ax, isometrics=FAMILIES)
    second = PhiDeltaDisplay(phi=0.1, delta=0.4, name="b").plot(
        ax, isometrics=["accuracy"], region=(0.5, 0.5)
    )
    assert first.ax_ is second.ax_ is ax
    assert len(outlines(ax)) == 1
    texts = [text.get_text() for text in ax.texts]
    assert texts.count("always right") == 1
    assert texts.count("a\nδ = 0.50, φ = 0.00") == 1
    # Each aid is in the one legend once.
    entries = [text.get_text() for text in second.legend_.get_texts()]
    assert [name for name in entries if name != "b"] == [*FAMILIES, "selected"]
    colors = [tuple(one.scatter_.get_facecolor()[0]) for one in (first, second)]
    assert colors[0] != colors[1]
    with pytest.raises(ValueError, match="another prevalence"):
        PhiDeltaDisplay(phi=0, delta=0, prevalence=0.1).plot(ax)
    plain = pyplot.subplots()[1]
    for name in "ab":
        PhiDeltaDisplay(phi=0, delta=0.5, name=name).plot(plain, annotate=False)
    entries = [text.get_text() for text in plain.get_legend().get_texts()]
    assert entries == ["a", "b"]


def test_bare_figure_and_formats(pyplot):
    figure = Figure(layout="constrained")
    display = PhiDeltaDisplay(phi=[0.1, 0.2], delta=[0.3, 0.4], name=["a", "b"])
    display.plot(figure.subplots(), isometrics="information", annotate=1)
    assert display.figure_ is figure
    assert [text.get_text() for text in display.texts_["names"]] == ["b"]
    for kind in ("svg", "pdf", "png"):
        figure.savefig(io.BytesIO(), format=kind)
    assert pyplot.get_fignums() == []
    assert display.ax_.format_coord(0.1, 0.2) == "φ = 0.100  δ = 0.200"


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["none", "tight", "constrained"])
@pytest.mark.usefixtures("style")
def test_grid_of_four_does_not_overlap(pyplot, layout, misplaced_texts):
    figure, axes = pyplot.subplots(2, 2, figsize=(9, 8), layout=layout)
    PhiDeltaDisplay(phi=0.1, delta=0.6, name="NB").plot(
        axes[0, 0], isometrics=["accuracy"]
    )
    PhiDeltaDisplay.from_features(WORDS, TOPICS, ax=axes[0, 1], annotate=4)
    PhiDeltaDisplay(phi=0.1, delta=0.6, prevalence=0.3).plot(axes[1, 0])
    PhiDeltaDisplay(phi=0.1, delta=0.6).plot(
        axes[1, 1], isometrics="information", region=(0.5, 0.5)
    )
    assert misplaced_texts(figure) == []


@pytest.mark.parametrize("prevalence", PLANES)
@pytest.mark.parametrize("view", ["classifier", "feature"])
def test_texts_do_not_overlap(prevalence, view, misplaced_texts):
    phi, delta = random_plane(12)
    names = [f"name {i}" for i in range(12)]
    display = PhiDeltaDisplay(
        phi=phi, delta=delta, name=names, prevalence=prevalence, view=view
    ).plot(annotate=True)
    assert len(display.texts_["names"]) == (10 if view == "feature" else 12)
    assert misplaced_texts(display.figure_) == []
    pair = PhiDeltaDisplay(phi=phi[:2], delta=delta[:2], name=["a", "b"])
    assert misplaced_texts(pair.plot(isometrics=FAMILIES).figure_) == []


def default_pictures():
    """Pictures by the default call: what they are called, how to draw them."""
    phi, delta = [-0.42, -0.45, -0.63, 0.01], [0.5, 0.43, 0.32, 0.62]
    names = ["logistic", "naive Bayes", "small tree", "logistic, weighted"]
    few = PhiDeltaDisplay(phi=phi, delta=delta, name=names)
    matrix = 60 * np.eye(30) + np.random.default_rng(0).integers(0, 6, (30, 30))
    long = [f"a class of some length, {i}" for i in range(30)]
    return {
        "one": lambda ax: PhiDeltaDisplay(phi=0.1, delta=0.6, name="One").plot(ax),
        "four": few.plot,
        "isometrics": lambda ax: few.plot(ax, isometrics=FAMILIES),
        "region": lambda ax: few.plot(ax, isometrics=["npv"], region=(0.5, 0.3)),
        "information": lambda ax: few.plot(ax, isometrics="information"),
        "digits": lambda ax: PhiDeltaDisplay.from_confusion_matrix(
            matrix[:10, :10], ax=ax
        ),
        "30 classes": lambda ax: PhiDeltaDisplay.from_confusion_matrix(matrix, ax=ax),
        "30 long names": lambda ax: PhiDeltaDisplay.from_confusion_matrix(
            matrix, labels=long, ax=ax
        ),
        "features": lambda ax: PhiDeltaDisplay.from_features(WORDS, TOPICS, ax=ax),
        "roc": lambda ax: PhiDeltaDisplay.from_roc(
            [0, 0.1, 1], [0, 0.7, 1], name="A curve", ax=ax
        ),
        "prevalence": lambda ax: PhiDeltaDisplay(
            phi=phi, delta=delta, name=names, prevalence=0.3
        ).plot(ax),
    }


@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.usefixtures("style")
def test_grids_of_six(pyplot, layout, misplaced_texts):
    figure, axes = pyplot.subplots(2, 3, figsize=(10, 7), layout=layout)
    pictures = default_pictures()
    for ax, picture in zip(axes.flat, [*list(pictures)[:5], "roc"], strict=True):
        pictures[picture](ax).ax_.set_title(picture)
    assert misplaced_texts(figure) == []


@pytest.mark.parametrize("prevalence", PLANES)
def test_the_half_that_is_worse_than_guessing_is_shaded(prevalence):
    phi, delta = random_plane(500)
    ax = PhiDeltaDisplay(phi=phi, delta=delta, prevalence=prevalence).plot().ax_
    light = np.array(to_rgb(mpl.rcParams["axes.facecolor"]))
    (shade,) = [one for one in ax.patches if 0 < one.get_zorder() < 1]
    assert 0.01 < np.abs(shade.get_facecolor()[:3] - light).max() < 0.2
    inside = Path(shade.get_xy()).contains_points(corrected(phi, delta, prevalence))
    np.testing.assert_array_equal(inside, delta < 0)
    features = PhiDeltaDisplay(phi=0, delta=0, view="feature").plot()
    assert not [one for one in features.ax_.patches if 0 < one.get_zorder() < 1]


def test_names_have_the_colours_of_their_points():
    names = ["a", "b", "c"]
    display = PhiDeltaDisplay(phi=[-0.4, 0, 0.4], delta=[0.2] * 3, name=names).plot()
    assert sorted(names_of(display)) == names
    for text in display.texts_["names"]:
        point = display.scatter_[names.index(text.get_text())].get_facecolor()[0]
        np.testing.assert_allclose(
            to_rgb(text.get_color()), 0.65 * point[:3], atol=1e-9
        )


@pytest.mark.parametrize("view", ["classifier", "feature"])
@pytest.mark.parametrize("annotate", [False, True])
def test_names_are_drawn_literally(annotate, view):
    names = ["$x_$", "_a", "50 % \\alpha"]
    display = PhiDeltaDisplay(
        phi=[0, 0.1, 0.2], delta=[0.1, 0.2, 0.3], name=names, view=view
    ).plot(annotate=annotate)
    display.figure_.canvas.draw()
    texts = display.texts_["names"] if annotate else []
    if not annotate and view == "classifier":
        texts = display.legend_.get_texts()
        assert [text.get_text() for text in texts] == names
    assert not any(text.get_parse_math() for text in texts)


def test_style_and_name_of_plot():
    display = PhiDeltaDisplay(phi=0, delta=0.5, name="a")
    display.plot(name="b", scatter_kwargs={"c": "red", "marker": "x"})
    assert names_of(display) == ["b"]
    np.testing.assert_allclose(display.scatter_.get_facecolor()[0, :3], (1, 0, 0))
    assert display.name == "a"


def test_many_points_are_one_artist(pyplot):
    """The number of artists, and so the time, does not grow with the points."""
    phi, delta = random_plane(100_000)
    few, many = (
        PhiDeltaDisplay(phi=phi[:n], delta=delta[:n]).plot(pyplot.subplots()[1])
        for n in (10, 100_000)
    )
    assert len(many.ax_.collections) == len(few.ax_.collections)
    assert len(many.scatter_.get_offsets()) == 100_000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"phi": [0, 0], "delta": [0]}, r"same shape\. Got \(2,\) and \(1,\)"),
        ({"phi": 0.8, "delta": 0.5}, r"<= 1. Got phi=0.8 with delta=0.5"),
        ({"view": "rows"}, "'classifier' or 'feature'. Got 'rows'"),
        ({"prevalence": 1}, "strictly between 0 and 1. Got 1"),
        ({"prevalence": -0.1}, "strictly between 0 and 1. Got -0.1"),
        ({"name": ["a", "b"]}, "Got 2 names for 1 points"),
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
        ({"annotate": "all"}, "`annotate` must be .* Got 'all'"),
        ({"name": ["a", "b"]}, "Got 2 names for 1 points"),
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
    with pytest.raises(ValueError, match="`tpr` must lie between 0 and 1"):
        PhiDeltaDisplay.from_roc([0, 1], [0, 2])
    with pytest.raises(ValueError, match=r"`feature_names` must have .* Got 1 names"):
        PhiDeltaDisplay.from_features(WORDS, TOPICS, feature_names=["a"])


def test_matrices_of_two_classes_have_a_point_each():
    matrices = RNG.integers(1, 50, (4, 2, 2))
    phi, delta = measure.phi_delta(matrices)
    one = PhiDeltaDisplay.from_confusion_matrix(matrices[0], name="one")
    assert (one.phi, one.delta) == (phi[0], delta[0])
    assert one.name == "one"
    cloud = PhiDeltaDisplay.from_confusion_matrix(matrices)
    np.testing.assert_array_equal(cloud.phi, phi)
    assert cloud.center_ is cloud.spread_ is cloud.pooled is None
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


def test_matrices_of_different_sizes():
    two, three = np.array([[8, 2], [1, 9]]), RNG.integers(1, 50, (4, 3, 3))
    labels = {"two": None, "three": list("abc")}
    display = PhiDeltaDisplay.from_confusion_matrix(
        {"two": two, "three": three}, labels=labels
    )
    assert np.shape(display.delta) == (4, 4)
    names = ["two", "three: a", "three: b", "three: c"]
    assert display.frame()["name"].tolist() == names * 4
    np.testing.assert_allclose(display.delta[0, 0], measure.phi_delta(two)[1])
    assert np.isnan(display.delta[1:, 0]).all()
    np.testing.assert_allclose(display.delta[:, 1:], phi_delta_of_classes(three)[1])
    renamed = display.plot(name=["q", "r", "s", "t"])
    assert set(names_of(renamed)) >= {"q", "r", "s", "t"}


@pytest.mark.parametrize(
    ("matrices", "options", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], {}, "needs a square table"),
        ([[1, 2], [3, -4]], {}, "non-negative"),
        ([[1, 2], [3, 4]], {"labels": ["a"]}, r"`labels` must be .* 2\. Got \['a'\]"),
        ([[1, 2], [3, 4]], {"labels": ["a", "a"]}, "`labels` must be different"),
        ([[1, 2], [3, 4]], {"pos_label": 7}, "pos_label=7 is not a valid label"),
        ({"m": [[1, 2], [3, 4]]}, {"labels": {"n": "ab"}}, r"\['m'\]\. Got \['n'\]"),
    ],
)
def test_wrong_matrices(matrices, options, message):
    with pytest.raises(ValueError, match=message):
        PhiDeltaDisplay.from_confusion_matrix(matrices, **options)


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
    assert display.spread_ is None
    assert names_of(display) == ["NB", "all folds together"]


def test_a_large_cloud_has_an_ellipse():
    phi, delta = random_plane(40)
    display = PhiDeltaDisplay(phi=phi, delta=delta).plot()
    np.testing.assert_allclose(display.spread_.get_center(), (phi.mean(), delta.mean()))
    pixels = display.ax_.transData.transform(offsets(display.scatter_))
    inside = [display.spread_.contains_point(place) for place in pixels]
    assert sum(inside) in (37, 38, 39)


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
    assert display.ax_.get_xticks().tolist() == [-1, -0.5, 0, 0.5, 1]


@pytest.mark.parametrize("picture", default_pictures())
def test_the_plane_fills_the_figure(picture, misplaced_texts):
    display = default_pictures()[picture](None)
    assert box_of(display) > (0.3 if picture == "prevalence" else 0.4)
    if picture not in ("30 classes", "30 long names"):  # a star of numbers
        assert misplaced_texts(display.figure_) == []


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
    figure, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    display.plot(ax)
    assert display.legend_ is None
    assert display.texts_["names"] == []
    assert box_of(display) > 0.4
    assert misplaced_texts(figure) == []


def test_a_curve_goes_to_the_right():
    scores = np.linspace(0, 1, 6)
    with pytest.raises(ValueError, match=r"`fpr` must not fall.*roc_curve"):
        PhiDeltaDisplay.from_roc([0, 1, 0, 1, 0, 1], scores)


def test_more_than_ten_series_look_alike():
    display = default_pictures()["30 classes"](None)
    looks = {
        (one.get_paths()[0].vertices.tobytes(), tuple(one.get_facecolor()[0]))
        for one in display.scatter_
    }
    assert len(looks) == 1
    assert sorted(names_of(display), key=int) == [str(i) for i in range(30)]
