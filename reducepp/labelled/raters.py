"""A human baseline: how well people who labelled the same pairs agree with each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from reducepp.labelled.reading import PairLabel
from reducepp.labelled.scoring import count_at, rank_pairs

Key = tuple[str, str, str]


def rater_rows(labels: Sequence[PairLabel]) -> list[dict[str, Any]]:
    """Agreement of every two raters on the pairs that both decided; empty without such pairs.

    Precision and recall read the second rater's labels as the truth; F is the same either way.
    Kappa is Cohen's; NaN where both gave one and the same label throughout.
    """
    by_rater = _by_rater(labels)
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
                    "kappa": _kappa(mine, theirs),
                    "precision": float(counts.precision[0, 0]),
                    "recall": float(counts.recall[0, 0]),
                    "F": float(counts.f1[0, 0]),
                }
            )
    return rows


def _by_rater(labels: Sequence[PairLabel]) -> dict[str, dict[Key, bool]]:
    """Decided labels of each rater; without names the first, second, ... label of a pair."""
    found: dict[str, dict[Key, bool]] = {}
    seen: dict[Key, int] = {}
    for label in labels:
        a, b = sorted((label.a, label.b))
        key = (label.query, a, b)
        seen[key] = seen.get(key, 0) + 1
        if label.decided:
            found.setdefault(label.rater or str(seen[key]), {})[key] = label.duplicate
    return found


def _kappa(mine: np.ndarray[Any, Any], theirs: np.ndarray[Any, Any]) -> float:
    agreed = float((mine == theirs).mean())
    chance = float(mine.mean() * theirs.mean() + (1 - mine.mean()) * (1 - theirs.mean()))
    return (agreed - chance) / (1 - chance) if chance < 1 else float("nan")
