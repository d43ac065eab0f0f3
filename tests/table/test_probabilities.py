"""probabilistic_confusion_matrix."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse as sp

from sklearn_entropy_metrics import (
    EntropyBalance,
    contingency_table,
    probabilistic_confusion_matrix,
)
from sklearn_entropy_metrics.table.probabilities import tabulate_probabilities

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


@pytest.mark.parametrize("low", [-5, 3, 200, 10**15])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_integers_need_not_begin_at_zero(low, dtype):
    got = tabulate_probabilities((TRUE + low).astype(dtype), PROBA)
    np.testing.assert_allclose(got.table, by_definition(TRUE, PROBA), rtol=1e-13)
    np.testing.assert_array_equal(got.labels, [low, low + 1, low + 2])
    np.testing.assert_array_equal(got.class_weight, np.bincount(TRUE))
    given = probabilistic_confusion_matrix(
        TRUE + low, PROBA[:, ::-1], labels=[low + 2, low + 1, low]
    )
    np.testing.assert_allclose(
        given, by_definition(TRUE, PROBA)[::-1, ::-1], rtol=1e-13
    )


def test_columns_of_large_labels():
    """As floats, the two would be one."""
    labels = [2**63 + 1, 5]
    got = tabulate_probabilities([5, 2**63 + 1], np.eye(2), columns=labels)
    assert got.labels.tolist() == labels[::-1]
    np.testing.assert_array_equal(got.table, [[0, 1], [1, 0]])


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


@pytest.mark.parametrize("given", [{}, {"labels": np.array(["c", "b", "a"])}])
def test_inputs_stay_as_they_are_and_may_be_read_only(given):
    y_true, weight = np.array(["a", "b", "c"])[TRUE], RNG.random(500)
    arrays = [y_true.copy(), PROBA.copy(), weight.copy(), *given.values()]
    for array in arrays:
        array.flags.writeable = False
    for normalize in (None, "true", "all"):
        table = probabilistic_confusion_matrix(
            *arrays[:2], sample_weight=arrays[2], normalize=normalize, **given
        )
        table += 1
    for array, before in zip(arrays, [y_true, PROBA, weight], strict=False):
        np.testing.assert_array_equal(array, before)


def test_memory_mapped_inputs(tmp_path):
    for name, array in {"true": TRUE, "proba": PROBA}.items():
        np.save(tmp_path / name, array)
    got = probabilistic_confusion_matrix(
        *(
            np.load(tmp_path / f"{name}.npy", mmap_mode="r")
            for name in ("true", "proba")
        )
    )
    np.testing.assert_array_equal(got, probabilistic_confusion_matrix(TRUE, PROBA))
    assert type(got) is np.ndarray


def test_nothing_is_masked():
    got = probabilistic_confusion_matrix(
        TRUE, np.ma.array(PROBA), sample_weight=np.ma.array(np.ones(500))
    )
    np.testing.assert_allclose(got, by_definition(TRUE, PROBA), rtol=1e-13)


@pytest.mark.parametrize("scale", [1e-290, 1e-150, 1e150, 1e305])
def test_weights_of_any_magnitude(scale):
    weight = RNG.random(500)
    for normalize in ("true", "all"):
        got = probabilistic_confusion_matrix(
            TRUE, PROBA, sample_weight=weight * scale, normalize=normalize
        )
        expected = probabilistic_confusion_matrix(
            TRUE, PROBA, sample_weight=weight, normalize=normalize
        )
        np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_subnormal_probabilities_are_kept():
    proba = np.array([[1.0, 1e-322], [0.0, 1.0], [1.0, 5e-324]])
    got = probabilistic_confusion_matrix([0, 1, 0], proba)
    np.testing.assert_array_equal(got, [[2.0, 1e-322 + 5e-324], [0.0, 1.0]])


def test_rows_that_do_not_sum_to_one_warn_and_are_used():
    with pytest.warns(UserWarning, match="do not all sum to one"):
        got = probabilistic_confusion_matrix([0, 1], [[0.5, 0.25], [0.5, 0.5]])
    np.testing.assert_array_equal(got, [[0.5, 0.25], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("y_true", "y_proba", "kwargs", "message"),
    [
        ([0, 1], [[1.5, -0.5], [0, 1]], {}, "between 0 and 1. Got 1.5"),
        ([0, 1], [[np.nan, 1], [0, 1]], {}, "Got nan"),
        ([0, 1], [[0.25, 0.75], [0.0, -0.5]], {}, r"Got -0.5\."),
        ([0, 1], [[0.0, 1.0], [0.75, 1.25]], {}, r"Got 1.25\."),
        ([0, 1], [-0.1, 1], {}, "Got -0.1"),
        (
            [0, 1],
            [[1, 0, 0], [0, 1, 0]],
            {},
            "3 columns, but there are 2 classes: .0 1.",
        ),
        ([0, 0], [0.5, 0.5], {}, "2 columns, but there are 1 classes"),
        ([0, 1], [[1, 0], [0, 1]], {"labels": [0, 1, 2]}, "3 classes"),
        ([0, 2], [[1, 0], [0, 1]], {"labels": [0, 1]}, "Got 2 besides"),
        ([0, 1], [[1, 0]], {}, r"inconsistent numbers of samples: \[2, 1\]"),
        ([0, 1], [["a", "b"], ["a", "b"]], {}, "must hold numbers"),
        ([0, 1], np.zeros((2, 2, 2)), {}, "shape"),
        ([], np.zeros((0, 2)), {}, "empty"),
        ([0, 1], [[1, 0], [0, 1]], {"normalize": "pred"}, "'pred'"),
        ([0, 1], [[1, 0], [0, 1]], {"sample_weight": [1, -1]}, "non-negative"),
        ([0, 1], [[1, 0], [0, 1]], {"sample_weight": [0, 0]}, "all zero"),
        (
            [0, 1],
            np.ma.array(np.eye(2), mask=np.eye(2)),
            {},
            "y_proba must have",
        ),
        (
            [0, 1],
            np.eye(2),
            {"sample_weight": np.ma.array([1, 2], mask=[0, 1])},
            "sample_weight must have no masked",
        ),
        ([0, 1], [[1, 0], [1]], {}, "y_proba must be an array of numbers"),
        ([0, 1], [[10**400, 0], [0, 1]], {}, "y_proba must hold numbers"),
        ([0, 1], sp.csr_array(np.eye(2)), {}, "y_proba must be a dense.*csr_array"),
        ([0, 1], None, {}, "y_proba must be an array of shape"),
        ([0, None], np.eye(2), {"sample_weight": [1, 0]}, "y_true must not contain"),
        (["a", "b"], np.eye(2), {"labels": [0, 1]}, "one kind"),
    ],
)
def test_wrong_input(y_true, y_proba, kwargs, message):
    with pytest.raises(ValueError, match=message):
        probabilistic_confusion_matrix(y_true, y_proba, **kwargs)


def test_classes_of_a_vanishing_share_are_not_seen():
    y_true, y_proba, weight = [0, 1], np.eye(2), [1e-250, 1e250]
    soft = EntropyBalance.from_probabilities(y_true, y_proba, sample_weight=weight)
    assert soft.entropy_true == 0
    sums = probabilistic_confusion_matrix(y_true, y_proba, sample_weight=weight)
    np.testing.assert_array_equal(sums, np.diag(weight))
