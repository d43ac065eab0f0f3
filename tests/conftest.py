"""Settings of all tests, and what tests of pictures, pages and commands share."""

import os
from importlib.util import find_spec

# Pictures are drawn into memory. Workers share the processors: a pool of threads in
# each would slow all of them down. Both are read when the libraries are imported.
os.environ["MPLBACKEND"] = "Agg"
os.environ.setdefault("OMP_NUM_THREADS", "1")

from html.parser import HTMLParser

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from joblib import cpu_count
from matplotlib.axes import Axes
from matplotlib.text import Text

# The same examples in every run, and none judged by how long it takes: a busy machine
# must not fail a test. Others by --hypothesis-profile=fresh --hypothesis-seed=1.
_patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fresh", _patient)
settings.register_profile("thorough", _patient, derandomize=True)
settings.register_profile("repeatable", _patient, derandomize=True, max_examples=10)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items):
    """Skip the example of frames where the package that reads them is not there."""
    if find_spec("narwhals") is None:
        for item in items:
            if item.name.endswith("frames.tabulate_frame"):
                item.add_marker(pytest.mark.skip(reason="narwhals is not installed"))


def pytest_xdist_auto_num_workers():
    """Return the number of processors that this process, or its container, may use."""
    return cpu_count()


_STATES = {}


def pytest_runtest_setup(item):
    """Rewind the random generators of the module: no test depends on earlier ones."""
    for name, value in vars(item.module).items():
        if isinstance(value, np.random.Generator):
            start = _STATES.setdefault((item.module, name), value.bit_generator.state)
            value.bit_generator.state = start


@pytest.fixture
def pyplot(monkeypatch):
    """Return pyplot without open figures; styles and figures end with the test."""
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: None)
    plt.close("all")  # examples in docstrings leave theirs open
    with plt.rc_context():
        yield plt
    plt.close("all")


@pytest.fixture(scope="session")
def misplaced_texts():
    """Return a function that finds texts of a figure that cannot be read.

    That is the pairs of which one is written over the other, and, each alone in a
    tuple, those that the border of the figure cuts.
    """

    def find(figure):
        # Layouts settle when drawn for the second time, which is what savefig saves.
        return _misplaced_texts(figure) and _misplaced_texts(figure)

    return find


def _misplaced_texts(figure):
    names, outlines = _outlines(figure)
    low, high = outlines.min(axis=1), outlines.max(axis=1)
    cut = (low < 0).any(axis=1) | (high > figure.bbox.size).any(axis=1)
    near = (low[:, None] < high).all(axis=2)
    pairs = zip(*np.nonzero(np.triu(near & near.T, k=1)), strict=True)
    overlapping = [
        (names[one], names[other])
        for one, other in pairs
        if _overlap(outlines[one], outlines[other])
    ]
    return overlapping + [(names[place],) for place in np.flatnonzero(cut)]


def _outlines(figure):
    """Texts that a reader of the figure sees, and arrays of their corners."""
    figure.draw_without_rendering()
    unseen = {id(text) for ax in figure.findobj(Axes) for text in _unseen_texts(ax)}
    texts = [
        text
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text().strip() and id(text) not in unseen
    ]
    outlines = np.reshape([_outline(text) for text in texts], (-1, 4, 2))
    return [text.get_text() for text in texts], outlines


def _unseen_texts(ax):
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


def _outline(text):
    """The corners of a text in pixels, turned as it is, half a pixel inside."""
    angle = text.get_rotation()
    center = np.mean(Text.get_window_extent(text).get_points(), axis=0)
    text.set_rotation(0)
    box = Text.get_window_extent(text)
    text.set_rotation(angle)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    corners = corners * [box.width - 1, box.height - 1]
    cos, sin = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    return corners @ [[cos, sin], [-sin, cos]] + center


def _overlap(one, other):
    """Whether two convex polygons overlap: no side separates them."""
    for polygon in (one, other):
        sides = np.roll(polygon, -1, axis=0) - polygon
        for normal in sides[:, ::-1] * [1, -1]:
            a, b = one @ normal, other @ normal
            if a.max() <= b.min() or b.max() <= a.min():
                return False
    return True


class WellFormed(HTMLParser):
    """The texts and attributes of HTML that closes what it opens, by their tags."""

    EMPTY = frozenset({"br", "meta"})

    def __init__(self, html):
        super().__init__()
        self.open, self.texts, self.attributes = [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.attributes.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def __getitem__(self, tag):
        return [text for found, text in self.texts if found == tag]


@pytest.fixture
def read_html():
    """Read HTML that must be well formed."""
    return WellFormed


@pytest.fixture
def run(capsys):
    """Run a command that succeeds; give what it prints."""

    from sklearn_entropy_metrics.__main__ import main

    def run_command(*arguments):
        main(list(map(str, arguments)))
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out

    return run_command


@pytest.fixture
def fail(capsys):
    """Run a command that fails with a code; give what it says."""

    from sklearn_entropy_metrics.__main__ import main

    def fail_command(code, *arguments):
        with pytest.raises(SystemExit) as stop:
            main(list(map(str, arguments)))
        printed = capsys.readouterr()
        assert stop.value.code == code, printed.err
        assert printed.out == ""
        return printed.err

    return fail_command


@pytest.fixture(
    params=["default", pytest.param("dark_background", marks=pytest.mark.slow)]
)
def style(request, pyplot):
    """Draw on a light ground; slow tests repeat it on a dark one."""
    with pyplot.style.context(request.param):
        yield
