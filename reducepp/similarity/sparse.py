"""Sparse matrices and components of graphs: scipy's, and for small sets without scipy.

To import scipy takes longer than to compare a page of search results.
"""

from __future__ import annotations

from typing import Any, cast
from weakref import WeakValueDictionary

import numpy as np

from reducepp.types import Array, Integers, Sparse

MAX_SMALL_CELLS = 1 << 18
"""Rows × columns of a matrix that is multiplied as a dense one: 2 MB."""
MAX_SMALL_EDGES = 5000
"""Edges of a graph whose components are found here."""
PART_ROWS = 4096
"""Rows that are multiplied at once."""
MAX_COUNTED = 8_000_000
"""Columns that are counted at once: 64 MB."""


class SmallMatrix:
    """Rows × columns in the CSR form of scipy, with the operations that measures use."""

    def __init__(self, data: Array, indices: Any, indptr: Any, shape: tuple[int, int]) -> None:
        self.data, self.indices, self.indptr, self.shape = data, indices, indptr, shape

    def toarray(self) -> Array:
        """The matrix as n×m numbers."""
        dense = np.zeros(self.shape)
        rows = np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))
        dense[rows, self.indices] = self.data
        return dense

    @property
    def T(self) -> Array:  # noqa: N802  (numpy's name)
        """Columns × rows, as numbers."""
        return self.toarray().T

    def __matmul__(self, other: Any) -> Array:
        product: Array = self.toarray() @ other
        return product

    def __getitem__(self, at: Any) -> Sparse:
        """Some rows, or some columns of all rows."""
        selected = self.toarray()[at]
        rows, columns = np.nonzero(selected)
        return csr(selected[rows, columns], (rows, columns), selected.shape)


def find_root(parent: list[int], i: int) -> int:
    """Root of i in a union-find forest, with path halving."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def csr(data: Array, at: tuple[Any, Any], shape: tuple[int, int]) -> Sparse:
    """A matrix of the numbers at (rows, columns), sorted by row and column, none twice."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(at[0], minlength=shape[0]))])
    return csr_rows(data, at[1], starts, shape)


def csr_rows(data: Array, columns: Any, starts: Any, shape: tuple[int, int]) -> Sparse:
    """A matrix of rows that begin at `starts`; a SmallMatrix where it is small."""
    if shape[0] * shape[1] <= MAX_SMALL_CELLS:
        return cast(Sparse, SmallMatrix(data, columns, starts, shape))
    from scipy.sparse import csr_array

    return csr_array((data, *_short(columns, starts, shape)), shape=shape)


def keep_rows(matrix: Sparse, kept: Any) -> Sparse:
    """The matrix with all other rows empty."""
    sizes = np.diff(matrix.indptr) * kept
    cells = np.repeat(kept, np.diff(matrix.indptr))
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return csr_rows(matrix.data[cells], matrix.indices[cells], ends, matrix.shape)


def move_columns(matrix: Sparse, places: Integers) -> Sparse:
    """A matrix of ones with its columns at these places, without those at -1."""
    columns: Any = places[matrix.indices]
    kept = columns >= 0
    starts = starts_of(matrix, kept)
    shape = (matrix.shape[0], int(places.max(initial=0)) + 1)
    made: Any = csr_rows(matrix.data[: starts[-1]], columns[kept], starts, shape)
    if not isinstance(made, SmallMatrix):
        made.sort_indices()
    return cast(Sparse, made)


def starts_of(matrix: Any, kept: Any) -> Any:
    """Where each row begins with only the stored entries that are kept."""
    if not len(kept):
        return matrix.indptr
    counts = np.add.reduceat(np.append(kept, False), matrix.indptr[:-1], dtype=np.int32)
    counts[np.diff(matrix.indptr) == 0] = 0  # of an empty row the next entry is counted
    return np.concatenate([[0], np.cumsum(counts)]).astype(matrix.indptr.dtype)


def csr_columns(rows: Any, starts: Any, shape: tuple[int, int]) -> Sparse:
    """A matrix of ones in the `rows` of columns that begin at `starts`.

    Of a large one the ones are in single precision, and the same as those of other matrices.
    """
    if shape[0] * shape[1] <= MAX_SMALL_CELLS:
        order = np.argsort(rows, kind="stable")
        columns = np.repeat(np.arange(shape[1]), np.diff(starts))[order]
        return csr(np.ones(len(rows)), (rows, columns), shape)
    from scipy.sparse import csc_array, csr_array

    flags = csc_array(
        (np.ones(len(rows), dtype=np.int8), *_short(rows, starts, shape)), shape=shape
    )
    turned: Any = flags.tocsr()
    made: Any = csr_array((ones(len(rows)), turned.indices, turned.indptr), shape=shape)
    return cast(Sparse, made)


def _short(places: Any, starts: Any, shape: tuple[int, int]) -> tuple[Any, Any]:
    """Numbers of rows or columns and where they begin in 32 bits, where they fit: scipy gives both
    the larger of their types."""
    if max(*shape, len(places)) > np.iinfo(np.int32).max:
        return places, starts
    return np.asarray(places, dtype=np.int32), np.asarray(starts, dtype=np.int32)


_longest_ones: WeakValueDictionary[str, Array] = WeakValueDictionary()


def ones(count: int) -> Any:
    """So many ones, read-only: a view of a shared array where that is long enough."""
    known: Any = _longest_ones.get("")
    if known is None or len(known) < count:
        known = _longest_ones[""] = np.ones(count, dtype=np.float32)
    return known[:count]


def row_sums(matrix: Any, weights: Array) -> Array:
    """Sum of the weights of each row's columns, where all entries are 1; in parts, since scipy
    multiplies by a copy in double precision."""
    parts = [matrix[i : i + PART_ROWS] @ weights for i in range(0, matrix.shape[0], PART_ROWS)]
    found: Array = np.concatenate(parts) if len(parts) > 1 else np.asarray(matrix @ weights)
    return found


def count_columns(columns: Any, width: int) -> Any:
    """How often each column occurs; in parts, since numpy counts in a copy of twice the size."""
    found = np.zeros(width, dtype=np.int32)
    for start in range(0, len(columns), MAX_COUNTED):
        found += np.bincount(columns[start : start + MAX_COUNTED], minlength=width)
    return found


def numbers_if_small(matrix: Any) -> Any:
    """A SmallMatrix as n×m numbers; any other matrix as it is."""
    return matrix.toarray() if isinstance(matrix, SmallMatrix) else matrix


def cells_of(matrix: Any) -> tuple[Integers, Integers, Array]:
    """Row, column and number of every cell of a dense or sparse matrix that is not 0."""
    if not isinstance(matrix, np.ndarray):
        found = matrix.tocoo()
        return found.row.astype(np.int64), found.col.astype(np.int64), found.data
    rows, columns = np.nonzero(matrix)
    return rows, columns, matrix[rows, columns]


def connect(count: int, first: Integers, second: Integers) -> Integers:
    """Connected component of each of `count` nodes, numbered by first nodes, where (first, second)
    are the edges."""
    if len(first) <= MAX_SMALL_EDGES:
        parent = list(range(count))
        for a, b in zip(first.tolist(), second.tolist(), strict=True):
            low, high = sorted((find_root(parent, a), find_root(parent, b)))
            parent[high] = low
        roots = np.array([find_root(parent, node) for node in range(count)], dtype=np.int64)
        return np.asarray(np.unique(roots, return_inverse=True)[1], dtype=np.int64)
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    edges = csr_array((np.ones(len(first)), (first, second)), shape=(count, count))
    return np.asarray(connected_components(edges, directed=False)[1], dtype=np.int64)
