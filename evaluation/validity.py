"""How well clusters are separated, without labels: silhouette, Davies-Bouldin, Calinski-Harabasz.

The silhouette takes the distances themselves. The other two take vectors, which a set of scores
does not have; by default a page's vector is its row of the distance matrix, `embed` gives
vectors that are true to the distances instead (docs/decisions/6-validity-indices.md).

All three need at least two clusters, and fewer clusters than pages; elsewhere they are NaN and
`reason` says why.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reducepp.types import Array, Integers

ZERO_TOLERANCE = 1e-8
"""A spread or distance up to here is none, as for scikit-learn."""
INDICES = ("silhouette", "davies_bouldin", "calinski_harabasz")


@dataclass(frozen=True, kw_only=True)
class Validity:
    """The three indices of one clustering; NaN where not defined, and then the reason."""

    silhouette: float = math.nan
    davies_bouldin: float = math.nan
    calinski_harabasz: float = math.nan
    reason: str = ""


def validity(distances: Array, labels: Integers, vectors: Array) -> Validity:
    """All three indices of n pages.

    `distances` is n×n with a zero diagonal, `labels` are cluster numbers from 0 without gaps,
    `vectors` n×d.
    """
    reason = why_undefined(len(labels), _count(labels))
    if reason:
        return Validity(reason=reason)
    sizes, sums = np.bincount(labels), _sums(vectors, labels)
    centres = sums / sizes[:, None]
    squares = ((vectors - centres[labels]) ** 2).sum(axis=1)
    shifts = ((centres - sums.sum(axis=0) / len(labels)) ** 2).sum(axis=1)
    return Validity(
        silhouette=silhouette(distances, labels),
        davies_bouldin=davies_bouldin(centres, np.bincount(labels, np.sqrt(squares)) / sizes),
        calinski_harabasz=calinski_harabasz(squares, shifts, sizes),
    )


def why_undefined(pages: int, clusters: int) -> str:
    """Why no index is defined for so many pages in so many clusters; "" where all are."""
    if pages < 3:
        return f"not defined for {pages} page{'s' if pages != 1 else ''}: at least 3 are needed"
    if clusters == 1:
        return "not defined: all pages are in one cluster"
    if clusters == pages:
        return "not defined: every page is a cluster of its own"
    return ""


def silhouette(distances: Array, labels: Integers) -> float:
    """Mean of (b - a) / max(a, b) in [-1, 1]; a page alone in its cluster counts 0.

    a is a page's mean distance to its own cluster, b to the nearest other (Rousseeuw 1987).
    """
    pages = np.arange(len(labels))
    sizes = np.bincount(labels)
    sums = _sums(distances, labels).T
    own = sums[pages, labels] / np.maximum(sizes[labels] - 1, 1)
    means = sums / sizes
    means[pages, labels] = np.inf
    nearest = means.min(axis=1)
    larger = np.maximum(own, nearest)
    parts = np.divide(nearest - own, larger, out=np.zeros(len(labels)), where=larger > 0)
    return float(np.where(sizes[labels] > 1, parts, 0.0).mean())


def davies_bouldin(centres: Array, spreads: Array) -> float:
    """Mean over clusters of the worst (spread + other's spread) / distance of centres, from 0.

    A cluster's spread is the mean distance of its pages from its centre. Lower is better; two
    clusters with the same centre do not count as close (as scikit-learn). Between two clusters
    without spread the quotient is 0, so their distance is not worked out: most are single pages.
    """
    from scipy.spatial.distance import cdist

    wide = np.flatnonzero(spreads)
    if spreads.max() <= ZERO_TOLERANCE:
        return 0.0
    apart = cdist(centres[wide], centres)
    if apart.max() <= ZERO_TOLERANCE:
        return 0.0
    apart[apart == 0] = np.inf
    quotients = (spreads[wide, None] + spreads) / apart
    worst = quotients.max(axis=0)
    worst[wide] = np.maximum(worst[wide], quotients.max(axis=1))
    return float(worst.mean())


def calinski_harabasz(squares: Array, shifts: Array, sizes: Integers) -> float:
    """Spread between clusters over spread within, each by its degrees of freedom, from 0.

    `squares` are squared distances of pages from the centres of their clusters, `shifts` those of
    the centres from the centre of all. 1 where no cluster has any spread (as scikit-learn).
    """
    within, between = float(squares.sum()), float((sizes * shifts).sum())
    clusters = len(sizes)
    return between * (len(squares) - clusters) / (within * (clusters - 1)) if within else 1.0


def embed(distances: Array) -> Array:
    """Vectors whose Euclidean distances are nearest to those given (classical scaling).

    Directions with a negative eigenvalue, which no real vectors can have, are left out.
    """
    n = len(distances)
    if n == 0:
        return distances
    centring = np.eye(n) - 1 / n
    values, directions = np.linalg.eigh(-0.5 * centring @ distances**2 @ centring)
    real = values > 1e-12 * max(float(values.max()), 1e-300)
    return np.asarray(directions[:, real] * np.sqrt(values[real]))


VECTORS: dict[str, Callable[[Array], Array]] = {"rows": lambda d: d, "embedding": embed}
"""What Davies-Bouldin and Calinski-Harabasz are computed on; by `rows` a page's vector is its
distances to all pages: what the paper must have given."""


def distances_of(scores: Array) -> Array:
    """1 - score; 0 on the diagonal."""
    distances: Array = 1.0 - scores
    np.fill_diagonal(distances, 0.0)
    return distances


def _count(labels: Integers) -> int:
    return int(labels.max()) + 1 if len(labels) else 0


def _sums(vectors: Array, labels: Integers) -> Array:
    """Sum of the vectors of each cluster. No matrix product: on arrays this small the threads
    of a linear algebra library cost more than the sums."""
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(_count(labels)))
    return np.asarray(np.add.reduceat(vectors[order], starts, axis=0))
