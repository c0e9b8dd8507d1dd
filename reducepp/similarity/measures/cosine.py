"""Cosine of word counts."""

from reducepp.similarity.contents import Contents
from reducepp.similarity.measures.feature_sets import cosines
from reducepp.types import Array


def cosine(contents: Contents) -> Array:
    """Cosine of the angle between bag-of-words vectors; NaN for a page without words.

    Counts are whole numbers, so their products are exact and the order of pages changes nothing.
    """
    texts = contents.texts()
    return contents.pairs.blank(cosines(contents.pairs, texts.counts), texts.lengths == 0)
