"""Figures that belong to the frame of a set's pages: the version of a manual, a copyright year."""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

from reducepp.types import Page

MAX_FRAME_PAGES = 300
"""Pages of a set in which a fact that keeps two pages apart is looked for."""
MIN_FRAME_PAGES, MIN_FRAME_SHARE = 3, 0.1
"""Other pages that state it, and their share of all: it belongs to the frame of pages."""
_WORDS = re.compile(r"\w+(?:[.,:]\w+)*")


class PageFrame:
    """The first pages of a set, and which of them state a fact. Sets of pages are bits of a
    number."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._bodies = [_text_of(page) for page in pages[:MAX_FRAME_PAGES]]
        self._needed = max(MIN_FRAME_PAGES, MIN_FRAME_SHARE * len(self._bodies))
        self._stating: dict[str, int] = {}
        self._unlike: dict[str, int] = {}

    def may_hold(self, page: Page, fact: str) -> bool:
        """Whether so many other pages state a fact anywhere that it can belong to the frame."""
        return self._is_held(page, self._pages_with(_plain(fact)))

    def holds(self, page: Page, fact: str, around: tuple[str, str]) -> bool:
        """Whether other pages that have little in common with a page state a fact beside the same
        word; `around` are the words before and after it."""
        before, after = (_plain(words).split() for words in around)
        plain = _plain(fact)
        phrases = [f"{word} {plain}" for word in before[-1:]]
        phrases += [f"{plain} {word}" for word in after[:1]]
        stating = 0
        for phrase in phrases:
            stating |= self._pages_with(phrase)
        return self._is_held(page, stating)

    def _is_held(self, page: Page, stating: int) -> bool:
        if stating.bit_count() < self._needed:
            return False
        return (stating & self._pages_unlike(_text_of(page))).bit_count() >= self._needed

    def _pages_with(self, phrase: str) -> int:
        if phrase not in self._stating:
            every, held = (1 << len(self._texts)) - 1, 0
            for word in phrase.split():
                every &= self._holding.get(word, 0)
            for number in _bits(every):
                held |= (f" {phrase} " in self._texts[number]) << number
            self._stating[phrase] = held
        return self._stating[phrase]

    def _pages_unlike(self, body: str) -> int:
        """Pages that share less than half of the words of both with a text."""
        if body not in self._unlike:
            words, found = set(_plain(body).split()), 0
            own = self._bits_of(words)
            for number, theirs in enumerate(self._word_bits):
                common = (own & theirs).bit_count()
                found |= (3 * common < len(words) + theirs.bit_count()) << number
            self._unlike[body] = found
        return self._unlike[body]

    @cached_property
    def _texts(self) -> list[str]:
        return [f" {_plain(body)} " for body in self._bodies]

    @cached_property
    def _words(self) -> list[set[str]]:
        return [set(text.split()) for text in self._texts]

    @cached_property
    def _word_bits(self) -> list[int]:
        """The words of each page as bits."""
        return [self._bits_of(words) for words in self._words]

    def _bits_of(self, words: set[str]) -> int:
        """Words as bits; those that no page of the frame has are none."""
        found = bytearray(len(self._places) // 8 + 1)
        for place in map(self._places.get, words):
            if place is not None:
                found[place // 8] |= 1 << place % 8
        return int.from_bytes(found, "little")

    @cached_property
    def _places(self) -> dict[str, int]:
        """Word to its bit."""
        return {word: place for place, word in enumerate(self._holding)}

    @cached_property
    def _holding(self) -> dict[str, int]:
        """Word to the pages that hold it."""
        found: dict[str, int] = {}
        for number, words in enumerate(self._words):
            for word in words:
                found[word] = found.get(word, 0) | 1 << number
        return found


def _text_of(page: Page) -> str:
    return page.body or page.snippet


def _bits(number: int) -> list[int]:
    """Places of the bits that are set."""
    return [place for place, bit in enumerate(reversed(f"{number:b}")) if bit == "1"]


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Words and figures in lower case, with single spaces."""
    return " ".join(_WORDS.findall(text.lower()))
