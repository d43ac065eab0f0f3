"""InformationDiagramDisplay: areas, chains, constructors, texts that stay apart."""

import io
import pickle

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression

from sklearn_entropy_metrics import EntropyBalance, datasets
from sklearn_entropy_metrics.display import _display
from sklearn_entropy_metrics.display.information_diagram import (
    InformationDiagramDisplay,
)

pytestmark = pytest.mark.usefixtures("pyplot")

TABLES = {
    **dict(zip("abcdef", datasets.load_synthetic().matrices, strict=True)),
    "diagonal": np.eye(4),
    "independent": np.outer([1, 2, 3], [4, 1]),
    "nearly independent": [[100_001, 100_000], [100_000, 100_000]],
    "majority": [[0, 5], [0, 50]],
    "reject": [[5, 1, 2], [0, 7, 3]],
    "one true class": [[3, 4]],
    "one class": [[7]],
    "many classes": np.eye(300) + 0.01,
}
KINDS = {"joint": {}, "split": {"split": True}, "chain": {"chain": True}}
every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
# Drawing each table is slow; these show what can go wrong.
every_picture = pytest.mark.parametrize(
    "table",
    [
        pytest.param(
            table,
            id=name,
            marks=[] if name in ("a", "reject", "many classes") else pytest.mark.slow,
        )
        for name, table in TABLES.items()
    ],
)
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def draw(table, kind, figure=None, **options):
    ax = (figure or Figure()).subplots()
    return InformationDiagramDisplay.from_confusion_matrix(
        table, ax=ax, **kind, **options
    )


def lengths(display):
    return np.array([part.get_width() for part in display.parts_])


def edges(parts):
    return [part.get_x() for part in parts] + [parts[-1].get_bbox().x1]


def title_of(display):
    return display.ax_.get_title(loc="left").replace("\n", " ")


def text_of(display):
    return [text.get_text() for text in display.texts_]


@every_table
def test_the_bars_overlap_in_the_mutual_information(table):
    display = draw(table, {})
    b = display.balance
    true, pred = edges(display.parts_[:3]), edges(display.parts_[3:])
    start = b.divergence_true + b.conditional_entropy_true
    expected = [0, b.divergence_true, start, b.uniform_entropy_true]
    np.testing.assert_allclose(true, expected, atol=1e-12)
    stop = start + b.mutual_information
    end = start + b.uniform_entropy_pred
    expected = [start, stop, stop + b.conditional_entropy_pred, end]
    np.testing.assert_allclose(pred, expected, atol=1e-12)
    # Between what is due to imbalance lies the joint entropy.
    assert pred[2] - true[1] == pytest.approx(b.joint_entropy, abs=1e-12)
    upper, lower = (display.parts_[i].get_bbox() for i in (2, 3))
    assert (upper.x0, upper.x1) == pytest.approx((lower.x0, lower.x1), abs=1e-12)
    assert upper.y1 < lower.y0  # y points down


@every_table
def test_split_bars_have_the_areas_of_the_balance(table):
    display = draw(table, {"split": True})
    b = display.balance
    expected = [
        [b.mutual_information, b.conditional_entropy_true, b.divergence_true],
        [b.mutual_information, b.conditional_entropy_pred, b.divergence_pred],
    ]
    np.testing.assert_allclose(lengths(display), np.ravel(expected), atol=1e-12)
    np.testing.assert_allclose(
        lengths(display).reshape(2, 3).sum(axis=1),
        [b.uniform_entropy_true, b.uniform_entropy_pred],
        atol=1e-12,
    )
    assert np.ptp([part.get_height() for part in display.parts_]) < 1e-12
    assert display.parts_[0].get_x() == display.parts_[3].get_x() == 0


@pytest.mark.parametrize("kind", ["joint", "split"])
def test_the_coupling_joins_the_mutual_information_of_both_bars(kind):
    display = draw(TABLES["a"], KINDS[kind])
    upper = display.parts_[2 if kind == "joint" else 0].get_bbox()
    lower = display.parts_[3].get_bbox()
    box = display.coupling_.get_bbox()
    assert (box.x0, box.x1) == pytest.approx((upper.x0, upper.x1))
    middles = [(part.y0 + part.y1) / 2 for part in (upper, lower)]
    assert (box.y0, box.y1) == pytest.approx(tuple(middles))
    assert draw(TABLES["a"], {"chain": True}).coupling_ is None


@every_table
def test_chains_go_through_the_perplexities(table):
    display = draw(table, {"chain": True})
    b = display.balance
    assert display.ax_.get_xscale() == "log"
    expected = [
        [1, b.remaining_true_classes, b.effective_true_classes, b.n_true_classes],
        [1, b.remaining_pred_classes, b.effective_pred_classes, b.n_pred_classes],
    ]
    chains = [edges(display.parts_[:3]), edges(display.parts_[3:])]
    np.testing.assert_allclose(chains, expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["a", "reject"])
def test_numbers_are_on_the_chains(name):
    display = draw(TABLES[name], {"chain": True}, Figure(figsize=(9, 4)))
    b, texts = display.balance, text_of(display)
    for symbol, value in {
        "lost\n$k_{X|Y}$": b.remaining_true_classes,
        "transferred\n$\\mu$": b.information_transfer_factor,
        "uneven predictions\n$\\delta_Y$": 2**b.divergence_pred,
        "$k_X$": b.effective_true_classes,
        "$m$": b.n_pred_classes,
    }.items():
        number = f"{value:.2f}" if abs(value - round(value)) > 1e-9 else round(value)
        assert f"{symbol} = {number}" in texts


def test_words_symbols_and_numbers_are_in_the_parts():
    display = draw(TABLES["a"], {}, Figure(figsize=(9, 4)))
    texts = text_of(display)
    assert texts.count("transferred\n$\\mathrm{MI}$ = 0.96") == 2
    for words in (
        "uneven classes\n$\\Delta H_X$ = 0",
        "lost\n$H_{X|Y}$ = 0.63",
        "added\n$H_{Y|X}$ = 0.54",
        "uneven predictions\n$\\Delta H_Y$ = 0.08",
        "  1 bit",
    ):
        assert words in texts
    # Texts inside of their parts, or with a line to them.
    display.figure_.canvas.draw()
    (told,) = [t for t in display.texts_ if "$H_{X|Y}$" in t.get_text()]
    box, part = told.get_window_extent(), display.parts_[1].get_window_extent()
    assert part.x0 < box.x0 < box.x1 < part.x1
    assert part.y0 < box.y0 < box.y1 < part.y1
    assert len(display.lines_) == 3  # to the parts of imbalance, and the scale


def test_the_scale_is_a_round_number_of_bits():
    for table, bits in (("a", 1), ("many classes", 5), ("nearly independent", 1)):
        scale = draw(TABLES[table], {}).lines_[-1]
        np.testing.assert_array_equal(scale.get_xdata(), [0, bits])
    assert draw(TABLES["a"], {}).ax_.get_xticks().size == 0


def test_small_numbers_are_not_called_zero():
    table = [[1001, 1000], [1000, 1000]]
    information = EntropyBalance.from_confusion_matrix(table).mutual_information
    assert 1e-9 < information < 5e-4
    texts = text_of(draw(table, {}))
    assert any(r"$\mathrm{MI}$ < 0.01" in text for text in texts)
    assert title_of(draw(table, {})).startswith("< 0.01 of the 1.00 bits")


@every_kind
@every_table
def test_frame_gives_what_is_drawn(table, kind):
    display = draw(table, kind)
    frame = display.frame()
    assert {len(column) for column in frame.values()} == {6}
    for row, part in enumerate(display.parts_):
        entropy = getattr(display.balance, frame["part"][row])
        assert frame["entropy"][row] == entropy
        assert frame["perplexity"][row] == pytest.approx(2**entropy)
        assert frame["start"][row] == part.get_x()
        assert frame["stop"][row] == pytest.approx(part.get_bbox().x1)
    assert frame["bar"].tolist() == ["true"] * 3 + ["pred"] * 3


@pytest.fixture(scope="module")
def fitted():
    X, y = make_classification(n_classes=3, n_informative=4, random_state=0)
    y = np.array(["x", "y", "z"])[y]
    return LogisticRegression().fit(X, y), X, y


@every_kind
def test_constructors_agree(fitted, kind):
    estimator, X, y = fitted
    weight = np.arange(len(y)) + 1.0
    one = InformationDiagramDisplay.from_estimator(
        *fitted, sample_weight=weight, **kind
    )
    two = InformationDiagramDisplay.from_predictions(
        y, estimator.predict(X), sample_weight=weight, **kind
    )
    three = InformationDiagramDisplay.from_confusion_matrix(two.balance.table, **kind)
    for other in (two, three):
        assert text_of(one) == text_of(other)
        assert list(one.frame()) == list(other.frame())
        for key, column in list(one.frame().items())[1:]:
            np.testing.assert_array_equal(column, other.frame()[key])
    names = ["LogisticRegression", "", ""]
    for display, name in zip((one, two, three), names, strict=True):
        assert set(display.frame()["name"]) == {name}
        title = title_of(display)
        b = display.balance
        sentence = f"{b.mutual_information:.2f} of the {b.entropy_true:.2f} bits in "
        assert title.startswith(f"{name}: {sentence}".removeprefix(": "))


def test_labels_are_passed_on(fitted):
    estimator, X, y = fitted
    pred = estimator.predict(X)
    labels = {"labels": ["x", "y", "z"], "pred_labels": ["x", "y", "z", "reject"]}
    for display in (
        InformationDiagramDisplay.from_estimator(*fitted, **labels),
        InformationDiagramDisplay.from_predictions(y, pred, **labels),
    ):
        assert display.balance.table.shape == (3, 4)


@every_kind
def test_sparse_tables_are_drawn(kind):
    sparse = pytest.importorskip("scipy.sparse")
    display = draw(sparse.csr_array(TABLES["a"]), kind)
    np.testing.assert_allclose(lengths(display), lengths(draw(TABLES["a"], kind)))


@every_kind
def test_plot_returns_self_and_can_be_repeated(kind):
    balance = EntropyBalance.from_confusion_matrix(TABLES["a"])
    display = InformationDiagramDisplay(balance=balance, name="$x_$", **kind)
    assert display.plot() is display
    before, first = lengths(display), display.ax_
    ax = Figure().subplots()
    display.plot(ax, name="other")
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    assert ax is not first
    np.testing.assert_array_equal(lengths(display), before)
    assert (display.balance, display.name) == (balance, "$x_$")
    assert (display.split, display.chain) == (kind == KINDS["split"], "chain" in kind)
    assert first.get_title(loc="left").startswith("$x_$: 0.96 of the 1.58 bits")
    assert title_of(display).startswith("other")


@every_kind
def test_no_pyplot_state_is_made(kind, pyplot):
    draw(TABLES["a"], kind).figure_.savefig(io.BytesIO())
    assert pyplot.get_fignums() == []


@every_kind
@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
@pytest.mark.usefixtures("style")
def test_formats_and_styles(kind, form):
    display = draw(TABLES["c"], kind, Figure(layout="tight"), name="a$_b")
    file = io.BytesIO()
    display.figure_.savefig(file, format=form)
    assert file.tell() > 1000
    assert len(display.ax_.get_yticklabels()) == 2


@every_kind
def test_figures_can_be_pickled(kind):
    display = pickle.loads(pickle.dumps(draw(TABLES["a"], kind)))
    assert len(display.parts_) == 6


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_parts_have_the_colours_of_their_meaning(style):
    with mpl.style.context(style):
        display = draw(TABLES["a"], {})
        tints = {
            "mutual_information": _display.tint(_display.INFORMATION),
            "conditional_entropy": _display.tint(_display.LOSS),
            "divergence": _display.tint(_display.IMBALANCE),
        }
    for part, name in zip(display.parts_, display.frame()["part"], strict=True):
        (color,) = [tints[key] for key in tints if name.startswith(key)]
        np.testing.assert_allclose(part.get_facecolor()[:3], color)
        assert part.get_hatch() is None


@every_kind
@every_picture
def test_texts_do_not_overlap(table, kind, misplaced_texts):
    figure = Figure(figsize=(4.5, 3.5), layout="constrained")
    draw(table, kind, figure, name="A name")
    assert misplaced_texts(figure) == []


@every_kind
@pytest.mark.parametrize(
    ("layout", "size"),
    [
        ("constrained", (7, 6)),
        pytest.param("tight", (7, 6), marks=pytest.mark.slow),
        pytest.param(None, (10, 8), marks=pytest.mark.slow),
    ],
)
def test_texts_do_not_overlap_in_a_grid(kind, layout, size, misplaced_texts):
    figure = Figure(figsize=size, layout=layout)
    for ax, name in zip(figure.subplots(2, 2).flat, "acdf", strict=True):
        InformationDiagramDisplay.from_confusion_matrix(
            TABLES[name], ax=ax, name=name, **kind
        )
    assert misplaced_texts(figure) == []


@every_kind
@every_picture
def test_own_figures(table, kind, misplaced_texts):
    display = InformationDiagramDisplay.from_confusion_matrix(table, name="A", **kind)
    assert misplaced_texts(display.figure_) == []
    two = InformationDiagramDisplay.from_confusion_matrix({"a": table, "b": table})
    assert misplaced_texts(two.figure_) == []


@pytest.mark.slow
@every_kind
@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.usefixtures("style")
def test_grids_of_six(pyplot, kind, layout, misplaced_texts):
    figure, axes = pyplot.subplots(2, 3, figsize=(11, 6), layout=layout)
    for ax, name in zip(axes.flat, "abcdef", strict=True):
        InformationDiagramDisplay.from_confusion_matrix(
            TABLES[name], ax=ax, name=name, **kind
        )
    assert misplaced_texts(figure) == []


def test_wrong_arguments():
    stack = EntropyBalance.from_confusion_matrix([TABLES["a"], TABLES["b"]])
    for balance, message in [
        (stack, r"Got a stack of tables of shape \(2, 3, 3\)\."),
        ([[1, 0], [0, 1]], "must be an EntropyBalance of one table. Got list"),
    ]:
        display = InformationDiagramDisplay(balance=balance)
        with pytest.raises(ValueError, match=message):
            display.plot(Figure().subplots())
        with pytest.raises(ValueError, match=message):
            display.frame()
    with pytest.raises(ValueError, match="stack of tables of shape"):
        InformationDiagramDisplay.from_confusion_matrix(stack.table)
    with pytest.raises(ValueError, match="Only one of split and chain"):
        draw(TABLES["a"], {"split": True, "chain": True})
    with pytest.raises(ValueError, match="only supports classifiers"):
        InformationDiagramDisplay.from_estimator(LinearRegression(), [[0]], [0])


def test_nothing_is_drawn_if_something_is_wrong(pyplot):
    with pytest.raises(ValueError, match="stack"):
        InformationDiagramDisplay.from_confusion_matrix(np.ones((2, 3, 3)))
    assert pyplot.get_fignums() == []


@every_kind
def test_several_diagrams_share_one_scale(kind, misplaced_texts):
    tables = {name: TABLES[name] for name in "abc"}
    display = InformationDiagramDisplay.from_confusion_matrix(tables, **kind)
    singles = [draw(table, kind) for table in tables.values()]
    np.testing.assert_array_equal(
        lengths(display), np.concatenate(list(map(lengths, singles)))
    )
    assert display.frame()["name"].tolist() == sorted(display.frame()["name"])
    # Those that transfer most are on top.
    information = [one.balance.mutual_information for one in singles]
    heights = [display.parts_[6 * i].get_y() for i in range(3)]
    assert np.argsort(heights).tolist() == np.argsort(information)[::-1].tolist()
    assert len(display.coupling_ or []) == (0 if kind == KINDS["chain"] else 3)
    assert len(display.lines_) == (0 if kind == KINDS["chain"] else 1)  # one scale
    words = [text.get_text() for text in display.legend_.get_texts()]
    assert words[0] == "transferred"
    assert misplaced_texts(display.figure_) == []


def test_several_diagrams_on_plain_axes(pyplot, misplaced_texts):
    figure, ax = pyplot.subplots()
    names = [f"a model with quite a long name, {i}" for i in range(8)]
    tables = dict(zip(names, [TABLES[name] for name in "abcdefab"], strict=True))
    InformationDiagramDisplay.from_confusion_matrix(tables, ax=ax)
    assert misplaced_texts(figure) == []


def test_names_of_several_diagrams():
    display = InformationDiagramDisplay.from_confusion_matrix(
        {"a": TABLES["a"], "b": TABLES["b"]}, name=["one", "two"]
    )
    labels = {text.get_text() for text in display.ax_.get_yticklabels()}
    assert labels == set(display.frame()["name"]) == {"one", "two"}
    with pytest.raises(ValueError, match=r"an entry for each of 2 diagrams\. Got 1"):
        display.plot(name="both")
