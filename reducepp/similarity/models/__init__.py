"""Learned models as plain data: signals of a pair to a score in [0, 1].

A model is a table of a profile. `kind` names it, the rest are its parameters; nothing is pickled.
Each kind is a file with four functions: `check` (what is wrong with the table, "" if nothing),
`score` (arrays of signals to an array of scores), `explain` (one pair: the tests on it, and how
far each signal moved the score from its start), `describe` (the model in plain lines).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reducepp.errors import ProfileError
from reducepp.similarity.models import cascade, decision_tree, log_odds, logistic, rule_list
from reducepp.similarity.models.base import Kind
from reducepp.types import Array, Share

LOG_ODDS = "log_odds"
"""The kind whose contributions are log-odds; those of the others are shares of the score."""

KINDS: dict[str, Kind] = {
    "logistic": logistic,
    LOG_ODDS: log_odds,
    "tree": decision_tree,
    "rules": rule_list,
    "cascade": cascade,
}
"""Name in a profile to model."""

Explanation = tuple[dict[str, Share], tuple[str, ...]]
"""Contribution of each signal to a pair's score; tests of the model on the pair, in words."""


def check_model(model: Mapping[str, Any], signals: Sequence[str], where: str) -> None:
    """Refuse a model that is of no known kind, lacks a parameter or names an unknown signal."""
    kind = KINDS.get(str(model.get("kind", "")))
    if kind is None:
        known = ", ".join(KINDS)
        raise ProfileError(f"{where}: model: kind = {model.get('kind')!r}: use one of {known}")
    wrong = kind.check(model, signals)
    if wrong:
        raise ProfileError(f"{where}: model: {wrong}")


def model_scores(by_signal: Mapping[str, Array], model: Mapping[str, Any]) -> Array:
    """Every pair's score by a model; symmetric, in [0, 1], whatever the order of pages.

    A pair without any signal scores 0; one whose every defined signal is 1 scores 1, but where
    evidence is added up.
    """
    scores = np.clip(KINDS[model["kind"]].score(model, by_signal), 0.0, 1.0)
    stacked = np.array(list(by_signal.values()))
    defined = ~np.isnan(stacked)
    if model["kind"] != LOG_ODDS:
        scores = np.where((~defined | (stacked == 1)).all(axis=0), 1.0, scores)
    return np.where(defined.any(axis=0), scores, 0.0)


def explain_by_model(model: Mapping[str, Any], values: Mapping[str, float]) -> Explanation:
    """How far each signal moved a pair's score, and the tests of the model on the way, in words.

    Contributions add up to score minus start, which is the score without any signal: a logistic
    model's score for the mean pair, a tree's share of duplicates at its root, the score where no
    rule fires.
    """
    tests, moved, weight = KINDS[model["kind"]].explain(model, values)
    given = {
        name: Share(
            similarity=value, weight=weight.get(name, 0.0), contribution=moved.get(name, 0.0)
        )
        for name, value in values.items()
    }
    return given, tests


def describe_model(model: Mapping[str, Any]) -> list[str]:
    """The tests, coefficients and scores of a model, one line each."""
    return list(KINDS[model["kind"]].describe(model))
