"""Waiting for what comes about late on a busy machine, and failing where it never does."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

SECONDS = 60.0
"""Long enough for a machine with too much to do; who waits in vain fails all the same."""


def wait_until(ready: Callable[[], T]) -> T:
    """The first answer that counts as true; AssertionError where none comes."""
    deadline = time.monotonic() + SECONDS
    while not (found := ready()):
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)
    return found
