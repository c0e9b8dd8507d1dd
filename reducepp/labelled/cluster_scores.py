"""Clusters found against true clusters: B-cubed and adjusted Rand, as sums over components.

A *component* is what true and found clusters together connect: pages of two components share a
cluster neither by the truth nor as found. So each score is made of sums over components, and a
resample of components is a weighted sum. Drawing pages instead would change every cluster a page
is missing from or twice in, and two copies of a page are always together: both flatter the scores.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reducepp.labelled.labelled_pairs import LabelledPairs
from reducepp.similarity.sparse import connect
from reducepp.types import Array, Bools, Integers

SCORES = ("b_cubed_precision", "b_cubed_recall", "b_cubed_f1", "adjusted_rand")


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """What each component of two clusterings adds to the scores."""

    query: Integers
    """Number of each component's query."""
    sums: Array
    """Components × (pages, B-cubed precision and recall summed over them, pairs of pages that are
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


def find_components(truth: Integers, found: Integers, query: Integers) -> Components:
    """Components of two clusterings of the same pages; no cluster has pages of two queries."""
    _, truth = np.unique(truth, return_inverse=True)
    _, found = np.unique(found, return_inverse=True)
    _, meeting = np.unique(truth * (len(found) + 1) + found, return_inverse=True)
    both, true, own = (np.bincount(names)[names] for names in (meeting, truth, found))
    parts = [np.ones(len(truth)), both / own, both / true]
    parts += [(size - 1) / 2 for size in (both, true, own)]  # a pair is half of either page's
    offset = len(truth)
    joined = connect(2 * offset, truth, offset + found)[truth]
    _, first, numbers = np.unique(joined, return_index=True, return_inverse=True)
    sums = _add_up(np.stack(parts, axis=1), numbers, len(first))
    return Components(query=query[first], sums=sums)


def _add_up(values: Array, numbers: Integers, count: int) -> Array:
    """Sums of the rows with the same number."""
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, numbers, values)
    return sums


def labelled_components(
    pairs: LabelledPairs, decided: Bools, clusters: Sequence[Integers]
) -> Components:
    """Components of the pages in the decided pairs; `clusters` are the ones found, per query.

    True clusters are the pages that duplicate labels connect; a duplicate outside the chosen pairs
    still connects two of their pages.
    """
    sources = pairs.sources(decided)
    labelled = np.unique(np.concatenate([sources.first, sources.second]))
    duplicates = pairs.sources(pairs.decided & pairs.duplicate)
    sizes = [len(pages) for pages in pairs.pages]
    offsets = np.cumsum([0, *sizes])
    truth = connect(int(offsets[-1]), duplicates.first, duplicates.second)
    found = np.concatenate([own + offsets[i] for i, own in enumerate(clusters)])
    query = np.repeat(np.arange(len(sizes)), sizes)
    return find_components(truth[labelled], found[labelled], query[labelled])
