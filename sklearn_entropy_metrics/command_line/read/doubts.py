"""What may be wrong with labels, although they can be read."""

import re
from collections.abc import Mapping

import numpy as np

from sklearn_entropy_metrics.command_line.messages import file_name, tell
from sklearn_entropy_metrics.table.classes import some_labels

_BLANKS = " \t\N{NO-BREAK SPACE}"
_WHOLE_FLOAT = re.compile(r"(-?[0-9]+)\.0*")


def tell_of_blanks(file: str, column: str, labels: set[str]) -> None:
    """Warn about labels, or groups, that begin or end with blanks."""
    padded = sorted(label for label in labels if label != label.strip(_BLANKS))
    if padded:
        first = padded[0]
        _warn(
            file,
            f"labels in column {column!r} begin or end with blanks, such as {first!r}."
            f" They are kept: {first!r} and {first.strip(_BLANKS)!r} are different.",
        )


def tell_of_numbers(file: str, seen: Mapping[str, set[str]]) -> None:
    """Warn about whole numbers that the columns seen spell in two ways."""
    labels = set().union(*seen.values())
    for label in sorted(labels):
        match = _WHOLE_FLOAT.fullmatch(label)
        if match and match[1] in labels:
            _warn(
                file,
                f"{_columns(seen)} have labels {match[1]!r} and {label!r}. They are "
                "text, so they are two classes.",
            )
            return


def tell_if_disjoint(file: str, seen: Mapping[str, set[str]]) -> None:
    """Warn if the columns seen, of true and of predicted labels, share none."""
    if not set.intersection(*seen.values()):
        found = (some_labels(np.array(sorted(labels))) for labels in seen.values())
        _warn(file, f"{_columns(seen)} share no label. Got {' and '.join(found)}.")


def _columns(seen):
    return f"columns {' and '.join(map(repr, seen))}"


def _warn(file, problem):
    tell(f"warning: {file_name(file)}: {problem}")
