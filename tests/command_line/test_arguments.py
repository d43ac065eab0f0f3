"""Arguments: what they ask for, and what they must not."""

from pathlib import Path

import pytest

from sklearn_entropy_metrics.__main__ import main
from sklearn_entropy_metrics.command_line.arguments import Report, parse

USAGE = {
    "report x.csv": "--true and one of --pred and --proba are needed",
    "report x.csv --true y": "--true and one of --pred and --proba are needed",
    "report x.csv --pred p": "--true and one of --pred and --proba are needed",
    "report x.csv y.csv x.csv --matrix": "FILE must not repeat a name",
    "report x.csv --matrix --true y": "--matrix cannot be combined with --true",
    "report x.csv --matrix --labels a b": "--matrix cannot be combined with --true",
    "report x.csv --matrix --counts n": "--matrix cannot be combined with --true",
    "report x.csv --matrix --by g": "--matrix cannot be combined with --true",
    "report x.csv --true y --pred p --counts n --weights w": "not both",
    "report x.csv --true y --pred p --counts p": "labels or numbers, not both. Got 'p'",
    "compare x.csv --true y --pred p": "two or more columns of --pred are needed",
    "compare x.csv --pred p q": "two or more columns of --pred are needed",
    "compare x.csv --true y --pred p p": "--pred must not repeat a name",
    "compare x.csv --true y --pred p q --matrix": "unrecognized arguments",
    "report x.csv --true y --pred p q --by g": "compare takes several",
    "compare x.csv --true y --pred p q --by g --format html": "one page",
    "report x.csv --true y --pred p q --smoothing empirical_bayes": "for one column",
    "report --true y --pred p x.csv": "taken 'x.csv' as a name: put the file before",
    "report --true y --labels a - --pred p": "taken '-' as a name: put the file before",
    "report --true y --pred p": "arguments are required: FILE\n",
    "report x.csv --true y --pred p p": "--pred must not repeat a name",
    "report x.csv --true y --pred p --labels a a": "--labels must not repeat a name",
    "report x.csv --true y --proba a b": "--proba needs --labels",
    "report x.csv --true y --proba a b --labels a b c": "2 columns for 3 labels",
    "report x.csv --true y --proba a --labels a b c": "1 columns for 3 labels",
    "report x.csv --true y --pred p q --proba a --labels a b": "at most one column",
    "report x.csv --true y --pred p -o no/such/folder": "is not a file",
    "report x.csv --true y --pred p -o .": "is not a file",
    "report x.csv --true y --pred p -o x.csv": "would be overwritten",
    "report x.csv --true y --pred p --delimiter ab": "is not one ASCII character",
    "report x.csv --true y --pred p --encoding klingon": "'klingon' is no encoding",
    "report x.csv --true y --pred p --format csv": "invalid choice",
    "report x.csv --true y --pred p --smoothing laplace": "invalid choice",
    "plot x.csv --true y --pred p --proba a --labels a b": "not both",
    "plot x.csv --true y --pred p -o x.tiffany": "must end in one of",
    "plot x.csv --true y --pred p -o picture": "must end in one of",
    "plot x.csv --true y --pred p --kind phi-delta --split": "--split is for",
    "nonsense": "invalid choice: 'nonsense'",
}


@pytest.mark.parametrize("arguments", USAGE)
def test_wrong_arguments(arguments, fail, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("y,p\na,a\n")
    assert USAGE[arguments] in fail(2, *arguments.split())
    assert list(tmp_path.iterdir()) == [tmp_path / "x.csv"]


def test_requests_are_typed():
    request = parse(
        [
            "report",
            "a.csv",
            "b.csv",
            "--true",
            "y",
            "--pred",
            "p",
            "--pred",
            "q",
            "-o",
            "r.txt",
        ]
    )
    assert isinstance(request, Report)
    assert request.files == ["a.csv", "b.csv"]
    assert request.pred == ["p", "q"]
    assert (request.format, request.output) == ("text", Path("r.txt"))


@pytest.mark.parametrize("command", ["", "demo", "report", "compare", "plot"])
def test_help(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 110
    assert command in text
