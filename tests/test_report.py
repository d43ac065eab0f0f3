"""information_report."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from sklearn_entropy_metrics import (
    EntropyBalance,
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


def test_weights():
    weight = [0.5] * 10
    report = information_report(Y_TRUE, Y_PRED, sample_weight=weight, output_dict=True)
    assert report["task"]["n_samples"] == 5.0
    assert "3.00" in information_report(Y_TRUE, Y_PRED, sample_weight=weight, digits=2)


def test_names_and_labels():
    text = information_report(
        [0, 1], [0, 1], labels=[1, 0, 2], target_names=["one", "zero", "two"]
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
    assert len(text.splitlines()) < 80
    report = information_report(y, y, output_dict=True)
    assert len(report["classes"]) == 1200
    assert report["accuracy"]["best_relabelling"] is None


@pytest.mark.parametrize("digits", [-1, 2.5, "3", True])
def test_wrong_digits(digits):
    with pytest.raises(ValueError, match="digits must be"):
        information_report([0, 1], [0, 1], digits=digits)
