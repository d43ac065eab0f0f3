from collections import Counter
from importlib.resources import files
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chisquare

from sklearn_entropy_metrics import datasets
from sklearn_entropy_metrics.datasets._tables import _product_slice

LOADERS = [
    datasets.load_synthetic,
    datasets.load_meg_mind_reading,
    datasets.load_miller_nicely,
]
# Numbers of tables that Fig. 2 of Valverde-Albacete & Peláez-Moreno (2014) shows.
COUNTS = {(2, 100): 89_625, (3, 18): 302_484, (4, 16): 19_866_389}
SMALL_SIZES = [(1, 1), (1, 4), (2, 2), (2, 5), (2, 8), (3, 3), (3, 5), (3, 6), (4, 5)]


def accuracies(matrices):
    return matrices.trace(axis1=1, axis2=2) / matrices.sum(axis=(1, 2))


def as_keys(tables):
    return [tuple(table.ravel().tolist()) for table in tables]


def enumerated(n_classes, n_samples, **options):
    blocks = list(datasets.enumerate_tables(n_classes, n_samples, **options))
    return np.concatenate(blocks or [np.empty((0, n_classes, n_classes), np.int64)])


def by_brute_force(n_classes, n_samples):
    """Flat tables, by trying every combination of rows."""
    largest = n_samples - n_classes + 1  # the other rows have one sample or more
    rows = [
        row
        for row in product(range(largest + 1), repeat=n_classes)
        if 0 < sum(row) <= largest
    ]
    for table in product(rows, repeat=n_classes):
        sums = [sum(row) for row in table]
        if sum(sums) == n_samples and sums == sorted(sums, reverse=True):
            yield sum(table, ())


def test_public_names_are_all_there():
    assert all(callable(getattr(datasets, name)) for name in datasets.__all__)


# Loaders


@pytest.mark.parametrize(
    ("load", "shape", "total"),
    [
        (datasets.load_synthetic, (6, 3, 3), 60),
        (datasets.load_meg_mind_reading, (10, 5, 5), 653),
        (datasets.load_miller_nicely, (6, 16, 16), 4000),
    ],
)
def test_loaders_give_counts_of_the_stated_size(load, shape, total):
    data = load()
    assert set(data) == {"matrices", "names", "labels", "DESCR"}
    assert data.matrices.shape == shape
    assert data.matrices.dtype == np.int64
    assert data.matrices.min() >= 0
    assert_array_equal(data.matrices.sum(axis=(1, 2)), total)
    assert len(data.names) == len(set(data.names)) == shape[0]
    assert len(data.labels) == len(set(data.labels)) == shape[1]
    assert all(type(name) is str for name in data.names + data.labels)


@pytest.mark.parametrize("load", LOADERS)
def test_loaders_give_fresh_objects(load):
    first, expected = load(), load().matrices.copy()
    first.matrices[...] = 0
    first.names.clear()
    first.labels.clear()
    second = load()
    assert_array_equal(second.matrices, expected)
    assert second.names
    assert second.labels


def test_synthetic_matrices_are_those_of_the_paper():
    data = datasets.load_synthetic()
    assert data.names == list("abcdef")
    assert data.labels == ["x1", "x2", "x3"]
    matrices = dict(zip(data.names, data.matrices, strict=True))
    assert_array_equal(matrices["a"], [[15, 0, 5], [0, 15, 5], [0, 0, 20]])
    assert_array_equal(matrices["b"], [[16, 2, 2], [2, 16, 2], [1, 1, 18]])
    assert_array_equal(matrices["c"], [[1, 0, 4], [0, 1, 4], [1, 1, 48]])
    assert_array_equal(matrices["d"], np.diag([15, 18, 27]))
    assert_array_equal(matrices["e"], np.diag([1, 2, 57]))
    assert_array_equal(matrices["f"], [[0, 0, 5], [0, 0, 5], [0, 0, 50]])


def test_meg_matrices_are_ranked_by_accuracy():
    data = datasets.load_meg_mind_reading()
    assert data.names == [f"C{rank}" for rank in range(1, 11)]
    assert data.labels == ["x1", "x2", "x3", "x4", "x5"]
    found = accuracies(data.matrices)
    assert_array_equal(found, np.sort(found)[::-1])
    # Table 1 of Valverde-Albacete & Peláez-Moreno (2014): C1, C2, C4, C9, C10.
    assert_allclose(
        found[[0, 1, 3, 8, 9]], [0.680, 0.632, 0.622, 0.443, 0.242], atol=5e-4
    )


def test_meg_classifiers_saw_the_same_test_items():
    row_sums = datasets.load_meg_mind_reading().matrices.sum(axis=2)
    assert_array_equal(row_sums, np.tile([150, 151, 102, 125, 125], (10, 1)))


def test_miller_nicely_accuracy_grows_with_the_signal():
    data = datasets.load_miller_nicely()
    assert data.names == ["-18 dB", "-12 dB", "-6 dB", "0 dB", "+6 dB", "+12 dB"]
    assert " ".join(data.labels) == "p t k f theta s sh b d g v eth z zh m n"
    expected = [0.078, 0.270, 0.465, 0.716, 0.834, 0.908]
    assert_allclose(accuracies(data.matrices), expected, atol=5e-4)


@pytest.mark.parametrize(
    ("load", "credits"),
    [
        (datasets.load_synthetic, ["Peláez-Moreno (2010)", "31(12), 1665-1671"]),
        (
            datasets.load_meg_mind_reading,
            [
                "A. Klami",
                "with kind permission from Arto Klami",
                "emmareyner/KFCA_for_neuraldata",
                "BSD-3-Clause",
                "Peláez-Moreno (2014)",
                "e84217",
            ],
        ),
        (datasets.load_miller_nicely, ["Miller and P. E. Nicely (1955)", "27(2)"]),
    ],
)
def test_descriptions_give_credit(load, credits):
    description = load().DESCR
    for credit in credits:
        assert credit in description


def test_the_licence_of_the_meg_matrices_comes_with_them():
    licence = files(datasets).joinpath("data", "meg", "LICENSE.txt")
    text = licence.read_text(encoding="utf-8")
    assert "Copyright (c) 2011, 2014 Francisco José Valverde-Albacete" in text


@pytest.mark.parametrize(
    ("folder", "columns"),
    [
        ("meg", ["true", "y1", "y2", "y3", "y4", "y5"]),
        ("miller_nicely", ["stimulus", *datasets.load_miller_nicely().labels]),
    ],
)
def test_all_files_of_a_folder_have_the_same_rows_and_columns(folder, columns):
    texts = [
        path.read_text(encoding="utf-8")
        for path in files(datasets).joinpath("data", folder).iterdir()
        if path.name.endswith(".csv")
    ]
    heads = {tuple(text.splitlines()[0].split(",")) for text in texts}
    rows = {tuple(line.split(",")[0] for line in text.splitlines()) for text in texts}
    assert heads == {tuple(columns)}
    assert len(rows) == 1


# Channels


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (0, [[0.5, 0], [0, 0.5]]),
        (0.5, [[0.25, 0.25], [0.25, 0.25]]),
        (1, [[0, 0.5], [0.5, 0]]),
    ],
)
def test_binary_symmetric_channel_values(p, expected):
    assert_array_equal(datasets.binary_symmetric_channel(p), expected)


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (0, [[0.5, 0, 0], [0, 0.5, 0]]),
        (0.5, [[0.25, 0, 0.25], [0, 0.25, 0.25]]),
        (1, [[0, 0, 0.5], [0, 0, 0.5]]),
    ],
)
def test_binary_erasure_channel_values(p, expected):
    assert_array_equal(datasets.binary_erasure_channel(p), expected)


@pytest.mark.parametrize(
    ("channel", "shape"),
    [
        (datasets.binary_symmetric_channel, (2, 2)),
        (datasets.binary_erasure_channel, (2, 3)),
    ],
)
def test_binary_channels_map_arrays_to_stacks(channel, shape):
    p = np.linspace(0, 1, 12).reshape(3, 4)
    stack = channel(p)
    assert stack.shape == (3, 4, *shape)
    assert_allclose(stack.sum(axis=-1), 0.5)
    assert_array_equal(stack[1, 2], channel(p[1, 2]))
    assert_array_equal(channel(p.tolist()), stack)
    assert channel([]).shape == (0, *shape)
    assert channel(np.float32(0.5)).dtype == np.float64


@pytest.mark.parametrize(
    "channel", [datasets.binary_symmetric_channel, datasets.binary_erasure_channel]
)
@pytest.mark.parametrize(
    ("p", "message"),
    [
        (-0.1, r"`p` must lie in \[0, 1\]\. Got -0\.1"),
        ([0.5, 1.5], r"`p` must lie in \[0, 1\]\. Got 1\.5"),
        (np.nan, r"`p` must lie in \[0, 1\]\. Got nan"),
        (-1, r"`p` must lie in \[0, 1\]\. Got -1"),
        ("0.5", r"`p` must hold real numbers\. Got dtype"),
        (None, r"`p` must hold real numbers\. Got dtype object"),
        (True, r"`p` must hold real numbers\. Got dtype bool"),
        (0.5j, r"`p` must hold real numbers\. Got dtype complex128"),
    ],
)
def test_binary_channels_refuse_what_is_no_probability(channel, p, message):
    with pytest.raises(ValueError, match=message):
        channel(p)


@pytest.mark.parametrize("n", [3, 4, 5, 27, np.int32(6)])
def test_noisy_typewriter_strikes_neighbours(n):
    table = datasets.noisy_typewriter(n)
    assert table.shape == (n, n)
    assert_allclose(table.sum(axis=1), 1 / n)
    assert_allclose(table.sum(), 1)
    for key, row in enumerate(table):
        struck = {(key - 1) % n, key, (key + 1) % n}
        assert set(np.flatnonzero(row).tolist()) == struck
        assert_allclose(row[list(struck)], 1 / (3 * n))


def test_noisy_typewriter_has_27_keys_by_default():
    assert datasets.noisy_typewriter().shape == (27, 27)


@pytest.mark.parametrize("n", [2, 0, -3, 27.0, "27", None, True])
def test_noisy_typewriter_refuses_other_than_three_keys_and_more(n):
    with pytest.raises(ValueError, match=rf"`n` must be an integer .* 3\. Got {n!r}"):
        datasets.noisy_typewriter(n)


# Enumeration


@pytest.mark.parametrize("size", SMALL_SIZES)
def test_enumeration_equals_brute_force(size):
    found = as_keys(enumerated(*size))
    assert len(found) == len(set(found))
    assert set(found) == set(by_brute_force(*size))


@pytest.mark.parametrize("size", COUNTS)
@pytest.mark.slow
def test_enumeration_has_the_right_counts(size):
    lengths = []
    for block in datasets.enumerate_tables(*size):
        assert block.dtype == np.int64
        assert block.shape[1:] == (size[0], size[0])
        lengths.append(len(block))
    assert sum(lengths) == COUNTS[size]
    assert 0 < min(lengths) <= max(lengths) <= 65_536


@pytest.mark.parametrize("size", [(2, 100), (3, 18)])
def test_enumeration_repeats_nothing_and_keeps_its_promises(size):
    tables = enumerated(*size)
    row_sums = tables.sum(axis=2)
    assert tables.min() >= 0
    assert row_sums.min() >= 1
    assert np.diff(row_sums, axis=1).max() <= 0
    assert_array_equal(row_sums.sum(axis=1), size[1])
    # The digits of a table in base n + 1 tell it from every other one.
    codes = tables.reshape(len(tables), -1) @ (size[1] + 1) ** np.arange(size[0] ** 2)
    assert len(np.unique(codes)) == len(tables)


@pytest.mark.parametrize("size", [*SMALL_SIZES, (2, 40), (3, 9)])
def test_n_correct_parts_the_set(size):
    everything = Counter(as_keys(enumerated(*size)))
    parts = Counter()
    for n_correct in range(size[1] + 1):
        tables = enumerated(*size, n_correct=n_correct)
        assert_array_equal(tables.trace(axis1=1, axis2=2), n_correct)
        parts.update(as_keys(tables))
    assert parts == everything


def test_n_correct_may_leave_nothing():
    assert list(datasets.enumerate_tables(1, 4, n_correct=3)) == []


def test_places_beyond_int64_are_counted_right():
    start = 123_456_789_999_998 * 10**16 + 10**16 - 2  # above 2**63
    lines = _product_slice([10**8] * 4, start, start + 4)
    # Read as digits in base 10**8, the lines are consecutive numbers.
    numbers = [int("".join(f"{digit:08d}" for digit in line)) for line in lines]
    assert numbers == [start, start + 1, start + 2, start + 3]


def test_enumeration_takes_numpy_integers():
    found = enumerated(np.int16(3), np.uint8(5), n_correct=np.int64(2))
    assert_array_equal(found, enumerated(3, 5, n_correct=2))


@pytest.mark.parametrize(
    ("args", "options", "message"),
    [
        ((0, 5), {}, r"`n_classes` must be an integer of at least 1\. Got 0"),
        ((-2, 5), {}, r"`n_classes` must be an integer of at least 1\. Got -2"),
        ((2.0, 5), {}, r"`n_classes` must be an integer .* Got 2\.0"),
        ((True, 5), {}, "`n_classes` must be an integer .* Got True"),
        (("3", 5), {}, "`n_classes` must be an integer .* Got '3'"),
        ((2, 0), {}, r"`n_samples` must be an integer of at least 1\. Got 0"),
        ((2, 5.5), {}, r"`n_samples` must be an integer .* Got 5\.5"),
        ((2, None), {}, "`n_samples` must be an integer .* Got None"),
        ((4, 3), {}, "`n_samples` must be at least `n_classes`=4, .* Got 3"),
        ((2, 5), {"n_correct": -1}, r"`n_correct` must be an integer .* 0\. Got -1"),
        (
            (2, 5),
            {"n_correct": 6},
            r"must be at most `n_samples`=5\. Got 6",
        ),
        ((2, 5), {"n_correct": 2.0}, r"`n_correct` must be an integer .* Got 2\.0"),
        ((2, 5), {"n_correct": False}, "`n_correct` must be an integer .* Got False"),
        ((10, 1000), {}, "Too many tables .* Use sample_tables instead"),
    ],
)
def test_enumeration_refuses_at_the_call(args, options, message):
    with pytest.raises(ValueError, match=message):
        datasets.enumerate_tables(*args, **options)


# Sampling


@pytest.mark.parametrize("size", [*SMALL_SIZES, (3, 9), (2, 40)])
def test_sampled_tables_belong_to_the_set(size):
    tables = datasets.sample_tables(2000, *size, random_state=0)
    assert tables.shape == (2000, size[0], size[0])
    assert tables.dtype == np.int64
    assert set(as_keys(tables)) <= set(as_keys(enumerated(*size)))


@pytest.mark.parametrize("size", [(2, 2), (2, 9), (3, 5), (3, 6), (4, 4), (4, 5)])
def test_sampled_tables_are_uniform(size):
    keys = as_keys(enumerated(*size))
    drawn = Counter(as_keys(datasets.sample_tables(50_000, *size, random_state=1)))
    assert chisquare([drawn[key] for key in keys]).pvalue > 0.001


@pytest.mark.parametrize("size", [(3, 18), (4, 14)])
@pytest.mark.slow
def test_sampled_row_sums_and_diagonals_have_their_shares(size):
    everything, sample = Counter(), Counter()
    for block in datasets.enumerate_tables(*size):
        everything.update(zip(*_largest_and_correct(block), strict=True))
    tables = datasets.sample_tables(100_000, *size, random_state=2)
    sample.update(zip(*_largest_and_correct(tables), strict=True))
    n_all, rare, groups = sum(everything.values()), [0, 0], []
    for key, count in everything.items():
        expected = 100_000 * count / n_all
        if expected < 10:  # too few for the chi-square: put together
            rare[0] += sample[key]
            rare[1] += expected
        else:
            groups.append((sample[key], expected))
    observed, expected = np.array([*groups, rare]).T
    assert chisquare(observed, expected).pvalue > 0.001


def _largest_and_correct(tables):
    largest, correct = tables.sum(axis=2)[:, 0], tables.trace(axis1=1, axis2=2)
    return largest.tolist(), correct.tolist()


@pytest.mark.parametrize("size", [(2, 3000), (10, 1000), (40, 400), (60, 60)])
def test_sampling_copes_with_sets_beyond_any_enumeration(size):
    n_classes, n_samples = size
    tables = datasets.sample_tables(500, *size, random_state=3)
    row_sums = tables.sum(axis=2)
    assert tables.min() >= 0
    assert row_sums.min() >= 1
    assert np.diff(row_sums, axis=1).max() <= 0
    assert_array_equal(row_sums.sum(axis=1), n_samples)
    # By symmetry every column holds the same share.
    assert_allclose(tables.mean(axis=(0, 1)), n_samples / n_classes**2, rtol=0.25)


def test_sampling_is_reproducible():
    first = datasets.sample_tables(70_000, 3, 12, random_state=4)
    again = datasets.sample_tables(70_000, 3, 12, random_state=4)
    other = datasets.sample_tables(70_000, 3, 12, random_state=5)
    assert_array_equal(first, again)
    assert (first != other).any()


def test_sampling_takes_and_advances_a_random_state():
    generator = np.random.RandomState(4)
    first = datasets.sample_tables(10, 3, 12, random_state=generator)
    second = datasets.sample_tables(10, 3, 12, random_state=generator)
    assert_array_equal(first, datasets.sample_tables(10, 3, 12, random_state=4))
    assert (first != second).any()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((0, 2, 5), r"`n_tables` must be an integer of at least 1\. Got 0"),
        ((1.0, 2, 5), r"`n_tables` must be an integer .* Got 1\.0"),
        ((True, 2, 5), "`n_tables` must be an integer .* Got True"),
        ((5, 0, 5), r"`n_classes` must be an integer of at least 1\. Got 0"),
        ((5, 2, "5"), "`n_samples` must be an integer .* Got '5'"),
        ((5, 6, 5), "`n_samples` must be at least `n_classes`=6, .* Got 5"),
    ],
)
def test_sampling_refuses_bad_sizes(args, message):
    with pytest.raises(ValueError, match=message):
        datasets.sample_tables(*args)


def test_sampling_refuses_a_bad_seed():
    with pytest.raises(ValueError, match="cannot be used to seed"):
        datasets.sample_tables(5, 2, 5, random_state="seed")
