"""The scikit-learn face: pages or a precomputed matrix in, `labels_` out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reducepp.api import DEFAULT, compare_records, find_profile, threshold_for
from reducepp.clustering.tree import build_tree
from reducepp.errors import InputError, MissingExtraError, UsageError
from reducepp.types import Page

try:
    from sklearn.base import BaseEstimator, ClusterMixin
except ImportError:
    raise MissingExtraError("the scikit-learn estimator", "evaluate") from None


class ReduceClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Clusters of near-duplicate pages.

    Parameters
    ----------
    profile : name or path of a profile, or a Profile.
    threshold : score from which two pages are one; None takes the profile's.
    target_n : instead, the number of clusters to leave at most.
    linkage : "single", "average" or "complete"; None takes the profile's.
    metric : "pages" for a list of pages (Page, dict or text); "precomputed" for an n×n array of
        similarities in [0, 1].

    Attributes
    ----------
    labels_ : cluster number of each page, in the order given.
    tree_ : the clusters of every threshold (of pages in rank order).
    scores_ : n×n similarities, in the order given.
    threshold_ : the threshold used.
    """

    def __init__(
        self,
        *,
        profile: Any = DEFAULT,
        threshold: float | None = None,
        target_n: int | None = None,
        linkage: str | None = None,
        metric: str = "pages",
    ) -> None:
        self.profile = profile
        self.threshold = threshold
        self.target_n = target_n
        self.linkage = linkage
        self.metric = metric

    def fit(self, X: Any, y: None = None) -> ReduceClusterer:  # noqa: N803
        """Cluster pages or a similarity matrix."""
        settings = find_profile(self.profile, linkage=self.linkage or "")
        if self.metric == "precomputed":
            scores = _check_matrix(X)
            names = [str(i) for i in range(len(scores))]
            place = np.arange(len(scores))
        elif self.metric == "pages":
            scores, names, place = _compare(X, settings)
        else:
            raise UsageError(f"metric {self.metric!r}: use pages or precomputed")
        self.tree_ = build_tree(names, scores, linkage=settings.linkage)
        self.threshold_ = self._choose(settings.threshold)
        labels = self.tree_.labels_at(self.threshold_)[place]
        self.labels_ = _by_first(labels)
        self.scores_ = scores[np.ix_(place, place)]
        self.n_features_in_ = len(place)
        return self

    def _choose(self, otherwise: float) -> float:
        if self.target_n is not None:
            return threshold_for(self.tree_, self.target_n)
        return otherwise if self.threshold is None else self.threshold

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags


def _check_matrix(matrix: Any) -> NDArray[np.float64]:
    scores = np.array(matrix, dtype=np.float64)
    if scores.ndim != 2 or scores.shape[0] != scores.shape[1]:
        raise InputError(f"a square matrix of similarities is needed, not shape {scores.shape}")
    if not np.allclose(scores, scores.T, equal_nan=False):
        raise InputError("the matrix of similarities is not symmetric, or holds NaN")
    if scores.size and (scores.min() < 0 or scores.max() > 1 + 1e-9):
        raise InputError("similarities must lie in [0, 1]: give similarities, not distances")
    return scores


def _compare(pages: Any, settings: Any) -> tuple[NDArray[np.float64], list[str], NDArray[np.int64]]:
    """Scores in rank order, and where each given page stands in that order."""
    given: Sequence[Any] = [{"body": p} if isinstance(p, str) else p for p in pages]
    named = [_named(page, str(i), i + 1) for i, page in enumerate(given)]
    comparison = compare_records(named, profile=settings)
    if comparison.failures:
        raise InputError(f"a page cannot be used: {comparison.failures[0].reason}")
    ids = list(comparison.similarities.ids)
    order = {name: i for i, name in enumerate(ids)}
    place = np.array([order[str(i)] for i in range(len(named))], dtype=np.int64)
    return comparison.scores, ids, place


def _named(page: Any, name: str, rank: int) -> Any:
    if isinstance(page, Page):
        return replace(page, id=name, rank=rank)
    return {**page, "id": name, "rank": rank}


def _by_first(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Renumber clusters by their first member in the order given."""
    numbers: dict[int, int] = {}
    return np.array([numbers.setdefault(n, len(numbers)) for n in labels.tolist()], dtype=np.int64)
