"""A human baseline: how well people who labelled the same pairs agree with each other."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from reducepp.evidence.click_kinds import KINDS
from reducepp.labelled.reading import PairLabel
from reducepp.labelled.scoring import count_at, rank_pairs

Key = tuple[str, str, str]
Value = TypeVar("Value")


def rater_rows(labels: Sequence[PairLabel]) -> list[dict[str, Any]]:
    """Agreement of every two raters on the pairs that both decided; empty without such pairs.

    Precision and recall read the second rater's labels as the truth; F is the same either way.
    Kappa is Cohen's; NaN where both gave one and the same label throughout.
    """
    by_rater = _by_rater(labels, lambda label: label.duplicate)
    rows = []
    for one, other in combinations(sorted(by_rater), 2):
        common = sorted(by_rater[one].keys() & by_rater[other].keys())
        if common:
            mine, theirs = (
                np.array([by_rater[name][key] for key in common], dtype=bool)
                for name in (one, other)
            )
            counts = count_at(rank_pairs(mine.astype(np.float64), theirs), np.ones(1))
            rows.append(
                {
                    "rater": one,
                    "against": other,
                    "pairs": len(common),
                    "duplicates": int(theirs.sum()),
                    "agreement": float((mine == theirs).mean()),
                    "kappa": _kappa(np.histogram2d(mine, theirs, 2, ((0, 1), (0, 1)))[0]),
                    "precision": float(counts.precision[0, 0]),
                    "recall": float(counts.recall[0, 0]),
                    "F": float(counts.f1[0, 0]),
                }
            )
    return rows


def kind_rows(labels: Sequence[PairLabel]) -> list[dict[str, Any]]:
    """How often two judges of one pair gave each two kinds, and their agreement; empty without.

    One row per kind of the first judge; the last row has the share of equal kinds and Cohen's
    kappa. Every two judges of a pair count once, in the order of their names.
    """
    by_rater = _by_rater([label for label in labels if label.kind], lambda label: label.kind)
    found = [
        (by_rater[one][key], by_rater[other][key])
        for one, other in combinations(sorted(by_rater), 2)
        for key in sorted(by_rater[one].keys() & by_rater[other].keys())
    ]
    if not found:
        return []
    counts = np.zeros((len(KINDS), len(KINDS)), dtype=np.int64)
    for mine, theirs in found:
        counts[KINDS.index(mine), KINDS.index(theirs)] += 1
    rows: list[dict[str, Any]] = [
        {"judge 1 \\ judge 2": kind, **dict(zip(KINDS, row, strict=True))}
        for kind, row in zip(KINDS, counts.tolist(), strict=True)
    ]
    agreed = float(np.trace(counts) / counts.sum())
    last = {"judge 1 \\ judge 2": "agreement", KINDS[0]: agreed, KINDS[1]: "kappa"}
    return [*rows, last | {KINDS[2]: _kappa(counts), KINDS[3]: "pairs", KINDS[4]: len(found)}]


def _by_rater(
    labels: Sequence[PairLabel], value: Callable[[PairLabel], Value]
) -> dict[str, dict[Key, Value]]:
    """Decided labels of each rater; without names the first, second, ... label of a pair."""
    found: dict[str, dict[Key, Value]] = {}
    seen: dict[Key, int] = {}
    for label in labels:
        a, b = sorted((label.a, label.b))
        key = (label.query, a, b)
        seen[key] = seen.get(key, 0) + 1
        if label.decided:
            found.setdefault(label.rater or str(seen[key]), {})[key] = value(label)
    return found


def _kappa(counts: np.ndarray[Any, Any]) -> float:
    """Cohen's kappa of a table of how often two raters gave each two labels."""
    shares = counts / counts.sum()
    agreed, chance = float(np.trace(shares)), float(shares.sum(axis=0) @ shares.sum(axis=1))
    return (agreed - chance) / (1 - chance) if chance < 1 else float("nan")
