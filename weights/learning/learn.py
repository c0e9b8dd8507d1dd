"""Judged pairs to a profile: weights or a model, a threshold, and how well they do elsewhere.

What was learned is checked on folds: whole queries, or where duplicates are in fewer than three
queries, whole groups of pages. No page is in both halves of a fold; pairs across them are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from reducepp.errors import LabelsError, UsageError
from reducepp.similarity.combine import score_values
from reducepp.types import Profile
from reducepp.weights.learning.figures import Figures, choose_threshold, count_figures, figures
from reducepp.weights.learning.fit import Fit
from reducepp.weights.learning.fits import FITS
from reducepp.weights.learning.folds import Folds, make_folds
from reducepp.weights.learning.judged import Bools, JudgedPairs

SEEDS = 9
"""Times the folds are dealt anew; the run with the median F is reported (Huffman et al. 2007)."""
FEWEST_EACH = 5
"""Duplicate pairs, and different ones, below which nothing is learned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Out-of-fold figures of one way of learning."""

    figures: Figures
    folds: int
    by: str
    """What a fold is made of: `query` or `page group`."""
    tested: int
    """Pairs that were in some fold's test half; the others lie across folds."""
    different_weight: float
    """How many different pairs each tested one stands for in the precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A profile, and the figures that it may be expected to reach."""

    profile: Profile
    checked: Checked


def learn(
    pairs: JudgedPairs, base: Profile, *, model: str, precision: float | None = None
) -> Learned:
    """Learn `base`'s signals anew from judged pairs; threshold for F or for a wanted precision."""
    if model not in FITS:
        raise UsageError(f"model {model!r}: use one of {', '.join(FITS)}")
    check_labels(pairs)
    fit = FITS[model]
    checked = cross_validate(pairs, base, fit, precision=precision)
    profile = fit_profile(pairs, base, fit, precision=precision)
    if precision is not None:
        _check_precision(pairs, profile, precision)
    return Learned(
        profile=replace(profile, provenance=_provenance(pairs, model, checked, precision)),
        checked=checked,
    )


def check_labels(pairs: JudgedPairs) -> None:
    """Refuse labels that are too few, or of one kind."""
    duplicates = int(pairs.duplicate.sum())
    others = len(pairs) - duplicates
    if min(duplicates, others) < FEWEST_EACH:
        raise LabelsError(
            f"labels hold {duplicates} duplicate and {others} different pairs: "
            f"at least {FEWEST_EACH} of each are needed to learn"
        )


def _check_precision(pairs: JudgedPairs, profile: Profile, wanted: float) -> None:
    said = score_values(pairs.by_signal, profile) >= profile.threshold
    reached = float(pairs.duplicate[said].mean()) if said.any() else 0.0
    if reached < wanted:
        raise LabelsError(
            f"no threshold reaches precision {wanted:g} on these labels: {reached:.3f} at best"
        )


def fit_profile(
    pairs: JudgedPairs,
    base: Profile,
    fit: Callable[[JudgedPairs], Fit],
    *,
    precision: float | None = None,
) -> Profile:
    """Fit all the pairs, and choose the threshold on them."""
    fitted = fit(pairs)
    signals = tuple(replace(s, weight=fitted.weights[s.name]) for s in base.signals)
    profile = replace(base, signals=signals, model=fitted.model)
    scores = score_values(pairs.by_signal, profile)
    return replace(
        profile, threshold=choose_threshold(scores, pairs.duplicate, precision=precision)
    )


def cross_validate(
    pairs: JudgedPairs,
    base: Profile,
    fit: Callable[[JudgedPairs], Fit],
    *,
    precision: float | None = None,
    seeds: int = SEEDS,
) -> Checked:
    """Figures on pairs of pages that the fit has not seen, from the run with the median F.

    Folds of page groups test few of the different pairs, for most lie across folds. Each
    tested one then stands for as many as there are for it, so that precision is not flattered.
    """
    runs = []
    for seed in range(seeds):
        folds = make_folds(pairs, seed=seed)
        said, tested = _out_of_fold(pairs, folds, base, fit, precision)
        weight = _different_weight(pairs.duplicate, tested)
        costs = np.where(pairs.duplicate, 1.0, weight)[tested]
        f = count_figures(said[tested], pairs.duplicate[tested], costs)[2]
        runs.append((f, seed, folds, said, tested, weight))
        if folds.fixed:
            break
    runs.sort(key=lambda run: run[:2])
    _, _, folds, said, tested, weight = runs[len(runs) // 2]
    first, second = pairs.unit_pairs
    return Checked(
        figures=figures(
            said[tested],
            pairs.duplicate[tested],
            (first[tested], second[tested]),
            weight=np.where(pairs.duplicate, 1.0, weight)[tested],
        ),
        folds=folds.count,
        by=folds.by,
        tested=int(tested.sum()),
        different_weight=weight,
    )


def _out_of_fold(
    pairs: JudgedPairs,
    folds: Folds,
    base: Profile,
    fit: Callable[[JudgedPairs], Fit],
    precision: float | None,
) -> tuple[Bools, Bools]:
    """(called a duplicate, tested at all) for each pair."""
    said, tested = np.zeros(len(pairs), dtype=bool), np.zeros(len(pairs), dtype=bool)
    for train, test in folds.halves(pairs):
        if not test.any():
            continue
        seen = pairs.take(train)
        if seen.duplicate.all() or not seen.duplicate.any():
            raise LabelsError("labels: without one fold, pairs of one kind only are left")
        profile = fit_profile(seen, base, fit, precision=precision)
        said[test] = score_values(pairs.take(test).by_signal, profile) >= profile.threshold
        tested |= test
    return said, tested


def _different_weight(duplicate: Bools, tested: Bools) -> float:
    return float((~duplicate).sum() / max(int((~duplicate & tested).sum()), 1))


def _provenance(pairs: JudgedPairs, model: str, checked: Checked, precision: float | None) -> str:
    duplicates = int(pairs.duplicate.sum())
    aim = "the best F" if precision is None else f"precision {precision:g}"
    found = checked.figures
    return (
        f"Learned ({model}) from {duplicates} duplicate and {len(pairs) - duplicates} different "
        f"pairs; threshold for {aim}. Out of fold ({checked.folds} folds by {checked.by}): "
        f"precision {found.precision}, recall {found.recall}, F {found.f}."
    )
