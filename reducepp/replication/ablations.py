"""Ablations of the REDUCE++ score: content types, weights, preparations, the predecessor REDUCE."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reducepp.comparison import Comparison, make_comparison, rank_pages
from reducepp.errors import LabelsError
from reducepp.evaluation.agreement import AGAINST
from reducepp.evaluation.figure_tables import Table
from reducepp.evaluation.information_kept import Coverage, cover
from reducepp.evaluation.pair_evaluation import rank_labelled
from reducepp.evaluation.sweep import SweepOptions, sweep, whole_set
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import Labels
from reducepp.labelled.scoring import average_precision, best_threshold, count_all, count_at
from reducepp.labelled.signals import measure_pairs
from reducepp.replication.paper1 import indices
from reducepp.similarity.combine import combine
from reducepp.similarity.compare import compare_set
from reducepp.types import Profile, Queries
from reducepp.weights.learning.learn import check_labels, fit_profile
from reducepp.weights.learning.regression import fit_linear

THRESHOLD = 0.67
"""The paper's."""


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
    kept = (replace(s, weight=weights[s.name] / total) for s in base.signals if s.name in weights)
    return replace(base, signals=tuple(kept))


def ablation_table(queries: Queries, base: Profile, labels: Labels = ()) -> Table:
    """Figures of every variant at 0.67, under both preparations; with labels also F and AP."""
    rows = []
    for prepare in ("syntactic", "semantic"):
        profile = replace(base, prepare=prepare)
        sets = [rank_pages(pages, profile) for pages in queries]
        measured = [(page_set.pages, compare_set(page_set, profile)) for page_set in sets]
        coverages = [cover(page_set) for page_set in sets]
        found = variants(profile) | _learned(queries, profile, labels)
        for name, variant in found.items():
            comparisons = [make_comparison(p, variant, v, combine(v, variant)) for p, v in measured]
            rows.append({"preparation": prepare, "variant": name})
            rows[-1] |= _figures(comparisons, coverages) | _against_labels(comparisons, labels)
    return Table(
        name="ablations",
        title=f"Ablations at {THRESHOLD}: content types, weights, preparations",
        rows=rows,
        note="`body_cosine alone` is the predecessor REDUCE (profile `reduce`); learned weights "
        "are fitted to the labels they are scored on.",
    )


def _learned(queries: Queries, profile: Profile, labels: Labels) -> dict[str, Profile]:
    """Weights fitted to the labels, images included, where there are enough of them."""
    if not labels:
        return {}
    pairs = measure_pairs(find_pairs(queries, labels), profile)
    try:
        check_labels(pairs)
    except LabelsError:
        return {}
    return {"learned weights": fit_profile(pairs, profile, fit_linear)}


def _figures(comparisons: Sequence[Comparison], coverages: Sequence[Coverage]) -> dict[str, Any]:
    both = zip(comparisons, coverages, strict=True)
    rows = [sweep(found, [THRESHOLD], coverage=coverage)[0] for found, coverage in both]
    (overall,) = whole_set(rows)
    return indices(overall) | {"information kept %": round(100 * overall.information_kept, 1)}


def _against_labels(comparisons: Sequence[Comparison], labels: Labels) -> dict[str, Any]:
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
    columns = ("profile", "threshold", "against", "adjusted Rand", "AMI", "V-measure")
    rows = []
    for name, found in comparisons.items():
        for against in AGAINST:
            how = SweepOptions(against=against)
            (row,) = whole_set([sweep(c, [c.profile.threshold], how=how)[0] for c in found])
            values = (name, row.threshold, against, row.adjusted_rand, row.ami, row.v_measure)
            rows.append(dict(zip(columns, values, strict=True)))
    return Table(
        name="agreement",
        title="Agreement with other clusterings of the same scores, mean over queries",
        rows=rows,
        note="The paper reports 1 for all scores; single linkage is connected components, so "
        "that 1 is certain. The others can disagree.",
    )
