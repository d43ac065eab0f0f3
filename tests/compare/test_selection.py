"""rank_models on the published table, information_refit in real searches."""

import dataclasses
import pickle
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.metrics import accuracy_score
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import (
    InformationScorer,
    information_refit,
    normalized_information_score,
    rank_models,
)

# Wang and Hu, Table II: TP, FP, TN, FN.
TABLE_2 = {
    "M1": (25, 5, 45, 25),
    "M2": (30, 10, 40, 20),
    "M3": (15, 5, 45, 35),
    "M4": (15, 45, 5, 35),
    "M5": (12, 26, 24, 38),
    "M6": (26, 12, 38, 24),
}
Y_TRUE = np.repeat([1, 0], 50)


def labels_of(tp, fp, tn, fn):
    return np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])


PREDICTIONS = {name: labels_of(*cells) for name, cells in TABLE_2.items()}
X, Y = load_iris(return_X_y=True)


def test_ranking_of_the_paper():
    models = rank_models(Y_TRUE, PREDICTIONS)
    assert [("-" if m.flipped else "") + m.name for m in models] == [
        "-M4",
        "M1",
        "M2",
        "-M5",
        "M6",
        "M3",
    ]
    assert [m.rank for m in models] == [1, 2, 3, 4, 4, 6]
    printed = [0.2958, 0.1468, 0.1245, 0.0611, 0.0611, 0.0468]
    information = [m.normalized_information for m in models]
    np.testing.assert_allclose(information, printed, atol=5e-5)
    assert [m.accuracy for m in models] == [0.8, 0.7, 0.7, 0.64, 0.64, 0.6]


@pytest.mark.parametrize(
    "order", [list(TABLE_2), list(TABLE_2)[::-1], ["M6", "M2", "M5", "M4", "M3", "M1"]]
)
def test_order_does_not_matter_but_for_ties(order):
    models = rank_models(Y_TRUE, {name: PREDICTIONS[name] for name in order})
    ranks = {m.name: m.rank for m in models}
    assert ranks == {"M4": 1, "M1": 2, "M2": 3, "M5": 4, "M6": 4, "M3": 6}
    tied = [m.name for m in models if m.rank == 4]
    assert tied == sorted(tied, key=order.index)


def test_equal_information_is_decided_by_accuracy():
    """Three models without information; one of them is right less often."""
    y_true = np.repeat([0, 1], [60, 40])
    predictions = {
        "ones": np.ones(100, int),
        "even": np.arange(100) % 2,
        "zeros": np.zeros(100, int),
    }
    models = rank_models(y_true, predictions)
    assert [m.name for m in models] == ["ones", "zeros", "even"]
    assert [m.rank for m in models] == [1, 1, 3]
    assert [m.accuracy for m in models] == [0.6, 0.6, 0.5]
    assert [m.flipped for m in models] == [True, False, False]


@given(
    st.lists(
        st.tuples(*[st.integers(0, 30)] * 2),
        min_size=1,
        max_size=6,
    )
)
def test_against_the_definition(errors):
    y_true = np.repeat([0, 1], [30, 30])
    predictions = {}
    for i, (fp, fn) in enumerate(errors):
        predictions[i] = np.repeat([0, 1, 0, 1], [30 - fp, fp, fn, 30 - fn])
    models = rank_models(y_true, predictions)
    keys = {}
    for name, y_pred in predictions.items():
        accuracy = accuracy_score(y_true, y_pred)
        information = normalized_information_score(y_true, y_pred)
        keys[name] = (round(information, 10), round(max(accuracy, 1 - accuracy), 10))
    for model in models:
        better = sum(key > keys[model.name] for key in keys.values())
        assert model.rank == 1 + better
        assert (model.normalized_information, model.accuracy) == pytest.approx(
            keys[model.name], abs=1e-9
        )
        plain = accuracy_score(y_true, predictions[model.name])
        assert model.flipped == (plain < 0.5)
    assert [m.rank for m in models] == sorted(m.rank for m in models)


def test_a_useful_model_of_unbalanced_classes_may_be_flipped():
    y_true = np.repeat([1, 0], [90, 10])
    (model,) = rank_models(y_true, {"m": np.repeat([1, 0], [36, 64])})
    assert (model.flipped, model.accuracy) == (True, 0.54)


def test_kinds_of_labels_and_records():
    names = np.array(["no", "yes"])
    words = {name: names[y].tolist() for name, y in PREDICTIONS.items()}
    models = rank_models(names[Y_TRUE], words)
    assert models == rank_models(Y_TRUE, PREDICTIONS)
    frame = pd.DataFrame(PREDICTIONS)
    assert rank_models(pd.Series(Y_TRUE), frame) == models
    assert isinstance(models, list)
    best = models[0]
    assert repr(best).startswith("RankedModel(name='M4', rank=1, flipped=True, ")
    assert pickle.loads(pickle.dumps(best)) == best
    with pytest.raises(dataclasses.FrozenInstanceError):
        best.rank = 2
    assert [type(v) for v in dataclasses.astuple(best)] == [
        str,
        int,
        bool,
        float,
        float,
    ]
    table = pd.DataFrame(models)
    assert list(table.columns) == [
        "name",
        "rank",
        "flipped",
        "normalized_information",
        "accuracy",
    ]
    assert table["rank"].tolist() == [1, 2, 3, 4, 4, 6]


@pytest.mark.parametrize(
    ("y_true", "y_pred"),
    [
        ([0, 1, 2, 0], [0, 1, 2, 0]),
        ([0, 1, 1, 0], [0, 1, 2, 0]),
        ([0, 0, 0, 0], [0, 1, 1, 0]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
        (list("abab"), list("ab?b")),
    ],
)
def test_other_than_two_classes(y_true, y_pred):
    with pytest.raises(ValueError, match=r"two classes.*predictions of 'bad'"):
        rank_models(y_true, {"bad": y_pred})


def test_wrong_predictions():
    for bad in ({}, [[0, 1]], np.array([[0, 1], [1, 0]])):
        with pytest.raises(ValueError, match=r"at least 1 model\. Got no names"):
            rank_models([0, 1], bad)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        rank_models([0, 1, 1], {"m": [0, 1]})


def search_results(**means):
    return {f"mean_test_{name}": np.array(values) for name, values in means.items()}


@pytest.mark.parametrize(
    ("means", "index"),
    [
        ({"normalized_information": [0.1, 0.3, 0.2]}, 1),
        ({"normalized_information": [0.3, 0.3, 0.2]}, 0),
        ({"normalized_information": [0.3, 0.3 + 1e-14, 0.2]}, 0),
        ({"normalized_information": [0.3, 0.3 + 1e-9, 0.2]}, 1),
        ({"normalized_information": [0.3, 0.3, 0.2], "accuracy": [0.1, 0.2, 0.9]}, 1),
        ({"normalized_information": [0.3, 0.3, 0.2], "accuracy": [0.2, 0.2, 0.9]}, 0),
        (
            {
                "normalized_information": [0.3, 0.3, 0.2],
                "accuracy": [0.2, 0.2 + 1e-15, 1],
            },
            0,
        ),
        ({"normalized_information": [np.nan, 0.1, 0.2]}, 2),
        ({"normalized_information": [0.3, 0.3], "accuracy": [np.nan, 0.2]}, 1),
        ({"normalized_information": [0.3, 0.3], "accuracy": [np.nan, np.nan]}, 0),
    ],
)
def test_refit_rule(means, index):
    got = information_refit(search_results(**means))
    assert got == index
    assert type(got) is int


def test_refit_by_a_loss():
    results = search_results(neg_variation_of_information=[-2.0, -0.5, -1.0])
    assert information_refit(results, metric="neg_variation_of_information") == 1


def test_wrong_results():
    results = search_results(normalized_information=[np.nan, np.nan])
    with pytest.raises(ValueError, match=r"normalized_information.*undefined"):
        information_refit(results)
    results = search_results(accuracy=[1.0], f1=[0.5]) | {"std_test_f1": [0.0]}
    with pytest.raises(
        ValueError,
        match=r"'normalized_information'.*Got .* \['accuracy', 'f1'\]",
    ):
        information_refit(results)


TREE = DecisionTreeClassifier(random_state=0)
GRID = {"max_depth": [1, 2, 3], "min_samples_leaf": [1, 20]}


@pytest.mark.parametrize("search_class", [GridSearchCV, RandomizedSearchCV])
@pytest.mark.parametrize(
    "metric", ["normalized_information", "neg_variation_of_information"]
)
def test_in_a_search(search_class, metric):
    options = (
        {"n_iter": 4, "random_state": 0} if search_class is not GridSearchCV else {}
    )
    search = search_class(
        TREE,
        GRID,
        scoring=InformationScorer(),
        refit=partial(information_refit, metric=metric),
        **options,
    ).fit(X, Y)
    means = search.cv_results_[f"mean_test_{metric}"]
    assert means[search.best_index_] >= means.max() - 1e-12
    assert search.best_estimator_.predict(X).shape == (150,)
    assert search.best_params_ == search.cv_results_["params"][search.best_index_]


def test_ties_in_a_search_are_broken_by_accuracy():
    """Exchanged labels have the same information and less accuracy."""

    search = GridSearchCV(
        Exchanges(),
        {"exchange": [True, False]},
        scoring=InformationScorer(),
        refit=information_refit,
    ).fit(X, Y)
    means = search.cv_results_["mean_test_normalized_information"]
    assert means[0] == pytest.approx(means[1], abs=1e-12)
    assert search.best_params_ == {"exchange": False}


class Exchanges(GaussianNB):
    def __init__(self, exchange=False):
        super().__init__()
        self.exchange = exchange

    def predict(self, X):
        y = super().predict(X)
        return (y + 1) % 3 if self.exchange else y


def test_search_with_failed_fits():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = GridSearchCV(
            TREE,
            {"max_depth": [-1, 2]},
            scoring=InformationScorer(["normalized_information"]),
            refit=information_refit,
        ).fit(X, Y)
    assert search.best_index_ == 1


def test_search_with_a_single_metric():
    search = GridSearchCV(
        TREE,
        GRID,
        scoring="normalized_information",
        refit=partial(information_refit, metric="score"),
    ).fit(X, Y)
    assert search.best_index_ == np.argmax(search.cv_results_["mean_test_score"])
    search.set_params(refit=information_refit)
    with pytest.raises(ValueError, match=r"Got the scores \['score'\]"):
        search.fit(X, Y)


def test_search_that_halves():
    """The first rounds see few samples: only the last one counts."""
    search = HalvingGridSearchCV(
        TREE,
        GRID,
        scoring="normalized_information",
        refit=partial(information_refit, metric="score"),
        random_state=1,
        min_resources=30,
    ).fit(X, Y)
    results = search.cv_results_
    chosen = information_refit(results, metric="score")
    assert chosen == search.best_index_
    assert results["iter"][chosen] == results["iter"].max() > 0
    first = search_results(score=[0.9, 0.8, 0.7]) | {"iter": np.array([0, 0, 1])}
    assert information_refit(first, metric="score") == 2
