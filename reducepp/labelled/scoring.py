"""Scored pairs against their labels: precision, recall, F, average precision, best threshold.

A pair is predicted a duplicate where its score is at least the threshold. Every pair may carry a
weight, and many sets of weights are computed at once: that is what resampling needs.
"""

from dataclasses import dataclass

import numpy as np

from reducepp.types import Array, Bools, Integers


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
class Counts:
    """Summed weights of pairs; arrays of one shape, an entry per threshold or resample."""

    correct: Array
    """Predicted a duplicate, and labelled one: true positives."""
    predicted: Array
    labelled: Array

    @property
    def precision(self) -> Array:
        """Correct over predicted; NaN where none is predicted."""
        return _ratio(self.correct, self.predicted)

    @property
    def recall(self) -> Array:
        """Correct over labelled; NaN without a labelled duplicate."""
        return _ratio(self.correct, self.labelled)

    @property
    def f1(self) -> Array:
        """Harmonic mean of the two; 0 where nothing is correct, NaN without any duplicate."""
        f1 = _ratio(2 * self.correct, self.predicted + self.labelled)
        return np.where(self.labelled > 0, f1, np.nan)


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


def count_at(ranking: Ranking, thresholds: Array, weights: Array | None = None) -> Counts:
    """Counts at each threshold: k sets of weights × thresholds."""
    every = count_all(ranking, weights)
    above = np.searchsorted(-ranking.levels, -np.asarray(thresholds), side="right")
    nothing = np.zeros((len(every.correct), 1))
    return Counts(
        correct=np.hstack([nothing, every.correct])[:, above],
        predicted=np.hstack([nothing, every.predicted])[:, above],
        labelled=every.labelled,
    )


def count_all(ranking: Ranking, weights: Array | None = None) -> Counts:
    """Counts at each distinct score: k sets of weights × distinct scores.

    `weights` is k sets × pairs, in the order the pairs were given; None counts each pair as 1.
    """
    if weights is None:
        weights = np.ones((1, len(ranking.order)))
    ordered = weights[:, ranking.order]
    correct = np.cumsum(ordered * ranking.duplicate, axis=1)
    labelled = correct[:, -1:] if correct.shape[1] else np.zeros((len(weights), 1))
    predicted = np.cumsum(ordered, axis=1)
    return Counts(
        correct=correct[:, ranking.ends], predicted=predicted[:, ranking.ends], labelled=labelled
    )


def average_precision(every: Counts) -> Array:
    """Mean precision over the duplicates, ties taken together; NaN where there is none.

    Sum over distinct scores of the recall gained there times the precision there.
    """
    gained = np.diff(every.correct, axis=1, prepend=0)
    precision = np.nan_to_num(every.precision, nan=0.0)
    return _ratio((gained * precision).sum(axis=1), every.labelled[:, 0])


def best_threshold(ranking: Ranking, *, precision: float = 0.0) -> float:
    """The threshold with the best F, or the best recall at a wanted precision.

    Midway between the last score at or above it and the next, to four decimals where that still
    separates them; NaN where there is no duplicate or the precision is never reached.
    """
    every = count_all(ranking)
    if not every.labelled[0, 0]:
        return float("nan")
    goal = every.f1[0]
    if precision:
        reached = every.precision[0] >= precision - 1e-12
        if not (reached & (every.correct[0] > 0)).any():
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
