"""Lin similarity of two texts' nouns in WordNet."""

import math
from collections.abc import Sequence

import numpy as np

from reducepp.similarity.contents import Contents
from reducepp.similarity.measures.feature_sets import membership, read_posts
from reducepp.text.wordnet import above, concepts_of, hyponym_counts
from reducepp.types import Array

DECIMALS = 12


def lin(contents: Contents) -> Array:
    """For each noun of the shorter text the best Lin similarity in the other, averaged.

    Tao et al. (2013), Algorithm 1; the shorter text is that with fewer nouns, and of two as short
    the mean of both ways is taken. NaN for a text without nouns.
    """
    pairs = contents.pairs
    found = [concepts_of(post) for post in read_posts(contents)]
    table, names = membership([map(str, concepts) for concepts in found])
    similarities = lin_similarities([int(name) for name in names])
    place = {int(name): number for number, name in enumerate(names)}
    nearest = np.zeros((len(found), len(names)))
    for row, concepts in enumerate(found):
        if concepts:
            nearest[row] = similarities[:, [place[c] for c in concepts]].max(axis=1)
    sizes = np.array([len(concepts) for concepts in found], dtype=np.float64)
    a, b = pairs.first(sizes), pairs.second(sizes)
    there = np.round(pairs.products(table, nearest) / np.maximum(a, 1), DECIMALS)
    back = np.round(pairs.products(nearest, table) / np.maximum(b, 1), DECIMALS)
    shorter = (a < b) + 0.5 * (a == b)
    return pairs.blank(there * shorter + back * (1 - shorter), sizes == 0)


def lin_similarities(concepts: Sequence[int]) -> Array:
    """2 IC(lowest common hypernym) / (IC(a) + IC(b)) of every two noun concepts.

    IC is intrinsic: 1 - log(hyponyms + 1) / log(all), of which the quotient leaves the logarithms.
    """
    if not concepts:
        return np.zeros((0, 0))
    counts = hyponym_counts()
    under: dict[int, list[int]] = {}
    for row, concept in enumerate(concepts):
        for ancestor in above(concept):
            under.setdefault(ancestor, []).append(row)
    common = np.zeros((len(concepts), len(concepts)))
    for ancestor in sorted(under, key=lambda a: (-counts[a], a)):  # the most specific comes last
        rows = under[ancestor]
        common[np.ix_(rows, rows)] = math.log(len(counts) / counts[ancestor])
    own = np.diagonal(common)
    similarities: Array = 2 * common / np.maximum(own[:, None] + own, 1e-12)
    np.fill_diagonal(similarities, 1.0)
    return similarities
