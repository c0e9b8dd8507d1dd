"""Lanes: bounded queue, time limits, and a dead worker takes nobody with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from reducepp.service import workers as lanes_module
from reducepp.service.workers import Lanes, QueueFullError
from tests.reducepp.service.jobs import job


def with_lanes(
    use: Callable[[Lanes], Awaitable[Any]], *, lanes: int = 1, queue: int = 4, seconds: float = 30.0
) -> Any:
    async def main() -> Any:
        started = Lanes(job, lanes=lanes, queue=queue, seconds=seconds)
        await started.start()
        try:
            return await use(started)
        finally:
            await started.stop()

    return asyncio.run(main())


def test_every_request_gets_its_own_answer() -> None:
    async def use(lanes: Lanes) -> list[Any]:
        return await asyncio.gather(*(lanes.run("echo", b"%d" % i) for i in range(50)))

    assert with_lanes(use, lanes=2, queue=50) == [(200, b"%d" % i) for i in range(50)]


def test_a_full_queue_says_when_to_come_again() -> None:
    async def use(lanes: Lanes) -> list[Any]:
        asked = [lanes.run("sleep", b"0.1") for _ in range(6)]
        return await asyncio.gather(*asked, return_exceptions=True)

    answers = with_lanes(use, queue=4)
    full = [a for a in answers if isinstance(a, QueueFullError)]
    assert len(full) == 1
    assert 1 <= full[0].seconds <= 60
    assert [a for a in answers if a not in full] == [(200, b"0.1")] * 5


@pytest.mark.parametrize("name", ["sleep", "swallow"])
def test_what_takes_too_long_is_interrupted_and_the_lane_goes_on(name: str) -> None:
    async def use(lanes: Lanes) -> Any:
        before = lanes.all[0].process.pid
        found = await lanes.run(name, b"20"), await lanes.run("echo", b"x")
        return found, before == lanes.all[0].process.pid

    assert with_lanes(use, seconds=1.0) == ((None, (200, b"x")), True)


def test_what_does_not_heed_is_ended_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes_module, "GRACE", 0.2)

    async def use(lanes: Lanes) -> Any:
        found = await lanes.run("stubborn", b"20"), await lanes.run("echo", b"x")
        return found, lanes.counts.restarts

    assert with_lanes(use, seconds=1.0) == ((None, (200, b"x")), 1)


def test_a_module_is_loaded_to_its_end_though_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lanes_module, "GRACE", 60.0)
    (tmp_path / "slow_part.py").write_text("import time\ntime.sleep(2)\n", "utf-8")
    (tmp_path / "slow_whole.py").write_text("import slow_part\nREADY = b'ready'\n", "utf-8")

    async def use(lanes: Lanes) -> Any:
        folder = str(tmp_path).encode()
        await lanes.run("load", folder)
        return await lanes.run("load", folder)

    assert with_lanes(use, seconds=1.0) == (200, b"ready")


def test_a_worker_that_dies_is_replaced() -> None:
    async def use(lanes: Lanes) -> Any:
        return await asyncio.gather(
            lanes.run("die", b""), *(lanes.run("echo", b"%d" % i) for i in range(3))
        )

    assert with_lanes(use) == [None, (200, b"0"), (200, b"1"), (200, b"2")]


def test_a_caller_who_hangs_up_leaves_the_lane_in_order() -> None:
    async def use(lanes: Lanes) -> Any:
        leaving = asyncio.create_task(lanes.run("sleep", b"0.2"))
        await asyncio.sleep(0.05)
        leaving.cancel()
        return await lanes.run("echo", b"next"), lanes.counts.waiting

    assert with_lanes(use) == ((200, b"next"), 0)
