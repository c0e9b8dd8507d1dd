"""Precision, recall and F of scored pairs, with intervals; thresholds chosen for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reducepp.types import Array
from reducepp.weights.learning.judged import Bools, Integers

DRAWS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A measured value with a 95 % bootstrap interval; NaN where nothing defines it."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How well duplicates were told from different pairs."""

    precision: Figure
    recall: Figure
    f: Figure


def count_figures(said: Bools, duplicate: Bools, weight: Array) -> tuple[float, float, float]:
    """Precision (NaN where nothing is called duplicate), recall, and F = 2PR / (P + R)."""
    hits = float((weight * (said & duplicate)).sum())
    called, real = float((weight * said).sum()), float((weight * duplicate).sum())
    precision = hits / called if called else float("nan")
    recall = hits / real if real else float("nan")
    return precision, recall, 2 * hits / (called + real) if called + real else float("nan")


def figures(
    said: Bools, duplicate: Bools, units: tuple[Integers, Integers], *, weight: Array | None = None
) -> Figures:
    """Figures with intervals from drawing groups of pages anew, with replacement.

    Pairs are not independent, so groups of pages are drawn: a pair counts as often as its group
    was drawn, a pair between two groups as the product of the two counts.
    """
    weight = np.ones(len(said)) if weight is None else weight
    names, numbers = np.unique(np.concatenate(units), return_inverse=True)
    first, second = numbers[: len(said)], numbers[len(said) :]
    random = np.random.default_rng(0)
    drawn = []
    for _ in range(DRAWS):
        times = np.bincount(random.integers(0, len(names), len(names)), minlength=len(names))
        often = np.where(first == second, times[first], times[first] * times[second])
        drawn.append(count_figures(said, duplicate, weight * often))
    values = count_figures(said, duplicate, weight)
    columns = np.array(drawn).T
    made = [_figure(value, row) for value, row in zip(values, columns, strict=True)]
    return Figures(precision=made[0], recall=made[1], f=made[2])


def _figure(value: float, drawn: Array) -> Figure:
    real = drawn[~np.isnan(drawn)]
    low, high = np.quantile(real, [0.025, 0.975]) if len(real) else (np.nan, np.nan)
    return Figure(value=value, low=float(low), high=float(high))


def choose_threshold(scores: Array, duplicate: Bools, *, precision: float | None = None) -> float:
    """The threshold for the best F, or the lowest one that reaches a wanted precision.

    It lies half way between the last score that is called a duplicate and the next below. Where
    no threshold reaches the wanted precision, the one with the best precision is taken.
    """
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], np.cumsum(duplicate[order])
    last = np.flatnonzero(np.diff(ranked, append=-1.0) != 0)  # where the next score is lower
    called = last + 1
    if precision is None:
        best = last[np.argmax(2 * hits[last] / (called + duplicate.sum()))]
    else:
        reached = hits[last] / called
        wanted = np.flatnonzero(reached >= precision)
        best = last[wanted[-1]] if len(wanted) else last[np.argmax(reached)]
    following = ranked[best + 1] if best + 1 < len(ranked) else 0.0
    return float(round((ranked[best] + following) / 2, 6))


def average_precision(scores: Array, duplicate: Bools) -> float:
    """Mean precision at each duplicate, best scores first; equal scores count as one step."""
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], np.cumsum(duplicate[order])
    last = np.flatnonzero(np.diff(ranked, append=-1.0) != 0)
    gained = np.diff(hits[last], prepend=0)
    return float((gained * hits[last] / (last + 1)).sum() / max(int(duplicate.sum()), 1))
