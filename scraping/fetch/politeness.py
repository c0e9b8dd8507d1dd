"""Politeness: robots.txt, a rate limit per host, retries with back-off."""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from itertools import groupby
from typing import Any, Unpack
from urllib.parse import urlsplit

from protego import Protego

from reducepp.errors import FetchError, SandboxError
from reducepp.scraping.fetch.guard import TransientError
from reducepp.scraping.fetch.http import Fetcher, FetchOptions, FetchResponse
from reducepp.text.urls import host_of

AGENT_LINE = re.compile(r"user[ -]?agent\s*[: ]\s*(.+)", re.IGNORECASE)
OTHER_AGENT = "User-agent: some-other-agent"
CACHED_FILES = 128
"""Parsed files that a worker keeps; a run fetches from few hosts at a time."""


def check_robots(text: str, url: str, agents: tuple[str, ...]) -> tuple[bool, float]:
    """Whether every one of the user agents may fetch `url`, and the Crawl-delay of the first."""
    rules = _parse(text, agents)
    allowed = all(rules.can_fetch(url, agent) for agent in agents)
    return allowed, float(rules.crawl_delay(agents[0]) or 0.0)


@lru_cache(maxsize=CACHED_FILES)
def _parse(text: str, agents: tuple[str, ...]) -> Any:
    """The rules of a file in which the user agents that are not ours have become one.

    Protego stores every rule of a group once per agent of the group, which takes gigabytes for
    5,000 agents with 5,000 rules.
    """
    ours = " ".join(agents).lower()
    lines = []
    for line in filter(None, (line.partition("#")[0].strip() for line in text.splitlines())):
        named = AGENT_LINE.match(line)
        is_other = named is not None and named[1].strip().lower().replace("*", "") not in ours
        lines.append(OTHER_AGENT if is_other else line)
    return Protego.parse("\n".join(line for line, _ in groupby(lines)))


Parse = Callable[..., Awaitable[Any]]

ROBOTS_NAME = "reducepp"
"""User agent whose rules in robots.txt apply."""
RETRY_STATUSES = frozenset({429, 500, 502, 503, 504})
MAX_KNOWN_SITES = 1_000
"""Sites whose robots.txt is kept: half a gigabyte at most, and several times the pages that wait to
be fetched."""
MAX_ROBOTS_BYTES = 512_000
"""Bytes of a robots.txt that are read; RFC 9309 demands at least 500 KiB."""


def user_agent(version: str, contact: str = "") -> str:
    """An honest User-Agent, with where to complain if a contact is given."""
    more = f"; {contact}" if contact else ""
    return f"{ROBOTS_NAME}/{version} (search result de-duplication{more})"


class HostRateLimiter:
    """One request at a time per host, with `delay` seconds between two.

    User, port and a trailing dot of a URL do not count.
    """

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._not_before: defaultdict[str, float] = defaultdict(float)

    @asynccontextmanager
    async def slot(self, url: str, delay: float = 0.0) -> AsyncIterator[None]:
        """Wait until the host may be requested; it is locked until the block is left."""
        host = host_of(url).rstrip(".")
        async with self._locks[host]:
            await asyncio.sleep(max(0.0, self._not_before[host] - time.monotonic()))
            try:
                yield
            finally:
                self.postpone(url, max(self.delay, delay))

    def postpone(self, url: str, seconds: float) -> None:
        """No request to a host for so long: it demanded that, or it is failing."""
        host = host_of(url).rstrip(".")
        self._not_before[host] = max(self._not_before[host], time.monotonic() + seconds)


class PoliteFetcher:
    """Fetches with retries, rate limit and robots.txt, at most `jobs` requests at once."""

    def __init__(
        self,
        fetcher: Fetcher,
        *,
        delay: float = 1.0,
        jobs: int = 8,
        obey_robots: bool = True,
        parse: Parse = asyncio.to_thread,
    ) -> None:
        """`parse` runs a function on untrusted input, such as `WorkerPool.run`."""
        self.fetcher = fetcher
        self.parse = parse
        self.rate_limiter = HostRateLimiter(delay)
        self._slots = asyncio.Semaphore(jobs)
        self._obey = obey_robots
        self._robots: dict[str, asyncio.Task[str]] = {}

    async def get(
        self, url: str, *, robots: bool = True, **options: Unpack[FetchOptions]
    ) -> FetchResponse:
        """The response for `url`, with retries; each redirect waits for its host's rate limit."""
        limits = self.fetcher.limits
        left, pause = limits.retries, limits.backoff
        while True:
            wait, pause = pause, 2 * pause
            try:
                answer = await self._attempt(url, robots, options)
            except TransientError:
                if left <= 0:
                    raise
            else:
                if answer.status not in RETRY_STATUSES or left <= 0:
                    return answer
                wait = max(wait, retry_after_seconds(answer.retry_after))
                self.rate_limiter.postpone(answer.url, min(wait, limits.max_wait))
            self.rate_limiter.postpone(url, min(wait, limits.max_wait))
            left -= 1

    async def check_robots(self, url: str) -> float:
        """The site's Crawl-delay in seconds; FetchError where robots.txt disallows `url`."""
        if not self._obey:
            return 0.0
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"
        if origin not in self._robots:
            self._robots[origin] = task = asyncio.create_task(self._load_robots(origin))
            # Whoever waits may be cancelled first; an error that nobody takes would be printed.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            if len(self._robots) > MAX_KNOWN_SITES:
                del self._robots[next(iter(self._robots))]
        text = await asyncio.shield(self._robots[origin])
        agents = (ROBOTS_NAME, self.fetcher.user_agent)
        try:
            allowed, delay = await self.parse(check_robots, text, url, agents)
        except SandboxError as error:
            raise FetchError(f"robots.txt cannot be read: it {error}") from None
        if not allowed:
            raise FetchError("robots.txt forbids it")
        limits = self.fetcher.limits
        return min(float(delay), limits.max_wait, limits.timeout)

    async def _attempt(self, url: str, robots: bool, options: FetchOptions) -> FetchResponse:
        """One attempt; a host stays locked until the next redirect or the end."""
        async with AsyncExitStack() as held:

            async def before_hop(hop: str) -> None:
                await held.aclose()
                delay = await self.check_robots(hop) if robots else 0.0
                # The host first: waiting for a slow host must not occupy one of the `jobs` slots.
                await held.enter_async_context(self.rate_limiter.slot(hop, delay))
                await held.enter_async_context(self._slots)

            return await self.fetcher.get(url, before_hop, **options)

    async def _load_robots(self, origin: str) -> str:
        """A site's rules by RFC 9309: 4xx allows everything, 5xx and 429 disallow everything."""
        try:
            answer = await self.get(f"{origin}/robots.txt", robots=False, cut=MAX_ROBOTS_BYTES)
        except TransientError as error:
            raise FetchError(str(error)) from None
        except FetchError:
            return ""
        if answer.status in RETRY_STATUSES or answer.status >= 500:
            raise FetchError(f"robots.txt unreachable: status {answer.status}")
        return answer.body.decode("utf-8-sig", "replace") if answer.status < 400 else ""


def retry_after_seconds(value: str) -> float:
    """Seconds that a Retry-After header demands, in either of its forms; 0 for none."""
    if value.strip().isdecimal():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
