"""Judged pairs with their signals: what weights are learned from."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reducepp.errors import LabelsError
from reducepp.labelled.reading import Judgement
from reducepp.similarity.compare import measure
from reducepp.similarity.contents import BODIES, PageSet
from reducepp.text.urls import canonical_url
from reducepp.types import Array, Page, Profile

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class JudgedPairs:
    """m judged pairs: each signal's value, the judgement, and which pages hang together.

    `first` and `second` number the pages, `unit` gives each page's group: what duplicate labels
    connect, and one page in several queries. `query` numbers each pair's query; queries that
    share a page count as one.
    """

    by_signal: Mapping[str, Array]
    duplicate: Bools
    first: Integers
    second: Integers
    query: Integers
    unit: Integers
    seconds: Mapping[str, float]
    """What each signal took on all pages; `prepare` is the text preparation they share."""

    def __len__(self) -> int:
        return len(self.duplicate)

    @property
    def unit_pairs(self) -> tuple[Integers, Integers]:
        """The groups of each pair's two pages."""
        return self.unit[self.first], self.unit[self.second]

    def take(self, rows: Integers | Bools) -> JudgedPairs:
        """Some of the pairs; pages keep their numbers."""
        return JudgedPairs(
            by_signal={name: values[rows] for name, values in self.by_signal.items()},
            duplicate=self.duplicate[rows],
            first=self.first[rows],
            second=self.second[rows],
            query=self.query[rows],
            unit=self.unit,
            seconds=self.seconds,
        )

    def only(self, names: Iterable[str]) -> JudgedPairs:
        """The same pairs with some of the signals."""
        kept = {name: self.by_signal[name] for name in names}
        return JudgedPairs(
            by_signal=kept,
            duplicate=self.duplicate,
            first=self.first,
            second=self.second,
            query=self.query,
            unit=self.unit,
            seconds={name: self.seconds.get(name, 0.0) for name in ("prepare", *kept)},
        )


def judge_pairs(
    queries: Sequence[Sequence[Page]],
    judgements: Sequence[Judgement],
    profile: Profile,
    *,
    failed: Iterable[str] = (),
) -> JudgedPairs:
    """Signals of the decided pairs among the pages of each query.

    Pairs with a page that could not be read (`failed` ids) are left out; a label that names
    any other unknown page, or pages of two queries, is refused.
    """
    places = _places(queries)
    found = _locate(judgements, places, frozenset(failed))
    matrices, seconds = _measure_all(queries, profile)
    names = [signal.name for signal in profile.signals]
    columns = {
        name: np.array([matrices[q][name][i, j] for q, i, j, _ in found], dtype=np.float64)
        for name in names
    }
    starts = np.cumsum([0, *(len(pages) for pages in queries)])
    again, before = _repeated([page for pages in queries for page in pages])
    owner = np.repeat(np.arange(len(queries)), np.diff(starts))
    joined = connect(len(queries), owner[again], owner[before])
    first = np.array([starts[q] + i for q, i, _, _ in found], dtype=np.int64)
    second = np.array([starts[q] + j for q, _, j, _ in found], dtype=np.int64)
    duplicate = np.array([duplicate for *_, duplicate in found], dtype=bool)
    return JudgedPairs(
        by_signal=columns,
        duplicate=duplicate,
        first=first,
        second=second,
        query=joined[np.array([q for q, *_ in found], dtype=np.int64)],
        unit=connect(
            int(starts[-1]),
            np.concatenate([first[duplicate], again]),
            np.concatenate([second[duplicate], before]),
        ),
        seconds=seconds,
    )


def connect(count: int, first: Integers, second: Integers) -> Integers:
    """Group number of each of `count` pages, where pairs connect."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    links = csr_array((np.ones(len(first)), (first, second)), shape=(count, count))
    return np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)


def _repeated(pages: Sequence[Page]) -> tuple[Integers, Integers]:
    """Each page, and where it came first, by address and by text."""
    seen: dict[tuple[str, str], int] = {}
    keys = [
        (i, (kind, value))
        for i, page in enumerate(pages)
        for kind, value in (("url", canonical_url(page.url)), ("body", page.body.strip()))
        if value
    ]
    found = [(i, seen.setdefault(key, i)) for i, key in keys]
    links = np.array(found, dtype=np.int64).reshape(-1, 2)
    return links[:, 0], links[:, 1]


Place = tuple[int, int]


def _places(queries: Sequence[Sequence[Page]]) -> dict[tuple[str, str], list[Place]]:
    """(query, id) and ("", id) to where the page is: query number and page number."""
    places: dict[tuple[str, str], list[Place]] = {}
    for q, pages in enumerate(queries):
        for i, page in enumerate(pages):
            for query in {page.query, ""}:
                places.setdefault((query, page.id), []).append((q, i))
    return places


def _locate(
    judgements: Sequence[Judgement],
    places: Mapping[tuple[str, str], list[Place]],
    failed: frozenset[str],
) -> list[tuple[int, int, int, bool]]:
    found: dict[tuple[int, int, int], bool] = {}
    for judgement in judgements:
        if not judgement.decided or {judgement.a, judgement.b} & failed:
            continue
        a = _place(judgement.query, judgement.a, places)
        b = _place(judgement.query, judgement.b, places)
        if a[0] != b[0]:
            raise LabelsError(f"pair {judgement.a}, {judgement.b}: pages of two queries")
        low, high = sorted((a[1], b[1]))
        if low != high:
            found[a[0], low, high] = judgement.duplicate
    return [(*at, duplicate) for at, duplicate in sorted(found.items())]


def _place(query: str, name: str, places: Mapping[tuple[str, str], list[Place]]) -> Place:
    here = places.get((query, name)) or places.get(("", name), [])
    if not here:
        raise LabelsError(f"labels name page {name!r}, which is not in the input")
    if len(here) > 1:
        raise LabelsError(f"labels name page {name!r} without a query; it is in {len(here)}")
    return here[0]


def _measure_all(
    queries: Sequence[Sequence[Page]], profile: Profile
) -> tuple[list[dict[str, Array]], dict[str, float]]:
    seconds = dict.fromkeys(["prepare", *(signal.name for signal in profile.signals)], 0.0)
    matrices: list[dict[str, Array]] = []
    for pages in queries:
        page_set = PageSet(pages, prepare=profile.prepare)
        began = time.perf_counter()
        for content in sorted({s.content for s in profile.signals} & set(BODIES)):
            page_set.contents(content).texts()
        seconds["prepare"] += time.perf_counter() - began
        matrices.append({})
        for signal in profile.signals:
            began = time.perf_counter()
            matrices[-1][signal.name] = measure(page_set, signal, missing=profile.missing)
            seconds[signal.name] += time.perf_counter() - began
    return matrices, seconds
