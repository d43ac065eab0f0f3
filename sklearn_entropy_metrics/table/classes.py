"""The classes of rows and columns: those that are given, known or seen."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.table.labels import Shared, encode


class KnownLabels(NamedTuple):
    """Classes that have a row and a column, seen or not, beside those that are seen."""

    classes: ArrayLike


def known_labels(estimator: Any) -> KnownLabels | None:
    """The classes of a fitted classifier, None if it tells none."""
    classes = getattr(estimator, "classes_", None)
    if classes is None or (isinstance(classes, list) and any(map(np.ndim, classes))):
        return None  # a list of arrays has one for each of several outputs
    return KnownLabels(classes)


class Classes(NamedTuple):
    """The classes of the rows or of the columns of a table, in their order."""

    space: Shared
    numbers: np.ndarray  # of their labels in the space

    @property
    def labels(self) -> np.ndarray:
        return self.space.labels(self.numbers)


def check_covered(labels, seen, shared, name, of):
    """Refuse labels that were seen in `of` but are not among the given ones."""
    outside = seen.copy()
    outside[labels] = False
    if outside.any():
        raise ValueError(
            f"{name} must contain every value of {of}. Got besides: "
            f"{some_labels(shared.labels(outside.nonzero()[0]))}."
        )


def some_labels(labels):
    """The first few labels, for a message."""
    more = ", …" if len(labels) > 5 else ""
    return ", ".join(map(repr, labels[:5].tolist())) + more


def encode_given(labels, name):
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
