"""The validity indices of every clustering of a tree, by threshold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from evaluation.validity import INDICES, Validity, distances_of, rows, validity
from reducepp.pipeline import Comparison

THRESHOLDS = tuple(i / 100 for i in range(101))


def indices_data(comparison: Comparison) -> dict[str, list[Any]]:
    """One list an index, null where it is not defined, and the reason for that."""
    distances = distances_of(comparison.scores)
    vectors, tree = rows(distances), comparison.tree
    known: dict[int, Validity] = {}
    found = []
    for threshold in THRESHOLDS:
        merges = int(np.count_nonzero(tree.scores >= threshold))
        if merges not in known:
            known[merges] = validity(distances, tree.labels_at(threshold), vectors)
        found.append(known[merges])
    columns: dict[str, list[Any]] = {"threshold": list(THRESHOLDS)}
    for name in INDICES:
        columns[name] = [_short(getattr(one, name)) for one in found]
    columns["reason"] = [one.reason for one in found]
    return columns


def _short(value: float) -> float | None:
    return None if math.isnan(value) else float(f"{value:.6g}")
