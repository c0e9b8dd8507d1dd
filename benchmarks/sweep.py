"""Seventy thresholds on a hundred pages, beside computing the similarities once.

    python -m benchmarks sweep

The sweep is what comparing and sweeping take together, less comparing alone: the text is read
once for both. CPU seconds, the best of a few rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from benchmarks.data import hundred_pages
from evaluation.sweep import sweep_pages, threshold_range
from reducepp.data import Page
from reducepp.intake import split_documents
from reducepp.library import find_profile
from reducepp.pipeline import compare_pages
from reducepp.records import Document

ROUNDS = 5


def best_of(work: Callable[[], object]) -> float:
    """CPU seconds of the quickest of a few rounds."""
    took = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return min(took)


def main() -> None:
    """Print what a sweep costs beside the similarities."""
    documents = [
        Document(page=Page(id=str(i), url=url, rank=i + 1), content=html)
        for i, (url, html) in enumerate(hundred_pages())
    ]
    pages = [page for page in split_documents(documents, jobs=0) if isinstance(page, Page)]
    profile = find_profile("default")
    sweep_pages(pages, profile, [0.5])  # what is imported on first use is not counted
    similarities = best_of(lambda: compare_pages(pages, profile))
    print(f"similarities of {len(pages)} pages{similarities:34.3f} s")
    for start, stop in ((0.3, 0.99), (0.01, 0.7)):
        thresholds = threshold_range(start, stop, 0.01)
        _, rows = sweep_pages(pages, profile, thresholds)
        both = best_of(partial(sweep_pages, pages, profile, thresholds))
        different = len({row.clusters for row in rows})
        sweep = both - similarities
        what = f"{len(rows)} thresholds from {start:g}, {different} clusterings"
        print(f"{what:<48} {sweep:7.3f} s  {sweep / similarities:5.2f} times")


if __name__ == "__main__":
    main()
