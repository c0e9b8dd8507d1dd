"""Paper 2, Huffman et al. (2007): signals alone, in groups and by cost, on labelled pages."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from reducepp.evaluation.figure_tables import Table
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import Labels
from reducepp.labelled.scoring import rater_rows
from reducepp.labelled.signals import PairSignals, measure_pairs
from reducepp.types import Profile, Queries
from reducepp.weights.learning.learn import FITS, SEEDS, check_labels, held_out_figures
from reducepp.weights.learning.profile_comparison import add_by_cost, signal_seconds

FETCHED = ("same_domain", "same_title", "body_simhash", "body_top_terms", "body_compression")
RENDERED = (
    *("same_rendered_title", "rendered_simhash", "rendered_top_terms", "rendered_compression"),
)
GROUPS: dict[str, tuple[tuple[str, ...], tuple[float, float]]] = {
    "similarity hash": (("body_simhash",), (0.91, 0.58)),
    "F": (FETCHED, (0.90, 0.68)),
    "F + R": ((*FETCHED, *RENDERED), (0.91, 0.75)),
    "F + R + RS": ((*FETCHED, *RENDERED, "rendered_snippet_compression"), (0.91, 0.77)),
    "F + FS": ((*FETCHED, "snippet_compression"), (float("nan"), float("nan"))),
}
"""Groups of signals of its Tables 1 and 3, with the precision and recall that it prints."""
MODELS = ("c4.5", "ripper")
"""The paper's two; `tree` and `rules` are ours, monotonic."""


def tables(queries: Queries, labels: Labels, base: Profile) -> list[Table]:
    """Tables 2 and 3, Figures 2 and 5, of held-out pairs."""
    found = find_pairs(queries, labels)
    pairs = measure_pairs(found, base)
    check_labels(pairs)
    names = [signal.name for signal in base.signals if signal.name in pairs.present]
    alone = [_row(pairs, base, name, [name]) for name in names]
    alone.sort(key=lambda row: -row["mean F"])
    groups = []
    for group, (members, (precision, recall)) in GROUPS.items():
        row = _row(pairs, base, group, [name for name in names if name in members])
        groups.append({**row, "paper P": precision, "paper R": recall})
    steps = add_by_cost(pairs, base, signal_seconds(found.pages, base))
    columns = ("+ signal", "seconds", "F", "gain")
    values = ((s.signal, round(s.seconds, 3), s.figures.f1.value, s.gain) for s in steps)
    cost = [dict(zip(columns, row, strict=True)) for row in values]
    note = f"Ten folds without a shared page, {SEEDS} seeds, the run with the median F."
    made = [
        Table(name="signals-alone", title="Table 2: each signal alone", rows=alone),
        Table(name="signal-groups", title="Table 3 and Figure 2: groups", rows=groups, note=note),
        Table(name="signals-by-cost", title="Figure 5: signals by increasing cost", rows=cost),
    ]
    if raters := rater_rows(labels):
        made.append(Table(name="raters", title="Figure 2: a human rater", rows=raters))
    return made


def _row(pairs: PairSignals, base: Profile, label: str, names: Sequence[str]) -> dict[str, Any]:
    row: dict[str, Any] = {"signals": label}
    found = []
    for model in MODELS:
        figures = held_out_figures(pairs, base, names, FITS[model])
        row |= {f"{model} {key}": value for key, value in figures.values().items()}
        found.append(figures.f1.value)
    return {**row, "mean F": float(np.mean(found))}
