"""Blocks and boxes of a page → its main text.

What is left when parts that are no content are struck out is searched for the box whose
blocks are worth most: running text counts for a box, link text and crumbs against it. From
there the search goes inward as long as one part holds nearly all of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from reducepp.scraping.extract.blocks import Block, Box, Layout
from reducepp.scraping.extract.boilerplate import (
    ENOUGH,
    HEADINGS,
    mark_beside,
    strike_asides,
    strike_frame,
    strike_menus,
    sum_blocks,
)
from reducepp.scraping.extract.class_hints import GOOD
from reducepp.scraping.extract.threads import find_posts, heads_of
from reducepp.scraping.extract.title_text import fold

_KEPT_ABOVE = HEADINGS | {"li", "td", "th", "dt", "dd", "pre", "blockquote"}
_MAIN = frozenset(("main", "article"))
_KEPT_LINKS = HEADINGS | {"p", "li", "td", "th", "dt", "dd"}
INWARD = 0.85
"""Share of a box's worth that one part must hold for the rest to be left out."""
NEARLY_ALL = 0.97
"""The same in a manual, where a chapter on one thing is no reason to leave out the next."""
DOUBT = 0.2
"""What text counts inside a box that is named as no content, and was too large to be struck."""
NEAR = 25
"""Blocks between a title and the text below it, at most, for what stands between to be its lead."""


@dataclass(slots=True)
class Body:
    """The main text: its blocks and headings by index, in reading order."""

    blocks: list[int]
    headings: list[int]


def find_body(layout: Layout, titles: Sequence[str] = (), *, manual: bool = False) -> Body:
    """Which blocks are the main text, and which of them are headings.

    Titles are content types of their own, so headings that repeat one are left out.
    """
    if not layout.blocks:
        return Body([], [])
    known = {start + fold(title) for title in titles for start in ("", "re")}
    framed = strike_frame(layout, manual=manual)
    if manual:
        return _find_manual(layout, framed, known)
    posts = find_posts(layout)
    kept = strike_asides(layout, framed)
    inside = _choose(layout, kept, posts, known)
    body = _without_crumbs(layout, _without_bare_headings(layout, inside))
    heads = heads_of(posts, layout, kept)
    body = [i for i in body if i not in heads or layout.blocks[i].tag in _KEPT_ABOVE]
    if _is_too_little(layout, body, framed):
        body = _whole(layout, framed) or list(range(len(framed)))
    body = [i for i in body if not _repeats(layout.blocks[i], known)]
    return Body(body, [i for i in body if layout.blocks[i].tag in HEADINGS])


def _find_manual(layout: Layout, framed: list[bool], titles: set[str]) -> Body:
    """All that a page of documentation shows inside its frame: lists of links are its content."""
    lengths = (float(b.length * k) for b, k in zip(layout.blocks, framed, strict=True))
    worth = list(accumulate(lengths, initial=0.0))
    inner = _go_inward(layout, layout.boxes[0], worth, [], share=NEARLY_ALL)
    inside = [i for i in range(inner.first, inner.last) if framed[i]]
    body = [i for i in inside if not _repeats(layout.blocks[i], titles)]
    return Body(body, [i for i in body if layout.blocks[i].tag in HEADINGS])


def _is_too_little(layout: Layout, body: list[int], framed: list[bool]) -> bool:
    """Whether the text found is so small a part of the page that the page is not that text."""
    prose = _prose_length(layout, body)
    total = sum(b.length for b, k in zip(layout.blocks, framed, strict=True) if k)
    if prose < ENOUGH:
        return prose < 0.8 * total
    return prose < 0.08 * total


def _whole(layout: Layout, framed: list[bool]) -> list[int]:
    """What is shown, without menus; only what is in the main box where that holds half of it."""
    kept = strike_menus(layout, framed)
    sums = sum_blocks(layout, kept)
    half = (sums.length[-1] - sums.links[-1]) / 2
    first, last = 0, len(kept)
    for box in layout.boxes:
        length, links, _ = sums.of(box)
        if (box.tag in _MAIN or box.hints & GOOD) and length and length - links >= half:
            first, last = box.first, box.last
    return [i for i in range(first, last) if kept[i]]


def _prose_length(layout: Layout, indices: list[int]) -> int:
    return sum(layout.blocks[i].length for i in indices if layout.blocks[i].prose)


def _repeats(block: Block, titles: set[str]) -> bool:
    return block.length < 300 and block.tag in HEADINGS and fold(block.text) in titles


def _without_crumbs(layout: Layout, indices: list[int]) -> list[int]:
    """An article's text without lines of links, and the byline above its first sentence."""
    blocks = [layout.blocks[i] for i in indices]
    prose = sum(b.length for b in blocks if b.prose)
    first = next((n for n, b in enumerate(blocks) if b.prose), 0)
    if prose < 0.8 * sum(b.length for b in blocks):
        return indices
    above = first if first <= 12 else 0
    return [
        i
        for n, (i, b) in enumerate(zip(indices, blocks, strict=True))
        if (n >= above or b.tag in _KEPT_ABOVE)
        and (b.links * 2 <= b.length or b.tag in _KEPT_LINKS)
    ]


def _worth(block: Block) -> float:
    if block.tag in HEADINGS:
        return 0.0
    if block.links * 2 > block.length:
        return -min(block.length, 80)
    return block.length if block.prose else -5.0


def _choose(layout: Layout, kept: list[bool], posts: list[Box], titles: set[str]) -> list[int]:
    """Kept blocks of the best box, with the introduction between the title and it."""
    beside = mark_beside(layout, kept)
    worths = (_worth(b) * (DOUBT if beside[i] else 1) for i, b in enumerate(layout.blocks))
    worth = [0.0, *accumulate(w if k else 0.0 for w, k in zip(worths, kept, strict=True))]
    outer = max(layout.boxes, key=lambda box: worth[box.last] - worth[box.first])
    inner = _go_inward(layout, outer, worth, posts)
    lead = _introduction(layout, inner, titles)
    return [i for i in (*lead, *range(inner.first, inner.last)) if kept[i]]


def _go_inward(
    layout: Layout, outer: Box, worth: list[float], posts: list[Box], share: float = INWARD
) -> Box:
    """The innermost box that still holds nearly all the worth of the outer one.

    One post of a thread is not the thread, whatever it holds.
    """
    whole = worth[outer.last] - worth[outer.first]
    among = {box.number for box in posts}
    best, end = outer, 0
    for box in layout.boxes:
        if box.number in among:
            end = max(end, box.last)
        if box.first < max(best.first, end) or box.last > best.last:
            continue
        named = bool(box.hints & GOOD or box.tag == "article")
        held = worth[box.last] - worth[box.first]
        if held >= (share - 0.2 * named) * whole and (named or not best.hints & GOOD):
            best = box
    return best


def _introduction(layout: Layout, inner: Box, titles: set[str]) -> list[int]:
    """Title and running text above the box, where a title is near; else nothing."""
    found: list[int] = []
    for i in range(inner.first - 1, max(0, inner.first - NEAR) - 1, -1):
        block = layout.blocks[i]
        if block.prose or block.tag in HEADINGS:
            found.append(i)
        if block.tag == "h1" or _repeats(block, titles):
            return found[::-1]
    return []


def _without_bare_headings(layout: Layout, indices: list[int]) -> list[int]:
    """Without headings at the end, and runs of headings that have nothing below them."""
    result: list[int] = []
    pending: list[int] = []
    for i in indices:
        if layout.blocks[i].tag in HEADINGS:
            pending.append(i)
            continue
        result += pending[-3:]
        pending = []
        result.append(i)
    return result
