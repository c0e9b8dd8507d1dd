"""Overlap of two texts in units that fit their length: letters for a post, words for a page."""

from __future__ import annotations

import numpy as np

from reducepp.similarity.contents import Contents, made_once
from reducepp.similarity.measures.edges import edge_features
from reducepp.similarity.measures.feature_sets import cosines, repeat_counts
from reducepp.text.preparation import count_matrix
from reducepp.text.tokenise import words
from reducepp.types import Array, Integers, Sparse

DECIMALS = 12
"""So that equal texts have a similarity of exactly 1, whatever the mixture."""

MAX_TRIGRAM_CHARS = 2000
"""Characters of a text that give trigrams: only short texts are compared by them."""


def overlap(contents: Contents, *, window: int = 3, short: int = 10, long: int = 25) -> Array:
    """Common weight of two texts over the geometric mean of their weights, in [0, 1].

    Texts of `long` words and more are compared by the labelled edges of their graphs of words,
    texts of up to `short` words by their letter trigrams, and between the two by both in
    proportion; the shorter text of a pair decides. Unrelated long texts share most trigrams and
    related short ones few edges, so each unit is used where it separates texts. NaN for a text
    without words.
    """
    pairs, lengths = contents.pairs, contents.texts().lengths
    shorter = np.minimum(pairs.first(lengths), pairs.second(lengths))
    by_letters = np.clip((long - shorter) / max(long - short, 1), 0.0, 1.0)
    found: Array = (1 - by_letters) * cosines(pairs, edge_features(contents, window))
    if by_letters.any():
        found += by_letters * cosines(pairs, trigram_features(contents))
    found = np.minimum(found, 1.0).round(DECIMALS)
    pairs.set_own(found, 1.0)
    return pairs.blank(found, lengths == 0)


@made_once
def trigram_features(contents: Contents) -> Sparse:
    """0/1 matrix of pages × (letter trigram, k-th occurrence); word ends count as letters."""
    rows: list[Integers] = []
    codes: list[Integers] = []
    for page, value in enumerate(contents.joined()):
        text = " ".join(words(value[: 2 * MAX_TRIGRAM_CHARS]))[:MAX_TRIGRAM_CHARS]
        letters = np.frombuffer(f" {text} ".encode("utf-32-le"), dtype=np.uint32).astype(np.int64)
        codes.append((letters[:-2] << 42) + (letters[1:-1] << 21) + letters[2:])
        rows.append(np.full(len(codes[-1]), page, dtype=np.int64))
    empty = np.zeros(0, dtype=np.int64)
    known, columns = np.unique(np.concatenate([empty, *codes]), return_inverse=True)
    shape = (len(contents), len(known))
    return repeat_counts(count_matrix(np.concatenate([empty, *rows]), columns, shape))
