"""Items that two posts may share: n-grams, tags, numbers, named entities, WordNet nouns.

Entities come from an installed spaCy model, else from capital letters, tags and amounts.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from reducepp.text.lexicons import MODELS, installed_model, load_model, say_missing
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
    model = _model(post.language)
    return _by_model(model, post) if model else simple_entities(post)


def _model(language: str) -> Any:
    if language not in MODELS:
        return None
    if not installed_model(language):
        what = "a spaCy model (entities; capitals, tags and numbers tell them instead)"
        say_missing(what, f"python -m spacy download {MODELS[language][0]}")
    return load_model(language, "entities")


def _by_model(model: Any, post: Post) -> tuple[Entity, ...]:
    found = model(post.spoken).ents
    return tuple((" ".join(normalise(entity.text).split()), entity.label_) for entity in found)


def simple_entities(post: Post) -> tuple[Entity, ...]:
    """Runs of capitalised words, hashtags, mentions, amounts.

    The first word of a text counts only where more capitals follow it, and a text that
    capitalises most of its words has no runs.
    """
    tagged = [(tag, "TAG") for tag in post.hashtags] + [(name, "ACCOUNT") for name in post.mentions]
    amounts = [
        (amount.replace(" ", ""), _amount_type(amount)) for amount in _AMOUNT.findall(post.clean)
    ]
    return (*_capital_runs(post), *tagged, *amounts)


def _capital_runs(post: Post) -> tuple[Entity, ...]:
    if is_title_case(post.untagged):
        return ()
    runs: list[list[str]] = []
    before = ""
    for match in _TOKEN.finditer(post.untagged):
        word = match.group()
        capital = word[0].isupper()
        if capital and before and before[0].isupper():
            runs[-1].append(word)
        elif capital:
            runs.append([word])
        before = word
    return tuple((normalise(" ".join(run)), "NAME") for run in runs if _is_name(run, post))


def _is_name(run: list[str], post: Post) -> bool:
    """Not a lone sentence-opening word that the language writes small."""
    return len(run) > 1 or normalise(run[0]) in post.names


def _amount_type(amount: str) -> str:
    if amount[0] in "$€£¥":
        return "MONEY"
    return "PERCENT" if amount.endswith("%") else "NUMBER"


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
