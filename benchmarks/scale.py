"""Time and memory of one large set, beside other ways to find its near-duplicates.

    python -m benchmarks scale                                 # 1,000 to 10,000 pages
    python -m benchmarks scale --sizes 1000,10000,100000       # about half an hour
    python -m benchmarks scale --write                         # also into benchmarks/RESULTS.md

Every measurement is a process of its own: seconds of the work alone by the clock, CPU seconds with
those of its workers, and the most memory that the process and its workers held together, pages
included. Ours is all of `reduce`, reasons included; the others only find pairs. `recall` is the
share of our dropped pages that a method links to a page of their cluster. rensa is installed by
hand.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.page_sets import SETS
from benchmarks.processes import family, memory
from reducepp.api import ReduceOptions, reduce_pages
from reducepp.text.tokenise import words
from reducepp.types import Page

RESULTS = Path(__file__).parent / "RESULTS.md"
PERMUTATIONS = 128
THRESHOLD = 0.5
"""Jaccard similarity of runs of three words from which MinHash links two pages."""
COSINE = 0.4
"""Cosine of word pairs from which sparse_dot_topn links two pages."""
MOST_PAGES = {"all pairs": 3_000, "sparse_dot_topn": 10_000, "reduce lsh": 10_000}
"""Where a method or a set needs memory or time for all pairs, the largest size that is tried."""

HEAD = (
    "| method | pages | s | CPU s | times ours | MB | recall |",
    "|---|---:|---:|---:|---:|---:|---:|",
)
Links = set[tuple[str, str]]


def _reduce(pages: Sequence[Page], candidates: str = "exact") -> Links:
    found = reduce_pages(pages, ReduceOptions(profile="default", candidates=candidates))
    return {(page.id, page.kept) for page in found.dropped}


def _all_pairs(pages: Sequence[Page]) -> Links:
    from reducepp import comparison

    comparison.MAX_DENSE_PAGES = len(pages)
    return _reduce(pages)


def _runs(page: Page) -> set[str]:
    found = words(page.body, digits=True)
    return {" ".join(run) for run in zip(found, found[1:], found[2:], strict=False)}


def _datasketch(pages: Sequence[Page]) -> Links:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    links: Links = set()
    for page in pages:
        made = MinHash(num_perm=PERMUTATIONS)
        made.update_batch([run.encode() for run in _runs(page)])
        links |= {(page.id, other) for other in index.query(made)}
        index.insert(page.id, made)
    return links


def _rensa(pages: Sequence[Page]) -> Links:
    from rensa import RMinHash, RMinHashLSH

    index = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=32)
    links: Links = set()
    for number, page in enumerate(pages):
        made = RMinHash(num_perm=PERMUTATIONS, seed=1)
        made.update(list(_runs(page)))
        links |= {(page.id, pages[other].id) for other in index.query(made)}
        index.insert(number, made)
    return links


def _sparse_dot_topn(pages: Sequence[Page]) -> Links:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sparse_dot_topn import sp_matmul_topn

    vectors = TfidfVectorizer(ngram_range=(2, 2)).fit_transform([page.body for page in pages])
    found = sp_matmul_topn(vectors, vectors.T.tocsr(), top_n=len(pages), threshold=COSINE).tocoo()
    ends = zip(found.row.tolist(), found.col.tolist(), strict=True)
    return {(pages[a].id, pages[b].id) for a, b in ends if a > b}


METHODS: dict[str, Callable[[Sequence[Page]], Links]] = {
    "reduce": _reduce,
    "reduce lsh": lambda pages: _reduce(pages, "lsh"),
    "all pairs": _all_pairs,
    "datasketch": _datasketch,
    "rensa": _rensa,
    "sparse_dot_topn": _sparse_dot_topn,
}


def measure(method: str, kind: str, count: int) -> dict[str, Any]:
    """CPU seconds, peak memory and the links of one method on one set; in this process."""
    pages = SETS[kind](count)
    start, begun = time.process_time(), time.perf_counter()
    peak, done = [0], threading.Event()
    watcher = threading.Thread(target=_watch_memory, args=(peak, done))
    watcher.start()
    try:
        links = METHODS[method](pages)
        clock = time.perf_counter() - begun
    finally:
        done.set()
        watcher.join()
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "clock": clock,
        "seconds": time.process_time() - start + workers.ru_utime + workers.ru_stime,
        "mb": peak[0] / 2**20,
        "links": sorted(links) if len(links) < 10 * count else [],
    }


def _watch_memory(peak: list[int], done: threading.Event) -> None:
    """Keep the highest memory that this process and its workers have, shared memory once."""
    while True:
        peak[0] = max(peak[0], sum(map(memory, family(os.getpid()))))
        if done.wait(0.25):
            return


def run_apart(method: str, kind: str, count: int) -> dict[str, Any]:
    """The same in a process of its own; `error` where it failed."""
    command = [sys.executable, "-m", "benchmarks.scale", "--one", method, kind, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["ended without a word"])[-1][:80]}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The power of the size that the values grow with, by least squares of the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def recall(ours: Any, theirs: Any) -> float:
    """Share of our dropped pages that are linked to a page of their cluster."""
    kept = dict(ours) if isinstance(ours, list) else {}
    pairs = theirs if isinstance(theirs, list) else []
    both = [one for pair in pairs for one in (pair, pair[::-1])]
    same = {a for a, b in both if kept.get(a, a) == kept.get(b, b)}
    return len(same & kept.keys()) / len(kept) if kept else math.nan


def table(kind: str, sizes: Sequence[int], methods: Sequence[str]) -> list[str]:
    """Lines of Markdown for one set; printed while they are made."""
    lines = [f"### {kind}", "", *HEAD]
    print("\n".join(lines), flush=True)
    rows: dict[str, list[tuple[float, float, float]]] = {}
    for count in sizes:
        first: dict[str, Any] = {}
        for method in methods:
            if count > min(MOST_PAGES.get(method, count), MOST_PAGES.get(kind, count)):
                continue
            found = run_apart(method, kind, count)
            first = first or found
            lines.append(_line(method, count, found, first))
            print(lines[-1], flush=True)
            if "seconds" in found:
                cell = (count, found["seconds"], found["mb"])
                rows.setdefault(method, []).append(cell)
    grown = []
    for method, cells in rows.items():
        if len(cells) > 1:
            counts, *grows = zip(*cells, strict=True)
            seconds, held = (exponent(counts, values) for values in grows)
            grown.append(f"- {method}: time grows with n^{seconds:.2f}, memory with n^{held:.2f}")
    print("\n".join(grown), flush=True)
    return [*lines, "", *grown, ""]


def _line(method: str, count: int, found: dict[str, Any], first: dict[str, Any]) -> str:
    if "error" in found:
        return f"| {method} | {count:,} | {found['error']} | | | | |"
    clock, seconds = found["clock"], found["seconds"]
    ratio = seconds / first.get("seconds", math.nan)
    part = recall(first.get("links"), found["links"])
    shown = "" if math.isnan(part) else f"{part:.3f}"
    mb = found["mb"]
    figures = f"{clock:.1f} | {seconds:.1f} | {ratio:.2f} | {mb:,.0f}"
    return f"| {method} | {count:,} | {figures} | {shown} |"


def main(arguments: Sequence[str] = ()) -> None:
    """Print a table a set; with --write also put them into RESULTS.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale")
    parser.add_argument("--sizes", default="1000,3000,10000")
    parser.add_argument("--sets", default=",".join(SETS), help="with commas")
    parser.add_argument("--methods", default=",".join(METHODS), help="with commas; ours first")
    parser.add_argument("--write", action="store_true", help=f"into {RESULTS.name}")
    parser.add_argument("--one", nargs=3, metavar=("METHOD", "SET", "PAGES"))
    args = parser.parse_args(arguments)
    if args.one:
        print(json.dumps(measure(args.one[0], args.one[1], int(args.one[2]))))
        return
    sizes = sorted(int(size) for size in args.sizes.split(","))
    methods = args.methods.split(",")
    lines = [line for kind in args.sets.split(",") for line in table(kind, sizes, methods)]
    if args.write:
        RESULTS.write_text("\n".join([*_preface(), *lines]).rstrip() + "\n", "utf-8")


def _preface() -> list[str]:
    """What was run, when, and on what."""
    today = datetime.now(UTC).date().isoformat()
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return [
        "# Measured",
        "",
        f"`python -m benchmarks scale {' '.join(sys.argv[2:])}`, {today}, {os.cpu_count()} "
        f"cores of {_processor()}, Python {platform.python_version()}, load {load}. Pages of 5 "
        "to 25 paragraphs; seconds of the work by the clock and of CPU, peak memory of the process "
        "with its pages and of its workers together (PSS). Ours is all of `reduce`, reasons "
        "included; the others only find pairs. `times ours` is by CPU.",
        "",
    ]


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    return next((x.partition(":")[2].strip() for x in lines if x.startswith("model name")), "?")


if __name__ == "__main__":
    main(sys.argv[1:])
