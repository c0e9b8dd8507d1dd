"""Work on all cores, results in order, bounded memory."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

from reducepp.errors import ReduceppError

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")


class Member(Protocol):
    """What a pool holds: it works for a thread, and another thread can end that."""

    def kill(self) -> None:
        """End the work under way, which then fails."""

    def close(self) -> None:
        """End everything that belongs to it."""


AnyMember = TypeVar("AnyMember", bound=Member)


class Pool(Generic[AnyMember]):
    """Worker processes or browsers, with a thread for each that waits for it.

    Use as ``with Pool(members) as pool``; on leaving, the work under way is ended.
    """

    def __init__(self, members: list[AnyMember]) -> None:
        self.members = members
        self._free: SimpleQueue[AnyMember] = SimpleQueue()
        for member in members:
            self._free.put(member)
        from concurrent.futures import ThreadPoolExecutor

        self._threads = ThreadPoolExecutor(max(1, len(members)))

    def submit(self, work: Callable[[AnyMember], Result]) -> Future[Result]:
        """`work` with the next free member, in its turn."""
        return self._threads.submit(self._with_member, work)

    def _with_member(self, work: Callable[[AnyMember], Result]) -> Result:
        member = self._free.get()
        try:
            return work(member)
        finally:
            self._free.put(member)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for member in self.members:
            member.kill()
        self._threads.shutdown()
        for member in self.members:
            member.close()


AHEAD = 4
"""Items handed out per process before the first result is taken."""


_nested = {"jobs": 0}
"""Processes for parts of the item that is worked on; 0 is all cores."""


def cores(jobs: int = 0) -> int:
    """Processes to use: as many as asked for, else as many as this process may run on."""
    if jobs or not hasattr(os, "sched_getaffinity"):
        return jobs or os.cpu_count() or 1
    return len(os.sched_getaffinity(0))


def nested_cores() -> int:
    """Processes that work on one item may use for its own parts: 1 in a worker or a thread."""
    main = threading.current_thread() is threading.main_thread()
    return cores(_nested["jobs"]) if main else 1


LEAST_MEMORY = 256 << 20
"""Bytes that one process needs for a hundred pages, with its packages."""


def use_no_workers() -> None:
    """For a worker's start: it works on parts of an item by itself."""
    _nested["jobs"] = 1


def _limit_memory(size: int) -> None:
    """For a worker's start: too many bytes of data raise MemoryError.

    Ctrl-C, which reaches the whole group, ends it without a traceback.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    use_no_workers()
    if size:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def release_freed_memory() -> None:
    """Give freed memory back to the system, where the C library has a call for it."""
    import ctypes

    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def map_in_order(
    work: Callable[..., Result],
    items: Iterable[Item],
    *rest: object,
    jobs: int = 0,
    memory: int = 0,
) -> Iterator[Result]:
    """`work(item, *rest)` of each item, in order; in this process for few items or one core.

    `memory` is what all workers together may take, in bytes; 0 is no limit. With a limit there are
    only as many workers as fit, and one item that needs more than its share is an error.
    """
    if memory:
        jobs = max(1, min(cores(jobs), memory // LEAST_MEMORY))
    items = iter(items)
    first = list(islice(items, 3))
    if not memory and (cores(jobs) == 1 or len(first) < 3):
        for item in chain(first, items):
            before, _nested["jobs"] = _nested["jobs"], jobs
            try:
                result = work(item, *rest)
            finally:
                _nested["jobs"] = before
            yield result
        return
    yield from _map_in_pool(work, chain(first, items), rest, jobs, memory)


def _map_in_pool(
    work: Callable[..., Result],
    items: Iterable[Item],
    rest: tuple[object, ...],
    jobs: int,
    memory: int,
) -> Iterator[Result]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children

    share = (memory // cores(jobs),)
    with ProcessPoolExecutor(cores(jobs), initializer=_limit_memory, initargs=share) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(work, item, *rest))
                if len(waiting) >= AHEAD * cores(jobs):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except (MemoryError, BrokenProcessPool):
            limited = "one query needs more memory than --memory gives it; allow more, or"
            ended = "a worker process ended early, perhaps for lack of memory; try"
            raise ReduceppError(f"{limited if memory else ended} fewer --jobs") from None
        except (KeyboardInterrupt, SystemExit):
            for worker in active_children():
                worker.terminate()  # what they work on may take minutes more
            raise
        finally:
            pool.shutdown(cancel_futures=True)  # nobody waits for more where the reader has gone
