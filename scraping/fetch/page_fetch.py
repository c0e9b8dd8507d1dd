"""Fetches the page of a hit: plain HTTP first, then the browser where the page needs one."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal

from reducepp.errors import FetchError, ReduceppError
from reducepp.scraping.clock import now
from reducepp.scraping.decode.charset import decode
from reducepp.scraping.extract.images import image_addresses
from reducepp.scraping.fetch.browser import Browser, Rendered
from reducepp.scraping.fetch.http import FetchResponse
from reducepp.scraping.fetch.politeness import PoliteFetcher
from reducepp.scraping.fetch.rendering_rules import (
    is_image_type,
    is_markup,
    is_page_type,
    meta_refresh,
    why_render,
)
from reducepp.types import Failure, RawPage, SearchHit

Render = Literal["auto", "always", "never"]
RENDER: tuple[Render, ...] = ("auto", "always", "never")

MAX_REFRESHES = 3


class BrowserPool:
    """Browsers, each in a thread of its own; use as ``async with BrowserPool(...)``."""

    def __init__(self, browsers: list[Browser]) -> None:
        self._all = browsers
        self._usable = True
        self._free: asyncio.Queue[Browser] = asyncio.Queue()
        self._threads = ThreadPoolExecutor(max(1, len(browsers)), thread_name_prefix="browser")

    async def __aenter__(self) -> BrowserPool:
        for browser in self._all:
            browser.__enter__()
            self._free.put_nowait(browser)
        return self

    async def start(self) -> str:
        """Start one browser; where that fails go on without, and return why."""
        if self._all:
            try:
                await asyncio.get_running_loop().run_in_executor(self._threads, self._all[0].start)
            except ReduceppError as error:
                self._usable = False
                return str(error)
        return ""

    async def __aexit__(self, *_: object) -> None:
        for browser in self._all:
            browser.abort()
        await asyncio.to_thread(self._threads.shutdown)
        for browser in self._all:
            browser.__exit__()

    @property
    def is_available(self) -> bool:
        """Whether there is a browser that starts."""
        return self._usable and bool(self._all)

    async def render(self, url: str) -> Rendered:
        """The page as a browser shows it, as soon as one is free."""
        browser = await self._free.get()
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, browser.render, url)
        finally:
            self._free.put_nowait(browser)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFetcher:
    """Fetches pages politely; `render` says when the browser is used."""

    polite: PoliteFetcher
    renderer: BrowserPool
    render: Render = "auto"
    images: bool = False
    """Whether the content images of a page are fetched with it."""

    async def fetch(self, hit: SearchHit) -> tuple[RawPage, tuple[Failure, ...]]:
        """Both bodies of a hit's page, and its images where asked; FetchError without a body.

        A rendering that fails costs no page: the fetched body stays, and a Failure says why.
        """
        raw, failures = await self._bodies(hit)
        return (replace(raw, images=await self._images(raw)) if self.images else raw), failures

    async def _images(self, raw: RawPage) -> tuple[bytes, ...]:
        """Bytes of the page's content images; one that cannot be had is left out."""
        if not raw.rendered and not is_markup(raw.fetched, raw.content_type):
            return ()
        html = raw.rendered or decode(raw.fetched, raw.content_type)
        found = []
        for address in image_addresses(html, raw.final_url or raw.hit.url):
            try:
                answer = await self.polite.get(address, accepts=is_image_type)
            except FetchError:
                continue
            if answer.status < 400 and answer.body:
                found.append(answer.body)
        return tuple(found)

    async def _bodies(self, hit: SearchHit) -> tuple[RawPage, tuple[Failure, ...]]:
        answer = await self._fetch(hit.url)
        raw = RawPage(
            hit=hit,
            final_url=answer.url,
            status=answer.status,
            content_type=answer.content_type,
            fetched=answer.body,
            fetched_at=now(),
        )
        why = self._why_render(answer)
        if not why:
            return raw, ()
        if not self.renderer.is_available:
            return await self._without_browser(raw, why), ()
        try:
            rendered = await self._render(answer.url)
        except FetchError as error:
            return raw, (Failure(url=hit.url, stage="render", reason=str(error)),)
        return replace(raw, final_url=rendered.url, rendered=rendered.html), ()

    def _why_render(self, answer: FetchResponse) -> str:
        if self.render == "never":
            return ""
        if self.render == "always":
            return "always" if is_markup(answer.body, answer.content_type) else ""
        return why_render(answer.body, answer.content_type)

    async def _fetch(self, url: str) -> FetchResponse:
        answer = await self.polite.get(url, accepts=is_page_type)
        if answer.status >= 400:
            raise FetchError(f"status {answer.status}")
        if not answer.body.strip():
            raise FetchError(f"empty body: status {answer.status}")
        return answer

    async def _render(self, url: str) -> Rendered:
        delay = await self.polite.check_robots(url)
        async with self.polite.rate_limiter.slot(url, delay):
            rendered = await self.renderer.render(url)
        if rendered.url != url:
            await self.polite.check_robots(rendered.url)
        return rendered

    async def _without_browser(self, raw: RawPage, why: str) -> RawPage:
        """What plain HTTP can still do: follow a refresh by hand."""
        for _ in range(MAX_REFRESHES if why == "meta refresh" else 0):
            target = meta_refresh(raw.fetched, raw.final_url)
            if not target:
                break
            answer = await self._fetch(target)
            raw = replace(
                raw,
                final_url=answer.url,
                status=answer.status,
                content_type=answer.content_type,
                fetched=answer.body,
            )
        return raw
