"""A small forward proxy on loopback through which the browser sees the web, guard included.

The browser sends every request here, its own loopback ones too; each host is resolved and
checked by the guard, and the connection is made to the address that was checked. What is
refused gets an empty 403 and is remembered.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from urllib.parse import urlsplit

from reducepp.errors import FetchError, GuardError
from reducepp.scraping.fetch.guard import Guard

_HEAD_LIMIT = 64_000
_HOP_HEADERS = (b"connection:", b"proxy-connection:", b"keep-alive:", b"proxy-authorization:")
_PIECE = 65_536
_LONGEST = 120.0
"""Seconds that one connection may last."""


class GuardProxy:
    """The proxy, running in its own thread between `start` and `stop`."""

    def __init__(self, guard: Guard, *, max_bytes: int) -> None:
        self.port = 0
        self.refused: set[str] = set()
        """``host:port`` of everything the guard refused so far."""
        self._guard = guard
        self._max_bytes = max_bytes
        self._tasks: set[asyncio.Task[object]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def start(self) -> None:
        """Listen on a free loopback port."""
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(10)

    def stop(self) -> None:
        """Close the port and every connection."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(
            self._serve, "127.0.0.1", 0, limit=_HEAD_LIMIT, backlog=128
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def _end(self) -> None:
        self._server.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)  # the loop itself holds tasks only weakly
        try:
            async with asyncio.timeout(_LONGEST):
                await self._answer(reader, writer)
        except (OSError, EOFError, asyncio.LimitOverrunError, ValueError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
        method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
        url = f"https://{target}/" if method == "CONNECT" else target
        try:
            host, port = self._guard.check_url(url)
            upstream, sink = await self._connect(host, port)
        except GuardError:
            parts = urlsplit(url)
            port = parts.port or (80 if parts.scheme == "http" else 443)
            self.refused.add(f"{parts.hostname}:{port}")
            return await _say(writer, "403 Forbidden")
        except (FetchError, OSError):
            return await _say(writer, "502 Bad Gateway")
        try:
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await _both_ways(reader, writer, upstream, sink, 10 * self._max_bytes)
            else:
                await _forward(head, reader, sink)
                await _hand_back(upstream, writer, self._max_bytes)
        finally:
            sink.close()

    async def _connect(
        self, host: str, port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        target = await self._guard.resolve(host, port)
        for address in target.addresses[:-1]:
            with contextlib.suppress(OSError):
                return await _open(address, target.port, 5)
        return await _open(target.addresses[-1], target.port, 20)


async def _open(
    address: str, port: int, seconds: float
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    opening = asyncio.open_connection(address, port, limit=_HEAD_LIMIT)
    return await asyncio.wait_for(opening, seconds)


async def _say(writer: asyncio.StreamWriter, status: str) -> None:
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: 0\r\n"
    writer.write(head.encode() + b"Connection: close\r\n\r\n")
    await writer.drain()


async def _forward(head: bytes, reader: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Send a request on in origin form, one request a connection, with its body."""
    lines = head[:-4].split(b"\r\n")
    method, target, version = lines[0].split(b" ", 2)
    parts = urlsplit(target.decode("latin-1"))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines[0] = b" ".join((method, path.encode("latin-1"), version))
    sink.write(_closing(lines))
    length = next((line[15:] for line in lines if line.lower().startswith(b"content-length:")), b"")
    left = int(length or 0)
    while left > 0 and (piece := await reader.read(min(left, _PIECE))):
        sink.write(piece)
        left -= len(piece)
    await sink.drain()


async def _hand_back(
    upstream: asyncio.StreamReader, writer: asyncio.StreamWriter, max_bytes: int
) -> None:
    head = await upstream.readuntil(b"\r\n\r\n")
    writer.write(_closing(head[:-4].split(b"\r\n")))
    await _pump(upstream, writer, max_bytes)


def _closing(lines: list[bytes]) -> bytes:
    kept = [line for line in lines if not line.lower().startswith(_HOP_HEADERS)]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


async def _both_ways(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    upstream: asyncio.StreamReader,
    sink: asyncio.StreamWriter,
    max_bytes: int,
) -> None:
    up = asyncio.create_task(_pump(reader, sink, max_bytes))
    down = asyncio.create_task(_pump(upstream, writer, max_bytes))
    try:
        await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        up.cancel()
        down.cancel()
        await asyncio.gather(up, down, return_exceptions=True)


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, max_bytes: int) -> None:
    """Hand bytes on until either side ends or there are more than allowed."""
    left = max_bytes
    while left > 0 and (piece := await source.read(_PIECE)):
        left -= len(piece)
        sink.write(piece)
        await sink.drain()
