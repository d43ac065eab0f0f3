"""Every script of the gallery runs without a warning, and its texts stay apart."""

import itertools
import runpy
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from sklearn_entropy_metrics.__main__ import main

FOLDER = Path(__file__).parents[1] / "docs" / "examples"
SCRIPTS = sorted(FOLDER.glob("plot_*.py"))


@pytest.fixture
def pyplot(monkeypatch):
    """Pyplot that draws into memory and whose windows do not open."""
    backend = mpl.get_backend()
    plt.switch_backend("Agg")
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: None)
    plt.close("all")
    with mpl.rc_context():
        yield plt
    plt.close("all")
    plt.switch_backend(backend)


def texts_of(figure):
    """The texts that a reader of the figure sees."""
    figure.canvas.draw()
    unseen = [text for ax in figure.axes for text in _unseen(ax)]
    return [
        text
        for text in figure.findobj(Text)
        if text.get_visible()
        and text.get_text().strip()
        and not any(text is other for other in unseen)
    ]


def _unseen(ax):
    """Texts of axes that are off, and of ticks beyond the ends of an axis."""
    for axis in (getattr(ax, f"{name}axis", None) for name in "xyz"):
        if axis is None:
            continue
        if not (ax.axison and axis.get_visible()):
            yield from axis.findobj(Text)
        low, high = sorted(axis.get_view_interval())
        slack = 1e-9 * (high - low)
        for tick in axis.get_major_ticks() + axis.get_minor_ticks():
            if not low - slack <= tick.get_loc() <= high + slack:
                yield from (tick.label1, tick.label2)


def outline(text):
    """The corners of a text, turned as it is, in pixels."""
    angle = text.get_rotation()
    center = np.mean(Text.get_window_extent(text).get_points(), axis=0)
    text.set_rotation(0)
    box = Text.get_window_extent(text)
    text.set_rotation(angle)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    corners = corners * [box.width - 1, box.height - 1]
    cos, sin = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    return corners @ [[cos, sin], [-sin, cos]] + center


def overlap(one, other):
    """Whether two convex polygons overlap: no side separates them."""
    for polygon in (one, other):
        sides = np.roll(polygon, -1, axis=0) - polygon
        for normal in sides[:, ::-1] * [1, -1]:
            a, b = one @ normal, other @ normal
            if a.max() <= b.min() or b.max() <= a.min():
                return False
    return True


def overlapping_texts(figure):
    """Pairs of texts of which one is written over the other."""
    shapes = [(text.get_text(), outline(text)) for text in texts_of(figure)]
    return [
        (name, other_name)
        for (name, one), (other_name, other) in itertools.combinations(shapes, 2)
        if overlap(one, other)
    ]


def cut_texts(figure):
    """Texts that the border of the figure cuts."""
    width, height = figure.bbox.size
    boxes = [(text.get_text(), outline(text)) for text in texts_of(figure)]
    return [
        name for name, box in boxes if (box < 0).any() or (box > [width, height]).any()
    ]


def test_there_are_examples():
    assert SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_example(script, pyplot):
    runpy.run_path(str(script), run_name="__main__")
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    assert figures
    for figure in figures:
        assert overlapping_texts(figure) == []
        assert cut_texts(figure) == []


def test_overlap_is_found(pyplot):
    figure = pyplot.figure()
    figure.text(0.5, 0.5, "one text")
    figure.text(0.52, 0.5, "another text", rotation=45)
    figure.text(0.1, 0.1, "a third text")
    figure.text(0.9, 0.9, "a text that runs out of the figure")
    figure.add_axes((0.3, 0.1, 0.6, 0.2), xlim=(0.1, 0.3), xticks=[0.0, 0.2])
    assert overlapping_texts(figure) == [("one text", "another text")]
    assert cut_texts(figure) == ["a text that runs out of the figure"]


@pytest.mark.usefixtures("capsys")
def test_texts_of_the_demo_stay_apart(monkeypatch, tmp_path):
    figures = []
    monkeypatch.setattr(
        "matplotlib.figure.Figure.savefig",
        lambda figure, *args, **kwargs: figures.append(figure),
    )
    main(["demo", "--output", str(tmp_path)])
    assert len(figures) == 3
    for figure in figures:
        FigureCanvasAgg(figure)  # names find their places when drawn
        assert overlapping_texts(figure) == []
        assert cut_texts(figure) == []
