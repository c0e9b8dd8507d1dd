"""The validity indices of one clustering after another, brought up to date at each merge.

Sums of distances and of vectors are added up when clusters merge; spreads, distances of centres
and nearest clusters are worked out anew only where a merge touched them. The indices are those of
`reducepp.evaluation.validity`, which works each out from nothing and is the oracle in the tests.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reducepp.evaluation.tree_merges import Groups, Merges
from reducepp.evaluation.validity import (
    NOTHING,
    Validity,
    distances_of,
    mean_of_worst,
    why_undefined,
)
from reducepp.types import Array

Integers = NDArray[np.int64]

_NEAR = 1e-6
"""Below this share of the lengths a difference by way of products has lost too many digits."""
_CELLS = 2_000_000


class RunningValidity:
    """All three indices of the clusters of `groups`, after each of its merges."""

    def __init__(self, scores: Array, vectors: Array) -> None:
        enough = len(scores) > 2
        self.parts = (_Silhouettes(distances_of(scores)), _Centres(vectors)) if enough else ()

    def after(self, groups: Groups, merges: Merges) -> Validity:
        """The indices once these merges are done; every merge must have come by here."""
        reason = why_undefined(len(groups.names), len(groups.alive))
        if not self.parts:
            return Validity(reason=reason)
        silhouettes, centres = self.parts
        silhouettes.update(groups, merges)
        centres.update(groups, merges)
        if reason:
            return Validity(reason=reason)
        return Validity(
            silhouette=silhouettes.mean(groups),
            davies_bouldin=centres.davies_bouldin(groups),
            calinski_harabasz=centres.calinski_harabasz(groups),
        )


class _Silhouettes:
    """Sums of the distances of each page to each cluster, and each page's nearest other cluster.

    The mean distance to a merged cluster lies between those to its two parts, so a page's nearest
    cluster stays the nearest until it merges itself.
    """

    def __init__(self, distances: Array) -> None:
        self.sums = distances.copy()
        away = distances.copy()
        np.fill_diagonal(away, np.inf)
        self.nearest = away.argmin(axis=1)
        self.distance = away.min(axis=1)

    def update(self, groups: Groups, merges: Merges) -> None:
        for into, gone in merges.joined:
            self.sums[into] += self.sums[gone]
        pages = np.flatnonzero(merges.touched[self.nearest])
        alive, every = groups.alive, np.arange(len(pages))
        means = self.sums[alive[:, None], pages] / groups.sizes[alive, None]
        means[np.searchsorted(alive, groups.names[pages]), every] = np.inf
        places = means.argmin(axis=0)
        self.nearest[pages] = alive[places]
        self.distance[pages] = means[places, every]

    def mean(self, groups: Groups) -> float:
        pages = np.arange(len(groups.names))
        sizes = groups.sizes[groups.names]
        own = self.sums[groups.names, pages] / np.maximum(sizes - 1, 1)
        larger = np.maximum(own, self.distance)
        parts = np.divide(self.distance - own, larger, out=np.zeros(len(pages)), where=larger > 0)
        return float(np.where(sizes > 1, parts, 0.0).mean())


class _Centres:
    """Centres, spreads and distances of clusters, by number; the origin is the centre of all.

    Distances come from inner products, which add up when clusters merge. Where a distance is so
    small that this loses digits, it is worked out from the vectors themselves.
    """

    def __init__(self, vectors: Array) -> None:
        pages = len(vectors)
        self.points: Array = vectors - vectors.mean(axis=0)
        self.products: Array = self.points @ self.points.T
        """Cluster × page: inner products with the page, summed over the cluster."""
        self.sums = self.points.copy()
        self.lengths = self.products.diagonal().copy()
        """Squared length of each page's vector."""
        self.centre_lengths = self.lengths.copy()
        self.within, self.spreads = np.zeros(pages), np.zeros(pages)
        self.apart = np.zeros((pages, pages))
        """Between two centres, where one is of more than one page."""

    def update(self, groups: Groups, merges: Merges) -> None:
        for into, gone in merges.joined:
            self.sums[into] += self.sums[gone]
            self.products[into] += self.products[gone]
        if len(merges.changed):
            self._part(groups, merges.changed)
            self._spread(groups, merges.changed)

    def _part(self, groups: Groups, changed: Integers) -> None:
        """How far the centres of changed clusters are from all others."""
        alive, sizes = groups.alive, groups.sizes
        order = np.concatenate([groups.members[name] for name in alive.tolist()])
        starts = np.cumsum(sizes[alive]) - sizes[alive]
        sums = np.add.reduceat(self.products[changed[:, None], order], starts, axis=1)
        products = sums / sizes[changed, None] / sizes[alive]
        rows = np.arange(len(changed))
        self.centre_lengths[changed] = products[rows, np.searchsorted(alive, changed)]
        lengths = self.centre_lengths[changed, None] + self.centre_lengths[alive]
        squares = lengths - 2 * products
        row, other = np.nonzero(squares < _NEAR * lengths)
        squares[row, other] = self._differences(groups, changed[row], alive[other])
        apart = np.sqrt(squares)
        self.apart[changed[:, None], alive], self.apart[alive[:, None], changed] = apart, apart.T

    def _spread(self, groups: Groups, changed: Integers) -> None:
        """How far the pages of changed clusters are from their centres."""
        pages = np.concatenate([groups.members[name] for name in changed.tolist()])
        column = np.repeat(np.arange(len(changed)), groups.sizes[changed])
        own = changed[column]
        lengths = self.lengths[pages] + self.centre_lengths[own]
        squares = lengths - 2 * self.products[own, pages] / groups.sizes[own]
        near = np.flatnonzero(squares < _NEAR * lengths)
        squares[near] = self._differences(groups, own[near], pages[near], of_pages=True)
        self.within[changed] = np.bincount(column, squares)
        self.spreads[changed] = np.bincount(column, np.sqrt(squares)) / groups.sizes[changed]

    def _differences(
        self, groups: Groups, clusters: Integers, others: Integers, *, of_pages: bool = False
    ) -> Array:
        """Squared distances of centres from others, or from pages, by the vectors' differences."""
        squares = np.zeros(len(clusters))
        step = max(1, _CELLS // max(self.points.shape[1], 1))
        for start in range(0, len(clusters), step):
            part = slice(start, start + step)
            one, other = clusters[part], others[part]
            centres = self.sums[one] / groups.sizes[one, None]
            second = self.points[other]
            if not of_pages:
                second = self.sums[other] / groups.sizes[other, None]
            squares[part] = ((centres - second) ** 2).sum(axis=1)
        return squares

    def davies_bouldin(self, groups: Groups) -> float:
        alive = groups.alive
        spreads = self.spreads[alive]
        wide = np.flatnonzero(spreads)
        if spreads.max() <= NOTHING:
            return 0.0
        apart = self.apart[alive[wide, None], alive]
        return mean_of_worst(spreads, wide, apart)

    def calinski_harabasz(self, groups: Groups) -> float:
        alive = groups.alive
        within = float(self.within[alive].sum())
        between = float((groups.sizes[alive] * self.centre_lengths[alive]).sum())
        freedom = (len(groups.names) - len(alive)) / (len(alive) - 1)
        return between * freedom / within if within else 1.0
