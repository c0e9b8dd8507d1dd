"""Sweeps as pictures: information kept, and figures 4 to 7 of the REDUCE++ paper.

One profile with its queries as thin lines, or several profiles side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reducepp.comparison import Comparison
from reducepp.errors import needs_extra
from reducepp.evaluation.agreement import FLAT, SCORES
from reducepp.evaluation.plots import (
    BLUE,
    COLOURS,
    GREY,
    NAMES,
    TITLE,
    label_text,
    mark_undefined,
    new_figure,
    save,
)
from reducepp.evaluation.sweep import SweepRow, mean_defined
from reducepp.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from networkx import Graph

    from reducepp.evaluation.advice import Swept

Value = Callable[[SweepRow], float]

CAPTIONS = {
    "figure-4": "Fig. 4: one query as a graph, connected components as clusters",
    "figure-5": "Fig. 5: page reduction against the threshold",
    "figure-6": "Fig. 6: agreement with agglomerative clustering",
    "figure-7": "Fig. 7: silhouette, Davies-Bouldin and Calinski-Harabasz against the threshold",
    "figure-8": "Beyond the paper: information kept against pages saved",
}


def draw_sweep(swept: Swept, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """All pictures of one profile's sweep, as PNG and SVG."""
    names = ("information", "reduction", "validity", "agreement")
    drawn = (draw_informations, draw_reductions, draw_validities, draw_agreements)
    pictures = zip(names, drawn, strict=True)
    return [
        path
        for name, draw in pictures
        for path in save(draw([swept]), folder / name, overwrite=overwrite)
    ]


def draw_all(swept: Sequence[Swept]) -> dict[str, Figure]:
    """Every figure by its file name."""
    drawn = (draw_components, draw_reductions, draw_agreements, draw_validities, draw_informations)
    return {name: draw(swept) for name, draw in zip(CAPTIONS, drawn, strict=True)}


def draw_components(swept: Sequence[Swept]) -> Figure:
    """The query of middling reduction under the first profile, one panel per profile."""
    own = [row for row in swept[0].table_rows if row.threshold == swept[0].threshold and row.pages]
    own.sort(key=lambda row: (row.reduction, row.query))
    query = own[len(own) // 2].query if own else ""
    figure, panels = new_figure(1, across=len(swept))
    for axes, one in zip(panels, swept, strict=True):
        comparison = next(c for c in one.comparisons if c.pages and c.query == query)
        clusters = _draw_graph(axes, comparison, one.threshold)
        name = f"{label_text(one.profile)} at {one.threshold:g}"
        pages = len(comparison.pages)
        counts = f"{pages} page{'s'[: pages != 1]}, {clusters} cluster{'s'[: clusters != 1]}"
        axes.set_title(f"{name}: {counts}", **TITLE)
    figure.supxlabel(label_text(query), fontsize=10, color="#444444")
    return figure


def _draw_graph(axes: Axes, comparison: Comparison, threshold: float) -> int:
    """Pages as dots, an edge where the score is at least the threshold; single pages grey."""
    with needs_extra("drawing graphs", "evaluate"):
        import networkx as nx
    graph = nx.from_numpy_array(np.triu(comparison.scores >= threshold, 1))
    groups = sorted(nx.connected_components(graph), key=lambda group: (-len(group), min(group)))
    places = _lay_out([_spread(graph.subgraph(sorted(group))) for group in groups])
    for a, b in graph.edges:
        axes.plot(*zip(places[a], places[b], strict=True), color="#b0b0b0", linewidth=0.8, zorder=1)
    for number, group in enumerate(groups):
        points = np.array([places[page] for page in sorted(group)])
        colour = COLOURS[number % len(COLOURS)] if len(group) > 1 else "#d0d0d0"
        style: Any = {"s": 52, "edgecolor": "white", "linewidth": 0.8, "zorder": 2}
        axes.scatter(points[:, 0], points[:, 1], color=colour, **style)
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


def _reduction(row: SweepRow) -> float:
    return 100 * row.reduction


def draw_reductions(swept: Sequence[Swept]) -> Figure:
    """Pages no longer shown against the threshold: a line per profile, thin ones per query."""
    figure, (axes,) = new_figure(1)
    _profiles(axes, swept, _reduction)
    axes.set(xlabel="threshold", ylabel="fewer pages, %", ylim=(0, 100))
    _name(axes, "Reduction against the threshold; dots: each profile's own", swept)
    return figure


def draw_validities(swept: Sequence[Swept]) -> Figure:
    """The three indices against the threshold, a line per profile."""
    figure, panels = new_figure(3)
    hints = {
        "silhouette": "higher is better",
        "davies_bouldin": "lower is better",
        "calinski_harabasz": "look for an elbow",
    }
    for axes, (name, hint) in zip(panels, hints.items(), strict=True):
        _profiles(axes, swept, attrgetter(name))
        axes.set_ylabel(f"{NAMES[name]}\n({hint})")
        mark_undefined(axes, [getattr(row, name) for one in swept for row in one.overall])
    panels[2].set_yscale("log")
    panels[2].set_xlabel("threshold")
    _name(panels[0], "Validity of the clusters, mean over queries", swept)
    return figure


def draw_agreements(swept: Sequence[Swept]) -> Figure:
    """The eight scores, mean over queries and thresholds, one bar per profile."""
    figure, (axes,) = new_figure(1)
    height = 0.8 / len(swept)
    for number, one in enumerate(swept):
        for place, name in enumerate(reversed(SCORES)):
            mean = mean_defined([getattr(row, name) for row in one.rows])
            at = place + 0.4 - height * (number + 0.5)
            label = label_text(one.profile) if place == 0 else ""
            colour = COLOURS[number % len(COLOURS)]
            axes.barh(at, 0 if math.isnan(mean) else mean, height * 0.9, color=colour, label=label)
            text = "not defined" if math.isnan(mean) else f"{mean:.3f}"
            axes.text(1.01, at, text, va="center", fontsize=7.5, color="#444444")
    axes.set_yticks(range(len(SCORES)), [NAMES[name] for name in reversed(SCORES)])
    axes.grid(visible=False, axis="y")
    axes.set(xlim=(0, 1), xlabel="mean over queries and thresholds; 1: the same clusters")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(0, -0.12), ncols=len(swept))
    against = swept[0].rows[0].against if swept[0].rows else "single"
    kind = "clustering" if against in FLAT else "linkage"
    axes.set_title(f"Agreement with {against} {kind}", **TITLE)
    return figure


def draw_informations(swept: Sequence[Swept]) -> Figure:
    """What is kept of the information against what is saved in pages, a line per profile.

    Of one profile the thresholds are named along the line.
    """
    figure, (axes,) = new_figure(1)
    axes.plot([0, 100], [100, 0], color=GREY, linewidth=1, linestyle=(0, (4, 4)), zorder=1)
    x = _reduction

    def y(row: SweepRow) -> float:
        return 100 * row.information_kept

    _profiles(axes, swept, y, along=x)
    every = [row for one in swept for row in (*one.rows, *one.overall)]
    right = min(100.0, 1.08 * max([5.0, *map(x, every)]))
    lowest = min([100 - right, *(v for v in map(y, every) if not math.isnan(v))])
    axes.set(xlim=(0, right), ylim=(max(0.0, lowest - 8), 102))
    axes.set(xlabel="fewer pages, %", ylabel="information kept, %")
    if len(swept) == 1:
        _mark_thresholds(axes, [(row.threshold, x(row), y(row)) for row in swept[0].overall])
    mark_undefined(axes, [row.information_kept for one in swept for row in one.overall])
    _name(axes, "Information kept; dashed: as if no page repeated another", swept)
    return figure


def _mark_thresholds(axes: Axes, points: Sequence[tuple[float, float, float]]) -> None:
    """Name tenths of the threshold along the curve, where they do not overlap."""
    last = math.inf
    for threshold, at_x, at_y in points:
        tenth = abs(threshold * 10 - round(threshold * 10)) < 1e-6
        if not tenth or math.isnan(at_y) or abs(at_x - last) < 0.05 * axes.get_xlim()[1]:
            continue
        last = at_x
        axes.plot([at_x], [at_y], "o", color=BLUE, markersize=5, zorder=4)
        low = at_y < axes.get_ylim()[0] + 6  # under the curve, but not under the axis
        place, side = ((5, 4), "left") if low else ((-4, -13), "right")
        style: Any = {"textcoords": "offset points", "color": "#444444", "fontsize": 8.5}
        axes.annotate(f"{threshold:g}", (at_x, at_y), place, ha=side, **style)


def _profiles(
    axes: Axes, swept: Sequence[Swept], value: Value, along: Value = attrgetter("threshold")
) -> None:
    """A line per profile over all queries, with a dot at the profile's own threshold.

    Of one profile with several queries also a thin line per query.
    """
    by_query: dict[str, list[SweepRow]] = {}
    for row in sorted(swept[0].rows, key=lambda row: row.threshold) if len(swept) == 1 else ():
        by_query.setdefault(row.query, []).append(row)
    for rows in by_query.values():
        axes.plot([*map(along, rows)], [*map(value, rows)], color=GREY, linewidth=0.8, alpha=0.5)
    for number, one in enumerate(swept):
        colour, overall = COLOURS[number % len(COLOURS)], one.overall
        x, y, name = [*map(along, overall)], [*map(value, overall)], label_text(one.profile)
        nearest = min(overall, key=lambda row: abs(row.threshold - one.threshold), default=None)
        if nearest is not None and abs(nearest.threshold - one.threshold) <= 0.02:
            at = ([along(nearest)], [value(nearest)])
            axes.plot(*at, "o", color=colour, markersize=8, markeredgecolor="white", zorder=4)
            name = f"{name} at {nearest.threshold:g}"
        axes.plot(x, y, color=colour, linewidth=2.2, label=name)


def _name(axes: Axes, what: str, swept: Sequence[Swept]) -> None:
    """Title with the query under it where there is one; which line is which profile."""
    queries = list(dict.fromkeys(row.query for row in swept[0].rows))
    under = label_text(queries[0]) if len(queries) == 1 else f"{len(queries)} queries"
    axes.set_title(f"{what}\n{under}" if under else what, **TITLE)
    axes.legend(frameon=False)
