"""The classes of rows and columns, given, known or seen; one table with its classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from sklearn_entropy_metrics.table import labels as label_codes
from sklearn_entropy_metrics.table.checks import Table

NAME_PREDICTED = (
    "If this is intended, as with cluster numbers, pass the predicted classes as "
    "`pred_labels`."
)


class KnownLabels(NamedTuple):
    """Classes that get a row and a column, seen or not, in addition to those seen.

    None: those of a model that knows no classes. If its predictions are of another kind
    than the true labels, they are clusters, with columns of their own.
    """

    classes: ArrayLike | None


def known_labels(estimator: BaseEstimator) -> KnownLabels | None:
    """The classes of a fitted classifier, or None if it has none."""
    classes = getattr(estimator, "classes_", None)
    if classes is None or (isinstance(classes, list) and any(map(np.ndim, classes))):
        return None  # a list of arrays has one for each of several outputs
    return KnownLabels(classes)


class Side(NamedTuple):
    """Labels of samples as codes in one space: true ones, predicted ones, or both."""

    names: list[str]
    codes: list[label_codes.Codes]
    space: label_codes.Space
    given: label_codes.Codes | None  # the classes
    called: str  # what they are called
    fixed: bool  # whether labels that are seen must be among the given ones

    def choose(self, seen: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
        """The places of the classes that were given, or of the sorted ones seen.

        Unless the given ones are fixed, both are classes. `seen` holds booleans: which
        labels of the space are in each array.
        """
        if self.given is None or not self.fixed:
            wanted = np.logical_or.reduce(seen)
            if self.given is not None:
                wanted[self.given.from_zero()] = True
            return wanted.nonzero()[0]
        places = self.given.from_zero()
        for name, mask in zip(self.names, seen, strict=True):
            outside = mask.copy()
            outside[places] = False
            if outside.any():
                missing = label_codes.labels_at(outside.nonzero()[0], self.space)
                raise ValueError(
                    f"{self.called} must contain every value of {name}. Got "
                    f"{some_labels(missing)} besides."
                )
        return places


class NumberedLabels(NamedTuple):
    """Numbers of classes, and the labels of the classes of rows and columns."""

    numbers: list[np.ndarray]  # in the order of the arrays of labels
    rows: np.ndarray
    columns: np.ndarray  # the very same as the rows unless they were given


def number_labels(
    true: Mapping[str, Any],
    pred: Mapping[str, Any] | None = None,
    *,
    labels: ArrayLike | KnownLabels | None = None,
    pred_labels: ArrayLike | None = None,
    weight: np.ndarray | None = None,
) -> NumberedLabels:
    """Number the classes of true and predicted labels.

    Parameters
    ----------
    true, pred : dict of str to array-like of shape (n_samples,), or Encoded
        Arrays of true and of predicted labels, by the names that errors call them.

    labels, pred_labels : array-like, KnownLabels or None
        The true and the predicted classes, as in :func:`contingency_table`.

    weight : ndarray of shape (n_samples,), default=None
        Labels of samples of weight zero are not seen; their numbers mean nothing.

    Returns
    -------
    numbered : NumberedLabels
        The numbers of the arrays in `true`, then those in `pred`, and the classes.
    """
    return number_sides(encode_sides(true, pred or {}, labels, pred_labels), weight)


def number_sides(sides: list[Side], weight: np.ndarray | None) -> NumberedLabels:
    """Number labels that :func:`encode_sides` has encoded."""
    keep = slice(None) if weight is None or weight.all() else weight > 0
    numbers, axes = [], []
    for side in sides:
        places = [codes.from_zero() for codes in side.codes]
        seen = np.zeros((len(places), len(side.space)), dtype=bool)
        for mask, some in zip(seen, places, strict=True):
            mask[some[keep]] = True
        chosen = side.choose(seen)
        number = np.zeros(len(side.space), np.min_scalar_type(len(chosen)))
        number[chosen] = np.arange(len(chosen))
        numbers += [number[some] for some in places]
        axes.append(label_codes.labels_at(chosen, side.space))
    return NumberedLabels(numbers, axes[0], axes[-1])


def encode_sides(
    true: Mapping[str, Any],
    pred: Mapping[str, Any],
    labels: ArrayLike | KnownLabels | None,
    pred_labels: ArrayLike | None,
) -> list[Side]:
    """Encode labels; the parameters are those of :func:`number_labels`.

    The predicted ones have a side of their own if their classes are not the true ones.
    """
    rows = [(name, label_codes.encode(y, name)) for name, y in true.items()]
    columns = [(name, label_codes.encode(y, name)) for name, y in pred.items()]
    are_apart = pred_labels is not None
    if isinstance(labels, KnownLabels) and labels.classes is None:
        kinds = [{y.kind for _, y in side} for side in (rows, columns)]
        labels, are_apart = None, are_apart or kinds[0] != kinds[1]
    if are_apart:
        of_columns = _side(columns, pred_labels, "pred_labels")
        return [_side(rows, labels, "labels"), of_columns]
    return [_side(rows + columns, labels, "labels", NAME_PREDICTED if pred else "")]


def _side(arrays, labels, called, advice=""):
    """Arrays of one side, with their names, in one space."""
    names, encoded = [name for name, _ in arrays], [y for _, y in arrays]
    if not len(encoded[0].codes):
        raise ValueError(f"{names[0]} is empty; at least 1 sample is required.")
    if labels is not None:
        encoded.append(encode_given(labels, called))
    label_codes.check_kinds([*names, called], encoded, advice)
    codes, space = label_codes.share(encoded)
    given = None if labels is None else codes.pop()
    fixed = not isinstance(labels, KnownLabels)
    return Side(names, codes, space, given, called, fixed)


def some_labels(labels: np.ndarray) -> str:
    """The first few labels, for a message."""
    more = ", …" if len(labels) > 5 else ""
    return ", ".join(map(repr, labels[:5].tolist())) + more


def encode_given(labels: ArrayLike | KnownLabels, name: str) -> label_codes.Encoded:
    """Encode `labels` or `pred_labels` as given by the user."""
    if isinstance(labels, KnownLabels):
        return label_codes.encode(labels.classes, name)
    encoded = label_codes.encode(labels, name)
    n_labels = len(encoded.codes)
    if n_labels == 0:
        raise ValueError(f"{name} must not be empty.")
    if len(np.unique(encoded.codes)) < n_labels:
        raise ValueError(f"{name} must not repeat a label. Got {labels!r}.")
    return encoded


def given_labels(labels: ArrayLike, name: str) -> np.ndarray:
    """The labels that the user gave as an array of our own, each as it is."""
    return encode_given(labels, name).labels.copy()


class ClassTable(NamedTuple):
    """A table, or a stack of tables, with the classes of its rows and columns.

    Attributes
    ----------
    table : ndarray of shape (..., k, m) or csr_array of shape (k, m)
        Counts (int64), or sums of weights or probabilities, true classes in rows.

    labels : ndarray of shape (k,)
        The true classes.

    pred_labels : ndarray of shape (m,) or None
        The predicted classes: the very same array unless they were given; None if they
        are not known.

    size : float or None
        The effective number of samples, (Σw)² / Σw² for weights w; None if it is the
        total of the table.

    class_weight : ndarray of shape (k,) or None
        The weight of the samples of each true class, if the table holds sums of their
        probabilities; None for any other table.

    sums_to_one : bool
        Whether the probabilities of every sample do.

    n_tested : float or None
        How often each sample was tested, if the table was cross-validated.

    is_named : bool
        Whether the labels are those of classes; else they are mere numbers of rows.
    """

    table: Table
    labels: np.ndarray
    pred_labels: np.ndarray | None
    size: float | None = None
    class_weight: np.ndarray | None = None
    sums_to_one: bool = True
    n_tested: float | None = None
    is_named: bool = True

    @property
    def is_square(self) -> bool:
        """Whether the columns are the classes of the rows, in the same order."""
        if self.pred_labels is None or self.pred_labels is self.labels:
            return self.pred_labels is not None
        return self.labels.tolist() == self.pred_labels.tolist()

    @property
    def columns_of_hits(self) -> np.ndarray:
        """The column of the same class as each row; -1 where there is none."""
        labels = [] if self.pred_labels is None else self.pred_labels.tolist()
        place = {label: j for j, label in enumerate(labels)}
        return np.array([place.get(label, -1) for label in self.labels.tolist()])

    @property
    def hits(self) -> np.ndarray:
        """The cells whose row and column are the same class, booleans (k, m)."""
        return np.equal.outer(self.columns_of_hits, np.arange(self.table.shape[-1]))

    @property
    def n_samples(self) -> float:
        """The effective number of samples."""
        return self.total if self.size is None else self.size

    @property
    def total(self) -> float:
        """The weight of all samples."""
        cells = self.table if self.class_weight is None else self.class_weight
        return float(cells.sum(dtype=np.float64))

    @property
    def support(self) -> np.ndarray:
        """The weight of the samples of each true class."""
        if self.class_weight is not None:
            return self.class_weight
        return np.asarray(self.table.sum(axis=-1))

    @property
    def warning(self) -> str | None:
        """Why measures of one table mean little; None if nothing is wrong."""
        named_alike = self.pred_labels is self.labels
        if named_alike and np.count_nonzero(self.table[:1000].diagonal()) > 1:
            return None  # nearly always, and cheap
        weight = self.class_weight
        cells = self.table if weight is None else weight[:, np.newaxis]
        true = np.flatnonzero(cells.sum(axis=1))
        if len(true) == 1:
            return (
                f"y_true has one class only ({some_labels(self.labels[true])}): "
                "entropy-modulated accuracy is 1 for any prediction, and confusion "
                "entropy means little."
            )
        if not named_alike or self.table[:, true].sum():
            return None
        if weight is not None:
            return (
                "y_true and y_proba share no class: every class of y_true has "
                "probability 0 throughout."
            )
        pred = np.flatnonzero(self.table.sum(axis=0))
        return (
            "y_true and y_pred share no label. Got "
            f"{some_labels(self.labels[true])} in y_true and "
            f"{some_labels(self.labels[pred])} in y_pred. {NAME_PREDICTED}"
        )

    def aligned(self) -> ClassTable:
        """Put columns that are the classes of the rows in the order of the rows."""
        if self.pred_labels is None or self.is_square:
            return self
        order = places_of(self.labels, self.pred_labels)
        if order is None:
            return self
        return self._replace(table=self.table[..., order], pred_labels=self.labels)


def places_of(labels: np.ndarray, others: np.ndarray) -> list[int] | None:
    """Where labels are among others; None unless they are the same classes."""
    place = {label: i for i, label in enumerate(others.tolist())}
    if place.keys() != set(labels.tolist()):
        return None
    return [place[label] for label in labels.tolist()]
