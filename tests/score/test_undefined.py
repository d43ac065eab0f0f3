"""Undefined and doubtful values in the real entry points of scikit-learn."""

import warnings
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import InformationScorer, datasets
from sklearn_entropy_metrics.measure import MEASURES

X, Y = load_breast_cancer(return_X_y=True)
STRINGS = {
    m.scoring: m
    for m in MEASURES.values()
    if m.metric is not None and m.scoring is not None and not m.of_several_labels
}
OF_LABELS = [s for s, m in STRINGS.items() if not m.of_probabilities]
OF_RATES = [s for s, m in STRINGS.items() if m.paper == "Armano (2015)"]
# Undefined for a constant prediction: the measure, the value that it always predicts.
UNDEFINED = [
    ("unbiased_precision", 0),
    *[
        (f"unbiased_matthews_corrcoef{average}", always)
        for average in ("", "_macro", "_weighted")
        for always in (0, 1)
    ],
]
every_undefined = pytest.mark.parametrize(("name", "always"), UNDEFINED)


def constant(always, y=Y):
    return DummyClassifier(strategy="constant", constant=always).fit(X, y)


def told(function):
    """What a call returns, and the warnings that it gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return function(), caught


# Undefined because of what was predicted


@every_undefined
def test_a_string_scores_0(name, always):
    with pytest.warns(UndefinedMetricWarning, match="it scores 0") as caught:
        assert get_scorer(name)(constant(always), X, Y) == 0
    assert len(caught) == 1
    with pytest.warns(UndefinedMetricWarning, match=f"{name} undefined.*; 0 is"):
        assert InformationScorer([name])(constant(always), X, Y) == {name: 0}


@every_undefined
def test_a_metric_is_nan_and_names_the_parameter(name, always):
    measure = MEASURES[name]
    metric = measure.metric
    y_pred = np.full(len(Y), always)
    with pytest.warns(UndefinedMetricWarning, match="replace_undefined_by") as caught:
        assert np.isnan(metric(Y, y_pred, **measure.options))
    assert [one.filename for one in caught] == [__file__]
    for value in (0.0, -1.0):
        got = metric(Y, y_pred, replace_undefined_by=value, **measure.options)
        assert got == value
    # A scorer of one's own does as it is told.
    scorer = make_scorer(metric, replace_undefined_by=-1, **measure.options)
    assert scorer(constant(always), X, Y) == -1


@pytest.mark.parametrize("name", OF_RATES)
def test_undefined_because_of_the_truth_stays_nan(name):
    y = np.ones(len(Y), dtype=int)
    classifier = GaussianNB().fit(X, Y)
    score, caught = told(lambda: get_scorer(name)(classifier, X, y))
    assert np.isnan(score)
    assert [one.category for one in caught] == [UndefinedMetricWarning]
    scores, caught = told(lambda: InformationScorer([name])(classifier, X, y))
    assert np.isnan(scores[name])
    assert [one.category for one in caught] == [UndefinedMetricWarning]


@pytest.mark.parametrize("name", OF_LABELS)
@pytest.mark.parametrize("always", [0, 1])
def test_no_string_is_nan_for_a_constant_prediction(name, always):
    score, _ = told(lambda: get_scorer(name)(constant(always), X, Y))
    several, _ = told(lambda: InformationScorer("all")(constant(always), X, Y))
    assert np.isfinite(score)
    assert several[name] == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_score_of_0_is_never_the_best(n_classes):
    """No loss is undefined if two classes are true, and no score is best at 0."""
    tables = np.concatenate([*datasets.enumerate_tables(n_classes, 6)])
    for measure in MEASURES.values():
        if measure.input == "2x2 table" and n_classes > 2:
            continue
        if measure.input == "samples" or measure.of_several_labels:
            continue  # always defined, or undefined because of what is true
        if np.isnan(measure(tables)).any():
            assert measure.direction != "minimize"
            assert measure.direction == "zero" or measure.bounds((2, 2))[1] == 1


@cache
def tune(name):
    tuner = TunedThresholdClassifierCV(
        GaussianNB(), scoring=name, thresholds=25, cv=3, store_cv_results=True
    )
    return told(lambda: tuner.fit(X, Y))


@pytest.mark.parametrize("name", OF_LABELS)
def test_threshold_tuner_prefers_what_is_defined(name):
    tuner, caught = tune(name)
    assert 0 < tuner.best_threshold_ <= 1
    assert np.isfinite(tuner.cv_results_["scores"]).all()
    assert tuner.best_score_ > get_scorer(name)(GaussianNB().fit(X, Y), X, Y) - 0.1
    assert {one.category for one in caught} <= {UndefinedMetricWarning}
    assert bool(caught) == ("matthews" in name)


def test_search_prefers_what_is_defined():
    grid = {"max_depth": [1, 3], "ccp_alpha": [0.0, 1.0]}  # 1 prunes all branches
    tree = DecisionTreeClassifier(random_state=0)
    search = GridSearchCV(tree, grid, scoring="unbiased_matthews_corrcoef")
    with pytest.warns(UndefinedMetricWarning, match="it scores 0"):
        search.fit(X, Y)
    scores = search.cv_results_["mean_test_score"]
    pruned = search.cv_results_["param_ccp_alpha"] == 1
    assert (scores[pruned] == 0).all()
    assert (scores[~pruned] > 0.5).all()
    assert search.best_params_["ccp_alpha"] == 0


# Doubtful

IRIS, SPECIES = load_iris(return_X_y=True)
DOUBTFUL = [
    "entropy_modulated_accuracy",
    "normalized_information_transfer",
    "neg_variation_of_information",
    "neg_confusion_entropy",
    "neg_relative_confusion_entropy",
    "neg_probabilistic_confusion_entropy",
    "neg_relative_probabilistic_confusion_entropy",
    "neg_mean_absolute_probability_error",
]


@pytest.mark.parametrize("name", DOUBTFUL)
@pytest.mark.parametrize("names", [None, ["setosa", "versicolor", "virginica"]])
def test_folds_of_one_class_are_told(name, names):
    y = SPECIES if names is None else np.array(names)[SPECIES]
    scores, caught = told(
        lambda: cross_val_score(GaussianNB(), IRIS, y, scoring=name, cv=KFold(3))
    )
    assert np.isfinite(scores).all()
    messages = [str(one.message) for one in caught]
    assert [m.partition(":")[0] for m in messages] == [
        f"y_true has one class only ({label.item()!r})" for label in np.unique(y)
    ]
    assert {one.category for one in caught} == {UserWarning}


def test_folds_of_one_class_are_told_once_for_several_measures():
    scorer = InformationScorer("all")
    _, caught = told(
        lambda: cross_validate(GaussianNB(), IRIS, SPECIES, scoring=scorer, cv=KFold(3))
    )
    doubtful, undefined = (
        [one for one in caught if (one.category is UndefinedMetricWarning) == is_it]
        for is_it in (False, True)
    )
    assert len(doubtful) == len(undefined) == 3
    assert all("one class only" in str(one.message) for one in doubtful)


def test_labels_that_have_nothing_in_common_are_told():
    classifier = GaussianNB().fit(X, Y)
    for scorer in (
        get_scorer("entropy_modulated_accuracy"),
        make_scorer(sem.entropy_modulated_accuracy_score),
        InformationScorer(),
    ):
        with pytest.warns(UserWarning, match="share no label.*`pred_labels`") as caught:
            scorer(classifier, X, Y + 2)
        assert len(caught) == 1
    scorer = get_scorer("neg_probabilistic_confusion_entropy")
    with pytest.warns(UserWarning, match="y_proba share no class") as caught:
        scorer(classifier, X, Y + 2)
    assert len(caught) == 1


def test_tables_and_resamples_say_nothing():
    """Warnings are errors here."""
    table = [[5, 3], [0, 0]]
    for measure in MEASURES.values():
        if measure.input not in ("samples", "label tables"):
            measure(table)
    y_true, y_pred = np.array([0] * 30 + [1]), np.array([0] * 31)
    balance = sem.bootstrap_balance(
        sem.contingency_table(y_true, y_pred), n_resamples=50, random_state=0
    )
    assert (balance.entropy_modulated_accuracy == 1).any()
    rounds = sem.win_loss_equal(
        GaussianNB(),
        X[:20],  # so that parts for validation have two samples, often of one class
        Y[:20],
        ["entropy_modulated_accuracy", "normalized_information"],
        arbiter="neg_confusion_entropy",
        n_rounds=5,
        random_state=0,
    )
    assert rounds.n_undefined[1] > 0


# Doubtful and undefined values of averages

CLASSES = [0, 1, 2, 3]
Y_TRUE, Y_PRED = [0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 1, 0]  # 2 not predicted, 3 not seen


def test_averages_leave_undefined_classes_out():
    metric = sem.unbiased_precision_score
    options = {"labels": CLASSES}
    with pytest.warns(UndefinedMetricWarning, match="replace_undefined_by") as caught:
        each = metric(Y_TRUE, Y_PRED, average=None, **options)
    assert len(caught) == 1
    np.testing.assert_array_equal(np.isnan(each), [False, False, True, True])
    macro = metric(Y_TRUE, Y_PRED, average="macro", **options)
    weighted = metric(
        Y_TRUE, Y_PRED, average="weighted", sample_weight=[1, 1, 4, 4, 9, 9], **options
    )
    assert macro == pytest.approx(each[:2].mean())
    two = metric(
        Y_TRUE,
        Y_PRED,
        average=None,
        sample_weight=[1, 1, 4, 4, 9, 9],
        replace_undefined_by=0,
        **options,
    )
    assert weighted == pytest.approx((2 * two[0] + 8 * two[1]) / 10)
    np.testing.assert_array_equal(two[2:], 0)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_an_average_is_undefined_only_if_all_classes_are(average):
    metric = sem.unbiased_matthews_corrcoef
    with pytest.warns(UndefinedMetricWarning, match="replace_undefined_by") as caught:
        assert np.isnan(metric(Y_TRUE, [1] * 6, labels=CLASSES, average=average))
    assert len(caught) == 1
    given = {"labels": CLASSES, "average": average, "replace_undefined_by": 0.25}
    assert metric(Y_TRUE, [1] * 6, **given) == 0.25


def test_each_class_with_labels_that_have_nothing_in_common():
    options = {"average": None, "replace_undefined_by": 0}
    with pytest.warns(UserWarning, match="share no label") as caught:
        each = sem.discriminant_capability_score([0, 1], [2, 3], **options)
    assert len(caught) == 1
    np.testing.assert_array_equal(each, 0)


def test_an_infinite_metric_is_an_error(monkeypatch):
    monkeypatch.setattr(sem.measure, "entropy_modulated_accuracy", lambda _: np.inf)
    with pytest.raises(ValueError, match="infinite on these samples"):
        sem.entropy_modulated_accuracy_score([0, 1], [0, 1])
