"""How time is taken."""

import timeit
from collections.abc import Callable
from typing import Any


def best_time(function: Callable[[], Any], *, at_least: float = 1.0) -> float:
    """Seconds of the fastest call, repeated for about `at_least` seconds."""
    timer = timeit.Timer(function)
    once = timer.timeit(1)
    repeat = min(max(3, int(at_least / once)), 5000)
    return min([once, *timer.repeat(repeat, number=1)])
