"""Warnings of many calls that say the same, once; errors for options of old."""

import re
import warnings
from collections.abc import Callable, Hashable, Iterable
from functools import wraps
from typing import Any, TypeVar, cast

from sklearn_entropy_metrics._warn import warn

Function = TypeVar("Function", bound=Callable[..., Any])


def without(*names: str, advice: str) -> Callable[[Function], Function]:
    """Make a function say what to use instead of options that it does not have."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def advising(*args: Any, **options: Any) -> Any:
            if got := [name for name in names if name in options]:
                raise TypeError(
                    f"{function.__name__}() has no option {got[0]!r}: {advice}. Got "
                    f"{options[got[0]]!r}."
                )
            return function(*args, **options)

        return cast(Function, advising)

    return decorate


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
