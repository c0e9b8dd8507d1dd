"""Which pairs of n pages are compared: all of them, or a list.

Measures are written once for both. With `AllPairs` every array of pairs is n×n; with `PairList` it
is flat: the listed pairs, then each page with itself. All sums that measures form are sums of
whole numbers, or rounded, so both give the same similarities to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from reducepp.similarity.sparse import count_columns, csr_rows, keep_rows, numbers_if_small
from reducepp.types import Array, Bools, Integers, Sparse

Rows = Array | Sparse
PairArrays = tuple[Integers, Integers]
"""First and second pages of listed pairs."""

CHUNK_CELLS = 1_000_000
"""Numbers of matrix rows that are multiplied at once: about 25 MB."""
MIN_BLOCK_PAIRS, MIN_SHARE_OF_BLOCK = 1000, 0.2
"""Pairs, and their share of a block, from which on the whole block is computed: it takes about a
fifth per pair of what pairs one by one take."""


@dataclass(frozen=True, slots=True)
class AllPairs:
    """Every two of `count` pages, as n×n arrays."""

    count: int

    def first(self, values: Any) -> Any:
        """A value per page, for the first page of each pair."""
        return np.asarray(values)[:, None]

    def second(self, values: Any) -> Any:
        """A value per page, for the second page of each pair."""
        return np.asarray(values)[None, :]

    def products(self, left: Rows, right: Rows | None = None) -> Array:
        """Inner product of the first page's row of `left` and the second page's of `right`."""
        found = left @ (left if right is None else right).T
        dense: Array = found if isinstance(found, np.ndarray) else found.toarray()
        return dense

    def common_sums(self, matrix: Any, brief: Bools, *weights: Array) -> list[Array]:
        """Of each weights per column, the sum over the columns that both pages' rows have; 0 for
        pairs without one of the `brief` pages."""
        return _common_products(self, matrix, brief, weights)

    def where(self, wanted: Bools, compute: Callable[[Pairs, Bools], Array]) -> Array:
        """The wanted pairs' values of an array that `compute` makes of all pairs."""
        found: Array = compute(self, wanted)[wanted]
        return found

    def each(self, compare: Callable[[int, int], float]) -> Array:
        """`compare(i, j)` of every pair, called once per i < j; 1 for a page with itself."""
        found = np.eye(self.count)
        for i in range(self.count):
            for j in range(i + 1, self.count):
                found[i, j] = found[j, i] = compare(i, j)
        return found

    def is_own(self) -> Bools:
        """Where a page is compared with itself."""
        return np.eye(self.count, dtype=bool)

    def own(self, values: Array) -> Array:
        """The value of each page with itself."""
        return np.diagonal(values).copy()

    def set_own(self, values: Array, value: float | Array) -> None:
        """Set the value of each page with itself."""
        np.fill_diagonal(values, value)

    def select(self, matrix: Array) -> Array:
        """The pairs' values in an n×n array."""
        return matrix

    def blank(self, values: Array, absent: Bools) -> Array:
        """Set NaN for pairs with a page that has nothing to compare."""
        values[absent, :] = np.nan
        values[:, absent] = np.nan
        return values


class PairList:
    """Listed pairs of `count` pages and, after them, each page with itself, as flat arrays."""

    def __init__(self, count: int, first: Integers, second: Integers) -> None:
        own = np.arange(count, dtype=np.int64)
        self.count = count
        self.i: Integers = np.concatenate([first, own])
        self.j: Integers = np.concatenate([second, own])

    def first(self, values: Any) -> Any:
        """A value per page, for the first page of each pair."""
        return np.asarray(values)[self.i]

    def second(self, values: Any) -> Any:
        """A value per page, for the second page of each pair."""
        return np.asarray(values)[self.j]

    def products(self, left: Rows, right: Rows | None = None) -> Array:
        """Inner product of the first page's row of `left` and the second page's of `right`."""
        left, right = map(numbers_if_small, (left, left if right is None else right))
        found = np.empty(len(self.i))
        for part in self._chunks(left):
            a: Any = left[self.i[part]]
            b: Any = right[self.j[part]]
            if isinstance(a, np.ndarray):
                found[part] = np.einsum("ij,ij->i", a, b)
            else:
                found[part] = np.asarray(a.multiply(b).sum(axis=1)).ravel()
        return found

    def common_sums(self, matrix: Any, brief: Bools, *weights: Array) -> list[Array]:
        """Of each weights per column, the sum over the columns that both pages' rows have.

        Weights are whole numbers, so that running sums are exact.
        """
        matrix = numbers_if_small(matrix)
        if isinstance(matrix, np.ndarray):
            return [self.products(matrix * weight, matrix) for weight in weights]
        found = [np.empty(len(self.i)) for _ in weights]
        for part in self._chunks(matrix):
            common = matrix[self.i[part]].multiply(matrix[self.j[part]]).tocsr()
            for sums, weight in zip(found, weights, strict=True):
                running = np.concatenate([[0.0], np.cumsum(weight[common.indices])])
                sums[part] = np.diff(running[common.indptr])
        return found

    def where(self, wanted: Bools, compute: Callable[[Pairs, Bools], Array]) -> Array:
        """What `compute` makes of the wanted pairs alone."""
        part = list_pairs(0, self.i[wanted], self.j[wanted])
        return compute(part, np.ones(len(part.i), dtype=bool))

    def _chunks(self, rows: Rows) -> list[slice]:
        """Parts of the list whose rows together have about CHUNK_CELLS numbers."""
        if isinstance(rows, np.ndarray):
            sizes = np.full(len(self.i), 2 * rows.shape[1] + 1)
        else:
            cells = np.diff(rows.indptr)
            sizes = cells[self.i] + cells[self.j] + 1
        ends = np.searchsorted(np.cumsum(sizes), np.arange(0, sizes.sum(), CHUNK_CELLS)[1:])
        cuts = sorted({0, *ends.tolist(), len(self.i)})
        return [slice(a, b) for a, b in pairwise(cuts)]

    def each(self, compare: Callable[[int, int], float]) -> Array:
        """`compare(i, j)` of every pair with i < j; 1 for a page with itself."""
        low, high = np.minimum(self.i, self.j), np.maximum(self.i, self.j)
        pairs = zip(low.tolist(), high.tolist(), strict=True)
        return np.array([1.0 if i == j else compare(i, j) for i, j in pairs], dtype=np.float64)

    def is_own(self) -> Bools:
        """Where a page is compared with itself."""
        same: Bools = self.i == self.j
        return same

    def own(self, values: Array) -> Array:
        """The value of each page with itself."""
        return values[len(values) - self.count :].copy()

    def set_own(self, values: Array, value: float | Array) -> None:
        """Set the value of each page with itself."""
        values[len(values) - self.count :] = value

    def select(self, matrix: Array) -> Array:
        """The pairs' values in an n×n array."""
        found: Array = matrix[self.i, self.j]
        return found

    def blank(self, values: Array, absent: Bools) -> Array:
        """Set NaN for pairs with a page that has nothing to compare."""
        values[absent[self.i] | absent[self.j]] = np.nan
        return values


class BlockPairs(PairList):
    """Listed pairs that are most of those of a few first and second pages.

    What they have in common is multiplied as a block, which takes less than pair by pair.
    """

    def __init__(self, count: int, first: Integers, second: Integers) -> None:
        super().__init__(count, first, second)
        self._rows, self._columns = _members(first), _members(second)
        self._at = np.searchsorted(self._columns, second), np.searchsorted(self._rows, first)

    def products(self, left: Rows, right: Rows | None = None) -> Array:
        """Inner product of the first page's row of `left` and the second page's of `right`."""
        left, right = map(numbers_if_small, (left, left if right is None else right))
        rows: Any = left[self._rows]
        listed = self._select(right[self._columns] @ rows.T)
        return np.concatenate([listed, self._own().products(left, right)])

    def common_sums(self, matrix: Any, brief: Bools, *weights: Array) -> list[Array]:
        """Of each weights per column, the sum over the columns that both pages' rows have."""
        own = self._own().common_sums(matrix, brief, *weights)
        rows, columns = matrix[self._rows], matrix[self._columns]
        sums = [self._select(columns @ _weigh(rows, weight).T) for weight in weights]
        return [np.concatenate(found) for found in zip(sums, own, strict=True)]

    def _select(self, block: Any) -> Array:
        """The listed pairs' values in the products of columns and rows."""
        dense: Array = block if isinstance(block, np.ndarray) else block.toarray()
        return dense[self._at]

    def _own(self) -> PairList:
        return PairList(self.count, self.i[:0], self.j[:0])


def list_pairs(count: int, first: Integers, second: Integers) -> PairList:
    """Listed pairs, as a block where they are most of one."""
    cells = len(_members(first)) * len(_members(second))
    is_block = len(first) >= max(MIN_BLOCK_PAIRS, MIN_SHARE_OF_BLOCK * cells)
    return (BlockPairs if is_block else PairList)(count, first, second)


def _members(pages: Integers) -> Integers:
    """Distinct page numbers in order."""
    return np.flatnonzero(np.bincount(pages))


Pairs = AllPairs | PairList


def _common_products(
    pairs: Pairs, matrix: Any, brief: Bools, weights: Sequence[Array]
) -> list[Array]:
    """Of each weights per column, the sum over the columns that both pages' rows of ones have,
    where one of the pages is brief; elsewhere 0."""
    repeated = np.flatnonzero(count_columns(matrix.indices, matrix.shape[1]) > 1)
    common = matrix[:, repeated]
    found = []
    for weight in weights:
        if brief.all():
            found.append(pairs.products(_weigh(common, weight[repeated]), common))
            continue
        short, long = keep_rows(common, brief), keep_rows(common, ~brief)
        some: Array = pairs.products(_weigh(short, weight[repeated]), common)
        found.append(some + pairs.products(_weigh(long, weight[repeated]), short))
    return found


def _weigh(matrix: Any, weights: Array) -> Any:
    return csr_rows(weights[matrix.indices], matrix.indices, matrix.indptr, matrix.shape)


def row_parts(rows: int, width: int) -> Iterator[slice]:
    """Parts of the rows of an array of numbers that have about CHUNK_CELLS each."""
    step = max(1, CHUNK_CELLS // max(width, 1))
    return (slice(start, start + step) for start in range(0, rows, step))


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
