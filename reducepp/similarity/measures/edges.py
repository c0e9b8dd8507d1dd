"""Overlap of the labelled edges of two graphs of words."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from reducepp.errors import UsageError
from reducepp.similarity.contents import Contents, blank
from reducepp.similarity.word_graph import WINDOW, graphs_of
from reducepp.text.preparation import count_matrix
from reducepp.types import Array

AGAINST = ("union", "smaller", "mean")


def edges(contents: Contents, *, window: int = WINDOW, against: str = "union") -> Array:
    """Weighted overlap of edges, counted as often as they occur, in [0, 1].

    The common weight is the sum of min(a, b) over edges. It is divided by the sum of max(a, b)
    (`union`: weighted Jaccard), by the smaller graph's weight (`smaller`: containment), or the
    geometric mean of the two graphs' weights (`mean`). NaN for a page whose graph has no edge.
    """
    common = shared_edge_weights(contents, window)
    weights = np.diagonal(common).copy()
    if against == "union":
        whole = weights[:, None] + weights[None, :] - common
    elif against == "smaller":
        whole = np.minimum.outer(weights, weights)
    elif against == "mean":
        whole = np.sqrt(np.outer(weights, weights))
    else:
        raise UsageError(f"against = {against!r}: use one of {', '.join(AGAINST)}")
    return blank(np.minimum(common / np.maximum(whole, 1), 1.0), weights == 0)


def shared_edge_weights(contents: Contents, window: int) -> Array:
    """Sum of min(count in a, count in b) over the labelled edges of each two pages."""
    graphs = graphs_of(contents, window=window)
    vocabulary = len(contents.texts().vocabulary)
    labels, columns = np.unique(graphs.sources * vocabulary + graphs.targets, return_inverse=True)
    counts = count_matrix(graphs.pages, columns, (graphs.count, len(labels)))
    return sum_of_minima(counts)


def sum_of_minima(counts: csr_array[np.float64]) -> Array:
    """Sum over columns of min(a, b) for each two rows of whole numbers.

    min(a, b) is the number of levels k = 1, 2, ... that both reach: each count becomes as many
    ones, in a column of its own for each level, and one product of 0/1 matrices counts them.
    """
    times = counts.data.astype(np.int64)
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    ends = np.cumsum(times)
    levels = np.arange(times.sum()) - np.repeat(ends - times, times)
    columns = np.repeat(counts.indices.astype(np.int64), times)
    known, places = np.unique(columns * (times.max(initial=0) + 1) + levels, return_inverse=True)
    at = (np.repeat(rows, times), places)
    ones = csr_array((np.ones(len(places)), at), shape=(counts.shape[0], max(len(known), 1)))
    return np.asarray((ones @ ones.T).toarray(), dtype=np.float64)
