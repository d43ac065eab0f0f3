"""Every sentence of a verdict appears where it is true, and nowhere else."""

import re
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import entropy
from sklearn.metrics import mutual_info_score

from sklearn_entropy_metrics import TableAccumulator, information_report
from sklearn_entropy_metrics.report import words
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
        ("say nothing about the true class;", [[3785, 0], [215, 0]]),
        ("say no more about the true class than chance", [[30, 31], [29, 30]]),
        ("provide 100.0 % of the information", [[0, 50], [50, 0]]),
        ("All 60 predictions are right; as few as", np.diag([20, 20, 20])),
        ("All 2 predictions are right, but so few", np.diag([1, 1])),
        ("All 50 predictions are right; as few as 92.9 %", np.diag([1] * 50)),
        (
            "All 5,000 predictions are right, but always answering '0' may be right "
            "as often in the long run.",
            np.diag([4997, 3]),
        ),
        ("only 1.0 % of them are wrong, against 50.0 %", [[200, 2], [2, 200]]),
        (
            "94.6 % of them are right, and always answering '0' is right as often.",
            [[3785, 0], [215, 0]],
        ),
        (
            "85.0 % of them are right, but always answering '0' is right more often "
            "(90.0 %).",
            [[82, 8], [7, 3]],
        ),
        (
            "98.2 % of them are right, but always answering '0' is right more often "
            "(99.0 %).",
            [[979, 11], [7, 3]],
        ),
        ("'0', which may be right as often in the long run.", [[55, 5], [30, 10]]),
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
        ("2 more classes were found less than half as often as average", MISSED),
        ("1 more class was found less than half", MISSED[:8, :8]),
        (
            "The names of classes seem to be exchanged: with other names for the "
            "predicted classes, 98.7 % would be right.",
            [[1, 50, 0], [50, 1, 0], [0, 0, 50]],
        ),
        ("All samples are of one class, '0'", [[7, 2], [0, 0]]),
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
        ("Exchanged names lower accuracy", [[0, 50], [50, 0]], {}),
        ("one class only", [[7, 2], [0, 0]], {}),
        ("No intervals: they need at least 2", [[1, 0], [0, 0]], {}),
        ("the table holds probabilities", np.array([[0.4, 0.1], [0.1, 0.4]]), {}),
        ("over 200 classes", np.diag([9] * 201), {}),
        (
            "true ones: accuracy, φ, δ and confusion entropy are not defined",
            [[30, 5, 4], [3, 40, 9]],
            {"pred_labels": [0, 1, 2]},
        ),
        (
            "true ones: accuracy, recall, precision, φ, δ and confusion entropy are",
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


def test_the_verdict_does_not_depend_on_the_intervals():
    rng = np.random.default_rng(0)
    for table in rng.multinomial(80, np.ones(9) / 9, 20).reshape(-1, 3, 3):
        first = [sentence.split(";")[0] for sentence in report(table)["verdict"]]
        without = report(table, confidence_level=None)["verdict"]
        assert first == [sentence.split(";")[0] for sentence in without]


@pytest.mark.parametrize("share", [0, 0.5])
def test_large_tables_are_judged_by_shuffled_predictions(share):
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 400, (2, 3000))
    y_pred = np.where(rng.random(3000) < share, y_true, y_pred)
    said = information_report(y_true, y_pred, output_dict=True)["verdict"][0]
    assert ("than chance could explain" in said) == (share == 0)


def test_groups_are_permuted_as_a_whole():
    group = np.arange(400) // 20
    y_true = group % 2
    y_pred = np.where(group < 4, 1 - y_true, y_true)
    numbers = information_report(y_true, y_pred, groups=group, output_dict=True)
    assert "no more about the true class than chance" not in numbers["verdict"][0]
    few = (group >= 3) & (group < 9)
    numbers = information_report(
        y_true[few], y_pred[few], groups=group[few], output_dict=True
    )
    assert "no more about the true class than chance" in numbers["verdict"][0]


def test_weights_are_not_counted():
    y_true, weight = np.arange(60) % 2, np.full(60, 3.0)
    said = information_report(y_true, y_true, sample_weight=weight, output_dict=True)
    assert said["verdict"][0].startswith("All predictions are right; as few as")


def test_what_is_right_more_often_than_the_largest_class_is_no_chance():
    rng = np.random.default_rng(10)
    groups, y_true = np.repeat(np.arange(25), 4), rng.integers(0, 3, 100)
    is_right = rng.random(100) < rng.random(25)[groups]
    y_pred = np.where(is_right, y_true, rng.integers(0, 3, 100))
    numbers = information_report(y_true, y_pred, groups=groups, output_dict=True)
    intervals = numbers["intervals"]
    assert intervals["normalized_information"]["low"] == 0
    assert intervals["accuracy"]["low"] > numbers["baseline"]["accuracy"]
    assert numbers["verdict"][0].startswith("The predictions provide")


def test_large_weights_do_not_exchange_classes():
    table = np.array([[30, 34, 8], [34, 30, 8], [8, 8, 60]])
    true, pred = (np.repeat(x.ravel(), table.ravel()) for x in np.indices((3, 3)))
    for scale in (1e-3, 1, 1e9):
        weight = np.full(len(true), scale)
        numbers = information_report(true, pred, sample_weight=weight, output_dict=True)
        assert not numbers["accuracy"]["is_exchanged"]


@pytest.mark.parametrize(
    "table",
    [
        [[380, 570], [1, 49]],  # a sensitive test of a rare disease
        [[20, 180], [1, 99]],
        [[500, 0, 0], [0, 100, 0], [0, 300, 0]],
    ],
)
def test_classes_that_are_predicted_too_often_are_not_exchanged(table):
    accuracy = report(table)["accuracy"]
    assert accuracy["best_relabelling"] > accuracy["accuracy"] + 0.1
    assert not accuracy["is_exchanged"]


def test_half_of_many_classes_that_are_guessed_are_not_exchanged():
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 60, 1500)
    y_pred = np.where(y_true < 30, y_true, rng.integers(0, 60, 1500))
    numbers = information_report(y_true, y_pred, output_dict=True)["accuracy"]
    assert numbers["best_relabelling"] > numbers["accuracy"] + 0.02
    assert not numbers["is_exchanged"]


@pytest.mark.parametrize(("k", "right"), [(3, 0.7), (10, 0.7), (10, 0.35), (30, 0.8)])
def test_classes_with_other_names_are_exchanged(k, right):
    y_true = np.arange(20 * k) % k
    is_right = np.arange(20 * k) // k < 20 * right
    y_pred = np.where(is_right, (y_true + 1) % k, (3 * y_true + np.arange(20 * k)) % k)
    numbers = information_report(y_true, y_pred, output_dict=True)
    assert numbers["accuracy"]["is_exchanged"]


def test_predictions_of_other_classes_are_exchanged():
    table = np.zeros((4, 4), dtype=int)
    table[[0, 1], [2, 3]] = 50
    assert report(table)["accuracy"]["is_exchanged"]


def test_sums_of_probabilities_are_not_right_or_wrong():
    y_true = np.arange(50) % 2
    proba = np.where(y_true[:, None] == [0, 1], 0.7, 0.3)
    table = TableAccumulator().update_proba(y_true, proba)
    numbers = information_report(table=table, output_dict=True)
    (sentence,) = numbers["verdict"]
    assert re.fullmatch("The predictions provide .* about the true class[.]", sentence)
    assert "holds probabilities" in numbers["notes"][0]


def balance_of(stated):
    """Knowledge of two even classes; 90 % of the decisions are right."""
    y_true = np.arange(400) % 2
    is_right = np.arange(400) % 20 > 1
    second = np.where(is_right == y_true, stated, 1 - stated)
    proba = np.column_stack([1 - second, second])
    made = information_report(y_true, proba.argmax(axis=1), y_proba=proba)
    return made, made.to_dict()["probabilities"]


def test_decisions_that_keep_more_than_was_estimated_lose_nothing():
    _, balance = balance_of(0.9)
    loss = {"decision_loss": -0.01, "decision_information": 0.6}
    (said,) = words.of_probabilities({"probabilities": balance | loss})
    assert said.endswith("Deciding for the most probable class loses nothing.")
    (said,) = words.of_probabilities(
        {"probabilities": balance | {"decision_loss": 0.01}}
    )
    assert "loses nothing" not in said


@pytest.mark.parametrize("stated", [0.9, 0.9999])
def test_the_probabilities_in_words(stated):
    made, balance = balance_of(stated)
    text = " ".join(made.split())
    (said,) = re.findall(r"Knowing the class .* keeps [\d.]+", text)
    names = "entropy", "information", "stated_information", "decision_information"
    expected = [abs(balance[name]) for name in names]
    np.testing.assert_allclose(numbers_in(said), expected, atol=0.0051)
    is_misleading = balance["stated_information"] < 0
    assert is_misleading == (stated > 0.99)
    assert ("they mislead by" in said) == is_misleading
    assert ("The probabilities mislead" in text) == is_misleading
    assert said in made.to_markdown().replace("\\", "")
    assert "Knowing the class" not in information_report([0, 1] * 9, [0, 1] * 9)


def test_the_confusions_count_the_table():
    rng = np.random.default_rng(0)
    table = rng.integers(0, 6, (8, 8)) + np.diag([60] * 8)
    table[2, 5], table[6, 1] = 40, 30
    for sentence in words.confusions(report(table, target_names=list("abcdefgh"))):
        pattern = r"(\d+) of (\d+) '(\w)' were called '(\w)' \(([\d.]+) expected\)"
        count, support, true, pred, expected = re.fullmatch(pattern, sentence).groups()
        row, column = "abcdefgh".index(true), "abcdefgh".index(pred)
        assert int(count) == table[row, column] > float(expected)
        assert int(support) == table[row].sum()


def test_the_number_of_confusions_that_are_not_told():
    table = np.diag([60] * 13) + np.roll(np.diag([30] * 13), 1, axis=1)
    numbers = report(table)
    *said, more = words.confusions(numbers)
    assert len(said) == 10
    assert more == f"… and {len(numbers['confusions']) - 10} more"


def check_shares(sentence, accuracy, largest, names, support):
    """Whether the shares of right predictions and of the largest class are true."""
    pattern = (
        r"(less than )?(?P<share>[\d.]+) % of them are (?P<kind>right|wrong), (?:"
        r"against (less than )?(?P<floor>[\d.]+) % for|and(?P<equal>)|but) always "
        r"answering '(?P<name>.*?)'(?: is right (as often|more often "
        r"\((?P<more>[\d.]+) %\))|(?P<may>, which may be right as often in the long "
        r"run))?\.$"
    )
    found = re.search(pattern, sentence)
    shares = np.array([accuracy, largest])
    if found["kind"] == "wrong":
        assert accuracy >= 0.98
        shares = 1 - shares
    floor = found["floor"] or found["more"] or found["share"]
    said = [float(found["share"]), float(floor)]
    np.testing.assert_allclose(said, 100 * shares, atol=0.101)
    assert (found["equal"] is not None) == (abs(accuracy - largest) < 1e-12)
    assert (found["more"] is not None) == (accuracy < largest - 1e-12)
    assert support[names.index(found["name"])] == support.max()
    return True


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
        if "of them are" in plain:
            assert check_shares(plain, accuracy, largest, names, support)
        if "seem to be exchanged" in plain:
            best = max(
                table[range(len(table)), order].sum()
                for order in permutations(range(len(table)))
            )
            assert said[-1] == pytest.approx(100 * best / total, abs=0.051)
            assert best > hits.sum()
        if "of the information about" in plain:
            expected = mutual_info_score(None, None, contingency=table) / entropy(
                support
            )
            assert said[0] == pytest.approx(100 * expected, abs=0.051)
        if "say nothing" in plain:
            np.testing.assert_allclose(
                table * total, np.outer(support, table.sum(axis=0)), atol=1e-4
            )
        if "predictions are right" in plain:
            assert accuracy == 1
            assert said[0] == total
        if "Much is known" in plain:
            assert numbers["transfer"]["normalized_information"] >= 0.5
        if more := re.search(r"(\d) more class", plain):
            recall = hits[support > 0] / support[support > 0]
            assert int(more[1]) == np.count_nonzero(recall < accuracy / 2) - 3
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
