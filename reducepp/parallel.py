"""Work on all cores, results in order, bounded memory."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from typing import TypeVar

from reducepp.errors import ReduceppError

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""Pieces of work handed out a process before the first result is taken."""


def cores(jobs: int = 0) -> int:
    """Processes to use: as many as asked for, else as many as this process may run on."""
    if jobs or not hasattr(os, "sched_getaffinity"):
        return jobs or os.cpu_count() or 1
    return len(os.sched_getaffinity(0))


def die_quietly() -> None:
    """For a worker's start: Ctrl-C, which reaches the whole group, ends it without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def map_in_order(
    work: Callable[..., Result], items: Iterable[Item], *rest: object, jobs: int = 0
) -> Iterator[Result]:
    """`work(item, *rest)` of each item, in order; in this process for few items or one core."""
    items = iter(items)
    first = list(islice(items, 3))
    if cores(jobs) == 1 or len(first) < 3:
        for item in chain(first, items):
            yield work(item, *rest)
        return
    with ProcessPoolExecutor(cores(jobs), initializer=die_quietly) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for item in chain(first, items):
                waiting.append(pool.submit(work, item, *rest))
                if len(waiting) >= AHEAD * cores(jobs):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            why = "a worker process ended early, perhaps for lack of memory; try fewer --jobs"
            raise ReduceppError(why) from None
