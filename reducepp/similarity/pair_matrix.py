"""Scores of a large page set: computed for chosen pairs only, indexed like an n×n array.

Values come from the same measures as the dense arrays, to the last digit. A pair that nobody asked
for and that is no candidate is never scored; one that is asked for is scored then.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from reducepp.similarity.contents import PageSet
from reducepp.similarity.pairs import (
    Bools,
    Integers,
    PairArrays,
    PairList,
    concatenate,
    equal_pairs,
    pairs_within,
    row_parts,
    star_pairs,
)
from reducepp.similarity.score_matrix import pairs_at_once, score_listed
from reducepp.similarity.shingles import distinct
from reducepp.types import Array, Profile, Similarities

Links = tuple[Integers, Integers, Array]
"""First page, second page and score of pairs."""

SCORE = ""
"""Column of the scores in a PairTable; the others have the names of signals."""


class PairTable:
    """Similarities by signal and scores of the pairs of one page set that were computed so far.

    Pages with the same number in `certain` (-1 for none) score 1 with each other; such a pair is
    only compared where somebody asks for its signals.
    """

    def __init__(
        self, page_set: PageSet, profile: Profile, certain: Integers | None = None
    ) -> None:
        self.count = len(page_set.pages)
        self.certain = np.full(self.count, -1) if certain is None else certain
        self.scored = 0
        """Pairs that were scored, each as often as that happened."""
        self.page_set, self.profile = page_set, profile
        self._keys: Integers = np.zeros(0, dtype=np.int64)
        self._columns: dict[str, Array] = {
            name: np.zeros(0) for name in (SCORE, *(s.name for s in profile.signals))
        }

    def add(self, first: Integers, second: Integers, *, floor: float = -1.0) -> None:
        """Score pairs that are not in the table yet; those below `floor` are left out again."""
        keys = distinct(self._key(first, second)[first != second])
        keys = keys[~self._is_known(keys)]
        step = pairs_at_once(self.profile)
        parts = [self._score(keys[i : i + step], floor) for i in range(0, len(keys), step)]
        if not parts:
            return
        merged = np.concatenate([self._keys, *(known for known, _ in parts)])
        order = np.argsort(merged, kind="stable")
        self._keys = merged[order]
        for name in self._columns:
            values = [self._columns[name], *(columns[name] for _, columns in parts)]
            self._columns[name] = np.concatenate(values)[order]

    def _score(self, keys: Integers, floor: float) -> tuple[Integers, dict[str, Array]]:
        """The pairs that reach the floor, and their values."""
        self.scored += len(keys)
        pairs = PairList(self.count, keys // self.count, keys % self.count)
        listed, scores = score_listed(self.page_set, self.profile, pairs)
        kept = scores >= floor
        return keys[kept], {name: v[kept] for name, v in {SCORE: scores, **listed}.items()}

    def values(self, name: str, first: Integers, second: Integers, *, keep: bool = True) -> Array:
        """Values of pairs of any one shape; pairs that are not in the table are scored, and then in
        it where they are to be kept."""
        keys = self._key(first, second)
        certain = first == second
        if name == SCORE:
            certain = certain | self._is_certain(first, second)
        missing = ~(self._is_known(keys) | certain)
        if missing.any() and keep:
            self.add(first[missing], second[missing])
        places = np.minimum(np.searchsorted(self._keys, keys), max(len(self._keys) - 1, 0))
        column = self._columns[name]
        found = column[places] if len(column) else np.zeros(keys.shape)
        if missing.any() and not keep:
            found[missing] = self._look(name, keys[missing])
        return np.where(certain, 1.0, found)

    def _look(self, name: str, keys: Integers) -> Array:
        """Values of pairs, of which nothing is kept."""
        step = pairs_at_once(self.profile)
        parts = (self._score(keys[i : i + step], -1.0) for i in range(0, len(keys), step))
        return np.concatenate([columns[name] for _, columns in parts])

    def value(self, name: str, first: int, second: int) -> float:
        """The value of one pair, which is scored where it is not in the table."""
        if first == second or (name == SCORE and self._is_certain(first, second)):
            return 1.0
        key = min(first, second) * self.count + max(first, second)
        place = int(self._keys.searchsorted(key))
        if place == len(self._keys) or self._keys[place] != key:
            self.add(np.array([first]), np.array([second]))
            place = int(self._keys.searchsorted(key))
        return float(self._columns[name][place])

    def scored_pairs(self) -> Links:
        """First page, second page and score of the scored pairs, in order."""
        return self._keys // self.count, self._keys % self.count, self._columns[SCORE]

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

    def _is_certain(self, first: Any, second: Any) -> Any:
        return (self.certain[first] == self.certain[second]) & (self.certain[first] >= 0)

    def _key(self, first: Integers, second: Integers) -> Integers:
        return np.minimum(first, second) * self.count + np.maximum(first, second)

    def _is_known(self, keys: Integers) -> Bools:
        if not len(self._keys):
            return np.zeros(keys.shape, dtype=bool)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        known: Bools = self._keys[places] == keys
        return known


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
        if isinstance(first, int) and isinstance(second, int):
            return self.table.value(self.name, first, second)
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


def score_ahead(similarities: Similarities, first: Integers, second: Integers) -> None:
    """Score pairs that will be asked for in one go, where signals are computed when asked for."""
    for values in similarities.by_signal.values():
        if isinstance(values, PairMatrix):
            values.table.add(first, second)
            break  # the others are of the same table
