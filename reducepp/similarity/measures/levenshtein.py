"""Levenshtein distance of two texts, as a similarity."""

from collections.abc import Callable, Sequence

import numpy as np

from reducepp.similarity.contents import Contents
from reducepp.similarity.measures.feature_sets import check_option, read_posts
from reducepp.similarity.pairs import AllPairs, Pairs
from reducepp.text.post_parts import Post
from reducepp.types import Array

SPELLINGS: dict[str, Callable[[Post], str]] = {
    "text": lambda post: post.clean,
    "untagged": lambda post: post.untagged,
    "words": lambda post: " ".join(post.words),
}
"""The text as it is; without tags, mentions and addresses; its normalised words."""

MAX_CHARS = 5_000
"""Characters of a text that are compared: time grows with the product of two lengths."""


def levenshtein(
    contents: Contents, *, spelling: str = "text", longest: int = 0, enough: float = 1.0
) -> Array:
    """1 - distance / `longest`, at least 0; NaN for an empty text.

    `longest` is the length of the longer text where it is 0. A similarity of `enough` or more
    counts as 1, and what is below in proportion. Tao et al. (2013), 4.1.1, with `longest` = 140.
    """
    check_option("levenshtein", "spelling", spelling, SPELLINGS)
    pairs = contents.pairs
    texts = [SPELLINGS[spelling](post)[:MAX_CHARS] for post in read_posts(contents)]
    lengths = np.array([len(text) for text in texts], dtype=np.float64)
    longer = np.maximum(pairs.first(lengths), pairs.second(lengths))
    full = longer if longest <= 0 else np.full_like(longer, longest)
    similarities = np.maximum(1 - distances(texts, pairs) / np.maximum(full, 1), 0.0)
    return pairs.blank(np.minimum(similarities / max(enough, 1e-9), 1.0), lengths == 0)


def distances(texts: Sequence[str], pairs: Pairs) -> Array:
    """Levenshtein distance of the two texts of each pair."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist, cpdist

    if not texts:
        return np.zeros((0, 0))
    if isinstance(pairs, AllPairs):
        found: Array = cdist(texts, texts, scorer=Levenshtein.distance, dtype=np.float64)
        return found
    a, b = [texts[i] for i in pairs.i], [texts[j] for j in pairs.j]
    listed: Array = cpdist(a, b, scorer=Levenshtein.distance, dtype=np.float64)
    return listed
