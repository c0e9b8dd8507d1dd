"""How few letters must change to make one text of the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec

import numpy as np

from reducepp.errors import ProfileError
from reducepp.similarity.contents import Contents, blank
from reducepp.similarity.measures.shared_items import read_posts
from reducepp.text.lexicons import log
from reducepp.text.post_parts import Post
from reducepp.types import Array

SPELLINGS: dict[str, Callable[[Post], str]] = {
    "text": lambda post: post.clean,
    "untagged": lambda post: post.untagged,
    "words": lambda post: " ".join(post.words),
}
"""The text as it is, without tags, mentions and addresses, or its words in one spelling."""

LONGEST = 5_000
"""Letters of a text that count: the time grows with the product of two lengths."""


def levenshtein(
    contents: Contents, *, spelling: str = "text", longest: int = 0, enough: float = 1.0
) -> Array:
    """1 - distance / `longest`, at least 0; NaN for an empty text.

    `longest` is the length of the longer text where it is 0. A similarity of `enough` or more
    counts as 1, and what is below in proportion. Tao et al. (2013), 4.1.1, with `longest` = 140.
    """
    if spelling not in SPELLINGS:
        known = ", ".join(SPELLINGS)
        raise ProfileError(f"levenshtein: spelling = {spelling!r}: use one of {known}")
    texts = [SPELLINGS[spelling](post)[:LONGEST] for post in read_posts(contents)]
    lengths = np.array([len(text) for text in texts], dtype=np.float64)
    full = np.maximum.outer(lengths, lengths) if longest <= 0 else np.full((1, 1), float(longest))
    similarities = np.maximum(1 - distances(texts) / np.maximum(full, 1), 0.0)
    return blank(np.minimum(similarities / max(enough, 1e-9), 1.0), lengths == 0)


def distances(texts: Sequence[str]) -> Array:
    """Levenshtein distance of every two texts, on all cores for many."""
    if not texts:
        return np.zeros((0, 0))
    if len(texts) > 2 and _has_rapidfuzz():
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        found: Array = cdist(texts, texts, scorer=Levenshtein.distance, dtype=np.float64)
        return found
    of_two = _fast_distance() if _has_rapidfuzz() else plain_distance
    table = np.zeros((len(texts), len(texts)))
    for i, text in enumerate(texts):
        for j in range(i):
            table[i, j] = table[j, i] = of_two(text, texts[j])
    return table


@cache
def _has_rapidfuzz() -> bool:
    if find_spec("rapidfuzz") is not None:
        return True
    log.warning(
        "rapidfuzz not installed: letters are compared slowly (pip install 'reducepp[posts]')"
    )
    return False


@cache
def _fast_distance() -> Callable[[str, str], int]:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance


def plain_distance(a: str, b: str) -> int:
    """Fewest letters to insert, delete or replace: Wagner and Fischer's table, row by row."""
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
        above = row
    return above[-1]
