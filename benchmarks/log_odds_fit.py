"""Coefficients of a log-odds model from labelled sets, and how well its scores are calibrated.

Every set counts about the same, however many pairs it has: a pair's weight is one over the set's
duplicates and a constant, so that sets with few duplicates do not outweigh the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reducepp.labelled.signals import PairSignals
from reducepp.similarity.models.log_odds import evidence, share_of
from reducepp.types import Array, Bools, Profile
from reducepp.weights.learning.regression import minimise_loss

PENALTY = 0.02
"""Times the squared coefficients, beside the summed loss of pairs that weigh TOTAL together."""
TOTAL = 1000.0
FEW_DUPLICATES = 20
"""Added to a set's duplicates before they divide its pairs' weight."""
DIGITS = 3
STATED = 20.0
"""Coefficients from this size on, and negative ones, are stated in the profile, not fitted with
all others."""
BINS = 10


def fit_log_odds(sets: Sequence[PairSignals], base: Profile, stated: Sequence[str] = ()) -> Profile:
    """The profile with background and coefficients fitted; those that are stated stay.

    Pairs of which a stated signal is certain (equal texts, equal addresses) are left out: they
    would be predicted right by any coefficients. Coefficients are not negative.
    """
    model = {**base.model, "neutral": {}}
    given = {n: v for n, v in model["coefficients"].items() if n not in stated}
    fitted = [name for name, value in given.items() if 0 <= value < STATED]
    at = _fit(sets, model, fitted).round(DIGITS).tolist()
    found = dict(zip(fitted, at[:-1], strict=True))
    coefficients = {name: found.get(name, value) for name, value in model["coefficients"].items()}
    return replace(base, model={**model, "background": at[-1], "coefficients": coefficients})


def fit_share(
    sets: Sequence[PairSignals], base: Profile, name: str, others: Sequence[str] = ()
) -> Profile:
    """The profile with the coefficient and the neutral value of one share fitted anew.

    So are the coefficients of `others`, no more. Only pairs that have the share count, so sets of
    pages without sites say something about text across sites, and nothing about the background and
    about text on one site.
    """
    neutral = {n: v for n, v in base.model.get("neutral", {}).items() if n != name}
    model = {**base.model, "neutral": neutral}
    here = [pairs.take(~np.isnan(pairs.by_signal[name])) for pairs in sets]
    fitted = [name, *others]
    at = _fit([p for p in here if len(p)], model, fitted, model["background"])
    found = dict(zip(fitted, at[:-1].round(DIGITS).tolist(), strict=True))
    neutral = {**neutral, name: round(share_of(model, name, -at[-1] / found[name]), DIGITS)}
    coefficients = {**model["coefficients"], **found}
    return replace(base, model={**model, "neutral": neutral, "coefficients": coefficients})


def _fit(
    sets: Sequence[PairSignals], model: Mapping[str, Any], fitted: Sequence[str], more: float = 0.0
) -> Array:
    """Coefficients of the fitted signals, each with the sign that it has, and a constant."""
    parts = [_rows(pairs, model, fitted) for pairs in sets]
    values, stated, duplicate, weights = (np.concatenate(p) for p in zip(*parts, strict=True))
    signs = np.array([-1.0 if model["coefficients"][name] < 0 else 1.0 for name in fitted])
    at = minimise_loss(
        values * signs,
        duplicate,
        weights * (TOTAL / weights.sum()),
        known=stated + more,
        non_negative=True,
        penalty=PENALTY,
    )
    return at * np.append(signs, 1.0)


def _rows(
    pairs: PairSignals, model: Mapping[str, Any], fitted: Sequence[str]
) -> tuple[Array, Array, Bools, Array]:
    """Evidence of the fitted signals, log-odds of all others, label and weight of every pair."""
    others = {n: v for n, v in model["coefficients"].items() if n not in fitted}
    certain = [name for name, value in others.items() if value >= STATED]
    missing = np.isnan([pairs.by_signal[name] for name in certain])
    used = pairs.take(np.logical_and.reduce(missing, axis=0))
    values = [evidence(model, name, used.by_signal[name]) for name in fitted]
    offsets = [v * evidence(model, name, used.by_signal[name]) for name, v in others.items()]
    weight = 1 / (FEW_DUPLICATES + used.duplicate.sum())
    stated = np.sum(offsets, axis=0)
    return np.stack(values, axis=1), stated, used.duplicate, np.full(len(used), weight)


def reliability(scores: Array, duplicate: Array) -> list[tuple[float, float, int]]:
    """Mean score, share of duplicates and number of pairs in each tenth of the scores."""
    bins = np.minimum((scores * BINS).astype(int), BINS - 1)
    return [
        (float(scores[here].mean()), float(duplicate[here].mean()), int(here.sum()))
        for here in (bins == number for number in range(BINS))
        if here.any()
    ]


def calibration_error(scores: Array, duplicate: Array) -> float:
    """Expected calibration error: mean distance of score and share of duplicates over the bins."""
    found = reliability(scores, duplicate)
    return sum(abs(score - share) * n for score, share, n in found) / max(len(scores), 1)
