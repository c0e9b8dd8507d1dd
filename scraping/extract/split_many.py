"""Many pages split in order, on several cores, in constant memory."""

from __future__ import annotations

import multiprocessing
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from reducepp.errors import ReduceppError
from reducepp.parallel import cores, die_quietly
from reducepp.scraping.extract.site_title import share_site_titles
from reducepp.types import Failure, Page, RawPage

CHUNK = 8
"""Pages given to a worker at once."""
WINDOW = 256
"""Pages that share website titles; as many are held in memory."""

Item = RawPage | Mapping[str, Any]
Result = Page | Failure


def split_many(
    items: Iterable[Item], *, jobs: int = 0, links: str = "content"
) -> Iterator[Page | Failure]:
    """Every item as a Page or a Failure, in order, on `jobs` processes (0: all cores).

    An item is a RawPage or a mapping with `html` and `url` (and id, query, rank, language).
    Website titles are shared among each `WINDOW` pages, so memory does not grow.
    """
    results = split_each(items, jobs=jobs, links=links)
    while window := list(islice(results, WINDOW)):
        pages = iter(share_site_titles([r for r in window if isinstance(r, Page)]))
        for result in window:
            yield next(pages) if isinstance(result, Page) else result


def split_one(item: Item, links: str = "content") -> Result:
    """One page, or the Failure that says why it cannot be split."""
    from reducepp.scraping.extract.split import split_html, split_page

    url = item.hit.url if isinstance(item, RawPage) else str(item.get("url") or "")
    try:
        if isinstance(item, RawPage):
            return split_page(item, links=links)
        known = {k: item[k] for k in ("id", "query", "rank", "language") if item.get(k)}
        page = split_html(item.get("html") or "", url=url, links=links, **known)
        return replace(page, domain=str(item.get("domain") or ""))
    except ReduceppError as error:
        return Failure(url=url, stage="split", reason=str(error))
    except (MemoryError, RecursionError, ValueError, TypeError, LookupError, OSError) as error:
        return Failure(url=url, stage="split", reason=f"{type(error).__name__}: {error}")


def split_each(items: Iterable[Item], *, jobs: int = 0, links: str = "content") -> Iterator[Result]:
    """Results in the order of the items; `jobs` 0 means all cores, 1 this process alone."""
    workers = cores(jobs)
    source = iter(items)
    head = list(islice(source, 2 * CHUNK))
    if workers == 1 or len(head) < 2 * CHUNK:
        for item in chain(head, source):
            yield split_one(item, links)
        return
    with _pool(workers) as pool:
        yield from _in_order(pool, _chunks(head, source), links, ahead=2 * workers)


def _in_order(
    pool: ProcessPoolExecutor, chunks: Iterator[list[Item]], links: str, *, ahead: int
) -> Iterator[Result]:
    """Keep a few chunks under way; hand results on in the order of the chunks."""
    running: deque[tuple[list[Item], Future[list[Result]]]] = deque()
    for chunk in chunks:
        running.append((chunk, _submit(pool, chunk, links)))
        if len(running) >= ahead:
            yield from _finish(*running.popleft(), links)
    while running:
        yield from _finish(*running.popleft(), links)


def _submit(pool: ProcessPoolExecutor, chunk: list[Item], links: str) -> Future[list[Result]]:
    try:
        return pool.submit(_split_chunk, chunk, links)
    except BrokenProcessPool as error:
        broken: Future[list[Result]] = Future()
        broken.set_exception(error)
        return broken


def _finish(chunk: list[Item], future: Future[list[Result]], links: str) -> list[Result]:
    """A chunk's results; where its process died, each page again in a process of its own."""
    try:
        return future.result()
    except BrokenProcessPool:
        return [_alone(item, links) for item in chunk]


def _alone(item: Item, links: str) -> Result:
    with _pool(1) as pool:
        try:
            return pool.submit(split_one, item, links).result()
        except BrokenProcessPool:
            url = item.hit.url if isinstance(item, RawPage) else str(item.get("url") or "")
            return Failure(url=url, stage="split", reason="the process that split it died")


def _split_chunk(chunk: list[Item], links: str) -> list[Result]:
    return [split_one(item, links) for item in chunk]


def _chunks(head: list[Item], source: Iterator[Item]) -> Iterator[list[Item]]:
    for start in range(0, len(head), CHUNK):
        yield head[start : start + CHUNK]
    while chunk := list(islice(source, CHUNK)):
        yield chunk


def _pool(workers: int) -> ProcessPoolExecutor:
    """Forked where it is safe and known, as that starts at once; otherwise fresh interpreters."""
    safe = threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if safe else "spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=die_quietly)
