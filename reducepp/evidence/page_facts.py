"""Facts of pages, read once per page and compared for pairs of near-duplicates."""

from __future__ import annotations

from collections.abc import Sequence

from reducepp.evidence.facts import (
    FactComparison,
    FactText,
    compare_facts,
    contradicts,
    read_facts,
)
from reducepp.text.urls import address_key
from reducepp.types import Page


class PageFacts:
    """The facts of a query's pages, each read when it is first needed."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = pages
        self._read: dict[int, FactText] = {}
        self._compared: dict[tuple[int, int], FactComparison] = {}

    def compare(self, i: int, j: int) -> FactComparison:
        """The facts of page i (a) and of page j (b)."""
        if (i, j) not in self._compared:
            self._compared[i, j] = compare_facts(self._facts(i), self._facts(j))
        return self._compared[i, j]

    def contradict(self, i: int, j: int) -> bool:
        """Whether most facts in the same place of two pages contradict each other.

        Two texts under one address are versions of one page, whatever changed.
        """
        if self._text(i) == self._text(j) or self._address(i) == self._address(j) != "":
            return False
        return contradicts(self.compare(i, j))

    def _address(self, i: int) -> str:
        return address_key(self._pages[i].url)

    def _text(self, i: int) -> str:
        return self._pages[i].body or self._pages[i].snippet

    def _facts(self, i: int) -> FactText:
        if i not in self._read:
            self._read[i] = read_facts(self._text(i), published=self._pages[i].posted_at)
        return self._read[i]
