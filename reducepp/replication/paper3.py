"""Paper 3, Tao et al. (2013), "Twinder": features, strategies, topics, levels, diversification."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reducepp.clustering.levels import LEVELS, OTHER_FACTS, level_of
from reducepp.clustering.representatives import diversify
from reducepp.comparison import compare_pages
from reducepp.errors import LabelsError
from reducepp.evaluation.figure_tables import Table
from reducepp.labelled.labelled_pairs import LabelledPairs, find_pairs
from reducepp.labelled.reading import Labels
from reducepp.labelled.signals import PairSignals, measure_pairs
from reducepp.replication import PUBLISHED
from reducepp.similarity.combine import score_values
from reducepp.types import Bools, Profile, Queries
from reducepp.weights.learning.learn import MIN_PAIRS_EACH, check_labels, held_out_figures
from reducepp.weights.learning.regression import Confusion, Fit, fit_standardised, held_out_classes

COPIED = "copied"
"""Signal of the cascade."""
TOPS = (10, 20, 50)
"""Those of its Table 8."""
SEEDS = 3
"""Runs with other folds; the one with the median F is reported."""
_PRINTED = PUBLISHED["paper3"]
NAN = float("nan")


def tables(queries: Queries, labels: Labels, strategies: Mapping[str, Profile]) -> list[Table]:
    """All tables; `strategies` are profiles by name, the richest last."""
    pairs = find_pairs(queries, labels)
    richest = list(strategies.values())[-1]
    signals = measure_pairs(pairs, richest)
    return [
        feature_table(signals),
        strategy_table(signals, strategies),
        coefficient_table(signals),
        topic_table(pairs, signals, richest),
        *level_tables(pairs, signals, strategies),
        diversification_table(pairs, strategies["posts"]),
    ]


def feature_table(signals: PairSignals) -> Table:
    """Mean and deviation of every feature for duplicates and for others, beside the paper's."""
    rows = []
    for name, values in signals.by_signal.items():
        row: dict[str, Any] = {"feature": name}
        for kind, chosen in (("duplicate", signals.duplicate), ("other", ~signals.duplicate)):
            here = values[chosen & ~np.isnan(values)]
            row[kind] = float(here.mean()) if len(here) else NAN
            row[f"{kind} std"] = float(here.std()) if len(here) else NAN
        duplicate, other = _PRINTED["means"].get(name, (NAN, NAN))
        rows.append({**row, "paper duplicate": duplicate, "paper other": other})
    note = "Similarities: a distance or difference d of the paper is 1 - d here."
    return Table(name="table-1", title="Table 1: features", rows=rows, note=note)


def _fit_cascade(pairs: PairSignals) -> Fit:
    """The same after a first step: copies, hashtags, mentions and addresses aside, are decided."""
    fitted = fit_standardised(pairs.only([name for name in pairs.by_signal if name != COPIED]))
    model = {"kind": "cascade", "first": COPIED, "then": fitted.model}
    return Fit(weights={**fitted.weights, COPIED: 0.0}, model=model)


def strategy_table(signals: PairSignals, strategies: Mapping[str, Profile]) -> Table:
    """Held-out precision, recall and F of each strategy, learned anew on these labels."""
    every = [signal for profile in strategies.values() for signal in profile.signals]
    copied, rows = [signal for signal in every if signal.name == COPIED], []
    for name, profile in strategies.items():
        own, short = _present(signals, profile), name.rpartition("-")[2]
        row: dict[str, Any] = {"strategy": name, "signals": len(own)}
        row |= held_out_figures(signals, profile, own, fit_standardised, seeds=SEEDS).values()
        row["paper F"] = _PRINTED["f"].get(short, NAN)
        if COPIED in signals.by_signal:
            part = replace(profile, signals=(*profile.signals, *copied[:1]))
            names = [*own, COPIED]
            cascade = held_out_figures(signals, part, names, _fit_cascade, seeds=SEEDS)
            row["F, cascade"] = cascade.f1.value
        rows.append({**row, "paper F, cascade": _PRINTED["cascade_f"].get(short, NAN)})
    title = "Tables 2 and 7: strategies, held out, without and with the cascade"
    return Table(name="table-2", title=title, rows=rows)


def coefficient_table(signals: PairSignals) -> Table:
    """Coefficients of the paper's features, all of them together, learned on these labels."""
    names = [name for name in _PRINTED["coefficients"] if name in signals.by_signal]
    present = [name for name in names if name in signals.present]
    learned = fit_standardised(signals.only(present)).model["coefficients"] if present else {}
    found = [(name, learned.get(name, NAN), _PRINTED["coefficients"][name]) for name in names]
    rows = [dict(zip(("feature", "coefficient", "paper"), row, strict=True)) for row in found]
    note = "Of similarities, so that the sign of a distance or difference is turned."
    return Table(name="table-3", title="Table 3: coefficients", rows=rows, note=note)


def _present(signals: PairSignals, profile: Profile) -> list[str]:
    """Signals of a strategy that some pair has; the cascade's comes before the model."""
    return [s.name for s in profile.signals if s.name != COPIED and s.name in signals.present]


def topic_table(pairs: LabelledPairs, signals: PairSignals, profile: Profile) -> Table:
    """Held-out figures within each language, domain and query that has enough labels."""
    rows = []
    decided = np.flatnonzero(pairs.decided)
    for (group, value), chosen in pairs.groups().items():
        part = signals.take(chosen[decided])
        try:
            check_labels(part)
            names = _present(part, profile)
            figures = held_out_figures(part, profile, names, fit_standardised, seeds=SEEDS)
        except LabelsError:  # too few, or duplicates in one page group only: nothing to hold out
            continue
        topic = f"{group} {value}".strip()
        rows.append({"topics": topic, "pairs": len(part), **figures.values()})
    note = "The paper splits its 49 topics by theme, popularity, place and duration."
    return Table(name="table-4-5", title="Tables 4 and 5: groups of topics", rows=rows, note=note)


def level_tables(
    pairs: LabelledPairs, signals: PairSignals, strategies: Mapping[str, Profile]
) -> list[Table]:
    """Levels by rule and, where labels state levels, by classifiers learned from them."""
    by_rule = level_table(pairs, signals, strategies["posts"])
    levels = [pairs.labels[i].level for i in np.flatnonzero(pairs.decided).tolist()]
    enough = {one for one in levels if levels.count(one) >= MIN_PAIRS_EACH} - {"", "none"}
    if len(enough) < 2:
        return [by_rule]
    chosen = np.array([level in enough for level in levels], dtype=bool)
    part, known = signals.take(chosen), [level for level in levels if level in enough]
    found = {
        name: held_out_classes(part.only(_present(part, profile)), known, LEVELS)
        for name, profile in strategies.items()
    }
    rows = [_level_row(name, confusion) for name, confusion in found.items()]
    matrix = list(found.values())[-1].matrix()
    note = "One logistic regression per level, held out; the weight of a level is its pairs."
    title, confused = "Table 6 and Figure 2: F of learned levels", "Learned levels, all features"
    return [
        by_rule,
        Table(name="table-6-learned", title=title, rows=rows, note=note),
        Table(name="levels-confused", title=f"{confused}: labelled and predicted", rows=matrix),
    ]


def _level_row(strategy: str, confusion: Confusion) -> dict[str, Any]:
    figures = {row["class"]: row for row in confusion.figures()}
    own = {level: row["F"] for level, row in figures.items() if level != "weighted"}
    weighted = {f"weighted {key}": figures["weighted"][key] for key in "PRF"}
    printed = _PRINTED["level_f"].get(strategy.rpartition("-")[2], NAN)
    return {"strategy": strategy, **own, **weighted, "paper weighted F": printed}


def level_table(pairs: LabelledPairs, signals: PairSignals, profile: Profile) -> Table:
    """Levels by rule of the labelled pairs, and how many of each are labelled duplicates."""
    scores = score_values(signals.by_signal, profile)
    counts = {level: [0, 0] for level in LEVELS if level != OTHER_FACTS}
    for place, number in enumerate(np.flatnonzero(pairs.decided).tolist()):
        pages = pairs.pages[pairs.query[number]]
        a, b = pages[pairs.first[number]], pages[pairs.second[number]]
        level = level_of(a, b, float(scores[place]), profile.threshold)
        counts[level][0] += 1
        counts[level][1] += bool(signals.duplicate[place])
    columns = ("level", "pairs", "labelled duplicates", "share")
    rows = [
        dict(zip(columns, (level, n, d, d / n if n else NAN), strict=True))
        for level, (n, d) in counts.items()
    ]
    note = "The paper's labels of levels were not published"
    note += "; labels with a field `level` are learned."
    return Table(name="table-6", title="Levels by rule", rows=rows, note=note)


def diversification_table(pairs: LabelledPairs, profile: Profile) -> Table:
    """Share of the top k that have a labelled duplicate among them, before and after."""
    ratios: dict[str, list[tuple[float, float]]] = {}
    for number, pages in enumerate(pairs.pages):
        comparison = compare_pages(pages, profile)
        truth = np.zeros((len(pages), len(pages)), dtype=bool)
        chosen = pairs.duplicate & (pairs.query == number)
        truth[pairs.first[chosen], pairs.second[chosen]] = True
        truth |= truth.T
        kept = [group[0] for group in diversify(comparison.scores, profile.threshold)]
        for top in (*map(str, TOPS), "all"):
            size = len(pages) if top == "all" else int(top)
            every, shown = list(range(len(truth))), kept[:size]
            ratios.setdefault(top, []).append((_ratio(truth, every[:size]), _ratio(truth, shown)))
    columns = ("top", "before %", "after %", "paper before %", "paper after %")
    rows = []
    for top, found in ratios.items():
        means = [round(100 * float(np.mean(one)), 1) for one in zip(*found, strict=True)]
        rows.append(dict(zip(columns, (top, *means, *_PRINTED["ratios"][top]), strict=True)))
    title = "Table 8: near-duplicates in the results, before and after diversification"
    return Table(name="table-8", title=title, rows=rows)


def _ratio(truth: Bools, shown: Sequence[int]) -> float:
    return float(truth[np.ix_(shown, shown)].any(axis=1).mean()) if len(shown) else 0.0
