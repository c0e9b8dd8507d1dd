"""Functions that a sandboxed worker runs in tests: they return, fail, hang, crash, grow."""

import os
import signal
import time

from reducepp.errors import MissingExtraError


def double(number: int) -> int:
    return 2 * number


def misbehave(number: int) -> int:
    """By number: 3 hangs, 5 crashes, 7 takes memory, 9 raises; others are doubled."""
    if number == 3:
        time.sleep(3600)
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 7:
        bytearray(10**10)
    if number == 9:
        raise MissingExtraError("nine", "tables")
    return 2 * number


def process_id() -> int:
    return os.getpid()


def sleep_long() -> None:
    time.sleep(3600)


def compute_long() -> None:
    while time.process_time() < 600:
        pass


prepared = bytearray()


def take_time_and_memory() -> None:
    time.sleep(1)
    prepared.extend(bytes(200_000_000))


def size_prepared() -> int:
    return len(prepared)
