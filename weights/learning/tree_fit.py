"""Small decision trees: CART with entropy, and C4.5's gain ratio with pessimistic pruning.

Huffman et al. (2007) used C4.5 (Quinlan 1993).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from reducepp.errors import MissingExtraError
from reducepp.labelled.signals import PairSignals
from reducepp.types import Array, Bools
from reducepp.weights.learning.fit import DIGITS, Fit, as_shares, impute_means, smoothed_share

MAX_DEPTH = 4
"""Tests on a path, so that a person can read the tree."""
MIN_LEAF = 3
"""Pairs at least in a leaf."""
CONFIDENCE = 0.25
"""C4.5's default for pruning."""
MAX_LIMITS = 64
"""Values of a signal that are tried as limits of a test."""


def fit_tree(pairs: PairSignals) -> Fit:
    """A tree of at most four tests on a path and at least three pairs per leaf.

    A higher similarity never lowers the score (monotonic constraints). A missing value counts as
    the mean of those that are there. A leaf's score is its share of
    duplicates, with one pair of each kind added so that a leaf of few pairs is not certain.
    """
    try:
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        raise MissingExtraError("learning a tree", "evaluate") from None
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
            node |= {
                "signal": name,
                "over": over,
                "no": int(tree.children_left[i]),
                "yes": int(tree.children_right[i]),
                "missing": "yes" if means[name] > over else "no",
            }
        nodes.append(node)
    return nodes


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
    values, means = impute_means(pairs)
    names = list(pairs.by_signal)
    gains = dict.fromkeys(names, 0.0)
    nodes: list[dict[str, Any]] = []
    _grow_c45(nodes, values, pairs.duplicate, names, means, gains, depth=0)
    _score_nodes(nodes, pairs)
    return Fit(weights=as_shares(gains), model={"kind": "tree", "nodes": nodes})


def _grow_c45(
    nodes: list[dict[str, Any]],
    values: Array,
    duplicate: Bools,
    names: list[str],
    means: Mapping[str, float],
    gains: dict[str, float],
    *,
    depth: int,
) -> float:
    """Append the subtree of these pairs, a node before its children; its pessimistic errors."""
    number, own = len(nodes), _pessimistic_errors(duplicate)
    nodes.append({"score": 0.0})
    split = _best_split(values, duplicate) if depth < MAX_DEPTH else None
    if split is None:
        return own
    column, limit, gain = split
    name, over = names[column], values[:, column] > limit
    ends = []
    errors = 0.0
    for side in (~over, over):
        ends.append(len(nodes))
        errors += _grow_c45(
            nodes, values[side], duplicate[side], names, means, gains, depth=depth + 1
        )
    if errors >= own:  # the leaf is expected to err no more often than the subtree
        del nodes[number + 1 :]
        return own
    way = "yes" if means[name] > limit else "no"
    nodes[number] |= {"signal": name, "over": limit, "no": ends[0], "yes": ends[1], "missing": way}
    gains[name] += gain * len(duplicate)
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
    column, limit, gain, _ = max(
        (option for option in useful if option[2] >= average - 1e-12), key=lambda o: o[3]
    )
    return column, limit, gain


def _limits_of(values: Array) -> list[float]:
    distinct = np.unique(values)
    between = ((distinct[:-1] + distinct[1:]) / 2).round(DIGITS)
    step = max(1, -(-len(between) // MAX_LIMITS))
    return [float(limit) for limit in np.unique(between[::step])]


def _gain(over: Bools, duplicate: Bools) -> tuple[float, float]:
    """Information gain of a split and its ratio to the split's own entropy; 0 for small leaves."""
    if min(int(over.sum()), int((~over).sum())) < MIN_LEAF:
        return 0.0, 0.0
    share = float(over.mean())
    inside = share * _entropy(duplicate[over].mean()) + (1 - share) * _entropy(
        duplicate[~over].mean()
    )
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
