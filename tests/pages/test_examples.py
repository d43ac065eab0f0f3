"""Every script of the gallery runs without a warning, and its texts stay apart."""

import runpy
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from sklearn_entropy_metrics.__main__ import main

FOLDER = Path(__file__).parents[2] / "docs" / "examples"
SCRIPTS = sorted(FOLDER.rglob("plot_*.py"))


def test_there_are_examples():
    assert SCRIPTS


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_example(script, pyplot, misplaced_texts):
    runpy.run_path(str(script), run_name="__main__")
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    assert figures
    for figure in figures:
        assert misplaced_texts(figure) == []
        assert _titles(figure), f"figure {figure.number} has no title"


def _titles(figure):
    """The titles of a figure and of its Axes, wherever they stand."""
    titles = [figure.get_suptitle()]
    for ax in figure.axes:
        titles += [ax.get_title(loc=side) for side in ("left", "center", "right")]
        legend = ax.get_legend()
        titles += [] if legend is None else [legend.get_title().get_text()]
    return [title for title in titles if title]


def test_misplaced_texts_are_found(pyplot, misplaced_texts):
    figure = pyplot.figure()
    figure.text(0.5, 0.5, "one text")
    figure.text(0.52, 0.5, "another text", rotation=45)
    figure.text(0.1, 0.1, "a third text")
    figure.text(0.9, 0.9, "a text that runs out of the figure")
    figure.add_axes((0.3, 0.1, 0.6, 0.2), xlim=(0.1, 0.3), xticks=[0.0, 0.2])
    assert misplaced_texts(figure) == [
        ("one text", "another text"),
        ("a text that runs out of the figure",),
    ]


@pytest.mark.usefixtures("capsys")
def test_texts_of_the_demo_stay_apart(monkeypatch, tmp_path, misplaced_texts):
    figures, save = [], Figure.savefig

    def keep(figure, *args, **kwargs):
        figures.append(figure)
        save(figure, *args, **kwargs)

    monkeypatch.setattr(Figure, "savefig", keep)
    main(["demo", "--output", str(tmp_path)])
    assert len(figures) >= 3
    for figure in figures:
        assert misplaced_texts(figure) == []
