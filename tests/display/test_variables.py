"""Pictures of several variables: the triangle of a source, points of labels."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import sparse as sp
from sklearn.datasets import make_multilabel_classification
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import multilabel_confusion_matrix
from sklearn.multioutput import ClassifierChain
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from sklearn_entropy_metrics import (
    EntropyBalance,
    EntropyTriangleDisplay,
    PhiDeltaDisplay,
    SourceBalance,
    measure,
)
from sklearn_entropy_metrics.display import to_plane

pytestmark = pytest.mark.filterwarnings("ignore:The samples are few")
RNG = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "city": RNG.choice(["Rome", "Oslo"], 60),
        "rooms": RNG.integers(1, 5, 60),
        "new": RNG.random(60) < 0.5,
    }
)
SOURCE = SourceBalance.from_data(FRAME)
X, Y = make_multilabel_classification(200, n_classes=4, random_state=0)
PRED = KNeighborsClassifier().fit(X[:100], Y[:100]).predict(X)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def offsets(display):
    artists = display.scatter_
    artists = artists if isinstance(artists, list) else [artists]
    return np.vstack([artist.get_offsets() for artist in artists])


# The triangle of a source


def test_a_point_a_variable_and_one_for_all_of_them():
    display = EntropyTriangleDisplay(balance=SOURCE).plot()
    expected = np.vstack([SOURCE.fractions, SOURCE.aggregate_fractions])
    np.testing.assert_allclose(offsets(display), to_plane(expected))
    assert [artist.get_label() for artist in display.scatter_] == [
        "city",
        "rooms",
        "new",
        "all together",
    ]
    assert display.balance is SOURCE


def test_the_point_of_all_of_them_stands_out():
    display = EntropyTriangleDisplay(balance=SOURCE).plot(scatter_kwargs={"s": 30})
    sizes = [artist.get_sizes()[0] for artist in display.scatter_]
    assert sizes == [30, 30, 30, 60]
    edges = [artist.get_edgecolor()[0].tolist() for artist in display.scatter_]
    assert edges[3] != edges[0]


def test_names_are_written():
    display = EntropyTriangleDisplay(balance=SOURCE).plot(annotate=True)
    display.figure_.canvas.draw()
    texts = [text.get_text() for text in display.texts_["names"]]
    assert texts == ["city", "rooms", "new", "all together"]


def test_the_words_are_those_of_a_source():
    texts = EntropyTriangleDisplay(balance=SOURCE).plot().texts_["words"]
    texts = [text.get_text() for text in texts]
    assert {"constant", "redundant", "independent"} <= set(texts)
    assert any(text.endswith(" MI'") and "shared" in text for text in texts)
    assert not any("guessing" in text or "2MI'" in text for text in texts)


def test_names_of_the_user():
    display = EntropyTriangleDisplay(balance=SOURCE, name="houses").plot()
    assert display.frame()["name"].tolist() == ["city", "rooms", "new", "houses"]
    names = ["a", "b", "c", "d"]
    assert EntropyTriangleDisplay(balance=SOURCE, name=names).frame()[
        "name"
    ].tolist() == (names)
    with pytest.raises(ValueError, match=r"each variable and one for all.*4 in all"):
        EntropyTriangleDisplay(balance=SOURCE, name=names[:3]).plot()


def test_the_data_of_the_picture():
    frame = EntropyTriangleDisplay(balance=SOURCE).frame()
    assert list(frame) == [
        "name",
        "divergence",
        "mutual_information",
        "remaining_entropy",
    ]
    shares = np.stack([frame[key] for key in list(frame)[1:]], axis=1)
    np.testing.assert_array_equal(shares[:-1], SOURCE.fractions)
    np.testing.assert_array_equal(shares[-1], SOURCE.aggregate_fractions)


def test_axes_colours_and_zoom():
    _, ax = plt.subplots()
    display = EntropyTriangleDisplay(balance=SOURCE).plot(
        ax, c=[1.0, 2.0, 3.0, 4.0], zoom=True
    )
    assert display.ax_ is ax
    assert display.colorbar_ is not None


def test_several_sources():
    fewer = SourceBalance.from_data(FRAME[["city", "new"]])
    display = EntropyTriangleDisplay(balance={"all": SOURCE, "fewer": fewer}).plot()
    names = ["all: city", "all: rooms", "all: new", "all"]
    names += ["fewer: city", "fewer: new", "fewer"]
    assert display.frame()["name"].tolist() == names
    np.testing.assert_allclose(
        offsets(display)[[3, 6]],
        to_plane([SOURCE.aggregate_fractions, fewer.aggregate_fractions]),
    )
    widths = [artist.get_linewidth()[0] for artist in display.scatter_]
    assert [width > widths[0] for width in widths] == [
        name in ("all", "fewer") for name in names
    ]
    balance = EntropyBalance.from_predictions([0, 1], [0, 1])
    with pytest.raises(ValueError, match="a SourceBalance for every name or for none"):
        EntropyTriangleDisplay(balance={"a": SOURCE, "b": balance}).plot()


def test_a_single_variable():
    display = EntropyTriangleDisplay(balance=SourceBalance.from_data(FRAME[["new"]]))
    points = offsets(display.plot())
    np.testing.assert_allclose(points[0], points[1])


@pytest.mark.parametrize(
    "options",
    [
        {"split": True},
        {"bound": True},
        {"nit_lines": True},
        {"c": "normalized_information"},
    ],
)
def test_what_needs_a_prediction(options):
    with pytest.raises(ValueError, match="needs predictions: an EntropyBalance"):
        EntropyTriangleDisplay(balance=SOURCE).plot(**options)


# Balances of variables in the triangle


def test_balances_of_variables():
    balances = {
        "joint": EntropyBalance.from_variables(Y, PRED),
        "one label": EntropyBalance.from_predictions(Y[:, 0], PRED[:, 0]),
    }
    display = EntropyTriangleDisplay(balance=balances).plot(split=True, bound=True)
    expected = [one.joint_fractions for one in balances.values()]
    np.testing.assert_allclose(offsets(display)[:2], to_plane(expected))
    frame = display.frame()
    assert frame["divergence_true"][0] == balances["joint"].true_fractions[0]


def test_nit_lines_are_those_of_the_possible_values():
    balance = EntropyBalance.from_variables(Y, PRED)
    display = EntropyTriangleDisplay(balance=balance).plot(nit_lines=True)
    heights = [line[0][1] for line in display.nit_lines_.get_segments()]
    values = [
        float(text.get_text().split("q = ")[1]) for text in display.texts_["nit_lines"]
    ]
    # 2MI' = 2 log2(q 2^4) / 8, as high as the point of that NIT factor.
    information = np.log2(values) + 4
    np.testing.assert_allclose(heights, 2 * information / 8 * np.sqrt(3) / 2)
    many = RNG.random((30, 600)) < 0.5
    with pytest.raises(ValueError, match="at most 1,000 bits"):
        EntropyTriangleDisplay(balance=EntropyBalance.from_variables(many, many)).plot(
            nit_lines=True
        )


# Labels in the φ-δ plane


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, pd.DataFrame])
def test_a_point_a_label(kind):
    display = PhiDeltaDisplay.from_predictions(kind(Y), kind(PRED))
    phi, delta = measure.phi_delta(multilabel_confusion_matrix(Y, PRED))
    np.testing.assert_allclose(display.phi, phi)
    np.testing.assert_allclose(display.delta, delta)
    assert display.frame()["name"].tolist() == ["0", "1", "2", "3"]
    np.testing.assert_allclose(offsets(display), np.stack([phi, delta], axis=1))


def test_labels_are_called_by_the_columns_of_a_frame():
    names = ["sun", "sea", "sand", "snow"]
    frame = pd.DataFrame(Y, columns=names)
    display = PhiDeltaDisplay.from_predictions(frame, PRED)
    assert display.frame()["name"].tolist() == names
    named = PhiDeltaDisplay.from_predictions(frame, PRED, name="knn")
    assert named.frame()["name"].tolist() == [f"knn: {name}" for name in names]
    only = PhiDeltaDisplay.from_predictions(frame, PRED, pos_label="sand")
    np.testing.assert_allclose(only.delta, display.delta[2])


def test_two_labels_are_two_points():
    display = PhiDeltaDisplay.from_predictions(Y[:, :2], PRED[:, :2])
    assert display.frame()["name"].tolist() == ["0", "1"]


def test_several_classifiers_of_several_labels():
    chain = ClassifierChain(GaussianNB()).fit(X[:100], Y[:100]).predict(X)
    display = PhiDeltaDisplay.from_predictions(Y, {"knn": PRED, "chain": chain})
    assert len(display.frame()["name"]) == 8
    assert display.frame()["name"][4] == "chain: 0"
    fitted = KNeighborsClassifier().fit(X[:100], Y[:100])
    same = PhiDeltaDisplay.from_estimator(fitted, X, Y, name="knn")
    np.testing.assert_allclose(same.delta, display.delta[:4])


def test_weights_of_samples():
    weight = RNG.integers(0, 3, len(Y))
    display = PhiDeltaDisplay.from_predictions(Y, PRED, sample_weight=weight)
    tables = multilabel_confusion_matrix(Y, PRED, sample_weight=weight)
    np.testing.assert_allclose(display.delta, measure.phi_delta(tables)[1])


def test_labels_that_never_vary_are_not_drawn():
    constant = np.column_stack([Y, np.zeros(len(Y), dtype=int)])
    guess = np.column_stack([PRED, PRED[:, 0]])
    with pytest.warns(UndefinedMetricWarning, match="not drawn"):
        display = PhiDeltaDisplay.from_predictions(constant, guess)
    assert np.isnan(display.delta).tolist() == [False] * 4 + [True]


@pytest.mark.parametrize(
    ("pred", "options", "message"),
    [
        (PRED, {"labels": [0, 1]}, "`labels` and `pred_labels` must be None"),
        (PRED, {"pred_labels": [0, 1]}, "`labels` and `pred_labels` must be None"),
        (PRED[:, 0], {}, "Y_pred must be a matrix"),
        (PRED[:, :2], {}, "same labels"),
        (PRED + 1, {}, "zeros and ones"),
        (PRED, {"pos_label": 9}, "pos_label=9 is not a valid label"),
    ],
)
def test_wrong_labels(pred, options, message):
    with pytest.raises(ValueError, match=message):
        PhiDeltaDisplay.from_predictions(Y, pred, **options)
