"""A signal that decides a pair alone where it is 1, and a model for all other pairs.

[model]
kind = "cascade"
first = "copied"          # at 1, the pair scores 1

[model.then]
kind = "logistic"
...
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from reducepp.similarity.models import decision_tree, logistic, rule_list
from reducepp.similarity.models.base import Explained, Kind
from reducepp.types import Array

SECOND: dict[str, Kind] = {"logistic": logistic, "tree": decision_tree, "rules": rule_list}
"""What may come second."""


def check(model: Mapping[str, Any], signals: Sequence[str]) -> str:
    """What is wrong with the table; "" if nothing."""
    if model.get("first") not in signals:
        return f"first = {model.get('first')!r}: use one of {', '.join(signals)}"
    then = model.get("then")
    if not isinstance(then, Mapping) or then.get("kind") not in SECOND:
        return f"then: a table with a kind of {', '.join(SECOND)} is needed"
    wrong = SECOND[then["kind"]].check(then, [s for s in signals if s != model["first"]])
    return f"then: {wrong}" if wrong else ""


def score(model: Mapping[str, Any], by_signal: Mapping[str, Array]) -> Array:
    """1 where the first signal is 1, else the score of the second model."""
    then = SECOND[model["then"]["kind"]].score(model["then"], by_signal)
    return np.asarray(np.where(by_signal[model["first"]] == 1, 1.0, then))


def explain(model: Mapping[str, Any], values: Mapping[str, float]) -> Explained:
    """The first signal alone where it is 1, else the explanation of the second model."""
    first, then = model["first"], model["then"]
    second = SECOND[then["kind"]]
    rest = {name: value for name, value in values.items() if name != first}
    tests, moved, shares = second.explain(then, rest)
    if values[first] != 1:
        return ((f"{first} no", *tests), {first: 0.0, **moved}, {first: 0.0, **shares})
    arrays = {name: np.array([[value]]) for name, value in rest.items()}
    score = float(second.score(then, arrays)[0, 0])
    start = score - sum(moved.values())  # the score without signals
    return ((f"{first} yes",), {first: 1.0 - start}, {first: 1.0})


def describe(model: Mapping[str, Any]) -> Iterator[str]:
    """The first signal, then the second model."""
    yield f"{model['first']} is 1: score 1.000; otherwise {model['then']['kind']}"
    yield from SECOND[model["then"]["kind"]].describe(model["then"])
