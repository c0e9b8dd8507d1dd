"""How many documents contain a run: of all documents, or of a sample that no order changes.

The sample has the documents with the smallest codes. Codes are hashes, so it is a random one, and
it depends on the documents only, not on the order in which they came.
"""

import numpy as np

from reducepp.index.database import SAMPLE
from reducepp.index.features import Features
from reducepp.similarity.pairs import Integers
from reducepp.similarity.shingles import distinct
from reducepp.types import Array

MAX_PENDING = 32
"""Changes after which the counts are added up anew."""


class Census:
    """Documents of the sample, and the frequency of runs in them."""

    def __init__(self, documents: dict[int, Integers]) -> None:
        self.documents = documents
        self._pending: list[tuple[Integers, int]] = []
        self._codes, self._counts = _count(list(documents.values()))

    def add(self, features: Features) -> dict[int, Integers | None]:
        """Add a page; returns the documents of the sample that changed, None for one taken out."""
        document = features["document"]
        runs = distinct(np.concatenate(list(features.runs.values())))
        known = self.documents.get(document)
        if known is not None:
            new = np.setdiff1d(runs, known, assume_unique=True)
            self._note(new, 1)
            self.documents[document] = distinct(np.concatenate([known, new]))
            return {document: self.documents[document]} if len(new) else {}
        if len(self.documents) >= SAMPLE:
            last = max(self.documents)
            if document > last:
                return {}
            self._note(self.documents.pop(last), -1)
            return {last: None, **self._put(document, runs)}
        return self._put(document, runs)

    def _put(self, document: int, runs: Integers) -> dict[int, Integers | None]:
        self.documents[document] = runs
        self._note(runs, 1)
        return {document: runs}

    def _note(self, runs: Integers, by: int) -> None:
        self._pending.append((runs, by))

    def frequency(self, runs: Integers) -> Array:
        """Documents of the sample that contain each run."""
        if len(self._pending) > MAX_PENDING:
            self._codes, self._counts = _count(list(self.documents.values()))
            self._pending = []
        found = _look_up(runs, self._codes, self._counts)
        for codes, by in self._pending:
            found += by * _contains(codes, runs)
        return found

    def with_page(self, features: Features, runs: Integers) -> tuple[Array, int]:
        """Documents that contain each run, and all documents, with one more page among them."""
        known = self.documents.get(features["document"])
        own = np.concatenate(list(features.runs.values()))
        more = np.isin(runs, own)
        if known is not None:
            more &= ~_contains(known, runs)
        return self.frequency(runs) + more, len(self.documents) + (known is None)


def _count(parts: list[Integers]) -> tuple[Integers, Integers]:
    whole = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *parts]))
    first = np.flatnonzero(np.concatenate([[True], whole[1:] != whole[:-1]])[: len(whole)])
    return whole[first], np.diff(np.append(first, len(whole)))


def _contains(codes: Integers, runs: Integers) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the runs are among sorted codes."""
    if not len(codes):
        return np.zeros(len(runs), dtype=bool)
    places = np.minimum(np.searchsorted(codes, runs), len(codes) - 1)
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = codes[places] == runs
    return found


def _look_up(runs: Integers, codes: Integers, counts: Integers) -> Array:
    if not len(codes):
        return np.zeros(len(runs))
    places = np.minimum(np.searchsorted(codes, runs), len(codes) - 1)
    return np.where(codes[places] == runs, counts[places], 0).astype(np.float64)
