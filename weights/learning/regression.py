"""Cost-sensitive logistic regression, as in Tao et al. (2013), and weights like an expert's."""

import numpy as np

from reducepp.labelled.signals import PairSignals
from reducepp.types import Array, Bools
from reducepp.weights.learning.fit import DIGITS, Fit, as_shares, balance, impute_means

PENALTY = 0.001
"""Times the squared coefficients, beside the mean loss of a pair; keeps separable labels finite."""


def fit_linear(pairs: PairSignals) -> Fit:
    """Non-negative coefficients of a logistic regression, as shares of the weighted mean.

    The intercept goes into the threshold, which is chosen on the weighted mean itself.
    """
    values, _ = impute_means(pairs)
    coefficients, _ = regress(values, pairs.duplicate, non_negative=True)
    return Fit(weights=as_shares(dict(zip(pairs.by_signal, coefficients.tolist(), strict=True))))


def fit_logistic(pairs: PairSignals) -> Fit:
    """Coefficients of either sign; duplicates and negatives cost the same together."""
    values, means = impute_means(pairs)
    coefficients, intercept = regress(values, pairs.duplicate)
    return logistic_model(pairs, coefficients, intercept, means)


def fit_standardised(pairs: PairSignals, *, penalty: float) -> Fit:
    """The same with the penalty on signals scaled to unit variance."""
    values, means = impute_means(pairs)
    middle, spread = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-9)
    scaled, shifted = regress((values - middle) / spread, pairs.duplicate, penalty=penalty)
    coefficients = scaled / spread
    return logistic_model(pairs, coefficients, shifted - float(coefficients @ middle), means)


def logistic_model(
    pairs: PairSignals, coefficients: Array, intercept: float, means: dict[str, float]
) -> Fit:
    """A fit with a logistic model; a signal's weight is its share of the absolute coefficients."""
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
