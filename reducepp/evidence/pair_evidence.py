"""What the texts of two near-duplicates say about them as a pair: facts, level, shared passages.

That depends on nothing but the two texts. So the pairs of a large set are read in worker processes,
and those of pages that share most of their lines while the set is still being compared. Readers of
facts and passages are imported where the first pair is read: many sets have none.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from reducepp.clustering.levels import dropped_level, text_level, with_facts
from reducepp.parallel import nested_cores, no_workers, process_pool
from reducepp.types import Page, Passage

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from reducepp.evidence.facts.aligned_facts import AlignedFacts
    from reducepp.evidence.facts.fact_comparison import FactComparison
    from reducepp.evidence.facts.fact_text import FactText
    from reducepp.evidence.passages import WordPlaces

MIN_PARALLEL_PAIRS = 300
"""Pairs that take longer to read than processes to start: about a second."""
BATCH_PAIRS = 40
"""Pairs that a process reads at once."""
MAX_HOLDERS = 20
"""Pages that a line is looked for in: what more pages have is a template's."""
LIKELY_SHARE = 0.5
"""Share of a page's characters in lines of another from which on a pair is read before it is
scored. Of the 3,024 pairs of `python -m benchmarks scale` with 10,000 pages 2,795 are among 3,069
likely ones; at 0.4 there are fewer, and twice as many are wrong."""
LOWER_PRIORITY = 3
"""So much nicer are the workers: the comparison, which uses one core, has that core to itself."""

Pair = tuple[int, int]
"""Numbers of a dropped page and of its representative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEvidence:
    """What the texts of two pages have in common."""

    facts: FactComparison
    level: str
    """By the texts alone."""
    passages: tuple[Passage, ...]

    def level_at(self, score: float) -> str:
        """The level of a page that is dropped for the other with this score."""
        level = dropped_level(self.level, score)
        return with_facts(level, self.facts.differs, self.facts.shared_of_longer)


class PairReaders(AbstractContextManager["PairReaders"]):
    """Worker processes that read pairs of pages; none where there are few pairs or one core."""

    def __init__(self, pages: Sequence[Page], *, passages: bool) -> None:
        self._pages, self._passages = pages, passages
        self._jobs = nested_cores()
        self._stack = ExitStack()
        self._pool: ProcessPoolExecutor | None = None
        self._reading: dict[Pair, tuple[Future[list[PairEvidence]], int]] = {}

    def __exit__(self, *error: Any) -> bool | None:
        self._pool = None
        return self._stack.__exit__(*error)

    @contextmanager
    def likely(self) -> Iterator[None]:
        """Read the likely pairs meanwhile; then the work in this block has no workers."""
        busy = self._jobs > 1 and self._read(sorted(likely_pairs(self._pages), key=_by_kept))
        with no_workers() if busy else nullcontext():
            yield

    def read(self, pairs: Sequence[Pair]) -> Iterator[tuple[Pair, PairEvidence]]:
        """What all pairs say, or nothing where they are few; those of one page follow each other,
        so that its text is read once."""
        if self._read([pair for pair in pairs if pair not in self._reading]):
            for pair in pairs:
                batch, place = self._reading[pair]
                yield pair, batch.result()[place]

    def _read(self, pairs: Sequence[Pair]) -> bool:
        """Hand pairs to the workers; False where there are none."""
        if self._pool is None:
            if self._jobs == 1 or len(pairs) < MIN_PARALLEL_PAIRS:
                return False
            start = _give_pages, self._pages
            self._pool = self._stack.enter_context(process_pool(self._jobs, start=start))
        for first in range(0, len(pairs), BATCH_PAIRS):
            batch = pairs[first : first + BATCH_PAIRS]
            reading = self._pool.submit(_read_batch, batch, self._passages)
            self._reading.update((pair, (reading, i)) for i, pair in enumerate(batch))
        return True


def _by_kept(pair: Pair) -> Pair:
    return pair[1], pair[0]


def likely_pairs(pages: Sequence[Page]) -> Iterator[Pair]:
    """Pages of which most is in lines of an earlier page, with the first such page.

    A guess that costs little: a wrong one is read for nothing.
    """
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for number, page in enumerate(pages):
        shared: defaultdict[int, int] = defaultdict(int)
        text = page.body or page.snippet
        for line in set(text.split("\n")):
            earlier = holders[hash(line)]
            if len(earlier) < MAX_HOLDERS:
                for holder in earlier:
                    shared[holder] += len(line)
                earlier.append(number)
        least = LIKELY_SHARE * len(text)
        if found := [holder for holder, size in shared.items() if size > least]:
            yield number, min(found)


_given: list[Sequence[Page]] = []
"""In a worker: the pages, whose bodies a fork does not copy."""


def _give_pages(pages: Sequence[Page]) -> None:
    os.nice(LOWER_PRIORITY)
    _given[:] = [pages]


def _read_batch(pairs: Sequence[Pair], passages: bool) -> list[PairEvidence]:
    text_of = lru_cache(BATCH_PAIRS)(lambda number: text_page(_given[0][number]))
    found = ((text_of(i), text_of(kept)) for i, kept in pairs)
    return [explain_texts(a, b, passages, describe(align_texts(a, b))) for a, b in found]


def text_page(page: Page) -> Page:
    """The page with nothing but what its texts are read from; equal texts are equal pages."""
    return Page(
        id="",
        body=page.body,
        visible=page.visible,
        page_title="" if page.body else page.page_title,
        snippet="" if page.body else page.snippet,
        posted_at=page.posted_at,
        language=page.language,
    )


def explain_texts(a: Page, b: Page, passages: bool, facts: FactComparison) -> PairEvidence:
    """Level and passages of two `text_page`s, beside their facts."""
    shared = _passages_of(a.body, b.body) if passages else ()
    return PairEvidence(facts=facts, level=_level_of(a, b), passages=shared)


_level_of = lru_cache(maxsize=16)(text_level)


@lru_cache(maxsize=16)
def _passages_of(a: str, b: str) -> tuple[Passage, ...]:
    from reducepp.evidence.passages import shared_passages

    return tuple(shared_passages(_places_of(a), _places_of(b)))


def describe(found: AlignedFacts) -> FactComparison:
    """The facts of two texts as they are shown."""
    from reducepp.evidence.facts.fact_comparison import describe_facts

    return describe_facts(found)


@lru_cache(maxsize=16)
def align_texts(a: Page, b: Page) -> AlignedFacts:
    """The facts of two `text_page`s that stand in the same place."""
    return align_facts(facts_of_page(a), facts_of_page(b))


def align_facts(a: FactText, b: FactText) -> AlignedFacts:
    """The same of texts whose facts are read."""
    from reducepp.evidence.facts.aligned_facts import AlignedFacts

    return AlignedFacts(a, b)


def facts_of_page(page: Page) -> FactText:
    """The facts of a page's text."""
    return _facts_of(page.body or page.snippet, page.posted_at)


@lru_cache(maxsize=512)
def _facts_of(text: str, published: str) -> FactText:
    from reducepp.evidence.facts.fact_text import read_facts

    return read_facts(text, published=published)


@lru_cache(maxsize=16)
def _places_of(body: str) -> WordPlaces:
    from reducepp.evidence.passages import WordPlaces

    return WordPlaces(body)
