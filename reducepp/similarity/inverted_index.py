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
from reducepp.similarity.run_weights import Needs
from reducepp.similarity.sparse import count_columns, ones
from reducepp.types import Array

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
"""Results of a row that are asked for first; unrelated pages have none."""

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
    block: Block = WHOLE,
) -> PairArrays:
    """Pairs `among` the pages, one of them `brief`, with enough summed gain of common features.

    Enough is what the page of less weight needs beside the other; that one is looked up among the
    pages of as much weight and more. What it leaves out adds at most its own gain there.
    """
    index, gain = _frequent_first(matrix, ones(len(matrix.indices)), gain, among)
    if not index.nnz:
        return concatenate([])
    rarest = _RarestFeatures(index, gain)
    order = np.argsort(needs.weights, kind="stable").astype(np.int64)
    found = []
    for rows, columns in _blocks(order[among[order]], block):
        for pages, others in _with_brief((rows, columns), brief):
            needed = needs.beside(pages, needs.weights[others[0]])
            some, enough = pages[needed < np.inf], needed[needed < np.inf]
            across = _index_of(index, others)
            found.append(_look_up(rarest.select(some, enough), across, (some, others), 1.0)[:2])
    return _from_earlier(concatenate(found), order)


class _RarestFeatures:
    """What pages look up: their features but for the most frequent ones.

    Left out are features as long as their gains add up to FREQUENT_SHARE of what a page needs at
    most, or to CROWDED_SHARE where each has more than MAX_POSTINGS pages. Features are numbered
    from the most frequent on, so these are the first of each page.
    """

    def __init__(self, index: Matrix, gain: Array) -> None:
        self._index, self._gain = index, gain.astype(np.float32)
        self._sums = np.empty(index.nnz, dtype=np.float32)  # running sums of gain of each page
        for start in range(0, index.shape[0], PAGES_AT_ONCE):
            part = index[start : start + PAGES_AT_ONCE]
            sums = np.cumsum(gain[part.indices])
            before = np.concatenate([[0.0], sums])[part.indptr[:-1]]
            cells = slice(index.indptr[start], index.indptr[start] + part.nnz)
            self._sums[cells] = sums - before[_rows_of(part)]
        frequency = count_columns(index.indices, index.shape[1])
        self._crowded = _ends_up_to(index, index.indices, int((frequency > MAX_POSTINGS).sum()) - 1)

    def select(self, rows: Integers, needed: Array) -> Matrix:
        """The features of some pages that are looked up; a sum of 1 is enough for a pair."""
        from scipy.sparse import csr_matrix

        index, sums = self._index, self._sums
        few = _ends_up_to(index, sums, FREQUENT_SHARE * needed, rows)
        many = _ends_up_to(index, sums, CROWDED_SHARE * needed, rows)
        starts = np.maximum(few, np.minimum(many, self._crowded[rows]))
        left_out = np.where(starts > index.indptr[rows], sums[starts - 1], 0.0)
        counts = index.indptr[rows + 1] - starts
        ends = np.concatenate([[0], np.cumsum(counts)])
        columns = index.indices[np.repeat(starts - ends[:-1], counts) + np.arange(ends[-1])]
        scale = (1 / np.maximum(needed - left_out, 1e-30)).astype(np.float32)
        gains = self._gain[columns] * np.repeat(scale, counts)
        return csr_matrix((gains, columns, ends), shape=(len(rows), index.shape[1]))


def _ends_up_to(
    matrix: Matrix, values: Any, limits: Array | int, rows: Integers | None = None
) -> Integers:
    """Where the stored entries of each row (all rows by default) exceed its limit, by bisection:
    the values of a row never fall."""
    rows = np.arange(matrix.shape[0]) if rows is None else rows
    low: Integers
    high: Integers
    low, high = (matrix.indptr[at].astype(np.int64) for at in (rows, rows + 1))
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) // 2
        below = (low < high) & (values[np.minimum(middle, len(values) - 1)] <= limits)
        low, high = np.where(below, middle + 1, low), np.where(below, high, middle)
    return low


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
    """Pairs of the block's rows, which are those of `probe`, and its columns, which `across`
    indexes, with a product of about `least` or more.

    The product sets aside room for all results of a row, so rows are asked for a few at first, and
    those that have as many for all.
    """
    rows, columns = block
    parts, asked = [], np.flatnonzero(np.diff(probe.indptr))
    for most in (FEW_RESULTS, len(columns)):
        found = _multiply(probe[asked], across, most, least - TOLERANCE)
        counts = np.diff(found.indptr)
        done = counts < most if most < len(columns) else np.ones(len(asked), dtype=bool)
        kept = np.repeat(done, counts)
        firsts = rows[np.repeat(asked, counts)[kept]]
        parts.append((firsts, columns[found.indices[kept]], found.data[kept]))
        asked = asked[~done]
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
