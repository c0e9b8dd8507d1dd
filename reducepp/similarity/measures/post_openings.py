"""How two short texts tell their matter: how they open, whom they name, who speaks."""

from __future__ import annotations

import numpy as np

from reducepp.errors import ProfileError
from reducepp.similarity.contents import Contents, blank
from reducepp.similarity.measures.set_overlap import membership
from reducepp.similarity.measures.shared_items import read_posts
from reducepp.text.post_items import ITEMS
from reducepp.text.post_parts import Post
from reducepp.types import Array


def opening(contents: Contents, *, words: int = 1) -> Array:
    """Share of a text's first content words that the other has too; the better of both ways.

    NaN for a text without content words.
    """
    posts = read_posts(contents)
    first = [post.content[: max(words, 1)] for post in posts]
    common = _contained(first, [post.content for post in posts])
    sizes = np.array([len(set(start)) for start in first], dtype=np.float64)
    share = common / np.maximum(sizes[:, None], 1)
    return blank(np.maximum(share, share.T), sizes == 0)


def unmatched(contents: Contents, *, items: str = "names") -> Array:
    """1 / (1 + items of either text that the other's words lack), in (0, 1]; NaN for no words.

    Two texts without any such items lack none.
    """
    if items not in ITEMS:
        raise ProfileError(f"unmatched: items = {items!r}: use one of {', '.join(ITEMS)}")
    posts = read_posts(contents)
    found = [ITEMS[items](post) for post in posts]
    present = [{*post.words, *post.lemmas, *of} for post, of in zip(posts, found, strict=True)]
    lacking = _sizes(found)[:, None] - _contained(found, present)
    return blank(1 / (1 + lacking + lacking.T), _wordless(posts))


def voice(contents: Contents) -> Array:
    """1 - |a - b| / (a + b + 1) of how many words each spends on speaking for itself.

    "I", "must read", "thanks", "wow": a person's comment against a plain telling. NaN for no words.
    """
    posts = read_posts(contents)
    spoken = np.array([post.voice for post in posts], dtype=np.float64)
    apart = np.abs(spoken[:, None] - spoken) / (spoken[:, None] + spoken + 1)
    return blank(1 - apart, _wordless(posts))


def _contained(
    of: list[set[str]] | list[tuple[str, ...]], within: list[set[str]] | list[tuple[str, ...]]
) -> Array:
    """Row i, column j: how many items of set i set j has."""
    table, _ = membership([*of, *within])
    products = table[: len(of)] @ table[len(of) :].T
    counts: Array = products if isinstance(products, np.ndarray) else products.toarray()
    return counts


def _sizes(found: list[set[str]]) -> Array:
    return np.array([len(items) for items in found], dtype=np.float64)


def _wordless(posts: list[Post]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([not post.words for post in posts], dtype=bool)
