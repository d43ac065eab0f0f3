"""InformationDiagramDisplay: areas, chains, constructors, texts that stay apart."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.linear_model import LinearRegression

from sklearn_entropy_metrics import EntropyBalance, datasets
from sklearn_entropy_metrics.display import _display
from sklearn_entropy_metrics.display.information_diagram import (
    InformationDiagramDisplay,
)

pytestmark = pytest.mark.usefixtures("pyplot")

TABLES = {
    **dict(zip("abc", datasets.load_synthetic().matrices, strict=False)),
    "independent": np.outer([1, 2, 3], [4, 1]),
    "reject": [[5, 1, 2], [0, 7, 3]],
    "one class": [[7]],
    "many classes": np.eye(300) + 0.01,
}
KINDS = {"joint": {}, "split": {"split": True}, "chain": {"chain": True}}
every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
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


def test_the_scale_is_a_round_number_of_bits():
    for table, bits in (("a", 1), ("many classes", 5)):
        scale = draw(TABLES[table], {}).lines_[-1]
        np.testing.assert_array_equal(scale.get_xdata(), [0, bits])
    assert draw(TABLES["a"], {}).ax_.get_xticks().size == 0


def test_small_numbers_are_not_called_zero():
    table = [[1001, 1000], [1000, 1000]]
    information = EntropyBalance.from_confusion_matrix(table).mutual_information
    assert 1e-9 < information < 5e-4
    texts = [text.get_text() for text in draw(table, {}).legend_.get_texts()]
    assert "transferred < 0.01" in texts
    assert title_of(draw(table, {})).startswith("< 0.01 of the 1.00 bits")


@every_kind
def test_frame_gives_what_is_drawn(kind):
    display = draw(TABLES["reject"], kind)
    frame = display.frame()
    assert {len(column) for column in frame.values()} == {6}
    for row, part in enumerate(display.parts_):
        entropy = getattr(display.balance, frame["part"][row])
        assert frame["entropy"][row] == entropy
        assert frame["perplexity"][row] == pytest.approx(2**entropy)
        assert frame["start"][row] == part.get_x()
        assert frame["stop"][row] == pytest.approx(part.get_bbox().x1)
    assert frame["bar"].tolist() == ["true"] * 3 + ["pred"] * 3


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


def test_wrong_arguments():
    stack = EntropyBalance.from_confusion_matrix([TABLES["a"], TABLES["b"]])
    for balance, message in [
        (stack, "must be an EntropyBalance of one table"),
        ([[1, 0], [0, 1]], r"of one table .* Got \[\[1, 0\], \[0, 1\]\]"),
    ]:
        display = InformationDiagramDisplay(balance=balance)
        with pytest.raises(ValueError, match=message):
            display.plot(Figure().subplots())
        with pytest.raises(ValueError, match=message):
            display.frame()
    with pytest.raises(ValueError, match="of one table"):
        InformationDiagramDisplay.from_confusion_matrix(stack.table)
    with pytest.raises(ValueError, match="Only one of split and chain"):
        draw(TABLES["a"], {"split": True, "chain": True})
    with pytest.raises(ValueError, match="only supports classifiers"):
        InformationDiagramDisplay.from_estimator(LinearRegression(), [[0]], [0])


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
    assert len(display.lines_) == (0 if kind == KINDS["chain"] else 1)  # one scale
    words = [text.get_text() for text in display.legend_.get_texts()]
    assert words[0] == "transferred"
    assert misplaced_texts(display.figure_) == []


def test_names_of_several_diagrams():
    display = InformationDiagramDisplay.from_confusion_matrix(
        {"a": TABLES["a"], "b": TABLES["b"]}, name=["one", "two"]
    )
    labels = {text.get_text() for text in display.ax_.get_yticklabels()}
    assert labels == set(display.frame()["name"]) == {"one", "two"}
    with pytest.raises(ValueError, match=r"a name for each, 2 in all\. Got 1"):
        display.plot(name="both")


@every_kind
def test_every_number_is_in_the_legend(kind):
    display = draw(TABLES["reject"], kind, Figure(figsize=(9, 4)))
    words = [text.get_text() for text in display.legend_.get_texts()]
    symbols = {"mutual_information": "transferred", "conditional_entropy_true": "lost"}
    symbols |= {
        "conditional_entropy_pred": "added",
        "divergence_pred": "uneven predictions",
    }
    for part, symbol in symbols.items():
        bits = getattr(display.balance, part)
        number = f"{2**bits if 'chain' in kind else bits:.2f}".removesuffix(".00")
        assert f"{symbol} {number}" in words


def test_words_are_in_the_parts():
    display = draw(TABLES["a"], {}, Figure(figsize=(9, 4)))
    texts = text_of(display)
    assert texts.count("transferred\nMI = 0.96") == 2
    assert {"lost\nH(X|Y) = 0.63", "  1 bit"} <= set(texts)
    display.figure_.canvas.draw()
    (lost,) = [t for t in display.texts_ if "H(X|Y)" in t.get_text()]
    box, part = lost.get_window_extent(), display.parts_[1].get_window_extent()
    assert part.x0 < box.x0 < box.x1 < part.x1
    assert part.y0 < box.y0 < box.y1 < part.y1


def test_the_title_is_what_was_transferred():
    balance = EntropyBalance.from_confusion_matrix(TABLES["a"])
    display = InformationDiagramDisplay(balance=balance, name="$x_$").plot()
    assert title_of(display).startswith("$x_$: 0.96 of the 1.58 bits")
    assert title_of(display.plot(name="other")).startswith("other: 0.96")
    labels = {"labels": ["x", "y"], "pred_labels": ["x", "y", "reject"]}
    display = InformationDiagramDisplay.from_predictions(
        list("xyxy"), list("xyyy"), **labels
    )
    assert display.balance.table.shape == (2, 3)


def test_a_long_title_is_not_cut(pyplot, misplaced_texts):
    names = [f"k nearest neighbours (k={i})" for i in range(1, 11)]
    figure, ax = pyplot.subplots(figsize=(3, 2.5), layout="constrained")
    table = [[30, 1, 1], [1, 30, 1], [1, 1, 30]]
    InformationDiagramDisplay.from_confusion_matrix(dict.fromkeys(names, table), ax=ax)
    assert misplaced_texts(figure) == []
