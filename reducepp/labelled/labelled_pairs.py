"""Labels looked up among the pages they name, and grouped by what these have in common."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reducepp.errors import LabelsError
from reducepp.labelled.intervals import PairSources
from reducepp.labelled.reading import Labels, PairLabel
from reducepp.labelled.scoring import Components, find_components
from reducepp.similarity.sparse import connect
from reducepp.text.language_detection import detect_language
from reducepp.types import Array, Bools, Integers, Page, Queries

ALL_PAIRS = "all"
GROUPINGS = ("language", "domain", "query")


@dataclass(frozen=True, kw_only=True)
class LabelledPairs:
    """Labelled pairs found among the pages: `query` numbers the page list, `first` and `second`
    the pages within it."""

    pages: tuple[tuple[Page, ...], ...]
    query: Integers
    first: Integers
    second: Integers
    grade: Array
    """From 0 to 1."""
    duplicate: Bools
    decided: Bools
    labels: tuple[PairLabel, ...] = ()
    """The label that counts for each pair."""
    missing: int = 0
    """Labels that name a page that is not among the pages."""

    def sources(self, chosen: Bools) -> PairSources:
        """Query and pages of the chosen pairs, for resampling; pages are numbered over all."""
        offsets = np.cumsum([0, *(len(pages) for pages in self.pages)])[self.query]
        first, second = offsets + self.first, offsets + self.second
        return PairSources(query=self.query, first=first, second=second).take(chosen)

    def components(self, decided: Bools, clusters: Sequence[Integers]) -> Components:
        """Components of the pages in the decided pairs; `clusters` are the ones found, per query.

        True clusters are the pages that duplicate labels connect; a duplicate outside the chosen
        pairs still connects two of their pages.
        """
        sources, duplicates = self.sources(decided), self.sources(self.decided & self.duplicate)
        labelled = np.unique(np.concatenate([sources.first, sources.second]))
        sizes = [len(pages) for pages in self.pages]
        offsets = np.cumsum([0, *sizes])
        truth = connect(int(offsets[-1]), duplicates.first, duplicates.second)
        found = np.concatenate([own + offsets[i] for i, own in enumerate(clusters)])
        query = np.repeat(np.arange(len(sizes)), sizes)
        return find_components(truth[labelled], found[labelled], query[labelled])

    def groups(self, by: Sequence[str] = GROUPINGS) -> dict[tuple[str, str], Bools]:
        """(grouping, value) to pairs: all pairs first, then groupings with more than one value."""
        found = {(ALL_PAIRS, ""): np.ones(len(self.query), dtype=bool)}
        for grouping in by:
            of_pages = [[_property(page, grouping) for page in pages] for pages in self.pages]
            both = [(of_pages[query][a], of_pages[query][b]) for query, a, b in self.places()]
            values = np.array([a if a == b else "mixed" for a, b in both], dtype=object)
            distinct = sorted(set(values.tolist()) - {""})
            if len(distinct) > 1:
                found |= {(grouping, value): values == value for value in distinct}
        return found

    def places(self) -> Iterator[tuple[int, int, int]]:
        """Query, first and second page of each pair."""
        columns = (self.query.tolist(), self.first.tolist(), self.second.tolist())
        return zip(*columns, strict=True)


def _property(page: Page, grouping: str) -> str:
    if grouping == "language":
        return page.language[:2].lower() or detect_language(page.body or page.page_title)
    return page.domain if grouping == "domain" else page.query


def unlabelled_values(pages: Queries, pairs: LabelledPairs, grouping: str) -> list[str]:
    """Languages, domains or queries of the pages without a page in a decided pair; sorted."""
    there = {_property(page, grouping) for group in pages for page in group}
    for decided, (query, *places) in zip(pairs.decided.tolist(), pairs.places(), strict=True):
        if decided:
            there -= {_property(pairs.pages[query][place], grouping) for place in places}
    return sorted(there - {""})


Places = dict[tuple[str, str], list[tuple[int, int]]]
"""(query, id), and ("", id), to where the page is: number of the list, place in it."""


def find_pairs(pages: Queries, labels: Labels) -> LabelledPairs:
    """Look labelled pairs up among the pages of each query, in rank order.

    A label without a query is looked up by its ids alone. Of two labels of the same pair the
    last counts. Raises LabelsError where nothing, or no decided pair, is found.
    """
    if not labels:
        raise LabelsError("there is no labelled pair")
    ranked = tuple(tuple(sorted(group, key=lambda p: (p.rank, p.id))) for group in pages)
    places: Places = {}
    for number, group in enumerate(ranked):
        for place, page in enumerate(group):
            for query in {page.query, ""}:
                places.setdefault((query, page.id), []).append((number, place))
    located = [(_find_pair(places, label), label) for label in labels]
    found = {where: label for where, label in located if where is not None}
    if not any(label.decided for label in found.values()):
        raise LabelsError(
            f"none of {len(labels)} labelled pairs is decided and names two pages of one query "
            f"of the input: check the ids and queries of both files ({_first_names(pages, labels)})"
        )
    keys = np.array(sorted(found), dtype=np.int64).reshape(-1, 3)
    kept = tuple(found[key] for key in sorted(found))
    return LabelledPairs(
        pages=ranked,
        query=keys[:, 0],
        first=keys[:, 1],
        second=keys[:, 2],
        grade=np.array([label.grade / label.scale for label in kept]),
        duplicate=np.array([label.duplicate for label in kept], dtype=bool),
        decided=np.array([label.decided for label in kept], dtype=bool),
        labels=kept,
        missing=sum(where is None for where, _ in located),
    )


def _first_names(pages: Queries, labels: Labels) -> str:
    """The first page that the labels name, and the first of the input."""
    label, page = labels[0], next((page for group in pages for page in group), None)
    has = f"{page.id!r} of query {page.query!r}" if page else "no page of these queries"
    return f"the labels begin with {label.a!r} of query {label.query!r}, the input with {has}"


def _find_pair(places: Places, label: PairLabel) -> tuple[int, int, int] | None:
    seconds = dict(places.get((label.query, label.b), []))
    for number, place in places.get((label.query, label.a), []):
        other = seconds.get(number)
        if other is not None and other != place:
            return number, min(place, other), max(place, other)
    return None
