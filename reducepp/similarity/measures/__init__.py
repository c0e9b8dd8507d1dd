"""Measures: similarities in [0, 1] of a content type, one file per measure.

A measure is a function of Contents and named options. It returns an array of the pairs in
`contents.pairs`: symmetric, 1 for a page with itself, NaN for pages that have nothing to compare.
"""

from __future__ import annotations

from collections.abc import Callable

from reducepp.similarity.measures.click_redundancy import clicks
from reducepp.similarity.measures.compression import compression
from reducepp.similarity.measures.copied import copied
from reducepp.similarity.measures.cosine import cosine
from reducepp.similarity.measures.edges import edges
from reducepp.similarity.measures.gaps import length_gap, log_gap, time_gap
from reducepp.similarity.measures.graphlets import graphlets
from reducepp.similarity.measures.image_hashes import images
from reducepp.similarity.measures.jaccard import jaccard
from reducepp.similarity.measures.length import length
from reducepp.similarity.measures.levenshtein import levenshtein
from reducepp.similarity.measures.lin import lin
from reducepp.similarity.measures.overlap import overlap
from reducepp.similarity.measures.post_openings import opening, unmatched, voice
from reducepp.similarity.measures.rare_equality import rare_same
from reducepp.similarity.measures.rare_runs import rare_runs
from reducepp.similarity.measures.same import same, same_address, same_domain
from reducepp.similarity.measures.same_page import other_class, other_result, same_text
from reducepp.similarity.measures.shared_items import shared
from reducepp.similarity.measures.simhash import simhash
from reducepp.similarity.measures.top_terms import top_terms
from reducepp.similarity.measures.word_alignment import aligned
from reducepp.types import Array

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
    "rare_runs": rare_runs,
    "rare_same": rare_same,
    "same_text": same_text,
    "other_result": other_result,
    "other_class": other_class,
}
"""Name in a profile to measure."""
