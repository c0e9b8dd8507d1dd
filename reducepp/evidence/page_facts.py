"""What the texts of two near-duplicates say about them as a pair: facts, level, shared passages.

Readers of facts and passages are imported where the first pair is read: many sets have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from reducepp.clustering.levels import text_level
from reducepp.parallel import map_in_order, nested_cores
from reducepp.text.urls import address_key, is_release
from reducepp.types import Page, Passage

if TYPE_CHECKING:
    from reducepp.evidence.facts.fact_comparison import FactComparison
    from reducepp.evidence.facts.fact_text import FactText
    from reducepp.evidence.passages import WordPlaces

MAX_READ_TEXTS = 512
"""Texts that are kept as read: pairs of one page come one after the other."""
MIN_PARALLEL_PAIRS = 300
"""Pairs that take longer to read than processes to start: about a second."""
BATCH_PAIRS = 40
"""Pairs that a process reads at once."""

_NUMBER = re.compile(r"\d{1,2}")
_MANUAL = re.compile(r"\b(?:docs?|documentation|manual|manuel|handbook|reference|guide|help)\b")
"""Where a number without a point is a version too; of other addresses it may be a round, a day."""
_WORDS = re.compile(r"\w+(?:[.,:]\w+)*")
MAX_FRAME_PAGES = 300
"""Pages of a set in which a fact that keeps two pages apart is looked for."""
MIN_FRAME_PAGES, MIN_FRAME_SHARE = 3, 0.1
"""Other pages that state it, and their share of all: it belongs to the frame of pages."""

Star = tuple[int, Sequence[int]]
"""A page and those that are to be compared with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEvidence:
    """What the texts of two pages have in common."""

    facts: FactComparison
    level: str
    """By the texts alone."""
    passages: tuple[Passage, ...]


class PageFacts:
    """Facts, levels and passages of pairs of a query's pages; equal texts are read once."""

    def __init__(self, pages: Sequence[Page], frame: Sequence[Page] = ()) -> None:
        """`frame` are the first pages of the set, where `pages` are some of it."""
        self._pages = pages
        self._frame = (frame or pages)[:MAX_FRAME_PAGES]
        self._compared: dict[tuple[int, int], FactComparison] = {}
        self._known: dict[tuple[int, int], PairEvidence] = {}

    def compare(self, i: int, j: int) -> FactComparison:
        """The facts of page i (a) and of page j (b)."""
        if (i, j) not in self._compared:
            made = _compare_texts(_text_of(self._pages[i]), _text_of(self._pages[j]))
            self._compared[i, j] = made
        return self._compared[i, j]

    def contradict(self, i: int, j: int) -> bool:
        """Whether most facts in the same place of two pages contradict each other.

        Two texts under one address, or under those of two versions of a manual, are versions of
        one page, whatever changed. What other pages of the set state beside the same word, as the
        version of a manual, is no fact of a page. Pages without content, as error pages, state
        none.
        """
        from reducepp.evidence.facts.fact_comparison import contradicts, without

        one, other = self._pages[i], self._pages[j]
        if (one.body or one.snippet) == (other.body or other.snippet):
            return False
        if _page_key(one.url) == _page_key(other.url) != "":
            return False
        if one.content_class == other.content_class not in ("", "home"):
            return False
        found = self.compare(i, j)
        if not contradicts(found):
            return False
        frame = [
            d
            for d in found.differ
            if self._is_framed(i, d.a, d.context) and self._is_framed(j, d.b, d.context)
        ]
        return contradicts(without(found, frame)) if frame else True

    def _is_framed(self, i: int, fact: str, context: str) -> bool:
        """Whether other pages that have little in common with a page state a fact beside the same
        word."""
        before, _, after = (_plain(part) for part in context.partition("…"))
        phrases = [f" {word} " for word in _beside(before, _plain(fact), after)]
        own, held = set(_plain(self._pages[i].body or self._pages[i].snippet).split()), 0
        for page in self._frame:
            text = _plain(page.body or page.snippet)
            if any(phrase in f" {text} " for phrase in phrases):
                theirs = set(text.split())
                held += 2 * len(own & theirs) < len(own | theirs)
        return held >= max(MIN_FRAME_PAGES, MIN_FRAME_SHARE * len(self._frame))

    def explain(self, i: int, kept: int, *, passages: bool) -> PairEvidence:
        """All that the texts of a dropped page and its representative say."""
        known = self._known.pop((i, kept), None)
        if known is not None:
            return known
        texts = _text_of(self._pages[i]), _text_of(self._pages[kept])
        return _explain_texts(*texts, passages, self.compare(i, kept))

    def read_ahead(self, stars: Iterable[Star], *, passages: bool) -> None:
        """Explain pairs on all cores that are asked for one by one later; few pairs are not.

        Those of one page follow each other, so that its text is read once.
        """
        pairs = [(i, kept) for kept, others in stars for i in others]
        if len(pairs) < MIN_PARALLEL_PAIRS:
            return
        batches = [
            pairs[start : start + BATCH_PAIRS] for start in range(0, len(pairs), BATCH_PAIRS)
        ]
        text_of = lru_cache(BATCH_PAIRS)(lambda i: _text_of(self._pages[i]))  # is sent once a batch
        texts = ([(text_of(i), text_of(kept)) for i, kept in batch] for batch in batches)
        done = map_in_order(_explain_batch, texts, passages, jobs=nested_cores())
        for pair, evidence in zip(pairs, chain.from_iterable(done), strict=True):
            self._known[pair], self._compared[pair] = evidence, evidence.facts


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


@lru_cache(maxsize=MAX_READ_TEXTS)
def _plain(text: str) -> str:
    """Words and figures in lower case, with single spaces."""
    return " ".join(_WORDS.findall(text.lower()))


def _beside(before: str, fact: str, after: str) -> list[str]:
    """A fact with the word before it, and with the word after it."""
    words = before.split()[-1:], after.split()[:1]
    return [*(f"{word} {fact}" for word in words[0]), *(f"{fact} {word}" for word in words[1])]


def _text_of(page: Page) -> Page:
    """The page with nothing but what its texts are read from; equal texts are equal pages."""
    return Page(
        id="",
        body=page.body,
        page_title="" if page.body else page.page_title,
        snippet="" if page.body else page.snippet,
        posted_at=page.posted_at,
        language=page.language,
    )


def _explain_batch(pairs: Sequence[tuple[Page, Page]], passages: bool) -> list[PairEvidence]:
    return [_explain_texts(a, b, passages, _compare_texts(a, b)) for a, b in pairs]


def _explain_texts(a: Page, b: Page, passages: bool, facts: FactComparison) -> PairEvidence:
    shared = _passages_of(a.body, b.body) if passages else ()
    return PairEvidence(facts=facts, level=_level_of(a, b), passages=shared)


_level_of = lru_cache(maxsize=16)(text_level)


@lru_cache(maxsize=16)
def _passages_of(a: str, b: str) -> tuple[Passage, ...]:
    from reducepp.evidence.passages import shared_passages

    return tuple(shared_passages(_places_of(a), _places_of(b)))


@lru_cache(maxsize=16)
def _compare_texts(a: Page, b: Page) -> FactComparison:
    from reducepp.evidence.facts.fact_comparison import compare_facts

    return compare_facts(*(_facts_of(p.body or p.snippet, p.posted_at) for p in (a, b)))


@lru_cache(maxsize=MAX_READ_TEXTS)
def _facts_of(text: str, published: str) -> FactText:
    from reducepp.evidence.facts.fact_text import read_facts

    return read_facts(text, published=published)


@lru_cache(maxsize=16)
def _places_of(body: str) -> WordPlaces:
    from reducepp.evidence.passages import WordPlaces

    return WordPlaces(body)
