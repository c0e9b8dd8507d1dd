"""Seventy thresholds on 100, 300 and 1,000 pages, beside computing the similarities once.

    python -m benchmarks sweep
    python -m benchmarks sweep --pages 200 2000

The similarities are all from pages to scores; the sweep is what comes on top, information kept
included. CPU seconds, the best of a few rounds. Beyond the pages there are, each further one joins
sentences of two of them.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benchmarks.data import as_documents, split
from reducepp.api import find_profile
from reducepp.comparison import compare_ranked, rank_pages
from reducepp.evaluation.information_kept import cover
from reducepp.evaluation.sweep import SweepRow, sweep, threshold_range
from reducepp.text.tokenise import sentences
from reducepp.types import Page

SIZES = (100, 300, 1000)
ROUNDS = 3
RANGES = ((0.3, 0.99), (0.01, 0.7))


def clock(
    pages: Sequence[Page], thresholds: Sequence[float]
) -> tuple[float, float, list[SweepRow]]:
    """CPU seconds of the similarities and of the sweep, and the rows."""
    profile = find_profile("default")
    start = time.process_time()
    page_set = rank_pages(pages, profile)
    comparison = compare_ranked(page_set, profile)
    compared = time.process_time()
    rows = sweep(comparison, thresholds, coverage=cover(page_set))
    return compared - start, time.process_time() - compared, rows


def pages_of(count: int) -> list[Page]:
    """So many pages: a share of each language's, then pages mixed from them."""
    found = split(as_documents(count), jobs=0)
    random = np.random.default_rng(0)
    return found + [_mix(found, random, rank) for rank in range(len(found) + 1, count + 1)]


def _mix(pages: Sequence[Page], random: np.random.Generator, rank: int) -> Page:
    """A page that shares a random part of its sentences with one page, the rest with another."""
    one, other = (pages[i] for i in random.integers(0, len(pages), 2))
    share = random.random()
    kept = [s for s in sentences(one.body) if random.random() < share]
    kept += [s for s in sentences(other.body) if random.random() > share]
    return replace(one, id=str(rank), url=f"{one.url}#{rank}", rank=rank, body="\n".join(kept))


def measure(count: int) -> None:
    """Print what a sweep of so many pages costs beside the similarities."""
    pages = pages_of(count)
    for start, stop in RANGES:
        rounds = [clock(pages, threshold_range(start, stop, 0.01)) for _ in range(ROUNDS)]
        similarities, swept = (min(one[i] for one in rounds) for i in (0, 1))
        rows = rounds[0][2]
        print(
            f"{len(pages):>5,} pages  {len(rows)} thresholds from {start:<4g} "
            f"{len({row.clusters for row in rows}):>2} clusterings  similarities "
            f"{similarities:6.3f} s  sweep {swept:6.3f} s  {swept / similarities:5.2f} times",
            flush=True,
        )


def main(arguments: Sequence[str] = ()) -> None:
    """Print what sweeps cost beside the similarities."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks sweep")
    parser.add_argument("--pages", type=int, nargs="+", default=SIZES)
    sizes = parser.parse_args(arguments).pages
    clock(pages_of(10), [0.1, 0.5])  # imports on first use are not counted
    for size in sizes:
        measure(size)
