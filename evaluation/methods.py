"""Ways to score the same labelled pages: profiles, and the baselines that others use.

The baselines are MinHash, similarity hash and tf-idf cosine. Each reads the main text alone, in its
usual setting, and gives a Comparison like any profile.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from reducepp.comparison import Comparison, compare_pages, make_comparison, rank_order
from reducepp.errors import UsageError, needs_extra
from reducepp.labelled.labelled_pairs import LabelledPairs
from reducepp.parallel import map_in_order
from reducepp.similarity.contents import PageSet
from reducepp.similarity.measures.simhash import simhash
from reducepp.text.tokenise import words
from reducepp.types import Array, Page, Profile, Queries, Similarities

SHINGLE_WORDS = 5
PERMUTATIONS = 128
"""Both as in datasketch's and text-dedup's defaults and examples."""
_CHUNK = 64
"""Queries of two pages that one process takes at once."""


def _minhash_type() -> Any:
    with needs_extra("the MinHash baseline", "evaluate"):
        from datasketch import MinHash
    return MinHash


def score_minhash(page_set: PageSet, *, length: int = SHINGLE_WORDS) -> Array:
    """Estimated Jaccard similarity of shingles of `length` words, by datasketch's MinHash."""
    sketch_type = _minhash_type()
    signatures = np.zeros((len(page_set.pages), PERMUTATIONS), dtype=np.uint64)
    for row, page in enumerate(page_set.pages):
        sketch = sketch_type(num_perm=PERMUTATIONS, seed=1)
        sketch.update_batch([shingle.encode() for shingle in shingles(page.body, length)])
        signatures[row] = sketch.hashvalues
    return np.array([(signatures == one).mean(axis=1) for one in signatures])


def shingles(text: str, length: int) -> list[str]:
    """Runs of so many words; a shorter text is one run."""
    found = words(text)
    count = max(len(found) - length + 1, 1) if found else 0
    return [" ".join(found[i : i + length]) for i in range(count)]


def score_tfidf(page_set: PageSet) -> Array:
    """Cosine of tf-idf vectors, smoothed as in scikit-learn: idf = ln((1 + n) / (1 + df)) + 1."""
    counts = page_set.texts("body", "syntactic").counts
    df = np.bincount(counts.indices, minlength=counts.shape[1])
    vectors = counts.multiply(np.log((1 + counts.shape[0]) / (1 + df)) + 1).tocsr()
    dots: Array = (vectors @ vectors.T).toarray()
    norms = np.sqrt(dots.diagonal())
    scale = np.outer(norms, norms)
    return np.asarray(np.divide(dots, scale, out=np.zeros_like(dots), where=scale > 0))


BASELINES: dict[str, tuple[Callable[[PageSet], Array], float]] = {
    "minhash": (score_minhash, 0.7),
    "minhash-3": (partial(score_minhash, length=3), 0.7),
    "simhash": (lambda page_set: simhash(page_set.contents("body")), 61 / 64),
    "tfidf": (score_tfidf, 0.8),
}
"""How each scores, and the threshold it is commonly used with: 0.7 is the default of text-dedup; at
most 3 of 64 bits is Manku et al. (2007)."""


def compare_baseline(pages: Sequence[Page], name: str) -> Comparison:
    """Pages in rank order scored by a baseline; a page without text is like no other."""
    score, threshold = BASELINES[name]
    ranked = rank_order(pages)
    scores: Array = np.nan_to_num(score(PageSet(ranked)), nan=0.0)
    empty = np.array([not page.body.strip() for page in ranked], dtype=bool)
    scores[empty], scores[:, empty] = 0.0, 0.0
    scores = np.round(np.clip(scores, 0.0, 1.0), 12).astype(np.float64)
    np.fill_diagonal(scores, 1.0)
    ids = tuple(page.id for page in ranked)
    profile = Profile(name=name, signals=(), threshold=threshold)
    similarities = Similarities(ids=ids, by_signal={name: scores})
    return make_comparison(ranked, profile, similarities, scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A name, a way to compare the pages of one query, and the threshold that goes with it."""

    name: str
    compare: Callable[[Sequence[Page]], Comparison]
    threshold: float

    def compare_chunk(self, queries: Queries) -> list[Comparison]:
        return [self.compare(pages) for pages in queries]


def of_profile(profile: Profile, *, threshold: float | None = None) -> Method:
    """A profile as a method, at its own threshold unless another is named.

    Labelled pairs of a large set are scored whether or not they reach it.
    """
    at = profile.threshold if threshold is None else threshold
    compare = partial(compare_pages, profile=profile, floor=at)
    return Method(name=profile.name, compare=compare, threshold=at)


def of_baseline(name: str) -> Method:
    """A baseline; MissingExtraError where its package is not installed."""
    if name not in BASELINES:
        raise UsageError(f"baseline {name!r}: use one of {', '.join(BASELINES)}, or all")
    if name.startswith("minhash"):
        _minhash_type()
    compare = partial(compare_baseline, name=name)
    return Method(name=name, compare=compare, threshold=BASELINES[name][1])


def compare_all(method: Method, pairs: LabelledPairs, *, jobs: int = 0) -> list[Comparison]:
    """The comparison of every page list, on all cores where there are many."""
    size = _CHUNK if len(pairs.pages) > 4 * _CHUNK else 1
    chunks = [pairs.pages[i : i + size] for i in range(0, len(pairs.pages), size)]
    found = map_in_order(method.compare_chunk, chunks, jobs=jobs)
    return [comparison for chunk in found for comparison in chunk]
