"""Small decision trees and lists of rules that a person can read.

Trees: CART with entropy, and C4.5 (Quinlan 1993), gain ratio with pessimistic pruning. Rules,
learned one after the other: one-sided ones, and RIPPER's (Cohen 1995), which test both ways and
prune. C4.5 and RIPPER are what Huffman et al. (2007) used; one of their rules asks for "same
domain = false". In the other two a higher similarity never makes a pair less of a duplicate.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from reducepp.errors import needs_extra
from reducepp.labelled.signals import PairSignals
from reducepp.similarity.models.rule_list import holds
from reducepp.types import Array, Bools
from reducepp.weights.learning.regression import (
    DIGITS,
    Fit,
    as_shares,
    impute_means,
    smoothed_share,
)

Tests = list[dict[str, Any]]

MAX_DEPTH = 4
"""Tests on a path of a tree."""
MIN_LEAF = 3
"""Pairs at least in a leaf."""
CONFIDENCE = 0.25
"""C4.5's default for pruning."""
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


def fit_tree(pairs: PairSignals) -> Fit:
    """A tree of at most four tests on a path and at least three pairs per leaf.

    A higher similarity never lowers the score (monotonic constraints). A missing value counts as
    the mean of those that are there.
    """
    with needs_extra("learning a tree", "evaluate"):
        from sklearn.tree import DecisionTreeClassifier
    values, means = impute_means(pairs)
    grown = DecisionTreeClassifier(
        criterion="entropy",
        max_depth=MAX_DEPTH,
        min_samples_leaf=MIN_LEAF,
        monotonic_cst=[1] * values.shape[1],
        random_state=0,
    ).fit(values, pairs.duplicate)
    names = list(pairs.by_signal)
    nodes = _nodes(grown.tree_, names, means)
    _score_nodes(nodes, pairs)
    sizes = dict(zip(names, grown.feature_importances_.tolist(), strict=True))
    return Fit(weights=as_shares(sizes), model={"kind": "tree", "nodes": nodes})


def _nodes(tree: Any, names: list[str], means: Mapping[str, float]) -> list[dict[str, Any]]:
    """scikit-learn's arrays as tables; it numbers a node before its children."""
    nodes: list[dict[str, Any]] = []
    for i in range(tree.node_count):
        node: dict[str, Any] = {"score": 0.0}
        if tree.children_left[i] >= 0:
            name, over = names[tree.feature[i]], round(float(tree.threshold[i]), DIGITS)
            ends = int(tree.children_left[i]), int(tree.children_right[i])
            node |= _inner_node(name, over, ends, means)
        nodes.append(node)
    return nodes


def _inner_node(
    name: str, over: float, ends: tuple[int, int], means: Mapping[str, float]
) -> dict[str, Any]:
    """The test of a node, and the nodes it leads to: not over, over."""
    way = "yes" if means[name] > over else "no"
    return {"signal": name, "over": over, "no": ends[0], "yes": ends[1], "missing": way}


def _score_nodes(nodes: list[dict[str, Any]], pairs: PairSignals) -> None:
    """Score every node by the pairs that come to it, by the numbers as written."""
    here: dict[int, Bools] = {0: np.ones(len(pairs), dtype=bool)}
    for number, node in enumerate(nodes):
        at = here[number]
        node["score"] = smoothed_share(int((at & pairs.duplicate).sum()), int(at.sum()))
        if "signal" in node:
            values = pairs.by_signal[node["signal"]]
            is_over = np.where(np.isnan(values), node["missing"] == "yes", values > node["over"])
            here[node["yes"]], here[node["no"]] = at & is_over, at & ~is_over


def fit_c45(pairs: PairSignals) -> Fit:
    """C4.5: the split of the best gain ratio among those of at least average gain, then pruned.

    Unlike `fit_tree` a test may lower the score of a more similar pair, as in the original.
    """
    grown = _C45(pairs)
    grown.grow(grown.values, pairs.duplicate)
    _score_nodes(grown.nodes, pairs)
    return Fit(weights=as_shares(grown.gains), model={"kind": "tree", "nodes": grown.nodes})


class _C45:
    """The nodes of a tree, a node before its children, and what each signal gained in all."""

    def __init__(self, pairs: PairSignals) -> None:
        self.values, self.means = impute_means(pairs)
        self.gains = dict.fromkeys(pairs.by_signal, 0.0)
        self.nodes: list[dict[str, Any]] = []

    def grow(self, values: Array, duplicate: Bools, depth: int = 0) -> float:
        """Append the subtree of these pairs; its pessimistic errors."""
        number, own = len(self.nodes), _pessimistic_errors(duplicate)
        self.nodes.append({"score": 0.0})
        split = _best_split(values, duplicate) if depth < MAX_DEPTH else None
        if split is None:
            return own
        column, limit, gain = split
        name, over = list(self.gains)[column], values[:, column] > limit
        errors = self.grow(values[~over], duplicate[~over], depth + 1)
        last = len(self.nodes)
        errors += self.grow(values[over], duplicate[over], depth + 1)
        if errors >= own:  # the leaf is expected to err no more often than the subtree
            del self.nodes[number + 1 :]
            return own
        self.nodes[number] |= _inner_node(name, limit, (number + 1, last), self.means)
        self.gains[name] += gain * len(duplicate)
        return errors


def _best_split(values: Array, duplicate: Bools) -> tuple[int, float, float] | None:
    """(column, limit, gain) of the best gain ratio; None where nothing gains."""
    options = [
        (column, limit, *_gain(values[:, column] > limit, duplicate))
        for column in range(values.shape[1])
        for limit in _limits_of(values[:, column])
    ]
    useful = [option for option in options if option[2] > 1e-9]
    if not useful:
        return None
    average = float(np.mean([option[2] for option in useful]))
    good = (option for option in useful if option[2] >= average - 1e-12)
    return max(good, key=lambda option: option[3])[:3]


def _limits_of(values: Array) -> list[float]:
    distinct = np.unique(values)
    between = ((distinct[:-1] + distinct[1:]) / 2).round(DIGITS)
    limits: list[float] = np.unique(_few(between)).tolist()
    return limits


def _few(limits: Array) -> Array:
    """At most `MAX_LIMITS` of them, at equal steps."""
    return limits[:: max(1, -(-len(limits) // MAX_LIMITS))]


def _gain(over: Bools, duplicate: Bools) -> tuple[float, float]:
    """Information gain of a split and its ratio to the split's own entropy; 0 for small leaves."""
    if min(int(over.sum()), int((~over).sum())) < MIN_LEAF:
        return 0.0, 0.0
    share = float(over.mean())
    yes, no = _entropy(duplicate[over].mean()), _entropy(duplicate[~over].mean())
    inside = share * yes + (1 - share) * no
    gain = _entropy(duplicate.mean()) - inside
    return gain, gain / _entropy(share)


def _entropy(share: float) -> float:
    parts = np.array([share, 1 - share])
    parts = parts[parts > 0]
    return float(-(parts * np.log2(parts)).sum())


def _pessimistic_errors(duplicate: Bools) -> float:
    """Upper bound of the errors of a leaf at C4.5's confidence (Clopper-Pearson)."""
    from scipy.stats import beta

    pairs, wrong = len(duplicate), int(min(duplicate.sum(), (~duplicate).sum()))
    return float(pairs * beta.ppf(1 - CONFIDENCE, wrong + 1, pairs - wrong)) if pairs else 0.0


def fit_rules(pairs: PairSignals) -> Fit:
    """One-sided rules: grow one, set the pairs for which it holds aside, go on with the others."""
    return _fit_rules(pairs, lambda left: _grow(pairs, left, ways=("over",), longest=MAX_TESTS))


def fit_ripper(pairs: PairSignals) -> Fit:
    """RIPPER's rules: tests over and under limits, each rule grown on two thirds and pruned."""
    random = np.random.default_rng(0)

    def make_rule(left: Bools) -> Tests:
        growing = left & _stratified(pairs.duplicate, random)
        tests = _grow(pairs, growing, ways=("over", "under"), longest=len(pairs.by_signal))
        return _prune(pairs, left & ~growing, tests)

    return _fit_rules(pairs, make_rule)


def _fit_rules(pairs: PairSignals, make_rule: Callable[[Bools], Tests]) -> Fit:
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
    shares = as_shares({name: float(used.count(name)) for name in pairs.by_signal})
    return Fit(weights=shares, model={"kind": "rules", "otherwise": otherwise, "rules": rules})


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
    while len(tests) < longest and len(np.unique(pairs.duplicate[covered])) == 2:
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
    return np.unique(_few(between[picked]).round(DIGITS))
