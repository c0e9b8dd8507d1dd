"""Intervals by resampling what was drawn independently: queries, or pages, but never pairs.

Pairs that share a page say much the same, so drawing pairs would make intervals too narrow.
With many queries, whole queries are drawn. With few, the pages of each query are drawn, and a
pair counts as often as its two pages were drawn together: the product of their counts. Scores of
clusters draw pieces (evaluation/pieces.py) in the place of pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reducepp.errors import UsageError
from reducepp.types import Array

ENOUGH_QUERIES = 20
"""From here on queries are drawn, below pages."""
FEW_UNITS = 10
"""With fewer whole units there is no telling how far a figure may be off: no interval."""
UNITS = ("auto", "query", "page")
_CELLS = 4_000_000

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Where pairs come from: the number of their query, and of their two pages over all."""

    query: Integers
    first: Integers
    second: Integers


def choose_unit(pairs: Pairs, unit: str = "auto") -> str:
    """What is drawn: as named, or by the number of queries."""
    if unit not in UNITS:
        raise UsageError(f"resample {unit!r}: use one of {', '.join(UNITS)}")
    if unit != "auto":
        return unit
    return "query" if len(np.unique(pairs.query)) >= ENOUGH_QUERIES else "page"


def draw_weights(
    pairs: Pairs, *, samples: int, seed: int = 0, unit: str = "auto"
) -> Iterator[Array]:
    """Weights of the pairs in each resample, some resamples at a time: resamples × pairs."""
    random = np.random.default_rng(seed)
    by_query = choose_unit(pairs, unit) == "query"
    count = len(pairs.query)
    step = max(1, _CELLS // max(count, 1))
    for start in range(0, samples, step):
        size = min(step, samples - start)
        yield _by_query(pairs, random, size) if by_query else _by_page(pairs, random, size)


def _by_query(pairs: Pairs, random: np.random.Generator, size: int) -> Array:
    names, numbers = np.unique(pairs.query, return_inverse=True)
    drawn = random.multinomial(len(names), np.full(len(names), 1 / len(names)), size=size)
    weights: Array = drawn[:, numbers].astype(np.float64)
    return weights


def _by_page(pairs: Pairs, random: np.random.Generator, size: int) -> Array:
    weights = np.zeros((size, len(pairs.query)))
    for query in np.unique(pairs.query).tolist():
        here = np.flatnonzero(pairs.query == query)
        pages, numbers = np.unique(
            np.concatenate([pairs.first[here], pairs.second[here]]), return_inverse=True
        )
        drawn = random.multinomial(len(pages), np.full(len(pages), 1 / len(pages)), size=size)
        first, second = numbers[: len(here)], numbers[len(here) :]
        weights[:, here] = drawn[:, first] * drawn[:, second]
    return weights


def draw_counts(units: int, *, samples: int, seed: int = 0) -> Iterator[Array]:
    """How often each unit is drawn, some resamples at a time: resamples × units."""
    random = np.random.default_rng(seed)
    step = max(1, _CELLS // max(units, 1))
    for start in range(0, samples, step):
        size = min(step, samples - start)
        yield random.multinomial(units, np.full(units, 1 / units), size=size).astype(np.float64)


def intervals(
    measure: Callable[[Array], Array], draws: Iterable[Array], *, level: float = 0.95
) -> Array:
    """Percentile interval of each figure: figures × (low, high).

    `measure` takes the weights of some resamples, resamples × what is weighted, and gives figures
    × resamples. NaN where a figure is defined in less than half of the resamples.
    """
    drawn = np.hstack([measure(weights) for weights in draws])
    ends = np.full((len(drawn), 2), np.nan)
    for row, values in enumerate(drawn):
        defined = values[~np.isnan(values)]
        if len(defined) * 2 >= len(values):
            ends[row] = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return ends
