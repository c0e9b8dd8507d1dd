"""Overlap of two texts in units that fit their length: letters for a post, words for a page."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from reducepp.similarity.contents import Contents, blank
from reducepp.similarity.measures.edges import shared_edge_weights, sum_of_minima
from reducepp.text.preparation import Integers, count_matrix
from reducepp.text.tokenise import words
from reducepp.types import Array

DECIMALS = 12
"""So that equal texts are alike by exactly 1, whatever the mixture."""

LONGEST = 2000
"""Letters of a text that count for its trigrams: only short texts are compared by them."""


def overlap(contents: Contents, *, window: int = 3, short: int = 10, long: int = 25) -> Array:
    """Common weight of two texts over the geometric mean of their weights, in [0, 1].

    Texts of `long` words and more are compared by the labelled edges of their graphs of words,
    texts of up to `short` words by their letter trigrams, and between the two by both in
    proportion; the shorter text of a pair decides. Unrelated long texts share most trigrams and
    related short ones few edges, so each unit is used where it tells texts apart. NaN for a text
    without words.
    """
    lengths = contents.texts().lengths
    shorter = np.minimum.outer(lengths, lengths)
    by_letters = np.clip((long - shorter) / max(long - short, 1), 0.0, 1.0)
    found: Array = (1 - by_letters) * _over_mean(shared_edge_weights(contents, window))
    if by_letters.any():
        found += by_letters * _over_mean(sum_of_minima(_trigrams(contents)))
    found = np.minimum(found, 1.0).round(DECIMALS)
    np.fill_diagonal(found, 1.0)
    return blank(found, lengths == 0)


def _over_mean(common: Array) -> Array:
    weights = np.maximum(np.diagonal(common), 1)
    mean: Array = common / np.sqrt(np.outer(weights, weights))
    return mean


def _trigrams(contents: Contents) -> csr_array[np.float64]:
    """How often each three letters in a row occur in each text, word ends counting as letters."""
    rows: list[Integers] = []
    codes: list[Integers] = []
    for page, value in enumerate(contents.joined()):
        text = " ".join(words(value[: 2 * LONGEST]))[:LONGEST]
        letters = np.frombuffer(f" {text} ".encode("utf-32-le"), dtype=np.uint32).astype(np.int64)
        codes.append((letters[:-2] << 42) + (letters[1:-1] << 21) + letters[2:])
        rows.append(np.full(len(codes[-1]), page, dtype=np.int64))
    empty = np.zeros(0, dtype=np.int64)
    known, columns = np.unique(np.concatenate([empty, *codes]), return_inverse=True)
    return count_matrix(np.concatenate([empty, *rows]), columns, (len(contents), len(known)))
