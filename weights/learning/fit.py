"""What every kind of fit shares: its result, missing values, costs of the two kinds of pairs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reducepp.labelled.signals import PairSignals
from reducepp.types import Array, Bools

DIGITS = 6
"""Decimals of learned numbers; they are also evaluated as rounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A weight for each signal; a model where it is not the weighted mean."""

    weights: Mapping[str, float]
    model: Mapping[str, Any] = field(default_factory=dict)


def impute_means(pairs: PairSignals) -> tuple[Array, dict[str, float]]:
    """Signals as columns, a missing value as the mean of those present (0 if none is)."""
    means = {}
    for name, values in pairs.by_signal.items():
        present = values[~np.isnan(values)]
        means[name] = round(float(present.mean()), DIGITS) if len(present) else 0.0
    columns = [
        np.where(np.isnan(values), means[name], values) for name, values in pairs.by_signal.items()
    ]
    return np.stack(columns, axis=1), means


def balance(duplicate: Bools) -> Array:
    """Cost of each pair, so that duplicates and negatives cost the same together; mean 1."""
    share = duplicate.mean()
    costs: Array = np.where(duplicate, 0.5 / share, 0.5 / (1 - share))
    return costs


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
