"""How alike two texts are in length alone."""

from __future__ import annotations

import numpy as np

from reducepp.similarity.contents import Contents, blank
from reducepp.types import Array


def length(contents: Contents) -> Array:
    """min(len a, len b) / max(len a, len b) in characters; NaN for an empty text.

    One minus the body-length distance of Huffman et al. (2007), |len a - len b| / max(len a,
    len b); two empty texts, at distance 0 there, have nothing to compare here.
    """
    lengths = np.array([_characters(value) for value in contents.values], dtype=np.float64)
    longest = np.maximum(np.maximum.outer(lengths, lengths), 1)
    return blank(np.minimum.outer(lengths, lengths) / longest, lengths == 0)


def _characters(value: str | tuple[str, ...]) -> int:
    return len(value) if isinstance(value, str) else sum(len(text) for text in value)
