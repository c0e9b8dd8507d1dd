"""Pictures in one style: figures, precision and recall, click scores; written as PNG and SVG.

Drawn with matplotlib without a screen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reducepp.errors import MissingExtraError
from reducepp.evaluation.plot_text import lettered, shown
from reducepp.io.atomic import refuse_foreign, write_aside, write_errors_named
from reducepp.labelled.labelled_pairs import LabelledPairs
from reducepp.labelled.scoring import average_precision, count_all, count_at, rank_pairs
from reducepp.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#8c8c8c"
COLOURS = (BLUE, ORANGE, GREEN, "#cc79a7", "#e69f00", "#56b4e9")
_STYLE: Any = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "reducepp",
}
TITLE: Any = {"loc": "left", "fontsize": 12, "pad": 12}
NAMES = {
    "rand": "Rand",
    "adjusted_rand": "adjusted Rand",
    "ami": "adjusted mutual information",
    "nmi": "normalised mutual information",
    "fowlkes_mallows": "Fowlkes-Mallows",
    "homogeneity": "homogeneity",
    "completeness": "completeness",
    "v_measure": "V-measure",
    "silhouette": "Silhouette",
    "davies_bouldin": "Davies-Bouldin",
    "calinski_harabasz": "Calinski-Harabasz",
}


def say_undefined(axes: Axes, values: Sequence[float]) -> None:
    """Where no value is defined the panel says so, in the place of an empty scale."""
    if all(math.isnan(value) for value in values):
        axes.tick_params(left=False, labelleft=False, which="both")
        axes.text(
            0.5, 0.5, "not defined for these pages", transform=axes.transAxes, ha="center",
            va="center", color="#666666",
        )  # fmt: skip


def draw_precision_recall(
    scores: Mapping[str, Array], pairs: LabelledPairs, thresholds: Mapping[str, float]
) -> Figure:
    """A curve per method, with a dot at its own threshold; undecided pairs are left out."""
    figure, (axes,) = new_figure(1)
    duplicate = pairs.duplicate[pairs.decided]
    for place, (name, values) in enumerate(scores.items()):
        colour = COLOURS[place % len(COLOURS)]
        ranking = rank_pairs(values[pairs.decided], duplicate)
        every = count_all(ranking)
        label = f"{shown(name)}, average precision {average_precision(every)[0]:.3f}"
        recall = 100 * np.append(0.0, every.recall[0])
        precision = 100 * np.append(every.precision[0, :1], every.precision[0])
        axes.plot(recall, precision, color=colour, linewidth=2, label=label, drawstyle="steps-pre")
        own = count_at(ranking, np.array([thresholds[name]]))
        if not math.isnan(own.precision[0, 0]):
            at = (100 * own.recall[0, 0], 100 * own.precision[0, 0])
            axes.plot(*at, "o", color=colour, markersize=8, markeredgecolor="white", zorder=4)
    axes.set(xlim=(0, 101), ylim=(0, 102), xlabel="recall, %", ylabel="precision, %")
    axes.legend(loc="lower left", frameon=True, framealpha=0.85, edgecolor="none")
    count = f"{len(duplicate)} labelled pairs, {int(duplicate.sum())} of them duplicates"
    axes.set_title(f"Precision and recall, {count}", **TITLE)
    return figure


def draw_click_scores(scores: Mapping[str, Sequence[float]]) -> Figure:
    """Distribution of the redundancy score, one panel per kind with pairs (Radlinski et al.)."""
    kinds = [kind for kind, found in scores.items() if found] or list(scores)[:1]
    figure, panels = new_figure(len(kinds))
    edges = np.linspace(0, 1, 21)
    for number, (axes, kind) in enumerate(zip(panels, kinds, strict=True)):
        axes.hist(scores[kind], bins=edges.tolist(), color=COLOURS[number % len(COLOURS)])
        axes.set(xlim=(0, 1), ylabel=f"{kind}\n{len(scores[kind])} pairs")
    panels[-1].set_xlabel("redundancy score r(u, v)")
    panels[0].set_title("Redundancy score by kind of duplicate", **TITLE)
    return figure


def new_figure(panels: int, *, across: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure with panels one under the other, or side by side, in our style."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("drawing", "evaluate") from None
    with mpl.rc_context(_STYLE):
        width = 7.2 if across == 1 else 5.0 * across
        height = 4.6 if panels == 1 else 2.1 * panels + 0.6
        figure = Figure(figsize=(width, height), layout="constrained")
        axes: Any = figure.subplots(panels, across, sharex=panels > 1, squeeze=False)
    return figure, [one for row in axes for one in row]


def save(figure: Figure, path: Path) -> list[Path]:
    """Write a picture as PNG and SVG."""
    import matplotlib as mpl

    written = []
    with write_errors_named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    for kind, options in (("png", {"dpi": 150}), ("svg", {"metadata": {"Date": None}})):
        refuse_foreign(path.with_suffix(f".{kind}"))
        draw = partial(figure.savefig, format=kind, **options)
        with mpl.rc_context(_STYLE), lettered(figure, kind):
            write_aside(path.with_suffix(f".{kind}"), draw)
        written.append(path.with_suffix(f".{kind}"))
    return written
