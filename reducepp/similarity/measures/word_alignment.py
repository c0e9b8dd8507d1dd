"""Each content word of a text against the nearest word of the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from reducepp.errors import ProfileError
from reducepp.similarity.contents import Contents, blank
from reducepp.similarity.measures.set_overlap import membership
from reducepp.similarity.measures.shared_items import FULL, read_posts
from reducepp.text.lexicons import rarity, thesaurus_concepts
from reducepp.types import Array

SAME_ROOT = 85
SYNONYM = 70
"""What a word counts, in hundredths, whose nearest one only begins alike, or means the same."""

ROOT = 5
"""Letters that two words must begin with to be of one root."""


def _mean(covered: Array, whole: Array) -> Array:
    return (covered + covered.T) / np.maximum(whole[:, None] + whole[None, :], 1)


def _better(covered: Array, whole: Array) -> Array:
    share = covered / np.maximum(whole[:, None], 1)
    return np.maximum(share, share.T)


def _weaker(covered: Array, whole: Array) -> Array:
    share = covered / np.maximum(whole[:, None], 1)
    return np.minimum(share, share.T)


def _amount(covered: Array, whole: Array) -> Array:
    most = np.maximum(covered, covered.T)
    grown = np.minimum(np.log1p(most / 100) / np.log1p(FULL), 1.0)
    return np.where((covered == whole[:, None]) & (whole[None, :] == covered.T), 1.0, grown)


OF: dict[str, Callable[[Array, Array], Array]] = {
    "mean": _mean,
    "better": _better,
    "weaker": _weaker,
    "amount": _amount,
}


def aligned(contents: Contents, *, of: str = "mean") -> Array:
    """Rarity of the words that the other text covers, over the rarity of all, in [0, 1].

    A word is covered by the same base form, in part by one that begins with the same letters or
    is a synonym. `of` both texts together, of the text that is covered better or less well, or
    the covered amount by itself on a logarithmic scale. NaN for a text without content words.
    """
    if of not in OF:
        raise ProfileError(f"aligned: of = {of!r}: use one of {', '.join(OF)}")
    key = ("aligned", contents.name)
    covered = contents.page_set.once(key, lambda: _covered(contents))
    whole = np.diagonal(covered)
    return blank(OF[of](covered, whole), whole == 0)


def _covered(contents: Contents) -> Array:
    """Row i, column j: how much of text i text j covers, in hundredths of rarity."""
    posts = read_posts(contents)
    table, vocabulary = membership([post.content for post in posts])
    words = np.asarray(table if isinstance(table, np.ndarray) else table.toarray())
    english = sorted({word for post in posts if post.language == "en" for word in post.content})
    concepts = thesaurus_concepts("th_en_US_v2", "mythes-en-us", english)
    cover = 100 * words
    roots = [word[:ROOT] if len(word) >= ROOT else word for word in vocabulary]
    for groups, value in ((roots, SAME_ROOT), ([concepts.get(w, w) for w in vocabulary], SYNONYM)):
        np.maximum(cover, value * _spread(words, groups), out=cover)
    weights = np.array([rarity(word) for word in vocabulary], dtype=np.float64)
    covered: Array = (words * weights) @ cover.T
    return covered


def _spread(words: Array, groups: Sequence[str]) -> Array:
    """1 where a text has some word of a word's group."""
    numbers: dict[str, int] = {}
    columns = np.array([numbers.setdefault(g, len(numbers)) for g in groups], dtype=np.int64)
    has = np.zeros((len(words), len(numbers)))
    rows, at = np.nonzero(words)
    has[rows, columns[at]] = 1.0
    spread: Array = has[:, columns]
    return spread
