"""WordNet's nouns through NLTK's reader, from the folder of Debian's package wordnet-base.

NLTK's own corpora are not needed: the one file its reader wants beside Debian's, the names of
the lexicographers' files, is written out here. The information content that Lin's similarity needs
comes from WordNet's own structure (Seco, Veale and Hayes 2004: a concept with many hyponyms
carries little), so no counts from a corpus are needed either. Without NLTK or WordNet, a text has
no nouns; a warning is logged once.
"""

import io
import os
import warnings
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reducepp.text.lexicons import warn_missing
from reducepp.text.post_parts import Post

FOLDER = Path(os.environ.get("REDUCEPP_WORDNET", "/usr/share/wordnet"))

MAX_NOUNS = 200
"""Nouns of one text that are looked at."""
_LEXNAMES = """
adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute
noun.body noun.cognition noun.communication noun.event noun.feeling noun.food noun.group
noun.location noun.motive noun.object noun.person noun.phenomenon noun.plant noun.possession
noun.process noun.quantity noun.relation noun.shape noun.state noun.substance noun.time verb.body
verb.change verb.cognition verb.communication verb.competition verb.consumption verb.contact
verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative
verb.weather adj.ppl
"""


@cache
def wordnet() -> Any:
    """NLTK's reader on Debian's files; None where either is missing."""
    if find_spec("nltk") is None:
        warn_missing("nltk (WordNet)", "pip install 'reducepp[semantic]'")
        return None
    if not (FOLDER / "data.noun").is_file():
        warn_missing("wordnet-base (nouns and their likeness)", "apt-get install wordnet-base")
        return None
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    if str(FOLDER) not in nltk.data.path:  # NLTK reads only from folders named there
        nltk.data.path.append(str(FOLDER))

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        def open(self, name: str) -> Any:
            if name == "lexnames":
                return io.StringIO("".join(f"{i} {n} 0\n" for i, n in enumerate(_LEXNAMES.split())))
            return super().open(name)

        def map_wn(self, version: str = "wordnet") -> None:
            """Other versions' offsets are not needed."""

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that it has one language
        return Reader(str(FOLDER), None)


@lru_cache(maxsize=65536)
def first_synset(word: str) -> Any:
    """The commonest noun sense of a word that is a noun more than anything else; else None.

    Without a tagger, a word counts as a noun where WordNet lists at least as many noun senses of
    it as of any other part of speech.
    """
    reader = wordnet()
    if reader is None:
        return None
    senses = reader.synsets(word)
    nouns = [sense for sense in senses if sense.pos() == "n"]
    others = [sum(sense.pos() in pos for sense in senses) for pos in ("v", "as", "r")]
    return nouns[0] if nouns and len(nouns) >= max(others) else None


def _senses(post: Post) -> list[tuple[str, Any]]:
    if post.language not in ("en", "") or wordnet() is None:
        return []
    words = [*dict.fromkeys(filter(str.isalpha, post.content))][: 5 * MAX_NOUNS]
    return [(word, sense) for word in words if (sense := first_synset(word))][:MAX_NOUNS]


def nouns_of(post: Post) -> list[str]:
    """Base forms of a text's nouns."""
    reader = wordnet()
    return [reader.morphy(word, "n") or word for word, _ in _senses(post)]


def synsets_of(post: Post) -> list[str]:
    """All words that mean the same as one of a text's nouns, those nouns among them."""
    return [name.lower() for _, sense in _senses(post) for name in sense.lemma_names()]


def topics_of(post: Post) -> list[str]:
    """Subject fields of a text's nouns: WordNet's lexicographers' files ("noun.food")."""
    return [sense.lexname() for _, sense in _senses(post)]


def concepts_of(post: Post) -> list[int]:
    """WordNet's numbers of a text's nouns' first senses."""
    return list(dict.fromkeys(sense.offset() for _, sense in _senses(post)))


@cache
def _hypernyms() -> dict[int, tuple[int, ...]]:
    """Number of each noun concept to those of the concepts right above it."""
    found = {}
    with (FOLDER / "data.noun").open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith(" "):
                continue
            fields = line.split(" | ", 1)[0].split()
            start = 5 + 2 * int(fields[3], 16)
            pointers = zip(fields[start::4], fields[start + 1 :: 4], strict=False)
            found[int(fields[0])] = tuple(int(to) for kind, to in pointers if kind in ("@", "@i"))
    return found


@cache
def above(concept: int) -> frozenset[int]:
    """A concept and all above it."""
    found = {concept}
    for hypernym in _hypernyms()[concept]:
        found |= above(hypernym)
    return frozenset(found)


@cache
def hyponym_counts() -> dict[int, int]:
    """How many concepts are below each noun concept, itself among them."""
    counts = dict.fromkeys(_hypernyms(), 0)
    for concept in counts:
        for ancestor in above(concept):
            counts[ancestor] += 1
    return counts
