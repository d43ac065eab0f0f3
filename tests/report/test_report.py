"""The numbers of a report, from every source, and its text."""

import copy
import math
import pickle

import numpy as np
import pytest
from sklearn.metrics import classification_report, precision_score, recall_score

from sklearn_entropy_metrics import (
    EntropyBalance,
    ProbabilityBalance,
    TableAccumulator,
    confidence_interval,
    information_report,
    measure,
)
from sklearn_entropy_metrics.report.text import shown

TABLE = np.array([[80, 15, 5], [10, 60, 10], [5, 5, 50]])
NAMES = ["cat", "dog", "owl"]
TRUE, PRED = (np.repeat(side.ravel(), TABLE.ravel()) for side in np.indices((3, 3)))


def probabilities(n=200):
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 3, n)
    logits = 12 * np.eye(3)[y_true] + 8 * rng.normal(size=(n, 3))
    proba = np.exp(logits - logits.max(axis=1, keepdims=True))
    return y_true, proba / proba.sum(axis=1, keepdims=True)


def test_the_dict_holds_the_numbers_of_the_package():
    numbers = information_report(TRUE, PRED, target_names=NAMES, output_dict=True)
    balance = EntropyBalance.from_confusion_matrix(TABLE)
    assert numbers["task"] == {
        "n_samples": 240,
        "n_classes": 3,
        "effective_classes": balance.effective_true_classes,
    }
    assert list(numbers["triangle"].values()) == balance.joint_fractions.tolist()
    for section in ("transfer", "confusion_entropy", "accuracy"):
        for name in numbers[section].keys() & measure.MEASURES.keys():
            assert numbers[section][name] == measure.MEASURES[name](TABLE)
    assert numbers["transfer"]["mutual_information"] == balance.mutual_information
    for name, interval in numbers["intervals"].items():
        expected = confidence_interval(TRUE, PRED, name)
        assert {key: getattr(expected, key) for key in interval} == interval


def test_the_baseline_always_answers_the_largest_class():
    baseline = information_report(TRUE, PRED, target_names=NAMES, output_dict=True)[
        "baseline"
    ]
    entropy = EntropyBalance.from_confusion_matrix(TABLE).entropy_true
    assert baseline["largest_class"] == "cat"
    assert baseline["accuracy"] == 100 / 240
    assert baseline["entropy_modulated_accuracy"] == pytest.approx(2**-entropy)
    assert baseline["normalized_information_transfer"] == pytest.approx(1 / 3)
    assert baseline["normalized_information"] == 0


def test_classes_have_what_scikit_learn_reports_of_them():
    numbers = information_report(TRUE, PRED, target_names=NAMES, output_dict=True)
    expected = classification_report(TRUE, PRED, target_names=NAMES, output_dict=True)
    phi, delta = measure.phi_delta(TABLE, average=None)
    for i, name in enumerate(NAMES):
        row = numbers["classes"][name]
        for key in ("recall", "precision", "support"):
            assert row[key] == pytest.approx(expected[name][key])
        assert (row["phi"], row["delta"]) == (phi[i], delta[i])


def test_systematic_confusions_are_named():
    table = np.full((9, 9), 8) + np.diag([100] * 9)
    table[0, 1] = 40
    names = ["acc", "good", *"abcdefg"]
    report = information_report(table=table, labels=names)
    (record,) = report.to_dict()["confusions"]
    assert (record["true"], record["pred"], record["count"]) == ("acc", "good", 40)
    assert "Systematic confusions\n  40 of 204 'acc' were called 'good' (" in report
    assert "Systematic" not in information_report(TRUE, PRED)


SOURCES = {
    "array": lambda: TABLE,
    "balance": lambda: EntropyBalance.from_confusion_matrix(TABLE),
    "accumulator": lambda: TableAccumulator().update(TRUE, PRED),
}


@pytest.mark.parametrize("source", SOURCES)
def test_tables_take_the_place_of_labels(source):
    report = information_report(table=SOURCES[source]())
    assert str(report) == str(information_report(TRUE, PRED))


def test_pandas_tables_are_read_by_their_classes():
    pd = pytest.importorskip("pandas")
    y_true, y_pred = ["a"] * 9 + ["b"] * 9, ["b"] * 9 + ["c"] * 9
    table = pd.crosstab(pd.Series(y_true), pd.Series(y_pred))
    report = information_report(table=table)
    assert report.to_dict()["accuracy"]["accuracy"] == 0
    assert report == information_report(y_true, y_pred)


def test_weights_count_as_fewer_samples():
    weight = np.random.default_rng(0).exponential(size=len(TRUE))
    plain = information_report(TRUE, PRED, output_dict=True)["intervals"]
    numbers = information_report(TRUE, PRED, sample_weight=weight, output_dict=True)
    assert numbers["task"]["n_samples"] == pytest.approx(weight.sum())
    for name, interval in numbers["intervals"].items():
        assert interval["standard_error"] > plain[name]["standard_error"]


def test_probabilities():
    y_true, proba = probabilities()
    report = information_report(y_true, proba.argmax(axis=1), y_proba=proba)
    numbers = report.to_dict()
    balance = ProbabilityBalance.from_probabilities(y_true, proba)
    assert numbers["probabilities"] == balance.to_dict()
    assert "probabilistic_confusion_entropy" in numbers["confusion_entropy"]
    assert "Probabilities, in bits" in report.to_text()
    assert "Probabilities, in bits" not in report
    crisp, soft = (
        report.to_text().split(f"{title}\n")[1].split("\n\n")[0]
        for title in (
            "Confusion entropy, weighted by class",
            "Confusion of probabilities, weighted by confusion",
        )
    )
    assert "(CEN)" in crisp
    assert "pCEN" not in crisp
    assert "(pCEN)" in soft
    assert "(CEN)" not in soft


def test_misleading_probabilities_are_noted():
    y_true, proba = [0, 1] * 20, [[0.01, 0.99], [0.99, 0.01]] * 20
    numbers = information_report(y_true, [1, 0] * 20, y_proba=proba, output_dict=True)
    assert "The probabilities mislead" in " ".join(numbers["notes"])


def test_several_predictions_are_compared_first():
    predictions = {"good": PRED, "constant": np.zeros_like(PRED)}
    report = information_report(TRUE, predictions)
    numbers = report.to_dict()
    assert list(numbers["reports"]) == ["good", "constant"]
    assert numbers["reports"]["good"] == information_report(
        TRUE, PRED, output_dict=True
    )
    assert [one["name"] for one in numbers["comparison"]["models"]] == list(predictions)
    assert len(numbers["comparison"]["pairs"]) == 1
    assert " ".join(report.split()).startswith(report.comparison.summary())
    assert report.index("good") < report.index("== good ==")
    single = information_report(TRUE, {"good": PRED})
    assert single.to_dict() == numbers["reports"]["good"]


@pytest.mark.parametrize(
    "labels",
    [
        NAMES,
        ["x" * 200, "y" * 200, "z"],
        ["line\nbreak", "\x1b[31mred", "tab\t"],
        [0, 1, 2],
    ],
)
def test_texts_fit_80_columns(labels):
    label = np.array(labels, dtype=object)
    report = information_report(label[TRUE], label[PRED])
    assert max(map(len, report.to_text().splitlines())) <= 80
    assert "\x1b" not in report


def test_confusions_of_long_names_fit_80_columns():
    table = np.diag([60] * 5) + np.roll(np.diag([30] * 5), 1, axis=1)
    names = [letter * 99 for letter in "abcde"]
    lines = information_report(table=table, target_names=names).splitlines()
    assert "Systematic confusions" in lines
    assert max(map(len, lines)) <= 80


def test_columns_stand_below_their_heads_without_intervals():
    lines = information_report(TRUE, PRED, confidence_level=None).splitlines()
    heads, first = (next(x for x in lines if y in x) for y in ("observed", "accuracy"))
    assert len(heads) == len(first)


def test_groups_may_have_weights():
    weight, group = np.arange(len(TRUE)) % 3 + 1.0, np.arange(len(TRUE)) // 4
    numbers = information_report(
        TRUE, PRED, groups=group, sample_weight=weight, output_dict=True
    )
    interval = confidence_interval(TRUE, PRED, groups=group, sample_weight=weight)
    assert numbers["intervals"]["normalized_information"]["low"] == interval.low


def test_the_short_text_of_three_classes_is_short():
    assert len(information_report(TRUE, PRED).splitlines()) <= 25


def test_many_classes_begin_with_the_lowest_recall():
    table = 9 * np.eye(60, dtype=int)
    table[7] = 0
    table[7, 8] = 9
    lines = information_report(table=table).splitlines()
    first = next(i for i, line in enumerate(lines) if "support" in line) + 1
    assert lines[first].split()[0] == "7"
    assert "  50 of 60 classes  " in lines[first - 1]


def test_it_is_a_text_that_can_be_copied_and_pickled():
    report = information_report(TRUE, PRED)
    for other in (copy.deepcopy(report), pickle.loads(pickle.dumps(report))):
        assert other == report
        assert other.to_dict() == report.to_dict()
    report.to_dict()["task"].clear()
    assert report.to_dict()["task"]


def test_hardly_any_samples():
    rng = np.random.default_rng(0)
    for n_samples in (1, 2, 3, 5):
        y_true, y_pred = rng.integers(0, 3, (2, n_samples))
        proba = rng.dirichlet(np.ones(3), n_samples)
        information_report(y_true, y_pred, y_proba=proba, labels=range(3)).to_html()


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"digits": -1}, "digits"),
        ({"digits": True}, "digits"),
        ({"output_dict": "no"}, "`output_dict` must be True or False"),
        ({"target_names": ["a", "b"]}, "one for each of the 3 classes"),
        ({"target_names": ["a", "a", "b"]}, "target_names must be distinct"),
        ({"confidence_level": 1}, "confidence_level"),
        ({"table": TABLE}, "Got both"),
        ({"y_pred": {"a": PRED}, "y_proba": [0.5]}, "dict with the names"),
        ({"y_pred": {"a": PRED}, "y_proba": {"b": [0.5]}}, r"\['a'\]. Got \['b'\]"),
        ({"y_pred": {}}, r"different names. Got \[\]"),
        ({"y_pred": {1: PRED, "1": PRED}}, r"different names. Got \[1, '1'\]"),
    ],
)
def test_wrong_options(options, match):
    with pytest.raises(ValueError, match=match):
        information_report(**({"y_true": TRUE, "y_pred": PRED} | options))


def test_a_table_of_more_samples_than_integers():
    few, many = (
        information_report(table=one).to_dict() for one in (TABLE, TABLE * 1e30)
    )
    assert many["transfer"] == pytest.approx(few["transfer"])
    assert many["task"]["n_samples"] == pytest.approx(TABLE.sum() * 1e30)
    interval = many["intervals"]["normalized_information"]
    assert interval["low"] == pytest.approx(interval["plug_in"])


def test_recall_and_precision_of_weighted_samples():
    weight = np.random.default_rng(1).random(len(TRUE))
    rows = information_report(TRUE, PRED, sample_weight=weight, output_dict=True)[
        "classes"
    ].values()
    for key, score in (("recall", recall_score), ("precision", precision_score)):
        expected = score(TRUE, PRED, average=None, sample_weight=weight)
        np.testing.assert_allclose([row[key] for row in rows], expected)


def test_a_reject_column_leaves_recall_and_precision():
    table = [[30, 5, 4], [3, 40, 9]]
    rows = information_report(
        table=table, labels=["a", "b"], pred_labels=["a", "b", "?"], output_dict=True
    )["classes"]
    assert rows["a"]["recall"] == 30 / 39
    assert rows["b"]["precision"] == 40 / 45
    assert np.isnan(rows["a"]["delta"])


def test_clusters_are_not_confused_and_have_no_recall():
    true, pred = np.array(NAMES)[TRUE], PRED
    numbers = information_report(true, pred, pred_labels=range(3), output_dict=True)
    assert numbers["confusions"] == []
    assert all(np.isnan(row["recall"]) for row in numbers["classes"].values())


@pytest.mark.parametrize("is_right", [True, False])
def test_the_verdict_on_weighted_samples(is_right):
    """Weights have no permutation test: the interval says whether anything is known."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    pred = y if is_right else rng.integers(0, 2, 300)
    weight = rng.exponential(size=300)
    numbers = information_report(y, pred, sample_weight=weight, output_dict=True)
    assert ("chance" in " ".join(numbers["verdict"])) != is_right


def test_numbers_as_texts():
    assert [shown(x, 3) for x in (0.5, 12, 1234, "few", None, math.nan)] == [
        "0.500",
        "12",
        "1,234",
        "few",
        "–",
        "–",
    ]
