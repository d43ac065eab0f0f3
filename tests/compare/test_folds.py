"""cross_val_tables: beside cross_val_predict, and where that cannot go."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.utils import _safe_indexing

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import (
    EntropyBalance,
    contingency_table,
    cross_val_tables,
    probabilistic_confusion_matrix,
)
from sklearn_entropy_metrics.compare import folds as folding

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]


class Remembers(ClassifierMixin, BaseEstimator):
    """Predicts the class with the largest total weight in training."""

    def fit(self, X, y, sample_weight=None, start=0.0):
        self.classes_, code = np.unique(y, return_inverse=True)
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
        assert len(weight) == len(y)
        self.total_ = np.bincount(code, weight) + start
        return self

    def predict(self, X):
        return np.repeat(self.classes_[np.argmax(self.total_)], len(X))


class Rejects(GaussianNB):
    """Has a third answer for two classes."""

    def predict(self, X):
        sure = self.predict_proba(X).max(axis=1) > 0.99
        return np.where(sure, super().predict(X), "?")


class TellsNoClasses(BaseEstimator):
    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return np.full((len(X), 3), 1 / 3)


@pytest.mark.parametrize("y", [Y, NAMES, NAMES.astype(object), Y.tolist()])
@pytest.mark.parametrize("cv", [None, 3, KFold(4, shuffle=True, random_state=0)])
def test_sum_is_the_table_of_cross_val_predict(y, cv):
    folds = cross_val_tables(GaussianNB(), X, y, cv=cv)
    expected = contingency_table(y, cross_val_predict(GaussianNB(), X, y, cv=cv))
    np.testing.assert_array_equal(folds.tables.sum(axis=0), expected)
    assert folds.tables.dtype == np.int64
    np.testing.assert_array_equal(folds.labels, np.unique(y))
    sizes = {None: [30] * 5, 3: [50] * 3}.get(cv, [38, 38, 37, 37])
    assert folds.tables.sum(axis=(1, 2)).tolist() == sizes


@pytest.mark.parametrize("y", [Y, NAMES])
def test_sums_of_probabilities(y):
    cv = KFold(5, shuffle=True, random_state=0)
    folds = cross_val_tables(GaussianNB(), X, y, cv=cv, method="predict_proba")
    proba = cross_val_predict(GaussianNB(), X, y, cv=cv, method="predict_proba")
    expected = probabilistic_confusion_matrix(y, proba)
    np.testing.assert_allclose(folds.tables.sum(axis=0), expected, rtol=1e-12)
    balance = EntropyBalance.from_confusion_matrix(folds.tables.sum(axis=0))
    assert balance.mutual_information == pytest.approx(
        EntropyBalance.from_probabilities(y, proba).mutual_information
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_processes_change_nothing(method):
    one = cross_val_tables(GaussianNB(), X, NAMES, method=method, n_jobs=1)
    two = cross_val_tables(GaussianNB(), X, NAMES, method=method, n_jobs=2)
    np.testing.assert_array_equal(one.tables, two.tables)
    np.testing.assert_array_equal(one.labels, two.labels)


def test_folds_that_lack_a_class():
    """Sorted labels: each fold holds a single class, which training has not seen."""
    cv = KFold(3)
    folds = cross_val_tables(GaussianNB(), X, NAMES, cv=cv)
    assert folds.tables.shape == (3, 3, 3)
    for i, table in enumerate(folds.tables):
        assert table[i].sum() == table.sum() == 50
        assert table[:, i].sum() == 0
    soft = cross_val_tables(GaussianNB(), X, NAMES, cv=cv, method="predict_proba")
    for i, table in enumerate(soft.tables):
        assert table[i].sum() == pytest.approx(50)
        assert table[:, i].sum() == 0


def test_splits_that_are_no_partition():
    cv = ShuffleSplit(7, test_size=10, random_state=0)
    folds = cross_val_tables(GaussianNB(), X, Y, cv=cv)
    assert folds.tables.shape == (7, 3, 3)
    for table, (train, test) in zip(folds.tables, cv.split(X), strict=True):
        y_pred = GaussianNB().fit(X[train], Y[train]).predict(X[test])
        expected = contingency_table(Y[test], y_pred, labels=[0, 1, 2])
        np.testing.assert_array_equal(table, expected)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    assert cross_val_tables(GaussianNB(), X, Y, cv=cv).tables.sum() == 450
    cv = [(np.arange(150) % 2 == 0, np.arange(150) % 2 == 1), ([0, 50, 100, 101], [1])]
    tables = cross_val_tables(KNeighborsClassifier(1), X, Y.tolist(), cv=cv).tables
    assert tables.sum(axis=(1, 2)).tolist() == [75, 1]


def test_a_class_that_is_only_predicted_has_an_empty_row():
    X, y = load_breast_cancer(return_X_y=True)
    names = np.array(["malignant", "benign"])[y]
    folds = cross_val_tables(Rejects(), X, names, cv=5)
    assert folds.labels.tolist() == ["?", "benign", "malignant"]
    assert folds.tables[:, 0].sum() == 0
    assert folds.tables[:, :, 0].sum() > 0
    assert folds.tables.sum() == len(y)


def test_groups():
    groups = np.arange(150) % 6
    cv = GroupKFold(3)
    folds = cross_val_tables(GaussianNB(), X, Y, groups=groups, cv=cv)
    y_pred = cross_val_predict(GaussianNB(), X, Y, groups=groups, cv=cv)
    expected = contingency_table(Y, y_pred)
    np.testing.assert_array_equal(folds.tables.sum(axis=0), expected)
    with pytest.raises(ValueError, match="groups"):
        cross_val_tables(GaussianNB(), X, Y, cv=cv)


def test_frames_and_series():
    frame = pd.DataFrame(X, columns=list("abcd"), index=np.arange(150)[::-1])
    expected = cross_val_tables(GaussianNB(), X, NAMES)
    for dtype in ("object", "category", "string"):
        y = pd.Series(NAMES, index=frame.index, dtype=dtype)
        folds = cross_val_tables(GaussianNB(), frame, y)
        np.testing.assert_array_equal(folds.tables, expected.tables)
        assert folds.labels.tolist() == expected.labels.tolist()


def test_texts_and_sparse_matrices():
    texts = ["wheat and corn", "corn price", "a bank", "the bank loan"] * 5
    topics = ["grain", "grain", "money", "money"] * 5
    pipeline = make_pipeline(CountVectorizer(), MultinomialNB())
    folds = cross_val_tables(pipeline, texts, topics, cv=KFold(2))
    np.testing.assert_array_equal(folds.tables.sum(axis=0), [[10, 0], [0, 10]])
    counts = CountVectorizer().fit_transform(texts)
    for kind in (sp.coo_array, sp.csc_array):
        of_counts = cross_val_tables(MultinomialNB(), kind(counts), topics, cv=KFold(2))
        np.testing.assert_array_equal(of_counts.tables, folds.tables)


def test_precomputed_kernels():
    kernel = X @ X.T
    svc = SVC(kernel="precomputed")
    folds = cross_val_tables(svc, kernel, Y)
    expected = contingency_table(Y, cross_val_predict(svc, kernel, Y))
    np.testing.assert_array_equal(folds.tables.sum(axis=0), expected)


@pytest.mark.parametrize("kind", [np.asarray, list, pd.Series])
def test_weights_go_to_fit_and_not_into_the_tables(kind):
    weight = kind(np.where(Y == 2, 5.0, 1.0))
    params = {"sample_weight": weight, "start": 0.5}
    folds = cross_val_tables(Remembers(), X, Y, params=params)
    np.testing.assert_array_equal(folds.tables.sum(axis=0)[:, 2], [50, 50, 50])
    assert folds.tables.dtype == np.int64
    without = cross_val_tables(Remembers(), X, Y)
    np.testing.assert_array_equal(without.tables.sum(axis=0)[:, 0], [50, 50, 50])


def test_metadata_routing():
    weight, groups = np.where(Y == 2, 5.0, 1.0), np.arange(150) % 6
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = Remembers().set_fit_request(sample_weight=True)
        params = {"sample_weight": weight, "groups": groups}
        folds = cross_val_tables(estimator, X, Y, params=params, cv=GroupKFold(3))
        assert folds.tables[:, :, 2].sum() == 150
        known = GaussianNB().set_fit_request(sample_weight=True)  # to workers, too
        one, two = (
            cross_val_tables(known, X, Y, params=params, cv=GroupKFold(3), n_jobs=n)
            for n in (1, 2)
        )
        np.testing.assert_array_equal(one.tables, two.tables)
        assert cross_val_tables(Remembers(), X, Y).tables[:, :, 0].sum() == 150
        estimator = Remembers().set_fit_request(sample_weight=False)
        with pytest.raises(TypeError, match="not routed to any object"):
            cross_val_tables(estimator, X, Y, params={"sample_weight": weight})
        with pytest.raises(UnsetMetadataPassedError, match="cross_val_tables"):
            cross_val_tables(Remembers(), X, Y, params={"sample_weight": weight})
        with pytest.raises(ValueError, match="instead of groups="):
            cross_val_tables(GaussianNB(), X, Y, groups=groups)


def test_the_estimator_is_cloned():
    estimator = GaussianNB()
    cross_val_tables(estimator, X, Y)
    assert not hasattr(estimator, "classes_")


def test_pooling_takes_away_the_bias_of_small_folds():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 400)
    X = rng.normal(size=(400, 2))
    tables = cross_val_tables(GaussianNB(), X, y, cv=20).tables
    folds = EntropyBalance.from_confusion_matrix(tables)
    pooled = EntropyBalance.from_confusion_matrix(tables.sum(axis=0))
    assert folds.mutual_information.mean() > 5 * pooled.mutual_information


def test_each_fold_is_tabulated_once(monkeypatch):
    read = []
    tabulate_part = folding.tabulate_part

    def count(true, *rest, **options):
        read.append(len(true))
        return tabulate_part(true, *rest, **options)

    monkeypatch.setattr(folding, "tabulate_part", count)
    cross_val_tables(GaussianNB(), X, Y, cv=5)
    assert read == [len(Y) // 5] * 5


def test_a_fold_without_samples():
    splits = [
        (np.arange(150), np.arange(0, 150, 2)),
        (np.arange(150), np.array([], dtype=int)),
    ]
    with pytest.raises(ValueError, match="y_true is empty"):
        cross_val_tables(Remembers(), X, Y, cv=splits)


@pytest.mark.parametrize("method", ["decision_function", "Predict", None, 1])
def test_wrong_method(method):
    with pytest.raises(ValueError, match="`method` must be 'predict' or"):
        cross_val_tables(GaussianNB(), X, Y, method=method)


def test_wrong_data():
    with pytest.raises(ValueError, match="n_splits=5"):
        cross_val_tables(GaussianNB(), X[:3], [0, 1, 1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        cross_val_tables(GaussianNB(), X, Y[:-1])
    with pytest.raises(ValueError, match="y_true"):
        cross_val_tables(LinearRegression(), X, X[:, 0])
    with pytest.raises(ValueError, match="y_true"):
        cross_val_tables(GaussianNB(), X, None)
    with pytest.raises(ValueError, match="at least 1 split"):
        cross_val_tables(GaussianNB(), X, Y, cv=[])
    with pytest.raises(ValueError, match="classes_"):
        cross_val_tables(TellsNoClasses(), X, Y, method="predict_proba")
    with pytest.raises(AttributeError, match="predict_proba"):
        cross_val_tables(Remembers(), X, Y, method="predict_proba")
    strategy = DummyClassifier(strategy="constant", constant=7)
    with pytest.raises(ValueError, match="constant"):
        cross_val_tables(strategy, X, Y)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_any_library(library):
    frames = pytest.importorskip(library)
    columns = {f"x{i}": column for i, column in enumerate(X.T)}
    make = frames.table if library == "pyarrow" else frames.DataFrame
    try:
        _safe_indexing(make(columns), [0])
    except TypeError:
        pytest.skip(f"This scikit-learn does not take rows of {library}.")
    got = cross_val_tables(GaussianNB(), make(columns), NAMES)
    expected = cross_val_tables(GaussianNB(), X, NAMES)
    np.testing.assert_array_equal(got.tables, expected.tables)


class TestWeights:
    X, Y = load_iris(return_X_y=True)

    def test_they_weigh_the_samples_of_the_tables(self):
        weight = np.random.default_rng(0).exponential(size=150)
        folds = cross_val_tables(GaussianNB(), self.X, self.Y, sample_weight=weight)
        predicted = cross_val_predict(GaussianNB(), self.X, self.Y)
        expected = contingency_table(self.Y, predicted, sample_weight=weight)
        np.testing.assert_allclose(folds.tables.sum(axis=0), expected)
        size = weight.sum() ** 2 / (weight**2).sum()
        assert folds.n_samples == pytest.approx(size)
        interval = sem.confidence_interval(table=folds)
        assert interval.n_effective == pytest.approx(size / 1.45)

    def test_their_length(self):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            cross_val_tables(GaussianNB(), self.X, self.Y, sample_weight=[1, 2])


def test_the_result_is_short():
    X, y = load_iris(return_X_y=True)
    folds = cross_val_tables(GaussianNB(), X, y, cv=3)
    assert repr(folds) == "FoldTables(3 of 3 × 3 classes, n_tested=1)"
    soft = cross_val_tables(GaussianNB(), X, y, cv=3, method="predict_proba")
    np.testing.assert_allclose(soft.class_weight.sum(axis=0), 50)
    with pytest.raises(ValueError, match="Probabilities do not say how many"):
        sem.confidence_interval(table=soft)
