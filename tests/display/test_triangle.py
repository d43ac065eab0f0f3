"""EntropyTriangleDisplay: artists against formulas, constructors, layouts, errors."""

import itertools
import math

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import EntropyBalance, datasets, measure
from sklearn_entropy_metrics.display import EntropyTriangleDisplay

# What the colours mean in all pictures.
COLORS = {"information": "#00664a", "not shared": "#c4570b", "uneven": "#6a5acd"}

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
    return next(p for p in ax.patches if type(p).__name__ == "Frame")


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


def test_cursor_shows_the_three_shares():
    display = draw(SYNTHETIC.matrices[0])
    point = to_plane([0.1, 0.7, 0.2])
    expected = "ΔH' = 0.100  2MI' = 0.700  VI' = 0.200"
    assert display.ax_.format_coord(*point) == expected


@pytest.mark.parametrize("annotate", [False, True])
def test_names_are_drawn_literally(annotate):
    names = ["$x_$", "_hidden", "$a$ and $b", r"\alpha", "x_1", "ü"]
    display = draw(SYNTHETIC.matrices, name=names, annotate=annotate)
    display.figure_.canvas.draw()
    texts = display.texts_["names"] if annotate else display.legend_.get_texts()
    assert [text.get_text() for text in texts] == names
    assert not any(text.get_parse_math() for text in texts)


@pytest.mark.slow
def test_switches_work_together():
    table = SYNTHETIC.matrices[0]
    for pair in itertools.combinations(SWITCHES, 2):
        options = dict.fromkeys(pair, True)
        draw({"a": table, "b": table.T}, ax=Figure().add_subplot(), **options)


def test_all_switches():
    table, options = SYNTHETIC.matrices[0], dict.fromkeys(SWITCHES, True)
    display = draw({"a": table, "b": table.T}, ax=Figure().add_subplot(), **options)
    display.figure_.canvas.draw()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"c": [1, 2]}, r"number for each of the 6 points. Got an array of shape \(2,"),
        ({"c": "red"}, "must be the name of a measure"),
        ({"name": ["a", "b"]}, "as many names as there are balances, 1, or .*Got 2"),
    ],
)
def test_wrong_options(pyplot, options, message):
    with pytest.raises(ValueError, match=message):
        draw(SYNTHETIC.matrices, **options)
    assert pyplot.get_fignums() == []


@pytest.mark.parametrize(
    "estimator", [LinearRegression(), KMeans(2, n_init=1), object()]
)
def test_only_classifiers(estimator):
    if hasattr(estimator, "fit"):
        estimator.fit(X, Y)
    name = type(estimator).__name__
    message = f"only supports classifiers. Got {name} instead"
    with pytest.raises(ValueError, match=message):
        EntropyTriangleDisplay.from_estimator(estimator, X, Y)


def test_wrong_cv_results():
    results = cross_validate(GaussianNB(), X, Y)
    with pytest.raises(ValueError, match=r"does not contain .*return_estimator=True"):
        EntropyTriangleDisplay.from_cv_results(results, X, Y)
    options = {"return_estimator": True, "return_indices": True}
    results = cross_validate(GaussianNB(), X, Y, **options)
    with pytest.raises(ValueError, match=r"must have the 150 samples.*Got 100"):
        EntropyTriangleDisplay.from_cv_results(results, X[:100], Y[:100])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        EntropyTriangleDisplay.from_cv_results(results, X, Y[:100])
    results = cross_validate(LinearRegression(), X, Y, **options)
    with pytest.raises(ValueError, match="only supports classifiers"):
        EntropyTriangleDisplay.from_cv_results(results, X, Y)
    split = ShuffleSplit(3, test_size=0.2, train_size=0.5, random_state=0)
    results = cross_validate(GaussianNB(), X, Y, cv=split, **options)
    with pytest.raises(ValueError, match="must have the"):
        EntropyTriangleDisplay.from_cv_results(results, X, Y)


def texts_of(display):
    return [text.get_text() for text in display.ax_.texts if text.get_visible()]


def test_the_triangle_fills_half_of_the_default_figure():
    for n_names in (1, 3, 10):
        names = [f"a rather long name, number {i}" for i in range(n_names)]
        display = draw(dict(zip(names, MEG.matrices, strict=False)))
        assert box_share(display) > 0.5


def test_words_shorten_with_the_axes(pyplot):
    """Long words, short ones, and only symbols in a grid, without guides and scores."""
    found = []
    for size in ((6.4, 4.8), (3, 2.5), (2, 1.8)):
        _, ax = pyplot.subplots(figsize=size, layout="constrained")
        display = EntropyTriangleDisplay.from_predictions(Y, np.roll(Y, 20), ax=ax)
        found.append(texts_of(display))
        assert (display.guides_ is None) == (size[0] == 2)
    for text in ("perfect", "pure\nguessing", "always\none class"):
        assert [text in texts for texts in found] == [True, True, False]
    assert "uneven classes or predictions  ΔH' →" in found[0]
    assert "uneven  ΔH' →" in found[1]
    assert {"ΔH'", "2MI'", "VI'"} <= set(found[2])
    assert draw(SYNTHETIC.matrices[0], words=False).texts_["words"] == []


def test_scales_have_the_colours_of_the_visual_language():
    display = draw(SYNTHETIC.matrices[0])
    by_word = {text.get_text(): to_rgb(text.get_color()) for text in display.ax_.texts}
    for word, color in COLORS.items():
        (found,) = (by_word[text] for text in by_word if word in text)
        assert found == pytest.approx(to_rgb(color))


def test_one_classifier_has_guides_a_sentence_and_its_score():
    """They go when another comes; a title of the user stays."""
    table = [[15, 0, 5], [0, 15, 5], [0, 0, 20]]
    display = draw(table, name="a")
    shares = EntropyBalance.from_confusion_matrix(table).joint_fractions
    ends = [segment[1] for segment in display.guides_.get_segments()]
    uneven, information, rest = shares
    expected = [[uneven, 0, rest + information], [1 - information, information, 0]]
    np.testing.assert_allclose(
        ends, to_plane([*expected, [0, information + uneven, rest]])
    )
    title = display.ax_.get_title()
    numbers = [int(part.split("%")[0]) for part in title.split(" · ")]
    assert sum(numbers) == 100
    assert numbers == pytest.approx(100 * shares[[1, 2, 0]], abs=1)
    score = display.balance.entropy_modulated_accuracy
    assert display.texts_["names"][0].get_text() == (
        f"a\nEMA {score:.2f}\n(guessing: 0.33)"
    )
    draw(SYNTHETIC.matrices[0], name="b", ax=display.ax_)
    assert display.ax_.get_title() == ""
    assert display.guides_.axes is None
    assert display.texts_["names"][0].get_text() == "a"
    display = draw(table)
    assert f"EMA {score:.2f}\n(guessing: 0.33)" in texts_of(display)
    display.ax_.set_title("mine")
    draw(table, ax=display.ax_)
    assert display.ax_.get_title() == "mine"
    assert not any("EMA" in text for text in texts_of(display))


def test_names_beside_points_or_numbers_with_a_list():
    few = draw(SYNTHETIC.matrices[[0, 2, 3]], name=["first", "second", "third"])
    written = [text.get_text() for text in few.texts_["names"]]
    assert written == ["first", "second", "third"]
    assert few.legend_ is None
    names = [f"model {i}" for i in range(10)]
    many = draw(MEG.matrices, name=names)
    heights = many.frame()["mutual_information"]
    order = [names[i] for i in np.argsort(-heights, kind="stable")]
    assert legend_texts(many) == [f"{i}  {n}" for i, n in enumerate(order, start=1)]
    numbers = {text.get_text(): text.xy for text in many.texts_["names"]}
    for number, name in enumerate(order, start=1):
        place = to_plane(many.balance.joint_fractions[names.index(name)])
        np.testing.assert_allclose(numbers[str(number)], place)
    assert legend_texts(draw(MEG.matrices, name=names, annotate=False)) == names
    short = draw(MEG.matrices, name=MEG.names)  # a number would be no shorter
    assert [text.get_text() for text in short.texts_["names"]] == MEG.names


def test_names_of_several_calls_are_numbered_together():
    names = [f"model {i}" for i in range(10)]
    display = draw(MEG.matrices[0], name=names[0])
    for part in (slice(1, 4), slice(4, 10)):
        display = draw(MEG.matrices[part], name=names[part], ax=display.ax_)
    assert legend_texts(display) == legend_texts(draw(MEG.matrices, name=names))
    shown = [text for text in texts_of(display) if text in map(str, range(1, 11))]
    assert sorted(map(int, shown)) == list(range(1, 11))


def test_stacks_are_numbered_up_to_thirty():
    display = draw(MEG.matrices)
    written = {text.get_text(): text.xy for text in display.texts_["names"]}
    assert list(written) == [str(i) for i in range(1, 11)]
    np.testing.assert_allclose(list(written.values()), offsets(display.scatter_))
    assert display.center_ is display.spread_ is display.legend_ is None
    named = draw({"a": MEG.matrices, "b": SYNTHETIC.matrices})
    assert legend_texts(named) == ["a", "b"]
    cloud = resample(SYNTHETIC.matrices[2], 31)
    shown = {
        points: draw(cloud, points=points).scatter_.get_visible()
        for points in ("auto", True, False)
    }
    assert shown == {"auto": False, True: True, False: False}
    assert not draw(cloud[:30], points=False).scatter_.get_visible()
    assert draw(cloud, scatter_kwargs={"s": 5}).scatter_.get_visible()


def test_clouds_have_marks_of_their_colours_in_the_list():
    names = [f"set {i}" for i in range(9)]
    tables = {name: resample(MEG.matrices[i], 40) for i, name in enumerate(names)}
    display = draw(tables | {"alone": MEG.matrices[9]})
    legends = display.ax_.findobj(Legend)
    marks = [mark for one in legends for mark in one.legend_handles]
    marks = [mark for mark in marks if isinstance(mark, PathCollection)]
    assert len(marks) == 10
    assert all(mark.get_visible() for mark in marks)
    colors = {tuple(center.get_facecolor()[0]) for center in display.center_}
    assert len(colors) == 9
    assert colors < {tuple(mark.get_facecolor()[0]) for mark in marks}


@pytest.mark.parametrize("n_points", [31, 3000])
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


def test_points_on_a_line_have_a_flat_ellipse():
    display = draw(resample(SYNTHETIC.matrices[4]))
    points, ellipse = offsets(display.scatter_), display.spread_
    assert min(ellipse.width, ellipse.height) == 0
    distance = np.linalg.norm(points - points.mean(axis=0), axis=1)
    inside = distance <= max(ellipse.width, ellipse.height) / 2 + 1e-9
    assert 0.95 <= inside.mean() < 1


def test_folds_without_some_classes():
    options = {"return_estimator": True, "return_indices": True}
    results = cross_validate(GaussianNB(), X, Y, cv=KFold(6), **options)
    display = EntropyTriangleDisplay.from_cv_results(results, X, Y)
    assert display.balance.table.shape == (6, 3, 3)


@pytest.mark.parametrize("weighted", [False, True])
def test_folds_are_dots_and_the_pooled_table_a_mark(weighted):
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
    pooled = EntropyBalance.from_confusion_matrix(np.sum(tables, axis=0))
    place = to_plane(pooled.joint_fractions)
    np.testing.assert_allclose(display.center_.get_offsets()[0], place)
    assert len(display.scatter_.get_offsets()) == 7
    assert display.scatter_.get_visible()
    assert display.spread_ is None
    (label,) = display.texts_["names"]
    assert label.get_text() == "all folds"
    np.testing.assert_allclose(label.xy, place)
    assert legend_texts(display) == ["one fold"]


@pytest.mark.parametrize(("shape", "zoom"), [((3, 4), False), ((16, 16), True)])
def test_nit_lines(shape, zoom):
    table = np.zeros(shape)
    table[np.arange(shape[0]), np.arange(shape[0])] = 1
    table += 0.2 * table.mean()
    display = draw(table, nit_lines=True, zoom=zoom)
    segments = display.nit_lines_.get_segments()
    labels = [text.get_text() for text in display.texts_["nit_lines"]]
    assert len(labels) == len(segments) >= 3
    assert sum("NIT factor" in label for label in labels) == 1
    for label, segment in zip(labels, segments, strict=True):
        q = float(label.removeprefix("NIT factor ").removeprefix("q = "))
        height = 2 * math.log2(q * shape[0]) / (math.log2(shape[0] * shape[1]))
        np.testing.assert_allclose(segment[:, 1], height * math.sqrt(3) / 2)


def test_options_that_need_more():
    with pytest.raises(ValueError, match="`path` must have at least 2 points"):
        draw([[1, 0], [0, 1]], path=True)
    with pytest.raises(ValueError, match="the same number of classes in all tables"):
        draw({"a": np.eye(2), "b": np.eye(3)}, nit_lines=True)
    with pytest.raises(ValueError, match="must have at least 2 classes"):
        draw([[3]], nit_lines=True)


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
    assert [text.get_text() for text in display.texts_["names"]][:3] == ["2", "3", "4"]
    draw([[5]], bound=True).figure_.canvas.draw()


def test_values_stand_out_from_the_paper(pyplot):
    """Neither yellow on white nor black on black."""
    for style, paper in (("default", 1), ("dark_background", 0)):
        with pyplot.style.context(style):
            cmap = draw(MEG.matrices, c="accuracy").colorbar_.cmap
        greys = cmap(np.linspace(0, 1, 9))[:, :3] @ [0.3, 0.59, 0.11]
        assert np.abs(greys - paper).min() > 0.25
        assert abs(greys[-1] - paper) > abs(greys[0] - paper)


@pytest.mark.parametrize("first", [True, False])
def test_zoom_holds_the_points_of_all_calls(first):
    display = draw(MEG.matrices[0], name="a", zoom=first)
    draw(MEG.matrices[8], name="b", ax=display.ax_, zoom=True, split=True)
    outline = outline_of(display.ax_)
    corners = outline.get_xy()[:3]
    size = corners[0, 0] - corners[2, 0]
    assert size < 1
    assert corners[1, 1] - corners[0, 1] == pytest.approx(size * math.sqrt(3) / 2)
    collections = [c for c in display.ax_.collections if hasattr(c, "get_sizes")]
    points = np.concatenate(
        [c.get_offsets() for c in collections if c.get_sizes().size]
    )
    assert contains(outline, points).all()
    numbers = [text for text in texts_of(display) if text[0].isdigit()]
    assert len(numbers) >= 9  # three scales


def test_a_second_display_adds_no_second_frame():
    display = draw(SYNTHETIC.matrices[0], name="a")
    n_texts = len(display.texts_["words"])
    other = draw(SYNTHETIC.matrices[1], name="b", ax=display.ax_)
    assert sum(type(p).__name__ == "Frame" for p in display.ax_.patches) == 1
    assert len(other.texts_["words"]) == n_texts
    colors = [tuple(one.scatter_.get_facecolor()[0]) for one in (display, other)]
    assert len(set(colors)) == 2


def test_options_are_checked():
    table = [[5, 1], [2, 4]]
    for name in ("annotate", "guides", "points"):
        for value in (1, "yes", None):
            with pytest.raises(ValueError, match=f"`{name}` must be True, False or 'a"):
                draw(table, **{name: value})
        draw(table, **{name: np.True_})
    with pytest.raises(ValueError, match="inset is gone, and `zoom=True` sets the win"):
        draw(table, zoom="inset")
    with pytest.raises(ValueError, match=r"`zoom` must be True or False\. Got 1"):
        draw(table, zoom=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'zones'"):
        draw(table, zones=True)


def test_estimator_equals_predictions():
    estimator = GaussianNB().fit(X, Y)
    one = EntropyTriangleDisplay.from_estimator(estimator, X, Y, bound=True)
    other = EntropyTriangleDisplay.from_predictions(Y, estimator.predict(X))
    np.testing.assert_array_equal(one.balance.table, other.balance.table)
    assert one.name == "GaussianNB"
    assert other.name is None
    assert "limit of these classes" in texts_of(one)
    assert one.legend_ is None


@pytest.mark.parametrize("rare", [20, 40, 60, 80])
def test_names_do_not_cross_the_sides(rare):
    """The whole name is inside or outside, and not between points of the side."""
    tables = {"a rather long name": [[700, 10], [10, rare]], "short": [[5, 4], [4, 5]]}
    display = draw(tables)
    display.figure_.canvas.draw()
    sides = display.ax_.patches[0].get_path().interpolated(500).vertices
    sides = display.ax_.transData.transform(sides)
    boxes = [Text.get_window_extent(one) for one in display.texts_["names"]]
    assert [box.count_contains(sides) for box in boxes] == [0, 0]


def test_a_single_name_is_never_a_list(pyplot):
    _, axes = pyplot.subplots(2, 3, figsize=(9.6, 6.4), layout="constrained")
    table = SYNTHETIC.matrices[0]
    name = "a decision tree with a long name"
    display = draw(table, name=name, ax=axes[0, 0], nit_lines=True, bound=True)
    assert display.legend_ is None
    assert name in display.texts_["names"][0].get_text()


def test_a_list_beside_a_colour_bar_covers_no_words(pyplot):
    """It has names that can be read, or the best and the worst have theirs."""
    names = [f"a classifier with a long name, {i}" for i in range(len(MEG.matrices))]
    for size, is_listed in (((6.4, 4.8), True), ((3, 2.5), False)):
        _, ax = pyplot.subplots(figsize=size, layout="constrained")
        display = draw(MEG.matrices, name=names, ax=ax, c="accuracy")
        assert (display.legend_ is not None) == is_listed
        names_beside = [text.get_text() for text in display.texts_["names"]]
        best_and_worst = [f"a classifi…e, {i}" for i in (3, 9)]
        assert is_listed or names_beside == best_and_worst
        assert display.colorbar_ is not None
        listed = [text.split("  ")[1] for text in legend_texts(display)]
        assert len(set(listed)) == len(listed)


def test_keys_of_a_dict_are_names():
    """Zero, too."""
    tables = dict(enumerate(SYNTHETIC.matrices[:2]))
    assert draw(tables).frame()["name"].tolist() == ["0", "1"]


def test_a_given_size_is_that_of_all_points():
    """Even of those that coincide."""
    table = SYNTHETIC.matrices[0]
    display = draw({"a": table, "b": table}, scatter_kwargs={"s": 50})
    assert [one.get_sizes().tolist() for one in display.scatter_] == [[50], [50]]
