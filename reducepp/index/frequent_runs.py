"""Runs that many pages of an index have: a bit per page, kept in memory between questions.

A list of half of the pages takes a hundred times as long to read and add up as such bits do.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reducepp.similarity.pairs import Bools, Integers
from reducepp.types import Array

FREQUENT = 1 / 32
"""Share of the pages from which on a run is frequent: then bits take less time than its list."""
MIN_FREQUENT = 256
"""Pages of a frequent run at least."""
MAX_BYTES = 64_000_000
"""Bytes of bits that are kept: those of five thousand runs in an index of 100,000 pages."""
GROUP = 8
"""Runs that are added up at once, by a table of what each combination of them weighs."""

Bits = NDArray[np.uint8]
ReadLists = Callable[[Integers, int], list[Integers]]
"""The pages of each run from a page on, or from before it."""


class _Kept(NamedTuple):
    """A bit for each of so many pages, and how many are set."""

    bits: Bits
    pages: int
    size: int


_NOTHING = _Kept(np.zeros(0, dtype=np.uint8), 0, 0)


class FrequentRuns:
    """Bits of the runs that were asked for last; pages that were added since are read alone."""

    def __init__(self, read: ReadLists) -> None:
        self._read = read
        self._kept: OrderedDict[int, _Kept] = OrderedDict()

    def codes_of(self, runs: Integers, count: int) -> Bits:
        """Groups of runs × the first `count` pages: bit i says whether a page has run i of a group.

        Runs are in groups of GROUP in their order.
        """
        known = {run: self._kept.pop(run, _NOTHING) for run in runs.tolist()}
        for first in {kept.pages for kept in known.values() if kept.pages != count}:
            stale = [run for run, kept in known.items() if kept.pages == first]
            for run, added in zip(stale, self._read(np.array(stale), first), strict=True):
                known[run] = _with_pages(known[run].bits, added, count)
        self._keep(known, count)
        codes = np.zeros((-(-len(runs) // GROUP), count), dtype=np.uint8)
        for place, run in enumerate(runs.tolist()):
            bits = np.unpackbits(known[run].bits, count=count)
            codes[place // GROUP] += bits * np.uint8(1 << place % GROUP)
        return codes

    def size_of(self, run: int, count: int) -> int:
        """How many of `count` pages have a run whose bits are kept; -1 where they are not."""
        kept = self._kept.get(run, _NOTHING)
        return kept.size if kept.pages == count else -1

    def _keep(self, known: dict[int, _Kept], count: int) -> None:
        self._kept.update(known)
        while len(self._kept) * count > 8 * MAX_BYTES:
            self._kept.popitem(last=False)


def _with_pages(bits: Bits, added: Integers, count: int) -> _Kept:
    """The bits of `count` pages: those that are set, and those of the pages added."""
    pages = np.zeros(count, dtype=bool)
    pages[: 8 * len(bits)] = np.unpackbits(bits)[:count]
    pages[added] = True
    return _Kept(np.packbits(pages), count, int(np.count_nonzero(pages)))


def are_frequent(sizes: Integers, count: int) -> Bools:
    """Which runs, of so many pages each, are frequent in an index of `count` pages."""
    found: Bools = sizes >= max(FREQUENT * count, MIN_FREQUENT)
    return found


def add_up(gains: Array, codes: Bits) -> Array:
    """For each page the sum of the gains of the runs that it has; `codes` are those of the runs."""
    total = np.zeros(codes.shape[1])
    for group, code in enumerate(codes):
        part = gains[group * GROUP : (group + 1) * GROUP]
        combinations = (np.arange(1 << len(part))[:, None] >> np.arange(len(part))) & 1
        total += np.take(combinations @ part, code, mode="clip")  # twice as fast as to index
    return total
