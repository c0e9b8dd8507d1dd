"""Facts that belong to the page and not to what it says: date lines, counters, copyright years."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from reducepp.evidence.facts.fact_tokens import Parsed, Tokens
from reducepp.evidence.facts.fact_values import Clock, Code, Day, Quantity
from reducepp.evidence.facts.fact_words import fact_words

MIN_PROSE_WORDS = 10
"""A line of so many words is prose, whatever it ends with."""
MIN_SENTENCE_WORDS = 5
"""The same for a line that ends like a sentence."""
EDGE_LINES = 5
"""So many short lines before the first and after the last line of prose are head and foot."""
STAMP_WORDS = 3
"""A date up to so many words after "updated" is a stamp."""
SHORT_TIMES = ("s", "min", "h", "day", "week")
"""Units of "3 hours ago"."""


@dataclass(frozen=True)
class _Lines:
    """Lines of a text: where each begins, and whether it is prose."""

    starts: Sequence[int]
    prose: Sequence[bool]

    @cached_property
    def edges(self) -> frozenset[int]:
        """Short lines of head and foot; none in a text without prose: a list or a table."""
        places = [i for i, is_prose in enumerate(self.prose) if is_prose]
        if not places:
            return frozenset()
        head = range(min(places[0], EDGE_LINES))
        foot = range(max(places[-1] + 1, len(self.prose) - EDGE_LINES), len(self.prose))
        return frozenset((*head, *foot))

    def line_of(self, place: int) -> int:
        """Number of the line in which a character stands."""
        return bisect_right(self.starts, place) - 1


def stand_outside(tokens: Tokens, facts: Sequence[Parsed]) -> list[bool]:
    """For each fact, whether it stands outside of the body text."""
    lines = _read_lines(tokens.plain)
    numbers = [lines.line_of(fact.start) for fact in facts]
    dated = {n for n, fact in zip(numbers, facts, strict=True) if isinstance(fact.readings[0], Day)}
    return [
        _is_labelled(tokens, fact)
        or (len(lines.starts) > 1 and _is_outline_number(tokens, fact, lines.starts[n]))
        or (not lines.prose[n] and _is_line_boilerplate(fact, n in dated, n in lines.edges))
        for n, fact in zip(numbers, facts, strict=True)
    ]


def _read_lines(plain: str) -> _Lines:
    """A text of one line is prose throughout."""
    starts, prose, place = [], [], 0
    lines = plain.split("\n")
    for line in lines:
        starts.append(place)
        words = line.count(" ") + 1
        ends = line.rstrip(" \"'»”)").endswith((".", "!", "?", "؟", "۔", "…", "。", ":"))
        prose.append(words >= (MIN_SENTENCE_WORDS if ends else MIN_PROSE_WORDS) or len(lines) == 1)
        place += len(line) + 1
    return _Lines(starts, prose)


def _is_line_boilerplate(fact: Parsed, with_date: bool, at_edge: bool) -> bool:
    """In a short line: dates, times beside them; at the edges every number without a unit."""
    value = fact.readings[0]
    if isinstance(value, Day):
        return True
    if isinstance(value, Clock):
        return with_date or at_edge
    return at_edge and (isinstance(value, Code) or not value.dimension)


def _is_outline_number(tokens: Tokens, fact: Parsed, line: int) -> bool:
    """6.1 or 2) at the start of a line is the number of a clause."""
    value = fact.readings[0]
    if isinstance(value, Day | Clock) or (isinstance(value, Quantity) and value.dimension):
        return False
    written = tokens.plain[fact.start : fact.end]
    follows = tokens.plain[fact.end : fact.end + 2]
    is_numbered = "." in written or follows in (". ", ") ", ".-")
    return is_numbered and not tokens.plain[line : fact.start].strip(" \t(*#-•")


def _is_labelled(tokens: Tokens, fact: Parsed) -> bool:
    """Beside a word that says what figure of the page it is."""
    lists, value = fact_words(), fact.readings[0]
    before, after = tokens.word(fact.first - 1), tokens.word(fact.last + 1)
    if before in lists.before or tokens.plain[max(0, fact.start - 2) : fact.start].strip() == "©":
        return True
    if isinstance(value, Day | Clock):
        words = tokens.words[max(0, fact.first - STAMP_WORDS) : fact.first]
        return not lists.stamps.isdisjoint(words) and "\n" not in _text_before(tokens, fact)
    if not isinstance(value, Quantity):
        return False
    if value.dimension == "duration" and value.unit in SHORT_TIMES:
        phrases = {before, after, f"{tokens.word(fact.first - 2)} {before}"}
        return not lists.relative.isdisjoint(phrases) or after in lists.counters
    return not value.dimension and (after in lists.counters or before in lists.counters)


def _text_before(tokens: Tokens, fact: Parsed) -> str:
    first = max(0, fact.first - STAMP_WORDS)
    return tokens.plain[tokens.start(first) : fact.start]
