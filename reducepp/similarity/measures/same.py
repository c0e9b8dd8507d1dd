"""Whether two values are the same: titles, addresses, or their registered domains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reducepp.similarity.contents import Contents, blank
from reducepp.text.urls import address_key, registered_domain
from reducepp.types import Array


def same(contents: Contents) -> Array:
    """1 where two texts match exactly but for white space, else 0; NaN for an empty text.

    Huffman et al. (2007), "exact title match".
    """
    return equal_texts([" ".join(str(value).split()) for value in contents.values])


def same_domain(contents: Contents) -> Array:
    """1 where two addresses stand on one registered domain, else 0; NaN without an address.

    Huffman et al. (2007), "an exact match on the domain of the url".
    """
    return equal_texts([registered_domain(str(value)) for value in contents.values])


def same_address(contents: Contents) -> Array:
    """1 where two addresses lead to one page, NaN where they differ or one is missing.

    Scheme, `www.`, a slash at the end, fragment and tracking parameters make no difference. Two
    copies of a page mostly have two addresses: that they differ says nothing.
    """
    equal = equal_texts([address_key(str(value)) for value in contents.values])
    equal[equal == 0] = np.nan
    return equal


def equal_texts(values: Sequence[str]) -> Array:
    """1 where two texts are equal, else 0; NaN for an empty one."""
    numbers: dict[str, int] = {}
    codes = np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)
    equal = (codes[:, None] == codes[None, :]).astype(np.float64)
    return blank(equal, np.array([not value for value in values], dtype=bool))
