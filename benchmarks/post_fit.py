"""Logistic regression on labelled pairs of posts, and its honest figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reducepp.types import Array

FOLDS, ROUNDS = 10, 5


class Fit:
    """Cost-sensitive logistic regression; a missing value counts as the mean."""

    def __init__(self, values: Array, duplicate: Array) -> None:
        from sklearn.linear_model import LogisticRegression

        self.mean = np.nanmean(values, axis=0)
        filled = np.where(np.isnan(values), self.mean, values)
        spread = np.maximum(filled.std(axis=0), 1e-9)
        model = LogisticRegression(C=0.3, class_weight="balanced", max_iter=5000)
        model.fit((filled - self.mean) / spread, duplicate)
        self.coefficients: Array = model.coef_[0] / spread
        self.intercept = float(model.intercept_[0] - self.coefficients @ self.mean)

    def odds(self, values: Array) -> Array:
        """Logarithm of the odds that each pair is a duplicate."""
        filled = np.where(np.isnan(values), self.mean, values)
        odds: Array = filled @ self.coefficients + self.intercept
        return odds


def best_cut(odds: Array, duplicate: Array) -> tuple[float, float]:
    """The highest F1 over all cuts, and the middle of the gap below the last pair taken."""
    order = np.argsort(-odds, kind="stable")
    hits = np.cumsum(duplicate[order])
    f1 = 2 * hits / (np.arange(1, len(odds) + 1) + duplicate.sum())
    at = int(np.argmax(f1))
    below = odds[order[min(at + 1, len(odds) - 1)]]
    return float(f1[at]), float((odds[order[at]] + below) / 2)


def folds_of(pairs: Sequence[Mapping[str, Any]], seed: int) -> Array:
    """A fold for every pair; pairs that share their first post stay together."""
    numbers: dict[str, int] = {}
    group = np.array([numbers.setdefault(p["a"]["body"], len(numbers)) for p in pairs])
    shuffled = np.random.default_rng(seed).permutation(len(numbers))
    fold: Array = shuffled[group] % FOLDS
    return fold


def out_of_fold(values: Array, votes: Array, fold: Array) -> Array:
    """Every pair's odds by a model that saw none of its group; undecided pairs teach nothing."""
    odds = np.zeros(len(votes))
    for number in range(FOLDS):
        taught = (fold != number) & (votes != 3)
        odds[fold == number] = Fit(values[taught], votes[taught] >= 4).odds(values[fold == number])
    return odds


def honest_scores(odds: Array, votes: Array, fold: Array) -> tuple[float, float, float]:
    """Precision, recall, F1 where each fold's cut was chosen on the others."""
    taken = np.zeros(len(votes), dtype=bool)
    for number in range(FOLDS):
        others = (fold != number) & (votes != 3)
        taken[fold == number] = (
            odds[fold == number] >= best_cut(odds[others], votes[others] >= 4)[1]
        )
    taken, duplicate = taken[votes != 3], votes[votes != 3] >= 4
    hits = float((taken & duplicate).sum())
    precision, recall = hits / max(taken.sum(), 1), hits / duplicate.sum()
    return precision, recall, 2 * hits / float(taken.sum() + duplicate.sum())


def cross_validate(pairs: Sequence[Mapping[str, Any]], values: Array) -> tuple[Array, float]:
    """Precision, recall, F1 at a cut of our own and F1 in hindsight; and the mean cut."""
    votes = np.array([pair["votes"] for pair in pairs])
    found, cuts = [], []
    for seed in range(ROUNDS):
        fold = folds_of(pairs, seed)
        odds = out_of_fold(values, votes, fold)
        top, cut = best_cut(odds[votes != 3], votes[votes != 3] >= 4)
        found.append([*honest_scores(odds, votes, fold), top])
        cuts.append(cut)
    return np.mean(found, axis=0), float(np.mean(cuts))
