"""Pictures of profiles side by side, and of the cost ladder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reducepp.errors import MissingExtraError
from reducepp.weights.learning.cost_ladder import Rung
from reducepp.weights.learning.profile_comparison import Standing

_COLOURS = ("#33608c", "#c0792a", "#5a8f4e", "#8c4a6b", "#7a7a7a")


def plot_comparison(
    standings: Sequence[Standing], rungs: Sequence[Rung], path: Path, *, form: str = "png"
) -> None:
    """Weights as bars, F with its interval, and the ladder, in one PNG, SVG or PDF."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("a plot", "evaluate") from None
    names = list(dict.fromkeys(s.name for one in standings for s in one.profile.signals))
    tall = min(max(4.5, 1.5 + 0.35 * len(names)), 9.0)
    figure = Figure(figsize=(15, tall), layout="constrained")
    axes = figure.subplots(1, 3 if rungs else 2)
    _draw_weights(axes[0], standings, names)
    _draw_figures(axes[1], standings)
    if rungs:
        _draw_ladder(axes[2], rungs)
    figure.savefig(path, format=form)


def _draw_weights(axis: Any, standings: Sequence[Standing], names: Sequence[str]) -> None:
    high = 0.8 / max(len(standings), 1)
    for i, standing in enumerate(standings):
        weights = {signal.name: signal.weight for signal in standing.profile.signals}
        places = [place + i * high for place in range(len(names))]
        axis.barh(
            places,
            [weights.get(name, 0.0) for name in names],
            height=high,
            color=_COLOURS[i % len(_COLOURS)],
            label=standing.profile.name,
        )
    axis.set_yticks([place + 0.4 - high / 2 for place in range(len(names))], names)
    axis.invert_yaxis()
    axis.set_xlabel("weight, or share of the say in a model")
    axis.legend()


def _draw_figures(axis: Any, standings: Sequence[Standing]) -> None:
    for i, standing in enumerate(standings):
        f = standing.figures.f
        spread = [[max(f.value - f.low, 0.0)], [max(f.high - f.value, 0.0)]]
        axis.errorbar([f.value], [i], xerr=spread, fmt="o", color=_COLOURS[i % len(_COLOURS)])
    labels = [f"{one.profile.name}\n{one.seconds:.2f} s" for one in standings]
    axis.set_yticks(range(len(standings)), labels)
    axis.invert_yaxis()
    axis.set_xlim(-0.02, 1.02)
    axis.set_xlabel("F at the profile's own threshold, 95 % interval")


def _draw_ladder(axis: Any, rungs: Sequence[Rung]) -> None:
    values = [rung.figures.f.value for rung in rungs]
    lows = [max(r.figures.f.value - r.figures.f.low, 0.0) for r in rungs]
    highs = [max(r.figures.f.high - r.figures.f.value, 0.0) for r in rungs]
    axis.errorbar(range(len(rungs)), values, yerr=[lows, highs], fmt="o-", color=_COLOURS[0])
    labels = [f"+ {rung.signal}\n{rung.seconds:.3f} s" for rung in rungs]
    axis.set_xticks(range(len(rungs)), labels, rotation=60, ha="right")
    axis.set_ylim(-0.02, 1.02)
    axis.set_ylabel("F out of fold, 95 % interval")
