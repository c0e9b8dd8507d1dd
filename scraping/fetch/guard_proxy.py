"""A SOCKS proxy on loopback that applies the address guard to every connection of the browser.

The browser makes all connections through it, those to loopback addresses too, and resolves no
names. Each host is resolved and checked, and the connection is made to the checked address.
"""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from threading import Event, Thread

from reducepp.errors import FetchError, GuardError
from reducepp.scraping.fetch.chromium import BACKGROUND_HOSTS
from reducepp.scraping.fetch.guard import AddressGuard

_CONNECTED, _NOT_ALLOWED, _UNREACHABLE = 0, 2, 4
"""Replies of RFC 1928."""
_CHUNK_BYTES = 65_536
_Streams = tuple[StreamReader, StreamWriter]


class GuardProxy:
    """The proxy, running in its own thread between `start` and `stop`."""

    def __init__(self, *, max_bytes: int) -> None:
        self.port = 0
        self._guard: AddressGuard | None = None
        """None between pages: what the browser requests then is its own background traffic."""
        self._connections: set[asyncio.Task[None] | None] = set()
        self.refused: set[tuple[str, int]] = set()
        """Host and port of everything that the guard of the last page refused."""
        self._max_bytes = max_bytes

    def start(self) -> None:
        """Listen on a free loopback port, unless it does already."""
        if not self.port:
            ready = Event()
            self._thread = Thread(target=asyncio.run, args=[self._run(ready)], daemon=True)
            self._thread.start()
            ready.wait(10)

    def stop(self) -> None:
        """Close the port and every connection; nothing where it was not started."""
        if self.port:
            self._loop.call_soon_threadsafe(self._stopped.set)
            self._thread.join(10)

    @contextmanager
    def page(self, guard: AddressGuard) -> Iterator[None]:
        """Connect where the guard allows it, for one page; its connections end with it.

        Were one kept, the next page could use it, whatever its own guard allows.
        """
        self._guard = guard
        self.refused.clear()
        try:
            yield
        finally:
            self._guard = None
            self._loop.call_soon_threadsafe(self._end_connections)

    def _end_connections(self) -> None:
        for task in filter(None, self._connections):
            task.cancel()

    async def _run(self, ready: Event) -> None:
        """Serve until stopped; the connections of then are cancelled with the event loop."""
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=128)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stopped.wait()
        server.close()

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._connections.add(task := asyncio.current_task())
        try:
            await self._handle(reader, writer)
        except (OSError, EOFError, ValueError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.close()

    async def _handle(self, reader: StreamReader, writer: StreamWriter) -> None:
        host, port = await asyncio.wait_for(_read_target(reader, writer), 30)
        guard = self._guard
        if guard is None or host in BACKGROUND_HOSTS:
            return _reply(writer, _NOT_ALLOWED)
        try:
            upstream, sink = await guard.connect(host, port, _open, 20.0)
        except GuardError:
            self.refused.add((host, port))
            return _reply(writer, _NOT_ALLOWED)
        except (FetchError, OSError):
            return _reply(writer, _UNREACHABLE)
        try:
            _reply(writer, _CONNECTED)
            await _tunnel(((reader, sink), (upstream, writer)), 10 * self._max_bytes)
        finally:
            sink.close()


async def _read_target(reader: StreamReader, writer: StreamWriter) -> tuple[str, int]:
    """Host and port that a client without authentication asks to be connected to (RFC 1928)."""
    _, methods = await reader.readexactly(2)
    await reader.readexactly(methods)
    writer.write(b"\x05\x00")
    _, command, _, kind = await reader.readexactly(4)
    if command != 1:
        raise ValueError("neither packets nor incoming connections are allowed")
    if kind == 3:
        (length,) = await reader.readexactly(1)
        host = (await reader.readexactly(length)).decode("latin-1")
    else:
        host = str(ip_address(await reader.readexactly(4 if kind == 1 else 16)))
    return host.strip("[]").rstrip(".").lower(), int.from_bytes(await reader.readexactly(2), "big")


def _reply(writer: StreamWriter, status: int) -> None:
    writer.write(bytes([5, status, 0, 1]) + bytes(6))


async def _open(address: str, port: int, seconds: float | None) -> _Streams:
    return await asyncio.wait_for(asyncio.open_connection(address, port), seconds)


async def _tunnel(ways: tuple[_Streams, _Streams], max_bytes: int) -> None:
    """Copy both ways until one of them ends."""
    copies = [asyncio.create_task(_copy(source, sink, max_bytes)) for source, sink in ways]
    try:
        await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for copy in copies:
            copy.cancel()
        await asyncio.gather(*copies, return_exceptions=True)


async def _copy(source: StreamReader, sink: StreamWriter, max_bytes: int) -> None:
    """Copy bytes until either side closes, or `max_bytes` are through."""
    left = max_bytes
    while left > 0 and (chunk := await source.read(_CHUNK_BYTES)):
        left -= len(chunk)
        sink.write(chunk)
        await sink.drain()
