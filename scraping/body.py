"""Blocks and boxes of a page → its main text.

First whole parts that are no content are struck out (navigation, share bars, link lists,
comments under an article), each only where enough text remains without it. Then the box is
chosen whose blocks are worth most: running text counts for a box, link text and crumbs
against it. What is left of that box is the body.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate

from scraping.blocks import Block, Box, Layout
from scraping.hints import CHROME, COMMENTS, EXTRA, GOOD

_CHROME_TAGS = frozenset(("nav", "footer", "aside", "menu", "dialog", "form"))
_LISTS = frozenset(("ul", "ol", "dl", "table", "tbody"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_SENTENCE_END = re.compile(r"[.!?…։؟۔。！？:;»”\"')\]]$")
_COMMA = re.compile(r"[,;،؛，、]")
ENOUGH = 250
"""Characters of running text from which a page counts as having a text."""


@dataclass(slots=True)
class Sums:
    """Prefix sums over blocks, so that any box is summed in two look-ups."""

    length: list[int]
    links: list[int]
    prose: list[int]


@dataclass(slots=True)
class Body:
    """The main text: its blocks and headings by index, in reading order."""

    blocks: list[int]
    headings: list[int]


def main_text(layout: Layout) -> str:
    """The page's main text, a line a block; whole visible text where no part stands out."""
    return "\n".join(layout.blocks[i].text for i in find_body(layout).blocks)


def find_body(layout: Layout) -> Body:
    """Which blocks are the main text, and which of them, or above them, are headings."""
    if not layout.blocks:
        return Body([], [])
    kept = _strike_out(layout)
    chosen = _best_box(layout, kept)
    inside = [i for i in range(chosen.first, chosen.last) if kept[i]]
    body = _trim(layout, inside)
    if _prose_length(layout, body) < ENOUGH:
        inside = [i for i in range(len(kept)) if kept[i]]
        if not sum(layout.blocks[i].length for i in inside):
            inside = list(range(len(kept)))
        body = inside
    return Body(body, [i for i in inside if layout.blocks[i].tag in _HEADINGS])


def _is_prose(block: Block) -> bool:
    """Running text: long enough to be a sentence, and not mainly a link."""
    if block.links * 3 > block.length:
        return False
    if block.length >= 80:
        return True
    return block.length >= 30 and bool(_SENTENCE_END.search(block.text))


def _prose_length(layout: Layout, indices: list[int]) -> int:
    return sum(layout.blocks[i].length for i in indices if _is_prose(layout.blocks[i]))


def _sums(layout: Layout, kept: list[bool]) -> Sums:
    blocks = layout.blocks
    return Sums(
        [0, *accumulate(b.length * k for b, k in zip(blocks, kept, strict=True))],
        [0, *accumulate(b.links * k for b, k in zip(blocks, kept, strict=True))],
        [
            0,
            *accumulate(b.length * (k and _is_prose(b)) for b, k in zip(blocks, kept, strict=True)),
        ],
    )


def _strike_out(layout: Layout) -> list[bool]:
    """Which blocks remain when every part that is no content is taken out."""
    kept = [True] * len(layout.blocks)
    for flags, share in ((CHROME, 0.35), (EXTRA, 0.3), (COMMENTS, 0.7)):
        _strike_hinted(layout, kept, flags, share)
    _strike_link_lists(layout, kept)
    return kept


def _strike_hinted(layout: Layout, kept: list[bool], flag: int, most: float) -> None:
    """Strike boxes that carry a hint, unless one holds too much of the running text."""
    sums = _sums(layout, kept)
    total = sums.prose[-1]
    end = 0
    good = [
        box.first
        for box in layout.boxes
        if box.hints & GOOD or box.tag in ("article", "main", "h1")
    ]
    for box in layout.boxes:
        if box.first < end or box.last <= box.first:
            continue
        if not _has_hint(box, flag):
            continue
        prose = sums.prose[box.last] - sums.prose[box.first]
        if prose > most * total and (flag != COMMENTS or total - prose < ENOUGH):
            continue
        if flag == CHROME and any(box.first < g < box.last for g in good) and prose > 0.1 * total:
            continue
        for i in range(box.first, box.last):
            kept[i] = False
        end = box.last


def _has_hint(box: Box, flag: int) -> bool:
    if box.tag in ("body", "html", "main", "article", "h1"):
        return False
    if flag == CHROME and box.tag in _CHROME_TAGS:
        return True
    if not box.hints & flag:
        return False
    return not (box.hints & GOOD and flag != COMMENTS)


def _strike_link_lists(layout: Layout, kept: list[bool]) -> None:
    """Strike boxes of several blocks that are mostly links, where running text exists."""
    sums = _sums(layout, kept)
    if sums.prose[-1] < ENOUGH:
        return
    end = 0
    for box in layout.boxes:
        if box.first < end or box.last <= box.first:
            continue
        length = sums.length[box.last] - sums.length[box.first]
        links = sums.links[box.last] - sums.links[box.first]
        prose = sums.prose[box.last] - sums.prose[box.first]
        if length and links > 0.5 * length and prose < 0.15 * length:
            for i in range(box.first, box.last):
                kept[i] = False
            end = box.last


def _worth(block: Block) -> float:
    if block.tag in _HEADINGS:
        return 0.0
    if block.links * 2 > block.length:
        return -min(block.length, 80)
    if _is_prose(block):
        return block.length
    return -5.0


def _best_box(layout: Layout, kept: list[bool]) -> Box:
    """The box whose blocks are worth most; of equals the innermost."""
    worth = [0.0, *accumulate(_worth(b) * k for b, k in zip(layout.blocks, kept, strict=True))]
    best = layout.boxes[0]
    most = float("-inf")
    for box in layout.boxes:
        value = worth[box.last] - worth[box.first]
        if box.hints & GOOD or box.tag in ("article", "main"):
            value *= 1.1
        if value >= most:
            best, most = box, value
    return best


def _trim(layout: Layout, indices: list[int]) -> list[int]:
    """Without headings at the end, and headings that have nothing below them."""
    result: list[int] = []
    pending: list[int] = []
    for i in indices:
        if layout.blocks[i].tag in _HEADINGS:
            pending.append(i)
            continue
        result += pending[-3:]
        pending = []
        result.append(i)
    return result
