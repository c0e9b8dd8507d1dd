"""Words of a text line by line: the lines that near-duplicates share are read once."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import accumulate

import numpy as np

from reducepp.text.post_parts import read_post
from reducepp.text.tokenise import (
    has_vowel_signs,
    line_spans,
    normalise,
    plain_pattern,
    signed_arabic_word,
    words,
)
from reducepp.types import Integers

MAX_CACHED_LINES = 2048
"""Lines that are kept: those of a cluster's pages, which are read one after the other."""
MAX_CACHED_CHARS = 4000
"""Characters of a line that is kept: longer ones are whole pages."""
MAX_CACHED_WORDS = 20_000
"""Words whose normal form is kept: most of those in a few hundred pages of one language."""
_POST_SIGNS = ("@", "＠", "#", "＃", "&", "http", "www.", "pic.")
"""Without any of these a line has no tags, mentions, addresses and character references."""


class _Folded(dict[str, str]):
    """The text between words to the same without case and white space; the most frequent ones are
    known."""

    def __missing__(self, gap: str) -> str:
        return "".join(gap.casefold().split())


_FOLDED = _Folded({" ": "", ", ": ",", ". ": ".", "\n": "", "": "", "-": "-", "'": "'", ".\n": "."})
_MULTIPLIER = np.int64(1_000_003)


@dataclass(eq=False)
class Line:
    """The words and figures of a line."""

    text: str
    """As written."""

    words: list[str]
    """In normal form."""
    written: list[str]
    """As written but for case."""
    signs: list[str]
    """The text before each word, case and white space aside; one more for what is after all."""
    parts: Sequence[str] = ()
    """The text before each word and the word, in turns, as long as they are in the line; none where
    they have other lengths without case."""

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Places (character offsets) in the line."""
        if not self.parts:
            return line_spans(self.text, digits=True)[1]
        ends = [*accumulate(map(len, self.parts))]
        return [*zip(ends[::2], ends[1::2], strict=False)]

    @cached_property
    def is_tagged(self) -> bool:
        """Whether addresses, hashtags, mentions or character references may stand in it."""
        return has_post_signs(self.text)

    @cached_property
    def codes(self) -> Integers:
        """A hash of each word in normal form; equal words have equal ones in one process."""
        return _hash_words(self.words)

    @cached_property
    def written_codes(self) -> Integers:
        """The same of each word as written."""
        return self.codes if self.written == self.words else _hash_words(self.written)

    @cached_property
    def core(self) -> str:
        """The words without addresses, hashtags and mentions."""
        if not self.is_tagged:
            return " ".join(self.words)
        return " ".join(words(read_post(self.text, "").untagged, digits=True))


def has_post_signs(text: str) -> bool:
    """Whether tags, mentions, addresses or character references may be in a text."""
    lower = text.lower()
    return any(sign in lower for sign in _POST_SIGNS)


def read_lines(text: str) -> list[Line]:
    """The lines of a text; a word never reaches over a line break."""
    return [
        _kept_line(line) if len(line) <= MAX_CACHED_CHARS else _read_line(line)
        for line in text.splitlines(keepends=True)
    ]


def _read_line(line: str) -> Line:
    folded, normal = line.casefold(), normalise(line)
    pattern = plain_pattern(normal) if len(folded) == len(line) and folded == line.lower() else None
    if pattern:
        if normal != folded and has_vowel_signs(folded):  # they belong to the letter before them
            pattern = signed_arabic_word()
        parts = _split_pattern(pattern).split(folded)
        written, gaps = parts[1::2], parts[::2]
        normalised = written if normal == folded else _normalise_each(parts, normal)
        if normalised is not None:
            return Line(line, normalised, written, list(map(_FOLDED.__getitem__, gaps)), parts)
    found, spans = line_spans(line, digits=True)
    written = [line[start:end].casefold() for start, end in spans]
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    between = zip([0, *ends], [*starts, len(line)], strict=True)
    return Line(line, found, written, [_FOLDED[line[a:b]] for a, b in between])


@cache
def _split_pattern(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """The pattern that splits a line into words and the text between them."""
    return re.compile(f"({pattern.pattern})")


def _normalise_each(parts: list[str], normal: str) -> list[str] | None:
    """Words in normal form one by one, of words with the text between them; None where that is
    not how the line is normalised."""
    found = [word if word.isascii() else _normal_word(word) for word in parts[1::2]]
    made = list(parts)
    made[::2] = [gap if gap.isascii() else _normal_gap(gap) for gap in parts[::2]]
    made[1::2] = found
    return found if "".join(made) == normal else None


@lru_cache(maxsize=MAX_CACHED_WORDS)
def _normal_word(word: str) -> str:
    """A word in normal form where that is one word, else a sign that no normal form holds."""
    normal = normalise(word)
    pattern = plain_pattern(normal)
    return normal if pattern and pattern.fullmatch(normal) else "\0"


@lru_cache(maxsize=MAX_CACHED_WORDS)
def _normal_gap(gap: str) -> str:
    """The same of the text between words; a part of it that vanishes belongs to a word."""
    normal = normalise(gap)
    vanishes = any(not normalise(sign) for sign in gap)
    return "\0" if vanishes or any(map(str.isalnum, normal)) else normal


_kept_line = lru_cache(maxsize=MAX_CACHED_LINES)(_read_line)


def hash_runs(words: Sequence[str], length: int) -> Integers:
    """A 64-bit hash of every run of so many words; equal runs have equal ones in one process."""
    return hash_codes(_hash_words(words), length)


def _hash_words(words: Sequence[str]) -> Integers:
    return np.fromiter(map(hash, words), dtype=np.int64, count=len(words))


def hash_codes(codes: Integers, length: int) -> Integers:
    """A 64-bit polynomial hash of every run of so many codes; wraps around on purpose."""
    count = max(len(codes) - length + 1, 0)
    hashed = codes[:count].astype(np.int64)
    for offset in range(1, length):
        hashed *= _MULTIPLIER
        hashed += codes[offset : count + offset]
    return hashed
