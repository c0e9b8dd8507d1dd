"""Scores to one tree that holds the clusters of every threshold."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reducepp.clustering.linkage import LINKAGES, Merges, merge_groups
from reducepp.errors import check_choice
from reducepp.similarity.pair_matrix import PairMatrix, link_parts, lowest_within
from reducepp.similarity.pairs import concatenate, row_parts, star_pairs
from reducepp.similarity.score_matrix import square_array
from reducepp.similarity.sparse import connect, find_root
from reducepp.types import Array, Cluster, Edge, Integers

MAX_BLOCK_PAGES = 100
"""Members of a cluster up to which all its pairs of a large set are scored and kept."""
Scores = Array | PairMatrix
"""n×n scores: all of them, or those of a large page set that were computed."""


@dataclass(frozen=True, kw_only=True)
class Tree:
    """The dendrogram: clusters of a threshold are its components without the edges below it.

    `first`, `second` are page indices and `scores` the heights of the n - 1 merges, highest
    first. For single linkage this is the maximum spanning tree.
    """

    ids: tuple[str, ...]
    first: Integers
    second: Integers
    scores: Array
    linkage: str = "single"
    floor: float = 0.0
    """Merges below this score are not in the tree."""

    @cached_property
    def neighbours(self) -> tuple[tuple[tuple[int, float], ...], ...]:
        """Pages that each page has an edge to, with the scores, strongest first."""
        found: list[list[tuple[int, float]]] = [[] for _ in self.ids]
        edges = zip(self.first.tolist(), self.second.tolist(), self.scores.tolist(), strict=True)
        for a, b, score in edges:
            found[a].append((b, score))
            found[b].append((a, score))
        return tuple(tuple(edges) for edges in found)

    @cached_property
    def thresholds(self) -> tuple[float, ...]:
        """The distinct scores at which the clustering changes, highest first."""
        return tuple(float(s) for s in dict.fromkeys(self.scores.tolist()))

    def labels_at(self, threshold: float) -> Integers:
        """Cluster number of each page, numbered by first member; edges with score >= t are kept."""
        merged = self.scores >= threshold
        return connect(len(self.ids), self.first[merged], self.second[merged])

    def clusters_at(self, threshold: float) -> tuple[tuple[int, ...], ...]:
        """Page indices of each cluster, in order of their first members."""
        groups: dict[int, list[int]] = {}
        for index, label in enumerate(self.labels_at(threshold).tolist()):
            groups.setdefault(label, []).append(index)
        return tuple(tuple(group) for group in groups.values())


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
    check_choice("linkage", linkage, LINKAGES)
    if isinstance(scores, PairMatrix):
        first, second, heights = _sparse_merges(scores, linkage, join, floor)
    else:
        block, labels = _join_equal(scores) if join else (scores, np.arange(len(scores)))
        places = np.arange(len(ids)) / max(len(ids), 1)
        first, second, heights = merge_groups(block, labels, linkage, places)
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


def _sparse_merges(scores: PairMatrix, linkage: str, join: bool, floor: float) -> Merges:
    """Merges at the floor and above: within components, since those across score below it."""
    links = scores.table.spanning_links(floor)
    if linkage == "single":
        return _joined_forest(len(scores), links) if join else _forest(len(scores), links)
    labels = connect(len(scores), *_forest(len(scores), links)[:2])
    members = _split(np.argsort(labels, kind="stable"), np.bincount(labels))
    scores.score_within([group for group in members if len(group) > 1])
    parts = [
        _component_merges(scores, group, pairs, linkage, join)
        for group, pairs in zip(members, _pairs_inside(scores, labels), strict=True)
        if len(group) > 2
    ]
    twos = np.array([group for group in members if len(group) == 2], dtype=np.int64).reshape(-1, 2)
    parts.append((twos[:, 0], twos[:, 1], scores[twos[:, 0], twos[:, 1]]))
    first, second, heights = (np.concatenate([part[i] for part in parts]) for i in range(3))
    order = np.lexsort((labels[first], -heights))
    order = order[heights[order] >= floor]
    return first[order], second[order], heights[order]


def _split(values: Integers, sizes: Integers) -> list[Integers]:
    return np.split(values, np.cumsum(sizes)[:-1])


def _pairs_inside(scores: PairMatrix, labels: Integers) -> list[Merges]:
    """The scored pairs within each component."""
    first, second, heights = scores.table.scored_pairs()
    inside = np.flatnonzero(labels[first] == labels[second])
    component = labels[first[inside]]
    sizes = np.bincount(component, minlength=int(labels.max()) + 1)
    parts = _split(inside[np.argsort(component, kind="stable")], sizes)
    return [(first[part], second[part], heights[part]) for part in parts]


def _component_merges(
    scores: PairMatrix, members: Integers, pairs: Merges, linkage: str, join: bool
) -> Merges:
    """Merges of a component all of whose pairs are scored, or certain to score 1."""
    first, second = (np.searchsorted(members, pages) for pages in pairs[:2])
    labels = np.arange(len(members))
    if join:
        equal, stars = pairs[2] == 1, star_pairs(scores.table.certain[members])
        labels = connect(
            len(members),
            np.concatenate([stars[0], first[equal]]),
            np.concatenate([stars[1], second[equal]]),
        )
    block = np.ones((int(labels.max()) + 1,) * 2)
    order = np.argsort(pairs[2], kind="stable")  # of two groups the best score comes last
    ends = labels[first[order]], labels[second[order]]
    block[np.minimum(*ends), np.maximum(*ends)] = pairs[2][order]
    block = np.triu(block, 1) + np.triu(block, 1).T
    merges = merge_groups(block, labels, linkage, members / len(scores))
    return members[merges[0]], members[merges[1]], merges[2]


def _join_equal(scores: Array) -> tuple[Array, Integers]:
    """Scores of groups of pages that score 1 with each other, and the group of each page.

    Two groups have the best score of their pages: what resembles one copy of a page resembles the
    page.
    """
    labels = np.arange(len(scores))
    for first, second in link_parts(scores, 1.0):
        labels = connect(len(scores), *concatenate([star_pairs(labels), (first, second)]))
    order, sizes = np.argsort(labels, kind="stable"), np.bincount(labels)
    if len(sizes) == len(scores):
        return scores, labels
    joined = square_array(len(sizes))
    starts = np.cumsum(sizes) - sizes
    for number, members in enumerate(_split(order, sizes)):
        parts = row_parts(len(members), len(scores))
        best = np.max([scores[members[part]].max(axis=0) for part in parts], axis=0)
        joined[number] = np.maximum.reduceat(best[order], starts)
    return joined, labels


def _forest(count: int, links: Merges) -> Merges:
    """Kruskal's algorithm on links of `count` pages.

    Of pages that score 1 for certain each has an edge to the first: all others come later.
    """
    first, second, heights = links
    order = np.lexsort((second, first, -heights))
    parent = list(range(count))
    kept = []
    ends = zip(order.tolist(), first[order].tolist(), second[order].tolist(), strict=True)
    for edge, a, b in ends:
        low, high = sorted((find_root(parent, a), find_root(parent, b)))
        if low != high:
            parent[high] = low
            kept.append(edge)
    return first[kept], second[kept], heights[kept]


def _joined_forest(count: int, links: Merges) -> Merges:
    """The same where pages that score 1 with each other count as one: groups of them have the best
    score of their pages, and their first pages name an edge."""
    first, second, heights = links
    labels = connect(count, first[heights == 1], second[heights == 1])
    leaders = np.unique(labels, return_index=True)[1][labels]
    ends = leaders[first], leaders[second]
    merges = _forest(count, (np.minimum(*ends), np.maximum(*ends), heights))
    others = np.flatnonzero(leaders != np.arange(count))
    return (
        np.concatenate([leaders[others], merges[0]]),
        np.concatenate([others, merges[1]]),
        np.concatenate([np.ones(len(others)), merges[2]]),
    )


def describe_cluster(
    tree: Tree, scores: Scores, members: Sequence[int], *, kept: int, threshold: float
) -> Cluster:
    """A cluster of two pages or more with its weakest link, NaN where pages that facts keep apart
    link its members, and its least similar pair; `members` in rank order."""
    ids, inside = tuple(tree.ids[i] for i in members), set(members)
    least = _least_similar(ids, scores, members)
    edges = (edge for i in members for edge in tree.neighbours[i] if edge[0] in inside)
    weakest = min((score for _, score in edges if score >= threshold), default=math.nan)
    return Cluster(
        kept=tree.ids[kept],
        members=ids,
        weakest_link=weakest,
        least_similar=least,
        chained=least.score < threshold,
    )


def describe_star(
    all_ids: Sequence[str], scores: Scores, members: Sequence[int], *, kept: int, least: bool = True
) -> Cluster:
    """A cluster of two pages or more that are linked to their representative itself, so it never
    chains.

    Of a large one the least similar pair is found on request: it needs all pairs.
    """
    ids = tuple(all_ids[i] for i in members)
    weakest = float(scores[kept, [i for i in members if i != kept]].min())
    needed = least or len(members) <= MAX_BLOCK_PAGES
    edge = _least_similar(ids, scores, members) if needed else None
    return Cluster(kept=all_ids[kept], members=ids, weakest_link=weakest, least_similar=edge)


def _least_similar(ids: Sequence[str], scores: Scores, members: Sequence[int]) -> Edge:
    a, b, score = lowest_within(scores, members)
    return Edge(a=ids[members.index(a)], b=ids[members.index(b)], score=score)


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
