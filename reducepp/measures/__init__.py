"""Contents of n pages in, n×n similarities in [0, 1] out; one file a measure.

A measure is a function of Contents and named options. It returns a symmetric array with 1 on the
diagonal; rows and columns of pages that have nothing to compare are NaN.
"""

from __future__ import annotations

from collections.abc import Callable

from reducepp.data import Array
from reducepp.measures.aligned import aligned
from reducepp.measures.clicks import clicks
from reducepp.measures.compression import compression
from reducepp.measures.copied import copied
from reducepp.measures.cosine import cosine
from reducepp.measures.edges import edges
from reducepp.measures.gaps import length_gap, log_gap, time_gap
from reducepp.measures.graphlets import graphlets
from reducepp.measures.images import images
from reducepp.measures.jaccard import jaccard
from reducepp.measures.length import length
from reducepp.measures.levenshtein import levenshtein
from reducepp.measures.lin import lin
from reducepp.measures.overlap import overlap
from reducepp.measures.same import same, same_address, same_domain
from reducepp.measures.shared import shared
from reducepp.measures.simhash import simhash
from reducepp.measures.telling import opening, unmatched, voice
from reducepp.measures.top_terms import top_terms

Measure = Callable[..., Array]

MEASURES: dict[str, Measure] = {
    "cosine": cosine,
    "jaccard": jaccard,
    "graphlets": graphlets,
    "edges": edges,
    "overlap": overlap,
    "same": same,
    "same_domain": same_domain,
    "same_address": same_address,
    "length": length,
    "simhash": simhash,
    "top_terms": top_terms,
    "compression": compression,
    "images": images,
    "levenshtein": levenshtein,
    "shared": shared,
    "aligned": aligned,
    "opening": opening,
    "unmatched": unmatched,
    "voice": voice,
    "copied": copied,
    "lin": lin,
    "length_gap": length_gap,
    "time_gap": time_gap,
    "log_gap": log_gap,
    "clicks": clicks,
}
"""Name in a profile to measure."""
