"""The colours of the displays: for colour-blind readers, in grey, on black and white.

Colour blindness is simulated as by Machado, Oliveira and Fernandes (2009), "A
physiologically-based model for simulation of color vision deficiency", with their
matrices for a severity of one, in linear RGB; differences are those of CIELAB.
"""

from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from sklearn_entropy_metrics.display import _display, probability_balance

MACHADO = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
]
COLORS = (_display.INFORMATION, _display.LOSS, _display.IMBALANCE)
STYLES = {"default": "white", "dark_background": "black"}
every_style = pytest.mark.parametrize("style", STYLES)
every_reader = pytest.mark.parametrize("reader", MACHADO)


def linear(color):
    color = np.array(to_rgb(color))
    low, high = color / 12.92, ((color + 0.055) / 1.055) ** 2.4
    return np.where(color <= 0.04045, low, high)


def luminance(color):
    return float(TO_XYZ[1] @ linear(color))


def lab(color, reader="normal"):
    """Lightness and two opponent colours, as the reader sees them."""
    seen = np.clip(MACHADO[reader] @ linear(color), 0, 1)
    xyz = TO_XYZ @ seen / np.sum(TO_XYZ, axis=1)
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def difference(one, other, reader="normal"):
    return np.linalg.norm(lab(one, reader) - lab(other, reader))


def contrast(one, other):
    """Contrast of a text and its ground, by the Web Content Accessibility Guidelines"""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("color", ["black", "white", "#808080"])
@every_reader
def test_the_simulator_leaves_greys_alone(color, reader):
    assert difference(color, color, reader) == 0
    np.testing.assert_allclose(lab(color, reader), lab(color), atol=0.1)


def test_the_simulator_finds_what_the_colour_blind_confuse():
    """Red and green of the traffic light, but not blue and yellow."""
    for reader in ("protanopia", "deuteranopia"):
        assert difference("#c9504b", "#7a8a3a") > 60
        assert difference("#c9504b", "#7a8a3a", reader) < 30
        assert difference("blue", "yellow", reader) > 100
    assert difference("blue", "teal", "tritanopia") < difference("blue", "teal") / 1.5


@every_style
@every_reader
def test_areas_are_told_apart_by_every_reader(pyplot, style, reader):
    with pyplot.style.context(style):
        areas = [*map(_display.tint, COLORS), STYLES[style]]
    for one, other in combinations(areas, 2):
        assert difference(one, other, reader) > 10


@every_style
def test_areas_are_told_apart_in_grey(pyplot, style):
    with pyplot.style.context(style):
        areas = [*map(_display.tint, COLORS), STYLES[style]]
    greys = sorted(lab(area)[0] for area in areas)
    assert min(np.diff(greys)) > 9


@every_reader
def test_information_and_loss_are_told_apart_as_lines(reader):
    assert difference(_display.INFORMATION, _display.LOSS, reader) > 25


@every_style
@pytest.mark.parametrize("color", COLORS)
def test_words_in_the_colours_can_be_read(pyplot, color, style):
    with pyplot.style.context(style):
        assert contrast(_display.on_paper(color), STYLES[style]) > 4.4


def test_white_numbers_can_be_read_on_information():
    assert contrast("white", _display.INFORMATION) > 4.5


@every_style
@every_reader
def test_neighbours_in_the_balance_of_probabilities(pyplot, style, reader):
    with pyplot.style.context(style):
        parts = [
            _display.tint(*look) for _, *look, _ in probability_balance._PARTS.values()
        ]
    for one, other in pairwise(parts):
        assert difference(one, other, reader) > 10
        assert abs(lab(one)[0] - lab(other)[0]) > 10


@every_reader
def test_more_information_is_darker(reader):
    cmap = _display.information_cmap()
    steps = np.array(
        [lab(cmap(share)[:3], reader)[0] for share in np.linspace(0, 1, 65)]
    )
    assert (np.diff(steps) < 0).all()
    assert steps[0] > 95
    assert steps[-1] < 35
    # Equal steps of information look about equal.
    assert np.diff(steps).min() > 3.5 * np.diff(steps).mean()
