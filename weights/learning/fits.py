"""Signals and judgements of pairs to weights or a model, one file a kind."""

from __future__ import annotations

from collections.abc import Callable

from reducepp.weights.learning.fit import Fit
from reducepp.weights.learning.judged import JudgedPairs
from reducepp.weights.learning.linear_fit import fit_linear
from reducepp.weights.learning.logistic_fit import fit_logistic
from reducepp.weights.learning.rule_fit import fit_rules
from reducepp.weights.learning.tree_fit import fit_tree

FITS: dict[str, Callable[[JudgedPairs], Fit]] = {
    "linear": fit_linear,
    "logistic": fit_logistic,
    "tree": fit_tree,
    "rules": fit_rules,
}
"""Name of a model to the function that learns it."""
