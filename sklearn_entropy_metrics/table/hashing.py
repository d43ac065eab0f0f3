"""Rows of machine words → numbers of the distinct ones: a vectorised hash table.

It compares whole words, so no two rows are ever merged by chance, and it is seeded.
"""

import math
import os

import numpy as np

_BLOCK, _SLOTS = 1 << 13, 1 << 15
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
    codes = np.empty(len(words), dtype=np.intp)
    first = np.empty(_SLOTS, dtype=np.intp)
    n_codes = 0
    table = np.full(_SLOTS, -1, dtype=np.intp)
    for start in range(0, len(words), _BLOCK):
        block = words[start : start + _BLOCK]
        if 2 * (n_codes + _BLOCK) > _SLOTS:  # more than half full after this block
            return _sort(words)
        slots = _slots(block)
        rows = np.arange(len(block))
        while len(rows):
            held = table[slots]
            fresh = held < 0
            if fresh.any():
                # The last one to be written stays: the first row that wants the slot.
                table[slots[fresh][::-1]] = -2 - rows[fresh][::-1]
                owners = fresh & (table[slots] == -2 - rows)
                numbers = np.arange(n_codes, n_codes + np.count_nonzero(owners))
                table[slots[owners]] = numbers
                first[numbers] = start + rows[owners]
                n_codes += len(numbers)
                held = table[slots]
            same = _equal_rows(words[first[held]], block[rows])
            codes[start + rows[same]] = held[same]
            rows, slots = rows[~same], (slots[~same] + 1) % _SLOTS
    return codes, first[:n_codes]


def _slots(words):
    """First slot of each row: the high bits of a multiplicative hash."""
    key = words[:, 0] * _MULTIPLIER
    for column in words.T[1:]:
        key ^= key >> np.uint64(32)
        key += column
        key *= _MULTIPLIER
    key ^= key >> np.uint64(32)
    key *= _MULTIPLIER
    return (key >> np.uint64(64 - _SLOTS.bit_length() + 1)).astype(np.intp)


def _sort(words):
    """The same by sorting, which is faster if many rows are distinct."""
    codes = np.zeros(len(words), dtype=np.int64)
    for column in words.T:
        values, numbers = np.unique(column, return_inverse=True)
        values, codes = np.unique(codes * len(values) + numbers, return_inverse=True)
    first = np.empty(len(values), dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return codes, first


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
