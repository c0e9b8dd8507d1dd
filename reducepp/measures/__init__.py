"""Contents of n pages in, n×n similarities in [0, 1] out; one file a measure.

A measure is a function of Contents and named options. It returns a symmetric array with 1 on the
diagonal; rows and columns of pages that have nothing to compare are NaN.
"""

from __future__ import annotations

from collections.abc import Callable

from reducepp.data import Array
from reducepp.measures.cosine import cosine
from reducepp.measures.edges import edges
from reducepp.measures.graphlets import graphlets
from reducepp.measures.jaccard import jaccard

Measure = Callable[..., Array]

MEASURES: dict[str, Measure] = {
    "cosine": cosine,
    "jaccard": jaccard,
    "graphlets": graphlets,
    "edges": edges,
}
"""Name in a profile to measure."""
