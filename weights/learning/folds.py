"""Folds in which no page is in both halves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reducepp.errors import LabelsError
from reducepp.weights.learning.judged import Bools, Integers, JudgedPairs

MOST_FOLDS = 10
FEWEST_QUERIES = 3
"""With duplicates in fewer queries, folds are made of groups of pages instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folds:
    """Fold of each page, and what a fold is made of: `query` or `page group`."""

    of_page: Integers
    count: int
    by: str
    fixed: bool = False
    """Each owner is a fold of its own, so that another seed deals the same."""

    def halves(self, pairs: JudgedPairs) -> Iterator[tuple[Bools, Bools]]:
        """(train, test) pairs of each fold; a pair with one page in each half is in neither."""
        first, second = self.of_page[pairs.first], self.of_page[pairs.second]
        for fold in range(self.count):
            yield (first != fold) & (second != fold), (first == fold) & (second == fold)


def make_folds(pairs: JudgedPairs, *, seed: int = 0) -> Folds:
    """Whole queries a fold where duplicates are in three or more, else whole groups of pages.

    A group is what duplicate labels connect, so that every duplicate pair is within a fold.
    Groups with duplicates are dealt out first, in a random order, so that each fold has some.
    """
    queries = np.unique(pairs.query[pairs.duplicate])
    if len(queries) >= FEWEST_QUERIES:
        owner = np.full(len(pairs.unit), -1, dtype=np.int64)
        owner[pairs.first] = owner[pairs.second] = pairs.query
        return _deal(owner, queries, by="query", seed=seed)
    units = np.unique(pairs.unit[pairs.first[pairs.duplicate]])
    return _deal(pairs.unit, units, by="page group", seed=seed)


def _deal(owner: Integers, telling: Integers, *, by: str, seed: int) -> Folds:
    """Deal owners out to folds like cards, those with duplicates first."""
    if len(telling) < 2:
        raise LabelsError(
            f"duplicates are in one {by} only: nothing is left to check what was learned on"
        )
    random = np.random.default_rng(seed)
    count = min(MOST_FOLDS, len(telling))
    others = np.setdiff1d(owner[owner >= 0], telling)
    dealt = np.concatenate([random.permutation(telling), random.permutation(others)])
    fold = {int(name): i % count for i, name in enumerate(dealt)}
    of_page = np.array([fold.get(int(name), -1) for name in owner], dtype=np.int64)
    return Folds(of_page=of_page, count=count, by=by, fixed=count == len(dealt))
