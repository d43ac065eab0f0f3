"""Several labels a sample: the metric, its scorers, and who else meets them."""

import itertools
import math
import os
import pickle
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse as sp
from sklearn.datasets import make_multilabel_classification
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import (
    get_scorer,
    make_scorer,
    multilabel_confusion_matrix,
    mutual_info_score,
)
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multioutput import ClassifierChain
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import measure, multilabel_information_score
from sklearn_entropy_metrics.score import SCORERS

RNG = np.random.default_rng(23)
X, Y = make_multilabel_classification(200, n_classes=4, random_state=0)
NAME = "multilabel_information"


def random_labels(seed, n_samples=60, n_labels=5):
    rng = np.random.default_rng(seed)
    true = (rng.random((n_samples, n_labels)) < rng.random(n_labels)).astype(int)
    return true, np.where(rng.random(true.shape) < 0.8, true, 1 - true)


def brute_force(true, pred, weight=None):
    """Sums of mutual informations and of entropies, label by label."""
    weight = np.ones(len(true)) if weight is None else weight
    shares = [
        [
            math.fsum(weight[(t == a) & (p == b)]) / weight.sum()
            for a, b in itertools.product([0, 1], repeat=2)
        ]
        for t, p in zip(true.T, pred.T, strict=True)
    ]
    information = entropy = 0.0
    for tn, fp, fn, tp in shares:
        joint = -math.fsum(x * math.log2(x) for x in (tn, fp, fn, tp) if x)
        h_true = -math.fsum(x * math.log2(x) for x in (tn + fp, fn + tp) if x)
        h_pred = -math.fsum(x * math.log2(x) for x in (tn + fn, fp + tp) if x)
        information += h_true + h_pred - joint
        entropy += h_true
    return information / entropy


# The number


@given(seed=st.integers(0, 2**31), weighted=st.booleans())
def test_sum_of_informations_by_sum_of_entropies(seed, weighted):
    true, pred = random_labels(seed)
    weight = np.random.default_rng(seed).random(len(true)) if weighted else None
    expected = brute_force(true, pred, weight)
    got = multilabel_information_score(true, pred, sample_weight=weight)
    assert type(got) is float
    assert got == pytest.approx(expected, rel=1e-11, abs=1e-12)


def test_against_scikit_learn():
    true, pred = random_labels(1)
    information = sum(map(mutual_info_score, true.T, pred.T))
    entropy = sum(map(mutual_info_score, true.T, true.T))
    expected = pytest.approx(information / entropy, rel=1e-12)
    assert multilabel_information_score(true, pred) == expected


def test_perfect_constant_and_inverted():
    assert multilabel_information_score(Y, Y) == 1
    assert multilabel_information_score(Y, 1 - Y) == 1
    for constant in (np.zeros_like(Y), np.ones_like(Y)):
        assert multilabel_information_score(Y, constant) == 0


def test_one_label_is_normalized_information():
    true, pred = random_labels(2, n_labels=1)
    assert multilabel_information_score(true, pred) == pytest.approx(
        sem.normalized_information_score(true[:, 0], pred[:, 0]), rel=1e-15
    )


@pytest.mark.parametrize("value", [0, 1])
def test_labels_that_never_vary_are_left_out(value):
    true, pred = random_labels(3)
    expected = multilabel_information_score(true, pred)
    more = np.column_stack([true, np.full(len(true), value)])
    guess = np.column_stack([pred, RNG.integers(0, 2, len(true))])
    assert multilabel_information_score(more, guess) == pytest.approx(
        expected, rel=1e-15
    )


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("weight", [None, [0.1, 0.2, 0.3, 0.7]])
def test_undefined_if_no_label_varies(kind, weight):
    true = np.array([[1, 0]] * 4)
    pred = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    for predicted in (true, pred):
        arrays = kind(true), kind(predicted)
        with pytest.warns(
            UndefinedMetricWarning, match=r"no label varies.*`replace_undefined_by`"
        ) as caught:
            assert math.isnan(
                multilabel_information_score(*arrays, sample_weight=weight)
            )
        assert [one.filename for one in caught] == [__file__]
        assert (
            multilabel_information_score(
                *arrays, sample_weight=weight, replace_undefined_by=-1
            )
            == -1
        )


# Kinds of input


def test_kinds_of_matrices():
    true, pred = random_labels(4)
    expected = multilabel_information_score(true, pred)
    for kind in (
        lambda Z: Z.astype(bool),
        lambda Z: Z.astype(np.float32),
        lambda Z: Z.astype(np.uint64),
        lambda Z: Z.astype(object),
        lambda Z: np.asfortranarray(Z),
        lambda Z: Z.tolist(),
        lambda Z: [tuple(map(bool, row)) for row in Z],
        pd.DataFrame,
        lambda Z: pd.DataFrame(Z).astype({0: bool}),
        lambda Z: pd.DataFrame(Z.astype(bool)).astype("boolean"),
        pl.DataFrame,
        sp.csr_matrix,
        sp.coo_array,
        sp.lil_matrix,
        lambda Z: sp.csc_array(Z.astype(bool)),
    ):
        assert multilabel_information_score(kind(true), kind(pred)) == expected
        assert multilabel_information_score(true, kind(pred)) == expected


def test_tables_are_those_of_scikit_learn():
    from sklearn_entropy_metrics.table.multilabel import tabulate_indicators

    true, pred = random_labels(5, n_samples=3000, n_labels=50)  # several blocks
    weight = RNG.random(len(true))
    plain = multilabel_confusion_matrix(true, pred)
    weighted = multilabel_confusion_matrix(true, pred, sample_weight=weight)
    for kind in (np.asarray, sp.csr_array):
        found = tabulate_indicators(kind(true), kind(pred))
        np.testing.assert_array_equal(found.tables, plain)
        assert found.tables.dtype == np.int64
        found = tabulate_indicators(kind(true), kind(pred), weight)
        np.testing.assert_allclose(found.tables, weighted, rtol=1e-12)


def test_weights():
    true, pred = random_labels(6)
    weight = RNG.integers(0, 4, len(true))
    near = {"rel": 1e-12}
    for kind in (np.asarray, sp.csr_array):
        got = multilabel_information_score(kind(true), kind(pred), sample_weight=weight)
        repeated = multilabel_information_score(
            np.repeat(true, weight, axis=0), np.repeat(pred, weight, axis=0)
        )
        assert got == pytest.approx(repeated, **near)
        for scale in (1e-9, 0.3, 1e9):
            scaled = multilabel_information_score(
                kind(true), kind(pred), sample_weight=weight * scale
            )
            assert scaled == pytest.approx(got, **near)


def test_order_of_samples_and_labels():
    true, pred = random_labels(7)
    expected = multilabel_information_score(true, pred)
    rows, columns = RNG.permutation(60), RNG.permutation(5)
    got = multilabel_information_score(true[rows][:, columns], pred[rows][:, columns])
    assert got == pytest.approx(expected, rel=1e-14)


def test_inputs_stay_as_they_are():
    true, pred = (sp.csr_array(Z) for Z in random_labels(8))
    true.data[:3] = 0
    before = true.copy()
    multilabel_information_score(true, pred)
    assert true.nnz == before.nnz
    np.testing.assert_array_equal(true.data, before.data)


Z = np.eye(3, dtype=int)


@pytest.mark.parametrize(
    ("true", "pred", "message"),
    [
        ([0, 1, 0], [0, 1, 0], r"Y_true must be a matrix.*shape \(3,\)"),
        (Z, [0, 1, 2], r"Y_pred must be a matrix.*shape \(3,\)"),
        (Z, Z[:2], r"inconsistent numbers of samples: \[3, 2\]"),
        (Z, Z[:, :2], r"same labels. Got shapes \(3, 3\) and \(3, 2\)"),
        (2 * Z, Z, r"zeros and ones.*Got.*2"),
        (Z, Z * 0.5, r"Y_pred must be a matrix of zeros and ones.*0\.5"),
        (sp.csr_array(2 * Z), Z, "Y_true must be a matrix of zeros"),
        (Z / [1, 1, np.nan], Z, "Y_true must be a matrix of zeros and ones.*nan"),
        (np.where(Z, "yes", "no"), Z, "Y_true.*dtype <U3"),
        ([["a", "b"], ["c"], []], Z, "Y_true.*MultiLabelBinarizer"),
        ([[1, None], [0, 1], [1, 1]], Z, "Y_true.*None"),
        (pd.DataFrame({"a": [True, None, False]}, dtype="boolean"), Z, "Y_true.*NA"),
        ([[1, "1"], [0, 1], [1, 1]], Z, "Y_true"),
        (np.zeros((3, 0)), np.zeros((3, 0)), r"Y_true.*shape \(3, 0\)"),
        (np.zeros((0, 3)), np.zeros((0, 3)), "Y_true is empty"),
        (np.zeros((3, 2, 2)), Z, r"Y_true.*shape \(3, 2, 2\)"),
        (None, Z, "Y_true must be a matrix"),
        (np.ma.masked_equal(Z, 0), Z, "Y_true must have no masked"),
    ],
)
def test_wrong_input(true, pred, message):
    with pytest.raises(ValueError, match=message):
        multilabel_information_score(true, pred)


@pytest.mark.parametrize(
    "given",
    [
        {"sample_weight": [0, 0, 0]},
        {"sample_weight": [1, -1, 1]},
        {"sample_weight": [1, 1]},
        {"replace_undefined_by": "warn"},
    ],
)
def test_wrong_options(given):
    with pytest.raises(ValueError, match=r"."):
        multilabel_information_score(Z, Z, **given)


# The measure of tables


def test_measure_of_stacks():
    tables = RNG.integers(0, 9, (7, 5, 2, 2))
    stack = measure.multilabel_information(tables)
    assert stack.shape == (7,)
    for one, value in zip(tables, stack, strict=True):
        assert measure.multilabel_information(one) == value
    np.testing.assert_array_equal(measure.evaluate(tables, [NAME])[NAME], stack)
    assert NAME not in measure.evaluate(tables)


@pytest.mark.parametrize("shape", [(2, 2), (4, 3, 3)])
def test_measure_of_other_tables(shape):
    with pytest.raises(ValueError, match=r"2x2 table for each label.*Got shape"):
        measure.multilabel_information(np.ones(shape))


def test_measures_label_by_label():
    true, pred = random_labels(9)
    tables = multilabel_confusion_matrix(true, pred)
    values = measure.evaluate(tables)
    for i in range(5):
        labels = true[:, i], pred[:, i]
        assert values["normalized_information"][i] == pytest.approx(
            sem.normalized_information_score(*labels), rel=1e-12
        )
        assert values["discriminant_capability"][i] == pytest.approx(
            sem.discriminant_capability_score(*labels), rel=1e-12
        )


# Real data, which may not be shipped


@pytest.mark.parametrize(
    ("name", "n_labels", "n_sets", "per_sample"),
    [("emotions", 6, 27, 1.869), ("birds", 19, 133, 1.014)],
)
@pytest.mark.filterwarnings("ignore:The samples are few")
def test_published_numbers_of_the_mulan_collection(name, n_labels, n_sets, per_sample):
    path = Path(os.environ.get("MULTILABEL_DATA", "no such folder"), f"{name}.csv.gz")
    if not path.exists():
        pytest.skip("MULTILABEL_DATA names no folder with these data")
    labels = pd.read_csv(path).filter(like="label_")
    balance = sem.EntropyBalance.from_variables(labels, labels)
    assert balance.uniform_entropy_true == n_labels
    assert balance.n_true_classes == n_sets
    assert labels.to_numpy().sum() / len(labels) == pytest.approx(per_sample, abs=6e-4)
    source = sem.SourceBalance.from_data(labels)
    assert source.joint_entropy == pytest.approx(balance.entropy_true, rel=1e-12)


# Scorers


CLASSIFIERS = [
    KNeighborsClassifier(),
    DecisionTreeClassifier(random_state=0),
    ClassifierChain(GaussianNB()),
]


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda c: type(c).__name__)
def test_the_string_in_cross_validation(classifier):
    scores = cross_val_score(classifier, X, Y, scoring=NAME)
    same = cross_val_score(
        classifier, X, Y, scoring=make_scorer(multilabel_information_score)
    )
    np.testing.assert_array_equal(scores, same)
    assert (scores > 0).all()
    results = cross_validate(classifier, X, Y, scoring=[NAME, "f1_macro"])
    np.testing.assert_array_equal(results[f"test_{NAME}"], scores)
    for metrics in ([NAME], "all"):
        scorer = sem.InformationScorer(metrics)
        results = cross_validate(classifier, X, Y, scoring=scorer)
        np.testing.assert_array_equal(results[f"test_{NAME}"], scores)
        assert [key for key in results if key.startswith("test_")] == [f"test_{NAME}"]


@pytest.mark.parametrize("scoring", [NAME, sem.InformationScorer([NAME])])
def test_the_string_in_a_grid_search(scoring):
    refit = True if scoring == NAME else NAME
    search = GridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 7]}, scoring=scoring, refit=refit
    ).fit(X, Y)
    best = cross_val_score(search.best_estimator_, X, Y, scoring=NAME).mean()
    assert search.best_score_ == pytest.approx(best)
    assert search.best_params_ == {"n_neighbors": 7}


def test_the_scorer_copies_and_pickles():
    classifier = KNeighborsClassifier().fit(X, Y)
    scorer = SCORERS[NAME]
    for clone in (get_scorer(NAME), pickle.loads(pickle.dumps(scorer))):
        assert type(clone) is type(make_scorer(multilabel_information_score))
        assert repr(clone) == repr(scorer)
        assert clone(classifier, X, Y) == scorer(classifier, X, Y)


def test_registering_again_changes_nothing():
    sem.register_scorers()  # warnings are errors
    assert NAME in sem.scorer_names()


def test_sparse_targets():
    classifier = KNeighborsClassifier().fit(X, Y)
    expected = get_scorer(NAME)(classifier, X, Y)
    assert get_scorer(NAME)(classifier, X, sp.csr_array(Y)) == expected
    got = sem.InformationScorer("all")(classifier, X, sp.csr_array(Y))
    assert got == {NAME: expected}


def test_weights_are_routed():
    weight = RNG.random(len(X))
    with sklearn.config_context(enable_metadata_routing=True):
        expected = None
        for scoring in (get_scorer(NAME), sem.InformationScorer([NAME])):
            scoring.set_score_request(sample_weight=True)
            scores = cross_validate(
                KNeighborsClassifier(),
                X,
                Y,
                scoring=scoring,
                params={"sample_weight": weight},
            )
            values = scores.get(f"test_{NAME}", scores.get("test_score"))
            if expected is None:
                expected = values
            np.testing.assert_array_equal(values, expected)
    plain = cross_val_score(KNeighborsClassifier(), X, Y, scoring=NAME)
    assert not np.isclose(expected, plain).any()


def test_undefined_strings():
    classifier = KNeighborsClassifier().fit(X, Y)
    constant = np.zeros_like(Y)
    for scorer in (get_scorer(NAME), sem.InformationScorer([NAME])):
        with pytest.warns(UndefinedMetricWarning) as caught:
            score = scorer(classifier, X, constant)
        assert len(caught) == 1
        assert math.isnan(score if isinstance(score, float) else score[NAME])


def test_constant_predictions_score_0():
    always = KNeighborsClassifier(n_neighbors=1).fit(X[:1], np.ones_like(Y[:1]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert get_scorer(NAME)(always, X, Y) == 0
        assert sem.InformationScorer("all")(always, X, Y) == {NAME: 0}


def test_metrics_of_one_and_of_several_labels_do_not_mix():
    with pytest.raises(ValueError, match="all be for one label"):
        sem.InformationScorer(["accuracy", NAME])


def test_one_label_a_sample():
    classifier = GaussianNB().fit(X, Y[:, 0])
    assert NAME not in sem.InformationScorer("all")(classifier, X, Y[:, 0])
    for scorer in (get_scorer(NAME), sem.InformationScorer([NAME])):
        with pytest.raises(ValueError, match="Y_true must be a matrix"):
            scorer(classifier, X, Y[:, 0])


# What else meets such targets


@pytest.mark.parametrize(
    "metric", [NAME, multilabel_information_score], ids=["name", "function"]
)
@pytest.mark.parametrize(
    "call",
    [
        lambda metric: sem.compare_classifiers([0, 1], [0, 1], [1, 1], metric),
        lambda metric: sem.compare_models([0, 1], {"a": [0, 1], "b": [1, 1]}, metric),
        lambda metric: sem.independence_test([0, 1], [0, 1], metric=metric),
    ],
)
def test_tables_of_classes_do_not_hold_several_labels(call, metric):
    with pytest.raises(ValueError, match="a metric of several labels per sample"):
        call(metric)


@pytest.mark.parametrize(
    "kind",
    [
        np.asarray,
        sp.csr_matrix,
        pd.DataFrame,
        list,
        lambda array: array.astype(float),
        lambda array: array.astype(bool),
    ],
)
@pytest.mark.parametrize(
    "metric",
    [
        sem.normalized_information_score,
        sem.entropy_modulated_accuracy_score,
        sem.confusion_entropy_loss,
        sem.unbiased_f1_score,
        sem.contingency_table,
        sem.EntropyBalance.from_predictions,
        sem.information_report,
        sem.EntropyTriangleDisplay.from_predictions,
    ],
)
def test_other_metrics_name_those_of_several_labels(metric, kind):
    true, pred = (kind(array) for array in random_labels(10))
    with pytest.raises(
        ValueError,
        match=r"`multilabel_information_score` or `EntropyBalance\.from_variables`",
    ):
        metric(true, pred)


@pytest.mark.parametrize("scoring", ["normalized_information", sem.InformationScorer()])
def test_other_strings_name_those_of_several_labels(scoring):
    with pytest.raises(ValueError, match="multilabel_information"):
        cross_validate(
            KNeighborsClassifier(), X, Y, scoring=scoring, error_score="raise"
        )
