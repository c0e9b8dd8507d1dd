"""Learned models as plain data: signals of a pair to a score in [0, 1].

A model is a table of a profile. `kind` names it, the rest are its parameters; nothing is pickled.
Each kind is a file with three functions: `check` (what is wrong with the table, "" if nothing),
`score` (arrays of signals to an array of scores), `explain` (one pair: what it was asked, and how
far each signal moved the score away from where it started).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reducepp.errors import ProfileError
from reducepp.similarity.models import cascade, log_odds, logistic
from reducepp.similarity.models import decision_tree as tree
from reducepp.similarity.models import rule_list as rules
from reducepp.similarity.models.base import Kind
from reducepp.types import Array, Share

LOG_ODDS = "log_odds"
"""The kind whose contributions are log-odds; those of the others are shares of the score."""

KINDS: dict[str, Kind] = {
    "logistic": Kind(check=logistic.check, score=logistic.score, explain=logistic.explain),
    LOG_ODDS: Kind(
        check=log_odds.check, score=log_odds.score, explain=log_odds.explain, equal_is_one=False
    ),
    "tree": Kind(check=tree.check, score=tree.score, explain=tree.explain),
    "rules": Kind(check=rules.check, score=rules.score, explain=rules.explain),
    "cascade": Kind(check=cascade.check, score=cascade.score, explain=cascade.explain),
}
"""Name in a profile to model."""


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

    A pair without any signal scores 0; for most kinds one whose every defined signal is 1 scores 1.
    """
    kind = KINDS[model["kind"]]
    scores = np.clip(kind.score(model, by_signal), 0.0, 1.0)
    stacked = np.array(list(by_signal.values()))
    defined = ~np.isnan(stacked)
    if kind.equal_is_one:
        scores = np.where((~defined | (stacked == 1)).all(axis=0), 1.0, scores)
    return np.where(defined.any(axis=0), scores, 0.0)


def model_shares(model: Mapping[str, Any], values: Mapping[str, float]) -> dict[str, Share]:
    """How far each signal moved a pair's score; contributions add up to score minus start.

    The start is where the model stands before it has looked: a logistic model's score for the
    mean pair, a tree's share of duplicates at its root, the score where no rule fires.
    """
    moved, weight = KINDS[model["kind"]].explain(model, values)[1:]
    return {
        name: Share(
            similarity=value, weight=weight.get(name, 0.0), contribution=moved.get(name, 0.0)
        )
        for name, value in values.items()
    }


def model_tests(model: Mapping[str, Any], values: Mapping[str, float]) -> tuple[str, ...]:
    """What the model asked of a pair on the way to its score, in words."""
    return KINDS[model["kind"]].explain(model, values)[0]
