"""Facts of two near-duplicates that stand in the same place, and which of them differ.

Two facts stand in the same place when words around them agree. A fact that only one text says is
missing in the other, which is no contradiction. Two texts contradict each other where most of the
facts in the same place differ.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reducepp.evidence.facts.aligned_facts import MIN_DIFFERENT, AlignedFacts
from reducepp.evidence.facts.fact_places import Place, context_of
from reducepp.evidence.facts.fact_text import FactText
from reducepp.evidence.facts.fact_values import Quantity
from reducepp.evidence.facts.fact_words import fact_words
from reducepp.evidence.facts.renamings import Renaming
from reducepp.text.tokenise import normalise
from reducepp.types import Array, Integers

MOST = 0.5
"""Share of the facts in the same place from which on two texts are about different things."""
MIN_RENAMED = 3
"""A name that is replaced so often is another subject: less may be a source or a slip."""
RENAMED_SHARE = 0.2
"""The same where the texts name another subject."""
OTHER_ITEM_SHARE = 0.25
"""The same where the number of a document, an article or a case differs."""
WORDS_PER_DIFFERENCE = 120
"""A text of so many words more needs one difference more: few in a long text are an update, a
counter or a version in its frame. Texts of other events and items differ every 25 words."""
MAX_ITEM_WORDS, WORDS_PER_FIGURE = 500, 10
"""Texts with more words in common are documents, in which tables of figures are new in each
version: of the words beyond, one in so many must be a figure that differs, as in a list of rates.
Of labelled pages, other events and items share 386 words at most, documents 1,283 and more."""
MIN_SHARED = 0.5
"""Share of the shorter text that must stand in the other: only near-duplicates contradict."""
SAME_TEXT = 0.8
"""Share of the longer text that must stand in the other for both to be called the same text: that
of the level `strong`, which is a share of the shorter text."""
SHOWN = 3
"""Differences named in a summary."""
MIN_LABEL_LETTERS = 4
"""Shorter words say nothing about a figure."""
_SENTENCE_END = re.compile(r"[.!?؟…。](?=\s)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDifference:
    """Two facts in the same place that contradict each other, as written."""

    a: str
    b: str
    context: str
    """Words around the place that both texts share, "…" for the fact."""
    label: str
    """The word of the context that says best what the figures are; "" for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactComparison:
    """What the facts of two texts have in common."""

    same: int
    """How many facts in the same place say the same."""
    differ: tuple[FactDifference, ...]
    only_a: tuple[str, ...]
    """Facts that b says nowhere, in a's order; missing is not contradicting."""
    only_b: tuple[str, ...]
    renamed: tuple[Renaming, ...] = ()
    """Names in the same place that differ, the most frequent first."""
    shared: float = 0.0
    """Words and facts in the same place of both texts, as a share of the shorter one, in [0, 1]."""
    shared_of_longer: float = 0.0
    """The same of the longer text."""
    contradicts: bool = False
    """Whether most of the facts in the same place differ (`contradicts`)."""

    @property
    def differs(self) -> bool:
        """Whether a figure, a date or a name in the same place differs."""
        return bool(self.differ or self.renamed)


def describe_facts(found: AlignedFacts) -> FactComparison:
    """What the facts of two texts have in common, as written."""
    aligned = [*found.same, *found.differ]
    only = (
        tuple(_only(found.a, found.b, {place.i for place in aligned})),
        tuple(_only(found.b, found.a, {place.j for place in aligned})),
    )
    return FactComparison(
        same=len(found.same),
        differ=tuple(_describe(found, place) for place in found.differ),
        only_a=only[found.exchanged],
        only_b=only[not found.exchanged],
        renamed=found.renamed,
        shared=found.shared,
        shared_of_longer=found.shared_of_longer,
        contradicts=contradicts(found),
    )


def _only(text: FactText, other: FactText, aligned: set[int]) -> Iterator[str]:
    """Facts without a fact in the same place, whose value the other text says nowhere."""
    for i, fact in text.facts.items():
        if fact.counts and i not in aligned and other.values.isdisjoint(map(str, fact.readings)):
            yield fact.text


def words_around(found: AlignedFacts, place: Place) -> tuple[str, str]:
    """Words before and after a place that both texts share, within a sentence."""
    a, b, (before, after) = found.a, found.b, context_of(found.a, place)
    offsets = place.before[1] - place.before[0], place.after[1] - place.after[0]
    head = _written(a, b, _nearest_words(a, before[::-1])[::-1], offsets[0], last=True)
    tail = _written(a, b, _nearest_words(a, after), offsets[1], last=False)
    head = _SENTENCE_END.split(head)[-1].strip() or head
    return head, _SENTENCE_END.split(tail)[0].strip() or tail


def _describe(found: AlignedFacts, place: Place) -> FactDifference:
    around, (one, other) = words_around(found, place), found.written(place)
    label = _label(found.a, place.i, *around)
    return FactDifference(a=one, b=other, context=" … ".join(around).strip(), label=label)


def _is_count(text: FactText, unit: int) -> bool:
    """Whether a fact is a whole number without a unit, right before a word."""
    value, end = text.facts[unit].readings[0], text.span(unit)[1]
    follows = unit + 1 not in text.facts and text.text[end : end + 2].strip()[:1].isalpha()
    whole = isinstance(value, Quantity) and not value.dimension and value.number.is_integer()
    return follows and whole


def _nearest_words(a: FactText, units: Sequence[int]) -> list[int]:
    """The first units in a row that are words."""
    words: list[int] = []
    for i in units:
        if i not in a.facts:
            words.append(i)
        elif words:
            break
    return words


def _written(a: FactText, b: FactText, units: list[int], offset: int, *, last: bool) -> str:
    """Words as both texts write them, but for case and white space; shortened where they do not."""
    while units:
        here = a.written(units[0], units[-1])
        there = b.written(units[0] + offset, units[-1] + offset)
        if here.lower() == there.lower():
            return here
        units = units[1:] if last else units[:-1]
    return ""


def _label(text: FactText, unit: int, head: str, tail: str) -> str:
    """The nearest word that says what a fact is: behind a count what is counted, else before it.

    Words before another fact that stands between belong to that one. "people" says little, but
    more than what follows it.
    """
    before, after = [] if unit - 1 in text.facts else head.split()[::-1], tail.split()
    near = [*after[:1], *before] if _is_count(text, unit) else before
    empty, unspecific = fact_words().empty, fact_words().unspecific
    for words, says_nothing in ((near, empty), (after, empty - unspecific)):
        for plain in (word.strip(".,;:!?()[]«»\"'،؛") for word in words):
            telling = len(plain) >= MIN_LABEL_LETTERS and plain.isalpha()
            if telling and normalise(plain) not in says_nothing:
                return plain
    return ""


def contradicts(found: AlignedFacts, differ: int | None = None) -> bool:
    """Whether most of the facts that stand in the same place contradict each other.

    Facts count once however often they are repeated; `differ` is how many do, where not all that
    differ count. Where the texts also name another subject throughout, most of their names differ,
    or the number of a document does, fewer contradictions are enough.
    """
    if found.shared < MIN_SHARED:
        return False
    differ, same = found.distinct_differ if differ is None else differ, found.distinct_same
    needed = least_differences(found.shared_words)
    if differ >= needed and differ > MOST * (differ + same):
        return True  # names only make it likelier, and take longer
    differ += len(found.renamed) if found.other_names else 0
    often = any(name.times >= MIN_RENAMED for name in found.renamed)
    share = OTHER_ITEM_SHARE if found.other_item else MOST
    share = RENAMED_SHARE if found.other_names or often else share
    return bool(differ >= needed) and differ > share * (differ + same)


def least_differences(shared_words: Array | Integers | int) -> Array:
    """Differences that texts with so many words in common need to contradict each other."""
    beyond = (shared_words - MAX_ITEM_WORDS) / WORDS_PER_FIGURE
    found: Array = np.maximum(shared_words / WORDS_PER_DIFFERENCE, beyond)
    return np.maximum(found, MIN_DIFFERENT)


def facts_to_dict(comparison: FactComparison) -> dict[str, Any]:
    """What two texts have in common as plain data, with a summary of what differs."""
    return {
        "same": comparison.same,
        "differ": [{"a": d.a, "b": d.b, "context": d.context} for d in comparison.differ],
        "only_a": list(comparison.only_a),
        "only_b": list(comparison.only_b),
        "summary": summarise(comparison),
    }


def summarise(comparison: FactComparison) -> str:
    """What differs in one line, "" for nothing.

    For example "same text, other figures: 12 / 950 killed, 300 / 7000 hurt"; "same text" is said
    from SAME_TEXT on.
    """
    said = []
    for what, items in differences(comparison).items():
        named = [f"{a} / {b} {label}".strip() for a, b, label in items[:SHOWN]]
        named += [f"and {len(items) - SHOWN} more"] if len(items) > SHOWN else []
        said.append(f"{what}: {', '.join(named)}")
    same = "same text, " if said and comparison.shared_of_longer >= SAME_TEXT else ""
    return same + "; ".join(said)


def differences(comparison: FactComparison) -> dict[str, list[tuple[str, str, str]]]:
    """`other names` and `other figures` as (in a, in b, what it is); without what is equal."""
    names = [(name.a, name.b, "") for name in comparison.renamed]
    figures = dict.fromkeys((differ.a, differ.b, differ.label) for differ in comparison.differ)
    found = {"other names": names, "other figures": list(figures)}
    return {what: items for what, items in found.items() if items}
