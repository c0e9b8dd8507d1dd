"""Overlap of the labelled edges of two graphs of words."""

from __future__ import annotations

import numpy as np

from reducepp.errors import UsageError
from reducepp.similarity.contents import Contents, made_once
from reducepp.similarity.measures.feature_sets import repeat_counts
from reducepp.similarity.word_graph import WINDOW, graphs_of
from reducepp.text.preparation import count_matrix
from reducepp.types import Array, Sparse

AGAINST = ("union", "smaller", "mean")


def edges(contents: Contents, *, window: int = WINDOW, against: str = "union") -> Array:
    """Weighted overlap of edges, counted as often as they occur, in [0, 1].

    The common weight is the sum of min(a, b) over edges. It is divided by the sum of max(a, b)
    (`union`: weighted Jaccard), by the smaller graph's weight (`smaller`: containment), or the
    geometric mean of the two graphs' weights (`mean`). NaN for a page whose graph has no edge.
    """
    pairs = contents.pairs
    common = pairs.products(edge_features(contents, window))
    weights = pairs.own(common)
    a, b = pairs.first(weights), pairs.second(weights)
    if against == "union":
        whole = a + b - common
    elif against == "smaller":
        whole = np.minimum(a, b)
    elif against == "mean":
        whole = np.sqrt(a * b)
    else:
        raise UsageError(f"against = {against!r}: use one of {', '.join(AGAINST)}")
    return pairs.blank(np.minimum(common / np.maximum(whole, 1), 1.0), weights == 0)


@made_once
def edge_features(contents: Contents, window: int) -> Sparse:
    """0/1 matrix of pages × (labelled edge, k-th occurrence)."""
    graphs = graphs_of(contents, window)
    vocabulary = len(contents.texts().vocabulary)
    labels, columns = np.unique(graphs.sources * vocabulary + graphs.targets, return_inverse=True)
    return repeat_counts(count_matrix(graphs.pages, columns, (graphs.count, len(labels))))
