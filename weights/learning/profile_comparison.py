"""Profiles side by side on labelled pairs, and what each signal adds for its cost.

Signals in the order of their cost are the tables of Huffman et al. (2007): a profile learned from
the cheapest signal alone, then with the next one added, and so on. `plot_comparison` draws both.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from reducepp.errors import needs_extra
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
from reducepp.types import Profile, Queries
from reducepp.weights.learning.learn import FITS, held_out_figures

COST_SEEDS = 3
"""Runs of each step: there are as many steps as signals."""
_COLOURS = ("#33608c", "#c0792a", "#5a8f4e", "#8c4a6b", "#7a7a7a")


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
        seconds=pairs.seconds,
    )


@dataclass(frozen=True, slots=True)
class CostStep:
    """One more signal: its seconds, those of all up to it, and the figures they reach together."""

    signal: str
    seconds: float
    seconds_so_far: float
    figures: Figures
    gain: float
    """F above the step before; the first step's own F."""


def add_by_cost(
    pairs: PairSignals, base: Profile, seconds: dict[str, float], *, model: str = "tree"
) -> list[CostStep]:
    """Held-out figures with the signals added one by one, the cheapest first.

    Signals that no pair has are left out. Of equal costs the profile's order holds.
    """
    steps: list[CostStep] = []
    present = [signal for signal in base.signals if signal.name in pairs.present]
    order = sorted(present, key=lambda signal: seconds[signal.name])
    by_cost = replace(base, signals=tuple(order))
    for count in range(1, len(order) + 1):
        names = [signal.name for signal in order[:count]]
        found = held_out_figures(pairs, by_cost, names, FITS[model], seeds=COST_SEEDS)
        own, so_far = seconds[names[-1]], sum(seconds[name] for name in names)
        gain = found.f1.value - (steps[-1].figures.f1.value if steps else 0.0)
        steps.append(CostStep(names[-1], own, so_far, found, gain))
    return steps


def signal_seconds(queries: Queries, profile: Profile) -> dict[str, float]:
    """Time of each signal by itself on all pages, its text preparation included."""
    seconds = {}
    for signal in profile.signals:
        began = time.perf_counter()
        for pages in queries:
            measure(PageSet(pages, prepare=profile.prepare), signal, missing=profile.missing)
        seconds[signal.name] = time.perf_counter() - began
    return seconds


def plot_comparison(
    found: Sequence[ProfileFigures], steps: Sequence[CostStep], path: Path, *, form: str = "png"
) -> None:
    """Weights as bars, F with its interval, and the signals by cost, in one PNG, SVG or PDF."""
    with needs_extra("a plot", "evaluate"):
        from matplotlib.figure import Figure
    names = list(dict.fromkeys(s.name for one in found for s in one.profile.signals))
    tall = min(max(4.5, 1.5 + 0.35 * len(names)), 9.0)
    figure = Figure(figsize=(15, tall), layout="constrained")
    axes = figure.subplots(1, 3 if steps else 2)
    _draw_weights(axes[0], found, names)
    _draw_figures(axes[1], found)
    if steps:
        _draw_costs(axes[2], steps)
    figure.savefig(path, format=form)


def _draw_weights(axis: Any, found: Sequence[ProfileFigures], names: Sequence[str]) -> None:
    high = 0.8 / max(len(found), 1)
    for i, result in enumerate(found):
        weights = {signal.name: signal.weight for signal in result.profile.signals}
        places = [place + i * high for place in range(len(names))]
        sizes, colour = [weights.get(name, 0.0) for name in names], _COLOURS[i % len(_COLOURS)]
        axis.barh(places, sizes, height=high, color=colour, label=result.profile.name)
    axis.set_yticks([place + 0.4 - high / 2 for place in range(len(names))], names)
    axis.invert_yaxis()
    axis.set_xlabel("weight, or importance in a model")
    axis.legend()


def _draw_figures(axis: Any, found: Sequence[ProfileFigures]) -> None:
    for i, result in enumerate(found):
        values, spread = _with_spread([result.figures])
        axis.errorbar(values, [i], xerr=spread, fmt="o", color=_COLOURS[i % len(_COLOURS)])
    labels = [f"{one.profile.name}\n{one.seconds:.2f} s" for one in found]
    axis.set_yticks(range(len(found)), labels)
    axis.invert_yaxis()
    axis.set_xlim(-0.02, 1.02)
    axis.set_xlabel("F at the profile's own threshold, 95 % interval")


def _with_spread(figures: Sequence[Figures]) -> tuple[list[float], list[list[float]]]:
    """F of each, and how far its interval reaches below and above."""
    found = [one.f1 for one in figures]
    ends = [(max(f.value - f.low, 0.0), max(f.high - f.value, 0.0)) for f in found]
    return [f.value for f in found], [list(reach) for reach in zip(*ends, strict=True)]


def _draw_costs(axis: Any, steps: Sequence[CostStep]) -> None:
    values, spread = _with_spread([step.figures for step in steps])
    axis.errorbar(range(len(steps)), values, yerr=spread, fmt="o-", color=_COLOURS[0])
    labels = [f"+ {step.signal}\n{step.seconds:.3f} s" for step in steps]
    axis.set_xticks(range(len(steps)), labels, rotation=60, ha="right")
    axis.set_ylim(-0.02, 1.02)
    axis.set_ylabel("F held out, 95 % interval")
