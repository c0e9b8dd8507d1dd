"""Signals of labelled pairs, the table that weights and models are fitted to, and its folds."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from reducepp.errors import LabelsError
from reducepp.labelled.intervals import PairSources
from reducepp.labelled.labelled_pairs import LabelledPairs
from reducepp.similarity.compare import compare
from reducepp.similarity.sparse import connect
from reducepp.text.urls import canonical_url
from reducepp.types import Array, Bools, Integers, Page, Profile

_PAIR_COLUMNS = ("duplicate", "first", "second", "query")
MAX_FOLDS = 10
"""Huffman et al. (2007) use ten."""
MIN_QUERIES = 3
"""With duplicates in fewer queries, folds are made of page groups: two folds would fit on half."""


@dataclass(frozen=True)
class PairSignals:
    """Signals and labels of m decided pairs.

    `first` and `second` number the pages over all queries. `group` is each page's group: pages
    that duplicate labels connect, and one page that is in several queries. `query` numbers each
    pair's query; queries that share a page count as one.
    """

    by_signal: Mapping[str, Array]
    duplicate: Bools
    first: Integers
    second: Integers
    query: Integers
    group: Integers
    seconds: float = 0.0
    """Time of all signals on all pages, text preparation included."""

    def __len__(self) -> int:
        return len(self.duplicate)

    @property
    def sources(self) -> PairSources:
        """Page groups of the pairs, for resampling over all queries."""
        return PairSources(
            query=np.zeros(len(self), dtype=np.int64),
            first=self.group[self.first],
            second=self.group[self.second],
        )

    @property
    def present(self) -> set[str]:
        """Signals that some pair has."""
        return {name for name, v in self.by_signal.items() if not np.isnan(v).all()}

    def take(self, rows: Integers | Bools) -> Self:
        """Some of the pairs; pages keep their numbers."""
        by_signal = {name: values[rows] for name, values in self.by_signal.items()}
        columns = {name: getattr(self, name)[rows] for name in _PAIR_COLUMNS}
        return replace(self, by_signal=by_signal, **columns)

    def only(self, names: Iterable[str]) -> Self:
        """The same pairs with some of the signals."""
        return replace(self, by_signal={name: self.by_signal[name] for name in names})


def measure_pairs(pairs: LabelledPairs, profile: Profile) -> PairSignals:
    """Signals of the decided pairs, under a profile's measures."""
    query, first, second = (v[pairs.decided] for v in (pairs.query, pairs.first, pairs.second))
    began = time.perf_counter()
    matrices = [compare(pages, profile).by_signal for pages in pairs.pages]
    seconds = time.perf_counter() - began
    duplicate = pairs.duplicate[pairs.decided]
    every = zip(pairs.places(), pairs.decided.tolist(), strict=True)
    places = [place for place, decided in every if decided]
    columns = {
        signal.name: np.array([matrices[q][signal.name][i, j] for q, i, j in places])
        for signal in profile.signals
    }
    starts = np.cumsum([0, *(len(pages) for pages in pairs.pages)])
    again, before = _repeated_pages([page for pages in pairs.pages for page in pages])
    owner = np.repeat(np.arange(len(pairs.pages)), np.diff(starts))
    a, b = starts[query] + first, starts[query] + second
    same = np.concatenate([a[duplicate], again]), np.concatenate([b[duplicate], before])
    group = connect(int(starts[-1]), *same)
    query = connect(len(pairs.pages), owner[again], owner[before])[query]
    return PairSignals(columns, duplicate, a, b, query, group, seconds)


def _repeated_pages(pages: Sequence[Page]) -> tuple[Integers, Integers]:
    """Each page and its first occurrence, by address and by text."""
    seen: dict[tuple[str, str], int] = {}
    keys = [
        (i, (kind, value))
        for i, page in enumerate(pages)
        for kind, value in (("url", canonical_url(page.url)), ("body", page.body.strip()))
        if value
    ]
    found = [(i, seen.setdefault(key, i)) for i, key in keys]
    links = np.array(found, dtype=np.int64).reshape(-1, 2)
    return links[:, 0], links[:, 1]


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
        left = "nothing is left to check what was learned on"
        raise LabelsError(f"duplicates are in one {by} only: {left}")
    random = np.random.default_rng(seed)
    count = min(MAX_FOLDS, len(with_duplicates))
    others = np.setdiff1d(owner[owner >= 0], with_duplicates)
    order = np.concatenate([random.permutation(with_duplicates), random.permutation(others)])
    fold = {int(name): i % count for i, name in enumerate(order)}
    of_page = np.array([fold.get(int(name), -1) for name in owner], dtype=np.int64)
    return Folds(of_page=of_page, count=count, by=by, fixed=count == len(order))
