"""The facts of a text: numbers, amounts, percentages, dates, times, versions and codes.

Facts are normalised over languages and ways of writing, and the words between them are kept, so
that the facts of two near-duplicates can be aligned.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

from reducepp.evidence.facts.fact_amounts import read_amount, read_code
from reducepp.evidence.facts.fact_boilerplate import (
    belongs_to_stamp,
    edge_lines,
    is_labelled,
    is_outside,
    is_prose,
    is_version_in_head,
)
from reducepp.evidence.facts.fact_dates import (
    is_month,
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
    FactLine,
    Parsed,
    Tokens,
    tokenise_line,
)
from reducepp.evidence.facts.fact_values import Clock, Day, Quantity, Value, agree
from reducepp.evidence.facts.fact_words import fact_words
from reducepp.text.lines import MAX_CACHED_CHARS, MAX_CACHED_LINES

MAX_CHARACTERS = 200_000
"""What lies beyond is not read: some 35,000 words, more than ten times a long page."""
MAX_READ_TEXTS = 512
"""Texts that are kept as read: pairs of one page come one after the other."""
MAX_FACTS = 5000
"""Further figures are read as words: more than a long page has, and little work for a made one."""
MIN_IDENTIFIER_DIGITS = 3
"""Shorter ones number the items of a list."""
WORDS_BEFORE = 3
"""Words before a fact that say what it is: the longest approximator, or a stamp's distance."""
QUANTITY_PLACE, DATE_PLACE = "#", "@"
"""What stands in for any quantity or code, and for any date or time, where contexts are aligned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact of a text as written, with its normalised readings."""

    text: str
    readings: tuple[Value, ...]
    """One or more: 1,234 is 1234 or 1.234; the likeliest first."""
    approximate: str = ""
    """``near``, ``below`` or ``above`` after an approximator."""
    counts: bool = True
    """False outside of the body text: a date line, a view counter, a copyright year."""
    identifies: bool = False
    """Number of a document, an article or a case: another number is another one."""

    @property
    def value(self) -> str:
        """The likeliest reading in normal form: ``3000000 EUR``, ``2021-05-03``, ``12 %``."""
        return str(self.readings[0])

    def agrees_with(self, other: Fact) -> bool | None:
        """Whether any reading of both says the same; None where none can be compared."""
        if self.identifies and other.identifies:
            return self.value == other.value
        verdicts = [
            agree(a, b, self.approximate, other.approximate)
            for a in self.readings
            for b in other.readings
        ]
        return True if True in verdicts else (False if False in verdicts else None)


@dataclass(frozen=True, kw_only=True, eq=False)
class FactText:
    """A text with its facts: words in normal form, and where each fact stands among them.

    Compared by identity, so that what is worked out of a text can be kept.
    """

    text: str
    lines: Sequence[FactLine]
    facts: dict[int, Fact]
    """Number of a unit to the fact that it is."""

    def span(self, unit: int) -> tuple[int, int]:
        """Where a unit begins and ends in the text (character offsets)."""
        number = bisect_right(self._firsts, unit) - 1
        start, end = self.lines[number].span(unit - self._firsts[number])
        return self._offsets[number] + start, self._offsets[number] + end

    def written(self, first: int, last: int) -> str:
        """The text from unit `first` to unit `last`, with single spaces."""
        return " ".join(self.text[self.span(first)[0] : self.span(last)[1]].split())

    @cached_property
    def code(self) -> int:
        """A hash of the text, white space aside."""
        return hash(" ".join(self.text.split()))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Words, with each fact as one unit: its place and value."""
        return tuple(chain.from_iterable([line.units for line in self.lines]))

    @cached_property
    def shapes(self) -> tuple[str, ...]:
        """The units with every fact as its place alone."""
        return tuple(chain.from_iterable([line.shapes for line in self.lines]))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Numbers of the units that are facts, in order."""
        return tuple(self.facts)

    @cached_property
    def values(self) -> frozenset[str]:
        """Every reading of every fact in normal form."""
        return frozenset().union(*[line.values for line in self.lines])

    @cached_property
    def _firsts(self) -> list[int]:
        """The first unit of each line."""
        return list(accumulate([len(line.units) for line in self.lines[:-1]], initial=0))

    @cached_property
    def _offsets(self) -> list[int]:
        """Where each line begins in the text."""
        return list(accumulate([len(line.tokens.text) + 1 for line in self.lines[:-1]], initial=0))


def read_facts(text: str, *, published: str = "") -> FactText:
    """Find the first MAX_FACTS facts in the first MAX_CHARACTERS characters of a text.

    `published` is the page's own date (ISO 8601), which does not count wherever it stands.
    """
    lines = _read_lines(text[:MAX_CHARACTERS])
    facts: dict[int, Fact] = {}
    first = 0
    for line, around in zip(lines, _surroundings(lines), strict=True):
        if line.facts:
            is_long = len(line.tokens.text) > MAX_CACHED_CHARS
            read = _facts_in_line if is_long else _kept_facts
            found = read(line, around, published[:10])
            facts.update(zip((first + place for place in line.places), found, strict=True))
        first += len(line.units)
    return FactText(text=text, lines=lines, facts=facts)


class Surroundings(NamedTuple):
    """What the facts of a line depend on beside the line itself."""

    before: tuple[str, ...]
    """The last words of the lines before it."""
    after: str
    """The first word of those after it, "" for none."""
    is_only: bool
    is_first: bool
    at_edge: bool
    """Whether it belongs to head or foot of the text (`edge_lines`)."""


def _facts_in_line(line: FactLine, around: Surroundings, published: str) -> tuple[Fact, ...]:
    facts: list[Fact] = []
    stamp: Parsed | None = None
    for found in line.facts:
        nearest, following = _words_beside(line.tokens, found, around)
        identifies = is_identifier(found, nearest)
        outside = not (around.is_only or identifies) and is_outside(line, found, around.at_edge)
        outside = outside or (around.is_first and is_version_in_head(line.tokens, found))
        outside = outside or is_labelled(line.tokens, found, nearest, following)
        outside = outside or (stamp is not None and belongs_to_stamp(stamp, found))
        fact = Fact(
            text=line.tokens.text[found.start : found.end],
            readings=found.readings,
            approximate=_approximator(nearest),
            counts=not outside and str(found.readings[0]) != published,
            identifies=identifies,
        )
        facts.append(fact)
        stamp = found if outside else None
    return tuple(facts)


_kept_facts = lru_cache(maxsize=MAX_CACHED_LINES)(_facts_in_line)


def _read_lines(text: str) -> list[FactLine]:
    """The lines of a text; those with facts beyond the first MAX_FACTS have only words."""
    lines, left = [], MAX_FACTS
    for written in text.split("\n"):
        line = _kept_line(written) if len(written) <= MAX_CACHED_CHARS else _read_line(written)
        left -= len(line.facts)
        lines.append(line if left >= 0 else _as_line(line.tokens, ()))
    return lines


def _read_line(line: str) -> FactLine:
    tokens, free = tokenise_line(line), 0
    facts: list[Parsed] = []
    for i in _candidates(tokens):
        if i >= free and len(facts) < MAX_FACTS and (found := _parse(tokens, i, free)):
            facts.append(found)
            free = found.last + 1
    return _as_line(tokens, tuple(facts))


_kept_line = lru_cache(maxsize=MAX_CACHED_LINES)(_read_line)


def _as_line(tokens: Tokens, facts: tuple[Parsed, ...]) -> FactLine:
    if not facts:
        words = tuple(tokens.words)
        return FactLine(tokens, (), (), words, words, frozenset(), is_prose(tokens.plain))
    units: list[str] = []
    shapes: list[str] = []
    places: list[int] = []
    done = 0
    for found in facts:
        is_time = isinstance(found.readings[0], Day | Clock)
        before, place = tokens.words[done : found.first], DATE_PLACE if is_time else QUANTITY_PLACE
        places.append(len(units) + len(before))
        shapes += [*before, place]
        units += [*before, f"{place}{found.readings[0]}"]
        done = found.last + 1
    units += tokens.words[done:]
    shapes += tokens.words[done:]
    return FactLine(
        tokens=tokens,
        facts=facts,
        places=tuple(places),
        units=tuple(units),
        shapes=tuple(shapes),
        values=frozenset(str(reading) for found in facts for reading in found.readings),
        is_prose=is_prose(tokens.plain),
    )


def _surroundings(lines: Sequence[FactLine]) -> Iterator[Surroundings]:
    words, edges = [line.tokens.words for line in lines], edge_lines(lines)
    firsts = [""]
    for line in reversed(words[1:]):
        firsts.append(line[0] if line else firsts[-1])
    before: tuple[str, ...] = ()
    for number, line in enumerate(words):
        yield Surroundings(before, firsts.pop(), len(lines) == 1, number == 0, number in edges)
        before = (*before, *line[-WORDS_BEFORE:])[-WORDS_BEFORE:]


def _words_beside(
    tokens: Tokens, fact: Parsed, around: Surroundings
) -> tuple[tuple[str, ...], str]:
    """The last words before a fact and the first after it."""
    nearest = tokens.words[max(0, fact.first - WORDS_BEFORE) : fact.first]
    before = (*around.before, *nearest)[-WORDS_BEFORE:]
    return before, tokens.word(fact.last + 1) or around.after


def _candidates(tokens: Tokens) -> list[int]:
    """Tokens at which a fact may stand: figures, number words and lone magnitudes."""
    lists = fact_words()
    found = lists.starts.intersection(tokens.words)
    if not found:
        return sorted(tokens.figures)
    words = [i for i, word in enumerate(tokens.words) if word in found]
    articles = (i for i in words if tokens.words[i] in lists.articles)
    lone = {i for i in articles if tokens.word(i + 1) not in lists.counted}
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
    if not kind and is_month(tokens, i - 1):
        return None  # كانون الثاني is no second
    moment = kind and (read_written_date(tokens, i, free) or read_spaced_clock(tokens, i))
    return moment or read_amount(tokens, i, free)


def is_identifier(fact: Parsed, before: Sequence[str]) -> bool:
    """A number without a unit right behind "no." or "reference", or further figures of one."""
    value = fact.readings[0]
    if isinstance(value, Day | Clock) or (isinstance(value, Quantity) and value.dimension):
        return False
    word = next((word for word in reversed(before) if not word.isdecimal()), "")
    if word not in fact_words().identifiers:
        return False
    return sum(map(str.isdecimal, str(value))) >= MIN_IDENTIFIER_DIGITS


def _approximator(before: Sequence[str]) -> str:
    """Kind of the approximator in the words before a fact, "" for none."""
    lists = fact_words()
    if not before or before[-1] not in lists.approximator_ends:
        return ""
    phrases = (" ".join(before[-length:]) for length in (3, 2, 1))
    return next((lists.approximators[p] for p in phrases if p in lists.approximators), "")
