"""Runs functions on untrusted input in worker processes with a time and a memory limit.

A parser that hangs, takes too much memory or crashes costs its one input: the worker is replaced
and the caller gets a SandboxError. This limits resources; it is no barrier against code that takes
over the worker.
"""

import atexit
import pickle
import subprocess
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from multiprocessing import connection as pipes
from typing import Any, TypeVar

from reducepp.errors import ReduceppError, SandboxError
from reducepp.parallel import Pool, cores
from reducepp.sandbox_process import Process, WorkLimits, parent_ends, start

Item = TypeVar("Item")
Result = TypeVar("Result")

DEFAULT_LIMITS = WorkLimits()
MAX_START_SECONDS = 300.0
"""Time for a worker to start and to prepare, on a busy machine."""
CHUNK = 16
"""Inputs sent to a worker at once: a round trip costs as much as a fifth of a small page."""


def _nothing() -> None:
    """For workers that need no preparation."""


class Worker:
    """A process that runs functions; started when needed and replaced after a failure."""

    def __init__(
        self, limits: WorkLimits = DEFAULT_LIMITS, prepare: Callable[[], Any] = _nothing
    ) -> None:
        """`prepare` runs first in each process; its time and memory do not count."""
        self._limits, self._prepare = limits, prepare
        self._is_ready = False
        self._connection: pipes.Connection | None = None
        self.process: Process | None = None

    def start(self) -> pipes.Connection:
        """The pipe to the process, which is started if there is none."""
        if self._connection is None:
            self._is_ready = False
            self.process, self._connection = start()
            self._connection.send_bytes(pickle.dumps((self._prepare, self._limits)))
        return self._connection

    def wait_ready(self) -> None:
        """Return when a process has prepared itself; SandboxError where it does not."""
        self.start()
        if not self._is_ready:
            self._receive(MAX_START_SECONDS)
            self._is_ready = True

    def run(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """`function(*arguments)` in the worker; functions are named, so they are module-level.

        Raises what the function raised, SandboxError for a broken limit.
        """
        self._send(function, [arguments])
        result: Result = self._receive(self._limits.seconds)
        return result

    def run_each(self, function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> list[Any]:
        """The result of each call, or the error that it ended with."""
        results: list[Any] = []
        while rest := calls[len(results) :]:
            self._send(function, rest)
            while self._connection is not None and len(results) < len(calls):
                try:
                    results.append(self._receive(self._limits.seconds))
                except ReduceppError as error:
                    results.append(error)
        return results

    def _send(self, function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
        message = pickle.dumps((function, calls))
        try:
            self.start().send_bytes(message)
        except OSError:  # it died while idle: once more with a new one
            self.close()
            self.start().send_bytes(message)
        self.wait_ready()

    def _receive(self, seconds: float) -> Any:
        try:
            if not self.start().poll(seconds):
                raise self._failure(f"takes more than {seconds:g} s")
            kind, value = pickle.loads(self.start().recv_bytes())
        except (EOFError, OSError):
            raise self._failure("crashed its worker process, or was too large for it") from None
        if kind is None:
            return value
        if issubclass(kind, MemoryError):
            memory = self._limits.memory_bytes // 1_000_000
            raise self._failure(f"takes more than {memory} MB of memory")
        if issubclass(kind, ReduceppError):
            error: ReduceppError = kind.__new__(kind)  # whatever its own constructor takes
            Exception.__init__(error, value)
            raise error
        raise SandboxError(f"{kind.__name__}: {value}"[:300])

    def _failure(self, reason: str) -> SandboxError:
        self.close()
        return SandboxError(reason)

    def kill(self) -> None:
        """End the process; a thread that waits for its result gets SandboxError."""
        if self.process is not None:
            self.process.kill()

    def close(self) -> None:
        """End the process, whatever it is doing; another one starts when needed."""
        process, self.process = self.process, None
        connection, self._connection = self._connection, None
        if connection is not None:
            parent_ends.discard(connection)
            connection.close()
        if process is not None:
            process.kill()
            process.wait()


_idle: deque[Worker] = deque()
"""Workers with the default limits that the next caller may use."""


@atexit.register
def _close_idle() -> None:
    for worker in _idle:
        worker.close()


def run_sandboxed(function: Callable[..., Result], *arguments: Any) -> Result:
    """`function(*arguments)` in a worker; SandboxError where a limit is broken or it crashes."""
    (worker,) = idle_workers(1)
    try:
        return worker.run(function, *arguments)
    finally:
        _give_back(worker)


def idle_workers(count: int) -> list[Worker]:
    """So many workers; those that other callers gave back first."""
    return [_take_idle() for _ in range(count)]


def _take_idle() -> Worker:
    try:
        return _idle.pop()
    except IndexError:
        return Worker()


def _give_back(worker: Worker) -> None:
    """Keep a new interpreter for the next caller; a fork, which has old copies of modules, ends."""
    if isinstance(worker.process, subprocess.Popen) and len(_idle) < cores():
        _idle.append(worker)
    else:
        worker.close()


class WorkerPool(Pool[Worker]):
    """Workers for an event loop, or for a list of inputs."""

    def give_back(self) -> None:
        """Keep the workers, none of which has work, for the next caller."""
        while self.members:
            _give_back(self.members.pop())

    async def run(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """`function(*arguments)` in the next free worker."""
        import asyncio

        work = self.submit(lambda worker: worker.run(function, *arguments))
        return await asyncio.wrap_future(work)


def map_sandboxed(
    function: Callable[..., Result],
    items: Iterable[Item],
    *rest: object,
    failed: Callable[[Item, str], Result],
    jobs: int = 0,
) -> Iterator[Result]:
    """`function(item, *rest)` for each item, in order, on `jobs` workers (0: all cores).

    `failed(item, reason)` is the result of an item that broke a limit or crashed its worker.
    """

    def run_batch(batch: list[Item], worker: Worker) -> list[Result]:
        found = worker.run_each(function, [(item, *rest) for item in batch])
        return [
            failed(item, str(one)) if isinstance(one, ReduceppError) else one
            for item, one in zip(batch, found, strict=True)
        ]

    source = iter(items)
    batches = iter(lambda: list(islice(source, CHUNK)), [])
    first = list(islice(batches, cores(jobs)))
    if not first:
        return
    with WorkerPool(idle_workers(len(first))) as pool:
        for worker in pool.members:
            worker.start()  # before there are threads: that is quicker
        waiting = deque(pool.submit(partial(run_batch, batch)) for batch in first)
        while waiting:
            yield from waiting.popleft().result()
            waiting.extend(pool.submit(partial(run_batch, batch)) for batch in islice(batches, 1))
        pool.give_back()  # when the reader stops early they are ended
