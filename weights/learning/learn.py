"""Labelled pairs to a profile: weights or a model, a threshold, and its held-out figures.

Folds are whole queries or, where duplicates are in fewer than three queries, whole page groups. No
page is in both halves of a fold; pairs across the halves are left out.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from reducepp.errors import LabelsError, check_choice
from reducepp.labelled.intervals import Figures, estimate_figures
from reducepp.labelled.scoring import best_threshold, count_all, count_at, rank_pairs
from reducepp.labelled.signals import Folds, PairSignals, make_folds
from reducepp.similarity.combine import score_values
from reducepp.types import Bools, Profile
from reducepp.weights.learning.regression import Fitter, fit_linear, fit_logistic
from reducepp.weights.learning.tree_rule_fit import fit_c45, fit_ripper, fit_rules, fit_tree

FITS: dict[str, Fitter] = {"linear": fit_linear, "logistic": fit_logistic, "tree": fit_tree}
FITS |= {"rules": fit_rules, "c4.5": fit_c45, "ripper": fit_ripper}
"""Name of a model to the function that fits it."""
SEEDS = 9
"""Runs with other folds; the one with the median F is reported (Huffman et al. 2007)."""
MIN_PAIRS_EACH = 5
"""Duplicate pairs, and negative ones, below which nothing is learned: a fold needs one of each."""


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Held-out figures of one way of learning."""

    figures: Figures
    folds: int
    by: str
    """What a fold is made of: `query` or `page group`."""
    tested: int
    """Pairs that were held out in some fold; the others lie across folds."""
    different_weight: float
    """How many negative pairs each held-out one counts as in the precision."""


def learn(
    pairs: PairSignals, base: Profile, *, model: str, precision: float | None = None
) -> tuple[Profile, CrossValidation]:
    """Fit `base`'s signals to labelled pairs; threshold for F or for a wanted precision.

    The learned profile, and the figures that may be expected of it.
    """
    check_choice("model", model, FITS)
    check_labels(pairs)
    fit = FITS[model]
    checked = cross_validate(pairs, base, fit, precision=precision)
    profile = fit_profile(pairs, base, fit, precision=precision)
    predicted = score_values(pairs.by_signal, profile) >= profile.threshold
    reached = float(pairs.duplicate[predicted].mean()) if predicted.any() else 0.0
    if precision is not None and reached < precision:
        best = f"on these labels: {reached:.3f} at best"
        raise LabelsError(f"no threshold reaches precision {precision:g} {best}")
    provenance = _provenance(pairs, model, checked, precision)
    return replace(profile, provenance=provenance), checked


def check_labels(pairs: PairSignals) -> None:
    """Reject labels that are too few, or of one kind."""
    duplicates = int(pairs.duplicate.sum())
    others = len(pairs) - duplicates
    if min(duplicates, others) < MIN_PAIRS_EACH:
        raise LabelsError(
            f"labels hold {duplicates} duplicate and {others} different pairs: "
            f"at least {MIN_PAIRS_EACH} of each are needed to learn"
        )


def fit_profile(
    pairs: PairSignals, base: Profile, fit: Fitter, *, precision: float | None = None
) -> Profile:
    """Fit all the pairs, and choose the threshold on them; the most precise one where a wanted
    precision is never reached."""
    fitted = fit(pairs)
    signals = tuple(replace(s, weight=fitted.weights[s.name]) for s in base.signals)
    profile = replace(base, signals=signals, model=fitted.model)
    ranking = rank_pairs(score_values(pairs.by_signal, profile), pairs.duplicate)
    wanted = 0.0 if precision is None else min(precision, count_all(ranking).precision.max())
    return replace(profile, threshold=best_threshold(ranking, precision=wanted))


def cross_validate(
    pairs: PairSignals,
    base: Profile,
    fit: Fitter,
    *,
    precision: float | None = None,
    seeds: int = SEEDS,
) -> CrossValidation:
    """Figures on pairs of pages that the fit has not seen, from the run with the median F.

    Folds of page groups hold out few of the negative pairs, for most lie across folds. Each
    held-out one then counts as many as there are for it, so that precision is not inflated.
    """
    runs = []
    for seed in range(seeds):
        folds = make_folds(pairs, seed=seed)
        predicted, tested = _predict_held_out(pairs, folds, base, fit, precision)
        held_out = int((~pairs.duplicate & tested).sum())
        weight = float((~pairs.duplicate).sum() / max(held_out, 1))
        costs = np.where(pairs.duplicate, 1.0, weight)[tested]
        ranking = rank_pairs(predicted[tested].astype(np.float64), pairs.duplicate[tested])
        f1 = float(count_at(ranking, np.ones(1), costs[None]).f1[0, 0])
        runs.append((f1, seed, folds, predicted, tested, weight, costs))
        if folds.fixed:
            break
    runs.sort(key=lambda run: run[:2])
    _, _, folds, predicted, tested, weight, costs = runs[len(runs) // 2]
    sources, duplicate = pairs.sources.take(tested), pairs.duplicate[tested]
    figures = estimate_figures(predicted[tested], duplicate, sources, weight=costs)
    return CrossValidation(figures, folds.count, folds.by, int(tested.sum()), weight)


def held_out_figures(
    pairs: PairSignals, base: Profile, names: Collection[str], fit: Fitter, *, seeds: int = SEEDS
) -> Figures:
    """Held-out figures of a profile with some of its signals, in its order, learned anew."""
    own = {signal.name: signal for signal in base.signals if signal.name in names}
    part = replace(base, signals=tuple(own.values()), model={})
    return cross_validate(pairs.only(own), part, fit, seeds=seeds).figures


def _predict_held_out(
    pairs: PairSignals, folds: Folds, base: Profile, fit: Fitter, precision: float | None
) -> tuple[Bools, Bools]:
    """(predicted a duplicate, held out at all) for each pair."""
    predicted, tested = np.zeros(len(pairs), dtype=bool), np.zeros(len(pairs), dtype=bool)
    for train, test in folds.halves(pairs):
        if not test.any():
            continue
        seen = pairs.take(train)
        if seen.duplicate.all() or not seen.duplicate.any():
            raise LabelsError("labels: without one fold, pairs of one kind only are left")
        profile = fit_profile(seen, base, fit, precision=precision)
        predicted[test] = score_values(pairs.take(test).by_signal, profile) >= profile.threshold
        tested |= test
    return predicted, tested


def _provenance(
    pairs: PairSignals, model: str, checked: CrossValidation, precision: float | None
) -> str:
    duplicates, found = int(pairs.duplicate.sum()), checked.figures
    aim = "the best F" if precision is None else f"precision {precision:g}"
    return (
        f"Learned ({model}) from {duplicates} duplicate and {len(pairs) - duplicates} different "
        f"pairs; threshold for {aim}. Out of fold ({checked.folds} folds by {checked.by}): "
        f"precision {found.precision}, recall {found.recall}, F {found.f1}."
    )
