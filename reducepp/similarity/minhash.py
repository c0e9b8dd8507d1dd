"""MinHash with locality-sensitive hashing: pairs of pages that are likely to share much text.

The least of a page's hashed runs, under one of many hash functions, is the same for two pages with
the probability of their Jaccard similarity (Broder 1997). Pages that agree in all functions of one
band are candidates: with 32 bands of 3, 99 of 100 pairs that share half of their runs, and 23 of
100 that share a fifth (docs/scaling.md has the recall as measured).
"""

from collections.abc import Iterator

import numpy as np

from reducepp.similarity.pairs import PairArrays, equal_pairs
from reducepp.similarity.shingles import mix
from reducepp.types import Integers

BANDS, FUNCTIONS = 32, 3
"""Bands, and hash functions a band."""


def minhash_pairs(rows: Integers, codes: Integers, certain: Integers) -> Iterator[PairArrays]:
    """Pairs of rows that agree in a band but for `certain` ones (`equal_pairs`).

    `rows` and `codes` are the row and the code of every run, in any order; a row without codes
    agrees with none.
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
