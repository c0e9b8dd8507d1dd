"""What a language brings to semantic preparation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

Mapping = Callable[[Iterable[str]], dict[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language: its function words, and how words become lemmas and concepts.

    `lemmas` and `synonyms` take a vocabulary and return word to base form, leaving out words
    they do not know. All words are in the form that `tokens.normalise` gives them.
    """

    code: str
    name: str
    stop_words: frozenset[str]
    lemmas: Mapping
    synonyms: Mapping
