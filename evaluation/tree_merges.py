"""The clusters of one tree as the threshold falls: a merge changes two clusters, the rest stays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reducepp.clustering.tree import Scores
from reducepp.types import Tree

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merges:
    """What happened between two thresholds; a cluster goes by the number of one of its pages."""

    joined: list[tuple[int, int]]
    """(the cluster that grew, the one that is gone), one after the other."""
    changed: Integers
    """Clusters that grew and are still there, ascending."""
    touched: NDArray[np.bool_]
    """By number: grown or gone."""


class Groups:
    """The clusters after the first merges of a tree."""

    def __init__(self, tree: Tree, scores: Scores) -> None:
        pages = len(tree.ids)
        self.scores = scores
        self.edges = list(zip(tree.first.tolist(), tree.second.tolist(), strict=True))
        self.done = 0
        self.names = np.arange(pages)
        """The number of each page's cluster."""
        self.members = [np.array([page]) for page in range(pages)]
        self.sizes = np.ones(pages, dtype=np.int64)
        """By number; 0 for those gone."""
        self.weakest = np.ones(pages)
        """By number: lowest score between two members, 1 for a single page."""

    @property
    def alive(self) -> Integers:
        """The numbers of the clusters there are, ascending."""
        return np.flatnonzero(self.sizes)

    def merge_to(self, count: int) -> Merges:
        """Let the first `count` merges stand; never fewer than before."""
        edges, self.done = self.edges[self.done : count], max(count, self.done)
        joined = [self._join(a, b) for a, b in edges if self.names[a] != self.names[b]]
        touched = np.zeros(len(self.names), dtype=bool)
        touched[np.array(joined, dtype=np.int64).ravel()] = True
        return Merges(
            joined=joined, changed=np.flatnonzero(touched & (self.sizes > 0)), touched=touched
        )

    def _join(self, a: int, b: int) -> tuple[int, int]:
        """Merge the clusters of two pages into the larger one."""
        into, gone = sorted((int(self.names[a]), int(self.names[b])), key=lambda c: -self.sizes[c])
        across = self.scores[self.members[into][:, None], self.members[gone]].min()
        self.weakest[into] = min(self.weakest[into], self.weakest[gone], across)
        self.names[self.members[gone]] = into
        self.members[into] = np.concatenate([self.members[into], self.members[gone]])
        self.sizes[into] += self.sizes[gone]
        self.sizes[gone] = 0
        return into, gone
