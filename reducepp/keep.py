"""Which page of a cluster is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from reducepp.data import Array, Page
from reducepp.errors import UsageError

Keeper = Callable[[Sequence[int], Sequence[Page], Array], int]
"""Members (page numbers in rank order), all pages, all scores → the member that is shown."""


def best_ranked(members: Sequence[int], pages: Sequence[Page], scores: Array) -> int:
    """The page the search engine put first."""
    return members[0]


def longest(members: Sequence[int], pages: Sequence[Page], scores: Array) -> int:
    """The page with most body text; the better ranked of equals."""
    return max(members, key=lambda i: len(pages[i].body))


def medoid(members: Sequence[int], pages: Sequence[Page], scores: Array) -> int:
    """The page most like all others of its cluster; the better ranked of equals."""
    sums = np.round(scores[np.ix_(members, members)].sum(axis=1), 9)
    return members[int(np.argmax(sums))]


def newest(members: Sequence[int], pages: Sequence[Page], scores: Array) -> int:
    """The page with the latest date; pages without one come last, the better ranked of equals."""
    return max(members, key=lambda i: pages[i].posted_at)


KEEPERS: dict[str, Keeper] = {
    "rank": best_ranked,
    "longest": longest,
    "medoid": medoid,
    "newest": newest,
}


def find_keeper(name: str) -> Keeper:
    """The keeper of that name."""
    if name not in KEEPERS:
        raise UsageError(f"keep {name!r}: use one of {', '.join(KEEPERS)}")
    return KEEPERS[name]
