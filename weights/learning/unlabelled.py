"""Weights from the pages alone, where no pair is labelled.

Two ways, each a function of a query's similarities to one size per signal; sizes of several queries
are averaged and written as shares.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reducepp.errors import UsageError
from reducepp.similarity.combine import combine
from reducepp.similarity.compare import compare
from reducepp.types import Array, Profile, Queries
from reducepp.weights.learning.regression import as_shares

MIN_PAGES = 4
"""Pages of a query from which its similarities are used."""


def signal_separation(by_signal: Mapping[str, Array]) -> dict[str, float]:
    """How far each signal separates near neighbours from the rest.

    Each page's most similar other page is either a duplicate of it or not; the best split of
    these n values into two groups (Otsu: greatest variance between them) gives the gap between
    the groups' means. The weight is the gap times the share of variance that the split explains.
    """
    splits = {name: otsu(nearest_values(values)) for name, values in by_signal.items()}
    return {name: gap * explained for name, (_, gap, explained) in splits.items()}


def signal_agreement(by_signal: Mapping[str, Array]) -> dict[str, float]:
    """How well each signal agrees with the others, per unit of its own spread.

    Signals that err independently are correlated only through the truth, so the first
    eigenvector of their correlations, diagonal left out, ranks them by accuracy (the spectral
    meta-learner of Parisi et al., 2014). Its entries hold for signals of equal spread, and are
    divided by each one's standard deviation.
    """
    columns = [values[np.triu_indices(len(values), 1)] for values in by_signal.values()]
    spread, standard = np.zeros(len(columns)), np.zeros((len(columns), columns[0].size))
    for i, column in enumerate(columns):
        if (~np.isnan(column)).sum() > 1 and (own := np.nanstd(column)) > 1e-9:
            spread[i], standard[i] = own, np.nan_to_num((column - np.nanmean(column)) / own)
    vector = np.maximum(_first_vector(standard @ standard.T / max(standard.shape[1], 1)), 0.0)
    sizes = np.divide(vector, spread, out=np.zeros_like(vector), where=spread > 0)
    return dict(zip(by_signal, sizes.tolist(), strict=True))


UNLABELLED: dict[str, Callable[[Mapping[str, Array]], dict[str, float]]] = {
    "separation": signal_separation,
    "agreement": signal_agreement,
}
"""Name of a way to find weights without labels, to its function."""


def unlabelled_weights(queries: Sequence[Mapping[str, Array]], *, how: str) -> dict[str, float]:
    """Shares from the similarities of several queries; each query counts the same."""
    totals = dict.fromkeys(queries[0], 0.0)
    for by_signal in queries:
        for name, share in as_shares(UNLABELLED[how](by_signal)).items():
            totals[name] += share
    return as_shares(totals)


def nearest_values(values: Array) -> Array:
    """Each page's similarity to its most similar other page; pages without any are left out."""
    others = np.where(np.eye(len(values), dtype=bool), np.nan, values)
    others = others[~np.isnan(others).all(axis=1)]
    return np.asarray(np.nanmax(others, axis=1) if len(others) else np.zeros(0))


def otsu(values: Array) -> tuple[float, float, float]:
    """The best split of numbers into two groups: (where, gap between means, variance explained).

    Gap and variance explained are 0 where all values are equal.
    """
    ordered = np.sort(values)
    whole = float(ordered.var()) if len(ordered) else 0.0
    if whole <= 1e-12:
        return (float(ordered[0]) if len(ordered) else 0.0), 0.0, 0.0
    below = np.arange(1, len(ordered))
    sums = np.cumsum(ordered)[:-1]
    low, high = sums / below, (ordered.sum() - sums) / (len(ordered) - below)
    between = below * (len(ordered) - below) / len(ordered) ** 2 * (high - low) ** 2
    best = int(np.argmax(between))
    where = float((ordered[best] + ordered[best + 1]) / 2)
    return where, float(high[best] - low[best]), float(between[best] / whole)


def _first_vector(matrix: Array) -> Array:
    """First eigenvector of a matrix whose diagonal is unknown: filled in until it converges."""
    matrix = matrix.copy()
    np.fill_diagonal(matrix, 0.0)
    vector = np.zeros(len(matrix))
    for _ in range(50):
        values, vectors = np.linalg.eigh(matrix)
        vector = vectors[:, -1] * np.sqrt(max(values[-1], 0.0))
        vector = vector if vector.sum() >= 0 else -vector
        np.fill_diagonal(matrix, np.minimum(vector**2, 1.0))
    return vector


def weigh_profile(queries: Queries, base: Profile, *, how: str) -> Profile:
    """A profile with weights, and a threshold, from the pages of some queries alone.

    The threshold is where the pages' nearest neighbours, by the new score, part best in two.
    """
    usable = [pages for pages in queries if len(pages) >= MIN_PAGES]
    if not usable:
        raise UsageError(f"a query with at least {MIN_PAGES} pages is needed to find weights")
    found = [compare(pages, base) for pages in usable]
    weights = unlabelled_weights([one.by_signal for one in found], how=how)
    signals = tuple(replace(signal, weight=weights[signal.name]) for signal in base.signals)
    profile = replace(base, signals=signals, model={})
    nearest = np.concatenate([nearest_values(combine(one, profile)) for one in found])
    seen = f"{sum(len(pages) for pages in usable)} pages of {len(usable)} queries"
    return replace(
        profile,
        threshold=round(otsu(nearest)[0], 6),
        provenance=f"Weights by {how}, without labels, from {seen}.",
    )
