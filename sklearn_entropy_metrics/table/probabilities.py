"""Labels and predicted probabilities → checked tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.table.blocks import is_dask, reduce_blocks
from sklearn_entropy_metrics.table.checks import (
    as_floats,
    as_numbers,
    as_weight,
    weighs_nothing,
)
from sklearn_entropy_metrics.table.classes import (
    KnownLabels,
    choose_classes,
    encode_given,
    given_labels,
)
from sklearn_entropy_metrics.table.labels import Codes, encode, share
from sklearn_entropy_metrics.table.merge import Part, merge_parts
from sklearn_entropy_metrics.table.tabulate import (
    NOTHING,
    doubt,
    effective_size,
    two_are_right,
)

# Probabilities that are taken at a time: they stay in the processor's cache.
_BLOCK = 1 << 16
# What probabilities leave of a smaller weight has lost digits, or is zero.
_SMALLEST_WEIGHT = np.finfo(np.float64).tiny / np.finfo(np.float64).eps


class SoftTable(NamedTuple):
    """Sums of probabilities for each true class, and the weight of its samples."""

    table: np.ndarray
    class_weight: np.ndarray
    labels: np.ndarray

    def doubt(self) -> str | None:
        """Why measures of this table mean little; None if nothing is wrong."""
        if two_are_right(self.table):
            return None
        true = np.flatnonzero(self.class_weight)
        if len(true) > 1 and not self.table[:, true].any():
            return (
                "y_true and y_proba share no class: every class of y_true has "
                "probability 0 throughout."
            )
        return doubt(self.class_weight[:, None], self.labels, same_classes=False)


class Samples(NamedTuple):
    """Checked samples, without those of weight zero."""

    true: np.ndarray  # numbers of the true classes, (n_samples,)
    proba: np.ndarray  # of any dtype of floats, (n_samples, n_classes)
    weight: np.ndarray | None
    labels: np.ndarray

    def soft_table(self) -> SoftTable:
        """Sum the probabilities by true class."""
        n_samples, n_classes = self.proba.shape
        weight = np.ones(n_samples) if self.weight is None else self.weight
        indicator = sp.csc_array(
            (weight, self.true, np.arange(n_samples + 1)), shape=(n_classes, n_samples)
        )
        class_weight = np.bincount(self.true, weight, minlength=n_classes)
        return SoftTable(indicator @ self.proba, class_weight, self.labels)


class Sums(NamedTuple):
    """Sums of the probabilities of some samples, by true class.

    The part has a column for each column of `y_proba`, and a last one with the weight
    of the samples.
    """

    part: Part
    sum_to_one: bool

    @property
    def n_columns(self) -> int:
        return self.part.table.shape[1] - 1


def probabilistic_confusion_matrix(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    normalize: Literal["true", "all"] | None = None,
    sample_weight: ArrayLike | None = None,
) -> np.ndarray:
    """Sum the predicted probabilities of each class over the samples of each class.

    Entry :math:`C_{ij}` is the sum, over the samples s of class i, of the probability
    :math:`p(s, j)` that the classifier gave to class j [1]_. With probabilities of 0
    and 1 this is the confusion matrix.

    Read more in the :ref:`User Guide <confusion_entropy>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Predicted probabilities, as from `predict_proba`. A one-dimensional array holds
        those of the second of two classes. Rows that do not sum to one are used as they
        are, with a warning.

    labels : array-like of shape (n_classes,), default=None
        The classes, in the order of the columns of `y_proba`. By default, the sorted
        labels of `y_true`; pass them if some class has no samples.

    normalize : {"true", "all"}, default=None
        "true": means over the samples of each class instead of sums, zeros for a class
        without samples. "all": shares of all samples, the joint distribution of true
        and predicted classes.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    table : ndarray of shape (n_classes, n_classes)

    See Also
    --------
    contingency_table : Counts of predicted labels.
    EntropyBalance.from_probabilities : The entropies of the joint distribution.

    References
    ----------
    .. [1] X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang (2013). "Probabilistic
       confusion entropy for evaluating classifiers". Entropy 15(11), 4969-4992.

    Examples
    --------
    >>> from sklearn_entropy_metrics import probabilistic_confusion_matrix
    >>> y_true = [0, 0, 1, 1]
    >>> y_proba = [[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.0, 1.0]]
    >>> probabilistic_confusion_matrix(y_true, y_proba)
    array([[1.5, 0.5],
           [0.3, 1.7]])
    """
    if normalize not in (None, "true", "all"):
        raise ValueError(f"normalize must be None, 'true' or 'all'. Got {normalize!r}.")
    soft = tabulate_probabilities(
        y_true, y_proba, labels=labels, sample_weight=sample_weight
    )
    if normalize == "true":
        weight = soft.class_weight[:, None]
        return soft.table / np.where(weight > 0, weight, 1)
    return _as_shares(soft) if normalize == "all" else soft.table


def _as_shares(soft):
    total = soft.class_weight.sum()
    lost = (soft.class_weight > 0) & (soft.class_weight / total < _SMALLEST_WEIGHT)
    if lost.any():
        raise ValueError(
            f"The class {soft.labels[lost].tolist()[0]!r} is too small a share of all "
            f"samples. Got a sum of {soft.class_weight[lost][0]} of its sample_weight, "
            f"and {total} of all."
        )
    return soft.table / total


def tabulate_probabilities(
    y_true: Any,
    y_proba: Any,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    columns: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> SoftTable:
    """Sum probabilities by true class, with the classes and their weights.

    The parameters are those of :func:`probabilistic_confusion_matrix`. With `columns`,
    or with :class:`KnownLabels` for `labels`, the columns of `y_proba` belong to some
    of the classes; the others have a probability of zero.
    """
    if isinstance(labels, KnownLabels):
        columns, labels = labels.classes, None
    sums = sum_probabilities(
        y_true, y_proba, labels=labels, columns=columns, sample_weight=sample_weight
    )
    if sums is None:
        raise ValueError(NOTHING)
    if not sums.sum_to_one:
        warn_of_sums()
    return soft_table(sums, columns)


def check_samples(
    y_true: Any,
    y_proba: Any,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    columns: ArrayLike | None = None,
    sample_weight: Any = None,
) -> Samples:
    """Check labels and probabilities for measures that need every single sample.

    The parameters are those of :func:`tabulate_probabilities`. Dask collections are
    gathered.
    """
    if isinstance(labels, KnownLabels):
        columns, labels = labels.classes, None
    y_true, y_proba, sample_weight = (
        array.compute() if is_dask(array) else array
        for array in (y_true, y_proba, sample_weight)
    )
    found = _encode(y_true, y_proba, labels, columns, sample_weight)
    if found is None:
        raise ValueError(NOTHING)
    proba, weight = found.proba, found.weight
    if proba.dtype.kind != "f" or proba.dtype.itemsize > 8:
        proba = as_floats(proba, "y_proba")
    _check_range(proba)
    if proba.ndim == 1:
        proba = np.column_stack([1 - proba, proba])
    elif not _sum_to_one(proba, proba.dtype):
        warn_of_sums()
    place = _places(found.labels, columns, proba.shape[1])
    if place != list(range(len(found.labels))):
        full = np.zeros((len(proba), len(found.labels)), dtype=proba.dtype)
        full[:, place] = proba
        proba = full
    true = found.number(slice(None))
    if weight is not None and not weight.all():
        keep = weight > 0
        true, proba, weight = true[keep], proba[keep], weight[keep]
    return Samples(true, proba, weight, found.labels)


def merge_samples(parts: Sequence[Samples]) -> Samples:
    """Join parts of the samples, all with the same labels and weighted or not."""
    weights = [part.weight for part in parts if part.weight is not None]
    return Samples(
        np.concatenate([part.true for part in parts]),
        np.concatenate([part.proba for part in parts]),
        np.concatenate(weights) if weights else None,
        parts[0].labels,
    )


def sum_probabilities(
    y_true: Any,
    y_proba: Any,
    *,
    labels: ArrayLike | None = None,
    columns: ArrayLike | None = None,
    sample_weight: Any = None,
) -> Sums | None:
    """Sum probabilities so that they can be merged with those of other samples.

    The parameters are those of :func:`tabulate_probabilities`. It is None if there are
    no samples or all weigh nothing, which other samples can make up for.
    """
    arrays = {"y_true": y_true, "y_proba": y_proba, "sample_weight": sample_weight}
    if any(map(is_dask, arrays.values())):
        given: Any = {"labels": labels, "columns": columns}
        return reduce_blocks(partial(sum_probabilities, **given), merge_sums, **arrays)
    found = _encode(y_true, y_proba, labels, columns, sample_weight)
    if found is None:
        return None
    table, sum_to_one = _sum(found)
    places = np.arange(table.shape[1])
    size = effective_size(sample_weight)
    part = Part(table, found.labels, places, len(found.proba), size)
    return Sums(part, sum_to_one)


def merge_sums(sums: Sequence[Sums]) -> Sums:
    """Add up the sums of several parts of the samples."""
    if len(numbers := {one.n_columns for one in sums}) > 1:
        raise ValueError(
            "y_proba must have the same number of columns in all parts. Got "
            f"{' and '.join(map(str, sorted(numbers)))}."
        )
    weights = [float(one.part.table[:, [-1]].sum()) for one in sums]
    part = merge_parts([one.part for one in sums], weights)
    return Sums(part, all(one.sum_to_one for one in sums))


def soft_table(sums: Sums, columns: ArrayLike | None = None) -> SoftTable:
    """Put each column of probabilities in the place of its class."""
    labels = sums.part.labels
    table = sums.part.table
    if not isinstance(table, np.ndarray):
        table = table.toarray()
    place = _places(labels, columns, sums.n_columns)
    class_weight = table[:, -1]
    tiny = (class_weight > 0) & (class_weight < _SMALLEST_WEIGHT)
    if tiny.any():
        raise ValueError(
            f"sample_weight is too small to be multiplied by probabilities. Got a sum "
            f"of {class_weight[tiny][0]} for class {labels[tiny].tolist()[0]!r}; "
            "multiply all weights by a large number."
        )
    full = np.zeros((len(labels), len(labels)))
    full[:, place] = table[:, :-1]
    return SoftTable(full, class_weight, labels)


def warn_of_sums() -> None:
    """Warn that the probabilities of some sample do not sum to one."""
    warn("The rows of y_proba do not all sum to one; they are used as they are.")


def _places(labels, columns, n_columns):
    """The number of the class of each column of `y_proba`."""
    if columns is None:
        place = list(range(len(labels)))
    else:
        number = {label: place for place, label in enumerate(labels.tolist())}
        place = [number[label] for label in given_labels(columns, "columns").tolist()]
    if len(place) != n_columns:
        more = " and others" if len(place) > 5 else ""
        raise ValueError(
            f"y_proba has {n_columns} columns, but there are {len(place)} classes: "
            f"{labels[place][:5]}{more}. Name all classes by labels=."
        )
    return place


class _Encoded(NamedTuple):
    """Samples whose labels have codes, and the classes behind them."""

    codes: Codes  # of y_true
    proba: np.ndarray
    weight: np.ndarray | None
    numbers: np.ndarray  # of the classes, by codes
    labels: np.ndarray

    def number(self, part):
        """The numbers of the classes of some samples."""
        return self.numbers[self.codes.from_zero(part)]


def _encode(y_true, y_proba, labels, columns, sample_weight):
    """Check the samples and encode their labels; None if they weigh nothing."""
    encoded = {"y_true": encode(y_true, "y_true")}
    weight = as_weight(sample_weight)
    y_proba = _check_shape(y_proba)
    check_consistent_length(y_true, y_proba, weight)
    for name, some in (("labels", labels), ("columns", columns)):
        if some is not None:
            encoded[name] = encode_given(some, name)
    if weighs_nothing(len(y_proba), weight):
        return None
    codes, space = share(encoded, len(y_proba))
    seen = {"y_true": _seen(codes["y_true"], space, weight)}
    if columns is not None:
        known = codes["columns"].from_zero()
        seen["the classes of the estimator"] = space.mark(known)
    rows = choose_classes(space, seen, codes.get("labels"))
    return _Encoded(codes["y_true"], y_proba, weight, rows.numbering(), rows.labels)


def _seen(codes, space, weight):
    """Which labels have samples that weigh something."""
    seen = space.mark()
    for part in _parts(len(codes.held), _BLOCK):
        some = codes.from_zero(part)
        seen[some if weight is None else some[weight[part] > 0]] = True
    return seen


def _sum(found):
    """One pass over the probabilities: check them and add them up."""
    n_classes, y_proba, weight = len(found.labels), found.proba, found.weight
    n_columns = 2 if y_proba.ndim == 1 else y_proba.shape[1]
    table = np.zeros((n_classes, n_columns + 1))
    sum_to_one = True
    for part in _parts(len(y_proba), max(1, _BLOCK // n_columns)):
        row = found.number(part)
        proba = as_floats(y_proba[part], "y_proba")
        _check_range(proba)
        if proba.ndim == 1:
            proba = np.column_stack([1 - proba, proba])
        elif sum_to_one:
            sum_to_one = _sum_to_one(proba, y_proba.dtype)
        share_of = np.ones(len(row)) if weight is None else weight[part]
        indicator = sp.csc_array(
            (share_of, row, np.arange(len(row) + 1)), shape=(n_classes, len(row))
        )
        table[:, :-1] += indicator @ proba
        table[:, -1] += np.bincount(row, share_of, minlength=n_classes)
    return table, sum_to_one


def _check_range(proba):
    if not (proba.min() >= 0 and proba.max() <= 1):
        bad = proba[~((proba >= 0) & (proba <= 1))][0]
        raise ValueError(f"y_proba must lie between 0 and 1. Got {bad}.")


def _sum_to_one(proba, dtype):
    tolerance = np.sqrt(np.finfo(dtype if dtype.kind == "f" else np.float64).eps)
    sums = proba @ np.ones(proba.shape[1])  # three times as fast as a sum of rows
    return np.abs(sums - 1).max() <= tolerance


def _check_shape(y_proba):
    y_proba = as_numbers(y_proba, "y_proba")
    if y_proba.ndim not in (1, 2):
        raise ValueError(
            "y_proba must be an array of shape (n_samples, n_classes) or (n_samples,). "
            f"Got an array of shape {y_proba.shape}."
        )
    return y_proba


def _parts(n_samples, length):
    return (slice(start, start + length) for start in range(0, n_samples, length))
