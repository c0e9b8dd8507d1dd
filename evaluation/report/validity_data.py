"""The validity indices of every clustering of a tree, by threshold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reducepp.evaluation.incremental_validity import RunningValidity
from reducepp.evaluation.tree_merges import Groups
from reducepp.evaluation.validity import INDICES, distances_of, rows
from reducepp.pipeline import Comparison

THRESHOLDS = tuple(i / 100 for i in range(101))


def indices_data(comparison: Comparison) -> dict[str, list[Any]]:
    """One list an index, null where it is not defined, and the reason for that."""
    tree, scores = comparison.tree, comparison.scores
    groups, running = Groups(tree, scores), RunningValidity(scores, rows(distances_of(scores)))
    merges = [int(np.count_nonzero(tree.scores >= threshold)) for threshold in THRESHOLDS]
    known = {n: running.after(groups, groups.merge_to(n)) for n in sorted(set(merges))}
    found = [known[n] for n in merges]
    indices = {name: [_short(getattr(one, name)) for one in found] for name in INDICES}
    return {"threshold": list(THRESHOLDS), **indices, "reason": [one.reason for one in found]}


def _short(value: float) -> float | None:
    return None if math.isnan(value) else float(f"{value:.6g}")
