"""Alignment of each content word of a text with the nearest word of the other."""

from collections.abc import Callable, Sequence

import numpy as np

from reducepp.similarity.contents import Contents, made_once
from reducepp.similarity.documents import number_keys
from reducepp.similarity.measures.feature_sets import check_option, membership, read_posts
from reducepp.similarity.measures.shared_items import FULL_WEIGHT
from reducepp.text.lexicons import rarity, thesaurus_concepts
from reducepp.types import Array

SAME_ROOT = 85
SYNONYM = 70
"""Hundredths of a word that is covered by one with the same root, or by a synonym; chosen with the
profile `posts` on labelled posts."""

ROOT_LETTERS = 5
"""Letters that two words begin with to have the same root."""


def _amount(there: Array, back: Array, a: Array, b: Array) -> Array:
    most = np.maximum(there, back)
    grown = np.minimum(np.log1p(most / 100) / np.log1p(FULL_WEIGHT), 1.0)
    return np.where((there == a) & (back == b), 1.0, grown)


OF: dict[str, Callable[[Array, Array, Array, Array], Array]] = {
    "mean": lambda there, back, a, b: (there + back) / np.maximum(a + b, 1),
    "better": lambda there, back, a, b: np.maximum(
        there / np.maximum(a, 1), back / np.maximum(b, 1)
    ),
    "weaker": lambda there, back, a, b: np.minimum(
        there / np.maximum(a, 1), back / np.maximum(b, 1)
    ),
    "amount": _amount,
}
"""Covered weight of both texts, of the one that is covered more or less, or by itself on a
logarithmic scale."""


def aligned(contents: Contents, *, of: str = "mean") -> Array:
    """Rarity of the words that the other text covers, over the rarity of all, in [0, 1].

    A word is covered by the same base form, and in part by a word with the same root or a
    synonym. NaN for a text without content words.
    """
    check_option("aligned", "of", of, OF)
    pairs = contents.pairs
    weighted, cover = _coverage(contents)
    there, back = pairs.products(weighted, cover), pairs.products(cover, weighted)
    whole = pairs.own(there)
    return pairs.blank(OF[of](there, back, pairs.first(whole), pairs.second(whole)), whole == 0)


@made_once
def _coverage(contents: Contents) -> tuple[Array, Array]:
    """Pages × words: the rarity of each word, and by how many hundredths the page covers it."""
    posts = read_posts(contents)
    table, vocabulary = membership([post.content for post in posts])
    words = np.asarray(table if isinstance(table, np.ndarray) else table.toarray())
    english = sorted({word for post in posts if post.language == "en" for word in post.content})
    concepts = thesaurus_concepts("th_en_US_v2", "mythes-en-us", english)
    cover = 100 * words
    roots = [word[:ROOT_LETTERS] if len(word) >= ROOT_LETTERS else word for word in vocabulary]
    for groups, value in ((roots, SAME_ROOT), ([concepts.get(w, w) for w in vocabulary], SYNONYM)):
        np.maximum(cover, value * _spread(words, groups), out=cover)
    weights = np.array([rarity(word) for word in vocabulary], dtype=np.float64)
    return words * weights, cover


def _spread(words: Array, groups: Sequence[str]) -> Array:
    """1 where a text has some word of a word's group."""
    columns = number_keys(groups)
    has = np.zeros((len(words), columns.max(initial=-1) + 1))
    rows, at = np.nonzero(words)
    has[rows, columns[at]] = 1.0
    spread: Array = has[:, columns]
    return spread
