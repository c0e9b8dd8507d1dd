"""Policies that choose the representative of a cluster, by the name a user gives."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from itertools import chain
from operator import and_, or_

import numpy as np

from reducepp.clustering.tree import Scores
from reducepp.errors import UsageError
from reducepp.similarity.pair_matrix import Links, PairMatrix
from reducepp.similarity.pairs import Bools, row_parts
from reducepp.similarity.sparse import find_root
from reducepp.types import Page

Policy = Callable[[Iterable[int], Iterable[int], Sequence[Page], Scores], int]
"""Members of a cluster (page indices in rank order), those that all members resemble, all pages,
all scores → the representative."""


def best_ranked(
    members: Iterable[int], central: Iterable[int], pages: Sequence[Page], scores: Scores
) -> int:
    """The best-ranked page that all members resemble: of copies and their source, which alone
    resembles them all, the source."""
    return next(iter(central))


def longest(
    members: Iterable[int], central: Iterable[int], pages: Sequence[Page], scores: Scores
) -> int:
    """The page with the longest body; ties to the better rank."""
    return max(members, key=lambda i: len(pages[i].body))


def medoid(
    members: Iterable[int], central: Iterable[int], pages: Sequence[Page], scores: Scores
) -> int:
    """The page with the highest summed score to all other members; ties to the better rank."""
    group = list(members)
    look = scores.look if isinstance(scores, PairMatrix) else lambda *at: scores[np.ix_(*at)]
    parts = row_parts(len(group), len(group))
    sums = [look(group[part], group).sum(axis=1) for part in parts]
    return group[int(np.argmax(np.round(np.concatenate(sums), 9)))]


def newest(
    members: Iterable[int], central: Iterable[int], pages: Sequence[Page], scores: Scores
) -> int:
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


Choose = Callable[[Iterable[int], Iterable[int]], int]
"""A policy for the pages and scores of one set."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Members of a part of a cluster; sets of places in the cluster are bits of a number."""

    members: int
    near: int
    """The places that all members resemble."""
    kept: int
    """The place of the representative."""


def split_group(
    group: Sequence[int],
    links: Links,
    choose: Choose,
    contradict: Callable[[int, int], bool] | None = None,
    *,
    chained: bool = False,
) -> list[tuple[int, tuple[int, ...]]]:
    """Split a cluster into parts in which every member resembles the representative.

    Representative and members of each part. Two pages resemble each other where they are linked;
    where clusters may be `chained`, all members do. The whole cluster is one part where its
    representative resembles all members and contradicts none. Else parts grow along the links,
    the highest score first: two parts become one where that is true of both together. So a page
    is dropped for what it resembles most.
    """
    places = {page: place for place, page in enumerate(group)}
    near = [(1 << len(group)) - 1 if chained else 1 << place for place in range(len(group))]
    for first, second in zip(*(pages.tolist() for pages in links[:2]), strict=True):
        near[places[first]] |= 1 << places[second]
        near[places[second]] |= 1 << places[first]

    def pages_of(bits: int) -> Iterator[int]:
        return (group[place] for place in _places(bits))

    def join(parts: Sequence[_Part]) -> _Part | None:
        members = reduce(or_, (part.members for part in parts))
        common = reduce(and_, (part.near for part in parts))
        if not members & common:
            return None
        kept = places[choose(pages_of(members), pages_of(members & common))]
        anew = (part.members & ~(1 << kept) for part in parts if part.kept != kept)
        dropped = chain.from_iterable(map(pages_of, anew))
        if not common >> kept & 1 or (
            contradict and any(contradict(i, group[kept]) for i in dropped)
        ):
            return None
        return _Part(members, common, kept)

    single = [_Part(1 << place, linked, place) for place, linked in enumerate(near)]
    whole = join(single)
    parts = dict(enumerate(single)) if whole is None else {0: whole}
    if whole is None:
        root = list(range(len(group)))
        for first, second in _highest_first(links):
            a, b = (find_root(root, places[page]) for page in (first, second))
            joined = join((parts[a], parts[b])) if a != b else None
            if joined is not None:
                root[b] = a
                parts[a] = joined
                del parts[b]
    return [(group[part.kept], tuple(pages_of(part.members))) for part in parts.values()]


def _places(bits: int) -> Iterator[int]:
    """The places of the bits that are set, in order."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def _highest_first(links: Links) -> Iterator[tuple[int, int]]:
    first, second, scores = links
    order = np.lexsort((second, first, -scores))
    return zip(first[order].tolist(), second[order].tolist(), strict=True)


def links_of_groups(
    scores: Scores, groups: Sequence[Sequence[int]], threshold: float
) -> Iterator[Links]:
    """The links of each group: pairs of its pages that score the threshold or more."""
    if not isinstance(scores, PairMatrix):
        for group in groups:
            first, second = np.nonzero(np.triu(scores[np.ix_(group, group)] >= threshold, 1))
            pages = np.asarray(group)
            yield pages[first], pages[second], scores[pages[first], pages[second]]
        return
    labels = np.zeros(len(scores), dtype=np.int64)
    for number, group in enumerate(groups):
        labels[list(group)] = number
    first, second, values = scores.links(threshold)
    inside = np.flatnonzero(labels[first] == labels[second])
    inside = inside[np.argsort(labels[first[inside]], kind="stable")]
    ends = np.cumsum(np.bincount(labels[first[inside]], minlength=len(groups)))
    for here in np.split(inside, ends[:-1]):
        yield first[here], second[here], values[here]


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
