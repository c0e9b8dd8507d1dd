"""Calibrated evidence: log-odds of every signal and of the background add up to the score's.

    [model]
    kind = "log_odds"
    background = -1.8
    smoothing = 0.05
    shares = ["text"]
    neutral = {text = 0.4}
    coefficients = {text = 3.2, title = 1.8}

score = 1 / (1 + exp(-(background + sum of coefficient times evidence))). The background is the
log-odds of two pages of which nothing is known. The evidence of a signal is its value; of a signal
under `shares` log((value + smoothing) / (1 - value + smoothing)), what is shared against what is
not, less that of the share that says nothing: its `neutral` one, 0.5 where none is stated. A
missing signal is no evidence and adds 0.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from reducepp.similarity.models.base import Explained, is_number
from reducepp.types import Array

_STEEPEST = 500.0


def check(model: Mapping[str, Any], signals: Sequence[str]) -> str:
    """What is wrong with the table; "" if nothing."""
    if not is_number(model.get("background")):
        return f"background = {model.get('background')!r}: a number is needed"
    smoothing = model.get("smoothing")
    if not is_number(smoothing) or not 0 < float(str(smoothing)) <= 1:
        return f"smoothing = {smoothing!r}: a number above 0 and up to 1 is needed"
    shares, coefficients = model.get("shares"), model.get("coefficients")
    if not isinstance(shares, list) or not set(shares) <= set(signals):
        return f"shares = {shares!r}: a list of some of {', '.join(signals)} is needed"
    neutral = model.get("neutral", {})
    if not isinstance(neutral, Mapping) or not set(neutral) <= set(shares):
        return f"neutral = {neutral!r}: numbers for some of the shares are needed"
    beyond = next((n for n, v in neutral.items() if not is_number(v) or not 0 < v < 1), None)
    if beyond is not None:
        return f"neutral: {beyond} = {neutral[beyond]!r}: a number between 0 and 1 is needed"
    if not isinstance(coefficients, Mapping) or set(coefficients) != set(signals):
        return f"coefficients: one number for each of {', '.join(signals)} is needed"
    wrong = next((name for name in signals if not is_number(coefficients[name])), None)
    if wrong is not None:
        return f"coefficients: {wrong} = {coefficients[wrong]!r}: a number is needed"
    return ""


def evidence(model: Mapping[str, Any], name: str, values: Array) -> Array:
    """What the coefficient of a signal multiplies; 0 where the signal is missing."""
    if name not in model["shares"]:
        return np.nan_to_num(values)
    return _against_neutral(model, values, np.array(neutral_share(model, name)))


def neutral_share(model: Mapping[str, Any], name: str) -> float:
    """The share that is evidence neither for nor against a duplicate."""
    return float(model.get("neutral", {}).get(name, 0.5))


def _against_neutral(model: Mapping[str, Any], values: Array, neutral: Array) -> Array:
    given = np.where(np.isnan(values), neutral, values)
    return share_odds(model, given) - share_odds(model, neutral)


def share_odds(model: Mapping[str, Any], share: Array) -> Array:
    """Log-odds of what is shared against what is not, smoothed."""
    smoothing = model["smoothing"]
    odds: Array = np.log((share + smoothing) / (1 - share + smoothing))
    return odds


def share_of(model: Mapping[str, Any], name: str, needed: float) -> float:
    """The share that gives so much evidence: the inverse of `evidence`."""
    smoothing, neutral = model["smoothing"], np.array(neutral_share(model, name))
    ratio = math.exp(needed + float(share_odds(model, neutral)))
    return float((ratio * (1 + smoothing) - smoothing) / (1 + ratio))


def score(model: Mapping[str, Any], by_signal: Mapping[str, Array]) -> Array:
    """The probability that a pair is a duplicate."""
    total: Array = np.full(next(iter(by_signal.values())).shape, float(model["background"]))
    for name, coefficient in model["coefficients"].items():
        total = total + coefficient * evidence(model, name, by_signal[name])
    chances: Array = 1 / (1 + np.exp(-np.clip(total, -_STEEPEST, _STEEPEST)))
    return chances


def explain(model: Mapping[str, Any], values: Mapping[str, float]) -> Explained:
    """Each signal's log-odds; with the background they are the score's log-odds."""
    names = list(model["coefficients"])
    given = np.array([values[name] for name in names])
    is_share = np.array([name in model["shares"] for name in names], dtype=bool)
    neutral = np.array([neutral_share(model, name) for name in names])
    shares = _against_neutral(model, np.where(is_share, given, neutral), neutral)
    found = np.where(is_share, shares, np.nan_to_num(given))
    found *= np.array([model["coefficients"][name] for name in names], dtype=np.float64)
    terms = dict(zip(names, (found + 0.0).tolist(), strict=True))  # + 0.0 makes -0.0 a plain 0
    size = sum(abs(term) for term in terms.values()) or 1.0
    tests = tuple(
        f"{name} {values[name]:.3f} gives {term:+.2f}"
        for name, term in sorted(terms.items(), key=lambda item: -abs(item[1]))
        if not math.isnan(values[name]) and term
    )
    background = f"background gives {model['background']:+.2f}"
    return (*tests, background), terms, {name: abs(term) / size for name, term in terms.items()}


def describe(model: Mapping[str, Any]) -> Iterator[str]:
    """The background and the coefficients."""
    yield f"log odds = {model['background']:+.3f} (background)"
    for name, factor in model["coefficients"].items():
        neutral = f" (neutral: {neutral_share(model, name):.3f})" if name in model["shares"] else ""
        yield f"  {factor:+.3f} × {'log odds of ' if neutral else ''}{name}{neutral}"
