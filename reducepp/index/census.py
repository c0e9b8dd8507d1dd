"""How many documents contain a run: of all documents, or of a sample that no order changes.

The sample has the documents with the smallest codes. Codes are hashes, so it is a random one, and
it depends on the documents only, not on the order in which they came.
"""

from collections.abc import Mapping

import numpy as np

from reducepp.index.database import SAMPLE
from reducepp.index.features import Features, are_of_unit
from reducepp.similarity.shingles import distinct, places_in
from reducepp.types import Array, Bools, Integers

MAX_PENDING = 32
"""Changes up to which counts are corrected when they are read."""


class Census:
    """Documents of the sample, and the frequency of runs in them."""

    def __init__(self, documents: dict[int, Integers]) -> None:
        self.documents: dict[int, Integers] = {}
        self.changes = 0
        """Grows when a frequency may have changed."""
        self._pending: list[tuple[Integers, int]] = []
        self._codes = self._counts = np.zeros(0, dtype=np.int64)
        self.put(documents)

    def add(self, features: Features) -> dict[int, Integers | None]:
        """Add a page; returns the documents of the sample that changed, None for one taken out."""
        document = features["document"]
        runs = features.all_runs
        known = self.documents.get(document)
        changed: dict[int, Integers | None]
        if known is not None:
            both = distinct(np.concatenate([known, runs]))
            changed = {document: both} if len(both) > len(known) else {}
        elif len(self.documents) < SAMPLE:
            changed = {document: runs}
        else:
            last = max(self.documents)
            changed = {last: None, document: runs} if document < last else {}
        self.put(changed)
        return changed

    def put(self, changed: Mapping[int, Integers | None]) -> None:
        """Put documents into the sample in place of what was known of them; None takes one out."""
        for document, runs in changed.items():
            before = self.documents.pop(document, None)
            if before is not None:
                self._pending.append((before, -1))
            if runs is not None:
                self.documents[document] = runs
                self._pending.append((runs, 1))
            self.changes += 1

    def counts(self) -> tuple[Integers, Integers]:
        """Every run of the sample, sorted, and how many of its documents contain it."""
        if len(self._pending) > MAX_PENDING:
            codes = np.sort(np.concatenate(list(self.documents.values())))
            self._codes, self._counts = _add_up(codes, np.ones_like(codes))
        elif self._pending:
            parts = [(self._codes, self._counts)]
            parts += [(codes, np.full(len(codes), by)) for codes, by in self._pending]
            codes, counts = map(np.concatenate, zip(*parts, strict=True))
            order = np.argsort(codes, kind="stable")
            self._codes, self._counts = _add_up(codes[order], counts[order])
        self._pending = []
        return self._codes, self._counts

    def of_unit(self, unit: str) -> tuple[Integers, Integers]:
        """Runs of a unit that two documents contain or more, and how many do."""
        codes, counts = self.counts()
        kept = np.flatnonzero(counts > 1)
        kept = kept[are_of_unit(codes[kept], unit)]
        return codes[kept], counts[kept]

    def frequency(self, runs: Integers) -> Array:
        """Documents of the sample that contain each run."""
        if len(self._pending) > MAX_PENDING:
            self.counts()
        found = np.zeros(len(runs))
        places = places_in(self._codes, runs)
        found[places >= 0] = self._counts[places[places >= 0]]
        for codes, by in self._pending:
            found += by * contains(codes, runs)
        return found

    def with_page(self, features: Features, runs: Integers) -> tuple[Array, int]:
        """Documents that contain each run, and all documents, with one more page among them."""
        known = self.documents.get(features["document"])
        more = contains(features.all_runs, runs)
        if known is not None:
            more &= ~contains(known, runs)
        return self.frequency(runs) + more, len(self.documents) + (known is None)


def _add_up(codes: Integers, counts: Integers) -> tuple[Integers, Integers]:
    """Distinct ones of sorted codes with the sum of their counts, where it is not 0."""
    first = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]])[: len(codes)])
    total = np.diff(np.concatenate([[0], np.cumsum(counts)])[np.append(first, len(codes))])
    kept = total != 0
    return codes[first][kept], total[kept]


def contains(codes: Integers, runs: Integers) -> Bools:
    """Which of the runs are among sorted codes."""
    return places_in(codes, runs) >= 0
