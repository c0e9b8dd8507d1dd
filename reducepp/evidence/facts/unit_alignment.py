"""Units of two near-duplicates in the same place: patience diff, with facts as wildcards.

Runs of units that occur once in both texts are anchors; the longest chain of anchors in the order
of both texts is kept and extended to blocks. What lies between two blocks is aligned again with
shorter runs, in which any two facts of a kind stand for each other. Every step is linear in the
two texts but for the chain, which takes n log n.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from reducepp.evidence.facts.fact_text import DATE_PLACE, QUANTITY_PLACE, FactText

Block = tuple[int, int, int]
"""Units from the first place in a and the second in b on are equal, as many as the third."""
Gap = tuple[int, int, int, int]
"""From and to in a, from and to in b."""
Units = Sequence[str]

_PLACES = (QUANTITY_PLACE, DATE_PLACE)
ANCHOR_UNITS = 4
"""Units in a row that make an anchor, facts by their values."""
SHAPE_UNITS = (3, 1)
"""Units in a row that make an anchor between two blocks, facts by their places."""
LARGEST_GAP = 400
"""Single words are anchors only in gaps of so many units or fewer."""
SMALL_GAP = 30
"""A gap of so many units or fewer is aligned for its names, even if it holds no facts."""


def align_units(a: FactText, b: FactText) -> list[Block]:
    """Blocks of equal units in the order of both texts; a fact equals any fact of its place."""
    whole = (0, len(a.units), 0, len(b.units))
    if a.shapes == b.shapes:
        return [(0, 0, len(a.units))] if a.units else []
    inner, blocks = _trim(a.units, b.units, whole)
    blocks = _join(sorted(blocks + _blocks(a.units, b.units, inner, ANCHOR_UNITS)))
    for length in SHAPE_UNITS:
        gaps = find_gaps(blocks, whole)
        more = [block for gap in gaps for block in _fill_gap(a.shapes, b.shapes, gap, length)]
        blocks = _join(sorted(blocks + more))
    return blocks


def _join(blocks: Sequence[Block]) -> list[Block]:
    """Blocks that follow each other without a gap are one."""
    joined: list[Block] = []
    for i, j, length in blocks:
        if joined and (i, j) == (joined[-1][0] + joined[-1][2], joined[-1][1] + joined[-1][2]):
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + length)
        else:
            joined.append((i, j, length))
    return joined


def find_gaps(blocks: Sequence[Block], whole: Gap) -> Iterator[Gap]:
    """What lies before, between and after the blocks; some gaps are empty."""
    i, end_i, j, end_j = whole
    for first, second, length in (*blocks, (end_i, end_j, 0)):
        yield i, first, j, second
        i, j = first + length, second + length


def _fill_gap(a: Units, b: Units, gap: Gap, length: int) -> list[Block]:
    """Blocks in a gap: its start, its end, and between them if it is small or holds facts."""
    inner, found = _trim(a, b, gap)
    small, size = sorted((inner[1] - inner[0], inner[3] - inner[2]))
    if small < length:
        return found
    has_facts = _has_fact(a, *inner[:2]) and _has_fact(b, *inner[2:])
    if size <= SMALL_GAP or (has_facts and (length > 1 or size <= LARGEST_GAP)):
        found += _blocks(a, b, inner, length)
    return found


def _trim(a: Units, b: Units, gap: Gap) -> tuple[Gap, list[Block]]:
    """A gap without what is equal at its start and its end, and the blocks of that."""
    i1, i2, j1, j2 = gap
    start = _run_ahead(a, b, gap)
    end = _run_back(a, b, (i1 + start, i2, j1 + start, j2))
    edges = [(i1, j1, start), (i2 - end, j2 - end, end)]
    return (i1 + start, i2 - end, j1 + start, j2 - end), [block for block in edges if block[2]]


def _has_fact(shapes: Units, start: int, end: int) -> bool:
    part = shapes[start:end]
    return QUANTITY_PLACE in part or DATE_PLACE in part


def _run_ahead(a: Units, b: Units, gap: Gap) -> int:
    """How many units are equal from the start of a gap on."""
    i, end_i, j, end_j = gap
    return equal_run(min(end_i - i, end_j - j), lambda s, e: a[i + s : i + e] == b[j + s : j + e])


def _run_back(a: Units, b: Units, gap: Gap) -> int:
    """How many units are equal before the end of a gap."""
    i, end_i, j, end_j = gap
    return equal_run(
        min(end_i - i, end_j - j),
        lambda s, e: a[end_i - e : end_i - s] == b[end_j - e : end_j - s],
    )


def equal_run(most: int, equal: Callable[[int, int], bool]) -> int:
    """How far two sequences are equal, `most` at most; `equal` compares them from one place to
    another. In steps that grow as long as all is equal: slices are compared faster than units."""
    length, step, grows = 0, 1, True
    while length < most and step:
        end = min(length + step, most)
        if equal(length, end):
            length = end
        else:
            grows = False
        step = 2 * step if grows else step // 2
    return length


def _blocks(a: Units, b: Units, gap: Gap, length: int) -> list[Block]:
    """Anchors of `length` units in a gap, extended over equal units to both sides."""
    low_i, high_i, low_j, high_j = gap
    blocks: list[Block] = []
    for i, j in _anchors(a, b, gap, length):
        if i < low_i or j < low_j:  # part of the block before
            continue
        back = _run_back(a, b, (low_i, i, low_j, j))
        ahead = _run_ahead(a, b, (i, high_i, j, high_j))
        blocks.append((i - back, j - back, back + ahead))
        low_i, low_j = i + ahead, j + ahead
    return blocks


def _anchors(a: Units, b: Units, gap: Gap, length: int) -> list[tuple[int, int]]:
    """Places of runs that occur once in both parts of a gap, in the order of both."""
    i1, i2, j1, j2 = gap
    first_a, last_a = _find_runs(a[i1:i2], length)
    first_b, last_b = _find_runs(b[j1:j2], length)
    pairs = [
        (first_a[run] + i1, first_b[run] + j1)
        for run in last_a.keys() & last_b.keys()
        if first_a[run] == last_a[run]
        and first_b[run] == last_b[run]
        and (run[0][0] not in _PLACES or _has_word(run))
    ]
    return _longest_chain(sorted(pairs))


Runs = dict[tuple[str, ...], int]


def _find_runs(units: Units, length: int) -> tuple[Runs, Runs]:
    """First and last place of each run of units."""
    runs = list(zip(*(units[k:] for k in range(length)), strict=False))
    last = dict(zip(runs, range(len(runs)), strict=True))
    if len(last) == len(runs):
        return last, last
    return dict(zip(reversed(runs), range(len(runs) - 1, -1, -1), strict=True)), last


def _has_word(run: tuple[str, ...]) -> bool:
    """Facts alone are no anchor: rows of figures look alike."""
    return any(unit[0] not in _PLACES for unit in run)


def _longest_chain(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of pairs, sorted by i, in which j rises too (patience sorting)."""
    second = [j for _, j in pairs]
    if second == sorted(second):  # nothing was moved: as good as always
        return list(pairs)
    tails: list[int] = []
    heads: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        place = bisect_left(tails, j)
        before.append(heads[place - 1] if place else -1)
        tails[place : place + 1] = [j]
        heads[place : place + 1] = [number]
    chain = []
    number = heads[-1] if heads else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]
