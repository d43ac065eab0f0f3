"""Confusion entropy, crisp and probabilistic."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pycm import ConfusionMatrix
from scipy import sparse as sp
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer, log_loss
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import (
    EntropyBalance,
    InformationScorer,
    confusion_entropy_loss,
    mean_absolute_probability_error,
    measure,
    phi_delta,
    probabilistic_confusion_entropy_loss,
    probabilistic_confusion_matrix,
    probability_information_score,
    variation_of_information_loss,
)
from sklearn_entropy_metrics.measure import MEASURES, confusion_entropy

RNG = np.random.default_rng(0)
TABLES = st.integers(2, 5).flatmap(
    lambda m: hnp.arrays(np.int64, (m, m), elements=st.integers(0, 20))
)


def as_pycm(table):
    classes = range(len(table))
    return ConfusionMatrix(
        matrix={i: {j: int(table[i, j]) for j in classes} for i in classes}
    )


@pytest.mark.parametrize("n_classes", range(2, 31))
def test_equals_pycm(n_classes):
    table = RNG.integers(0, 9, (n_classes, n_classes)) + np.eye(n_classes, dtype=int)
    peer = as_pycm(table)
    tolerance = {"rtol": 1e-12, "atol": 1e-12}
    np.testing.assert_allclose(confusion_entropy(table), peer.Overall_CEN, **tolerance)
    np.testing.assert_allclose(
        confusion_entropy(table, modified=True), peer.Overall_MCEN, **tolerance
    )
    for modified, expected in ((False, peer.CEN), (True, peer.MCEN)):
        np.testing.assert_allclose(
            measure.confusion_entropy_per_class(table, modified=modified),
            list(expected.values()),
            **tolerance,
        )


def by_definition(table, weighting):
    """The formulas, cell by cell."""
    m, total = len(table), table.sum()
    cen = 0.0
    for j in range(m):
        samples = table[j].sum() + table[:, j].sum()
        shares = [
            c / samples
            for k in range(m)
            if k != j
            for c in (table[j, k], table[k, j])
            if c
        ]
        entropy = -sum(p * np.log(p) for p in shares) / np.log(2 * (m - 1))
        off = 2 * table[j, j] if weighting == "confusion" else 0
        cen += (samples - off) / (2 * total) * entropy
    return cen


@given(
    TABLES.filter(lambda table: table.any()), st.sampled_from(["class", "confusion"])
)
def test_equals_the_definition(table, weighting):
    got = confusion_entropy(table, weighting=weighting)
    assert got == pytest.approx(by_definition(table, weighting), abs=1e-13)
    assert 0 <= got <= (1.0615 if table.shape[0] == 2 else 1)
    rows = table.sum(axis=1, keepdims=True)
    relative = table / np.where(rows, rows, 1)
    assert confusion_entropy(
        table, relative=True, weighting=weighting
    ) == pytest.approx(by_definition(relative, weighting), abs=1e-13)


def test_two_classes_can_exceed_one():
    assert confusion_entropy([[4, 11], [11, 4]]) == pytest.approx(1.06147, abs=1e-5)
    assert confusion_entropy([[4, 11], [11, 4]], weighting="confusion") < 1


def test_diagonal_and_relabelling():
    assert confusion_entropy(np.diag([3, 4, 5])) == 0
    assert confusion_entropy_loss(["a", "b", "c"], ["a", "b", "c"]) == 0
    table = RNG.integers(0, 9, (5, 5))
    order = RNG.permutation(5)
    for options in ({}, {"relative": True}, {"modified": True}):
        assert confusion_entropy(table[order][:, order], **options) == pytest.approx(
            confusion_entropy(table, **options), rel=1e-13
        )


def test_an_empty_class_counts_in_the_base_only():
    table = np.array([[3, 1, 1], [1, 2, 0], [0, 0, 2]])
    with_empty = np.pad(table, ((0, 1), (0, 1)))
    ratio = np.log(4) / np.log(6)
    assert confusion_entropy(with_empty) == pytest.approx(
        confusion_entropy(table) * ratio
    )
    per_class = measure.confusion_entropy_per_class(with_empty)
    assert per_class[3] == 0
    y_true, y_pred = (
        np.repeat([0, 0, 0, 1, 1, 2], [3, 1, 1, 1, 2, 2]),
        np.repeat([0, 1, 2, 0, 1, 2], [3, 1, 1, 1, 2, 2]),
    )
    got = confusion_entropy_loss(y_true, y_pred, labels=[0, 1, 2, 7])
    assert got == pytest.approx(confusion_entropy(with_empty))


def test_one_class_is_undefined():
    assert np.isnan(confusion_entropy([[5]]))
    assert np.isnan(confusion_entropy(sp.csr_array([[5]])))
    assert np.isnan(measure.confusion_entropy_per_class(sp.csr_array([[5]]))).all()
    assert np.isnan(measure.confusion_entropy_per_class([[5]])).all()
    with pytest.warns(UndefinedMetricWarning, match="single class") as record:
        assert np.isnan(confusion_entropy_loss([1, 1], [1, 1]))
    assert len(record) == 1
    with pytest.warns(UndefinedMetricWarning, match="single class"):
        assert np.isnan(probabilistic_confusion_entropy_loss([1, 1], [[1], [1]]))
    assert confusion_entropy_loss([1], [1], replace_undefined_by=0.5) == 0.5
    with pytest.warns(UserWarning, match="one class only"):
        assert mean_absolute_probability_error([1, 1], [[1], [1]]) == 0


@pytest.mark.parametrize("options", [{}, {"relative": True}, {"modified": True}])
@pytest.mark.parametrize("n_classes", [3, 400])
def test_sparse_equals_dense(options, n_classes):
    table = RNG.poisson(0.1, (n_classes, n_classes))
    table[0, 0] = 5
    sparse = sp.csr_array(table)
    expected = confusion_entropy(table, **options)
    assert confusion_entropy(sparse, **options) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(
        measure.confusion_entropy_per_class(sparse, **options),
        measure.confusion_entropy_per_class(table, **options),
        rtol=1e-12,
    )


def test_per_class_of_a_stack():
    stack = RNG.integers(0, 9, (4, 2, 3, 3))
    values = measure.confusion_entropy_per_class(stack, relative=True)
    assert values.shape == (4, 2, 3)
    one = measure.confusion_entropy_per_class(stack[3, 1], relative=True)
    np.testing.assert_array_equal(values[3, 1], one)


@pytest.mark.filterwarnings("ignore:y_true")  # some samples are doubtful
@given(
    hnp.arrays(np.int64, (2, 40), elements=st.integers(0, 3)),
    st.booleans(),
    st.sampled_from(["class", "confusion"]),
)
def test_one_hot_probabilities_give_the_crisp_value_exactly(y, relative, weighting):
    y_true, y_pred = y
    options = {"relative": relative, "weighting": weighting, "labels": [0, 1, 2, 3]}
    assert probabilistic_confusion_entropy_loss(
        y_true, np.eye(4)[y_pred], **options
    ) == confusion_entropy_loss(y_true, y_pred, **options)


def test_balanced_classes_make_relative_and_absolute_equal():
    y_true = np.repeat([0, 1, 2], 20)
    y_proba = RNG.dirichlet([1, 1, 1], 60)
    absolute = probabilistic_confusion_entropy_loss(y_true, y_proba)
    relative = probabilistic_confusion_entropy_loss(y_true, y_proba, relative=True)
    assert absolute == pytest.approx(relative, rel=1e-12)


def test_mean_absolute_error_by_definition():
    y_true, y_proba = RNG.integers(0, 3, 50), RNG.dirichlet([1, 1, 1], 50)
    weight = RNG.random(50)
    errors = np.abs(np.eye(3)[y_true] - y_proba).mean(axis=1)
    got = mean_absolute_probability_error(y_true, y_proba, sample_weight=weight)
    assert got == pytest.approx(np.average(errors, weights=weight), rel=1e-12)
    half = y_proba / 2  # rows that do not sum to one are used as they are
    with pytest.warns(UserWarning, match="sum to one"):
        got = mean_absolute_probability_error(y_true, half)
    assert got == pytest.approx(np.abs(np.eye(3)[y_true] - half).mean(), rel=1e-12)


def test_relative_uses_means_as_they_are():
    """Rows that do not sum to one are not normalised behind the user's back."""
    y_true, y_proba = [0, 0, 1], np.array([[0.4, 0.1], [0.3, 0.2], [0.5, 0.5]])
    with pytest.warns(UserWarning, match="sum to one"):
        got = probabilistic_confusion_entropy_loss(y_true, y_proba, relative=True)
    means = np.array([y_proba[:2].mean(axis=0), y_proba[2]])
    assert got == pytest.approx(confusion_entropy(means, weighting="confusion"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"modified": True, "relative": True}, "modified=True.*relative=True"),
        ({"modified": True, "weighting": "confusion"}, "modified=True.*'confusion'"),
        ({"weighting": "uniform"}, "weighting must be.*'uniform'"),
        ({"relative": "no"}, "`relative` must be True or False.*'no'"),
        ({"modified": 1}, "`modified` must be True or False.*1"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=message):
        confusion_entropy_loss([0, 1], [0, 1], **options)
    if "modified" not in options:
        with pytest.raises(ValueError, match=message):
            probabilistic_confusion_entropy_loss([0, 1], [0.2, 0.8], **options)
    elif "weighting" not in options:
        with pytest.raises(ValueError, match=message):
            measure.confusion_entropy_per_class(np.eye(2), **options)


def test_options_are_true_or_false():
    pair = [0, 1], [0, 1]
    for call in (
        lambda: variation_of_information_loss(*pair, normalize="yes"),
        lambda: phi_delta(*pair, prevalence_corrected="no"),
        lambda: probability_information_score(*pair, normalize=None, cv=None),
    ):
        with pytest.raises(ValueError, match="must be True or False"):
            call()


def test_not_square_says_why():
    with pytest.raises(ValueError, match=r"same class and needs a square.*\(2, 3\)"):
        confusion_entropy(np.ones((2, 3)))


# Scorers

X = RNG.normal(size=(120, 3))
Y = np.repeat([0, 1, 2], [60, 40, 20])
X[:, 0] += Y
OF_PROBABILITIES = [m.scoring for m in MEASURES.values() if m.input == "probabilities"]


@pytest.mark.parametrize("scoring", OF_PROBABILITIES)
def test_folds_that_lack_a_class_still_score(scoring):
    """Trained on two of three classes: the third has a column of zeros."""
    folds = [(np.flatnonzero(missing != Y), np.arange(120)) for missing in range(3)]
    scores = cross_val_score(
        GaussianNB(), X, Y, cv=folds, scoring=scoring, error_score="raise"
    )
    assert np.isfinite(scores).all()
    known = GaussianNB().fit(X[Y != 1], Y[Y != 1])
    y_proba = np.insert(known.predict_proba(X), 1, 0, axis=1)
    metric = MEASURES[scoring.removeprefix("neg_")]
    expected = metric(probabilistic_confusion_matrix(Y, y_proba))
    assert scores[1] == pytest.approx(-expected, rel=1e-12)


@pytest.mark.parametrize("scoring", OF_PROBABILITIES)
def test_folds_whose_test_part_lacks_a_class(scoring):
    folds = [(np.arange(120), np.flatnonzero(Y != 2))]
    scores = cross_val_score(
        GaussianNB(), X, Y, cv=folds, scoring=scoring, error_score="raise"
    )
    fitted, part = GaussianNB().fit(X, Y), Y != 2
    table = probabilistic_confusion_matrix(
        Y[part], fitted.predict_proba(X[part]), labels=[0, 1, 2]
    )
    assert scores[0] == pytest.approx(-MEASURES[scoring.removeprefix("neg_")](table))


@pytest.mark.parametrize("scoring", OF_PROBABILITIES)
def test_two_classes_with_any_names(scoring):
    y = np.where(Y > 0, "ill", "healthy")
    classifier = GaussianNB().fit(X, y)
    table = probabilistic_confusion_matrix(y, classifier.predict_proba(X))
    expected = -MEASURES[scoring.removeprefix("neg_")](table)
    assert get_scorer(scoring)(classifier, X, y) == pytest.approx(expected, rel=1e-12)


def test_information_scorer_with_probabilities():
    classifier = GaussianNB().fit(X, Y)
    names = ["accuracy", *OF_PROBABILITIES]
    scores = InformationScorer(names)(classifier, X, Y, sample_weight=np.arange(120))
    assert list(scores) == names
    for name in names:
        expected = get_scorer(name)(classifier, X, Y, sample_weight=np.arange(120))
        assert scores[name] == pytest.approx(expected, rel=1e-12)
    only = InformationScorer(["neg_mean_absolute_probability_error"])
    assert list(only(classifier, X, Y)) == ["neg_mean_absolute_probability_error"]
    assert set(OF_PROBABILITIES) <= set(InformationScorer("all")(classifier, X, Y))


def test_information_scorer_with_fixed_labels():
    classifier = GaussianNB().fit(X[Y > 0], Y[Y > 0])
    scorer = InformationScorer(OF_PROBABILITIES, labels=[3, 2, 1, 0])
    y_proba = np.zeros((120, 4))
    y_proba[:, [2, 1]] = classifier.predict_proba(X)
    table = probabilistic_confusion_matrix(Y, y_proba, labels=[3, 2, 1, 0])
    for name, score in scorer(classifier, X, Y).items():
        expected = -MEASURES[name.removeprefix("neg_")](table)
        assert score == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ValueError, match=r"classes of the estimator.*Got 2 besides"):
        InformationScorer(OF_PROBABILITIES, labels=[0, 1])(
            classifier, X[Y == 1], Y[Y == 1]
        )


def test_all_without_predict_proba():
    class Hard(GaussianNB):
        @property
        def predict_proba(self):
            raise AttributeError("predict_proba")

    scores = InformationScorer("all")(Hard().fit(X, Y), X, Y)
    assert not set(OF_PROBABILITIES) & set(scores)
    with pytest.raises(AttributeError, match="predict_proba"):
        InformationScorer(OF_PROBABILITIES)(Hard().fit(X, Y), X, Y)


def test_grid_search_over_a_forest_selects_a_model():
    search = GridSearchCV(
        RandomForestClassifier(n_estimators=10, random_state=0),
        {"max_depth": [1, 4]},
        scoring="neg_relative_probabilistic_confusion_entropy",
        cv=3,
    ).fit(X, Y)
    assert search.best_params_["max_depth"] == 4
    assert -1 < search.best_score_ < 0
    many = cross_validate(
        search.best_estimator_, X, Y, scoring=InformationScorer("all")
    )
    assert np.isfinite(many["test_neg_probabilistic_confusion_entropy"]).all()


def test_soft_triangle():
    """Vaguer probabilities of the same decisions transfer less information."""
    y_true = RNG.integers(0, 3, 400)
    sharp = np.where(np.eye(3)[y_true] > 0, 0.9, 0.05)
    vague = np.where(np.eye(3)[y_true] > 0, 0.5, 0.25)
    balances = [EntropyBalance.from_probabilities(y_true, p) for p in (sharp, vague)]
    assert balances[0].normalized_information > balances[1].normalized_information
    assert log_loss(y_true, sharp) < log_loss(y_true, vague)
    joint = probabilistic_confusion_matrix(y_true, vague, normalize="all")
    np.testing.assert_array_equal(balances[1].table, joint)
