"""Policies that choose the representative of a cluster, by the name a user gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from reducepp.errors import UsageError
from reducepp.types import Array, Page

Policy = Callable[[Sequence[int], Sequence[Page], Array], int]
"""Members of a cluster (page indices in rank order), all pages, all scores → the representative."""


def best_ranked(members: Sequence[int], pages: Sequence[Page], scores: Array) -> int:
    """The page that the search engine ranked first."""
    return members[0]


def longest(members: Sequence[int], pages: Sequence[Page], scores: Array) -> int:
    """The page with the longest body; ties to the better rank."""
    return max(members, key=lambda i: len(pages[i].body))


def medoid(members: Sequence[int], pages: Sequence[Page], scores: Array) -> int:
    """The page with the highest summed score to all other members; ties to the better rank."""
    sums = np.round(scores[np.ix_(members, members)].sum(axis=1), 9)
    return members[int(np.argmax(sums))]


def newest(members: Sequence[int], pages: Sequence[Page], scores: Array) -> int:
    """The page with the latest date; undated pages come last, ties to the better rank."""
    return max(members, key=lambda i: pages[i].posted_at)


def diversify(scores: Array, threshold: float) -> tuple[tuple[int, ...], ...]:
    """Clusters of page indices: a representative first, then the later pages dropped for it.

    Tao et al. (2013), Algorithm 2, greedy: from the top of the ranking, each page that is left
    drops every later near-duplicate of it. Every member is linked to its representative itself,
    so clusters never chain.
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
    members: Sequence[int], policy: Policy, pages: Sequence[Page], scores: Array, min_score: float
) -> list[tuple[int, tuple[int, ...]]]:
    """Split a cluster until every member scores `min_score` or more with its representative.

    Representative and members of each part; the members that score less form parts of their own
    in the same way. At 0 the cluster stays whole.
    """
    parts, left = [], list(members)
    while left:
        kept = policy(left, pages, scores)
        near = {i for i in left if i == kept or scores[kept, i] >= min_score}
        parts.append((kept, tuple(sorted(near))))
        left = [i for i in left if i not in near]
    return parts


GREEDY = "walk"
"""The policy whose clusters come from `diversify` instead of the tree."""

DEFAULT_POLICY = "rank"

POLICIES: dict[str, Policy] = {
    "rank": best_ranked,
    "longest": longest,
    "medoid": medoid,
    "newest": newest,
    GREEDY: best_ranked,
}
"""Name in every interface (`--keep`, `keep=`) to policy."""


def find_policy(name: str) -> Policy:
    """Look a policy up by name; raises UsageError that lists the known ones."""
    if name not in POLICIES:
        raise UsageError(f"keep {name!r}: use one of {', '.join(POLICIES)}")
    return POLICIES[name]
