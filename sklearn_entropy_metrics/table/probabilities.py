"""Labels and predicted probabilities → checked tables."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.table.blocks import is_dask, reduce_blocks
from sklearn_entropy_metrics.table.checks import (
    NOTHING,
    as_floats,
    as_numbers,
    as_weight,
    weighs_nothing,
)
from sklearn_entropy_metrics.table.class_table import ClassTable
from sklearn_entropy_metrics.table.classes import (
    Classes,
    KnownLabels,
    encode_given,
    given_labels,
    number_labels,
    some_labels,
)
from sklearn_entropy_metrics.table.labels import encode
from sklearn_entropy_metrics.table.merge import merge_tables
from sklearn_entropy_metrics.table.tabulate import effective_size

# Probabilities that are taken at a time: they stay in the processor's cache.
_BLOCK = 1 << 16


class Samples(NamedTuple):
    """Checked samples, without those of weight zero."""

    true: np.ndarray  # numbers of the true classes, (n_samples,)
    proba: np.ndarray  # of any dtype of floats, (n_samples, n_classes)
    weight: np.ndarray | None
    labels: np.ndarray

    def soft_table(self) -> ClassTable:
        """Sum the probabilities by true class."""
        n_classes = self.proba.shape[1]
        table, weight = _sum(self.true, self.proba, self.weight, n_classes)
        rows = Classes.of(self.labels)
        return ClassTable(table, rows, rows, effective_size(self.weight), weight)


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
        weight = soft.support[:, None]
        return soft.table / np.where(weight > 0, weight, 1)
    return (as_shares(soft) if normalize == "all" else soft).table


def as_shares(soft: ClassTable) -> ClassTable:
    """The table of probabilities as shares of all samples, whose number it keeps."""
    total = soft.total
    shares, weight = soft.table / total, soft.support / total
    return soft._replace(table=shares, class_weight=weight, size=soft.n_samples)


def tabulate_probabilities(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    columns: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ClassTable:
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
    if not sums.sums_to_one:
        warn_of_sums()
    return soft_table(sums, columns)


def check_samples(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    columns: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> Samples:
    """Check labels and probabilities for measures that need every single sample.

    The parameters are those of :func:`tabulate_probabilities`. Dask collections are
    gathered.
    """
    if isinstance(labels, KnownLabels):
        columns, labels = labels.classes, None
    arrays: Any = y_true, y_proba, sample_weight
    y_true, y_proba, sample_weight = (
        array.compute() if is_dask(array) else array for array in arrays
    )
    found = _encode(y_true, y_proba, sample_weight, labels, columns)
    if found is None:
        raise ValueError(NOTHING)
    true, proba, weight, rows = found
    if proba.dtype.kind != "f" or proba.dtype.itemsize > 8:
        proba = as_floats(proba, "y_proba")
    proba, sums_to_one = _checked(proba, proba.dtype)
    if not sums_to_one:
        warn_of_sums()
    classes = rows.labels
    place = _places(classes, columns, proba.shape[1])
    if place != list(range(len(classes))):
        full = np.zeros((len(proba), len(classes)), dtype=proba.dtype)
        full[:, place] = proba
        proba = full
    if weight is not None and not weight.all():
        keep = weight > 0
        true, proba, weight = true[keep], proba[keep], weight[keep]
    return Samples(true, proba, weight, classes)


def sum_probabilities(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    columns: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ClassTable | None:
    """Sum probabilities so that they can be merged with those of other samples.

    The parameters are those of :func:`tabulate_probabilities`. The columns are those of
    `y_proba`. It is None if there are no samples or all weigh nothing, which other
    samples can make up for.
    """
    arrays = {"y_true": y_true, "y_proba": y_proba, "sample_weight": sample_weight}
    if any(map(is_dask, arrays.values())):
        function = partial(sum_probabilities, labels=labels, columns=columns)
        return reduce_blocks(function, merge_tables, **arrays)
    found = _encode(y_true, y_proba, sample_weight, labels, columns)
    if found is None:
        return None
    true, given, weight, rows = found
    n_columns = 2 if given.ndim == 1 else given.shape[1]
    table, class_weight = np.zeros((len(rows.places), n_columns)), np.zeros(1)
    sums_to_one = True
    step = max(1, _BLOCK // n_columns)
    for start in range(0, len(given), step):
        part = slice(start, start + step)
        floats = as_floats(given[part], "y_proba")
        proba, is_whole = _checked(floats, given.dtype)
        some = None if weight is None else weight[part]
        sums, of_classes = _sum(true[part], proba, some, len(rows.places))
        table, class_weight = table + sums, class_weight + of_classes
        sums_to_one = sums_to_one and is_whole
    size, numbers = effective_size(weight), Classes.of(np.arange(n_columns))
    return ClassTable(table, rows, numbers, size, class_weight, sums_to_one)


def soft_table(sums: ClassTable, columns: ArrayLike | None = None) -> ClassTable:
    """Put each column of probabilities in the place of its class."""
    labels = sums.labels
    place = _places(labels, columns, sums.table.shape[1])
    full = np.zeros((len(labels), len(labels)))
    full[:, place] = sums.table
    return sums._replace(table=full, columns=sums.rows)


def warn_of_sums() -> None:
    """Warn that the probabilities of some sample do not sum to one."""
    warn("The rows of y_proba do not all sum to one; they are used as they are.")


def _places(labels, columns, n_columns):
    """The number of the class of each column of `y_proba`."""
    if columns is None:
        place = list(range(len(labels)))
    else:
        known = given_labels(columns, "columns")
        number = {label: place for place, label in enumerate(labels.tolist())}
        missing = [label for label in known.tolist() if label not in number]
        if missing:
            raise ValueError(
                "labels must contain every value of the classes of the estimator. "
                f"Missing: {some_labels(np.array(missing, dtype=object))}."
            )
        place = [number[label] for label in known.tolist()]
    if len(place) != n_columns:
        more = " and others" if len(place) > 5 else ""
        raise ValueError(
            f"y_proba has {n_columns} columns, but there are {len(place)} classes: "
            f"{labels[place][:5]}{more}. Name all classes by labels=."
        )
    return place


def _encode(y_true, y_proba, sample_weight, labels, columns):
    """Check the samples and number their classes; None if they weigh nothing."""
    true = encode(y_true, "y_true")
    weight = as_weight(sample_weight)
    y_proba = _check_shape(y_proba)
    check_consistent_length(y_true, y_proba, weight)
    if weighs_nothing(len(y_proba), weight):
        if labels is not None:
            encode_given(labels, "labels")
        return None
    if labels is None and columns is not None:
        labels = KnownLabels(columns)
    (numbers,), rows, _ = number_labels({"y_true": true}, labels=labels, weight=weight)
    return numbers, y_proba, weight, rows


def _sum(true, proba, weight, n_classes):
    """Sums of probabilities by true class, and the weights of the classes."""
    weight = np.ones(len(true)) if weight is None else weight
    indicator = sp.csc_array(
        (weight, true, np.arange(len(true) + 1)), shape=(n_classes, len(true))
    )
    return indicator @ proba, np.bincount(true, weight, minlength=n_classes)


def _checked(proba, dtype):
    """Probabilities with a column for each class, and whether they sum to one."""
    if not (proba.min() >= 0 and proba.max() <= 1):
        bad = proba[~((proba >= 0) & (proba <= 1))][0]
        raise ValueError(f"y_proba must lie between 0 and 1. Got {bad}.")
    if proba.ndim == 1:
        return np.column_stack([1 - proba, proba]), True
    tolerance = np.sqrt(np.finfo(dtype if dtype.kind == "f" else np.float64).eps)
    sums = proba @ np.ones(proba.shape[1])  # three times as fast as a sum of rows
    return proba, bool(np.abs(sums - 1).max() <= tolerance)


def _check_shape(y_proba):
    y_proba = as_numbers(y_proba, "y_proba")
    if y_proba.ndim not in (1, 2):
        raise ValueError(
            "y_proba must be an array of shape (n_samples, n_classes) or (n_samples,). "
            f"Got an array of shape {y_proba.shape}."
        )
    return y_proba
