"""Cosine of word counts."""

from __future__ import annotations

import numpy as np

from reducepp.similarity.contents import Contents, blank
from reducepp.types import Array


def cosine(contents: Contents) -> Array:
    """Cosine of the angle between bag-of-words vectors; NaN for a page without words.

    Counts are whole numbers, so their products are exact and the order of pages changes nothing.
    """
    counts = contents.texts().counts
    products = (counts @ counts.T).toarray()
    squares = np.diagonal(products).copy()
    lengths = np.maximum(squares, 1)
    similarities = np.minimum(products / np.sqrt(np.outer(lengths, lengths)), 1.0)
    np.fill_diagonal(similarities, 1.0)
    return blank(similarities, squares == 0)
