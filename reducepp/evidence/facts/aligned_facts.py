"""Facts of two texts in the same place that say the same, and those that differ.

What only an explanation needs (contexts, names) is computed when it is read: of the pages of
one template every pair is compared, and most of them are never shown.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from functools import cached_property

from reducepp.evidence.facts.fact_places import Place, align_units, same_places
from reducepp.evidence.facts.fact_text import FactText
from reducepp.evidence.facts.fact_values import Quantity
from reducepp.evidence.facts.renamings import Renaming, count_names, find_renamings

MIN_DIFFERENT = 2
"""Fewer differences than this are a correction or a slip, never another event or item."""
MIN_RENUMBERED = 3
"""So many numbers that all differ by the same were renumbered, which is one difference."""
DECIMALS_OF_NUMBERS = 6


class AlignedFacts:
    """The facts of two texts that stand in the same place."""

    def __init__(self, a: FactText, b: FactText) -> None:
        """White space changes no fact, also where it breaks a number from its unit."""
        if a.code == b.code and a.text.split() == b.text.split():
            b = a
        self.exchanged = a.text > b.text
        """Whether `a` and `b` are exchanged: one order, so that ties are broken the same way."""
        self.a, self.b = (b, a) if self.exchanged else (a, b)
        self.blocks = align_units(self.a, self.b)
        self.same: list[Place] = []
        self.differ: list[Place] = []
        for place in same_places(self.a, self.b, self.blocks):
            one, other = self.a.facts[place.i], self.b.facts[place.j]
            verdict = one.agrees_with(other) if one.counts and other.counts else None
            if verdict is not None:
                (self.same if verdict else self.differ).append(place)

    def written(self, place: Place) -> tuple[str, str]:
        """Both facts of a place as written, that of the first text first."""
        one, other = self.a.facts[place.i].text, self.b.facts[place.j].text
        return (other, one) if self.exchanged else (one, other)

    @cached_property
    def shared_words(self) -> int:
        """Words and facts in the same place of both texts."""
        return sum(length for _, _, length in self.blocks)

    @property
    def shared(self) -> float:
        """`shared_words` as a share of the shorter text, in [0, 1]."""
        return self.shared_words / max(1, min(len(self.a.units), len(self.b.units)))

    @property
    def shared_of_longer(self) -> float:
        """`shared_words` as a share of the longer text, in [0, 1]."""
        return self.shared_words / max(1, len(self.a.units), len(self.b.units))

    @cached_property
    def renamed(self) -> tuple[Renaming, ...]:
        """Names in the same place that differ, the most frequent first."""
        found = find_renamings(self.a, self.b, self.blocks)
        return tuple(replace(n, a=n.b, b=n.a) for n in found) if self.exchanged else found

    @cached_property
    def other_names(self) -> bool:
        """Whether most of the names in the same place differ, and at least two do."""
        found = len(self.renamed)
        return found >= MIN_DIFFERENT and count_names(self.a, self.blocks) < found

    @property
    def other_item(self) -> bool:
        """Whether the numbers of two documents, articles or cases differ."""
        a, b = self.a.facts, self.b.facts
        return any(a[p.i].identifies and b[p.j].identifies for p in self.differ)

    @cached_property
    def distinct_same(self) -> int:
        """How many values are the same."""
        return len({self.a.units[place.i] for place in self.same})

    @cached_property
    def distinct_differ(self) -> int:
        """Distinct pairs of values that differ; chapters or items renumbered count once."""
        a, b = self.a, self.b
        distinct = {(a.units[place.i], b.units[place.j]): place for place in self.differ}
        facts = [
            (a.facts[place.i].readings[0], b.facts[place.j].readings[0])
            for place in distinct.values()
        ]
        moved = Counter(
            round(y.number - x.number, DECIMALS_OF_NUMBERS)
            for x, y in facts
            if isinstance(x, Quantity)
            and isinstance(y, Quantity)
            and not (x.dimension or y.dimension)
        )
        return len(distinct) - sum(n - 1 for n in moved.values() if n >= MIN_RENUMBERED)

    def distinct_differ_without(self, places: Collection[Place]) -> int:
        """The same as if some of the facts that differ were none."""
        left = [place for place in self.differ if place not in places]
        gone = {self.written(place) for place in places} - {self.written(place) for place in left}
        return min(max(0, self.distinct_differ - len(gone)), len(left))
