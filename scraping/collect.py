"""Queries in, stored pages out: search, fetch, render, split, store; to be resumed at any time."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from reducepp.errors import BlockedError, FetchError, ParseError, ReduceppError, UsageError
from reducepp.scraping.clock import now
from reducepp.scraping.fetch.browser import Browser
from reducepp.scraping.fetch.chromium import Programs
from reducepp.scraping.fetch.guard import AddressGuard
from reducepp.scraping.fetch.http import Fetcher, FetchLimits
from reducepp.scraping.fetch.page_fetch import BrowserPool, PageFetcher, Render
from reducepp.scraping.fetch.politeness import PoliteFetcher
from reducepp.scraping.progress import Progress
from reducepp.scraping.query_search import ConfiguredEngine, search, search_failure
from reducepp.scraping.store.store import Query, Store
from reducepp.types import Failure, Page, RawPage, SearchHit

AHEAD = 200
"""Pages waiting to be fetched beyond which no further query is searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to collect, and how."""

    queries: tuple[Query, ...]
    engines: tuple[ConfiguredEngine, ...]
    user_agent: str
    results: int = 100
    render: Render = "auto"
    images: bool = False
    programs: Programs | None = None
    """The browser; None goes without."""
    browsers: int = 1
    guard: AddressGuard = field(default_factory=AddressGuard)
    limits: FetchLimits = field(default_factory=FetchLimits)
    delay: float = 1.0
    jobs: int = 8
    obey_robots: bool = True
    retry_failures: bool = False


def collect(plan: Plan, store: Store, progress: Progress) -> tuple[str, ...]:
    """Bring a store up to the plan; what it holds already is not asked for again.

    Returns a line for each engine that gave up on us; its other queries wait for the next run.
    """
    with _alone(store.path):
        with store.transaction():
            for query in plan.queries:
                store.add_query(query)
            if plan.retry_failures:
                store.clear_failures()
        try:
            return asyncio.run(_Run(plan, store, progress).run())
        except ExceptionGroup as group:  # of the pages under way, all for the same reason
            ours = group.subgroup(ReduceppError)
            raise _first(ours) if ours is not None else group from None


class _Run:
    def __init__(self, plan: Plan, store: Store, progress: Progress) -> None:
        self._plan = plan
        self._store = store
        self._progress = progress
        self._claimed: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._gave_up: dict[str, str] = {}

    async def run(self) -> tuple[str, ...]:
        plan = self._plan
        fetcher = Fetcher(plan.guard, plan.limits, user_agent=plan.user_agent)
        async with fetcher, BrowserPool(self._browsers()) as renderer:
            if why := await renderer.start():
                if plan.render == "always":
                    raise ReduceppError(why)
                self._progress.note(f"{why}; pages are kept as fetched")
            polite = PoliteFetcher(
                fetcher, delay=plan.delay, jobs=plan.jobs, obey_robots=plan.obey_robots
            )
            page_fetcher = PageFetcher(
                polite=polite, renderer=renderer, render=plan.render, images=plan.images
            )
            async with asyncio.TaskGroup() as group:
                for query in plan.queries:
                    await self._search(page_fetcher, query)
                    self._start_pages(group, page_fetcher, query)
                    while len(self._tasks) > AHEAD:
                        await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        return tuple(self._gave_up.values())

    def _browsers(self) -> list[Browser]:
        plan = self._plan
        if plan.programs is None or plan.render == "never":
            return []
        return [
            Browser(
                plan.programs,
                plan.guard,
                user_agent=plan.user_agent,
                timeout=plan.limits.timeout,
                max_bytes=plan.limits.max_bytes,
            )
            for _ in range(plan.browsers)
        ]

    async def _search(self, page_fetcher: PageFetcher, query: Query) -> None:
        for use in self._plan.engines:
            if use.engine.name in self._gave_up:
                continue
            try:
                await search(self._store, page_fetcher, query, use, results=self._plan.results)
            except (FetchError, ParseError) as error:
                with self._store.transaction():
                    self._store.add_failure(search_failure(query, use, error), now())
                self._progress.note(f"{query.query}: {error}")
                if isinstance(error, BlockedError):
                    self._gave_up[use.engine.name] = str(error)

    def _start_pages(
        self, group: asyncio.TaskGroup, page_fetcher: PageFetcher, query: Query
    ) -> None:
        hits = self._store.hits(query.query, first=self._plan.results)
        todo = [
            hit for hit in hits if hit.url not in self._claimed and not self._store.is_done(hit.url)
        ]
        self._claimed.update(hit.url for hit in todo)
        self._progress.found(query.query, total=len(hits), before=len(hits) - len(todo))
        for hit in todo:
            task = group.create_task(self._page(page_fetcher, hit))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _page(self, page_fetcher: PageFetcher, hit: SearchHit) -> None:
        """Fetch, split and store one page in one step; whatever fails is stored as well."""
        try:
            raw, notes = await page_fetcher.fetch(hit)
        except Exception as error:  # one page, whatever it does, must not cost the others
            failure = Failure(url=hit.url, stage="fetch", reason=_reason(error))
            with self._store.transaction():
                self._store.add_failure(failure, now())
            self._progress.page_done(hit.query, failure.reason)
            return
        page = await asyncio.to_thread(_split, raw)
        with self._store.transaction():
            self._store.add_raw(hit.url, raw)
            for note in notes:
                self._store.add_failure(note, now())
            if isinstance(page, Page):
                self._store.add_page(hit.url, page)
            else:
                self._store.add_failure(page, now())
        self._progress.page_done(hit.query, page.reason if isinstance(page, Failure) else "")


def _first(group: BaseExceptionGroup[Exception]) -> Exception:
    found = group.exceptions[0]
    return _first(found) if isinstance(found, BaseExceptionGroup) else found


def _split(raw: RawPage) -> Page | Failure:
    from reducepp.scraping.extract.split import split_page

    try:
        return split_page(raw)
    except Exception as error:  # see above
        return Failure(url=raw.hit.url, stage="split", reason=_reason(error))


def _reason(error: Exception) -> str:
    if isinstance(error, ReduceppError):
        return str(error)
    return f"internal error: {type(error).__name__} {error}"[:300]


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep a second run off the same store; the lock goes with the process, however it ends."""
    lock = path.with_name(path.name + ".lock")
    with lock.open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(stream.fileno()).st_ino != lock.stat().st_ino:
                raise OSError("the lock's file was just removed")
        except OSError:
            raise UsageError(f"{path}: another run is collecting into it") from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)
