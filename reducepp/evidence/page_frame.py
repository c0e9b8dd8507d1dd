"""Figures that belong to the frame of a set's pages: the version of a manual, a copyright year."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from reducepp.types import Page

MAX_FRAME_PAGES = 300
"""Pages of a set in which a fact that keeps two pages apart is looked for."""
MIN_FRAME_PAGES, MIN_FRAME_SHARE = 3, 0.1
"""Other pages that state it, and their share of all: it belongs to the frame of pages."""
_WORDS = re.compile(r"\w+(?:[.,:]\w+)*")

Mask = NDArray[np.bool_]
"""Whether each page of the frame is meant."""


class PageFrame:
    """The first pages of a set, and which of them state a fact."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._bodies = [_text_of(page) for page in pages[:MAX_FRAME_PAGES]]
        self._needed = max(MIN_FRAME_PAGES, MIN_FRAME_SHARE * len(self._bodies))
        self._stating: dict[str, Mask] = {}
        self._unlike: dict[str, Mask] = {}

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
        stating = np.zeros(len(self._bodies), dtype=bool)
        for phrase in phrases:
            stating |= self._pages_with(phrase)
        return self._is_held(page, stating)

    def _is_held(self, page: Page, stating: Mask) -> bool:
        if np.count_nonzero(stating) < self._needed:
            return False
        unlike = self._pages_unlike(_text_of(page))
        return bool(np.count_nonzero(stating & unlike) >= self._needed)

    def _pages_with(self, phrase: str) -> Mask:
        if phrase not in self._stating:
            held = np.asarray(self._rows(phrase.split()).all(axis=0))
            for number in np.flatnonzero(held).tolist():
                held[number] = f" {phrase} " in self._texts[number]
            self._stating[phrase] = held
        return self._stating[phrase]

    def _pages_unlike(self, body: str) -> Mask:
        """Pages that share less than half of the words of both with a text."""
        if body not in self._unlike:
            words = set(_plain(body).split())
            common, sizes = self._rows(words).sum(axis=0), self._holding.sum(axis=0)
            self._unlike[body] = 3 * common < len(words) + sizes
        return self._unlike[body]

    def _rows(self, words: Iterable[str]) -> Mask:
        """Which pages hold each word; the last row is that of every word that none holds."""
        numbers = [self._numbers.get(word, -1) for word in words]
        found: Mask = self._holding[np.array(numbers, dtype=np.intp)]
        return found

    @cached_property
    def _texts(self) -> list[str]:
        return [f" {_plain(body)} " for body in self._bodies]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Word to its row."""
        words = dict.fromkeys(word for text in self._texts for word in text.split())
        return {word: number for number, word in enumerate(words)}

    @cached_property
    def _holding(self) -> Mask:
        """Words × pages, and a row without any."""
        found = np.zeros((len(self._numbers) + 1, len(self._texts)), dtype=bool)
        for page, text in enumerate(self._texts):
            found[[self._numbers[word] for word in text.split()], page] = True
        return found


def _text_of(page: Page) -> str:
    return page.body or page.snippet


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Words and figures in lower case, with single spaces."""
    return " ".join(_WORDS.findall(text.lower()))
