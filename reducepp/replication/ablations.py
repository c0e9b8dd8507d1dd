"""Ablations of the REDUCE++ score: content types, weights, preparations, the predecessor REDUCE."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reducepp.evaluation.agreement import AGAINST
from reducepp.evaluation.information_kept import Coverage, cover
from reducepp.evaluation.pair_evaluation import rank_labelled
from reducepp.evaluation.sweep import SweepOptions, sweep, whole_set
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.labelled.scoring import average_precision, best_threshold, count_all, count_at
from reducepp.labelled.signals import measure_labels
from reducepp.pipeline import Comparison, make_comparison, rank_pages
from reducepp.replication.tables import Table
from reducepp.similarity.combine import combine
from reducepp.similarity.compare import compare_set
from reducepp.types import Page, Profile, Similarities
from reducepp.weights.learning.learn import MIN_PAIRS_EACH, fit_profile
from reducepp.weights.learning.regression import fit_linear

THRESHOLD = 0.67
"""The paper's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """One query, measured once for all variants of a profile."""

    pages: tuple[Page, ...]
    similarities: Similarities
    coverage: Coverage

    def compare(self, profile: Profile) -> Comparison:
        """The comparison under a variant that uses some of the signals."""
        scores = combine(self.similarities, profile)
        return make_comparison(self.pages, profile, self.similarities, scores)


def _measure(pages: Sequence[Page], profile: Profile) -> _Measured:
    page_set = rank_pages(pages, profile)
    return _Measured(
        pages=page_set.pages,
        similarities=compare_set(page_set, profile),
        coverage=cover(page_set),
    )


def variants(base: Profile) -> dict[str, Profile]:
    """The profile, equal weights, each signal alone, all but each; weights sum to 1."""
    used = [signal for signal in base.signals if signal.weight > 0]
    equal = {signal.name: 1.0 for signal in used}
    found = {"as published": base, "equal weights": _weighted(base, equal)}
    for signal in used:
        found[f"{signal.name} alone"] = _weighted(base, {signal.name: 1.0})
    for signal in used:
        rest = {other.name: other.weight for other in used if other is not signal}
        found[f"without {signal.name}"] = _weighted(base, rest)
    return found


def _weighted(base: Profile, weights: Mapping[str, float]) -> Profile:
    total = sum(weights.values())
    signals = (
        replace(s, weight=weights[s.name] / total) for s in base.signals if s.name in weights
    )
    return replace(base, signals=tuple(signals))


def ablation_table(
    queries: Sequence[Sequence[Page]], base: Profile, labels: Sequence[PairLabel] = ()
) -> Table:
    """Figures of every variant at 0.67, under both preparations; with labels also F and AP."""
    rows = []
    for prepare in ("syntactic", "semantic"):
        profile = replace(base, prepare=prepare)
        measured = [_measure(pages, profile) for pages in queries]
        found = variants(profile) | _learned(queries, profile, labels)
        for name, variant in found.items():
            comparisons = [one.compare(variant) for one in measured]
            rows.append(
                {"preparation": prepare, "variant": name, **_figures(comparisons, measured)}
            )
            rows[-1] |= _against_labels(comparisons, labels)
    return Table(
        name="ablations",
        title=f"Ablations at {THRESHOLD}: content types, weights, preparations",
        rows=rows,
        note="`body_cosine alone` is the predecessor REDUCE (profile `reduce`); learned weights "
        "are fitted to the labels they are scored on.",
    )


def _learned(
    queries: Sequence[Sequence[Page]], profile: Profile, labels: Sequence[PairLabel]
) -> dict[str, Profile]:
    """Weights fitted to the labels, images included, where there are enough of them."""
    if not labels:
        return {}
    pairs = measure_labels(queries, labels, profile)
    if min(int(pairs.duplicate.sum()), int((~pairs.duplicate).sum())) < MIN_PAIRS_EACH:
        return {}
    return {"learned weights": fit_profile(pairs, profile, fit_linear)}


def _figures(comparisons: Sequence[Comparison], measured: Sequence[_Measured]) -> dict[str, Any]:
    rows = [
        sweep(comparison, [THRESHOLD], coverage=one.coverage)[0]
        for comparison, one in zip(comparisons, measured, strict=True)
    ]
    (overall,) = whole_set(rows)
    return {
        "fewer pages %": round(100 * overall.reduction, 1),
        "silhouette": overall.silhouette,
        "Davies-Bouldin": overall.davies_bouldin,
        "Calinski-Harabasz": overall.calinski_harabasz,
        "information kept %": round(100 * overall.information_kept, 1),
    }


def _against_labels(
    comparisons: Sequence[Comparison], labels: Sequence[PairLabel]
) -> dict[str, Any]:
    if not labels:
        return {}
    pairs = find_pairs([comparison.pages for comparison in comparisons], labels)
    ranking = rank_labelled(comparisons, pairs)
    best = best_threshold(ranking)
    own, hindsight = (count_at(ranking, np.array([t])).f1[0, 0] for t in (THRESHOLD, best))
    return {
        "F": float(own),
        "best F": float(hindsight),
        "at": best,
        "average precision": float(average_precision(count_all(ranking))[0]),
    }


def agreement_table(comparisons: Mapping[str, Sequence[Comparison]]) -> Table:
    """Adjusted Rand and mutual information of each profile with every other clustering."""
    rows = []
    for name, found in comparisons.items():
        for against in AGAINST:
            how = SweepOptions(against=against)
            swept = [sweep(c, [c.profile.threshold], how=how)[0] for c in found]
            (overall,) = whole_set(swept)
            row = {"profile": name, "threshold": swept[0].threshold, "against": against}
            row |= {"adjusted Rand": overall.adjusted_rand, "AMI": overall.ami}
            rows.append(row | {"V-measure": overall.v_measure})
    return Table(
        name="agreement",
        title="Agreement with other clusterings of the same scores, mean over queries",
        rows=rows,
        note="The paper reports 1 for all scores; single linkage is connected components, so "
        "that 1 is certain. The others can disagree.",
    )
