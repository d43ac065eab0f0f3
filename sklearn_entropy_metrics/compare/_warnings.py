"""Warnings of many calls that say the same, once."""

import re
import warnings
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from sklearn_entropy_metrics._warn import warn


def call_each(names: Iterable[Hashable], function: Callable[[int], Any]) -> list[Any]:
    """Call a function with the place of each of some names.

    Warnings that say the same but for numbers come once, with the first of the names.
    """
    results = []
    kinds: dict[Any, list[Any]] = {}
    for place, name in enumerate(names):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            results.append(function(place))
        for one in caught:
            kind = one.category, re.sub("[0-9]+", "", str(one.message))
            kinds.setdefault(kind, []).append((name, one.message))
    for (category, _), ((name, message), *others) in kinds.items():
        more = f" and {len(others)} more" if others else ""
        warn(f"{name}{more}: {message}", category)
    return results
