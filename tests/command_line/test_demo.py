"""The demonstration, which needs no reader of files."""

import sys
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from sklearn_entropy_metrics.__main__ import main


@pytest.mark.slow
def test_demo_compares_explains_and_draws(monkeypatch, capsys, tmp_path):
    reader = "sklearn_entropy_metrics.command_line.read"
    monkeypatch.setitem(sys.modules, reader, None)
    titles, save = {}, Figure.savefig

    def save_and_look(figure, path, **options):
        if isinstance(path, Path):  # pages have pictures in memory
            titles[path.stem] = figure.get_suptitle()
        save(figure, path, **options)

    monkeypatch.setattr(Figure, "savefig", save_and_look)
    main(["demo", "--output", str(tmp_path / "new" / "folder")])
    text = capsys.readouterr().out
    rows = {
        line[:24].strip(): line[24:].split()
        for line in text.splitlines()
        if line[24:].count(".") == 6 and "[" not in line
    }
    assert len(rows) == 5
    *_, accuracy, _, nit, ni = rows["majority class"]
    assert (accuracy, nit, ni) == ("0.803", "0.333", "0.000")
    # The paradox: less accurate than saying nothing, and yet informative.
    assert rows["naive Bayes"][2] < accuracy
    pictures = [line for line in text.splitlines() if "Picture" in line]
    assert len(pictures) == 3
    for picture in pictures:
        assert Path(picture.split(": ", 1)[1]).read_bytes().startswith(b"\x89PNG")
    # Every picture names its classifier.
    best = max(rows, key=lambda name: rows[name][-1])
    assert titles.pop("entropy_triangle") == "5 classifiers"
    assert set(titles.values()) == {best}
    (page,) = (line for line in text.splitlines() if line.endswith(".html"))
    report = Path(page.split(": ", 1)[1]).read_text(encoding="utf-8")
    assert best in report
