"""Pictures of profiles side by side, and of what each signal adds for its cost."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reducepp.errors import MissingExtraError
from reducepp.weights.learning.profile_comparison import CostStep, ProfileFigures

_COLOURS = ("#33608c", "#c0792a", "#5a8f4e", "#8c4a6b", "#7a7a7a")


def plot_comparison(
    found: Sequence[ProfileFigures], steps: Sequence[CostStep], path: Path, *, form: str = "png"
) -> None:
    """Weights as bars, F with its interval, and the signals by cost, in one PNG, SVG or PDF."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("a plot", "evaluate") from None
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
        axis.barh(
            places,
            [weights.get(name, 0.0) for name in names],
            height=high,
            color=_COLOURS[i % len(_COLOURS)],
            label=result.profile.name,
        )
    axis.set_yticks([place + 0.4 - high / 2 for place in range(len(names))], names)
    axis.invert_yaxis()
    axis.set_xlabel("weight, or share of the say in a model")
    axis.legend()


def _draw_figures(axis: Any, found: Sequence[ProfileFigures]) -> None:
    for i, result in enumerate(found):
        f = result.figures.f1
        spread = [[max(f.value - f.low, 0.0)], [max(f.high - f.value, 0.0)]]
        axis.errorbar([f.value], [i], xerr=spread, fmt="o", color=_COLOURS[i % len(_COLOURS)])
    labels = [f"{one.profile.name}\n{one.seconds:.2f} s" for one in found]
    axis.set_yticks(range(len(found)), labels)
    axis.invert_yaxis()
    axis.set_xlim(-0.02, 1.02)
    axis.set_xlabel("F at the profile's own threshold, 95 % interval")


def _draw_costs(axis: Any, steps: Sequence[CostStep]) -> None:
    values = [step.figures.f1.value for step in steps]
    lows = [max(r.figures.f1.value - r.figures.f1.low, 0.0) for r in steps]
    highs = [max(r.figures.f1.high - r.figures.f1.value, 0.0) for r in steps]
    axis.errorbar(range(len(steps)), values, yerr=[lows, highs], fmt="o-", color=_COLOURS[0])
    labels = [f"+ {step.signal}\n{step.seconds:.3f} s" for step in steps]
    axis.set_xticks(range(len(steps)), labels, rotation=60, ha="right")
    axis.set_ylim(-0.02, 1.02)
    axis.set_ylabel("F held out, 95 % interval")
