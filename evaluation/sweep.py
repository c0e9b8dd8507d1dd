"""One row per threshold: clusters, validity, agreement, information kept.

Clusters are those that a reduction at the threshold has. Between two thresholds without a merge
nothing changes but the count of chained clusters, so each clustering is scored once.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from reducepp.clustering.representatives import GREEDY
from reducepp.clustering.tree import Scores
from reducepp.comparison import Comparison, compare_ranked, rank_pages
from reducepp.errors import MissingExtraError, UsageError, check_choice
from reducepp.evaluation.agreement import SCORES, Agreement, OtherClustering, agreement
from reducepp.evaluation.information_kept import Coverage, cover
from reducepp.evaluation.validity import INDICES, VECTORS, Validity, distances_of, validity
from reducepp.evidence.page_facts import PageFacts
from reducepp.pipeline import Cut, choose_clusters, number_pages
from reducepp.similarity.pair_matrix import PairMatrix, lowest_within
from reducepp.text.lexicons import warn_missing
from reducepp.types import Array, Integers, Page, Profile

WHOLE_SET = "*"
"""The query of rows over all queries."""
MAX_THRESHOLDS = 10_001
MAX_INDEX_PAGES = 3_000
"""Pages of a query up to which the validity indices and agreement scores are computed: they need
all pairs, about 1 GB at this size. Larger sets are swept on the pairs that can reach the lowest
threshold."""
NO_INDICES = f"needs all pairs: given up to {MAX_INDEX_PAGES} pages"


@dataclass(frozen=True, kw_only=True)
class SweepRow(Validity, Agreement):
    """The state of one query at one threshold; NaN where not defined, and `reason` says why."""

    query: str
    threshold: float = math.nan
    pages: int
    clusters: int
    reduction: float
    """Share of the pages that is no longer shown, in [0, 1]."""
    information_kept: float = math.nan
    largest: int
    """Pages of the largest cluster."""
    chained: int = 0
    """Clusters in which some two pages score below the threshold."""
    precision: float = math.nan
    recall: float = math.nan
    f1: float = math.nan
    against: str = "single"
    """The clustering that the agreement scores are computed against."""


COLUMNS = (
    *("query", "threshold", "pages", "clusters", "reduction", "information_kept"),
    *(*INDICES, *SCORES, "largest", "chained"),
)
LABEL_COLUMNS = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepOptions:
    """How clusters are made and scored at every threshold."""

    vectors: str = "rows"
    """What Davies-Bouldin and Calinski-Harabasz get: `rows` or `embedding`."""
    keep: str = "rank"
    """Which page of a cluster is shown; `walk` is the greedy diversification."""
    against: str = "single"
    """The clustering that agreement is computed against."""


def threshold_range(start: float, stop: float, step: float) -> list[float]:
    """Thresholds from start to stop, both included, as decimals without drift."""
    if not 0 <= start <= stop <= 1:
        raise UsageError(f"thresholds {start:g} to {stop:g}: 0 <= from <= to <= 1 is needed")
    if not 0 < step <= 1 or (stop - start) / step > MAX_THRESHOLDS:
        allowed = f"above 0, at most 1, with at most {MAX_THRESHOLDS} steps"
        raise UsageError(f"step {step:g}: a number {allowed}")
    count = math.floor((stop - start) / step + 1e-9) + 1
    return [round(start + i * step, 10) for i in range(count)]


def sweep(
    comparison: Comparison,
    thresholds: Sequence[float],
    *,
    how: SweepOptions | None = None,
    coverage: Coverage | None = None,
) -> list[SweepRow]:
    """Rows of one query for each threshold, in the order given."""
    how = how or SweepOptions()
    check_choice("vectors", how.vectors, VECTORS)
    held = coverage or cover(comparison.pages)
    found = _cuts(comparison, thresholds, how)
    distinct = {id(state): state for state in found}
    shown = np.zeros((len(comparison.pages), len(distinct)), dtype=bool)
    for column, state in enumerate(distinct.values()):
        shown[state.kept, column] = True
    kept = dict(zip(distinct, held.kept(shown).tolist(), strict=True))
    return [
        replace(
            state.row,
            threshold=threshold,
            information_kept=kept[id(state)],
            chained=int(np.count_nonzero(state.weakest < threshold)),
        )
        for threshold, state in zip(thresholds, found, strict=True)
    ]


def sweep_pages(
    pages: Sequence[Page],
    profile: Profile,
    thresholds: Sequence[float],
    how: SweepOptions | None = None,
) -> tuple[Comparison, list[SweepRow]]:
    """Compare the pages of one query and sweep; their text is read once for both."""
    page_set = rank_pages(pages, profile)
    coverage = cover(page_set)
    large = len(page_set.pages) > MAX_INDEX_PAGES
    comparison = compare_ranked(page_set, profile, floor=min(thresholds) if large else 0.0)
    return comparison, sweep(comparison, thresholds, how=how, coverage=coverage)


Clusters = tuple[tuple[int, tuple[int, ...]], ...]
"""Representative and members of each cluster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """One clustering with its figures, at any threshold that has it."""

    row: SweepRow
    kept: list[int]
    weakest: Array
    """Lowest score between two members of each cluster, or with its representative where every
    member is checked against that; 1 for a single page."""


def _cuts(comparison: Comparison, thresholds: Sequence[float], how: SweepOptions) -> list[_State]:
    """The clustering at each threshold; equal clusterings are scored once."""
    scores, profile = comparison.scores, comparison.profile
    is_star = how.keep == GREEDY or profile.check_representative or profile.check_facts
    score, facts = _figures_of(comparison, how), PageFacts(comparison.pages)
    cuts: dict[int, Clusters] = {}
    states: dict[Clusters, _State] = {}
    found: dict[float, _State] = {}
    for threshold in sorted(thresholds):  # parts of a cluster after it: its facts are read once
        merges = int(np.count_nonzero(comparison.tree.scores >= threshold))
        if is_star or merges not in cuts:
            cut = Cut(threshold=threshold, keep=how.keep, explain=False)
            cuts[merges] = tuple(choose_clusters(comparison, cut, facts, is_explained=False))
        chosen = cuts[merges]
        if chosen not in states:
            labels = number_pages([group for _, group in chosen], len(scores))
            weakest = [_weakest(scores, kept, group, is_star) for kept, group in chosen]
            states[chosen] = _State(
                row=_make_row(comparison.query, chosen, how.against, score(labels, threshold)),
                kept=[kept for kept, _ in chosen],
                weakest=np.array(weakest, dtype=np.float64),
            )
        found[threshold] = states[chosen]
    return [found[threshold] for threshold in thresholds]


def _weakest(scores: Scores, kept: int, group: Sequence[int], is_star: bool) -> float:
    if len(group) == 1:
        return 1.0
    of_kept: Array = scores[kept, list(group)] if is_star else np.ones(1)
    return float(of_kept.min()) if is_star else lowest_within(scores, group)[2]


def _make_row(query: str, clusters: Clusters, against: str, figures: dict[str, Any]) -> SweepRow:
    sizes = [len(group) for _, group in clusters]
    return SweepRow(
        query=query,
        pages=sum(sizes),
        clusters=len(sizes),
        reduction=1 - len(sizes) / sum(sizes) if sizes else 0.0,
        largest=max(sizes, default=0),
        against=against,
        **figures,
    )


def _figures_of(
    comparison: Comparison, how: SweepOptions
) -> Callable[[Integers, float], dict[str, Any]]:
    """Cluster numbers and their threshold to the indices and agreement scores, by name."""
    if isinstance(comparison.scores, PairMatrix) or len(comparison.pages) > MAX_INDEX_PAGES:
        return lambda labels, threshold: {"reason": NO_INDICES}
    distances = distances_of(comparison.scores)
    points, other = VECTORS[how.vectors](distances), None
    try:
        other = OtherClustering(comparison.scores, method=how.against)
    except MissingExtraError:
        warn_missing("scikit-learn (agreement scores)", "pip install 'reducepp[evaluate]'")

    def score(labels: Integers, threshold: float) -> dict[str, Any]:
        figures = asdict(validity(distances, labels, points))
        if other is None:
            return figures
        theirs = other.labels_at(threshold, len(set(labels.tolist())))
        return asdict(agreement(labels, theirs)) | figures

    return score


def whole_set(rows: Sequence[SweepRow]) -> list[SweepRow]:
    """One row per threshold over all queries, in the order of first appearance.

    Pages, clusters and chained clusters are added up, `largest` is the largest of all, and
    `information_kept` is the mean by pages; the indices and agreement scores are plain means
    over the queries for which they are defined.
    """
    by_threshold: dict[float, list[SweepRow]] = {}
    for row in rows:
        by_threshold.setdefault(row.threshold, []).append(row)
    return [_summarise(group) for group in by_threshold.values()]


def _summarise(rows: Sequence[SweepRow]) -> SweepRow:
    pages, clusters = sum(row.pages for row in rows), sum(row.clusters for row in rows)
    names = (*INDICES, *SCORES)
    means: Any = {name: mean_defined([getattr(row, name) for row in rows]) for name in names}
    means |= dict.fromkeys(LABEL_COLUMNS, math.nan)
    with_text = [row for row in rows if not math.isnan(row.information_kept)]
    weight = sum(row.pages for row in with_text)
    kept = sum(row.information_kept * row.pages for row in with_text)
    return replace(
        rows[0],
        query=WHOLE_SET,
        pages=pages,
        clusters=clusters,
        reduction=1 - clusters / pages if pages else 0.0,
        information_kept=kept / weight if weight else math.nan,
        largest=max(row.largest for row in rows),
        chained=sum(row.chained for row in rows),
        reason="" if not math.isnan(means["silhouette"]) else "not defined for any query",
        **means,
    )


def mean_defined(values: Sequence[float]) -> float:
    """Mean of the values that are defined; NaN where none is."""
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan
