"""Manners: robots.txt, a pause between two requests to a host, and patience with a busy one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from reducepp.errors import FetchError
from reducepp.scraping.fetch.guard import TransientError
from reducepp.scraping.fetch.http import Answer, Fetcher

ROBOT = "reducepp"
"""The name that robots.txt files know us by."""

RETRIED = frozenset({429, 500, 502, 503, 504})
ROBOTS_BYTES = 512_000
"""How much of a robots.txt is read; RFC 9309 asks for 500 KiB."""


def user_agent(version: str, contact: str = "") -> str:
    """An honest User-Agent, with where to complain if a contact is given."""
    return f"{ROBOT}/{version} (search result de-duplication{'; ' + contact if contact else ''})"


@dataclass
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    not_before: float = 0.0


class Turns:
    """Who may ask which host when: one request at a time, `delay` seconds between two."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, url: str, delay: float = 0.0) -> AsyncIterator[None]:
        """Wait for this host's turn; nobody else asks it until the block is left."""
        host = self._host(url)
        async with host.lock:
            await asyncio.sleep(max(0.0, host.not_before - time.monotonic()))
            try:
                yield
            finally:
                pause = max(self.delay, delay)
                host.not_before = max(host.not_before, time.monotonic() + pause)

    def postpone(self, url: str, seconds: float) -> None:
        """Leave a host alone for a while: it said so, or it is failing."""
        host = self._host(url)
        host.not_before = max(host.not_before, time.monotonic() + seconds)

    def _host(self, url: str) -> _Host:
        """One host however it is written: no login, no port, no dot at its end."""
        name = (urlsplit(url).hostname or "").rstrip(".")
        return self._hosts.setdefault(name, _Host())


class PoliteFetcher:
    """Fetches with manners, at most `jobs` requests at once; `obey_robots` off is for own sites."""

    def __init__(
        self, fetcher: Fetcher, *, delay: float = 1.0, jobs: int = 8, obey_robots: bool = True
    ) -> None:
        self.fetcher = fetcher
        self.turns = Turns(delay)
        self._slots = asyncio.Semaphore(jobs)
        self._obey = obey_robots
        self._robots: dict[str, asyncio.Task[Any]] = {}

    async def get(
        self,
        url: str,
        *,
        robots: bool = True,
        accepts: Callable[[str], bool] | None = None,
        headers: dict[str, str] | None = None,
        cut: int = 0,
    ) -> Answer:
        """The answer for `url`, asked again where that may help; each hop waits its turn."""
        limits = self.fetcher.limits
        answer: Answer | None = None
        for attempt in range(limits.retries + 1):
            last = attempt == limits.retries
            wait = limits.back_off * 2**attempt
            try:
                answer = await self._attempt(url, robots, accepts, headers, cut)
            except TransientError:
                if last:
                    raise
            else:
                if answer.status not in RETRIED or last:
                    return answer
                wait = max(wait, retry_after_seconds(answer.retry_after))
                self.turns.postpone(answer.url, min(wait, limits.longest_wait))
            self.turns.postpone(url, min(wait, limits.longest_wait))
        raise FetchError("no attempt was allowed: retries must be 0 or more")

    async def check_robots(self, url: str) -> float:
        """Seconds the site wants between requests; FetchError where it forbids `url`."""
        if not self._obey:
            return 0.0
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"
        if origin not in self._robots:
            self._robots[origin] = asyncio.create_task(self._load_robots(origin))
        rules = await asyncio.shield(self._robots[origin])
        if not all(rules.can_fetch(url, name) for name in (ROBOT, self.fetcher.user_agent)):
            raise FetchError("robots.txt forbids it")
        wanted = float(rules.crawl_delay(ROBOT) or 0.0)
        return min(wanted, self.fetcher.limits.longest_wait)

    async def _attempt(
        self,
        url: str,
        robots: bool,
        accepts: Callable[[str], bool] | None,
        headers: dict[str, str] | None,
        cut: int,
    ) -> Answer:
        """One attempt; the turn taken for a hop is held until the next hop or the end."""
        held: list[Any] = []

        async def before_hop(hop: str) -> None:
            await _leave(held)
            delay = await self.check_robots(hop) if robots else 0.0
            # The host's turn first: who waits for a host takes no place from other hosts.
            for wait in (self.turns.turn(hop, delay), self._slots):
                await wait.__aenter__()
                held.append(wait)

        try:
            return await self.fetcher.get(
                url, before_hop, accepts=accepts, headers=headers, cut=cut
            )
        finally:
            await _leave(held)

    async def _load_robots(self, origin: str) -> Any:
        """A site's rules: none where it has no file, everything forbidden where it is failing.

        As RFC 9309 says: 4xx allows all, 5xx allows nothing, and so does 429, which passes.
        """
        from protego import Protego

        try:
            answer = await self.get(f"{origin}/robots.txt", robots=False, cut=ROBOTS_BYTES)
        except TransientError as error:
            raise FetchError(str(error)) from None
        except FetchError:
            return Protego.parse("")
        if answer.status in RETRIED or answer.status >= 500:
            raise FetchError(f"robots.txt unreachable: status {answer.status}")
        text = answer.body.decode("utf-8-sig", "replace") if answer.status < 400 else ""
        return Protego.parse(text)


async def _leave(held: list[Any]) -> None:
    while held:
        await held.pop().__aexit__(None, None, None)


def retry_after_seconds(value: str) -> float:
    """Seconds that a Retry-After header asks for, in either of its forms; 0 for none."""
    if value.strip().isdecimal():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
