"""Parts of a page that are no content, struck out: each only where enough text remains."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, chain

from reducepp.scraping.extract.blocks import Block, Box, Layout
from reducepp.scraping.extract.boilerplate_phrases import is_notice, says_nothing
from reducepp.scraping.extract.class_hints import CHROME, COMMENTS, EXTRA, GOOD

ENOUGH = 250
"""Characters of running text from which a page counts as having a text."""
MOST = 0.5
"""Share of the running text from which boxes of one name are the text, whatever they are named."""
LABEL = 20
"""Characters below which a line with a colon is a label ("See also:"), not a sentence."""
SUBJECT = 5
"""Notices about cookies or scripts from which a page may be about them."""
_TAGS = {
    CHROME: ("nav", "footer", "aside", "menu", "dialog", "form"),
    EXTRA: ("figcaption",),
    COMMENTS: (),
}
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_WHOLE = frozenset(("html", "body", "main", "article", "h1"))
_CONTENT_TAGS = frozenset(("article", "main", "h1"))
_FRAMING = frozenset(("nav", "aside", "header", "footer", "menu"))
_CELLS = frozenset(("td", "th", "li", "dd", "dt", "pre", "code"))
_SENTENCE_END = re.compile(r"[.!?…։؟۔。！？:;»”\"')\]]$")


@dataclass(slots=True)
class Sums:
    """Prefix sums over blocks, so that any box is summed in two look-ups."""

    length: list[int]
    links: list[int]
    prose: list[int]

    def of(self, box: Box) -> tuple[int, int, int]:
        """Characters, characters in links, and characters of running text in a box."""
        a, b = box.first, box.last
        return (
            self.length[b] - self.length[a],
            self.links[b] - self.links[a],
            self.prose[b] - self.prose[a],
        )


def is_prose(block: Block) -> bool:
    """Running text: long enough to be a sentence, and not mainly a link."""
    if block.links * 3 > block.length:
        return False
    if block.length >= 80:
        return True
    return block.length >= 30 and bool(_SENTENCE_END.search(block.text))


def sum_blocks(layout: Layout, kept: list[bool]) -> Sums:
    """Prefix sums of what is kept."""
    pairs = list(zip(layout.blocks, kept, strict=True))
    return Sums(
        list(accumulate((b.length if k else 0 for b, k in pairs), initial=0)),
        list(accumulate((b.links if k else 0 for b, k in pairs), initial=0)),
        list(accumulate((b.length if k and b.prose else 0 for b, k in pairs), initial=0)),
    )


def strike_frame(layout: Layout, *, manual: bool = False) -> list[bool]:
    """Which blocks remain without what frames every page of a site: menus, notices, legal lines.

    The frame of a manual is named surely, so it goes also where it is most of a small page.
    """
    kept = [True] * len(layout.blocks)
    for block in layout.blocks:
        block.prose = is_prose(block)
    _strike_hinted(layout, kept, ((CHROME, 0.8 if manual else 0.4),))
    _strike_phrases(layout, kept, with_notices=not manual)
    return kept


def strike_asides(layout: Layout, kept: list[bool]) -> list[bool]:
    """Which of them remain without what stands beside a text: extras, comments, link lists."""
    kept = list(kept)
    _strike_hinted(layout, kept, ((EXTRA, 0.35), (COMMENTS, 0.8)))
    _strike_post_titles(layout, kept)
    _strike_teasers(layout, kept)
    _strike_link_lists(layout, kept)
    return kept


def strike_menus(layout: Layout, kept: list[bool]) -> list[bool]:
    """Which of them remain without lists of short links: names of sections, not of articles."""
    kept = list(kept)
    sums = sum_blocks(layout, kept)
    end = 0
    for box in layout.boxes:
        if box.first < end or box.last - box.first < 3:
            continue
        length, links, _ = sums.of(box)
        if links > 0.8 * length and length < 22 * (box.last - box.first):
            _strike(box, kept)
            end = box.last
    return kept


def mark_beside(layout: Layout, kept: list[bool]) -> list[bool]:
    """Which blocks stand in a box that is named as no content, and does not hold nearly all."""
    sums = sum_blocks(layout, kept)
    hinted = chain.from_iterable(_hinted(layout, flag) for flag in _TAGS)
    beside = (box for box in hinted if sums.of(box)[2] <= 0.8 * sums.prose[-1])
    return _cover(beside, len(layout.blocks))


def _strike(box: Box, kept: list[bool]) -> None:
    kept[box.first : box.last] = [False] * (box.last - box.first)


def _strike_hinted(layout: Layout, kept: list[bool], flags: tuple[tuple[int, float], ...]) -> None:
    """Strike boxes that carry a hint, unless one holds more than its share of the text."""
    sums = sum_blocks(layout, kept)
    for flag, most in flags:
        going: list[Box] = []
        for box in _hinted(layout, flag):
            inside = going and box.first < going[-1].last
            if not inside and _may_go(box, flag, sums, most, layout):
                going.append(box)
        for box in _without_common(going, layout, sums) if flag != COMMENTS else going:
            _strike(box, kept)


def _without_common(boxes: list[Box], layout: Layout, sums: Sums) -> list[Box]:
    """Without boxes of one name that hold half of the text together, as `<p class="paywall">`.

    Not so inside `<nav>` and the like, where large menus repeat a name as well.
    """
    framing = _cover((b for b in layout.boxes if b.tag in _FRAMING), len(layout.blocks))
    spoken: dict[tuple[str, int], int] = {}
    for box in boxes:
        if not framing[box.first]:
            spoken[box.tag, box.hints] = spoken.get((box.tag, box.hints), 0) + sums.of(box)[2]
    most = MOST * sums.prose[-1]
    common = {kind for kind, length in spoken.items() if length > most}
    return [b for b in boxes if framing[b.first] or (b.tag, b.hints) not in common]


def _cover(boxes: Iterable[Box], blocks: int) -> list[bool]:
    """Which of so many blocks stand in one of the boxes."""
    steps = [0] * (blocks + 1)
    for box in boxes:
        steps[box.first] += 1
        steps[box.last] -= 1
    return [depth > 0 for depth in accumulate(steps[:-1])]


def _may_go(box: Box, flag: int, sums: Sums, most: float, layout: Layout) -> bool:
    """Whether enough running text remains without a box."""
    total, prose = sums.prose[-1], sums.of(box)[2]
    if prose > most * total or (flag == COMMENTS and total - prose < ENOUGH):
        return False
    if flag == CHROME and prose > 0.1 * total:
        inside = (b for b in layout.boxes if box.first < b.first < box.last)
        return not any(b.hints & GOOD or b.tag in _CONTENT_TAGS for b in inside)
    return True


def _hinted(layout: Layout, flag: int) -> list[Box]:
    """Boxes that are named as what the flag says, or are so by their tag."""
    tags, unless = _TAGS[flag], 0 if flag == COMMENTS else GOOD
    return [
        box
        for box in layout.boxes
        if (box.hints & flag and box.tag not in _WHOLE and not box.hints & unless)
        or (box.tag in tags and not box.hints & flag)
    ]


def _strike_phrases(layout: Layout, kept: list[bool], *, with_notices: bool) -> None:
    """Strike blocks that say what no content says: legal lines, cookie notices, prompts."""
    notices: list[int] = []
    for i, block in enumerate(layout.blocks):
        if not kept[i] or block.length > 1500:
            continue
        wordless = block.tag not in _CELLS and not any(map(str.isalpha, block.text[:90]))
        if wordless or says_nothing(block.text):
            kept[i] = False
        elif with_notices and is_notice(block.text):
            notices.append(i)
    if len(notices) < SUBJECT or not _is_subject(notices, layout, kept):
        for i in notices:
            kept[i] = False


def _is_subject(notices: list[int], layout: Layout, kept: list[bool]) -> bool:
    """Whether notices are so much of a page that it is about them, as a cookie policy is."""
    spoken = sum(layout.blocks[i].length for i in notices)
    return spoken > 0.2 * sum_blocks(layout, kept).prose[-1]


def _strike_post_titles(layout: Layout, kept: list[bool]) -> None:
    """Strike linked headings that end alike, but the first of three: "Re:" above each post."""
    found: dict[str, list[int]] = {}
    for i, block in enumerate(layout.blocks):
        if kept[i] and block.tag in HEADINGS and block.links * 2 > block.length:
            found.setdefault(block.text[-20:], []).append(i)
    for indices in found.values():
        for i in indices[1:] if len(indices) >= 3 else ():
            kept[i] = False


def _strike_link_lists(layout: Layout, kept: list[bool]) -> None:
    """Strike boxes that are mostly links, where running text exists elsewhere."""
    sums = sum_blocks(layout, kept)
    if sums.prose[-1] < ENOUGH:
        return
    end = 0
    for box in layout.boxes:
        if box.first < end or box.tag in HEADINGS:
            continue
        length, links, prose = sums.of(box)
        if length and links > 0.5 * length and prose < 0.15 * length:
            end = box.last
            if not _is_announced(box, layout, kept):
                _strike(box, kept)


def _is_announced(box: Box, layout: Layout, kept: list[bool]) -> bool:
    """Whether a sentence that ends in a colon stands right above a list: it goes on in it."""
    above = layout.blocks[box.first - 1] if box.first and kept[box.first - 1] else None
    if above is None or above.tag in HEADINGS or above.length < LABEL:
        return False
    return above.text.endswith((":", "："))


def _strike_teasers(layout: Layout, kept: list[bool]) -> None:
    """Strike rows of teasers (a linked title, a short summary), unless they are the page."""
    sums = sum_blocks(layout, kept)
    children: dict[int, list[Box]] = {}
    for box in layout.boxes:
        if sums.of(box)[0]:
            children.setdefault(box.parent, []).append(box)
    rows: list[Box] = []
    for group in children.values():
        teasers = [b for b in group if len(group) >= 3 and _is_teaser(b, layout, kept, sums)]
        many = len(teasers) >= 3 and len(teasers) >= 0.5 * len(group)
        if many and not _is_announced(teasers[0], layout, kept):
            rows += teasers
    spoken = sum(sums.of(box)[2] for box in rows)
    rest = sums.prose[-1] - spoken
    if rest >= ENOUGH and rest >= 0.3 * sums.prose[-1]:
        for box in rows:
            _strike(box, kept)


def _is_teaser(box: Box, layout: Layout, kept: list[bool], sums: Sums) -> bool:
    """Whether a small box starts with a linked title, before any running text."""
    length, links, prose = sums.of(box)
    if not 20 <= length <= 700 or links < 12 or prose > 450 or box.last - box.first > 10:
        return False
    for i in range(box.first, box.last):
        block = layout.blocks[i]
        if kept[i] and (block.prose or (block.links > 0.6 * block.length and block.length >= 15)):
            return not block.prose
    return False
