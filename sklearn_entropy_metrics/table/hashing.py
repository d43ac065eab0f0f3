"""Rows of machine words → numbers of the distinct ones: a vectorised hash table.

It compares whole words, so no two rows are ever merged by chance, and it is seeded.
"""

import math
import os

import numpy as np

_BLOCK = 1 << 13
# Odd, and different in each process, so nobody can prepare labels that collide.
_MULTIPLIER = np.uint64(int.from_bytes(os.urandom(8), "little") | 1)


def hash_codes(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number the distinct rows of a matrix of machine words, without sorting.

    An open-addressing hash table that processes a block of rows at a time: all rows of
    the block look at their slot at once, and those that find another row's words there
    move on to the next slot together.

    Parameters
    ----------
    words : ndarray of shape (n_rows, n_words), dtype uint64

    Returns
    -------
    codes : ndarray of shape (n_rows,)
        Equal rows have equal codes, from 0 on.

    first : ndarray of shape (n_codes,)
        The index of the first row of each code.
    """
    n_rows = len(words)
    codes = np.empty(n_rows, dtype=np.intp)
    first = np.empty(2 * _BLOCK, dtype=np.intp)
    n_codes = 0
    table = np.full(4 * _BLOCK, -1, dtype=np.intp)
    for start in range(0, n_rows, _BLOCK):
        block = words[start : start + _BLOCK]
        if 2 * (n_codes + _BLOCK) > len(table):  # at most half full after this block
            first = np.resize(first, 4 * len(first))
            table = _rehashed(words[first[:n_codes]], 4 * len(table))
        mask = len(table) - 1
        slots = _slots(block, len(table))
        rows = np.arange(len(block))
        while len(rows):
            found = table[slots]
            fresh = found < 0
            if fresh.any():
                # The last one to be written stays: the first row that wants the slot.
                table[slots[fresh][::-1]] = -2 - rows[fresh][::-1]
                owners = fresh & (table[slots] == -2 - rows)
                numbers = np.arange(n_codes, n_codes + np.count_nonzero(owners))
                table[slots[owners]] = numbers
                first[numbers] = start + rows[owners]
                n_codes += len(numbers)
                found = table[slots]
            same = _equal_rows(words[first[found]], block[rows])
            codes[start + rows[same]] = found[same]
            rows, slots = rows[~same], (slots[~same] + 1) & mask
    return codes, first[:n_codes]


def _slots(words, n_slots):
    """First slot of each row: the high bits of a multiplicative hash."""
    key = words[:, 0] * _MULTIPLIER
    for column in words.T[1:]:
        key ^= key >> np.uint64(32)
        key += column
        key *= _MULTIPLIER
    key ^= key >> np.uint64(32)
    key *= _MULTIPLIER
    return (key >> np.uint64(64 - n_slots.bit_length() + 1)).astype(np.intp)


def _rehashed(words, n_slots):
    """A larger hash table of rows known to be distinct, in the order of their codes."""
    table = np.full(n_slots, -1, dtype=np.intp)
    slots, codes = _slots(words, n_slots), np.arange(len(words))
    while len(codes):
        free = table[slots] < 0
        table[slots[free]] = codes[free]
        placed = table[slots] == codes
        codes, slots = codes[~placed], (slots[~placed] + 1) & (n_slots - 1)
    return table


def _equal_rows(a, b):
    return a[:, 0] == b[:, 0] if a.shape[1] == 1 else (a == b).all(axis=1)


def words_of_strings(y: np.ndarray) -> np.ndarray:
    """Fixed-width strings as rows of 64-bit words, without loss.

    The characters are first narrowed to the fewest bytes that hold them all: eight
    Latin letters are one word instead of four.
    """
    y = np.ascontiguousarray(y.astype(y.dtype.newbyteorder("="), copy=False))
    if not y.nbytes:
        return np.zeros((len(y), 1), dtype=np.uint64)
    letters = y.view(np.uint32).reshape(len(y), -1)
    width = np.min_scalar_type(letters.max())
    n_letters = letters.shape[1]
    per_word = 8 // width.itemsize
    padded = np.zeros((len(y), math.ceil(n_letters / per_word) * per_word), dtype=width)
    np.copyto(padded[:, :n_letters], letters, casting="unsafe")
    return padded.view(np.uint64)
