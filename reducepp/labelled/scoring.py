"""Scored pairs against their labels: precision, recall, F, average precision, best threshold.

A pair is predicted a duplicate where its score is at least the threshold. Every pair may carry a
weight, and many sets of weights are computed at once: that is what resampling needs. The human
baseline: how well people who labelled the same pairs agree with each other.

Clusters found against true clusters: B-cubed and adjusted Rand, as sums over components. A
*component* is what true and found clusters together connect: pages of two components share a
cluster neither by the truth nor as found. So each score is made of sums over components, and a
resample of components is a weighted sum. Drawing pages instead would change every cluster a page
is missing from or twice in, and two copies of a page are always together: both flatter the scores.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from reducepp.evidence.click_kinds import CLICK_KINDS
from reducepp.labelled.reading import Labels, PairLabel
from reducepp.similarity.sparse import connect
from reducepp.types import Array, Bools, Integers

CLUSTER_SCORES = ("b_cubed_precision", "b_cubed_recall", "b_cubed_f1", "adjusted_rand")

Key = tuple[str, str, str]
Value = TypeVar("Value")


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

    def figures(self) -> list[Array]:
        """Precision, recall and F at the first threshold."""
        return [self.precision[:, 0], self.recall[:, 0], self.f1[:, 0]]


def rank_pairs(scores: Array, duplicate: Bools) -> Ranking:
    """Order pairs by score, highest first."""
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    ends = np.flatnonzero(np.append(np.diff(falling) != 0, True)) if len(falling) else order
    ordered = duplicate[order].astype(np.float64)
    return Ranking(order=order, duplicate=ordered, ends=ends, levels=falling[ends])


def count_at(ranking: Ranking, thresholds: Array, weights: Array | None = None) -> Counts:
    """Counts at each threshold: k sets of weights × thresholds."""
    every = count_all(ranking, weights)
    above = np.searchsorted(-ranking.levels, -np.asarray(thresholds), side="right")
    correct, predicted = (
        np.pad(counts, ((0, 0), (1, 0)))[:, above] for counts in (every.correct, every.predicted)
    )
    return Counts(correct=correct, predicted=predicted, labelled=every.labelled)


def count_all(ranking: Ranking, weights: Array | None = None) -> Counts:
    """Counts at each distinct score: k sets of weights × distinct scores.

    `weights` is k sets × pairs, in the order the pairs were given; None counts each pair as 1.
    """
    if weights is None:
        weights = np.ones((1, len(ranking.order)))
    ordered = weights[:, ranking.order]
    correct = np.cumsum(ordered * ranking.duplicate, axis=1)
    labelled = correct[:, -1:] if correct.shape[1] else np.zeros((len(weights), 1))
    ends, predicted = ranking.ends, np.cumsum(ordered, axis=1)
    return Counts(correct=correct[:, ends], predicted=predicted[:, ends], labelled=labelled)


def average_precision(every: Counts) -> Array:
    """Mean precision over the duplicates, ties taken together; NaN where there is none.

    Sum over distinct scores of the recall gained there times the precision there.
    """
    gained = np.diff(every.correct, axis=1, prepend=0)
    precision = np.nan_to_num(every.precision, nan=0.0)
    return _ratio((gained * precision).sum(axis=1), every.labelled[:, 0])


def threshold_goals(every: Counts, precision: float = 0.0) -> Array:
    """F at each distinct score, or recall where a wanted precision is reached; else -1."""
    if not precision:
        return np.nan_to_num(every.f1, nan=-1.0)
    reached = np.where(every.precision >= precision - 1e-12, every.recall, -1.0)
    return np.nan_to_num(reached, nan=-1.0)


def best_threshold(ranking: Ranking, *, precision: float = 0.0) -> float:
    """The threshold with the best F, or the best recall at a wanted precision.

    Midway between the last score at or above it and the next, to four decimals where that still
    separates them; NaN where there is no duplicate or the precision is never reached.
    """
    goals = threshold_goals(count_all(ranking), precision)[0]
    if not (goals > 0).any():
        return float("nan")
    high, low = np.append(ranking.levels, 0.0)[int(np.argmax(goals)) :][:2].tolist()
    middle = (low + high) / 2
    rounded = round(middle, 4)
    found: float = rounded if low < rounded <= high else middle if low < middle else high
    return found


def _ratio(part: Array, whole: Array) -> Array:
    part, whole = np.broadcast_arrays(part, whole)
    return np.asarray(np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole != 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """What each component of two clusterings adds to the scores."""

    query: Integers
    """Number of each component's query."""
    sums: Array
    """Components × (pages, B-cubed precision and recall summed over them, pairs of pages that are
    together in both clusterings, in the true one, in the found one)."""

    def by_query(self) -> Array:
        names, numbers = np.unique(self.query, return_inverse=True)
        return _add_up(self.sums, numbers, len(names))


def score_clusters(sums: Array) -> Array:
    """The four scores of k sets of sums, k × 6: scores × k.

    B-cubed is the mean over pages of two shares: of the pages in a page's cluster those that
    belong there, and of the pages that belong there those that are in it (Bagga and Baldwin 1998).
    The same clusters score 1; NaN without pages, adjusted Rand also with a single one.
    """
    pages, precision, recall, both, true, found = sums.T
    every = pages * (pages - 1) / 2
    expected = _ratio(true * found, every)
    rand = _ratio(both - expected, (true + found) / 2 - expected)
    rand[(both == true) & (both == found) & (every > 0)] = 1.0
    precision, recall = _ratio(precision, pages), _ratio(recall, pages)
    return np.stack([precision, recall, _ratio(2 * precision * recall, precision + recall), rand])


def find_components(truth: Integers, found: Integers, query: Integers) -> Components:
    """Components of two clusterings of the same pages; no cluster has pages of two queries."""
    _, truth = np.unique(truth, return_inverse=True)
    _, found = np.unique(found, return_inverse=True)
    _, meeting = np.unique(truth * (len(found) + 1) + found, return_inverse=True)
    both, true, own = (np.bincount(names)[names] for names in (meeting, truth, found))
    parts = [np.ones(len(truth)), both / own, both / true]
    parts += [(size - 1) / 2 for size in (both, true, own)]  # a pair is half of either page's
    offset = len(truth)
    joined = connect(2 * offset, truth, offset + found)[truth]
    _, first, numbers = np.unique(joined, return_index=True, return_inverse=True)
    sums = _add_up(np.stack(parts, axis=1), numbers, len(first))
    return Components(query=query[first], sums=sums)


def _add_up(values: Array, numbers: Integers, count: int) -> Array:
    """Sums of the rows with the same number."""
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, numbers, values)
    return sums


def rater_rows(labels: Labels) -> list[dict[str, Any]]:
    """Agreement of every two raters on the pairs that both decided; empty without such pairs.

    Precision and recall read the second rater's labels as the truth; F is the same either way.
    Kappa is Cohen's; NaN where both gave one and the same label throughout.
    """
    by_rater = _by_rater(labels, lambda label: label.duplicate)
    rows = []
    for one, other, both in _in_common(by_rater):
        mine, theirs = np.array(both, dtype=bool).T
        counts = count_at(rank_pairs(mine.astype(np.float64), theirs), np.ones(1))
        row = {"rater": one, "against": other, "pairs": len(both)}
        row |= {"duplicates": int(theirs.sum()), "agreement": float((mine == theirs).mean())}
        row["kappa"] = _kappa(np.histogram2d(mine, theirs, 2, ((0, 1), (0, 1)))[0])
        figures = zip(("precision", "recall", "F"), counts.figures(), strict=True)
        rows.append(row | {name: float(values[0]) for name, values in figures})
    return rows


def kind_rows(labels: Labels) -> list[dict[str, Any]]:
    """How often two judges of one pair gave each two kinds, and their agreement; empty without.

    One row per kind of the first judge; the last row has the share of equal kinds and Cohen's
    kappa. Every two judges of a pair count once, in the order of their names.
    """
    by_rater = _by_rater([label for label in labels if label.kind], lambda label: label.kind)
    found = [pair for _, _, both in _in_common(by_rater) for pair in both]
    if not found:
        return []
    counts = np.zeros((len(CLICK_KINDS), len(CLICK_KINDS)), dtype=np.int64)
    for mine, theirs in found:
        counts[CLICK_KINDS.index(mine), CLICK_KINDS.index(theirs)] += 1
    rows: list[dict[str, Any]] = [
        {"judge 1 \\ judge 2": kind, **dict(zip(CLICK_KINDS, row, strict=True))}
        for kind, row in zip(CLICK_KINDS, counts.tolist(), strict=True)
    ]
    agreed = float(np.trace(counts) / counts.sum())
    last = {"judge 1 \\ judge 2": "agreement", CLICK_KINDS[0]: agreed, CLICK_KINDS[1]: "kappa"}
    return [
        *rows,
        last
        | {CLICK_KINDS[2]: _kappa(counts), CLICK_KINDS[3]: "pairs", CLICK_KINDS[4]: len(found)},
    ]


def _by_rater(labels: Labels, value: Callable[[PairLabel], Value]) -> dict[str, dict[Key, Value]]:
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


def _in_common(
    by_rater: Mapping[str, Mapping[Key, Value]],
) -> Iterator[tuple[str, str, list[tuple[Value, Value]]]]:
    """Every two raters with what both gave to each pair that both decided."""
    for one, other in combinations(sorted(by_rater), 2):
        mine, theirs = by_rater[one], by_rater[other]
        if both := [(mine[key], theirs[key]) for key in sorted(mine.keys() & theirs.keys())]:
            yield one, other, both


def _kappa(counts: np.ndarray[Any, Any]) -> float:
    """Cohen's kappa of a table of how often two raters gave each two labels."""
    shares = counts / counts.sum()
    agreed, chance = float(np.trace(shares)), float(shares.sum(axis=0) @ shares.sum(axis=1))
    return (agreed - chance) / (1 - chance) if chance < 1 else float("nan")
