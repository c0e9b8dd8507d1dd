"""The word lists of fact_words.toml as lookup tables, in the normal form of tokens."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from reducepp.text.lexicons import function_words
from reducepp.text.tokenise import normalise

Unit = tuple[str, str, float]
"""Dimension, name, and factor to the dimension's base unit."""


ARABIC_AND = "و"
"""Written without a space before the next word."""


@dataclass(frozen=True, kw_only=True)
class FactWords:
    """Words that facts are written with; phrases have one space between their words."""

    months: Mapping[str, int]
    hijri_months: Mapping[str, int]
    date_links: frozenset[str]
    ordinals: frozenset[str]
    numbers: Mapping[str, int]
    magnitudes: Mapping[str, float]
    touching: Mapping[str, float]
    alone: frozenset[str]
    articles: frozenset[str]
    conjunctions: frozenset[str]
    units: Mapping[str, Unit]
    """Units, currencies (dimension ``money``) and per cent (dimension ``percent``)."""
    capitals: Mapping[str, Unit]
    """Names that are units in this very case only."""
    symbols: frozenset[str]
    approximators: Mapping[str, str]
    """Phrase before a number to ``near``, ``below`` or ``above``."""
    am: frozenset[str]
    pm: frozenset[str]
    hour_marks: frozenset[str]
    zones: frozenset[str]
    versions: frozenset[str]
    counters: frozenset[str]
    relative: frozenset[str]
    stamps: frozenset[str]
    bylines: frozenset[str]
    particles: frozenset[str]
    before: frozenset[str]
    name_cues: frozenset[str]
    unspecific: frozenset[str]
    halves: frozenset[str]
    range_links: frozenset[str]
    minus: frozenset[str]
    below_zero: frozenset[str]
    identifiers: frozenset[str]
    viewed: frozenset[str]
    times: frozenset[str]
    duals: Mapping[str, Unit]
    """Word for two of a unit to the unit."""

    @cached_property
    def month_starts(self) -> frozenset[str]:
        """First words of months, which most words after a number are not."""
        return frozenset(name.split()[0] for name in (*self.months, *self.hijri_months))

    @cached_property
    def counted(self) -> frozenset[str]:
        """Words before which an article may be a number: a million, an hour and a half."""
        return frozenset((*self.magnitudes, *self.units))

    @cached_property
    def unit_lengths(self) -> dict[str, int]:
        """First word of units of several words to the most words that one has."""
        found: dict[str, int] = {}
        for name in self.units:
            first, *others = name.split()
            if others:
                found[first] = max(found.get(first, 1), 1 + len(others))
        return found

    @cached_property
    def approximator_ends(self) -> frozenset[str]:
        """Last words of approximators."""
        return frozenset(phrase.split()[-1] for phrase in self.approximators)

    @cached_property
    def empty(self) -> frozenset[str]:
        """Words that say nothing about a figure: "least", "than", "people"."""
        words = (word for phrase in self.approximators for word in phrase.split())
        return frozenset((*words, *self.unspecific, *function_words()))

    @cached_property
    def clock_words(self) -> frozenset[str]:
        """Words after the hour of a time of day."""
        return self.am | self.pm | self.hour_marks | {"a", "p"}

    @cached_property
    def starts(self) -> frozenset[str]:
        """Words that a number may begin with; an article only before a magnitude."""
        words = frozenset((*self.numbers, *self.alone, *self.articles, *self.halves, *self.duals))
        return words | {ARABIC_AND + word for word in words if "\u0600" < word < "\u0700"}


@cache
def fact_words() -> FactWords:
    """The word lists, read once; those of the table `words` are sets under their own names."""
    data = tomllib.loads(Path(__file__).with_name("fact_words.toml").read_text("utf-8"))
    units = _units(data)
    return FactWords(
        months=_invert(data["months"], int),
        hijri_months=_invert(data["hijri_months"], int),
        numbers=_invert(data["numbers"], int),
        magnitudes=_invert(data["magnitudes"], float),
        touching={word: float(factor) for word, factor in data["touching"].items()},
        units=units,
        capitals=_capitals(data, units),
        symbols=frozenset(form for form in units if len(form) == 1 and not form.isalnum()),
        duals=_duals(data, units),
        approximators=_invert(data["approximators"], str),
        **{name: frozenset(_normal(words)) for name, words in data["words"].items()},
    )


def _units(data: Mapping[str, Any]) -> dict[str, Unit]:
    units: dict[str, Unit] = {
        written: (dimension, name, float(factor))
        for dimension, names in data["units"].items()
        for name, (factor, forms) in names.items()
        for written in (*forms.split(", "), *_normal(forms))  # m² and m2
    }
    for code, forms in data["currencies"].items():
        units |= dict.fromkeys(_normal(forms), ("money", code, 1.0))
    return units | dict.fromkeys(_normal(data["percent"]["words"]), ("percent", "%", 1.0))


def _capitals(data: Mapping[str, Any], units: Mapping[str, Unit]) -> dict[str, Unit]:
    by_name = {unit[1]: unit for unit in units.values()}
    codes = {code: by_name[code] for code in data["currencies"] if code.isupper()}
    return codes | {form: by_name[name] for form, name in data["capitals"].items()}


def _duals(data: Mapping[str, Any], units: Mapping[str, Unit]) -> dict[str, Unit]:
    by_name = {unit[1]: unit for unit in units.values()}
    return {word: by_name[name] for name, words in data["duals"].items() for word in _normal(words)}


def _invert(table: Mapping[str, str], number: Any) -> dict[str, Any]:
    """Word to value, of a table of value to words."""
    return {word: number(value) for value, words in table.items() for word in _normal(words)}


def _normal(words: str) -> list[str]:
    """Each word of a list in normal form."""
    return [" ".join(word.split()) for word in normalise(words).split(",")]
