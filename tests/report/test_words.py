"""Every sentence of a verdict appears where it is true, and nowhere else."""

import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sklearn_entropy_metrics import information_report
from sklearn_entropy_metrics.report.words import percent

# A good classifier of three classes, about which no rule has anything special to say.
GOOD = [[80, 15, 5], [10, 60, 10], [5, 5, 50]]
# Five of nine classes are never found.
MISSED = np.diag([50] * 4 + [0] * 5)
MISSED[4:, 0] = 20
# Few samples with errors all over the table look more informative than they are.
SCATTERED = np.diag([8] * 10) + np.random.default_rng(0).poisson(0.5, (10, 10))


def report(table, **options):
    options = {"output_dict": True, "labels": range(len(table))} | options
    return information_report(table=np.array(table), **options)


def verdict(table, **options):
    return " ".join(report(table, **options)["verdict"]).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("sentence", "table"),
    [
        ("say nothing about the true class.", [[3785, 0], [215, 0]]),
        ("say no more about the true class than chance", [[30, 31], [29, 30]]),
        ("provide 100.0 % of the information", [[0, 50], [50, 0]]),
        ("All 60 predictions are right; as few as", np.diag([20, 20, 20])),
        ("All 2 predictions are right, but so few", np.diag([1, 1])),
        ("Only 1.0 % of 404 predictions are wrong", [[200, 2], [2, 200]]),
        ("is right as often (94.6 %)", [[3785, 0], [215, 0]]),
        ("is right more often (90.0 % against 85.0 %)", [[82, 8], [7, 3]]),
        ("may be right as often in the long run", [[55, 5], [30, 10]]),
        ("None of the 215 samples of '1' were found", [[3785, 0], [215, 0]]),
        ("Only 2 of 20 samples of '1' were found", [[180, 0], [18, 2]]),
        (
            "The one sample of '2' was not found",
            [[50, 20, 0], [10, 20, 0], [1, 0, 0]],
        ),
        (
            "Much is known, but unevenly: none of the 9 samples",
            [[90, 1, 0], [1, 90, 0], [5, 4, 0]],
        ),
        ("2 more classes fared little better", MISSED),
        ("Classes seem to be exchanged", [[1, 50, 0], [50, 1, 0], [0, 0, 50]]),
        ("All 9 samples are of one class, '0'", [[7, 2], [0, 0]]),
    ],
)
def test_each_sentence_appears_and_stays_away(sentence, table):

    assert sentence in verdict(table)
    assert sentence not in verdict(GOOD)


def test_the_plain_verdict():
    assert verdict(GOOD) == (
        "The predictions provide 41.3 % of the information about the true class; "
        "79.2 % of them are right, against 41.7 % for always answering '0'."
    )


def test_rectangular_tables_have_no_accuracy():
    said = verdict([[30, 5, 4], [3, 40, 9]], labels=["a", "b"], pred_labels=list("xyz"))
    assert re.fullmatch(r"The predictions provide [\d.]+ % of the .* class\.", said)


def test_weights_are_shares():
    y_true, y_pred = [0] * 90 + [1] * 10, [0] * 99 + [1]
    weight = np.full(100, 0.3)
    numbers = information_report(y_true, y_pred, sample_weight=weight, output_dict=True)
    said = " ".join(numbers["verdict"])
    assert "10.0\u00a0% of '1' were found" in said


@pytest.mark.parametrize(
    ("share", "said"),
    [(0, "0.0"), (1, "100.0"), (0.9999, "more than 99.9"), (1e-5, "less than 0.1")],
)
def test_only_all_is_all(share, said):
    assert percent(share) == f"{said}\u00a0%"


@pytest.mark.parametrize(
    ("note", "table", "options"),
    [
        ("few for a table", [[3, 1], [1, 2]], {}),
        ("Quote the estimates", SCATTERED, {}),
        ("low because classes are exchanged", [[0, 50], [50, 0]], {}),
        ("one class only", [[7, 2], [0, 0]], {}),
        ("No intervals: they need at least 2", [[1, 0], [0, 0]], {}),
        ("the table holds probabilities", np.array([[0.4, 0.1], [0.1, 0.4]]), {}),
        ("over 200 classes", np.diag([9] * 201), {}),
        (
            "true ones: accuracy and confusion entropy are not defined",
            [[30, 5, 4], [3, 40, 9]],
            {"pred_labels": [0, 1, 2]},
        ),
        (
            "true ones: accuracy, recall and confusion entropy are not defined",
            [[30, 5, 4], [3, 40, 9]],
            {"pred_labels": list("xyz")},
        ),
    ],
)
def test_each_note_appears_and_stays_away(note, table, options):
    assert note in " ".join(report(table, **options)["notes"])
    assert report(GOOD)["notes"] == []


def test_no_note_repeats_another():
    notes = report([[7, 2], [0, 0]])["notes"]
    assert not any(a in b for a in notes for b in notes if a is not b)


def test_thousands_of_samples_are_not_few():
    assert report([[3785, 0], [215, 0]])["notes"] == []


def numbers_in(sentence):
    return [float(x.replace(",", "")) for x in re.findall(r"\d[\d,]*\.?\d*", sentence)]


@given(
    st.integers(2, 4).flatmap(
        lambda k: hnp.arrays(np.int64, (k, k), elements=st.integers(0, 60))
    )
)
def test_no_sentence_contradicts_the_table(table):
    assume(table.sum() >= 2)
    names = [f"class {'abcd'[i]}" for i in range(len(table))]
    numbers = report(table, target_names=names)
    support, hits, total = table.sum(axis=1), np.diag(table), table.sum()
    accuracy, largest = hits.sum() / total, support.max() / total
    for sentence in numbers["verdict"]:
        plain = sentence.replace("\u00a0", " ")
        said = numbers_in(plain)
        assert not re.search(r"[φδμΔ_=]|nan|NI|EMA", plain)
        if "is right more often" in plain:
            assert largest > accuracy
            np.testing.assert_allclose(
                said, 100 * np.array([largest, accuracy]), atol=0.051
            )
        if "is right as often" in plain:
            assert abs(largest - accuracy) < 1e-12
        if "of them are right" in plain:
            assert any(abs(x - 100 * accuracy) < 0.051 for x in said)
        if "predictions are wrong" in plain:
            assert said[0] == pytest.approx(100 * (1 - accuracy), abs=0.051)
            assert said[1] == total
        if "predictions are right" in plain:
            assert accuracy == 1
            assert said[0] == total
        for n_hits, n_class, letter in re.findall(
            r"(?:([\d,]+) of|one of the|none of the|None of the) ([\d,]+) samples of "
            r"'class (\w)' were found",
            plain,
        ):
            i = "abcd".index(letter)
            assert hits[i] == int((n_hits or "0").replace(",", ""))
            assert support[i] == int(n_class.replace(",", ""))
            assert hits[i] / support[i] < accuracy / 2
        if "nothing to tell apart" in plain:
            assert np.count_nonzero(support) == 1
