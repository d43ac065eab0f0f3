"""The hash table of labels against sorting, and bounds of integers."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_entropy_metrics import contingency_table
from sklearn_entropy_metrics.table import hashing
from sklearn_entropy_metrics.table.tabulate import tabulate_labels


@pytest.mark.parametrize("n_words", [1, 3])
@pytest.mark.parametrize("n_distinct", [1, 100, 9000, 40_000])
def test_hash_codes_number_the_distinct_rows(n_words, n_distinct):
    rng = np.random.default_rng(n_distinct)
    rows = rng.integers(0, 2**64, (n_distinct, n_words), dtype=np.uint64)
    words = rows[rng.integers(0, n_distinct, 50_000)]
    codes, first = hashing.hash_codes(words)
    np.testing.assert_array_equal(words[first][codes], words)
    _, expected = np.unique(words, axis=0, return_index=True)
    np.testing.assert_array_equal(np.sort(first), np.sort(expected))


def test_rows_that_differ_in_one_word_only():
    words = np.zeros((3000, 4), dtype=np.uint64)
    words[:, 2] = np.arange(3000) % 1500
    codes, first = hashing.hash_codes(words)
    assert len(first) == 1500
    np.testing.assert_array_equal(codes[:1500], codes[1500:])


@given(st.lists(st.integers(0, 7), min_size=1, max_size=50))
def test_collisions_are_resolved(monkeypatch_values):
    """All rows want the same slot, and still none is taken for another."""
    words = np.array(monkeypatch_values, dtype=np.uint64).reshape(-1, 1)
    original = hashing._slots
    hashing._slots = lambda words: np.full(len(words), hashing._SLOTS - 1)
    try:
        codes, first = hashing.hash_codes(words)
    finally:
        hashing._slots = original
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


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("n_samples", [8192, 8193, 20_000])
def test_negative_labels_in_one_of_two_arrays(n_samples, flipped):
    y_true = np.arange(n_samples) % 3
    y_pred = np.where(np.arange(n_samples) == n_samples - 1, -1, y_true)
    pair = (y_pred, y_true) if flipped else (y_true, y_pred)
    found = tabulate_labels(*pair)
    assert found.labels.tolist() == [-1, 0, 1, 2]
    expected = np.diag([0, *np.bincount(y_true)])
    expected[y_true[-1] + 1, y_true[-1] + 1] -= 1
    expected[(0, y_true[-1] + 1) if flipped else (y_true[-1] + 1, 0)] += 1
    np.testing.assert_array_equal(found.table, expected)


@pytest.mark.parametrize("labels", [[-5, 200], [200, 201], [0, 1], [2**63, 2**63 + 7]])
def test_labels_are_told_as_they_are(labels):
    dtype = np.uint64 if labels[0] >= 2**63 else np.int64
    found = tabulate_labels(*np.array([labels, labels[::-1]], dtype=dtype))
    assert found.labels.tolist() == found.pred_labels.tolist() == labels
    np.testing.assert_array_equal(found.table, [[0, 1], [1, 0]])


@pytest.mark.parametrize("dtype", ["<i8", ">i8", "<u2", ">u2"])
def test_labels_are_read_in_their_byte_order(dtype):
    """Read in the other order these were small."""
    size = np.dtype(dtype).itemsize
    labels = [0, 3 << 8 * (size - 1)]
    found = tabulate_labels(*np.array([labels, labels[::-1]], dtype=dtype))
    assert found.labels.tolist() == labels
    np.testing.assert_array_equal(found.table, [[0, 1], [1, 0]])


# The multiplier that every process had before it was drawn anew.
KNOWN = 0x9E3779B97F4A7C15


def crafted_labels(n_labels):
    """Different labels that a hash by the known multiplier puts into one slot."""
    inverse = np.uint64(pow(KNOWN, -1, 2**64))
    key = np.arange(1, n_labels + 1, dtype=np.uint64) * inverse
    return (key ^ key >> np.uint64(32)) * inverse


def count_rounds(monkeypatch, y):
    """How often rows look at a slot until all are told apart."""
    rounds = []
    compare = hashing._equal_rows
    with monkeypatch.context() as patch:
        patch.setattr(
            hashing, "_equal_rows", lambda *rows: rounds.append(1) or compare(*rows)
        )
        table = contingency_table(y, y, sparse=True)
    assert (table.diagonal() == 1).all()
    assert table.shape == (len(y), len(y))
    return len(rounds)


def test_crafted_labels_do_not_collide(monkeypatch):
    y = crafted_labels(4000)
    assert count_rounds(monkeypatch, y) < 400
    monkeypatch.setattr(hashing, "_MULTIPLIER", np.uint64(KNOWN))
    assert count_rounds(monkeypatch, y) >= 4000  # the labels are what they claim to be


@pytest.mark.slow
def test_each_process_hashes_in_its_own_way():
    code = (
        "from sklearn_entropy_metrics.table import hashing; "
        "print(int(hashing._MULTIPLIER))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    other = int(run.stdout)
    assert other % 2 == int(hashing._MULTIPLIER) % 2 == 1
    assert len({other, int(hashing._MULTIPLIER), KNOWN}) == 3


@pytest.mark.parametrize(
    "y",
    [
        np.arange(300) * 10**12,
        np.array([f"label {i}" for i in range(300)]),
        np.array([True, 1, 0, False] * 99, dtype=object),
        np.array([1, True] * 99, dtype=object),
        np.array([True, 1] * 99, dtype=object),
    ],
)
def test_results_do_not_depend_on_the_hash(monkeypatch, y):
    results = []
    for multiplier in (KNOWN, 1, 2**63 + 1, 2**64 - 1):
        monkeypatch.setattr(hashing, "_MULTIPLIER", np.uint64(multiplier))
        found = tabulate_labels(y, y[::-1], labels=None, sparse=True)
        results.append((found.labels, found.table.toarray()))
    for labels, table in results[1:]:
        assert labels.dtype == results[0][0].dtype
        np.testing.assert_array_equal(labels, results[0][0])
        np.testing.assert_array_equal(table, results[0][1])


def test_the_first_of_equal_objects_decides():
    """True and 1 are one label, told as what is met first, however it is found."""
    for n_samples in (2, 2000):  # a dict; a hash table of addresses
        for first, dtype in ((True, bool), (1, np.int64)):
            y = np.array([first, 1 if first is True else True], dtype=object)
            labels = tabulate_labels(
                np.resize(y, n_samples), np.resize(y, n_samples)
            ).labels
            assert labels.dtype == dtype
            assert labels.tolist() == [1]
