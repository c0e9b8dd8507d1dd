"""Small matrices and components give what scipy gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from reducepp.similarity import sparse
from reducepp.similarity.pairs import AllPairs, PairList
from reducepp.types import Array


def cells(seed: int) -> tuple[Array, Any, tuple[int, int]]:
    dense = np.random.default_rng(seed).integers(0, 3, size=(5, 7)).astype(np.float64)
    at = np.nonzero(dense)
    return dense[at], at, dense.shape


@pytest.mark.parametrize("seed", range(5))
def test_small_matrix_is_scipys(seed: int) -> None:
    data, at, shape = cells(seed)
    ours: Any = sparse.csr(data, at, shape)
    theirs = csr_array((data, at), shape=shape)
    assert isinstance(ours, sparse.SmallMatrix)
    for name in ("data", "indices", "indptr"):
        assert getattr(ours, name).tolist() == getattr(theirs, name).tolist()
    vector = np.arange(7.0)
    assert (ours @ vector == theirs @ vector).all()
    some = np.array([1, 4])
    assert (ours[:, some].toarray() == theirs[:, some].toarray()).all()
    assert (ours[some].toarray() == theirs[some].toarray()).all()


@pytest.mark.parametrize("seed", range(5))
def test_products_of_pairs_are_scipys(seed: int) -> None:
    data, at, shape = cells(seed)
    ours, theirs = sparse.csr(data, at, shape), csr_array((data, at), shape=shape)
    some = PairList(5, np.array([0, 3]), np.array([4, 1]))
    assert (AllPairs(5).products(ours) == AllPairs(5).products(theirs)).all()
    assert (some.products(ours) == some.products(theirs)).all()


@pytest.mark.parametrize("limit", [0, sparse.MAX_SMALL_EDGES])
@pytest.mark.parametrize("seed", range(5))
def test_components(seed: int, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse, "MAX_SMALL_EDGES", limit)
    first, second = np.random.default_rng(seed).integers(0, 20, size=(2, 12))
    edges = csr_array((np.ones(12), (first, second)), shape=(20, 20))
    found = sparse.connect(20, first, second)
    assert found.tolist() == connected_components(edges, directed=False)[1].tolist()
