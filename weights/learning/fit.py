"""What fitting gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reducepp.types import Array
from reducepp.weights.learning.judged import Bools, JudgedPairs

DIGITS = 6
"""Learned numbers are written with so many decimals, and judged as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A weight for each signal, and a model where the weighted mean is not meant."""

    weights: Mapping[str, float]
    model: Mapping[str, Any] = field(default_factory=dict)


def filled(pairs: JudgedPairs) -> tuple[Array, dict[str, float]]:
    """Signals as columns, a missing value as the mean of those that are there (0 if none is)."""
    means = {}
    for name, values in pairs.by_signal.items():
        real = values[~np.isnan(values)]
        means[name] = round(float(real.mean()), DIGITS) if len(real) else 0.0
    columns = [
        np.where(np.isnan(values), means[name], values) for name, values in pairs.by_signal.items()
    ]
    return np.stack(columns, axis=1), means


def balance(duplicate: Bools) -> Array:
    """Cost of each pair, so that duplicates and others cost the same together; mean 1."""
    share = duplicate.mean()
    costs: Array = np.where(duplicate, 0.5 / share, 0.5 / (1 - share))
    return costs


def as_shares(sizes: Mapping[str, float]) -> dict[str, float]:
    """Sizes as shares that sum to 1 as written; equal ones where all are 0."""
    names = list(sizes)
    total = sum(sizes.values())
    if total <= 0:
        return as_shares(dict.fromkeys(names, 1.0))
    shares = {name: round(sizes[name] / total, DIGITS) for name in names}
    largest = max(names, key=lambda name: shares[name])
    shares[largest] = round(shares[largest] + 1 - sum(shares.values()), DIGITS)
    return shares
