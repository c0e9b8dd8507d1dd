"""Which of the frequent runs of an index each page has: a bit per page and run, in memory."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from reducepp.similarity.shingles import places_in
from reducepp.types import Array, Bools, Integers

GROUP = 8
"""Runs of one byte, whose values are added up at once by a table of all combinations."""
_COMBINATIONS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")


class Signatures:
    """Frequent runs × pages."""

    def __init__(self, runs: Integers) -> None:
        self.runs = runs
        """Sorted."""
        self.chosen_at = 0
        """Pages that were there when the runs were chosen."""
        self._bytes: NDArray[np.uint8] = np.zeros((-(-len(runs) // GROUP), 0), dtype=np.uint8)

    def __len__(self) -> int:
        """Pages."""
        return int(self._bytes.shape[1])

    def places_of(self, runs: Integers) -> Integers:
        """The place of each run among the frequent ones, -1 for a rare one."""
        return places_in(self.runs, runs)

    def append(self, cells: Iterable[tuple[Integers, Integers]], count: int) -> None:
        """Add `count` pages, numbered from 0: places of runs, and a page that has each.

        They come in parts, in order of the places; a group of runs is in one part.
        """
        added = np.zeros((len(self._bytes), count), dtype=np.uint8)
        for places, numbers in cells:
            bits = (1 << places % GROUP).astype(np.float64)
            groups, starts = np.unique(places // GROUP, return_index=True)
            ends = [*starts[1:].tolist(), len(places)]
            for group, a, b in zip(groups.tolist(), starts.tolist(), ends, strict=False):
                added[group] = np.bincount(numbers[a:b], weights=bits[a:b], minlength=count)
        self._bytes = np.concatenate([self._bytes, added], axis=1)

    def sums(self, values: Array, pages: slice) -> Array:
        """For each page of a range the sum of the values of the frequent runs that it has."""
        padded = np.zeros(GROUP * len(self._bytes))
        padded[: len(values)] = values
        by_group = padded.reshape(-1, GROUP)
        chosen = np.flatnonzero(by_group.any(axis=1))
        tables = by_group[chosen] @ _COMBINATIONS.T.astype(np.float64)
        total = np.zeros(len(self._bytes[:0].T[pages]))
        for table, group in zip(tables, chosen.tolist(), strict=True):
            total += np.take(table, self._bytes[group, pages], mode="clip")  # faster than to index
        return total

    def has(self, pages: Integers, places: Integers) -> Bools:
        """Pages × places: whether a page has the run at a place."""
        held = self._bytes[places[:, None] // GROUP, pages] >> (places[:, None] % GROUP) & 1
        found: Bools = held.T.astype(bool)
        return found
