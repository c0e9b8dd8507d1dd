"""Scores of a large page set: computed for chosen pairs only, indexed like an n×n array.

Values come from the same measures as the dense arrays, to the last digit. A pair that nobody asked
for and that is no candidate is never scored; one that is asked for is scored then.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from reducepp.similarity.combine import score_values
from reducepp.similarity.compare import compare_set
from reducepp.similarity.contents import PageSet
from reducepp.similarity.pairs import (
    Bools,
    Integers,
    PairArrays,
    PairList,
    concatenate,
    equal_pairs,
    pairs_within,
    star_pairs,
)
from reducepp.similarity.shingles import distinct
from reducepp.types import Array, Profile

PART = 1_000_000
"""Pairs that are scored at once: about 500 MB."""

Links = tuple[Integers, Integers, Array]
"""First page, second page and score of pairs."""

SCORE = ""
"""Column of the scores in a PairTable; the others have the names of signals."""


class PairTable:
    """Similarities by signal and scores of the pairs of one page set that were computed so far.

    Pages with the same number in `certain` (-1 for none) score 1 with each other; such a pair is
    only compared where somebody asks for its signals.
    """

    def __init__(self, page_set: PageSet, profile: Profile, certain: Integers) -> None:
        self.count, self.certain = len(page_set.pages), certain
        self.scored = 0
        """Pairs that were scored, each as often as that happened."""
        self._page_set, self._profile = page_set, profile
        self._keys: Integers = np.zeros(0, dtype=np.int64)
        self._columns: dict[str, Array] = {
            name: np.zeros(0) for name in (SCORE, *(s.name for s in profile.signals))
        }

    def add(self, first: Integers, second: Integers, *, floor: float = -1.0) -> None:
        """Score pairs that are not in the table yet; those below `floor` are left out again."""
        keys = distinct(self._key(first, second)[first != second])
        keys = keys[~self._is_known(keys)]
        parts = [self._score(keys[i : i + PART], floor) for i in range(0, len(keys), PART)]
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
        found = compare_set(self._page_set.on(pairs), self._profile).by_signal
        listed = {name: values[: len(keys)] for name, values in found.items()}
        scores = score_values(listed, self._profile)
        kept = scores >= floor
        return keys[kept], {name: v[kept] for name, v in {SCORE: scores, **listed}.items()}

    def values(self, name: str, first: Integers, second: Integers) -> Array:
        """Values of pairs of any one shape; pairs that are not in the table are scored."""
        keys = self._key(first, second)
        certain = first == second
        if name == SCORE:
            certain = certain | self._is_certain(first, second)
        missing = ~(self._is_known(keys) | certain)
        if missing.any():
            self.add(first[missing], second[missing])
        places = np.minimum(np.searchsorted(self._keys, keys), max(len(self._keys) - 1, 0))
        column = self._columns[name]
        found = column[places] if len(column) else np.zeros(keys.shape)
        return np.where(certain, 1.0, found)

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
    first, second = np.triu_indices(len(scores), 1)
    above = scores[first, second] >= threshold
    return first[above], second[above]


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

    def score_within(self, groups: Iterable[Sequence[int] | Integers]) -> None:
        """Score all pairs within each group of pages in one go, but for certain ones."""
        self.table.add(*pairs_within(groups, self.table.certain))

    def lowest_within(self, members: Sequence[int]) -> tuple[int, int, float]:
        """The pair of members with the lowest score, all of which are known; ties to the first."""
        inside = np.zeros(len(self), dtype=bool)
        inside[list(members)] = True
        first, second, scores = self.table.scored_pairs()
        known = np.flatnonzero(inside[first] & inside[second])
        lowest = known[np.argmin(scores[known])] if len(known) else -1
        if lowest < 0 or scores[lowest] == 1:
            return members[0], members[1], 1.0
        return int(first[lowest]), int(second[lowest]), float(scores[lowest])
