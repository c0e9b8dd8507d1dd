"""Runs of words: what two bodies share to the letter, with places.

A passage is a substring of both bodies but for case and white space: figures count as words, and
what stands between two words must be the same.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from reducepp.text.lines import hash_codes, read_lines
from reducepp.types import Passage

SHORTEST_PASSAGE = 6
"""Fewer words than this in a row are shared by chance."""
MOST_PLACES = 8
"""How many places of the same beginning are tried before the longest is taken."""

_NUMBER_OF_TWO_WORDS = re.compile(r"\w*\d[.,:/'’-]\d\w*|\d{1,3}[ \u00a0\u2009\u202f]\d{3}")
"""4.2, 12:30, 27 000."""


class WordPlaces:
    """A body's words and figures as written, what stands before each, their places in the body,
    and where each run of a few words begins; case and white space aside."""

    def __init__(self, body: str) -> None:
        self.body = body
        self.words: list[str] = []
        self.signs: list[str] = []
        self._lines = read_lines(body)
        self._firsts: list[int] = []
        before = ""
        for line in self._lines:
            self._firsts.append(len(self.words))
            self.words += line.written
            self.signs.append(before + line.signs[0])
            self.signs += line.signs[1:]
            before = self.signs.pop()

    def span(self, word: int) -> tuple[int, int]:
        """Where a word begins and ends (character offsets)."""
        number = bisect_right(self._firsts, word) - 1
        first, last = self._lines[number].spans[word - self._firsts[number]]
        return self._starts[number] + first, self._starts[number] + last

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The same for all words."""
        return [
            (start + first, start + last)
            for start, line in zip(self._starts, self._lines, strict=True)
            for first, last in line.spans
        ]

    def cuts_number(self, word: int) -> bool:
        """Whether a number that began before a word goes on with it, as in 4.2 or 27 000."""
        if not 0 < word < len(self.words):
            return False
        start, end = self.span(word - 1)[0], self.span(word)[1]
        return bool(_NUMBER_OF_TWO_WORDS.fullmatch(self.body, start, end))

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line begins."""
        return list(accumulate(map(len, self.body.splitlines(keepends=True)), initial=0))[:-1]

    @cached_property
    def runs(self) -> NDArray[np.int64]:
        """A hash of the run of SHORTEST_PASSAGE words that begins at each word."""
        if not self._lines:
            return np.zeros(0, dtype=np.int64)
        words = np.concatenate([line.written_codes for line in self._lines])
        return hash_codes(words, SHORTEST_PASSAGE)

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """Places of the runs, equal ones together, the first of them first."""
        return np.argsort(self.runs, kind="stable")

    @cached_property
    def _ordered(self) -> NDArray[np.int64]:
        return self.runs[self._order]

    def have(self, runs: NDArray[np.int64]) -> list[int]:
        """Places of those of another body's runs that this one has too."""
        if not len(self._ordered):
            return []
        places = np.searchsorted(self._ordered, runs)
        near = self._ordered[np.minimum(places, len(self._ordered) - 1)]
        return np.flatnonzero(near == runs).tolist()

    def places_of(self, run: int) -> list[int]:
        """The first MOST_PLACES places of a run."""
        first = int(self._ordered.searchsorted(run))
        end = int(self._ordered.searchsorted(run, side="right"))
        found: list[int] = self._order[first : min(end, first + MOST_PLACES)].tolist()
        return found


def shared_passages(dropped: WordPlaces, kept: WordPlaces, *, most: int = 5) -> list[Passage]:
    """The longest runs of words that both bodies hold, longest first, not overlapping."""
    common = kept.have(dropped.runs)
    found: list[tuple[int, int, int]] = []
    free = 0
    while (at := bisect_left(common, free)) < len(common):
        i = common[at]
        places = kept.places_of(int(dropped.runs[i]))
        run, place = max((_common_run(dropped, i, kept, j), -j) for j in places)
        free = i + max(run, 1)
        whole = _whole_numbers(dropped, kept, run, i, -place)
        if whole[0] >= SHORTEST_PASSAGE:
            found.append(whole)
    found.sort(key=lambda passage: (-passage[0], passage[1]))
    return [_passage(dropped, kept, *passage) for passage in found[:most]]


def _common_run(a: WordPlaces, i: int, b: WordPlaces, j: int) -> int:
    """Words from i and j on that are equal, and so is what stands between them."""
    most = min(len(a.words) - i, len(b.words) - j)
    words = equal_run(most, lambda s, e: a.words[i + s : i + e] == b.words[j + s : j + e])
    i, j = i + 1, j + 1
    gaps = equal_run(words - 1, lambda s, e: a.signs[i + s : i + e] == b.signs[j + s : j + e])
    return min(words, gaps + 1)


def _whole_numbers(a: WordPlaces, b: WordPlaces, run: int, i: int, j: int) -> tuple[int, int, int]:
    """A run without the parts of numbers at its ends: "4" of 4.2 and 4.9 is nothing they share."""
    while run and (a.cuts_number(i) or b.cuts_number(j)):
        run, i, j = run - 1, i + 1, j + 1
    while run and (a.cuts_number(i + run) or b.cuts_number(j + run)):
        run -= 1
    return run, i, j


def equal_run(most: int, equal: Callable[[int, int], bool]) -> int:
    """How far two sequences are equal, `most` at most; `equal` compares them from one place to
    another. In steps that grow as long as all is equal: slices are compared faster than units."""
    length, step, grows = 0, 1, True
    while length < most and step:
        end = min(length + step, most)
        if equal(length, end):
            length = end
        else:
            grows = False
        step = 2 * step if grows else step // 2
    return length


def _passage(dropped: WordPlaces, kept: WordPlaces, run: int, i: int, j: int) -> Passage:
    here = (dropped.span(i)[0], dropped.span(i + run - 1)[1])
    there = (kept.span(j)[0], kept.span(j + run - 1)[1])
    return Passage(text=dropped.body[here[0] : here[1]], words=run, in_dropped=here, in_kept=there)
