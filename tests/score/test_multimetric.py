"""InformationScorer in the real entry points of scikit-learn."""

import copy
import math
import pickle
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_entropy_metrics import InformationScorer, information_refit
from sklearn_entropy_metrics.measure import MEASURES

X, Y = make_classification(
    200, n_informative=5, n_classes=3, weights=[0.6, 0.3], random_state=0
)
WEIGHT = np.random.default_rng(0).integers(0, 5, 200).astype(float)
DEFAULT = [
    "entropy_modulated_accuracy",
    "normalized_information_transfer",
    "normalized_information",
    "neg_variation_of_information",
    "accuracy",
]


class Counting(ClassifierMixin, BaseEstimator):
    """Counts how often it is asked to predict."""

    def __init__(self, calls):
        self.calls = calls

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        self.calls.append(len(X))
        return np.resize(self.classes_, len(X))


def test_equals_the_single_scorers():
    classifier = LogisticRegression().fit(X, Y)
    scores = InformationScorer()(classifier, X, Y)
    assert list(scores) == DEFAULT
    for name, score in scores.items():
        assert type(score) is float
        assert score == pytest.approx(get_scorer(name)(classifier, X, Y), rel=1e-12)


def test_predicts_once():
    calls = []
    classifier = Counting(calls).fit(X, Y)
    InformationScorer("all")(classifier, X, Y)
    assert calls == [200]


def test_all_and_some():
    classifier = LogisticRegression().fit(X, Y)
    everything = InformationScorer("all")(classifier, X, Y)
    assert set(everything) == {
        measure.scoring
        for measure in MEASURES.values()
        if measure.is_listed
        and measure.input != "2x2 table"  # there are three classes
        and not measure.of_several_labels
    }
    some = InformationScorer(["accuracy", "neg_variation_of_information"])
    assert list(some(classifier, X, Y)) == ["accuracy", "neg_variation_of_information"]


def test_cross_validate_and_grid_search():
    model = make_pipeline(StandardScaler(), LogisticRegression())
    results = cross_validate(model, X, Y, scoring=InformationScorer())
    assert {f"test_{name}" for name in DEFAULT} <= set(results)
    search = GridSearchCV(
        model,
        {"logisticregression__C": [1e-4, 1.0]},
        scoring=InformationScorer(),
        refit="normalized_information",
    ).fit(X, Y)
    assert search.best_params_ == {"logisticregression__C": 1.0}
    assert search.score(X, Y) > 0.3
    clone(search)


def test_folds_that_lack_a_class_are_measured_like_the_others():
    folds = [(np.arange(200), np.flatnonzero(c == Y)) for c in range(3)]
    with (
        pytest.warns(UndefinedMetricWarning, match="normalized_information undefined"),
        pytest.warns(UserWarning, match="one class only"),
    ):
        results = cross_validate(
            DummyClassifier(), X, Y, cv=folds, scoring=InformationScorer()
        )
    np.testing.assert_array_equal(
        results["test_normalized_information_transfer"], [1 / 3] * 3
    )


def test_fixed_labels():
    classifier = DummyClassifier().fit(X, Y)
    scores = InformationScorer(labels=[0, 1, 2, 3])(classifier, X, Y)
    assert scores["normalized_information_transfer"] == 1 / 4


def test_estimator_without_classes():
    class Plain:
        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    scores = InformationScorer()(Plain(), X, Y)
    assert scores["normalized_information_transfer"] == 1 / 3


@pytest.mark.filterwarnings("ignore:y_true has one class")
def test_estimator_whose_classes_are_a_list():
    class Listing:
        def __init__(self, classes):
            self.classes_ = classes

        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    one_class = Y == 0
    scorer = InformationScorer(["normalized_information_transfer"])
    assert list(scorer(Listing([0, 1, 2]), X[one_class], Y[one_class]).values()) == [
        1 / 3
    ]
    # Several outputs have a list of arrays, which says nothing about the labels here.
    several = Listing([np.array([0, 1]), np.array([5, 6, 7])])
    assert list(scorer(several, X[one_class], Y[one_class]).values()) == [1]


def weighted_score(classifier):
    return InformationScorer()(classifier, X, Y, sample_weight=WEIGHT)


def test_weights_without_routing():
    classifier = LogisticRegression().fit(X, Y)
    repeated = np.repeat(np.arange(200), WEIGHT.astype(int))
    expected = InformationScorer()(classifier, X[repeated], Y[repeated])
    assert weighted_score(classifier) == pytest.approx(expected, rel=1e-12)


def test_weights_with_routing():
    folds = [(np.arange(200), np.arange(200))]
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = InformationScorer().set_score_request(sample_weight=True)
        model = LogisticRegression().set_fit_request(sample_weight=False)
        results = cross_validate(
            model, X, Y, cv=folds, scoring=scorer, params={"sample_weight": WEIGHT}
        )
        search = GridSearchCV(
            model, {"C": [1.0]}, cv=folds, scoring=scorer, refit="accuracy"
        ).fit(X, Y, sample_weight=WEIGHT)
        renamed = InformationScorer().set_score_request(sample_weight="importance")
        aliased = cross_validate(
            model, X, Y, cv=folds, scoring=renamed, params={"importance": WEIGHT}
        )
        ignoring = InformationScorer().set_score_request(sample_weight=False)
        ignored = cross_validate(
            model.set_fit_request(sample_weight=True),
            X,
            Y,
            cv=folds,
            scoring=ignoring,
            params={"sample_weight": np.ones(200)},
        )
    classifier = LogisticRegression().fit(X, Y)
    expected = weighted_score(classifier)
    for name, score in expected.items():
        assert results[f"test_{name}"][0] == pytest.approx(score)
        assert aliased[f"test_{name}"][0] == pytest.approx(score)
        assert search.cv_results_[f"mean_test_{name}"][0] == pytest.approx(score)
    plain = InformationScorer()(classifier, X, Y)
    assert ignored["test_accuracy"][0] == pytest.approx(plain["accuracy"])
    assert expected["accuracy"] != pytest.approx(plain["accuracy"])


def test_request_that_was_not_made_is_an_error():
    with (
        sklearn.config_context(enable_metadata_routing=True),
        pytest.raises(ValueError, match="sample_weight"),
    ):
        cross_validate(
            LogisticRegression().set_fit_request(sample_weight=True),
            X,
            Y,
            scoring=InformationScorer(),
            params={"sample_weight": WEIGHT},
        )


def test_request_needs_routing():
    with pytest.raises(RuntimeError, match="enable_metadata_routing=True"):
        InformationScorer().set_score_request(sample_weight=True)


def test_object_manners():
    scorer = InformationScorer(["accuracy"], labels=[0, 1, 2])
    classifier = LogisticRegression().fit(X, Y)
    for twin in (pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer)):
        assert twin(classifier, X, Y) == scorer(classifier, X, Y)
    assert repr(scorer) == "InformationScorer(metrics=['accuracy'], labels=[0, 1, 2])"


def test_an_iterator_is_kept_as_a_list():
    names = ["accuracy", "normalized_information"]
    scorer = InformationScorer(name for name in names)
    assert repr(scorer) == f"InformationScorer(metrics={names}, labels=None)"
    search = GridSearchCV(LogisticRegression(), {}, scoring=scorer, refit="accuracy")
    scores = clone(search).fit(X, Y).cv_results_
    assert {f"mean_test_{name}" for name in names} <= scores.keys()
    for twin in (pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer)):
        assert repr(twin) == repr(scorer)


def test_a_list_is_not_shared():
    names = ["accuracy"]
    scorer = InformationScorer(names)
    names.append("normalized_information")
    assert scorer.metrics == ["accuracy"]


def test_an_infinite_measure_is_an_error(monkeypatch):
    row = replace(MEASURES["accuracy"], function=lambda balance: math.inf)
    monkeypatch.setitem(MEASURES, "accuracy", row)
    scorer = InformationScorer(["accuracy"])
    with pytest.raises(ValueError, match="accuracy is infinite"):
        scorer(DummyClassifier().fit(X, Y), X, Y)


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ("accuracy", "list of scoring strings.*Got 'accuracy'"),
        (["roc_auc"], r"`scorer_names` lists ours. Got \['roc_auc'\]"),
        (["akkuracy"], r"\['akkuracy'\]. Did you mean 'accuracy'"),
        (iter(["variation_of_information"]), "mean 'neg_variation_of_information'"),
        (["characteristic_capability"], "Got"),  # neither end is best
        ([["accuracy"]], r"Got \[\['accuracy'\]\]"),
        ([], r"Got \[\]"),
        (5, "Got 5"),
    ],
)
def test_wrong_metrics(metrics, message):
    with pytest.raises(ValueError, match=message):
        InformationScorer(metrics)


@pytest.mark.parametrize(
    ("refit", "name"),
    [
        (information_refit, "normalized_information"),
        (
            partial(information_refit, metric="entropy_modulated_accuracy"),
            "entropy_modulated_accuracy",
        ),
    ],
)
def test_a_search_that_refits_by_a_function_has_a_score(refit, name):
    """By the measure that the function selects by, also where searches are nested."""
    search = GridSearchCV(
        DummyClassifier(), {}, scoring=InformationScorer(), refit=refit
    ).fit(X, Y)
    assert search.score(X, Y) == get_scorer(name)(search.best_estimator_, X, Y)
    nested = cross_val_score(search, X, Y, cv=2, error_score="raise")
    assert np.isfinite(nested).all()
    scores = InformationScorer()(search, X, Y)
    for unknown in ("roc_auc", len, max):
        with pytest.raises(KeyError):
            scores[unknown]
