"""What more processes give: many queries on all cores, and one set in parts.

    python -m benchmarks workers                                 # 150 queries of 100 pages
    python -m benchmarks workers --queries 40 --jobs 1 2 4
    python -m benchmarks workers --set 5000                      # one set in blocks

Queries: CPU seconds of every process of `reduce --jobs N`. Where cores are free the work takes as
long as its busiest process, or as all of them on the cores there are. `efficiency` is the CPU time
of one process over that time and the cores; `by the clock` needs an idle machine.

Set: CPU seconds of `reduce` on one machine beside those of the tasks of `--one-set`, and the bytes
that a worker holds. What a process needs once, to read and tokenise the set, is not divided.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.page_sets import lines_of, resampled
from benchmarks.processes import cpu_seconds, family, memory, timed

LOOK_SECONDS = 0.05
BLOCKS = 4


def main(arguments: Sequence[str] = ()) -> None:
    """Print one of the two tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks workers")
    parser.add_argument("--queries", type=int, default=150)
    parser.add_argument("--pages", type=int, default=100, help="per query")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, os.cpu_count() or 1])
    parser.add_argument("--set", type=int, default=0, metavar="PAGES", help="one set instead")
    args = parser.parse_args(arguments)
    print(f"load average {os.getloadavg()[0]:.1f}")
    if args.set:
        measure_set(args.set)
    else:
        measure_queries(args.queries, args.pages, args.jobs)


def measure_queries(queries: int, pages: int, jobs: Sequence[int]) -> None:
    """One line per number of processes; the first must be one process."""
    print(f"{queries} queries of {pages} pages")
    print(
        f"{'jobs':>4} {'CPU s':>7} {'busiest':>8} {'efficiency':>10} {'by the clock':>12} {'MB':>6}"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.jsonl"
        path.write_text("".join(lines_of(queries, pages)), "utf-8")
        one = 0.0
        for count in jobs:
            words = ["reduce", str(path), "--format", "jsonl", "--jobs", str(count)]
            used, clock, most = watch([sys.executable, "-m", "reducepp", *words])
            one = one or sum(used)
            shortest = max(sum(used) / count, *used)
            print(
                f"{count:4} {sum(used):7.1f} {max(used):8.1f} {one / count / shortest:10.0%} "
                f"{one / count / clock:12.0%} {most / 1e6:6.0f}",
                flush=True,
            )


def watch(command: Sequence[str]) -> tuple[list[float], float, int]:
    """CPU seconds of each process of a command, seconds, and the most memory of all (PSS)."""
    started, used, most = time.monotonic(), {}, 0
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while running.poll() is None:
        every = family(running.pid)
        used |= {pid: seen for pid in every if (seen := cpu_seconds(pid))}
        most = max(most, sum(map(memory, every)))
        time.sleep(LOOK_SECONDS)
    return list(used.values()), time.monotonic() - started, most


def measure_set(count: int) -> None:
    """One machine beside the tasks of a set in blocks."""
    from reducepp.api import ReduceOptions, reduce_pages
    from reducepp.cluster import one_set
    from reducepp.cluster.part_runs import Workers

    options = ReduceOptions(profile="default")
    pages = resampled(count)
    whole = timed(lambda: reduce_pages(pages, options), time.process_time)[1]
    print(f"{count} pages on one machine: {whole:.1f} CPU s")
    with tempfile.TemporaryDirectory() as name:
        parts, out = Path(name) / "pages.jsonl", Path(name) / "out"
        parts.write_text("".join(lines_of(1, count)), "utf-8")
        one_set.PAGES_OF_A_BLOCK = -(-count // BLOCKS)
        before, held_before = time.process_time(), memory(os.getpid())
        spent = []
        for done in one_set.reduce_set([parts], out, options, Workers(jobs=1)):
            spent.append((done.part, time.process_time() - before))
            before = time.process_time()
        held = (memory(os.getpid()) - held_before) / count
    for part, seconds in spent:
        print(f"  {Path(part).name}: {seconds:.1f}")
    scores = [seconds for _, seconds in spent[1 : BLOCKS + 1]]
    print(f"once per worker: {scores[0] - sum(scores[1:]) / (BLOCKS - 1):.1f} CPU s")
    print(f"held by a worker: {held / 1e3:.0f} KB per page")
