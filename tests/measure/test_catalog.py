"""A new measure is a function, a row and a metric, and reaches everything."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics.__main__ import main
from sklearn_entropy_metrics.measure import MEASURES, catalog
from sklearn_entropy_metrics.measure.catalog import Measure, computes, find
from sklearn_entropy_metrics.score import scorers

DOCS = Path(__file__).parents[2] / "docs"


def error_rate(table):
    """The function of tables."""
    return 1 - sem.measure.accuracy(table)


def error_rate_loss(y_true, y_pred, *, labels=None, sample_weight=None):
    """The metric of labels."""
    given = {"labels": labels, "sample_weight": sample_weight}
    return error_rate(sem.EntropyBalance.from_predictions(y_true, y_pred, **given))


@pytest.fixture
def new_measure(monkeypatch):
    """The three steps of docs/contributing.md, and nothing else."""
    row = Measure(
        "error_rate",
        error_rate,
        "square table",
        ("0", "1"),
        "minimize",
        "nobody (1900)",
        "ERR",
        unchanged_by=frozenset({catalog.EXCHANGED, catalog.OTHER_ERRORS}),
        section="transfer",
        title="error rate",
    )
    monkeypatch.setitem(MEASURES, row.name, row)
    monkeypatch.setattr(catalog, "_METRICS", dict(catalog._METRICS))
    monkeypatch.setattr(scorers, "SCORERS", dict(scorers.SCORERS))
    computes(error_rate)(error_rate_loss)
    sem.register_scorers()
    yield row
    sem.unregister_scorers()
    monkeypatch.undo()
    sem.register_scorers()


def test_it_is_found(new_measure):
    for name in ("error_rate", "neg_error_rate", error_rate_loss):
        assert find(name) is new_measure


def test_it_reaches_the_scorers(new_measure):
    X, y = load_iris(return_X_y=True)
    scores = cross_val_score(GaussianNB(), X, y, scoring="neg_error_rate")
    accuracies = cross_val_score(GaussianNB(), X, y, scoring="accuracy")
    np.testing.assert_allclose(scores, accuracies - 1)
    scorer = sem.InformationScorer(["neg_error_rate"])
    assert scorer(GaussianNB().fit(X, y), X, y) == {
        "neg_error_rate": pytest.approx(-0.04)
    }
    assert "neg_error_rate" in sem.scorer_names()


def test_it_reaches_evaluate_and_intervals(new_measure):
    table = [[8, 2], [1, 9]]
    assert sem.measure.evaluate(table)["error_rate"] == pytest.approx(0.15)
    interval = sem.confidence_interval(table=table, metric="error_rate")
    assert interval.low < 0.15 < interval.high


def test_it_reaches_the_report(new_measure):
    y_true, y_pred = [0, 0, 1, 1], [0, 1, 1, 1]
    report = sem.information_report(y_true, y_pred, output_dict=True)
    assert report["transfer"]["error_rate"] == pytest.approx(0.25)
    text = sem.information_report(y_true, y_pred)
    assert any(
        line.split() == ["error", "rate", "(ERR)", "0.250"]
        for line in text.splitlines()
    )


def test_it_reaches_the_command_line(new_measure, tmp_path, capsys):
    path = tmp_path / "labels.csv"
    path.write_text("y,a,b\n0,0,1\n0,1,0\n1,1,1\n1,1,1\n", encoding="utf-8")
    main(["report", str(path), "--true", "y", "--pred", "a", "b"])
    header, *rows = capsys.readouterr().out.splitlines()
    assert [row.split()[header.split().index("ERR") + 1] for row in rows] == [
        "0.250",
        "0.250",
    ]


def test_it_reaches_the_table_of_the_docs(new_measure):
    path = DOCS / "_ext" / "measure_table.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (row,) = (line for line in module.markdown().splitlines() if "ERR" in line)
    assert "error_rate_loss" in row
    assert "nobody (1900)" in row
    assert catalog.OTHER_ERRORS in row


def test_it_is_gone_afterwards():
    assert "neg_error_rate" not in sem.scorer_names()
    with pytest.raises(ValueError, match="error_rate"):
        find("error_rate")
