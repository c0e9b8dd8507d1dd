"""Languages of semantic preparation: stop words, lemmas and synonyms of each.

English and French: spaCy's lookup lemmas and MyThes thesauri (the English one is made from
WordNet); elided French articles are stop words. Arabic: MyThes synonyms, then ISRI roots, because
the thesaurus lists words, not roots.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reducepp.text.lexicons import isri_roots, lookup_lemmas, read_word_lists, thesaurus_concepts
from reducepp.text.tokenise import normalise

Mapping = Callable[[Iterable[str]], dict[str, str]]

_STOP_WORDS = read_word_lists("stop_words")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Stop words of a language, and functions that map words to lemmas and concepts.

    `lemmas` and `synonyms` take a vocabulary and return word to base form; words that they do
    not know are left out. All words are in the form that `tokenise.normalise` returns.
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


ENGLISH = Language(
    code="en",
    name="English",
    stop_words=frozenset(_STOP_WORDS["en"].split()),
    lemmas=lambda words: lookup_lemmas("en", words),
    synonyms=lambda words: thesaurus_concepts("th_en_US_v2", "mythes-en-us", words),
)

FRENCH = Language(
    code="fr",
    name="French",
    stop_words=frozenset(_STOP_WORDS["fr"].split()),
    lemmas=lambda words: lookup_lemmas("fr", words),
    synonyms=lambda words: thesaurus_concepts("thes_fr", "mythes-fr", words),
)

ARABIC = Language(
    code="ar",
    name="Arabic",
    stop_words=frozenset(normalise(_STOP_WORDS["ar"]).split()),
    lemmas=_arabic_lemmas,
    synonyms=lambda words: {},
)

LANGUAGES: dict[str, Language] = {language.code: language for language in (ENGLISH, FRENCH, ARABIC)}
"""ISO 639-1 code to language."""
