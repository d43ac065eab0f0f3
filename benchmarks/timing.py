"""How time and memory are taken."""

import math
import timeit
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Action = Callable[[], Any]


@dataclass(frozen=True)
class Effort:
    """How large the inputs are, and how long each function is measured."""

    part: float = 1.0  # of the full sizes
    rounds: int = 6
    seconds: float = 0.4  # in each round

    def size(self, full: int) -> int:
        """How many there are where the full size says `full`."""
        return max(min(full, 100), math.ceil(self.part * full))

    def best_times(self, *functions: Action) -> tuple[float, ...]:
        """Seconds of the fastest call of each function.

        They take turns, so that a busy moment of the machine does not hit one alone.
        """
        rounds = [
            [best_time(function, self.seconds) for function in functions]
            for _ in range(self.rounds)
        ]
        return tuple(map(min, zip(*rounds, strict=True)))


FULL = Effort()
QUICK = Effort(part=0.01, rounds=1, seconds=0.0)


def best_time(function: Action, seconds: float) -> float:
    """Seconds of the fastest call, repeated for about as long as said."""
    timer = timeit.Timer(function)
    times = [timer.timeit(1)]
    while sum(times) < seconds and len(times) < 5000:
        times.append(timer.timeit(1))
    return min(times)


def peak_memory(function: Action) -> int:
    """Peak number of bytes that a call allocates."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
