"""Datelines, date stamps and bylines at the head of a text: where, when and by whom it was written,
no statements."""

import re
from collections.abc import Iterator

from reducepp.evidence.facts.fact_words import fact_words
from reducepp.text.lexicons import negations
from reducepp.text.tokenise import normalise, words

HEAD_LINES = 8
"""Lines at the beginning of a text among which they are searched."""
MAX_LINE_CHARS = 120
"""Of a line, or the beginning of one, in which they are searched."""

_CAPITALS = r"[A-ZÀ-ÖØ-Þ]"
_NAME = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]*"
_MONTH = r"[^\W\d_]{3,12}\.?"
_DAY = rf"(?:\d{{1,2}}\.? {_MONTH}|{_MONTH} \d{{1,2}})"
_DATE = rf"(?:{_DAY},? \d{{4}}|\d{{1,4}}([./-])\d{{1,2}}\1\d{{2,4}})"
_AGENCY = r" \([^\W\d_][^()\n]{1,28}\)"
_DASH = r"(?:[ \t]+-{1,2}|[ \t]*[–—]|[ \t]+[•·|])[ \t]+"
_DATELINE = re.compile(
    rf"[ \t]*(?:{_DATE}|\(?{_CAPITALS}{{3,}}(?:[ -]{_CAPITALS}{{2,}}){{0,3}}\)?"
    rf"(?:, [A-Z0-9À-Þ][\w.]*(?: [A-Z0-9À-Þ][\w.]*)?){{0,2}}(?:{_AGENCY})?"
    rf"|{_NAME}(?:[ -]{_NAME}){{0,2}}(?:, (?:{_DAY}|{_NAME}))?{_AGENCY})"
    rf"{_DASH}(?:{_DAY}[ \t]*$)?"
)
"""PARIS, May 3 (Reuters) - ; LONDON — ; Berlin (dpa) - ; 19 Feb. 2015 - """
_TIME = r"\W+\d{1,2}[:h.]\d\d(?:\W*[^\W\d_]{1,4}){0,2}"
_STAMP = re.compile(rf"\W*((?:[^\W\d_]+[ :,]+){{0,3}}){_DATE}(?:{_TIME})?\W*$")
"""A line that is a date, with its time and up to three words before it."""
_ASIDE = re.compile(rf"\([^()\n]{{0,60}}\)|{_DATE}")
NAME_WORDS = range(2, 9)
"""Words of the names in a byline: fewer are a heading ("By train"), more a sentence."""
MAX_LABEL_WORDS = 3
"""Of the words before the name of an author."""


def find_datelines(text: str) -> Iterator[tuple[int, int]]:
    """Beginning and end of each dateline, stamp or byline of a text; one that negates is none."""
    start = 0
    for line in text.split("\n", HEAD_LINES)[:HEAD_LINES]:
        head = line[:MAX_LINE_CHARS]
        found = _DATELINE.match(head) or (_STAMP.match(head) if head == line else None)
        if found and negations().isdisjoint(words(found[0])) and _may_lead(found):
            yield start, start + found.end()
        elif head == line and _is_byline(line):
            yield start, start + len(line)
        start += len(line) + 1


def _is_byline(line: str) -> bool:
    """Whether a line is "by" and names, with nothing but a date and an aside in parentheses."""
    found = words(_ASIDE.sub(" ", line), digits=True)
    sizes = range(1, min(MAX_LABEL_WORDS, len(found)) + 1)
    label = next((n for n in sizes if " ".join(found[:n]) in fact_words().bylines), 0)
    if not label or not negations().isdisjoint(found):
        return False
    written = [word for word in _ASIDE.sub(" ", line).split() if any(map(str.isalpha, word))]
    named = [w for w in written[label:] if normalise(w) not in fact_words().particles]
    return len(named) in NAME_WORDS and all(map(_may_be_name, named))


def _may_be_name(word: str) -> bool:
    """Whether a word begins with a capital letter, or one of a script without them."""
    first = next(filter(str.isalnum, word))
    return first.isalpha() and not first.islower()


def _may_lead(found: re.Match[str]) -> bool:
    """Whether nothing stands before the date of a stamp, or a word such as "updated"."""
    label = found[1] if found.re is _STAMP else ""
    return not label or not fact_words().stamps.isdisjoint(words(normalise(label)))


def without_datelines(text: str) -> str:
    """The text without its datelines, stamps and bylines."""
    for start, end in reversed(list(find_datelines(text))):
        text = text[:start] + text[end:]
    return text
