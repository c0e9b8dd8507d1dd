"""Work on all cores, results in order, bounded memory."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from reducepp.errors import ReduceppError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

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
    """Processes to use: as many as given, else as many as this process may run on."""
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


@contextmanager
def no_workers() -> Iterator[None]:
    """Work on parts of an item in this process: the other cores are busy."""
    jobs = _nested["jobs"]
    use_no_workers()
    try:
        yield
    finally:
        _nested["jobs"] = jobs


def _start_worker(size: int, start: tuple[Any, ...]) -> None:
    """For a worker's start: too many bytes of data raise MemoryError.

    Ctrl-C, which reaches the whole group, ends it without a traceback.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    use_no_workers()
    if size:
        _limit_data(size)
    if start:
        start[0](*start[1:])


def _limit_data(size: int) -> int:
    """Set how many bytes of data this process may have; what it was before."""
    import resource

    before, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (size, most))
    return before


@contextmanager
def memory_limit(size: int) -> Iterator[None]:
    """Work that takes more than so many bytes of this process fails, 0 for any number; no other
    processes work on its parts."""
    if not size:
        yield
        return
    before = _limit_data(size)
    try:
        with no_workers():
            yield
    except MemoryError:
        raise ReduceppError(TOO_LITTLE) from None
    finally:
        _limit_data(before)


TOO_LITTLE = "one query needs more memory than --memory gives it; allow more, or fewer --jobs"


def free_memory() -> float:
    """Bytes that this process may still take: of the system's, and of its own limit on data.

    Infinite where the system does not say.
    """
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            system = 1024.0 * _line_of(file, "MemAvailable")
        import resource

        limit = resource.getrlimit(resource.RLIMIT_DATA)[0]
        if limit == resource.RLIM_INFINITY:
            return system
        with open("/proc/self/status", encoding="utf-8") as file:
            return min(system, limit - 1024.0 * _line_of(file, "VmData"))
    except (ImportError, OSError, KeyError, ValueError):
        return math.inf


def _line_of(lines: Iterable[str], name: str) -> int:
    """The number after a name, as files of /proc have it."""
    return int(dict(line.split(":", 1) for line in lines)[name].split()[0])


def release_freed_memory() -> None:
    """Give freed memory back to the system, where the C library has a call for it."""
    import ctypes

    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def map_in_order(
    work: Callable[..., Result], items: Iterable[Item], *rest: Any, jobs: int = 0, memory: int = 0
) -> Iterator[Result]:
    """`work(item, *rest)` of each item, in order; in this process for few items or one core.

    `memory` is what all workers together may take, in bytes; 0 is no limit. With a limit there are
    only as many workers as fit, and one item that needs more than its share is an error.
    """
    if memory:
        jobs = max(1, min(cores(jobs), memory // LEAST_MEMORY))
    items = iter(items)
    first = list(islice(items, 3))
    if len(first) < (2 if memory else 3) or (cores(jobs) == 1 and not memory):
        for item in chain(first, items):
            before, _nested["jobs"] = _nested["jobs"], jobs
            try:
                with memory_limit(memory):
                    result = work(item, *rest)
            finally:
                _nested["jobs"] = before
            yield result
        return
    yield from _map_in_pool(work, chain(first, items), rest, jobs, memory)


@contextmanager
def begin_in_order(
    work: Callable[[Item], Result], items: Sequence[Item]
) -> Iterator[Iterator[Result]]:
    """The same of a few items that are all begun at once: the caller does other work meanwhile."""
    if len(items) < 3 or nested_cores() == 1:
        yield map(work, items)
        return
    with process_pool(nested_cores()) as pool:
        begun = [pool.submit(work, item) for item in items]
        yield (future.result() for future in begun)


def _map_in_pool(
    work: Callable[..., Result],
    items: Iterable[Item],
    rest: tuple[object, ...],
    jobs: int,
    memory: int,
) -> Iterator[Result]:
    with process_pool(jobs, memory) as pool:
        waiting: deque[Future[Result]] = deque()
        for item in items:
            waiting.append(pool.submit(work, item, *rest))
            if len(waiting) >= AHEAD * cores(jobs):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def process_pool(
    jobs: int, memory: int = 0, *, start: tuple[Any, ...] = ()
) -> Iterator[ProcessPoolExecutor]:
    """Worker processes, which call `start` first, a function with its arguments.

    `memory` is what all together may take. On leaving, what was not begun is not done.
    """
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children

    given = memory // cores(jobs), start
    with ProcessPoolExecutor(cores(jobs), initializer=_start_worker, initargs=given) as pool:
        try:
            yield pool
        except (MemoryError, BrokenProcessPool):
            ended = "a worker process ended early, perhaps for lack of memory; try fewer --jobs"
            raise ReduceppError(TOO_LITTLE if memory else ended) from None
        except (KeyboardInterrupt, SystemExit):
            for worker in active_children():
                worker.terminate()  # what they work on may take minutes more
            raise
        finally:
            pool.shutdown(cancel_futures=True)  # nobody waits for more where the reader has gone
