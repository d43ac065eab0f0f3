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
from contextlib import suppress
from decimal import Decimal
from itertools import count
from numbers import Integral, Real
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy import sparse as sp

from sklearn_entropy_metrics.table.checks import refuse_mask
from sklearn_entropy_metrics.table.hashing import hash_codes, words_of_strings

_BLOCK = 1 << 13
_NO_MULTILABEL = (
    "; for multilabel and multioutput targets use `multilabel_information_score` or "
    "`EntropyBalance.from_variables`"
)
# What to do with an object that has such a method.
_ADVICE = {
    "alias": "; count the columns of its frame by `tabulate_frame`",
    "collect": "; collect it first, or count its frame by `tabulate_frame`",
    "__next__": "; convert it to a list first",
}
_POLARS_TEXT = ("String", "Categorical", "Enum")
_UNSIGNED = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


class Encoded(NamedTuple):
    """An array of labels as integers.

    ``values`` holds the label of each code, distinct but in no particular order; None
    says that the codes are themselves the labels.
    """

    codes: np.ndarray
    values: np.ndarray | None
    kind: str  # "number", "string", or the name of a type that sorts

    @property
    def labels(self) -> np.ndarray:
        """The label of each sample."""
        return self.codes if self.values is None else self.values[self.codes]


# Distinct labels in ascending order; codes are places among them.
Space: TypeAlias = range | np.ndarray


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
        offset = wrapped(self.offset)
        return np.subtract(self.held, offset, dtype=np.int64, casting="unsafe")


def wrapped(integer: int) -> np.int64:
    """A Python integer modulo 2^64."""
    return np.int64((integer + 2**63) % 2**64 - 2**63)


def labels_at(places: np.ndarray | slice, space: Space) -> np.ndarray:
    """The labels at some places of a space."""
    if isinstance(space, np.ndarray):
        return space[places]
    if isinstance(places, slice) and space.stop < 2**63:
        return np.arange(space.start, space.stop)[places]
    start = np.int64(space.start) if space.stop <= 2**63 else np.uint64(space.start)
    places = np.arange(len(space))[places] if isinstance(places, slice) else places
    return places.astype(start.dtype, copy=False) + start


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
        # Of the types: columns of Spark claim to have any attribute.
        categorical = getattr(y, "cat", y)
        if hasattr(type(categorical), "categories"):
            codes, values = np.asarray(categorical.codes), categorical.categories
            with suppress(ValueError):  # raised below, unless no sample is to blame
                return _checked(codes, values, name)
        if hasattr(type(y), "factorize"):  # pandas' nullable, string and arrow types
            with suppress(NotImplementedError):  # Arrow cannot hash lists
                codes, values = y.factorize()
                return _checked(codes, values, name)
        text = hasattr(type(y), "to_physical") and str(getattr(y, "dtype", ""))
        if text and text.startswith(_POLARS_TEXT):
            return _encode_polars(y, name)
        y = y.to_list() if str(text).endswith("Int128") else y  # numpy has none
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
    n_samples = max([len(part.codes) for part in arrays])
    labels = [part.codes if part.values is None else part.values for part in arrays]
    kinds = {array.dtype.kind for array in labels}
    if kinds <= {"i", "u", "b"}:
        low, high = _bounds(labels)
        if high - low < max(1024, 4 * n_samples):
            space: Space = range(low, high + 1)
            if kinds == {"b"}:
                space = np.array([False, True])[low : high + 1]
            return [Codes(part.labels, low) for part in arrays], space
    coded = [_coded(part) for part in arrays]
    values, places = _sorted_union([values for _, values in coded])
    pairs = zip(coded, places, strict=True)
    return [Codes(place[codes]) for (codes, _), place in pairs], values


def check_kinds(
    names: Sequence[str], arrays: Sequence[Encoded], advice: str = ""
) -> None:
    """Raise an error if arrays, with their names, are of different kinds."""
    kinds = [array.kind for array in arrays]
    if len(set(kinds)) > 1:
        first = {kind: names[kinds.index(kind)] for kind in kinds}
        got = " and ".join(f"{kind}s in {name}" for kind, name in first.items())
        if "labels" in first.values():
            advice = ""  # it is about the samples
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
        space = np.fromiter(labels, object, len(labels))
        places = np.fromiter(map(number.__getitem__, joined), np.intp, len(joined))
    else:
        space, places = np.unique(joined, return_inverse=True)
    return space, np.split(places, np.cumsum([len(array) for array in arrays[:-1]]))


def _integer_array(values):
    """Array of Python integers: int64 where that holds them, else objects."""
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.fromiter(values, object, len(values))


def _encode_polars(y, name):
    """Encode a series of strings or categories."""
    import polars as pl

    y = y.cast(pl.String)
    if n_missing := y.null_count():
        raise _missing(name, n_missing)
    values = y.unique()
    codes = y.cast(pl.Enum(values)).to_physical().to_numpy()
    return _checked(codes, values.to_list(), name)


def _as_vector(y, name):
    """One-dimensional numpy array; lists become objects rather than change type."""
    refuse_mask(y, name)
    try:
        # numpy would make strings of [1, "a"] and floats of [2**63, -1].
        array = np.asarray(y, dtype=object if isinstance(y, list | tuple) else None)
    except (TypeError, RuntimeError) as error:  # of a tensor
        raise ValueError(
            f"{name} must be an array of class labels in the memory of the processor, "
            "of a type that numpy knows: `.detach().cpu()` moves a tensor, `.long()` "
            f"makes it one of integers. Got an object of type {type(y).__name__}: "
            f"{error}"
        ) from error
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{name} must be a 1-D array of class labels{_got(y, array)}.")
    return array


def _got(y, array):
    """What was given instead of a vector, for a message."""
    got = f"Got an array of shape {array.shape}"
    if array.ndim == 0:
        if y is None or np.isscalar(y):
            return f". Got {y!r}"
        if sp.issparse(y):
            return f"{_NO_MULTILABEL}. Got a {type(y).__name__} of shape {y.shape}"
        advice = next((text for has, text in _ADVICE.items() if hasattr(y, has)), "")
        return f". Got an object of type {type(y).__name__}{advice}"
    values = array.ravel().tolist() if array.dtype.kind in "Of" else []
    if not any(isinstance(value, float) for value in values):
        return f"{_NO_MULTILABEL}. {got}"
    advice = _NO_MULTILABEL if all(value in (0, 1) for value in values) else ""
    return (
        f". {got} that holds floats. If these are probabilities, take the argmax of "
        "each row, or use a metric of probabilities, such as "
        f"`probabilistic_confusion_entropy_loss`{advice}"
    )


def _no_labels(name, got):
    return ValueError(
        f"{name} must hold class labels: integers, booleans or strings. Got {got}."
    )


def _missing(name, number):
    return ValueError(f"{name} must not contain missing values. Got {number}.")


def _integers_of_floats(y, name):
    bad = ~(np.abs(y) < np.float64(2**63)) | (y != np.floor(y))
    for value in y[bad][:1].tolist():
        _kind(value, name)  # which mostly says what is wrong
        raise ValueError(f"{name} must hold integers of at most 64 bits. Got {value}.")
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
    if n_missing := np.count_nonzero(codes < 0):
        raise _missing(name, n_missing)
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
    return Encoded(codes, np.fromiter(values, object, len(values)), kind)


def is_missing(value: object) -> bool:
    """Whether a value is None, NaN, NaT or NA."""
    equal = value == value  # not so for the last three
    return value is None or not (isinstance(equal, bool | np.bool_) and bool(equal))


def _kind(value, name):
    """Kind of one label, or an error if it is not a label."""
    if isinstance(value, str):
        return "string"
    is_span = isinstance(value, datetime.timedelta | np.timedelta64)
    if hasattr(value, "__array__") and not isinstance(value, np.generic):
        raise _no_labels(name, f"{value!r} of type {type(value).__name__}")
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
            raise ValueError(
                f"{name} must hold class labels. Got continuous values such as "
                f"{value}; apply a threshold to probabilities, and sort other values "
                "into bins, for example by `sklearn.preprocessing.KBinsDiscretizer`."
            )
        return "number"
    return type(value).__name__


def _coded(part):
    """Codes from 0 on and their values, for an array that may be its own codes."""
    if part.values is not None:
        return part.codes, part.values
    labels = part.codes
    words = labels.astype(np.int64) if labels.dtype.itemsize < 8 else labels
    words = np.ascontiguousarray(words).view(np.uint64)
    codes, first = hash_codes(words.reshape(-1, 1))
    return codes, _integer_array(labels[first].tolist())
