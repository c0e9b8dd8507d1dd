"""Rules in order: the first whose tests all hold gives the score.

    [model]
    kind = "rules"
    otherwise = 0.002
    rules = [
      {score = 0.97, tests = [{signal = "body", over = 0.6}, {signal = "page_title", over = 0.5}]},
      {score = 0.80, tests = [{signal = "length", over = 0.9}, {signal = "links", under = 0.2}]},
    ]

`over` holds above its value, `under` at or below it. A test of a missing signal never holds.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from reducepp.similarity.models.base import Explained, is_number, is_score
from reducepp.types import Array

MOST_RULES = 1000


def check(model: Mapping[str, Any], signals: Sequence[str]) -> str:
    """What is wrong with the table; "" if nothing."""
    if not is_score(model.get("otherwise")):
        return f"otherwise = {model.get('otherwise')!r}: a score from 0 to 1 is needed"
    rules = model.get("rules")
    if not isinstance(rules, Sequence) or isinstance(rules, str) or len(rules) > MOST_RULES:
        return f"rules: a list of at most {MOST_RULES} rules is needed"
    for number, rule in enumerate(rules, 1):
        wrong = _check_rule(rule, signals)
        if wrong:
            return f"rule {number}: {wrong}"
    return ""


def _check_rule(rule: Any, signals: Sequence[str]) -> str:
    if not isinstance(rule, Mapping) or not is_score(rule.get("score")):
        return "a table with a score from 0 to 1 is needed"
    tests = rule.get("tests")
    if not isinstance(tests, Sequence) or isinstance(tests, str) or not tests:
        return "tests: at least one is needed"
    for test in tests:
        if not isinstance(test, Mapping) or test.get("signal") not in signals:
            return f"{test!r}: a test of one of {', '.join(signals)} is needed"
        if [is_number(test.get(way)) for way in ("over", "under")].count(True) != 1:
            return f"{dict(test)!r}: either over or under, with a number, is needed"
    return ""


def score(model: Mapping[str, Any], by_signal: Mapping[str, Array]) -> Array:
    """The score of the first rule that holds, else `otherwise`."""
    shape = next(iter(by_signal.values())).shape
    scores = np.full(shape, float(model["otherwise"]))
    for rule in reversed(model["rules"]):
        scores = np.where(holds(rule["tests"], by_signal), rule["score"], scores)
    return scores


def holds(tests: Sequence[Mapping[str, Any]], by_signal: Mapping[str, Array]) -> Any:
    """Where all tests of a rule hold; comparisons with NaN never do."""
    passed: Any = True
    for test in tests:
        values = by_signal[test["signal"]]
        passed = passed & (values > test["over"] if "over" in test else values <= test["under"])
    return passed


def explain(model: Mapping[str, Any], values: Mapping[str, float]) -> Explained:
    """The tests of the rule that held; each moved the score by the same part."""
    arrays = {name: np.array(value) for name, value in values.items()}
    rule = next((rule for rule in model["rules"] if holds(rule["tests"], arrays)), None)
    if rule is None:
        return ("no rule holds",), {}, {}
    share = 1 / len(rule["tests"])
    move = (rule["score"] - model["otherwise"]) * share
    moved: dict[str, float] = {}
    weight: dict[str, float] = {}
    for name in (test["signal"] for test in rule["tests"]):
        moved[name] = moved.get(name, 0.0) + move
        weight[name] = weight.get(name, 0.0) + share
    tests = ((test["signal"], _limit(test)) for test in rule["tests"])
    return tuple(f"{name} {values[name]:.3f} is {limit}" for name, limit in tests), moved, weight


def _limit(test: Mapping[str, Any]) -> str:
    return f"over {test['over']:.3f}" if "over" in test else f"not over {test['under']:.3f}"


def describe(model: Mapping[str, Any]) -> Iterator[str]:
    """The rules in order."""
    for rule in model["rules"]:
        tests = [f"{test['signal']} {_limit(test)}" for test in rule["tests"]]
        yield f"{' and '.join(tests)}: score {rule['score']:.3f}"
    yield f"otherwise: score {model['otherwise']:.3f}"
