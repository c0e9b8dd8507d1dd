"""Sweeps as pictures: information against reduction first, then the paper's figures.

Drawn with matplotlib without a screen; every picture is written as PNG and SVG.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reducepp.errors import MissingExtraError
from reducepp.evaluation.agreement import SCORES
from reducepp.evaluation.plot_text import lettered, shown
from reducepp.evaluation.sweep import Row, mean_defined
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


def draw_sweep(
    rows: Sequence[Row], overall: Sequence[Row], folder: Path, *, threshold: float
) -> list[Path]:
    """All pictures of a sweep; `overall` are its rows over all queries."""
    curves = by_query(rows)
    drawn: list[Path] = []
    drawn += save(draw_information(curves, overall, threshold), folder / "information")
    drawn += save(draw_reduction(curves, overall, threshold), folder / "reduction")
    drawn += save(draw_validity(curves, overall, threshold), folder / "validity")
    drawn += save(draw_agreement(rows), folder / "agreement")
    return drawn


def by_query(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows of each query, in order of threshold."""
    curves: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row.threshold):
        curves.setdefault(row.query, []).append(row)
    return curves


def draw_information(
    curves: dict[str, list[Row]], overall: Sequence[Row], threshold: float
) -> Figure:
    """What is kept of the information against what is saved in pages; thresholds along it."""
    figure, (axes,) = new_figure(1)
    for rows in curves.values() if len(curves) > 1 else ():
        axes.plot(*_percent(rows), color=GREY, linewidth=0.8, alpha=0.5, zorder=2)
    axes.plot([0, 100], [100, 0], color=GREY, linewidth=1, linestyle=(0, (4, 4)), zorder=1)
    x, y = _percent(overall)
    axes.plot(x, y, color=BLUE, linewidth=2.4, zorder=3)
    right = min(100.0, 1.08 * max([5.0, *x]))
    lowest = min([100 - right, *(v for rows in curves.values() for v in _percent(rows)[1])])
    axes.set(xlim=(0, right), ylim=(max(0.0, lowest - 8), 102))
    axes.set(xlabel="fewer pages, %", ylabel="information kept, %")
    _mark_thresholds(axes, overall)
    _mark_now(axes, overall, threshold)
    say_undefined(axes, [row.information_kept for row in overall])
    axes.text(
        0.02, 0.03, "dashed: as if no page repeated another", color="#666666",
        transform=axes.transAxes, fontsize=8.5,
    )  # fmt: skip
    _name(axes, "Information kept against pages saved", curves)
    return figure


def _percent(rows: Sequence[Row]) -> tuple[list[float], list[float]]:
    return [100 * row.reduction for row in rows], [100 * row.information_kept for row in rows]


def _mark_thresholds(axes: Axes, rows: Sequence[Row]) -> None:
    """Name tenths of the threshold along the curve, where they do not stand on each other."""
    last = math.inf
    for row, at_x, at_y in zip(rows, *_percent(rows), strict=True):
        tenth = abs(row.threshold * 10 - round(row.threshold * 10)) < 1e-6
        if not tenth or math.isnan(at_y) or abs(at_x - last) < 0.05 * axes.get_xlim()[1]:
            continue
        last = at_x
        axes.plot([at_x], [at_y], "o", color=BLUE, markersize=5, zorder=4)
        low = at_y < axes.get_ylim()[0] + 6  # under the curve, but not under the axis
        axes.annotate(
            f"{row.threshold:g}", (at_x, at_y), (5, 4) if low else (-4, -13),
            textcoords="offset points", ha="left" if low else "right", color="#444444",
            fontsize=8.5,
        )  # fmt: skip


def _mark_now(axes: Axes, rows: Sequence[Row], threshold: float) -> None:
    """The threshold in use, with what it means in the empty corner below the curve."""
    row = min(rows, key=lambda row: abs(row.threshold - threshold), default=None)
    if row is None or math.isnan(row.information_kept) or abs(row.threshold - threshold) > 0.02:
        return
    at = (100 * row.reduction, 100 * row.information_kept)
    axes.plot(*at, "o", color=ORANGE, markersize=9, zorder=5)
    axes.text(
        0.02, 0.1, f"threshold {row.threshold:g}: {at[0]:.0f} % fewer pages,\n{at[1]:.0f} % of the "
        "information kept", transform=axes.transAxes, color=ORANGE,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )  # fmt: skip


def draw_reduction(
    curves: dict[str, list[Row]], overall: Sequence[Row], threshold: float
) -> Figure:
    """Share of pages no longer shown against the threshold (the paper's Fig. 5)."""
    figure, (axes,) = new_figure(1)
    _curves(axes, curves, overall, lambda row: 100 * row.reduction)
    axes.set(xlabel="threshold", ylabel="fewer pages, %", ylim=(0, 100))
    _line_at(axes, threshold, name=True)
    _name(axes, "Reduction against the threshold", curves)
    return figure


def draw_validity(curves: dict[str, list[Row]], overall: Sequence[Row], threshold: float) -> Figure:
    """The three validity indices against the threshold (the paper's Fig. 7)."""
    figure, panels = new_figure(3)
    hints = {
        "silhouette": "higher is better",
        "davies_bouldin": "lower is better",
        "calinski_harabasz": "look for an elbow",
    }
    for axes, (name, hint) in zip(panels, hints.items(), strict=True):
        _curves(axes, curves, overall, attrgetter(name))
        axes.set_ylabel(f"{NAMES[name]}\n({hint})")
        say_undefined(axes, [getattr(row, name) for row in overall])
        if name == "calinski_harabasz" and _spread(overall, name) > 50:
            axes.set_yscale("log")
        _line_at(axes, threshold, name=axes is panels[0])
    panels[-1].set_xlabel("threshold")
    _name(panels[0], "Validity of the clusters", curves)
    return figure


def say_undefined(axes: Axes, values: Sequence[float]) -> None:
    """Where no value is defined the panel says so, in the place of an empty scale."""
    if all(math.isnan(value) for value in values):
        axes.tick_params(left=False, labelleft=False, which="both")
        axes.text(
            0.5, 0.5, "not defined for these pages", transform=axes.transAxes, ha="center",
            va="center", color="#666666",
        )  # fmt: skip


def _spread(rows: Sequence[Row], name: str) -> float:
    values = [v for row in rows if not math.isnan(v := getattr(row, name)) and v > 0]
    return max(values) / min(values) if values else 1.0


def draw_agreement(rows: Sequence[Row]) -> Figure:
    """Agreement with another clustering: mean and lowest of all rows (Fig. 6)."""
    figure, (axes,) = new_figure(1)
    axes.grid(visible=False, axis="y")
    for place, name in enumerate(reversed(SCORES)):
        values = [v for row in rows if not math.isnan(v := getattr(row, name))]
        mean = mean_defined(values)
        if math.isnan(mean):
            continue
        axes.barh(place, mean, color=BLUE, height=0.62)
        lowest = "" if min(values) == mean else f" (lowest {min(values):.3f})"
        axes.text(mean - 0.01, place, f"{mean:.3f}{lowest}", va="center", ha="right", color="white")
    axes.set_yticks(range(len(SCORES)), [NAMES[name] for name in reversed(SCORES)])
    axes.set(xlim=(0, 1.0), xlabel="mean over queries and thresholds; 1: the same clusters")
    axes.set_ylim(-0.6, len(SCORES) - 0.4)
    if all(math.isnan(row.rand) for row in rows):
        axes.text(0.5, 3.5, "not defined for these pages", ha="center", color="#666666")
    against = rows[0].against if rows else "single"
    axes.set_title(f"Agreement with {against} clustering", **TITLE)
    return figure


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


def _curves(
    axes: Axes,
    curves: dict[str, list[Row]],
    overall: Sequence[Row],
    value: Callable[[Row], float],
) -> None:
    """A thin line per query, and a thick one over all."""
    for rows in curves.values() if len(curves) > 1 else ():
        x, y = [row.threshold for row in rows], [value(row) for row in rows]
        axes.plot(x, y, color=GREY, linewidth=0.8, alpha=0.5)
    thick = [(row.threshold, value(row)) for row in overall]
    axes.plot([x for x, _ in thick], [y for _, y in thick], color=BLUE, linewidth=2.2)


def _line_at(axes: Axes, threshold: float, *, name: bool = False) -> None:
    low, high = axes.get_xlim()
    if not low <= threshold <= high:
        return
    axes.axvline(threshold, color=ORANGE, linewidth=1.2, linestyle=(0, (4, 3)))
    if name:
        axes.annotate(
            f"threshold {threshold:g}", (threshold, 0), (5, 6), xycoords=("data", "axes fraction"),
            textcoords="offset points", color=ORANGE, fontsize=8.5,
        )  # fmt: skip


def _name(axes: Axes, what: str, curves: dict[str, list[Row]]) -> None:
    """Title with the query under it, or the number of queries."""
    query = shown(next(iter(curves), ""))
    if len(curves) > 1:
        what = f"{what}, {len(curves)} queries (thin) and all together"
    axes.set_title(f"{what}\n{query}" if query and len(curves) == 1 else what, **TITLE)


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
