"""What two short texts may share, by the name a profile gives it."""

from __future__ import annotations

from collections.abc import Callable

from reducepp.text.entities import entities
from reducepp.text.post_parts import Post
from reducepp.text.wordnet import nouns_of, synsets_of, topics_of


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
    "nouns": lambda post: set(nouns_of(post)),
    "synsets": lambda post: set(synsets_of(post)),
    "topics": lambda post: set(topics_of(post)),
}
