"""Scored pairs against judgements: precision, recall, F, average precision, with weights.

A pair is called a duplicate where its score is at least the threshold. Every pair may carry a
weight, and many sets of weights are worked out at once: that is what resampling needs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reducepp.types import Array

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Pairs from the highest score down; `ends` are the places where a run of equal scores ends."""

    order: Integers
    duplicate: Array
    """1 or 0 in the ranking's order."""
    ends: Integers
    levels: Array
    """The distinct scores, highest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Weights of pairs; arrays that fit each other, one entry a threshold or a resample."""

    right: Array
    """Called duplicate, and is."""
    called: Array
    wanted: Array

    @property
    def precision(self) -> Array:
        """Share of the called that are right; NaN where none is called."""
        return _ratio(self.right, self.called)

    @property
    def recall(self) -> Array:
        """Share of the wanted that are found; NaN where none is wanted."""
        return _ratio(self.right, self.wanted)

    @property
    def f1(self) -> Array:
        """Harmonic mean of the two; 0 where nothing right is found, NaN without any duplicate."""
        return np.where(self.wanted > 0, _ratio(2 * self.right, self.called + self.wanted), np.nan)


def rank_pairs(scores: Array, duplicate: Bools) -> Ranking:
    """Order pairs by score, highest first."""
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    ends = np.flatnonzero(np.append(np.diff(falling) != 0, True)) if len(falling) else order
    return Ranking(
        order=order,
        duplicate=duplicate[order].astype(np.float64),
        ends=ends,
        levels=falling[ends],
    )


def find_at(ranking: Ranking, thresholds: Array, weights: Array | None = None) -> Found:
    """What is found at each threshold: weights of k sets × thresholds."""
    every = find_all(ranking, weights)
    above = np.searchsorted(-ranking.levels, -np.asarray(thresholds), side="right")
    nothing = np.zeros((len(every.right), 1))
    return Found(
        right=np.hstack([nothing, every.right])[:, above],
        called=np.hstack([nothing, every.called])[:, above],
        wanted=every.wanted,
    )


def find_all(ranking: Ranking, weights: Array | None = None) -> Found:
    """What is found at each distinct score: weights of k sets × distinct scores.

    `weights` is k sets × pairs, in the order the pairs were given; none counts each pair as 1.
    """
    if weights is None:
        weights = np.ones((1, len(ranking.order)))
    ordered = weights[:, ranking.order]
    right = np.cumsum(ordered * ranking.duplicate, axis=1)
    wanted = right[:, -1:] if right.shape[1] else np.zeros((len(weights), 1))
    called = np.cumsum(ordered, axis=1)
    return Found(right=right[:, ranking.ends], called=called[:, ranking.ends], wanted=wanted)


def average_precision(every: Found) -> Array:
    """Mean precision over the duplicates, ties taken together; NaN where there is none.

    Sum over distinct scores of the recall gained there times the precision there.
    """
    gained = np.diff(every.right, axis=1, prepend=0)
    precision = np.nan_to_num(every.precision, nan=0.0)
    return _ratio((gained * precision).sum(axis=1), every.wanted[:, 0])


def best_threshold(ranking: Ranking, *, precision: float = 0.0) -> float:
    """The threshold with the best F, or the best recall at a wanted precision.

    Midway between the last score that is called and the next, to four decimals where that still
    parts them; NaN where there is no duplicate or the precision is never reached.
    """
    every = find_all(ranking)
    if not every.wanted[0, 0]:
        return float("nan")
    goal = every.f1[0]
    if precision:
        reached = every.precision[0] >= precision - 1e-12
        if not (reached & (every.right[0] > 0)).any():
            return float("nan")
        goal = np.where(reached, every.recall[0], -1.0)
    place = int(np.argmax(goal))
    after = ranking.levels[place + 1] if place + 1 < len(ranking.levels) else 0.0
    return _between(float(after), float(ranking.levels[place]))


def _between(low: float, high: float) -> float:
    middle = (low + high) / 2
    rounded = round(middle, 4)
    return rounded if low < rounded <= high else middle if low < middle else high


def _ratio(part: Array, whole: Array) -> Array:
    part, whole = np.broadcast_arrays(part, whole)
    ratio: Array = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return ratio
