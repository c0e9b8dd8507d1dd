"""Agreement of two clusterings of the same pages.

The eight scores of the REDUCE++ paper, by scikit-learn, and the clusterings they are computed
against: agglomerative clustering from the distances 1 - score (single linkage is the paper's check
and equals connected components; average, complete and Ward can disagree), HDBSCAN and affinity
propagation, which choose their own number of clusters. None shares code with our tree.
"""

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reducepp.errors import MissingExtraError, check_choice
from reducepp.evaluation.validity import distances_of, embed
from reducepp.similarity.sparse import connect
from reducepp.types import Array, Integers


@dataclass(frozen=True)
class Agreement:
    """The eight scores, 1 for the same clusters; NaN below two pages, where nothing can differ."""

    rand: float = math.nan
    adjusted_rand: float = math.nan
    ami: float = math.nan
    nmi: float = math.nan
    fowlkes_mallows: float = math.nan
    homogeneity: float = math.nan
    completeness: float = math.nan
    v_measure: float = math.nan
    reason: str = ""


SCORES = tuple(field.name for field in fields(Agreement) if field.name != "reason")


def agreement(labels: Integers, other: Integers) -> Agreement:
    """All eight scores of two clusterings; homogeneity reads `other` as the truth.

    Names of clusters do not matter. The same clusters score 1 throughout, also where every page
    is a cluster of its own (scikit-learn's Fowlkes-Mallows gives 0 there: no pair could agree).
    """
    if len(labels) < 2:
        return Agreement(reason="not defined below 2 pages: nothing can differ")
    found: Any = [1.0] * len(SCORES)
    if same_clusters(labels, other):
        return Agreement(*found)
    from sklearn import metrics

    homogeneity, completeness, v_measure = metrics.homogeneity_completeness_v_measure(other, labels)
    found = (
        metrics.rand_score(other, labels),
        metrics.adjusted_rand_score(other, labels),
        metrics.adjusted_mutual_info_score(other, labels),
        v_measure,  # nmi with the arithmetic mean, scikit-learn's default, is the same
        metrics.fowlkes_mallows_score(other, labels),
        *(homogeneity, completeness, v_measure),
    )
    scores: Any = map(float, found)
    return Agreement(*scores)


def same_clusters(labels: Integers, other: Integers) -> bool:
    """Equal up to the clusters' names."""
    mine, theirs = labels.tolist(), other.tolist()
    return len(set(zip(mine, theirs, strict=True))) == len(set(mine)) == len(set(theirs))


AGAINST = ("single", "average", "complete", "ward", "hdbscan", "affinity")
"""Clusterings to compare with, by the name a user gives."""


class OtherClustering:
    """Another clustering of one set of pages, for every threshold.

    Agglomerative clustering runs once over the full hierarchy, then is cut: a merge is kept where
    its score is at least t. scikit-learn itself merges strictly below its distance threshold, which
    at a tie would differ from an edge at score >= t, and 1 - score rounds; so every distance is
    turned back into the score it came from (docs/decisions/2-edge-at-threshold.md). Ward's
    distances are no scores: its hierarchy is cut at the number of clusters it is compared with.
    """

    def __init__(self, scores: Array, *, method: str = "single") -> None:
        check_choice("against", method, AGAINST)
        if find_spec("sklearn") is None:
            raise MissingExtraError("agreement with other clusterings", "evaluate")
        self.pages, self.method = len(scores), method
        self.children: Integers = np.zeros((0, 2), dtype=np.int64)
        self.heights: Array = np.zeros(0)
        flat = FLAT.get(method) if self.pages > 1 else None
        self.fixed = flat(scores) if flat else None
        """Clusters of a method without a hierarchy."""
        if self.pages > 1 and not flat:
            self._fit(scores)

    def _fit(self, scores: Array) -> None:
        from sklearn.cluster import AgglomerativeClustering

        ward = self.method == "ward"
        model = AgglomerativeClustering(
            n_clusters=None,
            distance_threshold=0.0,
            metric="euclidean" if ward else "precomputed",
            linkage=self.method,
            compute_full_tree=True,
        ).fit(embed(distances_of(scores)) if ward else 1.0 - scores)
        self.children = model.children_.astype(np.int64)
        heights = 1.0 - model.distances_
        single = self.method == "single"
        self.heights = _nearest(heights, scores) if single else np.round(heights, 12)

    def labels_at(self, threshold: float, clusters: int = 0) -> Integers:
        """Cluster of each page at a threshold; Ward's at a number of clusters."""
        if self.fixed is not None:
            return self.fixed
        lower = np.flatnonzero(self.heights < threshold)
        steps = int(lower[0]) if len(lower) else len(self.heights)
        if self.method == "ward":
            steps = max(self.pages - clusters, 0)
        above = np.repeat(self.pages + np.arange(steps), 2)
        joined = connect(self.pages + steps, self.children[:steps].ravel(), above)
        return _renumber(joined[: self.pages])


def _hdbscan(scores: Array) -> Integers:
    """HDBSCAN with clusters of two pages and more; what it calls noise is a cluster each."""
    from sklearn.cluster import HDBSCAN

    model = HDBSCAN(min_cluster_size=2, min_samples=1, metric="precomputed", copy=True)
    labels = model.fit(distances_of(scores)).labels_
    noise = labels < 0
    labels[noise] = labels.max(initial=-1) + 1 + np.arange(int(noise.sum()))
    return _renumber(labels)


def _affinity(scores: Array) -> Integers:
    """Affinity propagation with its default preference, the median score."""
    from sklearn.cluster import AffinityPropagation

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where it does not converge or all are equal
        model = AffinityPropagation(affinity="precomputed", random_state=0).fit(scores)
    labels = np.asarray(model.labels_)
    return _renumber(labels if (labels >= 0).all() else np.arange(len(labels)))


FLAT: dict[str, Callable[[Array], Integers]] = {"hdbscan": _hdbscan, "affinity": _affinity}


def _renumber(labels: NDArray[Any]) -> Integers:
    return np.asarray(np.unique(labels, return_inverse=True)[1].astype(np.int64))


def _nearest(values: Array, scores: Array) -> Array:
    """Each value's nearest score."""
    known = np.concatenate([[-np.inf], np.unique(scores), [np.inf]])
    after = np.searchsorted(known, values)
    before = known[after - 1]
    return np.asarray(np.where(values - before < known[after] - values, before, known[after]))
