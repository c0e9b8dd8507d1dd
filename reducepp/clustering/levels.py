"""How similar two pages are, in words, and what to do about it.

The levels are those of Tao et al. (2013), 3.1. Exact and nearly exact copies are detected by their
texts alone, as in the paper's cascade (5.5), the other duplicates by how much of the two texts is
common: content words of posts, runs of three words of longer texts. `same text, other facts` is
ours: the paper's posts have too few figures for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np

from reducepp.similarity.shingles import distinct
from reducepp.text.language_detection import detect_language
from reducepp.text.lines import Line, has_post_signs, hash_codes, hash_runs, read_lines
from reducepp.text.post_parts import MAX_PARSED_CHARS, read_post
from reducepp.types import Integers, Page

OTHER_FACTS = "same text, other facts"
LEVELS = ("exact", "nearly exact", "strong", OTHER_FACTS, "weak", "low overlap", "none")
"""From the same text to nothing in common."""
ACTIONS = {
    "exact": "remove",
    "nearly exact": "remove",
    "strong": "remove",
    OTHER_FACTS: "show as alternative",
    "weak": "show as alternative",
    "low overlap": "show as alternative",
    "none": "keep",
}

STRONG = 0.8
"""Share of the shorter text, from which on the other only adds to it."""
LOW = 0.3
"""Share of all that is common, below which two duplicates have but a few words in common."""
MIN_SAME_TEXT = 0.5
"""Share of the longer text from which on two texts with other facts may be called the same text."""
MAX_SHORT_TEXTS = 512
"""Short texts that are kept as read: every page of a set may be compared with every other."""
MIN_COPY_SCORE = 0.9
"""Equal texts that score less are no copies: their titles or addresses say otherwise. The copies
among the labelled posts score 0.96 and more by every profile."""
SHORT = 50
"""Words up to which a text is compared by its words, and not by runs of three."""


def level_of(a: Page, b: Page, score: float, threshold: float) -> str:
    """The level of a pair from its texts and its score.

    `exact`: bodies, and all visible text of pages with little of it, equal but for white space.
    `nearly exact`: the same words in the same order, hashtags, mentions and addresses aside; both
    from MIN_COPY_SCORE on. Then `strong` where one text holds at least STRONG of the other, `low
    overlap` where less than LOW of both is common, `weak` between. `none` below the threshold.
    Where a page has no body its title and snippet count as its text.
    """
    return dropped_level(text_level(a, b), score) if score >= threshold else "none"


def text_level(a: Page, b: Page) -> str:
    """The level of a pair by its texts alone, as if its score reached any threshold."""
    return _level_of_texts(a, b, *(_read_text(_text_of(page)) for page in (a, b)))


def _level_of_texts(a: Page, b: Page, one: _Text, other: _Text) -> str:
    if one.has_words_of(other) and one.text.split() == other.text.split() != []:
        return "exact" if _show_the_same(a, b) else "strong"
    if one.may_have_core_of(other) and one.core == other.core != "":
        return "nearly exact" if _show_the_same(a, b) else "strong"
    one, other = (
        _read_text(page.visible) if page.visible else text for page, text in ((a, one), (b, other))
    )  # as the score, on all that a page with little main text shows
    by_words = min(one.words, other.words) <= SHORT
    sets = [one.runs, other.runs]
    if by_words:
        languages = {_language_of(one.text, a), _language_of(other.text, b)} - {""}
        shared = languages.pop() if len(languages) == 1 else ""
        sets = [_content_codes(text.text, shared) for text in (one, other)]
    merged = np.sort(np.concatenate(sets))
    both = int(np.count_nonzero(merged[1:] == merged[:-1]))
    sizes = [len(units) for units in sets]
    return level_by_share(both / max(min(sizes), 1), both / max(sum(sizes) - both, 1))


def _show_the_same(a: Page, b: Page) -> bool:
    """Whether equal bodies are all that two pages show, or what they show beside them is equal.

    The score is computed on all visible text of a page with little main text.
    """
    return a.visible.split() == b.visible.split() or not (a.visible and b.visible)


def level_by_share(held: float, common: float) -> str:
    """The level by what is common, as a share of the smaller text and of both together."""
    return "strong" if held >= STRONG else "low overlap" if common < LOW else "weak"


def dropped_level(level: str, score: float) -> str:
    """The level of a page that is not shown, however it is linked, by that of its texts."""
    return "strong" if score < MIN_COPY_SCORE and level in ("exact", "nearly exact") else level


def with_facts(level: str, facts_differ: bool, shared: float) -> str:
    """The level of two texts whose facts in the same place differ or not.

    A strong duplicate with another figure or name is an update, a correction or a variant; where
    less than MIN_SAME_TEXT of the longer text is in the other, it is weak.
    """
    if not facts_differ or level not in ("nearly exact", "strong"):
        return level
    return OTHER_FACTS if shared >= MIN_SAME_TEXT else "weak"


@dataclass(frozen=True)
class _Text:
    """What levels need of a text."""

    text: str
    lines: Sequence[Line]
    words: int
    """How many."""
    runs: Integers
    """Hashes of runs of three words, sorted."""

    @property
    def is_short(self) -> bool:
        """Whether it is as short as posts are at most."""
        return len(self.text) <= MAX_PARSED_CHARS

    @cached_property
    def core(self) -> str:
        """Its words without tags."""
        core = " ".join(line.core for line in self.lines if line.core) if self.is_short else ""
        return core or read_post(self.text, "").core

    @cached_property
    def core_words(self) -> int:
        """How many words of a short text are no tags."""
        if not has_post_signs(self.text):
            return self.words
        counts = (len(x.core.split()) if x.is_tagged else len(x.words) for x in self.lines)
        return sum(counts)

    def has_words_of(self, other: _Text) -> bool:
        """Whether it may have the same words in order: as many of them, and of runs."""
        return self.words == other.words and len(self.runs) == len(other.runs)

    def may_have_core_of(self, other: _Text) -> bool:
        """Whether the cores may be equal: as many words, or one of them is all tags.

        The core of a long text is that of its beginning, so all of its runs must be equal.
        """
        if not (self.is_short and other.is_short):
            return self.words == other.words and np.array_equal(self.runs, other.runs)
        if not (self.core_words and other.core_words):
            return True
        return self.core_words == other.core_words


@lru_cache(maxsize=64)
def _read_text(text: str) -> _Text:
    """Tokenise a text once for all pages that are compared with it in turn."""
    lines = read_lines(text)
    codes = np.concatenate([np.zeros(0, dtype=np.int64), *(line.codes for line in lines)])
    return _Text(text, lines, len(codes), distinct(hash_codes(codes, 3)))


def _text_of(page: Page) -> str:
    return page.body or f"{page.page_title} {page.snippet}".strip()


def text_levels(pages: Sequence[Page]) -> Integers:
    """n×n places in LEVELS: what each two pages are by their texts when they are duplicates."""
    texts = [_read_text(_text_of(page)) for page in pages]
    own = ["exact" if text.text.strip() else "low overlap" for text in texts]
    found = np.diag(np.array([LEVELS.index(level) for level in own], dtype=np.int64))
    for i, j in combinations(range(len(pages)), 2):
        level = _level_of_texts(pages[i], pages[j], texts[i], texts[j])
        found[i, j] = found[j, i] = LEVELS.index(level)
    return found


def _language_of(text: str, page: Page) -> str:
    return page.language[:2].lower() or _detect(text)


@lru_cache(maxsize=MAX_SHORT_TEXTS)
def _detect(text: str) -> str:
    return detect_language(text, ngrams=False)


@lru_cache(maxsize=MAX_SHORT_TEXTS)
def _content_codes(text: str, language: str) -> Integers:
    """Hashes of a text's content words in a language, sorted; "" for all words as they are."""
    post = read_post(text, language)
    return distinct(hash_runs([word for word in post.words if word not in post.stop_words], 1))
