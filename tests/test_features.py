"""φ and δ of features, and the selection by them."""

import csv
import gzip
import inspect
import os
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse as sp
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import (
    ENGLISH_STOP_WORDS,
    CountVectorizer,
    TfidfVectorizer,
)
from sklearn.feature_selection import SelectKBest, SelectPercentile, VarianceThreshold
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_entropy_metrics import PhiDeltaDisplay
from sklearn_entropy_metrics.features import (
    PhiDeltaSelector,
    discriminant_features,
    phi_delta_features,
)
from sklearn_entropy_metrics.score.labels import normalized_information_score

NEWSWIRE = Path(os.environ.get("NEWSWIRE_TEXTS", "no such file"))
TEXTS = [
    "the wheat and the wheat",
    "the wheat crop of the farmer",
    "the crop and the wheat",
    "the bank and the loan",
    "the loan of the bank",
    "the bank",
]
TOPICS = ["grain"] * 3 + ["money"] * 3


def by_definition(X, positive, weight=None):
    """φ and δ in a loop over the columns."""
    weight = np.ones(len(X)) if weight is None else np.asarray(weight)
    phi, delta = [], []
    for column in np.asarray(X, dtype=float).T:
        tp = np.average(column[positive], weights=weight[positive])
        fp = np.average(column[~positive], weights=weight[~positive])
        phi.append(tp + fp - 1)
        delta.append(tp - fp)
    return np.array(phi), np.array(delta)


def data(kind="degrees", n_classes=2, n_samples=60, n_features=9, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n_samples, n_features))
    if kind == "binary":
        X = (rng.random(n_features) > X).astype(float)
    else:
        X[X < 0.5] = 0
    return X, rng.permutation(np.arange(n_samples) % n_classes)


def assert_same(result, expected):
    for ours, theirs in zip(result, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


@pytest.mark.parametrize("kind", ["degrees", "binary"])
def test_two_classes_by_definition(kind):
    X, y = data(kind)
    result = phi_delta_features(X, y)
    assert result[0].shape == result[1].shape == (9,)
    assert_same(result, by_definition(X, y == 1))
    assert_same(phi_delta_features(X, y, pos_label=0), by_definition(X, y == 0))


@pytest.mark.parametrize("n_classes", [3, 5, 40])
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array, sp.csc_array])
def test_many_classes_have_a_row_each(n_classes, convert):
    X, y = data(n_classes=n_classes)
    weight = np.random.default_rng(1).random(len(y))
    given = {"presence": False, "sample_weight": weight}
    result = phi_delta_features(convert(X), y, **given)
    assert result[0].shape == (n_classes, 9)
    expected = [by_definition(X, y == label, weight) for label in range(n_classes)]
    assert_same(result, zip(*expected, strict=True))
    one = phi_delta_features(convert(X), y, pos_label=2, **given)
    assert_same(one, by_definition(X, y == 2, weight))


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(
    "convert",
    [
        np.asfortranarray,
        np.float32,
        list,
        sp.csr_array,
        sp.csc_array,
        sp.csr_matrix,
        sp.csc_matrix,
        sp.coo_array,
        sp.lil_matrix,
    ],
)
def test_containers_agree(convert, n_classes):
    X, y = data(n_classes=n_classes)
    X = np.round(X * 64) / 64  # exact in any float type
    got = phi_delta_features(convert(X), y, presence=False)
    assert_same(got, phi_delta_features(X, y))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(library):
    frames = pytest.importorskip(library)
    X, y = data()
    frame = frames.DataFrame({f"f{j}": column for j, column in enumerate(X.T)})
    target = frames.Series([f"class {label}" for label in y])
    assert_same(phi_delta_features(frame, target), phi_delta_features(X, y))
    selector = PhiDeltaSelector(3).fit(frame, target)
    assert list(selector.classes_) == ["class 0", "class 1"]
    np.testing.assert_array_equal(
        selector.transform(frame), X[:, selector.get_support()]
    )
    with pytest.raises(ValueError, match="Column 'f0' of X must hold"):
        phi_delta_features(frame * 3, target)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_names_of_features(library):
    frames = pytest.importorskip(library)
    X, y = data()
    frame = frames.DataFrame({f"f{j}": column for j, column in enumerate(X.T)})
    if not hasattr(VarianceThreshold().fit(frame), "feature_names_in_"):
        pytest.skip("this scikit-learn finds no names in such a frame")
    selector = PhiDeltaSelector(3).fit(frame, y)
    kept = [f"f{j}" for j in selector.get_support(indices=True)]
    assert list(selector.feature_names_in_) == list(frame.columns)
    assert list(selector.get_feature_names_out()) == kept
    output = selector.set_output(transform=library).transform(frame)
    assert list(output.columns) == kept


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64, np.float32])
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array, sp.csc_array])
def test_number_types(dtype, convert):
    X, y = data("binary", n_samples=1000)
    expected = phi_delta_features(X, y)
    assert_same(phi_delta_features(convert(X.astype(dtype)), y), expected)
    selector = PhiDeltaSelector().fit(convert(X.astype(dtype)), y)
    assert_same((selector.phi_, selector.delta_), expected)


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array, sp.csc_array])
@pytest.mark.parametrize("value", [7, -3, 1.5, -0.25, 1e300])
def test_a_single_value_beside_zeros_is_presence(convert, value):
    X, y = data()
    binary, _ = data("binary")
    X[:, [2, 5]] = binary[:, [2, 5]]
    expected = phi_delta_features(X, y)
    X[:, [2, 5]] *= value
    assert_same(phi_delta_features(convert(X), y, presence=False), expected)
    selector = PhiDeltaSelector(presence=False).fit(convert(X), y)
    assert_same((selector.phi_, selector.delta_), expected)


def test_one_value_within_the_unit_interval_is_a_degree():
    phi, delta = phi_delta_features([[0.0, 0.4], [0.4, 0.4]], [0, 1])
    np.testing.assert_allclose(phi, [-0.6, -0.2])
    np.testing.assert_allclose(delta, [0.4, 0])


def test_entries_of_a_sparse_matrix_in_one_place_are_added():
    entries = [0.5, 0.5, 1.0, 0.0], [0, 0, 1, 0], [0, 2, 3, 4]
    X = sp.csr_array(entries, shape=(3, 2))
    before = X.nnz
    for matrix in (X, X * 3):
        assert_same(phi_delta_features(matrix, [1, 0, 0]), ([0, -0.5], [1, -0.5]))
    assert X.nnz == before


def test_corners():
    y = np.array([1, 1, 1, 0, 0])
    X = np.column_stack([y, 1 - y, np.ones(5), np.zeros(5)])
    phi, delta = phi_delta_features(X, y)
    np.testing.assert_array_equal(phi, [0, 0, 1, -1])
    np.testing.assert_array_equal(delta, [1, -1, 0, 0])


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("level", [0, 0.1, 0.5, 1, 8])
def test_constant_features_are_defined_and_never_kept(level, convert):
    X, y = data()
    X[:, 3] = level
    phi, delta = phi_delta_features(convert(X), y, presence=False)
    assert delta[3] == pytest.approx(0, abs=1e-15)
    assert phi[3] == pytest.approx(2 * min(level, 1) - 1)
    support = PhiDeltaSelector().fit(convert(X), y).get_support()
    np.testing.assert_array_equal(support, np.arange(9) != 3)


@given(
    st.integers(2, 12),
    st.integers(2, 4),
    st.sampled_from(["degrees", "binary"]),
    st.integers(0, 10**6),
)
def test_features_lie_in_the_diamond(n_samples, n_classes, kind, seed):
    n_classes = min(n_samples, n_classes)
    X, y = data(kind, n_classes, n_samples, 6, seed)
    weight = np.random.default_rng(seed).random(n_samples) + 1e-3
    for matrix in (X, sp.csr_array(X)):
        phi, delta = phi_delta_features(matrix, y, sample_weight=weight)
        assert (np.abs(phi) + np.abs(delta) <= 1 + 1e-12).all()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array, sp.csc_array])
def test_weights_are_repetitions(convert, n_classes):
    X, y = data(n_classes=n_classes)
    times = np.random.default_rng(2).integers(0, 4, len(y))
    assert_same(
        phi_delta_features(convert(X), y, sample_weight=times),
        phi_delta_features(convert(np.repeat(X, times, axis=0)), np.repeat(y, times)),
    )


def test_a_label_without_weight_is_not_seen():
    X, y = data(n_classes=3)
    for label in range(3):
        weight = (y != label).astype(float)
        result = phi_delta_features(X, y, sample_weight=weight)
        assert_same(result, phi_delta_features(X[y != label], y[y != label]))


def test_the_rest_is_not_a_difference():
    """A class that outweighs all others does not drown them."""
    X, y = data(n_classes=3)
    weight = np.where(y == 0, 1e18, 1.0)
    phi, _ = phi_delta_features(X, y, sample_weight=weight)
    assert_same([phi[0]], by_definition(X, y == 0)[:1])


@pytest.mark.parametrize(
    "y",
    [
        np.array(TOPICS),
        np.array(TOPICS, dtype=object),
        TOPICS,
        [False] * 3 + [True] * 3,
        [-5] * 3 + [2**40] * 3,
        np.array([[1.0]] * 3 + [[2.0]] * 3),
    ],
)
def test_labels_of_any_kind(y):
    X = CountVectorizer(binary=True).fit_transform(TEXTS)
    expected = phi_delta_features(X, [0, 0, 0, 1, 1, 1])
    assert_same(phi_delta_features(X, y), expected)
    last = np.ravel(y)[-1]
    assert_same(phi_delta_features(X, y, pos_label=last), expected)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[0, 1], [1, 2], [1, 0]], "Column 1 of X .*MinMaxScaler.* from 0 to 2"),
        ([[0], [np.nextafter(1, 2)], [0.5]], r"clip=True.* 0 to 1\.0000000000000002\."),
        ([[0, -1], [1, 0.5], [1, 0]], r"Column 1 of X .* from -1 to 0\.5"),
        (sp.csr_array([[0, 1], [1, -2], [1, 0]]), "Column 1 of X must not be neg"),
        ([[0, 1], [np.nan, 1], [1, 0]], "Input X contains NaN"),
        ([[0, 1], [np.inf, 1], [1, 0]], "Input X contains infinity"),
        (sp.csr_array([[0, 1], [np.nan, 1], [1, 0]]), "Input X contains NaN"),
        ([["a"], ["b"], ["c"]], "could not convert|numeric"),
        ([0, 1, 1], "Expected 2D array"),
        (np.zeros((3, 0)), "0 feature"),
        ([[0, 1], [1, 0]], "inconsistent numbers of samples"),
    ],
)
def test_wrong_features(X, message):
    with pytest.raises(ValueError, match=message):
        phi_delta_features(X, [0, 1, 1])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 1, 1], "y must have two classes.*one class only: 1"),
        (["a", "a", "a"], "one class only: a"),
        ([0.5, 1, 0], "y must hold class labels. Got continuous"),
        ([0, 1, np.nan], "y must not contain"),
        ([0, 1, None], "y must not contain missing"),
        ([[0, 1], [1, 0], [1, 1]], "multilabel"),
        ([0, 1, "a"], "y must hold labels of one kind"),
        (None, "y must be a 1-D array"),
        ([0, 1], "inconsistent numbers of samples"),
    ],
)
def test_wrong_labels(y, message):
    with pytest.raises(ValueError, match=message):
        phi_delta_features([[0, 1], [1, 0], [1, 1]], y)
    if y is not None:
        with pytest.raises(ValueError, match=message):
            PhiDeltaSelector().fit([[0, 1], [1, 0], [1, 1]], y)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"pos_label": 2}, "`pos_label` must be a label of y. Got 2"),
        ({"pos_label": 10**12}, "`pos_label` must be a label of y"),
        ({"pos_label": "a"}, "`pos_label` must be a label of y"),
        ({"sample_weight": [1, -1, 1]}, "non-negative"),
        ({"sample_weight": [0, 0, 0]}, "all zero"),
        ({"sample_weight": [1, 0, 0]}, "one class only"),
        ({"sample_weight": [1, 1]}, "inconsistent numbers of samples"),
    ],
)
def test_wrong_keywords(keywords, message):
    with pytest.raises(ValueError, match=message):
        phi_delta_features([[0, 1], [1, 0], [1, 1]], [0, 1, 1], **keywords)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_scores_for_scikit_learns_selectors(n_classes, convert):
    X, y = data(n_classes=n_classes)
    _, delta = phi_delta_features(convert(X), y)
    scores = discriminant_features(convert(X), y)
    np.testing.assert_allclose(scores, np.abs(np.atleast_2d(delta)).max(axis=0))
    ours = PhiDeltaSelector(3).fit(convert(X), y).get_support()
    for selector in (
        SelectKBest(discriminant_features, k=3),
        SelectPercentile(discriminant_features, percentile=100 / 3),
    ):
        theirs = selector.fit(convert(X), y).get_support()
        np.testing.assert_array_equal(ours, theirs)


def selected_by_the_paper(X, y, n, max_phi, min_delta):
    """The rule as it is printed in section 5.1, in exact arithmetic."""
    max_phi, min_delta = Fraction(str(max_phi)), Fraction(str(min_delta))
    phi, delta = [], []
    for column in X.astype(int).T:
        tp = Fraction(int(column[y == 1].sum()), int((y == 1).sum()))
        fp = Fraction(int(column[y == 0].sum()), int((y == 0).sum()))
        phi.append(tp + fp - 1)
        delta.append(tp - fp)
    good = [
        j
        for j in range(len(phi))
        if abs(phi[j]) < max_phi
        and (min_delta == 0 or abs(phi[j]) + abs(delta[j]) / min_delta >= 1)
    ]
    return sorted(sorted(good, key=lambda j: -abs(delta[j]))[:n])


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("n", [None, 1, 10, 1000])
@pytest.mark.parametrize(
    ("max_phi", "min_delta"), [(1.0, 0.0), (0.9, 0.1), (0.8, 0.2), (0.7, 0.4)]
)
def test_the_rule_is_that_of_the_paper(seed, n, max_phi, min_delta):
    X, y = data("binary", n_samples=40 + seed, n_features=80, seed=seed)
    expected = selected_by_the_paper(X, y, n, max_phi, min_delta)
    for matrix in (X, sp.csr_array(X)):
        selector = PhiDeltaSelector(n, max_phi=max_phi, min_delta=min_delta)
        if not expected:
            assert not selector.fit(matrix, y).get_support().any()
            continue
        output = selector.fit_transform(matrix, y)
        assert sp.issparse(output) == sp.issparse(matrix)
        np.testing.assert_array_equal(selector.get_support(indices=True), expected)
        output = output.toarray() if sp.issparse(output) else output
        np.testing.assert_array_equal(output, X[:, expected])


def test_features_on_the_border_support_a_class():
    """f → c holds exactly: |φ| + |δ| = 1, whatever the round-off."""
    y = np.repeat([0, 1], 50)
    implies = (np.arange(100)[:, None] >= np.arange(51, 100)).astype(int)
    mixed = (np.arange(100)[:, None] >= np.arange(1, 50)).astype(int) ^ implies
    selector = PhiDeltaSelector(min_delta=1.0).fit(np.hstack([implies, mixed]), y)
    np.testing.assert_array_equal(selector.get_support(), [True] * 49 + [False] * 49)


def test_ties_are_broken_by_the_order_of_the_columns():
    y = np.array([0, 0, 1, 1])
    X = np.column_stack([y * [0, 0, 1, 0], y, 1 - y, y])
    assert list(PhiDeltaSelector(2).fit(X, y).get_support(indices=True)) == [1, 2]


def test_many_classes_are_judged_by_the_best_one():
    X, y = data("binary", n_classes=4, n_features=30)
    phi, delta = phi_delta_features(X, y)
    selector = PhiDeltaSelector(max_phi=0.6, min_delta=0.3).fit(X, y)
    for j in range(30):
        label = np.abs(delta[:, j]).argmax()
        assert selector.delta_[j] == delta[label, j]
        assert selector.phi_[j] == phi[label, j]
        keep = abs(phi[label, j]) < 0.6
        keep &= abs(phi[label, j]) + abs(delta[label, j]) / 0.3 >= 1
        assert selector.get_support()[j] == keep
    one = PhiDeltaSelector(pos_label=2).fit(X, y)
    assert_same((one.phi_, one.delta_), (phi[2], delta[2]))
    assert list(one.classes_) == [0, 1, 2, 3]


def test_dense_columns_are_scaled_by_their_range():
    X, y = data(n_classes=3)
    far = X * [1, 2, 30, 0.1, 1, 1e6, 1, 5, 1] + [0, -7, 1e3, 0, 0, 1, -1, 0, 0]
    scaled = MinMaxScaler().fit_transform(far)
    within = (far.min(axis=0) >= 0) & (far.max(axis=0) <= 1)
    scaled[:, within] = far[:, within]
    expected = PhiDeltaSelector().fit(scaled, y)
    selector = PhiDeltaSelector().fit(far, y)
    np.testing.assert_allclose(selector.phi_, expected.phi_, atol=1e-9)
    np.testing.assert_allclose(selector.delta_, expected.delta_, atol=1e-9)
    np.testing.assert_array_equal(selector.transform(far), far)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("convert", [sp.csr_array, sp.csc_array])
def test_sparse_columns_are_scaled_as_dense_ones(convert, n_classes):
    X, y = data(n_classes=n_classes)
    far = X * [1, 2, 30, 0.1, -1, 1e6, 1, 5, 1] + [0, 0, 1e3, 0, 0, 0, -1, 0, 0]
    far[:, 7] -= far[:, 7].max() / 3 * (far[:, 7] > 0)  # both signs beside zeros
    dense = PhiDeltaSelector(presence=False).fit(far, y)
    sparse = PhiDeltaSelector(presence=False).fit(convert(far), y)
    assert_same((sparse.phi_, sparse.delta_), (dense.phi_, dense.delta_))
    np.testing.assert_array_equal(sparse.get_support(), dense.get_support())


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array, sp.csc_matrix])
def test_presence_counts_what_is_not_zero(convert, n_classes):
    X, y = data(n_classes=n_classes)
    X[:, 1] *= 1e300
    weight = np.random.default_rng(4).random(len(y))
    expected = phi_delta_features(X != 0, y, sample_weight=weight)
    result = phi_delta_features(convert(X), y, presence=True, sample_weight=weight)
    assert_same(result, expected)
    selector = PhiDeltaSelector(presence=True).fit(convert(X), y)
    expected = PhiDeltaSelector(presence=False).fit((X != 0).astype(int), y)
    assert_same((selector.phi_, selector.delta_), (expected.phi_, expected.delta_))
    np.testing.assert_array_equal(selector.get_support(), expected.get_support())


def test_presence_is_automatic_for_sparse_features_only():
    X, y = data()
    for convert in (sp.csr_array, sp.csc_array, sp.coo_array):
        found = PhiDeltaSelector().fit(convert(X), y)
        assert_same((found.phi_, found.delta_), by_definition(X != 0, y == 1))
        found = PhiDeltaSelector(presence=False).fit(convert(X), y)
        assert_same((found.phi_, found.delta_), by_definition(X, y == 1))
    found = PhiDeltaSelector().fit(X, y)
    assert_same((found.phi_, found.delta_), by_definition(X, y == 1))


def test_counts_and_their_tf_idf_have_the_same_features():
    found = [
        PhiDeltaSelector().fit(vectorizer.fit_transform(TEXTS), TOPICS)
        for vectorizer in (
            CountVectorizer(binary=True),
            CountVectorizer(),
            TfidfVectorizer(),
            TfidfVectorizer(sublinear_tf=True),
        )
    ]
    for other in found[1:]:
        np.testing.assert_array_equal(other.phi_, found[0].phi_)
        np.testing.assert_array_equal(other.delta_, found[0].delta_)


@pytest.mark.parametrize("presence", [True, False])
@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_presence_of_what_is_not_a_number(convert, value, presence):
    X = convert(np.array([[0, 1.0], [value, 1], [1, 0]]))
    with pytest.raises(ValueError, match="Input X contains"):
        phi_delta_features(X, [0, 1, 1], presence=presence)
    with pytest.raises(ValueError, match="Input X contains"):
        PhiDeltaSelector(presence=presence).fit(X, [0, 1, 1])


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array, sp.csc_array])
def test_negative_values_have_no_presence(convert):
    X = convert(np.array([[0, 1], [-2, 0], [3, 0], [1, 1]]))
    for judge, must in (
        (PhiDeltaSelector(presence=True).fit, "negative: pass presence=False to scale"),
        (partial(phi_delta_features, presence=True), "negative to be counted"),
    ):
        for matrix, values in ((X, "-2 to 3"), (-1 * (X > 0), "-1 to 0")):
            with pytest.raises(ValueError, match=f"must not be {must}.* from {values}"):
                judge(matrix, [0, 1, 0, 1])
    if sp.issparse(X):
        with pytest.raises(ValueError, match="must not be negative"):
            PhiDeltaSelector().fit(X, [0, 1, 0, 1])
    PhiDeltaSelector(presence=False).fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize("scale", [2.0**-500, 2.0**500])
def test_the_scale_of_weights_does_not_matter(scale):
    X, y = data(n_classes=3)
    times = np.random.default_rng(5).integers(1, 4, len(y))
    assert_same(
        phi_delta_features(X, y, sample_weight=times * scale),
        phi_delta_features(X, y, sample_weight=times),
    )


@pytest.mark.parametrize("convert", [sp.csr_array, sp.csc_matrix])
def test_sparse_columns_count_by_presence(convert):
    X, y = data("binary")
    counts = X * np.random.default_rng(3).integers(2, 5, X.shape)
    counts[:, 4] += 1  # now everywhere, and so constant
    selector = PhiDeltaSelector().fit(convert(counts), y)
    assert_same((selector.phi_, selector.delta_), by_definition(counts > 0, y == 1))
    assert not selector.get_support()[4]
    counts[0, 0], counts[1, 0] = -1, 3
    with pytest.raises(ValueError, match=r"Column 0 of X .*presence=Fal.* from -1 to"):
        PhiDeltaSelector().fit(convert(counts), y)


@pytest.mark.parametrize(
    "vectorizer",
    [
        CountVectorizer(binary=True),
        CountVectorizer(),
        TfidfVectorizer(),
        TfidfVectorizer(norm=None),
    ],
)
def test_in_a_pipeline_with_texts(vectorizer):
    pipeline = make_pipeline(vectorizer, PhiDeltaSelector(2), MultinomialNB())
    assert pipeline.fit(TEXTS, TOPICS).score(TEXTS, TOPICS) == 1
    assert list(pipeline[:-1].get_feature_names_out()) == ["bank", "wheat"]
    assert sp.issparse(pipeline[:-1].transform(TEXTS))


def test_the_scaler_that_the_error_names_helps():
    X = CountVectorizer().fit_transform(TEXTS)
    with pytest.raises(ValueError, match="MaxAbsScaler"):
        phi_delta_features(X, TOPICS, presence=False)
    phi_delta_features(MaxAbsScaler().fit_transform(X), TOPICS, presence=False)
    with pytest.raises(ValueError, match="MinMaxScaler"):
        phi_delta_features(X.toarray(), TOPICS)
    phi_delta_features(MinMaxScaler().fit_transform(X.toarray()), TOPICS)


def test_nothing_passes():
    X, y = np.ones((4, 2)), [0, 1, 0, 1]
    selector = PhiDeltaSelector(max_phi=0.9, min_delta=0.2).fit(X, y)
    message = "No features were selected"
    with pytest.warns(UserWarning, match=message) as caught:
        assert selector.transform(X).shape == (4, 0)
    assert len(caught) == 1
    assert not selector.get_support().any()
    pandas = pytest.importorskip("pandas")
    selector.set_output(transform="pandas")
    with pytest.warns(UserWarning, match=message) as caught:
        assert selector.fit_transform(pandas.DataFrame(X), y).shape == (4, 0)
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"n_features_to_select": 0}, "`n_features_to_select` must be an integer"),
        ({"n_features_to_select": True}, "n_features_to_select` .* Got True"),
        ({"n_features_to_select": 2.5}, r"n_features_to_select` .* Got 2\.5"),
        ({"max_phi": 0}, r"`max_phi` must be in \(0, 1\]. Got 0"),
        ({"max_phi": 1.1}, "max_phi"),
        ({"max_phi": "high"}, "max_phi` .* Got 'high'"),
        ({"max_phi": np.nan}, "max_phi"),
        ({"min_delta": -0.1}, r"`min_delta` must be in \[0, 1\]"),
        ({"min_delta": None}, "min_delta"),
        ({"presence": "always"}, "`presence` must be True, False or 'auto'. Got 'al"),
        ({"presence": None}, "`presence` must be"),
        ({"presence": 1}, "`presence` must be"),
        ({"pos_label": 5}, "`pos_label` must be a label of y"),
    ],
)
def test_wrong_parameters(keywords, message):
    with pytest.raises(ValueError, match=message):
        PhiDeltaSelector(**keywords).fit([[0, 1], [1, 0]], [0, 1])


def test_one_default():
    """Features are judged alike by the function, the selector and the plot."""
    functions = phi_delta_features, PhiDeltaSelector, PhiDeltaDisplay.from_features
    for name in ("presence", "pos_label"):
        defaults = {inspect.signature(f).parameters[name].default for f in functions}
        assert len(defaults) == 1
    X, y = data()
    for matrix in (X, sp.csr_array(X)):
        selector = PhiDeltaSelector().fit(matrix, y)
        assert_same(phi_delta_features(matrix, y), (selector.phi_, selector.delta_))
    with pytest.raises(ValueError, match="`presence` must be True, False or 'auto'"):
        phi_delta_features(X, y, presence="always")


def test_not_fitted():
    with pytest.raises(NotFittedError):
        PhiDeltaSelector().get_support()


def test_nothing_given_is_changed():
    X, y = data()
    X *= 3
    X[:, 1] = X[:, 1] > 0
    for matrix in (X, sp.csr_array(X), sp.csc_array(X)):
        before = matrix.copy()
        PhiDeltaSelector().fit(matrix, y)
        assert np.all((matrix != before).sum() == 0)


CHECKS = parametrize_with_checks(
    [
        PhiDeltaSelector(),
        PhiDeltaSelector(1),
        PhiDeltaSelector(2, max_phi=0.99, min_delta=0.01),
        PhiDeltaSelector(presence=False),
    ]
)


# Before 1.9 scikit-learn hands over a generator, which pytest deprecates.
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), **CHECKS.kwargs)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def newswire_texts():
    """Training and test parts: texts, and whether they are about grain."""
    if not NEWSWIRE.exists():
        pytest.skip("NEWSWIRE_TEXTS names no file; the texts may not be shipped")
    with gzip.open(NEWSWIRE, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    parts = [[r for r in rows if r["split"] == part] for part in ("train", "test")]
    texts = [[row["text"] for row in part] for part in parts]
    labels = [np.array([int(row["grain"]) for row in part]) for part in parts]
    return texts, labels


@pytest.fixture(scope="module")
def newswire(newswire_texts):
    """Presence of terms in both parts, labels, and the terms."""
    texts, labels = newswire_texts
    vectorizer = CountVectorizer(binary=True).fit(texts[0])
    matrices = [vectorizer.transform(part) for part in texts]
    return matrices, labels, vectorizer.get_feature_names_out()


def test_newswire_stop_words_and_topical_words(newswire):
    (X, _), (y, _), terms = newswire
    assert X.shape == (1554, 12067)
    phi, delta = phi_delta_features(X, y)
    pervasive = set(terms[np.argsort(-phi)[:10]])
    assert pervasive - ENGLISH_STOP_WORDS == {"reuter", "said"}
    topical = terms[np.argsort(-np.abs(delta))[:3]]
    assert list(topical) == ["wheat", "agriculture", "tonnes"]


def test_newswire_classification(newswire):
    (X, X_test), (y, y_test), _ = newswire
    scores = [
        balanced_accuracy_score(y_test, model.fit(X, y).predict(X_test))
        for model in (
            MultinomialNB(),
            make_pipeline(PhiDeltaSelector(100), MultinomialNB()),
        )
    ]
    assert scores[0] == pytest.approx(0.75, abs=0.01)
    assert scores[1] > 0.92


def test_newswire_tf_idf_is_no_degree(newswire_texts):
    """As degrees, weights of TF-IDF favour stop words, whose weights are large."""
    (texts, test_texts), (y, y_test) = newswire_texts
    vectorizer = TfidfVectorizer(min_df=2)
    X, X_test = vectorizer.fit_transform(texts), vectorizer.transform(test_texts)
    terms = vectorizer.get_feature_names_out()
    stop_words, scores = {}, {}
    for presence in (False, "auto"):
        selector = PhiDeltaSelector(15, max_phi=0.95, presence=presence)
        model = make_pipeline(selector, LogisticRegression(C=1)).fit(X, y)
        kept = set(terms[model[0].get_support()])
        stop_words[presence] = len(kept & ENGLISH_STOP_WORDS)
        scores[presence] = normalized_information_score(y_test, model.predict(X_test))
    assert stop_words == {False: 6, "auto": 3}
    assert scores[False] == pytest.approx(0.130, abs=0.002)
    assert scores["auto"] == pytest.approx(0.184, abs=0.002)
