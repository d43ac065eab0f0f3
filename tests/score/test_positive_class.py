"""One positive class, 1: in functions, strings, threshold tuners, InformationScorer."""

import warnings
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import (
    FixedThresholdClassifier,
    TunedThresholdClassifierCV,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import InformationScorer
from sklearn_entropy_metrics.measure import MEASURES

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :3]
PREDICTED = GaussianNB().fit(X, Y).predict(X)
OF_TWO_CLASSES = {
    n: m for n, m in MEASURES.items() if m.input == "2x2 table" and m.is_listed
}
NEEDS_POSITIVE = ["unbiased_precision", "unbiased_f1"]
EITHER = sorted(OF_TWO_CLASSES.keys() - set(NEEDS_POSITIVE))
# Labels of the negative and of the positive class.
WITH_ONE = {
    "0 and 1": [0, 1],
    "-1 and 1": [-1, 1],
    "2 and 1": [2, 1],  # sorted, the positive class is the first one
    "booleans": [False, True],
    "floats": [0.0, 1.0],
}
WITHOUT_ONE = {"strings": ["ham", "spam"], "numbers": [5, -5], "digits": ["0", "1"]}

with_one = pytest.mark.parametrize("labels", WITH_ONE.values(), ids=WITH_ONE)
without_one = pytest.mark.parametrize("labels", WITHOUT_ONE.values(), ids=WITHOUT_ONE)
either = pytest.mark.parametrize("name", EITHER)
needs_positive = pytest.mark.parametrize("name", NEEDS_POSITIVE)


def metric(name):
    return OF_TWO_CLASSES[name].metric


@cache
def tune(scoring, negative=0, positive=1):
    y = np.array([negative, positive])[Y]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        tuner = TunedThresholdClassifierCV(
            GaussianNB(), scoring=scoring, thresholds=25, cv=3
        )
        return tuner.fit(X, y)


# Ways to score a classifier of two classes: they agree, and fail in the same way.
WAYS = {
    "function": lambda name, c, y: metric(name)(y, c.predict(X)),
    "string": lambda name, c, y: get_scorer(name)(c, X, y),
    "one of several": lambda name, c, y: InformationScorer([name])(c, X, y)[name],
    "cross-validation": lambda name, c, y: cross_val_score(
        c, X, y, scoring=name, cv=[(np.arange(len(y)),) * 2], error_score="raise"
    )[0],
}
every_way = pytest.mark.parametrize("way", WAYS)


def test_rows_of_the_catalogue():
    assert [n for n, m in OF_TWO_CLASSES.items() if m.needs_positive] == NEEDS_POSITIVE
    assert len(EITHER) == 3


@with_one
@every_way
@pytest.mark.parametrize("name", OF_TWO_CLASSES)
def test_the_positive_class_is_1(name, way, labels):
    y = np.array(labels)[Y]
    value = WAYS[way](name, GaussianNB().fit(X, y), y)
    assert value == pytest.approx(metric(name)(Y, PREDICTED), rel=1e-12)


@pytest.mark.parametrize("labels", [[2, 1]])  # the positive class is the first one
@pytest.mark.parametrize("name", [*OF_TWO_CLASSES, "f1"])
def test_a_threshold_is_one_of_the_probability_of_the_positive_class(name, labels):
    """As for scikit-learn's f1, whose probability is that of the class 1."""
    y = np.array(labels)[Y]
    plain, found = tune(name), tune(name, *labels)
    if name in EITHER and labels == [2, 1]:  # they take the second class, 2
        assert found.best_threshold_ == pytest.approx(1 - plain.best_threshold_)
    else:
        assert found.best_threshold_ == plain.best_threshold_
    assert found.best_score_ == pytest.approx(plain.best_score_, abs=0.002)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        score = get_scorer(name)
        assert score(found, X, y) == pytest.approx(score(plain, X, Y), abs=0.002)


@with_one
@pytest.mark.parametrize("name", OF_TWO_CLASSES)
def test_a_fixed_threshold(name, labels):
    y = np.array(labels)[Y]
    fixed = FixedThresholdClassifier(GaussianNB(), threshold=0.9, pos_label=1)
    sure = GaussianNB().fit(X, Y).predict_proba(X)[:, 1] >= 0.9
    value = get_scorer(name)(fixed.fit(X, y), X, y)
    assert value == pytest.approx(metric(name)(Y, sure), rel=1e-12)


@without_one
@every_way
@either
def test_any_two_labels_where_the_positive_class_does_not_matter(name, way, labels):
    y = np.array(labels)[Y]
    value = WAYS[way](name, GaussianNB().fit(X, y), y)
    assert value == pytest.approx(metric(name)(Y, PREDICTED), rel=1e-12)


@without_one
@either
def test_any_two_labels_in_a_threshold_tuner(name, labels):
    assert tune(name, *labels).best_score_ == pytest.approx(
        tune(name).best_score_, abs=0.002
    )
    scorer = make_scorer(metric(name), pos_label=None, replace_undefined_by=0)
    assert tune(scorer, *labels).best_score_ == tune(name, *labels).best_score_


@without_one
@either
def test_a_given_positive_class_must_be_a_label(name, labels):
    y_true, y_pred = np.array(labels)[Y], np.array(labels)[PREDICTED]
    values = [metric(name)(y_true, y_pred, pos_label=p) for p in (None, *labels)]
    assert values == pytest.approx([metric(name)(Y, PREDICTED)] * 3, rel=1e-12)
    with pytest.raises(ValueError, match="pos_label=7 is not a valid label"):
        metric(name)(y_true, y_pred, pos_label=7)


MESSAGE = r"pos_label=1 .*is not a valid label"


@without_one
@every_way
@needs_positive
def test_labels_without_1_are_an_error(name, way, labels):
    y = np.array(labels)[Y]
    with pytest.raises(ValueError, match=MESSAGE) as error:
        WAYS[way](name, GaussianNB().fit(X, y), y)
    assert "make_scorer(metric, pos_label=...)" in str(error.value)
    assert all(repr(label) in str(error.value) for label in labels)


@without_one
@needs_positive
def test_labels_without_1_are_an_error_in_a_threshold_tuner(name, labels):
    with pytest.raises(ValueError, match=MESSAGE) as error:
        tune(name, *labels)
    assert "make_scorer(metric, pos_label=...)" in str(error.value)
    scorer = make_scorer(metric(name), pos_label=labels[1], replace_undefined_by=0)
    assert tune(scorer, *labels).best_threshold_ == tune(name).best_threshold_


@pytest.mark.parametrize(
    "function", [sem.characteristic_capability, sem.phi_delta], ids=["φ", "φ and δ"]
)
def test_the_sign_of_phi_depends_on_the_positive_class(function):
    names = np.array(["ham", "spam"])
    with pytest.raises(ValueError, match=f"{MESSAGE}.*make_scorer"):
        function(names[Y], names[PREDICTED])
    expected = function(Y, PREDICTED)
    assert function(names[Y], names[PREDICTED], pos_label="spam") == expected
    assert function(2 - Y, 2 - PREDICTED) == expected  # 1 is the first of 1 and 2
    other = function(names[Y], names[PREDICTED], pos_label="ham")
    assert np.ravel(other)[0] == pytest.approx(-np.ravel(expected)[0])


@without_one
def test_all_measures_that_labels_without_1_allow(labels):
    y = np.array(labels)[Y]
    scores = InformationScorer("all")(GaussianNB().fit(X, y), X, y)
    expected = InformationScorer("all")(GaussianNB().fit(X, Y), X, Y)
    for name in NEEDS_POSITIVE:
        del expected[name]
    assert scores == pytest.approx(expected, rel=1e-12)


def test_order_of_the_labels_of_several_measures():
    classifier = GaussianNB().fit(X, Y)
    expected = InformationScorer("all")(classifier, X, Y)
    turned = InformationScorer("all", labels=[1, 0])(classifier, X, Y)
    assert turned == pytest.approx(expected, rel=1e-12)


def test_an_average_ignores_the_positive_class():
    names = np.array(["ham", "spam"])
    with pytest.warns(UserWarning, match="pos_label='spam' is ignored") as caught:
        sem.unbiased_f1_score(
            names[Y], names[PREDICTED], pos_label="spam", average="macro"
        )
    assert [one.filename for one in caught] == [__file__]


@pytest.mark.parametrize("labels", [(0, 1), (1, 2)])
def test_intervals_have_the_positive_class_of_the_metrics(labels):
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.3
    p = np.where(rng.random(200) < 0.8, y, rng.random(200) < 0.5)
    y, p = (np.where(one, *labels[::-1]) for one in (y, p))
    interval = sem.confidence_interval(y, p, "unbiased_f1")
    assert interval.plug_in == pytest.approx(sem.unbiased_f1_score(y, p), rel=1e-12)
    other = np.where(p == labels[0], *labels[::-1])
    difference = sem.compare_classifiers(y, p, other, "unbiased_f1", n_resamples=99)
    expected = sem.unbiased_f1_score(y, p) - sem.unbiased_f1_score(y, other)
    plug_in = getattr(difference, "plug_in_difference", difference.difference)
    assert plug_in == pytest.approx(expected, rel=1e-12)
