"""In front of every route: who may call, how much may arrive, and how a browser treats answers."""

from __future__ import annotations

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
"""Routes without a token; with those under /assets/ they show nothing of anybody's pages."""

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
    """Who may call, and from under which name."""

    token: str = ""
    hosts: tuple[str, ...] = ()
    """Names the service answers to; empty is any. Keeps a web page from reaching a service on
    loopback under a name of its own."""
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


class Guard:
    """ASGI middleware: host, token, type and size of the body; headers on every answer."""

    def __init__(self, app: App, access: Access) -> None:
        self.app, self.access = app, access
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through with its body read, or answer in its place."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        secured = _with_headers(send)
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        problem = self._refuse(scope, headers)
        if problem:
            await _answer(secured, *problem)
            return
        size = _announced(headers, self.access.body_bytes)
        if self._held + size > self.access.held_bytes:
            await _answer(secured, 503, "busy: come again in 1 s")
            return
        self._held += size
        try:
            await self._let_in(scope, receive, secured)
        finally:
            self._held -= size

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await asyncio.wait_for(
                _read_body(receive, self.access.body_bytes), self.access.reading_seconds
            )
        except TimeoutError:
            await _answer(send, 408, "the body did not arrive in time")
            return
        if body is None:
            await _answer(send, 413, f"body: at most {self.access.body_bytes} bytes are taken")
            return
        await self.app(scope, _replay(body, receive), send)

    def _refuse(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
        if self.access.hosts and host.lower() not in self.access.hosts:
            return 421, "this service is not known under that name"
        if not self._may_call(scope["path"], headers.get("authorization", "")):
            return 401, "a bearer token is needed"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.access.body_bytes:
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


def _announced(headers: dict[str, str], most: int) -> int:
    """Bytes that a request may bring: what it says, or all it may where it says nothing."""
    return most if "transfer-encoding" in headers else int(headers.get("content-length", "0"))


def _wrong_type(headers: dict[str, str]) -> tuple[int, str] | None:
    """A form or plain text could be sent by any web page without asking: neither is taken."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/json", "application/octet-stream"):
        return 415, "content-type: application/json is needed"
    if headers.get("content-encoding", "identity").lower() != "identity":
        return 415, "content-encoding: send the body as it is"
    return None


async def _read_body(receive: Receive, most: int) -> bytes | None:
    """The whole body; None where it is too long."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body as one message, then whatever comes (a hang-up)."""
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


async def _answer(send: Send, status: int, error: str) -> None:
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
