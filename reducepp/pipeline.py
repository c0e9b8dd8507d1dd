"""A comparison and a threshold to a Reduction: clusters, representatives and reasons."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

import numpy as np

from reducepp.clustering.levels import ACTIONS
from reducepp.clustering.representatives import (
    DEFAULT_POLICY,
    GREEDY,
    Splitter,
    diversify,
    find_policy,
)
from reducepp.clustering.tree import MAX_BLOCK_PAGES, describe_cluster, describe_star, tree_path
from reducepp.comparison import Comparison
from reducepp.errors import UsageError, check_choice
from reducepp.evidence.click_kinds import act_on_clicks, clicks_of, prefer_clicked
from reducepp.evidence.page_facts import PageFacts
from reducepp.evidence.pair_evidence import PairEvidence, PairReaders
from reducepp.io import notebook as notebook  # registers how notebooks draw a Reduction
from reducepp.similarity.combine import background, explain_pairs
from reducepp.similarity.models import Explanation
from reducepp.similarity.pair_matrix import PairMatrix
from reducepp.types import Cluster, Dropped, Edge, Integers, Page, Profile, Reduction

MODES = ("collapse", "demote", "drop", "auto")
"""Dropped pages are listed under their representative, moved to the end, or left out; `auto` does
what each page's own action says: left out, or listed where it is an alternative."""

GIANT_CLUSTER = 0.5
"""Share of ten or more pages in one cluster from which on a warning is given."""


Chosen = list[tuple[int, tuple[int, ...]]]
"""Representative and members of each cluster."""


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


def cut(
    comparison: Comparison, how: Cut, frame: Sequence[Page] = (), readers: PairReaders | None = None
) -> Reduction:
    """Clusters at a threshold, their representatives, and the reasons for dropped pages.

    Of a comparison of some pages of a set, `frame` are the set's first ones (PageFacts). `readers`
    may have read pairs of these pages already.
    """
    check_choice("mode", how.mode, MODES)
    if how.threshold < comparison.tree.floor:
        raise UsageError(f"compared from {comparison.tree.floor:g} on: cut there or above")
    facts = PageFacts(comparison.pages, frame, readers)
    chosen = choose_clusters(comparison, how, facts)
    chosen, beyond = _limit(comparison.pages, chosen, how.max_results)
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


def _limit(pages: Sequence[Page], chosen: Chosen, most: int) -> tuple[Chosen, Chosen]:
    """The clusters that are shown, and those beyond the `most` wanted (0 for all): the ones whose
    representative has no content of its own first, then the lowest-ranked."""
    with_content_first = sorted(chosen, key=lambda one: bool(pages[one[0]].content_class))
    shown = with_content_first[: most or None]
    return sorted(shown), with_content_first[len(shown) :]


def choose_clusters(
    comparison: Comparison, how: Cut, facts: PageFacts, *, is_explained: bool = True
) -> Chosen:
    """Representative and members of each cluster, in the order of the representatives.

    Where dropped pages are explained later, their texts are read at once for that too.
    """
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
    parts = [splitter.split(group) for group in groups]
    if is_explained:
        stars = chain.from_iterable(parts)
        pairs = ((kept, [i for i in near if i != kept]) for kept, near in stars)
        facts.read_ahead(pairs, passages=how.explain)
    if profile.check_facts:
        splitter = replace(splitter, contradict=facts.contradict, foresee=facts.foresee)
        parts = list(map(splitter.check, groups, parts))
    return sorted(chain.from_iterable(parts))


def cluster_labels(comparison: Comparison, how: Cut, facts: PageFacts | None = None) -> Integers:
    """The number of each page's cluster, as `cut` makes them; facts are read once where given."""
    facts = facts or PageFacts(comparison.pages)
    chosen = choose_clusters(comparison, how, facts, is_explained=False)
    return number_pages([members for _, members in chosen], len(comparison.pages))


def number_pages(groups: Iterable[Sequence[int]], count: int) -> Integers:
    """The number of each page's group."""
    labels = np.zeros(count, dtype=np.int64)
    for number, group in enumerate(groups):
        labels[list(group)] = number
    return labels


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
    label = page.page_title or page.url
    if len(group) == 1:
        return Cluster(kept=page.id, members=(page.id,), label=label)
    if how.keep == GREEDY or lowest_score(comparison.profile, how):
        cluster = describe_star(tree.ids, scores, group, kept=kept, least=how.explain)
    else:
        cluster = describe_cluster(tree, scores, group, kept=kept, threshold=how.threshold)
    return replace(cluster, label=label)


def _explain_all(
    comparison: Comparison,
    chosen: Sequence[tuple[int, tuple[int, ...]]],
    how: Cut,
    facts: PageFacts,
) -> tuple[Dropped, ...]:
    """Score, level, signals, links, facts and shared passages of each dropped page."""
    dropped = sorted((i, kept) for kept, group in chosen for i in group if i != kept)
    pairs = [(kept, i) for i, kept in dropped]
    explained = explain_pairs(comparison.similarities, comparison.profile, pairs)
    return tuple(
        _explain(comparison, pair, how, facts.explain(*pair[::-1], passages=how.explain), given)
        for pair, given in zip(pairs, explained, strict=True)
    )


def _explain(
    comparison: Comparison, pair: tuple[int, int], how: Cut, texts: PairEvidence, given: Explanation
) -> Dropped:
    from reducepp.evidence.facts.fact_comparison import facts_to_dict

    kept, dropped = (comparison.pages[i] for i in pair)
    score = float(comparison.scores[pair])
    level = texts.level_at(score)
    return Dropped(
        id=dropped.id,
        kept=kept.id,
        score=score,
        by_signal=given[0],
        background=background(comparison.profile, score, given[0]),
        level=level,
        action=ACTIONS[level],
        chain=_chain(comparison, *pair, how),
        passages=texts.passages,
        facts=facts_to_dict(texts.facts),
        tests=given[1],
    )


def _chain(comparison: Comparison, kept: int, i: int, how: Cut) -> tuple[Edge, ...]:
    scores, ids = comparison.scores, comparison.tree.ids
    direct = lowest_score(comparison.profile, how) or scores[kept, i] >= how.threshold
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
    found += content_warnings(pages)
    chained = sum(cluster.chained for cluster in clusters)
    if chained:
        found.append(
            f"{chained} chained cluster(s): some members are alike only through others "
            "(try --linkage average)"
        )
    return found


def content_warnings(pages: Sequence[Page]) -> list[str]:
    """How many pages have no content of their own, by class; nothing where all have."""
    classes = Counter(page.content_class for page in pages if page.lacks_content)
    counts = ", ".join(f"{count} {name}" for name, count in classes.most_common())
    said = f"{classes.total()} of {len(pages)} pages have no content of their own: {counts}"
    return [said] if classes else []
