"""Paper 4, Radlinski, Bennett and Yilmaz (2011): redundancy scores of a click log by kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from reducepp.evidence.click_kinds import ACTIONS, KINDS, kind_of
from reducepp.replication.tables import Table
from reducepp.similarity.click_scores import ClickPair

PUBLISHED_SHARES = {"exact": 6, "navigational": 18, "content": 24, "weak": 19, "none": 33}
"""Kinds among the triples that its judges labelled, %."""
BINS = 10


def tables(pairs: Iterable[ClickPair]) -> list[Table]:
    """Kinds with their shares and scores, and the distribution of the score by kind."""
    scores: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for pair in pairs:
        scores[kind_of(pair)].append(pair.score)
    total = sum(map(len, scores.values()))
    kinds = [
        {
            "kind": kind,
            "pairs": len(found),
            "share %": 100 * len(found) / total if total else float("nan"),
            "mean score": float(np.mean(found)) if found else float("nan"),
            "action": ACTIONS[kind],
            "paper share %": PUBLISHED_SHARES[kind],
        }
        for kind, found in scores.items()
    ]
    return [
        Table(
            name="kinds",
            title="Kinds of redundant pairs, by clicks alone",
            rows=kinds,
            note="The paper's shares are of pairs that judges labelled; its log is not public.",
        ),
        Table(name="scores", title="Distribution of the score by kind", rows=_histogram(scores)),
    ]


def _histogram(scores: dict[str, list[float]]) -> list[dict[str, Any]]:
    edges = np.linspace(0, 1, BINS + 1)
    counts = {kind: np.histogram(found, edges)[0].tolist() for kind, found in scores.items()}
    return [
        {"from": float(edges[i]), "to": float(edges[i + 1])}
        | {kind: counts[kind][i] for kind in scores}
        for i in range(BINS)
    ]
