"""The wall clock of a program under test jumps by years while it runs (libfaketime)."""

import itertools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

LIBRARY = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)
OFFSETS = ("+0", "+3650d", "-3650d", "+1d", "-25y")

needs_faketime = pytest.mark.skipif(LIBRARY is None, reason="no libfaketime here")


@contextmanager
def jumping_clock(folder: Path, *, every: float = 0.05) -> Iterator[dict[str, str]]:
    """The environment of a program whose wall clock jumps every so many seconds.

    The monotonic clock goes on, as it does when somebody sets the time of a machine.
    """
    state = folder / "clock"
    state.write_text("+0")
    ended = threading.Event()

    def jump() -> None:
        for offset in itertools.cycle(OFFSETS):
            aside = state.with_suffix(".new")
            aside.write_text(offset)
            aside.replace(state)
            if ended.wait(every):
                return

    thread = threading.Thread(target=jump)
    thread.start()
    try:
        yield os.environ | {
            "LD_PRELOAD": str(LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(state),
            "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }
    finally:
        ended.set()
        thread.join()
