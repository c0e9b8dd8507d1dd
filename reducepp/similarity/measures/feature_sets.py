"""Sets of features per page, and what the pages of each pair have in common; used by measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from reducepp.errors import ProfileError
from reducepp.similarity.contents import Contents, made_once
from reducepp.similarity.documents import number_keys, same_key
from reducepp.similarity.pairs import Pairs
from reducepp.text.post_parts import Post, read_post
from reducepp.text.preparation import count_matrix
from reducepp.types import Array, Sparse

MAX_DENSE_CELLS = 4_000_000
"""Cells up to which a matrix of pages × features is dense, which is faster for few pages."""


def membership(sets: Sequence[Iterable[str]]) -> tuple[Array | Sparse, list[str]]:
    """Matrix of pages × features with 1 where a page has a feature; and the features."""
    numbers: dict[str, int] = {}
    columns = [[numbers.setdefault(item, len(numbers)) for item in set(items)] for items in sets]
    rows = np.repeat(np.arange(len(columns)), [len(row) for row in columns]).astype(np.int64)
    flat = np.array([number for row in columns for number in row], dtype=np.int64)
    shape = (len(columns), len(numbers))
    if shape[0] * shape[1] > MAX_DENSE_CELLS:
        return count_matrix(rows, flat, shape), list(numbers)
    table = np.zeros(shape)
    table[rows, flat] = 1.0
    return table, list(numbers)


def common_weight(
    pairs: Pairs, sets: Sequence[Iterable[str]], weigh: Callable[[str], int] | None = None
) -> Array:
    """Summed weight of the features that both pages have: whole numbers, so exact in any order."""
    table, features = membership(sets)
    if weigh is None:
        return pairs.products(table)
    weights = np.array([weigh(feature) for feature in features], dtype=np.float64)
    weighted: Any = table * weights if isinstance(table, np.ndarray) else table.multiply(weights)
    return pairs.products(weighted if isinstance(table, np.ndarray) else weighted.tocsr(), table)


def cosines(pairs: Pairs, vectors: Any) -> Array:
    """Cosine of the rows of both pages, whole numbers; 0 where one has none, 1 with itself."""
    products = pairs.products(vectors)
    squares = np.maximum(pairs.own(products), 1)
    found: Array = np.minimum(products / np.sqrt(pairs.first(squares) * pairs.second(squares)), 1.0)
    pairs.set_own(found, 1.0)
    return found


def contained(
    pairs: Pairs, sets: Sequence[Iterable[str]], within: Sequence[Iterable[str]]
) -> tuple[Array, Array]:
    """How many features of the first page's set are in the second page's `within`, and converse."""
    table, _ = membership([*sets, *within])
    of, inside = table[: len(sets)], table[len(sets) :]
    return pairs.products(of, inside), pairs.products(inside, of)


def repeat_counts(counts: Sparse) -> Sparse:
    """0/1 matrix whose inner products are sums of min(a, b) of the rows of whole numbers.

    min(a, b) is the number of levels k = 1, 2, ... that both reach: each count becomes as many
    ones, each in the column of its level.
    """
    from scipy.sparse import csr_array

    times = counts.data.astype(np.int64)
    if not len(times) or times.max() == 1:
        return counts
    ends = np.cumsum(times)
    levels = np.arange(times.sum()) - np.repeat(ends - times, times)
    columns = np.repeat(counts.indices.astype(np.int64), times)
    higher = levels > 0
    known, places = np.unique(
        columns[higher] * (times.max() + 1) + levels[higher], return_inverse=True
    )
    columns[higher] = counts.shape[1] + places
    starts = np.concatenate([[0], ends])[counts.indptr]
    ones = np.ones(len(columns))
    shape = (counts.shape[0], counts.shape[1] + len(known))
    return csr_array((ones, columns, starts), shape=shape)


def equal_texts(pairs: Pairs, values: Sequence[str]) -> Array:
    """1 where two texts are equal, else 0; NaN for an empty one."""
    numbers = number_keys(values)
    return pairs.blank(same_key(pairs, numbers).astype(np.float64), numbers < 0)


@made_once
def read_posts(contents: Contents) -> list[Post]:
    """The texts parsed as posts in their pages' languages."""
    languages = contents.page_set.languages
    return [read_post(*of) for of in zip(contents.joined(), languages, strict=True)]


def check_option(measure: str, name: str, value: str, known: Mapping[str, object]) -> None:
    """Raise ProfileError for an option that is none of the known ones."""
    if value not in known:
        raise ProfileError(f"{measure}: {name} = {value!r}: use one of {', '.join(known)}")
