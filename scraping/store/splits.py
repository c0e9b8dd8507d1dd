"""Stored responses split in sandboxed workers: for the first time, once more, or anew."""

from collections.abc import Iterable, Iterator
from itertools import islice

from reducepp.sandbox import map_sandboxed
from reducepp.scraping.extract.split_many import split_failure, split_one, splitter_version
from reducepp.scraping.store.store import Store
from reducepp.types import Failure, Page, SearchHit

MAX_ATTEMPTS = 2
"""How often a page may be split without an end. A run that is killed leaves the pages that it was
splitting with one attempt; a second one means that the page itself ends the run."""
BATCH = 64
"""Pages split between two transactions."""


def split_stored(store: Store, *, retry_failures: bool = False) -> int:
    """Bring the splits of a store up to date; how many pages were split.

    These are pages whose splitting never ended, with `retry_failures` those that could not be
    split, and those that another version of the splitter split.
    """
    count = _finish_attempts(store)
    urls = dict.fromkeys(store.outdated_urls(splitter_version()))
    if retry_failures:
        urls |= dict.fromkeys(sorted(store.failed_urls("split")))
    waiting = iter(urls)
    while batch := list(islice(waiting, BATCH)):
        found = list(split_urls(store, batch))
        with store.transaction():
            for url, result in found:
                store.add_split(url, result, splitter=splitter_version())
        count += len(found)
    return count


def split_urls(store: Store, urls: Iterable[str]) -> Iterator[tuple[str, Page | Failure]]:
    """The stored responses of these URLs, split now; URLs without one are left out."""
    raws = [raw for url in urls if (raw := store.raw(SearchHit(url=url))) is not None]
    results = map_sandboxed(split_one, raws, failed=split_failure)
    return zip((raw.hit.url for raw in raws), results, strict=True)


def _finish_attempts(store: Store) -> int:
    """Split what an earlier run began and never ended, one page at a time."""
    attempts = store.open_attempts()
    for url, count in attempts.items():
        if count >= MAX_ATTEMPTS:
            why = f"the run ended {count} times while this page was split"
            result: Page | Failure = Failure(url=url, stage="split", reason=why)
        else:
            with store.transaction():
                store.begin_split(url)
            gone = Failure(url=url, stage="split", reason="its body is no longer in the store")
            result = next((found for _, found in split_urls(store, [url])), gone)
        with store.transaction():
            store.add_split(url, result, splitter=splitter_version())
    return len(attempts)
