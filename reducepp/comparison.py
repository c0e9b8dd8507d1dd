"""Pages and a profile to similarities, scores and the tree: all that no threshold changes."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reducepp.clustering.tree import Scores, Tree, build_tree
from reducepp.parallel import free_memory
from reducepp.similarity.candidates import EXACT, LSH, candidate_pairs
from reducepp.similarity.combine import combine
from reducepp.similarity.compare import compare_set, drop_empty_signals
from reducepp.similarity.contents import PageSet
from reducepp.similarity.evidence_candidates import certain_groups
from reducepp.similarity.pair_matrix import PairMatrix, PairTable
from reducepp.similarity.pairs import PairArrays
from reducepp.similarity.score_matrix import score_all_pairs, score_rows
from reducepp.types import Array, Failure, Page, Profile, Similarities

MAX_DENSE_PAGES = 400
"""Pages up to which all pairs are scored at once: faster than to find candidates first up to 200,
a fifth slower at 400, twice as slow at 1,000 (`python -m benchmarks scale`)."""

ARRAYS_BESIDE = 4
"""Arrays of all pairs that are held beside two a signal while they are scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Similarities, scores and tree of one query's pages: all that no threshold changes."""

    pages: tuple[Page, ...]
    """In rank order."""
    profile: Profile
    similarities: Similarities
    scores: Any
    """n×n; of a large set a PairMatrix with the pairs that reach the tree's floor."""
    tree: Tree
    failures: tuple[Failure, ...] = ()
    approximate: bool = False
    """Whether pairs at the tree's floor and above may be missing."""
    name: str = ""
    """The query, where no page could be used; otherwise the pages have it."""

    @property
    def query(self) -> str:
        """The query of the pages."""
        return self.name or next((page.query for page in self.pages), "")


def compare_pages(
    pages: Sequence[Page],
    profile: Profile,
    *,
    failures: Sequence[Failure] = (),
    query: str = "",
    floor: float = 0.0,
    candidates: str = EXACT,
) -> Comparison:
    """Compare the pages of one query; a caller that needs no score below `floor` names it."""
    ranked = rank_pages(pages, profile)
    compared = compare_ranked(ranked, profile, floor=floor, candidates=candidates)
    return replace(compared, failures=tuple(failures), name=query)


def rank_pages(pages: Sequence[Page], profile: Profile) -> PageSet:
    """The pages in rank order, to be compared by a profile."""
    return PageSet(rank_order(pages), prepare=profile.prepare)


def rank_order(pages: Iterable[Page]) -> tuple[Page, ...]:
    """Pages sorted by rank and id."""
    return tuple(sorted(pages, key=lambda page: (page.rank, page.id)))


def compare_ranked(
    page_set: PageSet, profile: Profile, *, floor: float = 0.0, candidates: str = EXACT
) -> Comparison:
    """Compare a page set in rank order; the caller keeps its prepared texts for other uses.

    Of a large set only the pairs that can reach `floor` are scored, where the profile's signals
    allow to find them; clusters at `floor` and above are the same either way. `lsh` candidates are
    approximate: pairs may be missing, and the comparison says so.
    """
    profile = drop_empty_signals(profile, page_set.pages)
    table = score_candidates(page_set, profile, floor, candidates)
    if table is not None:
        return compare_scored(table, floor, approximate=candidates == LSH)
    if len(page_set.pages) <= MAX_DENSE_PAGES and _fits(len(page_set.pages), len(profile.signals)):
        similarities = compare_set(page_set, profile)
        scores = combine(similarities, profile)
    else:
        similarities = _similarities(PairTable(page_set, profile))
        scores = score_all_pairs(page_set, profile)
    return make_comparison(page_set.pages, profile, similarities, scores)


def _fits(pages: int, signals: int) -> bool:
    """Whether all signals of all pairs take no more than half of the free memory."""
    return 8 * pages**2 * (2 * signals + ARRAYS_BESIDE) <= free_memory() / 2


def _similarities(table: PairTable) -> Similarities:
    """Similarities that are computed when a pair is read."""
    ids = tuple(page.id for page in table.page_set.pages)
    by_signal = {s.name: PairMatrix(table, s.name) for s in table.profile.signals}
    return Similarities(ids=ids, by_signal=by_signal)


def tree_of(ids: Sequence[str], scores: Scores, profile: Profile, *, floor: float = 0.0) -> Tree:
    """The tree of a profile; where representatives are checked, equal pages count as one in it."""
    join = profile.check_representative
    return build_tree(ids, scores, linkage=profile.linkage, join=join, floor=floor)


def make_comparison(
    pages: Sequence[Page],
    profile: Profile,
    similarities: Similarities,
    scores: Scores,
    *,
    floor: float = 0.0,
) -> Comparison:
    """Pages in rank order with their scores and the tree of these."""
    tree = tree_of(similarities.ids, scores, profile, floor=floor)
    return Comparison(
        pages=tuple(pages), profile=profile, similarities=similarities, scores=scores, tree=tree
    )


def score_candidates(
    page_set: PageSet, profile: Profile, floor: float, candidates: str = EXACT
) -> PairTable | None:
    """The pairs of a large set that reach the floor; None where all pairs are to be scored."""
    if not floor or len(page_set.pages) <= MAX_DENSE_PAGES:
        return None
    found = candidate_pairs(page_set, profile, floor, candidates)
    if found is None:
        return None
    table = PairTable(page_set, profile, certain_groups(page_set, profile))
    table.add(*found, floor=floor)
    return table


def compare_scored(table: PairTable, floor: float, *, approximate: bool = False) -> Comparison:
    """Compare a page set in rank order: no other pair than those of the table and the certain ones
    reaches the floor, unless the table is `approximate`."""
    table.floor = math.inf if approximate else floor
    scores, similarities = PairMatrix(table), _similarities(table)
    pages, profile = table.page_set.pages, table.profile
    made = make_comparison(pages, profile, similarities, scores, floor=floor)
    return replace(made, approximate=approximate)


def score_pairs(
    pages: Sequence[Page], profile: Profile, floor: float = 0.0
) -> Iterator[tuple[PairArrays, Array, Mapping[str, Array]]]:
    """Pairs of pages in rank order that reach the floor, in order and in parts, with their scores
    and similarities."""
    page_set = rank_pages(pages, profile)
    profile = drop_empty_signals(profile, page_set.pages)
    table = score_candidates(page_set, profile, floor)
    if table is not None:
        first, second, scores = table.links(floor)
        names = (signal.name for signal in profile.signals)
        yield (first, second), scores, {name: table.values(name, first, second) for name in names}
        return
    for listed, similarities, scores in score_rows(page_set, profile):
        above = np.flatnonzero(scores >= floor)
        found = {name: values[above] for name, values in similarities.items()}
        yield (listed.i[above], listed.j[above]), scores[above], found
