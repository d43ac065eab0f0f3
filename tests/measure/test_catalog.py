"""A new measure is a function, a row and a metric, and reaches everything."""

import importlib.util
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import (
    f1_score,
    fbeta_score,
    get_scorer,
    make_scorer,
    zero_one_loss,
)
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics.__main__ import main
from sklearn_entropy_metrics.measure import MEASURES, catalog
from sklearn_entropy_metrics.measure.catalog import (
    Bound,
    Measure,
    computes,
    find,
    find_signed,
)
from sklearn_entropy_metrics.measure.chosen import choose_metric, is_greater_better
from sklearn_entropy_metrics.score import scorers
from sklearn_entropy_metrics.table.given import read_table

TABLE = np.array([[6, 1, 0], [2, 3, 1], [0, 1, 4]])
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
        "ERR",
        "share of errors",
        range=(Bound("0", lambda k, m: 0.0), Bound("1", lambda k, m: 1.0)),
        direction="minimize",
        paper="nobody (1900)",
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
    page = sem.information_report(y_true, y_pred).to_html()
    assert "error rate (ERR)" in page


def test_it_reaches_the_command_line(new_measure, tmp_path, capsys):
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        path.write_text("1,1\n0,2\n", encoding="utf-8")
    main(["report", "--matrix", *map(str, paths)])
    header, *rows = capsys.readouterr().out.splitlines()
    place = header.split().index("ERR") + 1
    assert [row.split()[place] for row in rows] == ["0.250", "0.250"]


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


# Finding a measure


@pytest.mark.parametrize("name", MEASURES)
def test_by_name_scoring_string_and_function(name):
    measure = MEASURES[name]
    assert find_signed(name) == (measure, 1)
    if measure.scoring is not None:
        assert find_signed(measure.scoring) == (measure, measure.sign)
    for function in filter(None, (measure.metric, measure.sklearn)):
        metric = partial(function, **measure.options)
        assert find_signed(metric) == (measure, 1)
        if not measure.options:
            assert find(function) is measure
        scorer = make_scorer(metric, greater_is_better=measure.sign > 0)
        assert find_signed(scorer) == (measure, measure.sign)


@pytest.mark.parametrize("name", sem.scorer_names())
def test_by_a_scorer_of_this_package(name):
    assert find_signed(get_scorer(name)) == find_signed(name)


@pytest.mark.parametrize(
    "name",
    [
        "accuracy",
        "balanced_accuracy",
        "matthews_corrcoef",
        *[
            f"{name}{average}"
            for name in ("precision", "recall", "f1", "jaccard")
            for average in ("", "_macro", "_weighted")
        ],
    ],
)
def test_by_what_scikit_learn_calls_it(name):
    assert find(name) is find(get_scorer(name)) is MEASURES[name]


def test_default_options_are_no_options():
    assert find(partial(f1_score, average="binary")) is MEASURES["f1"]
    assert find(partial(sem.unbiased_f1_score, average="binary")).name == "unbiased_f1"


def test_functions_of_others_are_not_ours():
    def normalized_information_score(tables):
        return tables

    for unknown in (
        normalized_information_score,
        partial(f1_score, average=None),
        partial(f1_score, average="micro"),
        partial(f1_score, pos_label="spam"),
        partial(f1_score, [0, 1]),
        3,
        None,
        ["normalized_information"],
        np.eye(2),
    ):
        with pytest.raises(ValueError, match="`metric` must be the name of a measure"):
            find(unknown)


@pytest.mark.parametrize(
    ("name", "close"),
    [
        ("normalised_information", "'normalized_information'"),
        ("f1_makro", "'f1_macro'"),
        ("neg_accuracy", "'accuracy'"),
    ],
)
def test_the_closest_names_of_an_unknown_one(name, close):
    with pytest.raises(ValueError, match=f"Got '{name}'. Did you mean .*{close}") as e:
        find(name)
    assert len(str(e.value)) < 300
    with pytest.raises(ValueError, match=r"Got 'xyz'\.$"):
        find("xyz")


def test_evaluate_takes_scoring_strings():
    names = ["confusion_entropy", "neg_confusion_entropy", "normalized_information"]
    values = sem.measure.evaluate(TABLE, names)
    assert list(values) == names
    assert values["neg_confusion_entropy"] == -values["confusion_entropy"] < 0


# Choosing a metric for a table


def test_the_positive_class():
    table = np.array([[6, 1], [2, 3]])
    mail = read_table(table, ["ham", "spam"])
    chosen = choose_metric("f1", mail, "ham")
    assert chosen.function(table[None]) == f1_score(
        [1] * 7 + [0] * 5, [1] * 6 + [0] + [1] * 2 + [0] * 3
    )
    shares = table / table.sum()
    np.testing.assert_allclose(
        chosen.influence(shares),
        MEASURES["f1"].influence(shares[::-1, ::-1])[::-1, ::-1],
    )
    with pytest.raises(ValueError, match="pos_label=1 is not a valid label"):
        choose_metric("f1", mail)
    assert not choose_metric("accuracy", mail).is_turned
    assert choose_metric("f1", read_table(table, [1, 2])).is_turned


def test_a_metric_of_labels():
    """Called on the cells that occur, with the counts as weights."""
    labels = np.array(["ant", "bee", "cow"])
    metric = partial(fbeta_score, beta=2, average="macro")
    chosen = choose_metric(metric, read_table(TABLE, labels))
    rows, columns = np.nonzero(TABLE)
    y_true, y_pred = (
        np.repeat(labels[index], TABLE[rows, columns]) for index in (rows, columns)
    )
    values = chosen.function(np.array([TABLE, 2 * TABLE]))
    np.testing.assert_allclose(values, metric(y_true, y_pred), rtol=1e-12)
    assert chosen.measure is None
    table = np.array([[3, 0, 1], [0, 4, 2]])
    ham = choose_metric(zero_one_loss, read_table(table, [0, 1], [0, 1, 9]))
    assert ham.function(table[None]) == pytest.approx(0.3)


@pytest.mark.parametrize("metric", [lambda: 0, lambda a, b: 0, lambda a, b, c: 0])
def test_what_takes_neither_a_table_nor_labels(metric):
    with pytest.raises(ValueError, match="`metric` must be a function of tables, with"):
        choose_metric(metric, read_table(np.eye(2)))


def test_what_cannot_be_ranked():
    assert is_greater_better("neg_confusion_entropy")
    assert not is_greater_better("confusion_entropy")
    assert is_greater_better(np.trace)
    with pytest.raises(ValueError, match="Got 'characteristic_capability', which is"):
        is_greater_better(sem.characteristic_capability)
