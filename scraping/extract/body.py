"""Blocks of a page → its main text.

Of the blocks that remain without boilerplate, the box with the highest worth is chosen: running
text counts for a box, link text and short lines against it. From there the search descends while
one child holds nearly all of the worth.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from reducepp.scraping.extract.blocks import HEADINGS, ITEMS, Block, BlockTree, Box
from reducepp.scraping.extract.boilerplate import (
    MIN_MAIN_TEXT_CHARS,
    Mask,
    find_doubtful,
    linked_headings,
    remove_asides,
    remove_menus,
    remove_template,
    sum_blocks,
)
from reducepp.scraping.extract.title_text import fold
from reducepp.scraping.extract.vocabulary import MAIN_TEXT, THREAD

MIN_SHARE_OF_CHILD = 0.85
"""Share of a box's worth that one child must hold for the search to descend into it."""
MIN_SHARE_OF_NAMED_CHILD = MIN_SHARE_OF_CHILD - 0.2
"""The same for a child that is named as the main text, or an `<article>`."""
MIN_SHARE_IN_MANUAL = 0.97
"""The same in a manual, where one long section does not make the others boilerplate."""
DOUBTFUL_WEIGHT = 0.2
"""Weight of text in a box classified as boilerplate that was too large to be removed."""
MAX_BLOCKS_BELOW_TITLE = 50
"""Blocks between a title and the main text, at most, for those between to be its introduction;
items of lists and cells of tables are not counted."""
LIST_LINES = range(4, 61)
"""Lines of a list beside the main text for it to belong to it: fewer are names of tabs, more are
those of a form (countries). Chosen on half of 606 pages of public packages."""
MAX_BYLINE_BLOCKS = 12
"""Blocks before the first sentence, at most, for them to be a byline."""
# These and the shares in the functions below were chosen on half of Mozilla Readability's test
# pages and on the pages of news-en, news-fr and news-ar; docs/splitting.md has the figures.
_STRUCTURE = HEADINGS | ITEMS | {"pre", "blockquote"}
_MAY_BE_LINKED = HEADINGS | ITEMS | {"p"}
_TRAIL = re.compile(r"[>»›/] [^>»›/\n]{1,80} [>»›/] ")
"""Where a page is on its site: "Home > Harbour > Ships"."""
_MAIN_TAGS = frozenset(("main", "article"))


@dataclass(slots=True)
class Body:
    """The main text: indices of its blocks and of its headings, in reading order."""

    blocks: list[int]
    headings: list[int]


def find_body(tree: BlockTree, titles: Sequence[str] = (), *, is_manual: bool = False) -> Body:
    """Find the blocks of the main text, and which of them are headings.

    Titles are content types of their own, so headings that repeat one are left out.
    """
    if not tree.blocks:
        return Body([], [])
    known = [start + fold(title) for title in titles for start in ("", "re")]
    mask = remove_template(tree, is_manual=is_manual)
    found = _find_manual_text(tree, mask) if is_manual else _find_main_text(tree, mask, known)
    body = [i for i in found if not _repeats_title(tree.blocks[i], known)]
    return Body(body, [i for i in body if tree.blocks[i].tag in HEADINGS])


def _find_manual_text(tree: BlockTree, mask: Mask) -> list[int]:
    """Everything inside the template of a documentation page: lists of links are its content."""
    lengths = (float(b.length * m) for b, m in zip(tree.blocks, mask, strict=True))
    worth = list(accumulate(lengths, initial=0.0))
    inner = _descend(tree, tree.boxes[0], worth, [], share=MIN_SHARE_IN_MANUAL)
    return [i for i in range(inner.first, inner.last) if mask[i]]


def _find_main_text(tree: BlockTree, mask: Mask, titles: list[str]) -> list[int]:
    posts = find_posts(tree)
    without_asides = remove_asides(tree, mask)
    inside = _choose_box(tree, without_asides, posts, titles)
    body = _without_byline(tree, _without_empty_sections(tree, inside))
    heads = find_post_heads(posts, tree, without_asides)
    body = [i for i in body if i not in heads or tree.blocks[i].tag in _STRUCTURE]
    if _is_too_little(tree, body, mask):
        return _find_all_text(tree, mask) or list(range(len(mask)))
    return body


def _is_too_little(tree: BlockTree, body: list[int], mask: Mask) -> bool:
    """Whether the text found is so small a part of the page that it cannot be its main text."""
    prose = sum(tree.blocks[i].length for i in body if tree.blocks[i].is_prose)
    total = sum(b.length for b, m in zip(tree.blocks, mask, strict=True) if m)
    return prose < (0.8 if prose < MIN_MAIN_TEXT_CHARS else 0.08) * total


def _find_all_text(tree: BlockTree, mask: Mask) -> list[int]:
    """All text but menus; only that of the main box where it holds half of it."""
    mask = remove_menus(tree, mask)
    sums = sum_blocks(tree, mask)
    half = (sums.length[-1] - sums.link_length[-1]) / 2
    first, last = 0, len(mask)
    for box in tree.boxes:
        length, link_length, _ = sums.of(box)
        is_main = box.tag in _MAIN_TAGS or box.flags & MAIN_TEXT
        if is_main and length and length - link_length >= half:
            first, last = box.first, box.last
    return [i for i in range(first, last) if mask[i]]


def _repeats_title(block: Block, titles: list[str]) -> bool:
    """Whether a heading, most of an h1, or the end of a trail of links is a title of the page."""
    is_heading = block.tag in HEADINGS
    if block.length >= 300 or not (is_heading or _TRAIL.search(block.text)):
        return False
    text, page_title = fold(block.text), titles[0] if titles else ""
    is_most = block.tag == "h1" and 2 * len(page_title) > len(text)
    is_most |= bool(page_title) and not is_heading
    return text in titles or (is_most and text.startswith(page_title) | text.endswith(page_title))


def _without_byline(tree: BlockTree, indices: list[int]) -> list[int]:
    """An article's text without lines of links, and without the byline above its first sentence."""
    blocks = [tree.blocks[i] for i in indices]
    prose = sum(b.length for b in blocks if b.is_prose)
    first = next((n for n, b in enumerate(blocks) if b.is_prose), 0)
    if prose < 0.8 * sum(b.length for b in blocks):
        return indices
    above = first if first <= MAX_BYLINE_BLOCKS else 0
    return [
        i
        for n, (i, b) in enumerate(zip(indices, blocks, strict=True))
        if (n >= above or b.tag in _STRUCTURE) and (not b.is_linked or b.tag in _MAY_BE_LINKED)
    ]


def _worth(block: Block) -> float:
    """What a block adds to the worth of its boxes."""
    if block.tag in HEADINGS:
        return 0.0
    if block.is_prose:
        return block.length
    if block.tag in ITEMS:
        return -5.0 if block.is_linked else 0.0
    return -min(block.length, 80) if block.is_linked else -5.0


def _choose_box(tree: BlockTree, mask: Mask, posts: list[Box], titles: list[str]) -> list[int]:
    """Content of the box of highest worth, with the introduction between the title and it."""
    doubtful = find_doubtful(tree, mask)
    worths = (
        _worth(b) * (DOUBTFUL_WEIGHT if doubtful[i] else 1) for i, b in enumerate(tree.blocks)
    )
    worth = [0.0, *accumulate(w if m else 0.0 for w, m in zip(worths, mask, strict=True))]
    outer = max(tree.boxes, key=lambda box: worth[box.last] - worth[box.first])
    inner = _descend(tree, outer, worth, posts)
    around = {*_find_introduction(tree, inner, titles), *_find_lists_beside(tree, inner, mask)}
    return [i for i in sorted(around.union(range(inner.first, inner.last))) if mask[i]]


def _descend(
    tree: BlockTree,
    outer: Box,
    worth: list[float],
    posts: list[Box],
    share: float = MIN_SHARE_OF_CHILD,
) -> Box:
    """The innermost box that still holds nearly all the worth of the outer one.

    A single post of a thread is never chosen, whatever it holds.
    """
    whole = worth[outer.last] - worth[outer.first]
    post_numbers = {box.number for box in posts}
    best, end = outer, 0
    for box in tree.boxes:
        if box.number in post_numbers:
            end = max(end, box.last)
        if box.first < max(best.first, end) or box.last > best.last:
            continue
        is_named = bool(box.flags & MAIN_TEXT or box.tag == "article")
        least = share - (MIN_SHARE_OF_CHILD - MIN_SHARE_OF_NAMED_CHILD) * is_named
        held = worth[box.last] - worth[box.first]
        if held >= least * whole and (is_named or not best.flags & MAIN_TEXT):
            best = box
    return best


def _find_introduction(tree: BlockTree, inner: Box, titles: list[str]) -> list[int]:
    """Title, running text and lists with a heading above the box, where a title is near."""
    found: list[int] = []
    items: list[int] = []
    between = 0
    for i in range(inner.first - 1, -1, -1):
        block = tree.blocks[i]
        between += block.tag not in ITEMS
        if between > MAX_BLOCKS_BELOW_TITLE:
            break
        if block.tag == "h1" or _repeats_title(block, titles):
            return [i, *reversed(found)]
        if block.tag in HEADINGS or block.is_prose:
            found += [*items, i]
            items = []
        elif block.tag in _STRUCTURE and not block.link_length:
            items.append(i)
    return []


def _find_lists_beside(tree: BlockTree, inner: Box, mask: Mask) -> list[int]:
    """Lists without links in the box around the main text: ingredients, tracks, specifications."""
    first, last = inner.first, inner.last
    around = [b for b in tree.boxes if b.first <= first and b.last >= last]
    outer = next((b for b in reversed(around) if b.last - b.first > last - first), inner)
    found: list[int] = []
    end = outer.first
    for box in tree.boxes if outer.tag not in ("html", "body") else ():
        is_beside = box.last <= first or last <= box.first
        if is_beside and end <= box.first and box.last <= outer.last:
            end = box.last
            found += range(box.first, end) if _is_plain_list(box, tree, mask) else ()
    return found


def _is_plain_list(box: Box, tree: BlockTree, mask: Mask) -> bool:
    """Whether most of a box is items of a list, or cells of a table, without links."""
    blocks = [tree.blocks[i] for i in range(box.first, box.last) if mask[i]]
    lengths = [b.length for b in blocks if b.tag in ITEMS and not b.link_length]
    return len(lengths) in LIST_LINES and 2 * sum(lengths) >= sum(b.length for b in blocks)


def _without_empty_sections(tree: BlockTree, indices: list[int]) -> list[int]:
    """Without headings at the end, and at most three headings in a row."""
    result: list[int] = []
    pending: list[int] = []
    for i in indices:
        if tree.blocks[i].tag in HEADINGS:
            pending.append(i)
        else:
            result += [*pending[-3:], i]
            pending = []
    return result


def find_posts(tree: BlockTree) -> list[Box]:
    """Posts of a thread: sibling boxes named as posts, two of them with a sentence, in order."""
    siblings: dict[tuple[int, str], list[Box]] = {}
    for box in tree.boxes:
        if box.flags & THREAD:
            siblings.setdefault((box.parent, box.tag), []).append(box)
    if not siblings:
        return []
    prose = list(accumulate((block.is_prose for block in tree.blocks), initial=0))
    threads = (
        row for row in siblings.values() if sum(prose[b.last] > prose[b.first] for b in row) > 1
    )
    return sorted((box for row in threads for box in row), key=lambda box: box.number)


def find_post_heads(posts: list[Box], tree: BlockTree, mask: Mask) -> set[int]:
    """Blocks above each post's first sentence, or first line without a link: author and date.

    Not those of a list of articles, where each has a linked title of its own.
    """
    if not posts:
        return set()
    content = [(i, block) for i, block in enumerate(tree.blocks) if mask[i]]
    end = len(tree.blocks)
    sentences = [*(i for i, b in content if b.is_prose), end]
    lines = [*(i for i, b in content if not b.link_length and b.tag not in HEADINGS), end]
    titles = sorted(i for row in linked_headings(tree).values() if len(row) < 3 for i in row)
    steps = [0] * (end + 1)
    for post in posts:
        found = (indices[bisect_left(indices, post.first)] for indices in (sentences, lines))
        first = next((i for i in found if i < post.last), post.first)
        if bisect_left(titles, post.first) == bisect_left(titles, first):
            steps[post.first] += 1
            steps[first] -= 1
    return {i for i, depth in enumerate(accumulate(steps)) if depth > 0}
