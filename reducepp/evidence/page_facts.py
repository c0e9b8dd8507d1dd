"""Facts of the pages of a set: which pairs contradict each other, and what dropped pages share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from reducepp.evidence.page_frame import PageFrame
from reducepp.evidence.pair_evidence import (
    PairEvidence,
    PairReaders,
    align_facts,
    align_texts,
    describe,
    explain_texts,
    facts_of_page,
    text_page,
)
from reducepp.text.urls import address_key, is_release
from reducepp.types import Page

if TYPE_CHECKING:
    from reducepp.evidence.facts.aligned_facts import AlignedFacts
    from reducepp.evidence.facts.fact_comparison import FactComparison
    from reducepp.evidence.facts.fact_text import FactText
    from reducepp.evidence.facts.template_facts import Bools

MAX_KEPT_CHARS = 2_000_000
"""Texts of a cluster that are kept as read while it is split: some 100 MB."""

_NUMBER = re.compile(r"\d{1,2}")
_MANUAL = re.compile(r"\b(?:docs?|documentation|manual|manuel|handbook|reference|guide|help)\b")
"""Where a number without a point is a version too; of other addresses it may be a round, a day."""
_NO_ROW = (-1, -1)
Star = tuple[int, Sequence[int]]
"""A page and those that are to be compared with it."""


class PageFacts:
    """Facts, levels and passages of pairs of a query's pages; equal texts are read once."""

    def __init__(
        self, pages: Sequence[Page], frame: Sequence[Page] = (), readers: PairReaders | None = None
    ) -> None:
        """`frame` are the first pages of the set, where `pages` are some of it; `readers` read
        pairs of these pages, and are left by `read_ahead`."""
        self._pages = pages
        self._readers = readers
        self._frame = PageFrame(frame or pages)
        self._compared: dict[tuple[int, int], FactComparison] = {}
        self._aligned: dict[tuple[int, int], AlignedFacts] = {}
        self._verdicts: dict[tuple[int, int], bool] = {}
        self._known: dict[tuple[int, int], PairEvidence] = {}
        self._texts: dict[int, FactText] = {}
        self._certain: list[Bools] = []
        """Which pages of each cluster that was foreseen contradict each other by far."""
        self._rows: dict[int, tuple[int, int]] = {}
        """Page to its cluster and its row there."""

    def compare(self, i: int, j: int) -> FactComparison:
        """The facts of page i (a) and of page j (b)."""
        if (i, j) not in self._compared:
            found = self._aligned.get((i, j)) or self._align(i, j)
            self._compared[i, j] = describe(found)
        return self._compared[i, j]

    def needed(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The pairs whose facts were needed so far, i < j, and in which order they were read."""
        read = {(min(pair), max(pair)): pair for pair in self._compared}
        return {pair: pair for pair in self._verdicts} | read

    def _align(self, i: int, j: int) -> AlignedFacts:
        if i in self._texts and j in self._texts:
            return align_facts(self._texts[i], self._texts[j])
        return align_texts(text_page(self._pages[i]), text_page(self._pages[j]))

    def contradict(self, i: int, j: int) -> bool:
        """Whether most facts in the same place of two pages contradict each other.

        Two texts under one address, or under those of two versions of a manual, are versions of
        one page, whatever changed. What other pages of the set state beside the same word, as the
        version of a manual, is no fact of a page. Pages without content, as error pages, state
        none.
        """
        if self._is_certain(i, j):
            return not _is_one_page(self._pages[i], self._pages[j])
        pair = min(i, j), max(i, j)
        if pair not in self._verdicts:
            one, other = (self._pages[place] for place in pair)
            self._verdicts[pair] = not _is_one_page(one, other) and self._facts_contradict(i, j)
        return self._verdicts[pair]

    def foresee(self, group: Sequence[int]) -> None:
        """Find all pairs of a cluster at once that contradict each other by far.

        What was found of a cluster at a lower threshold is true of its parts.
        """
        known = {self._rows.get(i, _NO_ROW)[0] for i in group}
        if len(known) == 1 and known != {_NO_ROW[0]}:
            return
        from reducepp.evidence.facts.template_facts import certain_contradictions

        pages = [self._pages[i] for i in group]
        is_small = sum(len(page.body or page.snippet) for page in pages) <= MAX_KEPT_CHARS
        self._texts = {i: facts_of_page(self._pages[i]) for i in group} if is_small else {}
        found = certain_contradictions(
            len(pages),
            lambda number: self._texts.get(group[number]) or facts_of_page(pages[number]),
            lambda number, fact: self._frame.may_hold(pages[number], fact),
        )
        self._rows |= {i: (len(self._certain), row) for row, i in enumerate(group)}
        self._certain.append(found)

    def _is_certain(self, i: int, j: int) -> bool:
        cluster, row = self._rows.get(i, _NO_ROW)
        other, column = self._rows.get(j, _NO_ROW)
        if cluster != other or cluster == _NO_ROW[0]:
            return False
        certain = self._certain[cluster]
        return len(certain) > 0 and bool(certain[row, column])

    def _facts_contradict(self, i: int, j: int) -> bool:
        from reducepp.evidence.facts.fact_comparison import contradicts, words_around

        known = self._compared.get((i, j))
        if known and not known.contradicts:
            return False
        found = self._align(i, j)
        if not contradicts(found):
            self._aligned[i, j] = found  # may be explained later
            return False
        pages = self._pages[i], self._pages[j]
        doubtful = [
            place
            for place in found.differ
            if all(map(self._frame.may_hold, pages, found.written(place)))
        ]
        if not doubtful or contradicts(found, found.distinct_differ_without(doubtful)):
            return True
        framed = []
        for place in doubtful:
            around, written = words_around(found, place), found.written(place)
            if all(
                self._frame.holds(page, fact, around)
                for page, fact in zip(pages, written, strict=True)
            ):
                framed.append(place)
        return contradicts(found, found.distinct_differ_without(framed))

    def explain(self, i: int, kept: int, *, passages: bool) -> PairEvidence:
        """All that the texts of a dropped page and its representative say."""
        known = self._known.pop((i, kept), None)
        if known is not None:
            return known
        texts = text_page(self._pages[i]), text_page(self._pages[kept])
        return explain_texts(*texts, passages, self.compare(i, kept))

    def read_ahead(self, stars: Iterable[Star], *, passages: bool) -> None:
        """Read pairs in worker processes that are explained one by one later."""
        pairs = [(i, kept) for kept, others in stars for i in others]
        with self._readers or PairReaders(self._pages, passages=passages) as readers:
            for pair, evidence in readers.read(pairs):
                self._known[pair], self._compared[pair] = evidence, evidence.facts


def _is_one_page(one: Page, other: Page) -> bool:
    """Whether two pages are one whatever their facts are: one text, one address, no content."""
    return (
        (one.body or one.snippet) == (other.body or other.snippet)
        or _page_key(one.url) == _page_key(other.url) != ""
        or (one.lacks_content and one.content_class == other.content_class)
    )


@lru_cache(maxsize=4096)
def _page_key(url: str) -> str:
    """The address without the version of the manual that it belongs to; "" for none."""
    key = address_key(url)
    host, *folders = key.split("/")
    in_manual = _MANUAL.search(key) is not None
    kept = [
        folder
        for folder in folders[:-1]
        if not (is_release(folder) or (in_manual and _NUMBER.fullmatch(folder)))
    ]
    return "/".join([host, *kept, *folders[-1:]])
