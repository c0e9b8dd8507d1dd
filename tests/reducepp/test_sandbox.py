"""Work in sandboxed processes: limits hold, a failure costs its one input, no process is left."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from reducepp.errors import MissingExtraError, SandboxError
from reducepp.sandbox import Worker, WorkerPool, idle_workers, map_sandboxed
from reducepp.sandbox_process import WorkLimits
from tests.reducepp.sandbox_jobs import (
    compute_long,
    double,
    misbehave,
    process_id,
    size_prepared,
    sleep_long,
    take_time_and_memory,
)

ROOT = Path(__file__).parents[2]
QUICK = WorkLimits(seconds=1.0, memory_bytes=300_000_000)


@pytest.fixture(params=["fork", "new interpreter"])
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    """A worker, started as in a program with one thread and as in one with several."""
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    if request.param == "new interpreter":
        other.start()
    found = Worker(QUICK)
    for _ in range(5):  # a start on a busy machine may take longer than the limit
        with suppress(SandboxError):
            found.run(double, 1)
            break
    yield found
    found.close()
    stop.set()


def test_a_worker_is_reused(worker: Worker) -> None:
    assert worker.run(process_id) == worker.run(process_id) != os.getpid()


@pytest.mark.parametrize(
    ("number", "reason"), [(3, "more than 1 s"), (5, "crashed"), (7, "more than 300 MB")]
)
def test_what_breaks_a_limit_fails_and_next_works(worker: Worker, number: int, reason: str) -> None:
    with pytest.raises(SandboxError, match=reason):
        worker.run(misbehave, number)
    assert worker.run(double, 4) == 8


def test_an_error_keeps_its_type_and_text(worker: Worker) -> None:
    with pytest.raises(MissingExtraError, match=r"reducepp\[tables\]"):
        worker.run(misbehave, 9)
    with pytest.raises(SandboxError, match="TypeError"):
        worker.run(double, None)


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_inputs_keep_order_and_fail_alone(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reducepp.sandbox._take_idle", lambda: Worker(QUICK))
    numbers = [*range(40), 5, 3]
    found = map_sandboxed(misbehave, numbers, failed=lambda number, why: -number, jobs=jobs)
    assert list(found) == [-n if n in (3, 5, 7, 9) else 2 * n for n in numbers]


def test_a_reader_that_stops_early_leaves_no_process() -> None:
    found = map_sandboxed(process_id_of, range(100), failed=lambda number, why: 0, jobs=1)
    pid = next(found)
    found.close()  # type: ignore[attr-defined]
    assert not os.path.exists(f"/proc/{pid}")


def process_id_of(_: int) -> int:
    return os.getpid()


def test_workers_of_an_event_loop_end_with_it() -> None:
    async def run() -> list[int | BaseException]:
        with WorkerPool([Worker(QUICK), Worker(QUICK)]) as pool:
            work = [pool.run(misbehave, number) for number in (1, 5, 2, 3, 4)]
            return await asyncio.gather(*work, return_exceptions=True)

    found = asyncio.run(run())
    assert [one for one in found if isinstance(one, int)] == [2, 4, 8]
    assert [type(one) for one in found if not isinstance(one, int)] == [SandboxError] * 2


def test_workers_that_a_pool_gives_back_are_used_again() -> None:
    async def run() -> int:
        with WorkerPool(idle_workers(1)) as pool:
            found = await pool.run(process_id)
            pool.give_back()
        return found

    assert asyncio.run(run()) == asyncio.run(run())


def test_cancelled_work_ends_with_its_pool() -> None:
    async def run() -> int:
        with WorkerPool([Worker(WorkLimits(seconds=3600))]) as pool:
            pid = await pool.run(process_id)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await asyncio.gather(pool.run(sleep_long), pool.run(sleep_long))
            return pid

    assert not os.path.exists(f"/proc/{asyncio.run(run())}")


def test_preparing_counts_towards_no_limit() -> None:
    worker = Worker(WorkLimits(seconds=0.5, memory_bytes=100_000_000), prepare=take_time_and_memory)
    assert worker.run(double, 2) == 4
    assert worker.run(size_prepared) == 200_000_000
    worker.close()


def test_processor_time_has_a_limit_of_its_own() -> None:
    worker = Worker(WorkLimits(seconds=600, processor_seconds=0.5))
    with pytest.raises(SandboxError, match="crashed"):
        worker.run(compute_long)
    assert worker.run(double, 2) == 4
    worker.close()


def test_a_worker_ends_when_its_caller_is_killed() -> None:
    code = (
        "from reducepp.sandbox import Worker; from tests.reducepp import sandbox_jobs as jobs\n"
        "import time; worker = Worker(); print(worker.run(jobs.process_id), flush=True)\n"
        "time.sleep(600)"
    )
    caller = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT)
    assert caller.stdout is not None
    pid = int(caller.stdout.readline())
    caller.kill()
    caller.communicate()
    deadline = time.monotonic() + 60
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not os.path.exists(f"/proc/{pid}")
