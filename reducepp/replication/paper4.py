"""Paper 4, Radlinski, Bennett and Yilmaz (2011): redundancy scores of a click log by kind.

Kinds are those of judges where labels state them, else by clicks alone. With judged pairs: the
judges' agreement, and the kinds learned from clicks, from content, and from both together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reducepp.errors import LabelsError
from reducepp.evaluation.figure_tables import Table
from reducepp.evidence.click_kinds import ACTIONS, CLICK_KINDS, kind_of
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import Labels
from reducepp.labelled.scoring import kind_rows
from reducepp.labelled.signals import PairSignals, measure_pairs
from reducepp.replication import PUBLISHED
from reducepp.similarity.click_log import normalise_address
from reducepp.similarity.click_scores import ClickPair, ClickTable
from reducepp.types import Array, Page, Profile, Queries
from reducepp.weights.learning.regression import held_out_classes

BINS = 10
CLICK_SIGNALS = ("click_score", "click_higher", "click_both")
"""r(u, v); the higher of the two rates of clicks on just the top one; the share of both."""


def scores_by_kind(pairs: Iterable[ClickPair], labels: Labels = ()) -> dict[str, list[float]]:
    """Redundancy scores by judged kind; without judged pairs by the kind that clicks give."""
    judged = {_key(label.query, label.a, label.b): label.kind for label in labels if label.kind}
    scores: dict[str, list[float]] = {kind: [] for kind in CLICK_KINDS}
    for pair in pairs:
        kind = judged.get(_key(pair.query, pair.u, pair.v), "") if judged else kind_of(pair)
        if kind:
            scores[kind].append(pair.score)
    return scores


def _key(query: str, a: str, b: str) -> tuple[str, str, str]:
    u, v = sorted((normalise_address(a), normalise_address(b)))
    return query, u, v


def tables(scores: Mapping[str, Sequence[float]], labels: Labels = ()) -> list[Table]:
    """Kinds with their shares and scores, the distribution of the score, the judges' agreement."""
    judged = any(label.kind for label in labels)
    total = sum(map(len, scores.values()))
    nan, shares = float("nan"), PUBLISHED["paper4"]["shares"]
    kinds = []
    for kind, found in scores.items():
        share = 100 * len(found) / total if total else nan
        row = {"kind": kind, "pairs": len(found), "share %": share}
        row["mean score"] = float(np.mean(found)) if found else nan
        kinds.append(row | {"action": ACTIONS[kind], "paper share %": shares[kind]})
    edges = np.linspace(0, 1, BINS + 1)
    columns = (edges[:-1], edges[1:], *(np.histogram(s, edges)[0] for s in scores.values()))
    names, values = ("from", "to", *scores), zip(*(c.tolist() for c in columns), strict=True)
    histogram = [dict(zip(names, row, strict=True)) for row in values]
    by = "by judges" if judged else "by clicks alone"
    note = "The paper's shares are of pairs that judges labelled; its log is not public."
    agreement = kind_rows(labels)
    title = "Kinds that two judges gave to the same pair"
    return [
        Table(name="kinds", title=f"Kinds of redundant pairs, {by}", rows=kinds, note=note),
        Table(name="scores", title="Distribution of the score by kind", rows=histogram),
        *([Table(name="judges", title=title, rows=agreement)] if agreement else []),
    ]


def learned_tables(
    clicks: ClickTable, labels: Labels, content: Profile, pages: Sequence[Page] = ()
) -> list[Table]:
    """Judged kinds learned from clicks, from the pages' content, and from both; held out.

    Without pages, each has its address alone and only clicks are learned from. Empty where fewer
    than two kinds are judged.
    """
    judged = [label for label in labels if label.kind]
    if len({label.kind for label in judged}) < 2:
        return []
    named = [(label.query, name) for label in judged for name in (label.a, label.b)]
    groups: dict[str, dict[str, Page]] = {}
    for page in pages or [Page(id=name, url=name, query=query) for query, name in named]:
        groups.setdefault(page.query, {}).setdefault(page.id, page)
    found = find_pairs([list(group.values()) for group in groups.values()], judged)
    kinds = [found.labels[i].kind for i in np.flatnonzero(found.decided).tolist()]
    signals = measure_pairs(found, content if pages else replace(content, signals=()))
    by_click = _filled(_click_signals(found.pages, signals, clicks))
    by_content = _filled(signals.by_signal)
    sources = {"clicks": by_click, "content": by_content}
    sources |= {"clicks and content": {**by_click, **by_content}} if by_click and by_content else {}
    try:
        learned = {
            name: held_out_classes(replace(signals, by_signal=values), kinds, CLICK_KINDS)
            for name, values in sources.items()
            if values
        }
    except LabelsError:  # duplicates in one query or page group only: nothing to hold out
        return []
    rows = [{"learned from": n, **row} for n, one in learned.items() for row in one.figures()]
    matrix = list(learned.values())[-1].matrix() if learned else []
    title = "Kinds learned from judged pairs, held out"
    note = "One logistic regression per kind; no page is in both halves of a fold."
    return [
        Table(name="kinds-learned", title=title, rows=rows, note=note),
        Table(name="kinds-confused", title="Judged and predicted kinds", rows=matrix),
    ]


def _filled(by_signal: Mapping[str, Array]) -> dict[str, Array]:
    return {name: values for name, values in by_signal.items() if not np.isnan(values).all()}


def _click_signals(groups: Queries, signals: PairSignals, clicks: ClickTable) -> dict[str, Array]:
    """Signals of each pair from the log; NaN where it was not seen often enough."""
    pages = [page for group in groups for page in group]
    rows = []
    for i, j in zip(signals.first.tolist(), signals.second.tolist(), strict=True):
        pair = clicks.find(pages[i], pages[j])
        orders = (pair.u_on_top, pair.v_on_top) if pair else ()
        total = sum(order.clicks for order in orders)
        higher = max((order.bias for order in orders), default=np.nan)
        both = sum(order.both for order in orders) / total if total else np.nan
        rows.append((pair.score if pair else np.nan, higher, both))
    columns = np.array(rows, dtype=np.float64).reshape(-1, len(CLICK_SIGNALS)).T
    return dict(zip(CLICK_SIGNALS, columns, strict=True))
