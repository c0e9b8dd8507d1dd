"""Units of two near-duplicates in the same place, and the facts among them.

Texts are aligned by the fewest edits of their units (RapidFuzz): first with facts by their values,
so that a row inserted into a table shifts none, then what lies between with facts as wildcards. A
run of a few equal units is chance unless it touches a block or stands in a small gap.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reducepp.evidence.facts.fact_text import FactText

Block = tuple[int, int, int]
"""Units from the first place in a and the second in b on are equal, as many as the third."""
Gap = tuple[int, int, int, int]
"""From and to in a, from and to in b."""

STEPS = (("units", 4, math.inf), ("shapes", 3, math.inf), ("shapes", 1, 30))
"""What is aligned, the shortest run of equal units that counts, and the largest gap looked at."""
MAX_UNITS = 40_000
"""What lies beyond is not aligned: more than the words that facts are read from, half a second."""

SAME_PLACE = 8
"""Facts in a gap of so many units or fewer, between words that agree, stand in the same place."""
CONTEXT_UNITS = 4
"""How far from a fact the words of its context stand, in units."""
MIN_CONTEXT_WORDS = 2
"""Words that must agree around two facts in the same place."""
MOVED_UNITS = 2
"""Units on each side that must agree around facts that stand elsewhere in the order of the text."""


@dataclass(frozen=True, slots=True)
class Place:
    """Units i of a and j of b in the same place, and the units that both share around it."""

    i: int
    j: int
    before: Block
    after: Block


def align_units(a: FactText, b: FactText) -> list[Block]:
    """Blocks of equal units in the order of both texts; a fact equals any fact of its place."""
    if a.shapes == b.shapes:
        return [(0, 0, len(a.units))] if a.units else []
    whole = (0, min(len(a.units), MAX_UNITS), 0, min(len(b.units), MAX_UNITS))
    blocks: list[Block] = []
    for name, shortest, largest in STEPS:
        found = list(blocks)
        for gap in find_gaps(blocks, whole):
            if max(gap[1] - gap[0], gap[3] - gap[2]) <= largest:
                found += _equal_runs(getattr(a, name), getattr(b, name), gap, shortest)
        blocks = _join(sorted(found))
    return blocks


def _equal_runs(a: Sequence[str], b: Sequence[str], gap: Gap, shortest: int) -> Iterator[Block]:
    """Runs of equal units in a gap; those at its start and end may be of any length."""
    from rapidfuzz.distance import Levenshtein

    i1, i2, j1, j2 = gap
    for step in Levenshtein.opcodes(a[i1:i2], b[j1:j2]) if i1 < i2 and j1 < j2 else ():
        i, j, length = i1 + step.src_start, j1 + step.dest_start, step.src_end - step.src_start
        at_edge = (i, j) == (i1, j1) or (i + length, j + length) == (i2, j2)
        if step.tag == "equal" and (length >= shortest or at_edge):
            yield i, j, length


def _join(blocks: Sequence[Block]) -> list[Block]:
    """Blocks that follow each other without a gap are one."""
    joined: list[Block] = []
    for i, j, length in blocks:
        if joined and (i, j) == (joined[-1][0] + joined[-1][2], joined[-1][1] + joined[-1][2]):
            joined[-1] = (*joined[-1][:2], joined[-1][2] + length)
        else:
            joined.append((i, j, length))
    return joined


def find_gaps(blocks: Sequence[Block], whole: Gap) -> Iterator[Gap]:
    """What lies before, between and after the blocks; some gaps are empty."""
    i, end_i, j, end_j = whole
    for first, second, length in (*blocks, (end_i, end_j, 0)):
        yield i, first, j, second
        i, j = first + length, second + length


def same_places(a: FactText, b: FactText, blocks: Sequence[Block]) -> list[Place]:
    """Facts in the same place, each fact at most once, in the order of a."""
    places = [place for place in _in_order(a, b, blocks) if _has_context(a, place)]
    places += _moved(a, b, places)
    return sorted(places, key=lambda place: place.i)


def _in_order(a: FactText, b: FactText, blocks: Sequence[Block]) -> Iterator[Place]:
    """Facts at equal places of a block, or together in a small gap."""
    none = (0, 0, 0)
    before, after = [none, *blocks], [*blocks, none]
    for number, gap in enumerate(find_gaps(blocks, (0, len(a.units), 0, len(b.units)))):
        for i, j in _pairs_in_gap(a, b, gap):
            yield Place(i, j, before[number], after[number])
        first, second, length = after[number]
        for i in _facts_between(a, first, first + length):
            k = i - first
            left, right = (first, second, k), (i + 1, second + k + 1, length - k - 1)
            yield Place(i, second + k, left, right)


def _facts_between(text: FactText, start: int, end: int) -> list[int]:
    first, last = bisect_left(text.places, start), bisect_left(text.places, end)
    return list(text.places[first:last])


def _pairs_in_gap(a: FactText, b: FactText, gap: Gap) -> list[tuple[int, int]]:
    """Facts of both texts in a small gap, in order; of unequally many only those that agree."""
    i1, i2, j1, j2 = gap
    if i1 == i2 or j1 == j2 or max(i2 - i1, j2 - j1) > SAME_PLACE:
        return []
    facts_a, facts_b = _facts_between(a, i1, i2), _facts_between(b, j1, j2)
    if len(facts_a) == len(facts_b):
        return list(zip(facts_a, facts_b, strict=True))
    pairs: list[tuple[int, int]] = []
    for i in facts_a:
        free = [j for j in facts_b if not pairs or j > pairs[-1][1]]
        agreeing = [j for j in free if a.facts[i].agrees_with(b.facts[j])]
        pairs += [(i, j) for j in agreeing[:1]]
    return pairs


def _moved(a: FactText, b: FactText, places: Iterable[Place]) -> Iterator[Place]:
    """Facts not in the same place so far, with a context that only they have."""
    places = list(places)
    left = _by_context(a, {place.i for place in places})
    right = _by_context(b, {place.j for place in places})
    reach = MOVED_UNITS
    for context in left.keys() & right.keys():
        i, j = left[context], right[context]
        if i >= 0 and j >= 0:
            place = Place(i, j, (i - reach, j - reach, reach), (i + 1, j + 1, reach))
            if _has_context(a, place):
                yield place


def _by_context(text: FactText, taken: set[int]) -> dict[tuple[str, ...], int]:
    """Context of each fact that is not taken to its place; -1 where several facts share it."""
    found: dict[tuple[str, ...], int] = {}
    for i in text.places:
        if i not in taken and MOVED_UNITS <= i < len(text.units) - MOVED_UNITS:
            context = text.shapes[i - MOVED_UNITS : i + MOVED_UNITS + 1]
            found[context] = -1 if context in found else i
    return found


def context_of(a: FactText, place: Place) -> tuple[range, range]:
    """Units of a that both texts share, up to CONTEXT_UNITS before and after a place."""
    end = place.before[0] + place.before[2]
    start = place.after[0]
    before = range(max(place.before[0], end - CONTEXT_UNITS), end)
    return before, range(start, start + min(place.after[2], CONTEXT_UNITS))


def _has_context(a: FactText, place: Place) -> bool:
    before, after = context_of(a, place)
    words = sum(i not in a.facts for i in (*before, *after))
    return words >= MIN_CONTEXT_WORDS
