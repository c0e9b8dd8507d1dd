"""Pairs of pages above a similarity, found by their common features without comparing all pairs.

Both functions give every pair at or above the minimum and some more. A page looks its features up
in an index of all pages; the most frequent ones, which nearly all pages have, are left out as far
as what they can add at most is known (docs/scaling.md).
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from reducepp.parallel import nested_cores
from reducepp.similarity.pairs import Bools, Integers
from reducepp.similarity.sparse import count_columns, ones
from reducepp.types import Array

FREQUENT_SHARE = 0.6
"""Share of the minimum that features left out may add: more makes the look-up cheaper and the
candidates more. 0.4 to 0.7 take about the same time on 10,000 resampled pages."""

MAX_POSTINGS = 500
"""Pages with a feature from which on it is looked up only where nothing else can be enough: what a
page looks up must not grow with the set."""

CROWDED_SHARE = 0.95
"""Share of the minimum that features of more than MAX_POSTINGS pages may add where left out."""

BLOCKS = 8
"""Column blocks of a product; each is multiplied with the pages on one side of it only."""

PAGES_AT_ONCE = 4096
"""Rows of a matrix for which numbers in double precision are held."""

TOLERANCE = 1e-4
"""More than single precision errs in a sum of products."""

Matrix = Any
"""A scipy.sparse matrix in CSR form."""

PairArrays = tuple[Integers, Integers]

Block = tuple[int, int]
"""Number of a share of the work, and of how many: the shares together are all of it."""
WHOLE: Block = (0, 1)


def equal_pairs(keys: Sequence[str] | Integers, certain: Integers | None = None) -> PairArrays:
    """All pairs of pages with the same key but for certain ones; an empty or negative key has none.

    `certain` is a number per page; those with the same need no comparison, -1 for none.
    """
    groups: dict[Any, list[int]] = {}
    for i, key in enumerate(keys if isinstance(keys, Sequence) else keys.tolist()):
        if key != "" and key != -1:
            groups.setdefault(key, []).append(i)
    return pairs_within(groups.values(), certain)


def pairs_within(groups: Iterable[Any], certain: Integers | None = None) -> PairArrays:
    """All pairs of two pages of one group but for those with the same number in `certain`."""
    groups = [group for group in groups if len(group) > 1]
    twos = np.array([group for group in groups if len(group) == 2], dtype=np.int64).reshape(-1, 2)
    if certain is not None:
        numbers = certain[twos]
        twos = twos[(numbers[:, 0] != numbers[:, 1]) | (numbers[:, 0] < 0)]
    found: list[PairArrays] = [(twos[:, 0], twos[:, 1])]
    for group in groups:
        if len(group) > 2:
            found += _pairs_of(np.asarray(group, dtype=np.int64), certain)
    return concatenate(found)


def _pairs_of(group: Integers, certain: Integers | None) -> list[PairArrays]:
    found = []
    numbers = np.full(len(group), -1) if certain is None else certain[group]
    for number in np.unique(numbers[numbers >= 0]).tolist():
        same = numbers == number
        others = group[~same]
        found.append((np.repeat(group[same], len(others)), np.tile(others, int(same.sum()))))
        group, numbers = others, numbers[~same]
    a, b = np.triu_indices(len(group), 1)
    return [*found, (group[a], group[b])]


def star_pairs(numbers: Integers) -> PairArrays:
    """The first page of each number with every other page of it, -1 for none."""
    order = np.argsort(numbers, kind="stable")
    order = order[numbers[order] >= 0]
    is_first = np.diff(numbers[order], prepend=-1) > 0
    firsts = order[is_first][np.cumsum(is_first) - 1]
    return firsts[~is_first], order[~is_first]


def concatenate(found: Sequence[PairArrays]) -> PairArrays:
    """Several lists of pairs as one."""
    empty = np.zeros(0, dtype=np.int64)
    return (
        np.concatenate([empty, *(first for first, _ in found)]),
        np.concatenate([empty, *(second for _, second in found)]),
    )


def cosine_pairs(
    features: Matrix, minimum: float, *, rows: Integers | None = None, block: Block = WHOLE
) -> PairArrays:
    """Pairs with a cosine of `minimum` or more; with `rows`, pairs with one of them.

    By Cauchy and Schwarz the features F that x leaves out add at most |x_F| |y_F|, so a pair needs
    `minimum` less that from the others. Of two pages the one with more weight in frequent features
    is looked up.
    """
    unit = _unit_rows(features)
    frequent = _frequent_features(unit, FREQUENT_SHARE * minimum)
    squares = unit.data.astype(np.float64) ** 2
    weight = np.sqrt(_row_sums(unit, np.where(frequent[unit.indices], squares, 0.0)))
    allowed = FREQUENT_SHARE * minimum / (1.0 if rows is not None else np.maximum(weight, 1e-9))
    limits = np.broadcast_to(np.square(allowed), weight.shape)[_rows_of(unit)]
    dropped = frequent[unit.indices] & _first_up_to(unit, squares, limits)
    left_out = np.sqrt(_row_sums(unit, np.where(dropped, squares, 0.0)))
    order = np.argsort(-weight, kind="stable").astype(np.int64)
    probe, least = _select(unit, ~dropped), minimum * (1 - FREQUENT_SHARE)
    blocks = [(rows, order)] if rows is not None else _blocks(order, block)
    found = []
    for some, columns in blocks:
        across = _index_of(unit, columns)
        first, second, sums = _look_up(probe, across, (some, columns), least)
        enough = sums >= minimum - left_out[first] * weight[second] - TOLERANCE
        found.append((first[enough], second[enough]))
    return _from_earlier(concatenate(found), order) if rows is None else concatenate(found)


def share_pairs(
    matrix: Matrix,
    gain: Array,
    needed: Array,
    *,
    reach: Array,
    among: Bools,
    brief: Bools,
    block: Block = WHOLE,
) -> PairArrays:
    """Pairs `among` the pages, one of them `brief`, with enough summed gain of common features.

    Enough is what the page that needs less needs; that one is looked up, among the pages that need
    no more than its `reach`. What it leaves out adds at most its own gain there.
    """
    index, gain = _frequent_first(matrix, ones(len(matrix.indices)), gain, among)
    probe, left_out = _rarest(index, gain, 1 / np.maximum(needed, 1e-300))
    order = np.argsort(needed, kind="stable").astype(np.int64)
    order = order[among[order]]
    found = []
    crowded = left_out > FREQUENT_SHARE
    for rows, columns in _blocks(order, block):
        near = rows[reach[rows] >= needed[columns[0]]]
        for some, others in _with_brief((near, columns), brief):
            across = _index_of(index, others)
            for share, those in ((CROWDED_SHARE, crowded), (FREQUENT_SHARE, ~crowded)):
                part = some[those[some]], others
                first, second, sums = _look_up(probe, across, part, 1 - share)
                enough = sums >= 1 - left_out[first] - TOLERANCE
                found.append((first[enough], second[enough]))
    return _from_earlier(concatenate(found), order)


def _rarest(index: Matrix, gain: Array, scale: Array) -> tuple[Matrix, Array]:
    """What each page looks up, and the gain that it leaves out, both times the page's scale.

    Left out are its most frequent features, as long as they add up to FREQUENT_SHARE at most, or
    to CROWDED_SHARE where each has more than MAX_POSTINGS pages.
    """
    crowded = count_columns(index.indices, index.shape[1]) > MAX_POSTINGS
    kept = np.empty(index.nnz, dtype=bool)
    gains = np.empty(index.nnz, dtype=np.float32)
    left_out = np.zeros(index.shape[0])
    for start in range(0, index.shape[0], PAGES_AT_ONCE):
        block = index[start : start + PAGES_AT_ONCE]
        cells = slice(index.indptr[start], index.indptr[start] + block.nnz)
        values = gain[block.indices] * scale[start : start + PAGES_AT_ONCE][_rows_of(block)]
        limits = np.where(crowded[block.indices], CROWDED_SHARE, FREQUENT_SHARE)
        dropped = _first_up_to(block, values, limits)
        kept[cells], gains[cells] = ~dropped, values
        left_out[start : start + PAGES_AT_ONCE] = _row_sums(block, np.where(dropped, values, 0.0))
    return _select(_with_data(index, gains), kept), left_out


def _blocks(order: Integers, block: Block) -> Iterator[PairArrays]:
    """Each block of pages in order, as columns, with a share of the pages up to its end, as rows.

    So a page is turned into columns once, and a row meets the pages after it, and few before.
    """
    ends = np.linspace(0, len(order), BLOCKS + 1).astype(int).tolist()
    return ((order[block[0] : b : block[1]], order[a:b]) for a, b in pairwise(ends) if b > a)


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
    """Pairs of the block's rows and columns, which `across` indexes, with a product of about
    `least` or more."""
    from sparse_dot_topn import sp_matmul_topn

    rows, columns = block
    limit = least - TOLERANCE
    found = sp_matmul_topn(
        probe[rows], across, top_n=len(columns), threshold=limit, n_threads=nested_cores()
    ).tocoo()
    first, second = rows[found.row], columns[found.col]
    other = first != second
    return first[other], second[other], found.data[other]


def _unit_rows(features: Matrix) -> Matrix:
    """Rows of length 1, most frequent features first, without those of a single page."""
    squares = np.asarray(features.power(2).sum(axis=1)).ravel()
    scale = 1 / np.sqrt(np.maximum(squares, 1e-300))
    unit = _with_data(features, (features.data * scale[_rows_of(features)]).astype(np.float32))
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
    made = csr_matrix((kept, columns, _starts(matrix, inside)), shape=shape)
    made.sort_indices()
    return made, values


def _frequent_features(unit: Matrix, share: float) -> Bools:
    """The first columns that have at most `share` of a mean row's squares."""
    weights = unit.data.astype(np.float64) ** 2
    squares = np.bincount(unit.indices, weights=weights, minlength=unit.shape[1])
    frequent: Bools = np.cumsum(squares) <= share * max(unit.shape[0], 1)
    return frequent


def _first_up_to(matrix: Matrix, values: Array, limits: Array) -> Bools:
    """Stored entries up to which their row's values sum up to the entry's limit at most."""
    sums = np.cumsum(values)
    before = np.concatenate([[0.0], sums])[matrix.indptr[:-1]]
    found: Bools = sums - before[_rows_of(matrix)] <= limits
    return found


def _row_sums(matrix: Matrix, values: Array) -> Array:
    """Sum of values of the stored entries of each row."""
    sums: Any = np.bincount(_rows_of(matrix), weights=values, minlength=matrix.shape[0])
    found: Array = sums
    return found


def _rows_of(matrix: Matrix) -> Integers:
    """Row of each stored entry."""
    return np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))


def _with_data(matrix: Matrix, data: Any) -> Matrix:
    """The matrix with other stored values."""
    from scipy.sparse import csr_matrix

    return csr_matrix((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def _select(matrix: Matrix, kept: Bools) -> Matrix:
    """The matrix with only the stored entries that are kept."""
    from scipy.sparse import csr_matrix

    data, columns = matrix.data[kept], matrix.indices[kept]
    return csr_matrix((data, columns, _starts(matrix, kept)), shape=matrix.shape)


def _starts(matrix: Matrix, kept: Bools) -> Any:
    """Where each row begins with only the stored entries that are kept."""
    if not len(kept):
        return matrix.indptr
    counts = np.add.reduceat(np.append(kept, False), matrix.indptr[:-1], dtype=np.int32)
    counts[np.diff(matrix.indptr) == 0] = 0  # of an empty row the next entry is counted
    return np.concatenate([[0], np.cumsum(counts)]).astype(matrix.indptr.dtype)
