"""Worker processes behind a bounded queue: the event loop moves bytes, the lanes do the work.

Each lane is one process that answers one request at a time. A request that overruns its time is
interrupted; a lane that does not heed that, or dies, is ended and a new one takes its place, so
that no request can hold a core for good or take others down with it.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

log = logging.getLogger("reducepp.service")

GRACE = 2.0
"""Seconds between the interruption of a request and the end of a lane that goes on regardless."""

_IMPORTING = "<frozen importlib._bootstrap>"
"""File of the frames that load modules."""

Answer = tuple[int, bytes]
"""HTTP status and JSON text."""

Job = Callable[[str, bytes], Answer]
"""What a lane runs: the name of the work and the request's body in, an answer out."""


class QueueFullError(Exception):
    """All lanes are busy and the queue is full; `seconds` is when to come again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"busy: come again in {seconds} s")
        self.seconds = seconds


class OverrunError(BaseException):
    """Raised inside a lane when a request's time is over; nothing on the way may catch it."""


class LaneDiedError(Exception):
    """The lane's process ended before it answered."""


def work_in_lane(connection: Connection, job: Job, seconds: float) -> None:
    """The life of a lane's process: answer until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, _raise_overrun)
    job("warm", b"")
    connection.send(None)
    while True:
        try:
            name, body = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(_answer_in_time(job, name, body, seconds))


def _answer_in_time(job: Job, name: str, body: bytes, seconds: float) -> Answer | None:
    """The answer, or None when the time was over."""
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return job(name, body)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except OverrunError:
        return None


def _raise_overrun(_: int, frame: FrameType | None) -> None:
    """End the request; where a module is just being loaded, when that is done.

    Of a module that was loaded by half other parts stay, and no later request could use it. A
    load that takes too long is ended with the whole lane.
    """
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            return
        frame = frame.f_back
    raise OverrunError


class Lane:
    """One worker process and the pipe to it."""

    def __init__(self, job: Job, seconds: float) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._seconds = seconds
        self.process = context.Process(
            target=work_in_lane, args=(theirs, job, seconds), daemon=True, name="reducepp-lane"
        )
        self.process.start()
        theirs.close()

    def wait_ready(self) -> None:
        """Return when the process has loaded what it needs."""
        try:
            self._connection.recv()
        except (EOFError, OSError):
            raise LaneDiedError from None

    def ask(self, name: str, body: bytes) -> Answer | None:
        """Hand over one request and wait for the answer; None when its time was over."""
        try:
            self._connection.send((name, body))
            if not self._connection.poll(self._seconds + GRACE):
                raise LaneDiedError
            answer: Answer | None = self._connection.recv()
        except (EOFError, OSError):
            raise LaneDiedError from None
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


class Lanes:
    """All lanes, and the queue in front of them."""

    def __init__(self, job: Job, *, lanes: int, queue: int, seconds: float) -> None:
        self._make: Callable[[], Lane] = lambda: Lane(job, seconds)
        self._count, self._queue = lanes, queue
        self._free: asyncio.Queue[Lane] = asyncio.Queue()
        self._threads = ThreadPoolExecutor(lanes, thread_name_prefix="reducepp-lane")
        self._took = 0.1
        self.counts = Counts()
        self.all: list[Lane] = []

    async def start(self) -> None:
        """Start every lane and wait until all are ready."""
        self.all = [self._make() for _ in range(self._count)]
        await asyncio.gather(*(self._thread(lane.wait_ready) for lane in self.all))
        for lane in self.all:
            self._free.put_nowait(lane)

    async def run(self, name: str, body: bytes) -> Answer | None:
        """Answer one request in its turn; None when its time was over, QueueFullError when full."""
        if self.counts.waiting >= self._queue and self._free.empty():
            raise QueueFullError(self._when_to_come_again())
        self.counts.waiting += 1
        try:
            lane = await self._free.get()
        finally:
            self.counts.waiting -= 1
        return await asyncio.shield(asyncio.ensure_future(self._ask(lane, name, body)))

    async def _ask(self, lane: Lane, name: str, body: bytes) -> Answer | None:
        """Shielded: a caller who hangs up must not leave a lane half asked."""
        self.counts.running += 1
        start = time.monotonic()
        try:
            answer: Answer | None = await self._thread(lane.ask, name, body)
            return answer
        except LaneDiedError:
            log.warning("a worker was ended while it worked on %s", name)
            lane = await self._replace(lane)
            return None
        finally:
            self._took += 0.2 * (time.monotonic() - start - self._took)
            self.counts.running -= 1
            self._free.put_nowait(lane)

    async def _replace(self, old: Lane) -> Lane:
        self.counts.restarts += 1
        await self._thread(old.end)
        new = self._make()
        self.all[self.all.index(old)] = new
        await self._thread(new.wait_ready)
        return new

    def _when_to_come_again(self) -> int:
        """Whole seconds until the queue is worked off at the pace of late; 1 to 60."""
        return max(1, min(60, round(self._took * self._queue / self._count)))

    async def _thread(self, work: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    async def stop(self) -> None:
        """End every lane; nothing is under way any more."""
        for lane in self.all:
            await self._thread(lane.end)
        self._threads.shutdown()
