"""The content of a report, from which its text, page and Markdown are made."""

from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.table.class_table import ClassTable

# The most classes that are named, and that have their cells shown.
MOST_CLASSES = 50


class Content(NamedTuple):
    """The numbers of a report, and what its plots need in addition.

    Attributes
    ----------
    numbers : dict
        What `information_report(..., output_dict=True)` returns.

    cells : ndarray of shape (k, m) or None
        The table; None if it has too many classes to be shown.

    columns : list of str
        The names of the predicted classes; those of the true ones are in the numbers.

    confidence_level : float or None
        The level of the intervals, if there are any.

    digits : int
        Number of decimal places.
    """

    numbers: dict[str, Any]
    cells: np.ndarray | None
    columns: list[str]
    confidence_level: float | None = 0.95
    digits: int = 3

    @property
    def rows(self) -> list[str]:
        """The names of the true classes."""
        return list(self.numbers["classes"])


def content_of(
    numbers: dict[str, Any],
    given: ClassTable,
    *,
    confidence_level: float | None = 0.95,
    digits: int = 3,
) -> Content:
    """Keep what a report needs from its table, as its own copy."""
    table, cells = given.table, None
    if max(table.shape) <= MOST_CLASSES:
        cells = table.copy() if isinstance(table, np.ndarray) else table.toarray()
    if given.is_square:
        columns = list(numbers["classes"])
    elif given.pred_labels is None:
        columns = [str(place) for place in range(table.shape[1])]
    else:
        columns = [str(label) for label in given.pred_labels.tolist()]
    return Content(numbers, cells, columns, confidence_level, digits)
