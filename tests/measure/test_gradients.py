"""Gradients of measures: formulas beside differences of the measures themselves."""

import numpy as np
import pytest
import sklearn

from sklearn_entropy_metrics.measure import MEASURES, gradients

OF_TABLES = [
    name
    for name, m in MEASURES.items()
    if m.input.endswith("table") and m.gradient is not None
]
RNG = np.random.default_rng(11)


def distribution(measure, *, n_classes=4, empty=False):
    """A random distribution that the measure takes, with an empty cell and class."""
    n_classes = 2 if measure.input == "2x2 table" else n_classes
    shares = RNG.dirichlet(np.full(n_classes**2, 3.0)).reshape(n_classes, n_classes)
    if empty:
        shares[1, 0] = 0
        if n_classes > 2:
            shares[-1] = shares[:, -1] = 0
    return shares / shares.sum()


def central_difference(function, shares, step=1e-6):
    """Slopes towards each occupied cell, to ten digits or so."""
    slopes = np.zeros_like(shares)
    for cell in zip(*shares.nonzero(), strict=True):
        way = -shares.copy()
        way[cell] += 1
        there, back = function(shares + step * way), function(shares - step * way)
        slopes[cell] = (there - back) / (2 * step)
    return slopes


def assert_close(got, expected, tolerance):
    assert np.abs(got - expected).max() <= tolerance * np.abs(expected).max()


@pytest.mark.parametrize("name", OF_TABLES)
@pytest.mark.parametrize("empty", [False, True], ids=["full", "empty cells"])
@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_formula_equals_difference(name, empty, n_classes):
    measure = MEASURES[name]
    assert measure.gradient is not None
    shares = distribution(measure, n_classes=n_classes, empty=empty)
    expected = central_difference(measure, shares)
    if abs(expected).max() < 1e-9:  # precision without a false positive is 1
        assert abs(measure.influence(shares)).max() < 1e-9
    else:
        assert_close(measure.influence(shares), expected, 1e-6)


@pytest.mark.parametrize("name", OF_TABLES)
def test_formula_equals_numeric_gradient(name):
    measure = MEASURES[name]
    shares = distribution(measure)
    numeric = gradients.numeric_gradient(measure, shares)
    assert_close(measure.influence(shares), numeric, 1e-4)


@pytest.mark.parametrize("name", [n for n in OF_TABLES if MEASURES[n].input == "table"])
def test_rectangular(name):
    shares = RNG.dirichlet(np.full(15, 2.0)).reshape(3, 5)
    expected = central_difference(MEASURES[name], shares)
    assert_close(MEASURES[name].influence(shares), expected, 1e-6)


@pytest.mark.parametrize("name", OF_TABLES)
def test_mean_is_zero_and_stacks_equal_loops(name):
    measure = MEASURES[name]
    stack = np.array([distribution(measure, empty=i % 2 == 1) for i in range(6)])
    got = measure.influence(stack)
    assert not got[stack == 0].any()
    np.testing.assert_allclose((stack * got).sum(axis=(-2, -1)), 0, atol=1e-12)
    for one, shares in zip(got, stack, strict=True):
        np.testing.assert_allclose(one, measure.influence(shares), rtol=1e-12)


def test_a_measure_that_counts_samples_has_the_gradient_of_its_limit():
    adjusted = MEASURES["adjusted_normalized_information"]
    shares = distribution(adjusted)
    expected = MEASURES[adjusted.limit].influence(shares)
    np.testing.assert_array_equal(adjusted.influence(shares), expected)


def test_undefined_measures_have_undefined_gradients():
    one_class = np.array([[0.5, 0.5], [0, 0]])
    for name in ("normalized_information", "discriminant_capability_macro"):
        assert np.isnan(MEASURES[name](one_class))
        assert np.isnan(MEASURES[name].influence(one_class)[0]).all()


@pytest.mark.parametrize(
    "table", [[[5, 0], [3, 0]], [[0, 5], [0, 3]], [[5, 0], [0, 4]]]
)
@pytest.mark.parametrize("name", [n for n in OF_TABLES if "macro" in n])
def test_what_does_not_change_has_no_round_off(name, table):
    shares = np.array(table) / np.sum(table)
    gradient = MEASURES[name].influence(shares)
    if abs(central_difference(MEASURES[name], shares)).max() < 1e-9:
        assert not gradient.any()


def test_numeric_gradient_keeps_to_the_working_memory():
    sizes = []

    def count(tables):
        sizes.append(tables.nbytes)
        return tables[..., 0, 0]

    shares = np.full((40, 40), 1 / 1600)
    with sklearn.config_context(working_memory=1):
        gradient = gradients.numeric_gradient(count, shares)
    assert max(sizes) < 2**20
    assert len(sizes) > 10
    expected = np.full((40, 40), -1 / 1600)
    expected[0, 0] += 1
    np.testing.assert_allclose(gradient, expected, atol=1e-9)


@pytest.mark.parametrize("name", OF_TABLES)
def test_bounds(name):
    low, high = MEASURES[name].bounds((3, 4))
    assert low < high
    depends_on_k = ("variation_of_information", "probability_information")
    assert MEASURES[name].bounds((2, 2))[1] >= high or name in depends_on_k


def test_bounds_by_hand():
    bounds = {name: MEASURES[name].bounds((4, 2)) for name in OF_TABLES}
    assert bounds["entropy_modulated_accuracy"] == (0.25, 1)
    assert bounds["variation_of_information"] == (0, 3)
    assert bounds["matthews_corrcoef"] == (-1, 1)
    assert bounds["confusion_entropy"] == (0, 1)
    assert MEASURES["confusion_entropy"].bounds((2, 2)) == (0, 1.0615)
