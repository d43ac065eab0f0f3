"""One table and the same table in a stack: the same bits, however it lies in memory."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_entropy_metrics import EntropyBalance, measure
from sklearn_entropy_metrics.measure import MEASURES

SIZES = st.sampled_from([1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33])


@st.composite
def stacks(draw):
    """Tables of one kind each, or of several: counts, weights, extreme numbers."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, k = draw(st.sampled_from([1, 2, 3, 7, 40])), draw(SIZES)
    m = draw(st.sampled_from([k, draw(SIZES)]))
    shape = n, k, m
    makers = {
        "counts": lambda: generator.poisson(2, shape),
        "many": lambda: generator.integers(0, 2**50, shape),
        "weights": lambda: generator.random(shape) ** 4,
        "uniform": lambda: np.full(shape, generator.random()),
        "extreme": lambda: 10 ** generator.uniform(-280, 280, shape),
        "subnormal": lambda: generator.integers(0, 9, shape) * 5e-324,
    }
    kinds = draw(st.lists(st.sampled_from(sorted(makers)), min_size=1, max_size=3))
    stack = np.concatenate([makers[kind]() for kind in kinds])
    stack[0, 0, 0] += 1
    return stack[generator.permutation(len(stack))]


def same_bits(one, of_stack, name):
    np.testing.assert_array_equal(np.asarray(one), np.asarray(of_stack), name)


@given(stacks())
def test_balance(stack):
    whole = EntropyBalance.from_confusion_matrix(stack).to_dict()
    for i in (0, len(stack) // 2, len(stack) - 1):
        if not stack[i].any():
            continue
        for table in (stack[i], np.asfortranarray(stack[i])):
            for name, one in (
                EntropyBalance.from_confusion_matrix(table).to_dict().items()
            ):
                of_stack = whole[name]
                same_bits(one, of_stack[i] if np.ndim(of_stack) else of_stack, name)


@given(stacks())
def test_measures(stack):
    stack = stack[..., : min(stack.shape[1:]), : min(stack.shape[1:])]
    names = [
        name
        for name, one in MEASURES.items()
        if one.input in ("square table", "probabilities")
        or (one.input == "2x2 table" and stack.shape[-1] == 2)
    ]
    for name in names:
        function = MEASURES[name]
        whole = function(stack)
        for place, table in ((0, stack[0]), (-1, stack[-1])):
            if table.any():
                same_bits(function(table), whole[place], name)
                same_bits(function(np.asfortranarray(table)), whole[place], name)
    per_class = measure.confusion_entropy_per_class(stack)
    if stack[0].any():
        same_bits(measure.confusion_entropy_per_class(stack[0]), per_class[0], "CEN_j")


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)])
def test_views(order):
    """Stacks whose axes lie in any order in memory."""
    stack = np.random.default_rng(0).random((50, 9, 11))
    turned = np.ascontiguousarray(stack.transpose(order)).transpose(np.argsort(order))
    a, b = (EntropyBalance.from_confusion_matrix(s).to_dict() for s in (stack, turned))
    for name, values in a.items():
        same_bits(values, b[name], name)


@pytest.mark.parametrize("value", [1, 3, 0.1, 1e-300, 1e300, 5e-324])
@pytest.mark.parametrize("k", [1, 2, 3, 5, 6, 7, 10, 49, 100, 300])
def test_perplexities_of_uniform_tables_are_exact(k, value):
    for m in (1, 3, k):
        balance = EntropyBalance.from_confusion_matrix(np.full((k, m), value))
        assert balance.effective_true_classes == balance.remaining_true_classes == k
        assert balance.effective_pred_classes == balance.remaining_pred_classes == m
        assert balance.entropy_modulated_accuracy == 1 / k
        assert balance.normalized_information_transfer == 1 / k
        assert balance.information_transfer_factor == 1
    perfect = EntropyBalance.from_confusion_matrix(value * np.eye(k))
    assert perfect.information_transfer_factor == k
    assert perfect.normalized_information_transfer == 1
    assert perfect.entropy_modulated_accuracy == 1


@given(stacks())
def test_perplexities_stay_in_range(stack):
    balance = EntropyBalance.from_confusion_matrix(stack[stack.any(axis=(1, 2))])
    k, m = balance.n_true_classes, balance.n_pred_classes
    for name, most in (
        ("effective_true_classes", k),
        ("remaining_true_classes", k),
        ("effective_pred_classes", m),
        ("remaining_pred_classes", m),
        ("information_transfer_factor", min(k, m)),
    ):
        values = getattr(balance, name)
        assert ((values >= 1) & (values <= most)).all(), name
    assert (balance.entropy_modulated_accuracy >= 1 / k).all()
    assert (balance.normalized_information_transfer >= 1 / k).all()


def test_nearly_uniform():
    """Closer to uniform than an entropy can tell, on either side of the change."""
    for step in (1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-12):
        table = np.ones((7, 3))
        table[0] += step
        balance = EntropyBalance.from_confusion_matrix(table)
        shares = table.sum(axis=1) / table.sum()
        exact = np.prod(shares**-shares)
        assert balance.effective_true_classes == pytest.approx(exact, rel=1e-14)
        assert balance.remaining_true_classes == pytest.approx(exact, rel=1e-14)
        assert balance.effective_true_classes <= 7


def test_nothing_warns_about_zero_tables_in_a_stack():
    stack = np.zeros((3, 4, 4))
    stack[1] = np.eye(4) * 1e-310
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = measure.evaluate(stack)
    del values["adjusted_normalized_information"]  # there is less than a sample
    for name, value in values.items():
        np.testing.assert_array_equal(np.isnan(value), [True, False, True], name)
