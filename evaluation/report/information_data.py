"""What each page holds, packed so that the report's page can add it up for any shown pages."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from reducepp.evaluation.information_kept import Coverage, text_of
from reducepp.evaluation.report.pack import pack_bits, pack_numbers
from reducepp.evaluation.report.page_texts import browser_places
from reducepp.text.tokenise import sentences

DIGITS = 12


def information_data(coverage: Coverage) -> dict[str, Any]:
    """Every sentence of every page, and which pages hold it.

    `counts` are the sentences of each page; `sentences` holds four numbers for each: step from
    the last start, length, number of its weight, number of its set of holders. A sentence of
    length 0 is not found as written. `holders` are sets of pages, a bit a page.
    """
    weights: dict[float, int] = {}
    holders: dict[bytes, int] = {}
    counts: list[int] = []
    numbers: list[int] = []
    for page in range(len(coverage.pages)):
        placed = sorted(_placed(coverage, page))
        counts.append(len(placed))
        last = 0
        for start, end, i in placed:
            weight = float(f"{coverage.weights[i]:.{DIGITS}g}")
            numbers += (start - last, end - start, weights.setdefault(weight, len(weights)))
            numbers.append(holders.setdefault(coverage.held[i].tobytes(), len(holders)))
            last = start
    return {
        "counts": counts,
        "sentences": pack_numbers(numbers),
        "weights": list(weights),
        "holders": pack_bits([np.frombuffer(held, dtype=bool) for held in holders]),
    }


def _placed(coverage: Coverage, page: int) -> Iterator[tuple[int, int, int]]:
    """Start, end and number of each sentence of a page; 0 and 0 where not found as written."""
    own = np.flatnonzero(coverage.owner == page).tolist()
    own.sort(key=lambda i: (-coverage.weights[i], i))  # the order of `Coverage.lost`
    text = text_of(coverage.pages[page])
    spans = _spans(text)
    found = [spans.get(lost.text, (0, 0)) for lost in coverage.lost(page, ())]
    for (start, end), i in zip(browser_places(text, found), own, strict=True):
        yield start, end, i


def _spans(text: str) -> dict[str, tuple[int, int]]:
    """Each sentence's first place in the text."""
    spans: dict[str, tuple[int, int]] = {}
    end = 0
    for sentence in sentences(text):
        start = text.index(sentence, end)
        end = start + len(sentence)
        spans.setdefault(sentence, (start, end))
    return spans
