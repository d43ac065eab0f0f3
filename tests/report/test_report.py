"""information_report."""

import numpy as np
import pytest
from scipy import sparse as sp
from sklearn.metrics import accuracy_score

from sklearn_entropy_metrics import (
    EntropyBalance,
    ProbabilityBalance,
    TableAccumulator,
    confidence_interval,
    contingency_table,
    information_report,
    mean_absolute_probability_error,
    measure,
    probabilistic_confusion_entropy_loss,
)

Y_TRUE = ["cat"] * 6 + ["dog"] * 2 + ["owl"] * 2
Y_PRED = ["cat"] * 5 + ["dog"] + ["dog", "owl", "owl", "owl"]


def test_dict_holds_the_numbers_of_the_balance():
    report = information_report(Y_TRUE, Y_PRED, output_dict=True)
    b = EntropyBalance.from_predictions(Y_TRUE, Y_PRED)
    assert report["task"] == {
        "n_samples": 10,
        "n_classes": 3,
        "effective_classes": b.effective_true_classes,
    }
    assert report["transfer"] == {
        "mutual_information": b.mutual_information,
        "entropy_modulated_accuracy": b.entropy_modulated_accuracy,
        "normalized_information_transfer": b.normalized_information_transfer,
        "normalized_information": b.normalized_information,
    }
    np.testing.assert_array_equal(list(report["triangle"].values()), b.joint_fractions)
    assert report["accuracy"]["accuracy"] == accuracy_score(Y_TRUE, Y_PRED)
    assert [row["support"] for row in report["classes"].values()] == [6, 2, 2]
    assert list(report["classes"]) == ["cat", "dog", "owl"]


def test_text_has_every_number():
    report = information_report(Y_TRUE, Y_PRED, output_dict=True)
    text = information_report(Y_TRUE, Y_PRED, digits=5)
    for section in ("transfer", "triangle"):
        for value in report[section].values():
            assert f"{value:.5f}" in text
    assert f"{report['accuracy']['accuracy']:.5f}" in text
    assert "higher" not in text


def test_systematically_wrong_classifier_is_flagged():
    y_true = np.array([0, 0, 0, 1, 1, 2])
    y_pred = (y_true + 1) % 3
    report = information_report(y_true, y_pred, output_dict=True)
    assert report["transfer"]["normalized_information"] == 1
    assert report["accuracy"] == {
        "accuracy": 0.0,
        "best_relabelling": 1.0,
        "is_exchanged": True,
    }
    assert "1.000  (higher: classes are exchanged)" in information_report(
        y_true, y_pred
    )


def test_confusion_entropies():
    report = information_report(Y_TRUE, Y_PRED, output_dict=True)
    table = contingency_table(Y_TRUE, Y_PRED)
    assert report["confusion_entropy"] == {
        "confusion_entropy": measure.confusion_entropy(table),
        "relative_confusion_entropy": measure.confusion_entropy(table, relative=True),
        "modified_confusion_entropy": measure.confusion_entropy(table, modified=True),
    }
    np.testing.assert_array_equal(
        [row["confusion_entropy"] for row in report["classes"].values()],
        measure.confusion_entropy_per_class(table),
    )


def test_probabilities_add_lines():
    y_proba = np.random.default_rng(0).dirichlet([1, 1, 1], 10)
    weight = np.arange(10)
    kwargs = {"sample_weight": weight, "labels": ["cat", "dog", "owl"]}
    report = information_report(
        Y_TRUE, Y_PRED, y_proba=y_proba, output_dict=True, **kwargs
    )
    entropies = report["confusion_entropy"]
    for name, relative in (
        ("probabilistic_confusion_entropy", False),
        ("relative_probabilistic_confusion_entropy", True),
    ):
        assert entropies[name] == probabilistic_confusion_entropy_loss(
            Y_TRUE, y_proba, relative=relative, **kwargs
        )
    error = mean_absolute_probability_error(Y_TRUE, y_proba, **kwargs)
    assert entropies["mean_absolute_probability_error"] == error
    text = information_report(Y_TRUE, Y_PRED, y_proba=y_proba, **kwargs)
    (line,) = [line for line in text.splitlines() if "(rpCEN)" in line]
    value = entropies["relative_probabilistic_confusion_entropy"]
    assert line.split()[-1] == f"{value:.3f}"
    assert "rpCEN" not in information_report(Y_TRUE, Y_PRED)


def made_probabilities():
    """Good but bold probabilities of two hundred samples."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 3, 200)
    logits = 3 * np.eye(3)[y_true] + 2 * rng.normal(size=(200, 3))
    proba = np.exp(4 * logits)
    return y_true, proba / proba.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_balance_of_the_log_loss(weighted):
    y_true, proba = made_probabilities()
    weight = np.random.default_rng(1).random(200) if weighted else None
    given = {"y_proba": proba, "sample_weight": weight}
    report = information_report(y_true, proba.argmax(axis=1), output_dict=True, **given)
    balance = ProbabilityBalance.from_probabilities(y_true, proba, sample_weight=weight)
    assert report["probabilities"] == balance.to_dict()
    text = information_report(y_true, proba.argmax(axis=1), **given)
    section = text.split("Probabilities, in bits\n")[1].split("\n\n")[0]
    assert {len(line) for line in section.splitlines()} == {49}  # in a column
    numbers = dict(line.strip().rsplit(None, 1) for line in section.splitlines())
    numbers = {title.strip(): number for title, number in numbers.items()}
    assert numbers == {
        "entropy of the classes (H)": f"{balance.entropy:.3f}",
        "log loss (L = H - I + M)": f"{balance.log_loss:.3f}",
        "information (I), known": f"{balance.information:.3f}",
        "miscalibration (M)": f"{balance.miscalibration:.3f}",
        "information as stated (H - L), said": f"{balance.stated_information:.3f}",
        "information of the decisions": f"{balance.decision_information:.3f}",
        "information lost by deciding": f"{balance.decision_loss:.3f}",
        "information, share of the entropy": f"{balance.normalized_information:.3f}",
        "recalibrated by": balance.recalibration,
    }


def test_misleading_probabilities_are_noted():
    y_true, proba = made_probabilities()
    pred = proba.argmax(axis=1)
    wrong = information_report(y_true, pred, y_proba=np.roll(proba, 1, axis=1))
    assert "The probabilities mislead" in wrong
    timid = information_report(y_true, pred, y_proba=0.1 * proba + 0.3)
    assert "mislead" not in timid
    assert "Probabilities" not in information_report(y_true, pred)


def test_confusion_entropies_of_different_weighting_stand_apart():
    y_true, proba = made_probabilities()
    text = information_report(y_true, proba.argmax(axis=1), y_proba=proba)
    crisp, soft = (
        text.split(f"{title}\n")[1].split("\n\n")[0]
        for title in (
            "Confusion entropy, weighted by class",
            "Confusion entropy of probabilities, weighted by confusion",
        )
    )
    assert "(CEN)" in crisp
    assert "pCEN" not in crisp
    assert "(pCEN)" in soft
    assert "(rpCEN)" in soft
    assert "(CEN)" not in soft


@pytest.mark.parametrize("n_samples", [1, 2, 3, 4])
def test_few_probabilities_are_reported(n_samples):
    y_true = np.arange(n_samples) % 2
    proba = np.full(n_samples, 0.6)
    report = information_report(
        y_true, y_true, y_proba=proba, labels=[0, 1], output_dict=True
    )
    assert np.isfinite(report["probabilities"]["log_loss"])


def test_weights():
    weight = [0.5] * 10
    report = information_report(Y_TRUE, Y_PRED, sample_weight=weight, output_dict=True)
    assert report["task"]["n_samples"] == 5.0
    assert "3.00" in information_report(Y_TRUE, Y_PRED, sample_weight=weight, digits=2)


def last_words(text):
    """The last word of each line by the first one."""
    lines = [line.split() for line in text.splitlines() if line]
    return {line[0]: line[-1] for line in lines}


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        (None, ["10", "6", "2", "2"]),
        ([0.25] * 10, ["2.500", "1.500", "0.500", "0.500"]),
    ],
)
def test_samples_of_probabilities_are_counts(weight, expected):
    proba = np.eye(3)[[0] * 6 + [1, 1, 2, 2]]
    stream = TableAccumulator().update_proba(Y_TRUE, proba, sample_weight=weight)
    report = information_report(table=stream, confidence_level=None)
    found = last_words(report)
    assert [found[name] for name in ("samples", "cat", "dog", "owl")] == expected
    assert f"| samples | {expected[0]} |" in report.to_markdown()
    assert f">{expected[0]}<" in report.to_html()


def test_weights_too_large_to_count_stay_floats():
    given = {"sample_weight": np.full(10, 2.0**60)}
    stream = TableAccumulator().update_proba(Y_TRUE, np.eye(3)[[0] * 10], **given)
    report = information_report(table=stream, confidence_level=None, output_dict=True)
    assert report["classes"]["dog"]["support"] == 2.0**61
    assert isinstance(report["classes"]["dog"]["support"], float)


def test_names_and_labels():
    text = information_report(
        [0, 1],
        [0, 1],
        labels=[1, 0, 2],
        target_names=["one", "zero", "two"],
        confidence_level=None,
    )
    rows = [line.split() for line in text.splitlines()[-3:]]
    assert [(row[0], row[-1]) for row in rows] == [
        ("one", "1"),
        ("zero", "1"),
        ("two", "0"),
    ]
    with pytest.raises(ValueError, match=r"each of the 2 classes.*Got 1 names"):
        information_report([0, 1], [0, 1], target_names=["zero"])
    booleans = information_report([True, False], [True, True])
    assert "False" in booleans


def test_undefined_is_nan():
    report = information_report([1, 1], [1, 1], output_dict=True)
    assert np.isnan(report["transfer"]["normalized_information"])
    assert "nan" in information_report([1, 1], [1, 1])


def test_many_classes():
    y = np.arange(1200)
    text = information_report(y, y)
    assert "… and 1150 more classes" in text
    assert len(text.splitlines()) == 80
    report = information_report(y, y, output_dict=True)
    assert len(report["classes"]) == 1200
    assert report["accuracy"]["best_relabelling"] is None


@pytest.mark.parametrize("digits", [-1, 2.5, "3", True])
def test_wrong_digits(digits):
    with pytest.raises(ValueError, match="`digits` must be"):
        information_report([0, 1], [0, 1], digits=digits)


def reports(table, **options):
    return information_report(table=table, output_dict=True, **options)


class TestTable:
    TABLE = contingency_table(Y_TRUE, Y_PRED)
    LABELS = ("cat", "dog", "owl")
    EXPECTED = information_report(Y_TRUE, Y_PRED, output_dict=True)

    @pytest.mark.parametrize(
        "convert",
        [
            np.asarray,
            np.ndarray.tolist,
            sp.csr_array,
            EntropyBalance.from_confusion_matrix,
        ],
    )
    def test_in_place_of_labels(self, convert):
        table = convert(self.TABLE)
        level = None if sp.issparse(table) else 0.95
        expected = information_report(
            Y_TRUE, Y_PRED, output_dict=True, confidence_level=level
        )
        options = {"labels": self.LABELS, "confidence_level": level}
        assert reports(table, **options) == expected
        text = information_report(table=table, **options)
        assert text == information_report(Y_TRUE, Y_PRED, confidence_level=level)

    def test_an_accumulator_brings_its_labels(self):
        stream = TableAccumulator().update(Y_TRUE, Y_PRED)
        assert reports(stream) == self.EXPECTED

    def test_names(self):
        assert list(reports(self.TABLE)["classes"]) == ["0", "1", "2"]
        named = reports(self.TABLE, target_names=["A", "B", "C"])
        assert list(named["classes"]) == ["A", "B", "C"]

    def test_columns_in_another_order(self):
        order = [1, 2, 0]
        labels = [self.LABELS[i] for i in order]
        table = self.TABLE[:, order]
        assert reports(table, labels=self.LABELS, pred_labels=labels) == self.EXPECTED
        by_labels = information_report(
            Y_TRUE, Y_PRED, labels=self.LABELS, pred_labels=labels, output_dict=True
        )
        assert by_labels == self.EXPECTED

    def test_other_columns(self):
        y_pred = [label if label != "dog" else "?" for label in Y_PRED]
        pred_labels = [*self.LABELS, "?"]
        report = information_report(
            Y_TRUE, y_pred, pred_labels=pred_labels, output_dict=True
        )
        balance = EntropyBalance.from_predictions(
            Y_TRUE, y_pred, pred_labels=pred_labels
        )
        assert report["transfer"]["mutual_information"] == balance.mutual_information
        assert np.isnan(report["accuracy"]["accuracy"])
        assert report["accuracy"]["best_relabelling"] is None
        assert np.isnan(report["confusion_entropy"]["confusion_entropy"])
        assert np.isnan(report["classes"]["cat"]["delta"])
        assert report["classes"]["cat"]["support"] == 6
        # As many clusters as classes are still no classes.
        clusters = reports(self.TABLE, labels=self.LABELS, pred_labels=[0, 1, 2])
        assert clusters["transfer"] == self.EXPECTED["transfer"]
        assert np.isnan(clusters["accuracy"]["accuracy"])

    def test_probabilities_are_a_table(self):
        shares = self.TABLE / 10
        report = reports(shares, labels=self.LABELS, confidence_level=None)
        assert report["task"]["n_samples"] == pytest.approx(1)
        assert report["transfer"] == pytest.approx(self.EXPECTED["transfer"])

    def test_both_or_neither(self):
        with pytest.raises(ValueError, match="Pass y_true and y_pred, or a table"):
            information_report()
        with pytest.raises(ValueError, match="Pass y_true and y_pred, or a table"):
            information_report(Y_TRUE)
        with pytest.raises(ValueError, match="not both"):
            information_report(Y_TRUE, Y_PRED, table=self.TABLE)
        with pytest.raises(ValueError, match="not both"):
            information_report(table=self.TABLE, sample_weight=np.ones(10))
        with pytest.raises(ValueError, match="y_proba needs y_true and y_pred"):
            information_report(table=self.TABLE, y_proba=np.full((10, 3), 1 / 3))


class TestNotes:
    def test_nothing_to_say(self):
        many = Y_TRUE * 30
        assert information_report(many, many, output_dict=True)["notes"] == []
        assert "Notes" not in information_report(many, many)

    @pytest.mark.parametrize(
        ("y_true", "y_pred", "words"),
        [
            ([1, 1, 1], [1, 0, 1], "y_true has one class only (1)"),
            (["a", "b"] * 3, ["c", "d"] * 3, "y_true and y_pred share no label"),
            ([0, 0, 1, 1], [1, 1, 0, 0], "accuracy would be 1.000 instead of 0.000"),
        ],
    )
    def test_in_words(self, y_true, y_pred, words):
        report = information_report(y_true, y_pred, output_dict=True)
        assert all(isinstance(note, str) for note in report["notes"])
        (note,) = [note for note in report["notes"] if words in note]
        text = information_report(y_true, y_pred)
        _, _, notes = text.partition("\nNotes\n")
        assert note in " ".join(notes.split())
        assert max(map(len, notes.splitlines())) <= 76
        table = contingency_table(y_true, y_pred)
        labels = np.unique([y_true, y_pred])
        assert note in reports(table, labels=labels)["notes"]

    def test_clusters_may_have_other_names(self):
        report = information_report(
            ["a", "b"] * 300,
            ["c", "d"] * 300,
            pred_labels=["c", "d"],
            output_dict=True,
        )
        assert report["notes"] == []


class TestManySamples:
    """Counts beyond 2^63 in total are no negative numbers of samples."""

    TABLE = np.array([[2**62, 2**61], [2**61, 2**62 + 1]])

    @pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
    def test_counts(self, convert):
        report = reports(convert(self.TABLE))
        assert report["task"]["n_samples"] == 3 * 2**62 + 1
        assert type(report["task"]["n_samples"]) is int
        supports = [row["support"] for row in report["classes"].values()]
        assert supports == [3 * 2**61, 3 * 2**61 + 1]
        assert report["accuracy"]["best_relabelling"] == pytest.approx(2 / 3)
        assert str(3 * 2**62 + 1) in information_report(table=convert(self.TABLE))

    def test_a_row_beyond(self):
        report = reports([[2**62, 2**62, 2**62], [0, 1, 0], [0, 0, 2]])
        assert report["classes"]["0"]["support"] == 3 * 2**62


@pytest.mark.parametrize("names", [["one", "one"], np.array([1, 1]), ["1", 1]])
def test_repeated_names_would_drop_a_class(names):
    with pytest.raises(ValueError, match=r"distinct\. Got '\w+' more than once"):
        information_report([0, 1], [0, 1], target_names=names)


class TestIntervals:
    """Corrected values beside the plug-in ones, and notes in words."""

    NAMES = (
        "entropy_modulated_accuracy",
        "normalized_information_transfer",
        "normalized_information",
        "accuracy",
    )
    FEW = (np.arange(40) % 10, np.arange(40) * 7 % 10)

    def test_they_are_those_of_confidence_interval(self):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 3, 200)
        p = np.where(rng.random(200) < 0.7, y, rng.integers(0, 3, 200))
        report = information_report(y, p, output_dict=True, confidence_level=0.9)
        assert tuple(report["intervals"]) == self.NAMES
        for name, found in report["intervals"].items():
            interval = confidence_interval(y, p, name, confidence_level=0.9)
            for key in ("estimate", "low", "high", "standard_error", "plug_in"):
                assert found[key] == pytest.approx(getattr(interval, key), rel=1e-12)
        assert report["notes"] == []
        text = information_report(y, p, confidence_level=0.9)
        assert text.count("corrected [90 %]") == 2
        estimate = report["intervals"]["normalized_information"]["estimate"]
        assert f"{estimate:.3f} [" in text

    def test_weights_count_as_their_effective_number(self):
        y, p = [0, 0, 1, 1] * 10, [0, 1, 1, 1] * 10
        weights = np.tile([1.0, 3.0], 20)
        report = information_report(y, p, sample_weight=weights, output_dict=True)
        interval = confidence_interval(y, p, "accuracy", sample_weight=weights)
        found = report["intervals"]["accuracy"]
        assert found["standard_error"] == pytest.approx(interval.standard_error)

    def test_without(self):
        report = information_report(*self.FEW, output_dict=True, confidence_level=None)
        assert report["intervals"] == {}
        text = information_report(*self.FEW, confidence_level=None)
        assert "corrected" not in text

    def test_few_samples_are_told_in_words(self):
        text = " ".join(information_report(*self.FEW).split())
        assert "Few samples: a true class has 4 samples, fewer than 5" in text
        assert "40 samples are few for a table of 10 × 10 classes" in text
        assert "Do not quote these observed values" in text
        assert "NI 1.000 (corrected 0." in text.split("Do not quote", 1)[1]

    def test_many_samples_need_no_words(self):
        table = [[900, 100], [50, 950]]
        report = information_report(table=table, output_dict=True)
        assert report["notes"] == []
        for found in report["intervals"].values():
            assert found["low"] < found["estimate"] < found["high"]

    def test_only_measures_that_the_table_has(self):
        table = [[30, 2, 4], [3, 40, 1]]
        report = information_report(table=table, output_dict=True)
        assert tuple(report["intervals"]) == self.NAMES[:3]

    @pytest.mark.parametrize("n_classes", [201, 300])
    def test_none_for_many_classes(self, n_classes):
        y = np.arange(n_classes)
        report = information_report(y, y, output_dict=True)
        assert report["intervals"] == {}
        assert any("more than 200 classes" in note for note in report["notes"])

    def test_one_sample(self):
        report = information_report([0], [1], labels=[0, 1], output_dict=True)
        assert report["intervals"] == {}
        assert "No intervals: they need at least 2 samples, got 1." in report["notes"]

    def test_undefined_values_have_none(self):
        report = information_report([0] * 9, [0, 1, 0] * 3, output_dict=True)
        assert np.isnan(report["intervals"]["normalized_information"]["estimate"])
        (line,) = (
            line
            for line in information_report([0] * 9, [0, 1, 0] * 3).splitlines()
            if "(NI)" in line
        )
        assert line.endswith("nan")

    def test_a_table_of_probabilities_is_refused(self):
        table = [[0.4, 0.1], [0.1, 0.4]]
        with pytest.raises(ValueError, match="must hold counts, got a total of 1 inst"):
            information_report(table=table)
        assert information_report(table=table, confidence_level=None)

    @pytest.mark.parametrize("level", [0, 1, 2, "high", True])
    def test_bad_level(self, level):
        with pytest.raises(ValueError, match="confidence_level must be a number"):
            information_report([0, 1], [0, 1], confidence_level=level)
