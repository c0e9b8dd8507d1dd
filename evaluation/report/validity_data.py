"""The validity indices of every clustering of a tree, by threshold."""

import math
from typing import Any

import numpy as np

from reducepp.evaluation.validity import INDICES, Validity, distances_of, validity
from reducepp.pipeline import Comparison

THRESHOLDS = tuple(i / 100 for i in range(101))


def indices_data(comparison: Comparison) -> dict[str, list[Any]]:
    """One list an index, null where it is not defined, and the reason for that."""
    distances = distances_of(comparison.scores)
    found: list[Validity] = []
    known: dict[int, Validity] = {}
    for threshold in THRESHOLDS:
        merges = int(np.count_nonzero(comparison.tree.scores >= threshold))
        if merges not in known:
            known[merges] = validity(distances, comparison.tree.labels_at(threshold), distances)
        found.append(known[merges])
    indices = {name: [_short(getattr(one, name)) for one in found] for name in INDICES}
    return {"threshold": list(THRESHOLDS), **indices, "reason": [one.reason for one in found]}


def _short(value: float) -> float | None:
    return None if math.isnan(value) else float(f"{value:.6g}")
