"""Figures 4 to 7 of the REDUCE++ paper, several profiles side by side; click scores by kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from reducepp.errors import MissingExtraError
from reducepp.evaluation.agreement import SCORES
from reducepp.evaluation.plot_text import shown
from reducepp.evaluation.plots import COLOURS, GREY, NAMES, TITLE, new_figure, say_undefined
from reducepp.evaluation.sweep import Row, mean_defined
from reducepp.pipeline import Comparison
from reducepp.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from networkx import Graph

    from reducepp.evaluation.advice import Swept

Value = Callable[[Row], float]

CAPTIONS = {
    "figure-4": "Fig. 4: one query as a graph, connected components as clusters",
    "figure-5": "Fig. 5: page reduction against the threshold",
    "figure-6": "Fig. 6: agreement with agglomerative clustering",
    "figure-7": "Fig. 7: silhouette, Davies-Bouldin and Calinski-Harabasz against the threshold",
    "figure-8": "Beyond the paper: information kept against pages saved",
}


def draw_all(swept: Sequence[Swept]) -> dict[str, Figure]:
    """Every figure by its file name."""
    return {
        "figure-4": draw_components(swept),
        "figure-5": draw_reductions(swept),
        "figure-6": draw_agreements(swept),
        "figure-7": draw_validities(swept),
        "figure-8": draw_informations(swept),
    }


def draw_components(swept: Sequence[Swept]) -> Figure:
    """The query of middling reduction under the first profile, a panel a profile."""
    query = _middling(swept[0])
    figure, panels = new_figure(1, across=len(swept))
    for axes, one in zip(panels, swept, strict=True):
        comparison = next(c for c in one.comparisons if c.pages and c.query == query)
        clusters = _draw_graph(axes, comparison, one.threshold)
        name = f"{shown(one.profile)} at {one.threshold:g}"
        pages = len(comparison.pages)
        counts = f"{pages} page{'s'[: pages != 1]}, {clusters} cluster{'s'[: clusters != 1]}"
        axes.set_title(f"{name}: {counts}", **TITLE)
    figure.supxlabel(shown(query), fontsize=10, color="#444444")
    return figure


def _middling(swept: Swept) -> str:
    rows = [row for row in swept.table_rows if row.threshold == swept.threshold and row.pages]
    ordered = sorted(rows, key=lambda row: (row.reduction, row.query))
    return ordered[len(ordered) // 2].query if ordered else ""


def _draw_graph(axes: Axes, comparison: Comparison, threshold: float) -> int:
    """Pages as dots, an edge where the score is at least the threshold; single pages grey."""
    try:
        import networkx as nx
    except ImportError:
        raise MissingExtraError("drawing graphs", "evaluate") from None
    graph = nx.from_numpy_array(np.triu(comparison.scores >= threshold, 1))
    groups = sorted(nx.connected_components(graph), key=lambda group: (-len(group), min(group)))
    places = _lay_out([_spread(graph.subgraph(sorted(group))) for group in groups])
    for a, b in graph.edges:
        axes.plot(*zip(places[a], places[b], strict=True), color="#b0b0b0", linewidth=0.8, zorder=1)
    for number, group in enumerate(groups):
        points = np.array([places[page] for page in sorted(group)])
        colour = COLOURS[number % len(COLOURS)] if len(group) > 1 else "#d0d0d0"
        axes.scatter(
            points[:, 0], points[:, 1], s=52, color=colour, edgecolor="white", linewidth=0.8,
            zorder=2,
        )  # fmt: skip
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.margins(0.06)
    return len(groups)


def _spread(graph: Graph[int]) -> dict[int, Array]:
    """Places of one cluster's pages around 0, the wider the more there are."""
    import networkx as nx

    drawn: dict[int, Array] = nx.spring_layout(graph, seed=0, iterations=80)
    middle = np.mean(list(drawn.values()), axis=0)
    widest = max(float(np.linalg.norm(place - middle)) for place in drawn.values()) or 1.0
    radius = 0.8 * math.sqrt(len(drawn)) if len(drawn) > 1 else 0.0
    return {page: (place - middle) * radius / widest for page, place in drawn.items()}


def _lay_out(clusters: Sequence[dict[int, Array]]) -> dict[int, Array]:
    """Clusters side by side in rows, about as wide as high, so that none lies on another."""
    sizes = [2 * max(float(np.abs(list(c.values())).max()), 0.2) + 0.8 for c in clusters]
    width = max([*sizes, 1.2 * math.sqrt(sum(size**2 for size in sizes))], default=0.0)
    places: dict[int, Array] = {}
    x = y = height = 0.0
    for cluster, size in zip(clusters, sizes, strict=True):
        if x + size > width + 1e-9:
            x, y, height = 0.0, y - height, 0.0
        height = max(height, size)
        middle = np.array([x + size / 2, y - height / 2])
        places |= {page: place + middle for page, place in cluster.items()}
        x += size
    return places


def draw_reductions(swept: Sequence[Swept]) -> Figure:
    """Pages no longer shown against the threshold: a line per profile, thin ones per query."""
    figure, (axes,) = new_figure(1)
    if len(swept) == 1:
        for rows in _by_query(swept[0].rows):
            _line(axes, rows, lambda row: 100 * row.reduction, colour=GREY, thin=True)
    _profiles(axes, swept, lambda row: 100 * row.reduction)
    axes.set(xlabel="threshold", ylabel="fewer pages, %", ylim=(0, 100))
    axes.legend(frameon=False)
    axes.set_title("Reduction against the threshold; dots: each profile's own", **TITLE)
    return figure


def draw_validities(swept: Sequence[Swept]) -> Figure:
    """The three indices against the threshold, a line per profile."""
    figure, panels = new_figure(3)
    hints = ("higher is better", "lower is better", "look for an elbow")
    names = ("silhouette", "davies_bouldin", "calinski_harabasz")
    for axes, name, hint in zip(panels, names, hints, strict=True):
        _profiles(axes, swept, attrgetter(name))
        axes.set_ylabel(f"{NAMES[name]}\n({hint})")
        say_undefined(axes, [getattr(row, name) for one in swept for row in one.overall])
    panels[2].set_yscale("log")
    panels[2].set_xlabel("threshold")
    panels[0].legend(frameon=False)
    panels[0].set_title("Validity of the clusters, mean over queries", **TITLE)
    return figure


def draw_agreements(swept: Sequence[Swept]) -> Figure:
    """The eight scores, mean over queries and thresholds, a bar a profile."""
    figure, (axes,) = new_figure(1)
    height = 0.8 / len(swept)
    for number, one in enumerate(swept):
        for place, name in enumerate(reversed(SCORES)):
            mean = mean_defined([getattr(row, name) for row in one.rows])
            at = place + 0.4 - height * (number + 0.5)
            label = shown(one.profile) if place == 0 else ""
            colour = COLOURS[number % len(COLOURS)]
            axes.barh(at, 0 if math.isnan(mean) else mean, height * 0.9, color=colour, label=label)
            text = "not defined" if math.isnan(mean) else f"{mean:.3f}"
            axes.text(1.01, at, text, va="center", fontsize=7.5, color="#444444")
    axes.set_yticks(range(len(SCORES)), [NAMES[name] for name in reversed(SCORES)])
    axes.grid(visible=False, axis="y")
    axes.set(xlim=(0, 1), xlabel="mean over queries and thresholds; 1: the same clusters")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(0, -0.12), ncols=len(swept))
    axes.set_title("Agreement with agglomerative clustering", **TITLE)
    return figure


def draw_informations(swept: Sequence[Swept]) -> Figure:
    """What is kept of the information against what is saved in pages, a line per profile."""
    figure, (axes,) = new_figure(1)
    axes.plot([0, 100], [100, 0], color=GREY, linewidth=1, linestyle=(0, (4, 4)))
    for number, one in enumerate(swept):
        colour, overall = COLOURS[number % len(COLOURS)], one.overall
        x = [100 * row.reduction for row in overall]
        y = [100 * row.information_kept for row in overall]
        axes.plot(x, y, color=colour, linewidth=2.2, label=shown(one.profile))
        nearest = min(overall, key=lambda row: abs(row.threshold - one.threshold))
        at = (100 * nearest.reduction, 100 * nearest.information_kept)
        axes.plot(*at, "o", color=colour, markersize=8, markeredgecolor="white", zorder=4)
    axes.set(xlim=(0, 100), ylim=(0, 103))
    axes.set(xlabel="fewer pages, %", ylabel="information kept, %")
    axes.legend(frameon=False)
    say_undefined(axes, [row.information_kept for one in swept for row in one.overall])
    axes.set_title("Information kept; dashed: as if no page repeated another", **TITLE)
    return figure


def draw_click_scores(scores: Mapping[str, Sequence[float]]) -> Figure:
    """Distribution of the redundancy score, a panel a kind that has pairs (Radlinski et al.)."""
    kinds = [kind for kind, found in scores.items() if found] or list(scores)[:1]
    figure, panels = new_figure(len(kinds))
    edges = np.linspace(0, 1, 21)
    for number, (axes, kind) in enumerate(zip(panels, kinds, strict=True)):
        axes.hist(scores[kind], bins=edges.tolist(), color=COLOURS[number % len(COLOURS)])
        axes.set(xlim=(0, 1), ylabel=f"{kind}\n{len(scores[kind])} pairs")
    panels[-1].set_xlabel("redundancy score r(u, v)")
    panels[0].set_title("Redundancy score by kind of duplicate", **TITLE)
    return figure


def _by_query(rows: Sequence[Row]) -> list[list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.query, []).append(row)
    return list(groups.values())


def _line(
    axes: Axes,
    rows: Sequence[Row],
    value: Value,
    *,
    colour: str,
    name: str = "",
    thin: bool = False,
) -> None:
    x, y = [row.threshold for row in rows], [value(row) for row in rows]
    width, alpha = (0.8, 0.5) if thin else (2.2, 1.0)
    axes.plot(x, y, color=colour, linewidth=width, alpha=alpha, label=name or None)


def _profiles(axes: Axes, swept: Sequence[Swept], value: Value) -> None:
    """A line a profile over all queries, with a dot at the profile's own threshold."""
    for number, one in enumerate(swept):
        colour, overall = COLOURS[number % len(COLOURS)], one.overall
        _line(axes, overall, value, colour=colour, name=shown(one.profile))
        nearest = min(overall, key=lambda row: abs(row.threshold - one.threshold))
        if abs(nearest.threshold - one.threshold) <= 0.02:
            axes.plot(
                [nearest.threshold], [value(nearest)], "o", color=colour, markersize=8,
                markeredgecolor="white", zorder=4,
            )  # fmt: skip
