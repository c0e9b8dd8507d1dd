"""Ratio of two texts' lengths."""

import numpy as np

from reducepp.similarity.contents import Contents
from reducepp.types import Array


def length(contents: Contents) -> Array:
    """min(len a, len b) / max(len a, len b) in characters; NaN for an empty text.

    One minus the body-length distance of Huffman et al. (2007), |len a - len b| / max(len a,
    len b); two empty texts, at distance 0 there, have nothing to compare here.
    """
    pairs, lengths = contents.pairs, contents.characters()
    a, b = pairs.first(lengths), pairs.second(lengths)
    return pairs.blank(np.minimum(a, b) / np.maximum(np.maximum(a, b), 1), lengths == 0)
