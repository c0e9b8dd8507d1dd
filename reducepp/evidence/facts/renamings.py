"""Names in the same place of two near-duplicates that differ: another place, person or product."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reducepp.evidence.facts.fact_places import Block, Gap, find_gaps
from reducepp.evidence.facts.fact_text import MAX_READ_TEXTS, FactText
from reducepp.evidence.facts.fact_words import fact_words

LONGEST_NAME = 4
"""Words of a name."""
CASELESS_TIMES = 3
"""In scripts without capitals, a word that is replaced so often in the same way is a name."""
MIN_SHARE = 2 / 3
"""Share of the places of a name, of those that differ, in which the other stands."""
_SENTENCE_ENDS = frozenset('.!?؟…。:\n•|>»”"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Renaming:
    """A name in a, the one in its place in b, and how often."""

    a: str
    b: str
    times: int


def find_renamings(a: FactText, b: FactText, blocks: Sequence[Block]) -> tuple[Renaming, ...]:
    """Names in the same place, the most frequent first.

    Names are words with a capital inside of a sentence, in scripts that have capitals.
    """
    gaps: dict[tuple[str, str], list[Gap]] = {}
    for gap in find_gaps(blocks, (0, len(a.units), 0, len(b.units))):
        i1, i2, j1, j2 = gap
        if 0 < i2 - i1 <= LONGEST_NAME and 0 < j2 - j1 <= LONGEST_NAME:
            names = " ".join(a.units[i1:i2]), " ".join(b.units[j1:j2])
            gaps.setdefault(names, []).append(gap)
    left, right = (Counter(names[side] for names in gaps for _ in gaps[names]) for side in (0, 1))
    found = [
        _written(a, b, places)
        for (one, other), places in gaps.items()
        if len(places) >= MIN_SHARE * max(left[one], right[other])
        and not _are_variants(one, other)
        and _are_names(a, b, places)
    ]
    return tuple(sorted(found, key=lambda name: (-name.times, name.a, name.b)))


def count_names(text: FactText, blocks: Sequence[Block]) -> int:
    """Distinct names of one word among the units of the blocks."""
    names = _name_places(text)
    within = (
        names[bisect_left(names, first) : bisect_left(names, first + length)]
        for first, _, length in blocks
    )
    return len({text.units[i] for places in within for i in places})


@lru_cache(maxsize=MAX_READ_TEXTS)
def _name_places(text: FactText) -> tuple[int, ...]:
    """Units inside of a sentence that are a name of one word."""
    units = range(len(text.units))
    return tuple(i for i in units if _is_inside(text, i) and _is_name(text, i, i + 1, 1))


def _are_variants(one: str, other: str) -> bool:
    """Ways to write the same: US and U S, organisation and organization, plural and singular."""
    one, other = one.replace(" ", ""), other.replace(" ", "")
    half = -(-min(len(one), len(other)) // 2)
    return one[:half] == other[:half] or one[-half:] == other[-half:]


def _are_names(a: FactText, b: FactText, places: Sequence[Gap]) -> bool:
    """Whether both sides of all places are names, and one of them stands inside of a sentence."""
    return (
        all(_is_name(a, i1, i2, len(places)) for i1, i2, _, _ in places)
        and all(_is_name(b, j1, j2, len(places)) for _, _, j1, j2 in places)
        and any(_is_inside(a, gap[0]) and _is_inside(b, gap[2]) for gap in places)
    )


def _is_name(text: FactText, first: int, end: int, times: int) -> bool:
    """No facts, one sentence; a capital at the start and the end, where the script has any.

    A title or a kind of place may begin it (rue du Moulin); where the script has no capitals, one
    of these begins it or goes before it.
    """
    cues = fact_words().name_cues
    if any(i in text.facts for i in range(first, end)) or not _is_whole(text, first, end):
        return False
    letters = [text.text[text.span(i)[0]] for i in (first, end - 1)]
    has_cue = text.units[first] in cues and end - first > 1
    if any(letter.islower() or letter.isupper() for letter in letters):
        return letters[1].isupper() and (letters[0].isupper() or has_cue)
    is_announced = first > 0 and text.units[first - 1] in cues
    is_cue = text.units[end - 1] in cues
    return times >= CASELESS_TIMES or ((has_cue or is_announced) and not is_cue)


def _is_whole(text: FactText, first: int, end: int) -> bool:
    """No single letter or title ("Mr"), and no sentence ends inside: only initials have points."""
    if end - first == 1:
        unit = text.units[first]
        return unit not in fact_words().name_cues and (len(unit) > 1 or not unit.isascii())
    return all(_is_inside(text, i) or len(text.units[i - 1]) == 1 for i in range(first + 1, end))


def _is_inside(text: FactText, unit: int) -> bool:
    """Whether a word goes before it in the same sentence."""
    before = text.text[text.span(unit - 1)[1] : text.span(unit)[0]] if unit else "\n"
    return _SENTENCE_ENDS.isdisjoint(before)


def _written(a: FactText, b: FactText, places: Sequence[Gap]) -> Renaming:
    i1, i2, j1, j2 = places[0]
    return Renaming(a=a.written(i1, i2 - 1), b=b.written(j1, j2 - 1), times=len(places))
