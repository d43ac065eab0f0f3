"""Arguments: what they ask for, and what they must not."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from sklearn_entropy_metrics.__main__ import main
from sklearn_entropy_metrics.command_line.arguments import Request, parse

ONE = "x.csv --true y --pred p"
USAGE = {
    "report x.csv": "--true and --pred are needed, or --matrix",
    "report x.csv --pred p": "--true and --pred are needed",
    "report x.csv --true y --proba a --labels a b": "--true and --pred are needed",
    "report x.csv --matrix --labels a b": "--matrix cannot be combined with columns",
    "report x.csv --matrix --by g": "--matrix cannot be combined with columns",
    f"report {ONE} --counts n --weights w": "not both",
    f"report {ONE} --counts p": "labels or numbers, not both. Got 'p'",
    f"compare {ONE} p": "must name each column once. Got 'p' twice",
    f"report {ONE} --proba a a --labels a b": "name each column once. Got 'a' twice",
    f"compare {ONE}": "two or more columns of --pred are needed",
    f"compare {ONE} q --matrix": "unrecognized arguments",
    f"report {ONE} q --by g": "for one column",
    f"report {ONE} q --smoothing empirical_bayes": "for one column",
    f"report {ONE} --groups g --smoothing empirical_bayes": "cannot be combined",
    "report --true y --pred p x.csv": "taken 'x.csv' as a name: put the file before",
    "report --true y --labels a - --pred p": "taken '-' as a name: put the file before",
    "report --true y --pred p": "arguments are required: FILE\n",
    f"report {ONE} --proba a b": "--proba needs --labels",
    f"report {ONE} q --proba a --labels a b": "for one column",
    f"report {ONE} -o x.csv": "would be overwritten",
    f"report {ONE} --format csv": "invalid choice",
    "nonsense": "invalid choice: 'nonsense'",
}


@pytest.mark.parametrize("arguments", USAGE)
def test_wrong_arguments(arguments, fail, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("y,p\na,a\n")
    assert USAGE[arguments] in fail(2, *arguments.split())


def test_requests():
    arguments = f"report a.csv {ONE} --pred q -o r.txt"
    request = parse(arguments.split())
    assert request.files == ["a.csv", "x.csv"]
    assert request.pred == ["p", "q"]
    assert (request.format, request.output) == ("text", Path("r.txt"))
    with pytest.raises(FrozenInstanceError):
        request.format = "html"
    assert parse(["demo"]) == Request("demo")


@pytest.mark.parametrize("command", ["", "demo", "report", "compare", "plot"])
def test_help(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--help"])
    assert stop.value.code == 0
    assert command in capsys.readouterr().out
