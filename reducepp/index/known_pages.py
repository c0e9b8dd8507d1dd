"""What an index keeps of its pages in memory: their columns, the census, and bounds of weights.

The weight of a page's text changes with the frequency of its runs, as pages are added. Runs of
which few documents have any have full weight, so it follows from the frequent ones, which the
signatures hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reducepp.index.census import Census, contains
from reducepp.index.database import SAMPLE, Database, looked_up
from reducepp.index.features import COLUMNS, Features, are_of_unit
from reducepp.index.signatures import Signatures
from reducepp.similarity.measures.rare_runs import LETTERS, THREE_WORDS, WORDS, draws_of
from reducepp.similarity.run_weights import PRIOR, UNITS, smooth
from reducepp.types import Array, Bools, Integers

MIN_FREQUENT = 256
"""Pages of a frequent run at least."""
FREQUENT = 1 / 64
"""Share of the pages from which on a run is frequent."""
READ_AT_ONCE = 64
"""Frequent runs whose posting lists are in memory at a time; whole groups of a signature."""
MAX_FREQUENT = 2048
"""Frequent runs at most: a page has a bit for each of them."""

SLACK = 0.02
"""Changes of the census, of its documents, that bounds allow for while it changes with every page;
later it is MAX_SLACK. Bounds of a large index must be close, or many pages are not ruled out."""
MAX_SLACK = 2
SITE_SAMPLE = 50
"""Documents of the page's site by which the frequency of runs on that site is counted."""


class Bounds(NamedTuple):
    """Of each page, by its runs of one unit, whatever other page is counted with the index."""

    weight: Integers
    """Weight of its text at least, in whole runs."""
    frequent: Array
    """Weight of its frequent runs at most, where they are shared."""


_NOTHING = Bounds(np.zeros(0, dtype=np.int64), np.zeros(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weights:
    """By which the bounds of a unit are found."""

    is_own: Bools
    """Which of the frequent runs are of the unit."""
    own: Array
    """Their weight at least, where one page has them; 0 for those of other units."""
    shared: Array
    """And at most, where they are shared."""
    others: float
    """Weight of any other run at least."""
    lost: float
    """What all runs of a page weigh less than as many rare ones, at most."""
    valid_until: int
    """Changes of the census up to which all this holds."""


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
        self._weights: dict[str, _Weights] = {}
        self._bounds: dict[str, Bounds] = {}

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
            self._signatures.append([(places[order], numbers[order])], len(runs))

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
            self._weights = {}
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
        def read(start: int) -> tuple[Integers, Integers]:
            runs = signatures.runs[start : start + READ_AT_ONCE]
            places, numbers = self._database.postings(runs, len(self), first)
            return places + start, numbers - first

        parts = map(read, range(0, len(signatures.runs), READ_AT_ONCE))
        signatures.append(parts, len(self) - first)

    def bounds(self, unit: str) -> Bounds:
        """Bounds of the weights of the pages' runs of a unit."""
        signatures = self.signatures
        weights = self._weights.get(unit)
        if weights is None or self.census.changes > weights.valid_until:
            weights = self._weights[unit] = self._weigh(unit, signatures.runs)
            self._bounds.pop(unit, None)
        found = self._bounds.get(unit, _NOTHING)
        if len(found.weight) < len(self):
            pages = slice(len(found.weight), None)
            sizes = self.columns[unit][pages]
            own = signatures.sums(weights.own - weights.others * weights.is_own, pages)
            own = np.maximum(own + weights.others * sizes, UNITS * sizes - weights.lost)
            added = (own // UNITS).astype(np.int64), signatures.sums(weights.shared, pages)
            found = Bounds(*map(np.concatenate, zip(found, added, strict=True)))
            self._bounds[unit] = found
        return found

    def _weigh(self, unit: str, runs: Integers) -> _Weights:
        """Weights that hold for some changes of the census.

        Each, and a page that is looked up, changes the frequency of a run, and of all documents,
        by 1 at most. Of runs of three words, which have no signatures, a page has each frequent one
        at most once; they are counted only in a sample that does not change with every page.
        """
        documents, is_own = len(self.census.documents), are_of_unit(runs, unit)
        slack = MAX_SLACK if documents == SAMPLE else int(SLACK * documents)
        slack = 0 if unit == THREE_WORDS else slack
        most = lost = np.inf
        if unit != THREE_WORDS or documents == SAMPLE:
            codes, counts = self.census.of_unit(unit)
            most = counts[~contains(runs, codes)].max(initial=1)
        if unit == THREE_WORDS and most < np.inf:
            lost = float((UNITS - self._weight(unit, counts.astype(np.float64), 1)).sum())
        frequency = self.census.frequency(runs)
        return _Weights(
            is_own=is_own,
            own=is_own * self._weight(unit, frequency, slack + 1),
            shared=is_own * self._weight(unit, frequency, -slack - 1),
            others=float(self._weight(unit, np.array([most]), slack + 1)[0]),
            lost=lost,
            valid_until=self.census.changes + slack,
        )

    def _weight(self, unit: str, frequency: Array, more: int) -> Array:
        """Weight of runs of which `more` documents have each, among as many fewer.

        Where they are more, that of runs that one page has; where they are fewer, of shared ones.
        """
        count = max(len(self.census.documents) - more, 0)
        found = np.minimum(np.maximum(frequency + more, 0), 10**9)
        background = smooth(found, count, PRIOR, PRIOR)
        return background.weights(draws_of("off_site", unit))[int(more >= 0)]


def site_sample(features: Features, column: dict[str, Integers]) -> Integers:
    """Pages of the documents with the smallest codes on the page's site."""
    on_site = np.flatnonzero((column["site"] == features["site"]) & (features["site"] != 0))
    documents = column["document"][on_site]
    chosen = np.unique(documents)[:SITE_SAMPLE]
    return on_site[np.isin(documents, chosen)]
