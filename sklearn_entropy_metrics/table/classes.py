"""The classes of rows and columns: those that are given, known or seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from sklearn_entropy_metrics.table.labels import (
    Codes,
    Encoded,
    Space,
    check_kinds,
    encode,
    share,
)

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


class Classes(NamedTuple):
    """The classes of the rows or of the columns of a table, in their order."""

    space: Space
    places: np.ndarray  # of their labels in the space

    @classmethod
    def of(cls, labels: np.ndarray) -> Classes:
        """Those with these labels."""
        return cls(Space(labels), np.arange(len(labels)))

    @property
    def labels(self) -> np.ndarray:
        return self.space.labels(self.places)

    def numbering(self) -> np.ndarray:
        """The number of the class at each place of the space; 0 where there is none."""
        dtype = np.int32 if self.space.size < 2**31 else np.int64
        numbers = np.zeros(self.space.size, dtype)
        numbers[self.places] = np.arange(len(self.places), dtype=dtype)
        return numbers

    def places_of(self, others: Classes) -> list[int] | None:
        """Where the others are among these; None unless they are the same classes."""
        place = {label: i for i, label in enumerate(self.labels.tolist())}
        labels = others.labels.tolist()
        if place.keys() != set(labels):
            return None
        return [place[label] for label in labels]


class Sides(NamedTuple):
    """Labels of samples as codes, in a space for the true and the predicted ones."""

    true: dict[str, Codes]
    pred: dict[str, Codes]
    labels: Codes | None
    pred_labels: Codes | None
    spaces: tuple[Space, Space]
    fixed: bool  # whether seen labels must be among the given ones
    are_apart: bool  # whether predicted classes are not the true ones

    def choose(self, true: np.ndarray, pred: np.ndarray) -> tuple[Classes, Classes]:
        """The classes of rows and columns, the very same unless they are given.

        `true` and `pred` are booleans: which labels of each space were seen.
        """
        seen_true = {" and ".join(self.true): true}
        seen_pred = {" and ".join(self.pred): pred}
        if not self.are_apart:
            seen = seen_true | seen_pred
            rows = _choose(self.spaces[0], seen, self.labels, "labels", self.fixed)
            return rows, rows
        return (
            _choose(self.spaces[0], seen_true, self.labels, "labels", self.fixed),
            _choose(self.spaces[1], seen_pred, self.pred_labels, "pred_labels", True),
        )

    def number(self, weight: np.ndarray | None = None) -> NumberedLabels:
        """Number the labels of all samples; those of weight zero are not seen."""
        keep = slice(None) if weight is None or weight.all() else weight > 0
        true, pred = (
            [codes.from_zero() for codes in side.values()]
            for side in (self.true, self.pred)
        )
        rows, columns = self.choose(
            self.spaces[0].mark(*(places[keep] for places in true)),
            self.spaces[1].mark(*(places[keep] for places in pred)),
        )
        number = rows.numbering()
        numbers = [number[places] for places in true]
        if columns is not rows:
            number = columns.numbering()
        return NumberedLabels(
            [*numbers, *(number[places] for places in pred)], rows, columns
        )


class NumberedLabels(NamedTuple):
    """Arrays of numbers of classes, in the order of the arrays of labels."""

    numbers: list[np.ndarray]
    rows: Classes
    columns: Classes


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
        Arrays of true and of predicted labels, none of them empty, by the names that
        errors call them.

    labels, pred_labels : array-like, KnownLabels or None
        The true and the predicted classes, as in :func:`contingency_table`.

    weight : ndarray of shape (n_samples,), default=None
        Labels of samples of weight zero are not seen; their numbers mean nothing.

    Returns
    -------
    numbered : NumberedLabels
        The numbers of the arrays in `true`, then those in `pred`, and the classes.
    """
    return encode_sides(true, pred or {}, labels, pred_labels).number(weight)


def encode_sides(
    true: Mapping[str, Any],
    pred: Mapping[str, Any],
    labels: ArrayLike | KnownLabels | None,
    pred_labels: ArrayLike | None,
) -> Sides:
    """Encode labels; the parameters are those of :func:`number_labels`."""
    rows = [(name, encode(y, name)) for name, y in true.items()]
    columns = [(name, encode(y, name)) for name, y in pred.items()]
    are_apart = pred_labels is not None
    if isinstance(labels, KnownLabels) and labels.classes is None:
        kinds = [{y.kind for _, y in side} for side in (rows, columns)]
        labels, are_apart = None, are_apart or kinds[0] != kinds[1]
    if labels is not None:
        rows.append(("labels", encode_given(labels, "labels")))
    if pred_labels is not None:
        columns.append(("pred_labels", encode_given(pred_labels, "pred_labels")))
    if not are_apart:
        check_kinds(rows + columns, NAME_PREDICTED if pred else "")
        codes, space = share([y for _, y in rows + columns])
        spaces = space, space
    else:
        for side in (rows, columns):
            check_kinds(side)
        codes, true_space = share([y for _, y in rows])
        pred_codes, pred_space = share([y for _, y in columns])
        codes, spaces = codes + pred_codes, (true_space, pred_space)
    of_true, of_pred = codes[: len(rows)], codes[len(rows) :]
    return Sides(
        dict(zip(true, of_true, strict=False)),
        dict(zip(pred, of_pred, strict=False)),
        None if labels is None else of_true[-1],
        None if pred_labels is None else of_pred[-1],
        spaces,
        not isinstance(labels, KnownLabels),
        are_apart,
    )


def _choose(space, seen, given, name, fixed):
    """The classes that were given, or the sorted ones that were seen.

    Unless the given ones are fixed, both have a row or column.
    """
    if given is None or not fixed:
        wanted = np.logical_or.reduce(list(seen.values()))
        if given is not None:
            wanted[given.from_zero()] = True
        return Classes(space, wanted.nonzero()[0])
    places = given.from_zero()
    for of, mask in seen.items():
        outside = mask.copy()
        outside[places] = False
        if outside.any():
            raise ValueError(
                f"{name} must contain every value of {of}. Missing: "
                f"{some_labels(space.labels(outside.nonzero()[0]))}."
            )
    return Classes(space, places)


def some_labels(labels: np.ndarray) -> str:
    """The first few labels, for a message."""
    more = ", …" if len(labels) > 5 else ""
    return ", ".join(map(repr, labels[:5].tolist())) + more


def encode_given(labels: ArrayLike | KnownLabels, name: str) -> Encoded:
    """Encode `labels` or `pred_labels` as given by the user."""
    if isinstance(labels, KnownLabels):
        return encode(labels.classes, name)
    encoded = encode(labels, name)
    n_labels = len(encoded.codes)
    if n_labels == 0:
        raise ValueError(f"{name} must not be empty.")
    if len(np.unique(encoded.codes)) < n_labels:
        raise ValueError(f"{name} must not repeat a label. Got {labels!r}.")
    return encoded


def given_labels(labels: ArrayLike, name: str) -> np.ndarray:
    """The labels that the user gave as an array of our own, each as it is."""
    encoded = encode_given(labels, name)
    if encoded.values is None:
        return encoded.codes.copy()
    return encoded.values[encoded.codes]
