"""A small decision tree (CART with entropy, in the place of Huffman et al.'s C4.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from reducepp.errors import MissingExtraError
from reducepp.labelled.pairs import Bools
from reducepp.labelled.signals import PairSignals
from reducepp.weights.learning.fit import DIGITS, Fit, as_shares, impute_means, smoothed_share

DEPTH = 4
SMALLEST_LEAF = 3


def fit_tree(pairs: PairSignals) -> Fit:
    """A tree of at most four questions on a path, three pairs a leaf at least.

    More alike is never less a duplicate (monotonic constraints). A missing value counts as the
    mean of those that are there, and goes the way of the mean. A leaf's score is its share of
    duplicates, with one pair of each kind added so that a leaf of few pairs is not certain.
    """
    try:
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        raise MissingExtraError("learning a tree", "evaluate") from None
    values, means = impute_means(pairs)
    grown = DecisionTreeClassifier(
        criterion="entropy",
        max_depth=DEPTH,
        min_samples_leaf=SMALLEST_LEAF,
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
