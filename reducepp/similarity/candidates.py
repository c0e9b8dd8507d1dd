"""Exact candidates: the pairs of a large page set that can reach a score, found without all pairs.

A weighted mean reaches `floor` only if each signal makes up for what the others can add at most.
With weight w of signal s and the sum v of all other weights, values of at most 1 give

    (w s + v) / (w + v) >= floor   ⇔   s >= floor - (1 - floor) v / w

and a signal that is left out only raises this bound. So the pairs with s at or above the bound
hold every pair whose s is defined. The others lack the content of s; for them the next signal is
used in the same way. `same_address` is defined for equal addresses alone, which are listed.

Cosines above a minimum m are found with an inverted index that leaves out the most frequent
features F. By Cauchy and Schwarz F adds at most |x_F| |y_F| to the cosine of x and y, so a pair
needs at least m - |x_F| |y_F| from the other features. docs/scaling.md has the derivation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from reducepp.similarity.contents import Contents, PageSet
from reducepp.similarity.measures.edges import edge_features
from reducepp.similarity.measures.overlap import trigram_features
from reducepp.similarity.pairs import Bools, Integers
from reducepp.text.urls import address_key
from reducepp.types import Array, Profile, Signal

Matrix = Any
"""A scipy.sparse matrix in CSR form."""

LOWEST_BOUND = 0.2
"""Below this bound nearly all pairs of real pages are candidates, and dense arrays are faster."""

FREQUENT_SHARE = 0.6
"""Share of the minimum cosine that the most frequent features may add: more makes the index
smaller and the candidates more. 0.4 to 0.7 take about the same time on 10,000 resampled pages."""

BLOCKS = 16
"""Row blocks of the product; each is multiplied with the pages up to its own end only."""

TOLERANCE = 1e-4
"""More than single precision can err in a sum of products of unit rows."""

PairArrays = tuple[Integers, Integers]


def candidate_pairs(page_set: PageSet, profile: Profile, floor: float) -> PairArrays | None:
    """Pairs among which all with a score of `floor` or more are; None where bounds do not help."""
    if profile.model:
        return None
    found = [_equal_addresses(page_set, s) for s in profile.signals if _lists_pairs(s)]
    graded = [s for s in profile.signals if s.weight and not _lists_pairs(s)]
    if any(s.weight and s.measure == "clicks" for s in graded):
        return None
    everyone = np.ones(len(page_set.pages), dtype=bool)
    made = _by_signals(page_set, graded, floor, everyone)
    if made is None:
        return None
    return _merge([*found, *made], len(page_set.pages))


def _lists_pairs(signal: Signal) -> bool:
    return signal.measure == "same_address"


def _by_signals(
    page_set: PageSet, signals: Sequence[Signal], floor: float, among: Any
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
    absent = contents.texts().lengths == 0
    found = list(INDEXED[first.measure](contents, bound, **first.options))
    if (absent & among).any():
        rest = _by_signals(page_set, others, floor, absent & among)
        if rest is None:
            return None
        found += rest
        found.append(_wordless(contents, absent))
    return found


def _wordless(contents: Contents, absent: Any) -> PairArrays:
    """Pairs of equal texts without words, whose similarity is 1."""
    keys = ["".join(text.split()) for text in contents.joined()]
    return equal_pairs([key if gone else "" for key, gone in zip(keys, absent, strict=True)])


def _equal_addresses(page_set: PageSet, signal: Signal) -> PairArrays:
    return equal_pairs([address_key(str(v)) for v in page_set.values(signal.content)])


def equal_pairs(keys: Sequence[str]) -> PairArrays:
    """All pairs of pages with the same key; an empty key has none."""
    groups: dict[str, list[int]] = {}
    for i, key in enumerate(keys):
        if key:
            groups.setdefault(key, []).append(i)
    several = [np.array(group) for group in groups.values() if len(group) > 1]
    corners = [np.triu_indices(len(group), 1) for group in several]
    first = [group[a] for group, (a, _) in zip(several, corners, strict=True)]
    second = [group[b] for group, (_, b) in zip(several, corners, strict=True)]
    empty = np.zeros(0, dtype=np.int64)
    return np.concatenate([empty, *first]), np.concatenate([empty, *second])


def _merge(found: Sequence[PairArrays], count: int) -> PairArrays:
    keys = np.unique(
        np.concatenate([np.minimum(a, b) * count + np.maximum(a, b) for a, b in found])
    )
    return keys // count, keys % count


def _cosine(contents: Contents, minimum: float) -> Iterator[PairArrays]:
    yield cosine_pairs(contents.texts().counts, minimum)


def _overlap(
    contents: Contents, minimum: float, *, window: int = 3, short: int = 10, long: int = 25
) -> Iterator[PairArrays]:
    """A mixture reaches the minimum only if edges or letters do; letters only for short texts."""
    lengths = contents.texts().lengths
    yield cosine_pairs(edge_features(contents, window), minimum)
    brief = (lengths < long) & (lengths > 0)
    if brief.any():
        trigrams = trigram_features(contents)
        yield cosine_pairs(trigrams, minimum, rows=np.flatnonzero(brief))


INDEXED: dict[str, Callable[..., Iterator[PairArrays]]] = {"cosine": _cosine, "overlap": _overlap}
"""Measures whose pairs above a minimum an inverted index finds."""


def cosine_pairs(features: Matrix, minimum: float, *, rows: Integers | None = None) -> PairArrays:
    """Pairs with a cosine of `minimum` or more, and some more; with `rows`, pairs with one of them.

    Of two pages the one with more weight in frequent features is looked up in the index, so that
    the weight that it leaves out, times the other's, stays below the minimum.
    """
    unit = _unit_rows(features)
    frequent, rank = _frequent_features(unit, FREQUENT_SHARE * minimum)
    weight = _norms(unit, frequent[unit.indices])
    allowed = FREQUENT_SHARE * minimum / (1.0 if rows is not None else np.maximum(weight, 1e-9))
    dropped = _dropped(unit, frequent, rank, weight, allowed)
    probe = _select(unit, ~dropped)
    left_out = _norms(unit, dropped)
    order = np.argsort(weight, kind="stable").astype(np.int64)
    if rows is not None:
        blocks: list[tuple[Integers, Integers]] = [(rows, order)]
    else:
        ends = np.linspace(0, len(order), BLOCKS + 1).astype(int).tolist()
        blocks = [(order[a:b], order[:b]) for a, b in pairwise(ends) if b > a]
    found = [_lookup(probe, unit, block, minimum, left_out, weight) for block in blocks]
    return np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found])


def _lookup(
    probe: Matrix,
    unit: Matrix,
    block: tuple[Integers, Integers],
    minimum: float,
    left_out: Array,
    weight: Array,
) -> PairArrays:
    """Pairs of a block of rows and the pages of the index that can reach the minimum."""
    from sparse_dot_topn import sp_matmul_topn

    rows, columns = block
    least = minimum * (1 - FREQUENT_SHARE) - TOLERANCE
    products = sp_matmul_topn(
        probe[rows], unit[columns].T.tocsr(), top_n=len(columns), threshold=least
    ).tocoo()
    first, second = rows[products.row], columns[products.col]
    enough = products.data >= minimum - left_out[first] * weight[second] - TOLERANCE
    return first[enough & (first != second)], second[enough & (first != second)]


def _unit_rows(features: Matrix) -> Matrix:
    """Rows of length 1, without the features of a single page, which no pair shares."""
    from scipy.sparse import csr_matrix

    squares = np.asarray(features.power(2).sum(axis=1)).ravel()
    scale = 1 / np.sqrt(np.maximum(squares, 1e-300))
    data = (features.data * np.repeat(scale, np.diff(features.indptr))).astype(np.float32)
    unit = csr_matrix((data, features.indices, features.indptr), shape=features.shape)
    return _select(unit, np.bincount(unit.indices, minlength=unit.shape[1])[unit.indices] > 1)


def _select(matrix: Matrix, kept: Bools) -> Matrix:
    """The matrix with only the stored entries that are kept."""
    from scipy.sparse import csr_matrix

    starts = np.concatenate([[0], np.cumsum(kept)])[matrix.indptr]
    return csr_matrix((matrix.data[kept], matrix.indices[kept], starts), shape=matrix.shape)


def _norms(matrix: Matrix, among: Bools) -> Array:
    """Length of each row over the stored entries in `among`."""
    sums = np.concatenate([[0.0], np.cumsum(np.where(among, matrix.data.astype(float) ** 2, 0.0))])
    norms: Array = np.sqrt(np.maximum(np.diff(sums[matrix.indptr]), 0.0))
    return norms


def _frequent_features(unit: Matrix, share: float) -> tuple[Bools, Integers]:
    """The most frequent features with at most `share` of a mean row's squares; ranks of all."""
    pages = np.bincount(unit.indices, minlength=unit.shape[1])
    order = np.argsort(-pages, kind="stable")
    squares = np.bincount(unit.indices, weights=unit.data.astype(float) ** 2, minlength=len(pages))
    few = int(np.searchsorted(np.cumsum(squares[order]), share * max(unit.shape[0], 1)))
    frequent = np.zeros(len(pages), dtype=bool)
    frequent[order[:few]] = True
    rank = np.empty(len(pages), dtype=np.int64)
    rank[order] = np.arange(len(pages))
    return frequent, rank


def _dropped(
    unit: Matrix, frequent: Bools, rank: Integers, weight: Array, allowed: Array | float
) -> Bools:
    """Entries that a row does not look up: frequent features, most frequent first, as allowed."""
    dropped: Bools = frequent[unit.indices]
    allowed = np.broadcast_to(allowed, weight.shape)
    row = np.repeat(np.arange(unit.shape[0]), np.diff(unit.indptr))
    heavy = np.flatnonzero(dropped & (weight > allowed)[row])
    if len(heavy):
        heavy = heavy[np.lexsort((rank[unit.indices[heavy]], row[heavy]))]
        squares = np.cumsum(unit.data[heavy].astype(float) ** 2)
        first = np.searchsorted(row[heavy], row[heavy])
        sums = squares - squares[first] + unit.data[heavy[first]].astype(float) ** 2
        dropped[heavy[sums > allowed[row[heavy]] ** 2]] = False
    return dropped
