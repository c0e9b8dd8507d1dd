"""Precision against recall of several methods on the same judged pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from reducepp.evaluation.judged import JudgedPairs
from reducepp.evaluation.plot_text import shown
from reducepp.evaluation.plots import COLOURS, TITLE, new_figure
from reducepp.evaluation.ranking import average_precision, find_all, find_at, rank_pairs
from reducepp.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_precision_recall(
    scores: Mapping[str, Array], pairs: JudgedPairs, thresholds: Mapping[str, float]
) -> Figure:
    """A curve a method, with a dot at its own threshold; undecided pairs are left out."""
    figure, (axes,) = new_figure(1)
    duplicate = pairs.duplicate[pairs.decided]
    for place, (name, values) in enumerate(scores.items()):
        colour = COLOURS[place % len(COLOURS)]
        ranking = rank_pairs(values[pairs.decided], duplicate)
        every = find_all(ranking)
        label = f"{shown(name)}, average precision {average_precision(every)[0]:.3f}"
        recall = 100 * np.append(0.0, every.recall[0])
        precision = 100 * np.append(every.precision[0, :1], every.precision[0])
        axes.plot(recall, precision, color=colour, linewidth=2, label=label, drawstyle="steps-pre")
        own = find_at(ranking, np.array([thresholds[name]]))
        if not math.isnan(own.precision[0, 0]):
            at = (100 * own.recall[0, 0], 100 * own.precision[0, 0])
            axes.plot(*at, "o", color=colour, markersize=8, markeredgecolor="white", zorder=4)
    axes.set(xlim=(0, 101), ylim=(0, 102), xlabel="recall, %", ylabel="precision, %")
    axes.legend(loc="lower left", frameon=True, framealpha=0.85, edgecolor="none")
    count = f"{len(duplicate)} judged pairs, {int(duplicate.sum())} of them duplicates"
    axes.set_title(f"Precision and recall, {count}", **TITLE)
    return figure
