"""How two posts open, which names only one of them has, and whether a person comments."""

import numpy as np

from reducepp.similarity.contents import Contents
from reducepp.similarity.measures.feature_sets import check_option, contained, read_posts
from reducepp.text.post_items import ITEMS
from reducepp.text.post_parts import Post
from reducepp.types import Array, Bools


def opening(contents: Contents, *, words: int = 1) -> Array:
    """Share of a text's first content words that the other contains; the higher of both ways.

    NaN for a text without content words.
    """
    pairs, posts = contents.pairs, read_posts(contents)
    first = [post.content[: max(words, 1)] for post in posts]
    there, back = contained(pairs, first, [post.content for post in posts])
    sizes = np.maximum([len(set(start)) for start in first], 1)
    similarities = np.maximum(there / pairs.first(sizes), back / pairs.second(sizes))
    return pairs.blank(similarities, np.array([not start for start in first], dtype=bool))


def unmatched(contents: Contents, *, items: str = "names") -> Array:
    """1 / (1 + items of either text that the other's words lack), in (0, 1]; NaN for no words.

    1 for two texts without any such items.
    """
    check_option("unmatched", "items", items, ITEMS)
    pairs, posts = contents.pairs, read_posts(contents)
    sets = [ITEMS[items](post) for post in posts]
    present = [{*post.words, *post.lemmas, *of} for post, of in zip(posts, sets, strict=True)]
    there, back = contained(pairs, sets, present)
    sizes = np.array([len(of) for of in sets], dtype=np.float64)
    lacking = (pairs.first(sizes) - there) + (pairs.second(sizes) - back)
    return pairs.blank(1 / (1 + lacking), _without_words(posts))


def voice(contents: Contents) -> Array:
    """1 - |a - b| / (a + b + 1) of the two counts of words by which a person comments.

    "I", "must read", "thanks", "wow": a comment against a plain report. NaN for no words.
    """
    pairs, posts = contents.pairs, read_posts(contents)
    counts = np.array([post.voice for post in posts], dtype=np.float64)
    a, b = pairs.first(counts), pairs.second(counts)
    return pairs.blank(1 - np.abs(a - b) / (a + b + 1), _without_words(posts))


def _without_words(posts: list[Post]) -> Bools:
    return np.array([not post.words for post in posts], dtype=bool)
