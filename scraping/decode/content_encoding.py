"""Content encodings undone, never growing past a bound (a small body may unpack to gigabytes)."""

import io
import zlib
from contextlib import suppress

from reducepp.errors import FetchError

ACCEPTED = "gzip, deflate, br, zstd"
MAX_GZIP_MEMBERS = 256
"""Members of one gzip body; block-wise packers make one for every 64 kB."""


def decode_body(body: bytes, encodings: str, max_bytes: int, *, cut: bool = False) -> bytes:
    """The body with its ``Content-Encoding`` undone; FetchError where broken or too large.

    An unknown encoding (`utf-8`, `none`) is ignored, as browsers do. With `cut`, a body that is
    too large is cut, and one that ends too early is taken as far as it goes.
    """
    names = [name.strip().lower() for name in encodings.split(",") if name.strip()]
    if len(names) > 3:
        raise FetchError(f"content encoding: more than three of them, {encodings[:80]!r}")
    for name in reversed(names):
        if name not in _DECODERS or not body:
            continue
        try:
            body, is_whole = _DECODERS[name](body, max_bytes + 1)
        except FetchError:
            raise
        except Exception as error:
            raise FetchError(f"broken body: {name} cannot be unpacked ({error})") from None
        if len(body) > max_bytes and not cut:
            raise FetchError(f"too large: more than {max_bytes} bytes when unpacked")
        if not is_whole and len(body) <= max_bytes and not cut:
            raise FetchError(f"broken body: {name} ends too early")
    return body[:max_bytes] if cut else body


Decoded = tuple[bytes, bool]
"""Up to the limit of bytes, and whether the encoded body was whole."""


def _gzip(body: bytes, limit: int) -> Decoded:
    """Every member in turn; each costs a copy of what follows it, so their number is bounded."""
    out = b""
    for _ in range(MAX_GZIP_MEMBERS):
        unpack = zlib.decompressobj(wbits=31)
        out += unpack.decompress(body, limit - len(out))
        body = unpack.unused_data
        if len(out) >= limit or not body.startswith(b"\x1f\x8b"):
            return out, unpack.eof
    raise FetchError(f"broken body: gzip with more than {MAX_GZIP_MEMBERS} members")


def _deflate(body: bytes, limit: int) -> Decoded:
    """Zlib's wrapping as the standard says, or the bare stream that some servers send."""
    for bits in (15, -15):
        unpack = zlib.decompressobj(wbits=bits)
        with suppress(zlib.error):
            return unpack.decompress(body, limit), unpack.eof
    raise FetchError("broken body: deflate cannot be unpacked")


def _brotli(body: bytes, limit: int) -> Decoded:
    import brotli

    unpack = brotli.Decompressor()
    out = unpack.process(body, output_buffer_limit=limit)
    while len(out) < limit and not unpack.is_finished():
        more = unpack.process(b"", output_buffer_limit=limit - len(out))
        if not more:
            break
        out += more
    return bytes(out), unpack.is_finished()


def _zstd(body: bytes, limit: int) -> Decoded:
    import zstandard

    unpack = zstandard.ZstdDecompressor(max_window_size=1 << 27)
    with unpack.stream_reader(io.BytesIO(body), read_across_frames=True) as reader:
        out = reader.read(limit)
    if len(out) >= limit:
        return out, False
    for _ in range(MAX_GZIP_MEMBERS):  # the reader says nothing of a frame that ends too early
        frame = unpack.decompressobj()
        frame.decompress(body)
        body = frame.unused_data
        if not body or not frame.eof:
            break
    return out, frame.eof


_DECODERS = {"gzip": _gzip, "x-gzip": _gzip, "deflate": _deflate, "br": _brotli, "zstd": _zstd}
