"""Figures of one method on labelled pairs, for all pairs and for each group of them.

A pair is predicted a duplicate in two ways: its own score is at least the threshold (the main
one), or its two pages are in the same cluster, which chains may join. True clusters, for B-cubed
and adjusted Rand, are the pages that duplicate labels connect; unlabelled pages are left out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reducepp.comparison import Comparison
from reducepp.labelled.intervals import (
    MIN_UNITS,
    SAMPLES,
    Estimate,
    choose_unit,
    draw_counts,
    draw_weights,
    estimate,
    widen_figures,
)
from reducepp.labelled.labelled_pairs import GROUPINGS, LabelledPairs
from reducepp.labelled.scoring import (
    CLUSTER_SCORES,
    Ranking,
    average_precision,
    best_threshold,
    count_all,
    count_at,
    rank_pairs,
    score_clusters,
)
from reducepp.pipeline import Cut, cluster_labels
from reducepp.types import Array, Bools

BY_SCORE = ("precision", "recall", "f1", "average_precision")
BY_CLUSTER = ("cluster_precision", "cluster_recall", "cluster_f1")
"""As precision, recall and F, where two pages in one cluster are predicted duplicates."""
_Estimates = dict[str, Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How intervals are estimated; no samples, no intervals."""

    samples: int = SAMPLES
    seed: int = 0
    unit: str = "auto"


Evaluation = dict[str, Any]
"""One method on one group of labelled pairs, by the columns that are printed (docs/evaluation.md).

Figures with a 95 % interval (`BY_SCORE`, `BY_CLUSTER` and the cluster scores) also have its ends,
`_low` and `_high`. NaN where a figure is not defined.
"""


def evaluate(
    comparisons: Sequence[Comparison],
    pairs: LabelledPairs,
    *,
    method: str = "",
    threshold: float | None = None,
    by: Sequence[str] = GROUPINGS,
    resampling: Resampling | None = None,
) -> list[Evaluation]:
    """Figures for all pairs, then for each group; a comparison for each page list of `pairs`."""
    profile = comparisons[0].profile
    at = profile.threshold if threshold is None else threshold
    run = _Run(comparisons, pairs, at, resampling or Resampling())
    return [
        run.evaluate(chosen, method or profile.name, group, value)
        for (group, value), chosen in pairs.groups(by).items()
        if (chosen & pairs.decided).any()
    ]


def pair_scores(comparisons: Sequence[Comparison], pairs: LabelledPairs) -> Array:
    """The score of each labelled pair."""
    scores = np.zeros(len(pairs.query))
    for number, comparison in enumerate(comparisons):
        here = pairs.query == number
        scores[here] = comparison.scores[pairs.first[here], pairs.second[here]]
    return scores


def rank_labelled(comparisons: Sequence[Comparison], pairs: LabelledPairs) -> Ranking:
    """The decided pairs by their score."""
    scores = pair_scores(comparisons, pairs)[pairs.decided]
    return rank_pairs(scores, pairs.duplicate[pairs.decided])


class _Run:
    """One method at one threshold on all labelled pairs."""

    def __init__(
        self,
        comparisons: Sequence[Comparison],
        pairs: LabelledPairs,
        threshold: float,
        resampling: Resampling,
    ) -> None:
        self.pairs, self.threshold, self.resampling = pairs, threshold, resampling
        self.scores = pair_scores(comparisons, pairs)
        how = Cut(threshold=threshold)
        self.clusters = own = [cluster_labels(comparison, how) for comparison in comparisons]
        same = [own[query][a] == own[query][b] for query, a, b in pairs.places()]
        self.together = np.array(same, dtype=np.float64)

    def evaluate(self, chosen: Bools, method: str, group: str, value: str) -> Evaluation:
        decided = chosen & self.pairs.decided
        duplicate = self.pairs.duplicate[decided]
        ranking = rank_pairs(self.scores[decided], duplicate)
        together = rank_pairs(self.together[decided], duplicate)
        best = best_threshold(ranking)
        unit = choose_unit(self.pairs.sources(decided), self.resampling.unit)
        of_pairs = self._estimate_pairs(ranking, together, decided, unit)
        of_clusters, drawn = self._estimate_clusters(decided, unit)
        resampled = bool(self.resampling.samples)
        return {
            "method": method,
            "group": group,
            "value": value,
            "pairs": len(duplicate),
            "duplicates": int(duplicate.sum()),
            "threshold": self.threshold,
            **_columns(BY_SCORE, of_pairs),
            "best_threshold": best,  # the one with the best F on these very pairs
            "best_f1": float(count_at(ranking, np.array([best])).f1[0, 0]),
            **_columns((*BY_CLUSTER, *CLUSTER_SCORES), of_pairs | of_clusters),
            "grade_correlation": _correlate(self.pairs.grade[chosen], self.scores[chosen]),
            "resampled": unit if resampled else "",
            "clusters_resampled": ("query" if unit == "query" else "piece") if resampled else "",
            "drawn": drawn if resampled else 0,
        }

    def _estimate_pairs(
        self, ranking: Ranking, together: Ranking, decided: Bools, unit: str
    ) -> _Estimates:
        """Figures that weigh pairs; no interval from too few queries."""

        def measure(weights: Array) -> Array:
            by_score = count_at(ranking, np.array([self.threshold]), weights)
            by_cluster = count_at(together, np.ones(1), weights)
            average = average_precision(count_all(ranking, weights))
            return np.stack([*by_score.figures(), average, *by_cluster.figures()])

        how, sources, names = self.resampling, self.pairs.sources(decided), (*BY_SCORE, *BY_CLUSTER)
        few = unit == "query" and len(np.unique(sources.query)) < MIN_UNITS
        draws = draw_weights(sources, samples=how.samples, seed=how.seed, unit=unit)
        found = estimate(measure, len(ranking.order), draws if how.samples and not few else None)
        duplicate = self.pairs.duplicate[decided]
        scored = widen_figures(found[:3], self.scores[decided] >= self.threshold, duplicate)
        cut = widen_figures(found[4:], self.together[decided] > 0, duplicate)
        return dict(zip(names, [*scored, found[3], *cut], strict=True))

    def _estimate_clusters(self, decided: Bools, unit: str) -> tuple[dict[str, Estimate], int]:
        """B-cubed and adjusted Rand over the labelled pages, and how many units were drawn."""
        components = self.pairs.components(decided, self.clusters)
        how, sums = self.resampling, components.by_query() if unit == "query" else components.sums
        sizes = sums[:, 0]
        effective = sizes.sum() ** 2 / (sizes**2).sum()  # Kish's effective sample size
        draws = draw_counts(len(sums), samples=how.samples, seed=how.seed)
        is_sure = how.samples and effective >= MIN_UNITS
        found = estimate(
            lambda counts: score_clusters(counts @ sums), len(sums), draws if is_sure else None
        )
        return dict(zip(CLUSTER_SCORES, found, strict=True)), len(sums)


def _columns(names: Sequence[str], estimates: _Estimates) -> dict[str, float]:
    columns: dict[str, float] = {}
    for name in names:
        one = estimates[name]
        columns |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
    return columns


def _correlate(grades: Array, scores: Array) -> float:
    """Spearman's correlation; NaN where grades or scores are all the same."""
    if len(np.unique(grades)) < 2 or len(np.unique(scores)) < 2:
        return math.nan
    from scipy.stats import spearmanr

    return float(spearmanr(grades, scores).statistic)


def side_by_side(found: Sequence[Evaluation]) -> list[dict[str, Any]]:
    """The main figures for reading, intervals beside them."""
    return [
        {
            "method": one["method"],
            "pairs of": f"{one['group']} {one['value']}".strip(),
            **{name: one[name] for name in ("pairs", "duplicates", "threshold")},
            "precision": _with_interval(one, "precision"),
            "recall": _with_interval(one, "recall"),
            "F": _with_interval(one, "f1"),
            "average precision": _with_interval(one, "average_precision"),
            "best F (at)": f"{_figure(one['best_f1'])} ({_figure(one['best_threshold'])})",
            "cluster F": _with_interval(one, "cluster_f1"),
            "B-cubed F": _with_interval(one, "b_cubed_f1"),
            "adjusted Rand": _with_interval(one, "adjusted_rand"),
        }
        for one in found
    ]


def _figure(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _with_interval(one: Evaluation, name: str) -> str:
    low, high = one[f"{name}_low"], one[f"{name}_high"]
    return _figure(one[name]) + ("" if math.isnan(low) else f" [{low:.2f} {high:.2f}]")
