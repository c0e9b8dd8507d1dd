"""Folds for cross-validation in which no page is in both the fitted and the held-out part."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reducepp.errors import LabelsError
from reducepp.labelled.signals import PairSignals
from reducepp.types import Bools, Integers

MAX_FOLDS = 10
"""Huffman et al. (2007) use ten."""
MIN_QUERIES = 3
"""With duplicates in fewer queries, folds are made of page groups: two folds would fit on half."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folds:
    """Fold of each page, and what a fold is made of: `query` or `page group`."""

    of_page: Integers
    count: int
    by: str
    fixed: bool = False
    """Each query or group is a fold of its own, so that another seed makes the same folds."""

    def halves(self, pairs: PairSignals) -> Iterator[tuple[Bools, Bools]]:
        """(train, test) pairs of each fold; a pair with one page in each half is in neither."""
        first, second = self.of_page[pairs.first], self.of_page[pairs.second]
        for fold in range(self.count):
            yield (first != fold) & (second != fold), (first == fold) & (second == fold)


def make_folds(pairs: PairSignals, *, seed: int = 0) -> Folds:
    """Folds of whole queries where duplicates are in three or more, else of whole page groups.

    A page group is what duplicate labels connect, so that every duplicate pair is within a fold.
    Groups with duplicates are distributed first, in a random order, so that each fold has some.
    """
    queries = np.unique(pairs.query[pairs.duplicate])
    if len(queries) >= MIN_QUERIES:
        owner = np.full(len(pairs.group), -1, dtype=np.int64)
        owner[pairs.first] = owner[pairs.second] = pairs.query
        return _distribute(owner, queries, by="query", seed=seed)
    groups = np.unique(pairs.group[pairs.first[pairs.duplicate]])
    return _distribute(pairs.group, groups, by="page group", seed=seed)


def _distribute(owner: Integers, with_duplicates: Integers, *, by: str, seed: int) -> Folds:
    """Distribute owners over the folds in turn, those with duplicates first."""
    if len(with_duplicates) < 2:
        raise LabelsError(
            f"duplicates are in one {by} only: nothing is left to check what was learned on"
        )
    random = np.random.default_rng(seed)
    count = min(MAX_FOLDS, len(with_duplicates))
    others = np.setdiff1d(owner[owner >= 0], with_duplicates)
    order = np.concatenate([random.permutation(with_duplicates), random.permutation(others)])
    fold = {int(name): i % count for i, name in enumerate(order)}
    of_page = np.array([fold.get(int(name), -1) for name in owner], dtype=np.int64)
    return Folds(of_page=of_page, count=count, by=by, fixed=count == len(order))
