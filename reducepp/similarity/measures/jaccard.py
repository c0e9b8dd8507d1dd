"""Jaccard of two lists as sets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reducepp.similarity.contents import Contents, blank
from reducepp.similarity.measures.set_overlap import common_weight
from reducepp.text.tokenise import words
from reducepp.text.urls import canonical_url
from reducepp.types import Array


def _canonical_text(text: str) -> str:
    return " ".join(words(text, digits=True))


_CANONICAL: dict[str, Callable[[str], str]] = dict.fromkeys(
    ("links", "post_links", "expanded_links"), canonical_url
)
"""How an entry of a list is written before it is compared; text for all but links."""


def jaccard(contents: Contents) -> Array:
    """Size of the intersection over size of the union; NaN for an empty list.

    Links count as canonical addresses, other entries as their words in lower case.
    """
    canonical = _CANONICAL.get(contents.name, _canonical_text)
    entries = [{canonical(value) for value in values} - {""} for values in contents.values]
    common = common_weight(entries)
    sizes = np.diagonal(common)
    union = sizes[:, None] + sizes[None, :] - common
    return blank(common / np.maximum(union, 1), sizes == 0)
