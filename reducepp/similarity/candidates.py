"""Exact candidates: the pairs of a large page set that can reach a score, without all pairs.

Each kind of score gives a bound on its main signal, below which no pair reaches the floor,
whatever its other signals are; an inverted index finds the pairs above the bound. Signals that are
defined for equal keys only (addresses, equal texts) are listed by their keys.

Weighted mean. With weight w of signal s and the sum v of all other weights,

    (w s + v) / (w + v) >= floor   ⇔   s >= floor - (1 - floor) v / w

and a signal that is left out only raises the bound. Pairs that lack the content of s are found by
the next signal in the same way.

Log-odds: see `evidence_candidates`. Approximate candidates are found by MinHash instead.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from reducepp.similarity.contents import Contents, PageSet
from reducepp.similarity.documents import FULL_TEXT, addresses_of
from reducepp.similarity.evidence_candidates import by_evidence, certain_groups, wordless
from reducepp.similarity.inverted_index import cosine_pairs
from reducepp.similarity.models import LOG_ODDS
from reducepp.similarity.pairs import PairArrays, equal_pairs
from reducepp.similarity.shingles import distinct, mix, word_run_codes
from reducepp.text.urls import address_key
from reducepp.types import Bools, Integers, Profile, Signal

EXACT, LSH = "exact", "lsh"
CANDIDATES = (EXACT, LSH)
"""All pairs that can reach the floor; or those that MinHash finds similar, which may miss some."""

BANDS, FUNCTIONS = 32, 3
"""Bands, and hash functions a band: pages that agree in one are candidates. So are 99 of 100 pairs
that share half of their runs, and 23 of 100 that share a fifth (docs/scaling.md has the recall)."""
LOWEST_BOUND = 0.2
"""Below this bound nearly all pairs of real pages are candidates, and dense arrays are faster."""


def candidate_pairs(
    page_set: PageSet,
    profile: Profile,
    floor: float,
    method: str = EXACT,
    *,
    sides: Bools | None = None,
) -> PairArrays | None:
    """Pairs among which all with a score of `floor` or more are; None where bounds do not help.

    By the method `lsh` pairs that are likely to share much text, whatever the profile. With a side
    per page, which only log-odds know, those of pages of two sides.
    """
    found: Iterable[PairArrays] | None = None
    if method == LSH:
        found = _by_hashes(page_set, certain_groups(page_set, profile))
    elif profile.model.get("kind") == LOG_ODDS:
        found = by_evidence(page_set, profile, floor, sides)
    elif not profile.model:
        found = _by_mean(page_set, profile, floor)
    if found is None:
        return None
    count, keys = len(page_set.pages), np.zeros(0, dtype=np.int64)
    for first, second in found:  # of thousands of copies each look-up finds all pairs
        more = np.minimum(first, second) * count + np.maximum(first, second)
        keys = distinct(np.concatenate([keys, more]))
    return keys // count, keys % count


def _by_mean(page_set: PageSet, profile: Profile, floor: float) -> list[PairArrays] | None:
    """Candidates of a weighted mean."""
    listed = [s for s in profile.signals if s.measure == "same_address"]
    graded = [s for s in profile.signals if s.weight and s.measure != "same_address"]
    made = _by_signals(page_set, graded, floor, np.ones(len(page_set.pages), dtype=bool))
    if made is None:
        return None
    addresses = ([address_key(str(v)) for v in page_set.values(s.content)] for s in listed)
    return [*map(equal_pairs, addresses), *made]


def _by_signals(
    page_set: PageSet, signals: Sequence[Signal], floor: float, among: Bools
) -> list[PairArrays] | None:
    """Candidates by the heaviest signal with an index; by the next where its content is absent."""
    if not signals:
        return []
    ordered = sorted(signals, key=lambda signal: -signal.weight)
    first = next((s for s in ordered if s.measure in INDEXED), None)
    if first is None:
        return None
    others = [s for s in ordered if s is not first]
    bound = floor - (1 - floor) * sum(s.weight for s in others) / first.weight
    if bound < LOWEST_BOUND:
        return None
    contents = page_set.contents(first.content)
    absent = (contents.texts().lengths == 0) & among
    found = list(INDEXED[first.measure](contents, bound, **first.options))
    if absent.any():
        rest = _by_signals(page_set, others, floor, absent)
        if rest is None:
            return None
        found += [*rest, wordless(contents, absent)]
    return found


def _cosine(contents: Contents, minimum: float) -> Iterator[PairArrays]:
    yield cosine_pairs(contents.texts().counts, minimum)


def _overlap(
    contents: Contents, minimum: float, *, window: int = 3, short: int = 10, long: int = 25
) -> Iterator[PairArrays]:
    """A mixture reaches the minimum only if edges or letters do; letters only for short texts."""
    from reducepp.similarity.measures.edges import edge_features
    from reducepp.similarity.measures.overlap import trigram_features

    lengths = contents.texts().lengths
    yield cosine_pairs(edge_features(contents, window), minimum)
    brief = np.flatnonzero((lengths < long) & (lengths > 0))
    if len(brief):
        yield cosine_pairs(trigram_features(contents), minimum, rows=brief)


INDEXED: dict[str, Callable[..., Iterator[PairArrays]]] = {"cosine": _cosine, "overlap": _overlap}
"""Measures whose pairs above a minimum an inverted index finds."""


def _by_hashes(page_set: PageSet, certain: Integers) -> list[PairArrays]:
    """Equal addresses, and pairs whose runs of three words MinHash finds similar."""
    texts = page_set.texts(FULL_TEXT, "plain")
    rows, codes = word_run_codes(texts, texts.numbers, 3)
    addresses = equal_pairs(addresses_of(page_set), certain)
    return [addresses, *_minhash_pairs(rows, codes, certain)]


def _minhash_pairs(rows: Integers, codes: Integers, certain: Integers) -> Iterator[PairArrays]:
    """Pairs of rows that agree in a band of hash functions but for `certain` ones (`equal_pairs`).

    The least of a page's hashed runs is the same for two pages with the probability of their
    Jaccard similarity (Broder 1997). `rows` and `codes` are the row and the code of every run, in
    any order; a row without codes agrees with none.
    """
    order = np.argsort(rows, kind="stable")
    filled, starts = np.unique(rows[order], return_index=True)
    hashed = mix(codes[order])
    for band in range(BANDS):
        keys = np.zeros(len(filled), dtype=np.uint64)
        for function in range(FUNCTIONS):
            seed = mix(np.array([band * FUNCTIONS + function + 1], dtype=np.uint64))
            least = np.minimum.reduceat(mix(hashed ^ seed), starts)
            keys = mix(keys ^ least)
        of_row = np.full(len(certain), -1, dtype=np.int64)
        of_row[filled] = np.unique(keys, return_inverse=True)[1]
        yield equal_pairs(of_row, certain)
