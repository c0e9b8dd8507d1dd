"""Overlap of two posts in words, letters, tags, numbers, names or concepts."""

from collections.abc import Callable

import numpy as np

from reducepp.similarity.contents import Contents
from reducepp.similarity.measures.feature_sets import check_option, common_weight, read_posts
from reducepp.text.lexicons import rarity
from reducepp.text.post_items import ITEMS
from reducepp.types import Array

FULL_WEIGHT = 1000.0
"""Common weight from which on the logarithmic scale is 1: about ten rare words."""


def _amount(common: Array, a: Array, b: Array) -> Array:
    grown = np.minimum(np.log1p(common) / np.log1p(FULL_WEIGHT), 1.0)
    return np.where((common == a) & (common == b), 1.0, grown)


OF: dict[str, Callable[[Array, Array, Array], Array]] = {
    "union": lambda common, a, b: common / np.maximum(a + b - common, 1),
    "smaller": lambda common, a, b: common / np.maximum(np.minimum(a, b), 1),
    "larger": lambda common, a, b: common / np.maximum(np.maximum(a, b), 1),
    "mean": lambda common, a, b: 2 * common / np.maximum(a + b, 1),
    "amount": _amount,
}
"""Common weight over both texts' (Jaccard), over the smaller, larger or mean one's (containment,
Dice), or by itself on a logarithmic scale."""

WEIGH: dict[str, Callable[[str], int] | None] = {"even": None, "rarity": rarity}


def shared(
    contents: Contents, *, items: str = "terms", of: str = "union", weigh: str = "even"
) -> Array:
    """Common items of two texts over all of theirs, in [0, 1]; NaN for a text without any.

    With `weigh` = "rarity" the weight of an item is how rare a word it is. Tao et al. (2013),
    equation 1, for `of` = "union".
    """
    check_option("shared", "items", items, ITEMS)
    check_option("shared", "of", of, OF)
    check_option("shared", "weigh", weigh, WEIGH)
    pairs, sets = contents.pairs, [ITEMS[items](post) for post in read_posts(contents)]
    common = common_weight(pairs, sets, WEIGH[weigh])
    sizes = pairs.own(common)
    return pairs.blank(OF[of](common, pairs.first(sizes), pairs.second(sizes)), sizes == 0)
