"""Worker processes behind a bounded queue: the event loop moves bytes, the workers do the work.

Each worker is one process that answers one request at a time, within a time and a memory limit. A
request that overruns its time is interrupted; a worker that goes on regardless, or dies, is ended
and replaced, so that no request can hold a core for good or take others down with it.
"""

import asyncio
import logging
import multiprocessing
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

from reducepp.sandbox_process import limit_memory

log = logging.getLogger("reducepp.service")

GRACE = 2.0
"""Seconds between the interruption of a request and the end of a worker that goes on regardless."""

_IMPORTING = "<frozen importlib._bootstrap>"
"""File of the frames that load modules."""

Answer = tuple[int, bytes]
"""HTTP status and JSON text."""

Job = Callable[[str, bytes], Answer]
"""What a worker runs: the name of the work and the request's body in, an answer out."""


class QueueFullError(Exception):
    """All workers are busy and the queue is full; `seconds` is when to come again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"busy: come again in {seconds} s")
        self.seconds = seconds


class OverrunError(BaseException):
    """Raised inside a worker when a request's time is over; nothing on the way may catch it."""


class WorkerDiedError(Exception):
    """The worker's process ended before it answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """What one request may take in a worker."""

    seconds: float
    """Time of the processor, so that a busy machine refuses nothing that an idle one answers."""
    clock_factor: float = 4.0
    """Times as many seconds may pass by the clock."""
    memory_bytes: int = 0
    """Memory beyond what a worker needs anyway; 0 is any amount."""

    @property
    def clock_seconds(self) -> float:
        """Time by the clock, for work that waits."""
        return self.seconds * self.clock_factor


def serve_requests(connection: Connection, job: Job, limits: RequestLimits) -> None:
    """Answer requests in a worker's process until the other end of the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for timer in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(timer, _raise_overrun)
    job("warm", b"")
    if limits.memory_bytes:
        limit_memory(limits.memory_bytes)
    connection.send(None)
    while True:
        try:
            name, body = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(_answer_in_time(job, name, body, limits))


def _answer_in_time(job: Job, name: str, body: bytes, limits: RequestLimits) -> Answer | None:
    """The answer, or None when the time was over."""
    try:
        _set_timers(limits.seconds, limits.clock_seconds)
        try:
            return job(name, body)
        finally:
            _set_timers(0, 0)
    except OverrunError:
        return None


def _set_timers(seconds: float, clock_seconds: float) -> None:
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, clock_seconds)


def _raise_overrun(_: int, frame: FrameType | None) -> None:
    """End the request; where a module is just being loaded, when that is done.

    Of a module that was loaded by half other parts stay, and no later request could use it. A
    load that takes too long ends with the whole worker.
    """
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            return
        frame = frame.f_back
    raise OverrunError


class Worker:
    """One worker process and the pipe to it."""

    def __init__(self, job: Job, limits: RequestLimits) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._seconds = limits.clock_seconds
        self.process = context.Process(
            target=serve_requests, args=(theirs, job, limits), daemon=True, name="reducepp-worker"
        )
        self.process.start()
        theirs.close()

    def wait_ready(self) -> None:
        """Return when the process has loaded what it needs."""
        try:
            self._connection.recv()
        except (EOFError, OSError):
            raise WorkerDiedError from None

    def ask(self, name: str, body: bytes) -> Answer | None:
        """Hand over one request and wait for the answer; None when its time was over."""
        try:
            self._connection.send((name, body))
            if not self._connection.poll(self._seconds + GRACE):
                raise WorkerDiedError
            answer: Answer | None = self._connection.recv()
        except (EOFError, OSError):
            raise WorkerDiedError from None
        return answer

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._connection.close()
        self.process.kill()
        self.process.join()


@dataclass(slots=True)
class Counts:
    """What is going on, for the metrics."""

    waiting: int = 0
    running: int = 0
    restarts: int = 0


class WorkerPool:
    """All workers, and the queue in front of them."""

    def __init__(self, job: Job, *, workers: int, queue: int, limits: RequestLimits) -> None:
        self._make: Callable[[], Worker] = lambda: Worker(job, limits)
        self._count, self._queue = workers, queue
        self._free: asyncio.Queue[int] = asyncio.Queue()
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="reducepp-worker")
        self._took = 0.1
        self.counts = Counts()
        self.all: list[Worker | None] = []
        """A worker per slot; None where the last one died and no other has started yet."""

    async def start(self) -> None:
        """Start every worker and wait until all are ready."""
        started = [self._make() for _ in range(self._count)]
        await asyncio.gather(*(self._thread(worker.wait_ready) for worker in started))
        self.all = list(started)
        for slot in range(self._count):
            self._free.put_nowait(slot)

    async def run(self, name: str, body: bytes) -> Answer | None:
        """Answer one request in its turn; None when its time was over, QueueFullError when full."""
        if self.counts.waiting >= self._queue and self._free.empty():
            raise QueueFullError(self._retry_after())
        self.counts.waiting += 1
        try:
            slot = await self._free.get()
        finally:
            self.counts.waiting -= 1
        return await asyncio.shield(asyncio.ensure_future(self._ask(slot, name, body)))

    async def _ask(self, slot: int, name: str, body: bytes) -> Answer | None:
        """Shielded: a caller who hangs up must not leave a worker with half a request."""
        self.counts.running += 1
        start = time.monotonic()
        try:
            worker = self.all[slot] or await self._replace(slot)
            answer: Answer | None = await self._thread(worker.ask, name, body)
            return answer
        except WorkerDiedError:
            log.warning("a worker was ended while it worked on %s", name)
            with suppress(WorkerDiedError):
                await self._replace(slot)
            return None
        finally:
            self._took += 0.2 * (time.monotonic() - start - self._took)
            self.counts.running -= 1
            self._free.put_nowait(slot)

    async def _replace(self, slot: int) -> Worker:
        """A new worker in the slot; where it dies while it starts, the next request tries again."""
        self.counts.restarts += 1
        old, self.all[slot] = self.all[slot], None
        if old is not None:
            await self._thread(old.end)
        new = self._make()
        try:
            await self._thread(new.wait_ready)
        except WorkerDiedError:
            log.error("a worker died while it started")
            await self._thread(new.end)
            raise
        self.all[slot] = new
        return new

    def _retry_after(self) -> int:
        """Whole seconds until the queue is empty at the present pace; 1 to 60."""
        return max(1, min(60, round(self._took * self._queue / self._count)))

    async def _thread(self, work: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    async def stop(self) -> None:
        """End every worker; no request is running any more."""
        for worker in filter(None, self.all):
            await self._thread(worker.end)
        self._threads.shutdown()
