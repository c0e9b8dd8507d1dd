"""Content encodings undone, never growing past a bound (a small body may unpack to gigabytes)."""

from __future__ import annotations

import io
import zlib
from typing import BinaryIO

from reducepp.errors import FetchError

ACCEPTED = "gzip, deflate, br, zstd"
MOST_MEMBERS = 256
"""Members of one gzip body; block-wise packers make one for every 64 kB."""


def decode_body(body: bytes, encodings: str, max_bytes: int, *, cut: bool = False) -> bytes:
    """The body with its ``Content-Encoding`` undone; FetchError where broken or too large.

    An encoding that nobody knows (`utf-8`, `none`) is passed over, as browsers do. With `cut`,
    what is too large is cut instead.
    """
    names = [name.strip().lower() for name in encodings.split(",") if name.strip()]
    if len(names) > 3:
        raise FetchError(f"content encoding: more than three of them, {encodings[:80]!r}")
    for name in reversed(names):
        decode = _DECODERS.get(name)
        if decode is None or not body:
            continue
        try:
            body = decode(body, max_bytes + 1)
        except FetchError:
            raise
        except Exception as error:
            raise FetchError(f"broken body: {name} cannot be unpacked ({error})") from None
        if len(body) > max_bytes and not cut:
            raise FetchError(f"too large: more than {max_bytes} bytes when unpacked")
    return body[:max_bytes] if cut else body


def _gzip(body: bytes, limit: int) -> bytes:
    """Every member in turn; each costs a copy of what follows it, so their number is bounded."""
    out = b""
    for _ in range(MOST_MEMBERS):
        unpack = zlib.decompressobj(wbits=31)
        out += unpack.decompress(body, limit - len(out))
        body = unpack.unused_data
        if len(out) >= limit or not body.startswith(b"\x1f\x8b"):
            return out
    raise FetchError(f"broken body: gzip with more than {MOST_MEMBERS} members")


def _deflate(body: bytes, limit: int) -> bytes:
    """Zlib's wrapping as the standard says, or the bare stream that some servers send."""
    try:
        return zlib.decompressobj().decompress(body, limit)
    except zlib.error:
        return zlib.decompressobj(wbits=-15).decompress(body, limit)


def _brotli(body: bytes, limit: int) -> bytes:
    import brotli

    unpack = brotli.Decompressor()
    out = unpack.process(body, output_buffer_limit=limit)
    while len(out) < limit and not unpack.is_finished():
        more = unpack.process(b"", output_buffer_limit=limit - len(out))
        if not more:
            raise FetchError("broken body: br ends too early")
        out += more
    return bytes(out)


def _zstd(body: bytes, limit: int) -> bytes:
    import zstandard

    unpack = zstandard.ZstdDecompressor(max_window_size=1 << 27)
    with unpack.stream_reader(io.BytesIO(body), read_across_frames=True) as reader:
        return reader.read(limit)


_DECODERS = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}


class Unpacked(io.RawIOBase):
    """A gzip file's content as far as it is whole; `damage` says why it ends there."""

    def __init__(self, stream: BinaryIO) -> None:
        self.damage = ""
        self._stream = stream
        self._member = zlib.decompressobj(wbits=31)
        self._ready = b""

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes; none where the file ends or is damaged."""
        while not self._ready and not self.damage and (data := self._next_piece()):
            try:
                self._ready = self._member.decompress(data, 1_000_000)
            except zlib.error as error:
                self.damage = str(error)
        found, self._ready = self._ready[:size], self._ready[size:]
        return found

    def _next_piece(self) -> bytes:
        if self._member.eof:
            rest = self._member.unused_data or self._stream.read(65_536)
            if rest:
                self._member = zlib.decompressobj(wbits=31)
            return rest
        data = self._member.unconsumed_tail or self._stream.read(65_536)
        self.damage = "" if data else "it ends too early"
        return data
