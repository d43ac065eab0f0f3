"""What may be wrong with labels, although they can be read."""

import re
from collections.abc import Mapping

import numpy as np

from sklearn_entropy_metrics.command_line.messages import file_name, tell
from sklearn_entropy_metrics.table.classes import some_labels

_BLANKS = " \t\N{NO-BREAK SPACE}"
_WHOLE_FLOAT = re.compile(r"(-?[0-9]+)\.0*")


def tell_of_labels(file: str, true: str, seen: Mapping[str, set[str]]) -> None:
    """Tell of labels that are not what they seem.

    Parameters
    ----------
    file : str
        Where they are from.

    true : str
        The column of the true labels.

    seen : dict of column to set of str
        The labels of `true` and of each prediction.
    """
    for column, labels in seen.items():
        padded = sorted(label for label in labels if label != label.strip(_BLANKS))
        if padded:
            _warn(
                file,
                f"labels in column {column!r} have blanks at their ends, such as "
                f"{padded[0]!r}. They are kept: {padded[0]!r} and "
                f"{padded[0].strip(_BLANKS)!r} are two classes.",
            )
    for column in seen:
        if column == true:
            continue
        _tell_of_pair(file, true, column, seen)


def _tell_of_pair(file, true, pred, seen):
    both = seen[true] | seen[pred]
    for label in sorted(both):
        match = _WHOLE_FLOAT.fullmatch(label)
        if match and match[1] in both:
            _warn(
                file,
                f"columns {true!r} and {pred!r} have labels {match[1]!r} and "
                f"{label!r}. They are text, and so they are two classes.",
            )
            break
    if not seen[true] & seen[pred]:
        _warn(
            file,
            f"columns {true!r} and {pred!r} share no label. Got "
            f"{some_labels(np.array(sorted(seen[true])))} and "
            f"{some_labels(np.array(sorted(seen[pred])))}.",
        )


def _warn(file, problem):
    tell(f"warning: {file_name(file)}: {problem}")
