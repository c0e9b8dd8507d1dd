"""A line to words and figures with their places, for the reader of facts.

Digits of every script become 0 to 9, separators and signs the plain ones, one character for one,
so that places stay those of the line as written.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from reducepp.evidence.facts.fact_values import Value
from reducepp.text.tokenise import ARABIC_FORMS, MARKS, UNSPACED, VOWELS, Spans, is_latin, normalise

ADDRESS, DATE, CLOCK, CODE = "address", "date", "clock", "code"
PHONE, FIGURES = "phone", "figures"
"""Kinds of tokens that are no words, which are the names of groups in `_FIGURES`."""

_ZEROS = (0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xE50, 0xFF10)
_PLAIN = {chr(zero + digit): str(digit) for zero in _ZEROS for digit in range(10)}
_PLAIN |= dict(zip("٫٬٪％−–‑‐’‘", ".,%%----''", strict=True))
_PLAIN |= dict.fromkeys("\u00a0\u202f\u2009\u2007\u200e\u200f\u200b\u2068\u2069", " ")
_PLAIN |= dict(ARABIC_FORMS)
_NOT_PLAIN = re.compile(f"[{''.join(_PLAIN)}]")

_SIGNS = f"{MARKS}{VOWELS}\u0640"
_WORD = re.compile(r"[^\W\d_]++")
_LETTER = rf"[^\W\d_{UNSPACED}]"

_DIGIT = re.compile(r"[0-9]")
_LONGEST_ADDRESS, _LONGEST_JOINED = 100, 14
_ADDRESS_START = re.compile(r"(?:https?://|www\.)\S*\Z|[^\s@]{1,40}@\S*\Z")
_IN_ADDRESS = re.compile(r"@|://|www\.")
_ADDRESS = re.compile(r"(?P<address>\S+)")
_JOINED = re.compile(r"(?:[a-z]{1,12}-?|\+|\(|\(\+)\Z")
_FIGURES = re.compile(
    r"(?P<date>\d{4}([-/.])\d{1,2}\2\d{1,2}(?:t\d\d:\d\d(?::\d\d)?[.\d]*(?:z|[+-]\d\d:?\d\d)?|(?!\d))"
    r"|\d{1,2}([-/.])\d{1,2}\3(?:\d{4}|\d\d)(?!\d|[.,-]\d)|\d{4}年\d{1,2}月(?:\d{1,2}日)?)"
    r"|(?P<clock>\d{1,2}:\d\d(?::\d\d)?(?![\d:])|\d{1,2}h\d\d(?![\da-z]))"
    r"|(?P<code>[a-z]{1,12}-?\d[a-z\d]*+(?:[-/.][a-z\d]++){0,4}|\d+[a-z]{1,6}\d[a-z\d]*+)"
    r"|(?P<phone>(?:\(?\+\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,6}|\(?0\d{1,4}\)?(?:[ .-]\d{2,4}){2,5}"
    r"|\(?\d{3}\)?[ -]\d{3}-\d{4})(?!\d|[.,-]\d))"
    r"|(?P<figures>[1-9]\d{0,2}(?: \d{3}){1,4}(?:,\d{1,3})?(?!\d|[.,:]\d| \d)|\d++(?:[.,']\d++)*+)"
)


@dataclass(slots=True)
class Tokens:
    """Words and figures of a line in order, with their places."""

    text: str
    """As written."""
    plain: str
    """In lower case and with plain digits, character by character."""
    words: list[str]
    """Words in normal form, figures as in `plain`."""
    figures: dict[int, str]
    """Number of a token that is no word, to its kind."""
    pattern: re.Pattern[str]
    known_spans: Spans | None
    """None where the line has no figures, until it is read."""

    @property
    def spans(self) -> Spans:
        """Where each begins and ends."""
        if self.known_spans is None:
            self.known_spans = [match.span() for match in self.pattern.finditer(self.plain)]
        return self.known_spans

    def word(self, i: int) -> str:
        """Token i, "" where there is none."""
        return self.words[i] if 0 <= i < len(self.words) else ""

    def start(self, i: int) -> int:
        """Where token i begins."""
        return self.spans[i][0]

    def end(self, i: int) -> int:
        """Where token i ends."""
        return self.spans[i][1]

    def between(self, i: int) -> str:
        """What stands between token i and the next; no part of a word at the line's ends."""
        if not 0 <= i < len(self.words) - 1:
            return "\n"
        spans = self.spans
        return self.plain[spans[i][1] : spans[i + 1][0]]

    def joins(self, i: int, gap: re.Pattern[str]) -> bool:
        """Whether no more than a gap stands between token i and the next."""
        return bool(gap.fullmatch(self.between(i)))


@dataclass(slots=True)
class Parsed:
    """A fact over the tokens from `first` to `last`, and its place in the line."""

    first: int
    last: int
    start: int
    end: int
    readings: tuple[Value, ...]


@dataclass(slots=True, eq=False)
class FactLine:
    """A line with what can be read without the lines around it.

    Compared by identity, so that what is worked out of a line can be kept.
    """

    tokens: Tokens
    facts: tuple[Parsed, ...]
    places: tuple[int, ...]
    """Numbers of the units that are facts."""
    units: tuple[str, ...]
    """Words, with each fact as one unit: its place and value."""
    shapes: tuple[str, ...]
    """The units with every fact as its place alone."""
    values: frozenset[str]
    """Every reading of every fact in normal form."""
    is_prose: bool

    def span(self, unit: int) -> tuple[int, int]:
        """Where a unit begins and ends in the line."""
        number = bisect_right(self.places, unit)
        before = self.facts[number - 1] if number else None
        if before and self.places[number - 1] == unit:
            return before.start, before.end
        first = before.last + unit - self.places[number - 1] if before else unit
        return self.tokens.spans[first]


def found(tokens: Tokens, first: int, last: int, value: Value) -> Parsed:
    """A fact that begins and ends with its tokens."""
    return Parsed(first, last, tokens.start(first), tokens.end(last), (value,))


def tokenise_line(line: str) -> Tokens:
    """Words and figures of a line; none of them reaches over a line break."""
    plain = _plain(line)
    careful = not is_latin(plain) and bool(_needs_care().search(plain))
    word = _careful_word() if careful else _WORD
    figures: dict[int, str] = {}
    if not _DIGIT.search(plain):
        spans, words = None, word.findall(plain)
    else:
        spans = _find_spans(plain, word, figures)
        words = [plain[first:last] for first, last in spans]
    if careful or not (plain.isascii() or unicodedata.is_normalized("NFKC", plain)):
        words = [word if word.isascii() else _normal(word) for word in words]
    return Tokens(line, plain, words, figures, word, spans)


@cache
def _needs_care() -> re.Pattern[str]:
    return re.compile(f"[{_SIGNS}{UNSPACED}]")


@cache
def _careful_word() -> re.Pattern[str]:
    return re.compile(rf"[{UNSPACED}]|{_LETTER}(?:{_LETTER}|[{_SIGNS}])*+")


def _find_spans(plain: str, word: re.Pattern[str], figures: dict[int, str]) -> Spans:
    """Places of words and figures, which are entered into `figures` by their number."""
    spans: Spans = []
    end = 0
    for found in _find_figures(plain):
        spans += [match.span() for match in word.finditer(plain, end, found.start())]
        figures[len(spans)] = found.lastgroup or FIGURES
        spans.append(found.span())
        end = found.end()
    return [*spans, *(match.span() for match in word.finditer(plain, end))]


def _find_figures(plain: str) -> Iterator[re.Match[str]]:
    """Figures with the letters and signs that are joined to them, left to right."""
    end = 0
    while digit := _DIGIT.search(plain, end):
        before = plain[max(end, digit.start() - _LONGEST_ADDRESS) : digit.start()]
        joined = _ADDRESS_START.search(before) if _IN_ADDRESS.search(before) else None
        if joined:
            found = _ADDRESS.match(plain, digit.start() - len(joined[0]))
        else:
            joined = _JOINED.search(before[-_LONGEST_JOINED:])
            start = digit.start() - (len(joined[0]) if joined else 0)
            found = _FIGURES.match(plain, start) or _FIGURES.match(plain, digit.start())
        if found and plain.startswith("@", found.end()):
            found = _ADDRESS.match(plain, found.start())
        assert found is not None  # a digit alone is a figure
        yield found
        end = found.end()


@lru_cache(maxsize=65_536)
def _normal(word: str) -> str:
    return normalise(word).strip() or word


def _plain(text: str) -> str:
    low = text.lower()
    if len(low) != len(text):  # a letter that is two in lower case would shift the places
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    if low.isascii():
        return low
    for character in set(_NOT_PLAIN.findall(low)):  # quicker than translate where few occur
        low = low.replace(character, _PLAIN[character])
    return low
