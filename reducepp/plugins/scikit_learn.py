"""The scikit-learn face: pages or a precomputed matrix in, `labels_` out."""

from dataclasses import replace
from typing import Any, Self

import numpy as np

from reducepp.api import ReduceOptions, compare_query, lowest_score, resolve_cut, resolve_profile
from reducepp.clustering.tree import Scores, build_tree
from reducepp.comparison import Comparison
from reducepp.errors import InputError, UsageError, needs_extra
from reducepp.input_kinds import AUTO
from reducepp.inputs import as_pages
from reducepp.io.columns import as_records
from reducepp.pipeline import Cut, cluster_labels
from reducepp.similarity.pair_matrix import PairMatrix
from reducepp.types import Array, Integers, Page, Similarities

with needs_extra("the scikit-learn estimator", "evaluate"):
    from sklearn.base import BaseEstimator, ClusterMixin


_OPTIONS = ("profile", "kind", "threshold", "min_score", "target_n", "linkage", "metric")


class ReduceClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Clusters of near-duplicate pages.

    Parameters
    ----------
    profile : name or path of a profile, or a Profile; "auto" takes the one for the kind of pages.
    kind : what the pages are; "auto" detects it.
    threshold : score from which two pages are duplicates; None takes the profile's.
    min_score : with target_n, the score below which nothing merges; None takes the lower
        of threshold and the profile's own.
    target_n : the number of clusters to leave at most, where min_score allows it.
    linkage : "single", "average" or "complete"; None takes the profile's.
    metric : "pages" for a list of pages (Page, dict or text) or a DataFrame;
        "precomputed" for an n×n array of similarities in [0, 1].

    Attributes
    ----------
    labels_ : cluster number of each page, in the order given: the clusters of `reduce`.
    tree_ : the clusters of every threshold (of pages in rank order).
    scores_ : n×n similarities, in the order given; of a large set a scipy.sparse matrix of those
        at the threshold and above.
    threshold_ : the threshold used.
    """

    def __init__(
        self,
        *,
        profile: Any = AUTO,
        kind: str = AUTO,
        threshold: float | None = None,
        min_score: float | None = None,
        target_n: int | None = None,
        linkage: str | None = None,
        metric: str = "pages",
    ) -> None:
        self.__dict__.update({name: value for name, value in locals().items() if name in _OPTIONS})

    def fit(self, X: Any, y: None = None) -> Self:  # noqa: N803
        """Cluster pages or a similarity matrix."""
        given = {name: getattr(self, name) for name in _OPTIONS if name != "metric"}
        options = ReduceOptions(**{**given, "linkage": self.linkage or ""})
        if self.metric == "precomputed":
            comparison, place = _compare_matrix(_check_matrix(X), options)
        elif self.metric == "pages":
            comparison, place = _compare(X, options)
        else:
            raise UsageError(f"metric {self.metric!r}: use pages or precomputed")
        self.tree_ = comparison.tree
        how = resolve_cut(comparison, options)
        self.threshold_ = how.threshold
        numbers: dict[int, int] = {}  # by their first member in the order given
        labels = _labels(comparison, how)[place].tolist()
        self.labels_ = np.array([numbers.setdefault(n, len(numbers)) for n in labels], np.int64)
        self.scores_ = _scores_in_order(comparison.scores, place, self.threshold_)
        self.n_features_in_ = len(place)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags


def _labels(comparison: Comparison, how: Cut) -> Integers:
    """Cluster of each page as `reduce` has it; of a given matrix the components alone."""
    if not comparison.similarities.by_signal:
        return comparison.tree.labels_at(how.threshold)
    return cluster_labels(comparison, how)


def _check_matrix(matrix: Any) -> Array:
    scores = np.array(matrix, dtype=np.float64)
    if scores.ndim != 2 or scores.shape[0] != scores.shape[1]:
        raise InputError(f"a square matrix of similarities is needed, not shape {scores.shape}")
    if not np.allclose(scores, scores.T, equal_nan=False):
        raise InputError("the matrix of similarities is not symmetric, or holds NaN")
    if scores.size and (scores.min() < 0 or scores.max() > 1 + 1e-9):
        raise InputError("similarities must lie in [0, 1]: give similarities, not distances")
    return scores


def _compare_matrix(scores: Array, options: ReduceOptions) -> tuple[Comparison, Integers]:
    """Given scores as a comparison of pages that hold nothing."""
    ids = tuple(str(i) for i in range(len(scores)))
    profile = resolve_profile((), options)
    comparison = Comparison(
        pages=tuple(Page(id=name) for name in ids),
        profile=profile,
        similarities=Similarities(ids=ids, by_signal={}),
        scores=scores,
        tree=build_tree(ids, scores, linkage=profile.linkage),
    )
    return comparison, np.arange(len(scores))


def _compare(pages: Any, options: ReduceOptions) -> tuple[Comparison, Integers]:
    """The comparison, and where each given page is in its rank order."""
    records = as_records(pages)
    numbered: list[dict[str, Any]] = [{"id": str(i), "rank": i + 1} for i in range(len(records))]
    named = [
        replace(page, **own) if isinstance(page, Page) else {**page, **own}
        for page, own in zip(records, numbered, strict=True)
    ]
    read, failures = as_pages(named)
    if failures:
        raise InputError(f"a page cannot be used: {failures[0].reason}")
    comparison = compare_query(read, options, floor=lowest_score(read, options))
    order = {name: i for i, name in enumerate(comparison.tree.ids)}
    return comparison, np.array([order[str(i)] for i in range(len(named))], dtype=np.int64)


def _scores_in_order(scores: Scores, place: Integers, threshold: float) -> Any:
    """Scores of pages in the order given; `place` is where each is in the rank order."""
    if not isinstance(scores, PairMatrix):
        return scores[np.ix_(place, place)]
    from scipy.sparse import coo_matrix, identity

    given = np.argsort(place)
    first, second, values = scores.links(threshold)
    half = coo_matrix((values, (given[first], given[second])), shape=scores.shape)
    return (half + half.T + identity(len(place))).tocsr()
