"""The command line."""

import subprocess
import sys
from pathlib import Path

import pytest

from sklearn_entropy_metrics.__main__ import main


def test_demo_compares_and_explains(capsys, tmp_path):
    main(["demo", "--output", str(tmp_path / "new" / "folder")])
    text = capsys.readouterr().out
    rows = {
        line[:36].strip(): [float(number) for number in line[36:].split()]
        for line in text.splitlines()
        if line[36:].count(".") == 4
    }
    assert len(rows) == 7
    accuracy, _, nit, ni = rows["majority class"]
    assert (accuracy, nit, ni) == (0.803, 0.333, 0.0)
    ema = [values[1] for values in rows.values()]
    assert ema == sorted(ema, reverse=True)
    assert min(ema) == rows["majority class"][1]
    # The paradox: less accurate than saying nothing, and yet informative.
    assert rows["naive Bayes"][0] < accuracy
    assert "transfers nothing" in text
    assert "it beats naive Bayes and tree, balanced classes" in text.replace("\n", " ")
    assert "Information transfer" in text
    pictures = [
        line.split(": ", 1)[1] for line in text.splitlines() if "Picture" in line
    ]
    assert len(pictures) == 3
    for picture in pictures:
        assert Path(picture).read_bytes().startswith(b"\x89PNG")


def test_version_and_help(capsys):
    for argument in ("--version", "--help"):
        with pytest.raises(SystemExit) as stop:
            main([argument])
        assert stop.value.code == 0
    assert "demo" in capsys.readouterr().out


def test_module_and_wrong_command():
    run = subprocess.run(
        [sys.executable, "-m", "sklearn_entropy_metrics", "nonsense"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "nonsense" in run.stderr
