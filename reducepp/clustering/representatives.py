"""Policies that choose the representative of a cluster, by the name a user gives."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from reducepp.clustering.tree import Scores
from reducepp.errors import check_choice
from reducepp.similarity.pair_matrix import PairMatrix, count_links, links_within
from reducepp.similarity.pairs import row_parts
from reducepp.similarity.sparse import find_root
from reducepp.types import Bools, Page

Places = Iterable[int]
Policy = Callable[[Places, Places, Sequence[Page], Scores], int]
"""Members of a cluster (page indices in rank order), those that all members resemble, all pages,
all scores → the representative."""


def best_ranked(members: Places, central: Places, pages: Sequence[Page], scores: Scores) -> int:
    """The best-ranked page that all members resemble: of copies and their source, which alone
    resembles them all, the source. The best-ranked page where there is none."""
    return next(chain(central, members))


def longest(members: Places, central: Places, pages: Sequence[Page], scores: Scores) -> int:
    """The page with the longest body; ties to the better rank."""
    return max(members, key=lambda i: len(pages[i].body))


def medoid(members: Places, central: Places, pages: Sequence[Page], scores: Scores) -> int:
    """The page with the highest summed score to all other members; ties to the better rank."""
    group = list(members)
    look = scores.look if isinstance(scores, PairMatrix) else lambda *at: scores[np.ix_(*at)]
    parts = row_parts(len(group), len(group))
    sums = [look(group[part], group).sum(axis=1) for part in parts]
    return group[int(np.argmax(np.round(np.concatenate(sums), 9)))]


def newest(members: Places, central: Places, pages: Sequence[Page], scores: Scores) -> int:
    """The page with the latest date; undated pages come last, ties to the better rank."""
    from reducepp.similarity.measures.gaps import moment_of

    return max(members, key=lambda i: moment_of(pages[i].posted_at))


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


Parts = list[tuple[int, tuple[int, ...]]]
"""Representative and members of each part of a cluster."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Members of a part of a cluster; sets of places in the cluster are bits of a number."""

    members: int
    near: int
    """The places that all members resemble."""
    kept: int
    """The place of the representative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Splitter:
    """Splits clusters into parts in which every member resembles the representative."""

    pages: Sequence[Page]
    scores: Scores
    min_score: float
    """What two pages that resemble each other score; at 0 all do."""
    policy: Policy
    contradict: Callable[[int, int], bool] | None = None
    """Whether a page must not be dropped for a representative, whatever they score."""
    foresee: Callable[[Sequence[int]], None] | None = None
    """Called with a cluster before many of its pairs are checked for contradictions."""

    def split(self, group: Sequence[int]) -> Parts:
        """Representative and members of each part of a cluster.

        The whole cluster is one part where its representative resembles all members and
        contradicts none. Else parts grow along the pairs that resemble each other, the highest
        score first: two parts become one where that is true of both together. So a page is dropped
        for what it resembles most.
        """
        if len(group) == 1:
            return [(group[0], tuple(group))]
        central = self._central(group)
        kept = self._choose(group, central)
        return self.check(group, [(kept, tuple(group))]) if kept in central else self._grow(group)

    def check(self, group: Sequence[int], parts: Parts) -> Parts:
        """The parts of a cluster that were split without facts, split anew where these matter."""
        if len(group) == 1 or self.contradict is None:
            return parts
        if len(parts) > 1 or self._contradicts(parts[0][0], group):
            return self._grow(group)
        return parts

    def _central(self, group: Sequence[int]) -> Sequence[int]:
        """The pages that all others resemble."""
        if not self.min_score:
            return group
        counts = count_links(self.scores, group, self.min_score)
        return [group[place] for place in np.flatnonzero(counts == len(group) - 1).tolist()]

    def _grow(self, group: Sequence[int]) -> Parts:
        if self.foresee is not None:
            self.foresee(group)
        first, second, scores = links_within(self.scores, group, self.min_score)
        near = np.eye(len(group), dtype=bool)
        near[first, second] = near[second, first] = True
        parts = {
            place: _Part(1 << place, int.from_bytes(row.tobytes(), "little"), place)
            for place, row in enumerate(np.packbits(near, axis=1, bitorder="little"))
        }
        root, failed = list(parts), set()
        order = np.lexsort((second, first, -scores))
        for pair in zip(first[order].tolist(), second[order].tolist(), strict=True):
            a, b = (find_root(root, place) for place in pair)
            both = parts[a].members, parts[b].members
            if a == b or both in failed:
                continue
            joined = self._join(group, parts[a], parts[b])
            if joined is None:
                failed.add(both)
            else:
                root[b], parts[a] = a, joined
                del parts[b]
        return [(group[p.kept], tuple(_take(group, p.members))) for p in parts.values()]

    def _join(self, group: Sequence[int], *parts: _Part) -> _Part | None:
        """Two parts as one, or None where no page can represent both."""
        members, near = parts[0].members | parts[1].members, parts[0].near & parts[1].near
        if not members & near:
            return None
        chosen = self._choose(_take(group, members), _take(group, members & near))
        kept = bisect_left(group, chosen)
        changed = (_take(group, part.members) for part in parts if part.kept != kept)
        if not near >> kept & 1 or self._contradicts(chosen, chain.from_iterable(changed)):
            return None
        return _Part(members, near, kept)

    def _choose(self, members: Iterable[int], central: Iterable[int]) -> int:
        return self.policy(members, central, self.pages, self.scores)

    def _contradicts(self, kept: int, members: Iterable[int]) -> bool:
        check = self.contradict
        return check is not None and any(check(i, kept) for i in members if i != kept)


def _take(group: Sequence[int], bits: int) -> Iterator[int]:
    """The pages of a cluster at the places of the bits that are set, in order."""
    while bits:
        yield group[(bits & -bits).bit_length() - 1]
        bits &= bits - 1


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

POLICIES: dict[str, Policy] = {"rank": best_ranked, "longest": longest, "medoid": medoid}
POLICIES |= {"newest": newest, GREEDY: best_ranked}
"""Name in every interface (`--keep`, `keep=`) to policy."""


def find_policy(name: str) -> Policy:
    """Look a policy up by name; raises UsageError that lists the known ones."""
    check_choice("keep", name, POLICIES)
    return POLICIES[name]
