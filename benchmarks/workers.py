"""What more processes give: many queries on all cores, and one set in parts.

    python -m benchmarks workers                                 # 150 queries of 100 pages
    python -m benchmarks workers --queries 40 --jobs 1 2 4
    python -m benchmarks workers --set 5000                      # one set on two workers

Queries: CPU seconds of every process of `reduce --jobs N`. Where cores are free the work takes as
long as its busiest process, or as all of them on the cores there are. `efficiency` is the CPU time
of one process over that time and the cores; `by the clock` needs an idle machine.

Set: `reduce` on one machine, then `--one-set` on two Dask workers of this machine, in tiles with
the counts of the set. CPU seconds and the most memory of a worker by stage, and the bytes that the
stage writes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.page_sets import lines_of
from benchmarks.processes import cpu_seconds, family, memory

LOOK_SECONDS = 0.05
LOOK_AT_STAGES_SECONDS = 0.2
PARTS = 8


def main(arguments: Sequence[str] = ()) -> None:
    """Print one of the two tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks workers")
    parser.add_argument("--queries", type=int, default=150)
    parser.add_argument("--pages", type=int, default=100, help="per query")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, os.cpu_count() or 1])
    parser.add_argument("--set", type=int, default=0, metavar="PAGES", help="one set instead")
    parser.add_argument("--block", type=int, default=0, help="pages of a block of the set")
    args = parser.parse_args(arguments)
    print(f"load average {os.getloadavg()[0]:.1f}")
    if args.set:
        measure_set(args.set, args.block)
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


def measure_set(count: int, block: int) -> None:
    """One machine beside two workers of a cluster."""
    from reducepp.cluster import one_set

    one_set.PAGES_OF_A_BLOCK = block or one_set.PAGES_OF_A_BLOCK
    with tempfile.TemporaryDirectory() as name:
        parts = [Path(name) / f"{number}.jsonl" for number in range(PARTS)]
        lines = list(lines_of(1, count))
        for number, part in enumerate(parts):
            part.write_text(
                "".join(lines[number * count // PARTS :][: -(-count // PARTS)]), "utf-8"
            )
        words = [sys.executable, "-m", "reducepp", "reduce", *map(str, parts), "--format", "json"]
        used, _, most = watch([*words, "--profile", "default"])
        print(
            f"{count} pages on one machine: {sum(used):.1f} CPU s, {most / 1e6:.0f} MB", flush=True
        )
        _measure_cluster(count, parts, Path(name) / "tiles")


def _measure_cluster(count: int, parts: Sequence[Path], out: Path) -> None:
    """CPU seconds and memory of the workers by stage, and bytes written."""
    from distributed import Client, LocalCluster

    from reducepp.api import ReduceOptions, find_profile
    from reducepp.cluster import one_set
    from reducepp.cluster.part_runs import Workers

    options = ReduceOptions(profile=find_profile("default"))
    how = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**how, memory_limit=0) as cluster, Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        rest, held, seen = sum(map(memory, pids)) / 2, {}, {}
        done = threading.Event()
        watcher = threading.Thread(target=_watch_stages, args=(pids, out, done, held, seen))
        watcher.start()
        workers = Workers(cluster=cluster.scheduler_address)
        failed = [one for one in one_set.reduce_set(parts, out, options, workers) if one.error]
        done.set()
        watcher.join()
    each, total = 1e3 / count, sum(seen.values())
    print(
        f"tiles: {total:.1f} CPU s, {each * total:.2f} ms a page; a worker "
        f"{max(held.values()) / 1e6:.0f} MB, {rest / 1e6:.0f} before; {len(failed)} failed"
    )
    for stage, seconds in seen.items():
        size = sum(path.stat().st_size for path in (out / stage).glob("*.parquet"))
        print(
            f"  {stage or 'result':<12} {each * seconds:6.2f} ms a page, at most "
            f"{held[stage] / 1e6:5.0f} MB, {size / count:7.0f} bytes a page",
            flush=True,
        )


def _watch_stages(
    pids: Sequence[int],
    out: Path,
    done: threading.Event,
    held: dict[str, int],
    seen: dict[str, float],
) -> None:
    """The most memory of a worker and the CPU seconds of both in each stage."""
    before = sum(map(cpu_seconds, pids))
    while not done.wait(LOOK_AT_STAGES_SECONDS):
        stages = [path for path in out.glob("_*") if path.is_dir()]
        last = max(stages, key=lambda path: path.stat().st_ctime_ns, default=out)
        stage = "" if list(out.glob("*.parquet")) else last.name
        now = sum(map(cpu_seconds, pids))
        seen[stage] = seen.get(stage, 0.0) + now - before
        held[stage] = max(held.get(stage, 0), *map(memory, pids))
        before = now
