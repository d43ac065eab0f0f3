"""Information, miscalibration and pointwise information from labels and scorers."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    LeaveOneOut,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import (
    InformationScorer,
    ProbabilityBalance,
    miscalibration_loss,
    pointwise_information,
    probability_information_score,
)

X, Y = load_digits(return_X_y=True)
PROBA = cross_val_predict(GaussianNB(), X, Y, method="predict_proba")
STRINGS = ["probability_information", "neg_miscalibration"]


# The metrics


@pytest.mark.parametrize("options", [{}, {"recalibration": "isotonic", "cv": None}])
@pytest.mark.parametrize("weighted", [False, True])
def test_metrics_are_those_of_the_balance(options, weighted):
    weight = np.random.default_rng(1).random(len(Y)) if weighted else None
    given = {"sample_weight": weight, **options}
    balance = ProbabilityBalance.from_probabilities(Y, PROBA, **given)
    information = probability_information_score(Y, PROBA, **given)
    assert type(information) is float
    assert information == balance.information
    assert (
        probability_information_score(Y, PROBA, normalize=True, **given)
        == balance.normalized_information
    )
    assert miscalibration_loss(Y, PROBA, **given) == balance.miscalibration


def test_naive_bayes_knows_much_and_says_it_badly():
    """It tells as much as after isotonic calibration, but is 4 bits too sure."""
    assert probability_information_score(Y, PROBA) > 2.3
    assert miscalibration_loss(Y, PROBA) > 3


def test_one_true_class():
    y_true, proba, labels = [1] * 6, np.linspace(0.3, 0.8, 6), [0, 1]
    with pytest.warns(UserWarning, match="y_true has one class only"):
        assert probability_information_score(y_true, proba, labels=labels) == 0
    with pytest.warns(UserWarning, match="y_true has one class only"):
        loss = miscalibration_loss(y_true, proba, labels=labels)
    assert loss == pytest.approx(-np.log2(proba).mean())
    with pytest.warns(UndefinedMetricWarning, match="`replace_undefined_by`"):
        value = probability_information_score(
            y_true, proba, labels=labels, normalize=True
        )
    assert np.isnan(value)
    value = probability_information_score(
        y_true, proba, labels=labels, normalize=True, replace_undefined_by=0.5
    )
    assert value == 0.5


# Scoring strings


@pytest.mark.parametrize("load", [load_digits, load_wine, load_breast_cancer])
@pytest.mark.parametrize("scoring", STRINGS)
def test_strings_in_cross_validation(scoring, load):
    """Strings are as informed as the best recalibration."""
    X, y = load(return_X_y=True)
    folds = StratifiedKFold(3)
    got = cross_val_score(GaussianNB(), X, y, scoring=scoring, cv=folds)
    expected = []
    for train, test in folds.split(X, y):
        classifier = GaussianNB().fit(X[train], y[train])
        balance = ProbabilityBalance.from_estimator(
            classifier, X[test], y[test], recalibration="best"
        )
        name = scoring.removeprefix("neg_").removeprefix("probability_")
        sign = -1 if scoring.startswith("neg_") else 1
        expected.append(sign * getattr(balance, name))
    # Of two classes, the scorer passes one column: the other differs by round-off.
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-4)


def test_grid_search_prefers_calibrated_models():
    """Every smoothing knows about the same, but the least is far too sure."""
    grid = {"var_smoothing": [1e-9, 1e-1]}
    search = GridSearchCV(GaussianNB(), grid, scoring="neg_miscalibration", cv=3)
    assert search.fit(X, Y).best_params_ == {"var_smoothing": 1e-1}
    assert search.cv_results_["mean_test_score"].max() > -1.5
    assert search.cv_results_["mean_test_score"].min() < -3


@pytest.mark.parametrize("scoring", STRINGS)
def test_a_fold_that_lacks_a_class(scoring):
    """The number of classes stays that of the estimator."""
    classifier = GaussianNB().fit(X, Y)
    some = np.flatnonzero(Y < 3)
    score = get_scorer(scoring)(classifier, X[some], Y[some])
    several = InformationScorer([scoring])(classifier, X[some], Y[some])
    balance = ProbabilityBalance.from_probabilities(
        Y[some], classifier.predict_proba(X[some]), labels=np.arange(10)
    )
    expected = {
        "probability_information": balance.information,
        "neg_miscalibration": -balance.miscalibration,
    }
    assert score == several[scoring] == expected[scoring]
    with pytest.raises(ValueError, match="Got 10 columns"):
        make_scorer(probability_information_score, response_method="predict_proba")(
            classifier, X[some], Y[some]
        )


@pytest.mark.parametrize("scoring", STRINGS)
def test_a_class_that_the_estimator_does_not_know(scoring):
    few = Y < 9
    classifier = GaussianNB().fit(X[few], Y[few])
    proba = np.column_stack([classifier.predict_proba(X), np.zeros(len(X))])
    metric = {
        "probability_information": probability_information_score,
        "neg_miscalibration": lambda y, p: -miscalibration_loss(y, p),
    }[scoring]
    expected = metric(Y, proba)
    assert get_scorer(scoring)(classifier, X, Y) == expected
    assert InformationScorer([scoring])(classifier, X, Y)[scoring] == expected
    reordered = InformationScorer([scoring], labels=np.arange(10)[::-1])
    got = reordered(GaussianNB().fit(X, Y), X, Y)[scoring]
    plain = get_scorer(scoring)(GaussianNB().fit(X, Y), X, Y)
    assert got == pytest.approx(plain, abs=1e-4)


def test_two_classes_and_names():
    some = Y < 2
    names = np.array(["no", "yes"])[Y[some]]
    rng = np.random.default_rng(0)
    noisy = X[some] + rng.normal(scale=20, size=X[some].shape)
    scores = cross_val_score(
        LogisticRegression(max_iter=5000), noisy, names, scoring=STRINGS[0], cv=2
    )
    assert (scores > 0.1).all()
    assert (scores < 1).all()


class Counting(ClassifierMixin, BaseEstimator):
    """It notes how often it is asked."""

    def fit(self, X, y):
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_
        self.asked_ = []
        return self

    def predict(self, X):
        self.asked_.append("predict")
        return self.inner_.predict(X)

    def predict_proba(self, X):
        self.asked_.append("predict_proba")
        return self.inner_.predict_proba(X)


def test_information_scorer_asks_once():
    classifier = Counting().fit(X, Y)
    names = [*STRINGS, "neg_probabilistic_confusion_entropy"]
    scores = InformationScorer(names)(classifier, X, Y)
    assert classifier.asked_ == ["predict_proba"]
    for name in names:
        assert scores[name] == pytest.approx(get_scorer(name)(classifier, X, Y))


def test_information_scorer_all():
    iris = load_iris(return_X_y=True)
    results = cross_validate(GaussianNB(), *iris, scoring=InformationScorer("all"))
    for scoring in STRINGS:
        assert np.isfinite(results[f"test_{scoring}"]).all()
    assert STRINGS[0] not in InformationScorer("all")(RidgeClassifier().fit(X, Y), X, Y)
    # Too few samples to split them: what does not need that is still measured.
    some = np.concatenate(
        [np.flatnonzero(label == Y)[:2] for label in np.unique(Y)[:2]]
    )
    few = InformationScorer("all")(GaussianNB().fit(X, Y), X[some], Y[some])
    assert not {*STRINGS} & few.keys()
    assert "neg_probabilistic_confusion_entropy" in few
    with pytest.raises(ValueError, match="`cv` must be at most the number of samples"):
        InformationScorer(STRINGS)(GaussianNB().fit(X, Y), X[:4], Y[:4])


def test_weights_reach_the_scorers():
    classifier = GaussianNB().fit(X, Y)
    weight = np.random.default_rng(1).random(len(Y))
    expected = probability_information_score(
        Y, classifier.predict_proba(X), sample_weight=weight
    )
    scorer = get_scorer("probability_information")
    assert scorer(classifier, X, Y, sample_weight=weight) == expected
    several = InformationScorer(STRINGS)(classifier, X, Y, sample_weight=weight)
    assert several["probability_information"] == expected


def test_win_loss_equal_takes_the_strings():
    result = sem.win_loss_equal(
        GaussianNB(),
        *load_iris(return_X_y=True),
        STRINGS,
        arbiter="probability_information",
        n_rounds=3,
        n_candidates=3,
        n_removed=1,
        random_state=0,
    )
    assert np.isfinite(result.regrets).all()


@pytest.mark.parametrize("metric", [*STRINGS, miscalibration_loss, "miscalibration"])
def test_tables_cannot_be_resampled_for_them(metric):
    with pytest.raises(ValueError, match="is a metric of probabilities"):
        sem.confidence_interval(Y, Y, metric)
    with pytest.raises(ValueError, match="is a metric of probabilities"):
        sem.compare_classifiers(Y, Y, Y, metric)


def test_guessing_tells_nothing():
    for strategy in ("prior", "uniform", "stratified"):
        classifier = DummyClassifier(strategy=strategy, random_state=0).fit(X, Y)
        score = get_scorer("probability_information")(classifier, X, Y)
        assert 0 <= score < 0.01


def test_leave_one_out_fails_in_words():
    classifier = LogisticRegression()
    with pytest.raises(ValueError, match="`cv` must be at most the number of samples"):
        cross_val_score(
            classifier,
            X[:30],
            Y[:30],
            cv=LeaveOneOut(),
            scoring=STRINGS[0],
            error_score="raise",
        )


# Single samples


def test_the_mean_is_the_stated_information():
    for proba in (PROBA, PROBA.astype(np.float32), np.eye(10)[(Y + 1) % 10]):
        information = pointwise_information(Y, proba)
        assert information.shape == (len(Y),)
        balance = ProbabilityBalance.from_probabilities(Y, proba, recalibration="none")
        assert information.mean() == pytest.approx(balance.stated_information)


def test_pointwise_by_hand():
    proba = [[0.5, 0.25, 0.25], [0.125, 0.75, 0.125], [0, 0, 1], [0.5, 0.5, 0]]
    y_true = ["a", "a", "c", "b"]
    got = pointwise_information(y_true, proba)
    np.testing.assert_allclose(got, [0, -2, 2, 1])
    got = pointwise_information(y_true, proba, prior=[0.25, 0.25, 0.5])
    np.testing.assert_allclose(got, [1, -1, 1, 1])
    labels = ["c", "b", "a"]
    order = [2, 1, 0]
    got = pointwise_information(
        y_true, np.array(proba)[:, order], labels=labels, prior=[0.5, 0.25, 0.25]
    )
    np.testing.assert_allclose(got, [1, -1, 1, 1])
    # A class without samples needs no share.
    got = pointwise_information(["a", "b"], [[0.5, 0.5, 0], [0, 1, 0]], labels=[*"abc"])
    np.testing.assert_allclose(got, [0, 1])
    got = pointwise_information(["b"], [1.0], labels=["a", "b"], prior=[0.0, 1.0])
    np.testing.assert_allclose(got, [0], atol=1e-15)


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ([0.5, 0.25, 0.25], r"`prior` must have a share for each of the 2 classes"),
        ([[0.5, 0.5]], r"Got an array of shape \(1, 2\)"),
        ([0.5, 0.6], "`prior` must be non-negative and sum to one"),
        ([1.5, -0.5], "`prior` must be non-negative"),
        ([np.nan, 1], "`prior` must be non-negative"),
        ([0.0, 1.0], "must be positive for every class of y_true. Got 0 for 0"),
        (["a", "b"], "`prior` must hold numbers. Got dtype <U1."),
        ([[0.5], [0.5, 0]], "`prior` must be an array of numbers. Got list: "),
        (np.ma.masked_less([0.5, 0.5, -1], 0)[1:], "`prior` must have no masked ent"),
    ],
)
def test_bad_priors(prior, message):
    with pytest.raises(ValueError, match=message):
        pointwise_information([0, 1, 1], [0.2, 0.4, 0.9], prior=prior)
