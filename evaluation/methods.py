"""Several ways to score the same judged pages, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from reducepp.errors import UsageError
from reducepp.evaluation.baselines import BASELINES, compare_baseline
from reducepp.evaluation.judged import JudgedPairs
from reducepp.parallel import map_in_order
from reducepp.pipeline import Comparison, compare_pages
from reducepp.types import Page, Profile

_CHUNK = 64
"""Small queries handed out at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A name, a way to compare the pages of one query, and the threshold that goes with it."""

    name: str
    compare: Callable[[Sequence[Page]], Comparison]
    threshold: float


def of_profile(profile: Profile, *, threshold: float | None = None) -> Method:
    """A profile as a method, at its own threshold unless another is named."""
    return Method(
        name=profile.name,
        compare=partial(_compare_with, profile),
        threshold=profile.threshold if threshold is None else threshold,
    )


def _compare_with(profile: Profile, pages: Sequence[Page]) -> Comparison:
    return compare_pages(pages, profile)


def of_baseline(name: str) -> Method:
    """A baseline as a method."""
    if name not in BASELINES:
        raise UsageError(f"baseline {name!r}: use one of {', '.join(BASELINES)}, or all")
    return Method(
        name=name,
        compare=partial(compare_baseline, name=name),
        threshold=BASELINES[name].threshold,
    )


def compare_all(method: Method, pairs: JudgedPairs, *, jobs: int = 0) -> list[Comparison]:
    """The comparison of every page list of the judged pairs, on all cores where there are many."""
    size = _CHUNK if len(pairs.pages) > 4 * _CHUNK else 1
    chunks = [pairs.pages[i : i + size] for i in range(0, len(pairs.pages), size)]
    found = map_in_order(_compare_chunk, chunks, method.compare, jobs=jobs)
    return [comparison for chunk in found for comparison in chunk]


def _compare_chunk(
    chunk: Sequence[Sequence[Page]], compare: Callable[[Sequence[Page]], Comparison]
) -> list[Comparison]:
    return [compare(pages) for pages in chunk]
