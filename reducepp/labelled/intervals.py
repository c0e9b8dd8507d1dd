"""Bootstrap intervals: what was drawn independently is resampled, queries or pages, never pairs.

Pairs that share a page are correlated, so that resampling pairs would make intervals too narrow.
With many queries, whole queries are drawn. With few, the pages (or page groups) of each query are
drawn, and a pair counts as often as its two pages were drawn together: the product of their
counts. Scores of clusters draw components (`scoring`) in the place of pages.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from reducepp.errors import check_choice
from reducepp.labelled.scoring import count_at, rank_pairs
from reducepp.types import Array, Bools, Integers

MIN_QUERIES = 20
"""From here on queries are drawn, below pages: `python -m benchmarks intervals` has coverages."""
MIN_UNITS = 10
"""With fewer units the interval is not trustworthy, and none is given."""
SAMPLES = 1000
Z95 = 1.959964
"""97.5 % point of the normal distribution, as in Wilson's score interval."""
UNITS = ("auto", "query", "page")
_MAX_CELLS = 4_000_000
"""Weights held in memory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A measured value with a 95 % bootstrap interval; NaN where not defined."""

    value: float
    low: float = math.nan
    high: float = math.nan

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Precision, recall and F of predicted duplicates."""

    precision: Estimate
    recall: Estimate
    f1: Estimate

    def values(self) -> dict[str, float]:
        """The figures alone, by the letters of tables."""
        return {"P": self.precision.value, "R": self.recall.value, "F": self.f1.value}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSources:
    """Where pairs come from: numbers of their query, and of their two pages or page groups."""

    query: Integers
    first: Integers
    second: Integers

    def take(self, rows: Bools) -> "PairSources":
        """Sources of some of the pairs."""
        return PairSources(query=self.query[rows], first=self.first[rows], second=self.second[rows])


def estimate_figures(
    predicted: Bools, duplicate: Bools, sources: PairSources, *, weight: Array | None = None
) -> Figures:
    """Precision, recall and F of a prediction, with intervals from resampled pages or groups.

    `weight` is how many pairs each one counts as (default: 1).
    """
    costs = np.ones(len(predicted)) if weight is None else weight
    ranking = rank_pairs(predicted.astype(np.float64), duplicate)

    def measure(weights: Array) -> Array:
        return np.stack(count_at(ranking, np.ones(1), weights * costs).figures())

    found = estimate(measure, len(costs), draw_weights(sources, samples=SAMPLES, unit="page"))
    precision, recall, f1 = widen_figures(found, predicted, duplicate)
    return Figures(precision=precision, recall=recall, f1=f1)


def widen_figures(
    found: Iterable[Estimate], predicted: Bools, duplicate: Bools
) -> Iterator[Estimate]:
    """Precision, recall and F, those without an error with the interval of as many trials."""
    trials = (predicted.sum(), duplicate.sum(), (predicted | duplicate).sum())
    return map(widen, found, map(int, trials))


def widen(estimate: Estimate, trials: int) -> Estimate:
    """An interval where every resample gave 0 or 1: then Wilson's for that many trials.

    A bootstrap of 24 pairs without an error has no spread, but says little about the next pair.
    """
    if estimate.low != estimate.high or estimate.value not in (0.0, 1.0) or not trials:
        return estimate
    far = Z95**2 / (trials + Z95**2)
    low, high = (0.0, far) if estimate.value == 0 else (1 - far, 1.0)
    return replace(estimate, low=low, high=high)


def choose_unit(pairs: PairSources, unit: str = "auto") -> str:
    """What is drawn: as named, or by the number of queries."""
    check_choice("resample", unit, UNITS)
    if unit != "auto":
        return unit
    return "query" if len(np.unique(pairs.query)) >= MIN_QUERIES else "page"


def draw_weights(
    pairs: PairSources, *, samples: int, seed: int = 0, unit: str = "auto"
) -> Iterator[Array]:
    """Weights of the pairs in each resample, some resamples at a time: resamples × pairs."""
    random, by_query = np.random.default_rng(seed), choose_unit(pairs, unit) == "query"
    names, numbers = np.unique(pairs.query, return_inverse=True)
    for size in _batches(samples, len(pairs.query)):
        if by_query:
            yield _draw(random, len(names), size)[:, numbers]
        else:
            yield _by_page(pairs, random, size)


def _batches(samples: int, cells: int) -> Iterator[int]:
    """Sizes of the batches of resamples that fit into memory."""
    step = max(1, _MAX_CELLS // max(cells, 1))
    return (min(step, samples - start) for start in range(0, samples, step))


def _draw(random: np.random.Generator, units: int, size: int) -> Array:
    """How often each unit is drawn in so many resamples: resamples × units."""
    return random.multinomial(units, np.full(units, 1 / units), size=size).astype(np.float64)


def _by_page(pairs: PairSources, random: np.random.Generator, size: int) -> Array:
    """Products of the counts of both pages; a pair within one page group counts as the group."""
    weights = np.zeros((size, len(pairs.query)))
    for query in np.unique(pairs.query).tolist():
        here = np.flatnonzero(pairs.query == query)
        both = np.concatenate([pairs.first[here], pairs.second[here]])
        pages, numbers = np.unique(both, return_inverse=True)
        drawn = _draw(random, len(pages), size)
        first, second = numbers[: len(here)], numbers[len(here) :]
        weights[:, here] = drawn[:, first] * np.where(first == second, 1, drawn[:, second])
    return weights


def draw_counts(units: int, *, samples: int, seed: int = 0) -> Iterator[Array]:
    """How often each unit is drawn, some resamples at a time: resamples × units."""
    random = np.random.default_rng(seed)
    yield from (_draw(random, units, size) for size in _batches(samples, units))


def estimate(
    measure: Callable[[Array], Array], count: int, draws: Iterable[Array] | None
) -> list[Estimate]:
    """Each figure of so many things that are weighed, with its interval where there are draws."""
    values = measure(np.ones((1, count)))[:, 0].tolist()
    ends = [(math.nan, math.nan)] * len(values) if draws is None else intervals(measure, draws)
    both = zip(values, ends, strict=True)
    return [Estimate(value=value, low=float(low), high=float(high)) for value, (low, high) in both]


def intervals(measure: Callable[[Array], Array], draws: Iterable[Array]) -> Array:
    """95 % percentile interval of each figure: figures × (low, high).

    `measure` takes the weights of some resamples, resamples × what is weighted, and gives figures
    × resamples. NaN where a figure is defined in less than half of the resamples.
    """
    drawn = np.hstack([measure(weights) for weights in draws])
    ends = np.full((len(drawn), 2), np.nan)
    for row, values in enumerate(drawn):
        defined = values[~np.isnan(values)]
        if len(defined) * 2 >= len(values):
            ends[row] = np.quantile(defined, [0.025, 0.975])
    return ends
