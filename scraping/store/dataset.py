"""A store as a data set: its responses split, its pages query by query, the paper's Table I."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from reducepp.sandbox import map_sandboxed
from reducepp.scraping.extract.site_title import share_site_titles
from reducepp.scraping.extract.split_many import split_failure, split_one, splitter_version
from reducepp.scraping.store.store import Query, Store, page_of_hit
from reducepp.types import Failure, Page, SearchHit

MAX_ATTEMPTS = 2
"""How often a page may be split without an end. A run that is killed leaves the pages that it was
splitting with one attempt; a second one means that the page itself ends the run."""
BATCH = 64
"""Pages split between two transactions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What a store holds for one query: pages in rank order, and failures."""

    query: Query
    pages: tuple[Page, ...]
    failures: tuple[Failure, ...]


def read_store_pages(path: str | Path) -> Iterator[Page]:
    """Every page of a store, query by query in rank order."""
    with Store(path, mode="read") as store:
        for collected in read_opened(store):
            yield from collected.pages


def read_opened(store: Store) -> Iterator[Collected]:
    """The queries of an open store; pages of another splitter version are split again."""
    outdated = frozenset(store.outdated_urls(splitter_version()))
    return (read_query(store, query, outdated) for query in store.queries())


def read_query(store: Store, query: Query, outdated: frozenset[str] = frozenset()) -> Collected:
    """One query's pages, with website titles shared among them; `outdated` ones split again."""
    hits = store.hits(query.query)
    again = dict(split_urls(store, [hit.url for hit in hits if hit.url in outdated]))
    failures = store.failures([hit.url for hit in hits])
    failures += tuple(result for result in again.values() if isinstance(result, Failure))
    pages = []
    for hit in hits:
        page = again.get(hit.url) or store.page(hit)
        if isinstance(page, Page):
            page = page_of_hit(page, hit, query.domain)
            pages.append(replace(page, language=page.language or query.language))
    return Collected(query=query, pages=tuple(share_site_titles(pages)), failures=failures)


def table_one(path: str | Path) -> dict[str, dict[str, int]]:
    """Count a store as the paper's Table I does; language and domain are the query's.

    Name of a count (`queries_by_language`) to value to number, most first.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with Store(path, mode="read") as store:
        stored = {url for (url,) in store.rows("SELECT url FROM pages")}
        for query in store.queries():
            records = sum(hit.url in stored for hit in store.hits(query.query))
            for name, value in (("language", query.language), ("domain", query.domain)):
                counts[f"queries_by_{name}"][value or "not given"] += 1
                counts[f"records_by_{name}"][value or "not given"] += records
        reasons = (failure.reason.partition(":")[0] for failure in store.failures())
        counts["failures_by_reason"].update(reasons)
    return {
        name: dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
        for name, found in counts.items()
    }


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
    """The stored responses of these URLs, split now; URLs without one are left out.

    At most BATCH responses are in memory. Workers start per call: pass many URLs at once.
    """
    waiting = iter(urls)
    while batch := list(islice(waiting, BATCH)):
        raws = [raw for url in batch if (raw := store.raw(SearchHit(url=url))) is not None]
        results = map_sandboxed(split_one, raws, failed=split_failure)
        yield from zip((raw.hit.url for raw in raws), results, strict=True)


def _finish_attempts(store: Store) -> int:
    """Split what an earlier run began and never ended, one page at a time."""
    attempts = store.open_attempts()
    for url, count in attempts.items():
        with store.transaction():
            store.begin_split(url)
        why = f"the run ended {count} times while this page was split"
        result: Page | Failure = Failure(url=url, stage="split", reason=why)
        if count < MAX_ATTEMPTS:
            _, result = next(split_urls(store, [url]), (url, result))
        with store.transaction():
            store.add_split(url, result, splitter=splitter_version())
    return len(attempts)
