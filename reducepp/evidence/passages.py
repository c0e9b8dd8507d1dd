"""Runs of words: what two bodies share to the letter, with places.

A passage is a substring of both bodies but for case and white space: figures count as words, and
what stands between two words must be the same.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reducepp.text.lines import hash_runs, read_lines
from reducepp.types import Passage

SHORTEST_PASSAGE = 6
"""Fewer words than this in a row are shared by chance."""

MOST_PLACES = 8
"""How many places of the same beginning are tried before the longest is taken."""


class WordPlaces:
    """A body's words and figures as written, what stands before each, their places in the body,
    and where each run of a few words begins; case and white space aside."""

    def __init__(self, body: str) -> None:
        self.body = body
        self.words: list[str] = []
        self.signs: list[str] = []
        before = ""
        for line in read_lines(body):
            self.words += line.written
            self.signs += [before + line.signs[0], *line.signs[1:]]
            before = self.signs.pop()

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Places (character offsets) of the words."""
        found: list[tuple[int, int]] = []
        start = 0
        for written, line in zip(
            self.body.splitlines(keepends=True), read_lines(self.body), strict=True
        ):
            found += [(start + first, start + last) for first, last in line.spans]
            start += len(written)
        return found

    @cached_property
    def runs(self) -> NDArray[np.int64]:
        """A hash of the run of SHORTEST_PASSAGE words that begins at each word."""
        return hash_runs(self.words, SHORTEST_PASSAGE)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Places of the runs, equal ones together, the first of them first."""
        return np.argsort(self.runs, kind="stable")


def shared_passages(dropped: WordPlaces, kept: WordPlaces, *, most: int = 5) -> list[Passage]:
    """The longest runs of words that both bodies hold, longest first, not overlapping."""
    ordered = kept.runs[kept.order]
    first = np.searchsorted(ordered, dropped.runs).tolist()
    end = np.searchsorted(ordered, dropped.runs, side="right").tolist()
    found: list[tuple[int, int, int]] = []
    i = 0
    while i < len(first):
        places = kept.order[first[i] : min(end[i], first[i] + MOST_PLACES)].tolist()
        run, place = max(((_common_run(dropped, i, kept, j), -j) for j in places), default=(0, 0))
        if run >= SHORTEST_PASSAGE:
            found.append((run, i, -place))
        i += run or 1
    found.sort(key=lambda passage: (-passage[0], passage[1]))
    return [_passage(dropped, kept, *passage) for passage in found[:most]]


def _common_run(a: WordPlaces, i: int, b: WordPlaces, j: int) -> int:
    """Words from i and j on that are equal, and so is what stands between them."""
    most = min(len(a.words) - i, len(b.words) - j)
    words = equal_run(most, lambda s, e: a.words[i + s : i + e] == b.words[j + s : j + e])
    i, j = i + 1, j + 1
    gaps = equal_run(words - 1, lambda s, e: a.signs[i + s : i + e] == b.signs[j + s : j + e])
    return min(words, gaps + 1)


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
    here = (dropped.spans[i][0], dropped.spans[i + run - 1][1])
    there = (kept.spans[j][0], kept.spans[j + run - 1][1])
    return Passage(text=dropped.body[here[0] : here[1]], words=run, in_dropped=here, in_kept=there)
