"""The cost ladder of Huffman et al. (2007): signals from cheap to costly, and what each adds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reducepp.similarity.compare import measure
from reducepp.similarity.contents import PageSet
from reducepp.types import Page, Profile
from reducepp.weights.learning.figures import Figures
from reducepp.weights.learning.fits import FITS
from reducepp.weights.learning.judged import JudgedPairs
from reducepp.weights.learning.learn import check_labels, cross_validate


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One more signal: its seconds, those of all up to it, and the figures they reach together."""

    signal: str
    seconds: float
    seconds_so_far: float
    figures: Figures
    gain: float
    """F above the rung below; the first rung's own F."""


def climb(
    pairs: JudgedPairs,
    base: Profile,
    seconds: dict[str, float],
    *,
    model: str = "tree",
    seeds: int = 3,
) -> list[Rung]:
    """Learn from the cheapest signal alone, then with the next one added, and so on.

    Figures are out of fold. Signals that no pair has are left out. Where two signals cost the
    same, the profile's order holds.
    """
    check_labels(pairs)
    rungs: list[Rung] = []
    there = [s for s in base.signals if not np.isnan(pairs.by_signal[s.name]).all()]
    order = sorted(there, key=lambda signal: seconds[signal.name])
    for count in range(1, len(order) + 1):
        names = [signal.name for signal in order[:count]]
        part = replace(base, signals=tuple(order[:count]), model={})
        found = cross_validate(pairs.only(names), part, FITS[model], seeds=seeds).figures
        rungs.append(
            Rung(
                signal=names[-1],
                seconds=seconds[names[-1]],
                seconds_so_far=sum(seconds[name] for name in names),
                figures=found,
                gain=found.f.value - (rungs[-1].figures.f.value if rungs else 0.0),
            )
        )
    return rungs


def signal_seconds(queries: Sequence[Sequence[Page]], profile: Profile) -> dict[str, float]:
    """What each signal takes by itself on all pages, its text preparation included."""
    seconds = {}
    for signal in profile.signals:
        began = time.perf_counter()
        for pages in queries:
            measure(PageSet(pages, prepare=profile.prepare), signal, missing=profile.missing)
        seconds[signal.name] = time.perf_counter() - began
    return seconds
