"""One very large set on a cluster, on counts: what a shuffle on blocks moves, compares and costs.

    python -m benchmarks shuffle
    python -m benchmarks shuffle --machines 1000 --cap 1000

Nothing is shuffled. The labelled crawls (or the demo's pages) without their near-duplicates are a
sample: half of it says which runs are rare, the other half how many keys a page sends, how often
two random pages send the same key, and the most frequent key. From these counts follow records,
bytes, the largest block and the pairs in blocks of a set of any size, as orders of magnitude. Keys:

words, three words  the rarest of a page's runs, until those left out are less than the least share
                    of common text: exact for texts that are compared by this unit
bands               MinHash of runs of three words in 20 bands of 5 rows: approximate

Blocks above --cap are divided by a second key; what that leaves to the fullest machine is drawn at
random. Seconds are measured on one core of this machine.

`reduce --one-set` shuffles the runs once, to count them, and compares tiles of two blocks of pages
instead of emitting pairs: what its tiles read is printed beside what pairs of prefix keys would
take.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.data import DATA, labelled_pages
from benchmarks.processes import timed
from reducepp.api import ReduceOptions, reduce_pages
from reducepp.cluster.one_set import PAGES_OF_A_BLOCK
from reducepp.cluster.set_files import BLOCKS_OF_A_SIDE
from reducepp.index.features import UNITS, Features, describe_pages
from reducepp.inputs import as_pages, read_queries
from reducepp.similarity.measures.rare_runs import LETTERS, THREE_WORDS, WORDS
from reducepp.types import Array, Integers, Page

LEAST_SHARE = 0.55
"""Of common text at a threshold of 0.5, across sites (docs/scaling.md)."""
BANDS, ROWS = 20, 5
RECORD_BYTES = 24
"""Key, page and the page's weight."""
SIDE = PAGES_OF_A_BLOCK * BLOCKS_OF_A_SIDE
CELL_BYTES, COUNT_BYTES = 12, 16
"""Of a run of a page in `_runs`, and with its counts in `_blocks`, before compression."""
CRAWLS = ("crawl-gov", "crawl-news")
SIZES = (10**6, 10**7, 10**8, 10**9)
CORE_HOUR, GIGABYTE_MOVED, GIGABYTE_MONTH = 0.04, 0.01, 0.023
"""Dollars: half of a general-purpose machine with two cores, traffic between zones, object storage;
list prices of a large cloud in 2024."""

OPTIONS = ReduceOptions(profile="default", explain=False)

Keys = list[Integers]


def read_sample() -> list[Page]:
    """Pages of the labelled crawls, or the demo's."""
    files = [DATA / f"{name}.jsonl.gz" for name in CRAWLS]
    if not all(file.exists() for file in files):
        return as_pages([{"url": url, "html": html} for url, html in labelled_pages()])[0]
    groups = [group for file in files for group in read_queries(str(file))]
    return [page for group in groups for page in group.pages if page.body]


def prefix_keys(unit: str) -> Callable[[list[Features]], Keys]:
    """The rarest runs of each page."""

    def keys(described: list[Features]) -> Keys:
        known = Counter(np.concatenate([f.runs[unit] for f in described[::2]]).tolist())
        found = []
        for features in described[1::2]:
            runs = sorted(features.runs[unit].tolist(), key=lambda run: (known[run], run))
            kept = len(runs) - int(LEAST_SHARE * len(runs))
            found.append(np.array(runs[:kept], dtype=np.int64))
        return found

    return keys


def band_keys(described: list[Features]) -> Keys:
    """Bands of MinHash signatures; a page without runs has none."""
    factors = np.random.default_rng(0).integers(1, 2**62, size=(BANDS * ROWS, 1)) * 2 + 1
    found = []
    for features in described[1::2]:
        runs = features.runs[THREE_WORDS]
        if not len(runs):
            found.append(np.zeros(0, dtype=np.int64))
            continue
        with np.errstate(over="ignore"):
            least = (runs[None, :] * factors).min(axis=1).reshape(BANDS, ROWS)
            found.append(np.array([hash(row.tobytes()) for row in least], dtype=np.int64))
    return found


def print_tiles(described: list[Features], side: int) -> None:
    """What counting moves and tiles read, at most: where all runs are shared."""
    runs = {unit: float(np.mean([len(f.runs[unit]) for f in described])) for unit in UNITS}
    sent, compared = sum(runs.values()), sum(runs.values()) - runs[LETTERS]
    print(f"{sent:.0f} runs a page, {compared:.0f} without those of letters")
    print(f"{'pages':>6} {'TB counted':>10} {'TB of tiles':>11}   sides of {side} pages")
    for size in SIZES:
        counted = size * sent * (CELL_BYTES + COUNT_BYTES)
        tiles = size * compared * COUNT_BYTES * size / side
        print(f"{size:6.0e} {counted / 1e12:10.2f} {tiles / 1e12:11.1f}")


KINDS: dict[str, Callable[[list[Features]], Keys]] = {
    "words": prefix_keys(WORDS),
    "three words": prefix_keys(THREE_WORDS),
    "bands": band_keys,
}


def key_counts(keys: Keys) -> Array:
    """How many pages send each key."""
    return np.unique(np.concatenate(keys), return_counts=True)[1].astype(np.float64)


def common_keys(keys: Keys) -> float:
    """Keys that two random pages of the sample have in common, on average."""
    counts, pages = key_counts(keys), len(keys)
    return float((counts * (counts - 1)).sum() / (pages * (pages - 1)))


def fullest(shares: Array, pages: int, cap: int, machines: int) -> float:
    """Pairs on the fullest machine over the mean, blocks above `cap` being divided."""
    random = np.random.default_rng(0)
    sizes = shares * pages
    parts = np.maximum(np.ceil(sizes / cap), 1)
    work = np.repeat((sizes / parts) ** 2 / 2, np.minimum(parts, 10_000).astype(int))
    load = np.bincount(random.integers(machines, size=len(work)), weights=work, minlength=machines)
    return float(load.max() / max(load.mean(), 1e-12))


def main(arguments: Sequence[str] = ()) -> None:
    """Cost per million pages, then what each kind of key would shuffle."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks shuffle")
    parser.add_argument("--machines", type=int, default=256)
    parser.add_argument("--cap", type=int, default=10_000)
    parser.add_argument("--side", type=int, default=SIDE, help="pages of a side of a tile")
    args = parser.parse_args(arguments)
    described = print_costs(read_sample())
    print_tiles(described, args.side)
    print(f"\n{'keys':<12} {'pages':>6} {'records':>8} {'TB':>8} {'$ moved':>8} {'largest':>9} "
          f"{'pairs a page':>12} {'fullest':>8} {'with cap':>8}")  # fmt: skip
    for name, make in KINDS.items():
        keys = make(described)
        shares, sent = key_counts(keys) / len(keys), float(np.mean([len(k) for k in keys]))
        common = common_keys(keys)
        for size in SIZES:
            moved = size * sent * RECORD_BYTES
            even = fullest(shares, size, size, args.machines)
            capped = fullest(shares, size, args.cap, args.machines)
            print(f"{name:<12} {size:6.0e} {size * sent:8.1e} {moved / 1e12:8.2f} "
                  f"{moved / 1e9 * GIGABYTE_MOVED:8.0f} {size * shares.max():9.1e} "
                  f"{size * common / 2:12.1e} {even:8.1f} {capped:8.1f}")  # fmt: skip


def print_costs(pages: Sequence[Page]) -> list[Features]:
    """Print seconds of one core and dollars; returns the pages that are no near-duplicates."""
    described, signatures = timed(lambda: describe_pages(pages), time.process_time)
    groups = [pages[i : i + 100] for i in range(0, len(pages), 100)]
    kept, reduced = timed(
        lambda: [reduce_pages(g, OPTIONS).kept for g in groups], time.process_time
    )
    stored = sum(len(page.body.encode()) for page in pages) / len(pages)
    print(f"{len(pages)} pages of {stored / 1000:.1f} KB")
    for what, seconds in (("codes of runs", signatures), ("reduce, 100 a query", reduced)):
        each = seconds / len(pages)
        hours = each * 1e6 / 3600
        print(f"{what:<20} {1000 * each:6.2f} s per 1,000 pages {hours:8.2f} core hours "
              f"and ${hours * CORE_HOUR:.2f} per million")  # fmt: skip
    print(f"storage of a million: {stored / 1000:.1f} GB, "
          f"${stored / 1000 * GIGABYTE_MONTH:.2f} a month")  # fmt: skip
    unique = {name for names in kept for name in names}
    return [f for f, page in zip(described, pages, strict=True) if page.id in unique]
