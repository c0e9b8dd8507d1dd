"""Figures of one method on judged pairs, for all pairs and for each group of them.

Two readings of "duplicate": the pair's own score is at least the threshold (the main one), and
the two pages are in the same cluster, which chains may join. True clusters, for B-cubed and
adjusted Rand, are the pages that judged duplicates link; pages nobody judged are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement import agreement
from evaluation.bootstrap import choose_unit, intervals
from evaluation.judged import GROUPINGS, JudgedPairs
from evaluation.ranking import (
    Ranking,
    average_precision,
    b_cubed,
    best_threshold,
    find_all,
    find_at,
    rank_pairs,
)
from reducepp.data import Array
from reducepp.pipeline import Comparison

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How one method does on one group of judged pairs; NaN where not defined.

    `_low` and `_high` are the ends of a 95 % interval.
    """

    method: str
    group: str
    value: str
    pairs: int
    duplicates: int
    threshold: float
    precision: float
    precision_low: float = math.nan
    precision_high: float = math.nan
    recall: float
    recall_low: float = math.nan
    recall_high: float = math.nan
    f1: float
    f1_low: float = math.nan
    f1_high: float = math.nan
    average_precision: float
    average_precision_low: float = math.nan
    average_precision_high: float = math.nan
    best_threshold: float
    """The threshold that would have been best on these very pairs."""
    best_f1: float
    cluster_precision: float
    """As `precision`, where two pages count as duplicates when they share a cluster."""
    cluster_recall: float
    cluster_f1: float
    b_cubed_precision: float
    b_cubed_recall: float
    b_cubed_f1: float
    adjusted_rand: float
    grade_correlation: float
    """Spearman's, between the grades of all judged pairs and their scores."""
    resampled: str = ""
    """What was drawn for the intervals: query or page."""


COLUMNS = tuple(field.name for field in fields(Figures))


def side_by_side(figures: Sequence[Figures]) -> list[dict[str, Any]]:
    """The figures that matter most, for people: intervals beside the figures."""
    return [
        {
            "method": f.method,
            "pairs of": f"{f.group} {f.value}".strip(),
            "pairs": f.pairs,
            "duplicates": f.duplicates,
            "threshold": f.threshold,
            "precision": _with_interval(f.precision, f.precision_low, f.precision_high),
            "recall": _with_interval(f.recall, f.recall_low, f.recall_high),
            "F": _with_interval(f.f1, f.f1_low, f.f1_high),
            "average precision": _with_interval(
                f.average_precision, f.average_precision_low, f.average_precision_high
            ),
            "best F (at)": f"{_figure(f.best_f1)} ({_figure(f.best_threshold)})",
            "cluster F": _figure(f.cluster_f1),
            "B-cubed F": _figure(f.b_cubed_f1),
            "adjusted Rand": _figure(f.adjusted_rand),
        }
        for f in figures
    ]


def _figure(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _with_interval(value: float, low: float, high: float) -> str:
    ends = "" if math.isnan(low) else f" [{low:.2f} {high:.2f}]"
    return f"{_figure(value)}{ends}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How intervals are made; no samples, no intervals."""

    samples: int = 1000
    seed: int = 0
    unit: str = "auto"


def evaluate(
    comparisons: Sequence[Comparison],
    pairs: JudgedPairs,
    *,
    method: str = "",
    threshold: float | None = None,
    by: Sequence[str] = GROUPINGS,
    resampling: Resampling | None = None,
) -> list[Figures]:
    """Figures for all pairs, then for each group; a comparison for each page list of `pairs`."""
    name = method or comparisons[0].profile.name
    at = comparisons[0].profile.threshold if threshold is None else threshold
    run = _Run(comparisons, pairs, at, resampling or Resampling())
    return [
        run.figures(chosen, name, group, value)
        for (group, value), chosen in pairs.groups(by).items()
        if (chosen & pairs.decided).any()
    ]


def pair_scores(comparisons: Sequence[Comparison], pairs: JudgedPairs) -> Array:
    """The score of each judged pair."""
    scores = np.zeros(len(pairs.query))
    for number, comparison in enumerate(comparisons):
        here = pairs.query == number
        scores[here] = comparison.scores[pairs.first[here], pairs.second[here]]
    return scores


class _Run:
    """One method at one threshold on all judged pairs."""

    def __init__(
        self,
        comparisons: Sequence[Comparison],
        pairs: JudgedPairs,
        threshold: float,
        resampling: Resampling,
    ) -> None:
        self.pairs, self.threshold, self.resampling = pairs, threshold, resampling
        self.scores = pair_scores(comparisons, pairs)
        self.labels = [comparison.tree.labels_at(threshold) for comparison in comparisons]
        self.together = np.array(
            [
                self.labels[query][first] == self.labels[query][second]
                for query, first, second in zip(pairs.query, pairs.first, pairs.second, strict=True)
            ],
            dtype=bool,
        )

    def figures(self, chosen: Bools, method: str, group: str, value: str) -> Figures:
        """All figures of one group."""
        decided = chosen & self.pairs.decided
        duplicate = self.pairs.duplicate[decided]
        ranking = rank_pairs(self.scores[decided], duplicate)
        precision, recall, f1, average = self._measure(ranking, np.ones((1, len(duplicate))))[:, 0]
        low_high = self._intervals(ranking, decided)
        best = best_threshold(ranking)
        together = find_at(
            rank_pairs(self.together[decided].astype(np.float64), duplicate), np.ones(1)
        )
        b_precision, b_recall, b_f1, rand = self._clusters(decided)
        return Figures(
            method=method,
            group=group,
            value=value,
            pairs=len(duplicate),
            duplicates=int(duplicate.sum()),
            threshold=self.threshold,
            precision=float(precision),
            recall=float(recall),
            f1=float(f1),
            average_precision=float(average),
            best_threshold=best,
            best_f1=float(find_at(ranking, np.array([best])).f1[0, 0]),
            cluster_precision=float(together.precision[0, 0]),
            cluster_recall=float(together.recall[0, 0]),
            cluster_f1=float(together.f1[0, 0]),
            b_cubed_precision=b_precision,
            b_cubed_recall=b_recall,
            b_cubed_f1=b_f1,
            adjusted_rand=rand,
            grade_correlation=_correlate(self.pairs.grade[chosen], self.scores[chosen]),
            **low_high,
        )

    def _measure(self, ranking: Ranking, weights: Array) -> Array:
        """Precision, recall, F and average precision under each set of weights."""
        found = find_at(ranking, np.array([self.threshold]), weights)
        average = average_precision(find_all(ranking, weights))
        return np.stack([found.precision[:, 0], found.recall[:, 0], found.f1[:, 0], average])

    def _intervals(self, ranking: Ranking, decided: Bools) -> dict[str, Any]:
        how = self.resampling
        if not how.samples:
            return {}
        sources = self.pairs.sources(decided)
        ends = intervals(
            lambda weights: self._measure(ranking, weights),
            sources,
            samples=how.samples,
            seed=how.seed,
            unit=how.unit,
        )
        named: dict[str, Any] = {"resampled": choose_unit(sources, how.unit)}
        for name, (low, high) in zip(
            ("precision", "recall", "f1", "average_precision"), ends.tolist(), strict=True
        ):
            named |= {f"{name}_low": low, f"{name}_high": high}
        return named

    def _clusters(self, decided: Bools) -> tuple[float, float, float, float]:
        """B-cubed precision, recall and F, and adjusted Rand, over the judged pages."""
        truth, found = _true_clusters(self.pairs, decided, self.labels)
        return *b_cubed(truth, found), agreement(found, truth).adjusted_rand


def _true_clusters(
    pairs: JudgedPairs, decided: Bools, labels: Sequence[Integers]
) -> tuple[Integers, Integers]:
    """Cluster of each judged page by the judgements, and as found, numbered over all queries.

    Duplicates judged outside a group still tell which of its pages belong together.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    sources = pairs.sources(decided)
    judged = np.unique(np.concatenate([sources.first, sources.second]))
    duplicates = pairs.sources(pairs.decided & pairs.duplicate)
    offsets = np.cumsum([0, *(len(pages) for pages in pairs.pages)])
    size = int(offsets[-1])
    edges = (duplicates.first, duplicates.second)
    graph = csr_array((np.ones(len(edges[0])), edges), shape=(size, size))
    truth = connected_components(graph, directed=False)[1].astype(np.int64)
    found = np.concatenate([own + offsets[i] for i, own in enumerate(labels)])
    return truth[judged], found[judged]


def _correlate(grades: Array, scores: Array) -> float:
    """Spearman's correlation; NaN where grades or scores are all the same."""
    if len(np.unique(grades)) < 2 or len(np.unique(scores)) < 2:
        return math.nan
    from scipy.stats import spearmanr

    return float(spearmanr(grades, scores).statistic)
