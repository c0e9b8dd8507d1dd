"""Runs of words: what two bodies share to the letter, with places.

A passage is a substring of both bodies but for case and white space: figures count as words, and
what stands between two words must be the same.
"""

from __future__ import annotations

from functools import cached_property

from reducepp.text.tokenise import word_spans
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
        self.spans = word_spans(body, digits=True)[1]
        ends = [0, *(end for _, end in self.spans)]
        self.words = [body[start:end].casefold() for start, end in self.spans]
        gaps = (body[a:b] for a, (b, _) in zip(ends, self.spans, strict=False))
        self.signs = ["" if gap == " " else _fold(gap) for gap in gaps]

    @cached_property
    def runs(self) -> list[tuple[str, ...]]:
        """The run of SHORTEST_PASSAGE words that begins at each word, but for the last ones."""
        return list(zip(*(self.words[i:] for i in range(SHORTEST_PASSAGE)), strict=False))

    @cached_property
    def starts(self) -> dict[tuple[str, ...], list[int]]:
        """Where each run begins."""
        found: dict[tuple[str, ...], list[int]] = {}
        for i, run in enumerate(self.runs):
            found.setdefault(run, []).append(i)
        return found


def _fold(text: str) -> str:
    return "".join(text.casefold().split())


def shared_passages(dropped: WordPlaces, kept: WordPlaces, *, most: int = 5) -> list[Passage]:
    """The longest runs of words that both bodies hold, longest first, not overlapping."""
    found: list[tuple[int, int, int]] = []
    i = 0
    while i < len(dropped.runs):
        places = kept.starts.get(dropped.runs[i], ())[:MOST_PLACES]
        run, place = max(((_common_run(dropped, i, kept, j), -j) for j in places), default=(0, 0))
        if run >= SHORTEST_PASSAGE:
            found.append((run, i, -place))
        i += run or 1
    found.sort(key=lambda passage: (-passage[0], passage[1]))
    return [_passage(dropped, kept, *passage) for passage in found[:most]]


def _common_run(a: WordPlaces, i: int, b: WordPlaces, j: int) -> int:
    """Words from i and j on that are equal, and so is what stands between them."""
    start = i
    while i < len(a.words) and j < len(b.words) and a.words[i] == b.words[j]:
        if i > start and a.signs[i] != b.signs[j]:
            break
        i, j = i + 1, j + 1
    return i - start


def _passage(dropped: WordPlaces, kept: WordPlaces, run: int, i: int, j: int) -> Passage:
    here = (dropped.spans[i][0], dropped.spans[i + run - 1][1])
    there = (kept.spans[j][0], kept.spans[j + run - 1][1])
    return Passage(text=dropped.body[here[0] : here[1]], words=run, in_dropped=here, in_kept=there)
