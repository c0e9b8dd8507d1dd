"""Profiles side by side on labelled pairs, and what each signal adds for its cost.

Signals in the order of their cost are the tables of Huffman et al. (2007): a profile learned from
the cheapest signal alone, then with the next one added, and so on.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reducepp.labelled.intervals import Figures, estimate_figures
from reducepp.labelled.scoring import (
    average_precision,
    best_threshold,
    count_all,
    count_at,
    rank_pairs,
)
from reducepp.labelled.signals import PairSignals
from reducepp.similarity.combine import score_values
from reducepp.similarity.compare import measure
from reducepp.similarity.contents import PageSet
from reducepp.types import Page, Profile
from reducepp.weights.learning.learn import FITS, cross_validate


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFigures:
    """One profile on a labelled set."""

    profile: Profile
    figures: Figures
    """At the profile's own threshold."""
    average_precision: float
    """Over all pairs, whatever the threshold."""
    best_threshold: float
    """Chosen on these very pairs: the upper limit of what a threshold can reach."""
    best_f: float
    seconds: float
    """Of all signals on all pages, text preparation included."""


def evaluate_profile(profile: Profile, pairs: PairSignals) -> ProfileFigures:
    """Figures of a profile on pairs whose signals were measured with its measures."""
    scores = score_values(pairs.by_signal, profile)
    ranking = rank_pairs(scores, pairs.duplicate)
    best = best_threshold(ranking)
    return ProfileFigures(
        profile=profile,
        figures=estimate_figures(scores >= profile.threshold, pairs.duplicate, pairs.sources),
        average_precision=float(average_precision(count_all(ranking))[0]),
        best_threshold=best,
        best_f=float(count_at(ranking, np.array([best])).f1[0, 0]),
        seconds=sum(pairs.seconds.values()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CostStep:
    """One more signal: its seconds, those of all up to it, and the figures they reach together."""

    signal: str
    seconds: float
    seconds_so_far: float
    figures: Figures
    gain: float
    """F above the step before; the first step's own F."""


def add_by_cost(
    pairs: PairSignals,
    base: Profile,
    seconds: dict[str, float],
    *,
    model: str = "tree",
    seeds: int = 3,
) -> list[CostStep]:
    """Held-out figures with the signals added one by one, the cheapest first.

    Signals that no pair has are left out. Of equal costs the profile's order holds.
    """
    steps: list[CostStep] = []
    present = [s for s in base.signals if not np.isnan(pairs.by_signal[s.name]).all()]
    order = sorted(present, key=lambda signal: seconds[signal.name])
    for count in range(1, len(order) + 1):
        names = [signal.name for signal in order[:count]]
        part = replace(base, signals=tuple(order[:count]), model={})
        found = cross_validate(pairs.only(names), part, FITS[model], seeds=seeds).figures
        steps.append(
            CostStep(
                signal=names[-1],
                seconds=seconds[names[-1]],
                seconds_so_far=sum(seconds[name] for name in names),
                figures=found,
                gain=found.f1.value - (steps[-1].figures.f1.value if steps else 0.0),
            )
        )
    return steps


def signal_seconds(queries: Sequence[Sequence[Page]], profile: Profile) -> dict[str, float]:
    """Time of each signal by itself on all pages, its text preparation included."""
    seconds = {}
    for signal in profile.signals:
        began = time.perf_counter()
        for pages in queries:
            measure(PageSet(pages, prepare=profile.prepare), signal, missing=profile.missing)
        seconds[signal.name] = time.perf_counter() - began
    return seconds
