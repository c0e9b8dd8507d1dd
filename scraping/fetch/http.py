"""Fetches one URL over HTTP: every redirect guarded, bounded in size and time.

Redirects are followed here, so that each target is checked first. The connection is made to the
address that the guard checked, while the host name stays in TLS and in the headers.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack
from urllib.parse import urldefrag, urljoin

import httpcore
import httpx

from reducepp.errors import FetchError, errors_as, first_line
from reducepp.scraping.decode.content_encoding import ACCEPTED, decode_body
from reducepp.scraping.fetch.guard import AddressGuard, TransientError

BeforeHop = Callable[[str], Awaitable[None]]
_Sent = tuple[httpx.Response, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits:
    """How much time and data one URL may take."""

    timeout: float = 20.0
    """Seconds for one attempt, with redirects and body; for the browser, seconds for one page."""
    max_bytes: int = 8_000_000
    """Size of a body, before and after decompression."""
    redirects: int = 10
    retries: int = 2
    """Further attempts after 429, 5xx, timeouts and broken connections."""
    backoff: float = 1.0
    """Seconds before the first retry; doubled for each further one."""
    max_wait: float = 60.0
    """Longest Retry-After or Crawl-delay that is obeyed, in seconds; a Crawl-delay also no longer
    than `timeout`."""


class FetchOptions(TypedDict, total=False):
    """Options of one request."""

    accepts: Callable[[str], bool]
    """Decides from the Content-Type whether the body is read."""
    headers: dict[str, str]
    """Keys of services among them: no other host and port gets them by a redirect."""
    cut: int
    """A larger body is truncated to so many bytes instead of refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchResponse:
    """The response at the end of the redirects, whatever its status."""

    url: str
    status: int
    content_type: str
    body: bytes
    retry_after: str = ""


class Fetcher(AbstractAsyncContextManager["Fetcher"]):
    """Fetches URLs without retries; use as ``async with Fetcher(...) as fetcher``."""

    def __init__(self, guard: AddressGuard, limits: FetchLimits, *, user_agent: str) -> None:
        self.guard = guard
        self.limits = limits
        self.user_agent = user_agent
        self._transport = _GuardedTransport(guard)
        self._headers = {
            "User-Agent": user_agent,
            "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.8,*/*;q=0.5",
            "Accept-Language": "en,*;q=0.5",
            "Accept-Encoding": ACCEPTED,
        }

    async def __aexit__(self, *_: object) -> None:
        await self._transport.aclose()

    async def get(
        self, url: str, before_hop: BeforeHop | None = None, **options: Unpack[FetchOptions]
    ) -> FetchResponse:
        """The response at the end of the redirects; `before_hop` may delay or refuse each URL."""
        cookies = httpx.Cookies()
        spent, first = 0.0, None
        for _ in range(self.limits.redirects + 1):
            target = self.guard.check_url(url)
            first = first or target
            url = urldefrag(url).url
            if before_hop is not None:
                await before_hop(url)
            started = time.monotonic()
            own = options.get("headers", {}) if target == first else {}
            with errors_as(FetchError, "not a web address", httpx.InvalidURL, ValueError):
                request = httpx.Request("GET", url, headers=self._headers | own)
            cookies.set_cookie_header(request)
            sending = self._send(request, options)
            response, body = await self._within(self.limits.timeout - spent, sending)
            spent += time.monotonic() - started
            cookies.extract_cookies(response)
            if not response.has_redirect_location:
                return FetchResponse(
                    url=str(request.url),
                    status=response.status_code,
                    content_type=response.headers.get("content-type", ""),
                    body=body,
                    retry_after=response.headers.get("retry-after", ""),
                )
            location = response.headers["location"]
            with errors_as(FetchError, f"not a web address: {location[:100]!r}", ValueError):
                url = urljoin(url, location)
        raise FetchError(f"too many redirects: more than {self.limits.redirects}")

    async def _within(self, seconds: float, work: Awaitable[_Sent]) -> _Sent:
        try:
            async with asyncio.timeout(max(seconds, 0.05)):
                return await work
        except TimeoutError:
            raise TransientError(f"too slow: more than {self.limits.timeout:g} s") from None
        except (httpx.TimeoutException, httpx.NetworkError, OSError) as error:
            raise TransientError(f"connection failed: {first_line(error)}") from None
        except httpx.ProtocolError as error:
            raise TransientError(f"broken answer: {first_line(error)}") from None

    async def _send(self, request: httpx.Request, options: FetchOptions) -> _Sent:
        response = await self._transport.handle_async_request(request)
        response.request = request
        try:
            if response.has_redirect_location:
                return response, b""
            kind = response.headers.get("content-type", "")
            accepts = options.get("accepts")
            if accepts is not None and response.status_code < 400 and not accepts(kind):
                raise FetchError(f"content type: {kind[:80]!r} is not a page")
            return response, await self._read(response, options.get("cut", 0))
        finally:
            await response.aclose()

    async def _read(self, response: httpx.Response, cut: int) -> bytes:
        """The whole body; FetchError once it is larger than allowed, packed or unpacked."""
        limit = cut or self.limits.max_bytes
        announced = response.headers.get("content-length", "")
        too_large = announced.isdecimal() and len(announced) < 20 and int(announced) > limit
        body = bytearray()
        if cut or not too_large:
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > limit:
                    too_large = True
                    break
        if too_large and not cut:
            raise FetchError(f"too large: more than {limit} bytes")
        encodings = response.headers.get("content-encoding", "")
        return decode_body(bytes(body), encodings, limit, cut=bool(cut))


class _GuardedTransport(httpx.AsyncHTTPTransport):
    """httpx over a connection pool that connects through the guard.

    The pool of the base class is never made: were it to take another name, requests would fail.
    """

    def __init__(self, guard: AddressGuard) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=httpx.create_ssl_context(),
            http2=True,
            max_connections=64,
            max_keepalive_connections=20,  # the pool looks at each pair of them for each request
            keepalive_expiry=5.0,
            network_backend=_GuardedNetwork(guard),
        )


class _GuardedNetwork(httpcore.AsyncNetworkBackend):
    """Connects only to addresses that the guard has just resolved and checked, and to no other
    kind of address, which the base class refuses."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *_: Any, **__: Any
    ) -> httpcore.AsyncNetworkStream:
        return await self._guard.connect(host, port, self._network.connect_tcp, timeout)
