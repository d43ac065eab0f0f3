"""Labels and predicted probabilities → checked tables."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.utils import check_consistent_length, gen_batches

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.table import checks, classes
from sklearn_entropy_metrics.table.blocks import gather, is_dask, reduce_blocks
from sklearn_entropy_metrics.table.classes import ClassTable, KnownLabels
from sklearn_entropy_metrics.table.labels import encode
from sklearn_entropy_metrics.table.merge import merge_tables
from sklearn_entropy_metrics.table.tabulate import effective_size

# Probabilities that are taken at a time: they stay in the processor's cache.
_BLOCK = 1 << 16
_SUMS = "The rows of y_proba do not all sum to one; they are used as they are."


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
        size = effective_size(self.weight)
        return ClassTable(table, self.labels, self.labels, size, weight)


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
    y_true: ArrayLike, y_proba: ArrayLike, **given: Any
) -> ClassTable:
    """Sum probabilities by true class, with the classes and their weights.

    The parameters are those of :func:`sum_probabilities`.
    """
    sums = sum_probabilities(y_true, y_proba, **given)
    if sums is None:
        raise ValueError(checks.NOTHING)
    return soft_table(sums)


def check_samples(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    columns: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> Samples:
    """Check labels and probabilities for measures that need every single sample.

    The parameters are those of :func:`sum_probabilities`. Dask collections are
    gathered.
    """
    y_true, y_proba, sample_weight = map(gather, (y_true, y_proba, sample_weight))
    read = _read(y_true, y_proba, sample_weight, labels, columns)
    if read is None:
        raise ValueError(checks.NOTHING)
    true, proba, weight, rows, names = read
    if proba.dtype.kind != "f" or proba.dtype.itemsize > 8:
        proba = checks.as_floats(proba, "y_proba")
    proba, sums_to_one = _checked(proba, proba.dtype)
    if not sums_to_one:
        warn(_SUMS)
    proba = _by_class(proba, rows, names)
    if weight is not None and not weight.all():
        keep = weight > 0
        true, proba, weight = true[keep], proba[keep], weight[keep]
    return Samples(true, proba, weight, rows)


def sum_probabilities(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    columns: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ClassTable | None:
    """Sum probabilities so that they can be merged with those of other samples.

    The parameters are those of :func:`probabilistic_confusion_matrix`. With `columns`,
    or with :class:`KnownLabels` for `labels`, the columns of `y_proba` belong to some
    of the classes; the others have a probability of zero. The table has the columns of
    `y_proba`. It is None if there are no samples or all weigh nothing, which other
    samples can make up for.
    """
    arrays = {"y_true": y_true, "y_proba": y_proba, "sample_weight": sample_weight}
    function = partial(_sum_local, labels=labels, columns=columns)
    if any(map(is_dask, arrays.values())):
        sums = reduce_blocks(function, merge_tables, **arrays)
    else:
        sums = function(**arrays)
    if sums is not None and not sums.sums_to_one:
        warn(_SUMS)
    return sums


def _sum_local(y_true, y_proba, sample_weight=None, *, labels, columns):
    """Sums of probabilities in memory, one cache-sized block at a time."""
    read = _read(y_true, y_proba, sample_weight, labels, columns)
    if read is None:
        return None
    true, given, weight, rows, names = read
    n_columns = 2 if given.ndim == 1 else given.shape[1]
    table, class_weight = np.zeros((len(rows), n_columns)), np.zeros(len(rows))
    sums_to_one = True
    for part in gen_batches(len(given), max(1, _BLOCK // n_columns)):
        floats = checks.as_floats(given[part], "y_proba")
        proba, is_whole = _checked(floats, given.dtype)
        some = None if weight is None else weight[part]
        sums, of_classes = _sum(true[part], proba, some, len(rows))
        table, class_weight = table + sums, class_weight + of_classes
        sums_to_one = sums_to_one and is_whole
    return ClassTable(
        table,
        rows,
        np.arange(n_columns) if names is None else names,
        effective_size(weight),
        class_weight,
        sums_to_one,
        is_named=names is not None,
    )


def soft_table(sums: ClassTable) -> ClassTable:
    """Put each column of probabilities in the place of its class."""
    names = sums.pred_labels if sums.is_named else None
    table = _by_class(sums.table, sums.labels, names)
    return sums._replace(table=table, pred_labels=sums.labels, is_named=True)


def _by_class(values, labels, names):
    """Put columns, which have names unless they are those of all classes, in order."""
    place = list(range(len(labels)))
    if names is not None:
        number = dict(zip(labels.tolist(), place, strict=True))
        missing = [name for name in names.tolist() if name not in number]
        if missing:
            raise ValueError(
                "labels must contain every value of the classes of the estimator. "
                f"Got {classes.some_labels(np.array(missing, dtype=object))} besides."
            )
        place = [number[name] for name in names.tolist()]
    if len(place) != values.shape[1]:
        more = " and others" if len(place) > 5 else ""
        raise ValueError(
            "y_proba must have a column for each class; name all classes by labels=. "
            f"Got {values.shape[1]} columns, but there are {len(place)} classes: "
            f"{labels[place][:5]}{more}."
        )
    if place == list(range(len(labels))):
        return values
    full = np.zeros((len(values), len(labels)), dtype=values.dtype)
    full[:, place] = values
    return full


def _read(y_true, y_proba, sample_weight, labels, columns):
    """Numbers of the true classes, probabilities, weights, classes, and the columns'.

    These are None if they are those of the rows; all is None if it weighs nothing.
    """
    true = encode(y_true, "y_true")
    weight = checks.as_weight(sample_weight)
    y_proba = checks.as_numbers(y_proba, "y_proba")
    if y_proba.ndim not in (1, 2):
        raise ValueError(
            "y_proba must be an array of shape (n_samples, n_classes) or (n_samples,). "
            f"Got an array of shape {y_proba.shape}."
        )
    check_consistent_length(y_true, y_proba, weight)
    if checks.weighs_nothing(len(y_proba), weight):
        return None
    if isinstance(labels, KnownLabels):
        columns = labels.classes
    elif labels is None and columns is not None:
        labels = KnownLabels(columns)
    (numbers,), rows, _ = classes.number_labels(
        {"y_true": true}, labels=labels, weight=weight
    )
    names = None if columns is None else classes.given_labels(columns, "columns")
    return numbers, y_proba, weight, rows, names


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
