"""Facts that belong to the page and not to what it says: date lines, counters, copyright years."""

import re
from collections.abc import Sequence

from reducepp.evidence.facts.fact_tokens import FactLine, Parsed, Tokens
from reducepp.evidence.facts.fact_values import Clock, Code, Day, Quantity
from reducepp.evidence.facts.fact_words import fact_words

MIN_PROSE_WORDS = 10
"""A line of so many words is prose, whatever it ends with."""
MIN_SENTENCE_WORDS = 5
"""The same for a line that ends like a sentence."""
EDGE_LINES = 5
"""So many short lines before the first and after the last line of prose are head and foot."""
MIN_FACTS_OF_ROW, MIN_ROWS = 2, 3
"""So many lines among these with so many facts each are a table."""
STAMP_WORDS = 3
"""A date up to so many words after "updated" is a stamp."""
_MACHINE_TIME = re.compile(r"\d:\d\d:\d\d ?(?:gmt|utc)(?![a-z])", re.IGNORECASE)
MAX_TIME_LETTERS = 16
"""After a date, its time to the second with a time zone: a program wrote it."""
_HOST_NAME = re.compile(r"\.[a-z]{2,}$")
SHORT_TIMES = ("s", "min", "h", "day", "week")
"""Units of "3 hours ago"."""

_LABEL = re.compile(r"\W*(?:[^\W\d]+[ '-]){0,3}[^\W\d]+ ?:[ \t]")
"""Words before a colon that say what the figures of a line are: a telephone number, hours."""
_SENTENCE_END = re.compile(r"[.!?؟…。:](?=\s)")


def is_prose(line: str) -> bool:
    """Whether a line of several has as many words as a sentence."""
    ends = line.rstrip(" \"'»”)").endswith((".", "!", "?", "؟", "۔", "…", "。", ":"))
    return line.count(" ") + 1 >= (MIN_SENTENCE_WORDS if ends else MIN_PROSE_WORDS)


def edge_lines(lines: Sequence[FactLine]) -> frozenset[int]:
    """Short lines of head and foot but for rows of a table; none in a text without prose."""
    places = [i for i, line in enumerate(lines) if line.is_prose]
    if not places:
        return frozenset()
    head = range(min(places[0], EDGE_LINES))
    foot = range(max(places[-1] + 1, len(lines) - EDGE_LINES), len(lines))
    rows = [i for i in (*head, *foot) if len(lines[i].facts) >= MIN_FACTS_OF_ROW]
    return frozenset((*head, *foot)).difference(rows if len(rows) >= MIN_ROWS else ())


def is_outside(line: FactLine, fact: Parsed, at_edge: bool) -> bool:
    """Whether a fact in a line of several stands outside of the body text.

    Numbers of clauses; in a short line dates and times beside them, at the edges every number
    without a unit, except in a line that says what it is: "Telephone: 01223 550 190".
    """
    value = fact.readings[0]
    if _is_outline_number(line.tokens, fact):
        return True
    if line.is_prose:
        return False
    if isinstance(value, Day) or any(isinstance(f.readings[0], Day) for f in line.facts):
        return at_edge or isinstance(value, Day | Clock)
    if not at_edge or (isinstance(value, Quantity) and value.dimension):
        return False
    return line.tokens.word(fact.first - 1) in fact_words().versions or not _LABEL.match(
        line.tokens.plain
    )


def is_version_in_head(tokens: Tokens, fact: Parsed) -> bool:
    """Whether a version stands in the first sentence of a text, of which this is the first line."""
    if not isinstance(fact.readings[0], Code):
        return False
    is_version = tokens.word(fact.first - 1) in fact_words().versions
    return is_version and not _SENTENCE_END.search(tokens.plain, 0, fact.start)


def _is_outline_number(tokens: Tokens, fact: Parsed) -> bool:
    """6.1 or 2) at the start of a line is the number of a clause."""
    value = fact.readings[0]
    if isinstance(value, Day | Clock) or (isinstance(value, Quantity) and value.dimension):
        return False
    written = tokens.plain[fact.start : fact.end]
    follows = tokens.plain[fact.end : fact.end + 2]
    is_numbered = "." in written or follows in (". ", ") ", ".-")
    return is_numbered and not tokens.plain[: fact.start].strip(" \t(*#-•")


def belongs_to_stamp(stamp: Parsed, fact: Parsed) -> bool:
    """A time right behind the date of a stamp, or the date behind its time: 3 May at 8:15."""
    kinds = {type(stamp.readings[0]), type(fact.readings[-1])}
    return kinds == {Day, Clock} and fact.first - stamp.last <= STAMP_WORDS


def is_labelled(tokens: Tokens, fact: Parsed, nearest: Sequence[str], after: str) -> bool:
    """Beside a word that says what figure of the page it is; `nearest` are the words before it.

    So is the name of a host, which names a machine or a site and no figure.
    """
    lists, value = fact_words(), fact.readings[0]
    if isinstance(value, Code) and _HOST_NAME.search(value.text):
        return True
    before = nearest[-1] if nearest else ""
    if before in lists.before or tokens.plain[max(0, fact.start - 2) : fact.start].strip() == "©":
        return True
    if isinstance(value, Day | Clock):
        if _MACHINE_TIME.search(tokens.plain, fact.start, fact.end + MAX_TIME_LETTERS):
            return True
        in_line = fact.first >= STAMP_WORDS or len(nearest) == fact.first
        return in_line and not lists.stamps.isdisjoint(nearest)
    if not isinstance(value, Quantity):
        return False
    if value.dimension == "duration" and value.unit in SHORT_TIMES:
        phrases = {before, after, " ".join(nearest[-2:])}
        return not lists.relative.isdisjoint(phrases) or after in lists.counters
    is_viewed = before in lists.viewed and after in lists.times
    is_counter = after in lists.counters or before in lists.counters
    return not value.dimension and (is_counter or is_viewed)
