"""Pairs of pages above a similarity, found by their common features without comparing all pairs.

Both functions give every pair at or above the minimum and some more. A page looks its features up
in an index of all pages; the most frequent ones, which nearly all pages have, are left out as far
as what they can add at most is known (docs/scaling.md).
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from reducepp.parallel import nested_cores
from reducepp.similarity.pairs import PairArrays, concatenate
from reducepp.similarity.run_weights import Needs
from reducepp.similarity.sparse import count_columns, ones, starts_of
from reducepp.types import Array, Bools, Integers

FREQUENT_SHARE = 0.6
"""Share of the minimum that features left out may add: more makes the look-up cheaper and the
candidates more. 0.4 to 0.7 take about the same time on 10,000 resampled pages."""

MAX_POSTINGS = 500
"""Pages with a feature from which on it is looked up only where nothing else can be enough: what a
page looks up must not grow with the set."""

CROWDED_SHARE = 0.8
"""Share of the minimum that features of more than MAX_POSTINGS pages may add where left out. On
30,000 resampled pages 0.6, 0.8 and 0.95 give 1.35, 0.74 and 0.52 thousand million look-ups and
33,000, 94,000 and 1.7 million candidates."""

BLOCKS = 16
"""Column blocks of a product; each is multiplied with the pages on one side of it only."""

FEW_RESULTS = 64
"""Results of a row that are requested first; unrelated pages have none."""

PAGES_AT_ONCE = 4096
"""Rows of a matrix that are looked up, or for which numbers in double precision are held."""

TOLERANCE = 1e-4
"""More than single precision errs in a sum of products."""

Matrix = Any
"""A scipy.sparse matrix in CSR form."""


def cosine_pairs(features: Matrix, minimum: float, *, rows: Integers | None = None) -> PairArrays:
    """Pairs with a cosine of `minimum` or more; with `rows`, pairs with one of them.

    By Cauchy and Schwarz the features F that x leaves out add at most |x_F| |y_F|, so a pair needs
    `minimum` less that from the others. Of two pages the one with more weight in frequent features
    is looked up.
    """
    unit = _unit_rows(features)
    if not unit.nnz:
        return concatenate([])
    rarest = _Rarest(unit, lambda part: part.data.astype(np.float64) ** 2)
    everything = np.arange(unit.shape[0])
    frequent = _ends_up_to(unit, unit.indices, _frequent_features(unit, minimum) - 1, everything)
    weight = np.sqrt(rarest.left_out(everything, frequent))
    allowed = FREQUENT_SHARE * minimum / (1.0 if rows is not None else np.maximum(weight, 1e-9))
    starts = np.minimum(frequent, _ends_up_to(unit, rarest.sums, allowed**2, everything))
    left_out = np.sqrt(rarest.left_out(everything, starts))
    order = np.argsort(-weight, kind="stable").astype(np.int64)
    probe, least = rarest.from_on(everything, starts), minimum * (1 - FREQUENT_SHARE)
    blocks = [(rows, order)] if rows is not None else _blocks(order)
    found = []
    for some, columns in blocks:
        across = _index_of(unit, columns)
        first, second, sums = _look_up(probe[some], across, (some, columns), least)
        enough = sums >= minimum - left_out[first] * weight[second] - TOLERANCE
        found.append((first[enough], second[enough]))
    return _from_earlier(concatenate(found), order) if rows is None else concatenate(found)


def share_pairs(
    matrix: Matrix,
    gain: Array,
    needs: Needs,
    *,
    among: Bools,
    brief: Bools,
    apart: Integers,
    sides: Bools | None = None,
) -> PairArrays:
    """Pairs `among` the pages, one of them `brief`, with enough summed gain of common features.

    Two pages with the same number in `apart`, -1 for none, are no pair, nor are two of one side.
    Enough is what the page of less weight needs beside the other; that one is looked up among the
    pages of as much weight and more. What it leaves out adds at most its own gain there.
    """
    index, gain = _frequent_first(matrix, ones(len(matrix.indices)), gain, among)
    if not index.nnz:
        return concatenate([])
    rarest, gains = _Rarest(index, lambda part: gain[part.indices]), gain.astype(np.float32)
    crowded = int((count_columns(index.indices, index.shape[1]) > MAX_POSTINGS).sum())
    order = np.argsort(needs.weights, kind="stable").astype(np.int64)
    found = []
    for rows, columns in _blocks(order[among[order]], sides):
        for pages, others in _with_brief((rows, columns), brief):
            needed = needs.beside(pages, needs.weights[others[0]])
            looked_up, across = np.flatnonzero(needed < np.inf), _index_of(index, others)
            for at in range(0, len(looked_up), PAGES_AT_ONCE):
                part = looked_up[at : at + PAGES_AT_ONCE]
                some, enough = pages[part], needed[part]
                starts = _first_looked_up(rarest, some, enough, crowded)
                scale = 1 / np.maximum(enough - rarest.left_out(some, starts), 1e-30)
                probe = rarest.from_on(some, starts)
                probe.data = gains[probe.indices] * scale.astype(np.float32)[_rows_of(probe)]
                first, second, _ = _look_up(probe, across, (some, others), 1.0)
                kept = (apart[first] != apart[second]) | (apart[first] < 0)
                found.append((first[kept], second[kept]))
    return _from_earlier(concatenate(found), order)


def _first_looked_up(rarest: "_Rarest", rows: Integers, needed: Array, crowded: int) -> Integers:
    """The first entry of each page that is looked up; the first `crowded` features are those of
    more than MAX_POSTINGS pages."""
    few, many = (
        _ends_up_to(rarest.index, rarest.sums, share * needed, rows)
        for share in (FREQUENT_SHARE, CROWDED_SHARE)
    )
    ends = _ends_up_to(rarest.index, rarest.index.indices, crowded - 1, rows)
    return np.maximum(few, np.minimum(many, ends))


class _Rarest:
    """Pages × features, of which pages leave out the first when they look the others up.

    Features are numbered from the most frequent on; `sums` are the running sums of a value of the
    entries of each page.
    """

    def __init__(self, index: Matrix, values: Callable[[Matrix], Array]) -> None:
        self.index = index
        self.sums = np.empty(index.nnz, dtype=np.float32)
        for start in range(0, index.shape[0], PAGES_AT_ONCE):
            part = index[start : start + PAGES_AT_ONCE]
            sums = np.cumsum(values(part))
            before = np.concatenate([[0.0], sums])[part.indptr[:-1]]
            cells = slice(index.indptr[start], index.indptr[start] + part.nnz)
            self.sums[cells] = sums - before[_rows_of(part)]

    def left_out(self, rows: Integers, starts: Integers) -> Array:
        """Summed values of the entries before `starts` in each row."""
        some = starts > self.index.indptr[rows]
        return np.where(some, self.sums[starts - 1].astype(np.float64), 0.0)

    def from_on(self, rows: Integers, starts: Integers) -> Matrix:
        """The rows with their entries from `starts` on."""
        from scipy.sparse import csr_matrix

        index, counts = self.index, self.index.indptr[rows + 1] - starts
        ends = np.concatenate([[0], np.cumsum(counts)])
        places = np.repeat(starts - ends[:-1], counts) + np.arange(ends[-1])
        entries = index.data[places], index.indices[places], ends
        return csr_matrix(entries, shape=(len(rows), index.shape[1]))


def _ends_up_to(matrix: Matrix, values: Any, limits: Array | float, rows: Integers) -> Integers:
    """Where the entries of each row exceed its limit, by bisection: their values do not fall."""
    low: Integers
    high: Integers
    low, high = (matrix.indptr[at].astype(np.int64) for at in (rows, rows + 1))
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) // 2
        below = (low < high) & (values[np.minimum(middle, len(values) - 1)] <= limits)
        low, high = np.where(below, middle + 1, low), np.where(below, high, middle)
    return low


def _blocks(order: Integers, sides: Bools | None = None) -> Iterator[PairArrays]:
    """Each block of pages in order, as columns, with the pages up to its end, as rows.

    So a page is turned into columns once, and a row meets the pages after it, and few before.
    """
    ends = np.linspace(0, len(order), BLOCKS + 1).astype(int).tolist()
    for a, b in ((a, b) for a, b in pairwise(ends) if b > a):
        rows, columns = order[:b], order[a:b]
        if sides is None:
            yield rows, columns
            continue
        of_rows, of_columns = sides[rows], sides[columns]
        yield rows[of_rows], columns[~of_columns]
        yield rows[~of_rows], columns[of_columns]


def _from_earlier(pairs: PairArrays, order: Integers) -> PairArrays:
    """The pairs whose first page comes before the second in order."""
    rank = np.zeros(int(order.max(initial=-1)) + 1, dtype=np.int64)
    rank[order] = np.arange(len(order))
    earlier = rank[pairs[0]] < rank[pairs[1]]
    return pairs[0][earlier], pairs[1][earlier]


def _with_brief(block: PairArrays, brief: Bools) -> Iterator[PairArrays]:
    """The block's pairs with a brief page: brief rows with all columns, the others with brief."""
    rows, columns = block
    short = brief[rows]
    for some, others in ((rows[short], columns), (rows[~short], columns[brief[columns]])):
        if len(some) and len(others):
            yield some, others


def _index_of(matrix: Matrix, pages: Integers) -> Matrix:
    """The pages with each feature."""
    return matrix[pages].T.tocsr()


def _look_up(
    probe: Matrix, across: Matrix, block: PairArrays, least: float
) -> tuple[Integers, Integers, Array]:
    """Pairs of the block's rows, which are those of `probe`, and its columns, which `across`
    indexes, with a product of about `least` or more.

    The product allocates memory for the most results of a row, so each row is multiplied for
    FEW_RESULTS first, and again for all where it has as many.
    """
    rows, columns = block
    parts, pending = [], np.flatnonzero(np.diff(probe.indptr))
    for most in (FEW_RESULTS, len(columns)):
        found = _multiply(probe[pending], across, most, least - TOLERANCE)
        counts = np.diff(found.indptr)
        done = counts < most if most < len(columns) else np.ones(len(pending), dtype=bool)
        kept = np.repeat(done, counts)
        firsts = rows[np.repeat(pending, counts)[kept]]
        parts.append((firsts, columns[found.indices[kept]], found.data[kept]))
        pending = pending[~done]
    first, second, sums = (np.concatenate(sides) for sides in zip(*parts, strict=True))
    other = first != second
    return first[other], second[other], sums[other]


def _multiply(probe: Matrix, across: Matrix, most: int, least: float) -> Matrix:
    """The products above `least`, at most `most` of each row."""
    from sparse_dot_topn import sp_matmul_topn

    return sp_matmul_topn(probe, across, top_n=most, threshold=least, n_threads=nested_cores())


def _unit_rows(features: Matrix) -> Matrix:
    """Rows of length 1, most frequent features first, without those of a single page."""
    squares = np.asarray(features.power(2).sum(axis=1)).ravel()
    scale = 1 / np.sqrt(np.maximum(squares, 1e-300))
    unit = features.copy()
    unit.data = (features.data * scale[_rows_of(features)]).astype(np.float32)
    everything = np.ones(unit.shape[0], dtype=bool)
    return _frequent_first(unit, unit.data, np.zeros(unit.shape[1]), everything)[0]


def _frequent_first(matrix: Matrix, data: Any, values: Array, among: Bools) -> tuple[Matrix, Array]:
    """Rows `among` the pages without columns of a single page, most frequent first; and values.

    `data` are the stored entries, or ones, of which as many as are left are taken.
    """
    from scipy.sparse import csr_matrix

    inside = np.repeat(among, np.diff(matrix.indptr))
    pages = count_columns(matrix.indices if among.all() else matrix.indices[inside], len(values))
    order = np.flatnonzero(pages > 1)
    order = order[np.argsort(-pages[order], kind="stable")]
    values, shape = values[order], (matrix.shape[0], max(len(order), 1))
    place = np.full(matrix.shape[1], -1, dtype=np.int32)
    place[order] = np.arange(len(order))
    del pages, order  # here the memory of all is highest
    columns = place[matrix.indices]
    inside &= columns >= 0
    columns = columns[inside]
    kept = data[inside] if data is matrix.data else data[: len(columns)]
    made = csr_matrix((kept, columns, starts_of(matrix, inside)), shape=shape)
    made.sort_indices()
    return made, values


def _frequent_features(unit: Matrix, minimum: float) -> int:
    """How many of the first columns have together a small share of a mean row's squares."""
    weights = unit.data.astype(np.float64) ** 2
    squares = np.bincount(unit.indices, weights=weights, minlength=unit.shape[1])
    return int((np.cumsum(squares) <= FREQUENT_SHARE * minimum * max(unit.shape[0], 1)).sum())


def _rows_of(matrix: Matrix) -> Integers:
    """Row of each stored entry."""
    return np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))
