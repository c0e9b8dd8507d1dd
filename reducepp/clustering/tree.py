"""Scores to one tree that holds the clusters of every threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from reducepp.errors import UsageError
from reducepp.similarity.pair_matrix import PairMatrix
from reducepp.similarity.pairs import Integers
from reducepp.similarity.sparse import connect
from reducepp.types import Array, Cluster, Edge, Tree, find_root

LINKAGES = ("single", "average", "complete")

TIE_STEP = 1e-10
"""Added distance by which pairs with equal scores are ordered: far less than scores differ."""

Scores = Array | PairMatrix
"""n×n scores: all of them, or those of a large page set that were computed."""

Merges = tuple[Integers, Integers, Array]
"""First page, second page and score of each merge."""


def build_tree(
    ids: Sequence[str],
    scores: Scores,
    *,
    linkage: str = "single",
    join: bool = False,
    floor: float = 0.0,
) -> Tree:
    """All merges of n pages, highest score first; equal scores merge in the order of pages.

    `single` is the maximum spanning tree, whose components at threshold t are those of the graph
    with an edge at score >= t. With `join`, pages that score 1 with each other count as one. Of a
    PairMatrix the merges at `floor` and above.
    """
    if linkage not in LINKAGES:
        raise UsageError(f"linkage {linkage!r}: use one of {', '.join(LINKAGES)}")
    if isinstance(scores, PairMatrix):
        first, second, heights = _sparse_merges(scores, linkage, join, floor)
    else:
        places = np.arange(len(ids)) / max(len(ids), 1)
        first, second, heights = _dense_merges(scores, linkage, join, places)
        floor = 0.0
    order = np.lexsort((second, first, -heights)) if linkage == "single" else slice(None)
    return Tree(
        ids=tuple(ids),
        first=first[order],
        second=second[order],
        scores=heights[order],
        linkage=linkage,
        floor=floor,
    )


def _dense_merges(scores: Array, linkage: str, join: bool, places: Array) -> Merges:
    scores = join_equal(scores) if join else scores
    single = linkage == "single" or len(scores) < 3
    return _spanning_tree(scores) if single else _hierarchy(scores, linkage, places)


def _sparse_merges(scores: PairMatrix, linkage: str, join: bool, floor: float) -> Merges:
    """Merges at the floor and above: within components, since those across score below it."""
    forest = _forest(scores, floor)
    if linkage == "single" and not join:
        return forest
    ids = ("",) * len(scores)
    tree = Tree(ids=ids, first=forest[0], second=forest[1], scores=forest[2])
    components = [np.array(group) for group in tree.clusters_at(floor) if len(group) > 1]
    scores.score_within(components)
    parts = [_forest_part(scores, members, linkage, join) for members in components]
    first, second, heights = (
        np.concatenate([np.zeros(0, dtype=kind), *(part[i] for part in parts)])
        for i, kind in enumerate((np.int64, np.int64, np.float64))
    )
    order = np.argsort(-heights, kind="stable")
    order = order[heights[order] >= floor]
    return first[order], second[order], heights[order]


def _forest_part(scores: PairMatrix, members: Integers, linkage: str, join: bool) -> Merges:
    block = scores[np.ix_(members, members)]
    first, second, heights = _dense_merges(block, linkage, join, members / len(scores))
    return members[first], members[second], heights


def join_equal(scores: Array) -> Array:
    """Scores in which pages that score 1 with each other count as one page.

    Each takes the best score of its group with any other page: what resembles one copy of a page
    resembles the page.
    """
    labels = connect(len(scores), *np.nonzero(np.triu(scores == 1, 1)))
    joined = scores.copy()
    for label in np.flatnonzero(np.bincount(labels) > 1):
        group = np.flatnonzero(labels == label)
        joined[group] = joined[group].max(axis=0)
        joined[:, group] = joined[:, group].max(axis=1, keepdims=True)
    return joined


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
    return _as_merges(first, second, heights)


def _edge_key(a: Any, b: Any, n: int) -> Any:
    """A number that orders edges by their first page, then by their second."""
    return np.minimum(a, b) * n + np.maximum(a, b)


def _as_merges(first: Sequence[int], second: Sequence[int], heights: Sequence[float]) -> Merges:
    return (
        np.array(first, dtype=np.int64),
        np.array(second, dtype=np.int64),
        np.array(heights, dtype=np.float64),
    )


def _forest(scores: PairMatrix, floor: float) -> Merges:
    """Kruskal's algorithm on the known pairs at the floor and above."""
    first, second, heights = scores.links(floor)
    order = np.lexsort((second, first, -heights))
    parent = list(range(len(scores)))
    kept = []
    for edge, a, b in zip(
        order.tolist(), first[order].tolist(), second[order].tolist(), strict=True
    ):
        low, high = sorted((find_root(parent, a), find_root(parent, b)))
        if low != high:
            parent[high] = low
            kept.append(edge)
    return first[kept], second[kept], heights[kept]


def _hierarchy(scores: Array, linkage: str, places: Array) -> Merges:
    """Average or complete linkage; each merge is named by its most similar pair across.

    `places` in [0, 1) order the pages; of equal scores those of earlier pages merge first.
    """
    from scipy.cluster.hierarchy import linkage as merge
    from scipy.spatial.distance import squareform

    method: Literal["average", "complete"] = "complete" if linkage == "complete" else "average"
    ties = np.minimum.outer(places, places) + np.maximum.outer(places, places) / 1000
    distances = squareform(1.0 - scores + TIE_STEP * ties, checks=False)
    groups: dict[int, list[int]] = {i: [i] for i in range(len(scores))}
    first, second, heights = [], [], []
    for step, (a, b) in enumerate(merge(distances, method=method)[:, :2].astype(int)):
        left, right = groups.pop(int(a)), groups.pop(int(b))
        across = (
            scores[left, right] if len(left) == len(right) == 1 else scores[np.ix_(left, right)]
        )
        i, j = divmod(int(np.argmax(across)), len(right))
        low, high = sorted((left[i], right[j]))
        first.append(low)
        second.append(high)
        heights.append(float(across.min() if linkage == "complete" else across.mean()))
        groups[len(scores) + step] = sorted(left + right)
    falling = np.round(np.minimum.accumulate(heights), 12).astype(np.float64)
    return np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), falling


def describe_cluster(
    tree: Tree, scores: Scores, members: Sequence[int], *, kept: int, threshold: float
) -> Cluster:
    """A cluster with its weakest link and its least similar pair; `members` in rank order."""
    ids = tuple(tree.ids[i] for i in members)
    if len(members) == 1:
        return Cluster(kept=tree.ids[kept], members=ids)
    least = _least_similar(ids, scores, members)
    return Cluster(
        kept=tree.ids[kept],
        members=ids,
        weakest_link=min(
            score for i in members for j, score in tree.neighbours[i] if score >= threshold
        ),
        least_similar=least,
        chained=least.score < threshold,
    )


def describe_star(
    all_ids: Sequence[str], scores: Scores, members: Sequence[int], *, kept: int
) -> Cluster:
    """A cluster whose every member is linked to its representative itself, so it never chains."""
    ids = tuple(all_ids[i] for i in members)
    if len(members) == 1:
        return Cluster(kept=all_ids[kept], members=ids)
    return Cluster(
        kept=all_ids[kept],
        members=ids,
        weakest_link=float(scores[kept, [i for i in members if i != kept]].min()),
        least_similar=_least_similar(ids, scores, members),
    )


def _least_similar(ids: Sequence[str], scores: Scores, members: Sequence[int]) -> Edge:
    whole = scores[np.ix_(members, members)]
    i, j = divmod(int(np.argmin(whole + np.tri(len(members)))), len(members))
    return Edge(a=ids[i], b=ids[j], score=float(whole[i, j]))


def tree_path(tree: Tree, start: int, end: int, *, threshold: float) -> list[int]:
    """Pages from one to another along edges at the threshold or above; empty if there is none.

    In the maximum spanning tree this is the path whose weakest edge is strongest.
    """
    came_from = {start: start}
    queue = [start]
    for page in queue:
        for neighbour, score in tree.neighbours[page]:
            if score >= threshold and neighbour not in came_from:
                came_from[neighbour] = page
                queue.append(neighbour)
    if end not in came_from:
        return []
    path = [end]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return path[::-1]
