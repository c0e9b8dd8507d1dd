"""A forward proxy on loopback that applies the address guard to every request of the browser.

The browser sends all requests here, those to loopback addresses too. Each host is resolved and
checked, and the connection is made to the checked address. A refused request gets an empty 403.
"""

import asyncio
import threading
from urllib.parse import urlsplit

from reducepp.errors import FetchError, GuardError
from reducepp.scraping.fetch.chromium import BACKGROUND_HOSTS
from reducepp.scraping.fetch.guard import AddressGuard, host_and_port

_MAX_HEAD_BYTES = 64_000
_HOP_HEADERS = (b"connection:", b"proxy-connection:", b"keep-alive:", b"proxy-authorization:")
_CHUNK_BYTES = 65_536
_MAX_CONNECTION_SECONDS = 120.0
"""Six times the default page timeout: a page's sockets end with it, at the latest."""


class GuardProxy:
    """The proxy, running in its own thread between `start` and `stop`."""

    def __init__(self, *, max_bytes: int) -> None:
        self.port = 0
        self.guard: AddressGuard | None = None
        """The guard of the page that is being loaded. None between pages: whatever the browser
        requests then is its own background traffic, and refused at once."""
        self.refused: set[str] = set()
        """``host:port`` of everything the guard refused so far."""
        self._max_bytes = max_bytes

    def start(self) -> None:
        """Listen on a free loopback port, unless it does already."""
        if not self.port:
            ready = threading.Event()
            self._thread = threading.Thread(
                target=asyncio.run, args=[self._run(ready)], daemon=True
            )
            self._thread.start()
            ready.wait(10)

    def stop(self) -> None:
        """Close the port and every connection; nothing where it was not started."""
        if self.port:
            self._loop.call_soon_threadsafe(self._stopped.set)
            self._thread.join(10)

    async def _run(self, ready: threading.Event) -> None:
        """Serve until stopped; the connections of then are cancelled with the event loop."""
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(
            self._serve, "127.0.0.1", 0, limit=_MAX_HEAD_BYTES, backlog=128
        )
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stopped.wait()
        server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_MAX_CONNECTION_SECONDS):
                await self._handle(reader, writer)
        except (OSError, EOFError, asyncio.LimitOverrunError, ValueError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
        method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
        url = f"https://{target}/" if method == "CONNECT" else target
        guard = self.guard
        if guard is None or (urlsplit(url).hostname or "") in BACKGROUND_HOSTS:
            return await _respond(writer, "403 Forbidden")
        try:
            host, port = guard.check_url(url)
            upstream, sink = await guard.connect(host, port, _open, 20.0)
        except GuardError:
            self.refused.add(host_and_port(url))
            return await _respond(writer, "403 Forbidden")
        except (FetchError, OSError):
            return await _respond(writer, "502 Bad Gateway")
        try:
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await _tunnel(reader, writer, upstream, sink, 10 * self._max_bytes)
            else:
                await _forward(head, reader, sink)
                answer = await upstream.readuntil(b"\r\n\r\n")
                writer.write(_with_connection_close(answer[:-4].split(b"\r\n")))
                await _copy(upstream, writer, self._max_bytes)
        finally:
            sink.close()


async def _open(
    address: str, port: int, seconds: float | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    opening = asyncio.open_connection(address, port, limit=_MAX_HEAD_BYTES)
    return await asyncio.wait_for(opening, seconds)


async def _respond(writer: asyncio.StreamWriter, status: str) -> None:
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: 0\r\n"
    writer.write(head.encode() + b"Connection: close\r\n\r\n")
    await writer.drain()


async def _forward(head: bytes, reader: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Forward a request in origin form with its body; one request per connection."""
    lines = head[:-4].split(b"\r\n")
    method, target, version = lines[0].split(b" ", 2)
    parts = urlsplit(target.decode("latin-1"))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines[0] = b" ".join((method, path.encode("latin-1"), version))
    sink.write(_with_connection_close(lines))
    length = next((line[15:] for line in lines if line.lower().startswith(b"content-length:")), b"")
    left = int(length or 0)
    while left > 0 and (chunk := await reader.read(min(left, _CHUNK_BYTES))):
        sink.write(chunk)
        left -= len(chunk)
    await sink.drain()


def _with_connection_close(lines: list[bytes]) -> bytes:
    kept = [line for line in lines if not line.lower().startswith(_HOP_HEADERS)]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


async def _tunnel(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    upstream: asyncio.StreamReader,
    sink: asyncio.StreamWriter,
    max_bytes: int,
) -> None:
    up = asyncio.create_task(_copy(reader, sink, max_bytes))
    down = asyncio.create_task(_copy(upstream, writer, max_bytes))
    try:
        await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        up.cancel()
        down.cancel()
        await asyncio.gather(up, down, return_exceptions=True)


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter, max_bytes: int) -> None:
    """Copy bytes until either side closes, or `max_bytes` are through."""
    left = max_bytes
    while left > 0 and (chunk := await source.read(_CHUNK_BYTES)):
        left -= len(chunk)
        sink.write(chunk)
        await sink.drain()
