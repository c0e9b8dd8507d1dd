"""Cost-sensitive logistic regression, as in Tao et al. (2013)."""

from __future__ import annotations

import numpy as np

from reducepp.types import Array
from reducepp.weights.learning.fit import DIGITS, Fit, as_shares, balance, filled
from reducepp.weights.learning.judged import Bools, JudgedPairs

PENALTY = 0.001
"""Times the squared coefficients, beside the mean loss of a pair."""


def fit_logistic(pairs: JudgedPairs) -> Fit:
    """Coefficients of either sign; both kinds of pairs cost the same together."""
    values, means = filled(pairs)
    coefficients, intercept = regress(values, pairs.duplicate)
    named = dict(zip(pairs.by_signal, coefficients.round(DIGITS).tolist(), strict=True))
    return Fit(
        weights=as_shares({name: abs(size) for name, size in named.items()}),
        model={
            "kind": "logistic",
            "intercept": round(intercept, DIGITS),
            "coefficients": named,
            "missing": means,
        },
    )


def regress(
    values: Array, duplicate: Bools, *, non_negative: bool = False, penalty: float = PENALTY
) -> tuple[Array, float]:
    """Coefficients and intercept of least balanced log loss, with a penalty on the squares."""
    from scipy.optimize import minimize

    costs, sign = balance(duplicate) / len(duplicate), np.where(duplicate, 1.0, -1.0)

    def loss(at: Array) -> tuple[float, Array]:
        margins = sign * (values @ at[:-1] + at[-1])
        wrong = 1 / (1 + np.exp(np.clip(margins, -500, 500)))
        slope = -costs * sign * wrong
        total = costs @ np.logaddexp(0, -margins) + penalty * at[:-1] @ at[:-1]
        return float(total), np.append(values.T @ slope + 2 * penalty * at[:-1], slope.sum())

    size = values.shape[1]
    lowest = 0.0 if non_negative else None
    bounds = [(lowest, None)] * size + [(None, None)]
    found = minimize(loss, np.zeros(size + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x[:-1], dtype=np.float64), float(found.x[-1])
