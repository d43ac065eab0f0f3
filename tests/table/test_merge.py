"""Tables of parts of the samples, over the same classes."""

import numpy as np
import pytest
from scipy import sparse as sp

from sklearn_entropy_metrics import contingency_table
from sklearn_entropy_metrics.table.merge import merge_tables, stack_tables
from sklearn_entropy_metrics.table.tabulate import tabulate_part

NAMES = np.array(["ant", "bee", "cat", "dog", "emu"])
WIDE = np.array([-(2**62), -5, 0, 7, 2**62])


def draw(labels, seed):
    """Labels of a few samples, so that classes are missing."""
    rng = np.random.default_rng(seed)
    return labels[rng.integers(0, len(labels), (2, 6))]


@pytest.mark.parametrize("labels", [NAMES, WIDE], ids=["names", "wide"])
@pytest.mark.parametrize("pred_labels", [None, "given"])
def test_parts_are_placed_among_all_labels(labels, pred_labels):
    samples = [draw(labels, seed) for seed in range(4)]
    given = labels[::-1] if pred_labels else None
    parts = [tabulate_part(*pair, pred_labels=given) for pair in samples]
    true, pred = np.concatenate(samples, axis=1)
    rows = np.unique(true if pred_labels else [true, pred])
    stack, whole = stack_tables([*parts, None]), merge_tables(parts)
    for found in (stack, whole):
        np.testing.assert_array_equal(found.labels, rows)
        assert found.n_samples == 24
    for table, pair in zip(stack.table, samples, strict=False):
        expected = contingency_table(*pair, labels=rows, pred_labels=given)
        np.testing.assert_array_equal(table, expected)
    assert not stack.table[-1].any()
    np.testing.assert_array_equal(stack.table.sum(axis=0), whole.table)


def test_large_tables_stay_sparse():
    samples = [np.arange(500 * i, 500 * (i + 1)) for i in range(2)]
    whole = merge_tables([tabulate_part(y, y) for y in samples])
    assert sp.issparse(whole.table)
    assert whole.table.shape == (1000, 1000)
    assert (whole.table.diagonal() == 1).all()


def test_labels_that_are_alike_keep_their_order():
    part = tabulate_part(["b", "a"], ["b", "b"], labels=["b", "a"])
    whole = merge_tables([part, part])
    np.testing.assert_array_equal(whole.table, [[2, 0], [2, 0]])
    np.testing.assert_array_equal(whole.labels, ["b", "a"])


def test_effective_sizes_of_weights_add_up():
    y, weight = np.arange(8) % 2, np.arange(1.0, 9)
    parts = [
        tabulate_part(y[i : i + 4], y[i : i + 4], sample_weight=weight[i : i + 4])
        for i in (0, 4)
    ]
    expected = tabulate_part(y, y, sample_weight=weight).n_samples
    assert merge_tables(parts).n_samples == pytest.approx(expected, rel=1e-14)
    assert expected == pytest.approx(36**2 / 204)
