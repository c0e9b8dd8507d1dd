"""A decision tree: nodes that ask one signal each, leaves that score.

    [model]
    kind = "tree"
    nodes = [
      {score = 0.01, signal = "body", over = 0.62, no = 1, yes = 2, missing = "no"},
      {score = 0.001},
      {score = 0.97},
    ]

Node 0 is the root. A pair whose signal is over the value goes to `yes`, else to `no`; where the
signal is missing, to the one that `missing` names. Every node has a score: the share of
duplicates among the pairs that it was learned from; a node without `signal` is a leaf.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from reducepp.similarity.models.base import Explained, is_number, is_score
from reducepp.types import Array

MOST_NODES = 1000


def check(model: Mapping[str, Any], signals: Sequence[str]) -> str:
    """What is wrong with the table; "" if nothing."""
    nodes = model.get("nodes")
    if not isinstance(nodes, Sequence) or isinstance(nodes, str) or not nodes:
        return "nodes: a list of at least one node is needed"
    if len(nodes) > MOST_NODES:
        return f"nodes: at most {MOST_NODES}, not {len(nodes)}"
    for number, node in enumerate(nodes):
        wrong = _check_node(node, number, len(nodes), signals)
        if wrong:
            return f"node {number}: {wrong}"
    return ""


def _check_node(node: Any, number: int, count: int, signals: Sequence[str]) -> str:
    if not isinstance(node, Mapping) or not is_score(node.get("score")):
        return "a table with a score from 0 to 1 is needed"
    if "signal" not in node:
        return ""
    if node["signal"] not in signals:
        return f"signal = {node['signal']!r}: use one of {', '.join(signals)}"
    if not is_number(node.get("over")):
        return f"over = {node.get('over')!r}: a number is needed"
    for way in ("no", "yes"):
        target = node.get(way)
        if not isinstance(target, int) or not number < target < count:
            return f"{way} = {target!r}: the number of a later node is needed"
    if node.get("missing") not in ("no", "yes"):
        return f"missing = {node.get('missing')!r}: use no or yes"
    return ""


def score(model: Mapping[str, Any], by_signal: Mapping[str, Array]) -> Array:
    """The score of the leaf that each pair comes to."""
    shape = next(iter(by_signal.values())).shape
    at = np.zeros(shape, dtype=np.int64)
    scores = np.array([float(node["score"]) for node in model["nodes"]])
    for number, node in enumerate(model["nodes"]):  # children come later, so one walk is enough
        if "signal" not in node:
            continue
        values = by_signal[node["signal"]]
        is_over = np.where(np.isnan(values), node["missing"] == "yes", values > node["over"])
        at = np.where(at == number, np.where(is_over, node["yes"], node["no"]), at)
    return np.asarray(scores[at])


def explain(model: Mapping[str, Any], values: Mapping[str, float]) -> Explained:
    """The tests on the way, and how far each moved the score from its node to the next."""
    nodes, tests = model["nodes"], []
    moved: dict[str, float] = {}
    counts: dict[str, float] = {}
    node = nodes[0]
    while "signal" in node:
        name, value = node["signal"], values[node["signal"]]
        way = node["missing"] if math.isnan(value) else "yes" if value > node["over"] else "no"
        is_over = f"{value:.3f} is {'' if way == 'yes' else 'not '}over {node['over']:.3f}"
        tests.append(f"{name} {'is missing' if math.isnan(value) else is_over}")
        following = nodes[node[way]]
        moved[name] = moved.get(name, 0.0) + following["score"] - node["score"]
        counts[name] = counts.get(name, 0.0) + 1
        node = following
    return tuple(tests), moved, {name: count / len(tests) for name, count in counts.items()}


def describe(model: Mapping[str, Any]) -> Iterator[str]:
    """The questions and scores, indented by depth."""
    waiting = [(0, 0, "")]
    while waiting:
        number, depth, before = waiting.pop()
        node = model["nodes"][number]
        if "signal" not in node:
            yield f"{'  ' * depth}{before}score {node['score']:.3f}"
            continue
        yield f"{'  ' * depth}{before}{node['signal']} over {node['over']:.3f}?"
        for way in ("no", "yes"):
            also = " or missing: " if node["missing"] == way else ": "
            waiting.append((node[way], depth + 1, f"{way}{also}"))
