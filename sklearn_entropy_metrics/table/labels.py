"""Labels of any kind → small integer codes in one space that several arrays share.

Integers whose range is no larger than the data allow are their own codes and cost
nothing. Fixed-width strings and far-apart integers go through a vectorised hash table
that compares whole words, so no two labels are ever merged by chance. Everything else
goes through one ``dict`` pass. Only the distinct labels are ever sorted.
"""

import datetime
import math
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from itertools import count
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.table.checks import refuse_mask
from sklearn_entropy_metrics.table.hashing import hash_codes, words_of_strings

_BLOCK = 1 << 13
_NO_MULTILABEL = (
    "; for multilabel and multioutput targets use `multilabel_information_score` or "
    "`EntropyBalance.from_variables`"
)
_UNSIGNED = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


class ContinuousError(ValueError):
    """Continuous values where there should be class labels."""


class Encoded(NamedTuple):
    """An array of labels as integers.

    ``values`` holds the label of each code, distinct but in no particular order; None
    says that the codes are themselves the labels.
    """

    codes: np.ndarray
    values: np.ndarray | None
    kind: str  # "number", "string", or the name of a type that sorts


class Codes(NamedTuple):
    """Codes from zero on: places of labels in a space.

    For integer labels, it holds the labels and an offset. Subtracting it would take an
    extra pass, so the pass that uses the codes does it.
    """

    held: np.ndarray
    offset: int = 0

    def from_zero(self) -> np.ndarray:
        """The codes of all labels, to be read only."""
        if self.offset == 0 and self.held.dtype == np.int64:
            return self.held
        # Modulo 2^64: uint64 and int64 need no common type.
        offset = _wrapped(self.offset)
        return np.subtract(self.held, offset, dtype=np.int64, casting="unsafe")


def pair_codes(
    first: Codes,
    second: Codes,
    n_second: int,
    part: slice | None = None,
    out: Any = None,
) -> np.ndarray:
    """Codes of pairs from zero on: those of the first, times n_second, plus the others.

    Of a part of the samples they are written into the beginning of `out`.
    """
    a, b = first.held, second.held
    if part is not None:
        a, b = a[part], b[part]
        out = out[: len(a)]
    # Modulo 2^64, so that uint64 and int64 need no common type.
    out = np.multiply(a, n_second, out=out, dtype=np.int64, casting="unsafe")
    np.add(out, b, out=out, dtype=np.int64, casting="unsafe")
    offset = first.offset * n_second + second.offset
    if offset:
        out -= _wrapped(offset)
    return out


class Space(NamedTuple):
    """Distinct labels in ascending order; codes are places among them."""

    values: range | np.ndarray
    is_bool: bool = False

    @property
    def size(self) -> int:
        return len(self.values)

    def labels(self, places: np.ndarray) -> np.ndarray:
        """The labels at some places."""
        if isinstance(self.values, np.ndarray):
            return self.values[places]
        dtype = np.int64 if self.values[-1] < 2**63 else np.uint64
        labels = np.asarray(places, dtype=dtype) + dtype(self.values[0])
        return labels.astype(bool) if self.is_bool else labels

    def mark(self, *places: np.ndarray) -> np.ndarray:
        """Which labels are at some of these places: booleans, one for each label."""
        seen = np.zeros(self.size, dtype=bool)
        for some in places:
            seen[some] = True
        return seen


def encode(y: Any, name: str) -> Encoded:
    """Turn one array-like of class labels into integer codes.

    Parameters
    ----------
    y : array-like of shape (n_samples,) or (n_samples, 1), or Encoded
        Class labels.

    name : str
        What the argument is called, for the error messages.

    Returns
    -------
    encoded : Encoded
    """
    if isinstance(y, Encoded):
        return y
    if not isinstance(getattr(y, "dtype", None), np.dtype):
        categorical = getattr(y, "cat", y)
        if hasattr(categorical, "codes") and hasattr(categorical, "categories"):
            return _checked(np.asarray(categorical.codes), categorical.categories, name)
        if hasattr(y, "factorize"):  # pandas' nullable, string and arrow types
            codes, values = y.factorize()
            return _checked(codes, values, name)
        if hasattr(y, "to_physical") and hasattr(y, "to_arrow"):  # a series of polars
            y = _polars_strings(y, name)
            if isinstance(y, Encoded):
                return y
    y = _as_vector(y, name)
    kind = y.dtype.kind
    if kind in "iub":
        if not y.dtype.isnative:
            y = y.astype(y.dtype.newbyteorder("="))
        return Encoded(y, None, "number")
    if kind == "f":
        return Encoded(_integers_of_floats(y, name), None, "number")
    if kind == "U":
        codes, first = hash_codes(words_of_strings(y))
        return Encoded(codes, y[first], "string")
    if kind in "OT":
        return _encode_objects(y.astype(object, copy=False), name)
    what = {"S": " (bytes)", "M": " (dates)", "m": " (time spans)"}.get(kind, "")
    raise _no_labels(name, f"an array of dtype {y.dtype}{what}")


def share(arrays: Sequence[Encoded]) -> tuple[list[Codes], Space]:
    """Put encoded arrays of labels into one space of codes.

    The space of integer labels is at most a few times as large as the longest array,
    regardless of their values.
    """
    n_samples = max(len(part.codes) for part in arrays)
    held = [part.codes for part in arrays if part.values is None]
    if len(held) == len(arrays):
        low, high = _bounds(held)
        if high - low < max(1024, 4 * n_samples):
            is_bool = high < 2 and all(array.dtype == bool for array in held)
            space = Space(range(low, high + 1), is_bool)
            return [Codes(array, low) for array in held], space
    coded = [_coded(part, n_samples) for part in arrays]
    values, places = _sorted_union([values for _, values in coded])
    codes = [
        Codes(place[codes]) for (codes, _), place in zip(coded, places, strict=True)
    ]
    return codes, Space(values)


def check_kinds(arrays: Sequence[tuple[str, Encoded]], advice: str = "") -> None:
    """Raise an error if arrays, with their names, are of different kinds."""
    if len({part.kind for _, part in arrays}) > 1:
        names = {part.kind: name for name, part in reversed(arrays)}
        got = " and ".join(f"{kind}s in {names[kind]}" for kind in reversed(names))
        raise ValueError(f"Labels must be all of one kind. Got {got}. {advice}".strip())


def _bounds(arrays):
    """Integers between which all labels lie; one pass is enough for small ones."""
    # Negative numbers, seen as unsigned ones, are huge.
    unsigned = [array.view(_UNSIGNED[array.itemsize]) for array in arrays]
    high = max([int(np.maximum.reduce(array)) for array in unsigned])
    if high < 128:
        return 0, high
    low = min([int(np.minimum.reduce(array)) for array in arrays])
    if low >= 0:
        return low, high
    return low, max([int(np.maximum.reduce(array)) for array in arrays])


def _sorted_union(arrays):
    """Sorted union of arrays of labels, and where in it the labels of each are."""
    if len({array.dtype.kind for array in arrays}) > 1:
        arrays = [array.astype(object) for array in arrays]
    joined = np.concatenate(arrays)
    if joined.dtype == object:
        try:
            labels = sorted(set(joined.tolist()))
        except TypeError as error:
            raise ValueError(f"The labels cannot be sorted: {error}.") from error
        number = dict(zip(labels, count(), strict=False))
        space = _object_array(labels)
        places = np.fromiter(map(number.__getitem__, joined), np.intp, len(joined))
    else:
        space, places = np.unique(joined, return_inverse=True)
    return space, np.split(places, np.cumsum([len(array) for array in arrays[:-1]]))


def _integer_array(values):
    """Array of Python integers: int64 where that holds them, else objects."""
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return _object_array(values)


def _object_array(values):
    """1-D array of objects, whatever they are."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _wrapped(integer):
    """A Python integer modulo 2^64."""
    return np.int64((integer + 2**63) % 2**64 - 2**63)


def _polars_strings(y, name):
    """Encode strings and categories; any other series stays as it is."""
    import polars as pl

    if y.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return y
    y = y.cast(pl.String)
    if y.null_count():
        raise ValueError(f"{name} must not contain missing values.")
    values = y.unique()
    codes = y.cast(pl.Enum(values)).to_physical().to_numpy()
    return _checked(codes, values.to_list(), name)


def _as_vector(y, name):
    """One-dimensional numpy array; lists become objects rather than change type."""
    refuse_mask(y, name)
    try:
        # numpy would make strings of [1, "a"] and floats of [2**63, -1].
        array = np.asarray(y, dtype=object if isinstance(y, list | tuple) else None)
    except TypeError as error:  # of a tensor
        raise ValueError(
            f"{name} must be an array of class labels in the memory of the processor, "
            "of a type that numpy knows: `.cpu()` moves a tensor, `.long()` makes it "
            f"one of integers. Got an object of type {type(y).__name__}: {error}"
        ) from error
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{name} must be a 1-D array of class labels{_got(y, array)}.")
    return array


def _got(y, array):
    """What was given instead of a vector, for a message."""
    if array.ndim == 0:
        if y is None or np.isscalar(y):
            return f". Got {y!r}"
        if sp.issparse(y):
            return f"{_NO_MULTILABEL}. Got a {type(y).__name__} of shape {y.shape}"
        advice = ""
        if hasattr(y, "collect"):
            advice = "; collect it first, or count its frame by `tabulate_frame`"
        if hasattr(y, "over") or hasattr(y, "alias"):
            advice = "; count the columns of its frame by `tabulate_frame`"
        if hasattr(y, "__next__"):
            advice = "; convert it to a list first"
        return f". Got an object of type {type(y).__name__}{advice}"
    got = f"Got an array of shape {array.shape}"
    if array.dtype.kind == "f" or (
        array.dtype == object and any(isinstance(value, float) for value in array.flat)
    ):
        advice = _NO_MULTILABEL if np.isin(array, (0, 1)).all() else ""
        return (
            f". {got} that holds floats. If these are probabilities, take the argmax "
            "of each row, or use a metric of probabilities, such as "
            f"`probabilistic_confusion_entropy_loss`{advice}"
        )
    return f"{_NO_MULTILABEL}. {got}"


def _no_labels(name, got):
    return ValueError(
        f"{name} must hold class labels: integers, booleans or strings. Got {got}."
    )


def _integers_of_floats(y, name):
    bad = ~np.isfinite(y) | (y != np.floor(y))
    for value in y[bad][:1].tolist():
        _kind(value, name)  # which says what is wrong
    if len(y) and float(np.abs(y).max()) >= 2.0**63:
        raise ValueError(
            f"{name} must hold integers of at most 64 bits. Got "
            f"{y[np.abs(y).argmax()]}."
        )
    return y.astype(np.int64)


def _encode_objects(y, name):
    """One pass through a hash table: of addresses if objects are few, or a dict."""
    beginning = y[:_BLOCK].tolist()
    if 8 * len(set(map(id, beginning))) < len(beginning):
        # Equal labels are mostly one object again and again, as pandas reads them.
        addresses = np.frombuffer(np.ascontiguousarray(y).data, dtype=np.uintp)
        codes, first = hash_codes(addresses.astype(np.uint64).reshape(-1, 1))
        order = np.argsort(first)  # as they are met, wherever they lie
        objects = _encode_by_dict(y[first[order]], name)
        return objects._replace(codes=objects.codes[np.argsort(order)[codes]])
    return _encode_by_dict(y, name)


def _encode_by_dict(y, name):
    number: defaultdict[Any, int] = defaultdict(count().__next__)
    codes = np.empty(len(y), dtype=np.intp)
    try:
        for start in range(0, len(y), _BLOCK):
            part = y[start : start + _BLOCK].tolist()
            numbers = map(number.__getitem__, part)
            codes[start : start + len(part)] = np.fromiter(numbers, np.intp, len(part))
    except TypeError as error:
        raise _no_labels(name, f"values without a hash: {error}") from error
    return _checked(codes, list(number), name)


def _checked(codes, values, name):
    """Encoded labels whose distinct values have been checked one by one."""
    if len(codes) and codes.min() < 0:
        raise ValueError(f"{name} must not contain missing values.")
    values = list(values)
    kinds = {_kind(value, name): value for value in values}
    if len(kinds) > 1:
        got = " and ".join(f"{kind}s (such as {v!r})" for kind, v in kinds.items())
        raise ValueError(f"{name} must hold labels of one kind. Got {got}.")
    kind = next(iter(kinds), "number")
    if values and all(isinstance(value, bool | np.bool_) for value in values):
        return Encoded(np.array(values, dtype=bool)[codes], None, kind)
    if kind == "number":
        return Encoded(codes, _integer_array([int(v) for v in values]), kind)
    return Encoded(codes, _object_array(values), kind)


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or NA."""
    equal = value == value  # not so for the last three
    return value is None or not (isinstance(equal, bool | np.bool_) and bool(equal))


def _kind(value, name):
    """Kind of one label, or an error if it is not a label."""
    if isinstance(value, str):
        return "string"
    is_span = isinstance(value, datetime.timedelta | np.timedelta64)
    if isinstance(value, Integral | np.bool_) and not is_span:
        return "number"  # numpy counts its time spans among the integers
    if is_missing(value) or value in (math.inf, -math.inf):
        raise ValueError(
            f"{name} must not contain missing values, NaN or infinity. Got {value!r}."
        )
    # Dates, times and pandas' periods are what can be formatted as times.
    is_time = is_span or isinstance(value, np.datetime64) or hasattr(value, "strftime")
    if is_time or isinstance(value, bytes | tuple | frozenset):
        raise _no_labels(name, f"{value!r} of type {type(value).__name__}")
    if isinstance(value, Real | Decimal):  # databases give integers as decimals
        if value != math.floor(value):
            raise ContinuousError(
                f"{name} must hold class labels. Got continuous values such as {value}."
            )
        return "number"
    return type(value).__name__


def _coded(part, n_samples):
    """Codes from 0 on and their values, for an array that may be its own codes."""
    if part.values is not None:
        return part.codes, part.values
    labels = part.codes
    low, high = int(labels.min()), int(labels.max())
    if high - low < max(1024, 4 * n_samples) and low > -(2**62) and high < 2**62:
        return labels.astype(np.int64) - low, np.arange(low, high + 1)
    words = labels.astype(np.int64) if labels.dtype.itemsize < 8 else labels
    words = np.ascontiguousarray(words).view(np.uint64)
    codes, first = hash_codes(words.reshape(-1, 1))
    return codes, _integer_array(labels[first].tolist())
