"""Scores of a large page set: computed for chosen pairs only, indexed like an n×n array.

Values come from the same measures as the dense arrays, to the last digit. Candidates are
scored first, any other pair when its value is read.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from reducepp.similarity.contents import PageSet
from reducepp.similarity.pairs import (
    PairArrays,
    concatenate,
    equal_pairs,
    list_pairs,
    pairs_within,
    row_parts,
    star_pairs,
)
from reducepp.similarity.score_matrix import pairs_at_once, score_listed
from reducepp.similarity.shingles import distinct, places_in
from reducepp.types import Array, Integers, Profile

Links = tuple[Integers, Integers, Array]
"""First page, second page and score of pairs."""

SCORE = ""
"""Name of the scores; the others have the names of signals."""

MIN_ROW_PAIRS = 64
"""Pairs of one first page from which on pairs are scored in blocks of such pages."""


class PairTable:
    """Scores of the pairs of one page set that were computed so far.

    Pages with the same number in `certain` (-1 for none) score 1 with each other. The signals of a
    pair are computed when they are read; those of the last pairs read are cached.
    """

    def __init__(
        self, page_set: PageSet, profile: Profile, certain: Integers | None = None
    ) -> None:
        self.count = len(page_set.pages)
        self.certain = np.full(self.count, -1) if certain is None else certain
        self.scored = 0
        """Pairs that were scored, each as often as that happened."""
        self.floor = math.inf
        """A pair that is neither in the table nor certain scores less."""
        self.page_set, self.profile = page_set, profile
        self._keys: Integers = np.zeros(0, dtype=np.int64)
        self._scores: Array = np.zeros(0)
        self._last_read: tuple[Integers, Mapping[str, Array]] = (self._keys, {})

    def add(self, first: Integers, second: Integers, *, floor: float = -1.0) -> None:
        """Score pairs that are not in the table yet; those below `floor` are left out again."""
        keys = distinct(self._key(first, second)[first != second])
        keys = keys[places_in(self._keys, keys) < 0]
        if not len(keys):
            return
        scores = self._compute(keys, [SCORE])[SCORE]
        keys = np.concatenate([self._keys, keys[scores >= floor]])
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._scores = np.concatenate([self._scores, scores[scores >= floor]])[order]

    def _compute(self, keys: Integers, names: Sequence[str]) -> dict[str, Array]:
        """Scores and signals of pairs in order of their first pages, nothing of which is kept."""
        self.scored += len(keys)
        found = {name: np.empty(len(keys)) for name in names}
        for part in _score_parts(keys // self.count, pairs_at_once(self.profile)):
            pairs = list_pairs(self.count, *np.divmod(keys[part], self.count))
            listed, scores = score_listed(self.page_set, self.profile, pairs)
            for name, values in found.items():
                values[part] = scores if name == SCORE else listed[name]
        return found

    def values(self, name: str, first: Integers, second: Integers, *, keep: bool = True) -> Array:
        """Values of pairs of any one shape; scores that are not in the table are computed, and then
        in it where they are to be kept."""
        keys, own = self._key(first, second), first == second
        if name != SCORE:
            return np.where(own, 1.0, self._signal(name, keys.ravel()).reshape(keys.shape))
        certain = own | self._is_certain(first, second)
        places = places_in(self._keys, keys)
        missing = (places < 0) & ~certain
        if missing.any() and keep:
            self.add(first[missing], second[missing])
            places = places_in(self._keys, keys)
        found, known = np.ones(keys.shape), (places >= 0) & ~certain
        found[known] = self._scores[places[known]]
        if missing.any() and not keep:
            unique, places = np.unique(keys[missing], return_inverse=True)
            found[missing] = self._compute(unique, [SCORE])[SCORE][places]
        return found

    def _signal(self, name: str, keys: Integers) -> Array:
        """A signal of pairs; all signals of them are cached until other pairs are read."""
        if not self._last_read[1] or not np.array_equal(self._last_read[0], keys):
            names = [signal.name for signal in self.profile.signals]
            unique, places = np.unique(keys, return_inverse=True)
            found = self._compute(unique, names)
            self._last_read = keys, {name: values[places] for name, values in found.items()}
        return self._last_read[1][name]

    def value(self, first: int, second: int) -> float:
        """The score of one pair, which is computed where it is not in the table."""
        if first == second or self._is_certain(first, second):
            return 1.0
        key = min(first, second) * self.count + max(first, second)
        place = int(self._keys.searchsorted(key))
        if place == len(self._keys) or self._keys[place] != key:
            self.add(np.array([first]), np.array([second]))
            place = int(self._keys.searchsorted(key))
        return float(self._scores[place])

    def scored_pairs(self) -> Links:
        """First page, second page and score of the scored pairs, in order."""
        return self._keys // self.count, self._keys % self.count, self._scores

    def links(self, threshold: float) -> Links:
        """First page, second page and score of the known pairs that reach the threshold."""
        return self._with_certain(threshold, equal_pairs(self.certain))

    def spanning_links(self, threshold: float) -> Links:
        """The same, of certain pairs only those with the first page of their number."""
        return self._with_certain(threshold, star_pairs(self.certain))

    def _with_certain(self, threshold: float, certain: PairArrays) -> Links:
        first, second, scores = self.scored_pairs()
        kept = (scores >= threshold) & ~self._is_certain(first, second)
        first, second = concatenate([(first[kept], second[kept]), certain])
        scores = np.concatenate([scores[kept], np.ones(len(certain[0]))])
        order = np.argsort(self._key(first, second))
        return first[order], second[order], scores[order]

    def links_within(self, pages: Integers, threshold: float) -> Links:
        """Places among some pages, in order, and scores of their pairs that reach the threshold but
        for certain ones; all their pairs are scored where less is not enough to know."""
        if threshold < self.floor:
            self.add(*pairs_within([pages], self.certain))
        starts, ends = (self._keys.searchsorted((pages + i) * self.count) for i in (0, 1))
        sizes = ends - starts
        places = np.repeat(ends - np.cumsum(sizes), sizes) + np.arange(sizes.sum())
        first, second = np.repeat(np.arange(len(pages)), sizes), self._keys[places] % self.count
        at = places_in(pages, second)
        kept = (at >= 0) & (self._scores[places] >= threshold)
        kept &= ~self._is_certain(pages[first], second)
        return first[kept], at[kept], self._scores[places[kept]]

    def _is_certain(self, first: Any, second: Any) -> Any:
        return (self.certain[first] == self.certain[second]) & (self.certain[first] >= 0)

    def _key(self, first: Integers, second: Integers) -> Integers:
        return np.minimum(first, second) * self.count + np.maximum(first, second)


def links_at(scores: Any, threshold: float) -> tuple[Integers, Integers]:
    """First and second page of the pairs of n×n scores that reach the threshold, in order."""
    if isinstance(scores, PairMatrix):
        first, second, _ = scores.links(threshold)
        return first, second
    return concatenate(list(link_parts(scores, threshold)))


def link_parts(scores: Array, threshold: float) -> Iterator[PairArrays]:
    """The same of an array in parts, in order."""
    for part in row_parts(*scores.shape):
        first, second = np.nonzero(np.triu(scores[part] >= threshold, part.start + 1))
        yield first + part.start, second


class PairMatrix:
    """A column of a PairTable that is indexed like a symmetric n×n array."""

    def __init__(self, table: PairTable, name: str = SCORE) -> None:
        self.table, self.name = table, name
        self.shape = (table.count, table.count)

    def __len__(self) -> int:
        return self.table.count

    def __getitem__(self, key: Any) -> Any:
        first, second = key if isinstance(key, tuple) else (key, np.arange(len(self)))
        if self.name == SCORE and isinstance(first, int) and isinstance(second, int):
            return self.table.value(first, second)
        i, j = np.broadcast_arrays(np.asarray(first), np.asarray(second))
        found = self.table.values(self.name, i.astype(np.int64), j.astype(np.int64))
        return float(found) if found.ndim == 0 else found

    def links(self, threshold: float) -> Links:
        """First page, second page and score of the known pairs that reach the threshold."""
        return self.table.links(threshold)

    def look(self, rows: Sequence[int], columns: Sequence[int]) -> Array:
        """Rows × columns; of pairs that are not known no more is kept."""
        first, second = np.meshgrid(np.asarray(rows), np.asarray(columns), indexing="ij")
        return self.table.values(self.name, first, second, keep=False)

    def score_within(self, groups: Iterable[Sequence[int] | Integers]) -> None:
        """Score all pairs within each group of pages in one go, but for certain ones."""
        self.table.add(*pairs_within(groups, self.table.certain))

    def lowest_within(self, members: Sequence[int]) -> tuple[int, int, float]:
        """The two members that score lowest; of equal ones the first pair.

        Of pairs that are not known no more is kept.
        """
        pages, lowest = np.asarray(members), (members[0], members[1], 1.0)
        rows = max(1, pairs_at_once(self.table.profile) // len(pages))
        for start in range(0, len(pages), rows):
            some = pages[start : start + rows]
            i, j = np.nonzero(~np.tri(len(some), len(pages), start, dtype=bool))
            if not len(i):
                continue
            first, second = some[i], pages[j]
            scores = self.table.values(SCORE, first, second, keep=False)
            place = int(np.argmin(scores))
            if scores[place] < lowest[2]:
                lowest = (int(first[place]), int(second[place]), float(scores[place]))
        return lowest


def links_within(scores: Any, members: Sequence[int], threshold: float) -> Links:
    """Places among some pages, in order, and scores of their pairs that reach the threshold."""
    pages = np.asarray(members)
    if isinstance(scores, PairMatrix):
        first, second, found = scores.table.links_within(pages, threshold)
        certain = equal_pairs(scores.table.certain[pages])
        first, second = concatenate([(first, second), certain])
        return first, second, np.concatenate([found, np.ones(len(certain[0]))])
    first, second = concatenate(list(link_parts(scores[np.ix_(pages, pages)], threshold)))
    return first, second, scores[pages[first], pages[second]]


def count_links(scores: Any, members: Sequence[int], threshold: float) -> Integers:
    """How many other members reach the threshold with each of some pages, in order."""
    pages = np.asarray(members)
    if not isinstance(scores, PairMatrix):
        parts = row_parts(len(pages), len(pages))
        near = [(scores[np.ix_(pages[part], pages)] >= threshold).sum(axis=1) for part in parts]
        return np.concatenate(near) - 1
    first, second, _ = scores.table.links_within(pages, threshold)
    numbers = scores.table.certain[pages] + 1
    certain = np.where(numbers > 0, np.bincount(numbers)[numbers] - 1, 0)
    return np.bincount(np.concatenate([first, second]), minlength=len(pages)) + certain


def lowest_within(scores: Any, members: Sequence[int]) -> tuple[int, int, float]:
    """The two members of n×n scores that score lowest; of equal ones the first pair."""
    if isinstance(scores, PairMatrix):
        return scores.lowest_within(members)
    lowest = (members[0], members[0], np.inf)
    for part in row_parts(len(members), len(members)):
        block = scores[np.ix_(members[part], members)]
        block = block + np.tri(len(block), len(members), part.start)  # pairs i >= j come last
        place = int(np.argmin(block))
        score = float(block.flat[place])
        if score < lowest[2]:
            i, j = divmod(place, len(members))
            lowest = (members[part.start + i], members[j], score)
    return lowest


def _score_parts(first: Integers, most: int) -> Iterator[Integers]:
    """Places of pairs that are scored at once, those of pages with many pairs first, so that most
    of them are blocks."""
    is_full = np.bincount(first)[first] >= MIN_ROW_PAIRS
    for places in (np.flatnonzero(is_full), np.flatnonzero(~is_full)):
        for start in range(0, len(places), most):
            yield places[start : start + most]
