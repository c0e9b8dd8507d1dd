"""Runs of words: what two bodies share, with places."""

from __future__ import annotations

from collections.abc import Sequence

from reducepp.text.tokenise import word_spans
from reducepp.types import Passage

SHORTEST_PASSAGE = 6
"""Fewer words than this in a row are shared by chance."""

MOST_PLACES = 8
"""How many places of the same beginning are tried before the longest is taken."""


class WordPlaces:
    """A body's words with their places, and where each run of a few words begins."""

    def __init__(self, body: str) -> None:
        self.body = body
        self.words, self.spans = word_spans(body)
        self.starts: dict[tuple[str, ...], list[int]] = {}
        for i in range(len(self.words) - SHORTEST_PASSAGE + 1):
            key = tuple(self.words[i : i + SHORTEST_PASSAGE])
            self.starts.setdefault(key, []).append(i)


def shared_passages(dropped: WordPlaces, kept: WordPlaces, *, most: int = 5) -> list[Passage]:
    """The longest runs of words that both bodies hold, longest first, not overlapping."""
    found: list[tuple[int, int, int]] = []
    i = 0
    while i + SHORTEST_PASSAGE <= len(dropped.words):
        key = tuple(dropped.words[i : i + SHORTEST_PASSAGE])
        places = kept.starts.get(key, ())[:MOST_PLACES]
        run, place = max(
            ((_common_run(dropped.words, i, kept.words, j), -j) for j in places), default=(0, 0)
        )
        if run:
            found.append((run, i, -place))
        i += run or 1
    found.sort(key=lambda passage: (-passage[0], passage[1]))
    return [_passage(dropped, kept, *passage) for passage in found[:most]]


def _common_run(a: Sequence[str], i: int, b: Sequence[str], j: int) -> int:
    start = i
    while i < len(a) and j < len(b) and a[i] == b[j]:
        i, j = i + 1, j + 1
    return i - start


def _passage(dropped: WordPlaces, kept: WordPlaces, run: int, i: int, j: int) -> Passage:
    here = (dropped.spans[i][0], dropped.spans[i + run - 1][1])
    there = (kept.spans[j][0], kept.spans[j + run - 1][1])
    return Passage(text=dropped.body[here[0] : here[1]], words=run, in_dropped=here, in_kept=there)
