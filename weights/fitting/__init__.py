"""Signals and judgements of pairs to weights or a model, one file a kind."""

from __future__ import annotations

from collections.abc import Callable

from weights.fitting.fit import Fit
from weights.fitting.linear import fit_linear
from weights.fitting.logistic import fit_logistic
from weights.fitting.rules import fit_rules
from weights.fitting.tree import fit_tree
from weights.judged import JudgedPairs

FITS: dict[str, Callable[[JudgedPairs], Fit]] = {
    "linear": fit_linear,
    "logistic": fit_logistic,
    "tree": fit_tree,
    "rules": fit_rules,
}
"""Name of a model to the function that learns it."""
