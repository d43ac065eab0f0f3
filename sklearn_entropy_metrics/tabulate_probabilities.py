"""Labels and predicted probabilities → checked tables."""

import warnings
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics._encode import Shared, encode, from_zero, share
from sklearn_entropy_metrics.tabulate import (
    KnownLabels,
    as_floats,
    check_covered,
    check_weight,
    encode_given,
)

# Probabilities that are taken at a time: they stay in the processor's cache.
_BLOCK = 1 << 16


class SoftTable(NamedTuple):
    """Sums of probabilities for each true class, and the weight of its samples."""

    table: np.ndarray
    class_weight: np.ndarray
    space: Shared
    rows: np.ndarray

    @property
    def labels(self) -> np.ndarray:
        return self.space.labels(self.rows)


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

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Predicted probabilities, as of `predict_proba`. One-dimensional: those of the
        second one of two classes. Rows that do not sum to one are used as they are,
        with a warning.

    labels : array-like of shape (n_classes,), default=None
        The classes, in the order of the columns of `y_proba`. By default the sorted
        labels of `y_true`: name them if some class has no samples.

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
    if normalize == "all":
        return soft.table / soft.class_weight.sum()
    return soft.table


def tabulate_probabilities(
    y_true: Any,
    y_proba: Any,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    columns: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> SoftTable:
    """Sum probabilities by true class, and tell the classes and their weights.

    The parameters are those of :func:`probabilistic_confusion_matrix`. With `columns`,
    or with :class:`KnownLabels` for `labels`, the columns of `y_proba` are those of
    some classes only; the others have a probability of zero.
    """
    if isinstance(labels, KnownLabels):
        columns, labels = labels.classes, None
    arrays = {"y_true": encode(y_true, "y_true")}
    weight = check_weight(sample_weight)
    y_proba = _check_shape(y_proba)
    check_consistent_length(y_true, y_proba, weight)
    if len(y_proba) == 0:
        raise ValueError("y_true and y_proba are empty; at least 1 sample is required.")
    for name, given in (("labels", labels), ("columns", columns)):
        if given is not None:
            arrays[name] = encode_given(given, name)
    shared = share(arrays, len(y_proba))
    codes = {
        name: code if name == "y_true" else from_zero(code, shared.offset)
        for name, code in zip(arrays, shared.codes, strict=True)
    }
    rows, place = _rows_and_places(codes, shared, weight)
    n_columns = 2 if y_proba.ndim == 1 else y_proba.shape[1]
    if n_columns != len(place):
        raise ValueError(
            f"y_proba has {n_columns} columns, but there are {len(place)} classes: "
            f"{shared.labels(rows[place])}."
            + (" Name all classes by labels=." if len(codes) == 1 else "")
        )
    table, class_weight = _sum(codes["y_true"], y_proba, shared, rows, weight)
    full = np.zeros((len(rows), len(rows)))
    full[:, place] = table
    return SoftTable(full, class_weight, shared, rows)


def _rows_and_places(codes, shared, weight):
    """The classes, as numbers in the shared space, and which of them have columns."""
    seen = np.zeros(len(shared.space), dtype=bool)
    for part in _parts(len(codes["y_true"]), _BLOCK):
        some = from_zero(codes["y_true"][part], shared.offset)
        seen[some if weight is None else some[weight[part] > 0]] = True
    if "labels" in codes:
        rows = codes["labels"]
        check_covered(rows, seen, shared, "labels", "y_true")
    else:
        wanted = seen.copy()
        wanted[codes.get("columns", [])] = True
        rows = wanted.nonzero()[0]
    if "columns" not in codes:
        return rows, np.arange(len(rows))
    known = np.zeros_like(seen)
    known[codes["columns"]] = True
    check_covered(rows, known, shared, "labels", "the classes of the estimator")
    number = np.zeros(len(seen), dtype=np.int64)
    number[rows] = np.arange(len(rows))
    return rows, number[codes["columns"]]


def _sum(true, y_proba, shared, rows, weight):
    """One pass over the probabilities: check them and add them up."""
    n_classes = len(rows)
    number = np.zeros(len(shared.space), dtype=np.int64)
    number[rows] = np.arange(n_classes)
    n_columns = 2 if y_proba.ndim == 1 else y_proba.shape[1]
    table, class_weight = np.zeros((n_classes, n_columns)), np.zeros(n_classes)
    sums_to_one = True
    for part in _parts(len(true), max(1, _BLOCK // n_columns)):
        row = number[from_zero(true[part], shared.offset)]
        proba = np.asarray(y_proba[part], dtype=np.float64)
        if not (proba.min() >= 0 and proba.max() <= 1):
            bad = proba[~((proba >= 0) & (proba <= 1))][0]
            raise ValueError(f"y_proba must lie between 0 and 1. Got {bad}.")
        if proba.ndim == 1:
            proba = np.column_stack([1 - proba, proba])
        elif sums_to_one:
            sums_to_one = _sums_to_one(proba, y_proba.dtype)
        share_of = np.ones(len(row)) if weight is None else weight[part]
        indicator = sp.csc_array(
            (share_of, row, np.arange(len(row) + 1)), shape=(n_classes, len(row))
        )
        table += indicator @ proba
        class_weight += np.bincount(row, share_of, minlength=n_classes)
    if not sums_to_one:
        warnings.warn(
            "The rows of y_proba do not all sum to one; they are used as they are.",
            UserWarning,
            stacklevel=4,
        )
    return table, class_weight


def _sums_to_one(proba, dtype):
    tolerance = np.sqrt(np.finfo(dtype if dtype.kind == "f" else np.float64).eps)
    sums = proba @ np.ones(proba.shape[1])  # three times as fast as a sum of rows
    return np.abs(sums - 1).max() <= tolerance


def _check_shape(y_proba):
    y_proba = np.asarray(y_proba)
    if y_proba.dtype.kind == "O":
        y_proba = as_floats(y_proba, "y_proba")
    if y_proba.dtype.kind not in "biuf" or y_proba.ndim not in (1, 2):
        raise ValueError(
            "y_proba must be an array of numbers of shape (n_samples, n_classes) or "
            f"(n_samples,). Got shape {y_proba.shape} and dtype {y_proba.dtype}."
        )
    return y_proba


def _parts(n_samples, length):
    return (slice(start, start + length) for start in range(0, n_samples, length))
