"""Numbers in words and in figures with magnitude words: twelve, trois cent cinq, 3 آلاف و500."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reducepp.evidence.facts.fact_tokens import FIGURES, Tokens
from reducepp.evidence.facts.fact_values import read_figures
from reducepp.evidence.facts.fact_words import ARABIC_AND, fact_words

MAX_PARTS = 4
MAX_MAGNITUDES = 2
"""Magnitudes in a row: a hundred thousand."""
WORD_GAP = re.compile(r"[ \t]{0,2}|-")


@dataclass(frozen=True, slots=True)
class Number:
    """A number over the tokens up to `last`, with each way to read it: (number, step)."""

    readings: tuple[tuple[float, float], ...]
    last: int
    has_magnitude: bool = False

    def times(self, factor: float, last: int) -> Number:
        """Multiplied by the magnitude that ends at token `last`."""
        readings = tuple((number * factor, step * factor) for number, step in self.readings)
        return Number(readings, last, True)

    def plus(self, rest: Number) -> Number:
        """With a smaller number after it: two million | three hundred thousand."""
        added, step = rest.readings[0]
        return Number(tuple((n + added, step) for n, _ in self.readings), rest.last, True)


def read_number(tokens: Tokens, i: int, parts: int = MAX_PARTS) -> Number | None:
    """The number at token i, in words or figures, with its magnitudes; None for none.

    It has no more than `parts` parts with a magnitude each: three million | two thousand | five.
    """
    if tokens.figures.get(i) == FIGURES:
        readings = read_figures(tokens.words[i])
        if not readings:
            return None
        if factor := _magnitude_of_range(tokens, i):
            scaled = Number(readings, i).times(factor, i).readings
            return Number((*readings, *scaled), i)
        return _with_magnitudes(tokens, Number(readings, i), parts)
    return _read_words(tokens, i, parts)


def _magnitude_of_range(tokens: Tokens, i: int) -> float:
    """Of 2 in "2 to 3 million" the magnitude that it may share; 0 for none."""
    j = i + 1 + (tokens.word(i + 1) in fact_words().range_links)
    if tokens.figures.get(j) != FIGURES or (j == i + 1 and tokens.between(i) != "-"):
        return 0.0
    readings = read_figures(tokens.words[j])
    if not readings or not readings[0][0]:
        return 0.0
    upper = _with_magnitudes(tokens, Number(readings, j), 1)
    return upper.readings[0][0] / readings[0][0] if upper.has_magnitude else 0.0


def _with_magnitudes(tokens: Tokens, number: Number, parts: int) -> Number:
    magnitudes = fact_words().magnitudes
    factor = 0.0
    if (last := half_after(tokens, number.last)) > number.last:  # two and a half million
        number = Number(tuple((n + 0.5, 0.5) for n, _ in number.readings), last)
    for _ in range(MAX_MAGNITUDES):
        if not tokens.joins(number.last, WORD_GAP):
            break
        following = tokens.words[number.last + 1]
        if following not in magnitudes or (len(following) == 1 and following.isascii()):
            break
        factor = magnitudes[following]
        number = number.times(factor, number.last + 1)
    return _with_rest(tokens, number, factor, parts) if factor >= 1000 else number


def _with_rest(tokens: Tokens, number: Number, below: float, parts: int) -> Number:
    """A smaller number goes on after a magnitude: 3 آلاف و500, two million three hundred."""
    if (last := half_after(tokens, number.last)) > number.last:  # trois millions et demi
        return number.plus(Number(((below / 2, below / 2),), last))
    after = number.last + 1
    if parts == 1 or not tokens.joins(number.last, WORD_GAP):
        return number
    if tokens.figures.get(after) == FIGURES:  # "12 thousand 300": figures need the Arabic and
        return number
    rest = _read_linked(tokens, after, parts - 1)
    if rest and rest.readings[0][0] < below:
        return number.plus(rest)
    return number


def _read_linked(tokens: Tokens, i: int, parts: int) -> Number | None:
    """The number at token i, or after the conjunction at token i."""
    if tokens.words[i] not in fact_words().conjunctions:
        return _read_words(tokens, i, parts)
    if tokens.figures.get(i + 1) == FIGURES and tokens.words[i] != ARABIC_AND:
        return None
    return read_number(tokens, i + 1, parts) if tokens.joins(i, WORD_GAP) else None


def _read_words(tokens: Tokens, i: int, parts: int) -> Number | None:
    """A number in words, with or without an Arabic "and" joined to its first word."""
    lists, word = fact_words(), tokens.word(i)
    if without_and(word) in lists.halves:
        return _read_half(tokens, i, parts)
    if word in lists.articles and _is_counted(tokens, i + 1):
        return _with_magnitudes(tokens, Number(((1.0, 1.0),), i), parts)
    i += word in lists.articles and lists.magnitudes.get(tokens.word(i + 1)) == 100  # a hundred
    if (alone := without_and(word)) in lists.alone and alone not in lists.numbers:
        if tokens.word(i - 1) in ("per", "pour"):
            return None
        start = Number(((1.0, 1.0),), i).times(lists.magnitudes[alone], i)
        if lists.magnitudes[alone] >= 1000:
            return _with_rest(tokens, start, lists.magnitudes[alone], parts)
    value, last = _below_thousand(tokens, i)
    if value <= 1:
        return None
    if value >= 1000:  # a dual: ألفان, مليونان; or an accusative of one: مليونا
        one = lists.magnitudes.get(without_and(tokens.word(last)))
        readings = tuple((n, value / 2) for n in (value, one) if n)
        return _with_rest(tokens, Number(readings, last, True), value / 2, parts)
    return _with_magnitudes(tokens, Number(((value, 1.0),), last), parts)


def _is_counted(tokens: Tokens, i: int) -> bool:
    """Whether an article before token i is a number: a million, an hour and a half."""
    lists, word = fact_words(), tokens.word(i)
    return lists.magnitudes.get(word, 0) >= 1000 or (
        word in lists.units and half_after(tokens, i) > i
    )


def _read_half(tokens: Tokens, i: int, parts: int) -> Number | None:
    """Half of a magnitude or of a unit: half a million, demi-heure, نصف كيلوغرام."""
    lists = fact_words()
    last = i + (tokens.word(i + 1) in lists.articles)
    following = tokens.word(last + 1)
    is_unit = following in lists.units and len(following) > 1
    if lists.magnitudes.get(following, 0) < 1000 and not is_unit:
        return None
    return _with_magnitudes(tokens, Number(((0.5, 0.5),), last), parts)


def half_after(tokens: Tokens, i: int) -> int:
    """The last token of "and a half" after token i; i where there is none."""
    lists, at = fact_words(), i + 1
    linked = tokens.word(at) in lists.conjunctions
    at += linked
    at += linked and tokens.word(at) in lists.articles
    word = tokens.word(at)
    is_half = (
        word in lists.halves
        if linked
        else without_and(word) in lists.halves and word[0] == ARABIC_AND
    )
    return at if is_half else i


def _below_thousand(tokens: Tokens, i: int) -> tuple[float, int]:
    """Value and last token of the number words from token i on; 0 for none."""
    value, _ = _item(tokens.word(i))
    if not value:
        return 0, i
    hundreds, rest, tail, last = (value, 0, 0, i) if value >= 100 else (0, value, value, i)
    while value < 1000 and tokens.joins(last, WORD_GAP):
        at = last + 1
        and_before = tokens.words[at] in fact_words().conjunctions
        at += and_before
        item, linked = _item(tokens.word(at))
        if not item or (and_before and not tokens.joins(at - 1, WORD_GAP)):
            break
        if item == 100 and not hundreds and 0 < rest < 20 and not and_before and not linked:
            hundreds, rest, tail = rest * 100, 0, 0
        elif (added := _joined_value(tokens, at, tail, item, and_before or linked)) is not None:
            rest, tail = rest + added, item if added == item else rest + added
        else:
            break
        last = at
    return hundreds + rest, last


def _item(word: str) -> tuple[int, bool]:
    """Value of a number word, and whether an Arabic "and" is joined to it; 0 for none."""
    lists, plain = fact_words(), without_and(word)
    value = 100 if lists.magnitudes.get(plain) == 100 else lists.numbers.get(plain, 0)
    return value, plain != word


def without_and(word: str) -> str:
    """A word without the Arabic "and" that may be joined to it."""
    return word if word in fact_words().numbers else word.removeprefix(ARABIC_AND)


def _joined_value(tokens: Tokens, at: int, tail: int, item: int, linked: bool) -> int | None:
    """What a number word adds to the one before it (`tail`, 0 after hundreds); None: nothing."""
    word = tokens.words[at]
    hyphen = tokens.between(at - 1) == "-"
    if tail == 0 and item < 100:
        return item
    if tail in (20, 30, 40, 50, 60, 70, 80, 90) and item < 10:
        return item
    if tail in (60, 80) and 10 <= item < 20 and not word.startswith("عشر"):
        return item
    if tail == 4 and word.startswith("vingt"):
        return 76
    if tail == 10 and 7 <= item < 10 and hyphen:
        return item
    if tail < 10 and item == 10 and word.startswith("عشر") and not linked:
        return item
    return item if tail < 10 and item >= 20 and item < 100 and linked else None
