"""EntropyBalance: identities, exact zeros, and digits against mpmath."""

import json
import pickle

import joblib
import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse as sp
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import homogeneity_score, mutual_info_score
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import EntropyBalance, measure
from sklearn_entropy_metrics.balance.entropy import _gain

balance_of = EntropyBalance.from_confusion_matrix

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 6))
TABLES = SHAPES.flatmap(
    lambda shape: st.one_of(
        hnp.arrays(np.int64, shape, elements=st.integers(0, 20)),
        hnp.arrays(np.int64, shape, elements=st.integers(0, 10**15)),
        hnp.arrays(np.float64, shape, elements=st.floats(0, 1, width=32)),
        hnp.arrays(np.float64, shape, elements=st.sampled_from([0, 1e-12, 1e-3, 1.0])),
    )
).filter(lambda table: table.any())


@given(TABLES)
def test_balance_and_inequalities(table):
    b = balance_of(table)
    k, m = table.shape
    assert (b.n_true_classes, b.n_pred_classes) == (k, m)
    for value in (
        b.mutual_information,
        b.variation_of_information,
        b.divergence_true,
        b.divergence_pred,
    ):
        assert value >= 0
    total = b.uniform_entropy_true + b.uniform_entropy_pred
    parts = b.divergence_true + b.divergence_pred + b.variation_of_information
    assert np.isclose(parts + 2 * b.mutual_information, total, 1e-12, 1e-12)
    assert np.isclose(
        b.joint_entropy,
        b.entropy_true + b.entropy_pred - b.mutual_information,
        1e-12,
        1e-12,
    )
    for fractions, n in (
        (b.joint_fractions, k * m),
        (b.true_fractions, k),
        (b.pred_fractions, m),
    ):
        if n == 1:
            assert np.isnan(fractions).all()
        else:
            assert ((fractions >= 0) & (fractions <= 1)).all()
            assert abs(fractions.sum() - 1) <= 1e-12
    ema, nit = b.entropy_modulated_accuracy, b.normalized_information_transfer
    assert 1 / k - 1e-12 <= nit <= ema + 1e-12 <= 1 + 1e-12
    assert 1 <= b.effective_true_classes <= k * (1 + 1e-15)
    chain = b.information_transfer_factor * b.remaining_true_classes
    assert np.isclose(chain, b.effective_true_classes, 1e-12)
    assert np.isclose(2**b.divergence_true * chain, k, 1e-12)
    # EMA never exceeds the accuracy that the best guess for each prediction has.
    assert ema <= (table / table.sum(dtype=float)).max(axis=0).sum() + 1e-12


@given(TABLES)
def test_joint_point_lies_between_the_split_points(table):
    b = balance_of(table)
    if min(table.shape) > 1:
        weights = np.array([b.uniform_entropy_true, b.uniform_entropy_pred])
        mean = weights @ [b.true_fractions, b.pred_fractions] / weights.sum()
        np.testing.assert_allclose(b.joint_fractions, mean, atol=1e-12)


def test_only_the_divergence_of_the_true_classes_is_a_matter_of_the_data():
    """The cross of the split triangle: its distance from the left side, not itself."""
    perfect = np.diag([10, 20, 70])
    majority = np.outer([10, 20, 70], [0, 0, 1])
    b = balance_of([perfect, majority])
    assert b.true_fractions[0, 0] == pytest.approx(b.true_fractions[1, 0], abs=1e-15)
    assert b.true_fractions[0, 1] > 0.7
    assert b.true_fractions[1, 1] == 0


def test_equal_error_rates_alone_do_not_lead_to_the_left_side():
    uneven = balance_of([[8, 2, 0], [2, 8, 0], [2, 0, 8]])
    assert uneven.joint_fractions[0] == pytest.approx(0.006, abs=5e-4)
    even = balance_of([[8, 1, 1], [1, 8, 1], [1, 1, 8]])
    assert even.joint_fractions[0] == pytest.approx(0, abs=1e-15)


def by_mpmath(table):
    with mpmath.workdps(60):
        cells = [[mpmath.mpf(x) for x in row] for row in table.tolist()]
        total = mpmath.fsum(x for row in cells for x in row)
        log = lambda p: p * mpmath.log(p, 2) if p else mpmath.mpf(0)  # noqa: E731
        entropy = lambda ps: -mpmath.fsum(log(p / total) for p in ps)  # noqa: E731
        rows = [mpmath.fsum(row) for row in cells]
        columns = [mpmath.fsum(column) for column in zip(*cells, strict=True)]
        h_x, h_y = entropy(rows), entropy(columns)
        h_xy = entropy([x for row in cells for x in row])
        return {
            "entropy_true": h_x,
            "entropy_pred": h_y,
            "joint_entropy": h_xy,
            "conditional_entropy_true": h_xy - h_y,
            "conditional_entropy_pred": h_xy - h_x,
            "mutual_information": h_x + h_y - h_xy,
            "entropy_modulated_accuracy": 2 ** (h_y - h_xy),
            "normalized_information_transfer": 2 ** (h_x + h_y - h_xy) / len(rows),
        }


def extreme_tables():
    rng = np.random.default_rng(0)
    for _ in range(60):
        shape = rng.integers(2, 7, 2)
        yield np.floor(10 ** rng.uniform(0, 15, shape)).astype(np.int64)
        yield 10 ** rng.uniform(-12, 0, shape)
        yield rng.integers(0, 3, shape) + np.eye(*shape, dtype=np.int64)
        near = np.outer(
            rng.integers(1, 10**4, shape[0]), rng.integers(1, 10**4, shape[1])
        )
        yield near * 10**6 + rng.integers(-9, 10, shape) * 10 ** rng.integers(0, 4)
        dominant = rng.integers(0, 9, shape)
        dominant[0, 0] = 10**15
        yield dominant


def test_digits_against_mpmath():
    for table in extreme_tables():
        b = balance_of(table)
        for name, exact in by_mpmath(table).items():
            tolerance = 1e-13
            if name == "mutual_information" and exact > 1e-40:
                tolerance = max(tolerance, 1e-15 / float(mpmath.sqrt(exact)))
            error = abs(getattr(b, name) - exact)
            assert error <= tolerance * abs(exact) + 1e-45, (name, table)


@given(
    hnp.arrays(np.int64, st.integers(1, 6), elements=st.integers(1, 10**6)),
    hnp.arrays(np.int64, st.integers(1, 6), elements=st.integers(1, 10**8)),
)
def test_independent_tables_have_exactly_no_information(rows, columns):
    b = balance_of(np.outer(rows, columns))
    assert b.mutual_information == 0
    assert b.normalized_information_transfer == 1 / len(rows)
    assert b.normalized_information == 0 or len(rows) == 1


@given(hnp.arrays(np.int64, st.integers(2, 6), elements=st.integers(1, 10**15)))
def test_diagonal_tables_leave_exactly_nothing_unknown(diagonal):
    b = balance_of(np.diag(diagonal))
    assert b.conditional_entropy_true == b.variation_of_information == 0
    assert b.entropy_modulated_accuracy == b.normalized_information == 1
    assert b.joint_fractions[2] == 0


def test_uniform_classes_have_exactly_no_divergence():
    b = balance_of([[3, 4], [7, 0], [1, 6]])
    assert b.divergence_true == 0
    assert b.normalized_information_transfer == pytest.approx(
        b.entropy_modulated_accuracy, rel=1e-15
    )
    assert balance_of(np.eye(7)).normalized_information_transfer == 1


def test_against_scikit_learn():
    rng = np.random.default_rng(0)
    for _ in range(50):
        y_true, y_pred = rng.integers(0, rng.integers(2, 20, 2)[:, None], (2, 200))
        b = EntropyBalance.from_predictions(y_true, y_pred)
        nats = mutual_info_score(y_true, y_pred)
        assert b.mutual_information == pytest.approx(nats / np.log(2), rel=1e-12)
        homogeneity = homogeneity_score(y_true, y_pred)
        assert b.normalized_information == pytest.approx(homogeneity, rel=1e-12)


def test_miller_madow_bias():
    table = np.array([[5, 1, 0], [0, 4, 0]])
    expected = (3 - 2 - 2 + 1) / (2 * 10 * np.log(2))
    assert balance_of(table).mutual_information_bias == expected == 0
    full = np.array([[5, 1], [2, 4]])
    expected = 1 / (2 * 12 * np.log(2))
    assert balance_of(full).mutual_information_bias == pytest.approx(
        expected, rel=1e-15
    )
    assert balance_of(full.astype(float)).mutual_information_bias == pytest.approx(
        expected
    )
    assert np.isnan(balance_of(full / 12).mutual_information_bias)
    large = sp.csr_array(np.pad(full, ((0, 200), (0, 200))))
    assert balance_of(large).mutual_information_bias == pytest.approx(expected)


def test_stack_equals_loop():
    stack = np.random.default_rng(0).integers(0, 9, (40, 50, 3, 4))
    stack[1, 2] = 0
    whole = balance_of(stack).to_dict()
    for index in [(0, 0), (39, 49), (17, 3)]:
        for name, value in balance_of(stack[index]).to_dict().items():
            of_stack = np.asarray(whole[name])
            np.testing.assert_array_equal(
                of_stack if np.ndim(of_stack) == 0 else of_stack[index], value, name
            )
    undefined = {
        name for name, v in whole.items() if np.ndim(v) and np.isnan(v[1][2]).all()
    }
    assert undefined == {name for name, value in whole.items() if np.ndim(value)}
    assert np.isnan(whole["mutual_information"]).sum() == 1
    assert np.shape(whole["joint_fractions"]) == (40, 50, 3)


@pytest.mark.parametrize(
    "table",
    [
        [[3, 1], [0, 4]],
        np.array([[3, 1], [0, 4]], dtype=np.float32),
        sp.csr_array([[3, 1], [0, 4]]),
        np.arange(48).reshape(2, 3, 2, 4),
        np.zeros((2, 2, 2)),
    ],
)
def test_json_takes_the_dict(table):
    b = balance_of(table)
    read = json.loads(json.dumps(b.to_dict()))
    assert list(read) == list(b.to_dict())
    for name, value in read.items():
        np.testing.assert_array_equal(value, getattr(b, name), err_msg=name)


@pytest.mark.parametrize("dtype", [np.int8, np.float16, np.float32, np.longdouble])
def test_numbers_of_any_precision(dtype):
    """Narrow types hold the cells, but not their sums, nor shares of them."""
    scale = 1 if dtype is np.int8 else 512
    table = scale * np.array([[100, 3], [7, 125]])
    got, expected = balance_of(table.astype(dtype)), balance_of(table)
    for name, value in expected.to_dict().items():
        assert getattr(got, name) == pytest.approx(value, rel=1e-14), name


def test_empty_stack():
    assert balance_of(np.zeros((0, 2, 2))).mutual_information.shape == (0,)


@pytest.mark.parametrize(
    "kind", [sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix]
)
@pytest.mark.parametrize("n_classes", [3, 300])
def test_sparse_equals_dense(kind, n_classes):
    rng = np.random.default_rng(0)
    table = rng.poisson(0.05, (n_classes, n_classes)) + np.eye(n_classes, dtype=int)
    table[:, 1] = 0
    dense, sparse = balance_of(table).to_dict(), balance_of(kind(table)).to_dict()
    for name, value in dense.items():
        np.testing.assert_allclose(sparse[name], value, rtol=1e-12, err_msg=name)


def test_sparse_with_repeated_and_explicit_zero_entries():
    table = sp.coo_array(([1, 2, 0, 4], ([0, 0, 0, 1], [0, 0, 1, 1])), shape=(2, 2))
    assert (
        balance_of(table).mutual_information_bias
        == balance_of([[3, 0], [0, 4]]).mutual_information_bias
    )


def test_constructors_agree():
    X, y = load_iris(return_X_y=True)
    classifier = GaussianNB().fit(X, y)
    of_estimator = EntropyBalance.from_estimator(classifier, X, y)
    of_labels = EntropyBalance.from_predictions(y, classifier.predict(X))
    one_hot = np.eye(3)[classifier.predict(X)]
    of_one_hot = EntropyBalance.from_probabilities(y, one_hot)
    for name, value in of_estimator.to_dict().items():
        if name != "mutual_information_bias":  # no counts behind probabilities
            got = of_one_hot.to_dict()[name]
            np.testing.assert_allclose(got, value, rtol=1e-12, atol=1e-15)
        np.testing.assert_array_equal(of_labels.to_dict()[name], value)
    soft = EntropyBalance.from_probabilities(y, classifier.predict_proba(X))
    assert 0.8 < soft.normalized_information < of_labels.normalized_information


def test_from_estimator_counts_the_classes_it_knows():
    X, y = load_iris(return_X_y=True)
    classifier = LogisticRegression(max_iter=1000).fit(X, y)
    b = EntropyBalance.from_estimator(classifier, X[:100], y[:100])
    assert b.n_true_classes == 3
    weight = np.r_[np.ones(50), np.zeros(50)]
    b = EntropyBalance.from_estimator(
        classifier, X[:100], y[:100], labels=[0, 1], sample_weight=weight
    )
    assert (b.n_true_classes, b.entropy_true) == (2, 0)


def test_object_manners():
    b = balance_of([[3, 1], [0, 4]])
    assert all(isinstance(v, int | float | list) for v in b.to_dict().values())
    assert (
        type(b.mutual_information) is type(b.normalized_information_transfer) is float
    )
    with pytest.raises(AttributeError):
        b.table = None
    with pytest.raises(TypeError):
        EntropyBalance(b.table, (1.0, 1.0))  # nothing but the table
    copy = pickle.loads(pickle.dumps(b))
    assert copy.mutual_information == b.mutual_information
    assert repr(b).startswith("<EntropyBalance of ")
    assert len(repr(b)) <= 80
    assert "stack of 2 × 2 × 2" in repr(balance_of([[[1, 2], [3, 4]]] * 2))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, -1], [0, 1]], "non-negative and finite. Got -1"),
        ([[0, 2], [-3, 1]], "non-negative and finite. Got -3"),
        ([[1, np.nan], [0, 1]], "Got nan"),
        ([[1, np.inf], [0, 1]], "Got inf"),
        ([[0, 0], [0, 0]], "all zero"),
        (sp.csr_array((2, 2)), "all zero"),
        (sp.csr_array([[1.0, -1.0]]), "Got -1.0"),
        ([1, 2, 3], "shape"),
        (np.zeros((0, 2)), "shape"),
        ([["a", "b"], ["c", "d"]], "numbers"),
        ([[1j, 0], [0, 1]], "numbers"),
        ([[1, None], [0, 1]], "Got nan"),
        (np.array([[1, "a"]], dtype=object), "A table must hold numbers"),
        (np.ma.array([[1, 2], [3, 4]], mask=[[0, 0], [0, 1]]), "masked"),
        (
            np.full((3, 3), 1e308),
            r"finite total.*overflows, the largest of them 1e\+308",
        ),
        (sp.csr_array(np.full((3, 3), 1e308)), "finite total"),
        (np.array([np.eye(2), np.full((2, 2), 1e308)]), "finite total"),
        ([[10**400, 1], [0, 1]], "int too large to convert to float"),
        (np.array([["1e4000", 1]]).astype(np.longdouble), "Got inf"),
    ],
)
def test_wrong_tables(table, message):
    with pytest.raises(ValueError, match=message):
        balance_of(table)


def test_tiny_shares_are_zero():
    """Below 2⁻²⁰⁰ of its total, a cell of a table tells nothing."""
    seen = balance_of([[3.0, 1.0], [1.0, 2.0**-190]])
    assert seen.conditional_entropy_pred > 0
    for tiny in (2.0**-201, 1e-300, 5e-324):
        got, expected = (balance_of([[3.5, 1], [1, x]]).to_dict() for x in (tiny, 0))
        np.testing.assert_equal(got, expected)
        assert balance_of([[1.0, tiny], [0, tiny]]).entropy_true == 0
    far = EntropyBalance.from_predictions([0, 1], [0, 1], sample_weight=[1e308, 5e-324])
    assert far.mutual_information == 0
    # Each table of a stack by itself.
    stack = [[[1e308, 0], [0, 1e308 / 2]], [[5e-324, 0], [0, 5e-324]]]
    assert (balance_of(stack).normalized_information == 1).all()


def test_totals_near_the_largest_float():
    for table in ([[1.7e308, 0], [0, 1]], [[8e307, 1e307], [2e307, 6e307]]):
        small = balance_of(np.array(table) * 2.0**-500).to_dict()
        del small["mutual_information_bias"]
        for name, value in small.items():
            got = getattr(balance_of(table), name)
            np.testing.assert_allclose(got, value, 1e-13, err_msg=name)


@pytest.mark.parametrize("kind", [np.array, sp.csr_array])
@pytest.mark.parametrize("size", [2, 200])
def test_counts_beyond_the_largest_integer(kind, size):
    table = np.zeros((size, size), dtype=np.int64)
    table[:2, :2] = [[2**62, 2**62], [2**61, 2**62]]
    b = balance_of(kind(table))
    assert b.table.dtype == np.int64
    for name, value in balance_of(table / 2**61).to_dict().items():
        if name != "mutual_information_bias":
            np.testing.assert_allclose(getattr(b, name), value, 1e-14, err_msg=name)
    for name in ("accuracy", "confusion_entropy", "discriminant_capability_macro"):
        got, expected = (measure.evaluate(t, [name])[name] for t in (b, table / 2**61))
        assert got == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    "kind", [sp.coo_array, sp.csr_array, sp.csc_array, sp.coo_matrix]
)
def test_repeated_entries_do_not_overflow(kind):
    """One of eight bits for each sample is a way to count."""
    places = np.repeat([0, 1], [300, 7]), np.repeat([0, 1], [300, 7])
    if kind in (sp.coo_array, sp.coo_matrix):
        table = kind((np.ones(307, dtype=np.int8), places), shape=(2, 2))
    else:
        ends = [0, 300, 307]
        table = kind((np.ones(307, dtype=np.int8), places[0], ends), shape=(2, 2))
    np.testing.assert_array_equal(balance_of(table).table.toarray(), [[300, 0], [0, 7]])
    cells = [2**62, 2**62, 2**62], ([0, 0, 1], [0, 0, 1])
    b = balance_of(sp.coo_array(cells, shape=(2, 2)))
    np.testing.assert_array_equal(b.table.toarray(), [[2.0**63, 0], [0, 2.0**62]])


def test_no_probability_at_all():
    for smoothing in (None, "empirical_bayes"):
        with (
            pytest.warns(UserWarning, match="sum to one"),
            pytest.raises(ValueError, match="all zero"),
        ):
            EntropyBalance.from_probabilities(
                [0, 1], np.zeros((2, 2)), smoothing=smoothing
            )


# Whose table it is


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_a_balance_owns_its_table(dtype):
    table = np.array([[3, 1], [0, 4]], dtype=dtype)
    for make in (balance_of, EntropyBalance):
        b, before = make(table), table.copy()
        expected = make(before).to_dict()
        assert table.flags.writeable
        table[:] = 7
        np.testing.assert_array_equal(b.table, before)
        for name, value in expected.items():
            np.testing.assert_array_equal(getattr(b, name), value)
        with pytest.raises(ValueError, match="read-only"):
            b.table[0, 0] = 1
        table[:] = before


@pytest.mark.parametrize("make", [balance_of, EntropyBalance])
def test_a_balance_owns_its_sparse_table(make):
    table = sp.csr_array(np.array([[3, 1], [0, 4]]))
    b = make(table)
    table.data[:] = 7
    table.indices[:] = 0
    np.testing.assert_array_equal(b.table.toarray(), [[3, 1], [0, 4]])
    with pytest.raises(ValueError, match="read-only"):
        b.table.data[0] = 1
    assert b.mutual_information == balance_of([[3, 1], [0, 4]]).mutual_information


def test_tables_stay_read_only_in_pickles_and_stacks():
    for table in (np.eye(3), np.ones((4, 2, 2)), sp.csr_array(np.eye(200))):
        b = pickle.loads(pickle.dumps(balance_of(table)))
        cells = b.table if isinstance(table, np.ndarray) else b.table.data
        assert not cells.flags.writeable
        assert np.isfinite(b.mutual_information).all()


def repeated_entries():
    return sp.csr_array(([1, 2, 4], [1, 1, 0], [0, 2, 3]), shape=(2, 2))


def unsorted_entries():
    return sp.csr_array(([1, 2, 4], [1, 0, 0], [0, 2, 3]), shape=(2, 2))


@pytest.mark.parametrize("make", [repeated_entries, unsorted_entries])
@pytest.mark.parametrize("writeable", [True, False])
@pytest.mark.parametrize(
    "measured",
    [
        lambda table: balance_of(table).mutual_information,
        measure.accuracy,
        measure.confusion_entropy,
        measure.unbiased_accuracy,
    ],
)
def test_sparse_tables_of_others_stay_as_they_are(make, writeable, measured):
    table = make()
    buffers = table.data, table.indices, table.indptr
    before = [buffer.copy() for buffer in buffers]
    for buffer in buffers:
        buffer.flags.writeable = writeable
    assert measured(table) == measured(table.toarray())
    for now, then in zip(
        (table.data, table.indices, table.indptr), before, strict=True
    ):
        np.testing.assert_array_equal(now, then)
    assert table.nnz == 3


def test_memory_maps(tmp_path):
    stack = np.random.default_rng(0).integers(0, 9, (5, 3, 3))
    np.save(tmp_path / "stack.npy", stack)
    mapped = np.load(tmp_path / "stack.npy", mmap_mode="r")
    for name, values in measure.evaluate(mapped).items():
        np.testing.assert_array_equal(values, measure.evaluate(stack, [name])[name])
    sparse = joblib_map(sp.csr_array(np.eye(150)), tmp_path)
    assert balance_of(sparse).normalized_information == 1


def joblib_map(table, folder):
    """What workers of joblib get of a large array."""
    joblib.dump(table, folder / "table")
    return joblib.load(folder / "table", mmap_mode="r")


def test_sums_of_large_sparse_counts_with_explicit_zeros():
    """More than 16,384 cells, and zeros in a row of their own and beside others."""
    values = np.array([3, 0, 4, 0, 2, 0])
    places = np.array([0, 0, 1, 2, 2, 3]), np.array([0, 1, 1, 0, 1, 3])
    table = sp.coo_array((values, places), shape=(200, 200)).tocsr()
    assert table.nnz == 6
    sparse, dense = balance_of(table), balance_of(table.toarray())
    for name, value in dense.to_dict().items():
        np.testing.assert_allclose(getattr(sparse, name), value, 1e-13, err_msg=name)
    assert sparse.conditional_entropy_pred == 0


@pytest.mark.parametrize("seed", range(5))
def test_independent_weights_in_a_large_sparse_table_have_no_negative_information(seed):
    rng = np.random.default_rng(seed)
    table = np.outer(rng.random(150), rng.random(150))  # no cell is empty
    assert 0 <= balance_of(sp.csr_array(table)).mutual_information < 1e-14


@pytest.mark.parametrize("size", [1e-12, 1e-6, 1e-3, 0.01999, 0.02001, 0.9])
@pytest.mark.parametrize("sign", [1, -1])
def test_terms_of_nearly_independent_cells_against_mpmath(size, sign):
    excess = mpmath.mpf(sign * size)
    with mpmath.workdps(50):
        exact = (1 + excess) * mpmath.log1p(excess) - excess
    (got,) = _gain(np.array([sign * size]))
    # Above .02 the difference of two larger terms is taken.
    assert got == pytest.approx(float(exact), rel=1e-15 if size < 0.02 else 1e-13)
