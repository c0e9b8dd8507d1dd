"""Documents of a page's site: how many of them contain each run.

Of a large site they are a sample (`site_sample`), the same for every page that is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from reducepp.index.features import Features, describe_set
from reducepp.similarity.contents import PageSet
from reducepp.similarity.documents import FULL_TEXT, code_of, number_documents
from reducepp.similarity.measures.rare_runs import FIVE_WORDS, LETTERS, WORDS
from reducepp.similarity.near_copies import MIN_GROUP, copy_groups
from reducepp.similarity.run_weights import Background, document_frequency
from reducepp.similarity.shingles import coded_membership, distinct, places_in
from reducepp.types import Array, Integers, Page, Sparse

SITE_UNITS = (LETTERS, WORDS, FIVE_WORDS)
"""By which two pages of one site are compared."""


class SitePages(NamedTuple):
    """What is counted of some pages of a site."""

    documents: list[int]
    """Code of each page's name, or of its text."""
    digests: list[int]
    runs: list[dict[str, Integers]]
    """Distinct codes of each page's runs by unit."""


def describe_site(pages: Sequence[Page], described: Sequence[Features] = ()) -> SitePages:
    """Pages of a site, whose features need not be made again where they are known."""
    page_set = PageSet(pages)
    features = described or describe_set(page_set)
    return SitePages(
        [one["document"] for one in features],
        [*map(code_of, page_set.values(FULL_TEXT))],
        [{unit: one.runs[unit] for unit in SITE_UNITS} for one in features],
    )


class SiteDocuments:
    """The documents of a page and of the pages of its site by which runs are counted."""

    def __init__(self, page: SitePages, others: SitePages) -> None:
        self._runs = [*page.runs, *others.runs]
        digests = [*page.digests, *others.digests]
        self._documents = number_documents(
            [*page.documents, *others.documents], self._copies(), digests.__getitem__
        )
        self._counts: dict[str, tuple[Integers, Array]] = {}

    def _copies(self) -> Integers:
        """Group of each page among copies of one text, -1 for none."""
        if len(self._runs) < MIN_GROUP:
            return np.full(len(self._runs), -1, dtype=np.int64)
        matrix, _ = self._membership(FIVE_WORDS)
        return copy_groups(matrix, np.zeros(matrix.shape[1], dtype=np.int64))

    def _membership(self, unit: str) -> tuple[Sparse, Integers]:
        """Pages × runs of a unit, and their codes."""
        codes = [runs[unit] for runs in self._runs]
        rows = np.repeat(np.arange(len(codes)), [len(one) for one in codes])
        return coded_membership(rows, np.concatenate(codes), len(codes))

    def against(self, whole: Background, unit: str, codes: Integers) -> Background:
        """Runs of a unit against these documents; `whole` is their background in the index."""
        known, counts = self._of_unit(unit)
        frequency = np.zeros(len(whole.listed))
        places = places_in(known, codes)
        there = np.flatnonzero(places >= 0)  # where no page has a run, a column has no code
        frequency[there] = counts[places[there]]
        return whole.on_site(frequency, len(distinct(self._documents)))

    def _of_unit(self, unit: str) -> tuple[Integers, Array]:
        """Every run of a unit, sorted, and how many documents contain it."""
        if unit not in self._counts:
            matrix, known = self._membership(unit)
            frequency, order = document_frequency(matrix, self._documents), np.argsort(known)
            self._counts[unit] = known[order], frequency[order]
        return self._counts[unit]
