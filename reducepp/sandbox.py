"""Runs functions on untrusted input in worker processes with a time and a memory limit.

A parser that hangs, takes too much memory or crashes costs its one input: the worker is replaced
and the caller gets a SandboxError. This limits resources; it is no barrier against code that takes
over the worker.
"""

from __future__ import annotations

import asyncio
import atexit
import pickle
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import connection as pipes
from typing import Any, TypeVar

from reducepp.errors import ReduceppError, SandboxError
from reducepp.parallel import cores
from reducepp.sandbox_process import Process, parent_ends, start

Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_SECONDS = 30.0
"""Wall-clock time for one input. The largest page that is accepted takes under 10 s."""
MAX_MEMORY_BYTES = 1_500_000_000
"""Address space for one input beyond what the worker starts with. The largest page that is
accepted takes under 600 MB."""
CHUNK = 16
"""Inputs sent to a worker at once: a round trip costs as much as a fifth of a small page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkLimits:
    """What one input may take."""

    seconds: float = MAX_SECONDS
    memory_bytes: int = MAX_MEMORY_BYTES


DEFAULT_LIMITS = WorkLimits()


class Worker:
    """A process that runs functions; started when needed and replaced after a failure."""

    def __init__(self, limits: WorkLimits = DEFAULT_LIMITS) -> None:
        self.limits = limits
        self.deadline = 0.0
        self._connection: pipes.Connection | None = None
        self._process: Process | None = None

    @property
    def connection(self) -> pipes.Connection:
        """The pipe to the process, which is started if there is none."""
        if self._connection is None:
            self._process, self._connection = start(self.limits.seconds, self.limits.memory_bytes)
        return self._connection

    def send(self, function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
        """Start `function(*arguments)` for each call; take as many results with `receive`."""
        message = pickle.dumps((function, calls))
        try:
            self.connection.send_bytes(message)
        except OSError:  # it died while idle: once more with a new one
            self.close()
            self.connection.send_bytes(message)
        self.deadline = time.monotonic() + self.limits.seconds

    def receive(self) -> Any:
        """The next result; raises what the function raised, SandboxError for a broken limit."""
        try:
            if not self.connection.poll(max(0.0, self.deadline - time.monotonic())):
                raise self._failure(f"takes more than {self.limits.seconds:g} s")
            kind, value = pickle.loads(self.connection.recv_bytes())
        except (EOFError, OSError):
            raise self._failure("crashed its worker process, or was too large for it") from None
        self.deadline = time.monotonic() + self.limits.seconds
        if kind is None:
            return value
        if issubclass(kind, MemoryError):
            memory = self.limits.memory_bytes // 1_000_000
            raise self._failure(f"takes more than {memory} MB of memory")
        if issubclass(kind, ReduceppError):
            raise _with_text(kind, value)
        raise SandboxError(f"{kind.__name__}: {value}"[:300])

    def run(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """`function(*arguments)` in the worker; functions are named, so they are module-level."""
        self.send(function, [arguments])
        result: Result = self.receive()
        return result

    def kill(self) -> None:
        """End the process; a thread that waits for its result gets SandboxError."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process, whatever it is doing; another one starts when needed."""
        process, self._process = self._process, None
        connection, self._connection = self._connection, None
        if connection is not None:
            parent_ends.discard(connection)
            connection.close()
        if process is not None:
            process.kill()
            process.wait()

    def _failure(self, reason: str) -> SandboxError:
        self.close()
        return SandboxError(reason)


def _with_text(kind: type[ReduceppError], text: str) -> ReduceppError:
    """An error of this kind with this text, whatever its own constructor takes."""
    error = kind.__new__(kind)
    Exception.__init__(error, text)
    return error


_idle: deque[Worker] = deque()
"""Workers with the default limits that the next caller may use."""


@atexit.register
def _close_idle() -> None:
    for worker in _idle:
        worker.close()


def run_sandboxed(function: Callable[..., Result], *arguments: Any) -> Result:
    """`function(*arguments)` in a worker; SandboxError where a limit is broken or it crashes."""
    worker = _take_idle()
    try:
        return worker.run(function, *arguments)
    finally:
        _give_back(worker)


def _take_idle() -> Worker:
    try:
        return _idle.pop()
    except IndexError:
        return Worker()


def _give_back(worker: Worker) -> None:
    """Keep an interpreter of its own for the next caller; a fork knows only what was known then."""
    if isinstance(worker._process, subprocess.Popen) and len(_idle) < cores():
        _idle.append(worker)
    else:
        worker.close()


@dataclass(slots=True)
class _Batch:
    """Inputs of one worker, in order, and the results so far."""

    items: list[Any]
    results: list[Any] = field(default_factory=list)

    @property
    def rest(self) -> list[Any]:
        return self.items[len(self.results) :]


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
    source = iter(items)
    batches = iter(lambda: list(islice(source, CHUNK)), [])
    workers = [_take_idle() for _ in range(cores(jobs))]
    running: dict[Worker, _Batch] = {}
    waiting: deque[_Batch] = deque()
    clean = False
    try:
        while True:
            for worker in workers:
                if worker not in running and (batch := next(batches, None)) is not None:
                    waiting.append(_Batch(batch))
                    running[worker] = waiting[-1]
                    worker.send(function, [(item, *rest) for item in batch])
            while waiting and not waiting[0].rest:
                yield from waiting.popleft().results
            if not waiting:
                break
            _take_results(running, function, rest, failed)
        clean = True
    finally:
        for worker in workers:
            _give_back(worker) if clean else worker.close()


def _take_results(
    running: dict[Worker, _Batch],
    function: Callable[..., Any],
    rest: tuple[object, ...],
    failed: Callable[[Any, str], Any],
) -> None:
    """Wait for results or for the next deadline, and take what is there."""
    now = time.monotonic()
    nearest = min(worker.deadline for worker in running)
    ready = pipes.wait([worker.connection for worker in running], max(0.0, nearest - now))
    for worker, batch in list(running.items()):
        if worker.connection not in ready and time.monotonic() < worker.deadline:
            continue
        try:
            batch.results.append(worker.receive())
        except (SandboxError, ReduceppError) as error:
            batch.results.append(failed(batch.rest[0], str(error)))
            if worker._connection is None and batch.rest:
                worker.send(function, [(item, *rest) for item in batch.rest])
        if not batch.rest:
            del running[worker]


class AsyncWorkers:
    """Workers for an event loop; use as ``async with AsyncWorkers(n) as workers``."""

    def __init__(self, size: int, limits: WorkLimits = DEFAULT_LIMITS) -> None:
        self._all = [Worker(limits) for _ in range(size)]
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="sandbox")

    async def __aenter__(self) -> AsyncWorkers:
        for worker in self._all:
            self._free.put_nowait(worker)
        return self

    async def __aexit__(self, *_: object) -> None:
        for worker in self._all:
            worker.kill()
        await asyncio.to_thread(self._threads.shutdown)
        for worker in self._all:
            worker.close()

    async def run(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """`function(*arguments)` in the next free worker."""
        worker = await self._free.get()
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._threads, worker.run, function, *arguments)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            worker.kill()
            with suppress(ReduceppError):
                await work
            raise
        finally:
            self._free.put_nowait(worker)
