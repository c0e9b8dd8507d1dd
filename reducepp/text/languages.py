"""Languages of semantic preparation: stop words, lemmas and synonyms of each.

English and French: spaCy's lookup lemmas and MyThes thesauri (the English one is made from
WordNet); elided French articles are stop words. Arabic: MyThes synonyms, then ISRI roots, because
the thesaurus lists words, not roots.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from reducepp.text.lexicons import isri_roots, lookup_lemmas, read_word_lists, thesaurus_concepts
from reducepp.text.tokenise import normalise

Mapping = Callable[[Iterable[str]], dict[str, str]]

_STOP_WORDS = read_word_lists("stop_words")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Stop words of a language, and functions that map words to lemmas and concepts.

    `lemmas` and `synonyms` take a vocabulary and return word to base form; unknown words
    are left out. All words are in the form that `tokenise.normalise` returns.
    """

    code: str
    name: str
    stop_words: frozenset[str]
    lemmas: Mapping
    synonyms: Mapping


def _arabic_lemmas(vocabulary: Iterable[str]) -> dict[str, str]:
    """The root of each word's concept."""
    words = list(vocabulary)
    concepts = thesaurus_concepts("th_ar_EG_v2", "mythes-ar", words)
    named = {word: concepts.get(word, word) for word in words}
    roots = isri_roots(set(named.values()))
    return {word: roots.get(concept, concept) for word, concept in named.items()}


def _by_tables(code: str, name: str, thesaurus: str, package: str) -> Language:
    """A language with lookup lemmas and a thesaurus."""
    return Language(
        code=code,
        name=name,
        stop_words=frozenset(_STOP_WORDS[code].split()),
        lemmas=partial(lookup_lemmas, code),
        synonyms=partial(thesaurus_concepts, thesaurus, package),
    )


ARABIC = Language(
    code="ar",
    name="Arabic",
    stop_words=frozenset(normalise(_STOP_WORDS["ar"]).split()),
    lemmas=_arabic_lemmas,
    synonyms=lambda words: {},
)

LANGUAGES: dict[str, Language] = {
    "en": _by_tables("en", "English", "th_en_US_v2", "mythes-en-us"),
    "fr": _by_tables("fr", "French", "thes_fr", "mythes-fr"),
    "ar": ARABIC,
}
"""ISO 639-1 code to language."""
