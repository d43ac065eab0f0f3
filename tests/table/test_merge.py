"""Tables over the same classes."""

import numpy as np
import pytest
from scipy import sparse as sp

from sklearn_entropy_metrics import contingency_table
from sklearn_entropy_metrics.table.merge import align, merge_parts
from sklearn_entropy_metrics.table.tabulate import tabulate_part

NAMES = np.array(["ant", "bee", "cat", "dog", "emu"])
WIDE = np.array([-(2**62), -5, 0, 7, 2**62])


def draw(labels, seed):
    """Labels of a few samples, so that classes are missing."""
    rng = np.random.default_rng(seed)
    return labels[rng.integers(0, len(labels), (2, 6))]


@pytest.mark.parametrize("labels", [NAMES, WIDE], ids=["names", "wide"])
@pytest.mark.parametrize("pred_labels", [None, "given"])
def test_aligned_tables_are_those_of_all_labels(labels, pred_labels):
    samples = [draw(labels, seed) for seed in range(4)]
    given = labels[::-1] if pred_labels else None
    parts = align([tabulate_part(*pair, pred_labels=given) for pair in samples])
    true, pred = np.concatenate(samples, axis=1)
    rows = np.unique(true if pred_labels else [true, pred])
    for part, pair in zip(parts, samples, strict=True):
        np.testing.assert_array_equal(part.labels, rows)
        expected = contingency_table(*pair, labels=rows, pred_labels=given)
        np.testing.assert_array_equal(part.table, expected)
        assert part.n_samples == 6
    whole = merge_parts([tabulate_part(*pair, pred_labels=given) for pair in samples])
    np.testing.assert_array_equal(sum(part.table for part in parts), whole.table)


def test_large_tables_stay_sparse():
    samples = [np.arange(500 * i, 500 * (i + 1)) for i in range(2)]
    parts = align([tabulate_part(y, y) for y in samples])
    for part, y in zip(parts, samples, strict=True):
        assert sp.issparse(part.table)
        assert part.table.shape == (1000, 1000)
        np.testing.assert_array_equal(part.table.diagonal().nonzero()[0], y)


def test_one_table_stays_as_it_is():
    (part,) = align([tabulate_part(["b", "a"], ["b", "b"], labels=["b", "a"])])
    np.testing.assert_array_equal(part.table, [[1, 0], [1, 0]])
    np.testing.assert_array_equal(part.labels, ["b", "a"])
