"""Queries in, stored pages out: search, fetch, render, split, store; resumable at any time."""

import asyncio
import fcntl
import os
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from reducepp.errors import (
    BlockedError,
    FetchError,
    ParseError,
    ReduceppError,
    SandboxError,
    UsageError,
    errors_as,
)
from reducepp.parallel import cores
from reducepp.sandbox import WorkerPool, idle_workers
from reducepp.scraping.extract.split_many import split_failure, split_one, splitter_version
from reducepp.scraping.fetch.browser import Browser
from reducepp.scraping.fetch.chromium import Programs
from reducepp.scraping.fetch.guard import AddressGuard
from reducepp.scraping.fetch.http import Fetcher, FetchLimits
from reducepp.scraping.fetch.page_fetch import BrowserPool, PageFetcher, Render
from reducepp.scraping.fetch.politeness import PoliteFetcher
from reducepp.scraping.progress import Progress
from reducepp.scraping.query_search import search, search_failure
from reducepp.scraping.search import Engine
from reducepp.scraping.store.dataset import split_stored
from reducepp.scraping.store.store import Query, Store
from reducepp.types import Failure, SearchHit

MAX_WAITING_PAGES = 200
"""Pages waiting to be fetched beyond which no further query is searched, so that memory is bounded
and the first pages of a long run are stored early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to collect, and how."""

    queries: tuple[Query, ...]
    engines: tuple[Engine, ...]
    """Each with the address and the key of this run."""
    user_agent: str
    results: int = 100
    render: Render = "auto"
    images: bool = False
    programs: Programs | None = None
    """The browser; None for a run without one."""
    browsers: int = 1
    guard: AddressGuard = field(default_factory=AddressGuard)
    """Addresses that result pages may be fetched from."""
    search_guard: AddressGuard | None = None
    """Addresses of search services; None for the same as of pages."""
    limits: FetchLimits = field(default_factory=FetchLimits)
    delay: float = 1.0
    jobs: int = 8
    obey_robots: bool = True
    retry_failures: bool = False


def collect(plan: Plan, store: Store, progress: Progress) -> tuple[str, ...]:
    """Bring a store up to the plan; what it holds already is not fetched again.

    Returns a line for each engine that blocked us; its other queries wait for the next run.
    """
    with _lock(store.path):
        with store.transaction():
            for query in plan.queries:
                store.add_query(query)
            if plan.retry_failures:
                store.clear_empty_searches()
        split_stored(store, retry_failures=plan.retry_failures)
        try:
            return asyncio.run(_Run(plan, store, progress).run())
        except ExceptionGroup as group:  # of the pages under way, all for the same reason
            ours = group.subgroup(ReduceppError)
            raise ours.exceptions[0] if ours is not None else group from None


class _Run:
    def __init__(self, plan: Plan, store: Store, progress: Progress) -> None:
        self._plan = plan
        self._store = store
        self._progress = progress
        self._claimed: set[str] = set()
        self._retried = (
            store.failed_urls("fetch", "render") if plan.retry_failures else frozenset[str]()
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._blocked: dict[str, str] = {}
        self._workers = WorkerPool(idle_workers(cores()))

    async def run(self) -> tuple[str, ...]:
        plan = self._plan
        async with AsyncExitStack() as stack:
            stack.enter_context(self._workers)
            browsers = stack.enter_context(BrowserPool(self._browsers()))
            if why := await browsers.start():
                if plan.render == "always":
                    raise ReduceppError(why)
                self._progress.note(f"{why}; pages are kept as fetched")
            pages = await self._fetcher(stack, browsers, plan.guard)
            engines = await self._fetcher(stack, browsers, plan.search_guard or plan.guard)
            async with asyncio.TaskGroup() as group:
                for query in plan.queries:
                    await self._search(engines, query)
                    self._start_pages(group, pages, query)
                    while len(self._tasks) > MAX_WAITING_PAGES:
                        await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            self._workers.give_back()
        return tuple(self._blocked.values())

    async def _fetcher(
        self, stack: AsyncExitStack, browsers: BrowserPool, guard: AddressGuard
    ) -> PageFetcher:
        plan = self._plan
        fetcher = Fetcher(guard, plan.limits, user_agent=plan.user_agent)
        await stack.enter_async_context(fetcher)
        polite = PoliteFetcher(
            fetcher,
            delay=plan.delay,
            jobs=plan.jobs,
            obey_robots=plan.obey_robots,
            parse=self._workers.run,
        )
        return PageFetcher(polite=polite, renderer=browsers, render=plan.render, images=plan.images)

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

    async def _search(self, fetcher: PageFetcher, query: Query) -> None:
        for engine in self._plan.engines:
            if engine.name in self._blocked:
                continue
            try:
                await search(self._store, fetcher, query, engine, results=self._plan.results)
            except (FetchError, ParseError) as error:
                with self._store.transaction():
                    self._store.add_failure(search_failure(query, engine, error))
                self._progress.note(f"{query.query}: {error}")
                if isinstance(error, BlockedError):
                    self._blocked[engine.name] = str(error)

    def _start_pages(self, group: asyncio.TaskGroup, fetcher: PageFetcher, query: Query) -> None:
        hits = self._store.hits(query.query, first=self._plan.results)
        todo = [
            hit
            for hit in hits
            if hit.url not in self._claimed
            and (hit.url in self._retried or not self._store.is_done(hit.url))
        ]
        self._claimed.update(hit.url for hit in todo)
        self._progress.found(query.query, total=len(hits), before=len(hits) - len(todo))
        for hit in todo:
            task = group.create_task(self._page(fetcher, hit))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _page(self, fetcher: PageFetcher, hit: SearchHit) -> None:
        """Fetch, split and store one page; whatever fails is stored as well."""
        try:
            raw, notes = await fetcher.fetch(hit)
        except Exception as error:  # one page, whatever it does, must not cost the others
            self._store_fetch_failure(hit, error)
            return
        with self._store.transaction():
            self._store.add_raw(hit.url, raw)
            self._store.clear_failures(hit.url, "fetch", "render")
            for note in notes:
                self._store.add_failure(note)
            self._store.begin_split(hit.url)
        try:
            result = await self._workers.run(split_one, raw)
        except SandboxError as error:
            result = split_failure(raw, str(error))
        with self._store.transaction():
            self._store.add_split(hit.url, result, splitter=splitter_version())
        self._progress.page_done(hit.query, result.reason if isinstance(result, Failure) else "")

    def _store_fetch_failure(self, hit: SearchHit, error: Exception) -> None:
        """Record that a URL could not be fetched; a page that is stored already stays.

        It stays with its failure to be rendered, so that it can be tried again.
        """
        internal = f"internal error: {type(error).__name__} {error}"[:300]
        reason = str(error) if isinstance(error, ReduceppError) else internal
        fetched = self._store.rows("SELECT 1 FROM raw WHERE url = ?", hit.url)
        stage = "render" if fetched else "fetch"
        with self._store.transaction():
            self._store.add_failure(Failure(url=hit.url, stage=stage, reason=reason))
        self._progress.page_done(hit.query, reason)


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Keep a second run off the same store; the lock ends with the process, however it ends."""
    lock = path.with_name(path.name + ".lock")
    with errors_as(UsageError, f"{lock}: cannot be locked", OSError):
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    with os.fdopen(descriptor):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(descriptor).st_ino != os.lstat(lock).st_ino:
                raise OSError("the lock file was just removed")
        except OSError:
            raise UsageError(f"{path}: another run is collecting into it") from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)
