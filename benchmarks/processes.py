"""CPU seconds and memory of a process and of those it started, from /proc."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")
TICKS = os.sysconf("SC_CLK_TCK")


def timed(
    work: Callable[[], Result], clock: Callable[[], float] = time.perf_counter
) -> tuple[Result, float]:
    """What the work returns, and its seconds."""
    started = clock()
    return work(), clock() - started


def family(pid: int) -> list[int]:
    """A process and all that it started, directly or not."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    started = [int(child) for path in threads for child in _read(path).split()]
    return [pid, *(one for child in started for one in family(child))]


def cpu_seconds(pid: int) -> float:
    """Of user and system; 0 where the process has ended."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


def memory(pid: int) -> int:
    """Bytes, what several processes share divided among them (PSS); 0 where it has ended."""
    lines = _read(Path(f"/proc/{pid}/smaps_rollup")).splitlines()
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:  # it has just ended
        return ""
