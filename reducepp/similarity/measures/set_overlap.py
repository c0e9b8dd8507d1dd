"""n sets of items to what every two have in common: written out where small, else sparse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from scipy.sparse import csr_array

from reducepp.text.preparation import count_matrix
from reducepp.types import Array

DENSE = 4_000_000
"""Cells up to which a table of texts × items is written out in full."""


def common_weight(
    found: Sequence[Iterable[str]], weigh: Callable[[str], int] | None = None
) -> Array:
    """Weight of what every two sets have in common: whole numbers, so exact in any order."""
    table, vocabulary = membership(found)
    weights = np.array([weigh(i) if weigh else 1 for i in vocabulary], dtype=np.float64)
    if isinstance(table, np.ndarray):
        dense: Array = (table * weights) @ table.T
        return dense
    products: Array = (csr_array(table.multiply(weights[None, :])) @ table.T).toarray()
    return products


def membership(found: Sequence[Iterable[str]]) -> tuple[Array | csr_array[np.float64], list[str]]:
    """Texts × items: 1 where a text has an item; and the items."""
    numbers: dict[str, int] = {}
    columns = [[numbers.setdefault(item, len(numbers)) for item in set(items)] for items in found]
    rows = np.repeat(np.arange(len(columns)), [len(row) for row in columns]).astype(np.int64)
    flat = np.array([number for row in columns for number in row], dtype=np.int64)
    shape = (len(columns), len(numbers))
    if shape[0] * shape[1] > DENSE:
        return count_matrix(rows, flat, shape), list(numbers)
    table = np.zeros(shape)
    table[rows, flat] = 1.0
    return table, list(numbers)
