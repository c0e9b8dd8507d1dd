"""Rules learned one after the other, in the manner of RIPPER (as in Huffman et al. 2007)."""

from __future__ import annotations

from typing import Any

import numpy as np

from reducepp.labelled.pairs import Bools
from reducepp.labelled.signals import PairSignals
from reducepp.similarity.models.rule_list import holds
from reducepp.types import Array
from reducepp.weights.learning.fit import DIGITS, Fit, as_shares, smoothed_share

MOST_RULES = 8
MOST_TESTS = 3
FEWEST_PAIRS = 2
"""A rule that finds fewer duplicates is not worth having."""
LOWEST_SHARE = 0.5
"""Of duplicates among the pairs for which a rule holds."""
CUTS = 64
"""Values of a signal that are tried as limits of a test."""


def fit_rules(pairs: PairSignals) -> Fit:
    """Grow a rule, set the pairs for which it holds aside, go on with the others.

    Tests ask for similarities over a limit only, so that more alike is never less a duplicate.
    A rule's score is its share of duplicates, with one pair of each kind added.
    """
    left = np.ones(len(pairs), dtype=bool)
    rules: list[dict[str, Any]] = []
    while len(rules) < MOST_RULES and (pairs.duplicate & left).sum() >= FEWEST_PAIRS:
        tests = _grow(pairs, left)
        covered = left & holds(tests, pairs.by_signal) if tests else np.zeros_like(left)
        found = int((covered & pairs.duplicate).sum())
        if found < FEWEST_PAIRS or found < LOWEST_SHARE * covered.sum():
            break
        rules.append({"score": smoothed_share(found, int(covered.sum())), "tests": tests})
        left &= ~covered
    otherwise = smoothed_share(int((left & pairs.duplicate).sum()), int(left.sum()))
    asked = [test["signal"] for rule in rules for test in rule["tests"]]
    return Fit(
        weights=as_shares({name: float(asked.count(name)) for name in pairs.by_signal}),
        model={"kind": "rules", "otherwise": otherwise, "rules": rules},
    )


def _grow(pairs: PairSignals, left: Bools) -> list[dict[str, Any]]:
    """Add the test of most information gain (FOIL's) until only duplicates are covered."""
    covered, tests = left.copy(), list[dict[str, Any]]()
    while len(tests) < MOST_TESTS and (covered & ~pairs.duplicate).any():
        options = [
            _best_test(name, values, covered, pairs.duplicate)
            for name, values in pairs.by_signal.items()
        ]
        gain, test = max(options, key=lambda option: option[0])
        if gain <= 0:
            break
        tests.append(test)
        covered &= holds([test], pairs.by_signal)
    return tests


def _best_test(
    name: str, values: Array, covered: Bools, duplicate: Bools
) -> tuple[float, dict[str, Any]]:
    """The limit of one signal that tells most, and how much: p × (log of new share - of old)."""
    usable = covered & ~np.isnan(values)
    here, real = values[usable], duplicate[usable]
    limits = _limits(here, real)
    if not len(limits):
        return 0.0, {}
    passed = here[None, :] > limits[:, None]
    old = np.log2((duplicate & covered).sum() / covered.sum())
    found, count = (passed & real).sum(axis=1), passed.sum(axis=1)
    shares = np.divide(found, count, out=np.zeros(len(limits)), where=count > 0)
    gains = np.where(found > 0, found * (np.log2(np.maximum(shares, 1e-12)) - old), 0.0)
    at = int(np.argmax(gains))
    return float(gains[at]), {"signal": name, "over": float(limits[at])}


def _limits(values: Array, duplicate: Bools) -> Array:
    """Half way between neighbouring values near the duplicates, few enough to try them all."""
    distinct = np.unique(values)
    if len(distinct) < 2 or not duplicate.any():
        return np.zeros(0)
    between = (distinct[:-1] + distinct[1:]) / 2
    near = np.unique(np.searchsorted(between, values[duplicate]))
    picked = np.unique(np.clip(np.concatenate([near - 1, near]), 0, len(between) - 1))
    step = max(1, -(-len(picked) // CUTS))
    return np.unique(between[picked[::step]].round(DIGITS))
