"""Measures: similarities in [0, 1] of a content type, one file per measure.

A measure is a function of Contents and named options. It returns an array of the pairs in
`contents.pairs`: symmetric, 1 for a page with itself, NaN for pages that have nothing to compare.
"""

from collections.abc import Callable
from importlib import import_module

from reducepp.types import Array

Measure = Callable[..., Array]

MEASURES = {
    "cosine": "cosine",
    "jaccard": "jaccard",
    "graphlets": "graphlets",
    "edges": "edges",
    "overlap": "overlap",
    "same": "same",
    "same_domain": "same",
    "same_address": "same",
    "length": "length",
    "simhash": "simhash",
    "top_terms": "top_terms",
    "compression": "compression",
    "images": "image_hashes",
    "levenshtein": "levenshtein",
    "shared": "shared_items",
    "aligned": "word_alignment",
    "opening": "post_openings",
    "unmatched": "post_openings",
    "voice": "post_openings",
    "copied": "copied",
    "lin": "lin",
    "length_gap": "gaps",
    "time_gap": "gaps",
    "log_gap": "gaps",
    "clicks": "click_redundancy",
    "rare_runs": "rare_runs",
    "rare_same": "rare_equality",
    "other_name": "rare_equality",
    "same_frame": "same_frame",
    "other_subject": "other_subject",
    "same_text": "same_page",
    "other_result": "same_page",
    "other_class": "same_page",
}
"""Name in a profile, which is that of the function, to its module here: imported when needed."""


def find_measure(name: str) -> Measure:
    """The measure of this name; KeyError where there is none."""
    found: Measure = getattr(import_module(f"{__name__}.{MEASURES[name]}"), name)
    return found
