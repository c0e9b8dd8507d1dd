"""Jaccard of two lists as sets."""

import numpy as np

from reducepp.similarity.contents import Contents, made_once
from reducepp.similarity.measures.feature_sets import membership
from reducepp.text.tokenise import words
from reducepp.text.urls import canonical_url
from reducepp.types import Array, Sparse

ADDRESS_LISTS = ("links", "post_links", "expanded_links")
"""Content types whose entries are addresses."""


def jaccard(contents: Contents) -> Array:
    """Size of the intersection over size of the union; NaN for an empty list.

    Links are compared as canonical addresses, other entries as their words in lower case.
    """
    pairs = contents.pairs
    common = pairs.products(_entries(contents))
    sizes = pairs.own(common)
    union = pairs.first(sizes) + pairs.second(sizes) - common
    return pairs.blank(common / np.maximum(union, 1), sizes == 0)


@made_once
def _entries(contents: Contents) -> Array | Sparse:
    canonical = canonical_url if contents.name in ADDRESS_LISTS else _canonical_text
    return membership([{canonical(v) for v in values} - {""} for values in contents.values])[0]


def _canonical_text(text: str) -> str:
    return " ".join(words(text, digits=True))
