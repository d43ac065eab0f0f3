"""A table in place of labels, in all its forms."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse as sp
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import (
    EntropyBalance,
    TableAccumulator,
    confidence_interval,
    contingency_table,
    cross_val_tables,
    information_report,
    tabulate_frame,
)
from sklearn_entropy_metrics.table.given import given_table

Y = np.array(["cat", "dog", "cat", "owl", "dog", "cat", "owl", "dog"])
P = np.array(["cat", "dog", "dog", "owl", "dog", "cat", "cat", "dog"])
FRAME = pd.DataFrame({"y": Y, "p": P})
FORMS = {
    "crosstab": lambda: pd.crosstab(Y, P),
    "frame": lambda: tabulate_frame(FRAME, "y", "p"),
    "accumulator": lambda: TableAccumulator().update(Y, P),
    "balance": lambda: EntropyBalance.from_predictions(Y, P),
    "given": lambda: given_table(Y, P, None),
}


def read(table, **options):
    return given_table(None, None, table, **options)


@pytest.mark.filterwarnings("ignore:The interval may miss")
@pytest.mark.parametrize("form", FORMS)
def test_forms_that_know_their_classes(form):
    found = read(FORMS[form]())
    np.testing.assert_array_equal(found.table, contingency_table(Y, P))
    assert found.labels.tolist() == ["cat", "dog", "owl"]
    assert found.is_square
    assert found.n_samples == 8
    assert found.warning is None
    expected = confidence_interval(Y, P)
    assert confidence_interval(table=FORMS[form]()) == expected
    balance = EntropyBalance.from_confusion_matrix(FORMS[form]())
    np.testing.assert_array_equal(balance.table, found.table)


@pytest.mark.parametrize("kind", [np.array, sp.csr_array])
def test_totals_beyond_the_largest_integer(kind):
    assert read(kind(np.diag([2**62, 2**62]))).total == 2.0**63


@pytest.mark.parametrize("form", FORMS)
def test_names_that_differ_are_refused(form):
    same = read(FORMS[form](), labels=["cat", "dog", "owl"])
    assert same.labels.tolist() == ["cat", "dog", "owl"]
    with pytest.raises(ValueError, match=r"labels must be None or those of the table"):
        read(FORMS[form](), labels=["dog", "cat", "owl"])


@pytest.mark.parametrize("kind", [np.array, sp.csr_array, pd.DataFrame])
def test_bare_tables(kind):
    found = read(kind([[3, 1], [0, 4]]))
    assert found.labels.tolist() == [0, 1]
    assert found.is_square
    named = EntropyBalance.from_confusion_matrix([[3, 1], [0, 4]])
    assert read(named, labels=["a", "b"]).labels.tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="must name each row of the table, 2 in all"):
        read(named, labels=["a"])


def test_crosstabs_are_aligned_by_their_labels():
    """Predictions that are all wrong have no hits, whatever their places."""
    crossed = pd.crosstab(np.array(["a", "b"] * 5), np.array(["b", "c"] * 5))
    found = read(crossed)
    assert found.labels.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(found.table, [[0, 5, 0], [0, 0, 5], [0, 0, 0]])
    report = information_report(table=crossed, output_dict=True)
    assert report["accuracy"]["accuracy"] == 0
    turned = pd.DataFrame([[1, 4], [3, 0]], index=["a", "b"], columns=["b", "a"])
    np.testing.assert_array_equal(read(turned).table, [[4, 1], [0, 3]])


def test_crosstabs_with_columns_of_their_own():
    clusters = pd.crosstab(Y, np.arange(8) % 2)
    with pytest.raises(ValueError, match=r"strings in the index.*`pred_labels`"):
        read(clusters)
    found = read(clusters, pred_labels=[0, 1])
    assert found.table.shape == (3, 2)
    assert not found.is_square
    assert not found.hits.any()
    with pytest.raises(ValueError, match="pred_labels must be None or those"):
        read(clusters, pred_labels=[1, 2])


def test_a_reject_column_keeps_its_hits():
    table = [[8, 1, 3], [2, 7, 1]]
    found = read(table, labels=["a", "b"], pred_labels=["b", "a", "?"])
    np.testing.assert_array_equal(found.hits, [[0, 1, 0], [1, 0, 0]])
    assert not read(table).hits.any()
    stream = TableAccumulator(pred_labels=["a", "b", "?"])
    stream.update(["a"] * 6 + ["b"] * 5, ["a"] * 4 + ["b", "?"] + ["b"] * 5)
    labels = EntropyBalance.from_predictions(
        ["a"] * 6 + ["b"] * 5,
        ["a"] * 4 + ["b", "?"] + ["b"] * 5,
        pred_labels=["a", "b", "?"],
    )
    shrunk = [
        EntropyBalance.from_confusion_matrix(given, smoothing="empirical_bayes")
        for given in (stream, labels, labels.table)
    ]
    assert shrunk[0].mutual_information == shrunk[1].mutual_information
    assert shrunk[0].mutual_information != shrunk[2].mutual_information


def test_weights_count_by_their_effective_number():
    weight = np.array([1, 2, 3, 4, 1, 2, 3, 4.0])
    frame = FRAME.assign(w=weight)
    for given in (
        tabulate_frame(frame, "y", "p", weight="w"),
        TableAccumulator().update(Y, P, sample_weight=weight),
        EntropyBalance.from_predictions(Y, P, sample_weight=weight),
    ):
        assert read(given).n_samples == pytest.approx(20**2 / 60)


def test_folds_are_added_up():
    X, y = load_iris(return_X_y=True)
    folds = cross_val_tables(GaussianNB(), X, y, cv=5)
    folds["n_tested"] = 1
    found = read(folds)
    np.testing.assert_array_equal(found.table, folds.tables.sum(axis=0))
    assert found.n_samples == pytest.approx(150 / 1.45)
    assert found.n_tested == 1
    folds["n_tested"] = 3
    assert read(folds).n_samples == pytest.approx(150 / 1.45 / 3)


WRONG = {
    "both": (lambda: given_table(Y, P, [[1]]), "Got both"),
    "neither": (lambda: given_table(None, None, None), "or a table instead"),
    "one array": (lambda: given_table(Y, None, None), "or a table instead"),
    "stack": (lambda: read(np.ones((2, 2, 2))), "must be one table.*stack"),
    "groups": (
        lambda: read(tabulate_frame(FRAME.assign(g=1), "y", "p", by="g")),
        "compare_segments",
    ),
    "dict": (lambda: read({"a": 1}), r"result of `tabulate_frame`.*Got the keys"),
    "variables": (
        lambda: read(EntropyBalance.from_variables(*[np.tile(np.eye(2), (20, 1))] * 2)),
        "balance of several variables",
    ),
    "margins": (
        lambda: read(pd.crosstab(Y, P, margins=True)),
        "no margins. Got sums called 'All'",
    ),
    "levels": (
        lambda: read(pd.crosstab([Y, P], P)),
        "the index of the table must hold class labels",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_tables(case):
    call, message = WRONG[case]
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("bad", [[[-1, 2], [3, 4]], [1, 2], [[0, 0], [0, 0]], "ab"])
def test_the_bare_constructor_checks(bad):
    with pytest.raises(ValueError, match=r"table"):
        EntropyBalance(bad)
    assert EntropyBalance([[3, 1], [1, 3]]).mutual_information > 0


def test_folds_of_probabilities_keep_what_each_class_weighs():
    X, y = load_iris(return_X_y=True)
    folds = cross_val_tables(GaussianNB(), X, y, cv=5, method="predict_proba")
    np.testing.assert_allclose(read(folds).class_weight, [50, 50, 50])


def test_a_dict_may_have_columns_without_names():
    found = read({"table": np.ones((2, 3), dtype=int), "labels": ["a", "b"]})
    assert found.pred_labels is None
    assert list(found.labels) == ["a", "b"]
