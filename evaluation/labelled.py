"""Figures of one method on judged pairs, for all pairs and for each group of them.

Two readings of "duplicate": the pair's own score is at least the threshold (the main one), and
the two pages are in the same cluster, which chains may join. True clusters, for B-cubed and
adjusted Rand, are the pages that judged duplicates link; pages nobody judged are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reducepp.evaluation.bootstrap import (
    FEW_UNITS,
    choose_unit,
    draw_counts,
    draw_weights,
    intervals,
)
from reducepp.evaluation.figures import PAIR_FIGURES, Figures
from reducepp.evaluation.judged import GROUPINGS, JudgedPairs
from reducepp.evaluation.pieces import SCORES, Pieces, judged_pieces, score_clusters
from reducepp.evaluation.ranking import (
    Ranking,
    average_precision,
    best_threshold,
    find_all,
    find_at,
    rank_pairs,
)
from reducepp.pipeline import Comparison
from reducepp.types import Array

Bools = NDArray[np.bool_]


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
            dtype=np.float64,
        )

    def figures(self, chosen: Bools, method: str, group: str, value: str) -> Figures:
        """All figures of one group."""
        decided = chosen & self.pairs.decided
        duplicate = self.pairs.duplicate[decided]
        ranking = rank_pairs(self.scores[decided], duplicate)
        together = rank_pairs(self.together[decided], duplicate)
        pieces = judged_pieces(self.pairs, decided, self.labels)
        best = best_threshold(ranking)
        return Figures(
            method=method,
            group=group,
            value=value,
            pairs=len(duplicate),
            duplicates=int(duplicate.sum()),
            threshold=self.threshold,
            best_threshold=best,
            best_f1=float(find_at(ranking, np.array([best])).f1[0, 0]),
            grade_correlation=_correlate(self.pairs.grade[chosen], self.scores[chosen]),
            **self._of_pairs(ranking, together, decided),
            **self._of_clusters(pieces, decided),
        )

    def _of_pairs(self, ranking: Ranking, together: Ranking, decided: Bools) -> dict[str, Any]:
        """Figures that weigh pairs, with their intervals."""

        def measure(weights: Array) -> Array:
            found = find_at(ranking, np.array([self.threshold]), weights)
            shared = find_at(together, np.ones(1), weights)
            average = average_precision(find_all(ranking, weights))
            by_score, by_cluster = (
                [one.precision[:, 0], one.recall[:, 0], one.f1[:, 0]] for one in (found, shared)
            )
            return np.stack([*by_score, average, *by_cluster])

        figures = _named(PAIR_FIGURES, measure(np.ones((1, len(ranking.order))))[:, 0])
        how, sources = self.resampling, self.pairs.sources(decided)
        if not how.samples:
            return figures
        unit = choose_unit(sources, how.unit)
        figures["resampled"] = unit
        if unit == "query" and len(np.unique(sources.query)) < FEW_UNITS:
            return figures
        draws = draw_weights(sources, samples=how.samples, seed=how.seed, unit=unit)
        return figures | _ends(PAIR_FIGURES, intervals(measure, draws))

    def _of_clusters(self, pieces: Pieces, decided: Bools) -> dict[str, Any]:
        """B-cubed and adjusted Rand over the judged pages, with their intervals."""
        figures = _named(SCORES, score_clusters(pieces.sums.sum(axis=0)[None])[:, 0])
        how = self.resampling
        if not how.samples:
            return figures
        by_query = choose_unit(self.pairs.sources(decided), how.unit) == "query"
        sums = pieces.by_query() if by_query else pieces.sums
        figures |= {"clusters_resampled": "query" if by_query else "piece", "drawn": len(sums)}
        if _effective(sums[:, 0]) < FEW_UNITS:
            return figures
        draws = draw_counts(len(sums), samples=how.samples, seed=how.seed)
        ends = intervals(lambda counts: score_clusters(counts @ sums), draws)
        return figures | _ends(SCORES, ends)


def _named(names: Sequence[str], values: Array) -> dict[str, Any]:
    return dict(zip(names, values.tolist(), strict=True))


def _ends(names: Sequence[str], ends: Array) -> dict[str, float]:
    """Ends of the intervals by the names of their columns."""
    low_high = zip(names, ends.tolist(), strict=True)
    return {
        f"{name}_{end}": value
        for name, both in low_high
        for end, value in zip(("low", "high"), both, strict=True)
    }


def _effective(sizes: Array) -> float:
    """How many units of one size would tell as much: fewer where one holds most pages."""
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def _correlate(grades: Array, scores: Array) -> float:
    """Spearman's correlation; NaN where grades or scores are all the same."""
    if len(np.unique(grades)) < 2 or len(np.unique(scores)) < 2:
        return math.nan
    from scipy.stats import spearmanr

    return float(spearmanr(grades, scores).statistic)
