"""A second opinion: do two clusterings of the same pages agree?

The eight scores of the REDUCE++ paper, and scikit-learn's agglomerative clustering, which works
from the distances 1 - score and shares no code with our tree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reducepp.errors import MissingExtraError
from reducepp.types import Array

Labels = NDArray[np.int64]

SCORES = (
    "rand",
    "adjusted_rand",
    "ami",
    "nmi",
    "fowlkes_mallows",
    "homogeneity",
    "completeness",
    "v_measure",
)


@dataclass(frozen=True, slots=True, kw_only=True)
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


_SAME = Agreement(
    rand=1.0,
    adjusted_rand=1.0,
    ami=1.0,
    nmi=1.0,
    fowlkes_mallows=1.0,
    homogeneity=1.0,
    completeness=1.0,
    v_measure=1.0,
)


def agreement(labels: Labels, other: Labels) -> Agreement:
    """All eight scores of two clusterings; homogeneity reads `other` as the truth.

    Names of clusters do not matter. The same clusters score 1 throughout, also where every page
    stands alone (scikit-learn's Fowlkes-Mallows gives 0 there: no pair that could agree).
    """
    if len(labels) < 2:
        return Agreement(reason="not defined below 2 pages: nothing can differ")
    if same_clusters(labels, other):
        return _SAME
    rand, adjusted_rand, fowlkes_mallows = _pair_scores(labels, other)
    homogeneity, completeness, v_measure = _information_scores(labels, other)
    return Agreement(
        rand=rand,
        adjusted_rand=adjusted_rand,
        ami=_ami(labels, other),
        nmi=v_measure,  # with the arithmetic mean, scikit-learn's default, the two are one
        fowlkes_mallows=fowlkes_mallows,
        homogeneity=homogeneity,
        completeness=completeness,
        v_measure=v_measure,
    )


def same_clusters(labels: Labels, other: Labels) -> bool:
    """Equal up to the clusters' names."""
    mine, theirs = labels.tolist(), other.tolist()
    meeting = set(zip(mine, theirs, strict=True))
    return len(meeting) == len(set(mine)) == len(set(theirs))


def _overlaps(labels: Labels, other: Labels) -> tuple[Array, Array, Array]:
    """Pages in each pair of clusters that meet, in each cluster, and in each other cluster."""
    _, mine = np.unique(labels, return_inverse=True)
    _, theirs = np.unique(other, return_inverse=True)
    _, joint = np.unique(mine * (theirs.max() + 1) + theirs, return_counts=True)
    return (
        joint.astype(np.float64),
        np.bincount(mine).astype(np.float64),
        np.bincount(theirs).astype(np.float64),
    )


def _pair_scores(labels: Labels, other: Labels) -> tuple[float, float, float]:
    """Rand, adjusted Rand and Fowlkes-Mallows: pairs of pages that are together in both."""
    joint, mine, theirs = (float((c * (c - 1)).sum() / 2) for c in _overlaps(labels, other))
    n = len(labels)
    every = n * (n - 1) / 2
    expected = mine * theirs / every
    best = (mine + theirs) / 2
    return (
        (every + 2 * joint - mine - theirs) / every,
        (joint - expected) / (best - expected),
        math.sqrt(joint / mine) * math.sqrt(joint / theirs) if joint else 0.0,
    )


def _information_scores(labels: Labels, other: Labels) -> tuple[float, float, float]:
    """Homogeneity, completeness, V-measure: what one clustering tells of the other."""
    joint, mine, theirs = (_entropy(counts) for counts in _overlaps(labels, other))
    shared = max(mine + theirs - joint, 0.0)
    homogeneity = min(shared / theirs, 1.0) if theirs else 1.0
    completeness = min(shared / mine, 1.0) if mine else 1.0
    total = homogeneity + completeness
    v_measure = 2 * homogeneity * completeness / total if total else 0.0
    return homogeneity, completeness, v_measure


def _entropy(counts: Array) -> float:
    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def _ami(labels: Labels, other: Labels) -> float:
    try:
        from sklearn.metrics import adjusted_mutual_info_score
    except ImportError:
        raise MissingExtraError("adjusted mutual information", "evaluate") from None
    return float(adjusted_mutual_info_score(other, labels))


class SecondOpinion:
    """scikit-learn's agglomerative clustering of one set of pages, for every threshold.

    Run once over the full hierarchy, then cut: a merge stands where its score is at least t.
    scikit-learn itself merges strictly below its distance threshold, which at a tie would differ
    from an edge at score >= t, and 1 - score rounds; so every merge's distance is turned back
    into the score it came from before it is compared (docs/decisions/2-edge-at-threshold.md).
    """

    def __init__(self, scores: Array, *, linkage: str = "single") -> None:
        self.pages = len(scores)
        self.children: Labels = np.zeros((0, 2), dtype=np.int64)
        self.heights: Array = np.zeros(0)
        if self.pages > 1:
            self._fit(scores, linkage)

    def _fit(self, scores: Array, linkage: str) -> None:
        try:
            from sklearn.cluster import AgglomerativeClustering
        except ImportError:
            raise MissingExtraError("agreement with agglomerative clustering", "evaluate") from None
        model = AgglomerativeClustering(
            n_clusters=None,
            distance_threshold=0.0,
            metric="precomputed",
            linkage=linkage,
            compute_full_tree=True,
        ).fit(1.0 - scores)
        self.children = model.children_.astype(np.int64)
        heights = 1.0 - model.distances_
        self.heights = _nearest(heights, scores) if linkage == "single" else np.round(heights, 12)

    def labels_at(self, threshold: float) -> Labels:
        """Cluster of each page, from the merges whose score is at least the threshold."""
        falls = np.flatnonzero(self.heights < threshold)
        steps = int(falls[0]) if len(falls) else len(self.heights)
        parent = np.arange(self.pages + steps)
        parent[self.children[:steps].ravel()] = np.repeat(self.pages + np.arange(steps), 2)
        above = parent[parent]
        while not np.array_equal(above, parent):
            parent, above = above, above[above]
        labels: Labels = np.unique(parent[: self.pages], return_inverse=True)[1].astype(np.int64)
        return labels


def _nearest(values: Array, scores: Array) -> Array:
    """Each value's nearest score."""
    known = np.unique(scores)
    if len(known) == 1:
        return np.full(len(values), known[0])
    after = np.clip(np.searchsorted(known, values), 1, len(known) - 1)
    before = known[after - 1]
    nearest: Array = np.where(values - before < known[after] - values, before, known[after])
    return nearest
