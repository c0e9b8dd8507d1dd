"""Whether two values are equal: titles, addresses, or their registered domains."""

import numpy as np

from reducepp.similarity.contents import Contents
from reducepp.similarity.measures.feature_sets import equal_texts
from reducepp.text.urls import address_key, registered_domain
from reducepp.types import Array


def same(contents: Contents) -> Array:
    """1 where two texts match exactly but for white space, else 0; NaN for an empty text.

    Huffman et al. (2007), "exact title match".
    """
    return equal_texts(contents.pairs, [" ".join(str(value).split()) for value in contents.values])


def same_domain(contents: Contents) -> Array:
    """1 where two addresses have the same registered domain, else 0; NaN without an address.

    Huffman et al. (2007), "an exact match on the domain of the url".
    """
    return equal_texts(contents.pairs, [registered_domain(str(v)) for v in contents.values])


def same_address(contents: Contents) -> Array:
    """1 where two addresses lead to one page, NaN where they differ or one is missing.

    Scheme, `www.`, a slash at the end, fragment and tracking parameters are ignored. Two copies
    of a page mostly have two addresses, so different addresses are no evidence.
    """
    equal = equal_texts(contents.pairs, [address_key(str(value)) for value in contents.values])
    equal[equal == 0] = np.nan
    return equal
