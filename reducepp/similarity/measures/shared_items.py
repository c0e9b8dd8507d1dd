"""What two short texts share: words, letters, tags, numbers, names, concepts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reducepp.errors import ProfileError
from reducepp.similarity.contents import Contents, blank
from reducepp.similarity.measures.set_overlap import common_weight
from reducepp.text.lexicons import rarity
from reducepp.text.post_items import ITEMS
from reducepp.text.post_parts import Post, read_post
from reducepp.types import Array

FULL = 1000.0
"""Common weight that counts as sharing all one can: about ten rare words."""


def _union(common: Array, a: Array, b: Array) -> Array:
    return common / np.maximum(a + b - common, 1)


def _smaller(common: Array, a: Array, b: Array) -> Array:
    return common / np.maximum(np.minimum(a, b), 1)


def _larger(common: Array, a: Array, b: Array) -> Array:
    return common / np.maximum(np.maximum(a, b), 1)


def _mean(common: Array, a: Array, b: Array) -> Array:
    return 2 * common / np.maximum(a + b, 1)


def _amount(common: Array, a: Array, b: Array) -> Array:
    grown = np.minimum(np.log1p(common) / np.log1p(FULL), 1.0)
    return np.where((common == a) & (common == b), 1.0, grown)


OF: dict[str, Callable[[Array, Array, Array], Array]] = {
    "union": _union,
    "smaller": _smaller,
    "larger": _larger,
    "mean": _mean,
    "amount": _amount,
}
"""Common weight as a share of both texts' (Jaccard), of the smaller, the larger or the mean one's
(containment, Dice), or by itself on a logarithmic scale."""


def shared(
    contents: Contents, *, items: str = "terms", of: str = "union", weigh: str = "even"
) -> Array:
    """Common items of two texts over all of theirs, in [0, 1]; NaN for a text without any.

    With `weigh` = "rarity" an item counts by how rare a word it is. Tao et al. (2013), equation 1,
    for `of` = "union".
    """
    for name, given, known in (("items", items, ITEMS), ("of", of, OF), ("weigh", weigh, WEIGH)):
        if given not in known:
            raise ProfileError(f"shared: {name} = {given!r}: use one of {', '.join(known)}")
    found = [ITEMS[items](post) for post in read_posts(contents)]
    common = common_weight(found, WEIGH[weigh])
    sizes = np.diagonal(common)
    return blank(OF[of](common, sizes[:, None], sizes[None, :]), sizes == 0)


def read_posts(contents: Contents) -> list[Post]:
    """Every text as a post, in its page's language; read once a page set."""
    found: list[Post] = contents.page_set.once(
        ("posts", contents.name),
        lambda: [
            read_post(text, language)
            for text, language in zip(contents.joined(), contents.page_set.languages, strict=True)
        ],
    )
    return found


WEIGH: dict[str, Callable[[str], int]] = {"even": lambda item: 1, "rarity": rarity}
