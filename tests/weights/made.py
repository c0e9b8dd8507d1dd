"""Labelled pairs made to measure."""

import numpy as np

from reducepp.labelled.signals import PairSignals
from reducepp.similarity.sparse import connect
from reducepp.types import Profile, Signal


def made_pairs(
    *, queries: int = 6, groups: int = 5, noise: float = 0.1, seed: int = 0
) -> PairSignals:
    """Each query has `groups` groups of two duplicates; every pair of its pages is labelled.

    Signal `good` is near 0.8 for duplicates and 0.2 for others, `weak` overlaps, `none` tells
    nothing and `absent` is missing everywhere.
    """
    random = np.random.default_rng(seed)
    pages = 2 * groups
    first, second = np.triu_indices(pages, 1)
    duplicate = np.tile(first // 2 == second // 2, queries)
    starts = np.repeat(np.arange(queries) * pages, len(first))
    a, b = np.tile(first, queries) + starts, np.tile(second, queries) + starts

    def around(high: float, low: float, spread: float) -> np.ndarray:
        middle = np.where(duplicate, high, low)
        return np.clip(middle + random.normal(0, spread, len(duplicate)), 0, 1)

    return PairSignals(
        by_signal={
            "good": around(0.8, 0.2, noise),
            "weak": around(0.6, 0.4, 0.2),
            "none": random.random(len(duplicate)),
            "absent": np.full(len(duplicate), np.nan),
        },
        duplicate=duplicate,
        first=a,
        second=b,
        query=np.repeat(np.arange(queries), len(first)),
        group=connect(queries * pages, a[duplicate], b[duplicate]),
    )


def made_profile() -> Profile:
    """A profile with the signals of `made_pairs`."""
    signals = tuple(
        Signal(name=name, content="body", measure="cosine", weight=0.25)
        for name in ("good", "weak", "none", "absent")
    )
    return Profile(name="made", signals=signals, threshold=0.5, missing="left out")
