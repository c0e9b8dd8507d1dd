"""Rules learned one after the other: one-sided ones, and RIPPER's, which test both ways and prune.

RIPPER (Cohen 1995) is what Huffman et al. (2007) used; one of its rules asks for "same domain =
false". The one-sided rules ask for similarities over a limit only, so that a higher similarity
never makes a pair less of a duplicate.
"""

from typing import Any

import numpy as np

from reducepp.labelled.signals import PairSignals
from reducepp.similarity.models.rule_list import holds
from reducepp.types import Array, Bools
from reducepp.weights.learning.fit import DIGITS, Fit, as_shares, smoothed_share

Tests = list[dict[str, Any]]

MAX_RULES = 8
MAX_TESTS = 3
"""Of a one-sided rule; RIPPER's are shortened by pruning instead."""
MIN_DUPLICATES = 2
"""A rule that finds fewer duplicates is not kept: one pair is chance."""
MIN_PRECISION = 0.5
"""Of a rule, as in RIPPER: below it the rule would be wrong more often than right."""
GROWING_SHARE = 2 / 3
"""Of the pairs that RIPPER grows a rule on; the rest prune it (Cohen 1995)."""
MAX_LIMITS = 64
"""Values of a signal that are tried as limits of a test."""


def fit_rules(pairs: PairSignals) -> Fit:
    """One-sided rules: grow one, set the pairs for which it holds aside, go on with the others."""
    return _fit(pairs, lambda left: _grow(pairs, left, ways=("over",), longest=MAX_TESTS))


def fit_ripper(pairs: PairSignals) -> Fit:
    """RIPPER's rules: tests over and under limits, each rule grown on two thirds and pruned."""
    random = np.random.default_rng(0)

    def make_rule(left: Bools) -> Tests:
        growing = left & _stratified(pairs.duplicate, random)
        tests = _grow(pairs, growing, ways=("over", "under"), longest=len(pairs.by_signal))
        return _prune(pairs, left & ~growing, tests)

    return _fit(pairs, make_rule)


def _fit(pairs: PairSignals, make_rule: Any) -> Fit:
    """Rules until too few duplicates are left; a rule's score is its smoothed precision."""
    left = np.ones(len(pairs), dtype=bool)
    rules: list[dict[str, Any]] = []
    while len(rules) < MAX_RULES and (pairs.duplicate & left).sum() >= MIN_DUPLICATES:
        tests = make_rule(left)
        covered = left & holds(tests, pairs.by_signal) if tests else np.zeros_like(left)
        found = int((covered & pairs.duplicate).sum())
        if found < MIN_DUPLICATES or found < MIN_PRECISION * covered.sum():
            break
        rules.append({"score": smoothed_share(found, int(covered.sum())), "tests": tests})
        left &= ~covered
    otherwise = smoothed_share(int((left & pairs.duplicate).sum()), int(left.sum()))
    used = [test["signal"] for rule in rules for test in rule["tests"]]
    return Fit(
        weights=as_shares({name: float(used.count(name)) for name in pairs.by_signal}),
        model={"kind": "rules", "otherwise": otherwise, "rules": rules},
    )


def _stratified(duplicate: Bools, random: np.random.Generator) -> Bools:
    """Two thirds of the duplicates, and of the others."""
    chosen = np.zeros(len(duplicate), dtype=bool)
    for kind in (duplicate, ~duplicate):
        rows = random.permutation(np.flatnonzero(kind))
        chosen[rows[: int(np.ceil(len(rows) * GROWING_SHARE))]] = True
    return chosen


def _grow(pairs: PairSignals, left: Bools, *, ways: tuple[str, ...], longest: int) -> Tests:
    """Add the test of most information gain (FOIL's) until only duplicates are covered."""
    covered, tests = left.copy(), Tests()
    while len(tests) < longest and (covered & ~pairs.duplicate).any():
        if not (covered & pairs.duplicate).any():
            break
        options = [
            _best_test(name, values, covered, pairs.duplicate, way)
            for name, values in pairs.by_signal.items()
            for way in ways
        ]
        gain, test = max(options, key=lambda option: option[0])
        if gain <= 0:
            break
        tests.append(test)
        covered &= holds([test], pairs.by_signal)
    return tests


def _prune(pairs: PairSignals, pruning: Bools, tests: Tests) -> Tests:
    """Drop final tests where (p - n) / (p + n) on the pruning pairs does not fall."""
    best, value = tests, -1.0
    for length in range(1, len(tests) + 1):
        covered = pruning & holds(tests[:length], pairs.by_signal)
        right, total = int((covered & pairs.duplicate).sum()), int(covered.sum())
        worth = (2 * right - total) / total if total else -1.0
        if worth > value:
            best, value = tests[:length], worth
    return best


def _best_test(
    name: str, values: Array, covered: Bools, duplicate: Bools, way: str
) -> tuple[float, dict[str, Any]]:
    """The limit of one signal with the highest gain: p × (log of the new share - of the old)."""
    usable = covered & ~np.isnan(values)
    here, real = values[usable], duplicate[usable]
    limits = _limits(here, real)
    if not len(limits):
        return 0.0, {}
    over = here[None, :] > limits[:, None]
    passed = over if way == "over" else ~over
    old = np.log2((duplicate & covered).sum() / covered.sum())
    found, count = (passed & real).sum(axis=1), passed.sum(axis=1)
    shares = np.divide(found, count, out=np.zeros(len(limits)), where=count > 0)
    gains = np.where(found > 0, found * (np.log2(np.maximum(shares, 1e-12)) - old), 0.0)
    at = int(np.argmax(gains))
    return float(gains[at]), {"signal": name, way: float(limits[at])}


def _limits(values: Array, duplicate: Bools) -> Array:
    """Half way between neighbouring values near the duplicates, few enough to try them all."""
    distinct = np.unique(values)
    if len(distinct) < 2 or not duplicate.any():
        return np.zeros(0)
    between = (distinct[:-1] + distinct[1:]) / 2
    near = np.unique(np.searchsorted(between, values[duplicate]))
    picked = np.unique(np.clip(np.concatenate([near - 1, near]), 0, len(between) - 1))
    step = max(1, -(-len(picked) // MAX_LIMITS))
    return np.unique(between[picked[::step]].round(DIGITS))
