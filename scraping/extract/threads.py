"""Posts of a thread: boxes named as posts that stand beside others of the kind."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import accumulate

from reducepp.scraping.extract.blocks import Box, Layout
from reducepp.scraping.extract.boilerplate import HEADINGS
from reducepp.scraping.extract.class_hints import THREAD


def find_posts(layout: Layout) -> list[Box]:
    """Boxes in a row named as posts, messages or answers, two of them with a sentence, in order."""
    rows: dict[tuple[int, str], list[Box]] = {}
    for box in layout.boxes:
        if box.hints & THREAD:
            rows.setdefault((box.parent, box.tag), []).append(box)
    if not rows:
        return []
    prose = list(accumulate((block.prose for block in layout.blocks), initial=0))
    threads = (row for row in rows.values() if sum(prose[b.last] > prose[b.first] for b in row) > 1)
    return sorted((box for row in threads for box in row), key=lambda box: box.number)


def heads_of(posts: list[Box], layout: Layout, kept: list[bool]) -> set[int]:
    """Blocks above each post's first sentence, or first line without a link: who wrote it, when.

    Not those of a list of articles, where each has a linked title of its own.
    """
    if not posts:
        return set()
    shown = [(i, block) for i, block in enumerate(layout.blocks) if kept[i]]
    end = len(layout.blocks)
    sentences = [*(i for i, block in shown if block.prose), end]
    lines = [*(i for i, block in shown if not block.links and block.tag not in HEADINGS), end]
    titles = _own_titles(layout)
    steps = [0] * (end + 1)
    for post in posts:
        found = (indices[bisect_left(indices, post.first)] for indices in (sentences, lines))
        first = next((i for i in found if i < post.last), post.first)
        if bisect_left(titles, post.first) == bisect_left(titles, first):
            steps[post.first] += 1
            steps[first] -= 1
    return {i for i, depth in enumerate(accumulate(steps)) if depth > 0}


def _own_titles(layout: Layout) -> list[int]:
    """Linked headings that do not end as two others do, as "Re:" and the title of a thread."""
    found = [
        (i, block.text[-20:])
        for i, block in enumerate(layout.blocks)
        if block.tag in HEADINGS and block.links * 2 > block.length
    ]
    times = Counter(ending for _, ending in found)
    return [i for i, ending in found if times[ending] < 3]
