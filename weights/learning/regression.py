"""Logistic regression with missing values and balanced costs: weights, models, and classes.

Cost-sensitive as in Tao et al. (2013). Classes of pairs (levels, kinds of duplicates) have one
regression each against all others, on standardised signals; the class with the highest odds is
predicted (Tao et al. 2013, Table 6; Radlinski et al. 2011).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reducepp.labelled.signals import PairSignals, make_folds
from reducepp.types import Array, Bools, Integers

DIGITS = 6
"""Decimals of learned numbers; they are also evaluated as rounded."""
PENALTY = 0.001
"""Times the squared coefficients, beside the mean loss of a pair; keeps separable labels finite."""
STRENGTH = 0.3
"""scikit-learn's C on standardised signals; from 0.03 to 3 held-out F of posts moves by 0.002."""
CLASS_PENALTY = 0.01
"""As PENALTY, on signals of unit variance: classes of a few pairs stay finite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A weight for each signal; a model where it is not the weighted mean."""

    weights: Mapping[str, float]
    model: Mapping[str, Any] = field(default_factory=dict)


Fitter = Callable[[PairSignals], Fit]


def impute_means(pairs: PairSignals) -> tuple[Array, dict[str, float]]:
    """Signals as columns, a missing value as the mean of those present (0 if none is)."""
    means, columns = {}, []
    for name, values in pairs.by_signal.items():
        present = values[~np.isnan(values)]
        means[name] = round(float(present.mean()), DIGITS) if len(present) else 0.0
        columns.append(np.where(np.isnan(values), means[name], values))
    return np.stack(columns, axis=1), means


def standardise(values: Array) -> tuple[Array, Array]:
    """Mean and standard deviation of each column; no deviation is 0."""
    return values.mean(axis=0), np.maximum(values.std(axis=0), 1e-9)


def balance(duplicate: Bools) -> Array:
    """Cost of each pair, so that duplicates and negatives cost the same together; mean 1."""
    share = duplicate.mean()
    return np.asarray(np.where(duplicate, 0.5 / share, 0.5 / (1 - share)))


def smoothed_share(duplicates: int, pairs: int) -> float:
    """Share of duplicates with one pair of each kind added, so that few pairs are not certain."""
    return round((duplicates + 1) / (pairs + 2), DIGITS)


def as_shares(sizes: Mapping[str, float]) -> dict[str, float]:
    """Sizes as shares that sum to 1 as rounded; equal ones where all are 0."""
    names = list(sizes)
    total = sum(sizes.values())
    if total <= 0:
        return as_shares(dict.fromkeys(names, 1.0))
    shares = {name: round(sizes[name] / total, DIGITS) for name in names}
    largest = max(names, key=lambda name: shares[name])
    shares[largest] = round(shares[largest] + 1 - sum(shares.values()), DIGITS)
    return shares


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


def fit_standardised(pairs: PairSignals) -> Fit:
    """The same with the penalty of `STRENGTH` on signals scaled to unit variance."""
    penalty = 1 / (2 * STRENGTH * len(pairs))
    values, means = impute_means(pairs)
    middle, spread = standardise(values)
    scaled, shifted = regress((values - middle) / spread, pairs.duplicate, penalty=penalty)
    coefficients = scaled / spread
    return logistic_model(pairs, coefficients, shifted - float(coefficients @ middle), means)


def logistic_model(
    pairs: PairSignals, coefficients: Array, intercept: float, means: dict[str, float]
) -> Fit:
    """A fit with a logistic model; a signal's weight is its share of the absolute coefficients."""
    named = dict(zip(pairs.by_signal, coefficients.round(DIGITS).tolist(), strict=True))
    model = {"kind": "logistic", "intercept": round(intercept, DIGITS), "coefficients": named}
    shares = as_shares({name: abs(size) for name, size in named.items()})
    return Fit(weights=shares, model={**model, "missing": means})


def regress(
    values: Array, duplicate: Bools, *, non_negative: bool = False, penalty: float = PENALTY
) -> tuple[Array, float]:
    """Coefficients and intercept of least balanced log loss, with a penalty on the squares."""
    costs = balance(duplicate) / len(duplicate)
    found = minimise_loss(values, duplicate, costs, non_negative=non_negative, penalty=penalty)
    return found[:-1], float(found[-1])


def minimise_loss(
    values: Array,
    duplicate: Bools,
    costs: Array,
    *,
    known: Array | float = 0.0,
    non_negative: bool,
    penalty: float,
) -> Array:
    """Coefficients, then the intercept, of least log loss with a penalty on the squares.

    `costs` is what each pair counts, `known` the part of its log-odds that is not fitted.
    """
    from scipy.optimize import minimize

    sign = np.where(duplicate, 1.0, -1.0)

    def loss(at: Array) -> tuple[float, Array]:
        margins = sign * (values @ at[:-1] + at[-1] + known)
        wrong = 1 / (1 + np.exp(np.clip(margins, -500, 500)))
        slope = -costs * sign * wrong
        total = costs @ np.logaddexp(0, -margins) + penalty * at[:-1] @ at[:-1]
        return float(total), np.append(values.T @ slope + 2 * penalty * at[:-1], slope.sum())

    size = values.shape[1]
    lowest = 0.0 if non_negative else None
    bounds = [(lowest, None)] * size + [(None, None)]
    found = minimize(loss, np.zeros(size + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x, dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Held-out pairs by their true class (rows) and the predicted one (columns)."""

    names: tuple[str, ...]
    counts: Integers

    def figures(self) -> list[dict[str, Any]]:
        """Precision, recall and F of each class, then their means weighted by its pairs."""
        right = np.diag(self.counts).astype(np.float64)
        true, predicted = self.counts.sum(axis=1), self.counts.sum(axis=0)
        both = 2 * right / np.maximum(true + predicted, 1)
        found = [right / np.maximum(predicted, 1), right / np.maximum(true, 1), both]
        shares = true / max(int(true.sum()), 1)
        table = [*zip(self.names, true.tolist(), *(v.tolist() for v in found), strict=True)]
        table.append(("weighted", int(true.sum()), *(float(shares @ values) for values in found)))
        return [dict(zip(("class", "pairs", *"PRF"), row, strict=True)) for row in table]

    def matrix(self) -> list[dict[str, Any]]:
        """Rows of a table: the true class, then how many pairs were predicted as each."""
        return [
            {"labelled": name, **dict(zip(self.names, row, strict=True))}
            for name, row in zip(self.names, self.counts.tolist(), strict=True)
        ]


def held_out_classes(
    pairs: PairSignals, classes: Sequence[str], names: Sequence[str], *, seed: int = 0
) -> Confusion:
    """Cross-validated predictions; no page is in both halves of a fold."""
    present = tuple(name for name in names if name in classes)
    numbers = np.array([present.index(name) for name in classes], dtype=np.int64)
    counts = np.zeros((len(present), len(present)), dtype=np.int64)
    values, _ = impute_means(pairs)
    for train, test in make_folds(pairs, seed=seed).halves(pairs):
        middle, spread = standardise(values[train])
        scaled = (values - middle) / spread
        predicted = _predict(scaled[train], numbers[train], scaled[test])
        np.add.at(counts, (numbers[test], predicted), 1)
    return Confusion(names=present, counts=counts)


def _predict(train: Array, numbers: Integers, test: Array) -> Integers:
    """The class with the highest odds; of equals the first."""
    found = np.unique(numbers)
    odds = []
    for number in found.tolist():
        if len(found) == 1:
            return np.full(len(test), number, dtype=np.int64)
        coefficients, intercept = regress(train, numbers == number, penalty=CLASS_PENALTY)
        odds.append(test @ coefficients + intercept)
    return np.asarray(found[np.argmax(np.stack(odds), axis=0)], dtype=np.int64)
