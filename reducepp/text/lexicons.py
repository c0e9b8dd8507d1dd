"""Lexical data: word lists, spaCy's lookup tables, ISRI roots, thesauri, rarity of English words.

Missing packages are logged once and skipped.
"""

import builtins
import gzip
import json
import os
import sys
import tomllib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.util import find_spec
from mmap import ACCESS_READ, mmap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from reducepp.text.tokenise import normalise

THESAURI = Path(os.environ.get("REDUCEPP_THESAURI", "/usr/share/mythes"))
"""Where Debian's mythes-* packages put their files."""
MIN_SYNONYM_LENGTH = 3
"""Letters and abbreviations have rare senses ("l" is fifty) that mislead."""
FREQUENCY_TABLE = "english_words.txt.gz"
"""Minus the logarithm of each word's share of all words, in tenths, of the 40,000 commonest words
of spaCy's lookup data (MIT licence); `python -m benchmarks rarity` writes it again."""
UNKNOWN_WORD_RARITY = 150
"""Tenths of a natural logarithm for a word outside the table."""
MIN_STEM_LENGTH = 2
"""Letters that are left of an Arabic word without its affixes."""
ARABIC_LETTERS = ("\u0621", "\u064a")
"""First and last letter of the script that Arabic words, as they are normalised, begin with."""
RARITY_OFFSET = 30
"""Subtracted from every word's value, so that the commonest words weigh next to nothing."""


@cache
def _word_lists() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("word_lists.toml").read_text("utf-8"))


def read_word_lists(table: str) -> dict[str, str]:
    """Language code to words, separated by white space, of one table of word_lists.toml."""
    return _word_lists()[table]


@cache
def function_words() -> frozenset[str]:
    """Articles, pronouns, prepositions and the like of all languages that have a list."""
    tables = (read_word_lists(name) for name in ("function_words", "stop_words", "arabic_script"))
    return frozenset(word for table in tables for words in table.values() for word in words.split())


@cache
def negations() -> frozenset[str]:
    """Words of all languages that have a list that negate a sentence, normalised."""
    return frozenset(normalise(" ".join(read_word_lists("negations").values())).split())


def replaceable_words(languages: Iterable[str]) -> frozenset[str]:
    """Function words of these languages that negate nothing, normalised and without apostrophe."""
    tables = read_word_lists("arabic_script") | read_word_lists("function_words")
    found = " ".join(tables.get(language, "") for language in set(languages))
    return frozenset(normalise(found).replace("'", "").split()) - negations()


_QUIET = ContextVar("quiet", default=False)


@contextmanager
def without_warnings() -> Iterator[None]:
    """Within it missing packages are not logged: what they add hardly matters."""
    token = _QUIET.set(True)
    try:
        yield
    finally:
        _QUIET.reset(token)


def warn_missing(what: str, remedy: str) -> None:
    """Log once that a package is not installed."""
    if not _QUIET.get():
        _log_missing(what, remedy)


@cache
def _log_missing(what: str, remedy: str) -> None:
    import logging

    text = "%s not installed: going on without it (%s)"
    logging.getLogger("reducepp").warning(text, what, remedy)


@cache
def _lookup_table(language: str) -> dict[str, str | list[str]]:
    """Word to its lemma, or to several of which the first is the likeliest."""
    found = find_spec("spacy_lookups_data")
    if found is None or found.origin is None:
        return {}
    path = Path(found.origin).parent / "data" / f"{language}_lemma_lookup.json.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        table: dict[str, str | list[str]] = json.load(file)
    return table


def lookup_lemmas(language: str, vocabulary: Iterable[str]) -> dict[str, str]:
    """Lemmas from spaCy's lookup tables, read without loading spaCy."""
    table = _lookup_table(language)
    if not table:
        warn_missing("spacy-lookups-data (lemmas)", "pip install 'reducepp[semantic]'")
    found = {word: table[word] for word in vocabulary if word in table}
    return {w: normalise(base if isinstance(base, str) else base[0]) for w, base in found.items()}


def light_stems(vocabulary: Iterable[str]) -> dict[str, str]:
    """Words of Arabic script that have affixes, without them; nothing is looked up."""
    affixes = read_word_lists("arabic_affixes")
    prefixes, endings = affixes["prefixes"].split(), affixes["endings"].split()
    stems = {
        word: _strip(word, prefixes, endings)
        for word in vocabulary
        if len(word) > MIN_STEM_LENGTH and ARABIC_LETTERS[0] <= word[0] <= ARABIC_LETTERS[1]
    }
    return {word: stem for word, stem in stems.items() if stem != word}


def _strip(word: str, prefixes: Sequence[str], endings: Sequence[str]) -> str:
    """Without "and" (of which three letters stay), one prefix and any endings."""
    stem = word.removeprefix("و") if len(word) > MIN_STEM_LENGTH + 1 else word
    fits = (p for p in prefixes if stem.startswith(p) and len(stem) >= len(p) + MIN_STEM_LENGTH)
    stem = stem.removeprefix(next(fits, ""))
    for ending in endings:
        if len(stem) >= len(ending) + MIN_STEM_LENGTH:
            stem = stem.removesuffix(ending)
    return stem


def isri_roots(vocabulary: Iterable[str]) -> dict[str, str]:
    """Arabic roots by NLTK's ISRI stemmer, which needs no data."""
    if find_spec("nltk") is None:
        warn_missing("nltk (Arabic roots)", "pip install 'reducepp[semantic]'")
        return {}
    stem = _isri_stemmer().stem
    return {word: normalise(stem(word)) or word for word in vocabulary}


@cache
def _isri_stemmer() -> Any:
    """NLTK's stemmer without the rest of NLTK: all of it takes two seconds and 200 MB to import."""
    spec = find_spec("nltk")
    assert spec is not None
    assert spec.origin is not None
    try:
        return _run_alone(Path(spec.origin).parent, "stem", "isri")["ISRIStemmer"]()
    except (ImportError, OSError, KeyError, AttributeError):  # a version with other modules
        from nltk.stem.isri import ISRIStemmer

        return ISRIStemmer()


def _run_alone(package: Path, *module: str) -> dict[str, Any]:
    """The names in a module of a package, whose `__init__` is not run; nor are its parents'."""

    def load(name: str, *rest: Any) -> Any:
        top, *parts = name.split(".")
        if top != package.name:
            return __import__(name, *rest)
        found, names = package.joinpath(*parts), rest[2] or ()
        if found.is_dir():
            return SimpleNamespace(**{n: load(f"{name}.{n}", None, None, ("*",)) for n in names})
        return SimpleNamespace(**_run_alone(package, *parts))

    path = package.joinpath(*module).with_suffix(".py")
    own_builtins = {**vars(builtins), "__import__": load}
    made: dict[str, Any] = {"__name__": ".".join((package.name, *module))}
    made["__builtins__"] = own_builtins
    exec(compile(path.read_bytes(), path, "exec"), made)
    return made


class Thesaurus:
    """A MyThes file: an index of offsets into a list of senses and their synonyms."""

    def __init__(self, stem: str) -> None:
        with (THESAURI / f"{stem}.dat").open("rb") as file:
            self._data = mmap(file.fileno(), 0, access=ACCESS_READ)
        self._encoding = self._data.readline().decode("ascii").strip() or "utf-8"
        data = (THESAURI / f"{stem}.idx").read_bytes().decode(self._encoding, "replace")
        *_, entries = data.split("\n", 2)  # after the encoding and their number
        self._index = normalise(entries)
        if self._index != entries:  # else they are in order: MyThes searches them as we do
            lines = self._index.splitlines(keepends=True)
            self._index = "".join(sorted(lines, key=lambda line: line.rpartition("|")[0]))
        self.first_sense = cache(self._read_first_sense)
        self._offsets = cache(self._read_offsets)

    def mutual_synonyms(self, word: str) -> frozenset[str]:
        """The word, and the words of its first sense that have it in theirs."""
        own = self.first_sense(word)
        return frozenset([word, *(s for s in own if word in self.first_sense(s))])

    def _read_first_sense(self, word: str) -> frozenset[str]:
        """Single words of the entry's first sense; empty for an unknown word."""
        offset = self._offsets(word[:MIN_SYNONYM_LENGTH]).get(word)
        if offset is None or len(word) < MIN_SYNONYM_LENGTH:
            return frozenset()
        start = self._data.find(b"\n", offset) + 1
        line = self._data[start : self._data.find(b"\n", start)].decode(self._encoding, "replace")
        found = [normalise(s.strip()) for s in line.split("|")[1:] if "(" not in s]
        return frozenset(s for s in found if len(s) >= MIN_SYNONYM_LENGTH and s.isalpha())

    def _read_offsets(self, start: str) -> dict[str, int]:
        """Words with this beginning to their places in the list; to read all takes 0.1 s."""
        places, end = range(len(self._index)), start + chr(sys.maxunicode)
        first, last = (bisect_left(places, bound, key=self._word_at) for bound in (start, end))
        lines = reversed(self._index[first:last].splitlines())  # the first of equal words remains
        entries = (line.rpartition("|") for line in lines)
        return {word: int(offset) for word, _, offset in entries if offset.isdigit()}

    def _word_at(self, place: int) -> str:
        """The word of the line of the index that a place is in."""
        start = self._index.rfind("\n", 0, place) + 1
        return self._index[start : self._index.find("|", start)]


@cache
def _thesaurus(stem: str, package: str) -> Thesaurus | None:
    try:
        return Thesaurus(stem)
    except (OSError, ValueError):  # no file; an empty one
        warn_missing(f"{package} (synonyms)", f"apt-get install {package}")
        return None


def thesaurus_concepts(stem: str, package: str, vocabulary: Iterable[str]) -> dict[str, str]:
    """Map each word to its class of synonyms, named by the alphabetically first member.

    Two words are mutual synonyms when each is in the other's first sense, and in one class when
    their sets of mutual synonyms, themselves included, are equal: every class is a clique, and no
    word is in two. The classes depend on the thesaurus alone.
    """
    thesaurus = _thesaurus(stem, package)
    if thesaurus is None:
        return {}
    return {
        word: min(s for s in mutual if thesaurus.mutual_synonyms(s) == mutual)
        for word in vocabulary
        for mutual in [thesaurus.mutual_synonyms(word)]
    }


def rarity(word: str) -> int:
    """How rare a word is in English: a whole number from 1 to 120, 4 for "the".

    Whole numbers make sums exact in any order, and a fixed table makes a pair's score depend on
    the pair alone, which document frequencies of the page set would not. Words outside the table,
    and so all words of other languages, have the highest rarity.
    """
    return max(int(_frequencies().get(word, UNKNOWN_WORD_RARITY)) - RARITY_OFFSET, 1)


@cache
def _frequencies() -> dict[str, str]:
    data = gzip.decompress(Path(__file__).with_name(FREQUENCY_TABLE).read_bytes())
    words = data.decode("utf-8").split()
    return dict(zip(words[::2], words[1::2], strict=True))


MODELS = {
    "en": ("en_core_web_sm", "en_core_web_md", "en_core_web_lg"),
    "fr": ("fr_core_news_sm", "fr_core_news_md", "fr_core_news_lg"),
}
"""Names of models by language, in the order they are looked for."""
UNUSED = {"lemmas": ["parser", "ner"], "entities": ["parser", "lemmatizer", "attribute_ruler"]}
"""Parts of a pipeline that a job does not need."""
MAX_CHARS = 200_000
"""Of a text that a model reads; words beyond have the lemmas of the lookup tables."""


@cache
def installed_model(language: str) -> str:
    """Name of the installed model of a language; "" without one."""
    if language not in MODELS or find_spec("spacy") is None:
        return ""
    return next((name for name in MODELS[language] if find_spec(name)), "")


@cache
def load_model(language: str, job: str) -> Any:
    """The pipeline of a language for `lemmas` or `entities`; None without a model."""
    name = installed_model(language)
    if not name:
        return None
    import spacy

    return spacy.load(name, exclude=UNUSED[job])


def lemmas_in_context(text: str, language: str) -> dict[str, str]:
    """Each word of a text with the lemma that the model gives it most often there."""
    found: dict[str, Counter[str]] = {}
    for token in load_model(language, "lemmas")(text[:MAX_CHARS]):
        word, lemma = normalise(token.text), normalise(token.lemma_)
        if word.isalpha() and lemma:
            found.setdefault(word, Counter())[lemma] += 1
    return {word: counts.most_common(1)[0][0] for word, counts in found.items()}
