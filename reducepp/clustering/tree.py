"""Scores to one tree that holds the clusters of every threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from reducepp.errors import UsageError
from reducepp.text.preparation import Integers
from reducepp.types import Array, Cluster, Edge, Tree

LINKAGES = ("single", "average", "complete")


def build_tree(ids: Sequence[str], scores: Array, *, linkage: str = "single") -> Tree:
    """All merges of n pages, highest score first; equal scores merge in the order of pages.

    `single` is the maximum spanning tree, whose pieces at threshold t are the connected
    components of the graph with an edge at score >= t.
    """
    if linkage not in LINKAGES:
        raise UsageError(f"linkage {linkage!r}: use one of {', '.join(LINKAGES)}")
    merge = _spanning_tree if linkage == "single" or len(ids) < 3 else _hierarchy
    first, second, heights = merge(scores, linkage)
    order = np.lexsort((second, first, -heights)) if linkage == "single" else slice(None)
    return Tree(
        ids=tuple(ids),
        first=first[order],
        second=second[order],
        scores=heights[order],
        linkage=linkage,
    )


def _spanning_tree(scores: Array, _: str) -> tuple[Integers, Integers, Array]:
    """Prim's algorithm on the dense matrix: grow from page 0 by the best edge outwards."""
    n = len(scores)
    outside = np.ones(n, dtype=bool)
    best, nearest = np.full(n, -np.inf), np.zeros(n, dtype=np.int64)
    first, second, heights = [], [], []
    new = 0
    for _step in range(n - 1):
        outside[new] = False
        closer = outside & (scores[new] > best)
        best[closer], nearest[closer] = scores[new][closer], new
        best[~outside] = -np.inf
        new = int(np.argmax(best))
        low, high = sorted((int(nearest[new]), new))
        first.append(low)
        second.append(high)
        heights.append(float(best[new]))
    return np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), np.array(heights)


def _hierarchy(scores: Array, linkage: str) -> tuple[Integers, Integers, Array]:
    """Average or complete linkage; each merge is named by its most similar pair across."""
    from scipy.cluster.hierarchy import linkage as merge
    from scipy.spatial.distance import squareform

    method: Literal["average", "complete"] = "complete" if linkage == "complete" else "average"
    distances = squareform(1.0 - scores, checks=False)
    groups: dict[int, list[int]] = {i: [i] for i in range(len(scores))}
    first, second, heights = [], [], []
    for step, (a, b) in enumerate(merge(distances, method=method)[:, :2].astype(int)):
        left, right = groups.pop(int(a)), groups.pop(int(b))
        across = scores[np.ix_(left, right)]
        i, j = divmod(int(np.argmax(across)), len(right))
        low, high = sorted((left[i], right[j]))
        first.append(low)
        second.append(high)
        heights.append(float(across.min() if linkage == "complete" else across.mean()))
        groups[len(scores) + step] = sorted(left + right)
    falling = np.round(np.minimum.accumulate(heights), 12).astype(np.float64)
    return np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), falling


def describe_cluster(
    tree: Tree, scores: Array, members: Sequence[int], *, kept: int, threshold: float
) -> Cluster:
    """A cluster with its weakest link and its least similar pair; `members` in rank order."""
    ids = tuple(tree.ids[i] for i in members)
    if len(members) == 1:
        return Cluster(kept=tree.ids[kept], members=ids)
    inside = np.isin(tree.first, members) & np.isin(tree.second, members)
    links = tree.scores[inside & (tree.scores >= threshold)]
    least = _least_similar(ids, scores, members)
    return Cluster(
        kept=tree.ids[kept],
        members=ids,
        weakest_link=float(links.min()),
        least_similar=least,
        chained=least.score < threshold,
    )


def describe_star(
    all_ids: Sequence[str], scores: Array, members: Sequence[int], *, kept: int
) -> Cluster:
    """A cluster whose every member is linked to the kept page itself, so that it never chains."""
    ids = tuple(all_ids[i] for i in members)
    if len(members) == 1:
        return Cluster(kept=all_ids[kept], members=ids)
    return Cluster(
        kept=all_ids[kept],
        members=ids,
        weakest_link=float(scores[kept, [i for i in members if i != kept]].min()),
        least_similar=_least_similar(ids, scores, members),
    )


def _least_similar(ids: Sequence[str], scores: Array, members: Sequence[int]) -> Edge:
    block = scores[np.ix_(members, members)] + np.tri(len(members))
    i, j = divmod(int(np.argmin(block)), len(members))
    return Edge(a=ids[i], b=ids[j], score=float(scores[members[i], members[j]]))


def tree_path(tree: Tree, start: int, end: int, *, threshold: float) -> list[int]:
    """Pages on the way from one to another along standing edges; empty if there is none.

    In the maximum spanning tree this is the path whose weakest step is strongest.
    """
    neighbours: dict[int, list[int]] = {}
    standing = tree.scores >= threshold
    pairs = zip(tree.first[standing].tolist(), tree.second[standing].tolist(), strict=True)
    for a, b in pairs:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    came_from = {start: start}
    queue = [start]
    for page in queue:
        for neighbour in neighbours.get(page, []):
            if neighbour not in came_from:
                came_from[neighbour] = page
                queue.append(neighbour)
    if end not in came_from:
        return []
    path = [end]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return path[::-1]
