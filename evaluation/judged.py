"""Judged pairs, found among the pages they judge, and grouped by what these have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reducepp.errors import LabelsError
from reducepp.evaluation.bootstrap import Pairs
from reducepp.labelled.reading import Judgement
from reducepp.text.language_detection import detect_language
from reducepp.types import Array, Page

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]

EVERYTHING = "all"
GROUPINGS = ("language", "domain", "query")


@dataclass(frozen=True, kw_only=True)
class JudgedPairs:
    """Judged pairs found among the pages: `query` numbers the page list, `first` and `second`
    the pages within it."""

    pages: tuple[tuple[Page, ...], ...]
    query: Integers
    first: Integers
    second: Integers
    grade: Array
    duplicate: Bools
    decided: Bools
    missing: int = 0
    """Judgements that name a page that is not there."""

    def sources(self, chosen: Bools) -> Pairs:
        """Where the chosen pairs come from, for resampling."""
        offsets = np.cumsum([0, *(len(pages) for pages in self.pages)])[self.query]
        return Pairs(
            query=self.query[chosen],
            first=(offsets + self.first)[chosen],
            second=(offsets + self.second)[chosen],
        )

    def groups(self, by: Sequence[str] = GROUPINGS) -> dict[tuple[str, str], Bools]:
        """(grouping, value) to pairs; everything first, and groupings with more than one value."""
        found = {(EVERYTHING, ""): np.ones(len(self.query), dtype=bool)}
        for grouping in by:
            values = self._values(grouping)
            distinct = sorted({value for value in values if value})
            if len(distinct) > 1:
                names = np.array(values, dtype=object)
                found |= {(grouping, value): names == value for value in distinct}
        return found

    def _values(self, grouping: str) -> list[str]:
        """What the two pages of each pair have in common; "mixed" where they differ."""
        of_pages = [[_property(page, grouping) for page in pages] for pages in self.pages]
        both = (
            (of_pages[query][first], of_pages[query][second])
            for query, first, second in zip(
                self.query.tolist(), self.first.tolist(), self.second.tolist(), strict=True
            )
        )
        return [a if a == b else "mixed" for a, b in both]


def _property(page: Page, grouping: str) -> str:
    if grouping == "language":
        return page.language[:2].lower() or detect_language(page.body or page.page_title)
    return page.domain if grouping == "domain" else page.query


def unjudged(pages: Sequence[Sequence[Page]], pairs: JudgedPairs, grouping: str) -> list[str]:
    """Which languages, domains or queries of the pages have no page in a decided pair; sorted."""
    there = {_property(page, grouping) for group in pages for page in group}
    for number in np.flatnonzero(pairs.decided).tolist():
        group = pairs.pages[pairs.query[number]]
        for place in (pairs.first[number], pairs.second[number]):
            there.discard(_property(group[place], grouping))
    return sorted(there - {""})


def find_pairs(pages: Sequence[Sequence[Page]], judgements: Sequence[Judgement]) -> JudgedPairs:
    """Look judged pairs up among the pages of each query, in rank order.

    A judgement without a query is looked for by its ids alone. Of two judgements on the same
    pair the last counts. Raises LabelsError where nothing, or no decided pair, is found.
    """
    if not judgements:
        raise LabelsError("there is no judged pair")
    ranked = tuple(tuple(sorted(group, key=lambda p: (p.rank, p.id))) for group in pages)
    places: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for number, group in enumerate(ranked):
        for place, page in enumerate(group):
            places.setdefault((page.query, page.id), []).append((number, place))
            places.setdefault(("", page.id), []).append((number, place))
    found: dict[tuple[int, int, int], Judgement] = {}
    missing = 0
    for judgement in judgements:
        where = _find_pair(places, judgement)
        missing += where is None
        if where is not None:
            found[where] = judgement
    if not any(judgement.decided for judgement in found.values()):
        raise LabelsError(
            f"none of {len(judgements)} judged pairs is decided and names two pages of one query "
            "of the input: check the ids and queries of both files"
        )
    return _as_arrays(ranked, found, missing)


def _find_pair(
    places: dict[tuple[str, str], list[tuple[int, int]]], judgement: Judgement
) -> tuple[int, int, int] | None:
    seconds = dict(places.get((judgement.query, judgement.b), []))
    for number, place in places.get((judgement.query, judgement.a), []):
        other = seconds.get(number)
        if other is not None and other != place:
            return number, min(place, other), max(place, other)
    return None


def _as_arrays(
    ranked: tuple[tuple[Page, ...], ...],
    found: dict[tuple[int, int, int], Judgement],
    missing: int,
) -> JudgedPairs:
    keys = np.array(sorted(found), dtype=np.int64).reshape(-1, 3)
    judged = [found[key] for key in sorted(found)]
    return JudgedPairs(
        pages=ranked,
        query=keys[:, 0],
        first=keys[:, 1],
        second=keys[:, 2],
        grade=np.array([j.grade / j.scale for j in judged]),
        duplicate=np.array([j.duplicate for j in judged], dtype=bool),
        decided=np.array([j.decided for j in judged], dtype=bool),
        missing=missing,
    )
