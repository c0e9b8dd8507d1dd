"""The facts of a text: numbers, amounts, percentages, dates, times, versions and codes.

Facts are normalised over languages and ways of writing, and the words between them are kept, so
that the facts of two near-duplicates can be aligned.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from reducepp.evidence.facts.fact_amounts import read_amount, read_code
from reducepp.evidence.facts.fact_boilerplate import stand_outside
from reducepp.evidence.facts.fact_dates import (
    read_clock,
    read_numeric_date,
    read_spaced_clock,
    read_written_date,
)
from reducepp.evidence.facts.fact_tokens import (
    ADDRESS,
    CLOCK,
    CODE,
    DATE,
    PHONE,
    Parsed,
    Tokens,
    tokenise_facts,
)
from reducepp.evidence.facts.fact_values import Clock, Code, Day, Quantity, Value, agree
from reducepp.evidence.facts.fact_words import fact_words

MAX_FACTS = 5000
"""Further figures are read as words: more than a long page has, and little work for a made one."""
QUANTITY_PLACE, DATE_PLACE = "#", "@"
"""What stands in for any quantity or code, and for any date or time, where contexts are aligned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact of a text as written, with its normalised readings."""

    text: str
    start: int
    end: int
    readings: tuple[Value, ...]
    """One or more: 1,234 is 1234 or 1.234; the likeliest first."""
    approximate: str = ""
    """``near``, ``below`` or ``above`` after an approximator."""
    counts: bool = True
    """False outside of the body text: a date line, a view counter, a copyright year."""

    @property
    def value(self) -> str:
        """The likeliest reading in normal form: ``3000000 EUR``, ``2021-05-03``, ``12 %``."""
        return str(self.readings[0])

    @property
    def kind(self) -> str:
        """number, percent, money, length, mass, ..., date, time or code."""
        first = self.readings[0]
        if isinstance(first, Quantity):
            return first.dimension or "number"
        return {Day: "date", Clock: "time", Code: "code"}[type(first)]

    @property
    def place(self) -> str:
        """The stand-in for facts that can stand in the same place."""
        return DATE_PLACE if isinstance(self.readings[0], Day | Clock) else QUANTITY_PLACE

    def agrees_with(self, other: Fact) -> bool | None:
        """Whether any reading of both says the same; None where none can be compared."""
        verdicts = [
            agree(a, b, self.approximate, other.approximate)
            for a in self.readings
            for b in other.readings
        ]
        return True if True in verdicts else (False if False in verdicts else None)


@dataclass(frozen=True, kw_only=True)
class FactText:
    """A text with its facts: words in normal form, and where each fact stands among them."""

    text: str
    units: tuple[str, ...]
    """Words, with each fact as one unit: its place and value."""
    starts: array[int]
    """Where each unit begins in the text (character offsets)."""
    ends: array[int]
    facts: dict[int, Fact]
    """Number of a unit to the fact that it is."""

    def written(self, first: int, last: int) -> str:
        """The text from unit `first` to unit `last`, with single spaces."""
        return " ".join(self.text[self.starts[first] : self.ends[last]].split())

    @cached_property
    def shapes(self) -> tuple[str, ...]:
        """The units with every fact as its place alone."""
        shapes = list(self.units)
        for i, fact in self.facts.items():
            shapes[i] = fact.place
        return tuple(shapes)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Numbers of the units that are facts, in order."""
        return tuple(self.facts)

    @cached_property
    def values(self) -> frozenset[str]:
        """Every reading of every fact in normal form."""
        return frozenset(str(r) for fact in self.facts.values() for r in fact.readings)


def read_facts(text: str, *, published: str = "") -> FactText:
    """Find the first MAX_FACTS facts in the first MAX_CHARACTERS characters of a text.

    `published` is the page's own date (ISO 8601), which does not count wherever it stands.
    """
    tokens = tokenise_facts(text)
    parsed = list(islice(_parse_all(tokens), MAX_FACTS))
    units: list[str] = []
    starts, ends = array("L"), array("L")
    facts: dict[int, Fact] = {}
    done = 0
    for found, is_outside in zip(parsed, stand_outside(tokens, parsed), strict=True):
        _add_words(tokens, slice(done, found.first), units, starts, ends)
        counts = not is_outside and str(found.readings[0]) != published[:10]
        facts[len(units)] = fact = _as_fact(tokens, found, counts)
        units.append(f"{fact.place}{fact.value}")
        starts.append(fact.start)
        ends.append(fact.end)
        done = found.last + 1
    _add_words(tokens, slice(done, None), units, starts, ends)
    return FactText(text=text, units=tuple(units), starts=starts, ends=ends, facts=facts)


def _add_words(
    tokens: Tokens, which: slice, units: list[str], starts: array[int], ends: array[int]
) -> None:
    units += tokens.words[which]
    starts.extend(tokens.starts[which])
    ends.extend(tokens.ends[which])


def _parse_all(tokens: Tokens) -> Iterator[Parsed]:
    free = 0
    for i in _candidates(tokens):
        if i >= free and (found := _parse(tokens, i, free)):
            yield found
            free = found.last + 1


def _candidates(tokens: Tokens) -> list[int]:
    """Tokens at which a fact may stand: figures, number words and lone magnitudes."""
    lists = fact_words()
    found = lists.starts.intersection(tokens.words)
    words = [i for i, word in enumerate(tokens.words) if word in found]
    articles = (i for i in words if tokens.words[i] in lists.articles)
    lone = {i for i in articles if tokens.word(i + 1) not in lists.magnitudes}
    return sorted((tokens.figures.keys() | words) - lone)


def _parse(tokens: Tokens, i: int, free: int) -> Parsed | None:
    kind = tokens.figures.get(i)
    if kind == ADDRESS:
        return None
    if kind == DATE:
        return read_numeric_date(tokens, i) or read_code(tokens, i)
    if kind == CLOCK:
        return read_clock(tokens, i) or read_code(tokens, i)
    if kind in (CODE, PHONE):
        return read_code(tokens, i)
    if kind is None:
        return read_amount(tokens, i, free)
    dated = read_written_date(tokens, i, free) or read_spaced_clock(tokens, i)
    return dated or read_amount(tokens, i, free)


def _as_fact(tokens: Tokens, found: Parsed, counts: bool) -> Fact:
    return Fact(
        text=tokens.text[found.start : found.end],
        start=found.start,
        end=found.end,
        readings=found.readings,
        approximate=_approximator(tokens, found.first),
        counts=counts,
    )


def _approximator(tokens: Tokens, first: int) -> str:
    """Kind of the approximator in the three words before a fact, "" for none."""
    lists = fact_words()
    if tokens.word(first - 1) not in lists.approximator_ends:
        return ""
    for length in (3, 2, 1):
        if first >= length:
            phrase = " ".join(tokens.words[first - length : first])
            if phrase in lists.approximators:
                return lists.approximators[phrase]
    return ""
