"""Which page of a cluster is shown; and the walk down the ranking, which makes its own clusters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from reducepp.errors import UsageError
from reducepp.types import Array, Page

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


def walk_ranking(scores: Array, threshold: float) -> tuple[tuple[int, ...], ...]:
    """Groups of page numbers: a kept page, and the later pages dropped for it.

    Tao et al. (2013), Algorithm 2: from the top, each page that is still there removes every later
    one that duplicates it. A page is dropped only for a page that is shown, so nothing chains.
    """
    left = np.ones(len(scores), dtype=bool)
    groups = []
    for page in range(len(scores)):
        if left[page]:
            same = left & (scores[page] >= threshold)
            same[page] = True
            left &= ~same
            groups.append(tuple(int(i) for i in np.flatnonzero(same)))
    return tuple(groups)


def split_below(
    members: Sequence[int], keeper: Keeper, pages: Sequence[Page], scores: Array, min_score: float
) -> list[tuple[int, tuple[int, ...]]]:
    """Split a cluster until every member scores `min_score` or more with its representative.

    Representative and members of each part; the members that score less form parts of their own
    in the same way. At 0 the cluster stays whole.
    """
    parts, left = [], list(members)
    while left:
        kept = keeper(left, pages, scores)
        near = {i for i in left if i == kept or scores[kept, i] >= min_score}
        parts.append((kept, tuple(sorted(near))))
        left = [i for i in left if i not in near]
    return parts


WALK = "walk"
"""The keeper that takes the best-ranked page of groups made by walking down the ranking."""

KEEPERS: dict[str, Keeper] = {
    "rank": best_ranked,
    "longest": longest,
    "medoid": medoid,
    "newest": newest,
    WALK: best_ranked,
}


def find_keeper(name: str) -> Keeper:
    """The keeper of that name."""
    if name not in KEEPERS:
        raise UsageError(f"keep {name!r}: use one of {', '.join(KEEPERS)}")
    return KEEPERS[name]
