"""Similarities and weights to one score a pair."""

from __future__ import annotations

import numpy as np

from reducepp.data import Array, Profile, Share, Similarities

DECIMALS = 12
"""Scores are rounded here, so that the order of additions cannot tip a pair over a threshold."""


def combine(similarities: Similarities, profile: Profile) -> Array:
    """Weighted mean of the signals that are defined for each pair, in [0, 1].

    A signal that is NaN is left out and the other weights are rescaled. A pair without any
    signal scores 0; a page scores 1 with itself.
    """
    n = len(similarities.ids)
    total, weights = np.zeros((n, n)), np.zeros((n, n))
    for signal in profile.signals:
        values = similarities.by_signal[signal.name]
        defined = ~np.isnan(values)
        total += np.where(defined, values, 0.0) * signal.weight
        weights += defined * signal.weight
    scores = np.divide(total, weights, out=np.zeros((n, n)), where=weights > 0)
    scores = np.round(np.clip(scores, 0.0, 1.0), DECIMALS)
    np.fill_diagonal(scores, 1.0)
    return scores


def shares(similarities: Similarities, profile: Profile, i: int, j: int) -> dict[str, Share]:
    """What each signal gave to the score of pages i and j; contributions add up to the score."""
    values = {s.name: float(similarities.by_signal[s.name][i, j]) for s in profile.signals}
    whole = sum(s.weight for s in profile.signals if not np.isnan(values[s.name])) or 1.0
    found = {}
    for signal in profile.signals:
        value = values[signal.name]
        weight = 0.0 if np.isnan(value) else signal.weight / whole
        given = 0.0 if np.isnan(value) else value * weight
        found[signal.name] = Share(similarity=value, weight=weight, contribution=given)
    return found
