"""Processor time as a multiple of what a fixed piece of work takes on the same machine.

Bounds in seconds would fail on a slow machine and mean nothing on a fast one.
"""

import time
from collections.abc import Callable
from functools import cache

ROUNDS = 1_000_000
"""Steps of a plain Python loop that make one unit: about 0.05 s on a machine of 2023."""


def units_of(work: Callable[[], object]) -> float:
    """Processor time of some work, in units."""
    return _seconds(work) / _unit()


@cache
def _unit() -> float:
    return min(_seconds(_loop) for _ in range(3))


def _loop() -> int:
    total = 0
    for number in range(ROUNDS):
        total += number % 7
    return total


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
