"""Several discrete variables: their distinct rows, their tables, their balance."""

import itertools
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse as sp

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import EntropyBalance
from sklearn_entropy_metrics.table import hashing, variables

# Most of these tests have few samples.
pytestmark = pytest.mark.filterwarnings("ignore:The samples are few")
RNG = np.random.default_rng(17)
balance_of = EntropyBalance.from_variables


def entropy(*columns, weight=None):
    """Brute force: the entropy in bits of the rows of some columns."""
    rows = list(zip(*(column.tolist() for column in np.hstack(columns).T), strict=True))
    weight = np.ones(len(rows)) if weight is None else np.asarray(weight)
    shares = {}
    for row, one in zip(rows, weight / weight.sum(), strict=True):
        shares[row] = shares.get(row, 0) + one
    return -math.fsum(p * math.log2(p) for p in shares.values() if p)


def assert_same(one, other, **tolerance):
    one, other = one.to_dict(), other.to_dict()
    for name in one:
        if tolerance:
            np.testing.assert_allclose(
                one[name], other[name], err_msg=name, **tolerance
            )
        else:
            np.testing.assert_array_equal(one[name], other[name], err_msg=name)


def random_columns(n_samples=300, n_columns=4, n_values=3, seed=0):
    """Columns that depend on each other."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_values, (n_samples, n_columns))
    copied = rng.random(X.shape) < 0.5
    return np.where(copied, X[:, [0]], X)


# Known truths


def test_each_input_of_an_exclusive_or_tells_nothing_and_both_tell_all():
    X = np.array(list(itertools.product([0, 1], repeat=2)))
    Y = X[:, [0]] ^ X[:, [1]]
    for i in range(2):
        assert balance_of(X[:, [i]], Y).mutual_information == 0
    both = balance_of(X, Y)
    assert both.mutual_information == 1
    assert both.conditional_entropy_pred == 0
    assert both.normalized_information == 0.5
    assert both.normalized_information_transfer == 0.5
    assert (both.uniform_entropy_true, both.uniform_entropy_pred) == (2, 1)


def test_copies_tell_no_more_than_the_original():
    x = RNG.integers(0, 3, (100, 1))
    y = RNG.integers(0, 3, (100, 1))
    copies = balance_of(np.hstack([x, x, x]), np.hstack([y, y]))
    one = balance_of(x, y)
    assert copies.mutual_information == one.mutual_information
    assert copies.entropy_true == one.entropy_true
    assert copies.uniform_entropy_true == pytest.approx(3 * math.log2(3), rel=1e-15)
    assert copies.n_true_classes == 3
    lacking = copies.divergence_true - one.divergence_true
    assert lacking == pytest.approx(2 * math.log2(3), rel=1e-14)


def test_independent_columns_share_nothing():
    grid = np.array(list(itertools.product(range(3), range(2), range(4), range(2))))
    balance = balance_of(grid[:, :2], grid[:, 2:])
    assert balance.mutual_information == 0
    assert balance.divergence_true == balance.divergence_pred == 0
    assert balance.uniform_entropy_true == math.log2(6)
    assert balance.joint_fractions.tolist() == [0, 0, 1]
    assert balance.effective_true_classes == 6
    assert balance.entropy_modulated_accuracy == 1 / 6


def test_perfect_predictions():
    X = random_columns()
    perfect = balance_of(X, X)
    assert perfect.normalized_information == perfect.entropy_modulated_accuracy == 1
    assert perfect.variation_of_information == 0
    assert perfect.mutual_information == pytest.approx(entropy(X), rel=1e-13)


def test_uniform_rows_that_are_not_all_possible_ones():
    X = np.array([[0, 0], [0, 1], [1, 0]])
    balance = balance_of(X, X)
    assert balance.n_true_classes == 3
    assert balance.effective_true_classes == 3
    assert balance.uniform_entropy_true == 2
    assert balance.divergence_true == pytest.approx(2 - math.log2(3), rel=1e-15)
    assert balance.normalized_information_transfer == pytest.approx(3 / 4, rel=1e-15)
    guess = balance_of(np.tile(X, (2, 1)), [[0, 0]] * 3 + [[1, 1]] * 3)
    assert guess.remaining_true_classes == 3
    assert guess.entropy_modulated_accuracy == 1 / 3
    assert guess.normalized_information_transfer == 1 / 4


def test_a_constant_column_counts_two_values():
    X = RNG.integers(0, 3, (50, 1))
    Y = RNG.integers(0, 2, (50, 2))
    with_constant = balance_of(np.hstack([X, np.full((50, 1), 7)]), Y)
    assert with_constant.uniform_entropy_true == pytest.approx(1 + math.log2(3))
    assert with_constant.mutual_information == balance_of(X, Y).mutual_information
    nothing = balance_of(np.zeros((5, 3), dtype=int), Y[:5])
    assert nothing.uniform_entropy_true == 3
    assert nothing.true_fractions.tolist() == [1, 0, 0]
    assert nothing.n_true_classes == 1


@given(seed=st.integers(0, 2**31), p=st.integers(1, 4), q=st.integers(2, 4))
def test_entropies_of_random_columns(seed, p, q):
    X, Y = np.split(random_columns(60, p + q, 3, seed), [p], axis=1)
    balance = balance_of(X, Y)
    h_x, h_y, h_xy = entropy(X), entropy(Y), entropy(X, Y)
    near = {"rel": 1e-12, "abs": 1e-12}
    assert balance.entropy_true == pytest.approx(h_x, **near)
    assert balance.entropy_pred == pytest.approx(h_y, **near)
    assert balance.joint_entropy == pytest.approx(h_xy, **near)
    # The chain rule.
    assert balance.entropy_true + balance.conditional_entropy_pred == pytest.approx(
        h_xy, **near
    )
    assert balance.mutual_information == pytest.approx(h_x + h_y - h_xy, **near)
    uniform = sum(math.log2(max(2, len(np.unique(x)))) for x in X.T)
    assert balance.uniform_entropy_true == pytest.approx(uniform, **near)
    assert balance.divergence_true == pytest.approx(uniform - h_x, **near)
    assert balance.normalized_information_transfer == pytest.approx(
        2 ** (balance.mutual_information - uniform), rel=1e-12
    )
    for fractions in (balance.joint_fractions, balance.true_fractions):
        assert fractions.sum() == pytest.approx(1, abs=1e-12)
        assert (fractions >= 0).all()


# One column on each side


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (RNG.integers(0, 5, 99), RNG.integers(2, 9, 99)),
        (np.zeros(9, dtype=int), np.zeros(9, dtype=int)),
        (RNG.random(99) < 0.3, RNG.random(99) < 0.3),
        (RNG.choice(["a", "bc"], 99), RNG.choice(["a", "d"], 99)),
    ],
)
def test_one_column_on_each_side_is_a_prediction(x, y):
    expected = EntropyBalance.from_predictions(x, y)
    kinds = [lambda z: z[:, None], lambda z: pd.DataFrame({"z": z})]
    kinds += [lambda z: [[one] for one in z.tolist()], lambda z: pl.DataFrame({"z": z})]
    if x.dtype.kind in "ib":
        kinds += [lambda z: sp.csr_array(z[:, None])]
    for kind in kinds:
        got = balance_of(kind(x), kind(y))
        assert_same(got, expected)
        np.testing.assert_array_equal(got.table, expected.table)


def test_one_column_with_weights():
    x, y = RNG.integers(0, 4, (2, 60))
    weight = RNG.integers(0, 3, 60)
    got = balance_of(x[:, None], y[:, None], sample_weight=weight)
    assert_same(got, EntropyBalance.from_predictions(x, y, sample_weight=weight))


# Kinds of input


def indicators(n_labels=5, n_samples=200):
    Y = RNG.random((n_samples, n_labels)) < 0.4
    return Y, np.where(RNG.random(Y.shape) < 0.8, Y, ~Y)


@pytest.mark.parametrize("n_labels", [2, 5, 62, 63, 130])
def test_kinds_of_indicator_matrices(n_labels):
    X, Y = indicators(n_labels)
    expected = balance_of(X, Y)
    for kind in (
        np.uint8,
        np.int64,
        np.float32,
        ">i4",
        lambda Z: np.asfortranarray(Z),
        lambda Z: sp.csr_matrix(Z.astype(int)),
        lambda Z: sp.coo_array(Z.astype(np.float64)),
        sp.csc_array,
        pd.DataFrame,
        lambda Z: pd.DataFrame(Z).astype({0: int}),
        lambda Z: pd.DataFrame(Z).astype("boolean"),
        lambda Z: pd.DataFrame(Z.astype(int)).astype("category"),
        lambda Z: pl.DataFrame(Z.astype(int)),
        lambda Z: Z.astype(int).tolist(),
        lambda Z: np.where(Z, "yes", "no"),
        lambda Z: np.where(Z, 10**15, -5),
    ):
        change = kind if callable(kind) else None
        one, other = (change(Z) if change else Z.astype(kind) for Z in (X, Y))
        got = balance_of(one, other)
        assert_same(got, expected)
        assert type(got.table) is type(expected.table)


def test_columns_of_different_kinds():
    n = 80
    frame = pd.DataFrame(
        {
            "city": RNG.choice(["Rome", "Oslo"], n),
            "size": pd.Categorical(RNG.choice(["s", "m", "l"], n)),
            "new": RNG.random(n) < 0.5,
            "rooms": RNG.integers(1, 5, n).astype(float),
            "id": RNG.choice(np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64), n),
        }
    )
    Y = RNG.integers(0, 2, (n, 2))
    numbered = np.stack([np.unique(frame[c], return_inverse=True)[1] for c in frame], 1)
    expected = balance_of(numbered, Y)
    assert_same(balance_of(frame, Y), expected)
    assert_same(balance_of(frame.to_numpy(), Y), expected)
    assert_same(balance_of(frame.to_numpy().tolist(), Y), expected)
    assert_same(balance_of(pl.from_pandas(frame), Y), expected)
    n_values = math.prod(frame[c].nunique() for c in frame)
    assert expected.uniform_entropy_true == pytest.approx(math.log2(n_values))


def test_dask():
    array = pytest.importorskip("dask.array")
    frame = pytest.importorskip("dask.dataframe")
    X, Y = indicators()
    expected = balance_of(X, Y)
    chunked = array.from_array(X.astype(int), chunks=(30, 2))
    parts = frame.from_pandas(pd.DataFrame(Y), npartitions=3)
    assert_same(balance_of(chunked, parts), expected)


def test_columns_of_the_same_name():
    X, Y = indicators(3)
    frame = pd.DataFrame(X, columns=["a", "a", "b"])
    assert_same(balance_of(frame, Y), balance_of(X, Y))
    assert_same(balance_of(frame.astype(object), Y), balance_of(X, Y))


def test_explicit_zeros_and_repeated_entries_of_a_sparse_matrix():
    row, column = [0, 0, 1, 2, 2, 2], [0, 1, 1, 2, 2, 0]
    X = sp.coo_array(([1, 0, 1, 1, 0, 1], (row, column)), shape=(4, 3))
    Y = [[0, 1], [1, 0], [1, 1], [0, 0]]
    assert_same(balance_of(X, Y), balance_of(X.toarray(), Y))
    counts = sp.csr_array([[0, 2, -1], [3, 0, 0], [0, 2, -1]])
    assert_same(balance_of(counts, Y[:3]), balance_of(counts.toarray(), Y[:3]))


def test_inputs_stay_as_they_are():
    X, Y = (sp.csr_array(Z.astype(int)) for Z in indicators())
    X.data[::3] = 0  # explicit zeros, which may not be dropped
    weight = RNG.random(X.shape[0])
    before = X.copy(), weight.copy()
    for array in (X.data, X.indices, X.indptr, weight):
        array.flags.writeable = False
    balance = balance_of(X, Y, sample_weight=weight)
    assert X.nnz == before[0].nnz
    np.testing.assert_array_equal(X.toarray(), before[0].toarray())
    assert not balance.table.flags.writeable


# Invariances


@pytest.mark.parametrize("n_values", [2, 3, 1000])
def test_order_of_rows_and_columns(n_values):
    X, Y = np.split(random_columns(n_columns=6, n_values=n_values), 2, axis=1)
    expected = balance_of(X, Y)
    rows = RNG.permutation(len(X))
    assert_same(balance_of(X[rows], Y[rows]), expected)
    assert_same(balance_of(X[:, [2, 0, 1]], Y[:, ::-1]), expected, rtol=1e-12)


def test_weights():
    X, Y = np.split(random_columns(n_columns=5), [2], axis=1)
    weight = RNG.integers(0, 4, len(X))
    weighted = balance_of(X, Y, sample_weight=weight)
    repeated = balance_of(np.repeat(X, weight, axis=0), np.repeat(Y, weight, axis=0))
    same = {"rtol": 1e-12, "atol": 1e-14}
    np.testing.assert_array_equal(weighted.table, repeated.table)
    for scale in (1e-9, 0.1, 1e9, 1e-200, 1e200):
        scaled = balance_of(X, Y, sample_weight=weight * scale)
        np.testing.assert_allclose(
            scaled.mutual_information, weighted.mutual_information, **same
        )
        assert scaled.uniform_entropy_true == weighted.uniform_entropy_true


@pytest.mark.parametrize("shift", [0, 1])
def test_values_of_weight_zero_are_not_seen(shift):
    X, Y = indicators()
    X, Y = X + shift, Y + shift
    weight = np.ones(len(X))
    weight[:100] = 0
    weight[100:] = 2
    if shift:
        X[:100] += 10
    got = balance_of(X, Y, sample_weight=weight)
    expected = balance_of(X[100:], Y[100:])
    assert got.table.shape == expected.table.shape
    assert got.uniform_entropy_true == expected.uniform_entropy_true
    assert got.mutual_information == pytest.approx(expected.mutual_information)


@pytest.mark.slow
def test_the_seed_of_the_hash_changes_nothing(monkeypatch):
    X = RNG.integers(0, 1000, (3000, 12))
    Y = RNG.random((3000, 40)) < 0.1
    expected = balance_of(X, Y)
    for seed in (3, 2**63 + 5, 0x9E3779B97F4A7C15):
        monkeypatch.setattr(hashing, "_MULTIPLIER", np.uint64(seed))
        got = balance_of(X, Y)
        assert_same(got, expected)
        assert (got.table != expected.table).nnz == 0


@pytest.mark.parametrize("n_values", [2, 5, 300])
@pytest.mark.parametrize("n_columns", [1, 3, 70])
def test_numbers_of_rows_are_those_of_unique(n_values, n_columns):
    X = random_columns(2000, n_columns, n_values)
    X[1::2] = X[::2]
    _, expected = np.unique(X, axis=0, return_inverse=True)
    for matrix in (X, X.astype(np.int16), sp.csr_array(X), pd.DataFrame(X)):
        read = variables.read_variables(matrix, "X")
        got, n_possible = variables._number(read, None)
        np.testing.assert_array_equal(got.codes, expected.ravel())
        assert got.size == expected.max() + 1
        assert n_possible == math.prod(len(np.unique(x)) for x in X.T)


# Size


def test_very_many_columns():
    """2^L is neither allocated nor does it overflow."""
    X, Y = indicators(3000, 40)
    balance = balance_of(X, sp.csr_array(Y))
    assert balance.uniform_entropy_true == balance.uniform_entropy_pred == 3000
    assert balance.n_true_classes == 40
    assert balance.mutual_information == pytest.approx(math.log2(40))
    assert balance.normalized_information_transfer == 0
    assert balance.divergence_true == pytest.approx(3000 - math.log2(40))
    assert balance.joint_fractions.sum() == pytest.approx(1, abs=1e-12)


def test_tables_are_sparse_where_dense_ones_would_be_large():
    X, Y = indicators(20, 2000)
    balance = balance_of(X, Y)
    assert sp.issparse(balance.table)
    assert balance.table.nnz <= 2000
    assert isinstance(balance_of(X[:, :4], Y[:, :4]).table, np.ndarray)


def test_memory():
    """Neither the matrix again nor anything of the size of all pairs of rows."""
    import tracemalloc

    X, Y = indicators(30, 20_000)
    balance_of(X[:10], Y[:10])
    tracemalloc.start()
    balance_of(X, Y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200 * len(X)


# Wrong input


Z = np.eye(3, dtype=int)


@pytest.mark.parametrize(
    ("X", "Y", "message"),
    [
        ([0, 1, 0], Z, r"X must be 2-D.*reshape.*Got shape \(3,\)"),
        (Z, [0, 1, 0], r"Y must be 2-D.*Got shape \(3,\)"),
        (pd.Series([0, 1, 0]), Z, r"X must be 2-D"),
        (np.zeros((3, 2, 2)), Z, r"X must be 2-D.*\(3, 2, 2\)"),
        (np.zeros((3, 0)), Z, r"X must be 2-D.*\(3, 0\)"),
        (pd.DataFrame(index=range(3)), Z, r"X must be 2-D.*\(3, 0\)"),
        (None, Z, "X must be 2-D"),
        ([[0, 1], [0]], Z, "X must be 2-D"),
        (np.zeros((0, 2)), np.zeros((0, 2)), "X is empty"),
        (Z, Z[:2], r"inconsistent numbers of samples: \[3, 2\]"),
        (Z * 0.5, Z, "Column 'x0' of X.*continuous.*0.5.*KBinsDiscretizer"),
        ([[0, 0.5], [1, 1], [0, 0]], Z, "Column 'x1' of X.*KBinsDiscretizer"),
        (Z, Z / [1, 1, np.nan], "Column 'x2' of Y must not contain.*NaN"),
        (sp.csr_array(Z * 0.5), Z, "Column 'x0' of X.*KBinsDiscretizer"),
        ([[None, 1], [0, 1], [1, 0]], Z, "Column 'x0' of X.*missing"),
        (pd.DataFrame({"a": [0, 1, None], "b": 0}), Z, "Column 'a' of X.*NaN"),
        (
            [["a", 1], [2, 1], ["a", 0]],
            Z,
            "Column 'x0' of X must hold labels of one kind",
        ),
        (np.array([["a"], ["b"], ["a"]], dtype="S1"), Z, "Column 'x0' of X.*bytes"),
        (pd.DataFrame({"t": pd.date_range("2020", periods=3)}), Z, "Column 't' of X"),
        (np.ma.masked_equal(Z, 0), Z, "X must have no masked entries"),
        # One column on each side.
        ([[0.5], [1], [0]], [[0], [1], [0]], "X must hold.*KBinsDiscretizer"),
        ([[0], [1], [0]], [[0], [np.nan], [0]], "Y must not contain"),
    ],
)
def test_wrong_input(X, Y, message):
    with pytest.raises(ValueError, match=message):
        balance_of(X, Y)


@pytest.mark.parametrize(
    "weight", [[1, -1, 0], [0, 0, 0], [1, 1], [1, np.nan, 1], [[1], [1], [1]], "abc"]
)
def test_wrong_weights(weight):
    with pytest.raises(ValueError, match=r"."):
        balance_of(Z, Z, sample_weight=weight)


# What else takes a balance


def test_a_measure_of_the_balance_is_its_own():
    balance = balance_of(*indicators())
    values = sem.measure.evaluate(
        balance, ["normalized_information_transfer", "entropy_modulated_accuracy"]
    )
    assert list(values.values()) == [
        balance.normalized_information_transfer,
        balance.entropy_modulated_accuracy,
    ]
    vi = sem.measure.variation_of_information(balance, normalize=True)
    assert vi == balance.joint_fractions[2]


@pytest.mark.parametrize(
    "call",
    [
        lambda balance: sem.confidence_interval(table=balance),
        lambda balance: sem.bootstrap_balance(balance, n_resamples=2),
        lambda balance: sem.information_report(table=balance),
    ],
)
def test_a_balance_of_variables_is_no_table_of_classes(call):
    balance = balance_of(*indicators(3))
    with pytest.raises(ValueError, match=r"several variables.*`balance\.table`"):
        call(balance)
    assert call(balance.table) is not None


def test_pickling_keeps_the_uniform_entropies():
    import pickle

    balance = balance_of(*indicators())
    assert_same(pickle.loads(pickle.dumps(balance)), balance)


@pytest.mark.filterwarnings("error")
def test_few_samples_of_many_values_warn():
    """Ten independent labels on each side seem to determine each other."""
    labels = RNG.integers(0, 2, (500, 20))
    with pytest.warns(UserWarning, match="500 of 500 are the only ones of their kind"):
        balance = balance_of(labels[:, :10], labels[:, 10:])
    assert balance.normalized_information > 0.9
    with pytest.warns(
        UserWarning, match="512 are needed .* Got 500"
    ):  # 2 · 16 · 16 > 500
        balance_of(labels[:, :4], labels[:, 10:14])
    balance_of(labels[:, :3], labels[:, 10:13])
    weight = np.where(np.arange(500) < 100, 1, 1e-9)  # counts as 100 samples
    with pytest.warns(UserWarning, match="samples are few"):
        balance_of(labels[:, :3], labels[:, 10:13], sample_weight=weight)
    with pytest.warns(UserWarning, match="are the only ones of their kind"):
        sem.SourceBalance.from_data(labels)
    sem.SourceBalance.from_data(labels[:, :5])
