"""What an index keeps of its pages in memory: their columns, the census, and bounds of weights.

The weight of a page's text changes with the frequency of its runs, as pages are added. Runs of
which few documents have any have full weight, so it follows from the frequent ones, which the
signatures hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reducepp.index.census import Census
from reducepp.index.database import Database, looked_up
from reducepp.index.features import COLUMNS, Features, are_of_unit
from reducepp.index.signatures import Signatures
from reducepp.similarity.measures.rare_runs import LETTERS, OF_WORDS, OFF_SITE, THREE_WORDS, WORDS
from reducepp.similarity.pairs import Integers
from reducepp.similarity.run_weights import PRIOR, UNITS, Weighting, smooth
from reducepp.types import Array

MIN_FREQUENT = 256
"""Pages of a frequent run at least."""
FREQUENT = 1 / 64
"""Share of the pages from which on a run is frequent."""
MAX_FREQUENT = 2048
"""Frequent runs at most: a page has a bit for each of them."""

SITE_SAMPLE = 50
"""Documents of the page's site by which the frequency of runs on that site is counted."""


class Bounds(NamedTuple):
    """Of each page, by its runs of one unit, whatever other page is counted with the index."""

    weight: NDArray[np.int64]
    """Weight of its text at least, in whole runs."""
    frequent: Array
    """Weight of its frequent runs at most, where they are shared."""


class KnownPages:
    """The pages of an index."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._load()

    def _load(self) -> None:
        self._version = self._database.version()
        self.columns = dict(zip(COLUMNS, self._database.catalogue(), strict=True))
        self.census = Census(self._database.sample())
        self._signatures: Signatures | None = None
        self._bounds: dict[str, Bounds] = {}
        self._weighed_at = -1

    def __len__(self) -> int:
        return len(self.columns["site"])

    def forget(self) -> None:
        """Read everything anew: what is in memory may be ahead of the file."""
        self._version = -1

    def refresh(self) -> None:
        """Read what another process has added."""
        version = self._database.version()
        if self._version == -1:
            self._load()
        elif version != self._version:
            first = len(self)
            self._append(self._database.catalogue(first))
            sizes, documents = self._database.sample_sizes(), self.census.documents
            self.census.put(dict.fromkeys(documents.keys() - sizes.keys()))
            changed = [
                document
                for document, size in sizes.items()
                if document not in documents or documents[document].nbytes != size
            ]
            self.census.put(self._database.sample(changed) if changed else {})
            if self._signatures is not None:
                self._sign(self._signatures, first)
            self._version = version

    def add(self, described: Sequence[Features]) -> None:
        """Add pages that were written; the census has them."""
        if not described:
            return
        self._append(np.stack([features.row for features in described], axis=1))
        if self._signatures is not None:
            runs = [looked_up(features) for features in described]
            numbers = np.repeat(np.arange(len(runs)), [len(one) for one in runs])
            places = self._signatures.places_of(np.concatenate(runs))
            order = np.argsort(places, kind="stable")[np.count_nonzero(places < 0) :]
            self._signatures.append(places[order], numbers[order], len(runs))

    def _append(self, table: Integers) -> None:
        for name, added in zip(COLUMNS, table, strict=True):
            self.columns[name] = np.concatenate([self.columns[name], added])

    @property
    def signatures(self) -> Signatures:
        """Chosen anew when the pages have doubled."""
        if self._signatures is None or len(self) > 2 * self._signatures.chosen_at:
            self._signatures = Signatures(self._frequent_runs())
            self._signatures.chosen_at = len(self)
            self._sign(self._signatures, 0)
            self._bounds = {}
        return self._signatures

    def _frequent_runs(self) -> Integers:
        """The runs by which most pages are found; the census says which may be frequent."""
        least = FREQUENT / 2 * len(self.census.documents)
        parts = [self.census.of_unit(unit) for unit in (WORDS, LETTERS)]
        runs = np.concatenate([codes[counts >= least] for codes, counts in parts])
        sizes = self._database.posting_sizes(runs)
        runs = runs[sizes >= max(FREQUENT * len(self), MIN_FREQUENT)]
        sizes = sizes[sizes >= max(FREQUENT * len(self), MIN_FREQUENT)]
        return np.sort(runs[np.argsort(-sizes, kind="stable")[:MAX_FREQUENT]])

    def _sign(self, signatures: Signatures, first: int) -> None:
        places, numbers = self._database.postings(signatures.runs, len(self), first)
        signatures.append(places, numbers - first, len(self) - first)

    def bounds(self, unit: str) -> Bounds:
        """Bounds of the weights of the pages' runs of a unit."""
        signatures = self.signatures
        if self._weighed_at != self.census.changes:
            self._bounds, self._weighed_at = {}, self.census.changes
        found = self._bounds.get(unit)
        if found is None or len(found.weight) < len(self):
            first = 0 if found is None else len(found.weight)
            added = self._weigh(unit, signatures, slice(first, None))
            parts = [added] if found is None else [found, added]
            found = Bounds(*map(np.concatenate, zip(*parts, strict=True)))
            self._bounds[unit] = found
        return found

    def _weigh(self, unit: str, signatures: Signatures, pages: slice) -> Bounds:
        """A page that is asked for adds at most 1 to the frequency of a run and to all documents.

        Of runs of three words, which have no signatures, a page has each frequent one at most once.
        """
        runs, sizes = signatures.runs, self.columns[unit][pages]
        own_of = are_of_unit(runs, unit)
        codes, counts = self.census.of_unit(unit)
        if unit == THREE_WORDS:
            lost = float((UNITS - self._weights(unit, counts + 1)[1]).sum())
            lowest = float(weighting_of(unit).weights(np.array([1.0]))[0])
            weights = np.maximum(UNITS * sizes - lost, lowest * sizes)
            return Bounds((weights // UNITS).astype(np.int64), np.full(len(sizes), np.inf))
        most_of_others = counts[signatures.places_of(codes) < 0].max(initial=1)
        (other,) = self._weights(unit, np.array([most_of_others + 1.0]))[1]
        frequency = self.census.frequency(runs)
        own = self._weights(unit, frequency + 1)[1]
        shared = self._weights(unit, frequency, more=1)[0]
        weights = signatures.sums(np.where(own_of, own - other, 0.0), pages) + other * sizes
        return Bounds(
            (weights // UNITS).astype(np.int64),
            signatures.sums(np.where(own_of, shared, 0.0), pages),
        )

    def _weights(self, unit: str, frequency: Array, more: int = 0) -> tuple[Array, Array]:
        background = smooth(frequency, len(self.census.documents) + more, PRIOR, PRIOR)
        return background.weights(weighting_of(unit))


def weighting_of(unit: str) -> Weighting:
    """How runs of a unit are weighted where two pages of different sites are compared."""
    return OF_WORDS if unit == WORDS else OFF_SITE.weighting


def site_sample(features: Features, column: dict[str, Integers]) -> Integers:
    """Pages of the documents with the smallest codes on the page's site."""
    on_site = np.flatnonzero((column["site"] == features["site"]) & (features["site"] != 0))
    documents = column["document"][on_site]
    chosen = np.unique(documents)[:SITE_SAMPLE]
    return on_site[np.isin(documents, chosen)]
