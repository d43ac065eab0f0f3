"""SourceBalance: what each of several variables tells, and all of them together."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse as sp
from sklearn.preprocessing import KBinsDiscretizer

from sklearn_entropy_metrics import EntropyBalance, SourceBalance

RNG = np.random.default_rng(5)
# Most of these tests have few samples.
pytestmark = pytest.mark.filterwarnings("ignore:The samples are few")
balance_of = SourceBalance.from_data


def entropy(X, weight=None):
    """Brute force: the entropy in bits of the rows."""
    weight = np.ones(len(X)) if weight is None else np.asarray(weight, dtype=float)
    shares = {}
    for row, one in zip(map(tuple, X.tolist()), weight / weight.sum(), strict=True):
        shares[row] = shares.get(row, 0) + one
    return -math.fsum(p * math.log2(p) for p in shares.values() if p)


def correlated(seed, n_samples=80, n_columns=4, n_values=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_values, (n_samples, n_columns))
    return np.where(rng.random(X.shape) < 0.5, X[:, [0]], X)


def assert_same(one, other):
    one, other = one.to_dict(), other.to_dict()
    assert one.pop("names") == other.pop("names")
    assert one == other


def test_exclusive_or():
    """Any two columns tell the third, which no one of them does."""
    X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]])
    balance = balance_of(X)
    assert balance.entropy.tolist() == [1, 1, 1]
    assert balance.mutual_information == pytest.approx([1, 1, 1], rel=1e-15)
    assert balance.remaining_entropy.tolist() == [0, 0, 0]
    assert balance.fractions.tolist() == [[0, 1, 0]] * 3
    assert balance.joint_entropy == 2
    assert balance.total_correlation == pytest.approx(1, rel=1e-15)
    assert balance.dual_total_correlation == pytest.approx(2, rel=1e-15)


def test_copies():
    x = RNG.integers(0, 5, (70, 1))
    balance = balance_of(np.hstack([x, x, x]))
    h = entropy(x)
    assert balance.entropy == pytest.approx([h] * 3, rel=1e-13)
    assert balance.mutual_information == pytest.approx([h] * 3, rel=1e-13)
    assert balance.remaining_entropy.tolist() == [0, 0, 0]
    assert balance.joint_entropy == pytest.approx(h, rel=1e-13)
    assert balance.total_correlation == pytest.approx(2 * h, rel=1e-13)
    assert balance.dual_total_correlation == pytest.approx(h, rel=1e-13)


def test_independent_columns():
    """Nothing is in common, exactly."""
    X = np.array(list(itertools.product(range(3), range(2), range(7), range(2))))
    balance = balance_of(X)
    assert balance.mutual_information.tolist() == [0] * 4
    assert balance.total_correlation == balance.dual_total_correlation == 0
    assert balance.divergence == pytest.approx([0] * 4, abs=1e-12)
    assert balance.aggregate_fractions == pytest.approx([0, 0, 1])
    assert balance.joint_entropy == pytest.approx(math.log2(len(X)))


def test_a_constant_column_counts_two_values():
    X = np.column_stack([RNG.integers(0, 2, 50), np.full(50, 7)])
    balance = balance_of(X)
    assert balance.entropy[1] == balance.remaining_entropy[1] == 0
    assert balance.divergence[1] == 1
    assert balance.fractions[1].tolist() == [1, 0, 0]
    constant = balance_of(np.ones((4, 3), dtype=int))
    assert constant.aggregate_fractions.tolist() == [1, 0, 0]
    assert constant.joint_entropy == constant.total_correlation == 0
    assert constant.dual_total_correlation == 0


@pytest.mark.parametrize("n_values", [1, 2, 6])
def test_a_single_column_shares_nothing(n_values):
    x = RNG.integers(0, n_values, (60, 1))
    balance = balance_of(x)
    assert balance.mutual_information.tolist() == [0]
    assert balance.remaining_entropy == pytest.approx([entropy(x)], abs=1e-12)
    assert balance.total_correlation == balance.dual_total_correlation == 0
    assert balance.joint_entropy == pytest.approx(entropy(x), abs=1e-12)


@given(seed=st.integers(0, 2**31), n_columns=st.integers(1, 6), weighted=st.booleans())
def test_random_columns_against_brute_force(seed, n_columns, weighted):
    X = correlated(seed, n_columns=n_columns)
    weight = np.random.default_rng(seed).random(len(X)) if weighted else None
    balance = balance_of(X, sample_weight=weight)
    near = {"rel": 1e-12, "abs": 1e-12}
    joint = entropy(X, weight)
    alone = [entropy(X[:, [i]], weight) for i in range(n_columns)]
    others = [entropy(np.delete(X, i, axis=1), weight) for i in range(n_columns)]
    remaining = [joint - one for one in others]
    uniform = [math.log2(max(2, len(np.unique(x)))) for x in X.T]
    assert balance.entropy == pytest.approx(alone, **near)
    assert balance.remaining_entropy == pytest.approx(remaining, **near)
    assert balance.mutual_information == pytest.approx(
        np.subtract(alone, remaining), **near
    )
    assert balance.divergence == pytest.approx(np.subtract(uniform, alone), **near)
    assert balance.joint_entropy == pytest.approx(joint, **near)
    assert balance.total_correlation == pytest.approx(sum(alone) - joint, **near)
    assert balance.dual_total_correlation == pytest.approx(
        joint - sum(remaining), **near
    )
    parts = balance.divergence, balance.mutual_information, balance.remaining_entropy
    assert sum(parts) == pytest.approx(uniform, **near)
    assert balance.fractions == pytest.approx(
        np.stack(parts, axis=1) / np.reshape(uniform, (-1, 1)), **near
    )
    assert balance.aggregate_fractions == pytest.approx(
        np.sum(parts, axis=1) / sum(uniform), **near
    )


@pytest.mark.parametrize("seed", range(3))
def test_random_columns_against_dit(seed):
    dit = pytest.importorskip("dit")
    X = correlated(seed)
    rows, counts = np.unique(X, axis=0, return_counts=True)
    outcomes = ["".join(map(str, row)) for row in rows]
    distribution = dit.Distribution(outcomes, (counts / len(X)).tolist())
    balance = balance_of(X)
    near = {"rel": 1e-12, "abs": 1e-12}
    multivariate = dit.multivariate
    assert balance.total_correlation == pytest.approx(
        multivariate.total_correlation(distribution), **near
    )
    assert balance.dual_total_correlation == pytest.approx(
        multivariate.dual_total_correlation(distribution), **near
    )
    for i, name in enumerate(range(4)):
        others = [j for j in range(4) if j != i]
        assert balance.remaining_entropy[i] == pytest.approx(
            multivariate.entropy(distribution, [[name]], others), **near
        )


def test_two_columns_share_the_mutual_information():
    X = correlated(1, n_columns=2)
    balance = balance_of(X)
    pair = EntropyBalance.from_predictions(*X.T)
    assert balance.mutual_information == pytest.approx([pair.mutual_information] * 2)
    assert balance.total_correlation == balance.dual_total_correlation
    assert balance.remaining_entropy == pytest.approx(
        [pair.conditional_entropy_true, pair.conditional_entropy_pred]
    )


# Kinds of input


def mixed_frame(n=60):
    return pd.DataFrame(
        {
            "city": RNG.choice(["Rome", "Oslo"], n),
            "size": pd.Categorical(RNG.choice(["s", "m", "l"], n)),
            "new": RNG.random(n) < 0.5,
            "rooms": RNG.integers(1, 5, n).astype(float),
            "floor": pd.array(RNG.integers(0, 3, n), dtype="Int64"),
        }
    )


def test_a_frame_of_mixed_columns():
    frame = mixed_frame()
    balance = balance_of(frame)
    assert balance.names == list(frame)
    plain = balance_of(
        np.stack([np.unique(frame[c], return_inverse=True)[1] for c in frame], axis=1)
    )
    assert plain.names == ["x0", "x1", "x2", "x3", "x4"]
    for name in ("entropy", "remaining_entropy", "mutual_information"):
        np.testing.assert_array_equal(getattr(balance, name), getattr(plain, name))
    assert_same(balance_of(pl.from_pandas(frame)), balance)


def test_kinds_of_matrices():
    X = (RNG.random((90, 7)) < 0.3).astype(int)
    expected = balance_of(X)
    for kind in (
        X.astype(bool),
        X.astype(np.float32),
        X.tolist(),
        sp.csr_matrix(X),
        sp.coo_array(X),
        np.where(X, "yes", "no"),
        X.astype(object),
    ):
        assert_same(balance_of(kind), expected)


def test_names_of_columns_are_texts():
    assert balance_of(pd.DataFrame(np.eye(2, dtype=int))).names == ["0", "1"]


def test_order_of_rows_and_columns():
    X = correlated(3, n_columns=5)
    expected = balance_of(X)
    assert_same(balance_of(X[RNG.permutation(len(X))]), expected)
    order = [3, 1, 4, 0, 2]
    permuted = balance_of(X[:, order])
    near = {"rel": 1e-12, "abs": 1e-14}
    assert permuted.joint_entropy == pytest.approx(expected.joint_entropy, **near)
    assert permuted.total_correlation == pytest.approx(
        expected.total_correlation, **near
    )
    assert permuted.dual_total_correlation == pytest.approx(
        expected.dual_total_correlation, **near
    )
    assert permuted.remaining_entropy == pytest.approx(
        expected.remaining_entropy[order], **near
    )


def test_weights():
    X = correlated(4)
    weight = RNG.integers(0, 4, len(X))
    X[weight == 0] = 9  # values that are not seen
    weighted = balance_of(X, sample_weight=weight)
    repeated = balance_of(np.repeat(X, weight, axis=0))
    for name in ("entropy", "divergence", "mutual_information", "remaining_entropy"):
        assert getattr(weighted, name) == pytest.approx(
            getattr(repeated, name), rel=1e-12, abs=1e-14
        )
    assert weighted.joint_entropy == pytest.approx(repeated.joint_entropy)


def test_many_columns():
    """2^p is never allocated; with many columns every row is told apart."""
    X = RNG.random((300, 500)) < 0.5
    balance = balance_of(X)
    assert balance.joint_entropy == pytest.approx(math.log2(300))
    assert balance.remaining_entropy.tolist() == [0] * 500
    assert balance.mutual_information == pytest.approx(balance.entropy)


def test_discretized_columns():
    X = RNG.normal(size=(100, 2))
    with pytest.raises(ValueError, match=r"Column .x0. of X.*KBinsDiscretizer"):
        balance_of(X)
    bins = KBinsDiscretizer(
        n_bins=4, encode="ordinal", strategy="uniform", subsample=None
    )
    assert balance_of(bins.fit_transform(X)).entropy.max() <= 2


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([0, 1, 2], r"X must be 2-D.*\(3,\)"),
        (np.zeros((2, 0)), r"X must be 2-D.*\(2, 0\)"),
        (np.zeros((0, 2)), "X is empty"),
        ([[0, np.nan], [1, 0]], "Column 'x1' of X.*missing"),
        (np.array([[0, np.nan], [1, 0]]), "Column 'x1' of X.*NaN"),
        (pd.DataFrame({"age": [0.5, 1], "sex": ["f", "m"]}), "Column 'age'.*KBins"),
        (pd.DataFrame({"age": [1, 2], "sex": ["f", None]}), "Column 'sex'.*missing"),
    ],
)
def test_wrong_data(X, message):
    with pytest.raises(ValueError, match=message):
        balance_of(X)


@pytest.mark.parametrize("weight", [[0, 0], [1, -1], [1], [1, np.inf]])
def test_wrong_weights(weight):
    with pytest.raises(ValueError, match=r"."):
        balance_of([[0, 1], [1, 1]], sample_weight=weight)


# What it looks like


def test_to_dict_is_for_json():
    balance = balance_of(mixed_frame())
    found = json.loads(json.dumps(balance.to_dict()))
    assert found["names"] == balance.names
    assert found["fractions"] == balance.fractions.tolist()
    assert found["dual_total_correlation"] == balance.dual_total_correlation


def test_html_escapes_the_names():
    frame = pd.DataFrame({"<b>": [0, 1, 0], "y": [1, 1, 0]})
    html = balance_of(frame)._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert f"{balance_of(frame).joint_entropy:.3f}" in html


def test_it_is_frozen_and_prints():
    balance = balance_of(mixed_frame())
    with pytest.raises(AttributeError):
        balance.names = []
    assert "of 5 variables" in repr(balance)
    assert f"{balance.joint_entropy:.3f} bits" in repr(balance)
