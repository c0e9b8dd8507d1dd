"""Content encodings undone, never growing past a bound (a small body may unpack to gigabytes)."""

from __future__ import annotations

import io
import zlib

from reducepp.errors import FetchError

ACCEPTED = "gzip, deflate, br, zstd"


def decode_body(body: bytes, encodings: str, max_bytes: int) -> bytes:
    """The body with its ``Content-Encoding`` undone; FetchError where broken or too large."""
    names = [name.strip().lower() for name in encodings.split(",") if name.strip()]
    if len(names) > 3:
        raise FetchError(f"content encoding: more than three of them, {encodings[:80]!r}")
    for name in reversed(names):
        decode = _DECODERS.get(name)
        if decode is None:
            raise FetchError(f"content encoding: {name[:40]!r} is none of {ACCEPTED}")
        try:
            body = decode(body, max_bytes + 1)
        except FetchError:
            raise
        except Exception as error:
            raise FetchError(f"broken body: {name} cannot be unpacked ({error})") from None
        if len(body) > max_bytes:
            raise FetchError(f"too large: more than {max_bytes} bytes when unpacked")
    return body


def _identity(body: bytes, limit: int) -> bytes:
    return body


def _gzip(body: bytes, limit: int) -> bytes:
    if not body:
        return body
    out = b""
    while body and len(out) < limit:
        unpack = zlib.decompressobj(wbits=31)
        out += unpack.decompress(body, limit - len(out))
        body = unpack.unused_data
        if not body.startswith(b"\x1f\x8b"):
            break
    return out


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
    "identity": _identity,
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
