"""In front of every route: who may call, how much may arrive, and how a browser treats answers."""

import asyncio
import hmac
import ipaddress
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

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
}
POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""For answers that are no page: nothing in them is ever run or loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Who may call, under which names of the service, and with how much."""

    token: str = ""
    hosts: tuple[str, ...] = ()
    """Names the service answers to; empty is any. Keeps a web page from reaching a service on
    loopback under a name of its own."""
    root_path: str = ""
    """Path prefix under which a proxy serves it."""
    body_bytes: int
    held_bytes: int
    """Bodies of all requests together."""
    reading_seconds: float


def is_loopback(host: str) -> bool:
    """The address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(slots=True)
class _Held:
    """Bytes of one request's body that are in memory."""

    size: int = 0


class AccessMiddleware:
    """ASGI middleware: host, token, type and size of the body; headers on every answer."""

    def __init__(
        self, app: App, access: Access, note_refused: Callable[[int], None] = lambda _: None
    ) -> None:
        self.app, self.access, self._note_refused = app, access, note_refused
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its body read, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        secured = _with_headers(send)
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        problem = self._refuse(scope, headers)
        if problem:
            await self._answer(secured, *problem)
        elif scope["method"] == "POST":
            await self._let_in(scope, receive, secured)
        else:  # a body is neither expected nor read; HEAD is answered as GET, without the body
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            await self.app({**scope, "method": method}, _replay(b"", receive), secured)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body; memory is taken as it arrives, so that a stalled caller holds none."""
        held = _Held()
        try:
            body = await asyncio.wait_for(
                self._read_body(receive, held), self.access.reading_seconds
            )
            if isinstance(body, bytes):
                await self.app(scope, _replay(body, receive), send)
            else:
                await self._answer(send, *body)
        except TimeoutError:
            await self._answer(send, 408, "the body did not arrive in time")
        finally:
            self._held -= held.size

    async def _read_body(self, receive: Receive, held: _Held) -> bytes | tuple[int, str]:
        """The whole body, or why it is refused."""
        parts = []
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return b""
            parts.append(message.get("body", b""))
            held.size += len(parts[-1])
            self._held += len(parts[-1])
            if held.size > self.access.body_bytes:
                return 413, f"body: at most {self.access.body_bytes} bytes are taken"
            if self._held > self.access.held_bytes:
                return 503, "busy: come again in 1 s"
            if not message.get("more_body"):
                return b"".join(parts)

    async def _answer(self, send: Send, status: int, error: str) -> None:
        self._note_refused(status)
        await _send_problem(send, status, error)

    def _refuse(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
        if self.access.hosts and host.lower() not in self.access.hosts:
            return 421, "this service is not known under that name"
        path = scope["path"].removeprefix(self.access.root_path) or "/"
        if not self._may_call(path, headers.get("authorization", "")):
            return 401, "a bearer token is needed"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self.access.body_bytes:
            return 413, f"body: at most {self.access.body_bytes} bytes are taken"
        if scope["method"] == "POST":
            return _wrong_type(headers)
        return None

    def _may_call(self, path: str, authorization: str) -> bool:
        if not self.access.token or path in OPEN or path.startswith("/assets/"):
            return True
        kind, _, given = authorization.partition(" ")
        same = hmac.compare_digest(given.strip().encode(), self.access.token.encode())
        return kind.lower() == "bearer" and same


def _wrong_type(headers: dict[str, str]) -> tuple[int, str] | None:
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


def _with_headers(send: Send) -> Send:
    async def secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            present = {name.lower() for name, _ in message["headers"]}
            more = {**HEADERS, "content-security-policy": POLICY}
            message["headers"] = [*message["headers"], *_missing(more.items(), present)]
        await send(message)

    return secured


def _missing(
    headers: Iterable[tuple[str, str]], present: set[bytes]
) -> Iterable[tuple[bytes, bytes]]:
    return [(k.encode(), v.encode()) for k, v in headers if k.encode() not in present]


async def _send_problem(send: Send, status: int, error: str) -> None:
    body = json.dumps({"error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if status == 503:
        headers.append((b"retry-after", b"1"))
    if status in (408, 413, 503):
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
