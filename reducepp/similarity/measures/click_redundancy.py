"""How redundant clicks show two pages to be."""

from __future__ import annotations

import numpy as np

from reducepp.similarity.click_scores import MINIMUM, load_clicks
from reducepp.similarity.contents import Contents
from reducepp.types import Array


def clicks(contents: Contents, *, log: str = "", minimum: int = MINIMUM) -> Array:
    """The redundancy score r(u, v) of two addresses for their query, in [0, 1].

    NaN for a page without an address, and for two that were not clicked `minimum` times next to
    each other in both orders. One address is 1 with itself. Radlinski et al. (2011).
    """
    pages = contents.page_set.pages
    addresses = np.array([str(value) for value in contents.values], dtype=object)
    same = addresses[:, None] == addresses[None, :]
    found: Array = np.where(same & (addresses != "")[:, None], 1.0, np.nan)
    if not log:
        return found
    table = load_clicks(log, minimum=minimum)
    for i, page in enumerate(pages):
        for j in range(i):
            pair = table.find(page, pages[j]) if np.isnan(found[i, j]) else None
            if pair is not None:
                found[i, j] = found[j, i] = pair.score
    return found
