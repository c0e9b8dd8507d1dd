"""Policies that choose the representative of a cluster, by the name a user gives."""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from operator import itemgetter

import numpy as np

from reducepp.clustering.tree import Scores
from reducepp.errors import UsageError
from reducepp.similarity.pair_matrix import PairMatrix
from reducepp.similarity.pairs import Bools, row_parts
from reducepp.types import Page

Policy = Callable[[Sequence[int], Sequence[Page], Scores], int]
"""Members of a cluster (page indices in rank order), all pages, all scores → the representative."""


def best_ranked(members: Sequence[int], pages: Sequence[Page], scores: Scores) -> int:
    """The page that the search engine ranked first."""
    return members[0]


def longest(members: Sequence[int], pages: Sequence[Page], scores: Scores) -> int:
    """The page with the longest body; ties to the better rank."""
    return max(members, key=lambda i: len(pages[i].body))


def medoid(members: Sequence[int], pages: Sequence[Page], scores: Scores) -> int:
    """The page with the highest summed score to all other members; ties to the better rank."""
    look = scores.look if isinstance(scores, PairMatrix) else lambda *at: scores[np.ix_(*at)]
    parts = row_parts(len(members), len(members))
    sums = [look(members[part], members).sum(axis=1) for part in parts]
    return members[int(np.argmax(np.round(np.concatenate(sums), 9)))]


def newest(members: Sequence[int], pages: Sequence[Page], scores: Scores) -> int:
    """The page with the latest date; undated pages come last, ties to the better rank."""
    return max(members, key=lambda i: moment_of(pages[i].posted_at))


def moment_of(date: str) -> float:
    """Seconds since 1970 of a date as ISO 8601 or e-mail write it, UTC without an offset.

    A date in no known form, or none, is before all others.
    """
    from email.utils import parsedate_to_datetime

    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = parse(date.strip())
            aware = found if found.tzinfo else found.replace(tzinfo=UTC)
            return aware.timestamp()
        except (ValueError, TypeError, OverflowError):
            continue
    return -math.inf


def diversify(scores: Scores, threshold: float) -> tuple[tuple[int, ...], ...]:
    """Clusters of page indices: a representative first, then the later pages dropped for it.

    Tao et al. (2013), Algorithm 2, greedy: from the top of the ranking, each page that is left
    drops every later near-duplicate of it. Every member is linked to its representative itself,
    so clusters never chain.
    """
    left = np.ones(len(scores), dtype=bool)
    linked = _rows_above(scores, threshold)
    groups = []
    for page in range(len(scores)):
        if left[page]:
            same = left & linked(page)
            same[page] = True
            left &= ~same
            groups.append(tuple(int(i) for i in np.flatnonzero(same)))
    return tuple(groups)


def split_below(
    members: Sequence[int],
    policy: Policy,
    pages: Sequence[Page],
    scores: Scores,
    min_score: float,
    contradict: Callable[[int, int], bool] = lambda _page, _kept: False,
) -> list[tuple[int, tuple[int, ...]]]:
    """Split a cluster until every member scores `min_score` or more with its representative.

    Representative and members of each part; the members that score less, or that `contradict`
    their representative, form parts of their own in the same way. A member that more than one
    representative would do for belongs to the one it scores highest with, as long as the policy
    prefers that one to the member. At 0 the cluster stays whole.
    """

    def fitting(some: Sequence[int], kept: int) -> list[int]:
        near = (
            np.asarray(scores[kept, some] >= min_score).tolist()
            if min_score
            else [True] * len(some)
        )
        return [
            i
            for i, is_near in zip(some, near, strict=True)
            if i == kept or (is_near and not contradict(i, kept))
        ]

    def closest(i: int, first: int) -> int:
        """The first representative, or another one that scores higher, fits and is preferred."""
        by_score = np.asarray(scores[np.ix_([i], list(parts))])[0].tolist()
        likely = sorted(zip(by_score, parts, strict=True), key=itemgetter(0), reverse=True)
        higher = (k for score, k in likely if score > scores[first, i])
        return next((k for k in higher if prefers(k, i) and fitting([i], k)), first)

    def prefers(kept: int, i: int) -> bool:
        return policy(sorted((kept, i)), pages, scores) == kept

    parts: dict[int, list[int]] = {}
    left = list(members)
    while left:
        kept = policy(left, pages, scores)
        parts[kept] = fitting(left, kept)
        left = sorted(set(left) - set(parts[kept]))
    if len(parts) == 1:
        return [(kept, tuple(sorted(parts[kept])))]
    if isinstance(scores, PairMatrix):
        scores.score_across(members, list(parts))
    found = {kept: [kept] for kept in parts}
    for first, near in parts.items():
        for i in set(near) - {first}:
            found[closest(i, first)].append(i)
    return [(kept, tuple(sorted(group))) for kept, group in found.items()]


def _rows_above(scores: Scores, threshold: float) -> Callable[[int], Bools]:
    """A function that marks the pages that score the threshold or more with a page."""
    if not isinstance(scores, PairMatrix):
        return lambda page: scores[page] >= threshold
    first, second, _ = scores.links(threshold)
    neighbours: dict[int, list[int]] = {}
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)

    def mark(page: int) -> Bools:
        marks = np.zeros(len(scores), dtype=bool)
        marks[neighbours.get(page, [])] = True
        return marks

    return mark


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
