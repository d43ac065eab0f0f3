"""A line on standard error that shows the progress of a long computation."""

import sys
import time
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

# Seconds between two updates of the line.
_PAUSE = 0.2


def telling(
    items: Iterable[Any], number: int, who: str, what: str, verbose: int = 1
) -> Iterator[Any]:
    """Pass items on, and show how many of them are done.

    Parameters
    ----------
    items : iterable
        The items, computed one by one.

    number : int
        How many items there are.

    who, what : str
        The name of the computation, and of its items.

    verbose : int, default=1
        Whether to show anything.

    Yields
    ------
    item : object
    """
    if verbose <= 0:
        yield from items
        return
    start = last = time.monotonic()
    _tell(who, f"0 of {number} {what}")
    try:
        for done, item in enumerate(items, 1):
            yield item
            now = time.monotonic()
            if now - last >= _PAUSE or done == number:
                last = now
                left = round((now - start) / done * (number - done))
                _tell(who, f"{done} of {number} {what}, {timedelta(seconds=left)} left")
    finally:
        print(file=sys.stderr, flush=True)


def _tell(who, text):
    print(f"\r{who}: {text:<40}", end="", file=sys.stderr, flush=True)
