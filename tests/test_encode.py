"""Codes of labels: the hash table against sorting, and bounds of integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_entropy_metrics import _encode, contingency_table


@pytest.mark.parametrize("n_words", [1, 3])
@pytest.mark.parametrize("n_distinct", [1, 100, 9000, 40_000])
def test_hash_codes_number_the_distinct_rows(n_words, n_distinct):
    rng = np.random.default_rng(n_distinct)
    rows = rng.integers(0, 2**64, (n_distinct, n_words), dtype=np.uint64)
    words = rows[rng.integers(0, n_distinct, 50_000)]
    codes, first = _encode.hash_codes(words)
    np.testing.assert_array_equal(words[first][codes], words)
    assert len(np.unique(words[first], axis=0)) == len(first)


def test_rows_that_differ_in_one_word_only():
    words = np.zeros((3000, 4), dtype=np.uint64)
    words[:, 2] = np.arange(3000) % 1500
    codes, first = _encode.hash_codes(words)
    assert len(first) == 1500
    np.testing.assert_array_equal(codes[:1500], codes[1500:])


@given(st.lists(st.integers(0, 7), min_size=1, max_size=50))
def test_collisions_are_resolved(monkeypatch_values):
    """All rows want the same slot, and still none is taken for another."""
    words = np.array(monkeypatch_values, dtype=np.uint64).reshape(-1, 1)
    original = _encode._slots
    _encode._slots = lambda words, n_slots: np.full(len(words), n_slots - 1)
    try:
        codes, first = _encode.hash_codes(words)
    finally:
        _encode._slots = original
    np.testing.assert_array_equal(words[first][codes], words)
    assert len(first) == len(set(monkeypatch_values))


@pytest.mark.parametrize(
    ("dtype", "low"),
    [("i1", -5), ("u1", 60), ("i4", 0), ("u8", 3), ("i8", -5), ("i8", 100), ("?", 0)],
)
def test_many_samples_have_the_labels_of_few(dtype, low):
    # Beyond a block of samples the bounds of small labels are found in another way.
    labels = np.arange(low, low + 6).astype(dtype)
    y_true, y_pred = labels[np.random.default_rng(0).integers(0, 6, (2, 50_000))]
    table = contingency_table(y_true, y_pred)
    expected = sum(
        contingency_table(*part, labels=np.unique(labels))
        for part in zip(np.split(y_true, 100), np.split(y_pred, 100), strict=True)
    )
    np.testing.assert_array_equal(table, expected)
