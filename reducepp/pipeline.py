"""Pages and a profile to a Reduction: the composition, readable top to bottom."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np

from reducepp.clustering.levels import ACTIONS, dropped_level_at, with_facts
from reducepp.clustering.representatives import (
    DEFAULT_POLICY,
    GREEDY,
    Splitter,
    diversify,
    find_policy,
)
from reducepp.clustering.tree import (
    MAX_BLOCK_PAGES,
    Scores,
    Tree,
    build_tree,
    describe_cluster,
    describe_star,
    tree_path,
)
from reducepp.errors import UsageError
from reducepp.evidence.click_kinds import act_on_clicks, clicks_of, prefer_clicked
from reducepp.evidence.page_facts import PageFacts
from reducepp.io import notebook as notebook  # registers how notebooks draw a Reduction
from reducepp.parallel import free_memory
from reducepp.similarity.candidates import EXACT, LSH, candidate_pairs
from reducepp.similarity.combine import background, combine, pair_tests, shares
from reducepp.similarity.compare import compare_set, drop_empty_signals
from reducepp.similarity.contents import PageSet
from reducepp.similarity.evidence_candidates import certain_groups
from reducepp.similarity.pair_matrix import PairMatrix, PairTable, score_ahead
from reducepp.similarity.pairs import PairArrays
from reducepp.similarity.score_matrix import score_all_pairs, score_rows
from reducepp.types import (
    Array,
    Cluster,
    Dropped,
    Edge,
    Failure,
    Page,
    Profile,
    Reduction,
    Similarities,
)

MODES = ("collapse", "demote", "drop", "auto")
"""Dropped pages are listed under their representative, moved to the end, or left out; `auto` does
what each page's own action says: left out, or listed where it is an alternative."""

MAX_DENSE_PAGES = 1500
"""Pages up to which all pairs are scored at once: faster than to find candidates first."""

ARRAYS_BESIDE = 4
"""Arrays of all pairs that are held beside two a signal while they are scored."""

GIANT_CLUSTER = 0.5
"""Share of ten or more pages in one cluster from which on a warning is given."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Threshold, policy for representatives, and mode for dropped pages."""

    threshold: float
    min_score: float = 0.0
    """No page is dropped for a representative with which it scores less; 0 promises nothing."""
    max_results: int = 0
    """Results to show at most: those ranked after them are cut; 0 is any number."""
    keep: str = DEFAULT_POLICY
    mode: str = "collapse"
    explain: bool = True


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
    """Sort pages by rank and id."""
    ranked = sorted(pages, key=lambda page: (page.rank, page.id))
    return PageSet(ranked, prepare=profile.prepare)


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
        made = compare_scored(table, floor)
        return replace(made, approximate=candidates == LSH)
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
    """Similarities that are computed for the pairs that are asked for."""
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


def compare_scored(table: PairTable, floor: float) -> Comparison:
    """Compare a page set in rank order: no other pair than those of the table and the certain ones
    reaches the floor."""
    scores, similarities = PairMatrix(table), _similarities(table)
    return make_comparison(table.page_set.pages, table.profile, similarities, scores, floor=floor)


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


def cut(comparison: Comparison, how: Cut) -> Reduction:
    """Clusters at a threshold, their representatives, and the reasons for dropped pages."""
    if how.mode not in MODES:
        raise UsageError(f"mode {how.mode!r}: use one of {', '.join(MODES)}")
    if how.threshold < comparison.tree.floor:
        raise UsageError(f"compared from {comparison.tree.floor:g} on: cut there or above")
    facts = PageFacts(comparison.pages)
    chosen = choose_clusters(comparison, how, facts)
    beyond = chosen[how.max_results :] if how.max_results else []
    chosen = chosen[: len(chosen) - len(beyond)]
    clusters = tuple(_describe(comparison, kept, group, how) for kept, group in chosen)
    dropped = _explain_all(comparison, chosen, how, facts)
    clicks = clicks_of(comparison.profile)
    if clicks is not None:
        dropped = act_on_clicks(clicks, dropped, comparison.pages)
    return Reduction(
        query=comparison.query,
        profile=comparison.profile.name,
        threshold=how.threshold,
        clusters=clusters,
        dropped=dropped,
        cut=tuple(comparison.pages[i].id for i in sorted(i for _, group in beyond for i in group)),
        failures=comparison.failures,
        before=len(comparison.pages),
        after=len(clusters),
        mode=how.mode,
        keep=how.keep,
        linkage=GREEDY if how.keep == GREEDY else comparison.profile.linkage,
        warnings=tuple(_warnings(clusters, comparison)),
        pages=comparison.pages,
        scored_by=comparison.profile,
    )


def choose_clusters(
    comparison: Comparison, how: Cut, facts: PageFacts
) -> list[tuple[int, tuple[int, ...]]]:
    """Representative and members of each cluster, in the order of the representatives."""
    groups, profile = make_groups(comparison, how), comparison.profile
    policy, clicks = find_policy(how.keep), clicks_of(profile)
    splitter = Splitter(
        pages=comparison.pages,
        scores=comparison.scores,
        min_score=lowest_score(profile, how),
        policy=policy if clicks is None else prefer_clicked(clicks, policy),
    )
    if isinstance(comparison.scores, PairMatrix):
        comparison.scores.score_within([g for g in groups if len(g) <= MAX_BLOCK_PAGES])
        stars = chain.from_iterable(splitter.split(group) for group in groups if len(group) > 1)
        facts.read_ahead(
            ((kept, [i for i in near if i != kept]) for kept, near in stars), passages=how.explain
        )
    if profile.check_facts:
        splitter = replace(splitter, contradict=facts.contradict)
    return sorted(chain.from_iterable(map(splitter.split, groups)))


def lowest_score(profile: Profile, how: Cut) -> float:
    """The score with its representative that every dropped page has; 0 promises nothing."""
    return max(how.min_score, how.threshold) if profile.check_representative else how.min_score


def make_groups(comparison: Comparison, how: Cut) -> tuple[tuple[int, ...], ...]:
    """Page indices of each cluster: components of the tree, or greedily from the top."""
    if how.keep == GREEDY:
        return diversify(comparison.scores, how.threshold)
    return comparison.tree.clusters_at(how.threshold)


def _describe(comparison: Comparison, kept: int, group: Sequence[int], how: Cut) -> Cluster:
    tree, scores, page = comparison.tree, comparison.scores, comparison.pages[kept]
    if how.keep == GREEDY or lowest_score(comparison.profile, how):
        cluster = describe_star(tree.ids, scores, group, kept=kept, least=how.explain)
    else:
        cluster = describe_cluster(tree, scores, group, kept=kept, threshold=how.threshold)
    return replace(cluster, label=page.page_title or page.url)


def _explain_all(
    comparison: Comparison,
    chosen: Sequence[tuple[int, tuple[int, ...]]],
    how: Cut,
    facts: PageFacts,
) -> tuple[Dropped, ...]:
    pairs = sorted((i, kept) for kept, group in chosen for i in group if i != kept)
    if pairs:
        score_ahead(comparison.similarities, *np.array(pairs, dtype=np.int64).T)
    return tuple(_explain(comparison, kept, i, how, facts) for i, kept in pairs)


def _explain(comparison: Comparison, kept: int, i: int, how: Cut, facts: PageFacts) -> Dropped:
    """Score, level, signals, links, facts and shared passages of a dropped page."""
    from reducepp.evidence.facts.fact_comparison import facts_to_dict

    pages, score = comparison.pages, float(comparison.scores[kept, i])
    texts = facts.explain(i, kept, passages=how.explain)
    level = dropped_level_at(texts.level, score, how.threshold)
    level = with_facts(level, texts.facts.differs)
    by_signal = shares(comparison.similarities, comparison.profile, kept, i)
    return Dropped(
        id=pages[i].id,
        kept=pages[kept].id,
        score=score,
        by_signal=by_signal,
        background=background(comparison.profile, score, by_signal),
        level=level,
        action=ACTIONS[level],
        chain=_chain(comparison, kept, i, how),
        passages=texts.passages,
        facts=facts_to_dict(texts.facts) if how.explain else {},
        tests=pair_tests(comparison.similarities, comparison.profile, kept, i),
    )


def _chain(comparison: Comparison, kept: int, i: int, how: Cut) -> tuple[Edge, ...]:
    scores, ids = comparison.scores, comparison.tree.ids
    direct = scores[kept, i] >= how.threshold or lowest_score(comparison.profile, how)
    path = [kept, i] if direct else tree_path(comparison.tree, kept, i, threshold=how.threshold)
    return tuple(Edge(a=ids[a], b=ids[b], score=float(scores[a, b])) for a, b in pairwise(path))


def _warnings(clusters: Sequence[Cluster], comparison: Comparison) -> list[str]:
    pages = comparison.pages
    found, n = [], len(pages)
    if comparison.approximate:
        found.append("approximate candidates (lsh): some duplicates may not be found")
    largest = max((len(cluster.members) for cluster in clusters), default=0)
    if n >= 10 and largest > GIANT_CLUSTER * n:
        found.append(f"one cluster holds {largest} of {n} pages: is the threshold too low?")
    classes = Counter(p.content_class for p in pages if p.content_class not in ("", "home"))
    if classes:
        counts = ", ".join(f"{count} {name}" for name, count in classes.most_common())
        found.append(f"{classes.total()} of {n} pages have no content of their own: {counts}")
    chained = sum(cluster.chained for cluster in clusters)
    if chained:
        found.append(
            f"{chained} chained cluster(s): some members are alike only through others "
            "(try --linkage average)"
        )
    return found
