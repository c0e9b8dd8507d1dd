"""Similarities and weights to one score per pair."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from reducepp.similarity.models import LOG_ODDS, Explanation, explain_by_model, model_scores
from reducepp.types import Array, Profile, Share, Similarities

DECIMALS = 12
"""Scores are rounded here, so that the order of additions cannot tip a pair over a threshold."""


def combine(similarities: Similarities, profile: Profile) -> Array:
    """One score per pair, n×n in [0, 1]; a page scores 1 with itself."""
    scores = score_values(similarities.by_signal, profile)
    np.fill_diagonal(scores, 1.0)
    return scores


def score_values(by_signal: Mapping[str, Array], profile: Profile) -> Array:
    """Scores of pairs in arrays of any one shape: by the profile's model, else a weighted mean."""
    found: Array
    if profile.model:
        found = model_scores(by_signal, profile.model)
    else:
        found = weighted_mean(by_signal, profile)
    return np.clip(found, 0.0, 1.0).round(DECIMALS)


def weighted_mean(by_signal: Mapping[str, Array], profile: Profile) -> Array:
    """Weighted mean of the signals that are defined for each pair.

    A signal that is NaN is left out and the other weights are rescaled. A pair without any
    signal scores 0.
    """
    shape = next(iter(by_signal.values())).shape
    total, weights = np.zeros(shape), np.zeros(shape)
    for signal in profile.signals:
        values = by_signal[signal.name]
        defined = ~np.isnan(values)
        total += np.where(defined, values, 0.0) * signal.weight
        weights += defined * signal.weight
    return np.divide(total, weights, out=np.zeros(shape), where=weights > 0)


def explain_pairs(
    similarities: Similarities, profile: Profile, pairs: Sequence[tuple[int, int]]
) -> Iterator[Explanation]:
    """What the score of each of some pairs of pages is made of."""
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    columns = {name: v[first, second].tolist() for name, v in similarities.by_signal.items()}
    for place in range(len(pairs)):
        yield explain_score({name: column[place] for name, column in columns.items()}, profile)


def explain_score(values: Mapping[str, float], profile: Profile) -> Explanation:
    """What each signal of a pair gave to its score, and the tests of a learned model, in words.

    Contributions and `background` add up to the score, by a log-odds model to its log-odds.
    """
    if profile.model:
        return explain_by_model(profile.model, values)
    whole = sum(s.weight for s in profile.signals if not np.isnan(values[s.name])) or 1.0
    found = {}
    for signal in profile.signals:
        value = values[signal.name]
        weight = 0.0 if np.isnan(value) else signal.weight / whole
        given = 0.0 if np.isnan(value) else value * weight
        found[signal.name] = Share(similarity=value, weight=weight, contribution=given)
    return found, ()


def background(profile: Profile, score: float, given: Mapping[str, Share]) -> float:
    """What a pair's contributions are added to: a model's start, 0 for a weighted mean."""
    if profile.model.get("kind") == LOG_ODDS:
        return float(profile.model["background"])
    return score - sum(share.contribution for share in given.values()) if profile.model else 0.0
