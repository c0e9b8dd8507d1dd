"""Items that two posts may share: n-grams, tags, numbers, named entities, WordNet nouns.

Entities come from an installed spaCy model, else from capital letters, tags and amounts.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import groupby

from reducepp.text.lexicons import MODELS, installed_model, load_model, warn_missing
from reducepp.text.post_parts import Post, is_title_case
from reducepp.text.tokenise import normalise
from reducepp.text.wordnet import nouns_of, synsets_of, topics_of

Entity = tuple[str, str]
"""Name in lower case, and type."""
_AMOUNT = re.compile(r"[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?%|\d[\d.,]*")
_TOKEN = re.compile(r"(?<!\w)[^\W\d_][\w'’-]*|[^\w\s]|\d\w*")


@lru_cache(maxsize=512)
def entities(post: Post) -> tuple[Entity, ...]:
    """Named entities with their types, in order."""
    if post.language in MODELS and not installed_model(post.language):
        what = "a spaCy model (entities; capitals, tags and numbers are used instead)"
        warn_missing(what, f"python -m spacy download {MODELS[post.language][0]}")
    model = load_model(post.language, "entities")
    if model is None:
        return simple_entities(post)
    found = model(post.spoken).ents
    return tuple((" ".join(normalise(entity.text).split()), entity.label_) for entity in found)


def simple_entities(post: Post) -> tuple[Entity, ...]:
    """Runs of capitalised words, hashtags, mentions, amounts.

    The first word of a text counts only where more capitals follow it, and a text that
    capitalises most of its words has no runs.
    """
    tagged = [(tag, "TAG") for tag in post.hashtags] + [(name, "ACCOUNT") for name in post.mentions]
    found = _AMOUNT.findall(post.clean)
    types = ["MONEY" if x[0] in "$€£¥" else "PERCENT" if x[-1] == "%" else "NUMBER" for x in found]
    amounts = [(one.replace(" ", ""), kind) for one, kind in zip(found, types, strict=True)]
    return (*_capital_runs(post), *tagged, *amounts)


def _capital_runs(post: Post) -> tuple[Entity, ...]:
    if is_title_case(post.untagged):
        return ()
    by_case = groupby(_TOKEN.findall(post.untagged), key=lambda word: word[0].isupper())
    runs = [list(run) for capital, run in by_case if capital]
    # A lone word that opens a sentence and that the language writes small is no name.
    names = [run for run in runs if len(run) > 1 or normalise(run[0]) in post.names]
    return tuple((normalise(" ".join(run)), "NAME") for run in names)


def _grams(words: tuple[str, ...], size: int) -> set[str]:
    return {" ".join(words[i : i + size]) for i in range(len(words) - size + 1)}


def _letters(words: tuple[str, ...], size: int) -> set[str]:
    line = f" {' '.join(words)} "
    return {line[i : i + size] for i in range(len(line) - size + 1)} if words else set()


ITEMS: dict[str, Callable[[Post], set[str]]] = {
    "terms": lambda post: set(post.words),
    "lemmas": lambda post: set(post.lemmas),
    "content": lambda post: set(post.content),
    "pairs": lambda post: _grams(post.lemmas, 2),
    "triples": lambda post: _grams(post.lemmas, 3),
    "letters": lambda post: _letters(post.words, 4),
    "hashtags": lambda post: set(post.hashtags),
    "mentions": lambda post: set(post.mentions),
    "numbers": lambda post: set(post.numbers),
    "names": lambda post: set(post.names),
    "entities": lambda post: {name for name, _ in entities(post)},
    "entity_types": lambda post: {kind for _, kind in entities(post)},
    "capitals": lambda post: {name for name, _ in simple_entities(post)},
    "nouns": lambda post: set(nouns_of(post)),
    "synsets": lambda post: set(synsets_of(post)),
    "topics": lambda post: set(topics_of(post)),
}
"""Name of an item type in a profile to its function."""
