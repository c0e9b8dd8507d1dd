"""Worker processes behind a bounded queue: the event loop moves bytes, the workers do the work.

Each worker answers one request at a time, within a time and a memory limit. A worker that overruns
its time or dies is ended and replaced, so that no request can hold a core for good or take others
down with it.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any

from reducepp.errors import SandboxError
from reducepp.parallel import Pool
from reducepp.sandbox import Worker
from reducepp.sandbox_process import WorkLimits

log = logging.getLogger("reducepp.service")

HttpAnswer = tuple[int, bytes]
"""HTTP status and JSON text."""
Job = Callable[[str, bytes], HttpAnswer]
"""What a worker runs: the name of the work and the request's body in, an answer out."""


class QueueFullError(Exception):
    """All workers are busy and the queue is full; `seconds`, 1 to 60, is when it will be empty."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"busy: come again in {seconds} s")
        self.seconds = seconds


class WorkerQueue:
    """All workers, and the queue in front of them."""

    def __init__(self, job: Job, *, workers: int, queue: int, limits: WorkLimits) -> None:
        """Each process does the job ``warm`` first, before its limits hold."""
        self._job, self._queue = job, queue
        self.all = [Worker(limits, partial(job, "warm", b"")) for _ in range(workers)]
        self._pool = Pool(self.all)
        self._took = 0.1
        self._unanswered: set[Future[Any]] = set()
        self.restarts = 0

    @property
    def running(self) -> int:
        """Requests that workers are at."""
        return min(len(self._unanswered), len(self.all))

    @property
    def waiting(self) -> int:
        """Requests in the queue."""
        return len(self._unanswered) - self.running

    async def start(self) -> None:
        """Start every worker and wait until all are ready."""
        starts = (asyncio.to_thread(worker.wait_ready) for worker in self.all)
        await asyncio.gather(*starts)

    async def run(self, name: str, body: bytes) -> HttpAnswer | None:
        """Answer one request in its turn; None when its time was over, QueueFullError when full.

        A caller who hangs up leaves the queue; what a worker is at, it finishes.
        """
        if len(self._unanswered) >= self._queue + len(self.all):
            pace = self._took * self._queue / len(self.all)
            raise QueueFullError(max(1, min(60, round(pace))))
        request = self._pool.submit(partial(self._ask, name, body))
        self._unanswered.add(request)
        request.add_done_callback(self._unanswered.discard)
        return await asyncio.wrap_future(request)

    def _ask(self, name: str, body: bytes, worker: Worker) -> HttpAnswer | None:
        start = time.monotonic()
        try:
            return worker.run(self._job, name, body)
        except SandboxError as error:
            log.warning("a worker was ended while it worked on %s: %s", name, error)
            self.restarts += 1
            with suppress(SandboxError):  # the next request tries again
                worker.wait_ready()
            return None
        finally:
            self._took += 0.2 * (time.monotonic() - start - self._took)

    async def stop(self) -> None:
        """End every worker; no request is running any more."""
        await asyncio.to_thread(self._pool.__exit__)
