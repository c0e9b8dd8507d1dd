"""What a learned model asked of each pair that the report may show.

A weighted mean is explained in the page. A model is not carried; its answers are, for every
two pages of which one can be folded under the other when the best ranked page is shown.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reducepp.clustering.tree import Tree
from reducepp.pipeline import Comparison
from reducepp.similarity.combine import pair_tests, shares
from reducepp.types import Similarities

MOST_PAIRS = 5_000


def explained_data(comparison: Comparison) -> dict[str, Any] | None:
    """By the numbers of the kept and the folded page: tests, and how far each signal moved.

    None for a profile without a model.
    """
    if not comparison.profile.model:
        return None
    found = {}
    folds = sorted(possible_folds(comparison.tree))[:MOST_PAIRS]
    similarities = _pick(comparison.similarities, folds)
    for kept, i in folds:
        moved = shares(similarities, comparison.profile, kept, i)
        found[f"{kept} {i}"] = {
            "tests": list(pair_tests(similarities, comparison.profile, kept, i)),
            "moved": {name: float(f"{s.contribution:.6g}") for name, s in moved.items()},
        }
    return found


def _pick(similarities: Similarities, pairs: Sequence[tuple[int, int]]) -> Similarities:
    """The similarities of some pairs, by pair: one look into each array instead of thousands."""
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    by_pair: dict[str, Any] = {
        name: dict(zip(pairs, values[first, second].tolist(), strict=True))
        for name, values in similarities.by_signal.items()
    }
    return replace(similarities, by_signal=by_pair)


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
