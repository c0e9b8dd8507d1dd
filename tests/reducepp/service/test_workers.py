"""Workers: bounded queue, time limits, and a dead worker takes nobody with it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from reducepp.errors import SandboxError
from reducepp.sandbox import Worker
from reducepp.sandbox_process import WorkLimits
from reducepp.service.workers import QueueFullError, WorkerQueue
from tests.reducepp.service.jobs import job


def with_pool(
    use: Callable[[WorkerQueue], Awaitable[Any]],
    *,
    workers: int = 1,
    queue: int = 4,
    seconds: float = 30.0,
    clock_factor: float = 4.0,
) -> Any:
    async def main() -> Any:
        limits = WorkLimits(
            seconds=clock_factor * seconds, processor_seconds=seconds, memory_bytes=1 << 30
        )
        started = WorkerQueue(job, workers=workers, queue=queue, limits=limits)
        await started.start()
        try:
            return await use(started)
        finally:
            await started.stop()

    return asyncio.run(main())


def test_every_request_gets_its_own_answer() -> None:
    async def use(pool: WorkerQueue) -> list[Any]:
        return await asyncio.gather(*(pool.run("echo", b"%d" % i) for i in range(50)))

    assert with_pool(use, workers=2, queue=50) == [(200, b"%d" % i) for i in range(50)]


def test_a_full_queue_says_when_to_come_again() -> None:
    async def use(pool: WorkerQueue) -> list[Any]:
        asked = [pool.run("sleep", b"0.1") for _ in range(6)]
        return await asyncio.gather(*asked, return_exceptions=True)

    answers = with_pool(use, queue=4)
    full = [a for a in answers if isinstance(a, QueueFullError)]
    assert len(full) == 1
    assert 1 <= full[0].seconds <= 60
    assert [a for a in answers if a not in full] == [(200, b"0.1")] * 5


@pytest.mark.parametrize("name", ["sleep", "swallow", "stubborn"])
def test_what_takes_too_long_is_ended_and_the_worker_replaced(name: str) -> None:
    async def use(pool: WorkerQueue) -> Any:
        found = await pool.run(name, b"20"), await pool.run("echo", b"x")
        return found, pool.restarts

    assert with_pool(use, seconds=0.25) == ((None, (200, b"x")), 1)


def test_a_wait_counts_less_than_work() -> None:
    async def use(pool: WorkerQueue) -> Any:
        return await pool.run("sleep", b"1.5"), await pool.run("compute", b"")

    assert with_pool(use, seconds=1.0, clock_factor=60.0) == ((200, b"1.5"), None)


def test_a_worker_that_dies_is_replaced() -> None:
    async def use(pool: WorkerQueue) -> Any:
        return await asyncio.gather(
            pool.run("die", b""), *(pool.run("echo", b"%d" % i) for i in range(3))
        )

    assert with_pool(use) == [None, (200, b"0"), (200, b"1"), (200, b"2")]


def test_a_caller_who_hangs_up_leaves_the_worker_in_order() -> None:
    async def use(pool: WorkerQueue) -> Any:
        leaving = asyncio.create_task(pool.run("sleep", b"0.2"))
        await asyncio.sleep(0.05)
        leaving.cancel()
        return await pool.run("echo", b"next"), pool.waiting

    assert with_pool(use) == ((200, b"next"), 0)


def test_a_replacement_that_dies_while_it_starts_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ready, deaths = Worker.wait_ready, iter([False, True, False, True])

    def wait_ready(worker: Worker) -> None:
        ready(worker)
        if next(deaths, False):
            worker.close()
            raise SandboxError("died")

    async def use(pool: WorkerQueue) -> Any:
        monkeypatch.setattr(Worker, "wait_ready", wait_ready)
        dead = [await pool.run("die", b""), await pool.run("die", b"")]
        return dead, await pool.run("echo", b"2"), await pool.run("echo", b"3")

    assert with_pool(use) == ([None, None], (200, b"2"), (200, b"3"))


def test_a_request_has_a_memory_limit() -> None:
    async def use(pool: WorkerQueue) -> Any:
        return await pool.run("hoard", b""), await pool.run("echo", b"x")

    assert with_pool(use) == ((413, b""), (200, b"x"))
