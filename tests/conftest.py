"""Settings of all tests, and what the tests of pictures share."""

import itertools
import os

# Pictures are drawn into memory. Workers share the processors: a pool of threads in
# each would slow all of them down. Both are read when the libraries are imported.
os.environ["MPLBACKEND"] = "Agg"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from joblib import cpu_count
from matplotlib.text import Text

# The same examples in every run, and none judged by how long it takes: a busy machine
# must not fail a test.
settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")


def pytest_xdist_auto_num_workers():
    """Return the number of processors that this process, or its container, may use."""
    return cpu_count()


@pytest.fixture
def pyplot(monkeypatch):
    """Return pyplot without open figures; styles and figures end with the test."""
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: None)
    plt.close("all")  # examples in docstrings leave theirs open
    with plt.rc_context():
        yield plt
    plt.close("all")


@pytest.fixture(scope="session")
def overlapping_texts():
    """Return a function that finds the pairs of texts of a figure that overlap."""

    def find(figure):
        outlines = _outlines(figure)
        return [
            (name, other_name)
            for (name, one), (other_name, other) in itertools.combinations(outlines, 2)
            if _overlap(one, other)
        ]

    return find


@pytest.fixture(scope="session")
def cut_texts():
    """Return a function that finds the texts that the border of a figure cuts."""

    def find(figure):
        inside = [
            (name, (outline >= 0) & (outline <= figure.bbox.size))
            for name, outline in _outlines(figure)
        ]
        return [name for name, within in inside if not within.all()]

    return find


def _outlines(figure):
    """Texts that a reader of the figure sees, and their corners in pixels."""
    figure.draw_without_rendering()
    unseen = {id(text) for ax in figure.axes for text in _unseen_texts(ax)}
    return [
        (text.get_text(), _outline(text))
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text().strip() and id(text) not in unseen
    ]


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
    """The corners of a text, turned as it is, less half a pixel on each side."""
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
