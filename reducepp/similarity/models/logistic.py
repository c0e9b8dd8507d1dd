"""Logistic regression: 1 / (1 + exp(-(intercept + sum of coefficient times signal))).

[model]
kind = "logistic"
intercept = -7.5
coefficients = {body = 9.0, page_title = 2.5}
missing = {body = 0.1, page_title = 0.05}      # what counts where a signal is missing
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from reducepp.similarity.models.base import Explained, is_number, is_score
from reducepp.types import Array

_STEEPEST = 500.0


def check(model: Mapping[str, Any], signals: Sequence[str]) -> str:
    """What is wrong with the table; "" if nothing."""
    if not is_number(model.get("intercept")):
        return f"intercept = {model.get('intercept')!r}: a number is needed"
    for key, fits in (("coefficients", is_number), ("missing", is_score)):
        table = model.get(key)
        if not isinstance(table, Mapping) or set(table) != set(signals):
            return f"{key}: one number for each of {', '.join(signals)} is needed"
        wrong = next((name for name in table if not fits(table[name])), None)
        if wrong is not None:
            return f"{key}: {wrong} = {table[wrong]!r}: a number is needed"
    return ""


def score(model: Mapping[str, Any], by_signal: Mapping[str, Array]) -> Array:
    """A missing signal counts as the mean of the pairs the model was learned from."""
    means, coefficients = model["missing"], model["coefficients"].items()
    terms = (k * np.where(np.isnan(by_signal[n]), means[n], by_signal[n]) for n, k in coefficients)
    odds = np.clip(reduce(np.add, terms) + model["intercept"], -_STEEPEST, _STEEPEST)
    return np.asarray(1 / (1 + np.exp(-odds)))


def explain(model: Mapping[str, Any], values: Mapping[str, float]) -> Explained:
    """Each signal's term against the mean pair's, scaled so that they add up to the move."""
    coefficients, means = model["coefficients"], model["missing"]
    terms = {
        name: 0.0 if math.isnan(values[name]) else factor * (values[name] - means[name])
        for name, factor in coefficients.items()
    }
    start = model["intercept"] + sum(coefficients[name] * means[name] for name in coefficients)
    moved = sum(terms.values())
    before = _chance(start)
    small = abs(moved) < 1e-9  # score per unit of log odds on the way from start to start + moved
    slope = before * (1 - before) if small else (_chance(start + moved) - before) / moved
    size = sum(abs(factor) for factor in coefficients.values()) or 1.0
    given = (name for name in terms if not math.isnan(values[name]))
    tests = tuple(f"{name} {values[name]:.3f} gives {terms[name]:+.2f}" for name in given)
    return (
        tests,
        {name: term * slope for name, term in terms.items()},
        {name: abs(factor) / size for name, factor in coefficients.items()},
    )


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-_STEEPEST, min(_STEEPEST, odds))))


def describe(model: Mapping[str, Any]) -> Iterator[str]:
    """The coefficients, and what a missing signal counts as."""
    yield f"log odds = {model['intercept']:+.3f}"
    for name, factor in model["coefficients"].items():
        yield f"  {factor:+.3f} × {name} (missing: {model['missing'][name]:.3f})"
