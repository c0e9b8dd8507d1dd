"""In front of every route: who may call, how much may arrive, and how a browser treats answers."""

import asyncio
import hmac
import ipaddress
from collections.abc import Callable
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reducepp.service.limits import ServiceSettings

OPEN = ("/", "/healthz", "/openapi.json", "/favicon.ico")
"""Routes without a token; like those under /assets/ they hold nothing of anybody's pages."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    # for answers that are no page: nothing in them is ever run or loaded
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'",
}
REFUSAL_HEADERS = {
    401: {"www-authenticate": "Bearer"},
    408: {"connection": "close"},
    413: {"connection": "close"},
    503: {"retry-after": "1", "connection": "close"},
}
DISCARD_SECONDS = 2
"""How long the rest of a refused body is read and thrown away.

A connection closed with unread bytes is reset, and the caller never sees why.
"""

Refusal = tuple[int, str]
"""Status and the reason in one line."""


def is_loopback(host: str) -> bool:
    """The address is this machine's own."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class AccessMiddleware:
    """ASGI middleware: host, token, type and size of the body; headers on every answer."""

    def __init__(
        self,
        app: ASGIApp,
        settings: ServiceSettings,
        note_refused: Callable[[int], None] = lambda _: None,
    ) -> None:
        """`note_refused` counts a refused request by its status."""
        self.app, self.settings, self._note_refused = app, settings, note_refused
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its body read (HEAD as GET), or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        parts: list[bytes] = []
        body = _to_its_end(receive)
        try:
            refusal = self._refuse(scope, Headers(scope=scope))
            if scope["method"] == "POST" and not refusal:
                refusal = await self._read_body(body, parts)
            if refusal:
                status, error = refusal
                self._note_refused(status)
                answer = JSONResponse({"error": error}, status, REFUSAL_HEADERS.get(status))
                await answer(scope, receive, _with_headers(_discarding(body, send)))
                return
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            replayed = _replay(b"".join(parts), receive)
            await self.app({**scope, "method": method}, replayed, _with_headers(send))
        finally:
            self._held -= sum(map(len, parts))

    async def _read_body(self, receive: Receive, parts: list[bytes]) -> Refusal | None:
        """Add the body to `parts`, or why it is refused.

        Memory is taken as it arrives, so that a stalled caller holds none.
        """
        limits, size = self.settings.limits, 0
        try:
            async with asyncio.timeout(limits.reading_seconds):
                while (message := await receive())["type"] != "http.disconnect":
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    self._held += len(parts[-1])
                    if size > limits.body_bytes:
                        return 413, f"body: at most {limits.body_bytes} bytes are taken"
                    if self._held > 8 * limits.body_bytes:
                        return 503, "busy: come again in 1 s"
                    if not message.get("more_body"):
                        break
        except TimeoutError:
            return 408, "the body did not arrive in time"
        return None

    def _refuse(self, scope: Scope, headers: Headers) -> Refusal | None:
        settings, most = self.settings, self.settings.limits.body_bytes
        host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
        if settings.hosts and host.lower() not in settings.hosts:
            return 421, "this service is not known under that name: --allowed-host adds one"
        path = scope["path"].removeprefix(settings.root_path) or "/"
        if not self._may_call(path, headers.get("authorization", "")):
            given = "authorization" in headers
            return 401, "the bearer token is wrong" if given else "a bearer token is needed"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > most:
            return 413, f"body: at most {most} bytes are taken"
        return _wrong_type(headers) if scope["method"] == "POST" else None

    def _may_call(self, path: str, authorization: str) -> bool:
        token = self.settings.token
        if not token or path in OPEN or path.startswith("/assets/"):
            return True
        kind, _, given = authorization.partition(" ")
        same = hmac.compare_digest(given.strip().encode(), token.encode())
        return kind.lower() == "bearer" and same


def _wrong_type(headers: Headers) -> Refusal | None:
    """A form or plain text could be sent by any web page without asking: neither is taken."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/json", "application/octet-stream"):
        return 415, "content-type: application/json is needed"
    if headers.get("content-encoding", "identity").lower() != "identity":
        return 415, "content-encoding: send the body as it is"
    return None


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body as one message, then what the connection sends (a disconnect)."""
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return left.pop() if left else await receive()

    return again


def _to_its_end(receive: Receive) -> Receive:
    """The messages of a body; a disconnect after the last one, which is not waited for."""
    is_left = True

    async def read() -> Message:
        nonlocal is_left
        message = await receive() if is_left else {"type": "http.disconnect"}
        is_left = bool(message.get("more_body"))
        return message

    return read


def _discarding(receive: Receive, send: Send) -> Send:
    """Answer at once, and end the answer when the caller has stopped sending."""

    async def sent(message: Message) -> None:
        if message["type"] != "http.response.body":
            await send(message)
            return
        await send({**message, "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(DISCARD_SECONDS):
                while (await receive()).get("more_body"):
                    pass
        await send({"type": "http.response.body"})

    return sent


def _with_headers(send: Send) -> Send:
    async def secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return secured
