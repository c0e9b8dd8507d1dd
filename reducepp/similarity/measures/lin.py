"""Likeness in meaning of two texts' nouns, by WordNet."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from reducepp.similarity.contents import Contents, blank
from reducepp.similarity.measures.set_overlap import membership
from reducepp.similarity.measures.shared_items import read_posts
from reducepp.text.wordnet import above, concepts_of, hyponym_counts
from reducepp.types import Array

DECIMALS = 12


def lin(contents: Contents) -> Array:
    """For each noun of the shorter text the best Lin similarity in the other, averaged.

    Tao et al. (2013), Algorithm 1; the shorter text is that with fewer nouns, and of two as short
    the mean of both ways counts. NaN for a text without nouns.
    """
    found = [concepts_of(post) for post in read_posts(contents)]
    table, names = membership([map(str, concepts) for concepts in found])
    likeness = lin_similarities([int(name) for name in names])
    place = {int(name): number for number, name in enumerate(names)}
    nearest = np.zeros((len(found), len(names)))
    for row, concepts in enumerate(found):
        if concepts:
            nearest[row] = likeness[:, [place[c] for c in concepts]].max(axis=1)
    sizes = np.array([len(concepts) for concepts in found], dtype=np.float64)
    ways = np.round((table @ nearest.T) / np.maximum(sizes[:, None], 1), DECIMALS)
    shorter = (sizes[:, None] < sizes) + 0.5 * (sizes[:, None] == sizes)
    return blank(ways * shorter + ways.T * (1 - shorter), sizes == 0)


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
    for ancestor in sorted(under, key=lambda a: (-counts[a], a)):  # the most telling comes last
        rows = under[ancestor]
        common[np.ix_(rows, rows)] = math.log(len(counts) / counts[ancestor])
    own = np.diagonal(common)
    likeness: Array = 2 * common / np.maximum(own[:, None] + own, 1e-12)
    np.fill_diagonal(likeness, 1.0)
    return likeness
