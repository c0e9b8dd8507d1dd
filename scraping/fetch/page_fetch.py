"""Fetches the page of a hit: plain HTTP first, then the browser where the page needs one."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from reducepp.errors import FetchError, ReduceppError, SandboxError
from reducepp.io.sqlite_file import now
from reducepp.parallel import Pool
from reducepp.scraping.decode.charset import decode
from reducepp.scraping.extract.images import image_addresses
from reducepp.scraping.fetch import rendering_rules as rules
from reducepp.scraping.fetch.browser import Browser, Rendered
from reducepp.scraping.fetch.guard import AddressGuard
from reducepp.scraping.fetch.politeness import PoliteFetcher
from reducepp.types import Failure, RawPage, SearchHit

Render = Literal["auto", "always", "never"]

Result = TypeVar("Result")

MAX_REFRESHES = 3
"""Meta refreshes followed without a browser: longer chains are traps."""
NO_BROWSER = "no browser: Chromium and chromedriver are not installed"


class BrowserPool(Pool[Browser]):
    """Browsers, each in a thread of its own."""

    def __init__(self, browsers: list[Browser]) -> None:
        super().__init__(browsers)
        self.why_not = "" if browsers else NO_BROWSER
        """Why pages cannot be rendered; empty where they can."""

    async def start(self) -> str:
        """Start one browser; where that fails, continue without one and return why."""
        try:
            if not self.why_not:
                await asyncio.wrap_future(self.submit(Browser.start))
        except ReduceppError as error:
            self.why_not = f"no browser: {error}"
            return str(error)
        return ""

    async def render(self, url: str, guard: AddressGuard) -> Rendered:
        """The rendered page, as soon as a browser is free."""
        return await asyncio.wrap_future(self.submit(lambda browser: browser.render(url, guard)))


def image_urls(raw: RawPage) -> tuple[str, ...]:
    """URLs of a page's content images; none for what is not markup."""
    if not raw.rendered and not rules.is_markup(raw.fetched, raw.content_type):
        return ()
    html = raw.rendered or decode(raw.fetched, raw.content_type)
    return tuple(image_addresses(html, raw.final_url or raw.hit.url))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFetcher:
    """Fetches pages politely; `render` says when the browser is used."""

    polite: PoliteFetcher
    renderer: BrowserPool
    render: Render = "auto"
    images: bool = False
    """Whether the content images of a page are fetched with it."""

    async def fetch(self, hit: SearchHit) -> tuple[RawPage, tuple[Failure, ...]]:
        """Both bodies of a hit's page, and its images where wanted; FetchError without a body.

        A rendering that fails costs no page: the fetched body stays, and a Failure says why.
        """
        raw, failures = await self._bodies(hit)
        return (replace(raw, images=await self._images(raw)) if self.images else raw), failures

    async def _images(self, raw: RawPage) -> tuple[bytes, ...]:
        """Bytes of the page's content images; one that cannot be had is left out."""
        found = []
        for address in await self._parsed(image_urls, raw) or ():
            try:
                answer = await self.polite.get(address, accepts=rules.is_image_type)
            except FetchError:
                continue
            if answer.status < 400 and answer.body:
                found.append(answer.body)
        return tuple(found)

    async def _bodies(self, hit: SearchHit) -> tuple[RawPage, tuple[Failure, ...]]:
        raw = await self._fetch(hit, hit.url)
        why = await self._why_render(raw)
        if not why:
            return raw, ()
        try:
            if self.renderer.why_not:
                raw = await self._follow_refreshes(raw) if why == rules.META_REFRESH else raw
                if not await self._why_render(raw):
                    return raw, ()
                raise FetchError(self.renderer.why_not)
            rendered = await self._render(raw.final_url)
        except FetchError as error:
            return raw, (Failure(url=hit.url, stage="render", reason=str(error)),)
        return replace(raw, final_url=rendered.url, rendered=rendered.html), ()

    async def _why_render(self, raw: RawPage) -> str:
        if self.render == "never":
            return ""
        if self.render == "always":
            return "always" if rules.is_markup(raw.fetched, raw.content_type) else ""
        return await self._parsed(rules.why_render, raw.fetched, raw.content_type) or ""

    async def _parsed(self, function: Callable[..., Result], *arguments: Any) -> Result | None:
        """What `function` finds in untrusted input; None where that takes too much."""
        try:
            found: Result = await self.polite.parse(function, *arguments)
        except SandboxError:
            return None
        return found

    async def _fetch(self, hit: SearchHit, url: str) -> RawPage:
        answer = await self.polite.get(url, accepts=rules.is_page_type)
        if answer.status >= 300:  # a redirect that leads nowhere, too
            raise FetchError(f"status {answer.status}")
        if not answer.body.strip():
            raise FetchError(f"empty body: status {answer.status}")
        return RawPage(
            hit=hit,
            final_url=answer.url,
            status=answer.status,
            content_type=answer.content_type,
            fetched=answer.body,
            fetched_at=now(),
        )

    async def _render(self, url: str) -> Rendered:
        delay = await self.polite.check_robots(url)
        async with self.polite.rate_limiter.slot(url, delay):
            rendered = await self.renderer.render(url, self.polite.fetcher.guard)
        if rendered.url != url:
            await self.polite.check_robots(rendered.url)
        return rendered

    async def _follow_refreshes(self, raw: RawPage) -> RawPage:
        """The page that meta refreshes lead to, without a browser."""
        for _ in range(MAX_REFRESHES):
            target = await self._parsed(rules.meta_refresh, raw.fetched, raw.final_url)
            if not target:
                break
            raw = await self._fetch(raw.hit, target)
        return raw
