"""What the report carries of a large query: its strongest pairs instead of all pairs.

The tree, the scores from a floor on, and for those pairs signals, levels and facts; texts without
the places of their words, which the page finds itself for the texts that are opened. Sentences
lost, validity indices and other weights need all pairs and are left out.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np

from reducepp.clustering.levels import LEVELS, text_levels
from reducepp.clustering.tree import Tree
from reducepp.comparison import MAX_DENSE_PAGES, Comparison
from reducepp.evaluation.report.pack import pack_values
from reducepp.parallel import begin_in_order
from reducepp.similarity.pair_matrix import PairMatrix, link_parts
from reducepp.types import Array, Integers, Page, Profile

MAX_WHOLE_PAGES = MAX_DENSE_PAGES
"""Pages of a query up to which all pairs are carried: those of which all are scored."""
LINK_FLOOR = 0.3
"""Score from which on pairs of a large query are carried; the slider begins there."""
MAX_LINKS = 60_000
"""Pairs of a large query that are carried, the strongest: about 1.5 MB."""
MAX_BLOCK = 300
"""Pages of a cluster between which all scores and levels are carried."""
PART_BLOCKS = 50
"""Clusters whose levels a process finds at once."""
WHOLE_TEXT_BYTES, COMPRESSED_TEXT_BYTES = 1.5, 0.8
"""Bytes of a report per byte of text: with the places of its words; as gzip (0.5 of 4,000 pages
of the benchmark, more of lists of numbers) in base64."""


@dataclass(frozen=True, slots=True)
class Links:
    """Pairs of pages first < second with their scores; none that is left out reaches `floor`."""

    first: Integers
    second: Integers
    scores: Array
    floor: float


def report_floor(profile: Profile, threshold: float | None = None) -> float:
    """The lowest score that the report of a large query needs."""
    return min(LINK_FLOOR, profile.threshold if threshold is None else threshold)


def is_large(pages: Sequence[Page]) -> bool:
    """Whether the report carries only the strongest pairs of a query with these pages."""
    return len(pages) > MAX_WHOLE_PAGES


def strongest_links(comparison: Comparison) -> Links:
    """Pairs from LINK_FLOOR on, or the MAX_LINKS strongest; and all pairs within small clusters."""
    floor = comparison.tree.floor or LINK_FLOOR
    strongest: list[tuple[Integers, Integers, Array]] = []
    for found in _scored_pairs(comparison):
        first, second, scores = (np.concatenate(of) for of in zip(*strongest, found, strict=True))
        if len(scores) > MAX_LINKS:
            order = np.argsort(-scores, kind="stable")[:MAX_LINKS]
            first, second, scores = first[order], second[order], scores[order]
            floor = float(scores[-1])
        strongest = [(first, second, scores)]
    return _with_blocks(comparison, Links(*strongest[0], floor))


def _scored_pairs(comparison: Comparison) -> Iterator[tuple[Integers, Integers, Array]]:
    """The known pairs at the floor and above in parts, in order."""
    scores = comparison.scores
    if isinstance(scores, PairMatrix):
        first, second, found = scores.links(comparison.tree.floor)
        yield np.minimum(first, second), np.maximum(first, second), found
    else:
        for first, second in link_parts(scores, LINK_FLOOR):
            yield first, second, scores[first, second]


def _with_blocks(comparison: Comparison, links: Links) -> Links:
    """Adds pairs within a cluster that score below the floor: some are shown as least similar."""
    n = len(comparison.pages)
    blocks = [np.array(g) for g in _blocks(comparison.tree, links.floor)]
    if isinstance(comparison.scores, PairMatrix):
        comparison.scores.score_within(blocks)
    pairs = [(g[a], g[b]) for g in blocks for a, b in [np.triu_indices(len(g), 1)]]
    first = np.concatenate([links.first, *(a for a, _ in pairs)])
    second = np.concatenate([links.second, *(b for _, b in pairs)])
    within = [
        np.asarray(comparison.scores[np.ix_(g, g)])[np.triu_indices(len(g), 1)] for g in blocks
    ]
    scores = np.concatenate([links.scores, *within])
    places, kept = np.unique(first * n + second, return_index=True)
    return Links(places // n, places % n, scores[kept], links.floor)


def _blocks(tree: Tree, floor: float) -> list[tuple[int, ...]]:
    return [g for g in tree.clusters_at(floor) if 1 < len(g) <= MAX_BLOCK]


def links_data(comparison: Comparison, links: Links) -> dict[str, Any]:
    """Pairs, scores, signals and levels, packed; the order of pairs is the same in all."""
    first, second = links.first, links.second
    steps = np.diff(first * len(comparison.pages) + second, prepend=0)
    return {
        "floor": round(links.floor, 6),
        "pairs": pack_values(steps, "<f8"),
        "scores": pack_values(links.scores, "<f8"),
        "signals": {
            name: pack_values(values[first, second], "<f4")
            for name, values in comparison.similarities.by_signal.items()
        },
    }


@contextmanager
def levels_of_links(comparison: Comparison, links: Links) -> Iterator[Callable[[], dict[str, str]]]:
    """A call gives the place in LEVELS of each pair by its texts, packed, which worker processes
    find meanwhile; pairs across clusters have next to nothing in common."""
    n, blocks = len(comparison.pages), _blocks(comparison.tree, links.floor)
    parts = [blocks[i : i + PART_BLOCKS] for i in range(0, len(blocks), PART_BLOCKS)]
    texts = [[[comparison.pages[i] for i in group] for group in part] for part in parts]

    def collect() -> dict[str, str]:
        found: dict[int, int] = {}
        for group, of_pairs in zip(blocks, chain.from_iterable(levels), strict=True):
            found.update(zip((i * n + j for i, j in combinations(group, 2)), of_pairs, strict=True))
        places = (links.first * n + links.second).tolist()
        across = LEVELS.index("low overlap")
        return pack_values(np.array([found.get(place, across) for place in places]), "<u1")

    with begin_in_order(_levels_of_blocks, texts) as levels:
        yield collect


def _levels_of_blocks(blocks: Sequence[Sequence[Page]]) -> list[list[int]]:
    """Levels of the pairs i < j of each block, row by row."""
    return [text_levels(block)[np.triu_indices(len(block), 1)].tolist() for block in blocks]


def estimate_bytes(sizes: Sequence[int], signals: int) -> int:
    """About how large the report of queries with so many pages will be at most, before the work."""
    whole = [n for n in sizes if n <= MAX_WHOLE_PAGES]
    pairs = sum(n * (n - 1) // 2 for n in whole)
    texts = min(sum(sizes) * 16_000, 8_000_000)
    per_byte = WHOLE_TEXT_BYTES if whole else COMPRESSED_TEXT_BYTES
    links = sum(min(40 * n, MAX_LINKS) for n in sizes if n > MAX_WHOLE_PAGES)
    return math.ceil(
        pairs * (8 + 2 * signals) * 4 / 3 + texts * per_byte + links * (16 + 4 * signals)
    )
