"""EntropyTriangleDisplay: artists against formulas, constructors, layouts, errors."""

import io
import itertools
import math
import pickle

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.path import Path
from scipy import sparse as sp
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import EntropyBalance, datasets, measure
from sklearn_entropy_metrics.display import EntropyTriangleDisplay

HEIGHT = math.sqrt(3) / 2
CORNERS = np.array([[0, 0], [1, 0], [0.5, HEIGHT]])
# What the colours mean in all pictures.
COLORS = {"information": "#00664a", "error": "#c4570b", "imbalance": "#6a5acd"}

pytestmark = pytest.mark.usefixtures("pyplot")

SYNTHETIC = datasets.load_synthetic()
MEG = datasets.load_meg_mind_reading()
MILLER_NICELY = datasets.load_miller_nicely()
X, Y = load_iris(return_X_y=True)
SWITCHES = (
    "split",
    "annotate",
    "guides",
    "points",
    "bound",
    "nit_lines",
    "path",
    "zoom",
)
draw = EntropyTriangleDisplay.from_confusion_matrix
to_plane = EntropyTriangleDisplay.to_plane


def resample(table, n_tables=300):
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(table.sum(), (table / table.sum()).ravel(), size=n_tables)
    return drawn.reshape(n_tables, *table.shape)


def offsets(artists):
    """Coordinates of the points of one or several scatters."""
    artists = artists if isinstance(artists, list) else [artists]
    return np.concatenate([np.asarray(artist.get_offsets()) for artist in artists])


def legend_texts(display):
    legend = display.ax_.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def box_share(display):
    """The share of the figure that the box of the triangle takes."""
    display.figure_.canvas.draw()
    corners = display.ax_.transData.transform(outline_of(display.ax_).get_xy()[:3])
    return np.prod(np.ptp(corners, axis=0)) / np.prod(display.figure_.bbox.size)


def outline_of(ax):
    return next(p for p in ax.patches if p.get_label().startswith("_entropy"))


def contains(outline, points):
    path = outline.get_path().transformed(outline.get_patch_transform())
    return path.contains_points(points, radius=1e-9)


def test_plane():
    corners = to_plane([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    np.testing.assert_allclose(corners, [[0, 0], [1, 0], [0.5, math.sqrt(3) / 2]])
    assert to_plane(np.zeros((2, 5, 3))).shape == (2, 5, 2)
    display = EntropyTriangleDisplay(
        balance=EntropyBalance.from_confusion_matrix([[1]])
    )
    np.testing.assert_allclose(display.to_plane([0.2, 0.5, 0.3]), [0.45, 0.25 * 3**0.5])


def test_points_of_the_paper():
    display = draw(SYNTHETIC.matrices, name=SYNTHETIC.names, annotate=False)
    expected = [
        [0.027, 0.605, 0.368],
        [0.001, 0.490, 0.509],
        [0.610, 0.041, 0.349],
        [0.029, 0.971, 0.000],
        [0.790, 0.210, 0.000],
        [0.742, 0.000, 0.258],
    ]
    np.testing.assert_allclose(offsets(display.scatter_), to_plane(expected), atol=1e-3)
    assert [s.get_label() for s in display.scatter_] == SYNTHETIC.names
    assert [t.get_text() for t in display.legend_.get_texts()] == SYNTHETIC.names
    looks = {
        (tuple(s.get_facecolor()[0]), len(s.get_paths()[0])) for s in display.scatter_
    }
    assert len(looks) == 6
    assert len({s.get_paths()[0].vertices.tobytes() for s in display.scatter_}) == 6


def test_frame_gives_the_data():
    display = draw(SYNTHETIC.matrices, name=SYNTHETIC.names)
    frame = display.frame()
    balance = EntropyBalance.from_confusion_matrix(SYNTHETIC.matrices)
    assert frame["name"].tolist() == SYNTHETIC.names
    columns = ["divergence", "mutual_information", "variation_of_information"]
    for suffix, of in (("", "joint"), ("_true", "true"), ("_pred", "pred")):
        if suffix:
            columns = [f"divergence{suffix}", f"mutual_information{suffix}"]
            columns.append(f"conditional_entropy{suffix}")
        shares = np.stack([frame[column] for column in columns], axis=-1)
        np.testing.assert_array_equal(shares, getattr(balance, f"{of}_fractions"))
    assert draw(SYNTHETIC.matrices[0]).frame()["name"].tolist() == [""]


def test_data_are_kept_unchanged():
    balance = EntropyBalance.from_confusion_matrix(SYNTHETIC.matrices)
    before = balance.table.copy()
    display = EntropyTriangleDisplay(balance=balance, name=SYNTHETIC.names)
    style = {"s": 9}
    assert display.plot(split=True, scatter_kwargs=style, c="accuracy") is display
    assert display.balance is balance
    assert display.name is SYNTHETIC.names
    assert style == {"s": 9}
    np.testing.assert_array_equal(balance.table, before)


def test_names_given_to_plot_replace_those_of_the_display():
    display = draw(SYNTHETIC.matrices, name=SYNTHETIC.names)
    display.plot(name=list("uvwxyz"))
    assert [s.get_label() for s in display.scatter_] == list("uvwxyz")
    assert display.name == SYNTHETIC.names


def test_estimator_equals_predictions():
    estimator = GaussianNB().fit(X, Y)
    one = EntropyTriangleDisplay.from_estimator(estimator, X, Y)
    other = EntropyTriangleDisplay.from_predictions(Y, estimator.predict(X))
    np.testing.assert_array_equal(offsets(one.scatter_), offsets(other.scatter_))
    assert one.scatter_.get_label() == one.name == "GaussianNB"
    assert other.scatter_.get_label() == other.name == "Classifier"
    weight = np.arange(len(Y))
    one = EntropyTriangleDisplay.from_estimator(estimator, X, Y, sample_weight=weight)
    table = EntropyBalance.from_predictions(
        Y, estimator.predict(X), sample_weight=weight
    ).table
    np.testing.assert_array_equal(one.balance.table, table)


def test_estimator_pins_the_classes():
    estimator = GaussianNB().fit(X, Y)
    display = EntropyTriangleDisplay.from_estimator(estimator, X[:60], Y[:60])
    assert display.balance.table.shape == (3, 3)
    y_pred = estimator.predict(X[:60])
    display = EntropyTriangleDisplay.from_predictions(
        Y[:60], y_pred, labels=[0, 1, 2], pred_labels=[0, 1, 2, 3], name="mine"
    )
    assert display.balance.table.shape == (3, 4)
    assert display.name == "mine"


@pytest.mark.parametrize("weighted", [False, True])
def test_folds_and_their_pooled_table(weighted):
    weight = np.linspace(1, 2, len(Y)) if weighted else None
    results = cross_validate(
        GaussianNB(), X, Y, cv=7, return_estimator=True, return_indices=True
    )
    display = EntropyTriangleDisplay.from_cv_results(
        results, X, Y, sample_weight=weight
    )
    tables = []
    for estimator, test in zip(
        results["estimator"], results["indices"]["test"], strict=True
    ):
        part = None if weight is None else weight[test]
        one = EntropyBalance.from_predictions(
            Y[test], estimator.predict(X[test]), labels=[0, 1, 2], sample_weight=part
        )
        tables.append(one.table)
    np.testing.assert_array_equal(display.balance.table, tables)
    assert display.name is None
    pooled = EntropyBalance.from_confusion_matrix(np.sum(tables, axis=0))
    np.testing.assert_allclose(
        display.center_.get_offsets()[0], to_plane(pooled.joint_fractions)
    )
    assert len(display.scatter_.get_offsets()) == 7
    assert display.legend_.get_texts()[0].get_text() == "pooled"


def test_folds_without_some_classes():
    order = np.argsort(Y, kind="stable")
    results = cross_validate(
        GaussianNB(),
        X[order],
        Y[order],
        cv=KFold(6),
        return_estimator=True,
        return_indices=True,
    )
    names = np.array(["setosa", "versicolor", "virginica"])
    display = EntropyTriangleDisplay.from_cv_results(results, X[order], Y[order])
    assert display.balance.table.shape == (6, 3, 3)
    pandas = pytest.importorskip("pandas")
    frame, named = pandas.DataFrame(X), pandas.Series(names[Y], dtype="category")
    results = cross_validate(
        GaussianNB(),
        frame,
        named,
        cv=KFold(3),
        return_estimator=True,
        return_indices=True,
    )
    display = EntropyTriangleDisplay.from_cv_results(
        results, frame, named, name=["one", "two", "three"], c="accuracy", bound=True
    )
    assert display.balance.table.shape == (3, 3, 3)
    assert len(display.scatter_) == 3
    assert display.center_ is not None
    results = cross_validate(
        DummyClassifier(),
        sp.coo_array(X),
        names[Y].tolist(),
        return_estimator=True,
        return_indices=True,
    )
    display = EntropyTriangleDisplay.from_cv_results(
        results, sp.coo_array(X), names[Y].tolist(), labels=sorted(names)
    )
    assert display.balance.table.sum() == len(Y)


def test_dict_of_tables_of_different_sizes():
    matrices = {"a": SYNTHETIC.matrices[0], "meg": MEG.matrices[0], "wide": [[1, 2, 3]]}
    display = draw(matrices)
    assert list(display.balance) == list(matrices)
    expected = [
        EntropyBalance.from_confusion_matrix(matrix).joint_fractions
        for matrix in matrices.values()
    ]
    np.testing.assert_allclose(offsets(display.scatter_), to_plane(expected))
    assert display.frame()["name"].tolist() == ["a", "meg", "wide"]
    again = EntropyTriangleDisplay(balance=list(display.balance.values())).plot()
    np.testing.assert_array_equal(offsets(again.scatter_), offsets(display.scatter_))
    assert again.legend_ is None


def test_sparse_and_single_table():
    dense, sparse = draw(MEG.matrices[0]), draw(sp.csr_array(MEG.matrices[0]))
    np.testing.assert_allclose(offsets(sparse.scatter_), offsets(dense.scatter_))
    assert dense.legend_ is None
    assert dense.center_ is None
    assert dense.spread_ is None


def test_split_points():
    display = draw(SYNTHETIC.matrices, name=SYNTHETIC.names, split=True)
    balance = display.balance
    cross, circle = display.split_scatter_
    true, pred = balance.true_fractions, balance.pred_fractions
    np.testing.assert_allclose(cross.get_offsets(), to_plane(true))
    np.testing.assert_allclose(circle.get_offsets(), to_plane(pred))
    segments = np.array(display.split_lines_.get_segments())
    np.testing.assert_allclose(segments[:, 1], to_plane(balance.joint_fractions))
    np.testing.assert_allclose(segments[:, 1], segments[:, [0, 2]].mean(axis=1))
    colors = [scatter.get_facecolor()[0] for scatter in display.scatter_]
    np.testing.assert_allclose(circle.get_edgecolor(), colors)


def test_colors_by_measure_and_by_array():
    display = draw(MEG.matrices, c="entropy_modulated_accuracy")
    values = measure.entropy_modulated_accuracy(MEG.matrices)
    np.testing.assert_allclose(display.scatter_.get_array(), values)
    assert display.colorbar_.ax.get_xlabel() == "entropy modulated accuracy"
    assert display.colorbar_.vmin == values.min()
    display = draw(MEG.matrices, name=MEG.names, c=np.arange(10), split=True)
    assert [s.get_array().item() for s in display.scatter_] == list(range(10))
    assert len({id(scatter.norm) for scatter in display.scatter_}) == 1
    display = draw(MEG.matrices, c="accuracy", scatter_kwargs={"cmap": "magma"})
    assert display.scatter_.get_cmap().name == "magma"
    display = draw(MEG.matrices, c="accuracy", scatter_kwargs={"vmin": 0, "vmax": 1})
    assert display.scatter_.get_clim() == (0, 1)


def test_undefined_values_leave_their_points():
    values = np.arange(10.0)
    values[3] = np.nan
    display = draw(MEG.matrices, c=values)
    display.figure_.canvas.draw()
    assert display.scatter_.get_facecolor()[3, 3] == 1
    assert display.colorbar_.vmax == 9
    draw(MEG.matrices, c=np.full(10, np.nan)).figure_.canvas.draw()
    stack = np.zeros((4, 3, 3))
    draw(stack, zoom=True, bound=True).figure_.canvas.draw()
    stack[1:] = SYNTHETIC.matrices[:3]
    display = draw(stack, zoom=True, bound=True, split=True)
    display.figure_.canvas.draw()
    mean = display.balance.joint_fractions[1:].mean(axis=0)
    np.testing.assert_allclose(display.center_.get_offsets()[0], to_plane(mean))
    draw([[5]], bound=True).figure_.canvas.draw()


def test_style_of_the_points():
    display = draw(
        SYNTHETIC.matrices,
        name=SYNTHETIC.names,
        scatter_kwargs={"s": 9, "fc": "red", "lw": 2, "marker": "x"},
    )
    for scatter in display.scatter_:
        assert scatter.get_sizes() == [9]
        assert scatter.get_linewidth() == [2]
        np.testing.assert_array_equal(scatter.get_facecolor(), [[1, 0, 0, 1]])
    display = draw(SYNTHETIC.matrices[0], scatter_kwargs={"c": "green"})
    assert display.scatter_.get_facecolor()[0, 1] > 0.4


def test_bound_is_what_the_class_balance_allows():
    table = np.array([[30, 10, 0], [5, 20, 5]])
    display = draw(table, bound=True)
    balance = display.balance
    uniform = math.log2(2) + math.log2(3)
    most = 2 * min(balance.entropy_true, math.log2(3)) / uniform
    least = balance.divergence_true / uniform
    across, along = display.bound_lines_.get_segments()
    meeting = to_plane([least, most, 1 - least - most])
    np.testing.assert_allclose(across, [to_plane([1 - most, most, 0]), meeting])
    np.testing.assert_allclose(along, [to_plane([least, 0, 1 - least]), meeting])
    # Each table has two lines; a and b, and c and f, have the same true classes.
    six = draw(SYNTHETIC.matrices, name=SYNTHETIC.names, bound=True)
    assert len(six.bound_lines_.get_segments()) == 2 * 4
    # A cloud has one.
    assert len(draw(MEG.matrices, bound=True).bound_lines_.get_segments()) == 2


def test_no_classifier_crosses_the_bound():
    tables = np.concatenate(list(datasets.enumerate_tables(3, 8)))
    balance = EntropyBalance.from_confusion_matrix(tables)
    uniform = 2 * math.log2(3)
    divergence, information, _ = balance.joint_fractions.T
    assert (information <= 2 * balance.entropy_true / uniform + 1e-12).all()
    assert (divergence >= balance.divergence_true / uniform - 1e-12).all()


@pytest.mark.parametrize("shape", [(5, 5), (16, 16), (2, 2), (3, 4), (1000, 1000)])
@pytest.mark.parametrize("zoom", [False, True])
def test_nit_lines(shape, zoom):
    table = np.zeros(shape)
    table[np.arange(shape[0]), np.arange(shape[0])] = 1
    table += 0.2 * table.mean()
    display = draw(table, nit_lines=True, zoom=zoom)
    segments = display.nit_lines_.get_segments()
    labels = [text.get_text() for text in display.texts_["nit_lines"]]
    assert len(labels) == len(segments) >= 3
    for label, segment in zip(labels, segments, strict=True):
        q = float(label.removeprefix("q = "))
        height = 2 * math.log2(q * shape[0]) / (math.log2(shape[0] * shape[1]))
        np.testing.assert_allclose(segment[:, 1], height * math.sqrt(3) / 2)


def test_a_table_lies_on_its_nit_line():
    display = draw([[8, 2], [2, 8]])
    q = display.balance.normalized_information_transfer
    height = 2 * math.log2(q * 2) / 2 * math.sqrt(3) / 2
    assert offsets(display.scatter_)[0, 1] == pytest.approx(height)


def test_path_joins_the_points_in_their_order():
    display = draw(MILLER_NICELY.matrices, path=True)
    points = offsets(display.scatter_)
    segments = np.array(display.path_.get_segments())
    np.testing.assert_array_equal(segments[:, 0], points[:-1])
    np.testing.assert_array_equal(segments[:, 1], points[1:])
    np.testing.assert_array_equal(display.scatter_.get_array(), np.arange(1, 7))
    np.testing.assert_array_equal(display.path_.get_array(), np.arange(1.5, 6))
    assert display.colorbar_.ax.get_xlabel() == "order"
    assert display.center_ is None
    named = draw(MILLER_NICELY.matrices, name=MILLER_NICELY.names, path=True)
    assert named.colorbar_ is None
    names = [text.get_text() for text in named.texts_["names"]]
    assert names == MILLER_NICELY.names
    np.testing.assert_array_equal(offsets(named.scatter_), points)
    by_value = draw(MILLER_NICELY.matrices, path=True, c="accuracy")
    assert by_value.path_.get_array() is None
    one_run = draw(
        dict(zip(MILLER_NICELY.names, MILLER_NICELY.matrices, strict=True)), path=True
    )
    np.testing.assert_array_equal(one_run.path_.get_segments(), segments)


def test_each_stack_has_its_path():
    sweep = np.linspace(0, 0.5, 5)
    display = draw(
        {
            "symmetric": np.stack(
                [datasets.binary_symmetric_channel(p) for p in sweep]
            ),
            "erasure": np.stack([datasets.binary_erasure_channel(p) for p in sweep]),
            "typewriter": datasets.noisy_typewriter(),
        },
        path=True,
    )
    assert [len(path.get_segments()) for path in display.path_] == [4, 4, 0]


@pytest.mark.parametrize("n_points", [3, 20, 300, 3000])
def test_ellipse_holds_the_nearest_points(n_points):
    display = draw(resample(SYNTHETIC.matrices[2], n_points))
    points = offsets(display.scatter_)
    center = points.mean(axis=0)
    np.testing.assert_allclose(display.center_.get_offsets()[0], center)
    np.testing.assert_allclose(display.spread_.get_center(), center)
    inverse = np.linalg.inv(np.cov(points.T))
    distance = np.einsum("ni,ij,nj->n", points - center, inverse, points - center)
    nearest = distance <= np.sort(distance)[math.ceil(0.95 * n_points) - 1] + 1e-9
    ellipse = display.spread_
    turn = np.deg2rad(-ellipse.angle)
    matrix = [[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]
    inside = (points - center) @ matrix / [ellipse.width / 2, ellipse.height / 2]
    np.testing.assert_array_equal(np.sum(inside**2, axis=1) <= 1 + 1e-6, nearest)


def test_points_on_a_line_have_a_flat_region():
    display = draw(resample(SYNTHETIC.matrices[4]))
    points, ellipse = offsets(display.scatter_), display.spread_
    assert min(ellipse.width, ellipse.height) == 0
    distance = np.linalg.norm(points - points.mean(axis=0), axis=1)
    inside = distance <= max(ellipse.width, ellipse.height) / 2 + 1e-9
    assert 0.95 <= inside.mean() < 1
    assert draw(SYNTHETIC.matrices[[3, 4]]).spread_ is None
    assert draw(np.stack([SYNTHETIC.matrices[0]] * 5)).spread_ is None


def test_several_clouds():
    display = draw({"a": resample(SYNTHETIC.matrices[0]), "c": SYNTHETIC.matrices[2]})
    assert [len(s.get_offsets()) for s in display.scatter_] == [300, 1]
    assert display.center_ is not None
    assert legend_texts(display) == ["mean", "95 % of points"]
    assert [text.get_text() for text in display.texts_["names"]] == ["a", "c"]
    center = offsets(display.center_)[0]
    np.testing.assert_allclose(display.texts_["names"][0].xy, center)


def test_zoom_shows_all_points_and_round_numbers():
    display = draw(MEG.matrices, name=MEG.names, zoom=True, split=True)
    outline = outline_of(display.ax_)
    corners = outline.get_xy()[:3]
    size = corners[0, 0] - corners[2, 0]
    assert size < 0.7
    assert corners[1, 1] - corners[0, 1] == pytest.approx(size * math.sqrt(3) / 2)
    everything = [display.scatter_, *display.split_scatter_]
    points = np.concatenate([offsets(artist) for artist in everything])
    assert contains(outline, points).all()
    numbers = [t.get_text() for t in display.ax_.texts if t.get_text()[0].isdigit()]
    assert len(numbers) >= 9  # three scales


@pytest.mark.parametrize(
    "table", [[[1, 0], [0, 1]], [[1, 1], [1, 1]], [[0, 9], [0, 1]], [[5, 1], [2, 4]]]
)
def test_zoom_on_a_single_point(table):
    display = draw(table, zoom=True)
    display.figure_.canvas.draw()
    corners = outline_of(display.ax_).get_xy()
    assert contains(outline_of(display.ax_), offsets(display.scatter_)).all()
    assert np.ptp(corners[:, 0]) < 0.2


def test_words_on_sides_and_corners():
    display = draw(SYNTHETIC.matrices[0])
    texts = [text.get_text() for text in display.texts_["words"]]
    assert len(texts) == 6
    for word in ("perfect", "guessing", "one class", "imbalance", "information"):
        assert sum(word in text for text in texts) == 1, word
    display.figure_.canvas.draw()
    assert all(text.get_visible() for text in display.texts_["words"])
    # A corner that is out of sight has no words.
    assert len(draw(MEG.matrices[0], zoom=True).texts_["words"]) < 6
    plain = draw(SYNTHETIC.matrices[0], words=False)
    assert plain.texts_["words"] == []
    written = {text.get_text() for text in plain.ax_.texts}
    assert {"ΔH'", "2MI'", "VI'"} <= written
    assert not any("perfect" in text for text in written)


def test_scales_have_the_colours_of_their_numbers_and_grid():
    ax = draw(SYNTHETIC.matrices[0], guides=False).ax_
    grids = [lines for lines in ax.collections if lines.get_zorder() < 1]
    colors = {tuple(np.round(lines.get_color()[0][:3], 6)) for lines in grids}
    assert len(grids) == len(colors) == 3
    for text in ax.texts:
        if text.get_text()[0].isdigit() or "'" in text.get_text():
            assert tuple(np.round(to_rgb(text.get_color()), 6)) in colors
    by_word = {text.get_text(): to_rgb(text.get_color()) for text in ax.texts}
    named = {name: to_rgb(color) for name, color in COLORS.items()}
    for word, color in named.items():
        (found,) = (by_word[text] for text in by_word if word in text)
        assert found == pytest.approx(color)


def test_cursor_shows_the_three_shares():
    display = draw(SYNTHETIC.matrices[0])
    point = to_plane([0.1, 0.7, 0.2])
    expected = "ΔH' = 0.100  2MI' = 0.700  VI' = 0.200"
    assert display.ax_.format_coord(*point) == expected


def test_the_scales_are_labelled():
    display = draw(MEG.matrices[0])
    display.figure_.canvas.draw()
    texts = {text.get_text(): text for text in display.ax_.texts}
    assert {"0.2", "0.4", "0.6", "0.8"} <= texts.keys()
    middles = {"ΔH'": (0.5, 0), "2MI'": (0.75, HEIGHT / 2), "VI'": (0.25, HEIGHT / 2)}
    for symbol, middle in middles.items():
        (label,) = (texts[text] for text in texts if symbol in text)
        away = np.array(label.get_position()) - middle
        # It is outside, before the middle of its side.
        center = np.array([0.5, HEIGHT / 3])
        outward = (middle - center) / np.linalg.norm(middle - center)
        assert away @ outward == pytest.approx(np.linalg.norm(away))
        assert 0 < away @ outward < 0.2


def test_second_display_adds_no_second_frame(misplaced_texts):
    first = draw(SYNTHETIC.matrices[0], name="a", annotate=False, guides=False)
    n_texts, n_patches = len(first.ax_.texts), len(first.ax_.patches)
    second = draw(SYNTHETIC.matrices[1], name="b", ax=first.ax_, annotate=False)
    assert second.ax_ is first.ax_
    assert (len(first.ax_.texts), len(first.ax_.patches)) == (n_texts, n_patches)
    assert legend_texts(second) == ["a", "b"]
    first_color, second_color = (
        tuple(d.scatter_.get_facecolor()[0]) for d in (first, second)
    )
    assert first_color != second_color
    assert misplaced_texts(first.figure_) == []
    copy = pickle.loads(pickle.dumps(first.figure_)).axes[0]
    draw(SYNTHETIC.matrices[2], name="c", ax=copy, annotate=True)
    assert len(copy.patches) == n_patches
    first.ax_.clear()
    draw(SYNTHETIC.matrices[0], ax=first.ax_)
    assert len(first.ax_.patches) == n_patches


def test_plot_twice():
    display = draw(SYNTHETIC.matrices, name=SYNTHETIC.names)
    first = display.ax_
    assert display.plot() is display
    assert display.ax_ is not first
    assert display.plot(first).ax_ is first


def test_bare_figure_without_pyplot(pyplot):
    figure = Figure()
    ax = figure.add_axes((0.1, 0.1, 0.8, 0.8))
    display = draw(MEG.matrices, name=MEG.names, c="accuracy", annotate=True, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert pyplot.get_fignums() == []
    for kind in ("svg", "pdf", "png"):
        buffer = io.BytesIO()
        figure.savefig(buffer, format=kind)
        assert len(buffer.getvalue()) > 5000


def test_subfigures_and_shared_axes(pyplot):
    left, right = pyplot.figure(layout="constrained").subfigures(1, 2)
    display = draw(MEG.matrices, name="all", c="accuracy", ax=left.subplots())
    assert display.figure_ is left
    right_axes = right.subplots(2, sharex=True, sharey=True)
    for ax in right_axes:
        draw(MEG.matrices[0], ax=ax, name="one")
    display.figure_.figure.canvas.draw()
    one, other = (
        np.ptp(ax.transData.transform(outline_of(ax).get_xy()), axis=0)
        for ax in right_axes
    )
    np.testing.assert_allclose(one, other, rtol=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("layout", "style", "form"),
    [
        (None, "default", "png"),
        ("tight", "default", "svg"),
        ("compressed", "default", "pdf"),
        ("constrained", "dark_background", "svg"),
        ("constrained", "ggplot", "png"),
    ],
)
def test_grid_of_four_does_not_overlap(pyplot, layout, style, form, misplaced_texts):
    with pyplot.style.context(style):
        figure, axes = pyplot.subplots(2, 2, layout=layout, figsize=(8, 7))
        draw(SYNTHETIC.matrices, name=SYNTHETIC.names, c="accuracy", ax=axes[0, 0])
        draw(
            MEG.matrices,
            name=MEG.names,
            annotate=True,
            zoom=True,
            c="entropy_modulated_accuracy",
            ax=axes[0, 1],
        )
        draw(MILLER_NICELY.matrices, path=True, ax=axes[1, 0])
        draw(resample(SYNTHETIC.matrices[1]), c="matthews_corrcoef", ax=axes[1, 1])
        assert misplaced_texts(figure) == []
        figure.savefig(io.BytesIO(), format=form)


PICTURES = {
    "six": (SYNTHETIC, {}),
    "six annotated": (SYNTHETIC, {"annotate": True}),
    "six split": (SYNTHETIC, {"split": True}),
    "six split annotated": (SYNTHETIC, {"split": True, "annotate": True}),
    "six without words": (SYNTHETIC, {"words": False}),
    "six lines": (SYNTHETIC, {"nit_lines": True, "bound": True}),
    "ten, default": (MEG, {}),
    "ten, detail": (MEG, {"zoom": "inset"}),
    "ten, detail, colours": (MEG, {"zoom": "inset", "c": "accuracy"}),
    "ten, detail, lines": (MEG, {"zoom": "inset", "bound": True, "nit_lines": True}),
    "ten": (MEG, {"annotate": True}),
    "ten, colours": (MEG, {"annotate": True, "zoom": True, "c": "accuracy"}),
    "ten, legend": (MEG, {"zoom": True, "c": "entropy_modulated_accuracy"}),
    "ten, lines": (MEG, {"zoom": True, "bound": True, "nit_lines": True}),
    "ten, names, lines": (
        MEG,
        {"zoom": True, "bound": True, "nit_lines": True, "annotate": True},
    ),
    "path": (MILLER_NICELY, {"path": True}),
    "path annotated": (MILLER_NICELY, {"path": True, "annotate": True}),
}


@pytest.mark.parametrize(
    ("picture", "layout"),
    [
        *((picture, None) for picture in PICTURES),
        ("six split", "tight"),
        ("ten, colours", "tight"),
        ("ten, legend", "constrained"),
        ("ten, names, lines", "constrained"),
    ],
)
def test_texts_do_not_overlap(pyplot, picture, layout, misplaced_texts):
    data, options = PICTURES[picture]
    _, ax = pyplot.subplots(layout=layout)
    display = draw(data.matrices, name=data.names, ax=ax, **options)
    assert misplaced_texts(display.figure_) == []


def test_clouds_do_not_overlap(misplaced_texts):
    matrices = zip(SYNTHETIC.names, SYNTHETIC.matrices, strict=True)
    clouds = {name: resample(matrix) for name, matrix in matrices}
    assert misplaced_texts(draw(clouds).figure_) == []
    assert misplaced_texts(draw(clouds, annotate=False).figure_) == []


def cross_validations():
    options = {"return_estimator": True, "return_indices": True}
    models = {
        "naive Bayes": GaussianNB(),
        "stump": DecisionTreeClassifier(max_depth=1),
        "majority": DummyClassifier(),
    }
    return {
        name: cross_validate(model, X, Y, **options) for name, model in models.items()
    }


def draw_case(case, ax=None):
    six = {"name": ["forest", "stump", "naive Bayes", "logistic", "trees", "majority"]}
    ten = {"name": MEG.names, "ax": ax}
    match case:
        case "one":
            return draw(SYNTHETIC.matrices[0], name="decision stump", ax=ax)
        case "six":
            return draw(SYNTHETIC.matrices, ax=ax, **six)
        case "three cross-validations":
            results = cross_validations()
            return EntropyTriangleDisplay.from_cv_results(results, X, Y, ax=ax)
        case "ten":
            return draw(MEG.matrices, **ten)
        case "ten, colours":
            return draw(MEG.matrices, c="accuracy", **ten)
        case "ten, detail":
            return draw(MEG.matrices, c="accuracy", zoom="inset", **ten)
        case "ten, names and lines":
            return draw(MEG.matrices, annotate=True, nit_lines=True, **ten)


CASES = [
    "one",
    "six",
    "three cross-validations",
    "ten",
    "ten, colours",
    "ten, detail",
    "ten, names and lines",
]


@pytest.mark.parametrize("case", CASES)
def test_the_triangle_fills_the_default_figure(case, misplaced_texts):
    display = draw_case(case)
    np.testing.assert_array_equal(display.figure_.get_size_inches(), [6.4, 4.8])
    assert box_share(display) >= (0.45 if case in ("one", "six") else 0.36)
    assert misplaced_texts(display.figure_) == []
    display.ax_.set_title("Where did the information go?")
    display.ax_.set_title("and why\nno more?", loc="left")
    assert misplaced_texts(display.figure_) == []
    assert box_share(display) >= 0.3


@pytest.mark.slow
@pytest.mark.parametrize("case", ["one", "six", "ten, colours"])
@pytest.mark.parametrize("width", [3, 4, 8, 12])
@pytest.mark.parametrize("layout", [None, "constrained"])
def test_figures_of_any_size(pyplot, case, width, layout, misplaced_texts):
    _, ax = pyplot.subplots(figsize=(width, 0.75 * width), layout=layout)
    display = draw_case(case, ax)
    assert misplaced_texts(display.figure_) == []
    # Ten names and a colour bar need much of a small figure.
    crowded = case == "ten, colours"
    assert box_share(display) >= (0.18 if crowded and width == 3 else 0.33)
    spoken = [text.get_visible() for text in display.texts_["words"]]
    assert all(spoken) or crowded


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.usefixtures("style")
def test_a_grid_of_small_panels(pyplot, layout, misplaced_texts):
    figure, axes = pyplot.subplots(2, 3, layout=layout)
    for ax, matrix, name in zip(
        axes.flat, SYNTHETIC.matrices, SYNTHETIC.names, strict=True
    ):
        draw(matrix, name=name, ax=ax)
    assert misplaced_texts(figure) == []
    widths = [
        np.ptp(ax.transData.transform(outline_of(ax).get_xy())[:, 0])
        for ax in axes.flat
    ]
    np.testing.assert_allclose(widths, widths[0], rtol=0.02)
    assert 3 * widths[0] > 0.65 * figure.bbox.width
    for ax in axes.flat:
        shown = [text.get_text() for text in ax.texts if text.get_visible()]
        assert "← information  2MI'" in shown


def test_the_smallest_panels_have_symbols(pyplot, misplaced_texts):
    figure, axes = pyplot.subplots(4, 6)
    for ax in axes.flat:
        draw(MEG.matrices[0], ax=ax)
    assert misplaced_texts(figure) == []
    for ax in axes.flat:
        shown = [text.get_text() for text in ax.texts if text.get_visible()]
        assert {"ΔH'", "2MI'", "VI'"} <= set(shown)
        assert not any("information" in text for text in shown)


def test_texts_of_the_figure_and_other_axes_are_kept_clear(pyplot, misplaced_texts):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4))
    left.plot([0, 1])
    left.set(xlabel="x", ylabel="y", title="line")
    figure.suptitle("both")
    display = draw(SYNTHETIC.matrices, name=SYNTHETIC.names, ax=right)
    assert misplaced_texts(figure) == []
    assert right.bbox.x0 >= left.bbox.x1
    assert display.ax_ is right


def test_margins_set_by_the_user_are_kept(pyplot):
    figure, ax = pyplot.subplots()
    figure.subplots_adjust(right=0.6)
    draw(SYNTHETIC.matrices, name=SYNTHETIC.names, ax=ax)
    figure.canvas.draw()
    assert ax.bbox.x1 <= 0.6 * figure.bbox.width + 1
    figure = pyplot.figure()
    ax = figure.add_axes((0.3, 0.2, 0.5, 0.6))
    draw(SYNTHETIC.matrices, name=SYNTHETIC.names, ax=ax)
    figure.canvas.draw()
    np.testing.assert_allclose(ax.get_position().bounds, (0.3, 0.2, 0.5, 0.6))


def test_titles_in_a_grid(pyplot, misplaced_texts):
    figure, axes = pyplot.subplots(2, 2)
    for ax, matrix in zip(axes.flat, SYNTHETIC.matrices, strict=False):
        draw(matrix, ax=ax)
    axes[1, 0].set_title("one of them")
    figure.suptitle("four")
    assert misplaced_texts(figure) == []
    widths = [np.ptp(ax.transData.transform(CORNERS)[:, 0]) for ax in axes.flat]
    np.testing.assert_allclose(widths, widths[0], rtol=0.1)


def test_limits_set_by_the_user_are_kept(pyplot):
    display = draw(SYNTHETIC.matrices[0])
    display.figure_.canvas.draw()
    display.ax_.set(xlim=(0.2, 0.6), ylim=(0.3, 0.6))
    display.figure_.canvas.draw()
    assert display.ax_.get_xlim() == (0.2, 0.6)
    assert display.ax_.get_ylim() == (0.3, 0.6)
    corners = display.ax_.transData.transform([[0, 0], [1, 1]])
    assert np.ptp(corners, axis=0)[0] == pytest.approx(np.ptp(corners, axis=0)[1])


def test_one_classifier_has_guides_a_sentence_and_its_score():
    table = SYNTHETIC.matrices[0]
    display = draw(table, name="stump")
    shares = display.balance.joint_fractions
    ends = np.array(display.guides_.get_segments())
    np.testing.assert_allclose(ends[:, 0], np.tile(to_plane(shares), (3, 1)))
    divergence, information, variation = shares
    expected = [
        [divergence, 0, 1 - divergence],
        [1 - information, information, 0],
        [0, 1 - variation, variation],
    ]
    np.testing.assert_allclose(ends[:, 1], to_plane(expected), atol=1e-12)
    display.figure_.canvas.draw()
    (label,) = display.texts_["names"]
    score = display.balance.entropy_modulated_accuracy
    blind = 1 / display.balance.effective_true_classes
    assert label.get_text() == f"stump\nEMA {score:.2f} (guessing: {blind:.2f})"
    (sentence,) = display.texts_["shares"]
    assert sentence.get_text().startswith(f"{information:.0%} transferred")
    assert display.legend_ is None
    # Another one on the same Axes: names alone remain.
    draw(SYNTHETIC.matrices[1], name="tree", ax=display.ax_)
    display.figure_.canvas.draw()
    assert label.get_text() == "stump"
    assert display.guides_.axes is None
    assert sentence.axes is None
    assert draw(table, name="stump", guides=False).guides_ is None
    several = draw(SYNTHETIC.matrices, name=SYNTHETIC.names)
    assert several.guides_ is None
    every = draw(SYNTHETIC.matrices, name=SYNTHETIC.names, guides=True)
    assert len(every.guides_.get_segments()) == 18


def test_names_beside_points_or_in_a_legend():
    six = draw(SYNTHETIC.matrices, name=SYNTHETIC.names)
    assert [text.get_text() for text in six.texts_["names"]] == SYNTHETIC.names
    assert six.legend_ is None
    ten = draw(MEG.matrices, name=MEG.names)
    assert ten.texts_["names"] == []
    assert legend_texts(ten) == MEG.names
    assert len({s.get_paths()[0].vertices.tobytes() for s in ten.scatter_}) == 10
    # Long names at one point do not fit.
    names = [f"a classifier with a long name, number {i}" for i in range(8)]
    crowd = draw(np.stack([MEG.matrices[0]] * 8), name=names)
    assert legend_texts(crowd) == names
    # The names of all calls on the same Axes count.
    ax = Figure().add_subplot()
    for number in range(9):
        last = draw(MEG.matrices[number], name=MEG.names[number], ax=ax)
        if number == 7:
            assert legend_texts(last) == []
    assert legend_texts(last) == MEG.names[:9]
    assert not any(text.get_text() in MEG.names for text in ax.texts)


def test_legends_have_each_entry_once():
    clouds = {"a": resample(SYNTHETIC.matrices[0]), "b": resample(MEG.matrices[0])}
    ax = Figure().add_subplot()
    for annotate in (True, False):
        for name, cloud in clouds.items():
            options = {"bound": True, "split": True, "annotate": annotate}
            display = draw({name: cloud}, ax=ax, **options)
    texts = legend_texts(display)
    assert len(texts) == len(set(texts))
    assert {"a", "b", "mean", "95 % of points"} <= set(texts)


def test_of_equal_points_all_can_be_seen():
    twice = {"a": MEG.matrices[0], "b": MEG.matrices[0], "c": MEG.matrices[9]}
    first, second, other = draw(twice).scatter_
    assert second.get_sizes()[0] > 1.5 * first.get_sizes()[0]
    assert second.get_zorder() < first.get_zorder()
    assert other.get_sizes()[0] == first.get_sizes()[0]
    # On shared Axes, too, and in one series.
    ax = Figure().add_subplot()
    first = draw(MEG.matrices[0], name="a", ax=ax).scatter_
    second = draw(MEG.matrices[0], name="b", ax=ax).scatter_
    assert second.get_sizes()[0] > 1.5 * first.get_sizes()[0]
    assert second.get_zorder() < first.get_zorder()
    stack = MEG.matrices[[0, 0, 5]]
    below, above, other = draw(stack, c=[1, 2, 3]).scatter_.get_sizes()
    assert below > 1.5 * above
    assert above == other
    folds = {name: resample(MEG.matrices[0], 20) for name in "ab"}
    one, two = draw(folds).center_
    assert two.get_sizes()[0] > 1.5 * one.get_sizes()[0]
    assert two.get_zorder() < one.get_zorder()


def test_cross_and_circle_are_not_covered():
    display = draw({"a": MEG.matrices[0], "b": MEG.matrices[3]}, split=True)
    cross, circle = display.split_scatter_
    for scatter in display.scatter_:
        assert scatter.get_zorder() < min(cross.get_zorder(), circle.get_zorder())
        # Where all coincide, the cross sticks out of the point, and the circle is
        # around both: the corners of the cross are √2 as far away as its sides.
        assert scatter.get_sizes()[0] < cross.get_sizes()[0]
        assert 2 * cross.get_sizes()[0] < circle.get_sizes()[0]


def test_dots_of_clouds_only_if_asked():
    clouds = {
        "a": resample(SYNTHETIC.matrices[0]),
        "c": resample(SYNTHETIC.matrices[2]),
    }
    assert [s.get_visible() for s in draw(clouds).scatter_] == [False, False]
    for options in (
        {"points": True},
        {"scatter_kwargs": {"s": 5}},
        {"c": "accuracy"},
        {"path": True},
    ):
        assert all(s.get_visible() for s in draw(clouds, **options).scatter_)
    display = draw(clouds, points=False, scatter_kwargs={"s": 5})
    assert not any(s.get_visible() for s in display.scatter_)
    # A single point is no cloud.
    assert draw(SYNTHETIC.matrices[0], points=False).scatter_.get_visible()
    # Two points have no ellipse.
    assert draw(SYNTHETIC.matrices[:2]).scatter_.get_visible()


@pytest.mark.parametrize("first", [True, False])
def test_the_window_holds_the_points_of_all_calls(first):
    ax = Figure().add_subplot()
    one = draw(MEG.matrices[3], name="C4", zoom=first, nit_lines=True, ax=ax)
    window = outline_of(ax).get_xy().copy()
    assert (np.ptp(window[:, 0]) < 0.2) == first
    other = draw(MEG.matrices[9], name="C10", zoom=not first, split=True, ax=ax)
    ax.figure.canvas.draw()
    displays = [one.scatter_, other.scatter_, *other.split_scatter_]
    points = np.concatenate([offsets(artist) for artist in displays])
    assert contains(outline_of(ax), points).all()
    inside = ax.transData.transform(points)
    assert ax.bbox.count_contains(inside) == len(points)
    # What depends on the window follows it.
    segments = np.concatenate(one.nit_lines_.get_segments())
    assert contains(outline_of(ax), 0.999 * segments + 0.001 * points[0]).all()
    assert len(one.texts_["nit_lines"]) == len(one.nit_lines_.get_segments()) >= 3


def test_a_detail_shows_the_crowd():
    display = draw(MEG.matrices, name=MEG.names, zoom="inset")
    ax, inset = display.ax_, display.inset_
    display.figure_.canvas.draw()
    assert inset in ax.child_axes
    points = offsets(display.scatter_)
    crowd = contains(outline_of(inset), points)
    assert crowd.tolist() == [True] * 7 + [False] * 3
    names = {text.get_text() for text in inset.texts}
    assert set(MEG.names[:7]) <= names
    shown = {t.get_text() for t in ax.texts if t.get_visible()}
    assert set(MEG.names) & shown == set(MEG.names[7:])
    copies = [np.asarray(one.get_offsets()) for one in inset.collections[3:]]
    np.testing.assert_array_equal(np.concatenate(copies), points)
    assert np.ptp(outline_of(ax).get_xy()[:, 0]) == 1
    # The detail is beside the triangle, and larger than the part that it shows.
    main, part = (
        one.transData.transform(outline_of(one).get_xy()[:3]) for one in (ax, inset)
    )
    assert not Path(main).intersects_path(Path(part))
    shaded = ax.transData.transform(outline_of(inset).get_xy()[:3])
    assert np.ptp(part[:, 0]) > 2 * np.ptp(shaded[:, 0])


def test_what_stands_beside_can_be_removed(pyplot):
    _, ax = pyplot.subplots(figsize=(3, 3))
    display = draw(MEG.matrices, name=MEG.names, c="accuracy", zoom="inset", ax=ax)
    shares = [box_share(display)]
    for artist in (display.inset_, display.colorbar_):
        artist.remove()
        shares.append(box_share(display))
    assert shares[0] < shares[1] < shares[2]


def test_a_detail_takes_later_calls_in():
    ax = Figure().add_subplot()
    first = draw(MEG.matrices[:3], name=MEG.names[:3], zoom="inset", ax=ax)
    second = draw(MEG.matrices[3], name=MEG.names[3], ax=ax)
    ax.figure.canvas.draw()
    assert ax.child_axes == [second.inset_]
    points = np.concatenate([offsets(one.scatter_) for one in (first, second)])
    assert contains(outline_of(second.inset_), points).all()
    assert set(MEG.names[:4]) <= {text.get_text() for text in second.inset_.texts}


def test_an_unknown_choice():
    for option in ("annotate", "guides", "points"):
        with pytest.raises(ValueError, match=f"`{option}` must be 'auto', True or"):
            draw(MEG.matrices[0], **{option: "yes"})
    with pytest.raises(ValueError, match="`zoom` must be False, True or 'inset', got"):
        draw(MEG.matrices[0], zoom="auto")


def test_names_that_are_far_are_joined_to_their_points(misplaced_texts):
    display = draw(
        np.stack([MEG.matrices[0]] * 8), name=list("abcdefgh"), annotate=True
    )
    assert misplaced_texts(display.figure_) == []
    shown = [label.arrow_patch.get_visible() for label in display.texts_["names"]]
    assert any(shown)
    assert not shown[0]


@pytest.mark.parametrize("annotate", [False, True])
def test_names_are_drawn_literally(annotate):
    names = ["$x_$", "_hidden", "$a$ and $b", r"\alpha", "x_1", "ü"]
    display = draw(SYNTHETIC.matrices, name=names, annotate=annotate)
    display.figure_.canvas.draw()
    texts = display.texts_["names"] if annotate else display.legend_.get_texts()
    assert [text.get_text() for text in texts] == names
    assert not any(text.get_parse_math() for text in texts)


def test_switches_work_together():
    table = SYNTHETIC.matrices[0]
    for pair in itertools.combinations(SWITCHES, 2):
        options = dict.fromkeys(pair, True)
        draw({"a": table, "b": table.T}, ax=Figure().add_subplot(), **options)
    options = dict.fromkeys(SWITCHES, True)
    display = draw({"a": table, "b": table.T}, ax=Figure().add_subplot(), **options)
    display.figure_.canvas.draw()


def test_all_constructors_take_the_keywords_of_plot(pyplot):
    estimator = LogisticRegression(max_iter=1000).fit(X, Y)
    results = cross_validate(
        GaussianNB(), X, Y, return_estimator=True, return_indices=True
    )
    options = dict.fromkeys(set(SWITCHES) - {"path"}, True)
    options |= {"c": "accuracy", "scatter_kwargs": {"s": 5}}
    cls = EntropyTriangleDisplay
    _, ax = pyplot.subplots()
    for display in (
        cls.from_estimator(estimator, X, Y, ax=ax, name="n", **options),
        cls.from_predictions(Y, estimator.predict(X), ax=ax, name="n", **options),
        cls.from_cv_results(results, X, Y, ax=ax, name="n", **options),
        draw(SYNTHETIC.matrices, ax=ax, name="n", **options),
    ):
        assert display.ax_ is ax
        assert display.name == "n"
        assert display.colorbar_ is not None
        assert display.nit_lines_ is not None
        assert display.texts_["names"][0].get_text() == "n"
        np.testing.assert_array_equal(display.scatter_.get_sizes(), [5])


def test_many_points_are_one_artist():
    display = draw(resample(MEG.matrices[0], 20_000))
    assert len(display.scatter_.get_offsets()) == 20_000
    assert display.scatter_.get_rasterized()
    assert len(display.ax_.get_children()) < 60


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"c": [1, 2]}, r"number for each of the 6 points. Got an array of shape \(2,"),
        ({"c": "red"}, "There is no measure 'red'"),
        ({"name": ["a", "b"]}, "as many names as .*Got 2"),
    ],
)
def test_wrong_options(pyplot, options, message):
    with pytest.raises(ValueError, match=message):
        draw(SYNTHETIC.matrices, **options)
    assert pyplot.get_fignums() == []


def test_wrong_combinations():
    with pytest.raises(ValueError, match="square"):
        draw([[1, 2, 3], [3, 2, 1]], c="accuracy")
    with pytest.raises(ValueError, match=r"path needs at least 2 points. Got 1"):
        draw(SYNTHETIC.matrices[0], path=True)
    both = {"a": SYNTHETIC.matrices[0], "meg": MEG.matrices[0]}
    with pytest.raises(ValueError, match=r"shapes \[\(3, 3\), \(5, 5\)\]"):
        draw(both, nit_lines=True)
    with pytest.raises(ValueError, match="at least 2 classes"):
        draw([[3]], nit_lines=True)
    with pytest.raises(ValueError, match=r"as many names as .* 2. Got 1"):
        draw(both, name="both")
    with pytest.raises(ValueError, match="holds no table"):
        draw({})


@pytest.mark.parametrize(
    "estimator", [LinearRegression(), KMeans(2, n_init=1), object()]
)
def test_only_classifiers(estimator):
    if hasattr(estimator, "fit"):
        estimator.fit(X, Y)
    name = type(estimator).__name__
    message = f"from_estimator only supports classifiers. Got {name} instead"
    with pytest.raises(ValueError, match=message):
        EntropyTriangleDisplay.from_estimator(estimator, X, Y)


def test_wrong_cv_results():
    results = cross_validate(GaussianNB(), X, Y)
    with pytest.raises(ValueError, match=r"does not contain .*return_estimator=True"):
        EntropyTriangleDisplay.from_cv_results(results, X, Y)
    options = {"return_estimator": True, "return_indices": True}
    results = cross_validate(GaussianNB(), X, Y, **options)
    with pytest.raises(ValueError, match="Expected 150, got 100"):
        EntropyTriangleDisplay.from_cv_results(results, X[:100], Y[:100])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        EntropyTriangleDisplay.from_cv_results(results, X, Y[:100])
    results = cross_validate(LinearRegression(), X, Y, **options)
    with pytest.raises(ValueError, match="from_cv_results only supports classifiers"):
        EntropyTriangleDisplay.from_cv_results(results, X, Y)
    split = ShuffleSplit(3, test_size=0.2, train_size=0.5, random_state=0)
    results = cross_validate(GaussianNB(), X, Y, cv=split, **options)
    with pytest.raises(ValueError, match="correct number of samples"):
        EntropyTriangleDisplay.from_cv_results(results, X, Y)


def test_a_predictor_without_tags():
    class Majority:
        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    display = EntropyTriangleDisplay.from_estimator(Majority(), X, Y)
    assert display.name == "Majority"
    assert display.balance.mutual_information == 0
