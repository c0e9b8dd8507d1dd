"""Text to words and sentences, for any script.

Words are runs of letters; an apostrophe separates them, so that French elisions ("l'eau") and
English clitics leave the word itself whole. Scripts that write no spaces give one word a sign.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

_ABBREVIATIONS = ("mr", "mrs", "ms", "dr", "prof", "vs", "no", "fig", "mme", "mlle", "cf", "art")
_NOT_AFTER = "".join(rf"(?<!\b{word})" for word in _ABBREVIATIONS) + r"(?<!\b[^\W\d_])"
_MARK = "[!?؟۔…。！？｡]"
# A match starts only where a run of marks does, else a long run would take quadratic time. The full
# stop is looked for before what precedes it: three times faster where there is none. So is
# the first character of all that may end a sentence.
_END = (
    r"(?=[.!?؟۔…。！？｡\n\r\u2028\u2029])"
    rf"(?:(?:{_MARK}(?<!{_MARK}{_MARK}){_MARK}*+|(?=\.)(?<!\.\.){_NOT_AFTER}\.++)[\"'»”’)\]]*+(?=\s|$)"
    r"|[。！？｡]|[\n\r\u2028\u2029]+)"
)

_ONLY_LETTERS = re.compile(r"[^\W\d_]+")
_ONLY_LETTERS_AND_DIGITS = re.compile(r"[^\W_]+")
# Scripts whose vowel signs are marks, not letters, would break inside words.
MARKS = "\u0300-\u036f\u0900-\u0dff\u0f00-\u109f"
_HAS_MARKS = f"[{MARKS}]"
UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Scripts that write no spaces, as the inside of a character class."""
_UNSPACED = f"([{UNSPACED}])"

_CHUNK = re.compile(r"\S+")

# Diacritics, Quranic signs and tatweel go; forms of alef, ya and ta marbuta become one each.
VOWELS = "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
_VOWEL_SIGNS, _ARABIC_SIGNS = f"[{VOWELS}]", f"[{VOWELS}\u0640]+"
ARABIC_FORMS = tuple(zip("أإآٱىیةکؤئ", "ااااييهكوي", strict=True))
_HAS_ARABIC = "[\u0600-\u06ff]"

_NOT_LATIN = re.compile("[^\x00-\u024f\u2000-\u2044\u20ac]")
_pattern = cache(re.compile)
"""Patterns of many ranges, which take longer to compile than most texts need them for."""


def is_latin(text: str) -> bool:
    """Whether all letters of a text are Latin and without marks of their own, as of most texts."""
    return text.isascii() or _NOT_LATIN.search(text) is None


def normalise(text: str) -> str:
    """Lower case, composed and compatibility forms, Arabic letters in one form each; spaced
    signs."""
    return space_signs(_normal_form(text))


def space_signs(text: str) -> str:
    """The text with spaces around each sign of a script that writes none."""
    return " ".join(_pattern(_UNSPACED).split(text)) if _has_signs(text) else text


def _has_signs(text: str) -> bool:
    return not is_latin(text) and _pattern(_UNSPACED).search(text) is not None


def _normal_form(text: str) -> str:
    text = text.lower()
    if text.isascii():
        return text
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    if is_latin(text):
        return text
    if _pattern(_HAS_ARABIC).search(text):
        text = _pattern(_ARABIC_SIGNS).sub("", text)
        for form, plain in ARABIC_FORMS:  # several times faster than str.translate
            text = text.replace(form, plain)
    return text


_normalise_character = lru_cache(maxsize=10_000)(_normal_form)


def tokenise(text: str, *, digits: bool = False) -> list[str]:
    """Words of a text in order; what ends a sentence stands between them as it was found.

    A mark of a sentence's end differs from a word by its first character, which is no letter
    and no digit.
    """
    text = normalise(text)
    return _compile(digits, _may_start_with_mark(text)).findall(text)


@cache
def _compile(digits: bool, marked: bool) -> re.Pattern[str]:
    """Words and ends of sentences; compiled on first use, which takes longer than to use it."""
    letter = r"[^\W_]" if digits else r"[^\W\d_]"
    return re.compile(rf"(?:{letter}|[{MARKS}])+|{_END}" if marked else rf"{letter}+|{_END}")


def are_unspaced(words: Iterable[str]) -> list[bool]:
    """Whether each word is one sign of a script that writes no spaces."""
    return [len(word) == 1 and _pattern(_UNSPACED).match(word) is not None for word in words]


def words(text: str, *, digits: bool = False) -> list[str]:
    """Words of a text in order, without the sentences' ends."""
    text = normalise(text)
    found = _word_pattern(text, digits).findall(text)
    return [word for word in found if word[0].isalnum()] if _may_start_with_mark(text) else found


def _word_pattern(text: str, digits: bool) -> re.Pattern[str]:
    """Words alone; no end of a sentence holds a letter or a digit, so they are the same."""
    if _may_start_with_mark(text):
        return _compile(digits, True)
    return _ONLY_LETTERS_AND_DIGITS if digits else _ONLY_LETTERS


def _sign_pattern(text: str, digits: bool) -> re.Pattern[str]:
    """The same words where signs of scripts without spaces have no spaces around them yet."""
    letter = r"[^\W_" if digits else r"[^\W\d_"
    word = rf"{letter}{UNSPACED}]"
    word = rf"(?:{word}|[{MARKS}])" if _may_start_with_mark(text) else word
    return _pattern(rf"(?=[{UNSPACED}]){letter}]|{word}+")


def plain_pattern(text: str) -> re.Pattern[str] | None:
    """The words and numbers of a normalised text whose every match is one; None where marks of a
    script may stand alone."""
    return None if _may_start_with_mark(text) else _ONLY_LETTERS_AND_DIGITS


def has_vowel_signs(text: str) -> bool:
    """Whether Arabic signs stand in a text that are no letters, and not in its normal form."""
    return not is_latin(text) and _pattern(_VOWEL_SIGNS).search(text) is not None


@cache
def signed_arabic_word() -> re.Pattern[str]:
    """Words and numbers of a text as written, with the signs that normalising removes."""
    signs = _ARABIC_SIGNS[1:-2]
    return re.compile(rf"[^\W_{signs}](?:[^\W_]|[{signs}])*+")


def _may_start_with_mark(text: str) -> bool:
    return not is_latin(text) and _pattern(_HAS_MARKS).search(text) is not None


@cache
def _compile_end() -> re.Pattern[str]:
    return re.compile(_END, re.IGNORECASE)


def sentences(text: str) -> list[str]:
    """Sentences of a text as written, trimmed; a line break ends a sentence."""
    found, start = [], 0
    for end in _compile_end().finditer(text):
        found.append(text[start : end.end()].strip())
        start = end.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if any(c.isalnum() for c in sentence)]


Spans = list[tuple[int, int]]
"""Places in a text: where each word begins and ends (character offsets)."""


def word_spans(text: str, *, digits: bool = False) -> tuple[list[str], Spans]:
    """The words of `words`, with their places in the text as written."""
    found: list[str] = []
    spans: Spans = []
    start = 0
    for line in text.splitlines(keepends=True):
        made, places = line_spans(line, digits=digits)
        found += made
        spans += [(start + first, start + last) for first, last in places]
        start += len(line)
    return found, spans


def line_spans(line: str, *, digits: bool = False) -> tuple[list[str], Spans]:
    """The same for one line; characters that normalising changes are counted."""
    normal = _normal_form(line)
    pattern = (_sign_pattern if _has_signs(normal) else _word_pattern)(normal, digits)
    if len(normal) == len(line) and (normal == line.lower() or _changes_each_alone(line, normal)):
        spans = [match.span() for match in pattern.finditer(normal)]
        if _may_start_with_mark(normal):
            spans = [span for span in spans if normal[span[0]].isalnum()]
        return [normal[first:last] for first, last in spans], spans
    found = [
        (word, (chunk.start() + first, chunk.start() + last))
        for chunk in _CHUNK.finditer(line)
        for word, first, last in _words_in(chunk.group(), pattern)
    ]
    return [word for word, _ in found], [span for _, span in found]


def _changes_each_alone(line: str, normal: str) -> bool:
    """Whether every character of a line became one character, whatever stands beside it."""
    made = {character: _normalise_character(character) for character in set(line)}
    alone = all(len(form) == 1 for form in made.values())
    return alone and "".join(map(made.__getitem__, line)) == normal


@lru_cache(maxsize=50_000)
def _words_in(chunk: str, pattern: re.Pattern[str]) -> tuple[tuple[str, int, int], ...]:
    """Words of a text without white space, and where they stand in it."""
    written, places = _normalise_with_places(chunk)
    return tuple(
        (match.group(), places[match.start()][0], places[match.end() - 1][1])
        for match in pattern.finditer(written)
        if match.group()[0].isalnum()
    )


def _normalise_with_places(chunk: str) -> tuple[str, list[tuple[int, int]]]:
    """A chunk in normal form, and where each of its characters stands as written.

    Where characters change together, so that none has a place of its own, each has the place of the
    whole chunk.
    """
    normal, end = _normal_form(chunk), len(chunk)
    forms = [_normalise_character(character) for character in chunk]
    if "".join(forms) != normal:
        return normal, [(0, end)] * len(normal)
    starts = [i for i, form in enumerate(forms) for _ in form]
    following = [*starts[1:], end][: len(starts)]
    return normal, [(a, max(a + 1, b)) for a, b in zip(starts, following, strict=True)]
