"""Weights that are none below 0 and sum to 1, so that they read like an expert's."""

from __future__ import annotations

from reducepp.weights.learning.fit import Fit, as_shares, filled
from reducepp.weights.learning.judged import JudgedPairs
from reducepp.weights.learning.logistic_fit import regress


def fit_linear(pairs: JudgedPairs) -> Fit:
    """Non-negative coefficients of a cost-sensitive logistic regression, as shares.

    The intercept goes into the threshold, which is chosen on the weighted mean itself.
    """
    values, _ = filled(pairs)
    coefficients, _ = regress(values, pairs.duplicate, non_negative=True)
    return Fit(weights=as_shares(dict(zip(pairs.by_signal, coefficients.tolist(), strict=True))))
