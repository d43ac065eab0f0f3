"""The classes of rows and columns: those that are given, known or seen."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.table.labels import Codes, Encoded, Space, encode


class KnownLabels(NamedTuple):
    """Classes that get a row and a column, seen or not, in addition to those seen."""

    classes: ArrayLike


def known_labels(estimator: Any) -> KnownLabels | None:
    """The classes of a fitted classifier, or None if it has none."""
    classes = getattr(estimator, "classes_", None)
    if classes is None or (isinstance(classes, list) and any(map(np.ndim, classes))):
        return None  # a list of arrays has one for each of several outputs
    return KnownLabels(classes)


class Classes(NamedTuple):
    """The classes of the rows or of the columns of a table, in their order."""

    space: Space
    places: np.ndarray  # of their labels in the space

    @property
    def labels(self) -> np.ndarray:
        return self.space.labels(self.places)

    def numbering(self) -> np.ndarray:
        """The number of the class at each place of the space; 0 where there is none."""
        dtype = np.int32 if self.space.size < 2**31 else np.int64
        numbers = np.zeros(self.space.size, dtype)
        numbers[self.places] = np.arange(len(self.places), dtype=dtype)
        return numbers


def choose_classes(
    space: Space,
    seen: dict[str, np.ndarray],
    given: Codes | None = None,
    *,
    name: str = "labels",
    fixed: bool = True,
) -> Classes:
    """The classes that were given, or the sorted ones that were seen.

    Parameters
    ----------
    space : Space
        All labels.

    seen : dict of str to ndarray of bool
        Which of them were seen, by argument name.

    given : Codes, default=None
        Those that the user gave, in the order of the rows or columns.

    name : str, default="labels"
        What the given ones are called, for the error message.

    fixed : bool, default=True
        Whether labels that were seen must be among the given ones. If not, both have
        a row or column, sorted.

    Returns
    -------
    classes : Classes
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


def choose_sides(
    codes: dict[str, Codes],
    spaces: tuple[Space, Space],
    seen: dict[str, np.ndarray],
    *,
    fixed: bool = True,
) -> tuple[Classes, Classes]:
    """The classes of the rows and of the columns, the very same if it is one choice.

    The parameters are those of :func:`choose_classes`: codes hold those of "labels" and
    "pred_labels" if these are given, the rest is that of the rows, then of the columns.
    """
    labels, pred_labels = codes.get("labels"), codes.get("pred_labels")
    if pred_labels is None:
        rows = choose_classes(spaces[0], seen, labels, fixed=fixed)
        return rows, rows
    true, pred = ({name: mask} for name, mask in seen.items())
    return (
        choose_classes(spaces[0], true, labels, fixed=fixed),
        choose_classes(spaces[1], pred, pred_labels, name="pred_labels"),
    )


def some_labels(labels: np.ndarray) -> str:
    """The first few labels, for a message."""
    more = ", …" if len(labels) > 5 else ""
    return ", ".join(map(repr, labels[:5].tolist())) + more


def encode_given(labels: Any, name: str) -> Encoded:
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


def given_labels(labels: Any, name: str) -> np.ndarray:
    """The labels that the user gave as an array of our own, each as it is."""
    encoded = encode_given(labels, name)
    if encoded.values is None:
        return encoded.codes.copy()
    return encoded.values[encoded.codes]
