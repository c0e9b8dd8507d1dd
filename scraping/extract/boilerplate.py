"""Remove boilerplate from a page's blocks, each kind only where enough text remains.

A mask says for each block whether it is still taken for content; the functions here return a new
mask or set entries of one to False.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, chain

from reducepp.scraping.extract.blocks import HEADINGS, ITEMS, Block, BlockTree, Box
from reducepp.scraping.extract.vocabulary import (
    ASIDE,
    COMMENTS,
    MAIN_TEXT,
    TEMPLATE,
    compile_phrases,
    read_vocabulary,
)

MIN_MAIN_TEXT_CHARS = 250
"""Characters of running text from which a page counts as having a main text; trafilatura's
`MIN_EXTRACTED_SIZE` is the same."""
MAX_SHARE_OF_ONE_NAME = 0.5
"""Share of the running text above which boxes of one name are the main text, whatever the name."""
MIN_CHARS_BESIDE_LINKS = 80
"""Characters outside links from which a paragraph is running text, however much of it is links."""
MIN_ANNOUNCING_CHARS = 20
"""A shorter line with a colon is a label ("See also:"), not a sentence that announces a list."""
MAX_TEASER_BLOCKS = 10
"""Blocks of a teaser, at most: picture, section, linked title, author, date, summary."""
MIN_NOTICES_OF_SUBJECT = 5
"""Notices about cookies or scripts from which they are the subject of the page."""
_REMOVABLE_SHARE = {TEMPLATE: 0.4, ASIDE: 0.35, COMMENTS: 0.8}
"""Largest share of the running text that one box with this flag may have to be removed; chosen on
half of Mozilla Readability's test pages and on the news sets."""
_TAGS = {
    TEMPLATE: ("nav", "footer", "aside", "menu", "dialog", "form"),
    ASIDE: ("figcaption",),
    COMMENTS: (),
}
_NEVER_REMOVED = frozenset(("html", "body", "main", "article", "h1", "blockquote"))
"""Whatever their names: a quotation named after a network is a post that the text embeds."""
_CONTENT_TAGS = frozenset(("article", "main", "h1"))
_TEMPLATE_TAGS = frozenset(("nav", "aside", "header", "footer", "menu"))
_CELLS = ITEMS | {"pre", "code"}
_SENTENCE_END = re.compile(r"[.!?…։؟۔。！？:;»”\"')\]]$")
_PROMPT = compile_phrases("prompts", re.IGNORECASE, form=r"(?:{})\b.{0,60}")
_LEGAL_WORDS, _NOTICE_WORDS = (
    tuple(read_vocabulary("phrases")[key]["words"]) for key in ("legal", "notices")
)
_LEGAL = compile_phrases("legal", re.IGNORECASE)
_NOTICE = compile_phrases("notices", re.IGNORECASE | re.DOTALL)

Mask = list[bool]


@dataclass(slots=True)
class Sums:
    """Prefix sums over blocks, so that any box is summed in two look-ups."""

    length: list[int]
    link_length: list[int]
    prose_length: list[int]

    def of(self, box: Box) -> tuple[int, int, int]:
        """Characters, characters in links, and characters of running text in a box."""
        a, b = box.first, box.last
        return (
            self.length[b] - self.length[a],
            self.link_length[b] - self.link_length[a],
            self.prose_length[b] - self.prose_length[a],
        )


def sum_blocks(tree: BlockTree, mask: Mask) -> Sums:
    """Prefix sums of the blocks in the mask."""
    pairs = list(zip(tree.blocks, mask, strict=True))
    return Sums(
        list(accumulate((b.length if m else 0 for b, m in pairs), initial=0)),
        list(accumulate((b.link_length if m else 0 for b, m in pairs), initial=0)),
        list(accumulate((b.length if m and b.is_prose else 0 for b, m in pairs), initial=0)),
    )


def is_prose(block: Block) -> bool:
    """Running text: long enough to be a sentence, and not mainly links unless much is beside."""
    is_sentence = bool(_SENTENCE_END.search(block.text))
    if block.link_length * 3 > block.length:
        beside = block.length - block.link_length
        return is_sentence and block.tag == "p" and beside >= MIN_CHARS_BESIDE_LINKS
    return block.length >= 80 or (block.length >= 30 and is_sentence)


def remove_template(tree: BlockTree, *, is_manual: bool = False) -> Mask:
    """Mask without what every page of a site has: menus, cookie notices, legal lines."""
    mask = [True] * len(tree.blocks)
    for block in tree.blocks:
        block.is_prose = is_prose(block)
    _remove_flagged(tree, mask, TEMPLATE, are_reliable=is_manual)
    _remove_phrases(tree, mask, with_notices=not is_manual)
    return mask


def remove_asides(tree: BlockTree, mask: Mask) -> Mask:
    """Mask without what accompanies a main text: share bars, comments, lists of links, teasers."""
    mask = list(mask)
    _remove_flagged(tree, mask, ASIDE, sums=(sums := sum_blocks(tree, mask)))
    _remove_flagged(tree, mask, COMMENTS, sums=sums)
    _remove_repeated_titles(tree, mask)
    _remove_teasers(tree, mask)
    _remove_link_lists(tree, mask)
    return mask


def remove_menus(tree: BlockTree, mask: Mask) -> Mask:
    """Mask without lists of short links (names of sections, not of articles), with one heading."""
    sums = sum_blocks(tree, mask)
    headings = list(accumulate((block.tag in HEADINGS for block in tree.blocks), initial=0))

    def is_menu(box: Box) -> bool:
        length, link_length, _ = sums.of(box)
        blocks = box.last - box.first
        is_list = blocks >= 3 and headings[box.last] - headings[box.first] <= 1
        return is_list and link_length > 0.8 * length and length < 22 * blocks

    in_menu = _cover(filter(is_menu, tree.boxes), len(mask))
    return [is_content and not menu for is_content, menu in zip(mask, in_menu, strict=True)]


def find_doubtful(tree: BlockTree, mask: Mask) -> Mask:
    """Blocks in a box that is classified as boilerplate, but was too large to be removed."""
    sums = sum_blocks(tree, mask)
    flagged = chain.from_iterable(_flagged(tree, flag) for flag in _TAGS)
    doubtful = (box for box in flagged if sums.of(box)[2] <= 0.8 * sums.prose_length[-1])
    return _cover(doubtful, len(tree.blocks))


def _remove(box: Box, mask: Mask) -> None:
    mask[box.first : box.last] = [False] * (box.last - box.first)


def _remove_flagged(
    tree: BlockTree, mask: Mask, flag: int, sums: Sums | None = None, *, are_reliable: bool = False
) -> None:
    """Remove boxes with a flag; unless names are reliable, as those of a manual, not one that holds
    more than a share of the running text."""
    sums = sums or sum_blocks(tree, mask)
    share = 1.0 if are_reliable else _REMOVABLE_SHARE[flag]
    found: list[Box] = []
    total = sums.prose_length[-1]
    least = MIN_MAIN_TEXT_CHARS if flag == COMMENTS else 0
    for box in _flagged(tree, flag):
        is_inside, prose = found and box.first < found[-1].last, sums.of(box)[2]
        is_content = flag == TEMPLATE and prose > 0.1 * total and _holds_content(box, tree)
        if not (is_inside or is_content) and prose <= share * total and total - prose >= least:
            found.append(box)
    if flag != COMMENTS and not are_reliable:
        found = _without_common(found, tree, sums)
    for box in found:
        _remove(box, mask)


def _flagged(tree: BlockTree, flag: int) -> list[Box]:
    """Boxes that have the flag by their names or by their tag."""
    tags, unless = _TAGS[flag], 0 if flag == COMMENTS else MAIN_TEXT
    return [
        box
        for box in tree.boxes
        if (box.flags & flag and box.tag not in _NEVER_REMOVED and not box.flags & unless)
        or (box.tag in tags and not box.flags & flag)
    ]


def _holds_content(box: Box, tree: BlockTree) -> bool:
    """Whether a box holds an element that names the content of a page."""
    inside = (b for b in tree.boxes if box.first < b.first < box.last)
    return any(b.flags & MAIN_TEXT or b.tag in _CONTENT_TAGS for b in inside)


def _without_common(boxes: list[Box], tree: BlockTree, sums: Sums) -> list[Box]:
    """Without boxes of one name that hold half of the text together, as `<p class="paywall">`.

    Not so inside `<nav>` and the like, where large menus repeat a name as well.
    """
    in_template = _cover((b for b in tree.boxes if b.tag in _TEMPLATE_TAGS), len(tree.blocks))
    lengths: dict[tuple[str, int], int] = {}
    for box in boxes:
        if not in_template[box.first]:
            lengths[box.tag, box.flags] = lengths.get((box.tag, box.flags), 0) + sums.of(box)[2]
    most = MAX_SHARE_OF_ONE_NAME * sums.prose_length[-1]
    common = {kind for kind, length in lengths.items() if length > most}
    return [b for b in boxes if in_template[b.first] or (b.tag, b.flags) not in common]


def _cover(boxes: Iterable[Box], blocks: int) -> Mask:
    """Which of so many blocks are in one of the boxes."""
    steps = [0] * (blocks + 1)
    for box in boxes:
        steps[box.first] += 1
        steps[box.last] -= 1
    return [depth > 0 for depth in accumulate(steps[:-1])]


def is_prompt_or_legal(text: str) -> bool:
    """Whether a block is a prompt ("Read more") or a legal line."""
    if len(text) <= 90 and _PROMPT.fullmatch(text):
        return True
    return len(text) <= 400 and _contains(text, _LEGAL_WORDS, _LEGAL)


def is_notice(text: str) -> bool:
    """Whether a block is about cookies, scripts or browsers, as banners are."""
    if not 90 < len(text) <= 1500 or (len(text) > 400 and text.lower().count("cookie") < 2):
        return False
    return _contains(text, _NOTICE_WORDS, _NOTICE)


def _contains(text: str, words: tuple[str, ...], pattern: re.Pattern[str]) -> bool:
    low = text.lower()
    return any(word in low for word in words) and bool(pattern.search(text))


def _remove_phrases(tree: BlockTree, mask: Mask, *, with_notices: bool) -> None:
    """Remove prompts, legal lines, lines without a letter, and notices unless they are the
    page's subject, as in a cookie policy or below a headline about cookies."""
    headlines = [block.text.lower() for block in tree.blocks if block.tag == "h1"]
    with_notices &= not any(word in line for line in headlines for word in _NOTICE_WORDS)
    notices: list[int] = []
    for i, block in enumerate(tree.blocks):
        if not mask[i]:
            continue
        has_letters = block.tag in _CELLS or any(map(str.isalpha, block.text[:90]))
        if not has_letters or is_prompt_or_legal(block.text):
            mask[i] = False
        elif with_notices and is_notice(block.text):
            notices.append(i)
    for i in notices if len(notices) < MIN_NOTICES_OF_SUBJECT else ():
        mask[i] = False


def linked_headings(tree: BlockTree, mask: Mask | None = None) -> dict[str, list[int]]:
    """Headings that are links, by their last 20 characters: "Re:" and the title of a thread."""
    found: dict[str, list[int]] = {}
    for i, block in enumerate(tree.blocks):
        if block.tag in HEADINGS and block.is_linked and (mask is None or mask[i]):
            found.setdefault(block.text[-20:], []).append(i)
    return found


def _remove_repeated_titles(tree: BlockTree, mask: Mask) -> None:
    """Remove linked headings with the same ending, except the first: "Re: ..." above each post."""
    for indices in linked_headings(tree, mask).values():
        for i in indices[1:] if len(indices) >= 3 else ():
            mask[i] = False


def _remove_link_lists(tree: BlockTree, mask: Mask) -> None:
    """Remove boxes that are mostly links, where running text exists elsewhere."""
    sums = sum_blocks(tree, mask)
    parents = {box.number: box for box in tree.boxes}
    end = 0
    for box in tree.boxes if sums.prose_length[-1] >= MIN_MAIN_TEXT_CHARS else ():
        if box.first < end or box.tag in HEADINGS:
            continue
        length, link_length, prose = sums.of(box)
        if length and link_length > 0.5 * length and prose < 0.15 * length:
            end = box.last
            if not (_is_announced(box, tree, mask) or _is_line_of_text(box, tree, parents, sums)):
                _remove(box, mask)


def _is_line_of_text(box: Box, tree: BlockTree, parents: dict[int, Box], sums: Sums) -> bool:
    """Whether a box is a line of a list, or a cell of a row, that is mostly no links.

    An item with a heading, or of several blocks, is a teaser.
    """
    row = parents.get(box.parent)
    is_line = box.tag in ITEMS and box.last == box.first + 1
    if row is None or not is_line or tree.blocks[box.first].tag in HEADINGS:
        return False
    length, link_length, _ = sums.of(row)
    return length >= 2 * sums.of(box)[0] and link_length < 0.5 * length


def _is_announced(box: Box, tree: BlockTree, mask: Mask) -> bool:
    """Whether a sentence that ends in a colon stands right above a list, which continues it."""
    above = tree.blocks[box.first - 1] if box.first and mask[box.first - 1] else None
    if above is None or above.tag in HEADINGS or above.length < MIN_ANNOUNCING_CHARS:
        return False
    return above.text.endswith((":", "："))


def _remove_teasers(tree: BlockTree, mask: Mask) -> None:
    """Remove rows of teasers (a linked title, a short summary), unless they are the page.

    A whole article in such a row, below a linked title, is one of its items.
    """
    sums = sum_blocks(tree, mask)
    children: dict[int, list[Box]] = {}
    for box in tree.boxes:
        if sums.of(box)[0]:
            children.setdefault(box.parent, []).append(box)
    found: list[Box] = []
    listed: list[Box] = []
    for group in children.values():
        teasers = [b for b in group if len(group) >= 3 and _is_teaser(b, tree, mask, sums)]
        is_row = len(teasers) >= 3 and len(teasers) >= 0.5 * len(group)
        if is_row and not _is_announced(teasers[0], tree, mask):
            found += teasers
            listed += (b for b in group if _begins_with_link(b, tree, mask))
    rest = sums.prose_length[-1] - sum(sums.of(box)[2] for box in listed)
    if rest >= max(MIN_MAIN_TEXT_CHARS, 0.3 * sums.prose_length[-1]):
        for box in found:
            _remove(box, mask)


def _is_teaser(box: Box, tree: BlockTree, mask: Mask, sums: Sums) -> bool:
    """Whether a small box starts with a linked title, before any running text."""
    length, link_length, prose = sums.of(box)
    if (
        not 20 <= length <= 700
        or link_length < 12
        or prose > 450
        or box.last - box.first > MAX_TEASER_BLOCKS
    ):
        return False
    return _begins_with_link(box, tree, mask)


def _begins_with_link(box: Box, tree: BlockTree, mask: Mask) -> bool:
    """Whether a linked title stands above the running text of a box."""
    for i in range(box.first, min(box.last, box.first + MAX_TEASER_BLOCKS)):
        block = tree.blocks[i]
        is_title = block.link_length > 0.6 * block.length and block.length >= 15
        if mask[i] and (block.is_prose or is_title):
            return not block.is_prose
    return False
