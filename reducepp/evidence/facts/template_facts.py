"""Pages of one template: which pairs contradict each other for certain, without aligning each.

Every page is aligned with one of them, the pivot. Facts that two pages have in the same place of
the pivot stand in the same place of these pages. A pair is certain only where its facts contradict
by far, with all that may be otherwise taken for agreement; any other pair is to be aligned.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from reducepp.evidence.facts.aligned_facts import DECIMALS_OF_NUMBERS, AlignedFacts
from reducepp.evidence.facts.fact_comparison import MIN_SHARED, MOST, least_differences
from reducepp.evidence.facts.fact_text import Fact, FactText
from reducepp.evidence.facts.fact_values import LARGEST_APPROXIMATION, Clock, Code, Day, Quantity

MARGIN = 0.1
"""By how much shares are exceeded: two pages themselves may be aligned a little worse."""
MIN_TEMPLATE_PAGES = 16
"""The pairs of fewer pages are aligned one by one in little time."""
MAX_TEMPLATE_PAGES = 4000
"""Of more pages none is certain: the result has a byte for every pair."""
MAX_PIVOTS = 8
"""Templates that are looked for."""

Bools = NDArray[np.bool_]
Reader = Callable[[int], FactText]
"""Text of a number: they are read one by one, as all of them may not fit into memory."""
MayBeFramed = Callable[[int, str], bool]
"""Whether a fact of a text, by its number, may belong to the frame of the set (PageFrame)."""


def certain_contradictions(n: int, read: Reader, may_be_framed: MayBeFramed) -> Bools:
    """n×n: which texts contradict each other for certain; False says nothing."""
    left = list(range(n)) if n <= MAX_TEMPLATE_PAGES else []
    found = np.zeros((len(left), len(left)), dtype=bool)
    for _ in range(MAX_PIVOTS):
        if len(left) < MIN_TEMPLATE_PAGES:
            break
        template = _Template(read, left, may_be_framed)
        if np.count_nonzero(template.fits) < MIN_TEMPLATE_PAGES:
            break  # texts that have no template in common
        for row, number in enumerate(left):
            found[number, left[row + 1 :]] = template.contradicting(row)
        left = [number for number, fits in zip(left, template.fits, strict=True) if not fits]
    return found | found.T


class _Template:
    """Facts of texts by their places in the pivot, which has the most of the first few texts: a row
    for each text."""

    def __init__(self, read: Reader, numbers: Sequence[int], may_be_framed: MayBeFramed) -> None:
        pivot = max(map(read, numbers[:MIN_TEMPLATE_PAGES]), key=lambda text: len(text.places))
        shape = len(numbers), len(pivot.places)
        self._slots = {unit: slot for slot, unit in enumerate(pivot.places)}
        self._kinds: dict[tuple[object, ...], int] = {}
        self._codes: dict[str, int] = {}
        self._covered = np.zeros((len(numbers), len(pivot.units)), dtype=np.float32)
        self._lengths = np.zeros(len(numbers), dtype=np.int64)
        self._beyond = np.zeros(len(numbers), dtype=np.int64)
        """Facts that the pivot does not have."""
        self._has, self._repeated, self._framed = (np.zeros(shape, dtype=bool) for _ in range(3))
        self._kind = np.zeros(shape, dtype=np.int32)
        """0 where agreement is never certain; facts of one kind can be compared by their number."""
        self._number = np.zeros(shape)
        for row, number in enumerate(numbers):
            self._add(row, pivot, read(number), partial(may_be_framed, number))
        exact, plain = zip((False, False), *map(_rule, self._kinds), strict=True)
        self._exact, self._plain = np.array(exact), np.array(plain)
        self.fits = self._covered.sum(axis=1) >= (MIN_SHARED + MARGIN) * self._lengths

    def _add(
        self, row: int, pivot: FactText, text: FactText, may_be_framed: Callable[[str], bool]
    ) -> None:
        found, seen = AlignedFacts(pivot, text), set[str]()
        self._lengths[row] = max(1, len(text.units))
        for block in found.blocks:
            first = block[found.exchanged]
            self._covered[row, first : first + block[2]] = 1
        for place in (*found.same, *found.differ):
            unit, own = (place.j, place.i) if found.exchanged else (place.i, place.j)
            fact, at = text.facts[own], (row, self._slots[unit])
            kind, self._number[at] = _number_of(fact, self._codes)
            self._kind[at] = self._kinds.setdefault(kind, len(self._kinds) + 1) if kind else 0
            self._has[at], self._framed[at] = True, may_be_framed(fact.text)
            self._repeated[at] = text.units[own] in seen
            seen.add(text.units[own])
        counted = sum(fact.counts for fact in text.facts.values())
        self._beyond[row] = counted - len(found.same) - len(found.differ)

    def contradicting(self, row: int) -> Bools:
        """Which of the texts after one contradict it for certain."""
        others = slice(row + 1, None)
        both = self._has[others] & self._has[row]
        differ = both & self._differ(row)
        doubtful = (both & self._framed[others] & self._framed[row]).sum(axis=1)
        beyond = np.minimum(self._beyond[others], self._beyond[row])
        certain = self._count(row, differ) - doubtful - beyond
        agreeing = (both & ~differ).sum(axis=1) + beyond
        lengths = np.minimum(self._lengths[others], self._lengths[row])
        shared = self._covered[others] @ self._covered[row] >= (MIN_SHARED + MARGIN) * lengths
        enough = certain > least_differences(lengths)
        result: Bools = shared & enough & (certain > (MOST + MARGIN) * (certain + agreeing))
        return result

    def _differ(self, row: int) -> Bools:
        """Facts in each slot of the texts after one that cannot agree with its own."""
        kind, number = self._kind[row], self._number[row]
        others, numbers = self._kind[row + 1 :], self._number[row + 1 :]
        allowed = LARGEST_APPROXIMATION * np.maximum(np.abs(numbers), np.abs(number))
        allowed = np.where(self._exact[kind], 0, allowed)
        result: Bools = (others == kind) & (kind > 0) & (np.abs(numbers - number) > allowed)
        return result

    def _count(self, row: int, differ: Bools) -> NDArray[np.int64]:
        """At least so many differences are distinct; numbers that moved by the same count once."""
        plain = self._plain[self._kind[row]]
        moved = np.where(differ & plain, self._number[row + 1 :] - self._number[row], np.nan)
        moved = np.sort(moved.round(DECIMALS_OF_NUMBERS), axis=1)
        known = np.isfinite(moved)
        first = known.copy()
        first[:, 1:] &= moved[:, 1:] != moved[:, :-1]
        others = differ & ~plain & ~self._repeated[row]
        result: NDArray[np.int64] = first.sum(axis=1) + others.sum(axis=1)
        return result


def _number_of(fact: Fact, codes: dict[str, int]) -> tuple[tuple[object, ...], float]:
    """Kind of a fact and its number among those of the kind; an empty kind for other facts.

    Facts of one kind agree only when their numbers do, or nearly (`_rule`).
    """
    value = fact.readings[0]
    if len(fact.readings) > 1 or (isinstance(value, Code) and value.is_phone):
        return (), 0.0
    if isinstance(value, Quantity):
        exact = value.exact or fact.identifies
        return (Quantity, exact, value.dimension, value.unit, fact.identifies), value.number
    if isinstance(value, Code):
        number = codes.setdefault(value.text, len(codes))
        return (Code, True, "code", fact.identifies), float(number)
    if isinstance(value, Clock):
        return (Clock, True, "time", value.marked, value.zone), float(value.seconds)
    if value.ambiguous:
        return (), 0.0
    said = bool(value.year), bool(value.month), bool(value.day)
    day = 10_000 * value.year + 100 * value.month + value.day
    return (Day, True, "date", value.calendar, *said), float(day)


def _rule(kind: tuple[object, ...]) -> tuple[bool, bool]:
    """Whether facts of a kind agree only when they are equal, and whether they are numbers without
    a unit."""
    return bool(kind[1]), not kind[2]
