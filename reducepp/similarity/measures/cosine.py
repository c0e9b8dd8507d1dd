"""Cosine of word counts."""

import numpy as np

from reducepp.similarity.contents import Contents
from reducepp.types import Array


def cosine(contents: Contents) -> Array:
    """Cosine of the angle between bag-of-words vectors; NaN for a page without words.

    Counts are whole numbers, so their products are exact and the order of pages changes nothing.
    """
    pairs = contents.pairs
    products = pairs.products(contents.texts().counts)
    squares = pairs.own(products)
    lengths = np.maximum(squares, 1)
    similarities = np.minimum(products / np.sqrt(pairs.first(lengths) * pairs.second(lengths)), 1.0)
    pairs.set_own(similarities, 1.0)
    return pairs.blank(similarities, squares == 0)
