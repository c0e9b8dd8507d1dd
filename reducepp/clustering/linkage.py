"""Merges of groups of pages by single, average or complete linkage."""

from typing import Any

import numpy as np

from reducepp.similarity.pairs import row_parts
from reducepp.similarity.score_matrix import square_array
from reducepp.similarity.sparse import find_root
from reducepp.types import Array, Integers

LINKAGES = ("single", "average", "complete")

TIE_STEP = 1e-10
"""Added distance by which pairs with equal scores are ordered: far less than scores differ."""
Merges = tuple[Integers, Integers, Array]
"""First page, second page and score of each merge."""


def merge_groups(scores: Array, labels: Integers, linkage: str, places: Array) -> Merges:
    """All merges of pages: first those of each group, at 1, then those of the groups.

    `labels` is the group of each page, numbered by first pages; `scores` are those of groups.
    `places` in [0, 1) order the pages; of equal scores those of earlier pages merge first.
    """
    is_first = np.diff(np.maximum.accumulate(labels), prepend=-1) > 0
    firsts, others = np.flatnonzero(is_first), np.flatnonzero(~is_first)
    sizes = np.bincount(labels)
    if linkage == "single" or len(scores) < 3:
        first, second, heights = _spanning_tree(scores)
    else:
        first, second, heights = _hierarchy(scores, linkage, places[firsts], sizes)
    return (
        np.concatenate([firsts[labels[others]], firsts[first]]),
        np.concatenate([others, firsts[second]]),
        np.concatenate([np.ones(len(others)), heights]),
    )


def _spanning_tree(scores: Array) -> Merges:
    """Prim's algorithm on the dense matrix; of equal scores the edge of the first pages."""
    n = len(scores)
    pages = np.arange(n)
    outside = np.ones(n, dtype=bool)
    best, nearest = np.full(n, -np.inf), np.zeros(n, dtype=np.int64)
    first, second, heights = [], [], []
    new = 0
    for _step in range(n - 1):
        outside[new] = False
        row = scores[new]
        tied = (row == best) & (_edge_key(new, pages, n) < _edge_key(nearest, pages, n))
        closer = outside & ((row > best) | tied)
        best[closer], nearest[closer] = row[closer], new
        best[new] = -np.inf
        highest = np.flatnonzero(best == best.max())
        new = int(highest[np.argmin(_edge_key(nearest[highest], highest, n))])
        low, high = sorted((int(nearest[new]), new))
        first.append(low)
        second.append(high)
        heights.append(float(best[new]))
    return np.array(first, np.int64), np.array(second, np.int64), np.array(heights, np.float64)


def _edge_key(a: Any, b: Any, n: int) -> Any:
    """A number that orders edges by their first page, then by their second."""
    return np.minimum(a, b) * n + np.maximum(a, b)


def _hierarchy(scores: Array, linkage: str, places: Array, sizes: Integers) -> Merges:
    """Average or complete linkage; each merge is named by its most similar pair across."""
    groups: dict[int, list[int]] = {i: [i] for i in range(len(scores))}
    first, second, heights = [], [], []
    parent = list(range(len(scores)))
    for a, b in _nearest_chain(_distances(scores, places), linkage, sizes):
        low, high = sorted((find_root(parent, a), find_root(parent, b)))
        left, right = groups.pop(low), groups.pop(high)
        ends, mean, lowest = _across(scores, left, right, sizes)
        first.append(min(ends))
        second.append(max(ends))
        heights.append(lowest if linkage == "complete" else mean)
        parent[high] = low
        groups[low] = sorted(left + right)
    falling = np.round(np.minimum.accumulate(heights), 12).astype(np.float64)
    return np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), falling


def _distances(scores: Array, places: Array) -> Array:
    """1 - score of each two groups, in an array of their own; of equal ones the first are less."""
    found = square_array(len(scores))
    for part in row_parts(*scores.shape):
        here = places[part]
        ties = np.minimum.outer(here, places) + np.maximum.outer(here, places) / 1000
        found[part] = 1.0 - scores[part] + TIE_STEP * ties
    return found


def _across(
    scores: Array, left: list[int], right: list[int], sizes: Integers
) -> tuple[tuple[int, int], float, float]:
    """Of the pairs across two clusters the most similar one, the mean and the lowest score.

    Parts of a large cluster are added up in turn, whatever memory is free: the order of additions
    moves the last digit.
    """
    best, ends, lowest, total = -np.inf, (left[0], right[0]), np.inf, 0.0
    for part in row_parts(len(left), len(right)):
        across = scores[np.ix_(left[part], right)]
        i, j = divmod(int(np.argmax(across)), len(right))
        if across[i, j] > best:
            best, ends = float(across[i, j]), (left[part.start + i], right[j])
        lowest = min(lowest, float(across.min()))
        total += float((across * np.multiply.outer(sizes[left[part]], sizes[right])).sum())
    return ends, total / float(sizes[left].sum() * sizes[right].sum()), lowest


def _nearest_chain(distances: Array, linkage: str, sizes: Integers) -> list[tuple[int, int]]:
    """One member of each of the two clusters that merge, nearest first.

    The nearest-neighbour chain (Murtagh 1983): two clusters that are nearest to each other merge,
    whatever the others do. Quadratic in time.
    """
    np.fill_diagonal(distances, np.inf)
    weight = sizes.astype(np.float64)
    left = list(range(len(distances)))
    steps: list[tuple[float, int, int]] = []
    chain: list[int] = []
    while len(left) > 1:
        chain = chain or left[:1]
        nearest = int(np.argmin(distances[chain[-1]]))
        if len(chain) > 1 and distances[chain[-1], chain[-2]] <= distances[chain[-1], nearest]:
            a, b = sorted((chain.pop(), chain.pop()))
            steps.append((float(distances[a, b]), a, b))
            if linkage == "complete":
                merged = np.maximum(distances[a], distances[b])
            else:
                merged = weight[a] * distances[a] + weight[b] * distances[b]
                merged /= weight[a] + weight[b]
            weight[b] += weight[a]
            merged[b] = np.inf
            distances[b] = distances[:, b] = merged
            distances[a] = distances[:, a] = np.inf
            left.remove(a)
        else:
            chain.append(nearest)
    return [(a, b) for _, a, b in sorted(steps, key=lambda step: step[0])]
