"""Describes a learned model in plain lines, for `weights show`."""

from collections.abc import Iterator, Mapping
from typing import Any

from reducepp.similarity.models.log_odds import neutral_share


def describe_model(model: Mapping[str, Any]) -> list[str]:
    """The tests, coefficients and scores of a model, one line each."""
    return list(DESCRIPTIONS[model["kind"]](model))


def _logistic(model: Mapping[str, Any]) -> Iterator[str]:
    yield f"log odds = {model['intercept']:+.3f}"
    for name, factor in model["coefficients"].items():
        yield f"  {factor:+.3f} × {name} (missing: {model['missing'][name]:.3f})"


def _log_odds(model: Mapping[str, Any]) -> Iterator[str]:
    yield f"log odds = {model['background']:+.3f} (background)"
    for name, factor in model["coefficients"].items():
        neutral = f" (neutral: {neutral_share(model, name):.3f})" if name in model["shares"] else ""
        yield f"  {factor:+.3f} × {'log odds of ' if neutral else ''}{name}{neutral}"


def _tree(model: Mapping[str, Any]) -> Iterator[str]:
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


def _rules(model: Mapping[str, Any]) -> Iterator[str]:
    for rule in model["rules"]:
        tests = [
            f"{test['signal']} over {test['over']:.3f}"
            if "over" in test
            else f"{test['signal']} not over {test['under']:.3f}"
            for test in rule["tests"]
        ]
        yield f"{' and '.join(tests)}: score {rule['score']:.3f}"
    yield f"otherwise: score {model['otherwise']:.3f}"


def _cascade(model: Mapping[str, Any]) -> Iterator[str]:
    yield f"{model['first']} is 1: score 1.000; otherwise {model['then']['kind']}"
    yield from describe_model(model["then"])


DESCRIPTIONS = {
    "logistic": _logistic,
    "log_odds": _log_odds,
    "tree": _tree,
    "rules": _rules,
    "cascade": _cascade,
}
"""Kind of model to the function that describes it."""
