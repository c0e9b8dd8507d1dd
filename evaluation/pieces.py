"""Clusters found against true clusters: B-cubed, adjusted Rand, and what intervals draw.

A *piece* is what true and found clusters together link: pages of two pieces are in one cluster
neither by the truth nor as found. So each score is made of sums over pieces, and a resample of
pieces is a weighted sum. Drawing pages instead would change every cluster a page is missing from or
twice in, and two copies of a page are always together: both make scores look better than they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reducepp.evaluation.judged import JudgedPairs
from reducepp.types import Array

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]

SCORES = ("b_cubed_precision", "b_cubed_recall", "b_cubed_f1", "adjusted_rand")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """What each piece of two clusterings adds to the scores."""

    query: Integers
    """Number of the query each piece is of."""
    sums: Array
    """Pieces × (pages, B-cubed precision and recall summed over them, pairs of pages that are
    together in both clusterings, in the true one, in the found one)."""

    def by_query(self) -> Array:
        """The sums of each query."""
        names, numbers = np.unique(self.query, return_inverse=True)
        return _add_up(self.sums, numbers, len(names))


def score_clusters(sums: Array) -> Array:
    """The four scores of k sets of sums, k × 6: scores × k.

    B-cubed is the mean over pages of two shares: of the pages in a page's cluster those that
    belong there, and of the pages that belong there those that are in it (Bagga and Baldwin 1998).
    The same clusters score 1; NaN without pages, adjusted Rand also with a single one.
    """
    pages, precision, recall, both, true, found = sums.T
    every = pages * (pages - 1) / 2
    expected = _ratio(true * found, every)
    rand = _ratio(both - expected, (true + found) / 2 - expected)
    rand[(both == true) & (both == found) & (every > 0)] = 1.0
    precision, recall = _ratio(precision, pages), _ratio(recall, pages)
    return np.stack([precision, recall, _ratio(2 * precision * recall, precision + recall), rand])


def _ratio(part: Array, whole: Array) -> Array:
    ratio: Array = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole != 0)
    return ratio


def find_pieces(truth: Integers, found: Integers, query: Integers) -> Pieces:
    """The pieces of two clusterings of the same pages; no cluster has pages of two queries."""
    _, truth = np.unique(truth, return_inverse=True)
    _, found = np.unique(found, return_inverse=True)
    _, meeting = np.unique(truth * (len(found) + 1) + found, return_inverse=True)
    both, true, own = (np.bincount(names)[names] for names in (meeting, truth, found))
    parts = [np.ones(len(truth)), both / own, both / true]
    parts += [(size - 1) / 2 for size in (both, true, own)]  # a pair is half of either page's
    numbers, count = _link(truth, found)
    _, first = np.unique(numbers, return_index=True)
    return Pieces(query=query[first], sums=_add_up(np.stack(parts, axis=1), numbers, count))


def _link(truth: Integers, found: Integers) -> tuple[Integers, int]:
    """The piece of each page, and how many there are: true and found clusters that meet."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    offset, size = len(truth), 2 * len(truth)
    meetings = (np.ones(len(truth)), (truth, offset + found))
    graph = csr_array(meetings, shape=(size, size))
    _, numbers = np.unique(
        connected_components(graph, directed=False)[1][truth], return_inverse=True
    )
    return numbers.astype(np.int64), int(numbers.max(initial=-1)) + 1


def _add_up(values: Array, numbers: Integers, count: int) -> Array:
    """Sums of the rows with the same number."""
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, numbers, values)
    return sums


def judged_pieces(pairs: JudgedPairs, decided: Bools, labels: Sequence[Integers]) -> Pieces:
    """The pieces of the pages in the decided pairs; `labels` are the clusters found, a query each.

    True clusters are the pages that judged duplicates link; duplicates judged outside a group
    still tell which of its pages belong together.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    sources = pairs.sources(decided)
    judged = np.unique(np.concatenate([sources.first, sources.second]))
    duplicates = pairs.sources(pairs.decided & pairs.duplicate)
    sizes = [len(pages) for pages in pairs.pages]
    offsets = np.cumsum([0, *sizes])
    edges = (duplicates.first, duplicates.second)
    graph = csr_array((np.ones(len(edges[0])), edges), shape=(offsets[-1], offsets[-1]))
    truth = connected_components(graph, directed=False)[1].astype(np.int64)
    found = np.concatenate([own + offsets[i] for i, own in enumerate(labels)])
    query = np.repeat(np.arange(len(sizes)), sizes)
    return find_pieces(truth[judged], found[judged], query[judged])
