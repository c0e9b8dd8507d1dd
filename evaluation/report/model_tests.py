"""What a learned model asked of each pair that the report may show.

A weighted mean is explained in the page. A model is not carried; its answers are, for every
two pages of which one can be folded under the other when the best ranked page is shown.
"""

from __future__ import annotations

from typing import Any

from reducepp.pipeline import Comparison
from reducepp.similarity.combine import pair_tests, shares
from reducepp.types import Tree

MOST_PAIRS = 5_000


def explained_data(comparison: Comparison) -> dict[str, Any] | None:
    """By the numbers of the kept and the folded page: tests, and how far each signal moved.

    None for a profile without a model.
    """
    if not comparison.profile.model:
        return None
    found = {}
    for kept, i in sorted(possible_folds(comparison.tree))[:MOST_PAIRS]:
        moved = shares(comparison.similarities, comparison.profile, kept, i)
        found[f"{kept} {i}"] = {
            "tests": list(pair_tests(comparison.similarities, comparison.profile, kept, i)),
            "moved": {name: float(f"{s.contribution:.6g}") for name, s in moved.items()},
        }
    return found


def possible_folds(tree: Tree) -> set[tuple[int, int]]:
    """Every (kept, folded) at any threshold: as groups merge, the better ranked head takes over."""
    members = {i: [i] for i in range(len(tree.ids))}
    head = list(range(len(tree.ids)))
    found: set[tuple[int, int]] = set()
    for a, b in zip(tree.first.tolist(), tree.second.tolist(), strict=True):
        low, high = sorted((head[a], head[b]))
        for i in members.pop(high):
            head[i] = low
            members[low].append(i)
            found.add((low, i))
    return found
