"""Redundancy of two pages by a click log."""

import numpy as np

from reducepp.similarity.click_scores import MINIMUM, load_clicks
from reducepp.similarity.contents import Contents
from reducepp.types import Array


def clicks(contents: Contents, *, log: str = "", minimum: int = MINIMUM) -> Array:
    """The redundancy score r(u, v) of two addresses for their query, in [0, 1].

    NaN for two pages that were not clicked `minimum` times next to each other in both orders, and
    for a page without an address. An address is 1 with itself. Radlinski et al. (2011).
    """
    pairs, pages = contents.pairs, contents.page_set.pages
    addresses = [str(value) for value in contents.values]
    table = load_clicks(log, minimum=minimum) if log else None

    def score(i: int, j: int) -> float:
        if addresses[i] == addresses[j] != "":
            return 1.0
        pair = table.find(pages[i], pages[j]) if table else None
        return pair.score if pair else np.nan

    found = pairs.each(score)
    own = np.array([1.0 if address else np.nan for address in addresses])
    pairs.set_own(found, own)
    return found
