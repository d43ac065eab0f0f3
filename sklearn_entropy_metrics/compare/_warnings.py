"""Warnings of many calls that say the same, once."""

import re
import warnings
from collections.abc import Callable, Hashable
from typing import Any

from sklearn_entropy_metrics._warn import warn


class WarningsByName:
    """The warnings of several calls, those that say the same together."""

    def __init__(self) -> None:
        self._found: dict[tuple[type[Warning], str], list[tuple[Hashable, str]]] = {}

    def call(
        self, name: Hashable, function: Callable[..., Any], *args: Any, **options: Any
    ) -> Any:
        """Call a function and keep its warnings under a name."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = function(*args, **options)
        for one in caught:
            kind = one.category, re.sub("[0-9]+", "", str(one.message))
            self._found.setdefault(kind, []).append((name, str(one.message)))
        return result

    def warn(self) -> None:
        """Warn once of each kind, with the first of its names."""
        for (category, _), ((name, message), *others) in self._found.items():
            more = f" and {len(others)} more" if others else ""
            warn(f"{name}{more}: {message}", category)
