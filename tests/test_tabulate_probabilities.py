"""probabilistic_confusion_matrix."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sklearn_entropy_metrics import contingency_table, probabilistic_confusion_matrix

RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 3, 500)
PROBA = RNG.dirichlet([1, 1, 1], 500)


def by_definition(y_true, y_proba, weight=None):
    indicator = y_true[:, None] == np.unique(y_true)
    weight = np.ones(len(y_true)) if weight is None else weight
    return (indicator * weight[:, None]).T @ y_proba


@pytest.mark.parametrize(
    "convert",
    [
        np.asarray,
        np.asfortranarray,
        lambda proba: proba.tolist(),
        lambda proba: proba.astype(np.float32),
        lambda proba: proba.astype(np.longdouble),
        pd.DataFrame,
        lambda proba: pl.DataFrame(proba),
    ],
)
def test_equals_the_definition(convert):
    got = probabilistic_confusion_matrix(TRUE, convert(PROBA))
    np.testing.assert_allclose(got, by_definition(TRUE, PROBA), rtol=1e-6)


def test_weights_and_strings():
    weight = RNG.random(500)
    got = probabilistic_confusion_matrix(
        np.array(["x", "y", "z"])[TRUE], PROBA, sample_weight=weight
    )
    np.testing.assert_allclose(got, by_definition(TRUE, PROBA, weight), rtol=1e-13)


def test_many_blocks_and_far_labels():
    y_true = RNG.integers(0, 3, 200_000)
    proba = RNG.dirichlet([1, 1, 1], 200_000)
    got = probabilistic_confusion_matrix(y_true * 10**15, proba)
    np.testing.assert_allclose(got, by_definition(y_true, proba), rtol=1e-12)


def test_one_hot_is_the_confusion_matrix():
    y_pred = RNG.integers(0, 3, 500)
    np.testing.assert_array_equal(
        probabilistic_confusion_matrix(TRUE, np.eye(3, dtype=int)[y_pred]),
        contingency_table(TRUE, y_pred),
    )


def test_one_dimensional_is_the_second_class():
    y_true, proba = ["no", "yes", "yes"], np.array([0.25, 0.5, 1.0])
    expected = [[0.75, 0.25], [0.5, 1.5]]
    np.testing.assert_array_equal(
        probabilistic_confusion_matrix(y_true, proba), expected
    )
    np.testing.assert_array_equal(
        probabilistic_confusion_matrix(y_true, np.column_stack([1 - proba, proba])),
        expected,
    )


def test_labels_give_the_order_of_the_columns():
    got = probabilistic_confusion_matrix(
        [0, 1], [[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]], labels=[1, 0, 7]
    )
    np.testing.assert_array_equal(got, [[0, 1, 0], [0.5, 0.25, 0.25], [0, 0, 0]])


def test_normalize():
    proba = [[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]]
    kwargs = {"labels": [0, 1], "sample_weight": [1, 1, 2]}
    true = probabilistic_confusion_matrix([0, 0, 1], proba, normalize="true", **kwargs)
    np.testing.assert_array_equal(true, [[0.75, 0.25], [0.25, 0.75]])
    share = probabilistic_confusion_matrix([0, 0, 1], proba, normalize="all", **kwargs)
    np.testing.assert_array_equal(share, [[0.375, 0.125], [0.125, 0.375]])
    empty = probabilistic_confusion_matrix(
        [0], [[1, 0]], labels=[0, 1], normalize="true"
    )
    np.testing.assert_array_equal(empty, [[1, 0], [0, 0]])


def test_zero_weight_labels_are_not_seen():
    got = probabilistic_confusion_matrix(
        [0, 1, 5], [[0.5, 0.5]] * 3, sample_weight=[1, 1, 0]
    )
    np.testing.assert_array_equal(got, [[0.5, 0.5], [0.5, 0.5]])


def test_rows_that_do_not_sum_to_one_warn_and_are_used():
    with pytest.warns(UserWarning, match="do not all sum to one"):
        got = probabilistic_confusion_matrix([0, 1], [[0.5, 0.25], [0.5, 0.5]])
    np.testing.assert_array_equal(got, [[0.5, 0.25], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("y_true", "y_proba", "kwargs", "message"),
    [
        ([0, 1], [[1.5, -0.5], [0, 1]], {}, "between 0 and 1. Got 1.5"),
        ([0, 1], [[np.nan, 1], [0, 1]], {}, "Got nan"),
        ([0, 1], [-0.1, 1], {}, "Got -0.1"),
        (
            [0, 1],
            [[1, 0, 0], [0, 1, 0]],
            {},
            "3 columns, but there are 2 classes: .0 1.",
        ),
        ([0, 0], [0.5, 0.5], {}, "2 columns, but there are 1 classes"),
        ([0, 1], [[1, 0], [0, 1]], {"labels": [0, 1, 2]}, "3 classes"),
        ([0, 2], [[1, 0], [0, 1]], {"labels": [0, 1]}, "Got besides: 2"),
        ([0, 1], [[1, 0]], {}, "inconsistent numbers of samples"),
        ([0, 1], [["a", "b"], ["a", "b"]], {}, "array of numbers"),
        ([0, 1], np.zeros((2, 2, 2)), {}, "shape"),
        ([], np.zeros((0, 2)), {}, "empty"),
        ([0, 1], [[1, 0], [0, 1]], {"normalize": "pred"}, "'pred'"),
        ([0, 1], [[1, 0], [0, 1]], {"sample_weight": [1, -1]}, "non-negative"),
    ],
)
def test_wrong_input(y_true, y_proba, kwargs, message):
    with pytest.raises(ValueError, match=message):
        probabilistic_confusion_matrix(y_true, y_proba, **kwargs)
